import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveSettings } from '../backup/wal-archive.ts';
import type { PostgresBinaries } from './binaries.ts';
import { cannotRun, databaseEnvironment, type PostgresCluster, startLogFile } from './cluster.ts';
import { runsAsRoot } from './database-user.ts';
import { complainsOfFullDisk, EmbeddedPostgresError, explainFullDisk, explainSystemError } from './error.ts';
import { type Postmaster, pidFile, readPidFile, readPostmaster, whoHas } from './postmaster.ts';

export const port = 5432;

export interface StartedServer {
  pid: number;
  /** Undefined while the server runs. */
  exit(): { code: number | null; signal: NodeJS.Signals | null } | undefined;
}

const pollMilliseconds = 10;
const emptyPidFileGraceMilliseconds = 300;
const fastShutdownSeconds = 30;
const immediateShutdownSeconds = 10;
const socketPathBytesMax = process.platform === 'darwin' ? 103 : 107;
const logTailLines = 8;

const settings = {
  listen_addresses: '',
  port: String(port),
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  // No personal data in this log: neither statements, nor their parameters, nor errors, which quote values. 'log' is
  // above 'error'.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/**
 * Starts the server unless one is running. Call it under the start lock: PostgreSQL's own check leaves the winner
 * without a pid file if two servers start at once beside a stale one.
 */
export async function startServer(
  cluster: PostgresCluster,
  binaries: PostgresBinaries,
): Promise<StartedServer | 'is_there' | 'still_in_use'> {
  await removeStalePidFile(cluster);
  if (await isRunning(cluster)) return 'is_there';

  const started = launch(cluster, binaries);
  while (!started.exit() && readPostmaster(cluster)?.pid !== started.pid) {
    if (started.failure) throw started.failure;
    await sleep(pollMilliseconds);
  }
  if (!started.exit()) return started;

  const complaints = readFileSync(startLog(cluster), 'utf8');
  if (/lock file ".*" already exists/.test(complaints)) return 'is_there';
  if (/shared memory block .* is still in use/.test(complaints)) return 'still_in_use';
  throw explainExit(cluster);
}

export async function isRunning(cluster: Pick<PostgresCluster, 'folder'>): Promise<boolean> {
  const found = readPostmaster(cluster);
  return found !== undefined && (whoHas(found.pid, cluster) === 'our_server' || (await answers(found)));
}

/**
 * PostgreSQL handles the file of a dead server itself, but fails on an empty file and on a process id that now belongs
 * to another process.
 */
async function removeStalePidFile(cluster: PostgresCluster): Promise<void> {
  const found = readPostmaster(cluster);
  if (!found) return;
  if (found.pid === 0) {
    await sleep(emptyPidFileGraceMilliseconds);
    if (readPidFile(cluster.folder) === '') rmSync(pidFile(cluster.folder), { force: true });
  } else if (whoHas(found.pid, cluster) === 'stranger' && !(await answers(found))) {
    rmSync(pidFile(cluster.folder), { force: true });
  }
}

/** The process id of a server in another container that shares this folder means nothing here, but its socket works. */
function answers({ socketFolder }: Postmaster): Promise<boolean> {
  if (socketFolder === '') return Promise.resolve(false);
  return new Promise((done) => {
    const socket = connect(join(socketFolder, `.s.PGSQL.${port}`));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

function launch(
  cluster: PostgresCluster,
  { postgres }: PostgresBinaries,
): StartedServer & { failure: Error | undefined } {
  const socketFolder = socketFolderFor(cluster);
  // No server is running, so a lock beside the socket is stale. PostgreSQL would respect it if its process id now
  // belongs to another process.
  rmSync(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true });
  const all = {
    ...settings,
    ...archiveSettings(cluster.dataDir),
    ...cluster.settings,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  };
  const parameters = [
    '-D',
    cluster.folder,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const log = openStartLog(cluster);
  // Detached, so that neither Ctrl-C in the terminal nor our own death interrupts it.
  const child = spawn(postgres, parameters, {
    cwd: '/',
    env: databaseEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
    ...cluster.user.spawnAs,
  });
  closeSync(log);
  child.unref();
  let exit: ReturnType<StartedServer['exit']>;
  const server = { pid: child.pid ?? 0, exit: () => exit, failure: undefined as Error | undefined };
  child.once('exit', (code, signal) => {
    exit = { code, signal };
  });
  child.once('error', (error) => {
    server.failure = cannotRun(postgres, error, cluster.user);
  });
  return server;
}

function startLog({ dataDir }: PostgresCluster): string {
  return join(dataDir, startLogFile);
}

/** Does not change the content that a server has written. */
export function ensureStartLog(cluster: PostgresCluster): void {
  if (!existsSync(startLog(cluster))) closeSync(openStartLog(cluster));
}

/**
 * Empties the log and gives it to the user that the server runs as. A process that has given up root may not remove it,
 * but can reuse it.
 */
function openStartLog(cluster: PostgresCluster): number {
  try {
    rmSync(startLog(cluster), { force: true });
  } catch (error) {
    if (runsAsRoot() || !['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return openSync(startLog(cluster), constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  }
  const log = openSync(startLog(cluster), 'wx', 0o600);
  if (runsAsRoot()) fchownSync(log, cluster.user.uid, cluster.user.gid);
  return log;
}

/**
 * Inside the cluster's own private folder if the path is short enough for a socket, otherwise a fixed folder below
 * /tmp.
 */
function socketFolderFor({ folder, user }: PostgresCluster): string {
  // PostgreSQL reads a comma as a list of folders.
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= socketPathBytesMax && !folder.includes(',')) return folder;
  const wanted = join(realpathSync('/tmp'), `lading-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`);
  const existing = lstatSync(wanted, { throwIfNoEntry: false });
  if (existing?.isDirectory() && existing.uid === user.uid && (existing.mode & 0o077) === 0) return wanted;
  // Another user has taken the name.
  const made = existing ? mkdtempSync(`${wanted}-`) : wanted;
  if (!existing) mkdirSync(made, { mode: 0o700 });
  if (runsAsRoot()) chownSync(made, user.uid, user.gid);
  return made;
}

/** Why the server stopped, in its own words. */
export function explainExit(cluster: PostgresCluster): EmbeddedPostgresError {
  const beforeItsLog = linesOf(startLog(cluster));
  const hasLog = beforeItsLog.some((line) => line.includes('redirecting log output'));
  const lines = hasLog ? linesOf(newestLog(cluster.folder)) : beforeItsLog;
  const thisStart = lines.slice(
    Math.max(
      0,
      lines.findLastIndex((line) => line.includes('starting PostgreSQL')),
    ),
  );
  const text = thisStart.slice(-logTailLines).join('\n');
  if (complainsOfFullDisk(text)) return explainFullDisk(cluster.dataDir);
  if (/Read-only file system/.test(text)) return explainSystemError({ code: 'EROFS' }, cluster.dataDir);
  return new EmbeddedPostgresError(`PostgreSQL did not start on ${cluster.folder}. The end of its log:\n${text}`);
}

function newestLog(folder: string): string {
  try {
    const logs = readdirSync(join(folder, 'log')).map((name) => join(folder, 'log', name));
    return logs.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0] ?? '';
  } catch {
    return '';
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** A fast shutdown: everything confirmed is on disk, and open connections are closed. */
export async function stopServer(cluster: Pick<PostgresCluster, 'folder'>): Promise<void> {
  const pid = readPostmaster(cluster)?.pid ?? 0;
  // A server in another container cannot be stopped from here.
  if (whoHas(pid, cluster) !== 'our_server') return;
  signal(pid, 'SIGINT');
  if (await isGone(pid, cluster, fastShutdownSeconds)) return;
  signal(pid, 'SIGQUIT');
  await isGone(pid, cluster, immediateShutdownSeconds);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The server removes its pid file and its socket before it exits. */
async function isGone(pid: number, cluster: Pick<PostgresCluster, 'folder'>, withinSeconds: number): Promise<boolean> {
  for (const deadline = Date.now() + withinSeconds * 1000; Date.now() < deadline; await sleep(pollMilliseconds)) {
    if (whoHas(pid, cluster) !== 'our_server') return true;
  }
  return false;
}
