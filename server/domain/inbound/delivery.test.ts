import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, sumArrived } from './arrived-units.ts';
import { type Awaited, acceptedMaxOf, hasAllCome, mistakesIn } from './delivery.ts';

const awaited = (...products: [productId: number, announced: number, received: number][]) =>
  new Map(products.map(([productId, announced, received]): [number, Awaited] => [productId, { productId, announced, received }]));

test('more than announced is accepted up to the percentage, rounded down to whole units', () => {
  const cases: [announced: number, percent: number, acceptedMax: number][] = [
    [100, 0, 100],
    [100, 10, 110],
    [9, 10, 9],
    [19, 10, 20],
    [1, 99, 1],
    [1, 100, 2],
    [3, 1000, 33],
    [23_000_000_000_001, 1000, 253_000_000_000_011],
    [999_999_999_999, 33, 1_329_999_999_998],
  ];
  for (const [announced, percent, acceptedMax] of cases) assert.equal(acceptedMaxOf(announced, percent), acceptedMax);
});

test('units of a product are counted together, whatever lines they stand in, and each product that is wrong is told', () => {
  const reported = [
    { skuId: 'TEA', productId: 1, qty: 6 },
    { skuId: 'CAKE', productId: 2, qty: 1 },
    { skuId: 'TEA', productId: 1, qty: 5 },
    { skuId: 'SALT', productId: 3, qty: 2 },
    { skuId: 'NEW', productId: null, qty: 1 },
    { skuId: 'NEW', productId: null, qty: 1 },
  ];
  assert.deepEqual(mistakesIn(reported, awaited([1, 20, 12], [2, 1, 0]), 10), [
    { kind: 'too_many', skuId: 'TEA', announced: 20, received: 12, reported: 11, acceptedMax: 22 },
    { kind: 'not_announced', skuId: 'SALT', announced: 0, received: 0, reported: 2 },
    { kind: 'not_announced', skuId: 'NEW', announced: 0, received: 0, reported: 2 },
  ]);
  assert.deepEqual(mistakesIn(reported.slice(0, 3), awaited([1, 20, 11], [2, 1, 0]), 10), []);
});

test('all has come when no product is short; one too many does not make up for another that is missing', () => {
  assert.equal(hasAllCome(awaited([1, 10, 10], [2, 5, 6]).values()), true);
  assert.equal(hasAllCome(awaited([1, 10, 11], [2, 5, 4]).values()), false);
});

test('what has arrived is summed by lot and in one order, and what was taken back is gone', () => {
  const units = (skuId: string, stockType: 'good' | 'bad', expireDate: string | null, batchId: string, qty: number) => ({
    ...{ skuId, stockType, batchId, expireDate, qty },
  });
  assert.deepEqual(
    sumArrived([
      units('B', 'good', null, '', 1),
      units('A', 'bad', '2030-01-01', '', 2),
      units('A', 'good', null, '', 3),
      units('A', 'good', '2031-01-01', 'L2', 4),
      units('A', 'good', '2031-01-01', 'L1', 5),
      units('A', 'good', '2031-01-01', 'L2', 6),
      units('C', 'good', null, '', 7),
      units('C', 'good', null, '', -7),
    ]),
    [
      units('A', 'good', '2031-01-01', 'L1', 5),
      units('A', 'good', '2031-01-01', 'L2', 10),
      units('A', 'good', null, '', 3),
      units('A', 'bad', '2030-01-01', '', 2),
      units('B', 'good', null, '', 1),
    ],
  );
});

test('differences are of products, in both directions, and of those only that differ', () => {
  const announced = [
    { skuId: 'B', qty: 5 },
    { skuId: 'A', qty: 3 },
    { skuId: 'B', qty: 5 },
    { skuId: 'SAME', qty: 1 },
  ];
  const received = [
    { skuId: 'A', qty: 4 },
    { skuId: 'B', qty: 2 },
    { skuId: 'SAME', qty: 1 },
  ];
  assert.deepEqual(differencesOf(announced, received), [
    { skuId: 'B', announced: 10, received: 2 },
    { skuId: 'A', announced: 3, received: 4 },
  ]);
});
