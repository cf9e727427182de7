import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sendInTurns } from './send-in-turns.ts';

test('statements are sent in their order, one a turn, and none waits for the answer of another', async () => {
  const sent: number[] = [];
  const send = (number: number) => () => {
    sent.push(number);
    return new Promise(() => {});
  };
  const sending = sendInTurns([send(1), send(2), send(3)]);

  assert.deepEqual(sent, []);
  await nextTurn();
  assert.deepEqual(sent, [1]);
  await nextTurn();
  assert.deepEqual(sent, [1, 2]);
  await nextTurn();
  assert.deepEqual(sent, [1, 2, 3]);
  assert.equal((await sending).length, 3);
});

// The runner fails a test in which a failure goes unheard.
test('one that fails before the last is sent is heard by whoever waits for them, and surprises nobody', async () => {
  const failure = new Error('refused');
  const sent = await sendInTurns([() => Promise.reject(failure), async () => 'done', async () => 'done']);

  assert.deepEqual(await Promise.allSettled(sent), [
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 'done' },
    { status: 'fulfilled', value: 'done' },
  ]);
});
