import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import type { TransferAnswer, TransferBody } from '../../contract/connector/transfer.ts';

export interface ReceivedBatch {
  headers: IncomingHttpHeaders;
  text: string;
  body: TransferBody;
  /** The callers' numbers of its orders, in the order sent. */
  numbers: string[];
  /** Sequence number of the request, starting at 1. */
  nth: number;
}

export type Reply = 'reset' | { status: number; headers?: Record<string, string>; body?: string | TransferAnswer };
export type Behaviour = (batch: ReceivedBatch) => Reply | Promise<Reply>;

/** The system of a warehouse: records the batches it receives and responds as configured. */
export interface WarehouseSystem {
  url: string;
  batches: ReceivedBatch[];
  behave(behaviour: Behaviour): void;
  /** Whether each order always arrived under one transfer id. */
  hasOneIdPerOrder(): boolean;
  /** How many transfer ids an order arrived under. */
  idsOf(number: string): number;
  /** Numbers of orders by their first arrival. */
  firstArrivals(): string[];
  close(): Promise<void>;
}

export const takes: Behaviour = () => ({ status: 200 });

export async function startWarehouseSystem(behaviour: Behaviour = takes): Promise<WarehouseSystem> {
  const batches: ReceivedBatch[] = [];
  let behaving = behaviour;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const body: TransferBody = JSON.parse(sent);
    const batch = {
      headers: request.headers,
      text: sent,
      body,
      numbers: body.orders.map(numberOf),
      nth: batches.length + 1,
    };
    batches.push(batch);
    const reply = await behaving(batch);
    if (reply === 'reset') request.socket.resetAndDestroy();
    else if (!response.destroyed) {
      const content = typeof reply.body === 'object' ? JSON.stringify(reply.body) : (reply.body ?? '');
      response.writeHead(reply.status, reply.headers).end(content);
    }
  }

  function idsOf(number: string): number {
    const orders = batches.flatMap((batch) => batch.body.orders);
    return new Set(orders.filter((order) => numberOf(order) === number).map((order) => order.transfer_id)).size;
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  after(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    batches,
    behave(next) {
      behaving = next;
    },
    hasOneIdPerOrder: () => batches.flatMap((batch) => batch.numbers).every((number) => idsOf(number) === 1),
    idsOf,
    firstArrivals: () => [...new Set(batches.flatMap((batch) => batch.numbers))],
    close,
  };
}

function numberOf(order: TransferBody['orders'][number]): string {
  return order.outbound_short_id ?? order.internal_name!;
}

/** Rejects these orders by name and accepts the others. */
export function rejects(...numbers: string[]): Behaviour {
  return ({ body }) => ({
    status: 200,
    body: {
      results: body.orders.map((order) => {
        const isRejected = numbers.includes(numberOf(order));
        return {
          transfer_id: order.transfer_id,
          accepted: !isRejected,
          ...(isRejected ? { reason: `not ${numberOf(order)}` } : {}),
        };
      }),
    },
  });
}

/** Holds all responses back until `release`; then responds as `behaviour` says. */
export function held(behaviour: Behaviour = takes): { behaviour: Behaviour; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    async behaviour(batch) {
      await promise;
      return await behaviour(batch);
    },
    release: resolve,
  };
}
