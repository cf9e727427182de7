import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atOnceFor,
  deliveryRules,
  healthAfter,
  isSuspect,
  type ReceiverHealth,
  readRetryAfter,
  slotsFor,
  verdictOn,
} from './retry-schedule.ts';

const rules = deliveryRules;
const answered = (status: number | null, retryAfterSeconds: number | null = null) => ({ status, retryAfterSeconds });
const verdict = (status: number | null, attempt: number, random = 0, retryAfterSeconds: number | null = null) =>
  verdictOn(answered(status, retryAfterSeconds), attempt, rules, random);

test('eight attempts, with delays of 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then failed', () => {
  const verdicts = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => verdict(500, attempt));
  assert.deepEqual(verdicts, [
    { kind: 'again', afterSeconds: 5 },
    { kind: 'again', afterSeconds: 300 },
    { kind: 'again', afterSeconds: 1800 },
    { kind: 'again', afterSeconds: 7200 },
    { kind: 'again', afterSeconds: 18_000 },
    { kind: 'again', afterSeconds: 36_000 },
    { kind: 'again', afterSeconds: 36_000 },
    { kind: 'failed' },
  ]);
});

test('jitter lengthens a delay by up to a tenth and never shortens it', () => {
  assert.deepEqual(verdict(500, 1, 0.5), { kind: 'again', afterSeconds: 5.25 });
  assert.deepEqual(verdict(500, 2, 0.999), { kind: 'again', afterSeconds: 300 * 1.0999 });
});

test('any 2xx is delivered, also in the last attempt; 410 fails at once; everything else is retried', () => {
  for (const status of [200, 201, 204, 299]) assert.deepEqual(verdict(status, 8), { kind: 'delivered' });
  assert.deepEqual(verdict(410, 1), { kind: 'failed' });
  for (const status of [null, 101, 199, 300, 301, 308, 400, 404, 409, 429, 500, 503, 599])
    assert.equal(verdict(status, 1).kind, 'again');
});

test('Retry-After sets the earliest time of the next attempt, up to an hour', () => {
  const afterSeconds = (retryAfterSeconds: number, attempt: number) => verdict(503, attempt, 0, retryAfterSeconds);
  assert.deepEqual(afterSeconds(60, 1), { kind: 'again', afterSeconds: 60 });
  assert.deepEqual(afterSeconds(60, 2), { kind: 'again', afterSeconds: 300 });
  assert.deepEqual(afterSeconds(86_400, 1), { kind: 'again', afterSeconds: 3600 });
  assert.deepEqual(afterSeconds(86_400, 4), { kind: 'again', afterSeconds: 7200 });
});

test('Retry-After is parsed as seconds or as one of the three HTTP date formats, and nothing else', () => {
  const now = new Date('2026-11-15T08:49:37.250Z');
  const forms: [string | null, number | null][] = [
    ['120', 120],
    ['0', 0],
    ['Sun, 15 Nov 2026 08:50:37 GMT', 60],
    ['Sunday, 15-Nov-26 08:50:37 GMT', 60],
    ['Sun Nov 15 08:50:37 2026', 60],
    ['Sun Nov  1 08:50:37 2026', 0],
    ['Sat, 14 Nov 2026 08:50:37 GMT', 0],
    ['Sun, 99 Nov 2026 08:50:37 GMT', null],
    ['-1', null],
    ['1.5', null],
    ['in 5 minutes', null],
    ['5 min', null],
    ['2026-11-15T08:50:37Z', null],
    ['99999999999', null],
    ['', null],
    [null, null],
  ];
  for (const [text, seconds] of forms) assert.equal(readRetryAfter(text, now), seconds, String(text));
});

const fresh: ReceiverHealth = { failures: 0, unsuccessful: 0, openForSeconds: 0, hasSucceeded: false, paused: false };
const healthy: ReceiverHealth = { ...fresh, hasSucceeded: true };
const after = (health: ReceiverHealth, status: number | null, retryAfterSeconds: number | null = null, random = 0) =>
  healthAfter(health, answered(status, retryAfterSeconds), rules, random);
const waited = (health: ReceiverHealth) => ({ ...health, openForSeconds: 0 });

test('a healthy receiver is sent 16 at a time, an unknown or unstable one 2, a broken one 1, one on hold none', () => {
  const atOnce = (health: Partial<ReceiverHealth>) => atOnceFor({ ...healthy, ...health }, rules);
  assert.equal(atOnceFor(fresh, rules), 2);
  assert.deepEqual(
    [0, 1, 4, 5, 50].map((failures) => atOnce({ failures })),
    [16, 2, 2, 1, 1],
  );
  assert.equal(atOnce({ openForSeconds: 0.001 }), 0);
  assert.equal(atOnce({ paused: true }), 0);
  assert.deepEqual([isSuspect(fresh), isSuspect(healthy), isSuspect({ ...healthy, failures: 1 })], [true, false, true]);
});

test('no response, 5xx and 429 are failures; 2xx makes a receiver healthy; other responses are signs of life, but no success', () => {
  for (const status of [null, 500, 503, 599, 429]) {
    assert.deepEqual(after(healthy, status), { ...healthy, failures: 1, unsuccessful: 1 });
  }
  assert.deepEqual(after({ ...fresh, failures: 4, unsuccessful: 6 }, 200), healthy);
  for (const status of [302, 400, 404, 410]) {
    assert.deepEqual(after({ ...fresh, failures: 4, unsuccessful: 6 }, status), { ...fresh, unsuccessful: 7 });
    assert.deepEqual(after({ ...healthy, failures: 4, unsuccessful: 4 }, status), { ...healthy, unsuccessful: 5 });
  }
});

test('after five consecutive failures a receiver is on hold for 10 s, twice as long after each probe, at most 5 min', () => {
  let health: ReceiverHealth = healthy;
  const waits: number[] = [];
  for (let failure = 1; failure <= 12; failure++) {
    health = after(waited(health), null);
    waits.push(health.openForSeconds);
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 10, 20, 40, 80, 160, 300, 300, 300]);
  assert.equal(health.failures, 12);
  assert.equal(after({ ...healthy, failures: 4 }, null, null, 0.5).openForSeconds, 10.5);
  assert.deepEqual(after(waited(health), 200), healthy);
});

test('attempts that were under way when the circuit opened neither prolong the wait nor count', () => {
  let health: ReceiverHealth = healthy;
  for (let failure = 1; failure <= 16; failure++) health = after(health, null);
  assert.deepEqual(health, { ...healthy, failures: 5, unsuccessful: 16, openForSeconds: 10 });
  assert.deepEqual(after(health, 200), healthy);
});

test('429 and 503 with Retry-After put the receiver on hold until then, at most an hour', () => {
  assert.deepEqual(after(healthy, 429, 30), { ...healthy, failures: 1, unsuccessful: 1, openForSeconds: 30 });
  assert.deepEqual(after(healthy, 503, 86_400), { ...healthy, failures: 1, unsuccessful: 1, openForSeconds: 3600 });
  assert.deepEqual(after(healthy, 500, 30), { ...healthy, failures: 1, unsuccessful: 1 });
  assert.deepEqual(after(after(healthy, 429, 30), 200), { ...healthy, openForSeconds: 30 });
  assert.equal(after({ ...healthy, failures: 4 }, 429, 60).openForSeconds, 60);
  assert.equal(after({ ...healthy, failures: 4 }, 429, 1).openForSeconds, 10);
});

test('a healthy receiver gets at most an eighth of the slots that are free then, suspects at most their share', () => {
  const slots = (wanted: number, mine: number, all: number) =>
    slotsFor({ wanted, mine, suspect: false }, { all, suspect: 0 });
  assert.equal(slots(16, 0, 200), 16);
  assert.equal(slots(16, 0, 80), 10);
  assert.equal(slots(10, 6, 80), 4);
  assert.equal(slots(10, 10, 80), 0);
  assert.equal(slots(16, 0, 3), 1);
  assert.equal(slots(16, 0, 0), 0);
  assert.equal(slotsFor({ wanted: 2, mine: 0, suspect: true }, { all: 100, suspect: 1 }), 1);
  assert.equal(slotsFor({ wanted: 2, mine: 0, suspect: true }, { all: 100, suspect: 0 }), 0);
});

test('thirty receivers that start to hang at the same moment leave a slot for the next healthy one', () => {
  const free = { all: 200, suspect: 100 };
  for (let receiver = 1; receiver <= 30; receiver++)
    free.all -= slotsFor({ wanted: 16, mine: 0, suspect: false }, free);
  assert.ok(slotsFor({ wanted: 16, mine: 0, suspect: false }, free) >= 1, `${free.all} free`);
});
