import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePace } from './pace.ts';

test('a second’s worth goes at once, what comes beyond it waits for its turn', async () => {
  const pace = makePace({ perSecond: 100, waitMaxMs: 5000 });
  const turns = Array.from({ length: 120 }, pace);
  assert.ok(turns.slice(0, 100).every((turn) => turn === null));
  assert.ok(turns.slice(105).every((turn) => turn !== null));

  const order: number[] = [];
  await Promise.all(turns.map((turn, index) => turn?.then(() => order.push(index))));
  assert.deepEqual(
    order,
    order.toSorted((left, right) => left - right),
  );
});

test('nobody waits longer than allowed: where that is no time at all, nobody waits', () => {
  const pace = makePace({ perSecond: 1, waitMaxMs: 0 });
  assert.ok(Array.from({ length: 1000 }, pace).every((turn) => turn === null));
});
