import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Correction, correctStock } from '../../server/domain/stock/correct-stock.ts';
import { lotUnitsMax } from '../../server/domain/stock/lot.ts';
import { type Regrade, regradeStock } from '../../server/domain/stock/regrade-stock.ts';
import { startServingWaitingOrders } from '../../server/jobs/serve-waiting-orders.ts';
import { newTraceId } from '../../server/platform/ids.ts';
import { makeLog } from '../../server/platform/log.ts';
import { startTestApp } from '../support/app.ts';
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
import { cancelOrders, order, putLot, receive, stockOf, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
await app.provision({ warehouses: [{ warehouse_no: 2, name: 'South' }] });
const cause = { actor: 'boss', traceId: newTraceId(Date.now()) };

type LotOf = Partial<Correction['lot']> & { skuId: string };

function lotNamed(lot: LotOf): Correction['lot'] {
  return { accountNo: 'ALPHA', warehouseNo: 1, stockType: 'good', batchId: '', expireDate: '2030-01-01', ...lot };
}

async function correct(lot: LotOf, units: number) {
  return await correctStock(app.store.database, { lot: lotNamed(lot), units, reason: 'counted again' }, cause);
}

async function regrade(lot: LotOf, units: number, to: Regrade['to']) {
  return await regradeStock(app.store.database, { lot: lotNamed(lot), units, to, reason: 'box was wet' }, cause);
}

/** Movements of no document, with all that they say. */
async function adjustmentsOf(sku: string) {
  return await textsOf(
    app,
    `select m.kind, l.stock_type, m.on_hand_delta::text as units, m.locked_delta::text as locked, m.actor, m.trace_id, m.reason
     from movement m join lot l using (lot_id) where l.sku_id = $1 and m.kind = 'adjust' order by movement_id`,
    [sku],
  );
}

const adjustment = (units: string, stock_type: string, reason: string) => ({
  ...{ kind: 'adjust', stock_type, units, locked: '0', actor: cause.actor, trace_id: cause.traceId, reason },
});

const rowsOf = async (sku: string) =>
  (await stockOf(app, sku)).map(({ stock_type, qty, qty_lock, qty_available }) => [stock_type, qty, qty_lock, qty_available]);

test('a correction adds to a lot or takes from it, as an adjust movement that says who, in which call, and why', async () => {
  await receive(app, { TEA: [['2030-01-01', 10]] });
  await order(app, 'TEA-1', [['TEA', 4]]);
  assert.deepEqual(await correct({ skuId: 'TEA' }, 3), { kind: 'corrected', onHandBefore: 10, onHand: 13, locked: 4 });
  assert.deepEqual(await correct({ skuId: 'TEA' }, -9), { kind: 'corrected', onHandBefore: 13, onHand: 4, locked: 4 });
  assert.deepEqual(await rowsOf('TEA'), [['good', 4, 4, 0]]);
  assert.deepEqual(await adjustmentsOf('TEA'), [adjustment('3', 'good', 'counted again'), adjustment('-9', 'good', 'counted again')]);
  await assertBooksInOrder(app);
});

test('what orders have locked cannot be taken away: it is told how many are free, and nothing changes', async () => {
  await receive(app, { HELD: [['2030-01-01', 10]] });
  await order(app, 'HELD-1', [['HELD', 7]]);
  assert.deepEqual(await unchanged(app, () => correct({ skuId: 'HELD' }, -4)), { kind: 'too_few_free', free: 3, locked: 7 });
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'HELD' }, 4, 'bad')), { kind: 'too_few_free', free: 3, locked: 7 });
});

test('units that nobody knew of open a lot: of a batch, without an expiry date, or bad', async () => {
  await syncProducts(app, ['NEW']);
  const opened = [{ batchId: 'B-1' }, { expireDate: null }, { stockType: 'bad' as const }];
  for (const lot of opened) {
    assert.deepEqual(await correct({ skuId: 'NEW', ...lot }, 2), { kind: 'corrected', onHandBefore: 0, onHand: 2, locked: 0 });
  }
  const rows = await stockOf(app, 'NEW');
  assert.deepEqual(
    rows.map(({ stock_type, batch_id, expire_date, qty }) => [stock_type, batch_id, expire_date, qty]),
    [
      ['good', 'B-1', '2030-01-01', 2],
      ['good', '', undefined, 2],
      ['bad', '', '2030-01-01', 2],
    ],
  );
  await assertBooksInOrder(app);
});

const strangers: [string, LotOf, object][] = [
  ['account', { skuId: 'NEW', accountNo: 'NOBODY' }, { kind: 'not_found', what: 'account' }],
  ['warehouse', { skuId: 'NEW', warehouseNo: 99 }, { kind: 'not_found', what: 'warehouse' }],
  ['product', { skuId: 'NEVER' }, { kind: 'not_found', what: 'product' }],
  ['product of this account', { skuId: 'NEW', accountNo: 'BETA' }, { kind: 'not_found', what: 'product' }],
];
for (const [what, lot, refusal] of strangers) {
  test(`there is no such ${what}: nothing changes`, async () => {
    assert.deepEqual(await unchanged(app, () => correct(lot, 1)), refusal);
    assert.deepEqual(await unchanged(app, () => regrade(lot, 1, 'bad')), refusal);
  });
}

test('nothing can be taken from a lot that there is not, nor one be opened where the account keeps nothing', async () => {
  await receive(app, { LONE: [['2030-01-01', 1]] });
  const noLot = { kind: 'not_found', what: 'lot' };
  for (const other of [{ batchId: 'X' }, { expireDate: '2030-01-02' }, { expireDate: null }, { stockType: 'bad' as const }]) {
    assert.deepEqual(await unchanged(app, () => correct({ skuId: 'LONE', ...other }, -1)), noLot);
  }
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'LONE' }, 1, 'good')), noLot);
  assert.deepEqual(await unchanged(app, () => correct({ skuId: 'LONE', warehouseNo: 2 }, 1)), { kind: 'not_kept_there' });
});

test('a lot holds so many units and no more, however they come', async () => {
  await syncProducts(app, ['FULL']);
  assert.deepEqual(await correct({ skuId: 'FULL' }, lotUnitsMax), {
    ...{ kind: 'corrected', onHandBefore: 0, onHand: lotUnitsMax, locked: 0 },
  });
  const tooMany = { kind: 'too_many_units', onHand: lotUnitsMax, unitsMax: lotUnitsMax };
  assert.deepEqual(await unchanged(app, () => correct({ skuId: 'FULL' }, 1)), tooMany);
  await correct({ skuId: 'FULL', stockType: 'bad' }, 1);
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'FULL' }, 1, 'good')), tooMany);
});

test('a regrade moves units between good and bad and nothing else: two movements, no unit more or less', async () => {
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
  assert.deepEqual(await unchanged(app, () => regrade({ skuId: 'GRADE' }, 2, 'good')), { kind: 'too_few_free', free: 1, locked: 0 });
  await assertBooksInOrder(app);
});

test('a regrade stays within its batch and its expiry date', async () => {
  await syncProducts(app, ['KIN']);
  await putLot(app, { skuId: 'KIN', qty: 5, expireDate: null, batchId: 'B' });
  await putLot(app, { skuId: 'KIN', qty: 5, expireDate: '2030-01-01', batchId: 'B' });
  await regrade({ skuId: 'KIN', batchId: 'B', expireDate: null }, 2, 'bad');
  assert.deepEqual(
    (await stockOf(app, 'KIN')).map(({ stock_type, batch_id, expire_date, qty }) => [stock_type, batch_id, expire_date, qty]),
    [
      ['good', 'B', '2030-01-01', 5],
      ['good', 'B', undefined, 3],
      ['bad', 'B', undefined, 2],
    ],
  );
});

// Orders that wait have what is freed, the oldest first: whatever it is that frees it.

const [waits, allocated] = ['awaiting_stock', 'pending_warehouse_transfer'];

const freed: [string, (sku: string) => Promise<unknown>][] = [
  ['a correction of a lot', (sku) => correct({ skuId: sku }, 4)],
  ['a correction that opens a lot', (sku) => correct({ skuId: sku, batchId: 'NEW' }, 4)],
  ['a regrade to good', (sku) => regrade({ skuId: sku }, 4, 'good')],
  ['the cancel of an order', (sku) => cancelOrders(app, [`${sku}-HOLDS`])],
  ['the cancel of a shipping order', (sku) => cancelShipping(app, [`${sku}-SHIPS`])],
];
for (const [index, [how, free]] of freed.entries()) {
  test(`${how}: the oldest orders that wait have the units, and a big one among them does not hold up other skus`, async () => {
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
    assert.deepEqual(await statusesOf(app, [...names, `${sku}-BIG`, `${sku}-BEHIND`]), [allocated, allocated, waits, waits, waits]);
    assert.equal(await orderStatus(app, `${other}-ELSE`), allocated);
    await assertBooksInOrder(app);
  });
}

// The last one: from here on somebody serves them.
test('a worker hears of a correction and of a regrade, and serves who waits', { timeout: 30_000 }, async (t) => {
  const server = startServingWaitingOrders({ database: app.store.database, clock: app.clock, log: makeLog('silent') });
  t.after(() => server.close());
  await syncProducts(app, ['HEARD']);
  await putLot(app, { skuId: 'HEARD', qty: 1, expireDate: '2030-01-01', stockType: 'bad' });
  for (const [name, free] of [
    ['HEARD-1', () => correct({ skuId: 'HEARD' }, 1)],
    ['HEARD-2', () => regrade({ skuId: 'HEARD' }, 1, 'good')],
  ] as const) {
    assert.equal(await ship(app, name, [item('HEARD', 1)]), waits);
    await free();
    while ((await orderStatus(app, name)) !== allocated) await sleep(5);
  }
  await assertBooksInOrder(app);
});
