import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  failureForgottenAfterMs,
  failuresMax,
  type GuessThrottle,
  makeGuessThrottle,
  nameFailureForgottenAfterMs,
  nameFailuresMax,
  networkOf,
  trustedForMs,
} from './guess-throttle.ts';

const owner = '192.0.2.1';
const guesser = '203.0.113.1';
const startMs = 1_000_000;
const noNetworks = async () => new Set<string>();

/** How many of these wrong guesses were evaluated. */
function fail(throttle: GuessThrottle, name: string, address: string, times: number, nowMs = startMs): number {
  return Array.from({ length: times }, () => throttle.begin({ name, address }, nowMs)).filter(({ kind }) => kind === 'begun').length;
}

function succeed(throttle: GuessThrottle, name: string, address: string, nowMs = startMs): void {
  const begun = throttle.begin({ name, address }, nowMs);
  assert.ok(begun.kind === 'begun');
  begun.succeeded();
}

function failEverywhere(throttle: GuessThrottle, name: string, addresses: number): number {
  return Array.from({ length: addresses }, (_, index) => fail(throttle, name, `10.0.${index >> 8}.${index & 255}`, 1)).filter(Boolean)
    .length;
}

function throttled(retryAfterSeconds: number) {
  return { kind: 'throttled', retryAfterSeconds };
}

test('an address has ten guesses evaluated, whatever names it tries, and then one every 6 s', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  for (let failures = 0; failures < failuresMax; failures++) {
    assert.equal(await throttle.judge({ name: `name-${failures}`, address: guesser }, startMs), null);
    assert.equal(fail(throttle, `name-${failures}`, guesser, 1), 1);
  }
  const fresh = { name: 'fresh', address: guesser };
  assert.deepEqual(await throttle.judge(fresh, startMs), throttled(6));
  assert.deepEqual(throttle.begin(fresh, startMs), throttled(6));
  assert.deepEqual(await throttle.judge(fresh, startMs + failureForgottenAfterMs - 1), throttled(1));
  assert.equal(fail(throttle, 'fresh', guesser, 2, startMs + failureForgottenAfterMs), 1);
});

test('guesses while throttled, however many, make it no longer', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  assert.equal(fail(throttle, 'erp', guesser, 1000), failuresMax);
  assert.deepEqual(await throttle.judge({ name: 'erp', address: guesser }, startMs + 5000), throttled(1));
  assert.equal(await throttle.judge({ name: 'erp', address: guesser }, startMs + failureForgottenAfterMs), null);
});

test('after a minute without failures an address has all its guesses again', () => {
  const throttle = makeGuessThrottle(noNetworks);
  fail(throttle, 'erp', guesser, failuresMax);
  assert.equal(fail(throttle, 'erp', guesser, 50, startMs + failuresMax * failureForgottenAfterMs), failuresMax);
});

test('a guess that was right, or was not evaluated, counts as none', () => {
  const throttle = makeGuessThrottle(noNetworks);
  for (let time = 0; time < 50; time++) {
    const begun = throttle.begin({ name: `name-${time}`, address: guesser }, startMs);
    assert.ok(begun.kind === 'begun');
    if (time % 2 === 0) begun.takeBack();
    else begun.succeeded();
  }
  assert.equal(fail(throttle, 'erp', guesser, 50), failuresMax);
});

test('a name that thousands of addresses guess at has a hundred guesses evaluated, and then one every 36 s', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  assert.equal(failEverywhere(throttle, 'erp', 5000), nameFailuresMax);
  assert.deepEqual(await throttle.judge({ name: 'erp', address: owner }, startMs), throttled(36));
  assert.equal(await throttle.judge({ name: 'other', address: owner }, startMs), null);
  const laterMs = startMs + nameFailureForgottenAfterMs;
  assert.deepEqual([fail(throttle, 'erp', owner, 1, laterMs), fail(throttle, 'erp', guesser, 1, laterMs)], [1, 0]);
});

test('while a name is under attack, its owner has ten tries where it has succeeded before, at this node or at another, or with its device', async () => {
  const elsewhere = '192.0.2.2';
  let looks = 0;
  const throttle = makeGuessThrottle(async (name) => {
    looks++;
    return new Set(name === 'erp' ? [elsewhere] : []);
  });
  succeed(throttle, 'erp', owner);
  failEverywhere(throttle, 'erp', 5000);
  assert.equal(looks, 0);

  for (const source of [{ address: owner }, { address: elsewhere }, { address: guesser, device: 'laptop' }]) {
    const guess = { name: 'erp', ...source };
    assert.equal(await throttle.judge(guess, startMs), null);
    const tries = Array.from({ length: 20 }, () => throttle.begin(guess, startMs).kind);
    assert.deepEqual(tries, [...Array(10).fill('begun'), ...Array(10).fill('throttled')]);
    assert.deepEqual(await throttle.judge(guess, startMs), throttled(6));
  }
  for (let times = 0; times < 100; times++) {
    assert.deepEqual(await throttle.judge({ name: 'erp', address: guesser }, startMs), throttled(36));
  }
  assert.equal(looks, 1, 'the networks of a name are looked up once in a while, not for every guess');
});

test('who has succeeded from an address is not locked out by a neighbour there who guesses at others', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  succeed(throttle, 'erp', owner);
  fail(throttle, 'victim', owner, 50);
  assert.deepEqual(await throttle.judge({ name: 'victim', address: owner }, startMs), throttled(6));
  assert.deepEqual(await throttle.judge({ name: 'newcomer', address: owner }, startMs), throttled(6));
  assert.equal(await throttle.judge({ name: 'erp', address: owner }, startMs), null);
  assert.equal(await throttle.judge({ name: 'erp', address: owner }, startMs + trustedForMs - 1), null);
});

test('who has succeeded from an address is still limited by its own failures there, and takes no guesses from its neighbours', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  succeed(throttle, 'erp', owner);
  fail(throttle, 'erp', owner, failuresMax);
  assert.deepEqual(await throttle.judge({ name: 'erp', address: owner }, startMs), throttled(6));
  assert.equal(await throttle.judge({ name: 'neighbour', address: owner }, startMs), null);
});

test('after two days without a success an address is trusted no more', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  succeed(throttle, 'erp', owner);
  fail(throttle, 'victim', owner, failuresMax, startMs + trustedForMs);
  assert.deepEqual(await throttle.judge({ name: 'erp', address: owner }, startMs + trustedForMs), throttled(6));
});

test('a success forgets the failures of that name at that address, and of no other', async () => {
  const throttle = makeGuessThrottle(noNetworks);
  succeed(throttle, 'erp', owner);
  fail(throttle, 'erp', owner, 5);
  fail(throttle, 'victim', owner, failuresMax);
  succeed(throttle, 'erp', owner);
  fail(throttle, 'erp', owner, failuresMax - 1);
  assert.equal(await throttle.judge({ name: 'erp', address: owner }, startMs), null);
  const victim = await throttle.judge({ name: 'victim', address: owner }, startMs);
  assert.deepEqual(victim, throttled(6), 'a valid secret of one’s own buys no more guesses');
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
