import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureForgottenAfterMs, failuresMax, type GuessThrottle, makeGuessThrottle, networkOf, trustedForMs } from './guess-throttle.ts';

const owner = '192.0.2.1';
const guesser = '203.0.113.1';
const startMs = 1_000_000;

function fail(throttle: GuessThrottle, name: string, address: string, times: number, nowMs = startMs): void {
  for (let time = 0; time < times; time++) throttle.failed(name, address, nowMs);
}

function throttled(retryAfterSeconds: number) {
  return { kind: 'throttled', retryAfterSeconds };
}

const allowed = { kind: 'allowed' };

test('an address is looked at until its tenth failure, whatever names it tries, and then once every 6 s', () => {
  const throttle = makeGuessThrottle();
  for (let failures = 0; failures < failuresMax; failures++) {
    assert.deepEqual(throttle.judge(`name-${failures}`, guesser, startMs), allowed);
    throttle.failed(`name-${failures}`, guesser, startMs);
  }
  assert.deepEqual(throttle.judge('fresh', guesser, startMs), throttled(6));
  assert.deepEqual(throttle.judge('fresh', guesser, startMs + failureForgottenAfterMs - 1), throttled(1));
  assert.deepEqual(throttle.judge('fresh', guesser, startMs + failureForgottenAfterMs), allowed);
  throttle.failed('fresh', guesser, startMs + failureForgottenAfterMs);
  assert.deepEqual(throttle.judge('other', guesser, startMs + failureForgottenAfterMs), throttled(6));
});

test('asking while throttled makes it no longer', () => {
  const throttle = makeGuessThrottle();
  fail(throttle, 'erp', guesser, failuresMax);
  for (let time = 0; time < 1000; time++) throttle.judge('erp', guesser, startMs + 5000);
  assert.deepEqual(throttle.judge('erp', guesser, startMs + 5000), throttled(1));
  assert.deepEqual(throttle.judge('erp', guesser, startMs + failureForgottenAfterMs), allowed);
});

test('after a minute without failures an address has all its tries again', () => {
  const throttle = makeGuessThrottle();
  fail(throttle, 'erp', guesser, failuresMax);
  const laterMs = startMs + failuresMax * failureForgottenAfterMs;
  for (let failures = 0; failures < failuresMax; failures++) {
    assert.deepEqual(throttle.judge('erp', guesser, laterMs), allowed);
    throttle.failed('erp', guesser, laterMs);
  }
  assert.deepEqual(throttle.judge('erp', guesser, laterMs), throttled(6));
});

test('a name that thousands of addresses guess at: whoever has failed with it waits, whoever has not is looked at', () => {
  const throttle = makeGuessThrottle();
  for (let index = 0; index < 5000; index++) fail(throttle, 'erp', `10.0.${index >> 8}.${index & 255}`, 1);
  assert.deepEqual(throttle.judge('erp', '10.0.0.1', startMs), throttled(6));
  assert.deepEqual(throttle.judge('other', '10.0.0.1', startMs), allowed);
  assert.deepEqual(throttle.judge('erp', owner, startMs), allowed);
});

test('one slip of the owner while others guess at its name costs it 6 s, not the length of the attack', () => {
  const throttle = makeGuessThrottle();
  for (let index = 0; index < 5000; index++) fail(throttle, 'erp', `10.0.${index >> 8}.${index & 255}`, 1);
  fail(throttle, 'erp', owner, 1);
  assert.deepEqual(throttle.judge('erp', owner, startMs), throttled(6));
  assert.deepEqual(throttle.judge('erp', owner, startMs + failureForgottenAfterMs), allowed);
});

test('who has succeeded from an address is not locked out by a neighbour there who guesses at others', () => {
  const throttle = makeGuessThrottle();
  throttle.succeeded('erp', owner, startMs);
  fail(throttle, 'victim', owner, 50);
  assert.deepEqual(throttle.judge('victim', owner, startMs).kind, 'throttled');
  assert.deepEqual(throttle.judge('newcomer', owner, startMs).kind, 'throttled');
  assert.deepEqual(throttle.judge('erp', owner, startMs), allowed);
  assert.deepEqual(throttle.judge('erp', owner, startMs + trustedForMs - 1), allowed);
});

test('who has succeeded from an address is still limited by its own failures there, and does not spoil it for its neighbours', () => {
  const throttle = makeGuessThrottle();
  throttle.succeeded('erp', owner, startMs);
  fail(throttle, 'erp', owner, failuresMax);
  assert.deepEqual(throttle.judge('erp', owner, startMs), throttled(6));
  assert.deepEqual(throttle.judge('neighbour', owner, startMs), allowed);
});

test('after two days without a success an address is trusted no more', () => {
  const throttle = makeGuessThrottle();
  throttle.succeeded('erp', owner, startMs);
  fail(throttle, 'victim', owner, failuresMax, startMs + trustedForMs);
  assert.deepEqual(throttle.judge('erp', owner, startMs + trustedForMs), throttled(6));
});

test('a success forgets the failures of that name at that address, and of no other', () => {
  const throttle = makeGuessThrottle();
  fail(throttle, 'erp', owner, 5);
  fail(throttle, 'victim', owner, 5);
  throttle.succeeded('erp', owner, startMs);
  fail(throttle, 'erp', owner, failuresMax - 1);
  assert.deepEqual(throttle.judge('erp', owner, startMs), allowed);
  assert.deepEqual(throttle.judge('victim', owner, startMs), throttled(6), 'a valid secret of one’s own buys no more guesses');
});

test('a flood of failures is forgotten as soon as ten are', () => {
  const throttle = makeGuessThrottle();
  fail(throttle, 'erp', guesser, 1000);
  fail(throttle, 'erp', owner, 1);
  assert.deepEqual(throttle.judge('erp', guesser, startMs), throttled(6));
  assert.deepEqual(throttle.judge('erp', guesser, startMs + failureForgottenAfterMs), allowed);
});

test('an IPv6 address counts as its /64, an IPv4 address as itself, however it is written', () => {
  const networks: [string, string][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::5:6:7:8:9', '2001:db8:0:5::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.0.113.9:50123', '203.0.113.9'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    ['no address', 'no address'],
  ];
  for (const [address, network] of networks) assert.equal(networkOf(address), network, address);
});
