import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyCallback } from '../sdk/client.ts';
import { faultKey } from './child-process.ts';
import type { Ledger } from './ledger.ts';

export interface ArrivedCallback {
  eventId: string;
  /** The event and its document, such as `order.shipped SHIP-7`. */
  label: string;
  times: number;
}

/** A partner's receiver, which verifies and records every callback. */
export interface CallbackReceiver {
  url: string;
  arrived: Map<string, ArrivedCallback>;
  stop(): void;
}

export async function startCallbackReceiver(ledger: Ledger): Promise<CallbackReceiver> {
  const arrived = new Map<string, ArrivedCallback>();
  const bodies = new Map<string, string>();
  const sequences = new Map<string, number>();

  function take(request: IncomingMessage, body: Buffer): void {
    const callback = verifyCallback(
      { headers: request.headers, body },
      { secrets: faultKey.callbackSecret, seen: arrived },
    );
    const { event_id: eventId, event, document_no, sequence } = callback;
    const known = arrived.get(eventId);
    if (known) {
      known.times++;
      if (bodies.get(eventId) !== String(body))
        ledger.find('wrong', `callback ${eventId} arrived again with other bytes`);
      return;
    }
    const before = sequences.get(document_no) ?? 0;
    if (sequence !== before + 1) ledger.find('wrong', `callback ${sequence} of ${document_no} arrived after ${before}`);
    sequences.set(document_no, Math.max(before, sequence));
    bodies.set(eventId, String(body));
    arrived.set(eventId, { eventId, label: `${event} ${document_no}`, times: 1 });
  }

  const server = createServer(async (request, response) => {
    // Interrupted because the sending node was killed; the callback will be retried.
    const body = await buffer(request).catch(() => null);
    if (!body) return;
    try {
      take(request, body);
      response.writeHead(200).end();
    } catch (error) {
      ledger.find('wrong', `a callback is not genuine: ${error}`);
      response.writeHead(400).end();
    }
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    arrived,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
