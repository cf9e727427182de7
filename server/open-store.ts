import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../messages/message.ts';
import type { Config } from './config.ts';
import { openRetiredKey } from './domain/master-key/retired-keys.ts';
import { listRetiredKeys, masterKeysInUse } from './domain/master-key/sealed-queries.ts';
import { isImportUnfinished } from './export/import-progress.ts';
import { type Keyring, makeKeyring, masterKeyBytes, type RetiredKey } from './platform/keyring.ts';
import type { ConnectionTarget } from './platform/postgres/connection-target.ts';
import { findPrimary } from './platform/postgres/connector.ts';
import { connect, type Database, openDatabase } from './platform/postgres/database.ts';
import { DatabaseRecord } from './platform/postgres/database-record.ts';
import { isPooled, isRefusedByPooler, poolerMessage } from './platform/postgres/detect-pooler.ts';
import { isDistributed } from './platform/postgres/distribution.ts';
import { type DatabaseUser, unprivilegedUser } from './platform/postgres/embedded/database-user.ts';
import {
  defaultDataDir,
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from './platform/postgres/embedded/embedded-postgres.ts';
import { isRejectedLogin, isUnavailable } from './platform/postgres/errors.ts';
import { migrate } from './platform/postgres/migrate.ts';
import { CannotGrant, type ServiceLogin, serviceLoginOf, weaknessOf } from './platform/postgres/roles.ts';
import { noAccounts, type Sql } from './platform/postgres/sql.ts';
import { listTablesToPlace } from './platform/postgres/table-placement.ts';
import { readOrMakeSecretFile } from './platform/secret-file.ts';
import { parseMasterKey } from './setting-values.ts';

/** The migrated database and the keys that decrypt its secrets. */
export interface Store {
  database: Database;
  keyring: Keyring;
  /** The master key in use, for other processes of this node: those that gave up root cannot read its file. */
  masterKey: Buffer;
  /** Parts of former master keys that the database keeps, for the same processes. */
  retiredKeys: RetiredKey[];
  target: ConnectionTarget;
  /** The login that owns the tables, as far as the settings name one. */
  owner: ConnectionTarget;
  /** The data folder of the embedded PostgreSQL; null if another one is used. */
  dataDir: string | null;
  /** For other pools of this process, so that none of them uses a server that another one has left behind. */
  record: DatabaseRecord;
  /** Why the database does not protect its rows from the service; null if it does. */
  weakness: Message | null;
  /** If the tables are on several servers (Citus): those that are not yet where they belong. Otherwise null. */
  unplacedTables: string[] | null;
  /** Prepares to give up root; returns the user to switch to. */
  prepareToLeaveRoot(): Promise<DatabaseUser>;
  close(): Promise<void>;
}

/** The service cannot run; the message explains the reason to the operator. */
export class CannotRun extends Error {}

const firstConnectionSeconds = 30;
/** The code of PostgreSQL for a missing privilege. */
const mayNot = '42501';

export interface StoreOptions {
  /**
   * 'apply': apply pending migrations; 'refuse': fail if there are any; 'if_embedded': apply them only to an embedded
   * database.
   */
  migrations: 'apply' | 'refuse' | 'if_embedded';
  deadlineSeconds: number | null;
  /** For the operator who looks at the connections of PostgreSQL. */
  role?: string;
  /** The service decides whether and where the embedded PostgreSQL archives its log; commands leave it as it is. */
  decidesArchive?: boolean;
  /** Only for the import itself: everybody else refuses a database whose import is not finished. */
  isImporting?: boolean;
  onProgress: (line: string) => void;
}

export async function openStore(config: Config, options: StoreOptions): Promise<Store> {
  const dataDir = dataDirOf(config);
  const embedded = config.databaseUrl === null ? await openEmbedded(config, dataDir, options) : null;
  try {
    const target = embedded?.service ?? config.databaseUrl!;
    const owner = embedded?.connection ?? config.databaseOwnerUrl ?? target;
    const applies = options.migrations === 'apply' || (options.migrations === 'if_embedded' && embedded !== null);
    // The login of the service may not exist before the owner has created it.
    const first = applies ? owner : target;
    if (!embedded) await waitForDatabase(first, options.onProgress, config);
    await prepareSchema(
      first,
      { apply: applies, service: applies ? serviceLoginOf(target, owner) : null },
      options.onProgress,
    );
    if (!embedded && target !== first) await waitForDatabase(target, options.onProgress, config);

    const { deadlineSeconds, role } = options;
    const database = openDatabase(target, { max: config.databasePool, deadlineSeconds, ...(role ? { role } : {}) });
    try {
      if (!options.isImporting) await refuseUnfinishedImport(database);
      const keys = await openKeyring(database, config, dataDir);
      const weakness = await database.read(noAccounts, weaknessOf);
      const unplacedTables = await database.read(noAccounts, findUnplacedTables);
      const prepareToLeaveRoot = async () => (await embedded?.prepareToLeaveRoot()) ?? unprivilegedUser();
      return {
        database,
        ...keys,
        target,
        owner,
        dataDir: embedded === null ? null : dataDir,
        record: database.record,
        weakness,
        unplacedTables,
        prepareToLeaveRoot,
        close: () => closeAll(database, embedded),
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

function openEmbedded(
  { backupDir }: Config,
  dataDir: string,
  { decidesArchive = false, onProgress }: StoreOptions,
): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ dataDir, onProgress, ...(decidesArchive ? { backupDir } : {}) });
}

async function refuseUnfinishedImport(database: Database): Promise<void> {
  if (await database.read(noAccounts, isImportUnfinished))
    throw new CannotRun(
      'an import into this database has begun and is not finished: run "lading import" again with the same folder',
    );
}

async function findUnplacedTables(sql: Sql): Promise<string[] | null> {
  if (!(await isDistributed(sql))) return null;
  return (await listTablesToPlace(sql)).filter(({ isPlaced }) => !isPlaced).map(({ name }) => name);
}

async function closeAll(database: Database, embedded: EmbeddedPostgres | null): Promise<void> {
  await database.close();
  await embedded?.close();
}

/** Waits for an unavailable database, which may be failing over, but fails immediately for a wrong password or name. */
async function waitForDatabase(
  target: ConnectionTarget,
  onProgress: (line: string) => void,
  { databaseOwnerUrl }: Config,
): Promise<void> {
  const setting = target === databaseOwnerUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
  const giveUpAt = performance.now() + firstConnectionSeconds * 1000;
  for (let tries = 1; ; tries++) {
    try {
      return await refuseUnusable(target);
    } catch (error) {
      if (error instanceof CannotRun) throw error;
      const code = (error as { code?: string }).code ?? 'unknown error';
      if (isRefusedByPooler(error)) throw new CannotRun(poolerMessage);
      if (isRejectedLogin(error) || !isUnavailable(error))
        throw new CannotRun(
          `the database rejects the connection (${code}): check user, password and database name in ${setting}`,
        );
      const why = (await findPrimary(target, new DatabaseRecord()).explain()) ?? code;
      if (performance.now() > giveUpAt) throw new CannotRun(`the database of ${setting} is unavailable (${why})`);
      if (tries % 10 === 1) onProgress(`waiting for the database of ${setting} (${why})`);
      await sleep(500);
    }
  }
}

async function refuseUnusable(target: ConnectionTarget): Promise<void> {
  const sql = connect(target, 1);
  try {
    const [row] = await sql.unsafe<{ version: number }[]>(
      "select current_setting('server_version_num')::int / 10000 as version",
    );
    if (row!.version < 15)
      throw new CannotRun(`PostgreSQL 15 or newer is required, but DATABASE_URL points to version ${row!.version}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
  if (await isPooled(target)) throw new CannotRun(poolerMessage);
}

async function prepareSchema(
  target: ConnectionTarget,
  options: { apply: boolean; service: ServiceLogin | null },
  onProgress: (line: string) => void,
): Promise<void> {
  const outcome = await migrate(target, { ...options, onProgress }).catch((error) => {
    if (error instanceof CannotGrant) throw new CannotRun(error.message);
    if ((error as { code?: string }).code !== mayNot) throw error;
    throw new CannotRun(
      `the database refuses (${error.message}): run "lading migrate" with the login of the owner in DATABASE_OWNER_URL`,
    );
  });
  switch (outcome.kind) {
    case 'migrated':
      if (outcome.applied.length > 0) onProgress(appliedText(outcome.applied));
      return;
    case 'newer':
      onProgress(
        `a newer version of Lading has migrated the database (${outcome.unknown.join(', ')}); this one uses it unchanged`,
      );
      return;
    case 'pending':
      throw new CannotRun(`the database lacks migrations: ${outcome.pending.join(', ')}; run "lading migrate"`);
    case 'refused':
      throw new CannotRun(outcome.mistakes.join('\n'));
    default:
      outcome satisfies never;
  }
}

/** A new database gets dozens of migrations; their names would fill the terminal of a newcomer. */
function appliedText(names: string[]): string {
  if (names.length <= namedMigrationsMax) return `applied migrations: ${names.join(', ')}`;
  return `applied ${names.length} migrations: ${names[0]} to ${names.at(-1)}`;
}

const namedMigrationsMax = 5;

/**
 * Opens the keyring. The required keys are read first, because a new master.key is always created before the first
 * secret.
 */
async function openKeyring(
  database: Database,
  config: Config,
  dataDir: string,
): Promise<Pick<Store, 'keyring' | 'masterKey' | 'retiredKeys'>> {
  const needed = await database.read(noAccounts, masterKeysInUse);
  const path = masterKeyFile(dataDir);
  const masterKey = config.masterKey ?? ownMasterKey(path, needed.length > 0);
  const keyring = makeKeyring(masterKey, config.masterKeysPrevious);
  const unknown = needed.filter((keyId) => !keyring.canOpen(keyId));
  if (unknown.length === 0) {
    const retired = await database.read(noAccounts, listRetiredKeys);
    const retiredKeys = retired.map((row) => openRetiredKey(keyring, row));
    return { keyring: makeKeyring(masterKey, config.masterKeysPrevious, retiredKeys), masterKey, retiredKeys };
  }
  const held = config.masterKey ? `MASTER_KEY is ${keyring.currentKeyId}` : `${path} holds ${keyring.currentKeyId}`;
  const isInterrupted = !config.masterKey && existsSync(nextMasterKeyFile(dataDir));
  throw new CannotRun(
    `the secrets in the database are protected by master key ${unknown.join(' and ')}, but ${held}; ` +
      (isInterrupted
        ? 'a change of the key was interrupted: run "lading reseal" again'
        : 'give the right one, or the former one as MASTER_KEY_PREVIOUS'),
  );
}

/** The folder of the embedded PostgreSQL and its keys. */
export function dataDirOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return resolve(dataDir ?? defaultDataDir(process.cwd()));
}

export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key');
}

/** Holds the new key during a reseal. */
export function nextMasterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key.next');
}

/**
 * The key of the embedded database is stored next to it, so that the first start needs no preparation. A new key could
 * not decrypt existing secrets.
 */
function ownMasterKey(path: string, hasSecrets: boolean): Buffer {
  if (hasSecrets && !existsSync(path)) {
    throw new CannotRun(
      `${path} is missing, and the secrets in the database cannot be decrypted without it. ` +
        'Put the file back from a backup, or give the key that was in it as MASTER_KEY.',
    );
  }
  return readMasterKey(path);
}

/** Reads the file, or creates it with a new key. */
export function readMasterKey(path: string, newKey: () => Buffer = () => randomBytes(masterKeyBytes)): Buffer {
  const key = parseMasterKey(readKeyFile(path, newKey).trim());
  if (!key) throw new CannotRun(`${path} does not contain 32 bytes in base64`);
  return key;
}

function readKeyFile(path: string, newKey: () => Buffer): string {
  try {
    return readOrMakeSecretFile(path, () => `${newKey().toString('base64')}\n`);
  } catch (error) {
    throw new CannotRun(`${path} cannot be read or created (${(error as NodeJS.ErrnoException).code})`);
  }
}
