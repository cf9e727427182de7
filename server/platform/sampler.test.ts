import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSampler } from './sampler.ts';

function sampler(rules: { burst: number; perSecond: number; perDay: number }) {
  let nowMs = 0;
  const { admits, takeSuppressed } = makeSampler<string>(rules, () => nowMs);
  return {
    admits,
    takeSuppressed,
    admitted: (cause: string, count: number) =>
      Array.from({ length: count }, (_, index) => admits(cause, `${cause}-${index}`)).filter(Boolean).length,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test('each cause has a burst, and then so many a second', () => {
  const { admitted, pass } = sampler({ burst: 100, perSecond: 2, perDay: 1_000_000 });
  assert.deepEqual([admitted('a', 1000), admitted('b', 50)], [100, 50]);
  pass(3000);
  assert.deepEqual([admitted('a', 1000), admitted('b', 1000)], [6, 56]);
  pass(3_600_000);
  assert.equal(admitted('a', 1000), 100);
});

test('what was not admitted is counted by its cause, and the last one stands for all', () => {
  const { admitted, takeSuppressed } = sampler({ burst: 10, perSecond: 1, perDay: 1000 });
  admitted('a', 30);
  admitted('b', 11);
  admitted('c', 5);
  assert.deepEqual(takeSuppressed(), [
    { item: 'a-29', count: 20 },
    { item: 'b-10', count: 1 },
  ]);
  assert.deepEqual(takeSuppressed(), []);
});

test('all causes together have a budget for the day, which comes back steadily; sums wait for it', () => {
  const { admitted, takeSuppressed, pass } = sampler({ burst: 100, perSecond: 1, perDay: 240 });
  const admittedOfFour = ['a', 'b', 'c', 'd'].map((cause) => admitted(cause, 100));
  assert.deepEqual(admittedOfFour, [100, 100, 40, 0]);
  assert.deepEqual(takeSuppressed(), []);
  pass(3_600_000);
  assert.deepEqual(takeSuppressed(), [
    { item: 'c-99', count: 60 },
    { item: 'd-99', count: 100 },
  ]);
  assert.equal(admitted('e', 100), 8);
});
