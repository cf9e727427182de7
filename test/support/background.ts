import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallbackBody } from '../../contract/logistics/callback.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { makeLog } from '../../server/platform/log.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { makeChecker } from '../../server/platform/schema.ts';
import { startBackground } from '../../server/start-background.ts';
import type { TestApp } from './app.ts';

/** All that a worker does, as in production, until the tests of the file have run; its log lines. */
export function startTestBackground({ store, clock, config }: TestApp): string[] {
  const logLines: string[] = [];
  const database = openDatabase(store.connection, { max: 2, deadlineSeconds: 60 });
  const log = makeLog('trace', { write: (line) => void logLines.push(line) });
  const background = startBackground({ database, keyring: store.keyring, clock, config, log, metrics: makeMetrics() });
  after(async () => {
    await background.close();
    await database.close();
  });
  return logLines;
}

/** A callback as it arrived. */
export interface Heard {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: CallbackBody;
}

export interface ToldPartner {
  callbackUrl: string;
  heard: Heard[];
  /** A callback, once it has come; its body is as the contract says. Ends with the test's own limit where it does not come. */
  told(documentNo: string, event: string): Promise<Heard>;
}

const checkBody = makeChecker(CallbackBody);

/** A partner that listens on a real socket; the app must be allowed to connect to it: CALLBACK_ALLOW_CIDRS. */
export async function startToldPartner(): Promise<ToldPartner> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    heard.push({ path: request.url!, headers: request.headers, text, body: JSON.parse(text) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    heard,
    async told(documentNo, event) {
      for (;;) {
        const found = heard.find(({ body }) => body.document_no === documentNo && body.event === event);
        if (found) {
          assert.equal(checkBody(found.body).kind, 'valid', found.text);
          return found;
        }
        await sleep(5);
      }
    },
  };
}
