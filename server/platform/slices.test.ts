import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { makeSlices } from './slices.ts';

test('work is done in its order, so much in a turn, also what is added meanwhile', async () => {
  const done: number[] = [];
  const inTurn = makeSlices(2);
  for (const number of [1, 2, 3]) inTurn(() => void done.push(number));
  inTurn(() => inTurn(() => void done.push(5)));
  inTurn(() => void done.push(4));

  await nextTurn();
  assert.deepEqual(done, [1, 2]);
  await nextTurn();
  assert.deepEqual(done, [1, 2, 3]);
  await nextTurn();
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
  inTurn(() => void done.push(6));
  await nextTurn();
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6]);
});

test('a row that is never empty keeps nothing of what was done', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inTurn = makeSlices(1);
  function add(): WeakRef<object> {
    const something = { done: false };
    inTurn(() => {
      something.done = true;
    });
    return new WeakRef(something);
  }

  const first = add();
  for (let count = 0; count < 10; count++) add();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  collectGarbage();
  assert.equal(first.deref(), undefined);
});
