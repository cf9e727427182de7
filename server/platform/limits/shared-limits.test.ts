import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { makeBruteForceLimiter } from './brute-force-limiter.ts';
import { makeCountsHub } from './counts-hub.ts';
import { makeDecayingCounts } from './decaying-counts.ts';
import { makeLoadShedder } from './load-shedder.ts';
import { makeRateLimit } from './rate-limit.ts';
import { type CountsMessage, makeSharedCounts, reportWithinMs } from './shared-counts.ts';

/** Processes of a node whose messages arrive only in `exchange`. */
function makeNode(t: { after(fn: () => void): void }, processes: number, nowMs?: () => number) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.after(() => mock.timers.reset());
  const hub = makeCountsHub(nowMs);
  const join = (member: number) => {
    const counts = makeSharedCounts(processes, (message) => hub.receive(member, copied(message)), nowMs);
    counts.receive(hub.join(member, (message) => counts.receive(copied(message))));
    return counts;
  };
  const exchange = () => {
    // From the process to the supervisor, then to the others.
    for (let hop = 0; hop < 2; hop++) mock.timers.tick(reportWithinMs);
  };
  return { hub, join, exchange, members: Array.from({ length: processes }, (_, index) => join(index)) };
}

const copied = (message: CountsMessage): CountsMessage => structuredClone(message);

test('rate limit of a node: below the limit nobody is refused, however the requests are distributed', (t) => {
  let now = 0;
  const { members, exchange } = makeNode(t, 3, () => now);
  const limits = members.map((counts) => makeRateLimit(100, { nowMs: () => now, counts }));
  // 90 per second for ten seconds: all at one process, then in turn, with every report delayed by a second.
  for (let second = 0; second < 10; second++, now += 1000, exchange())
    for (let request = 0; request < 90; request++)
      assert.equal(limits[second < 5 ? 0 : request % 3]!('ALPHA').kind, 'allowed');
});

test('rate limit of a node: above the limit, all processes together admit what the limit allows', (t) => {
  let now = 0;
  const { members, exchange } = makeNode(t, 2, () => now);
  const limits = members.map((counts) => makeRateLimit(100, { nowMs: () => now, counts }));
  let admitted = 0;
  for (const end = 10_000; now < end; now += 10, exchange())
    for (const limit of limits)
      for (let request = 0; request < 20; request++) if (limit('ALPHA').kind === 'allowed') admitted++;
  // A second's worth at the beginning, ten seconds, and what the second process admitted before it heard of the first.
  assert.ok(admitted >= 1100 && admitted <= 1100 + 40, `${admitted}`);
  assert.equal(limits[0]!('BETA').kind, 'allowed');
});

test('rate limit of a node: a new process knows what the others have admitted', (t) => {
  const now = 5000;
  const { join, members, exchange } = makeNode(t, 2, () => now);
  const limit = makeRateLimit(10, { nowMs: () => now, counts: members[0]! });
  for (let request = 0; request < 10; request++) assert.equal(limit('ALPHA').kind, 'allowed');
  exchange();
  const later = makeRateLimit(10, { nowMs: () => now, counts: join(7) });
  assert.deepEqual(later('ALPHA'), { kind: 'limited', retryAfterSeconds: 1 });
  assert.equal(later('BETA').kind, 'allowed');
});

test('load shedder of a node: requests of all processes count, and a process that is killed frees its places', async (t) => {
  const { hub, members, exchange } = makeNode(t, 2);
  const [first, second] = members.map((counts) => makeLoadShedder(4, counts));
  for (let request = 0; request < 4; request++) first!.enter();
  assert.equal(second!.isFull(), false);
  exchange();
  assert.equal(second!.isFull(), true);

  const waiting = second!.waitForAdmission();
  hub.leave(0);
  exchange();
  assert.equal(await waiting, null);
  first!.close();
  second!.close();
});

test('load shedder of a node: a full process leaves free places to others that wait, until each has its part', async (t) => {
  const { members, exchange } = makeNode(t, 2);
  const [first, second] = members.map((counts) => makeLoadShedder(4, counts));
  for (let request = 0; request < 4; request++) first!.enter();
  const ownWaiting = [first!.waitForAdmission()!, first!.waitForAdmission()!];
  exchange();
  const otherWaiting = [second!.waitForAdmission()!, second!.waitForAdmission()!];
  exchange();

  first!.leave();
  first!.leave();
  assert.equal(first!.waiting(), 2);
  exchange();
  assert.deepEqual(await Promise.all(otherWaiting), [null, null]);
  second!.enter();
  second!.enter();
  exchange();
  // Both have their part now, and nobody else waits.
  first!.leave();
  assert.equal(await ownWaiting[0], null);
  first!.close();
  second!.close();
});

test('load shedder of a node: all places are used while requests of several processes wait and another one is idle', async (t) => {
  const { members, exchange } = makeNode(t, 3);
  const [first, second, third] = members.map((counts) => makeLoadShedder(6, counts));
  for (const load of [first!, second!]) for (let request = 0; request < 3; request++) load.enter();
  exchange();
  for (const load of [first!, second!]) for (let request = 0; request < 9; request++) load.waitForAdmission();
  exchange();
  for (const load of [first!, second!]) {
    load.leave();
    assert.equal(load.waiting(), 8, 'the place is passed on, although each has its equal part');
    load.enter();
    exchange();
  }

  // The third one has nothing of its part yet, so it gets the places that become free.
  const late = [third!.waitForAdmission()!, third!.waitForAdmission()!];
  exchange();
  for (const load of [first!, second!]) {
    load.leave();
    assert.equal(load.waiting(), 8);
  }
  exchange();
  assert.deepEqual(await Promise.all(late), [null, null]);
  for (const load of [first!, second!, third!]) load.close();
});

test('counts of a node: a new process does not begin with more than the others still count', (t) => {
  let now = 0;
  const { hub, members, exchange } = makeNode(t, 2, () => now);
  const [first] = members.map((counts) =>
    makeDecayingCounts({ name: 'rejections', counts, zeroAtMs: new Map(), leftMaxMs: 4000, nowMs: () => now }),
  );
  for (let rejection = 0; rejection < 10_000; rejection++) first!.add('', 2, now);
  exchange();
  assert.deepEqual(hub.join(7, () => {}).additions, [['rejections', '', 4000, 4000]]);
  now += 4000;
  assert.equal(first!.leftMs('', now), 0);
  assert.deepEqual(hub.join(8, () => {}).additions, []);
});

test('brute-force limiter of a node: failures count in all processes; a success takes them back everywhere', async (t) => {
  const { members, exchange } = makeNode(t, 2);
  const limiters = members.map((counts) => makeBruteForceLimiter(async () => new Set(), 'tokens', counts));
  const guess = { name: 'erp', address: '192.0.2.7' };
  const now = () => performance.now();
  for (let failure = 0; failure < 10; failure++) assert.equal(limiters[failure % 2]!.begin(guess, now()).kind, 'begun');
  exchange();
  for (const limiter of limiters) assert.equal(limiter.begin(guess, now()).kind, 'throttled');

  const other = { name: 'shop', address: '192.0.2.8' };
  const begun = limiters[0]!.begin(other, now());
  exchange();
  assert.ok(begun.kind === 'begun');
  begun.succeeded();
  exchange();
  // All ten failures are left at the other process.
  for (let failure = 0; failure < 10; failure++) assert.equal(limiters[1]!.begin(other, now()).kind, 'begun');
  assert.equal(limiters[1]!.begin(other, now()).kind, 'throttled');
});
