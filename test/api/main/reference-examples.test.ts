import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleInboundForm } from '../../../contract/logistics/inbound-form.ts';
import { mainReference } from '../../../reference/main/endpoints.ts';
import type { ExampleReference } from '../../../reference/reference.ts';
import { warehouseReference } from '../../../reference/warehouse/endpoints.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { alpha, startTestApp } from '../../support/app.ts';
import { addressOf } from '../../support/clients.ts';
import { assertExamples, testSamples } from '../../support/reference-examples.ts';
import { createInbound, putLot, syncProducts } from '../../support/warehouse.ts';

/** Named as the demo account of a first start; but in production, so that its orders can be shipped. */
const demo = {
  accountNo: 'DEMO',
  secret: 'demo-secret-of-thirty-two-characters-or-more',
  clientId: 'demo',
  checkValue: 'demo-check-value-of-thirty-two-characters-or-more',
};
const app = await startTestApp();
const place = { warehouse_no: 1, store_no: 1 };
const { accountNo: account_no, secret, clientId: client_id, checkValue: check_value } = demo;
await app.provision({
  warehouses: [{ warehouse_no: 2 }],
  stores: [{ store_no: 1 }],
  accounts: [
    {
      account_no,
      environment: 'production',
      secret,
      tenants: [
        { warehouse_tpw_id: 'TPW-DEMO', ...place, receiving: 'on_create' },
        { warehouse_tpw_id: 'TPW-CONFIRMED', ...place, receiving: 'on_confirm' },
        { warehouse_tpw_id: 'TPW-DEMO-2', warehouse_no: 2, store_no: 1, receiving: 'on_create' },
      ],
    },
  ],
  clients: [{ client_id, check_value, account_no, permissions: [...permissions] }],
  logistics_keys: [
    {
      name: 'wms',
      key: 'demo-confirmed-key-of-thirty-two-characters-or-more',
      account_no,
      ...place,
      receiving: 'on_confirm',
    },
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
  }
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

/** Documents that wait for the confirmation of the warehouse, and a lot that is full. */
async function expectedDocuments(): Promise<void> {
  const caller = { ...demo, warehouseTpwId: 'TPW-CONFIRMED' };
  await syncProducts(app, ['TEA-MANY'], caller);
  await putLot(app, { skuId: 'TEA-MANY', qty: 1_000_000_000_000, expireDate: null }, caller);
  for (const [number, sku] of [
    ['IN-2001', 'TEA-1'],
    ['IN-2002', 'TEA-1'],
    ['IN-2003', 'TEA-MANY'],
  ] as const) {
    await createInbound(app, number, { [sku]: [['2028-06-30', 100]] }, caller);
  }
  for (const form_no of ['PO-2001', 'PO-2002']) {
    const form = { ...exampleInboundForm, form_no };
    const answer = await app.callLogistics('/purchases/purchase', form, {
      apiKey: 'demo-confirmed-key-of-thirty-two-characters-or-more',
    });
    assert.equal(answer.json.retval.status, 'expected');
  }
}

const operations = mainReference.endpoints.filter(({ path }) => path.startsWith('/api/v2/default'));
/** In an order in which each finds the documents of its examples. */
const play = operations.toSorted((one, other) => rank(one.path) - rank(other.path));

function rank(path: string): number {
  const parts = [
    'create',
    'products/update',
    'searchList',
    'update',
    'hold',
    'release',
    'orders/cancel',
    'advance',
    'receive',
    'stop',
  ];
  return [...parts, 'cancel', 'adjust', 'move'].findIndex((part) => path.endsWith(part));
}

for (const endpoint of play) {
  const { path } = endpoint;
  test(`the service answers as its reference shows: ${path}`, async () => {
    if (path.endsWith('/fulfilment/advance')) for (const number of ['OUT-1002', 'OUT-1003']) await anotherOrder(number);
    if (path.endsWith('/inbounds/receive')) await expectedDocuments();
    const at = path.slice('/api/v2/default'.length);
    // Only a UAT account chooses where a test goes.
    const as = at === '/callbacks/test' ? alpha : demo;
    await assertExamples(endpoint, [200, 400, 409], (body) => app.callMain(at, body, { as }));
  });
}

type Examples = Record<string, ExampleReference>;

test('the service answers as its reference shows: the token call', async () => {
  const { answers } = mainReference.endpoints.find(({ path }) => path === '/api/v1/token/getToken')!;
  const call = async (payload: object) => {
    const answer = await app.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload });
    return { status: answer.statusCode, json: answer.json() };
  };
  const [answered, refused] = answers.map(({ examples }) => examples) as [Examples, Examples];
  const issued = await call({ ClientId: demo.clientId, CheckValue: demo.checkValue });
  assert.deepEqual(Object.keys(issued.json.retval), Object.keys((answered.issued!.value as { retval: object }).retval));
  assert.deepEqual(await call(answered.wrong!.sent as object), { status: 200, json: answered.wrong!.value });
  assert.deepEqual(await call(refused.fields!.sent as object), { status: 400, json: refused.fields!.value });
});

testSamples(
  'the sample gets a token and calls with it',
  async () => {
    const path = '/api/v2/default/getProductsData/searchList';
    return mainReference.samples!(`${await addressOf(app)}${path}`, exampleOf(mainReference, path));
  },
  { LADING_CLIENT_ID: demo.clientId, LADING_CHECK_VALUE: demo.checkValue },
  /"done":true,"msg":"success","retval":\{"rows":\[\{"products_id":/,
);
