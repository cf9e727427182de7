import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readOrMakeSecretFile, syncFolder, writeDurably } from '../../secret-file.ts';
import type { PostgresBinaries } from './binaries.ts';
import {
  type DatabaseUser,
  databaseUserFor,
  folderThatBlocks,
  mayExecute,
  realPathOfExisting,
  runsAsRoot,
} from './database-user.ts';
import {
  complainsOfFullDisk,
  EmbeddedPostgresError,
  explainFullDisk,
  explainOtherOwner,
  explainSystemError,
  useAnotherDatabase,
} from './error.ts';

/** Where a cluster is stored and which user runs it. */
export interface PostgresCluster {
  dataDir: string;
  folder: string;
  user: DatabaseUser;
  /** Located while this process was root, because it may not look for them later. */
  binaries?: PostgresBinaries;
  /** The folder whose archive a started server writes; null: no archive; undefined: the one of the last start. */
  backupDir?: string | null;
  /** Further settings of a server that is started. */
  settings?: Record<string, string>;
}

export const clusterOwner = 'lading';
export const passwordFile = 'pg-password';
/** A restore works in this folder. The data folder has no database before it is complete. */
export const restoringFolder = 'restoring';
export const startLockFile = 'pg-start.lock';
export const startLogFile = 'pg-start.log';
const passwordBytes = 32;
const unfinishedPrefix = 'pg.new-';

/** Creates the data folder, accessible only for the user that PostgreSQL runs as. */
export function prepareDataDir(wantedDataDir: string): PostgresCluster {
  const wanted = realPathOfExisting(resolve(wantedDataDir));
  const user = databaseUserFor(join(wanted, 'pg'));
  const existing = nearestExisting(wanted);
  try {
    if (!statSync(existing).isDirectory()) {
      throw new EmbeddedPostgresError(
        `DATA_DIR must be a folder, and ${existing} is a file. Set DATA_DIR to another place.`,
      );
    }
    if (runsAsRoot()) refuseWhereUserIsBlocked(wanted, user);
    // mkdir would report a read-only disk as ENOENT.
    accessSync(existing, constants.W_OK | constants.X_OK);
    makeFolder(wanted, user);
  } catch (error) {
    throw explainSystemError(error, existing);
  }
  const dataDir = realpathSync(wanted);
  const cluster = { dataDir, folder: join(dataDir, 'pg'), user };
  const owner = statSync(cluster.folder, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && owner !== user.uid && !runsAsRoot()) throw explainOtherOwner(cluster.folder, owner);
  return cluster;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** The default data folder; root's own folders are often inaccessible to the user that PostgreSQL must run as. */
export function defaultDataDir(workingFolder: string): string {
  const inWorkingFolder = join(workingFolder, 'data');
  if (!runsAsRoot()) return inWorkingFolder;
  const blocked = folderThatBlocks(realPathOfExisting(inWorkingFolder), databaseUserFor(join(inWorkingFolder, 'pg')));
  return blocked ? '/var/lib/lading' : inWorkingFolder;
}

function refuseWhereUserIsBlocked(dataDir: string, user: DatabaseUser): void {
  const blocking = folderThatBlocks(dataDir, user);
  if (!blocking) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, so Lading runs it as ${user.name}, who may not enter ${blocking}, which is on the way to ${dataDir}. ` +
      `Set DATA_DIR to a folder outside ${blocking} (such as /var/lib/lading), start Lading as an ordinary user, ${useAnotherDatabase}.`,
  );
}

/**
 * An existing folder keeps its mode, because DATA_DIR may be a folder that others share; but it must let PostgreSQL in.
 */
function makeFolder(dataDir: string, user: DatabaseUser): void {
  const mode = runsAsRoot() ? 0o711 : 0o700;
  const missing = missingFolders(dataDir);
  for (const folder of missing) makeOne(folder, mode);
  if (missing.length === 0 && runsAsRoot() && !mayExecute(statSync(dataDir), user))
    chmodSync(dataDir, statSync(dataDir).mode | 0o011);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process that starts at the same time was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // The umask may have reduced the mode.
  chmodSync(folder, mode);
}

/** Outermost first. Node's own recursive mkdir never ends where the system creates no folders, as below /proc. */
function missingFolders(path: string): string[] {
  return existsSync(path) ? [] : [...missingFolders(dirname(path)), path];
}

/** The cluster in its folder; creates it if there is none. Call it under the start lock. */
export async function ensureCluster(
  cluster: PostgresCluster,
  binaries: PostgresBinaries,
  onProgress: (line: string) => void,
): Promise<void> {
  try {
    if (isInitialized(cluster, binaries)) return;
    if (existsSync(join(cluster.dataDir, restoringFolder)))
      throw new EmbeddedPostgresError(
        `A restore into ${cluster.dataDir} is under way or was interrupted. Wait for it, or empty the folder and restore again.`,
      );
    await removeUnfinished(cluster);
    onProgress(`Creating the database in ${cluster.folder} (only this first time).`);
    await initialize(cluster, binaries);
  } catch (error) {
    throw explainSystemError(error, cluster.dataDir);
  }
}

function isInitialized({ folder }: PostgresCluster, { majorVersion }: PostgresBinaries): boolean {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `${folder} is not empty, and it is not a PostgreSQL cluster. Move what is in it elsewhere, or set DATA_DIR to another folder.`,
    );
  }
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== majorVersion) {
    throw new EmbeddedPostgresError(
      `The data in ${folder} was made by PostgreSQL ${version}, and this Lading brings PostgreSQL ${majorVersion}, which cannot read it. ` +
        `Start the Lading that made it and copy the data over with pg_dump of PostgreSQL ${majorVersion}, or set DATA_DIR to an empty folder.`,
    );
  }
  return true;
}

/** Under the start lock no other process creates a cluster, so an unfinished one was left by a process that died. */
async function removeUnfinished({ dataDir }: PostgresCluster): Promise<void> {
  for (const name of readdirSync(dataDir).filter((candidate) => candidate.startsWith(unfinishedPrefix))) {
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The rename is the last step: a crash before it leaves no cluster, and after it a complete one. */
async function initialize(cluster: PostgresCluster, binaries: PostgresBinaries): Promise<void> {
  const { dataDir, folder, user } = cluster;
  refuseUnknownUser();
  const password = ensurePassword(dataDir);
  const workFolder = mkdtempSync(join(dataDir, unfinishedPrefix));
  const passwordForInitdb = join(workFolder, 'password');
  try {
    writeDurably(passwordForInitdb, password);
    if (runsAsRoot()) for (const path of [workFolder, passwordForInitdb]) chownSync(path, user.uid, user.gid);
    const unfinished = join(workFolder, 'pg');
    const options = [
      '--encoding=UTF8',
      '--locale=C',
      '--data-checksums',
      '--auth=scram-sha-256',
      `--username=${clusterOwner}`,
      `--pwfile=${passwordForInitdb}`,
    ];
    await runInitdb(binaries.initdb, ['-D', unfinished, ...options], cluster);
    renameSync(unfinished, folder);
    syncFolder(dataDir);
  } finally {
    rmSync(workFolder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function runInitdb(initdb: string, parameters: string[], { dataDir, user }: PostgresCluster): Promise<void> {
  return new Promise((done, fail) => {
    // The parent's environment is not passed on: PGDATA, LD_PRELOAD or a locale that is not installed must not change
    // the result.
    const child = spawn(initdb, parameters, {
      cwd: '/',
      env: databaseEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...user.spawnAs,
    });
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    child.on('error', (error) => fail(cannotRun(initdb, error, user)));
    child.on('close', (exitCode, signal) => {
      if (exitCode === 0) done();
      else if (complainsOfFullDisk(complaints)) fail(explainFullDisk(dataDir));
      else
        fail(
          new EmbeddedPostgresError(
            `initdb could not create the database in ${dataDir} (${signal ?? exitCode}):\n${complaints.trim()}`,
          ),
        );
    });
  });
}

export const databaseEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

export function cannotRun(program: string, error: Error, user: DatabaseUser): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${program} cannot be run as ${user.name} (${error.message}). The PostgreSQL that Lading brings needs a Linux with glibc, or macOS, ` +
      `and as root the right to change to that user. Start Lading as an ordinary user, ${useAnotherDatabase}.`,
    { cause: error },
  );
}

function refuseUnknownUser(): void {
  try {
    userInfo();
  } catch {
    throw new EmbeddedPostgresError(
      `The system knows no user number ${process.geteuid!()} (no entry in /etc/passwd), and PostgreSQL needs one to create its data. ` +
        `Start Lading as a user that exists, ${useAnotherDatabase}.`,
    );
  }
}

/**
 * For a process that gives up root and must still be able to restart the server: its password, its start lock and its
 * start log.
 */
export function giveToDatabaseUser({ dataDir, user }: PostgresCluster): void {
  for (const name of [passwordFile, startLockFile, startLogFile]) {
    const path = join(dataDir, name);
    // A link, or a file with a second name, may point to a file elsewhere that we must not give away.
    const file = lstatSync(path);
    if (file.isFile() && file.nlink === 1) lchownSync(path, user.uid, user.gid);
  }
}

export function readPassword({ dataDir, folder }: Pick<PostgresCluster, 'dataDir' | 'folder'>): string {
  try {
    return readFileSync(join(dataDir, passwordFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw explainSystemError(error, dataDir);
    throw new EmbeddedPostgresError(
      `${join(dataDir, passwordFile)} is missing, and it is what opens the database in ${folder}. Put it back from your backup of ${dataDir}.`,
    );
  }
}

/** An existing password is never replaced, because a cluster may have been created with it. */
function ensurePassword(dataDir: string): string {
  return readOrMakeSecretFile(join(dataDir, passwordFile), () => randomBytes(passwordBytes).toString('base64url'));
}
