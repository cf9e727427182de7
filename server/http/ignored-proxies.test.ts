import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SharedCounts, unshared } from '../platform/limits/shared-counts.ts';
import { makeLog } from '../platform/log.ts';
import { makeIgnoredProxies } from './ignored-proxies.ts';

const hourMs = 3_600_000;

function watch(trustedProxies: string[], counts: SharedCounts = unshared) {
  const lines: string[] = [];
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  const time = { nowMs: 0 };
  const proxies = makeIgnoredProxies(trustedProxies, { log, counts }, () => time.nowMs);
  return { proxies, lines, time };
}

test('a trusted proxy is never noticed, by address or range, also when its IPv4 address arrives as IPv6', () => {
  const { proxies, lines } = watch(['10.0.0.7', '192.168.0.0/16', 'fd00::/8']);
  for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '192.168.3.4', 'fd12::1', undefined]) proxies.notice(address);
  assert.deepEqual([proxies.list(), lines], [[], []]);
  for (const address of ['10.0.0.8', 'fe80::1', '10.0.0.8']) proxies.notice(address);
  assert.deepEqual([proxies.list(), lines.length], [['10.0.0.8', 'fe80::1'], 2]);
});

test('a link-local address is compared and shown without its zone', () => {
  const { proxies, lines } = watch(['fe80::7']);
  for (const address of ['fe80::7%eth0', 'fe80::8%eth0', 'fe80::8%2']) proxies.notice(address);
  assert.deepEqual([proxies.list(), lines.length], [['fe80::8'], 1]);
});

test('an address is logged again only after an hour of silence', () => {
  const { proxies, lines, time } = watch([]);
  for (const nowMs of [0, 0.4, 0.6, 1.2, 1.5].map((hours) => hours * hourMs)) {
    time.nowMs = nowMs;
    proxies.notice('10.0.0.8');
  }
  assert.deepEqual([proxies.list(), lines.length], [['10.0.0.8'], 1]);
  time.nowMs = 2.6 * hourMs;
  assert.deepEqual(proxies.list(), []);
  proxies.notice('10.0.0.8');
  assert.deepEqual([proxies.list(), lines.length], [['10.0.0.8'], 2]);
});

test('many callers that forge the header cannot fill the log or the memory', () => {
  const { proxies, lines } = watch([]);
  for (let index = 0; index < 200; index++) proxies.notice(`198.51.100.${index}`);
  assert.deepEqual([proxies.list().length, lines.length], [8, 8]);
});

test('an address that another process of the node has noticed is listed and not logged again', () => {
  let hear: (key: string, milliseconds: number, ageMs: number) => void = () => {};
  const reported: string[] = [];
  const { proxies, lines } = watch([], {
    ...unshared,
    additions(_name, apply) {
      hear = apply;
      return (key) => void reported.push(key);
    },
  });
  hear('10.0.0.8', hourMs, 10);
  proxies.notice('10.0.0.8');
  proxies.notice('10.0.0.9');
  assert.deepEqual([proxies.list(), reported, lines.length], [['10.0.0.8', '10.0.0.9'], ['10.0.0.9'], 1]);
});
