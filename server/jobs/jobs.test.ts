import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcome } from '../../messages/outcome-texts.ts';
import { laneName } from '../domain/callbacks/callback.ts';
import { startOf } from '../domain/callbacks/lane-queries.ts';
import type { FinishedAttempt } from '../domain/callbacks/record-and-claim.ts';
import { deliveryRules } from '../domain/callbacks/retry-schedule.ts';
import { pushRules } from '../domain/transfers/transfer.ts';
import { CrowdedLanes } from './crowded-lanes.ts';
import { FinishedAttempts, type UnrecordedAttempt } from './finished-attempts.ts';
import { QueueScan } from './queue-scan.ts';
import { SlotUsage } from './slot-usage.ts';
import { failuresBefore, newProgress, scheduleAfter, type WaveProgress } from './wave-end.ts';

const furtherOn = [{ accountId: 7, afterReceiverId: 'r-200' }];
const lane = (receiverId: string) => ({ accountId: 7, receiverId });
const named = (...receiverIds: string[]) => receiverIds.map(lane).map(laneName);
const healthy = (receiverId: string) => ({ ...lane(receiverId), suspect: false, host: 'a.example' });
const suspect = (receiverId: string, host: string) => ({ ...lane(receiverId), suspect: true, host });

test('a scan reads page after page without a pause, and the next scan follows after the interval', () => {
  const scan = new QueueScan(3);
  assert.equal(scan.beginPage(100), 'all');
  scan.endPage(furtherOn, 101);
  assert.equal(scan.beginPage(102), furtherOn);
  scan.endPage([], 103);
  assert.equal(scan.dueAtMs(), 3103);
  assert.equal(scan.beginPage(3102), null);
  assert.equal(scan.beginPage(3103), 'all');
});

test('a page that could not be read stays due', () => {
  const scan = new QueueScan(3);
  scan.beginPage(100);
  assert.equal(scan.beginPage(101), 'all');
});

test('a request moves the next scan up, but not closer than 50 ms to the last one', () => {
  const scan = new QueueScan(3);
  scan.beginPage(100);
  scan.endPage([], 100);
  scan.requestAll();
  assert.equal(scan.dueAtMs(), 150);
  assert.equal(scan.beginPage(150), 'all');
});

test('a request for accounts brings a scan of these, and the scan of all keeps its time', () => {
  const scan = new QueueScan(3);
  scan.beginPage(100);
  scan.endPage([], 100);
  for (const accountId of [8, 7, 8]) scan.request(accountId);
  assert.equal(scan.dueAtMs(), 150);
  assert.deepEqual(scan.beginPage(200), [startOf(8), startOf(7)]);
  scan.endPage([], 201);
  assert.equal(scan.dueAtMs(), 3100);
  scan.request(7);
  assert.equal(scan.beginPage(3100), 'all');
  scan.endPage([], 3101);
  assert.equal(scan.dueAtMs(), 6101);
});

test('a request during a scan brings another scan after it', () => {
  const scan = new QueueScan(3);
  scan.beginPage(100);
  scan.requestAll();
  scan.endPage(furtherOn, 110);
  scan.beginPage(110);
  scan.endPage([], 120);
  assert.equal(scan.dueAtMs(), 170);
  scan.beginPage(170);
  scan.endPage([], 180);
  assert.equal(scan.dueAtMs(), 3180);
});

test('slots are counted in total, for each receiver and for suspects at each host', () => {
  const usage = new SlotUsage({ ...deliveryRules, slots: 3, suspectSlots: 2, suspectSlotsPerHost: 1 });
  usage.begin(healthy('h'));
  usage.begin(suspect('s', 'b.example'));
  assert.deepEqual(usage.free(), { all: 1, suspect: 1 });
  assert.deepEqual([usage.usedBy(lane('h')), usage.usedBy(lane('s')), usage.usedBy(lane('x'))], [1, 1, 0]);
  assert.deepEqual([usage.freeForSuspectsAt('b.example'), usage.freeForSuspectsAt('c.example')], [0, 1]);
  usage.begin(healthy('h'));
  assert.equal(usage.hasFree(), false);

  for (const destination of [healthy('h'), healthy('h'), suspect('s', 'b.example')]) usage.end(destination);
  assert.deepEqual(usage.free(), { all: 3, suspect: 2 });
  assert.deepEqual([usage.inFlight(), usage.usedBy(lane('h')), usage.suspectsAt().size], [0, 0, 0]);
});

test('crowded receivers are admitted in the order of their arrival, and no more than there are slots', () => {
  const usage = new SlotUsage({ ...deliveryRules, slots: 2 });
  const crowded = new CrowdedLanes();
  for (const receiverId of ['first', 'second', 'third']) crowded.add(healthy(receiverId));
  usage.begin(healthy('other'));
  assert.deepEqual(crowded.admit(usage), named('first'));
  assert.deepEqual(
    named('first', 'second').map((name) => crowded.has(name)),
    [false, true],
  );
  usage.begin(healthy('first'));
  assert.deepEqual(crowded.admit(usage), []);
});

test('crowded suspects are admitted within the limit of their host, and hosts take turns', () => {
  const usage = new SlotUsage({ ...deliveryRules, slots: 10, suspectSlots: 2, suspectSlotsPerHost: 1 });
  const crowded = new CrowdedLanes();
  for (const [receiverId, host] of [...['a1', 'a2'].map((id) => [id, 'a']), ['b1', 'b'], ['c1', 'c']])
    crowded.add(suspect(receiverId!, host!));
  assert.deepEqual(crowded.admit(usage), named('a1', 'b1'));
  assert.deepEqual(crowded.admit(usage), named('c1', 'a2'));
  assert.deepEqual(crowded.admit(usage), []);
});

const attempt = (callbackId: number, leaseEndsAtMs = 1000) =>
  ({ callback: { callbackId }, leaseEndsAtMs, startedAtMs: 0, attempted: { kind: 'untried' } }) as UnrecordedAttempt;
const deferred = (...attempts: UnrecordedAttempt[]) => attempts as unknown as FinishedAttempt[];

function queued(...attempts: UnrecordedAttempt[]): FinishedAttempts {
  const finished = new FinishedAttempts();
  for (const one of attempts) finished.add(one);
  return finished;
}

test('a turn takes everything, and what was deferred comes first in the next one', () => {
  const [a, b, c] = [attempt(1), attempt(2), attempt(3)];
  const finished = queued(a, b);
  assert.deepEqual(finished.take(), [a, b]);
  assert.equal(finished.isEmpty(), true);
  finished.add(c);
  assert.deepEqual(finished.settle([a, b], deferred(b), 500), []);
  assert.deepEqual(finished.take(), [b, c]);
});

test('attempts whose lease has ended are dropped, in the queue and among those put back', () => {
  const [ended, held, waiting] = [attempt(1, 400), attempt(2), attempt(3, 300)];
  const finished = queued(waiting);
  assert.deepEqual(finished.putBack([ended, held], 500), [ended, waiting]);
  assert.deepEqual(finished.take(), [held]);
});

test('one attempt that cannot be recorded is isolated by halving, and dropped when it is alone', () => {
  const poison = attempt(4);
  const all = [attempt(1), attempt(2), attempt(3), poison];
  const finished = queued(...all);
  const dropped: UnrecordedAttempt[] = [];
  const turns: number[] = [];
  while (!finished.isEmpty()) {
    const taken = finished.take();
    turns.push(taken.length);
    if (taken.includes(poison)) dropped.push(...finished.putBackHalved(taken, 500));
    else dropped.push(...finished.settle(taken, [], 500));
  }
  assert.deepEqual(turns, [4, 2, 2, 1, 1]);
  assert.deepEqual(dropped, [poison]);
});

const wave = { failures: 7 };
const progress = (changes: Partial<WaveProgress> = {}): WaveProgress => ({ ...newProgress(), ...changes });
const blocked = new Set(['a', 'b']);
const transferredSome = outcome('transferred', { count: 3, rejected: 0 });
const blockedSome = outcome('transferred_but_blocked', { count: 3, rejected: 0, blocked: 2 });

test('a complete wave resets the failures and leaves the next wave to the schedule', () => {
  assert.deepEqual(scheduleAfter(null, wave, progress({ transferred: 3, rejected: 1 }), pushRules, 0), {
    failures: 0,
    outcome: outcome('transferred', { count: 3, rejected: 1 }),
    afterSeconds: null,
  });
});

test('with blocked orders, the next wave comes after a retry delay and isolates them from the start', () => {
  const end = scheduleAfter(null, wave, progress({ transferred: 3, blocked }), pushRules, 0.5);
  assert.deepEqual(end, { failures: 3, outcome: blockedSome, afterSeconds: 120 * 1.05 });
  const asked = progress({ blocked, blockedRetryAfterSeconds: 600 });
  assert.equal(scheduleAfter(null, wave, asked, pushRules, 0).afterSeconds, 600);
});

test('an interrupted wave keeps its failures and is due at once', () => {
  assert.deepEqual(scheduleAfter({ kind: 'interrupted' }, wave, progress({ transferred: 3, blocked }), pushRules, 0), {
    failures: 7,
    outcome: outcome('wave_interrupted', { counts: blockedSome }),
    afterSeconds: 0,
  });
});

test('a wave whose time is up is due at once, and keeps isolating while orders are blocked', () => {
  const stop = { kind: 'turn_over' } as const;
  assert.deepEqual(scheduleAfter(stop, wave, progress({ transferred: 3 }), pushRules, 0), {
    failures: 0,
    outcome: outcome('wave_turn_over', { counts: transferredSome }),
    afterSeconds: 0,
  });
  assert.equal(scheduleAfter(stop, wave, progress({ transferred: 3, blocked }), pushRules, 0).failures, 3);
});

test('a failure counts on from earlier ones only when the wave has transferred nothing', () => {
  assert.equal(failuresBefore(wave, progress(), pushRules), 7);
  assert.equal(failuresBefore(wave, progress({ blocked }), pushRules), 7);
  assert.equal(failuresBefore(wave, progress({ transferred: 1 }), pushRules), 0);
  assert.equal(failuresBefore(wave, progress({ rejected: 1, blocked }), pushRules), 2);
});
