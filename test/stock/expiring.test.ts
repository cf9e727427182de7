import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { stocksSearch } from '../../contract/main/stocks-search.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { type ExpiringQuestion, findExpiringLots } from '../../server/domain/stock/find-expiring-lots.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { searchAll } from '../support/main.ts';
import { assertRefusedUnchanged, order, orderBody, putLot, receive, stockOf } from '../support/warehouse.ts';

const app = await startTestApp();
const fresh = {
  ...{ accountNo: 'FRESH', secret: 'fresh-secret', warehouseTpwId: 'TPW-F1' },
  ...{ clientId: 'fresh', checkValue: 'fresh-check-value' },
};
const inTwo = { ...fresh, warehouseTpwId: 'TPW-F2' };
const tenant = (warehouse_tpw_id: string, warehouse_no: number, sellable_days_before_expiry: number | null) => ({
  ...{ warehouse_tpw_id, warehouse_no, store_no: 10, sellable_days_before_expiry },
});
await app.provision({
  warehouses: [{ warehouse_no: 2 }, { warehouse_no: 3 }],
  accounts: [
    {
      ...{ account_no: fresh.accountNo, environment: 'uat', secret: fresh.secret },
      tenants: [
        tenant(fresh.warehouseTpwId, 1, 0),
        // Two tenants in one warehouse: it sells what the one that is less strict would sell.
        tenant(inTwo.warehouseTpwId, 2, 5),
        tenant('TPW-F2-STRICT', 2, 30),
        tenant('TPW-F3', 3, null),
      ],
    },
  ],
  clients: [{ client_id: fresh.clientId, check_value: fresh.checkValue, account_no: fresh.accountNo, permissions: [...permissions] }],
});
afterEach(() => app.clock.set(null));

async function expiring(question: Partial<ExpiringQuestion> = {}) {
  const asked = { accountNo: null, warehouseNo: null, withinDays: 30, limit: 200, ...question };
  return await findExpiringLots(app.store.database, asked, app.clock.now());
}

/** What the list says of a sku, in its order. */
async function linesOf(question: Partial<ExpiringQuestion> = {}) {
  return (await expiring(question)).lots.map((lot) => [lot.sku_id, lot.expire_date, lot.days_left, lot.free, lot.locked, lot.is_sellable]);
}

// 2030-05-10 in Taipei, a millisecond before it ends; and when it has ended.
const lastInstant = new Date('2030-05-10T15:59:59.999Z');
const nextDay = new Date('2030-05-10T16:00:00.000Z');

test('expired and soon expiring lots, the earliest first, with the days that are left and what is free of them', async () => {
  await receive(app, {
    'A-SOON': [
      ['2030-06-09', 10],
      ['2030-06-10', 11],
    ],
    'A-OLD': [['2029-05-10', 3]],
    'A-TODAY': [['2030-05-10', 4]],
    'A-EMPTY': [['2030-05-12', 1]],
  });
  await putLot(app, { skuId: 'A-OLD', qty: 7, expireDate: '2030-05-09', stockType: 'bad', batchId: 'B' });
  await putLot(app, { skuId: 'A-OLD', qty: 7, expireDate: null });
  await order(app, 'A-1', [['A-SOON', 4]]);
  await app.store.database.transaction(async (tx) => {
    await tx`update lot set on_hand = 0 where sku_id = 'A-EMPTY'`;
    await tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      select account_id, lot_id, 'adjust', -1, 0, 'test', 'lost' from lot where sku_id = 'A-EMPTY'`;
  });
  app.clock.set(lastInstant);
  const listed = [
    ['A-OLD', '2029-05-10', -365, 3, 0, true],
    ['A-OLD', '2030-05-09', -1, 7, 0, false],
    ['A-TODAY', '2030-05-10', 0, 4, 0, true],
    ['A-SOON', '2030-06-09', 30, 6, 4, true],
  ];
  assert.deepEqual(await linesOf({ accountNo: 'ALPHA' }), listed);
  assert.deepEqual(await linesOf({ accountNo: 'ALPHA', withinDays: 0 }), listed.slice(0, 3));
  app.clock.set(nextDay);
  assert.deepEqual(
    (await linesOf({ accountNo: 'ALPHA' })).map(([sku, day, left]) => [sku, day, left]),
    [...listed.map(([sku, day, left]) => [sku, day, Number(left) - 1]), ['A-SOON', '2030-06-10', 30]],
  );
});

test('of all accounts together, of one warehouse, and not more than are asked for: then it is told that there are more', async () => {
  await receive(app, { 'F-ONE': [['2030-05-08', 1]] }, fresh);
  await receive(app, { 'F-TWO': [['2030-05-10', 1]] }, inTwo);
  app.clock.set(lastInstant);
  const whose = async (question: Partial<ExpiringQuestion>) => {
    const { lots, isMore } = await expiring({ withinDays: 0, ...question });
    return [lots.map((lot) => `${lot.account_no} ${lot.warehouse_no} ${lot.expire_date}`), isMore];
  };
  const all = ['ALPHA 1 2029-05-10', 'FRESH 1 2030-05-08', 'ALPHA 1 2030-05-09', 'ALPHA 1 2030-05-10', 'FRESH 2 2030-05-10'];
  assert.deepEqual(await whose({}), [all, false]);
  assert.deepEqual(await whose({ limit: 5 }), [all, false]);
  assert.deepEqual(await whose({ limit: 2 }), [all.slice(0, 2), true]);
  assert.deepEqual(await whose({ warehouseNo: 2 }), [all.slice(4), false]);
  assert.deepEqual(await whose({ accountNo: 'FRESH', limit: 1 }), [[all[1]], true]);
  assert.deepEqual(await whose({ accountNo: 'NOBODY' }), [[], false]);
});

for (const [caller, warehouseNo, lastDay] of [
  [fresh, 1, '2030-05-10'],
  [inTwo, 2, '2030-05-15'],
] as const) {
  test(`the list, stock/query, getStocksData and the order agree on the last day of sale in warehouse ${warehouseNo}, to the millisecond`, async () => {
    const sku = `LAST-${warehouseNo}`;
    await receive(app, { [sku]: [[lastDay, 9]] }, caller);
    await order(app, `OUT-${sku}`, [[sku, 2]], caller);
    const told = async () => {
      const [line] = (await linesOf({ accountNo: fresh.accountNo })).filter(([listed]) => listed === sku);
      const [asked] = await stockOf(app, sku, caller);
      const [found] = await searchAll(
        app,
        stocksSearch,
        { 'products_stock.expire_date': { lte: lastDay }, 'products_stock.sku_id': sku },
        fresh,
      );
      assert.deepEqual([asked!.qty, asked!.qty_lock, found!.qty, found!.qty_lock], [9, 2, 9, 2]);
      return { isSellable: line![5], stockQuery: asked!.qty_available, searched: found!.qty_available };
    };

    app.clock.set(lastInstant);
    assert.deepEqual(await told(), { isSellable: true, stockQuery: 7, searched: 7 });
    await order(app, `OUT-${sku}-2`, [[sku, 1]], caller);
    assert.equal((await app.callMain('/orders/create', orderBody(`OUT-${sku}-3`, [[sku, 1]], caller), { as: fresh })).status, 200);

    app.clock.set(nextDay);
    const refusal = { message: `sku ${sku} available=0 < requested=1` };
    await assertRefusedUnchanged(app, '/outbound/create', orderBody(`OUT-${sku}-4`, [[sku, 1]], caller), refusal, caller);
    const main = await app.callMain('/orders/create', orderBody(`OUT-${sku}-5`, [[sku, 1]], caller), { as: fresh });
    assert.deepEqual([main.status, main.json.msg], [400, refusal.message]);
    const [line] = (await linesOf({ accountNo: fresh.accountNo })).filter(([listed]) => listed === sku);
    assert.deepEqual(line!.slice(3), [5, 4, false]);
    assert.equal((await stockOf(app, sku, caller))[0]!.qty_available, 0);
  });
}

test('partners find expired and soon expiring lots with getStocksData, with nothing to sell where the rule says so', async () => {
  await receive(
    app,
    {
      'P-1': [
        ['2030-05-09', 1],
        ['2030-05-10', 2],
        ['2030-06-01', 3],
        ['2031-01-01', 4],
      ],
    },
    fresh,
  );
  app.clock.set(lastInstant);
  const found = async (filter: object) =>
    (
      await searchAll(
        app,
        stocksSearch,
        { 'products_stock.expire_date': filter, 'products_stock.sku_id': 'P-1', sort: 'expire_date' },
        fresh,
      )
    ).map(({ expire_date, qty, qty_available }) => [expire_date, qty, qty_available]);
  assert.deepEqual(await found({ lt: '2030-05-10' }), [['2030-05-09', 1, 0]]);
  assert.deepEqual(await found({ gte: '2030-05-10', lte: '2030-06-09' }), [
    ['2030-05-10', 2, 2],
    ['2030-06-01', 3, 3],
  ]);
});

test('a warehouse without a rule of sale sells what has expired, and the list says so', async () => {
  await receive(app, { 'OLD-SOLD': [['2001-01-01', 1]] }, alpha);
  const [line] = (await linesOf({ accountNo: 'ALPHA' })).filter(([sku]) => sku === 'OLD-SOLD');
  assert.equal(line![5], true);
  await order(app, 'OLD-SOLD', [['OLD-SOLD', 1]], alpha);
});
