import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migratingSettingsFor } from '../support/command.ts';
import { makeTestDatabase, makeTestStore, onCitus } from '../support/database.ts';
import { makeRunHere } from './run-here.ts';

const store = await makeTestStore();
const skip = onCitus ? 'about a server without Citus' : false;

test('lading distribute refuses a database without Citus, and changes nothing', { skip }, async (t) => {
  t.after(() => store.close());
  const policies = () => store.database.read((sql) => sql`select * from pg_policies order by tablename, policyname`);
  const before = await policies();

  const { code, stdout, stderr } = await makeRunHere(migratingSettingsFor(store)).run('distribute');

  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(
    stderr,
    'lading: the database does not have the extension citus: add it to shared_preload_libraries, restart PostgreSQL, and run ' +
      '"create extension citus" in this database on every server\n',
  );
  assert.deepEqual(await policies(), before);
});

test('lading distribute refuses the embedded PostgreSQL and a database that is not migrated', { skip }, async () => {
  const embedded = await makeRunHere({}).run('distribute');
  assert.deepEqual(
    [embedded.code, embedded.stderr],
    [
      1,
      'lading: the embedded PostgreSQL does not have Citus; set DATABASE_URL to the coordinator of a Citus cluster\n',
    ],
  );

  const connection = await makeTestDatabase('template0');
  const empty = await makeRunHere(migratingSettingsFor({ ...store, connection })).run('distribute');
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /^lading: the database lacks migrations: 0001_schema\.sql.*; run "lading migrate"\n$/);
});
