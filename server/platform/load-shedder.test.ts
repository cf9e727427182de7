import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoadShedder } from './load-shedder.ts';

test('while there is room nobody waits', () => {
  const load = makeLoadShedder(2);
  assert.equal(load.waitAtTheDoor(), null);
  load.enter();
  assert.equal(load.waitAtTheDoor(), null);
  load.enter();
  assert.notEqual(load.waitAtTheDoor(), null);
  assert.deepEqual([load.inFlight(), load.waiting()], [2, 1]);
  load.close();
});

test('each who leaves lets one in, in the order of coming', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  const order: string[] = [];
  const waiting = ['first', 'second', 'third'].map(async (name) => {
    assert.equal(await load.waitAtTheDoor(), null);
    load.enter();
    order.push(name);
    load.leave();
  });
  load.leave();
  await Promise.all(waiting);
  assert.deepEqual(order, ['first', 'second', 'third']);
  assert.deepEqual([load.inFlight(), load.waiting()], [0, 0]);
  load.close();
});

test('who is let in and takes long to come does not keep the others out', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  const first = load.waitAtTheDoor();
  const second = load.waitAtTheDoor();
  load.leave();
  // The first never enters; room is there all the same.
  assert.deepEqual(await Promise.all([first, second]), [null, null]);
  load.close();
});

test('who waits in vain is told why', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  assert.equal(await load.waitAtTheDoor(), '1 requests are in work, and 0 wait');
  load.close();
});

test('when it closes, those who wait are turned away', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  const waiting = load.waitAtTheDoor();
  load.close();
  assert.equal(await waiting, 'the service is stopping');
});
