import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { makeTurns } from './turns.ts';

test('so many of a key at a time, the others in the order of coming; other keys do not wait for them', async () => {
  const inTurn = makeTurns({ atOnce: 2, waitingMax: 10, waitMaxMs: 60_000 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const running = ['a', 'b', 'c', 'd'].map((name) => inTurn(1, work(name)));
  const other = inTurn(2, work('other'));
  await nextTick();
  assert.deepEqual(begun, ['a', 'b', 'other']);

  ends.get('b')!();
  assert.equal(await running[1], 'b');
  await nextTick();
  assert.deepEqual(begun, ['a', 'b', 'other', 'c']);
  for (const name of ['a', 'c', 'other']) ends.get(name)!();
  await nextTick();
  ends.get('d')!();
  assert.deepEqual(await Promise.all([...running, other]), ['a', 'b', 'c', 'd', 'other']);
});

test('where too many of a key wait, another one is not taken; a failure gives its turn on', async () => {
  const inTurn = makeTurns({ atOnce: 1, waitingMax: 1, waitMaxMs: 60_000 });
  const failing = inTurn(1, () => Promise.reject(new Error('no')));
  const waiting = inTurn(1, async () => 'served');
  assert.equal(await inTurn(1, async () => 'too many'), null);
  assert.equal(await inTurn(2, async () => 'other key'), 'other key');
  await assert.rejects(failing, /no/);
  assert.equal(await waiting, 'served');
  assert.equal(await inTurn(1, async () => 'later'), 'later');
});

test('whose turn does not come in time leaves the line, and the next one has it', async () => {
  const inTurn = makeTurns({ atOnce: 1, waitingMax: 10, waitMaxMs: 20 });
  const end = Promise.withResolvers<string>();
  const first = inTurn(1, () => end.promise);
  assert.equal(await inTurn(1, async () => 'too late'), null);
  const waiting = inTurn(1, async () => 'in time');
  end.resolve('first');
  assert.deepEqual(await Promise.all([first, waiting]), ['first', 'in time']);
});
