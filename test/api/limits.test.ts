import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import { beta, signedHeaders, startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { holdTransaction, lockIsAwaited } from '../support/database.ts';
import { errorItem } from '../support/errors.ts';
import { exportUrl } from '../support/exports.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const product = (skuId: string) => ({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });

const crowded = await startTestApp({ env: { IN_FLIGHT_MAX: '1' }, bodiesHeldMaxBytes: 1_500_000 });
const perSecond = 5;
const burst = await startTestApp({ env: { RATE_LIMIT: String(perSecond) } });
/** Holds every rejection until the test releases it. */
const held: (() => void)[] = [];
const throttled = await startTestApp({
  env: { RATE_LIMIT: '5' },
  rejectionThrottle: () => new Promise((go) => held.push(go)),
});
// Nothing happens as time passes, so that the counts are exact on any machine.
const sampled = await startTestApp({ anonymousLines: { burst: 5, perSecond: 0, sumUpEveryMs: 2 ** 31 - 1 } });

test('beyond IN_FLIGHT_MAX a call waits and is then rejected; health answers meanwhile, and calls work again afterwards', async () => {
  const products = await holdTransaction(crowded.store.database, (tx) => tx`lock table product in exclusive mode`);
  const held = crowded.callWarehouse('/product/sync', product('HELD'));
  await lockIsAwaited(crowded.store.database);

  const waiting = Promise.all([
    crowded.callWarehouse('/product/sync', product('REFUSED')),
    crowded.http.inject({ method: 'POST', url: '/warehouse/v1/product/sync' }),
    crowded.http.inject({ method: 'GET', url: '/api/v1/x' }),
  ]);
  const live = await crowded.http.inject('/health/live');
  const meanwhile = await crowded.http.inject('/metrics');
  const stillReady = await crowded.http.inject('/health/ready');
  const [refused, unsigned, main] = await waiting;
  const afterwards = await crowded.http.inject('/metrics');
  await products.release();
  const answered = await held;
  const again = await crowded.callWarehouse('/product/sync', product('REFUSED'));

  assert.equal(refused.status, 503);
  assert.equal(refused.headers['retry-after'], '1');
  assert.deepEqual(refused.json, {
    code: 'LST-TPW-5031',
    trace_id: refused.headers['trace-id'],
    message: 'the service is busy; try again shortly',
    success: false,
    data: { errors: [errorItem('unavailable', '', 'the service is busy; try again shortly')] },
  });
  const line = await crowded.requestLine(String(refused.headers['trace-id']));
  assert.deepEqual(
    [line?.status, line?.code, line?.reason],
    [503, 'LST-TPW-5031', '1 requests are in work, and 2 wait'],
  );
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

test('a request that fails frees its place', async () => {
  for (let round = 0; round < 3; round++) {
    assert.equal((await crowded.callWarehouse('/product/sync', '{')).status, 400);
    assert.equal((await crowded.callWarehouse('/product/sync', product('X'), { secret: 'wrong' })).status, 401);
  }
  assert.equal((await crowded.callWarehouse('/product/sync', product('AFTER'))).status, 200);
});

test('unfinished bodies are held up to a limit; small ones are served meanwhile, and large ones after those are gone', async () => {
  const connect = await listenRaw(crowded);
  const path = '/warehouse/v1/product/sync';
  const json: [string, string] = ['content-type', 'application/json'];
  const unended = Buffer.concat([
    rawRequest('POST', path, [json, ['content-length', '1000000']]),
    Buffer.alloc(900_000, 'x'),
  ]);
  const sync = (skuId: string, spaces = 0) => {
    const body = Buffer.from(`${JSON.stringify(product(skuId))}${' '.repeat(spaces)}`);
    return rawRequest('POST', path, [json, ...Object.entries(signedHeaders(body, crowded.clock))], body);
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
  assert.deepEqual(
    [turnedAway?.status, turnedAway?.json.code, turnedAway?.headers['retry-after']],
    [503, 'LST-TPW-5031', '1'],
  );
  assert.equal((await (await ask(sync('SMALL'))).answer())?.status, 200);
  // The body of a GET is not read, so it cannot be too large.
  const unread = [
    rawRequest('GET', '/health/ready', [['transfer-encoding', 'chunked']]),
    Buffer.from('f0000\r\n'),
    Buffer.alloc(900_000),
  ];
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

test('the sixth call of a burst is 429 with Retry-After and writes nothing; calls that others sign for the account do not count, and another account is unaffected', async () => {
  const forged = await Promise.all(
    Array.from({ length: 20 }, () => burst.callWarehouse('/product/sync', product('FORGED'), { secret: 'guessed' })),
  );
  assert.deepEqual(new Set(forged.map(({ status }) => status)), new Set([401]));

  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => burst.callWarehouse('/product/sync', product(`BURST-${index}`))),
  );

  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 1);
  const [answer] = refused;
  assert.equal(answer!.status, 429);
  assert.equal(answer!.headers['retry-after'], '1');
  assert.deepEqual(answer!.json, {
    code: 'LST-TPW-4290',
    trace_id: answer!.headers['trace-id'],
    message: 'too many requests; try again in 1 s',
    success: false,
    data: { errors: [errorItem('rate_limited', '', 'too many requests; try again in 1 s')] },
  });
  const [stored] = await burst.store.database.read(
    (sql) => sql`select count(*)::int from product where sku_id like 'BURST-%'`,
  );
  assert.equal(stored!.count, perSecond);
  const line = await burst.requestLine(String(answer!.headers['trace-id']));
  assert.deepEqual([line?.status, line?.code, line?.account_no], [429, 'LST-TPW-4290', 'ALPHA']);

  assert.equal((await burst.callWarehouse('/product/sync', product('OTHER'), beta)).status, 200);
});

const paced = product('PACED');

test('rejections that cost their sender nothing wait for the throttle; successes, and mistakes in a body, do not', async () => {
  const right = await throttled.callWarehouse('/product/sync', paced);
  const mistaken = await throttled.callWarehouse('/product/sync', { ...paced, storage_type: 9 });
  assert.deepEqual([right.status, mistaken.status, held.length], [200, 400, 0]);

  const answered: number[] = [];
  const calls = [
    throttled.callWarehouse('/product/sync', paced, { secret: 'wrong' }).then(({ status }) => answered.push(status)),
    throttled.callWarehouse('/no/such/path', paced).then(({ status }) => answered.push(status)),
    throttled.http.inject('/warehouse/v1/product/sync').then(({ statusCode }) => answered.push(statusCode)),
    throttled.http.inject('/no-such-path').then(({ statusCode }) => answered.push(statusCode)),
    // More than the limit lets through, however slow the machine is.
    ...Array.from({ length: 60 }, () =>
      throttled.callWarehouse('/product/sync', paced).then(({ status }) => answered.push(status)),
    ),
  ];
  while (answered.length + held.length < calls.length) await new Promise(setImmediate);
  assert.deepEqual(new Set(answered), new Set([200]));
  assert.equal((await throttled.http.inject('/health/live')).statusCode, 200);

  for (const go of held) go();
  await Promise.all(calls);
  assert.deepEqual([...new Set(answered)].toSorted(), [200, 401, 404, 405, 429]);
});

const json = { 'content-type': 'application/json' };
const tokenUrl = '/api/v1/token/getToken';
const signInUrl = '/console/api/session/sign-in';
const currentUrl = '/console/api/session/current';
const get = (url: string) => ({ method: 'GET' as const, url });
const post = (url: string, payload: string, headers: Record<string, string> = json) => ({
  method: 'POST' as const,
  url,
  payload,
  headers,
});
const anonymous: [name: string, status: number, request: ReturnType<typeof get> | ReturnType<typeof post>][] = [
  ...[tokenUrl, signInUrl].flatMap((url): typeof anonymous => [
    [`${url}: no JSON`, 400, post(url, '{')],
    [`${url}: a missing field`, 400, post(url, '{}')],
    [`${url}: another content type`, 415, post(url, '{}', { 'content-type': 'text/plain' })],
    [`${url}: a body too large`, 413, post(url, ' '.repeat(4097))],
    [`${url}: a wrong method`, 405, get(url)],
  ]),
  ['wrong credentials', 200, post(tokenUrl, '{"ClientId":"x","CheckValue":"y"}')],
  ['a wrong password', 200, post(signInUrl, '{"username":"x","password":"y"}')],
  ['no session', 200, post(currentUrl, '{}')],
  ['another site', 403, post(currentUrl, '{}', { ...json, origin: 'https://evil.example' })],
  ['a call of the console without a session', 401, post('/console/api/orders/search', '{}')],
  ['the live stream without a session', 401, get('/console/api/live')],
  ['the export without a session', 401, post(exportUrl, '{}')],
  ['a path of the console that does not exist', 404, get('/console/api/nowhere')],
  ['a path that cannot be decoded', 400, get('/api/v1/%zz')],
  ['a body over 1 MiB of an unknown caller', 413, post('/warehouse/v1/product/sync', ' '.repeat(1_048_577), {})],
];
test('a caller that is not authenticated waits for its rejection', async () => {
  for (const [name, status, request] of anonymous) {
    held.length = 0;
    let answered = false;
    const answer = throttled.http.inject(request).then((given) => {
      answered = true;
      return given;
    });
    while (!answered && held.length === 0) await new Promise(setImmediate);
    assert.deepEqual([answered, held.length], [false, 1], name);
    held[0]!();
    assert.deepEqual([(await answer).statusCode, held.length], [status, 1], name);
  }
});

test('bytes that are no HTTP request wait for their rejection too', async () => {
  held.length = 0;
  const connection = await (await listenRaw(throttled))();
  connection.send('hello\r\n\r\n');
  while (held.length === 0 && connection.socket.bytesRead === 0) await new Promise(setImmediate);
  assert.equal(connection.socket.bytesRead, 0);
  held[0]!();
  assert.equal((await connection.answer())!.status, 400);
  await connection.closed;
});

test('an operator who signs in or is signed in does not wait', async () => {
  await provisionOperators(throttled);
  held.length = 0;
  const user = await signIn(throttled, 'viewer');
  assert.equal((await user.send('/session/current', {})).status, 200);
  assert.equal((await user.send('/orders/search', { page_size: 'many' })).status, 400);
  assert.equal(held.length, 0);
});

const tea = product('TEA');

/** Lines of this status and account, the sum at the end. */
async function written(status: number, accountNo: string | null): Promise<(string | null)[]> {
  await sampled.requestLog.flush();
  const rows = await sampled.store.database.read(
    (sql) => sql<{ reason: string | null }[]>`
      select reason from request_log where status = ${status} and account_no is not distinct from ${accountNo} order by length(reason)`,
  );
  return rows.map(({ reason }) => reason && formatStored(reason));
}

function logged(): Record<string, unknown>[] {
  return sampled.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
}

const reason = 'account-no is not registered';

test('of many equal rejections of unknown callers the first are logged, and the others are counted and summed up in one line', async () => {
  await Promise.all(
    Array.from({ length: 50 }, () =>
      sampled.callWarehouse('/product/sync', tea, { accountNo: 'NOBODY', secret: 'wrong' }),
    ),
  );
  assert.deepEqual(await written(401, null), Array(5).fill(reason));
  assert.equal(logged().length, 5);
  const { payload } = await sampled.http.inject('/metrics');
  assert.match(payload, /^lading_request_log_suppressed_total\{contract="warehouse",status="401"\} 45$/m);
  assert.match(
    payload,
    /^lading_http_requests_total\{contract="warehouse",endpoint="\/warehouse\/v1\/product\/sync",status="401"\} 50$/m,
  );

  sampled.anonymousRequests.sumUp();
  const summedUp = [...Array(5).fill(reason), `${reason} (and 44 more requests like it)`];
  assert.deepEqual(await written(401, null), summedUp);
  assert.deepEqual([logged().length, logged().at(-1)!.suppressed], [6, 44]);
  sampled.anonymousRequests.sumUp();
  assert.deepEqual(await written(401, null), summedUp);
});

test('meanwhile another cause has lines of its own, and every call of an authenticated partner has its line', async () => {
  for (let calls = 0; calls < 3; calls++) await sampled.callWarehouse('/product/sync', tea, { secret: 'wrong' });
  await sampled.http.inject('/nowhere');
  for (let calls = 0; calls < 20; calls++) await sampled.callWarehouse('/product/sync', { ...tea, storage_type: 9 });
  assert.equal((await written(401, 'ALPHA')).length, 3);
  assert.equal((await written(404, null)).length, 1);
  assert.equal((await written(400, 'ALPHA')).length, 20);
});

test('wrong credentials of the token call are counted too, although their status is 200', async () => {
  const payload = { ClientId: 'nobody', CheckValue: 'guess' };
  for (let calls = 0; calls < 10; calls++)
    await sampled.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload });
  assert.deepEqual(await written(200, null), Array(5).fill('ClientId is not registered'));
});
