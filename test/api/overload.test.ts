import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedHeaders, startTestApp } from '../support/app.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp({ env: { IN_FLIGHT_MAX: '1' }, bodiesHeldMaxBytes: 1_500_000 });

/** While held, no product can be changed. */
async function holdProducts(): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = app.store.database.transaction(async (tx) => {
    await tx`lock table product in exclusive mode`;
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return {
    async release() {
      released.resolve();
      await holding;
    },
  };
}

async function callsWaitingForProducts(): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.count;
}

const product = (skuId: string) => ({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });
const ready = () => app.http.inject('/health/ready');

test('beyond IN_FLIGHT_MAX a call waits, then is turned away; health answers meanwhile, and all is well when the others are done', async () => {
  const products = await holdProducts();
  const held = app.callWarehouse('/product/sync', product('HELD'));
  while ((await callsWaitingForProducts()) === 0) await new Promise(setImmediate);

  const waiting = Promise.all([
    app.callWarehouse('/product/sync', product('REFUSED')),
    app.http.inject({ method: 'POST', url: '/warehouse/v1/product/sync' }),
    app.http.inject({ method: 'GET', url: '/api/v1/x' }),
  ]);
  const live = await app.http.inject('/health/live');
  const meanwhile = await app.http.inject('/metrics');
  const stillReady = await ready();
  const [refused, unsigned, main] = await waiting;
  const afterwards = await app.http.inject('/metrics');
  await products.release();
  const answered = await held;
  const again = await app.callWarehouse('/product/sync', product('REFUSED'));

  assert.equal(refused.status, 503);
  assert.equal(refused.headers['retry-after'], '1');
  assert.deepEqual(refused.json, {
    code: 'LST-TPW-5031',
    trace_id: refused.headers['trace-id'],
    message: 'the service is busy; try again shortly',
    success: false,
    data: {},
  });
  const line = await app.requestLine(String(refused.headers['trace-id']));
  assert.deepEqual([line?.status, line?.code, line?.reason], [503, 'LST-TPW-5031', '1 requests are in work, and 2 wait']);
  assert.equal(unsigned.statusCode, 503);
  assert.deepEqual([main.statusCode, main.headers['retry-after'], main.json().done], [503, '1', false]);

  assert.equal(live.statusCode, 200);
  // A busy node is not a broken one: taken out of service for it, its load would fall on the others.
  assert.equal(stillReady.statusCode, 200);
  assert.match(meanwhile.payload, /^lading_http_requests_in_flight 1$/m);
  assert.match(meanwhile.payload, /^lading_http_requests_waiting 3$/m);
  assert.match(afterwards.payload, /^lading_http_requests_refused_total\{cause="overload"\} 3$/m);
  assert.match(afterwards.payload, /^lading_http_requests_waiting 0$/m);

  assert.equal(answered.status, 200);
  assert.equal(again.status, 200);
});

test('a request that fails leaves its place free', async () => {
  for (let round = 0; round < 3; round++) {
    assert.equal((await app.callWarehouse('/product/sync', '{')).status, 400);
    assert.equal((await app.callWarehouse('/product/sync', product('X'), { secret: 'wrong' })).status, 401);
  }
  assert.equal((await app.callWarehouse('/product/sync', product('AFTER'))).status, 200);
});

test('bodies that are sent and never ended are held up to a limit; small ones are served meanwhile, and large ones when they have gone', async () => {
  const connect = await listenRaw(app);
  const path = '/warehouse/v1/product/sync';
  const json: [string, string] = ['content-type', 'application/json'];
  const unended = Buffer.concat([rawRequest('POST', path, [json, ['content-length', '1000000']]), Buffer.alloc(900_000, 'x')]);
  const sync = (skuId: string, spaces = 0) => {
    const body = Buffer.from(`${JSON.stringify(product(skuId))}${' '.repeat(spaces)}`);
    return rawRequest('POST', path, [json, ...Object.entries(signedHeaders(body, app.clock))], body);
  };
  const ask = async (bytes: Buffer) => {
    const connection = await connect();
    connection.send(bytes);
    return connection;
  };

  const first = await ask(unended);
  const second = await ask(unended);
  // Whichever comes second to the limit.
  const turnedAway = await Promise.race([first.answer(), second.answer()]);
  assert.deepEqual([turnedAway?.status, turnedAway?.json.code, turnedAway?.headers['retry-after']], [503, 'LST-TPW-5031', '1']);
  assert.equal((await (await ask(sync('SMALL'))).answer())?.status, 200);
  // Nobody reads the body of a GET, and so nobody can be told that it is too much.
  const unread = [rawRequest('GET', '/health/ready', [['transfer-encoding', 'chunked']]), Buffer.from('f0000\r\n'), Buffer.alloc(900_000)];
  assert.equal((await (await ask(Buffer.concat(unread))).answer())?.status, 200);

  for (const { socket } of [first, second]) socket.destroy();
  // Nor is anything held of those that are too large, however much of them still comes.
  const endless = Buffer.concat([
    rawRequest('POST', path, [json, ['transfer-encoding', 'chunked']]),
    Buffer.from('400000\r\n'),
    Buffer.alloc(4_000_000, 'x'),
  ]);
  for (let count = 0; count < 3; count++) {
    const connection = await ask(endless);
    await connection.answer();
    connection.socket.destroy();
  }
  // Until the service has noticed that they have gone.
  let status: number | undefined;
  for (let tries = 0; tries < 200 && status !== 200; tries++) {
    const large = await ask(sync('LARGE', 100_000));
    status = (await large.answer())?.status;
    large.socket.destroy();
  }
  assert.equal(status, 200);
});
