import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasContentOf, hasNumberOf, type ParcelUnits, packParcel, type ReportedItem, sumByProduct } from './parcel.ts';

const tea = { skuId: 'TEA', productId: 1 };
const held: ParcelUnits[] = [
  { ...tea, lotId: 1, qty: 3, batchId: 'A', expireDate: '2027-01-01' },
  { ...tea, lotId: 2, qty: 2, batchId: 'B', expireDate: '2027-02-01' },
  { skuId: 'CUP', productId: 2, lotId: 3, qty: 1, batchId: '', expireDate: null },
];

function item(skuId: string, qty: number, choice: Partial<ReportedItem> = {}): ReportedItem {
  return { skuId, qty, batchId: null, expireDate: null, ...choice };
}

function takenBy(items: ReportedItem[] | null): [number, number][] | string {
  const packed = packParcel(held, items);
  if (packed.kind === 'not_held') return `${packed.item.skuId}: ${packed.held} of ${packed.item.qty}`;
  const left = packed.rest.reduce((sum, { qty }) => sum + qty, 0);
  assert.equal(packed.units.reduce((sum, { qty }) => sum + qty, 0) + left, 6);
  return packed.units.map(({ lotId, qty }) => [lotId, qty]);
}

test('a parcel that names only a sku takes the units that expire first', () => {
  assert.deepEqual(takenBy([item('TEA', 1)]), [[1, 1]]);
  assert.deepEqual(takenBy([item('TEA', 4)]), [
    [1, 3],
    [2, 1],
  ]);
});

test('a batch and an expiry date choose, and choose before items that name neither', () => {
  assert.deepEqual(takenBy([item('TEA', 2, { batchId: 'B' })]), [[2, 2]]);
  assert.deepEqual(takenBy([item('TEA', 1, { expireDate: '2027-02-01' })]), [[2, 1]]);
  assert.deepEqual(takenBy([item('TEA', 2), item('TEA', 3, { batchId: 'A' })]), [
    [1, 3],
    [2, 2],
  ]);
});

test('a parcel without items takes everything, and no parcel takes more than is held', () => {
  assert.deepEqual(takenBy(null), [
    [1, 3],
    [2, 2],
    [3, 1],
  ]);
  assert.equal(takenBy([item('TEA', 6)]), 'TEA: 5 of 6');
  assert.equal(takenBy([item('TEA', 3, { batchId: 'B' })]), 'TEA: 2 of 3');
  assert.equal(takenBy([item('TEA', 1, { batchId: 'A', expireDate: '2027-02-01' })]), 'TEA: 0 of 1');
  assert.equal(takenBy([item('BOWL', 1)]), 'BOWL: 0 of 1');
});

test('a repeat has the number and the content of a parcel; a carrier may be left out', () => {
  const known = { shipmentNo: 'S-1', carrier: 'tcat', units: held };
  const all = [item('TEA', 5), item('CUP', 1)];
  assert.ok(hasContentOf(known, all));
  assert.ok(hasContentOf(known, [item('CUP', 1), item('TEA', 2, { batchId: 'B' }), item('TEA', 3)]));
  assert.ok(!hasContentOf(known, [item('TEA', 5)]));
  assert.ok(!hasContentOf(known, [item('TEA', 4), item('CUP', 1)]));
  const reported = (shipmentNo: string, carrier: string | null) => ({ shipmentNo, carrier, items: null });
  assert.ok(hasNumberOf(known, reported('S-1', 'tcat')));
  assert.ok(hasNumberOf(known, reported('S-1', null)));
  assert.ok(!hasNumberOf(known, reported('S-1', 'post')));
  assert.ok(!hasNumberOf(known, reported('S-2', 'tcat')));
  assert.deepEqual(sumByProduct(held), [
    { productId: 1, skuId: 'TEA', qty: 5 },
    { productId: 2, skuId: 'CUP', qty: 1 },
  ]);
});
