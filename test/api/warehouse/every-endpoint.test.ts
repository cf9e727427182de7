import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../../server/platform/database.ts';
import { alpha, signedHeaders, startTestApp, type TestAnswer, type TestApp } from '../../support/app.ts';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import { assertRefused, dataOf, dump, inboundBody, orderBody, receive } from '../../support/warehouse.ts';

const app = await startTestApp();
const switchedOff = await startTestApp({ env: { WAREHOUSE_API: 'off' } });
const proxy = await startDatabaseProxy();
const cutOff = await startTestApp({
  database: ({ connection }) => openDatabase(proxy.through(connection), { max: 2, deadlineSeconds: 1 }),
});

const noApi = { ...alpha, accountNo: 'NO-API', secret: 'no-api-secret' };
await app.provision({ accounts: [{ account_no: noApi.accountNo, environment: 'uat', secret: noApi.secret, warehouse_api: false }] });
await receive(app, { TEA: [['2030-01-01', 5]] });

const stock = { TEA: [['2030-01-01', 1]] } as Parameters<typeof inboundBody>[1];
/** A body that each of the seven would accept, and the field that it cannot do without. */
const endpoints: [path: string, body: object, needed: string][] = [
  ['/product/sync', { sku_id: 'EVERY', sku_name: 'Every', storage_type: 1 }, 'sku_id'],
  ['/inbound/create', inboundBody('IN-EVERY', stock), 'inbound_short_id'],
  ['/inbound/return', { ...inboundBody('RE-EVERY', stock), outbound_short_id: 'OUT-EVERY' }, 'outbound_short_id'],
  ['/inbound/cancel', { inbound_short_ids: ['IN-EVERY'] }, 'inbound_short_ids'],
  ['/outbound/create', orderBody('OUT-EVERY', [['TEA', 1]]), 'outbound_short_id'],
  ['/outbound/cancel', { outbound_short_ids: ['OUT-EVERY'] }, 'outbound_short_ids'],
  ['/stock/query', { sku_ids: ['TEA'] }, 'sku_ids'],
];

async function send(on: TestApp, request: { method?: 'GET' | 'PUT' | 'POST'; path: string; headers?: object; body?: string | Buffer }) {
  const { method = 'POST', path, headers = {}, body = '' } = request;
  const answer = await on.http.inject({ method, url: `/warehouse/v1${path}`, headers: { ...headers }, payload: body });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() } satisfies TestAnswer;
}

async function assertUnchanged<T>(work: () => Promise<T>, on: TestApp = app): Promise<T> {
  const before = await dump(on);
  const result = await work();
  assert.deepEqual(await dump(on), before);
  return result;
}

for (const [path, body, needed] of endpoints) {
  const bytes = Buffer.from(JSON.stringify(body));
  const json = { 'content-type': 'application/json' };

  test(`${path}: unsigned, and signed wrongly, is 401 LST-TPW-4001 and nothing changes`, async () => {
    const wrongly = signedHeaders(bytes, app.clock, { secret: 'another' });
    for (const headers of [json, { ...json, ...wrongly }]) {
      const answer = await assertUnchanged(() => send(app, { path, headers, body: bytes }));
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.json, {
        code: 'LST-TPW-4001',
        trace_id: answer.headers['trace-id'],
        message: 'authentication failed',
        success: false,
        data: {},
      });
    }
  });

  test(`${path}: 503 LST-TPW-5030 where the integration is not enabled, at all or for the account, and nothing changes`, async () => {
    for (const [on, caller] of [
      [switchedOff, alpha],
      [app, noApi],
    ] as const) {
      const { status, json: envelope } = await assertUnchanged(() => on.callWarehouse(path, body, caller), on);
      assert.deepEqual([status, envelope.code, envelope.success, envelope.data], [503, 'LST-TPW-5030', false, {}]);
    }
  });

  test(`${path}: other methods are 405 with Allow, other content types 415, more than 1 MiB 413`, async () => {
    for (const method of ['GET', 'PUT'] as const) {
      const answer = await assertUnchanged(() => send(app, { method, path, headers: { ...json, ...signedHeaders(bytes, app.clock) } }));
      assert.deepEqual([answer.status, answer.headers.allow, answer.json.code], [405, 'POST', 'PARAM_INVALID']);
    }
    const text = { 'content-type': 'text/plain', ...signedHeaders(bytes, app.clock) };
    const notJson = await assertUnchanged(() => send(app, { path, headers: text, body: bytes }));
    assert.deepEqual([notJson.status, notJson.json.code, notJson.json.success], [415, 'PARAM_INVALID', false]);

    const large = Buffer.concat([bytes, Buffer.alloc(1_048_577 - bytes.length, ' ')]);
    const tooLarge = await assertUnchanged(() => app.callWarehouse(path, large));
    assert.deepEqual([tooLarge.status, tooLarge.json.code, tooLarge.json.success], [413, 'PARAM_INVALID', false]);
  });

  const written = JSON.stringify(body);
  const brokenBodies: [string, string | Buffer][] = [
    ['nothing', ''],
    ['half of a document', written.slice(0, -1)],
    ['a list', `[${written}]`],
    ['null', 'null'],
    ['a key twice', written.replace('{', `{"${needed}":"TWICE",`)],
    ['a __proto__ key', written.replace('{', '{"__proto__":{"a":1},')],
    ['a constructor key', written.replace('{', '{"constructor":1,')],
    ['invalid UTF-8', Buffer.from(written.replace('{', '{"x":"\u00e9",'), 'latin1')],
    ['a number that cannot be kept', written.replace('{', '{"x":9007199254740993,')],
    ['NUL', written.replace('{', '{"x":"\\u0000",')],
    ['half of a surrogate pair', written.replace('{', '{"x":"\\ud800",')],
  ];
  for (const [name, broken] of brokenBodies) {
    test(`${path}: refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
      assertRefused(await assertUnchanged(() => app.callWarehouse(path, broken)), {});
    });
  }

  test(`${path}: ${needed} is needed, and its absence is named`, async () => {
    const { [needed]: _left, ...rest } = body as Record<string, unknown>;
    assertRefused(await assertUnchanged(() => app.callWarehouse(path, rest)), { message: `${needed} is missing`, paths: [needed] });
  });
}

test('all seven accept their bodies, unknown fields and all, in the order of the documents', async () => {
  for (const [path, body] of endpoints) {
    const envelope = dataOf(await app.callWarehouse(path, { ...body, account_no: 'BETA', unknown: { deep: [1] } }));
    assert.equal(typeof envelope, 'object');
  }
});

test('trace ids are unique, also of equal calls', async () => {
  const answers = await Promise.all(endpoints.flatMap(([path, body]) => [app.callWarehouse(path, body), app.callWarehouse(path, body)]));
  assert.equal(new Set(answers.map(({ json }) => json.trace_id)).size, 14);
  for (const { json } of answers) assert.match(json.trace_id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('while the database is out of reach every endpoint says 503 LST-TPW-5031 with Retry-After, and works again afterwards', async () => {
  await receive(cutOff, { TEA: [['2030-01-01', 5]] });
  await proxy.refuse();
  const answers = await Promise.all(endpoints.map(async ([path, body]) => ({ path, ...(await cutOff.callWarehouse(path, body)) })));
  for (const { path, status, headers, json } of answers) {
    assert.deepEqual([path, status, json.code, json.success], [path, 503, 'LST-TPW-5031', false]);
    assert.ok(Number(headers['retry-after']) >= 1, path);
  }

  await proxy.heal();
  for (const [path, body] of endpoints) dataOf(await cutOff.callWarehouse(path, body));
});
