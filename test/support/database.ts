import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Keyring, makeKeyring } from '../../server/platform/keyring.ts';
import { connect, type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import type { Tx } from '../../server/platform/postgres/sql.ts';

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

/** The database of a test and its keys. */
export interface TestStore {
  connection: ConnectionOptions;
  database: Database;
  keyring: Keyring;
  masterKey: Buffer;
  close(): Promise<void>;
}

/** The PostgreSQL server of this test run, with its superuser. */
export function testPostgres(): ConnectionOptions {
  const text = process.env.LADING_TEST_POSTGRES;
  if (!text) throw new Error('run tests with npm test: it starts PostgreSQL first');
  return JSON.parse(text);
}

/** Creates a database, cloned from the migrated template or empty; it is dropped when closed. */
export async function makeTestStore(
  options: { template?: string; deadlineSeconds?: number; pool?: number } = {},
): Promise<TestStore> {
  const connection = await makeTestDatabase(options.template ?? templateDatabase);
  const masterKey = randomBytes(32);
  const database = openDatabase(connection, {
    max: options.pool ?? 10,
    deadlineSeconds: options.deadlineSeconds ?? patienceSeconds,
  });
  return {
    connection,
    database,
    masterKey,
    keyring: makeKeyring(masterKey),
    async close() {
      await database.close();
      await dropTestDatabase(connection);
    },
  };
}

export async function makeTestDatabase(template: string): Promise<ConnectionOptions> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asAdmin((sql) => sql.unsafe(`create database ${name} template ${template} strategy file_copy`));
  return { ...testPostgres(), database: name };
}

/**
 * If the database cannot be dropped, for example because a server process is slow to end, it is removed with the server
 * after the run.
 */
export async function dropTestDatabase({ database }: ConnectionOptions): Promise<void> {
  await asAdmin((sql) => sql.unsafe(`drop database if exists ${database} with (force)`)).catch((error: Error) =>
    console.error(`${database}: ${error.message}`),
  );
}

/** Begins a transaction, does some work in it, and keeps it open until `release`, which commits it. */
export async function holdTransaction(
  database: Database,
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
export async function lockIsAwaited(database: Database, waiters = 1): Promise<void> {
  const waiting = () =>
    database.read(
      (sql) => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  while ((await waiting()).length < waiters) await sleep(5);
}

async function asAdmin(work: (sql: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> {
  const sql = connect(testPostgres(), 1);
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
