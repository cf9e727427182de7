import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { exampleInboundForm } from '../../../contract/logistics/inbound-form.ts';
import { mainReference } from '../../../contract/main/reference.ts';
import type { ExampleReference } from '../../../contract/reference.ts';
import { warehouseReference } from '../../../contract/warehouse/reference.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { missingFor, runProgram } from '../../docs/programs.ts';
import { beta, startTestApp } from '../../support/app.ts';
import { createInbound, putLot, syncProducts } from '../../support/warehouse.ts';

/** Named as the demo account of a first start; but in production, so that its orders can be shipped. */
const demo = { accountNo: 'DEMO', secret: 'demo-secret', clientId: 'demo', checkValue: 'demo-check-value' };
const app = await startTestApp();
await app.provision({
  stores: [{ store_no: 1 }],
  accounts: [
    {
      account_no: demo.accountNo,
      environment: 'production',
      secret: demo.secret,
      tenants: [
        { warehouse_tpw_id: 'TPW-DEMO', warehouse_no: 1, store_no: 1, receiving: 'on_create' },
        { warehouse_tpw_id: 'TPW-CONFIRMED', warehouse_no: 1, store_no: 1, receiving: 'on_confirm' },
      ],
    },
  ],
  clients: [{ client_id: demo.clientId, check_value: demo.checkValue, account_no: demo.accountNo, permissions: [...permissions] }],
  logistics_keys: [
    { name: 'wms', key: 'demo-confirmed-key', account_no: demo.accountNo, warehouse_no: 1, store_no: 1, receiving: 'on_confirm' },
  ],
});
await prepare();

function exampleOf(reference: typeof mainReference, path: string): Record<string, unknown> {
  return reference.endpoints.find((endpoint) => endpoint.path === path)!.body!.example as Record<string, unknown>;
}

async function prepare(): Promise<void> {
  for (const path of ['/product/sync', '/inbound/create']) {
    const example = exampleOf(warehouseReference, path);
    assert.equal((await app.callWarehouse(path, example, demo)).status, 200);
    const theirs = { ...example, warehouse_tpw_id: beta.warehouseTpwId, inbound_short_id: 'IN-TAKEN' };
    assert.equal((await app.callWarehouse(path, theirs, beta)).status, 200);
  }
  const order = {
    ...exampleOf(warehouseReference, '/outbound/create'),
    warehouse_tpw_id: beta.warehouseTpwId,
    outbound_short_id: 'OUT-TAKEN',
  };
  assert.equal((await app.callWarehouse('/outbound/create', order, beta)).status, 200);
  await app.store.database.transaction(async (tx) => {
    const [callback] = await tx`
      insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, document_id, sequence, key_name,
        receiver_id, body)
      select account_id, '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80', 'order.shipped', 'order', 'WMS-2026-0001', 'https://partner.example/callbacks', 'failed',
        now(), 1, 1, 'wms', '00000000-0000-4000-8000-000000000000',
        '{"event_id":"0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80","event":"order.shipped","sequence":1}'
      from account where account_no = ${demo.accountNo} returning callback_id, account_id`;
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, error, address)
      values (${callback!.callback_id}, 1, ${callback!.account_id}, 15000, 'timed out after 15 s', '203.0.113.7')`;
  });
}

async function anotherOrder(outbound_short_id: string): Promise<void> {
  const order = { ...exampleOf(mainReference, '/api/v2/default/orders/create'), outbound_short_id };
  assert.equal((await app.callMain('/orders/create', order, { as: demo })).status, 200);
}

/** Documents that wait for the warehouse's word, and a lot that is full. */
async function expectedDocuments(): Promise<void> {
  await syncProducts(app, ['TEA-MANY'], { ...demo, warehouseTpwId: 'TPW-CONFIRMED' });
  await putLot(app, { skuId: 'TEA-MANY', qty: 1_000_000_000_000, expireDate: null }, { ...demo, warehouseTpwId: 'TPW-CONFIRMED' });
  for (const [number, sku] of [
    ['IN-2001', 'TEA-1'],
    ['IN-2002', 'TEA-1'],
    ['IN-2003', 'TEA-MANY'],
  ] as const) {
    await createInbound(app, number, { [sku]: [['2028-06-30', 100]] }, { ...demo, warehouseTpwId: 'TPW-CONFIRMED' });
  }
  for (const form_no of ['PO-2001', 'PO-2002']) {
    const answer = await app.callLogistics('/purchases/purchase', { ...exampleInboundForm, form_no }, { apiKey: 'demo-confirmed-key' });
    assert.equal(answer.json.retval.status, 'expected');
  }
}

const operations = mainReference.endpoints.filter(({ path }) => path.startsWith('/api/v2/default'));
/** In an order in which each finds what its examples speak of. */
const play = operations.toSorted((one, other) => rank(one.path) - rank(other.path));

function rank(path: string): number {
  return ['create', 'searchList', 'orders/cancel', 'advance', 'receive', 'stop', 'cancel'].findIndex((part) => path.endsWith(part));
}

for (const { path, answers } of play) {
  test(`the service answers as its reference shows: ${path}`, async () => {
    if (path.endsWith('/fulfilment/advance')) for (const number of ['OUT-1002', 'OUT-1003']) await anotherOrder(number);
    if (path.endsWith('/inbounds/receive')) await expectedDocuments();
    for (const { status, examples } of answers.filter((answer) => answer.status <= 400 || answer.status === 409)) {
      for (const [name, example] of Object.entries(examples)) {
        const answer = await app.callMain(path.slice('/api/v2/default'.length), bodyOf(path, name, example), { as: demo });
        assert.equal(answer.status, status, `${name}: ${answer.text}`);
        assert.deepEqual(withoutOurNumbers(answer.json), withoutOurNumbers(example.value), name);
      }
    }
  });
}

function bodyOf(path: string, name: string, { sent }: ExampleReference): unknown {
  if (name === 'unreadable') return '{"sku_id":';
  return sent ?? exampleOf(mainReference, path);
}

/** What differs each time, by its form. */
function withoutOurNumbers(envelope: unknown): unknown {
  const text = JSON.stringify(envelope)
    .replace(/"products_id":\d+/, '"products_id":"ours"')
    .replace(/"si_[0-9a-f]{20}"/, '"si_ours"')
    .replace(/"(ow_OUT-1001_)[0-9a-f]{10}"/, '"$1ours"')
    .replace(/"trace_id":"[0-9a-f-]{36}"/g, '"trace_id":"ours"')
    .replace(/"(created_at|updated_at|occurred_at|at)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00"/g, '"$1":"then"');
  return JSON.parse(text);
}

test('the service answers as its reference shows: the token call', async () => {
  const { answers } = mainReference.endpoints.find(({ path }) => path === '/api/v1/token/getToken')!;
  const call = async (payload: object) => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/v1/token/getToken',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    return { status: answer.statusCode, json: answer.json() };
  };
  const [{ examples: answered }, { examples: refused }] = answers as [(typeof answers)[number], (typeof answers)[number]];
  const issued = await call({ ClientId: demo.clientId, CheckValue: demo.checkValue });
  assert.deepEqual(Object.keys(issued.json.retval), Object.keys((answered.issued!.value as { retval: object }).retval));
  assert.deepEqual(await call(answered.wrong!.sent as object), { status: 200, json: answered.wrong!.value });
  assert.deepEqual(await call(refused.fields!.sent as object), { status: 400, json: refused.fields!.value });
});

for (const [label, file] of [
  ['TypeScript', 'call.mts'],
  ['curl', 'call.sh'],
  ['Python', 'call.py'],
] as const) {
  test(`the sample gets a token and calls with it: ${label}`, async (t) => {
    const missing = await missingFor(file);
    if (missing) return t.skip(`${missing} is not on this machine`);
    const stdout = await runProgram(file, await sampleFor(label), { LADING_CLIENT_ID: demo.clientId, LADING_CHECK_VALUE: demo.checkValue });
    assert.match(stdout, /"done":true,"msg":"success","retval":\{"rows":\[\{"products_id":/);
  });
}

async function sampleFor(label: string): Promise<string> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const path = '/api/v2/default/getProductsData/searchList';
  const samples = mainReference.samples!(`http://127.0.0.1:${port}${path}`, exampleOf(mainReference, path));
  return samples.find((sample) => sample.label === label)!.source;
}
