import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BoundedQueue } from './bounded-queue.ts';
import { makeLoadShedder } from './load-shedder.ts';
import { makeLruCache } from './lru-cache.ts';
import { makePerKeyLimiter } from './per-key-limiter.ts';
import { makeRateLimit } from './rate-limit.ts';
import { makeSampler } from './sampler.ts';
import { makeScheduler } from './scheduler.ts';
import { makeThrottle } from './throttle.ts';

test('queue: entries leave once, in order; a full queue accepts no entry until one has left', () => {
  const queue = new BoundedQueue<string>(2);
  queue.add('a');
  assert.equal(queue.isFull, false);
  queue.add('b');
  assert.equal(queue.isFull, true);
  assert.throws(() => queue.add('c'), /the queue is full/);

  assert.deepEqual([queue.remove('a'), queue.remove('a')], [true, false]);
  queue.add('c');
  assert.deepEqual([[...queue], queue.size], [['b', 'c'], 2]);
  assert.deepEqual([queue.takeFirst(), queue.takeFirst(), queue.takeFirst()], ['b', 'c', undefined]);
});

test('load shedder: requests do not wait while there is capacity', () => {
  const load = makeLoadShedder(2);
  assert.equal(load.waitForAdmission(), null);
  load.enter();
  assert.equal(load.waitForAdmission(), null);
  load.enter();
  assert.notEqual(load.waitForAdmission(), null);
  assert.deepEqual([load.inFlight(), load.waiting()], [2, 1]);
  load.close();
});

test('load shedder: each request that leaves admits the next one, in the order of arrival', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  const order: string[] = [];
  const waiting = ['first', 'second', 'third'].map(async (name) => {
    assert.equal(await load.waitForAdmission(), null);
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

test('load shedder: an admitted request that enters late does not block the others', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  const first = load.waitForAdmission();
  const second = load.waitForAdmission();
  load.leave();
  // The first one never enters, so its capacity stays free.
  assert.deepEqual(await Promise.all([first, second]), [null, null]);
  load.close();
});

test('load shedder: a request that waits too long gets the reason, and closing rejects the waiting requests', async () => {
  const load = makeLoadShedder(1);
  load.enter();
  assert.equal(await load.waitForAdmission(), '1 requests are in work, and 0 wait');
  const waiting = load.waitForAdmission();
  load.close();
  assert.equal(await waiting, 'the service is stopping');
});

test('LRU cache: the cache holds at most its maximum, including the newest entries', () => {
  const map = makeLruCache<number>(100);
  for (let index = 0; index < 10_000; index++) map.set(`key-${index}`, index);
  const held = Array.from({ length: 10_000 }, (_, index) => index).filter(
    (index) => map.get(`key-${index}`) !== undefined,
  );
  assert.ok(held.length <= 100, `${held.length} are held`);
  assert.deepEqual(
    held.slice(-50),
    Array.from({ length: 50 }, (_, index) => 9950 + index),
  );
});

test('LRU cache: an entry in constant use stays', () => {
  const map = makeLruCache<string>(100);
  map.set('used', 'still here');
  for (let index = 0; index < 10_000; index++) {
    map.set(`key-${index}`, '');
    assert.equal(map.get('used'), 'still here');
  }
});

test('LRU cache: a new value replaces the old one, and a deleted entry is gone', () => {
  const map = makeLruCache<number>(4);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  assert.equal(map.get('a'), 2);
  map.delete('a');
  assert.equal(map.get('a'), undefined);
});

test('per-key limiter: each key runs a limited number at once, the others in the order of arrival; other keys do not wait', async () => {
  const limit = makePerKeyLimiter({ atOnce: 2, waitingMax: 10, waitMaxMs: 60_000 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const running = ['a', 'b', 'c', 'd'].map((name) => limit(1, work(name)));
  const other = limit(2, work('other'));
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b', 'other']);

  ends.get('b')!();
  assert.equal(await running[1], 'b');
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b', 'other', 'c']);
  for (const name of ['a', 'c', 'other']) ends.get(name)!();
  await nextTurn();
  ends.get('d')!();
  assert.deepEqual(await Promise.all([...running, other]), ['a', 'b', 'c', 'd', 'other']);
});

test('per-key limiter: a full queue rejects further work of the key; a failure starts the next one', async () => {
  const limit = makePerKeyLimiter({ atOnce: 1, waitingMax: 1, waitMaxMs: 60_000 });
  const failing = limit(1, () => Promise.reject(new Error('no')));
  const waiting = limit(1, async () => 'served');
  assert.equal(await limit(1, async () => 'too many'), null);
  assert.equal(await limit(2, async () => 'other key'), 'other key');
  await assert.rejects(failing, /no/);
  assert.equal(await waiting, 'served');
  assert.equal(await limit(1, async () => 'later'), 'later');
});

test('per-key limiter: work that waits too long leaves the queue, and the next one starts', async () => {
  const limit = makePerKeyLimiter({ atOnce: 1, waitingMax: 10, waitMaxMs: 20 });
  const end = Promise.withResolvers<string>();
  const first = limit(1, () => end.promise);
  assert.equal(await limit(1, async () => 'too late'), null);
  const waiting = limit(1, async () => 'in time');
  end.resolve('first');
  assert.deepEqual(await Promise.all([first, waiting]), ['first', 'in time']);
});

function limiterAt(perSecond: number | null) {
  const clock = { nowMs: 1000 };
  const limit = makeRateLimit(perSecond, { nowMs: () => clock.nowMs });
  const allowed = (asked: number, key = 'A') =>
    Array.from({ length: asked }, () => limit(key).kind).filter((kind) => kind === 'allowed').length;
  return { clock, limit, allowed };
}

const budgets: [promise: string, perSecond: number, steps: [afterMs: number, asked: number, allowed: number][]][] = [
  ['a key may take the units of one second at once, and no more', 3, [[0, 5, 3]]],
  [
    'the budget refills steadily, not all at once',
    4,
    [
      [0, 4, 4],
      [249, 1, 0],
      [1, 2, 1],
      [500, 3, 2],
    ],
  ],
  [
    'a long pause saves up the units of one second at most',
    2,
    [
      [0, 2, 2],
      [3_600_000, 3, 2],
    ],
  ],
  [
    'a rejected request costs nothing: a caller that keeps asking is served as early as one that waits',
    1,
    [[0, 1, 1], ...Array(7).fill([125, 1, 0]), [125, 1, 1]],
  ],
];
for (const [promise, perSecond, steps] of budgets) {
  test(`rate limit: ${promise}`, () => {
    const { clock, allowed } = limiterAt(perSecond);
    for (const [afterMs, asked, expected] of steps) {
      clock.nowMs += afterMs;
      assert.equal(allowed(asked), expected, `after ${afterMs} ms`);
    }
  });
}

test('rate limit: each key has its own budget, and without a limit everything is allowed', () => {
  const { allowed } = limiterAt(2);
  assert.deepEqual([allowed(3, 'A'), allowed(3, 'B')], [2, 2]);
  assert.equal(limiterAt(null).allowed(10_000), 10_000);
});

test('rate limit: a caller that retries after the returned time is served', () => {
  for (const perSecond of [1, 3, 500]) {
    const { clock, allowed, limit } = limiterAt(perSecond);
    allowed(perSecond);
    assert.deepEqual(limit('A'), { kind: 'limited', retryAfterSeconds: 1 });
    clock.nowMs += 1000;
    assert.deepEqual(limit('A'), { kind: 'allowed' });
  }
});

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

test('sampler: each cause has a burst and then a rate per second', () => {
  const { admitted, pass } = sampler({ burst: 100, perSecond: 2, perDay: 1_000_000 });
  assert.deepEqual([admitted('a', 1000), admitted('b', 50)], [100, 50]);
  pass(3000);
  assert.deepEqual([admitted('a', 1000), admitted('b', 1000)], [6, 56]);
  pass(3_600_000);
  assert.equal(admitted('a', 1000), 100);
});

test('sampler: suppressed events are counted by cause, with the latest event as the example', () => {
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

test('sampler: all causes share a daily budget that refills steadily; summaries wait for it', () => {
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

test('scheduler: work runs in order, a slice per turn, including work that is added meanwhile', async () => {
  const done: number[] = [];
  const schedule = makeScheduler(2);
  for (const number of [1, 2, 3]) schedule(() => void done.push(number));
  schedule(() => schedule(() => void done.push(5)));
  schedule(() => void done.push(4));

  await nextTurn();
  assert.deepEqual(done, [1, 2]);
  await nextTurn();
  assert.deepEqual(done, [1, 2, 3]);
  await nextTurn();
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
  schedule(() => void done.push(6));
  await nextTurn();
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6]);
});

test('scheduler: a queue that is never empty keeps no reference to finished work', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const schedule = makeScheduler(1);
  function add(): WeakRef<object> {
    const something = { done: false };
    schedule(() => {
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

test('throttle: the callers of one second go on at once, further callers wait in order', async () => {
  const throttle = makeThrottle({ perSecond: 100, waitMaxMs: 5000 });
  const turns = Array.from({ length: 120 }, throttle);
  assert.ok(turns.slice(0, 100).every((turn) => turn === null));
  assert.ok(turns.slice(105).every((turn) => turn !== null));

  const order: number[] = [];
  await Promise.all(turns.map((turn, index) => turn?.then(() => order.push(index))));
  assert.deepEqual(
    order,
    order.toSorted((left, right) => left - right),
  );
});

test('throttle: nobody waits longer than the maximum, so nobody waits if it is zero', () => {
  const throttle = makeThrottle({ perSecond: 1, waitMaxMs: 0 });
  assert.ok(Array.from({ length: 1000 }, throttle).every((turn) => turn === null));
});
