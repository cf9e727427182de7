import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveOf, chooseArchive, walFolder } from '../backup/wal-archive.ts';
import type { ConnectionTarget } from '../connection-target.ts';
import type { Sql } from '../sql.ts';
import { providePostgresBinaries } from './binaries.ts';
import {
  clusterOwner,
  ensureCluster,
  giveToDatabaseUser,
  type PostgresCluster,
  prepareDataDir,
  readPassword,
  startLockFile,
} from './cluster.ts';
import type { DatabaseUser } from './database-user.ts';
import { EmbeddedPostgresError, explainSystemError } from './error.ts';
import { isConnectionLoss, leaveServer, type Membership, tryToJoin } from './membership.ts';
import { readPostmaster, whoHas } from './postmaster.ts';
import { withProcessLock } from './process-lock.ts';
import { ensureStartLog, explainExit, isRunning, port, type StartedServer, startServer } from './server-process.ts';

export { defaultDataDir } from './cluster.ts';
export { EmbeddedPostgresError } from './error.ts';

export interface EmbeddedPostgres {
  /** The login of the owner, who is a superuser. The host is the folder of the unix socket. */
  connection: ConnectionTarget & object;
  /** The login of the service. The owner gives it its privileges (roles.ts). */
  service: ConnectionTarget & object;
  /** Prepares this process to continue as the user that the server runs as: to stop it and to start it again. */
  prepareToLeaveRoot(): Promise<DatabaseUser>;
  /** The last process to close stops the server; otherwise it keeps running for the others. */
  close(): Promise<void>;
}

type Progress = (line: string) => void;

const database = 'lading';
const serviceRole = 'lading_service';
// Any number, as long as every version of Lading uses the same.
const createDatabaseKey = 7_210_018_402;

const pollMilliseconds = 15;
const progressEverySeconds = 3;
const startLockSeconds = 180;
const unreachableSeconds = 30;
const stillInUseSeconds = 20;
const killedWhileStartingMax = 5;
const healWaitMillisecondsMin = 50;
const healWaitMillisecondsMax = 5000;
const closeWaitsForHealingSeconds = 10;
const createDatabaseAttemptsMax = 5;

export interface OpenOptions extends Pick<PostgresCluster, 'backupDir' | 'settings' | 'binaries'> {
  dataDir: string;
  onProgress?: Progress;
}

/**
 * Starts the PostgreSQL in `dataDir`, or joins the one that another process runs there, and keeps it running until
 * `close`.
 */
export async function openEmbeddedPostgres(options: OpenOptions): Promise<EmbeddedPostgres> {
  const { dataDir, onProgress = () => {}, ...ofServer } = options;
  const cluster: PostgresCluster = { ...prepareDataDir(dataDir), ...ofServer };
  let membership = await joinServerWithDatabase(cluster, onProgress);
  // The choice is made. A lost disk of the archive must not prevent a later restart of the server.
  delete cluster.backupDir;
  const connection = {
    host: membership.socketFolder,
    port,
    username: clusterOwner,
    password: readPassword(cluster),
    database,
  };

  const closing = new AbortController();
  const givingUp = new AbortController();
  const supervision = supervise();
  async function supervise(): Promise<void> {
    while (!closing.signal.aborted) {
      await Promise.race([membership.lost, aborted(closing.signal)]);
      if (closing.signal.aborted) return;
      onProgress('PostgreSQL went away; bringing it back.');
      membership.connection.destroy();
      membership = (await regainServer(cluster, onProgress, closing.signal, givingUp.signal)) ?? membership;
    }
  }

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    closing.abort();
    // Waits for a server that is being restarted, so that it can be stopped properly.
    const patience = setTimeout(() => givingUp.abort(), closeWaitsForHealingSeconds * 1000);
    await supervision;
    clearTimeout(patience);
    await leaveServer(cluster, membership);
  }
  return {
    connection,
    service: { ...connection, username: serviceRole },
    prepareToLeaveRoot: () => prepareToLeaveRoot(cluster, onProgress),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function prepareToLeaveRoot(cluster: PostgresCluster, onProgress: Progress): Promise<DatabaseUser> {
  await underStartLock(cluster, async () => {
    cluster.binaries = await providePostgresBinaries(cluster.dataDir, cluster.user, onProgress);
    ensureStartLog(cluster);
    giveToDatabaseUser(cluster);
  });
  return cluster.user;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** Retries as long as we are open: a full disk may be freed, a backup may be restored. */
async function regainServer(
  cluster: PostgresCluster,
  onProgress: Progress,
  closing: AbortSignal,
  givingUp: AbortSignal,
): Promise<Membership | undefined> {
  for (let wait = healWaitMillisecondsMin; !closing.aborted; wait = Math.min(wait * 2, healWaitMillisecondsMax)) {
    try {
      return await joinServer(cluster, onProgress, givingUp);
    } catch (error) {
      onProgress((error as Error).message);
      await sleep(wait, undefined, { signal: closing }).catch(() => {});
    }
  }
  return undefined;
}

async function joinServerWithDatabase(cluster: PostgresCluster, onProgress: Progress): Promise<Membership> {
  for (let attempt = 1; ; attempt += 1) {
    const membership = await joinServer(cluster, onProgress);
    try {
      await refuseOtherArchive(cluster, membership.connection.sql);
      await ensureDatabase(membership.connection.sql);
      return membership;
    } catch (error) {
      await leaveServer(cluster, membership);
      if (!isConnectionLoss(error) || attempt === createDatabaseAttemptsMax)
        throw explainSystemError(error, cluster.dataDir);
    }
  }
}

/** Only a start of the server can change whether and where it archives, and another process has started this one. */
async function refuseOtherArchive({ dataDir, backupDir }: PostgresCluster, sql: Sql): Promise<void> {
  if (backupDir === undefined) return;
  const [row] = await sql<{ mode: string }[]>`select current_setting('archive_mode') as mode`;
  const wanted = backupDir === null ? null : join(backupDir, walFolder);
  if ((row!.mode === 'on' ? archiveOf(dataDir) : null) === wanted) return;
  throw new EmbeddedPostgresError(
    `Another process has started PostgreSQL on ${dataDir} with another BACKUP_DIR. End that process (another service, or a command), then start again.`,
  );
}

async function ensureDatabase(sql: Sql): Promise<void> {
  const find = () => sql`select from pg_database where datname = ${database}`;
  if ((await find()).length > 0) return;
  // One at a time, because two processes that copy the same template disturb each other.
  await sql`select pg_advisory_lock(${createDatabaseKey})`;
  if ((await find()).length === 0) await sql`create database ${sql(database)}`;
  await sql`select pg_advisory_unlock(${createDatabaseKey})`;
}

/** Joins the running server, starts it, or waits until it has recovered. */
async function joinServer(cluster: PostgresCluster, onProgress: Progress, givingUp?: AbortSignal): Promise<Membership> {
  const say = everyFewSeconds(onProgress);
  let started: StartedServer | undefined;
  let kills = 0;
  let unreachableSince: number | undefined;
  let stillInUseSince: number | undefined;

  while (!givingUp?.aborted) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.acceptsConnections) {
      const answer = await tryToJoin(cluster, postmaster.socketFolder);
      if (typeof answer === 'object') {
        await wakeArchive(cluster, answer);
        return answer;
      }
      unreachableSince = answer === 'unreachable' ? (unreachableSince ?? Date.now()) : undefined;
    }

    if (postmaster && whoHas(postmaster.pid, cluster) === 'our_server') {
      if (unreachableSince && secondsSince(unreachableSince) > unreachableSeconds)
        throw unreachable(cluster, postmaster);
      say('Waiting for PostgreSQL: it is starting, recovering or shutting down.');
      await sleep(pollMilliseconds);
      continue;
    }

    const exit = started?.exit();
    if (exit) {
      if (exit.code !== 0 && exit.signal === null) throw explainExit(cluster);
      kills += 1;
      if (kills > killedWhileStartingMax) throw explainExit(cluster);
      started = undefined;
    }
    const outcome = await startUnderLock(cluster, onProgress);
    if (outcome === 'still_in_use') {
      stillInUseSince ??= Date.now();
      if (secondsSince(stillInUseSince) > stillInUseSeconds) throw explainExit(cluster);
      say('Waiting for the processes of a killed PostgreSQL to end.');
      await sleep(pollMilliseconds * 10);
    } else {
      started = outcome === 'is_there' ? undefined : outcome;
      if (!started) await sleep(pollMilliseconds);
    }
  }
  throw new EmbeddedPostgresError('The database was closed while it was being started.');
}

/**
 * After its start, PostgreSQL looks at archive_timeout only when checkpoint_timeout has passed, because the process that
 * does it went to sleep before the recovery was complete. A reload of the settings wakes it.
 */
async function wakeArchive({ dataDir }: PostgresCluster, { connection }: Membership): Promise<void> {
  if (archiveOf(dataDir) !== null) await connection.sql`select pg_reload_conf()`.catch(() => {});
}

function everyFewSeconds(onProgress: Progress): Progress {
  let last = Date.now();
  return (line) => {
    if (secondsSince(last) < progressEverySeconds) return;
    last = Date.now();
    onProgress(line);
  };
}

function secondsSince(time: number): number {
  return (Date.now() - time) / 1000;
}

function unreachable(
  { folder }: PostgresCluster,
  { pid, socketFolder }: { pid: number; socketFolder: string },
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL runs on ${folder} (process ${pid}), but it cannot be reached through its socket in ${socketFolder}, ` +
      `which was perhaps deleted. Stop it with: kill -INT ${pid}. Then start Lading again.`,
  );
}

async function startUnderLock(
  cluster: PostgresCluster,
  onProgress: Progress,
): Promise<StartedServer | 'is_there' | 'still_in_use'> {
  const work = async () => {
    const binaries = cluster.binaries ?? (await providePostgresBinaries(cluster.dataDir, cluster.user, onProgress));
    await ensureCluster(cluster, binaries, onProgress);
    if (cluster.backupDir !== undefined && !(await isRunning(cluster))) chooseArchive(cluster, cluster.backupDir);
    return startServer(cluster, binaries);
  };
  return await underStartLock(cluster, work);
}

async function underStartLock<Result>(cluster: PostgresCluster, work: () => Promise<Result>): Promise<Result> {
  const done = await withProcessLock(join(cluster.dataDir, startLockFile), startLockSeconds, work).catch((error) => {
    throw explainSystemError(error, cluster.dataDir);
  });
  if (done) return done.result;
  throw new EmbeddedPostgresError(
    `Another process has been starting the database in ${cluster.dataDir} for ${startLockSeconds} seconds. Look for one that hangs, and end it.`,
  );
}
