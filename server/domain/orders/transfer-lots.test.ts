import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareLots } from './transfer-lots.ts';

const line = (skuId: string, qty: number, batchId: string | null = null) => ({ skuId, qty, batchId });
const lot = (skuId: string, qty: number, expireDate: string | null, batchId = '') => ({ skuId, qty, expireDate, batchId });
const shared = (...args: Parameters<typeof shareLots>) =>
  shareLots(...args).map(({ lots }) => lots.map(({ batchId, expireDate, qty }) => `${qty} of ${batchId || '-'} ${expireDate ?? 'never'}`));

test('each line has as many units as it wants, from the earliest expiry on', () => {
  const lines = [line('A', 2), line('B', 1), line('A', 3)];
  const lots = [lot('A', 1, null), lot('A', 4, '2030-01-01'), lot('B', 1, '2031-01-01')];
  assert.deepEqual(shared(lines, lots), [['2 of - 2030-01-01'], ['1 of - 2031-01-01'], ['2 of - 2030-01-01', '1 of - never']]);
});

test('a line of one batch has units of that batch, whatever the others take', () => {
  const lines = [line('A', 2), line('A', 2, 'X')];
  const lots = [lot('A', 2, '2030-01-01', 'X'), lot('A', 2, '2031-01-01', 'Y')];
  assert.deepEqual(shared(lines, lots), [['2 of Y 2031-01-01'], ['2 of X 2030-01-01']]);
});

test('where nothing is held, there is nothing to share', () => {
  assert.deepEqual(shared([line('A', 2)], []), [[]]);
});
