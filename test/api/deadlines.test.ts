import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders, startTestApp } from '../support/app.ts';
import { refusedByMain } from '../support/errors.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
const connect = await listenRaw(app);

const body = JSON.stringify({ sku_id: 'SLOW', sku_name: 'Oolong', storage_type: 1 });
const request = rawRequest(
  'POST',
  '/warehouse/v1/product/sync',
  [['content-type', 'application/json'], ...Object.entries(signedHeaders(Buffer.from(body), app.clock))],
  body,
);
const headLength = request.indexOf('\r\n\r\n') + 4;
const tooLate = refusedByMain('request_timeout', 'the request took too long to arrive');
/** Until then nobody may have been turned away: the shorter deadline is 10 s. */
const patienceSeconds = 5;

test('a request that does not arrive in time is answered 408 and closed, while others are served', {
  concurrency: true,
}, async (t) => {
  await Promise.all([
    t.test('half of the headers', () => expectTimeout(request.subarray(0, headLength / 2), ['main', '(unknown)'])),
    t.test('headers that trickle', () =>
      expectTimeout(request.subarray(0, 40), ['main', '(unknown)'], 'x-trickle: 1\r\n'),
    ),
    t.test('half of the body', () =>
      expectTimeout(request.subarray(0, headLength + body.length / 2), ['warehouse', '/warehouse/v1/product/sync']),
    ),
    t.test('a whole request on another connection, and later on the same one', async () => {
      const connection = await connect();
      for (const pause of [0, patienceSeconds, 7]) {
        await sleep(pause * 1000);
        connection.send(request);
        assert.equal((await connection.answer())?.status, 200);
      }
      connection.socket.destroy();
    }),
  ]);
});

async function expectTimeout(
  start: Uint8Array,
  [contract, endpoint]: [string, string],
  trickle?: string,
): Promise<void> {
  const connection = await connect();
  connection.send(start);
  const trickling = trickle === undefined ? undefined : setInterval(() => connection.send('\r\n', trickle.trim()), 500);
  const answer = connection.answer();
  assert.equal(await Promise.race([answer, sleep(patienceSeconds * 1000, 'still open')]), 'still open');

  const late = await answer;
  clearInterval(trickling);
  assert.equal(late?.status, 408);
  assert.equal(late.headers.connection, 'close');
  assert.deepEqual(late.json, tooLate);
  await connection.closed;
  const line = await app.requestLine(late.headers['trace-id']!);
  assert.deepEqual(
    [line?.status, line?.contract, line?.endpoint, line?.reason],
    [408, contract, endpoint, tooLate.msg],
  );
}
