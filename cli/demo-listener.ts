import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallbackBody, CallbackError, RecentEvents, verifyCallback } from '../sdk/client.ts';
import { exitCodes, Failure } from './command-line.ts';

export interface HeardCallback {
  headers: IncomingHttpHeaders;
  callback: CallbackBody;
}

/** The partner's receiver: accepts every callback with a valid signature once, and responds immediately. */
export interface DemoListener {
  url: string;
  /** Waits until a callback of the document arrives. */
  waitFor(documentNo: string, event: CallbackBody['event']): Promise<HeardCallback>;
  close(): void;
}

const pollMs = 10;
const patienceSeconds = 20;

export async function listenForDemo(secret: string): Promise<DemoListener> {
  const heard: HeardCallback[] = [];
  const seen = new RecentEvents();
  const rejections: string[] = [];

  function take(headers: IncomingHttpHeaders, body: Buffer): number {
    try {
      const { duplicate, ...callback } = verifyCallback({ headers, body }, { secrets: secret, seen });
      if (!duplicate) heard.push({ headers, callback });
      seen.add(callback.event_id);
      return 200;
    } catch (error) {
      if (!(error instanceof CallbackError)) throw error;
      rejections.push(error.message);
      return 400;
    }
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    response.writeHead(take(request.headers, body)).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    async waitFor(documentNo, event) {
      for (let waitedMs = 0; waitedMs < patienceSeconds * 1000; waitedMs += pollMs) {
        const found = heard.find(({ callback }) => callback.document_no === documentNo && callback.event === event);
        if (found) return found;
        await sleep(pollMs);
      }
      const refused = rejections.length > 0 ? `; ${rejections.length} were rejected: ${rejections[0]}` : '';
      throw new Failure(
        exitCodes.refused,
        `the callback ${event} of ${documentNo} did not arrive within ${patienceSeconds} s${refused}`,
      );
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
