import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arrangeLots } from '../stock/arrange-lots.ts';
import type { Lot } from '../stock/lot.ts';
import { planWaiting as planArranged, type Served, type Waiting } from './plan-waiting.ts';

let lotsMade = 0;
function lot(productId: number, onHand: number, other: Partial<Lot> = {}): Lot {
  return {
    accountId: 1,
    lotId: ++lotsMade,
    productId,
    warehouseNo: 1,
    stockType: 'good',
    batchId: '',
    expireDate: null,
    onHand,
    locked: 0,
    ...other,
  };
}

type Wanted = [productId: number, qty: number, batchId?: string];

function waiting(orderId: number, wanted: Wanted[], toBeServed = true, sellableFrom: string | null = null): Waiting {
  const lines = wanted.map(([productId, qty, batchId = null]) => ({
    orderId,
    productId,
    warehouseNo: 1,
    batchId,
    qty,
  }));
  return { orderId, toBeServed, sellableFrom, lines };
}

const planWaiting = (line: Waiting[], lots: Lot[]) => planArranged(line, arrangeLots(lots));
const servedIds = (served: Served[]) => served.map(({ orderId }) => orderId);

test('an order takes only units that expire late enough for it, and leaves the rest to others', () => {
  const lots = () => [lot(1, 2, { expireDate: '2030-01-01' }), lot(1, 2, { expireDate: '2031-01-01' }), lot(1, 1)];
  const strict = (orderId: number, qty: number) => waiting(orderId, [[1, qty]], true, '2030-01-02');
  assert.deepEqual(servedIds(planWaiting([strict(1, 4)], lots())), []);
  const [one, other] = planWaiting([strict(1, 3), waiting(2, [[1, 2]])], lots());
  assert.deepEqual(
    one!.picks.map(({ lot: { expireDate }, qty }) => [expireDate, qty]),
    [
      ['2031-01-01', 2],
      [null, 1],
    ],
  );
  assert.deepEqual(
    other!.picks.map(({ lot: { expireDate }, qty }) => [expireDate, qty]),
    [['2030-01-01', 2]],
  );
});

test('the oldest order is served first, whatever the order of the list', () => {
  const served = planWaiting([waiting(3, [[1, 2]]), waiting(1, [[1, 2]]), waiting(2, [[1, 2]])], [lot(1, 4)]);
  assert.deepEqual(servedIds(served), [1, 2]);
});

test('units for an order that must keep waiting are reserved: a younger order gets only the remaining units', () => {
  assert.deepEqual(servedIds(planWaiting([waiting(1, [[1, 10]]), waiting(2, [[1, 1]])], [lot(1, 9)])), []);
  const missing: Wanted[] = [
    [1, 3],
    [2, 1],
  ];
  assert.deepEqual(
    servedIds(planWaiting([waiting(1, missing), waiting(2, [[1, 2]]), waiting(3, [[1, 1]])], [lot(1, 5)])),
    [2],
  );
  assert.deepEqual(servedIds(planWaiting([waiting(1, missing), waiting(2, [[1, 3]])], [lot(1, 5)])), []);
});

test('a batch is reserved for the order that named it, and no other batch is', () => {
  const lots = () => [
    lot(1, 2, { batchId: 'A', expireDate: '2030-01-01' }),
    lot(1, 2, { batchId: 'B', expireDate: '2031-01-01' }),
  ];
  const first = waiting(1, [
    [1, 2, 'B'],
    [2, 1],
  ]);
  assert.deepEqual(servedIds(planWaiting([first, waiting(2, [[1, 2]])], lots())), [2]);
  assert.deepEqual(servedIds(planWaiting([first, waiting(2, [[1, 1, 'B']])], lots())), []);
  assert.deepEqual(servedIds(planWaiting([waiting(1, [[1, 1, 'C']]), waiting(2, [[1, 4]])], lots())), [2]);
});

/** Unit by unit, oldest order first; an order that does not find all of its units keeps those it has found. */
function serveUnits(line: Waiting[], lots: Lot[]): Map<number, Map<number, number>> {
  const expiry = ({ expireDate }: Lot) => expireDate ?? '9999';
  const units = lots
    .filter((one) => one.stockType === 'good')
    .sort((a, b) => (expiry(a) === expiry(b) ? a.lotId - b.lotId : expiry(a) < expiry(b) ? -1 : 1))
    .flatMap((one) => Array<Lot>(one.onHand - one.locked).fill(one));
  const served = new Map<number, Map<number, number>>();
  for (const { orderId, toBeServed, lines } of line.toSorted((a, b) => a.orderId - b.orderId)) {
    const picks = new Map<number, number>();
    let missing = 0;
    for (const { productId, batchId, qty } of lines.toSorted(
      (a, b) => Number(a.batchId === null) - Number(b.batchId === null),
    )) {
      for (let unit = 0; unit < qty; unit++) {
        const index = units.findIndex(
          (one) => one.productId === productId && (batchId === null || one.batchId === batchId),
        );
        if (index < 0) missing++;
        else {
          const [{ lotId }] = units.splice(index, 1) as [Lot];
          picks.set(lotId, (picks.get(lotId) ?? 0) + 1);
        }
      }
    }
    if (toBeServed && missing === 0) served.set(orderId, picks);
  }
  return served;
}

const anyLot = fc.record({
  productId: fc.integer({ min: 1, max: 3 }),
  onHand: fc.integer({ min: 0, max: 8 }),
  locked: fc.integer({ min: 0, max: 3 }),
  batchId: fc.constantFrom('', 'A', 'B'),
  expireDate: fc.constantFrom(null, '2030-01-01', '2031-01-01'),
  stockType: fc.constantFrom<Lot['stockType']>('good', 'good', 'good', 'bad'),
});
const anyLots = fc
  .array(anyLot, { maxLength: 8 })
  .map((given) =>
    given.map(({ productId, onHand, locked, ...rest }) =>
      lot(productId, onHand, { ...rest, locked: Math.min(onHand, locked) }),
    ),
  );
const anyWanted = fc.tuple(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 1, max: 5 }),
  fc.constantFrom(undefined, undefined, 'A', 'B'),
) as fc.Arbitrary<Wanted>;
const anyLine = fc
  .array(fc.tuple(fc.array(anyWanted, { minLength: 1, maxLength: 3 }), fc.constantFrom(true, true, true, false)), {
    maxLength: 8,
  })
  .chain((orders) =>
    fc.shuffledSubarray(
      orders.map(([wanted, toBeServed], index) => waiting(index + 1, wanted, toBeServed)),
      { minLength: orders.length },
    ),
  );

test('for any orders and lots, the result equals an allocation unit by unit', () => {
  fc.assert(
    fc.property(anyLine, anyLots, (line, lots) => {
      const expected = serveUnits(line, structuredClone(lots));
      const served = planWaiting(line, lots);
      assert.deepEqual(servedIds(served), [...expected.keys()]);
      for (const { orderId, picks } of served) {
        const picked = new Map<number, number>();
        for (const pick of picks) picked.set(pick.lot.lotId, (picked.get(pick.lot.lotId) ?? 0) + pick.qty);
        assert.deepEqual(new Map([...picked].sort()), new Map([...expected.get(orderId)!].sort()));
      }
    }),
    { numRuns: 500 },
  );
});
