import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ownOfDatabase } from '../../server/export/catalogue.ts';
import type { Manifest } from '../../server/export/manifest.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp } from '../support/app.ts';
import { migratingSettingsFor, settingsFor, startLading } from '../support/command.ts';
import {
  type ConnectionOptions,
  dropTestDatabase,
  holdTransaction,
  lockIsAwaited,
  makeTestDatabase,
  type OwnerDatabase,
  onCitus,
  openOwnerDatabase,
  openTestStore,
  patienceSeconds,
  templateDatabase,
} from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres } from '../support/replicated-postgres.ts';
import { order, receive } from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const limits = { max: 2, deadlineSeconds: patienceSeconds };
const skip = onCitus ? 'an export needs a database on one server' : false;
const debianPostgres = '/usr/lib/postgresql/15/bin';

const app = await startTestApp();
const { database } = app.store;
const source = migratingSettingsFor(app.store);
// The user that PostgreSQL runs as must be able to reach the folder.
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-export-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

await receive(app, {
  TEA: [
    ['2030-01-01', 100],
    [null, 5],
  ],
  CUP: [['2031-05-01', 40]],
});
for (let number = 1; number <= 5; number++)
  await order(app, `MOVED-${number}`, [
    ['TEA', number],
    ['CUP', 1],
  ]);
await app.requestLog.flush();
await database.transaction(async (tx) => {
  // Everything that has a meaning in the text format of COPY, and a table with more rows than a part.
  const [orders] = await tx`select account_id, order_id from orders limit 1`;
  for (const text of ['', '\\N', '\\.', 'a\tb\r\nc\\d', '王小明 🍵', '\'"\b\f\v', '\\x00'])
    await tx`insert into document_note (account_id, document_type, document_id, author, text)
      values (${orders!.account_id}, 'order', ${orders!.order_id}, 'moving', ${text})`;
  for (const day of ['2026-01-01', '2026-01-02']) {
    await tx`select create_request_log_day(${day}::date)`;
    await tx`insert into request_log (at, trace_id, contract, method, endpoint, status, duration_us)
      select ${day}::date + n * interval '1 second', gen_random_uuid(), 'main', 'POST', '/' || n, 200, n from generate_series(1, 2500) n`;
  }
});

interface Contents {
  tables: Record<string, string[]>;
  sequences: Record<string, string>;
}

/**
 * All rows and sequences. Left out are the records of the database itself, audits, which are made later, and the last
 * use of partners, which the app writes when it finds the time.
 */
async function contentsOf(owner: OwnerDatabase): Promise<Contents> {
  return await owner.read(async (sql) => {
    const found = await sql<{ name: string; kind: string }[]>`
      select relname::text as name, relkind::text as kind from pg_class
      where relkind in ('r', 'p', 'S') and not relispartition and relnamespace = 'public'::regnamespace
        and relname not in ('schema_migration', 'granted_privileges', 'stock_audit', 'stock_audit_id_seq', 'partner_use') order by 1`;
    const contents: Contents = { tables: {}, sequences: {} };
    for (const { name, kind } of found) {
      const row = kind === 'S' ? sql`last_value || ' ' || is_called` : sql`t::text`;
      const rows = await sql<{ row: string }[]>`select ${row} as row from ${sql(name)} t order by 1`;
      if (kind === 'S') contents.sequences[name] = rows[0]!.row;
      else contents.tables[name] = rows.map(({ row }) => row);
    }
    return contents;
  });
}

async function emptyTarget(template = 'template0'): Promise<{
  connection: ConnectionOptions;
  settings: Record<string, string>;
  owner: OwnerDatabase;
}> {
  const connection = await makeTestDatabase(template);
  const owner = openOwnerDatabase(connection, limits);
  after(async () => {
    await owner.close();
    await dropTestDatabase(connection);
  });
  return { connection, settings: migratingSettingsFor({ ...app.store, connection }), owner };
}

const manifestOf = (exported: string): Manifest => JSON.parse(readFileSync(join(exported, 'manifest.json'), 'utf8'));
const exported = join(folder, 'exported');

test('an export has every table of the schema, in parts, and leaves nothing else behind', { skip }, async () => {
  const result = await makeRunHere(source).json(['export', exported, '--rows-per-part', '1000']);

  const tables = await database.read(
    (sql) => sql<{ name: string }[]>`
      select relname::text as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
  );
  const manifest = manifestOf(exported);
  assert.deepEqual(
    manifest.tables.map(({ name }) => name).toSorted(),
    tables.map(({ name }) => name).filter((name) => !(ownOfDatabase as readonly string[]).includes(name)),
  );
  const requestLog = manifest.tables.find(({ name }) => name === 'request_log')!;
  const ofJanuary = requestLog.parts.filter(({ partition }) => partition?.startsWith('request_log_202601'));
  assert.deepEqual(
    ofJanuary.map(({ partition, rows }) => [partition, rows]),
    ['request_log_20260101', 'request_log_20260102'].flatMap((day) => [1000, 1000, 500].map((rows) => [day, rows])),
  );
  assert.equal(manifest.tables.find(({ name }) => name === 'orders')!.rows, 5);
  const files = manifest.tables.flatMap(({ parts }) => parts.map(({ file }) => file));
  assert.deepEqual(readdirSync(exported).toSorted(), [...files, 'manifest.json'].toSorted());
  assert.deepEqual(readdirSync(folder), ['exported']);
  assert.equal(
    result.rows,
    manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  );
  assert.deepEqual(result.master_key_ids, [app.store.keyring.currentKeyId]);
});

test('an import makes the same database, with which the service goes on; a second import is refused', {
  skip,
}, async () => {
  const { connection, settings, owner } = await emptyTarget();
  const here = makeRunHere(settings);

  const result = await here.json(['import', exported]);

  assert.equal(result.audit_findings, 0);
  assert.deepEqual(await contentsOf(owner), await contentsOf(database));
  const { masterKey, keyring } = app.store;
  const moved = await startTestApp({ store: { ...openTestStore(connection, limits), masterKey, keyring } });
  await order(moved, 'AFTER-THE-MOVE', [['TEA', 1]]);
  assert.equal((await here.json('audit')).clean, true);

  const again = await here.run(['import', exported]);
  assert.equal(again.code, 1);
  assert.match(
    again.stderr,
    /^lading: the database is not empty \(there are rows in .*\borders\b.*\): give an empty one/,
  );
  assert.equal((await owner.read((sql) => sql`select from orders`)).length, 6);
});

test('an export goes from PostgreSQL 18 to 15, and from there to the embedded one, with its key file', {
  skip,
}, async (t) => {
  if (!existsSync(debianPostgres)) return t.skip(`${debianPostgres} does not exist: install Debian's postgresql-15`);
  const server = await startPostgres({
    folder: mkdtempSync(join(folder, 'postgres-15-')),
    programs: { postgres: join(debianPostgres, 'postgres'), initdb: join(debianPostgres, 'initdb') },
    settings: {},
  });
  t.after(() => server.stop('SIGKILL'));
  // An owner who is no superuser, as docs/operating.md recommends.
  await server.ask((sql) => sql`create role shop_owner login createrole`);
  await server.ask((sql) => sql`create database shop owner shop_owner`);
  const urlOf = (login: string) => `postgres://${login}@${server.host}:${server.port}/shop`;
  const of15 = {
    MASTER_KEY: source.MASTER_KEY!,
    DATABASE_OWNER_URL: urlOf('shop_owner'),
    DATABASE_URL: urlOf('shop'),
  };
  await makeRunHere(of15).json('migrate');
  const node = openDatabase(urlOf('shop'), { max: 1, deadlineSeconds: null, role: 'worker' });
  await node.read(noAccounts, (sql) => sql`select 1`);
  const beside = await makeRunHere(of15).run(['import', exported]);
  assert.equal(beside.code, 1);
  assert.match(beside.stderr, /a service runs on this database \(\S+\): stop it/);
  await node.close();
  await makeRunHere(of15).json(['import', exported]);
  const from15 = join(folder, 'from-15');
  await makeRunHere(of15).json(['export', from15]);
  assert.match(manifestOf(from15).postgres_version, /^15\./);

  const dataDir = join(folder, 'data');
  const embedded = makeRunHere({ DATA_DIR: dataDir });
  const withoutKey = await embedded.run(['import', from15]);
  assert.equal(withoutKey.code, 1);
  assert.match(
    withoutKey.stderr,
    /^lading: the secrets of the export are protected by master key [0-9a-f]{8}: put its master\.key at /,
  );
  assert.equal(existsSync(dataDir), false);

  // Keeps PostgreSQL running between the commands.
  const postgres = await openEmbeddedPostgres({ dataDir });
  const owner = openOwnerDatabase(postgres.connection, limits);
  t.after(async () => {
    await owner.close();
    await postgres.close();
  });
  const withKey = makeRunHere({ DATA_DIR: dataDir, MASTER_KEY: source.MASTER_KEY! });
  assert.equal((await withKey.json(['import', from15])).audit_findings, 0);
  assert.deepEqual(await contentsOf(owner), await contentsOf(database));
});

test('an import that was killed is continued by the next one; until then nothing else uses the database', {
  skip,
}, async () => {
  const { settings, owner } = await emptyTarget(templateDatabase);
  const here = makeRunHere({ ...settings, PORT: `${await freePort()}` });
  const held = await holdTransaction(owner, (tx) => tx`lock table request_log in exclusive mode`);
  const child = startLading(['import', exported], settings);
  await lockIsAwaited(owner);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const unfinished =
    'lading: an import into this database has begun and is not finished: run "lading import" again with the same folder\n';
  for (const command of ['serve', 'audit', 'migrate'])
    assert.deepEqual(await here.run(command), { code: 3, stdout: '', stderr: unfinished }, command);
  // A backend that waits for a lock does not notice that its client is gone.
  await held.release();
  const other = join(folder, 'other');
  await makeRunHere(source).json(['export', other]);
  const otherwise = await here.run(['import', other]);
  assert.equal(otherwise.code, 1);
  assert.match(otherwise.stderr, /the import of another export \([0-9a-f-]{36}\) has begun in this database/);

  const result = await here.json(['import', exported]);
  assert.ok(result.parts_imported > 0 && result.parts_imported_earlier > 0, JSON.stringify(result));
  assert.deepEqual(await contentsOf(owner), await contentsOf(database));
});

test('an export shows one moment, although orders arrive while it reads', { skip }, async () => {
  const before = await contentsOf(database);
  const during = join(folder, 'during');
  const held = await holdTransaction(database, (tx) => tx`lock table callback in access exclusive mode`);
  const exporting = makeRunHere(source).json(['export', during]);
  await lockIsAwaited(database);
  await order(app, 'DURING-THE-EXPORT', [['TEA', 1]]);
  await held.release();
  await exporting;

  const { settings, owner } = await emptyTarget();
  assert.equal((await makeRunHere(settings).json(['import', during])).audit_findings, 0);
  const { tables } = await contentsOf(owner);
  for (const name of ['orders', 'order_line', 'movement', 'lot'])
    assert.deepEqual(tables[name], before.tables[name], name);
});

test('an import is refused, and nothing is written, if key, schema, files or a running service do not fit', {
  skip,
}, async () => {
  const { connection, settings, owner } = await emptyTarget(templateDatabase);
  const before = await contentsOf(owner);
  const refused = async (run: Promise<{ code: number | null; stderr: string }>, reason: RegExp) => {
    const { code, stderr } = await run;
    assert.match(stderr, reason);
    assert.equal(code, 1);
    const progress = await owner.read((sql) => sql`select to_regclass('import_progress') as name`);
    assert.equal(progress[0]!.name, null);
    assert.deepEqual(await contentsOf(owner), before);
  };
  const changedCopy = (name: string, change: (manifest: Manifest) => void) => {
    const copy = mkdtempSync(join(folder, `${name}-`));
    for (const file of readdirSync(exported)) writeFileSync(join(copy, file), readFileSync(join(exported, file)));
    const manifest = manifestOf(exported);
    change(manifest);
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
    return { copy, manifest };
  };
  const here = makeRunHere(settings);

  const otherKey = makeRunHere({ ...settings, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') });
  await refused(
    otherKey.run(['import', exported]),
    /protected by master key [0-9a-f]{8}, but MASTER_KEY is [0-9a-f]{8}; nothing was changed/,
  );
  const newer = changedCopy('newer', ({ migrations }) => migrations.push({ name: '0099_later.sql', checksum: 'x' }));
  await refused(
    here.run(['import', newer.copy]),
    /the export has another schema \(\d+ migrations, the last one is 0099_later\.sql\)/,
  );
  const outside = changedCopy('outside', ({ tables }) => {
    tables.find(({ parts }) => parts.length > 0)!.parts[0]!.file = '../orders.0001.gz';
  });
  await refused(
    here.run(['import', outside.copy]),
    /manifest\.json is not a manifest of format 1: tables\[0\]\.parts\[0\]\.file is wrong/,
  );
  const damaged = changedCopy('damaged', () => {});
  const file = join(damaged.copy, 'orders.0001.gz');
  const bytes = readFileSync(file);
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(file, bytes);
  await refused(
    here.run(['import', damaged.copy]),
    /orders\.0001\.gz does not have the checksum of the manifest: the file is damaged/,
  );
  rmSync(file);
  await refused(here.run(['import', damaged.copy]), /orders\.0001\.gz cannot be read \(ENOENT\)/);
  await refused(here.run(['import', folder]), /manifest\.json does not exist: the folder is not an export/);

  const node = openDatabase(
    { ...connection, username: 'lading_service' },
    { max: 1, deadlineSeconds: null, role: 'api' },
  );
  await node.read(noAccounts, (sql) => sql`select 1`);
  await refused(here.run(['import', exported]), /a service runs on this database \(\S+\): stop it, then import again/);
  await node.close();
});

test('an export is refused for the login of the service, and into a folder that exists', { skip }, async () => {
  const target = join(folder, 'refused');
  const service = await makeRunHere(settingsFor(app.store)).run(['export', target]);
  assert.deepEqual(service, {
    code: 1,
    stdout: '',
    stderr:
      'lading: this login does not own the tables, so it does not see all rows: give the login of the owner in DATABASE_OWNER_URL\n',
  });
  const twice = await makeRunHere(source).run(['export', exported]);
  assert.deepEqual(
    [twice.code, twice.stderr],
    [1, `lading: ${exported} exists already: give the name of a new folder\n`],
  );
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('refused') || name.includes('unfinished')),
    [],
  );
});
