import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logisticsReference } from '../../reference/logistics/endpoints.ts';
import { mainReference } from '../../reference/main/endpoints.ts';
import { warehouseReference } from '../../reference/warehouse/endpoints.ts';
import { WarehouseClient, type Warning } from '../../sdk/client.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { alpha, startTestApp, type TestAnswer } from '../support/app.ts';
import { addressOf } from '../support/clients.ts';
import { payloadDiffers } from '../support/errors.ts';
import { form, formPath, item, orderPath, shippingOrder } from '../support/logistics.ts';
import { inboundBody, orderBody, receive } from '../support/warehouse.ts';

const app = await startTestApp();

const live = {
  accountNo: 'LIVE',
  secret: 'live-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-LIVE',
  clientId: 'live-erp',
  checkValue: 'live-check-value-of-thirty-two-characters-or-more',
  apiKey: 'live-api-key-of-thirty-two-characters-or-more',
};
const place = { warehouse_no: 1, store_no: 10, receiving: 'on_create' as const };
await app.provision({
  accounts: [
    {
      account_no: live.accountNo,
      environment: 'production',
      secret: live.secret,
      tenants: [{ warehouse_tpw_id: live.warehouseTpwId, ...place }],
    },
  ],
  clients: [
    {
      client_id: live.clientId,
      check_value: live.checkValue,
      account_no: live.accountNo,
      permissions: [...permissions],
    },
  ],
  logistics_keys: [{ name: 'wms', key: live.apiKey, account_no: live.accountNo, ...place }],
});
for (const caller of [alpha, live]) await receive(app, { TEA: [['2099-01-01', 90]] }, caller);

const ignored = 'is not a field of this request and is ignored';
function warning(path: string, similar?: string): Warning {
  const message = similar === undefined ? ignored : `${ignored}; did you mean ${similar}?`;
  return { code: 'unknown_field', path, message };
}

type Caller = typeof live;
type Case = [name: string, send: (caller: Caller) => Promise<TestAnswer>, expected: Warning[]];

const toWarehouse = (path: string, body: (caller: Caller) => object) => (caller: Caller) =>
  app.callWarehouse(path, body(caller), caller);
const toMain = (path: string, body: (caller: Caller) => object) => (caller: Caller) =>
  app.callMain(path, body(caller), { as: caller });
const toLogistics =
  (path: string, body: object) =>
  ({ apiKey }: Caller) =>
    app.callLogistics(path, body, { apiKey });

const cases: Case[] = [
  [
    'a product',
    toWarehouse('/product/sync', () => ({
      sku_id: 'NEW',
      sku_name: 'New',
      storage_type: 1,
      skuImages: [],
      account_no: 'X',
    })),
    [warning('skuImages', 'sku_images'), warning('account_no')],
  ],
  [
    'nested fields of an inbound document',
    toWarehouse('/inbound/create', (caller) => {
      const { details, ...others } = inboundBody('IN', { TEA: [['2099-01-01', 1]] }, caller);
      return { ...others, details: [{ ...details[0], batch: 'A', expires: [{ qty: 1, expire_dat: '2099-01-01' }] }] };
    }),
    [warning('details[0].expires[0].expire_dat', 'expire_date'), warning('details[0].batch')],
  ],
  [
    'an order',
    toWarehouse('/outbound/create', (caller) => ({
      ...orderBody('OUT', [['TEA', 1]], caller),
      consignee_nmae: 'Lin',
      details: [{ sku_id: 'TEA', qty: 1, skuid: 'TEA' }],
    })),
    [warning('details[0].skuid'), warning('consignee_nmae', 'consignee_name')],
  ],
  [
    'numbers',
    toWarehouse('/outbound/cancel', () => ({ outbound_short_ids: ['NO'], reason: 'x' })),
    [warning('reason')],
  ],
  [
    'a stock query',
    toWarehouse('/stock/query', () => ({ sku_ids: ['TEA'], warehouseTpwId: 'X' })),
    [warning('warehouseTpwId', 'warehouse_tpw_id')],
  ],
  [
    'an order of the main API',
    toMain('/orders/create', (caller) => ({ ...orderBody('MAIN', [['TEA', 1]], caller), consignee_zipcode: '100' })),
    [warning('consignee_zipcode')],
  ],
  [
    'reports',
    toMain('/fulfilment/advance', () => ({ orders: [{ outbound_short_id: 'NO', status: 'packed', Carier: 'x' }] })),
    [warning('orders[0].Carier', 'carrier')],
  ],
  [
    'a shipping order, but not its free data',
    toLogistics(
      orderPath,
      shippingOrder('SHIP', [item('TEA', 1, { prize: 1 })], { store_pickup_label_data: { any: { key: 1 } } }),
    ),
    [warning('products[0].prize', 'price')],
  ],
  ['a form', toLogistics(formPath, { ...form('FORM', [item('TEA', 1)]), callbackurl: 'x' }), [warning('callbackurl')]],
  [
    'a token request',
    async ({ clientId, checkValue }) => {
      const payload = { ClientId: clientId, CheckValue: checkValue, grant_type: 'x' };
      const answer = await app.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload });
      return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
    },
    [warning('grant_type')],
  ],
];

for (const [name, send, expected] of cases) {
  test(`a UAT account is warned about unknown fields, a production account is not: ${name}`, async () => {
    const uat = await send(alpha);
    assert.equal(uat.status, 200, uat.text);
    assert.deepEqual((uat.json.data ?? uat.json.retval).warnings, expected);
    const production = await send(live);
    assert.equal(production.status, 200, production.text);
    assert.equal('warnings' in (production.json.data ?? production.json.retval), false);
  });
}

test('a body without unknown fields has no warnings, and a rejection has none', async () => {
  const synced = await app.callWarehouse('/product/sync', { sku_id: 'PLAIN', sku_name: 'Plain', storage_type: 1 });
  assert.deepEqual(Object.keys(synced.json.data), ['success', 'products_id']);
  const refused = await app.callWarehouse('/product/sync', { sku_id: 'PLAIN', colour: 'red' });
  assert.deepEqual([refused.status, Object.keys(refused.json.data)], [400, ['errors']]);
});

test('a search has no warnings: it rejects unknown filters', async () => {
  const found = await app.callMain('/getProductsData/searchList', { 'products.sku_id': 'TEA' });
  assert.deepEqual(Object.keys(found.json.retval), ['rows', 'next_cursor']);
});

test('at most 100 unknown fields are listed, and a long name is cut', async () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`unknown field ${index}`, 1]));
  const body = { ['x'.repeat(1000)]: 1, sku_id: 'MANY', sku_name: 'Many', storage_type: 1, ...many };
  const { json } = await app.callWarehouse('/product/sync', body);
  const { warnings } = json.data;
  assert.deepEqual([warnings.length, warnings[0].path], [100, `${'x'.repeat(60)}…`]);
});

test('a repeat with a different body is a warning in every environment, beside those about its fields', async () => {
  for (const caller of [alpha, live]) {
    const body = orderBody('TWICE', [['TEA', 1]], caller);
    assert.equal((await app.callWarehouse('/outbound/create', body, caller)).status, 200);
    const other = { ...body, consignee_name: 'Other', colour: 'red' };
    const { data } = (await app.callWarehouse('/outbound/create', other, caller)).json;
    const unknown = caller === alpha ? [warning('colour')] : [];
    assert.equal(data.payload_differs, true);
    assert.deepEqual(data.warnings, [...payloadDiffers.warnings, ...unknown]);
    const { retval } = (await app.callMain('/orders/create', { ...body, consignee_zip: '1' }, { as: caller })).json;
    assert.deepEqual(retval.warnings, payloadDiffers.warnings);
  }
});

test('the client reports warnings to the function that it was given', async () => {
  const reported: [string, Warning[]][] = [];
  const warehouse = new WarehouseClient({
    url: await addressOf(app),
    accountNo: alpha.accountNo,
    secret: alpha.secret,
    onWarnings: (warnings, path) => void reported.push([path, warnings]),
  });
  const product = { sku_id: 'CLIENT', sku_name: 'Client', storage_type: 1 } as const;
  await warehouse.productSync(product);
  const wide: typeof product & { colour: string } = { ...product, colour: 'red' };
  const { warnings } = await warehouse.productSync(wide);
  assert.deepEqual(warnings, [warning('colour')]);
  assert.deepEqual(reported, [['/warehouse/v1/product/sync', warnings]]);
});

test('the reference shows warnings in every success of an operation that ignores unknown fields', () => {
  const endpoints = [warehouseReference, mainReference, logisticsReference].flatMap((contract) => contract.endpoints);
  const silent = endpoints
    .filter(({ body, path }) => body && !/searchList$|callbacks\/redeliver$|diagnose$/.test(path))
    .filter(({ answers }) => !JSON.stringify(answers[0]!.schema).includes('"warnings":'))
    .map(({ path }) => path);
  assert.deepEqual(silent, []);
});
