import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Posted, pushRules, retrySeconds, verdictOn } from './transfer.ts';

const calm = { isIsolating: false };
const isolating = { isIsolating: true };

const answered = (status: number, response = '', more: { isCut?: boolean; retryAfterSeconds?: number } = {}): Posted => ({
  kind: 'answered',
  status,
  response,
  retryAfterSeconds: more.retryAfterSeconds ?? null,
  isCut: more.isCut ?? false,
});

test('a warehouse that fails is left alone for longer and longer, five minutes at most; Retry-After adds to that, an hour at most', () => {
  const delays = [1, 2, 3, 4, 5, 100].map((failures) => retrySeconds(failures, 0, pushRules, 0));
  assert.deepEqual(delays, [5, 30, 120, 300, 300, 300]);
  assert.equal(retrySeconds(1, 0, pushRules, 1), 5.5);
  assert.equal(retrySeconds(1, 1, pushRules, 0), 5);
  assert.equal(retrySeconds(1, 600, pushRules, 0), 600);
  assert.equal(retrySeconds(4, 1e9, pushRules, 1), 3600);
});

test('a 2xx takes all orders but those that it names', () => {
  const some =
    '{"results":[{"transfer_id":"AB-1","accepted":false,"reason":"no"},{"transfer_id":"ab-2","accepted":false},{"transfer_id":"ab-3","accepted":true}]}';
  for (const status of [200, 202, 204, 299]) {
    const rejected = new Map([
      ['ab-1', 'no'],
      ['ab-2', 'no reason given'],
    ]);
    assert.deepEqual(verdictOn(answered(status, some), 3, calm), { kind: 'taken', rejected, isUnreadable: false });
    assert.deepEqual(verdictOn(answered(status, ' '), 3, calm), { kind: 'taken', rejected: new Map(), isUnreadable: false });
    assert.deepEqual(verdictOn(answered(status, '{'), 3, calm), { kind: 'taken', rejected: new Map(), isUnreadable: true });
  }
});

test('400, 409, 413 and 422 are for one order to be put aside, and for several to be sent in halves', () => {
  for (const status of [400, 409, 413, 422]) {
    assert.deepEqual(verdictOn(answered(status, 'why'), 2, calm), { kind: 'too_many' });
    assert.deepEqual(verdictOn(answered(status, 'why'), 1, calm), { kind: 'rejected', reason: `HTTP ${status}: why` });
  }
  const half = '😀'.repeat(600);
  assert.deepEqual(verdictOn(answered(422, half), 1, calm), { kind: 'rejected', reason: `HTTP 422: ${'😀'.repeat(500)}` });
});

test('an answer that was cut is asked for again for fewer orders, and for one is taken as far as it can be read', () => {
  assert.deepEqual(verdictOn(answered(200, '{"results":[', { isCut: true }), 2, calm), { kind: 'too_many' });
  assert.deepEqual(verdictOn(answered(200, '{"results":[', { isCut: true }), 1, calm), {
    kind: 'taken',
    rejected: new Map(),
    isUnreadable: true,
  });
});

test('everything else is tried again', () => {
  for (const status of [100, 301, 307, 401, 403, 404, 410, 429, 500, 502, 503]) {
    const verdict = verdictOn(answered(status, 'x', { retryAfterSeconds: 7 }), 1, calm);
    assert.deepEqual(verdict, { kind: 'again', why: `HTTP ${status}`, askedForSeconds: 7, mayBeTakenBack: false });
  }
  const lost: Posted = { kind: 'unanswered', error: 'connection reset', wasConnected: true };
  assert.deepEqual(verdictOn(lost, 2, calm), { kind: 'again', why: 'connection reset', askedForSeconds: 0, mayBeTakenBack: false });
  assert.deepEqual(verdictOn({ ...lost, wasConnected: false }, 2, calm), {
    kind: 'again',
    why: 'connection reset',
    askedForSeconds: 0,
    mayBeTakenBack: true,
  });
});

test('while the cause of failures is looked for, 5xx is for several orders to be sent in halves, and for one to be passed by; nothing else is', () => {
  for (const status of [500, 502, 503, 599]) {
    assert.deepEqual(verdictOn(answered(status), 2, isolating), { kind: 'too_many' });
    const stuck = { kind: 'stuck', why: `HTTP ${status}`, askedForSeconds: 7 };
    assert.deepEqual(verdictOn(answered(status, 'x', { retryAfterSeconds: 7 }), 1, isolating), stuck);
  }
  const others: Posted[] = [
    ...[200, 307, 400, 401, 404, 422, 429].map((status) => answered(status, 'x')),
    { kind: 'unanswered', error: 'connection reset', wasConnected: true },
    { kind: 'unanswered', error: 'connection refused', wasConnected: false },
  ];
  for (const posted of others) {
    for (const count of [1, 2]) assert.deepEqual(verdictOn(posted, count, isolating), verdictOn(posted, count, calm));
  }
});
