import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { CallbackBody } from '../../contract/logistics/callback.ts';
import { makeChecker } from '../../server/platform/json/schema.ts';
import { makeLog } from '../../server/platform/log.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { startBackground } from '../../server/start-background.ts';
import type { TestApp } from './app.ts';
import { until } from './worker.ts';

/** Runs all background jobs as in production until the tests of the file have finished; returns the log lines. */
export function startTestBackground({ store, clock, config, tracing }: TestApp): string[] {
  const logLines: string[] = [];
  const database = openDatabase(store.serviceConnection, { max: 2, deadlineSeconds: 60 });
  const log = makeLog('trace', { write: (line) => void logLines.push(line) });
  const background = startBackground({
    database,
    keyring: store.keyring,
    clock,
    config,
    log,
    metrics: makeMetrics(),
    traceHttp: tracing?.traceHttp ?? null,
  });
  after(async () => {
    await background.close();
    await database.close();
  });
  return logLines;
}

/** A received callback. */
export interface Heard {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: CallbackBody;
}

export interface NotifiedPartner {
  callbackUrl: string;
  heard: Heard[];
  /** Waits for a callback and checks its body against the contract. It fails if none arrives. */
  notified(documentNo: string, event: string): Promise<Heard>;
  /** The same for a callback with this ID. */
  heardOf(eventId: string): Promise<Heard>;
}

const checkBody = makeChecker(CallbackBody);

/** A partner that listens on a real socket; CALLBACK_ALLOW_CIDRS must allow the app to connect to it. */
export async function startNotifiedPartner(): Promise<NotifiedPartner> {
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
  async function waitFor(what: string, isWanted: (body: CallbackBody) => boolean): Promise<Heard> {
    const find = () => heard.find(({ body }) => isWanted(body));
    await until(`${what} arrives`, () => find() !== undefined);
    const found = find()!;
    assert.equal(checkBody(found.body).kind, 'valid', found.text);
    return found;
  }

  return {
    callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    heard,
    notified: (documentNo, event) =>
      waitFor(
        `${event} of ${documentNo}`,
        (body) => body.document_no === documentNo && body.event === event && !body.test,
      ),
    heardOf: (eventId) => waitFor(`callback ${eventId}`, (body) => body.event_id === eventId),
  };
}
