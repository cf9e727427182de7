import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arrangeLots } from './arrange-lots.ts';
import type { Lot } from './lot.ts';
import { type Demand, explainPassedOver, planAllocation as planArranged } from './plan-allocation.ts';

let lotsMade = 0;
function lot(onHand: number, expireDate: string | null, other: Partial<Lot> = {}): Lot {
  return {
    accountId: 1,
    lotId: ++lotsMade,
    productId: 1,
    warehouseNo: 1,
    stockType: 'good',
    batchId: '',
    expireDate,
    onHand,
    locked: 0,
    ...other,
  };
}

const planAllocation = (lots: Lot[], demands: Demand[], sellableFrom: string | null) =>
  planArranged(arrangeLots(lots), demands, sellableFrom);

const january = '2030-01-31';
const february = '2030-02-28';
const march = '2030-03-31';

test('the earliest expiry goes first, then the oldest lot; lots without expiry go last', () => {
  const [never, late, younger, older] = [
    lot(5, null),
    lot(5, february),
    lot(5, january, { lotId: 900 }),
    lot(5, january, { lotId: 800 }),
  ];
  const plan = planAllocation([never, late, younger, older], [{ productId: 1, qty: 18 }], null);

  assert.deepEqual(plan, {
    kind: 'planned',
    picks: [
      { lot: older, qty: 5 },
      { lot: younger, qty: 5 },
      { lot: late, qty: 5 },
      { lot: never, qty: 3 },
    ],
  });
});

test('every lot that is passed over has a reason', () => {
  const bad = lot(5, january, { stockType: 'bad' });
  const tooSoon = lot(5, january);
  const promised = lot(5, february, { locked: 5 });
  const taken = lot(5, february);
  const notNeeded = lot(5, march);
  const unasked = lot(5, january, { productId: 2 });
  const [lots, demands] = [[notNeeded, bad, tooSoon, unasked, promised, taken], [{ productId: 1, qty: 2 }]];
  const plan = planAllocation(lots, demands, '2030-02-01');

  assert.deepEqual(plan, { kind: 'planned', picks: [{ lot: taken, qty: 2 }] });
  assert.deepEqual(explainPassedOver(plan, lots, demands, '2030-02-01'), [
    { lot: bad, why: 'not_good' },
    { lot: tooSoon, why: 'expires_too_soon' },
    { lot: promised, why: 'nothing_free' },
    { lot: notNeeded, why: 'not_needed' },
  ]);
});

test('the same product on several lines is one demand; the available units are reported', () => {
  const three = lot(3, january);
  const plan = planAllocation(
    [three],
    [
      { productId: 1, qty: 2 },
      { productId: 1, qty: 2 },
    ],
    null,
  );
  assert.deepEqual(plan, {
    kind: 'short',
    picks: [{ lot: three, qty: 3 }],
    shortages: [{ productId: 1, available: 3, requested: 4 }],
  });
});

test('all or nothing: every product that is short is reported, in the requested order', () => {
  const plan = planAllocation(
    [lot(1, january), lot(9, january, { productId: 2 }), lot(2, february, { productId: 3, locked: 1 })],
    [
      { productId: 3, qty: 5 },
      { productId: 2, qty: 9 },
      { productId: 4, qty: 1 },
      { productId: 1, qty: 2 },
    ],
    null,
  );
  assert.equal(plan.kind, 'short');
  assert.deepEqual(plan.kind === 'short' && plan.shortages, [
    { productId: 3, available: 1, requested: 5 },
    { productId: 4, available: 0, requested: 1 },
    { productId: 1, available: 1, requested: 2 },
  ]);
});

test('a demand for a batch takes that batch only, earliest expiry first; the others are passed over', () => {
  const [late, early] = [lot(5, march, { batchId: 'B' }), lot(5, february, { batchId: 'B' })];
  const [other, none] = [lot(5, january, { batchId: 'b' }), lot(5, january)];
  const [lots, demands] = [[late, other, none, early], [{ productId: 1, batchId: 'B', qty: 7 }]];
  const plan = planAllocation(lots, demands, null);

  assert.deepEqual(plan, {
    kind: 'planned',
    picks: [
      { lot: early, qty: 5 },
      { lot: late, qty: 2 },
    ],
  });
  assert.deepEqual(explainPassedOver(plan, lots, demands, null), [
    { lot: other, why: 'another_batch' },
    { lot: none, why: 'another_batch' },
  ]);
});

test('with many demands, batches and lots, each demand reads only its own lots, and none that are used up', () => {
  let looks = 0;
  const watched = (one: Lot): Lot => ({
    ...one,
    get onHand() {
      looks++;
      return one.onHand;
    },
  });
  const lots = Array.from({ length: 1000 }, (_, index) => watched(lot(1, january, { batchId: `B-${index}` })));
  const arranged = arrangeLots(lots);
  const batches = Array.from({ length: 500 }, (_, index) => ({ productId: 1, batchId: `B-${index}`, qty: 1 }));
  const plans = [batches, ...Array.from({ length: 600 }, () => [{ productId: 1, qty: 1 }])].map((demands) => {
    const plan = planArranged(arranged, demands, null);
    for (const { lot: one, qty } of plan.picks) one.locked += qty;
    return plan.kind;
  });
  assert.deepEqual(
    plans.map((kind) => kind === 'planned'),
    [true, ...Array(500).fill(true), ...Array(100).fill(false)],
  );
  assert.ok(looks < 6000, `${looks} looks`);
});

/** Unit by unit: each demand takes the first unit that it may have. */
function allocateUnits(
  lots: Lot[],
  demands: { productId: number; batchId: string | null; qty: number }[],
  sellableFrom: string | null,
) {
  const units = lots
    .filter((one) => one.stockType === 'good' && (sellableFrom === null || (one.expireDate ?? '9999') >= sellableFrom))
    .sort((a, b) =>
      (a.expireDate ?? '9999') < (b.expireDate ?? '9999') ? -1 : a.expireDate === b.expireDate ? a.lotId - b.lotId : 1,
    )
    .flatMap((one) => Array<Lot>(Math.max(0, one.onHand - one.locked)).fill(one));
  const taken = new Map<number, number>();
  const missing = new Map<number, number>();
  for (const { productId, batchId, qty } of [
    ...demands.filter((one) => one.batchId !== null),
    ...demands.filter((one) => one.batchId === null),
  ]) {
    for (let unit = 0; unit < qty; unit++) {
      const index = units.findIndex(
        (one) => one.productId === productId && (batchId === null || one.batchId === batchId),
      );
      if (index < 0) {
        missing.set(productId, (missing.get(productId) ?? 0) + 1);
        continue;
      }
      const [{ lotId }] = units.splice(index, 1) as [Lot];
      taken.set(lotId, (taken.get(lotId) ?? 0) + 1);
    }
  }
  return { taken, missing };
}

test('for any lots with batches, picks and shortages equal those of an allocation unit by unit', () => {
  const anyBatch = fc.constantFrom('', 'A', 'B');
  const anyLot = fc.record({
    onHand: fc.integer({ min: 0, max: 6 }),
    promised: fc.integer({ min: 0, max: 3 }),
    expireDate: fc.constantFrom(null, january, february),
    stockType: fc.constantFrom<Lot['stockType']>('good', 'good', 'good', 'bad'),
    productId: fc.integer({ min: 1, max: 2 }),
    batchId: anyBatch,
  });
  const anyDemand = fc.record({
    productId: fc.integer({ min: 1, max: 2 }),
    batchId: fc.option(fc.constantFrom('A', 'B')),
    qty: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(
      fc.array(anyLot, { maxLength: 8 }),
      fc.array(anyDemand, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(null, february),
      (given, demands, sellableFrom) => {
        const lots = given.map(({ onHand, promised, expireDate, ...rest }) =>
          lot(onHand, expireDate, { ...rest, locked: Math.min(onHand, promised) }),
        );
        const before = structuredClone(lots);
        const plan = planAllocation(lots, demands, sellableFrom);
        const { taken, missing } = allocateUnits(lots, demands, sellableFrom);

        assert.deepEqual(lots, before, 'the plan changes nothing');
        assert.equal(plan.kind, missing.size === 0 ? 'planned' : 'short');
        const picked = new Map<number, number>();
        for (const { lot: one, qty } of plan.picks) picked.set(one.lotId, (picked.get(one.lotId) ?? 0) + qty);
        assert.deepEqual(new Map([...picked].sort()), new Map([...taken].sort()));
        const short = new Map<number, number>();
        for (const { productId, requested, available } of plan.kind === 'short' ? plan.shortages : [])
          short.set(productId, (short.get(productId) ?? 0) + requested - available);
        assert.deepEqual(new Map([...short].sort()), new Map([...missing].sort()));
      },
    ),
    { numRuns: 1000 },
  );
});
