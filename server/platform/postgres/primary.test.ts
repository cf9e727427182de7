import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePrimaryFinder, readHosts, type ServerRole, singleHostUrl } from './primary.ts';

test('hosts are read from a URL as in libpq', () => {
  const cases: Record<string, [host: string, port: number][]> = {
    'postgres://db/lading': [['db', 5432]],
    'postgres://user:p%40s,s@db1:5433,db2/lading?sslmode=require': [
      ['db1', 5433],
      ['db2', 5432],
    ],
    'postgres://user@[::1]:5434,10.0.0.7/lading': [
      ['::1', 5434],
      ['10.0.0.7', 5432],
    ],
    'postgres://user@%2Fvar%2Frun%2Fpostgresql/lading': [['/var/run/postgresql', 5432]],
  };
  for (const [url, hosts] of Object.entries(cases)) {
    const expected = hosts.map(([host, port]) => ({ host, port }));
    assert.deepEqual(readHosts(url), expected);
  }
});

test('the driver gets one host and no role', () => {
  const url = 'postgres://u:p@db1:5433,db2/lading?target_session_attrs=read-write&sslmode=require';
  assert.equal(singleHostUrl(url), 'postgres://u:p@db1:5433/lading?sslmode=require');
});

const servers = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 }));
const findAmong = (...roles: ServerRole[]) =>
  makePrimaryFinder(servers, async ({ host }) => roles['abc'.indexOf(host)]!);

test('the primary is found in any position, also beside servers that do not answer', async () => {
  assert.deepEqual(await findAmong('standby', { unreachable: 'ECONNREFUSED' }, 'primary').find(), servers[2]);
  assert.equal(await findAmong('standby', 'standby', 'primary').explain(), null);
});

test('without a primary each server is tried in turn', async () => {
  const finder = findAmong('standby', 'standby', 'standby');
  assert.deepEqual([await finder.find(), await finder.find(), await finder.find()], servers);
});

test('if there are only standbys, their number is reported; an outage without standbys has no explanation', async () => {
  const refused = { unreachable: 'ECONNREFUSED' };
  assert.equal(
    await findAmong('standby', refused, refused).explain(),
    'no server accepts writes; standbys: 1, out of reach: 2 (ECONNREFUSED)',
  );
  assert.equal(await findAmong('standby', 'standby', 'standby').explain(), 'no server accepts writes; standbys: 3');
  assert.equal(await findAmong(refused, refused, refused).explain(), null);
});
