import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

export interface ReceivedCallback {
  eventId: string;
  /** How often this event has arrived, including this time. */
  time: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export type Behaviour = (received: ReceivedCallback) => Reply | Promise<Reply>;

/** A partner's server: records the callbacks it receives and responds as configured. */
export interface Receiver {
  url: string;
  received: ReceivedCallback[];
  behave(behaviour: Behaviour): void;
  /** The number of requests that wait for their response. */
  present(): number;
  /** The highest number of concurrent requests. */
  peak(): number;
  close(): Promise<void>;
}

export async function startReceiver(behaviour: Behaviour = () => ({ status: 200 })): Promise<Receiver> {
  const received: ReceivedCallback[] = [];
  const times = new Map<string, number>();
  let behaving = behaviour;
  let present = 0;
  let peak = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    present++;
    peak = Math.max(peak, present);
    response.on('close', () => present--);
    const eventId = String(request.headers['webhook-id']);
    const body = await text(request);
    times.set(eventId, (times.get(eventId) ?? 0) + 1);
    const one = { eventId, time: times.get(eventId)!, path: request.url!, headers: request.headers, body };
    received.push(one);
    const reply = await behaving(one);
    if (!response.destroyed) response.writeHead(reply.status, reply.headers).end(reply.body ?? 'ok');
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  after(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    received,
    behave(next) {
      behaving = next;
    },
    present: () => present,
    peak: () => peak,
    close,
  };
}

/** A server that responds to no request until `letGo`. */
export async function startHangingReceiver(): Promise<Receiver & { letGo(): void }> {
  const held = Promise.withResolvers<void>();
  const receiver = await startReceiver(async () => {
    await held.promise;
    return { status: 200 };
  });
  return { ...receiver, letGo: () => held.resolve() };
}
