import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Keyring, makeKeyring } from '../../server/platform/keyring.ts';
import { connect, type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import { noAccounts, type Sql, type Tx } from '../../server/platform/postgres/sql.ts';

export const templateDatabase = 'lading_template';

/** A generous limit for waits that do not test deadlines, because the machine may be busy. */
export const patienceSeconds = 30;

export interface ConnectionOptions {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
}

/** The statements of a test itself. It logs in as the owner of the tables and sees the rows of all accounts. */
export interface OwnerDatabase {
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The database of a test and its keys. */
export interface TestStore {
  /** The login of the owner. */
  connection: ConnectionOptions;
  database: OwnerDatabase;
  /** The same database, as the service uses it. */
  service: Database;
  serviceConnection: ConnectionOptions;
  keyring: Keyring;
  masterKey: Buffer;
  close(): Promise<void>;
}

export const serviceRole = 'lading_service';

/** The PostgreSQL server of this test run, with its superuser. */
export function testPostgres(): ConnectionOptions {
  const text = process.env.LADING_TEST_POSTGRES;
  if (!text) throw new Error('run tests with npm test: it starts PostgreSQL first');
  return JSON.parse(text);
}

/** Set for a run on Citus. */
export const citusVariable = 'LADING_TEST_CITUS';
export const onCitus = process.env[citusVariable] !== undefined;
export const workersVariable = 'LADING_TEST_WORKERS';

/** All servers of this test run: on Citus, the workers too. */
export function testServers(): ConnectionOptions[] {
  return [testPostgres(), ...JSON.parse(process.env[workersVariable] ?? '[]')];
}

/** Creates a database, cloned from the migrated template or empty; it is dropped when closed. */
export async function makeTestStore(
  options: { template?: string; deadlineSeconds?: number; pool?: number } = {},
): Promise<TestStore> {
  const connection = await makeTestDatabase(options.template ?? templateDatabase);
  const limits = { max: options.pool ?? 10, deadlineSeconds: options.deadlineSeconds ?? patienceSeconds };
  const store = openTestStore(connection, limits);
  return {
    ...store,
    async close() {
      await store.close();
      await dropTestDatabase(connection);
    },
  };
}

interface Limits {
  max: number;
  deadlineSeconds: number | null;
}

/** The store of a migrated database, with both logins and new keys. */
export function openTestStore(connection: ConnectionOptions, limits: Limits): TestStore {
  const serviceConnection = { ...connection, username: serviceRole };
  const masterKey = randomBytes(32);
  const service = openDatabase(serviceConnection, limits);
  const database = openOwnerDatabase(connection, limits);
  return {
    connection,
    serviceConnection,
    database,
    service,
    masterKey,
    keyring: makeKeyring(masterKey),
    async close() {
      await Promise.all([database.close(), service.close()]);
    },
  };
}

export function openOwnerDatabase(connection: ConnectionOptions, limits: Limits): OwnerDatabase {
  const { read, transaction, close } = openDatabase(connection, limits);
  return {
    read: (work) => read(noAccounts, work),
    transaction: (work) => transaction(noAccounts, work),
    close,
  };
}

export async function makeTestDatabase(template: string): Promise<ConnectionOptions> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  // On Citus, the copies of all servers together are a copy of the distributed database.
  await onEveryServer((sql) => sql.unsafe(`create database ${name} template ${template} strategy file_copy`));
  return { ...testPostgres(), database: name };
}

/**
 * If the database cannot be dropped, for example because a server process is slow to end, it is removed with the server
 * after the run.
 */
export async function dropTestDatabase({ database }: ConnectionOptions): Promise<void> {
  await onEveryServer((sql) => sql.unsafe(`drop database if exists ${database} with (force)`)).catch((error: Error) =>
    console.error(`${database}: ${error.message}`),
  );
}

/** The error of PostgreSQL for a statement that the role may not run on this table. */
export function mayNot(table: string): { code: string; message: string } {
  return { code: '42501', message: `permission denied for table ${table}` };
}

/** Changes with every change of a row of the table, also with one that leaves all values as they were. */
export async function fingerprintOf({ database }: Pick<TestStore, 'database'>, table: string): Promise<string> {
  const [row] = await database.read(
    (sql) => sql<{ print: string }[]>`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(xmin::text || t::text, 0)), 0) as print from ${sql(table)} t`,
  );
  return row!.print;
}

/** Begins a transaction, does some work in it, and keeps it open until `release`, which commits it. */
export async function holdTransaction(
  database: OwnerDatabase,
  work: (tx: Tx) => Promise<unknown>,
): Promise<{ release(): Promise<void> }> {
  const [done, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = database.transaction(async (tx) => {
    await work(tx);
    done.resolve();
    await goOn.promise;
  });
  await Promise.race([done.promise, transaction]);
  return {
    async release() {
      goOn.resolve();
      await transaction;
    },
  };
}

/** Resolves when so many connections of this database wait for a lock. */
export async function lockIsAwaited(database: OwnerDatabase, waiters = 1): Promise<void> {
  const count = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  // On Citus, the workers have the rows, and so the locks.
  const query = onCitus
    ? `select sum(result::integer)::integer as count from run_command_on_all_nodes($$${count}$$)`
    : count;
  const waiting = () => database.read((sql) => sql.unsafe<{ count: number }[]>(query));
  while ((await waiting())[0]!.count < waiters) await sleep(5);
}

async function onEveryServer(work: (sql: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> {
  await Promise.all(testServers().map((server) => asAdmin(server, work)));
}

async function asAdmin(
  server: ConnectionOptions,
  work: (sql: ReturnType<typeof connect>) => Promise<unknown>,
): Promise<void> {
  const sql = connect(server, 1);
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
