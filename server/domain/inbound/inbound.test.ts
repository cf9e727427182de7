import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, sumArrived } from './arrived-units.ts';
import { type Awaited, acceptedMaxOf, hasAllCome, mistakesIn } from './delivery.ts';
import type { ReceiptSum } from './inbound-detail-queries.ts';
import { receiptsOf } from './inbound-receipts.ts';
import { type AnnouncedLine, type ArrivedLot, progressOfLines, progressOfProducts } from './line-progress.ts';

const awaited = (...products: [productId: number, announced: number, received: number][]) =>
  new Map(
    products.map(([productId, announced, received]): [number, Awaited] => [
      productId,
      { productId, announced, received },
    ]),
  );

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

test('units of a product are counted across lines, and each product with a mistake is reported', () => {
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

test('a delivery is complete when no product is short; an excess unit does not replace a missing one', () => {
  assert.equal(hasAllCome(awaited([1, 10, 10], [2, 5, 6]).values()), true);
  assert.equal(hasAllCome(awaited([1, 10, 11], [2, 5, 4]).values()), false);
});

test('received units are summed by lot in a fixed order, without retracted units', () => {
  const units = (
    skuId: string,
    stockType: 'good' | 'bad',
    expireDate: string | null,
    batchId: string,
    qty: number,
  ) => ({
    skuId,
    stockType,
    batchId,
    expireDate,
    qty,
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

test('differences are listed by product, in both directions, only where there is one', () => {
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

const line = (skuId: string, expireDate: string | null, qty: number): AnnouncedLine => ({
  skuId,
  batchId: '',
  expireDate,
  qty,
});
const lot = (
  skuId: string,
  expireDate: string | null,
  units: number,
  stockType: 'good' | 'bad' = 'good',
): ArrivedLot => ({
  skuId,
  stockType,
  batchId: '',
  expireDate,
  units,
});

test('units count for the line with the same expiry first, then for any line of the product that still expects units', () => {
  const lines = [line('tea', '2030-01-01', 10), line('tea', '2031-01-01', 5), line('cup', null, 2)];
  const lots = [lot('tea', '2031-01-01', 7), lot('tea', '2030-01-01', 4), lot('tea', '2029-01-01', 1, 'bad')];
  assert.deepEqual(progressOfLines(lines, lots), [
    { good: 6, bad: 1, missing: 3 },
    { good: 5, bad: 0, missing: 0 },
    { good: 0, bad: 0, missing: 2 },
  ]);
});

test('excess units count for the last line of their product, which then misses none', () => {
  const lines = [line('tea', '2030-01-01', 10), line('tea', '2031-01-01', 10)];
  assert.deepEqual(progressOfLines(lines, [lot('tea', '2030-01-01', 22)]), [
    { good: 10, bad: 0, missing: 0 },
    { good: 12, bad: 0, missing: 0 },
  ]);
});

test('a product accepts the sum of its lines plus the percentage, rounded down', () => {
  const lines = [line('tea', '2030-01-01', 10), line('tea', '2031-01-01', 5)];
  assert.deepEqual(progressOfProducts(lines, [lot('tea', '2030-01-01', 12), lot('tea', null, 1, 'bad')], 10), [
    { skuId: 'tea', announced: 15, arrived: 13, acceptedMax: 16, stillAccepted: 3 },
  ]);
});

const sum = (at: string, trace_id: string): ReceiptSum => ({
  at,
  actor: 'PROD',
  trace_id,
  good: 1,
  bad: 0,
  lot_count: 1,
});

test('a receipt number and its reason are shown only if they can belong to just one receipt', () => {
  const sums = [sum('3', 'c'), sum('2', 'b'), sum('2', 'a'), sum('1', 'first')];
  const numbered = [
    { receipt_no: 'R-1', at: '1', return_reason: 'other' },
    { receipt_no: 'R-2', at: '2', return_reason: 'refused' },
  ];
  assert.deepEqual(
    receiptsOf(sums, [], numbered).map(({ receiptNo, returnReason }) => [receiptNo, returnReason]),
    [
      [null, null],
      [null, null],
      [null, null],
      ['R-1', 'other'],
    ],
  );
});
