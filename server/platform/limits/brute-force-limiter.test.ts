import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BruteForceLimiter,
  failureForgottenAfterMs,
  failuresMax,
  makeBruteForceLimiter,
  nameFailureForgottenAfterMs,
  nameFailuresMax,
  networkOf,
  trustedForMs,
} from './brute-force-limiter.ts';

const owner = '192.0.2.1';
const guesser = '203.0.113.1';
const startMs = 1_000_000;
const noNetworks = async () => new Set<string>();

/** Returns how many of these wrong guesses were evaluated. */
function fail(limiter: BruteForceLimiter, name: string, address: string, times: number, nowMs = startMs): number {
  return Array.from({ length: times }, () => limiter.begin({ name, address }, nowMs)).filter(
    ({ kind }) => kind === 'begun',
  ).length;
}

function succeed(limiter: BruteForceLimiter, name: string, address: string, nowMs = startMs): void {
  const begun = limiter.begin({ name, address }, nowMs);
  assert.ok(begun.kind === 'begun');
  begun.succeeded();
}

function failEverywhere(limiter: BruteForceLimiter, name: string, addresses: number): number {
  return Array.from({ length: addresses }, (_, index) =>
    fail(limiter, name, `10.0.${index >> 8}.${index & 255}`, 1),
  ).filter(Boolean).length;
}

function throttled(retryAfterSeconds: number) {
  return { kind: 'throttled', retryAfterSeconds };
}

test('an address may guess ten times, at any names, and then once every 6 s', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  for (let failures = 0; failures < failuresMax; failures++) {
    assert.equal(await limiter.judge({ name: `name-${failures}`, address: guesser }, startMs), null);
    assert.equal(fail(limiter, `name-${failures}`, guesser, 1), 1);
  }
  const fresh = { name: 'fresh', address: guesser };
  assert.deepEqual(await limiter.judge(fresh, startMs), throttled(6));
  assert.deepEqual(limiter.begin(fresh, startMs), throttled(6));
  assert.deepEqual(await limiter.judge(fresh, startMs + failureForgottenAfterMs - 1), throttled(1));
  assert.equal(fail(limiter, 'fresh', guesser, 2, startMs + failureForgottenAfterMs), 1);
});

test('guesses during the wait do not extend it', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  assert.equal(fail(limiter, 'erp', guesser, 1000), failuresMax);
  assert.deepEqual(await limiter.judge({ name: 'erp', address: guesser }, startMs + 5000), throttled(1));
  assert.equal(await limiter.judge({ name: 'erp', address: guesser }, startMs + failureForgottenAfterMs), null);
});

test('after a minute without failures an address has all its guesses again', () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  fail(limiter, 'erp', guesser, failuresMax);
  assert.equal(fail(limiter, 'erp', guesser, 50, startMs + failuresMax * failureForgottenAfterMs), failuresMax);
});

test('a right guess and a guess that was not evaluated do not count', () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  for (let time = 0; time < 50; time++) {
    const begun = limiter.begin({ name: `name-${time}`, address: guesser }, startMs);
    assert.ok(begun.kind === 'begun');
    if (time % 2 === 0) begun.takeBack();
    else begun.succeeded();
  }
  assert.equal(fail(limiter, 'erp', guesser, 50), failuresMax);
});

test('thousands of addresses may guess at one name a hundred times, and then once every 36 s', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  assert.equal(failEverywhere(limiter, 'erp', 5000), nameFailuresMax);
  assert.deepEqual(await limiter.judge({ name: 'erp', address: owner }, startMs), throttled(36));
  assert.equal(await limiter.judge({ name: 'other', address: owner }, startMs), null);
  const laterMs = startMs + nameFailureForgottenAfterMs;
  assert.deepEqual([fail(limiter, 'erp', owner, 1, laterMs), fail(limiter, 'erp', guesser, 1, laterMs)], [1, 0]);
});

test('during an attack the owner has ten tries from each source it has used before: an address at any node, or a device', async () => {
  const elsewhere = '192.0.2.2';
  let looks = 0;
  const limiter = makeBruteForceLimiter(async (name) => {
    looks++;
    return new Set(name === 'erp' ? [elsewhere] : []);
  });
  succeed(limiter, 'erp', owner);
  failEverywhere(limiter, 'erp', 5000);
  assert.equal(looks, 0);

  for (const source of [{ address: owner }, { address: elsewhere }, { address: guesser, device: 'laptop' }]) {
    const guess = { name: 'erp', ...source };
    assert.equal(await limiter.judge(guess, startMs), null);
    const tries = Array.from({ length: 20 }, () => limiter.begin(guess, startMs).kind);
    assert.deepEqual(tries, [...Array(10).fill('begun'), ...Array(10).fill('throttled')]);
    assert.deepEqual(await limiter.judge(guess, startMs), throttled(6));
  }
  for (let times = 0; times < 100; times++) {
    assert.deepEqual(await limiter.judge({ name: 'erp', address: guesser }, startMs), throttled(36));
  }
  assert.equal(looks, 1, 'the networks of a name are looked up once in a while, not for every guess');
});

test('a trusted caller is not locked out by a neighbour at the same address who guesses at other names', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  succeed(limiter, 'erp', owner);
  fail(limiter, 'victim', owner, 50);
  assert.deepEqual(await limiter.judge({ name: 'victim', address: owner }, startMs), throttled(6));
  assert.deepEqual(await limiter.judge({ name: 'newcomer', address: owner }, startMs), throttled(6));
  assert.equal(await limiter.judge({ name: 'erp', address: owner }, startMs), null);
  assert.equal(await limiter.judge({ name: 'erp', address: owner }, startMs + trustedForMs - 1), null);
});

test('a trusted caller is limited by its own failures, and these do not limit its neighbours', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  succeed(limiter, 'erp', owner);
  fail(limiter, 'erp', owner, failuresMax);
  assert.deepEqual(await limiter.judge({ name: 'erp', address: owner }, startMs), throttled(6));
  assert.equal(await limiter.judge({ name: 'neighbour', address: owner }, startMs), null);
});

test('an address is no longer trusted after two days without a success', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  succeed(limiter, 'erp', owner);
  fail(limiter, 'victim', owner, failuresMax, startMs + trustedForMs);
  assert.deepEqual(await limiter.judge({ name: 'erp', address: owner }, startMs + trustedForMs), throttled(6));
});

test('a success clears the failures of that name at that address, and no others', async () => {
  const limiter = makeBruteForceLimiter(noNetworks);
  succeed(limiter, 'erp', owner);
  fail(limiter, 'erp', owner, 5);
  fail(limiter, 'victim', owner, failuresMax);
  succeed(limiter, 'erp', owner);
  fail(limiter, 'erp', owner, failuresMax - 1);
  assert.equal(await limiter.judge({ name: 'erp', address: owner }, startMs), null);
  const victim = await limiter.judge({ name: 'victim', address: owner }, startMs);
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
