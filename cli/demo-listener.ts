import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallbackBody } from '../contract/logistics/callback.ts';
import { exitCodes, Failure } from '../server/command-line.ts';

export interface ReceivedCallback {
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  body: CallbackBody;
}

/** The partner's end of the line: takes every callback, and answers at once. */
export interface DemoListener {
  url: string;
  /** The callback of a document, as soon as it is there. */
  told(documentNo: string, event: CallbackBody['event']): Promise<ReceivedCallback>;
  close(): void;
}

const pollMs = 10;
const patienceSeconds = 20;

export async function listenForDemo(): Promise<DemoListener> {
  const received: ReceivedCallback[] = [];
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    response.writeHead(200).end();
    received.push({ path: request.url!, headers: request.headers, bytes, body: JSON.parse(bytes.toString('utf8')) });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    async told(documentNo, event) {
      for (let waitedMs = 0; waitedMs < patienceSeconds * 1000; waitedMs += pollMs) {
        const found = received.find(({ body }) => body.document_no === documentNo && body.event === event);
        if (found) return found;
        await sleep(pollMs);
      }
      throw new Failure(exitCodes.refused, `the callback ${event} of ${documentNo} did not come within ${patienceSeconds} s`);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
