import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { stocksSearch } from '../../contract/main/stocks-search.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { type Correction, correctStock } from '../../server/domain/stock/correct-stock.ts';
import { type ExpiringQuestion, findExpiringLots } from '../../server/domain/stock/find-expiring-lots.ts';
import { lotUnitsMax } from '../../server/domain/stock/lot.ts';
import { type Regrade, regradeStock } from '../../server/domain/stock/regrade-stock.ts';
import { startServingWaitingOrders } from '../../server/jobs/serve-waiting-orders.ts';
import { newTraceId } from '../../server/platform/ids.ts';
import { makeLog } from '../../server/platform/log.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { columns } from '../support/console.ts';
import {
  allocateEverything,
  assertBooksInOrder,
  bring,
  cancelShipping,
  item,
  orderStatus,
  ship,
  statusesOf,
  textsOf,
  unchanged,
} from '../support/logistics.ts';
import { accountIdOf, searchAll } from '../support/main.ts';
import {
  assertRefusedUnchanged,
  cancelInbounds,
  cancelOrders,
  order,
  orderBody,
  putLot,
  receive,
  stockOf,
  syncProducts,
} from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp();
const fresh = {
  accountNo: 'FRESH',
  secret: 'fresh-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-F1',
  clientId: 'fresh',
  checkValue: 'fresh-check-value-of-thirty-two-characters-or-more',
};
const inTwo = { ...fresh, warehouseTpwId: 'TPW-F2' };
const tenant = (warehouse_tpw_id: string, warehouse_no: number, sellable_days_before_expiry: number | null) => ({
  warehouse_tpw_id,
  warehouse_no,
  store_no: 10,
  sellable_days_before_expiry,
});
await app.provision({
  warehouses: [{ warehouse_no: 2 }, { warehouse_no: 3 }],
  accounts: [
    {
      account_no: fresh.accountNo,
      environment: 'uat',
      secret: fresh.secret,
      tenants: [
        tenant(fresh.warehouseTpwId, 1, 0),
        // With two tenants in one warehouse the less strict rule applies.
        tenant(inTwo.warehouseTpwId, 2, 5),
        tenant('TPW-F2-STRICT', 2, 30),
        tenant('TPW-F3', 3, null),
      ],
    },
  ],
  clients: [{ client_id: 'fresh', check_value: fresh.checkValue, account_no: 'FRESH', permissions: [...permissions] }],
});
afterEach(() => app.clock.set(null));

async function expiring(question: Partial<ExpiringQuestion> = {}) {
  const asked = { accountNo: null, warehouseNos: null, withinDays: 30, limit: 200, ...question };
  return await findExpiringLots(app.store.service, asked, app.clock.now());
}

/** The rows of the list, in its order. */
async function linesOf(question: Partial<ExpiringQuestion> = {}) {
  const { lots } = await expiring(question);
  return columns(lots, 'sku_id', 'expire_date', 'days_left', 'free', 'locked', 'is_sellable');
}

// The last millisecond of 2030-05-10 in Taipei, and the next one.
const lastInstant = new Date('2030-05-10T15:59:59.999Z');
const nextDay = new Date('2030-05-10T16:00:00.000Z');

test('the list contains expired and soon expiring lots, the earliest first, with days left and free units', async () => {
  await receive(app, {
    'A-SOON': Object.entries({ '2030-06-09': 10, '2030-06-10': 11 }),
    'A-OLD': [['2029-05-10', 3]],
    'A-TODAY': [['2030-05-10', 4]],
  });
  // Its units have left.
  await cancelInbounds(app, [await receive(app, { 'A-EMPTY': [['2030-05-12', 1]] })]);
  await putLot(app, { skuId: 'A-OLD', qty: 7, expireDate: '2030-05-09', stockType: 'bad', batchId: 'B' });
  await putLot(app, { skuId: 'A-OLD', qty: 7, expireDate: null });
  await order(app, 'A-1', [['A-SOON', 4]]);
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

test('the list covers all accounts or one, all warehouses or one, and reports when the limit cuts it', async () => {
  await receive(app, { 'F-ONE': [['2030-05-08', 1]] }, fresh);
  await receive(app, { 'F-TWO': [['2030-05-10', 1]] }, inTwo);
  app.clock.set(lastInstant);
  const whose = async (question: Partial<ExpiringQuestion>) => {
    const { lots, isMore } = await expiring({ withinDays: 0, ...question });
    return [lots.map((lot) => `${lot.account_no} ${lot.warehouse_no} ${lot.expire_date}`), isMore];
  };
  const expired = ['ALPHA 1 2029-05-10', 'FRESH 1 2030-05-08', 'ALPHA 1 2030-05-09'];
  const all = [...expired, 'ALPHA 1 2030-05-10', 'FRESH 2 2030-05-10'];
  assert.deepEqual(await whose({}), [all, false]);
  assert.deepEqual(await whose({ limit: 5 }), [all, false]);
  assert.deepEqual(await whose({ limit: 2 }), [all.slice(0, 2), true]);
  assert.deepEqual(await whose({ warehouseNos: [2] }), [all.slice(4), false]);
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
    const answers = async () => {
      const [line] = (await linesOf({ accountNo: fresh.accountNo })).filter(([listed]) => listed === sku);
      const [asked] = await stockOf(app, sku, caller);
      const filter = { 'products_stock.expire_date': { lte: lastDay }, 'products_stock.sku_id': sku };
      const [found] = await searchAll(app, stocksSearch, filter, fresh);
      assert.deepEqual([asked!.qty, asked!.qty_lock, found!.qty, found!.qty_lock], [9, 2, 9, 2]);
      return { isSellable: line![5], stockQuery: asked!.qty_available, searched: found!.qty_available };
    };

    app.clock.set(lastInstant);
    assert.deepEqual(await answers(), { isSellable: true, stockQuery: 7, searched: 7 });
    await order(app, `OUT-${sku}-2`, [[sku, 1]], caller);
    const third = orderBody(`OUT-${sku}-3`, [[sku, 1]], caller);
    assert.equal((await app.callMain('/orders/create', third, { as: fresh })).status, 200);

    app.clock.set(nextDay);
    const refusal = { message: `sku ${sku} available=0 < requested=1` };
    const fourth = orderBody(`OUT-${sku}-4`, [[sku, 1]], caller);
    await assertRefusedUnchanged(app, '/outbound/create', fourth, refusal, caller);
    const main = await app.callMain('/orders/create', orderBody(`OUT-${sku}-5`, [[sku, 1]], caller), { as: fresh });
    assert.deepEqual([main.status, main.json.msg], [400, refusal.message]);
    const [line] = (await linesOf({ accountNo: fresh.accountNo })).filter(([listed]) => listed === sku);
    assert.deepEqual(line!.slice(3), [5, 4, false]);
    assert.equal((await stockOf(app, sku, caller))[0]!.qty_available, 0);
  });
}

test('getStocksData finds expired and soon expiring lots, with no available units where the rule forbids the sale', async () => {
  const units = Object.entries({ '2030-05-09': 1, '2030-05-10': 2, '2030-06-01': 3, '2031-01-01': 4 });
  await receive(app, { 'P-1': units }, fresh);
  app.clock.set(lastInstant);
  const found = async (filter: object) => {
    const body = { 'products_stock.expire_date': filter, 'products_stock.sku_id': 'P-1', sort: 'expire_date' };
    return columns(await searchAll(app, stocksSearch, body, fresh), 'expire_date', 'qty', 'qty_available');
  };
  assert.deepEqual(await found({ lt: '2030-05-10' }), [['2030-05-09', 1, 0]]);
  assert.deepEqual(await found({ gte: '2030-05-10', lte: '2030-06-09' }), [
    ['2030-05-10', 2, 2],
    ['2030-06-01', 3, 3],
  ]);
});

test('a warehouse without a sale rule sells expired units, and the list marks them as sellable', async () => {
  await receive(app, { 'OLD-SOLD': [['2001-01-01', 1]] }, alpha);
  const [line] = (await linesOf({ accountNo: 'ALPHA' })).filter(([sku]) => sku === 'OLD-SOLD');
  assert.equal(line![5], true);
  await order(app, 'OLD-SOLD', [['OLD-SOLD', 1]], alpha);
});

const cause = { actor: 'boss', traceId: newTraceId(Date.now()) };

type LotOf = Partial<Correction['lot']> & { skuId: string; accountNo?: string };

async function lotNamed({ accountNo = 'ALPHA', ...lot }: LotOf): Promise<Pick<Correction, 'accountId' | 'lot'>> {
  const usual = { warehouseNo: 1, stockType: 'good', batchId: '', expireDate: '2030-01-01' } as const;
  return { accountId: await accountIdOf(app, accountNo), lot: { ...usual, ...lot } };
}

async function correct(lot: LotOf, units: number) {
  const correction = { ...(await lotNamed(lot)), units: { delta: units }, reason: 'counted again' };
  return await correctStock(app.store.service, correction, cause);
}

async function regrade(lot: LotOf, units: number, to: Regrade['to']) {
  return await regradeStock(app.store.service, { ...(await lotNamed(lot)), units, to, reason: 'box was wet' }, cause);
}

/** The movements of a sku without a document. */
async function adjustmentsOf(sku: string) {
  return await textsOf(
    app,
    `select m.kind, l.stock_type, m.on_hand_delta::text as units, m.locked_delta::text as locked, m.actor, m.trace_id, m.reason
     from movement m join lot l using (account_id, lot_id) where l.sku_id = $1 and m.kind = 'adjust' order by movement_id`,
    [sku],
  );
}

const adjustment = (units: string, stock_type: string, reason: string) => ({
  kind: 'adjust',
  stock_type,
  units,
  locked: '0',
  actor: cause.actor,
  trace_id: cause.traceId,
  reason,
});

const rowsOf = async (sku: string) =>
  columns(await stockOf(app, sku), 'stock_type', 'qty', 'qty_lock', 'qty_available');
const lotsOf = async (sku: string) => columns(await stockOf(app, sku), 'stock_type', 'batch_id', 'expire_date', 'qty');

test('a correction adds units to a lot or removes them, by an adjust movement with actor, trace id and reason', async () => {
  await receive(app, { TEA: [['2030-01-01', 10]] });
  await order(app, 'TEA-1', [['TEA', 4]]);
  assert.deepEqual(await correct({ skuId: 'TEA' }, 3), { kind: 'corrected', delta: 3, onHand: 13, locked: 4 });
  assert.deepEqual(await correct({ skuId: 'TEA' }, -9), { kind: 'corrected', delta: -9, onHand: 4, locked: 4 });
  assert.deepEqual(await rowsOf('TEA'), [['good', 4, 4, 0]]);
  assert.deepEqual(await adjustmentsOf('TEA'), [
    adjustment('3', 'good', 'counted again'),
    adjustment('-9', 'good', 'counted again'),
  ]);
  await assertBooksInOrder(app);
});

test('units that orders have locked cannot be removed; the result names the free units, and nothing changes', async () => {
  await receive(app, { HELD: [['2030-01-01', 10]] });
  await order(app, 'HELD-1', [['HELD', 7]]);
  const tooFew = { kind: 'too_few_free', free: 3, locked: 7 };
  assert.deepEqual(await unchanged(app, () => correct({ skuId: 'HELD' }, -4)), tooFew);
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'HELD' }, 4, 'bad')), tooFew);
});

test('a correction of unknown units opens a lot: of a batch, without an expiry date, or bad', async () => {
  await syncProducts(app, ['NEW']);
  const opened = [{ batchId: 'B-1' }, { expireDate: null }, { stockType: 'bad' as const }];
  for (const lot of opened) {
    const corrected = { kind: 'corrected', delta: 2, onHand: 2, locked: 0 };
    assert.deepEqual(await correct({ skuId: 'NEW', ...lot }, 2), corrected);
  }
  assert.deepEqual(await lotsOf('NEW'), [
    ['good', 'B-1', '2030-01-01', 2],
    ['good', '', undefined, 2],
    ['bad', '', '2030-01-01', 2],
  ]);
  await assertBooksInOrder(app);
});

test('an unknown warehouse or product is not found, and nothing changes', async () => {
  for (const [what, lot] of [
    ['warehouse', { skuId: 'NEW', warehouseNo: 99 }],
    ['product', { skuId: 'NEVER' }],
    ['product', { skuId: 'NEW', accountNo: 'BETA' }],
  ] as const) {
    const refusal = { kind: 'not_found', what };
    assert.deepEqual(await unchanged(app, () => correct(lot, 1)), refusal);
    assert.deepEqual(await unchanged(app, () => regrade(lot, 1, 'bad')), refusal);
  }
});

test('an unknown lot loses no units, and no lot is opened in a warehouse where the account has none', async () => {
  await receive(app, { LONE: [['2030-01-01', 1]] });
  const noLot = { kind: 'not_found', what: 'lot' };
  const others = [{ batchId: 'X' }, { expireDate: '2030-01-02' }, { expireDate: null }, { stockType: 'bad' as const }];
  for (const other of others)
    assert.deepEqual(await unchanged(app, () => correct({ skuId: 'LONE', ...other }, -1)), noLot);
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'LONE' }, 1, 'good')), noLot);
  const elsewhere = await unchanged(app, () => correct({ skuId: 'LONE', warehouseNo: 2 }, 1));
  assert.deepEqual(elsewhere, { kind: 'not_kept_there' });
});

test('neither a correction nor a regrade exceeds the maximum units of a lot', async () => {
  await syncProducts(app, ['FULL']);
  assert.deepEqual(await correct({ skuId: 'FULL' }, lotUnitsMax), {
    kind: 'corrected',
    delta: lotUnitsMax,
    onHand: lotUnitsMax,
    locked: 0,
  });
  const tooMany = { kind: 'too_many_units', onHand: lotUnitsMax, unitsMax: lotUnitsMax };
  assert.deepEqual(await unchanged(app, () => correct({ skuId: 'FULL' }, 1)), tooMany);
  await correct({ skuId: 'FULL', stockType: 'bad' }, 1);
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'FULL' }, 1, 'good')), tooMany);
});

test('a regrade moves units between good and bad by two movements, and the total stays', async () => {
  await receive(app, { GRADE: [['2030-01-01', 10]] });
  await order(app, 'GRADE-1', [['GRADE', 6]]);
  assert.deepEqual(await regrade({ skuId: 'GRADE' }, 3, 'bad'), { kind: 'regraded', freeGood: 1, freeBad: 3 });
  assert.deepEqual(await rowsOf('GRADE'), [
    ['good', 7, 6, 1],
    ['bad', 3, 0, 0],
  ]);
  assert.deepEqual(await regrade({ skuId: 'GRADE' }, 2, 'good'), { kind: 'regraded', freeGood: 3, freeBad: 1 });
  assert.deepEqual(await rowsOf('GRADE'), [
    ['good', 9, 6, 3],
    ['bad', 1, 0, 0],
  ]);
  const because = 'box was wet';
  assert.deepEqual(await adjustmentsOf('GRADE'), [
    ...[adjustment('-3', 'good', because), adjustment('3', 'bad', because)],
    ...[adjustment('-2', 'bad', because), adjustment('2', 'good', because)],
  ]);
  const refused = await unchanged(app, () => regrade({ skuId: 'GRADE' }, 2, 'good'));
  assert.deepEqual(refused, { kind: 'too_few_free', free: 1, locked: 0 });
  await assertBooksInOrder(app);
});

test('a regrade keeps the batch and the expiry date', async () => {
  await syncProducts(app, ['KIN']);
  await putLot(app, { skuId: 'KIN', qty: 5, expireDate: null, batchId: 'B' });
  await putLot(app, { skuId: 'KIN', qty: 5, expireDate: '2030-01-01', batchId: 'B' });
  await regrade({ skuId: 'KIN', batchId: 'B', expireDate: null }, 2, 'bad');
  assert.deepEqual(await lotsOf('KIN'), [
    ['good', 'B', '2030-01-01', 5],
    ['good', 'B', undefined, 3],
    ['bad', 'B', undefined, 2],
  ]);
});

// Waiting orders get released units, the oldest first, however they were released.

const [waits, allocated] = ['awaiting_stock', 'pending_warehouse_transfer'];

const freed: [string, (sku: string) => Promise<unknown>][] = [
  ['a correction of a lot', (sku) => correct({ skuId: sku }, 4)],
  ['a correction that opens a lot', (sku) => correct({ skuId: sku, batchId: 'NEW' }, 4)],
  ['a regrade to good', (sku) => regrade({ skuId: sku }, 4, 'good')],
  ['the cancel of an order', (sku) => cancelOrders(app, [`${sku}-HOLDS`])],
  ['the cancel of a shipping order', (sku) => cancelShipping(app, [`${sku}-SHIPS`])],
];
for (const [index, [how, free]] of freed.entries()) {
  test(`${how} gives units to the oldest waiting orders, and a large order does not hold up other skus`, async () => {
    const [sku, other] = [`FREED-${index}`, `OTHER-${index}`];
    await receive(app, { [sku]: [['2030-01-01', 8]], [other]: [['2030-01-01', 1]] });
    await putLot(app, { skuId: sku, qty: 4, expireDate: '2030-01-01', stockType: 'bad' });
    await order(app, `${sku}-HOLDS`, [[sku, 4]]);
    assert.equal(await ship(app, `${sku}-SHIPS`, [item(sku, 4)]), allocated);
    await order(app, `${other}-HOLDS`, [[other, 1]]);

    const names = [1, 2, 3].map((n) => `${sku}-${n}`);
    for (const name of names) assert.equal(await ship(app, name, [item(sku, 2)]), waits);
    await ship(app, `${sku}-BIG`, [item(sku, 100), item(other, 100)]);
    await ship(app, `${sku}-BEHIND`, [item(sku, 1)]);
    await ship(app, `${other}-ELSE`, [item(`${other}-ELSE`, 1)]);
    await free(sku);
    await bring(app, [{ sku: `${other}-ELSE`, quantity: 1 }]);

    assert.equal(await allocateEverything(app), 3);
    const statuses = await statusesOf(app, [...names, `${sku}-BIG`, `${sku}-BEHIND`, `${other}-ELSE`]);
    assert.deepEqual(statuses, [allocated, allocated, waits, waits, waits, allocated]);
    await assertBooksInOrder(app);
  });
}

// The last test, because this worker serves waiting orders.
test('a worker is notified of a correction and of a regrade, and serves waiting orders', async (t) => {
  const server = startServingWaitingOrders({ database: app.store.service, clock: app.clock, log: makeLog('silent') });
  t.after(() => server.close());
  await syncProducts(app, ['HEARD']);
  await putLot(app, { skuId: 'HEARD', qty: 1, expireDate: '2030-01-01', stockType: 'bad' });
  for (const [name, free] of [
    ['HEARD-1', () => correct({ skuId: 'HEARD' }, 1)],
    ['HEARD-2', () => regrade({ skuId: 'HEARD' }, 1, 'good')],
  ] as const) {
    assert.equal(await ship(app, name, [item('HEARD', 1)]), waits);
    await free();
    await until('the order is served', async () => (await orderStatus(app, name)) === allocated);
  }
  await assertBooksInOrder(app);
});
