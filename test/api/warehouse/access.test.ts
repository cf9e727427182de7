import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSignature } from '../../../server/api/warehouse/signature.ts';
import { makeAccountDirectory } from '../../../server/domain/partners/account-directory.ts';
import { type Database, openDatabase } from '../../../server/platform/postgres/database.ts';
import { beta, signedHeaders, startTestApp, type TestAnswer, type TestApp } from '../../support/app.ts';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import { form, formPath, item, orderPath, shippingOrder } from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';
import { eventually } from '../../support/nodes.ts';
import { listenRaw, rawRequest } from '../../support/raw-http.ts';
import { dataOf, dump, inboundBody, orderBody, receive, type Units } from '../../support/warehouse.ts';

const app = await startTestApp();
const connect = await listenRaw(app);
const switchedOff = await startTestApp({ env: { WAREHOUSE_API: 'off' } });
const moved = await startTestApp({ env: { WAREHOUSE_BASE_PATH: '/partners/tpw/v3', LOGISTICS_SEGMENT: 'carriers' } });
const proxy = await startDatabaseProxy();
const cutOff = await startTestApp({
  database: ({ serviceConnection }) => openDatabase(proxy.through(serviceConnection), { max: 2, deadlineSeconds: 1 }),
});
const noApi = { accountNo: 'NO-API', secret: 'no-api-secret-of-thirty-two-characters-or-more' };
await app.provision({
  accounts: [{ account_no: noApi.accountNo, environment: 'uat', secret: noApi.secret, warehouse_api: false }],
});
await receive(app, { TEA: [['2030-01-01', 5]] });

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

/** The body of every 401; only the trace id differs. */
function refusalOf(traceId: string): string {
  return JSON.stringify({
    code: 'LST-TPW-4001',
    trace_id: traceId,
    message: 'authentication failed',
    success: false,
    data: {},
  });
}

test('the signature is HMAC-SHA256 over body and timestamp, in lowercase hex: a published example is accepted', async () => {
  // printf '%s%s' '{"sku_id":"E","sku_name":"Tea","storage_type":1}' 1772337906 | openssl dgst -sha256 -hmac alpha-secret-of-thirty-two-characters-or-more
  const headers = {
    'account-no': 'ALPHA',
    timestamp: '1772337906',
    sign: '3aac66a1aaa9f8313e6c36864256bc1640ba1f3a34bb857d3094f7de3412ad62',
  };
  assert.equal((await call(headers, Buffer.from('{"sku_id":"E","sku_name":"Tea","storage_type":1}'))).status, 200);
});

test('header names may have any case, and on the wire white space around a header value is not part of it', async () => {
  const { 'account-no': accountNo = '', timestamp = '', sign = '' } = signed();
  assert.equal((await call({ 'Account-No': accountNo, TIMESTAMP: timestamp, Sign: sign })).status, 200);

  const connection = await connect();
  const headers = Object.entries(signed()).map(([name, value]): [string, string] => [name, `\t ${value}  `]);
  connection.send(
    rawRequest('POST', '/warehouse/v1/product/sync', [['content-type', 'application/json'], ...headers], body),
  );
  assert.equal((await connection.answer())?.status, 200);
  connection.socket.destroy();
});

const notTenDigits = 'timestamp is not 10 digits (Unix time in seconds)';
const notHex = 'sign is not 64 lowercase hex digits';
const noMatch = 'the signature does not match';
const notRegistered = 'account-no is not registered';
const noAccountNo = 'header account-no is missing';

/** One of each kind; docs/vectors has the others. The account is logged where a registered header or the secret names it. */
const refusals: [name: string, headers: Headers, reason: string, accountNo: string | null][] = [
  ['no headers at all', {}, noAccountNo, null],
  ['account-no is empty', { ...signed(), 'account-no': '' }, noAccountNo, null],
  ['account_no instead of account-no', { ...without('account-no'), account_no: 'ALPHA' }, noAccountNo, 'ALPHA'],
  ['timestamp is missing', without('timestamp'), 'header timestamp is missing', null],
  ['sign is missing', without('sign'), 'header sign is missing', null],
  ['timestamp has 11 digits', signed(`0${nowSeconds}`), notTenDigits, 'ALPHA'],
  ['timestamp has a sign', signed(`+${nowSeconds}`), notTenDigits, 'ALPHA'],
  ['timestamp has a space inside', signed('17723 7906'), notTenDigits, 'ALPHA'],
  ['timestamp has other digits', signed('١٧٧٢٣٣٧٩٠٦'), notTenDigits, 'ALPHA'],
  ['timestamp is 301 s ago', signed(String(nowSeconds - 301)), 'timestamp is off by -301 s', 'ALPHA'],
  ['timestamp is 301 s ahead', signed(String(nowSeconds + 301)), 'timestamp is off by 301 s', 'ALPHA'],
  ['sign is in upper case', { ...signed(), sign: signed().sign!.toUpperCase() }, notHex, 'ALPHA'],
  ['sign is too short', { ...signed(), sign: signed().sign!.slice(0, 62) }, notHex, null],
  ['another body was signed', signedHeaders(Buffer.from(`${body} `), app.clock), noMatch, 'ALPHA'],
  ["another account's secret", signedHeaders(body, app.clock, { secret: beta.secret }), noMatch, 'ALPHA'],
  ['an unknown account', signedHeaders(body, app.clock, { accountNo: 'NOBODY' }), notRegistered, 'ALPHA'],
];
const headersOfRefusals = new Set<string>();
for (const [name, headers, reason, accountNo] of refusals) {
  test(`refused with the same 401 as any other, the reason in the request log only, nothing changed: ${name}`, async () => {
    const before = await products();
    const answer = await call(headers);

    const { 'trace-id': traceId, date: _date, ...others } = answer.headers;
    assert.deepEqual([answer.status, answer.text], [401, refusalOf(String(traceId))]);
    headersOfRefusals.add(JSON.stringify(others));
    assert.equal(headersOfRefusals.size, 1);
    assert.deepEqual(await products(), before);
    const line = await app.requestLine(answer.json.trace_id);
    assert.deepEqual(
      [line?.status, line?.code, line?.reason, line?.account_no],
      [401, 'LST-TPW-4001', reason, accountNo],
    );
  });
}

test('many unknown accounts at once share the few queries that look for them', async () => {
  let reads = 0;
  const database: Database = {
    ...app.store.service,
    read(...read) {
      reads++;
      return app.store.service.read(...read);
    },
  };
  const directory = makeAccountDirectory(database, app.store.keyring);
  const strangers = Array.from({ length: 100 }, (_, index) => ({ accountNo: `${'A'.repeat(index)}-${index}` }));
  const checks = await Promise.all(
    strangers.map((stranger) => checkSignature(signedHeaders(body, app.clock, stranger), body, directory, app.clock)),
  );

  for (const check of checks) assert.deepEqual(check, { kind: 'refused', reason: { code: 'account_not_registered' } });
  assert.ok(reads <= 3, `${reads} queries`);
});

test('a new account and a new secret are accepted in the first call after they were created', async () => {
  for (const round of [1, 2]) {
    const accountNo = `NEW-${round}`;
    await app.provision({
      accounts: [
        { account_no: accountNo, environment: 'uat', secret: 'first-secret-of-thirty-two-characters-or-more' },
      ],
    });
    assert.equal(
      (
        await call(
          signedHeaders(body, app.clock, { accountNo, secret: 'first-secret-of-thirty-two-characters-or-more' }),
        )
      ).status,
      200,
    );
    await app.provision({
      accounts: [{ account_no: accountNo, secret: 'second-secret-of-thirty-two-characters-or-more' }],
    });
    assert.equal(
      (
        await call(
          signedHeaders(body, app.clock, { accountNo, secret: 'second-secret-of-thirty-two-characters-or-more' }),
        )
      ).status,
      200,
    );
  }
});

test('a disabled account, and one without the warehouse API, get 503 only if their signature is right', async () => {
  await app.provision({
    accounts: [
      {
        account_no: 'DISABLED',
        environment: 'uat',
        secret: 'disabled-secret-of-thirty-two-characters-or-more',
        enabled: false,
      },
    ],
  });
  const before = await products();
  const cases = [
    ['DISABLED', 'disabled-secret-of-thirty-two-characters-or-more', 'the account is disabled'],
    ['NO-API', 'no-api-secret-of-thirty-two-characters-or-more', 'warehouse_api of the account is off'],
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

test('WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT move the paths, and the envelopes with them', async () => {
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

test('a disabled account reaches a running app within 5 s', async () => {
  const accountNo = 'CHANGING';
  const statusWith = async (secret: string) =>
    (await call(signedHeaders(body, app.clock, { accountNo, secret }))).status;
  await app.provision({
    accounts: [{ account_no: accountNo, environment: 'uat', secret: 'first-of-thirty-two-characters-or-more' }],
  });
  assert.equal(await statusWith('first-of-thirty-two-characters-or-more'), 200);

  await app.provision({ accounts: [{ account_no: accountNo, enabled: false }] });
  await eventually(async () => (await statusWith('first-of-thirty-two-characters-or-more')) === 503);
});

// Every endpoint.

const stock: Record<string, Units> = { TEA: [['2030-01-01', 1]] };
/** A body that each endpoint accepts. */
const endpoints: [path: string, body: object][] = [
  ['/product/sync', { sku_id: 'EVERY', sku_name: 'Every', storage_type: 1 }],
  ['/inbound/create', inboundBody('IN-EVERY', stock)],
  ['/inbound/return', { ...inboundBody('RE-EVERY', stock), outbound_short_id: 'OUT-EVERY' }],
  ['/inbound/cancel', { inbound_short_ids: ['IN-EVERY'] }],
  ['/outbound/create', orderBody('OUT-EVERY', [['TEA', 1]])],
  ['/outbound/cancel', { outbound_short_ids: ['OUT-EVERY'] }],
  ['/stock/query', { sku_ids: ['TEA'] }],
];

for (const [path, sent] of endpoints) {
  test(`${path}: 401 unless signed, 405 for other methods, 503 where the integration is not enabled, and nothing changes`, async () => {
    const before = [await dump(app), await dump(switchedOff)];
    const inject = async (method: 'POST' | 'PUT', on = app) => {
      const url = `/warehouse/v1${path}`;
      const answer = await on.http.inject({
        method,
        url,
        headers: { 'content-type': 'application/json' },
        payload: sent,
      });
      return { status: answer.statusCode, headers: answer.headers, json: answer.json() };
    };
    const put = await inject('PUT');
    assert.equal(put.headers.allow, 'POST');
    for (const [answer, status, code] of [
      [await inject('POST'), 401, 'LST-TPW-4001'],
      [await app.callWarehouse(path, sent, { secret: 'another' }), 401, 'LST-TPW-4001'],
      [put, 405, 'PARAM_INVALID'],
      [await app.callWarehouse(path, sent, noApi), 503, 'LST-TPW-5030'],
      [await inject('POST', switchedOff), 503, 'LST-TPW-5030'],
      [await switchedOff.callWarehouse(path, sent), 503, 'LST-TPW-5030'],
    ] as const) {
      const { json, headers } = answer;
      assert.deepEqual(
        [answer.status, json.code, json.success, json.data, json.trace_id],
        [status, code, false, {}, headers['trace-id']],
      );
    }
    const off = await switchedOff.callWarehouse(path, sent);
    assert.equal((await switchedOff.requestLine(off.json.trace_id))?.reason, 'WAREHOUSE_API is off');
    assert.deepEqual([await dump(app), await dump(switchedOff)], before);
  });
}

test('all endpoints accept their bodies and ignore unknown fields', async () => {
  for (const [path, sent] of endpoints)
    dataOf(await app.callWarehouse(path, { ...sent, account_no: 'BETA', unknown: { deep: [1] } }));
});

/** Repeats a call until the database is in reach: its deadline of 1 s is short on a busy machine. */
async function reached(call: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
  }
}

test('while the database is out of reach, every endpoint of both webhooks is 503 with Retry-After; then the same call is done once', async () => {
  const forms: [path: string, body: object][] = [
    [orderPath, shippingOrder('CUT', [item('CUT', 1)])],
    [formPath, form('CUT', [{ sku: 'CUT', quantity: 1 }])],
  ];
  await receive(cutOff, { TEA: [['2030-01-01', 5]] });
  await proxy.refuse();
  for (const answer of await Promise.all(endpoints.map(([path, sent]) => cutOff.callWarehouse(path, sent)))) {
    assert.deepEqual([answer.status, answer.json.code, answer.json.success], [503, 'LST-TPW-5031', false]);
    assert.equal(answer.headers['retry-after'], '1');
  }
  for (const answer of await Promise.all(forms.map(([path, sent]) => cutOff.callLogistics(path, sent)))) {
    assertNotDone(answer, { status: 503, msg: 'the database is out of reach; try again shortly' });
    assert.equal(answer.headers['retry-after'], '1');
  }

  await proxy.heal();
  for (const [path, sent] of endpoints) dataOf(await reached(() => cutOff.callWarehouse(path, sent)));
  for (const [path, sent] of forms)
    for (const idempotent of [false, true])
      assert.equal(retvalOf(await reached(() => cutOff.callLogistics(path, sent))).idempotent, idempotent);
});
