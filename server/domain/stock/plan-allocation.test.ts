import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arrangeLots } from './arrange-lots.ts';
import type { Lot } from './lot.ts';
import { type Demand, explainPassedOver, planAllocation as planArranged } from './plan-allocation.ts';

let lotsMade = 0;
function lot(onHand: number, expireDate: string | null, other: Partial<Lot> = {}): Lot {
  return { lotId: ++lotsMade, productId: 1, warehouseNo: 1, stockType: 'good', batchId: '', expireDate, onHand, locked: 0, ...other };
}

const planAllocation = (lots: Lot[], demands: Demand[], sellableFrom: string | null) =>
  planArranged(arrangeLots(lots), demands, sellableFrom);

const january = '2030-01-31';
const february = '2030-02-28';
const march = '2030-03-31';

test('the earliest expiry goes first, then the oldest lot; what does not expire goes last', () => {
  const [never, late, younger, older] = [lot(5, null), lot(5, february), lot(5, january, { lotId: 900 }), lot(5, january, { lotId: 800 })];
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

test('it tells of every lot that it passes over, why', () => {
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

test('the last sellable day is sellable, and what does not expire always is', () => {
  const plan = planAllocation([lot(1, january), lot(1, null)], [{ productId: 1, qty: 2 }], january);
  assert.equal(plan.kind, 'planned');
});

test('the same product on several lines is one demand; what there would be for it is told', () => {
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

test('all or nothing: every product that is short is named, in the order asked for', () => {
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

test('a demand without a batch, or for null, takes any', () => {
  for (const any of [{}, { batchId: null }]) {
    const plan = planAllocation([lot(1, january, { batchId: 'A' }), lot(1, january)], [{ productId: 1, qty: 2, ...any }], null);
    assert.equal(plan.kind, 'planned');
  }
});

test('a batch is short although there is enough of others', () => {
  const [of, other] = [lot(2, january, { batchId: 'B' }), lot(9, january, { batchId: 'C' })];
  const plan = planAllocation([of, other], [{ productId: 1, batchId: 'B', qty: 3 }], null);
  assert.deepEqual(plan, {
    kind: 'short',
    picks: [{ lot: of, qty: 2 }],
    shortages: [{ productId: 1, available: 2, requested: 3 }],
  });
});

test('demands for a batch choose before those for any, and what they take is gone', () => {
  const [first, second] = [lot(2, january, { batchId: 'B' }), lot(2, february, { batchId: 'C' })];
  const demands = [
    { productId: 1, qty: 2 },
    { productId: 1, batchId: 'B', qty: 1 },
    { productId: 1, batchId: 'B', qty: 1 },
  ];
  const plan = planAllocation([first, second], demands, null);
  assert.deepEqual(plan, {
    kind: 'planned',
    picks: [
      { lot: first, qty: 2 },
      { lot: second, qty: 2 },
    ],
  });
  assert.deepEqual(explainPassedOver(plan, [first, second], demands, null), []);
  assert.equal(planAllocation([first, second], [...demands, { productId: 1, qty: 1 }], null).kind, 'short');
});

test('the same batch of two products are two demands', () => {
  const [one, two] = [lot(1, january, { batchId: 'B' }), lot(1, january, { batchId: 'B', productId: 2 })];
  const demands = [1, 2].map((productId) => ({ productId, batchId: 'B', qty: 1 }));
  const plan = planAllocation([one, two], demands, null);
  assert.deepEqual(plan.kind === 'planned' && plan.picks.map(({ lot: { lotId }, qty }) => [lotId, qty]), [
    [one.lotId, 1],
    [two.lotId, 1],
  ]);
});

test('many who want many batches of many lots: each looks at its own, and nobody at what others have used up', () => {
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

/** Unit by unit: each demand in its turn takes the first unit that it may have. */
function allocateUnits(lots: Lot[], demands: { productId: number; batchId: string | null; qty: number }[], sellableFrom: string | null) {
  const units = lots
    .filter((one) => one.stockType === 'good' && (sellableFrom === null || (one.expireDate ?? '9999') >= sellableFrom))
    .sort((a, b) => ((a.expireDate ?? '9999') < (b.expireDate ?? '9999') ? -1 : a.expireDate === b.expireDate ? a.lotId - b.lotId : 1))
    .flatMap((one) => Array<Lot>(Math.max(0, one.onHand - one.locked)).fill(one));
  const taken = new Map<number, number>();
  let missing = 0;
  for (const { productId, batchId, qty } of [
    ...demands.filter((one) => one.batchId !== null),
    ...demands.filter((one) => one.batchId === null),
  ]) {
    for (let unit = 0; unit < qty; unit++) {
      const index = units.findIndex((one) => one.productId === productId && (batchId === null || one.batchId === batchId));
      if (index < 0) {
        missing++;
        continue;
      }
      const [{ lotId }] = units.splice(index, 1) as [Lot];
      taken.set(lotId, (taken.get(lotId) ?? 0) + 1);
    }
  }
  return { taken, missing };
}

test('whatever lies there, with batches: it takes from each lot what one would take unit by unit', () => {
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
        assert.equal(plan.kind, missing === 0 ? 'planned' : 'short');
        const picked = new Map<number, number>();
        for (const { lot: one, qty } of plan.picks) picked.set(one.lotId, (picked.get(one.lotId) ?? 0) + qty);
        assert.deepEqual(new Map([...picked].sort()), new Map([...taken].sort()));
        if (plan.kind === 'short') {
          assert.equal(
            plan.shortages.reduce((sum, { requested, available }) => sum + requested - available, 0),
            missing,
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('whatever lies there: exactly what is asked for, never more than is free, and no earlier lot is left while a later one is taken', () => {
  const anyLot = fc.record({
    onHand: fc.integer({ min: 0, max: 9 }),
    promised: fc.integer({ min: 0, max: 9 }),
    expireDate: fc.constantFrom(null, january, february, march),
    stockType: fc.constantFrom<Lot['stockType']>('good', 'good', 'bad'),
    productId: fc.integer({ min: 1, max: 2 }),
  });
  const anyDemands = fc.array(fc.record({ productId: fc.integer({ min: 1, max: 2 }), qty: fc.integer({ min: 1, max: 12 }) }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.array(anyLot, { maxLength: 8 }), anyDemands, fc.constantFrom(null, february), (given, demands, sellableFrom) => {
      const lots = given.map(({ onHand, promised, expireDate, ...rest }) =>
        lot(onHand, expireDate, { ...rest, locked: Math.min(onHand, promised) }),
      );
      const before = structuredClone(lots);
      const plan = planAllocation(lots, demands, sellableFrom);

      assert.deepEqual(lots, before, 'the plan changes nothing');
      const sellable = (one: Lot) =>
        one.stockType === 'good' &&
        one.onHand > one.locked &&
        (sellableFrom === null || one.expireDate === null || one.expireDate >= sellableFrom);
      for (const productId of new Set(demands.map((demand) => demand.productId))) {
        const requested = demands.filter((demand) => demand.productId === productId).reduce((sum, demand) => sum + demand.qty, 0);
        const those = lots.filter((one) => one.productId === productId && sellable(one));
        const available = those.reduce((sum, one) => sum + one.onHand - one.locked, 0);
        if (plan.kind === 'short') {
          const shortage = plan.shortages.find((one) => one.productId === productId);
          assert.deepEqual(shortage, available < requested ? { productId, available, requested } : undefined);
          continue;
        }
        const picks = plan.picks.filter((pick) => pick.lot.productId === productId);
        assert.equal(
          picks.reduce((sum, pick) => sum + pick.qty, 0),
          requested,
        );
        const rank = (one: Lot) => `${one.expireDate ?? '9999'}/${String(one.lotId).padStart(12, '0')}`;
        const lastTaken = picks
          .map((pick) => rank(pick.lot))
          .sort()
          .at(-1)!;
        for (const one of those.filter((candidate) => rank(candidate) < lastTaken)) {
          assert.equal(picks.find((pick) => pick.lot === one)?.qty, one.onHand - one.locked, 'earlier lots are emptied first');
        }
      }
    }),
    { numRuns: 500 },
  );
});
