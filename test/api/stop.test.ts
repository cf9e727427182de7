import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
const connect = await listenRaw(app);

test('a stop waits for no connection that is silent, idle, or in the middle of its headers', async () => {
  const [silent, idle, halfway] = [await connect(), await connect(), await connect()];
  idle.send(rawRequest('GET', '/health/live'));
  assert.equal((await idle.answer())?.status, 200);
  halfway.send(Buffer.from('POST /warehouse/v1/product/sync HTTP/1.1\r\nhost: localhost\r\nacc'));
  // A request on another connection comes after those bytes, so they have been read.
  assert.equal((await app.http.inject('/health/live')).statusCode, 200);

  await app.http.close();
  await Promise.all([silent.closed, idle.closed, halfway.closed]);
});
