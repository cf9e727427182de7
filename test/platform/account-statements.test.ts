import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeTestStore } from '../support/database.ts';

const store = await makeTestStore({ pool: 2 });
after(() => store.close());

async function namesOf(query: string): Promise<string[]> {
  const rows = await store.database.read((sql) => sql.unsafe<{ name: string }[]>(query));
  return rows.map(({ name }) => name);
}

/** Every node keeps all partners in memory: they are few, and are read over all accounts. */
const partnerTables = ['account', 'client', 'logistics_key', 'tenant'];

const tablesOfAccounts = (
  await namesOf(`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'account_id' order by 1`)
).filter((table) => !partnerTables.includes(table));

const tablesWithoutAccount = [
  // Shared by all accounts, with few rows.
  ...['warehouse', 'store', 'push_schedule', 'schedule', 'node', 'schema_migration', 'token_key'],
  // Read before the account of a caller is known, or with the partners.
  ...['secret', 'partner_change', 'partner_use', 'client_network'],
  // Operators work in all accounts.
  ...['operator', 'operator_session', 'operator_action', 'saved_view'],
  // One row per run of a job over all accounts.
  ...['stock_audit', 'purge_report'],
  // Includes requests of unknown callers.
  'request_log',
];

test('every table either has an account or is known not to need one', async () => {
  const all = await namesOf(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`);
  const known = [...tablesOfAccounts, ...partnerTables, ...tablesWithoutAccount];
  assert.deepEqual(all, known.toSorted());
  assert.ok(tablesOfAccounts.length >= 19, tablesOfAccounts.join());
});

test('the account is the first column of every primary key, unique constraint and index of its tables', async () => {
  const keyed = await namesOf(`
    select distinct indrelid::regclass::text as name from pg_index where indisprimary`);
  assert.deepEqual(
    tablesOfAccounts.filter((table) => !keyed.includes(table)),
    [],
    'a table without a primary key',
  );
  const others = await namesOf(`
    select indrelid::regclass || '.' || indexrelid::regclass as name
    from pg_index left join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid::regclass::text in (${tablesOfAccounts.map((table) => `'${table}'`).join()})
      and attname is distinct from 'account_id' order by 1`);
  assert.deepEqual(others, []);
});

test('the account of a row is never absent', async () => {
  const nullable = await namesOf(`
    select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'account_id' and not attnotnull`);
  assert.deepEqual(nullable, []);
});

test('ids come from named sequences, never from identity columns, which cannot be distributed', async () => {
  const identities = await namesOf(`
    select attrelid::regclass || '.' || attname as name from pg_attribute where attidentity <> '' order by 1`);
  assert.deepEqual(identities, []);
  const ownedByColumns = await namesOf(`
    select objid::regclass::text as name from pg_depend
    join pg_class on pg_class.oid = objid and relkind = 'S'
    where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i') order by 1`);
  assert.deepEqual(ownedByColumns, [], 'a serial column makes a sequence without a name of its own');
});
