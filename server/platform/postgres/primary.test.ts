import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePrimaryFinder, type ServerRole } from './primary.ts';

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
