import { randomBytes } from 'node:crypto';
import { connect, type Database, openDatabase } from '../../server/platform/database.ts';
import { type Keyring, makeKeyring } from '../../server/platform/keyring.ts';

export const templateDatabase = 'lading_template';

/** How long the machine may take for what is no test of deadlines: it may have other things to do. */
export const patienceSeconds = 30;

export interface ConnectionOptions {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
}

/** What a test works on: a database of its own, and the keys to it. */
export interface TestStore {
  connection: ConnectionOptions;
  database: Database;
  keyring: Keyring;
  masterKey: Buffer;
  close(): Promise<void>;
}

/** The PostgreSQL of this test run; its own superuser. */
export function testPostgres(): ConnectionOptions {
  const text = process.env.LADING_TEST_POSTGRES;
  if (!text) throw new Error('run tests with npm test: it starts PostgreSQL first');
  return JSON.parse(text);
}

/** A database of its own, cloned from the migrated template (or empty), gone when closed. */
export async function makeTestStore(options: { template?: string; deadlineSeconds?: number; pool?: number } = {}): Promise<TestStore> {
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

/** If it cannot be dropped, as PostgreSQL may find of a server process that takes its time to end, it goes with the whole server after the run. */
export async function dropTestDatabase({ database }: ConnectionOptions): Promise<void> {
  await asAdmin((sql) => sql.unsafe(`drop database if exists ${database} with (force)`)).catch((error: Error) =>
    console.error(`${database}: ${error.message}`),
  );
}

async function asAdmin(work: (sql: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> {
  const sql = connect(testPostgres(), 1);
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
