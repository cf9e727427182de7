import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSignature } from '../../../server/api/warehouse/signature.ts';
import { makeAccountDirectory } from '../../../server/domain/partners/account-directory.ts';
import type { Database } from '../../../server/platform/database.ts';
import { alpha, beta, signedHeaders, startTestApp, type TestApp } from '../../support/app.ts';
import { listenRaw, rawRequest } from '../../support/raw-http.ts';

const app = await startTestApp();
const connect = await listenRaw(app);
const switchedOff = await startTestApp({ env: { WAREHOUSE_API: 'off' } });
const moved = await startTestApp({ env: { WAREHOUSE_BASE_PATH: '/partners/tpw/v3', LOGISTICS_SEGMENT: 'carriers' } });

const body = Buffer.from(JSON.stringify({ sku_id: 'SIGNED', sku_name: '烏龍茶', storage_type: 1 }));
const now = new Date('2026-03-01T04:05:06.789Z');
const nowSeconds = Math.floor(now.getTime() / 1000);
app.clock.set(now);

type Headers = Record<string, string>;

async function call(headers: Headers, payload: Uint8Array = body, on: TestApp = app) {
  const answer = await on.http.inject({
    method: 'POST',
    url: `${on.config.warehouseBasePath}/product/sync`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: Buffer.from(payload),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

function signed(timestamp: string = String(nowSeconds)): Headers {
  return signedHeaders(body, app.clock, { timestamp });
}

function without(name: string): Headers {
  return Object.fromEntries(Object.entries(signed()).filter(([header]) => header !== name));
}

async function products() {
  return [...(await app.store.database.read((sql) => sql`select count(*)::int, max(updated_at) from product`))];
}

/** The code and the words are those of every 401; only the trace id differs. */
function refusalOf(traceId: string): string {
  return JSON.stringify({ code: 'LST-TPW-4001', trace_id: traceId, message: 'authentication failed', success: false, data: {} });
}

test('the signature is HMAC-SHA256 over body and timestamp, in lowercase hex: a published example is accepted', async () => {
  // printf '%s%s' '{"sku_id":"E","sku_name":"Tea","storage_type":1}' 1772337906 | openssl dgst -sha256 -hmac alpha-secret
  const headers = {
    'account-no': 'ALPHA',
    timestamp: '1772337906',
    sign: '4c1981b6c860e884baf7970ddaf3170b92c9648bb2fff0931b735501eb695332',
  };
  assert.equal((await call(headers, Buffer.from('{"sku_id":"E","sku_name":"Tea","storage_type":1}'))).status, 200);
});

test('the bytes are signed as they came: spaces, order and escapes of the body are free', async () => {
  const text = Buffer.from('  {"storage_type" : 1.0,\n"sku_name":"\\u8336", "sku_id":"BYTES"}\r\n');
  assert.equal((await call(signedHeaders(text, app.clock), text)).status, 200);
});

test('header names may be written in any case', async () => {
  const { 'account-no': accountNo, timestamp, sign } = signed() as { 'account-no': string; timestamp: string; sign: string };
  assert.equal((await call({ 'Account-No': accountNo, TIMESTAMP: timestamp, Sign: sign })).status, 200);
});

for (const skew of [-300, -299, 0, 299, 300]) {
  test(`a timestamp ${skew} s from server time is accepted`, async () => {
    assert.equal((await call(signed(String(nowSeconds + skew)))).status, 200);
  });
}

const notTenDigits = 'timestamp is not 10 digits (Unix time in seconds)';
const notHex = 'sign is not 64 lowercase hex digits';
const noMatch = 'the signature does not match';
const changedBody = Buffer.from(body);
changedBody[12]! ^= 1;
const flippedSign = signed().sign!.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

const refusals: [string, Headers, string, Uint8Array?][] = [
  ['no headers at all', {}, 'header account-no is missing'],
  ['account-no missing', without('account-no'), 'header account-no is missing'],
  ['account-no empty', { ...signed(), 'account-no': '' }, 'header account-no is missing'],
  ['account_no instead of account-no', { ...without('account-no'), account_no: alpha.accountNo }, 'header account-no is missing'],
  ['timestamp missing', without('timestamp'), 'header timestamp is missing'],
  ['sign missing', without('sign'), 'header sign is missing'],
  ['timestamp of 9 digits', signed(String(nowSeconds).slice(0, 9)), notTenDigits],
  ['timestamp of 11 digits', signed(`0${nowSeconds}`), notTenDigits],
  ['timestamp in milliseconds', signed(String(now.getTime())), notTenDigits],
  ['timestamp with a plus', signed(`+${nowSeconds}`), notTenDigits],
  ['timestamp with a minus', signed(`-${nowSeconds}`), notTenDigits],
  ['timestamp with a fraction', signed(`${nowSeconds}.0`), notTenDigits],
  ['timestamp with a space inside', signed('17723 7906'), notTenDigits],
  ['timestamp in other digits', signed('١٧٧٢٣٣٧٩٠٦'), notTenDigits],
  ['timestamp as a word', signed('now'), notTenDigits],
  ['timestamp 301 s ago', signed(String(nowSeconds - 301)), 'timestamp is off by -301 s'],
  ['timestamp 301 s ahead', signed(String(nowSeconds + 301)), 'timestamp is off by 301 s'],
  ['sign in uppercase', { ...signed(), sign: signed().sign!.toUpperCase() }, notHex],
  ['sign too short', { ...signed(), sign: signed().sign!.slice(0, 62) }, notHex],
  ['sign with a prefix', { ...signed(), sign: `sha256=${signed().sign}` }, notHex],
  ['sign in base64', { ...signed(), sign: Buffer.from(signed().sign!, 'hex').toString('base64') }, notHex],
  ['one digit of sign changed', { ...signed(), sign: flippedSign }, noMatch],
  ['one bit of the body changed', signed(), noMatch, changedBody],
  ['one byte added to the body', signed(), noMatch, Buffer.concat([body, Buffer.from(' ')])],
  ['no body where one was signed', signed(), noMatch, Buffer.alloc(0)],
  ['signed for another second', { ...signed(), timestamp: String(nowSeconds + 1) }, noMatch],
  ['signed with a separator', { ...signedHeaders(Buffer.concat([body, Buffer.from('.')]), app.clock) }, noMatch],
  ['signed with another secret', signedHeaders(body, app.clock, { secret: 'alpha-secreT' }), noMatch],
  ["signed with another account's secret", signedHeaders(body, app.clock, { secret: beta.secret }), noMatch],
  ['an unknown account', signedHeaders(body, app.clock, { accountNo: 'NOBODY' }), 'account-no is not registered'],
  ['the account in another case', signedHeaders(body, app.clock, { accountNo: 'alpha' }), 'account-no is not registered'],
];
/** In all others the account is named by a registered header, or the diagnosis finds that its secret made the signature. */
const withoutProof = new Set(['no headers at all', 'account-no missing', 'account-no empty', 'timestamp missing', 'sign missing']);
for (const [name, headers, reason, payload = body] of refusals) {
  test(`refused with the same 401 as any other, the reason in the request log only, nothing changed: ${name}`, async () => {
    const before = await products();
    const answer = await call(headers, payload);

    assert.equal(answer.status, 401);
    assert.equal(answer.text, refusalOf(answer.headers['trace-id'] as string));
    assert.deepEqual(await products(), before);
    const line = await app.requestLine(answer.json.trace_id);
    assert.deepEqual([line?.status, line?.code, line?.reason], [401, 'LST-TPW-4001', reason]);
    assert.equal(line?.account_no, withoutProof.has(name) ? null : alpha.accountNo);
  });
}

test('the headers of every 401 are the same too, so that nothing tells the reason', async () => {
  const seen = new Set<string>();
  for (const [, headers, , payload = body] of refusals) {
    const { 'trace-id': _traceId, date: _date, ...others } = (await call(headers, payload)).headers;
    seen.add(JSON.stringify(others));
  }
  assert.equal(seen.size, 1);
});

test('on the wire, white space around a header value is not part of it', async () => {
  const connection = await connect();
  const headers = Object.entries(signed()).map(([name, value]): [string, string] => [name, `\t ${value}  `]);
  connection.send(rawRequest('POST', '/warehouse/v1/product/sync', [['content-type', 'application/json'], ...headers], body));
  assert.equal((await connection.answer())?.status, 200);
  connection.socket.destroy();
});

test('strangers, however many at once, share the few queries that make sure they are strangers', async () => {
  let reads = 0;
  const database: Database = {
    ...app.store.database,
    read(...read) {
      reads++;
      return app.store.database.read(...read);
    },
  };
  const directory = makeAccountDirectory(database, app.store.keyring);
  const strangers = Array.from({ length: 500 }, (_, index) => ({ accountNo: `${'A'.repeat(index)}-${index}` }));
  const checks = await Promise.all(
    strangers.map((stranger) => checkSignature(signedHeaders(body, app.clock, stranger), body, directory, app.clock)),
  );

  for (const check of checks) assert.deepEqual(check, { kind: 'refused', reason: 'account-no is not registered' });
  assert.ok(reads <= 3, `${reads} queries`);
});

test('an account and a new secret are known from the first call after they were made', async () => {
  for (let round = 1; round <= 5; round++) {
    const accountNo = `NEW-${round}`;
    await app.provision({ accounts: [{ account_no: accountNo, environment: 'uat', secret: 'first-secret' }] });
    assert.equal((await call(signedHeaders(body, app.clock, { accountNo, secret: 'first-secret' }))).status, 200);
    await app.provision({ accounts: [{ account_no: accountNo, secret: 'second-secret' }] });
    assert.equal((await call(signedHeaders(body, app.clock, { accountNo, secret: 'second-secret' }))).status, 200);
  }
});

test('a disabled account, and one without the warehouse API, are told 503 only if they signed rightly', async () => {
  await app.provision({
    accounts: [
      { account_no: 'DISABLED', environment: 'uat', secret: 'disabled-secret', enabled: false },
      { account_no: 'NO-API', environment: 'uat', secret: 'no-api-secret', warehouse_api: false },
    ],
  });
  const before = await products();
  const cases = [
    ['DISABLED', 'disabled-secret', 'the account is disabled'],
    ['NO-API', 'no-api-secret', 'warehouse_api of the account is off'],
  ] as const;
  for (const [accountNo, secret, reason] of cases) {
    const { status, json, headers } = await call(signedHeaders(body, app.clock, { accountNo, secret }));
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], undefined);
    assert.deepEqual(json, {
      code: 'LST-TPW-5030',
      trace_id: headers['trace-id'],
      message: 'this integration is not enabled',
      success: false,
      data: {},
    });
    const line = await app.requestLine(String(headers['trace-id']));
    assert.deepEqual([line?.account_no, line?.reason], [accountNo, reason]);

    const forged = await call(signedHeaders(body, app.clock, { accountNo, secret: 'wrong' }));
    assert.equal(forged.text, refusalOf(forged.json.trace_id));
  }
  assert.deepEqual(await products(), before);
});

test('WAREHOUSE_API=off answers 503 LST-TPW-5030 to everyone, signed or not', async () => {
  for (const headers of [{}, signedHeaders(body, switchedOff.clock)]) {
    const { status, json } = await call(headers, body, switchedOff);
    assert.deepEqual([status, json.code, json.success], [503, 'LST-TPW-5030', false]);
    assert.equal((await switchedOff.requestLine(json.trace_id))?.reason, 'WAREHOUSE_API is off');
  }
});

test('WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT move the paths, and the words with them', async () => {
  assert.equal((await call(signedHeaders(body, moved.clock), body, moved)).status, 200);
  const envelopeAt = async (url: string) => {
    const answer = await moved.http.inject({ method: 'POST', url });
    const line = await moved.requestLine(answer.headers['trace-id'] as string);
    return [answer.statusCode, Object.keys(answer.json())[0], line?.contract];
  };
  assert.deepEqual(await envelopeAt('/partners/tpw/v3/nowhere'), [404, 'code', 'warehouse']);
  assert.deepEqual(await envelopeAt('/carriers/nowhere'), [404, 'done', 'logistics']);
  assert.deepEqual(await envelopeAt('/warehouse/v1/product/sync'), [404, 'done', 'main']);
  assert.deepEqual(await envelopeAt('/logistics/nowhere'), [404, 'done', 'main']);
});

/** The contract gives a change 5 s to reach every node. */
async function within5Seconds(holds: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + 5000;
  while (performance.now() < until) {
    if (await holds()) return true;
    await sleep(100);
  }
  return false;
}

test('a new secret, and an account that is disabled, reach a running app within 5 s', async () => {
  const accountNo = 'CHANGING';
  const statusWith = async (secret: string) => (await call(signedHeaders(body, app.clock, { accountNo, secret }))).status;
  await app.provision({ accounts: [{ account_no: accountNo, environment: 'uat', secret: 'first' }] });
  assert.equal(await statusWith('first'), 200);

  await app.provision({ accounts: [{ account_no: accountNo, secret: 'second' }] });
  assert.ok(await within5Seconds(async () => (await statusWith('second')) === 200));

  await app.provision({ accounts: [{ account_no: accountNo, enabled: false }] });
  assert.ok(await within5Seconds(async () => (await statusWith('second')) === 503));
});
