import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { connect } from '../../server/platform/postgres/database.ts';
import { migrate, readMigrations } from '../../server/platform/postgres/migrate.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';
import { planSettings } from '../../server/platform/postgres/surroundings.ts';
import { type ConnectionOptions, dropTestDatabase, makeTestDatabase, templateDatabase } from '../support/database.ts';

const one = {
  '0001_first.sql':
    'create table first (n int);\ninsert into first values (1);\ncreate table granted_privileges (service_role text, checksum text);',
};
const two = { '0002_second.sql': 'insert into first values (2);\ncreate table second ();' };
const three = { '0003_third.sql': 'insert into first values (3);' };

const folders: string[] = [];
const databases: ConnectionOptions[] = [];
after(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true });
  for (const database of databases) await dropTestDatabase(database);
});

function folderWith(files: Record<string, string>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-test-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

async function emptyDatabase(): Promise<ConnectionOptions> {
  const database = await makeTestDatabase('template0');
  databases.push(database);
  return database;
}

async function rowsOf(database: ConnectionOptions, query: string): Promise<unknown[][]> {
  const sql = connect(database, 1);
  try {
    return (await sql.unsafe(query)).map((row) => Object.values(row));
  } finally {
    await sql.end();
  }
}

const tablesOf = async (database: ConnectionOptions) =>
  (await rowsOf(database, "select tablename from pg_tables where schemaname = 'public' order by 1")).flat();
const numbersOf = async (database: ConnectionOptions) =>
  (await rowsOf(database, 'select n from first order by ctid')).flat();
const journalOf = (database: ConnectionOptions) =>
  rowsOf(database, 'select version, name, checksum, applied_at::text from schema_migration order by version');

test('migrations are applied once, in the order of their numbers, and recorded with their checksum; without apply they are only reported', async () => {
  const database = await emptyDatabase();
  const folder = folderWith({ ...two, ...one });
  const pending = ['0001_first.sql', '0002_second.sql'];
  assert.deepEqual(await migrate(database, { apply: false, folder }), { kind: 'pending', pending });
  assert.deepEqual(await tablesOf(database), []);

  assert.deepEqual(await migrate(database, { apply: true, folder }), { kind: 'migrated', applied: pending });
  const journal = await journalOf(database);
  assert.deepEqual(
    journal.map(([version, name]) => [version, name]),
    pending.map((name, index) => [index + 1, name]),
  );
  for (const [, , checksum] of journal) assert.match(checksum as string, /^[0-9a-f]{64}$/);
  for (const apply of [true, false])
    assert.deepEqual(await migrate(database, { apply, folder }), { kind: 'migrated', applied: [] });
  assert.deepEqual(await journalOf(database), journal);

  const outcome = await migrate(database, { apply: true, folder: folderWith({ ...one, ...two, ...three }) });
  assert.deepEqual(outcome, { kind: 'migrated', applied: ['0003_third.sql'] });
  assert.deepEqual(await numbersOf(database), [1, 2, 3]);
});

test('a migration that fails leaves nothing of itself behind; corrected, it is applied', async () => {
  const database = await emptyDatabase();
  const brokenFirst = folderWith({ '0001_first.sql': 'create table first (); select 1/0;' });
  await assert.rejects(migrate(database, { apply: true, folder: brokenFirst }), /division by zero/);
  assert.deepEqual(await tablesOf(database), []);
  const broken = {
    '0002_second.sql': 'insert into first values (2); create table second (); insert into missing values (1);',
  };

  await assert.rejects(
    migrate(database, { apply: true, folder: folderWith({ ...one, ...broken, ...three }) }),
    /"missing" does not exist/,
  );
  assert.deepEqual(await tablesOf(database), ['first', 'granted_privileges', 'schema_migration']);
  assert.deepEqual(await numbersOf(database), [1]);
  assert.deepEqual(
    (await journalOf(database)).map(([version]) => version),
    [1],
  );

  const outcome = await migrate(database, { apply: true, folder: folderWith({ ...one, ...two, ...three }) });
  assert.deepEqual(outcome, { kind: 'migrated', applied: ['0002_second.sql', '0003_third.sql'] });
  assert.deepEqual(await numbersOf(database), [1, 2, 3]);
});

test('a migration whose text changed after it was applied is refused, and nothing is applied', async () => {
  const database = await emptyDatabase();
  await migrate(database, { apply: true, folder: folderWith(one) });

  const changed = folderWith({ '0001_renamed.sql': `${one['0001_first.sql']} `, ...two });
  for (const apply of [true, false]) {
    assert.deepEqual(await migrate(database, { apply, folder: changed }), {
      kind: 'refused',
      mistakes: ['migrations/0001_renamed.sql is not the text that was applied as 0001_first.sql'],
    });
  }
  assert.deepEqual(await tablesOf(database), ['first', 'granted_privileges', 'schema_migration']);

  const otherLineEnds = folderWith({ '0001_first.sql': one['0001_first.sql'].replaceAll('\n', '\r\n') });
  const outcome = await migrate(database, { apply: true, folder: otherLineEnds });
  assert.deepEqual(outcome, { kind: 'migrated', applied: [] }, 'line ends of another system are no change');
});

test('a database of version 0.1 is refused with the version and the options, and nothing is changed', async () => {
  const database = await emptyDatabase();
  const folder = folderWith({ '0001_partners.sql': 'create table warehouse ();', '0002_request_log.sql': 'select 1;' });
  await migrate(database, { apply: true, folder });
  const before = await journalOf(database);

  const outcome = await migrate(database, { apply: true });
  assert.ok(outcome.kind === 'refused');
  assert.equal(outcome.mistakes.length, 1);
  assert.match(
    outcome.mistakes[0]!,
    /^the database belongs to Lading 0\.1 \(2 migrations, .*Either run Lading 0\.1 on it, or give this version an empty database/,
  );
  assert.deepEqual(await journalOf(database), before);
  assert.deepEqual(await tablesOf(database), ['schema_migration', 'warehouse']);
});

test('a newer version that only added leaves the database usable; the older version names its migrations and changes nothing', async () => {
  const database = await emptyDatabase();
  await migrate(database, { apply: true, folder: folderWith({ ...one, ...two, ...three }) });
  const before = await journalOf(database);

  const service = { name: 'nobody_asked_for_this', password: 'x' };
  for (const options of [{ apply: true, service }, { apply: false }]) {
    assert.deepEqual(await migrate(database, { ...options, folder: folderWith(one) }), {
      kind: 'newer',
      unknown: ['0002_second.sql', '0003_third.sql'],
    });
  }
  assert.deepEqual(await journalOf(database), before);
  assert.deepEqual(await rowsOf(database, `select from pg_roles where rolname = '${service.name}'`), []);
});

test('a newer version that is marked as breaking makes the database unusable for the older one', async () => {
  const database = await emptyDatabase();
  const breaking = { '0002_breaking_second.sql': 'alter table first rename to second;' };
  await migrate(database, { apply: true, folder: folderWith({ ...one, ...breaking }) });
  assert.deepEqual(await tablesOf(database), ['granted_privileges', 'schema_migration', 'second']);

  for (const apply of [true, false]) {
    assert.deepEqual(await migrate(database, { apply, folder: folderWith(one) }), {
      kind: 'refused',
      mistakes: [
        'the database is newer than this version of Lading, which cannot use it after 0002_breaking_second.sql',
      ],
    });
  }
});

test('ten at once apply each migration exactly once', async () => {
  const database = await emptyDatabase();
  const folder = folderWith({ ...one, ...two, ...three });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => migrate(database, { apply: true, folder })));

  const applied = outcomes.flatMap((outcome) => (outcome.kind === 'migrated' ? outcome.applied : [outcome.kind]));
  assert.deepEqual(applied, ['0001_first.sql', '0002_second.sql', '0003_third.sql']);
  assert.deepEqual(await numbersOf(database), [1, 2, 3]);
});

test('a migration that waits for a table lets others pass, and tries again until the table is free', async () => {
  const database = await emptyDatabase();
  await migrate(database, { apply: true, folder: folderWith(one) });
  const [reader, other] = [connect(database, 1), connect(database, 1)];
  const alter = { '0002_second.sql': 'alter table first add column later int;' };
  const progress: string[] = [];

  let migrating: Promise<unknown>;
  await reader.begin(async (tx) => {
    await tx`select * from first`;
    migrating = migrate(database, {
      apply: true,
      folder: folderWith({ ...one, ...alter }),
      onProgress: (line) => void progress.push(line),
    });
    while ((await waitingIn(other)).count === 0);
    assert.equal((await other`select n from first`).count, 1);
  });

  assert.deepEqual(await migrating!, { kind: 'migrated', applied: ['0002_second.sql'] });
  assert.deepEqual(progress, ['migrations/0002_second.sql waits: others are at work on the tables that it changes']);
  assert.equal((await other`select later from first`).count, 1);
  await Promise.all([reader.end(), other.end()]);
});

function waitingIn(sql: Sql) {
  return sql`
    select from pg_locks join pg_database on pg_database.oid = database
    where not granted and mode = 'AccessExclusiveLock' and datname = current_database()`;
}

const nameRule = 'a migration is named like 0001_partners.sql';
const badFolders: [name: string, files: Record<string, string>, file: string, message: string][] = [
  ['no number', { ...one, 'second.sql': '' }, 'second.sql', nameRule],
  ['too few digits', { ...one, '002_second.sql': '' }, '002_second.sql', nameRule],
  ['capital letters', { '0001_First.sql': '' }, '0001_First.sql', nameRule],
  ['no name', { '0001.sql': '' }, '0001.sql', nameRule],
  ['a gap', { ...one, ...three }, '0003_third.sql', 'number 2 was expected'],
  ['the same number twice', { ...one, '0001_other.sql': '' }, '0001_other.sql', 'number 2 was expected'],
  ['a start at zero', { '0000_zero.sql': '' }, '0000_zero.sql', 'number 1 was expected'],
];
test(`a folder with ${badFolders.map(([name]) => name).join(', ')} is refused before the database is touched`, async () => {
  const database = await emptyDatabase();
  for (const [, files, file, message] of badFolders) {
    const folder = folderWith(files);
    await assert.rejects(migrate(database, { apply: true, folder }), { message: `migrations/${file}: ${message}` });
  }
  assert.deepEqual(await tablesOf(database), []);
});

test('files that are no SQL are ignored', async () => {
  const migrations = await readMigrations(folderWith({ ...one, 'README.md': 'text' }));
  assert.deepEqual(
    migrations.map(({ version, name, text }) => ({ version, name, text })),
    [{ version: 1, name: '0001_first.sql', text: one['0001_first.sql'] }],
  );
});

test('a node that waits for another one to migrate says so; one that needs no migration does not wait', async () => {
  const database = await emptyDatabase();
  await migrate(database, { apply: true, folder: folderWith(one) });
  const sql = connect(database, 1);
  await sql`select pg_advisory_lock(7215001)`;

  assert.deepEqual(await migrate(database, { apply: true, folder: folderWith(one) }), {
    kind: 'migrated',
    applied: [],
  });
  const said = Promise.withResolvers<string>();
  const waiting = migrate(database, { apply: true, folder: folderWith({ ...one, ...two }), onProgress: said.resolve });
  assert.equal(await said.promise, 'waiting: another node is migrating the database');

  await sql.end();
  assert.deepEqual(await waiting, { kind: 'migrated', applied: ['0002_second.sql'] });
});

const lookUps: Record<string, string> = {
  orders_number: `select from orders where account_id = $1 and channel <> 'logistics' and partner_number = any($2::text[])
    order by order_id for no key update`,
  inbound_number: `select from inbound_document where account_id = $1 and channel <> 'logistics'
    and partner_number = any($2::text[]) order by inbound_id for no key update`,
  product_account_id_sku_id_key: `select from product where account_id = $1 and sku_id = any($2::text[])
    order by product_id for no key update`,
  lot_stocked: `select from lot where account_id = $1 and product_id = any($2::bigint[]) and on_hand > 0
    order by lot_id for no key update`,
};
/** The same for the first lots to expire, which are looked up one product after the other, in their order. */
const earliestLots = `
  select first_ones.lot_id from unnest($2::text[]::bigint[]) as wanted(product_id) cross join lateral (
    select lot_id from lot
    where account_id = $1 and product_id = wanted.product_id and warehouse_no = 1 and free_level > 0 and expire_date >= '2030-01-01'
    order by expire_date, lot_id limit 3) first_ones`;

test('a plan that is made while the tables are empty suits full ones: it looks rows up by their key, not by the account', async () => {
  const database = await makeTestDatabase(templateDatabase);
  databases.push(database);
  const sql = connect(database, 1, { settings: planSettings.of_any_values });
  try {
    const planOf = async (text: string) => {
      await sql.unsafe(`prepare look_up (bigint, text[]) as ${text.replace('$2::bigint[]', '$2::text[]::bigint[]')}`);
      const plan = await sql.unsafe(`explain execute look_up (1, '{1,2}')`);
      await sql.unsafe('deallocate look_up');
      return plan.map((row) => row['QUERY PLAN'] as string).join('\n');
    };
    for (const [index, text] of Object.entries(lookUps))
      assert.match(
        await planOf(text),
        new RegExp(`Index Scan using ${index} .*\n.*Index Cond: .*account_id.* AND .*ANY`),
      );
    const plan = await planOf(earliestLots);
    assert.match(plan, /Index Only Scan using lot_free .*\n.*Index Cond: .*product_id.* AND .*expire_date/);
    assert.doesNotMatch(plan, /Sort/);
  } finally {
    await sql.end();
  }
});
