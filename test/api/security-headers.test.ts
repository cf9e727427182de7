import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { signedHeaders, startTestApp, type TestApp } from '../support/app.ts';
import { listenRaw, type RawAnswer, rawRequest } from '../support/raw-http.ts';

const overHttps = await startTestApp({ env: { PUBLIC_URL: 'https://lading.example' } });
const connect = await listenRaw(overHttps);
const overHttp = await startTestApp({ env: { METRICS_PORT: '0', METRICS_TOKEN: 'm'.repeat(32) } });
const connectOverHttp = await listenRaw(overHttp);
overHttp.metricsServer!.listen(0, '127.0.0.1');
await once(overHttp.metricsServer!, 'listening');
const { port: metricsPort } = overHttp.metricsServer!.address() as AddressInfo;
after(() => overHttp.metricsServer!.close());

const json: [string, string] = ['content-type', 'application/json'];
const syncPath = '/warehouse/v1/product/sync';
const body = '{"sku_id":"A","sku_name":"Oolong","storage_type":1}';

function sync({ clock }: TestApp, more: [string, string][] = []): Buffer {
  return rawRequest(
    'POST',
    syncPath,
    [json, ...Object.entries(signedHeaders(Buffer.from(body), clock)), ...more],
    body,
  );
}

async function exchange(bytes: Buffer, on = connect): Promise<RawAnswer> {
  const connection = await on();
  connection.send(bytes);
  const answer = await connection.answer();
  connection.socket.destroy();
  assert.ok(answer, 'closed without an answer');
  return answer;
}

/** Every header that protects browsers; those of pages and files differ in what they allow. */
const protections = [
  'x-content-type-options',
  'referrer-policy',
  'x-frame-options',
  'content-security-policy',
  'cross-origin-resource-policy',
  'cache-control',
  'strict-transport-security',
] as const;
const apiValues = [
  'nosniff',
  'no-referrer',
  'DENY',
  "default-src 'none'; frame-ancestors 'none'",
  'same-origin',
  'no-store',
  'max-age=31536000',
];
const protectionsOf = ({ headers }: RawAnswer) => protections.map((name) => headers[name]);

const get = (path: string, more: [string, string][] = []) => rawRequest('GET', path, more);
const post = (path: string, more: [string, string][] = []) => rawRequest('POST', path, [json, ...more], '{}');
const answersOfApis: [name: string, status: number, request: () => Buffer][] = [
  ['a success of the direct lane', 200, () => sync(overHttps)],
  ['the same by Node', 200, () => sync(overHttps, [['te', 'trailers']])],
  ['a refusal of the direct lane', 401, () => post(syncPath)],
  ['a refusal by Node', 401, () => post(syncPath, [['te', 'trailers']])],
  ['the main API', 401, () => post('/api/v2/default/getOrdersData/searchList')],
  ['tokens', 400, () => post('/api/v1/token/getToken')],
  ['the logistics webhook', 401, () => post('/logistics/orders/order')],
  ['an unknown call of the console', 404, () => post('/console/api/nowhere')],
  ['the live connection of the console', 401, () => get('/console/api/live')],
  ['an unknown path', 404, () => get('/nowhere')],
  ['an unknown path of a contract', 404, () => post('/warehouse/v1/nowhere')],
  ['a wrong method', 405, () => get(syncPath)],
  ['a path that cannot be decoded', 400, () => get('/%zz')],
  ['a request without a host', 400, () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['bytes that are no request', 400, () => Buffer.from('NOT HTTP\r\n\r\n')],
  ['headers that are too long', 431, () => get('/', [['x', 'y'.repeat(20_000)]])],
  ['a body that is too long', 413, () => rawRequest('POST', syncPath, [json, ['content-length', '2000000']])],
  ['health', 200, () => get('/health/live')],
  ['metrics', 200, () => get('/metrics')],
  ['a missing file of the console', 404, () => get('/console/assets/none.js')],
];
for (const [name, status, request] of answersOfApis) {
  test(`browsers may neither guess at, frame, cache nor share a response: ${name}`, async () => {
    const answer = await exchange(request());
    assert.deepEqual([answer.status, protectionsOf(answer)], [status, apiValues]);
  });
}

/** Their policy allows what they need, and they may be cached. */
const answersOfPages: [path: string, status: number, cached: RegExp][] = [
  ['/', 302, /^no-store$/],
  ['/console', 200, /^no-store$/],
  ['/docs', 200, /^no-cache$/],
  ['/docs/', 308, /^no-store$/],
  ['/docs/guides/quickstart', 200, /^no-cache$/],
  ['/docs/viewer.js', 200, /^public, max-age=3600$/],
  ['/openapi.json', 200, /^no-store$/],
  ['/.well-known/jwks.json', 200, /^public, max-age=300$/],
];
for (const [path, status, cached] of answersOfPages) {
  test(`pages and files have the same headers, with a policy of their own: ${path}`, async () => {
    const answer = await exchange(get(path));
    assert.equal(answer.status, status);
    const [sniff, referrer, frame, policy, sharing, caching, transport] = protectionsOf(answer);
    assert.deepEqual(
      [sniff, referrer, frame, sharing, transport],
      ['nosniff', 'no-referrer', 'DENY', 'same-origin', 'max-age=31536000'],
    );
    assert.match(policy!, /^default-src 'none';.*frame-ancestors 'none'$/);
    assert.match(caching!, cached);
  });
}

test('a page that has not changed has the headers too', async () => {
  const { etag } = (await exchange(get('/docs'))).headers;
  const answer = await overHttps.http.inject({ url: '/docs', headers: { 'if-none-match': etag! } });
  const [sniff, caching] = [answer.headers['x-content-type-options'], answer.headers['cache-control']];
  assert.deepEqual([answer.statusCode, sniff, caching], [304, 'nosniff', 'no-cache']);
});

test('a response to HEAD has the headers too', async () => {
  const { statusCode, headers } = await overHttps.http.inject({ method: 'HEAD', url: '/health/live' });
  assert.deepEqual([statusCode, protections.map((name) => headers[name])], [200, apiValues]);
});

test('a service that partners reach over plain HTTP does not ask browsers for HTTPS', async () => {
  for (const request of [sync(overHttp), get('/health/live'), Buffer.from('NOT HTTP\r\n\r\n')])
    assert.deepEqual(protectionsOf(await exchange(request, connectOverHttp)), [...apiValues.slice(0, -1), undefined]);
});

const atMetrics = (path: string, authorization: string | null, method = 'GET') =>
  fetch(`http://127.0.0.1:${metricsPort}${path}`, {
    method,
    headers: { connection: 'close', ...(authorization === null ? {} : { authorization }) },
  });

test('metrics with a port of their own are served there only, to a caller with the token', async () => {
  assert.equal((await exchange(get('/metrics'), connectOverHttp)).status, 404);
  const token = `Bearer ${'m'.repeat(32)}`;
  const given = await atMetrics('/metrics', token);
  assert.deepEqual(
    [given.status, given.headers.get('content-type')],
    [200, 'text/plain; version=0.0.4; charset=utf-8'],
  );
  assert.match(await given.text(), /^lading_build_info\{/m);
  assert.equal((await atMetrics('/metrics', token, 'HEAD')).status, 200);
  assert.equal((await atMetrics('/metrics?name[]=lading_ready', token)).status, 200);

  for (const wrong of [null, '', 'm'.repeat(32), `bearer ${'m'.repeat(32)}`, `${token}m`, token.slice(0, -1)]) {
    const refused = await atMetrics('/metrics', wrong);
    const text = await refused.text();
    assert.deepEqual([refused.status, text], [401, 'the token of METRICS_TOKEN is required\n'], String(wrong));
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="metrics"');
  }
  assert.equal((await atMetrics('/metrics', token, 'POST')).status, 405);
  assert.equal((await atMetrics('/health/live', token)).status, 404);
});

test('the port of the metrics sends the same headers, also to bytes that are no request', async () => {
  const expected = Object.fromEntries(protections.slice(0, -1).map((name, index) => [name, apiValues[index]]));
  for (const path of ['/metrics', '/nowhere']) {
    const { headers } = await atMetrics(path, null);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)])), expected);
  }
  const { connect: open } = await import('node:net');
  const socket = open({ port: metricsPort, host: '127.0.0.1' });
  socket.write('NOT HTTP\r\n\r\n');
  let received = '';
  for await (const chunk of socket) received += chunk;
  assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
  for (const name in expected) assert.ok(received.includes(`\r\n${name}: ${expected[name]}\r\n`), name);
});

test('metrics on the port of the APIs can require the token too', async () => {
  const guarded = await startTestApp({ env: { METRICS_TOKEN: 't'.repeat(40) } });
  assert.equal(guarded.metricsServer, null);
  const ask = (headers: Record<string, string>) => guarded.http.inject({ url: '/metrics', headers });
  assert.equal((await ask({})).statusCode, 401);
  assert.equal((await ask({ authorization: `Bearer ${'t'.repeat(39)}` })).statusCode, 401);
  const given = await ask({ authorization: `Bearer ${'t'.repeat(40)}` });
  assert.deepEqual([given.statusCode, /^lading_ready 1$/m.test(given.payload)], [200, true]);
  assert.equal((await guarded.http.inject('/health/ready')).statusCode, 200);
});
