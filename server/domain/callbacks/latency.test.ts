import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyClass, latencyLimitsMs, latencyWithin } from './latency.ts';

const countsOf = (durations: number[]) => {
  const counts = Array.from({ length: latencyLimitsMs.length + 1 }, () => 0);
  for (const duration of durations) counts[latencyClass(duration)]! += 1;
  return counts;
};

test('a response time is in the class whose limit it stays below, and the last class has no limit', () => {
  assert.deepEqual([0, 4.9, 5, 9_999, 10_000, 60_000].map(latencyClass), [0, 0, 1, 17, 18, 18]);
});

test('half of the responses and 95 % of them are found within the limits of their class; without responses there is no time', () => {
  assert.equal(latencyWithin(countsOf([]), 0.5), null);
  assert.equal(latencyWithin(countsOf([22]), 0.5), 28);
  const mixed = countsOf([...Array.from({ length: 90 }, () => 80), ...Array.from({ length: 10 }, () => 3000)]);
  assert.equal(latencyWithin(mixed, 0.5), 89);
  assert.equal(latencyWithin(mixed, 0.95), 2750);
  assert.equal(latencyWithin(countsOf([60_000]), 0.95), 10_000);
});
