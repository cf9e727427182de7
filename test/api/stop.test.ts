import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createConnection } from 'node:net';
import { after, test } from 'node:test';
import { signedHeaders, startTestApp } from '../support/app.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
const stopping = await startTestApp();
const connect = await listenRaw(app);
await listenRaw(stopping);

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

test('a stop waits for no caller that has its last answer and does not close its side', async () => {
  const { port } = stopping.http.server.address() as AddressInfo;
  const lingering = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  after(() => lingering.destroy());
  const body = Buffer.from(JSON.stringify({ sku_id: 'LAST', sku_name: 'Oolong', storage_type: 1 }));
  const headers = { 'content-type': 'application/json', ...signedHeaders(body, stopping.clock) };
  stopping.startDraining();
  lingering.write(rawRequest('POST', '/warehouse/v1/product/sync', Object.entries(headers), body));
  await once(lingering, 'end');

  await stopping.http.close();
});
