import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StockDetail } from '../../../contract/warehouse/stock-query.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  assertBalancesAreSums,
  assertRefusedUnchanged,
  type Caller,
  cancelInbounds,
  cancelOrders,
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
  wrongIdentifiers,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/stock/query';

const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
const fresh = { accountNo: 'FRESH', secret: 'fresh-secret', warehouseTpwId: 'TPW-0' };
const fresher = { accountNo: 'FRESHER', secret: 'fresher-secret', warehouseTpwId: 'TPW-2' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  accounts: [
    { account_no: alpha.accountNo, tenants: [{ warehouse_tpw_id: secondTenant.warehouseTpwId, warehouse_no: 2, store_no: 10 }] },
    ...[fresh, fresher].map(({ accountNo, secret, warehouseTpwId }, index) => ({
      account_no: accountNo,
      environment: 'uat' as const,
      secret,
      tenants: [{ warehouse_tpw_id: warehouseTpwId, warehouse_no: 1, store_no: 10, sellable_days_before_expiry: index * 2 }],
    })),
  ],
});
await receive(app, { TEA: [['2030-01-01', 100]] });

const notFound = (skuId: string) => ({ sku_id: skuId, status: 'not_found', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 });

test('a product is answered by its lots: on hand, locked, available', async () => {
  await receive(app, {
    LOTS: [
      ['2031-12-31', 4],
      ['2030-12-31', 10],
    ],
  });
  await order(app, 'OUT-LOTS', [['LOTS', 11]]);
  const data = dataOf(await app.callWarehouse(path, { sku_ids: ['LOTS'] }));

  assert.deepEqual(Object.keys(data), ['stock_details']);
  assert.deepEqual(data.stock_details, [
    {
      sku_id: 'LOTS',
      status: 'ok',
      stock_type: 'good',
      batch_id: '',
      expire_date: '2030-12-31',
      qty: 10,
      qty_lock: 10,
      qty_available: 0,
    },
    {
      sku_id: 'LOTS',
      status: 'ok',
      stock_type: 'good',
      batch_id: '',
      expire_date: '2031-12-31',
      qty: 4,
      qty_lock: 1,
      qty_available: 3,
    },
  ]);
});

test('a registered product without stock is ok with zeros, and has no expire_date', async () => {
  await syncProducts(app, ['NEW']);
  assert.deepEqual(await stockOf(app, 'NEW'), [
    { sku_id: 'NEW', status: 'ok', stock_type: 'good', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 },
  ]);
});

test('an unknown sku is not_found with zeros, without stock_type and expire_date, and no error', async () => {
  const { status, json } = await app.callWarehouse(path, { sku_ids: ['NOBODY'] });
  assert.deepEqual([status, json.code, json.success], [200, 'LST-TPW-2000', true]);
  assert.deepEqual(json.data.stock_details, [notFound('NOBODY')]);
});

test('rows come in the order of the question, known and unknown mixed, a repeated sku_id once', async () => {
  await syncProducts(app, ['ASKED-EMPTY']);
  const rows = await stockOf(app, ['NOBODY', 'TEA', 'ASKED-EMPTY', 'TEA', 'NOBODY', 'NOBODY-2', 'ASKED-EMPTY']);
  assert.deepEqual(rows, [notFound('NOBODY'), goodRow('TEA', '2030-01-01', 100), emptyRow('ASKED-EMPTY'), notFound('NOBODY-2')]);
});

test('one row per stock_type, batch and expiry: good before bad, then by expiry; bad stock is not available', async () => {
  await syncProducts(app, ['MIXED']);
  await putLot(app, { skuId: 'MIXED', stockType: 'bad', expireDate: '2029-01-01', qty: 3 });
  await putLot(app, { skuId: 'MIXED', batchId: 'B-2', expireDate: '2031-01-01', qty: 5 });
  await putLot(app, { skuId: 'MIXED', stockType: 'bad', expireDate: '2028-01-01', qty: 4 });
  await putLot(app, { skuId: 'MIXED', batchId: 'B-1', expireDate: '2030-01-01', qty: 6 });

  const bad = { sku_id: 'MIXED', status: 'ok', stock_type: 'bad', batch_id: '', qty_lock: 0, qty_available: 0 };
  assert.deepEqual(await stockOf(app, 'MIXED'), [
    { ...goodRow('MIXED', '2030-01-01', 6), batch_id: 'B-1' },
    { ...goodRow('MIXED', '2031-01-01', 5), batch_id: 'B-2' },
    { ...bad, expire_date: '2028-01-01', qty: 4 },
    { ...bad, expire_date: '2029-01-01', qty: 3 },
  ]);
});

test('batches of one expiry are rows of their own', async () => {
  await syncProducts(app, ['BATCHES']);
  for (const batchId of ['', 'B-1', 'b-1']) await putLot(app, { skuId: 'BATCHES', batchId, expireDate: '2030-01-01', qty: 1 });
  const rows = await stockOf(app, 'BATCHES');
  assert.deepEqual(rows.map(({ batch_id, qty }) => [batch_id, qty]).sort(), [
    ['', 1],
    ['B-1', 1],
    ['b-1', 1],
  ]);
});

test('a product with defective stock only has no good row', async () => {
  await syncProducts(app, ['ONLY-BAD']);
  await putLot(app, { skuId: 'ONLY-BAD', stockType: 'bad', expireDate: '2030-01-01', qty: 2 });
  assert.deepEqual(await stockOf(app, 'ONLY-BAD'), [{ ...goodRow('ONLY-BAD', '2030-01-01', 2), stock_type: 'bad', qty_available: 0 }]);
});

test('stock that does not expire has no expire_date, and comes last', async () => {
  await syncProducts(app, ['FOREVER']);
  await putLot(app, { skuId: 'FOREVER', expireDate: null, qty: 2 });
  await putLot(app, { skuId: 'FOREVER', expireDate: '2030-01-01', qty: 1 });
  const forever = goodRow('FOREVER', null, 2);
  assert.deepEqual(await stockOf(app, 'FOREVER'), [goodRow('FOREVER', '2030-01-01', 1), forever]);
});

test("a row is summed over the account's warehouses", async () => {
  await receive(app, { SUM: [['2030-01-01', 5]] });
  await createInbound(
    app,
    'IN-SUM',
    {
      SUM: [
        ['2030-01-01', 7],
        ['2031-01-01', 1],
      ],
    },
    secondTenant,
  );
  await order(app, 'OUT-SUM-1', [['SUM', 2]]);
  await order(app, 'OUT-SUM-2', [['SUM', 3]], secondTenant);

  assert.deepEqual(await stockOf(app, 'SUM'), [goodRow('SUM', '2030-01-01', 12, 5), goodRow('SUM', '2031-01-01', 1)]);
});

/** What outbound/create says can be sold of a sku: it refuses more than there can ever be, and names what there is. */
async function availableByOrder(skuId: string, tenant: Caller): Promise<number> {
  const { status, json } = await app.callWarehouse('/outbound/create', orderBody('OUT-PROBE', [[skuId, 1_000_000_000]], tenant), tenant);
  assert.equal(status, 400);
  return Number(/available=(\d+) </.exec(json.message)![1]);
}

async function stockFor(tenant: Caller, skuIds: string | string[]): Promise<StockDetail[]> {
  const body = { sku_ids: [skuIds].flat(), warehouse_tpw_id: tenant.warehouseTpwId };
  return dataOf<{ stock_details: StockDetail[] }>(await app.callWarehouse(path, body, tenant)).stock_details;
}

const shelves = { accountNo: 'SHELVES', secret: 'shelves-secret' };
const [anyDay, today, soon, elsewhere] = ['ANY-DAY', 'TODAY', 'SOON', 'ELSEWHERE'].map((warehouseTpwId) => ({
  ...shelves,
  warehouseTpwId,
}));
const sellers = [anyDay!, today!, soon!, elsewhere!];

test('with warehouse_tpw_id, the rows are what that tenant can sell, and what is available is what outbound/create accepts', async () => {
  const place = { warehouse_no: 1, store_no: 10 };
  await app.provision({
    accounts: [
      {
        ...{ account_no: shelves.accountNo, environment: 'uat', secret: shelves.secret },
        tenants: [
          { warehouse_tpw_id: 'ANY-DAY', ...place, sellable_days_before_expiry: null },
          { warehouse_tpw_id: 'TODAY', ...place, sellable_days_before_expiry: 0 },
          { warehouse_tpw_id: 'SOON', ...place, sellable_days_before_expiry: 2 },
          { warehouse_tpw_id: 'ELSEWHERE', ...place, warehouse_no: 2, sellable_days_before_expiry: 0 },
        ],
      },
    ],
  });
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
  const row = (expireDate: string | null, qty: number, qtyLock = 0) => ({ ...goodRow('SHELF', expireDate, qty, qtyLock), warehouse_no: 1 });
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

test('with warehouse_tpw_id, every row has the warehouse_no, also of products without stock and of unknown ones', async () => {
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

test('a tenant that was made just now is known to stock/query at once', async () => {
  const made = { ...alpha, warehouseTpwId: 'TPW-JUST-NOW' };
  await app.provision({
    accounts: [{ account_no: 'ALPHA', tenants: [{ warehouse_tpw_id: made.warehouseTpwId, warehouse_no: 1, store_no: 10 }] }],
  });
  await receive(app, { 'JUST-NOW': [['2030-01-01', 5]] });
  assert.deepEqual(await stockFor(made, 'JUST-NOW'), [{ ...goodRow('JUST-NOW', '2030-01-01', 5), warehouse_no: 1 }]);
});

test("a warehouse_tpw_id that is not the account's own, or is disabled, is an unknown tenant", async () => {
  await app.provision({
    accounts: [{ account_no: 'ALPHA', tenants: [{ warehouse_tpw_id: 'TPW-OFF', warehouse_no: 1, store_no: 10, enabled: false }] }],
  });
  for (const warehouse_tpw_id of ['NOWHERE', 'tpw-a', beta.warehouseTpwId, 'TPW-OFF']) {
    const refusal = { message: 'unknown tenant', paths: ['warehouse_tpw_id'] };
    await assertRefusedUnchanged(app, path, { sku_ids: ['TEA', 'NOBODY'], warehouse_tpw_id }, refusal);
  }
});

test('lots with nothing on hand are left out', async () => {
  await receive(app, { EMPTIED: [['2030-01-01', 5]] });
  const number = await receive(app, { EMPTIED: [['2029-01-01', 5]] });
  await cancelInbounds(app, [number]);
  assert.deepEqual(await stockOf(app, 'EMPTIED'), [goodRow('EMPTIED', '2030-01-01', 5)]);
});

test('a product of which everything has gone is again the row of zeros', async () => {
  const number = await receive(app, { GONE: [['2030-01-01', 5]] });
  await cancelInbounds(app, [number]);
  assert.deepEqual(await stockOf(app, 'GONE'), [emptyRow('GONE')]);
});

test('what is locked comes back when its order is cancelled', async () => {
  await receive(app, { FREED: [['2030-01-01', 5]] });
  await order(app, 'OUT-FREED', [['FREED', 5]]);
  assert.deepEqual(await stockOf(app, 'FREED'), [goodRow('FREED', '2030-01-01', 5, 5)]);
  await cancelOrders(app, ['OUT-FREED']);
  assert.deepEqual(await stockOf(app, 'FREED'), [goodRow('FREED', '2030-01-01', 5)]);
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
  const skus = ['tea', 'TEA\u0301', 'caf\u00e9', 'cafe\u0301', "'; drop table lot; --", '號'.repeat(125), '📦'.repeat(125)];
  await syncProducts(app, ['cafe\u0301', '📦'.repeat(125)]);
  assert.deepEqual(
    await stockOf(app, skus),
    skus.map((sku) => (sku === 'cafe\u0301' || sku.startsWith('📦') ? emptyRow(sku) : notFound(sku))),
  );
});

test('without a limit of the tenant even what has expired is available', async () => {
  await receive(app, { EXPIRED: [['2001-01-01', 5]] });
  assert.deepEqual(await stockOf(app, 'EXPIRED'), [goodRow('EXPIRED', '2001-01-01', 5)]);
});

for (const [caller, lastDay] of [
  [fresh, '2030-05-10'],
  [fresher, '2030-05-12'],
] as const) {
  const sku = `DAY-${caller.accountNo}`;
  test(`qty_available follows sellable_days_before_expiry to the second in Taipei: ${caller.accountNo}`, async () => {
    await receive(
      app,
      {
        [sku]: [
          [lastDay, 5],
          ['2031-01-01', 2],
        ],
      },
      caller,
    );
    await order(app, `OUT-${sku}`, [[sku, 1]], caller);
    try {
      app.clock.set(new Date('2030-05-10T15:59:59.999Z'));
      assert.deepEqual(await stockOf(app, sku, caller), [goodRow(sku, lastDay, 5, 1), goodRow(sku, '2031-01-01', 2)]);
      app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
      assert.deepEqual(await stockOf(app, sku, caller), [
        { ...goodRow(sku, lastDay, 5, 1), qty_available: 0 },
        goodRow(sku, '2031-01-01', 2),
      ]);
    } finally {
      app.clock.set(null);
    }
  });
}

test('a question changes nothing', async () => {
  const before = await dump(app);
  await stockOf(app, ['TEA', 'NOBODY', 'NEW']);
  assert.deepEqual(await dump(app), before);
});

test('what is locked is never above what is on hand, while orders come and go', async () => {
  await receive(app, { BUSY: [['2030-01-01', 20]] });
  const numbers = Array.from({ length: 20 }, (_, index) => `OUT-BUSY-${index}`);
  const seen = await Promise.all(
    numbers.flatMap((number) => [
      order(app, number, [['BUSY', 1]])
        .then(() => cancelOrders(app, [number]))
        .then(() => []),
      stockOf(app, 'BUSY'),
    ]),
  );

  for (const { qty, qty_lock, qty_available } of seen.flat() as Awaited<ReturnType<typeof stockOf>>) {
    assert.equal(qty, 20);
    assert.ok(qty_lock >= 0 && qty_lock <= 20 && qty_available === 20 - qty_lock, `${qty_lock} locked, ${qty_available} available`);
  }
  assert.deepEqual(await stockOf(app, 'BUSY'), [goodRow('BUSY', '2030-01-01', 20)]);
});

const wrong: [string, object, string[]][] = [
  ['sku_ids missing', {}, ['sku_ids']],
  ['sku_ids null', { sku_ids: null }, ['sku_ids']],
  ['sku_ids no array', { sku_ids: 'TEA' }, ['sku_ids']],
  ['sku_ids empty', { sku_ids: [] }, ['sku_ids']],
  ['more than 5000 sku_ids', { sku_ids: Array(5001).fill('TEA') }, ['sku_ids']],
  ...wrongIdentifiers
    // JSON has no missing element: it is null.
    .filter(([name]) => name !== 'missing')
    .map(([name, value]): [string, object, string[]] => [`a sku_id ${name}`, { sku_ids: ['TEA', value] }, ['sku_ids[1]']]),
  ...wrongIdentifiers
    .filter(([name]) => !['missing', 'null', 'empty'].includes(name))
    .map(([name, value]): [string, object, string[]] => [
      `a warehouse_tpw_id ${name}`,
      { sku_ids: ['TEA'], warehouse_tpw_id: value },
      ['warehouse_tpw_id'],
    ]),
  ['several wrong sku_ids', { sku_ids: [' ', 'TEA', 7] }, ['sku_ids[0]', 'sku_ids[2]']],
];
for (const [name, body, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged(app, path, body, { paths });
  });
}

test('1000 sku_ids, as recommended, and 5000, the most, are answered in one call, in their order', async () => {
  const skus = Array.from({ length: 5000 }, (_, index) => `MANY-${(index * 7919) % 5000}`);
  await app.store.database.transaction(
    (tx) => tx`
      insert into product (account_id, sku_id, name, storage_type)
      select account_id, sku_id, sku_id, 'ambient' from account, unnest(${skus.slice(0, 4000)}::text[]) as sku_id
      where account_no = 'ALPHA'`,
  );
  await putLot(app, { skuId: skus[0]!, expireDate: '2030-01-01', qty: 1 });
  const expected = skus.map((sku, index) => (index === 0 ? goodRow(sku, '2030-01-01', 1) : index < 4000 ? emptyRow(sku) : notFound(sku)));

  assert.deepEqual(await stockOf(app, skus.slice(0, 1000)), expected.slice(0, 1000));
  assert.deepEqual(await stockOf(app, skus), expected);
});

test('quantities beyond 32 bits are exact', async () => {
  await syncProducts(app, ['HUGE']);
  await putLot(app, { skuId: 'HUGE', expireDate: '2030-01-01', qty: 1_000_000_000_000 });
  await putLot(app, { skuId: 'HUGE', expireDate: '2030-01-01', qty: 1_000_000_000_000, warehouseNo: 2 });
  assert.deepEqual(await stockOf(app, 'HUGE'), [goodRow('HUGE', '2030-01-01', 2_000_000_000_000)]);
});

test('balances are the sums of the movements, after all of this', async () => {
  await assertBalancesAreSums(app);
});
