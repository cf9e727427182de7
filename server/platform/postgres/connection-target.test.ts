import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginOf, readHosts } from './connection-target.ts';

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

test('a URL gives user, password, database and settings of the server; its own parameters are no settings', () => {
  const url =
    'postgres://u%40x:p%2Fs@db1:5433,db2/la%20ding?target_session_attrs=read-write&sslmode=require&search_path=lading';
  assert.deepEqual(loginOf(url), {
    user: 'u@x',
    password: 'p/s',
    database: 'la ding',
    tls: { use: 'always', options: { rejectUnauthorized: false } },
    settings: { search_path: 'lading' },
  });
  assert.equal(loginOf('postgres://solo@db').database, 'solo');
});

test('only the modes that verify a certificate look at it, as in libpq', () => {
  const tls = (mode: string) => loginOf(`postgres://u@db/lading${mode}`).tls;
  const unverified = { rejectUnauthorized: false };
  assert.deepEqual(tls(''), { use: 'never' });
  assert.deepEqual(tls('?sslmode=disable'), { use: 'never' });
  assert.deepEqual(tls('?sslmode=prefer'), { use: 'if_offered', options: unverified });
  assert.deepEqual(tls('?sslmode=require'), { use: 'always', options: unverified });
  assert.deepEqual(tls('?sslmode=verify-full'), { use: 'always', options: {} });
  const chainOnly = tls('?sslmode=verify-ca');
  assert.ok(chainOnly.use === 'always' && chainOnly.options.rejectUnauthorized !== false);
  assert.equal(chainOnly.options.checkServerIdentity?.('db', {} as never), undefined);
});
