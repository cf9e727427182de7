import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainedMax, explainOthers, explainTaken } from './explain-lots.ts';
import type { DetailLine, LotSince, TakenLot } from './order-detail-queries.ts';

function line(line_no: number, qty: number, batch_id: string | null = null): DetailLine {
  const names = { order_id: 1, product_id: 1, sku_id: 'TEA', name: 'Tea', storage_type: 'ambient' };
  return { ...names, line_no, qty, batch_id, combo_sku: null, identifier: null, price: null };
}

function taken(lot_id: number, units: number, expire_date: string | null, batch_id = ''): TakenLot {
  const names = { order_id: 1, sku_id: 'TEA', movement_id: 1, at: '' };
  return { ...names, lot_id, batch_id, expire_date, taken: units, locked: units, shipped: 0 };
}

function lot(lotId: number, onHand: number, since: Partial<LotSince> = {}): LotSince {
  const names = {
    accountId: 1,
    skuId: 'TEA',
    productId: 1,
    warehouseNo: 1,
    stockType: 'good',
    batchId: '',
    expireDate: null,
  } as const;
  return { ...names, lotId, onHand, locked: 0, movementsSince: 0, onHandSince: 0, lockedSince: 0, ...since };
}

const rules = { sellableFrom: null, isWaiting: false };

test('a line that names a batch gets it, and the others share the rest in the order of allocation', () => {
  const lots = [taken(7, 2, '2030-01-01'), taken(8, 4, '2031-01-01'), taken(9, 1, null, 'B'), taken(6, 3, null)];
  const found = explainTaken([line(1, 4), line(2, 1, 'B'), line(3, 5)], lots);
  const told = (lineNo: number) => found.get(lineNo)!.map(({ lotId, qty, why }) => [lotId, qty, why]);
  assert.deepEqual(told(2), [[9, 1, 'named_batch']]);
  assert.deepEqual(told(1), [
    [7, 2, 'expires_first'],
    [8, 2, 'expires_next'],
  ]);
  assert.deepEqual(told(3), [
    [8, 2, 'expires_next'],
    [6, 3, 'next_oldest'],
  ]);
});

test('other lots are shown as they were then: without units received since, with units shipped since', () => {
  const since = [
    lot(1, 0, { onHandSince: -5, lockedSince: 0, movementsSince: 1 }),
    lot(2, 9, { onHandSince: 9, movementsSince: 1 }),
    lot(3, 4, { locked: 4, lockedSince: 1, movementsSince: 1 }),
  ];
  const { asOf, passedOver } = explainOthers([line(1, 1)], [taken(3, 1, null)], since, rules);
  assert.deepEqual(
    [asOf, passedOver.map((one) => [one.lot.lotId, one.lot.onHand, one.why])],
    ['then', [[1, 5, 'not_needed']]],
  );
});

test('a lot with too many movements since then is shown as it is now', () => {
  const busy = [lot(1, 5, { movementsSince: explainedMax.movementsMax + 1 }), lot(3, 4)];
  const { asOf, passedOver } = explainOthers([line(1, 1)], [taken(3, 1, null)], busy, rules);
  assert.deepEqual([asOf, passedOver.map((one) => one.lot.onHand)], ['now', [5]]);
});

test('a waiting order shows its free units and its shortages', () => {
  const { shortages, passedOver } = explainOthers([line(1, 9)], [], [lot(1, 5), lot(2, 3, { stockType: 'bad' })], {
    ...rules,
    isWaiting: true,
  });
  assert.deepEqual(shortages, [{ skuId: 'TEA', available: 5, requested: 9 }]);
  assert.deepEqual(
    passedOver.map((one) => one.why),
    ['not_good'],
  );
});
