import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { loginOf, mistakeIn, serversOf } from './connection-target.ts';

test('hosts and ports are read as in libpq', () => {
  const cases: Record<string, [host: string, port: number][]> = {
    'postgres://db/lading': [['db', 5432]],
    'postgres://user:p%40s,s@db1:5433,db2/lading?sslmode=require': [
      ['db1', 5433],
      ['db2', 5432],
    ],
    'postgres://user:a@b:c@db1:5433/lading': [['db1', 5433]],
    'postgres://user@[::1]:5434,10.0.0.7/lading': [
      ['::1', 5434],
      ['10.0.0.7', 5432],
    ],
    'postgres://user@%2Fvar%2Frun%2Fpostgresql/lading': [['/var/run/postgresql', 5432]],
    'postgres:///lading?host=/var/run/postgresql,db2&port=5433,5434': [
      ['/var/run/postgresql', 5433],
      ['db2', 5434],
    ],
    'postgres://left:5433/lading?host=db1,db2': [
      ['db1', 5433],
      ['db2', 5433],
    ],
    'postgres://user@db1:/lading': [['db1', 5432]],
    'host=db1,::1,/run/pg port=5433,,5434 user=u dbname=lading': [
      ['db1', 5433],
      ['::1', 5432],
      ['/run/pg', 5434],
    ],
  };
  for (const [target, hosts] of Object.entries(cases)) {
    const expected = hosts.map(([host, port]) => ({ host, port }));
    assert.deepEqual([serversOf(target), mistakeIn(target)], [expected, null], target);
  }
  assert.deepEqual(serversOf('postgres://u@db1,db2/lading?hostaddr=10.0.0.1,10.0.0.2'), [
    { host: 'db1', port: 5432, address: '10.0.0.1' },
    { host: 'db2', port: 5432, address: '10.0.0.2' },
  ]);
});

test('user, password, database and settings come from a URL or from pairs; own parameters are no settings', () => {
  const expected = {
    user: 'u@x',
    password: "p/s? '\\",
    database: 'la ding',
    tls: { mode: 'require', options: { rejectUnauthorized: false } },
    settings: { search_path: 'lading', options: '-c work_mem=8MB' },
    connectWithinMs: 7000,
  };
  const url =
    'postgresql://u%40x:p%2Fs%3F%20%27%5C@db1:5433,db2/la%20ding?target_session_attrs=read-write&ssl=true&search_path=lading' +
    '&options=-c%20work_mem=8MB&connect_timeout=7&gssencmode=disable';
  assert.deepEqual(loginOf(url), expected);
  const pairs =
    "host = db1,db2  user=u@x password='p/s? \\'\\\\' dbname='la ding' sslmode=require search_path=lading " +
    "options='-c work_mem=8MB' connect_timeout=7 target_session_attrs=primary ";
  assert.deepEqual(loginOf(pairs), expected);
});

test('without a name, user and database have their defaults of libpq, and a connection is awaited for a bounded time', () => {
  assert.equal(loginOf('postgres://solo@db').database, 'solo');
  assert.equal(loginOf('postgres://db/lading').user, userInfo().username);
  for (const parameter of ['', '?connect_timeout=0', '?connect_timeout=-1'])
    assert.equal(loginOf(`postgres://u@db/lading${parameter}`).connectWithinMs, 3000);
});

test('a connection string that cannot be used is a mistake that does not repeat its text', () => {
  const role = 'must lead to a server that accepts writes: target_session_attrs may be any, primary, read-write';
  const special =
    'has a special character in its user, password or hosts: write it as in %40 for @, %2F for / and %3F for ?';
  const form =
    'must be a URL such as postgres://user:password@host/database; if several hosts are listed, the primary is used';
  const cases: Record<string, string> = {
    'mysql://root:hunter2@db/lading': form,
    hunter2: form,
    'postgres://u:hunter/2@db/lading': special,
    'postgres://u:hunter%2@db/lading': special,
    'postgres://u:hunter2@db:x/lading': special,
    'postgres://u@/lading': 'names no host, or an empty one in its list',
    'postgres://u@db1,,db2/lading': 'names no host, or an empty one in its list',
    'postgres://u@db1,db2:99999/lading': 'has a port that is not a number from 1 to 65535',
    'postgres://u@db1:0/lading': 'has a port that is not a number from 1 to 65535',
    'postgres://u@db/lading?host=db1,db2,db3&port=1,2': 'must have one port, or as many ports as hosts',
    'postgres://u@db1,db2/lading?hostaddr=10.0.0.1': 'must have as many addresses in hostaddr as it has hosts',
    'postgres://u@db/lading?connect_timeout=soon': 'has a connect_timeout that is not a number of seconds up to 600',
    'postgres://u@db/lading?sslcrl=/etc/crl.pem': 'has the parameter sslcrl, which is not supported',
    'postgres://u@db/lading?gssencmode=require': 'has the parameter gssencmode, which is not supported',
    'postgres://u@db/lading?ssl=no': 'has a parameter ssl that is not true: use sslmode',
    'postgres://u@db/lading?sslmode': 'has a parameter without a value behind its question mark',
    "host=db password='hunter2": "must have the form name=value name='value with spaces'",
    ...Object.fromEntries(
      ['standby', 'read-only', 'prefer-standby'].map((wanted) => [
        `postgres://u@db/lading?target_session_attrs=${wanted}`,
        role,
      ]),
    ),
  };
  for (const [target, mistake] of Object.entries(cases)) assert.equal(mistakeIn(target), mistake, target);
});
