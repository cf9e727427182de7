import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRateLimit } from './rate-limit.ts';

function limiterAt(perSecond: number | null) {
  const clock = { nowMs: 1000 };
  const limit = makeRateLimit(perSecond, () => clock.nowMs);
  return { clock, take: (count: number, key = 'A') => Array.from({ length: count }, () => limit(key).kind), limit };
}

test("a key may take one second's worth at once, and no more", () => {
  const { take } = limiterAt(3);
  assert.deepEqual(take(5), ['allowed', 'allowed', 'allowed', 'limited', 'limited']);
});

test('each key has a budget of its own', () => {
  const { take } = limiterAt(2);
  assert.deepEqual(take(3, 'A'), ['allowed', 'allowed', 'limited']);
  assert.deepEqual(take(3, 'B'), ['allowed', 'allowed', 'limited']);
});

test('the budget comes back steadily, not all at once', () => {
  const { clock, take } = limiterAt(4);
  take(4);
  clock.nowMs += 249;
  assert.deepEqual(take(1), ['limited']);
  clock.nowMs += 1;
  assert.deepEqual(take(2), ['allowed', 'limited']);
  clock.nowMs += 500;
  assert.deepEqual(take(3), ['allowed', 'allowed', 'limited']);
});

test("a long rest saves up no more than one second's worth", () => {
  const { clock, take } = limiterAt(2);
  take(2);
  clock.nowMs += 3_600_000;
  assert.deepEqual(take(3), ['allowed', 'allowed', 'limited']);
});

test('a refused call costs nothing: who keeps asking is served as soon as who waits', () => {
  const { clock, take } = limiterAt(1);
  take(1);
  for (let step = 0; step < 7; step++) {
    clock.nowMs += 125;
    assert.deepEqual(take(1), ['limited']);
  }
  clock.nowMs += 125;
  assert.deepEqual(take(1), ['allowed']);
});

test('who comes back after the told time is served', () => {
  for (const perSecond of [1, 3, 500]) {
    const { clock, take, limit } = limiterAt(perSecond);
    take(perSecond);
    const verdict = limit('A');
    assert.deepEqual(verdict, { kind: 'limited', retryAfterSeconds: 1 });
    clock.nowMs += 1000;
    assert.deepEqual(limit('A'), { kind: 'allowed' });
  }
});

test('without a limit everything is allowed', () => {
  const { take } = limiterAt(null);
  assert.deepEqual(new Set(take(10_000)), new Set(['allowed']));
});
