import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnnouncedLine, type ArrivedLot, progressOfLines, progressOfProducts } from './line-progress.ts';

const line = (skuId: string, expireDate: string | null, qty: number): AnnouncedLine => ({ skuId, batchId: '', expireDate, qty });
const lot = (skuId: string, expireDate: string | null, units: number, stockType: 'good' | 'bad' = 'good'): ArrivedLot => ({
  ...{ skuId, stockType, batchId: '', expireDate, units },
});

test('units count for the line of their own expiry first, then for any other of the product that still waits', () => {
  const lines = [line('tea', '2030-01-01', 10), line('tea', '2031-01-01', 5), line('cup', null, 2)];
  const lots = [lot('tea', '2031-01-01', 7), lot('tea', '2030-01-01', 4), lot('tea', '2029-01-01', 1, 'bad')];
  assert.deepEqual(progressOfLines(lines, lots), [
    { good: 6, bad: 1, missing: 3 },
    { good: 5, bad: 0, missing: 0 },
    { good: 0, bad: 0, missing: 2 },
  ]);
});

test('what is too many stands at the last line of its product, and nothing is missing there', () => {
  const lines = [line('tea', '2030-01-01', 10), line('tea', '2031-01-01', 10)];
  assert.deepEqual(progressOfLines(lines, [lot('tea', '2030-01-01', 22)]), [
    { good: 10, bad: 0, missing: 0 },
    { good: 12, bad: 0, missing: 0 },
  ]);
});

test('a product may bring as much as all of its lines announce, and the percentage more, rounded down', () => {
  const lines = [line('tea', '2030-01-01', 10), line('tea', '2031-01-01', 5)];
  assert.deepEqual(progressOfProducts(lines, [lot('tea', '2030-01-01', 12), lot('tea', null, 1, 'bad')], 10), [
    { skuId: 'tea', announced: 15, arrived: 13, acceptedMax: 16, stillAccepted: 3 },
  ]);
});
