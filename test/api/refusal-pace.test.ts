import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { listenRaw } from '../support/raw-http.ts';

/** Holds every refusal that it is asked about until the test lets them go. */
const held: (() => void)[] = [];
const app = await startTestApp({ env: { RATE_LIMIT: '5' }, refusalPace: () => new Promise((go) => held.push(go)) });
const product = { sku_id: 'PACED', sku_name: 'Oolong', storage_type: 1 };

test('refusals that cost their sender nothing wait for their turn; what is right, and a mistake in a body, do not', async () => {
  const right = await app.callWarehouse('/product/sync', product);
  const mistaken = await app.callWarehouse('/product/sync', { ...product, storage_type: 9 });
  assert.deepEqual([right.status, mistaken.status, held.length], [200, 400, 0]);

  const answered: number[] = [];
  const calls = [
    app.callWarehouse('/product/sync', product, { secret: 'wrong' }).then(({ status }) => answered.push(status)),
    app.callWarehouse('/no/such/path', product).then(({ status }) => answered.push(status)),
    app.http.inject('/warehouse/v1/product/sync').then(({ statusCode }) => answered.push(statusCode)),
    app.http.inject('/no-such-path').then(({ statusCode }) => answered.push(statusCode)),
    // More than the limit lets through, however slow the machine is.
    ...Array.from({ length: 100 }, () => app.callWarehouse('/product/sync', product).then(({ status }) => answered.push(status))),
  ];
  while (answered.length + held.length < calls.length) await new Promise(setImmediate);
  assert.deepEqual(new Set(answered), new Set([200]));
  assert.equal((await app.http.inject('/health/live')).statusCode, 200);

  for (const go of held) go();
  await Promise.all(calls);
  assert.deepEqual([...new Set(answered)].toSorted(), [200, 401, 404, 405, 429]);
});

const json = { 'content-type': 'application/json' };
const anonymous: [
  name: string,
  status: number,
  request: { method: 'GET' | 'POST'; url: string; headers?: Record<string, string>; payload?: string },
][] = ['/api/v1/token/getToken', '/console/api/session/sign-in'].flatMap((url) => [
  [`${url}: no JSON`, 400, { method: 'POST', url, headers: json, payload: '{' }],
  [`${url}: a missing field`, 400, { method: 'POST', url, headers: json, payload: '{}' }],
  [`${url}: no content type of ours`, 415, { method: 'POST', url, headers: { 'content-type': 'text/plain' }, payload: '{}' }],
  [`${url}: a body too large`, 413, { method: 'POST', url, headers: json, payload: ' '.repeat(4097) }],
  [`${url}: a wrong method`, 405, { method: 'GET', url }],
]);
anonymous.push(
  [
    'wrong credentials',
    200,
    { method: 'POST', url: '/api/v1/token/getToken', headers: json, payload: '{"ClientId":"x","CheckValue":"y"}' },
  ],
  [
    'a wrong password',
    200,
    { method: 'POST', url: '/console/api/session/sign-in', headers: json, payload: '{"username":"x","password":"y"}' },
  ],
  ['no session', 200, { method: 'POST', url: '/console/api/session/current', headers: json, payload: '{}' }],
  [
    'another site',
    403,
    { method: 'POST', url: '/console/api/session/current', headers: { ...json, origin: 'https://evil.example' }, payload: '{}' },
  ],
  ['a call of the console without a session', 401, { method: 'POST', url: '/console/api/orders/search', headers: json, payload: '{}' }],
  ['the live stream without a session', 401, { method: 'GET', url: '/console/api/live' }],
  ['the export without a session', 401, { method: 'GET', url: '/console/api/orders/export' }],
  ['a path of the console that does not exist', 404, { method: 'GET', url: '/console/api/nowhere' }],
  ['a path that cannot be decoded', 400, { method: 'GET', url: '/api/v1/%zz' }],
  [
    'a body over 1 MiB of a caller that is not known yet',
    413,
    { method: 'POST', url: '/warehouse/v1/product/sync', payload: ' '.repeat(1_048_577) },
  ],
);
for (const [name, status, request] of anonymous) {
  test(`a caller that is not authenticated waits for its rejection: ${name}`, async () => {
    held.length = 0;
    let answered = false;
    const answer = app.http.inject(request).then((given) => {
      answered = true;
      return given;
    });
    while (!answered && held.length === 0) await new Promise(setImmediate);
    assert.deepEqual([answered, held.length], [false, 1]);
    held[0]!();
    assert.equal((await answer).statusCode, status);
    assert.equal(held.length, 1);
  });
}

test('bytes that are no HTTP request wait for their rejection too', async () => {
  held.length = 0;
  const connection = await (await listenRaw(app))();
  connection.send('hello\r\n\r\n');
  while (held.length === 0 && connection.socket.bytesRead === 0) await new Promise(setImmediate);
  assert.equal(connection.socket.bytesRead, 0);
  held[0]!();
  assert.equal((await connection.answer())!.status, 400);
  await connection.closed;
});

test('an operator who signs in, and whoever is signed in, waits for nobody', async () => {
  await provisionOperators(app);
  held.length = 0;
  const user = await signIn(app, 'viewer');
  assert.equal((await user.send('/session/current', {})).status, 200);
  assert.equal((await user.send('/orders/search', { page_size: 'many' })).status, 400);
  assert.equal(held.length, 0);
});
