import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTarget } from './connection-target.ts';
import { connect, type PlainSql } from './database.ts';
import { isContention } from './errors.ts';
import { areGranted, areOutdated, grantPrivileges, readPrivileges, type ServiceLogin } from './roles.ts';
import type { Sql, Tx } from './sql.ts';

export interface Migration {
  version: number;
  name: string;
  checksum: string;
  text: string;
}

export type MigrateOutcome =
  | { kind: 'migrated'; applied: string[] }
  | { kind: 'pending'; pending: string[] }
  /** A newer version has migrated the database; this one can use it, and changes nothing. */
  | { kind: 'newer'; unknown: string[] }
  | { kind: 'refused'; mistakes: string[] };

const nothingToDo: MigrateOutcome = { kind: 'migrated', applied: [] };
const pendingPrivileges: MigrateOutcome = { kind: 'pending', pending: ['privileges.sql'] };
const migrationsFolder = new URL('../../../migrations/', import.meta.url);
/** Any number, as long as every version of Lading uses the same. */
const migrationLock = 7_215_001;
const lockWaitSeconds = 600;
/**
 * Statements that need a table queue behind a migration that waits for it. A migration therefore waits only this long,
 * lets the others pass, and tries again.
 */
const tableWaitMs = 300;
const comeAgainMs = 500;

/**
 * Migrates the database to this version of Lading, or (`apply: false`) only reports what is missing. Never goes back.
 */
export async function migrate(
  target: ConnectionTarget,
  options: {
    apply: boolean;
    /** Receives its privileges, if the target is the login of the owner and the service has another one. */
    service?: ServiceLogin | null;
    folder?: URL;
    onProgress?: (line: string) => void;
  },
): Promise<MigrateOutcome> {
  const known = await readMigrations(options.folder ?? migrationsFolder);
  const onProgress = options.onProgress ?? (() => {});
  const service = options.service ?? null;
  const privileges = await readPrivileges();
  const sql = connect(target, 1);
  try {
    // If nothing is missing, there is no need to wait for a node that is migrating.
    const first = compare(known, await appliedMigrations(sql));
    // An older version must not take away the privileges that nodes of the newer one need.
    if (first.mistakes.length === 0 && first.unknown.length > 0) return { kind: 'newer', unknown: first.unknown };
    if (first.mistakes.length === 0 && first.pending.length === 0) {
      if (service === null) return (await areOutdated(sql, privileges)) ? pendingPrivileges : nothingToDo;
      if (await areGranted(sql, service, privileges)) return nothingToDo;
    }

    await takeLock(sql, onProgress);
    const { mistakes, unknown, pending } = compare(known, await appliedMigrations(sql));
    if (mistakes.length > 0) return { kind: 'refused', mistakes };
    if (unknown.length > 0) return { kind: 'newer', unknown };
    if (pending.length > 0 && !options.apply)
      return { kind: 'pending', pending: pending.map((migration) => migration.name) };

    for (const migration of pending) await applyWhenTablesAreFree(sql, migration, onProgress);
    if (service !== null) await grantPrivileges(sql, service, privileges);
    return { kind: 'migrated', applied: pending.map((migration) => migration.name) };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The number of the last migration of this version. */
export async function latestMigration(): Promise<number> {
  return (await readMigrations(migrationsFolder)).length;
}

/** The files in the order of their numbers: `0001_partners.sql`. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== 'privileges.sql').sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
      if (!number) throw new Error(`migrations/${name}: a migration is named like 0001_partners.sql`);
      const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
      return { version: Number(number), name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
  migrations.forEach((migration, index) => {
    if (migration.version !== index + 1)
      throw new Error(`migrations/${migration.name}: number ${index + 1} was expected`);
  });
  return migrations;
}

interface AppliedMigration {
  name: string;
  checksum: string;
}

/** Part of the name of a migration after which older versions cannot use the database; they know only its name. */
export const breakingName = /^\d+_breaking_/;

/** `unknown`: migrations of a newer version that only added to the database. */
function compare(
  known: Migration[],
  applied: Map<number, AppliedMigration>,
): { mistakes: string[]; unknown: string[]; pending: Migration[] } {
  if (applied.get(1)?.name === firstMigrationOf01)
    return { mistakes: [explain01(applied.size)], unknown: [], pending: [] };
  const mistakes: string[] = [];
  const unknown: string[] = [];
  for (const [version, { name, checksum }] of applied) {
    const migration = known[version - 1];
    if (!migration && breakingName.test(name))
      mistakes.push(`the database is newer than this version of Lading, which cannot use it after ${name}`);
    else if (!migration) unknown.push(name);
    else if (migration.checksum !== checksum)
      mistakes.push(`migrations/${migration.name} is not the text that was applied as ${name}`);
  }
  return { mistakes, unknown, pending: known.filter((migration) => !applied.has(migration.version)) };
}

/** Version 0.1 stored data in a way that migrations cannot convert. */
const firstMigrationOf01 = '0001_partners.sql';

function explain01(migrations: number): string {
  return (
    `the database belongs to Lading 0.1 (${migrations} migrations, the first is ${firstMigrationOf01}); this version cannot use it, and has changed ` +
    'nothing. Either run Lading 0.1 on it, or give this version an empty database (another DATA_DIR or DATABASE_URL), apply your provisioning file ' +
    'there, and have partners send products, stock and open orders again'
  );
}

/** Waits while another node migrates; the lock ends with the connection. */
async function takeLock(sql: Sql, onProgress: (line: string) => void): Promise<void> {
  const giveUpAt = performance.now() + lockWaitSeconds * 1000;
  for (let tries = 1; ; tries++) {
    const [row] = await sql`select pg_try_advisory_lock(${migrationLock}) as taken`;
    if (row!.taken) return;
    if (performance.now() > giveUpAt)
      throw new Error(`another node has been migrating the database for over ${lockWaitSeconds} s`);
    if (tries % 50 === 1) onProgress('waiting: another node is migrating the database');
    await sleep(100);
  }
}

async function appliedMigrations(sql: Sql): Promise<Map<number, AppliedMigration>> {
  const [{ present }] = (await sql`select to_regclass('schema_migration') is not null as present`) as unknown as [
    { present: boolean },
  ];
  if (!present) return new Map();
  const rows = await sql<
    (AppliedMigration & { version: number })[]
  >`select version, name, checksum from schema_migration order by version`;
  return new Map(rows.map((row) => [row.version, row]));
}

/** Other nodes keep working meanwhile, and a long read may use the tables that the migration changes. */
async function applyWhenTablesAreFree(
  sql: PlainSql,
  migration: Migration,
  onProgress: (line: string) => void,
): Promise<void> {
  const giveUpAt = performance.now() + lockWaitSeconds * 1000;
  for (let tries = 1; ; tries++) {
    try {
      return await applyMigration(sql, migration);
    } catch (error) {
      if (!isContention(error)) throw error;
      const waiting = `migrations/${migration.name} waits: others are at work on the tables that it changes`;
      if (performance.now() > giveUpAt) throw new Error(`${waiting}, for over ${lockWaitSeconds} s`);
      if (tries % 10 === 1) onProgress(waiting);
      await sleep(comeAgainMs);
    }
  }
}

async function applyMigration(sql: PlainSql, migration: Migration): Promise<void> {
  const { version, name, checksum, text } = migration;
  const indexes = indexesBuiltBeside(migration);
  if (indexes !== null) {
    for (const index of indexes) await buildIndex(sql, index);
    await sql`insert into schema_migration (version, name, checksum) values (${version}, ${name}, ${checksum})`;
    return;
  }
  const work = async (tx: Tx) => {
    await tx.unsafe(`set local lock_timeout = ${tableWaitMs}`);
    await tx`create table if not exists schema_migration (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`;
    await tx.unsafe(text);
    await tx`insert into schema_migration (version, name, checksum) values (${version}, ${name}, ${checksum})`;
  };
  await sql.begin(work);
}

interface IndexStatement {
  name: string;
  statement: string;
}

const indexStatement = /^create index concurrently (\w+) on [^;]+$/;

/**
 * The indexes of a migration that are built while others write, which PostgreSQL does only outside a transaction; such
 * a migration therefore contains nothing else. null: it is an ordinary migration.
 */
export function indexesBuiltBeside({ name, text }: Pick<Migration, 'name' | 'text'>): IndexStatement[] | null {
  const statements = text
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
  if (!statements.some((statement) => /\bindex\s+concurrently\b/i.test(statement))) return null;
  return statements.map((statement) => {
    const index = indexStatement.exec(statement)?.[1];
    if (!index)
      throw new Error(`migrations/${name}: beside "create index concurrently NAME on ...", nothing else is allowed`);
    return { name: index, statement };
  });
}

/**
 * Building an index beside writers may be cut off, and leaves an index that is not valid; it is built again. A valid one
 * was built before the migration was cut off.
 */
async function buildIndex(sql: PlainSql, { name, statement }: IndexStatement): Promise<void> {
  const [found] = await sql<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`;
  if (found?.valid) return;
  if (found) await sql.unsafe(`drop index concurrently ${name}`);
  await sql.unsafe(statement);
}
