import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StockDetail } from '../../../contract/warehouse/stock-query.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { pathsOf } from '../../support/errors.ts';
import {
  assertBalancesAreSums,
  type Caller,
  createInbound,
  dataOf,
  dump,
  emptyRow,
  goodRow,
  order,
  orderBody,
  putLot,
  receive,
  stockOf,
  syncProducts,
  type Units,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/stock/query';

const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [{ warehouse_tpw_id: secondTenant.warehouseTpwId, warehouse_no: 2, store_no: 10 }],
    },
  ],
});
await receive(app, { TEA: [['2030-01-01', 100]] });

const notFound = (skuId: string) => ({
  sku_id: skuId,
  status: 'not_found',
  batch_id: '',
  qty: 0,
  qty_lock: 0,
  qty_available: 0,
});

test('rows come in the order of the request: products without stock with zeros, unknown ones as not_found, each sku_id once', async () => {
  await syncProducts(app, ['ASKED-EMPTY']);
  const rows = await stockOf(app, ['NOBODY', 'TEA', 'ASKED-EMPTY', 'TEA', 'NOBODY', 'NOBODY-2', 'ASKED-EMPTY']);
  assert.deepEqual(rows, [
    notFound('NOBODY'),
    goodRow('TEA', '2030-01-01', 100),
    emptyRow('ASKED-EMPTY'),
    notFound('NOBODY-2'),
  ]);
});

test('one row per stock_type, batch and expiry: good before bad, then by expiry, no expiry last; bad stock is not available', async () => {
  await syncProducts(app, ['MIXED', 'ONLY-BAD']);
  await putLot(app, { skuId: 'MIXED', expireDate: null, qty: 2 });
  await putLot(app, { skuId: 'MIXED', stockType: 'bad', expireDate: '2029-01-01', qty: 3 });
  await putLot(app, { skuId: 'MIXED', batchId: 'B-2', expireDate: '2031-01-01', qty: 5 });
  await putLot(app, { skuId: 'MIXED', stockType: 'bad', expireDate: '2028-01-01', qty: 4 });
  for (const batchId of ['', 'B-1', 'b-1'])
    await putLot(app, { skuId: 'MIXED', batchId, expireDate: '2030-01-01', qty: 6 });
  await putLot(app, { skuId: 'ONLY-BAD', stockType: 'bad', expireDate: '2030-01-01', qty: 2 });

  const bad = (sku: string, expireDate: string, qty: number) => ({
    ...goodRow(sku, expireDate, qty),
    stock_type: 'bad',
    qty_available: 0,
  });
  const rows = await stockOf(app, ['MIXED', 'ONLY-BAD']);
  const sameDay = rows.slice(0, 3).toSorted((a, b) => (a.batch_id < b.batch_id ? -1 : 1));
  assert.deepEqual(
    [...sameDay, ...rows.slice(3)],
    [
      ...['', 'B-1', 'b-1'].map((batch_id) => ({ ...goodRow('MIXED', '2030-01-01', 6), batch_id })),
      { ...goodRow('MIXED', '2031-01-01', 5), batch_id: 'B-2' },
      goodRow('MIXED', null, 2),
      bad('MIXED', '2028-01-01', 4),
      bad('MIXED', '2029-01-01', 3),
      bad('ONLY-BAD', '2030-01-01', 2),
    ],
  );
});

test("a row is summed over the account's warehouses, exactly beyond 32 bits too", async () => {
  await syncProducts(app, ['SUM']);
  const trillion = 1_000_000_000_000;
  for (const warehouseNo of [1, 2])
    await putLot(app, { skuId: 'SUM', expireDate: '2030-01-01', qty: trillion, warehouseNo });
  await createInbound(app, 'IN-SUM', { SUM: [['2031-01-01', 1]] }, secondTenant);
  await order(app, 'OUT-SUM-1', [['SUM', 2]]);
  await order(app, 'OUT-SUM-2', [['SUM', 3]], secondTenant);

  assert.deepEqual(await stockOf(app, 'SUM'), [
    goodRow('SUM', '2030-01-01', 2 * trillion, 5),
    goodRow('SUM', '2031-01-01', 1),
  ]);
});

/** The units that outbound/create would sell: it refuses an order of too many, and names the available units. */
async function availableByOrder(skuId: string, tenant: Caller): Promise<number> {
  const { status, json } = await app.callWarehouse(
    '/outbound/create',
    orderBody('OUT-PROBE', [[skuId, 1_000_000_000]], tenant),
    tenant,
  );
  assert.equal(status, 400);
  return Number(/available=(\d+) </.exec(json.message)![1]);
}

async function stockFor(tenant: Caller, skuIds: string | string[]): Promise<StockDetail[]> {
  const body = { sku_ids: [skuIds].flat(), warehouse_tpw_id: tenant.warehouseTpwId };
  return dataOf<{ stock_details: StockDetail[] }>(await app.callWarehouse(path, body, tenant)).stock_details;
}

const shelves = { accountNo: 'SHELVES', secret: 'shelves-secret-of-thirty-two-characters-or-more' };
const [anyDay, today, soon, elsewhere] = ['ANY-DAY', 'TODAY', 'SOON', 'ELSEWHERE'].map((warehouseTpwId) => ({
  ...shelves,
  warehouseTpwId,
}));
const sellers = [anyDay!, today!, soon!, elsewhere!];

const place = { warehouse_no: 1, store_no: 10 };
await app.provision({
  accounts: [
    {
      account_no: shelves.accountNo,
      environment: 'uat',
      secret: shelves.secret,
      tenants: [
        { warehouse_tpw_id: 'ANY-DAY', ...place, sellable_days_before_expiry: null },
        { warehouse_tpw_id: 'TODAY', ...place, sellable_days_before_expiry: 0 },
        { warehouse_tpw_id: 'SOON', ...place, sellable_days_before_expiry: 2 },
        { warehouse_tpw_id: 'ELSEWHERE', ...place, warehouse_no: 2, sellable_days_before_expiry: 0 },
      ],
    },
  ],
});

test('with warehouse_tpw_id, the rows are what that tenant can sell, and what is available is what outbound/create accepts', async () => {
  const units: Units = [
    ['2030-05-09', 1],
    ['2030-05-10', 2],
    ['2030-05-12', 4],
    [null, 8],
  ];
  await receive(app, { SHELF: units }, anyDay);
  await putLot(app, { skuId: 'SHELF', qty: 16, expireDate: '2031-01-01', stockType: 'bad' }, anyDay);
  await putLot(app, { skuId: 'SHELF', qty: 32, expireDate: '2030-05-10', warehouseNo: 2 }, anyDay);
  await order(app, 'OUT-SHELF', [['SHELF', 9]], soon);
  const row = (expireDate: string | null, qty: number, qtyLock = 0) => ({
    ...goodRow('SHELF', expireDate, qty, qtyLock),
    warehouse_no: 1,
  });
  const zeros = { ...emptyRow('SHELF'), warehouse_no: 2 };
  try {
    for (const [now, expected] of [
      [
        '2030-05-10T15:59:59.999Z',
        [
          [row('2030-05-09', 1, 1), row('2030-05-10', 2, 2), row('2030-05-12', 4, 4), row(null, 8, 2)],
          [row('2030-05-10', 2, 2), row('2030-05-12', 4, 4), row(null, 8, 2)],
          [row('2030-05-12', 4, 4), row(null, 8, 2)],
          [{ ...row('2030-05-10', 32), warehouse_no: 2 }],
        ],
      ],
      [
        '2030-05-10T16:00:00.000Z',
        [
          [row('2030-05-09', 1, 1), row('2030-05-10', 2, 2), row('2030-05-12', 4, 4), row(null, 8, 2)],
          [row('2030-05-12', 4, 4), row(null, 8, 2)],
          [row(null, 8, 2)],
          [zeros],
        ],
      ],
    ] as const) {
      app.clock.set(new Date(now));
      for (const [index, tenant] of sellers.entries()) {
        const rows = await stockFor(tenant, 'SHELF');
        assert.deepEqual(rows, expected[index], `${tenant.warehouseTpwId} at ${now}`);
        const available = rows.reduce((sum, { qty_available }) => sum + qty_available, 0);
        assert.equal(available, await availableByOrder('SHELF', tenant), `${tenant.warehouseTpwId} at ${now}`);
      }
    }
  } finally {
    app.clock.set(null);
  }
});

test('with warehouse_tpw_id, every row has its warehouse_no, also rows of unknown products and of those without stock', async () => {
  await receive(app, { THERE: [['2030-01-01', 5]] });
  await syncProducts(app, ['THERE-EMPTY']);
  const skus = ['NOBODY', 'THERE', 'THERE-EMPTY', 'THERE'];
  const rows = [notFound('NOBODY'), goodRow('THERE', '2030-01-01', 5), emptyRow('THERE-EMPTY')];
  assert.deepEqual(
    await stockFor(alpha, skus),
    rows.map((row) => ({ ...row, warehouse_no: 1 })),
  );
  const nothingThere = [notFound('NOBODY'), emptyRow('THERE'), emptyRow('THERE-EMPTY')];
  assert.deepEqual(
    await stockFor(secondTenant, skus),
    nothingThere.map((row) => ({ ...row, warehouse_no: 2 })),
  );
  assert.equal(await availableByOrder('THERE', secondTenant), 0);
  for (const warehouse_tpw_id of [undefined, null, '']) {
    const data = dataOf(await app.callWarehouse(path, { sku_ids: skus, warehouse_tpw_id }));
    assert.deepEqual(data.stock_details, rows);
  }
});

test("another account's stock and products are not seen, whatever the body claims", async () => {
  await receive(app, { SHARED: [['2030-01-01', 5]], 'BETA-ONLY': [['2030-01-01', 5]] }, beta);
  await syncProducts(app, ['SHARED']);
  for (const claim of [{}, { account_no: beta.accountNo }]) {
    const data = dataOf(await app.callWarehouse(path, { sku_ids: ['SHARED', 'BETA-ONLY'], ...claim }));
    assert.deepEqual(data.stock_details, [emptyRow('SHARED'), notFound('BETA-ONLY')]);
  }
  assert.deepEqual(await stockOf(app, 'SHARED', beta), [goodRow('SHARED', '2030-01-01', 5)]);
});

test('sku_ids are compared exactly, and echoed as they were sent', async () => {
  const known = ['cafe\u0301', '📦'.repeat(125)];
  await syncProducts(app, known);
  const unknown = ['tea', 'TEA\u0301', 'caf\u00e9', "'; drop table lot; --", '號'.repeat(125)];
  const before = await dump(app);
  assert.deepEqual(await stockOf(app, [...known, ...unknown]), [...known.map(emptyRow), ...unknown.map(notFound)]);
  assert.deepEqual(await dump(app), before, 'a query changes nothing');
});

test('5000 sku_ids are answered in one call, in their order', async () => {
  const skus = Array.from({ length: 5000 }, (_, index) => `MANY-${(index * 7919) % 5000}`);
  await app.store.database.transaction(
    (tx) => tx`
      insert into product (account_id, sku_id, name, storage_type)
      select account_id, sku_id, sku_id, 'ambient' from account, unnest(${skus.slice(0, 4000)}::text[]) as sku_id
      where account_no = 'ALPHA'`,
  );
  await putLot(app, { skuId: skus[0]!, expireDate: '2030-01-01', qty: 1 });
  const expected = skus.map((sku, index) =>
    index === 0 ? goodRow(sku, '2030-01-01', 1) : index < 4000 ? emptyRow(sku) : notFound(sku),
  );

  assert.deepEqual(await stockOf(app, skus), expected);
});

// Products.

const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };

async function productRows(skuId: string) {
  return await app.store.database.read(
    (sql) => sql`
      select account_no, sku_id, p.name, storage_type, length_cm, width_cm, height_cm, weight_kg
      from product p join account using (account_id) where sku_id = ${skuId} order by account_no`,
  );
}

test('a new product is answered with an integer products_id, and belongs to the account of the header', async () => {
  const measures = { length: 10, width: 5.5, height: 0.125, weight: 0 };
  const unknown = { account_no: 'BETA', colour: 'green' };
  const { products_id, warnings, ...data } = dataOf(
    await app.callWarehouse('/product/sync', { ...tea, ...measures, ...unknown }),
  );
  assert.deepEqual(pathsOf(warnings), Object.keys(unknown));

  assert.ok(Number.isInteger(products_id));
  assert.deepEqual(data, { success: true });
  assert.deepEqual(
    [...(await productRows('TEA-1'))],
    [
      {
        account_no: 'ALPHA',
        sku_id: 'TEA-1',
        name: '烏龍茶',
        storage_type: 'ambient',
        length_cm: '10.000',
        width_cm: '5.500',
        height_cm: '0.125',
        weight_kg: '0.000',
      },
    ],
  );
});

test('the same sku_id again updates it: left-out fields stay, null clears, the id is the same', async () => {
  const sku = { ...tea, sku_id: 'TEA-2' };
  const first = dataOf(await app.callWarehouse('/product/sync', { ...sku, length: 10, weight: 2 }));
  const update = { ...sku, sku_name: 'Green tea', storage_type: 4, length: null, width: 3 };
  assert.deepEqual(dataOf(await app.callWarehouse('/product/sync', update)), first);
  const [row] = await productRows('TEA-2');
  assert.deepEqual(
    [row!.name, row!.storage_type, row!.length_cm, row!.width_cm, row!.weight_kg],
    ['Green tea', 'chilled', null, '3.000', '2.000'],
  );
});

test('sku_images may be any five strings, none or null, and none is kept', async () => {
  const first = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'IMAGES' });
  const before = await productRows('IMAGES');
  const strings = ['https://images.example/a.png', 'ftp://images.example/a', '/b', '', '圖\n片'];
  for (const sku_images of [strings, [], null, undefined, ['x'.repeat(10_000)]]) {
    const { status, json } = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'IMAGES', sku_images });
    assert.deepEqual([status, json.data], [200, first.json.data]);
  }
  assert.deepEqual(await productRows('IMAGES'), before);
});

test('balances are the sums of the movements, after all of this', () => assertBalancesAreSums(app));
