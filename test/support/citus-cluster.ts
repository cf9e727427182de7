import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '../../server/platform/postgres/database.ts';
import { distribute } from '../../server/platform/postgres/distribute.ts';
import {
  type DatabaseUser,
  databaseUserFor,
  runsAsRoot,
} from '../../server/platform/postgres/embedded/database-user.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { type ConnectionOptions, serviceRole } from './database.ts';
import { freePort } from './free-port.ts';

/** A coordinator and workers on loopback. */
export interface CitusCluster {
  coordinator: CitusServer;
  workers: CitusServer[];
  /** Starts another worker, which the database does not know yet. */
  addWorker(): Promise<CitusServer>;
  close(): Promise<void>;
}

export interface CitusServer {
  connection: ConnectionOptions;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const owner = 'lading';
const startsWithinMs = 120_000;

/** The folder of a PostgreSQL that has Citus; null if there is none. */
export function findCitusPrograms(): string | null {
  const folders = process.env.LADING_POSTGRES_BIN
    ? [process.env.LADING_POSTGRES_BIN]
    : globSync('/usr/lib/postgresql/*/bin').sort();
  return folders.findLast((folder) => existsSync(join(dirname(folder), 'lib/citus.so'))) ?? null;
}

export const citusMissing =
  'there is no PostgreSQL with Citus: neither in LADING_POSTGRES_BIN nor in /usr/lib/postgresql/*/bin is a server whose ' +
  'lib folder has citus.so';

/** `settings`: of all servers, such as `fsync`. */
export async function startCitus(
  programs: string,
  options: { workers: number; settings?: Record<string, string | number> },
): Promise<CitusCluster> {
  const folder = mkdtempSync(join(tmpdir(), `lading-citus-${process.pid}-`));
  const user = databaseUserFor(join(folder, 'server-0'));
  if (runsAsRoot()) chownSync(folder, user.uid, user.gid);
  const servers: CitusServer[] = [];

  async function add(): Promise<CitusServer> {
    const data = join(folder, `server-${servers.length}`);
    const server = await startServer({ programs, data, user, settings: { ...usualSettings, ...options.settings } });
    servers.push(server);
    return server;
  }

  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const coordinator = await add();
    const workers: CitusServer[] = [];
    for (let index = 0; index < options.workers; index++) workers.push(await add());
    return { coordinator, workers, addWorker: add, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const usualSettings = {
  shared_preload_libraries: 'citus',
  listen_addresses: host,
  unix_socket_directories: '',
  max_connections: 400,
  // Every transaction that writes on two servers needs one on each.
  max_prepared_transactions: 400,
  // A database with Citus has a background process.
  max_worker_processes: 100,
  // To move shards while they are written to.
  wal_level: 'logical',
  'citus.shard_count': 4,
  'citus.node_conninfo': 'sslmode=disable',
};

async function startServer(place: {
  programs: string;
  data: string;
  user: DatabaseUser;
  settings: Record<string, string | number>;
}): Promise<CitusServer> {
  const { programs, data, user, settings } = place;
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  const words = ['-D', data, `--username=${owner}`, '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(join(programs, 'initdb'), words, { cwd: '/', env, ...user.spawnAs });
  const port = await freePort();
  const parameters = Object.entries({ port, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...parameters], {
    cwd: '/',
    env,
    stdio: 'ignore',
    ...user.spawnAs,
  });
  const connection = { host, port, username: owner, password: '', database: 'postgres' };
  await isAnswered(child, connection);
  return { connection, stop: () => stopServer(child) };
}

async function isAnswered(child: ChildProcess, connection: ConnectionOptions): Promise<void> {
  const giveUpAt = performance.now() + startsWithinMs;
  for (;;) {
    const sql = connect(connection, 1);
    try {
      await sql.unsafe('select 1');
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > giveUpAt) throw error;
      await sleep(20);
    } finally {
      await sql.end({ timeout: 0 }).catch(() => {});
    }
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGQUIT');
  await ended;
}

/** Creates a database on all servers, with the extension and, on the coordinator, all servers. */
export async function makeCitusDatabase(
  { coordinator, workers }: CitusCluster,
  name: string,
): Promise<ConnectionOptions> {
  for (const server of [coordinator, ...workers]) await addExtension(server, name);
  const connection = { ...coordinator.connection, database: name };
  await asOwner(connection, async (sql) => {
    await sql`select citus_set_coordinator_host(${host}, ${coordinator.connection.port}::integer)`;
    for (const {
      connection: { port },
    } of workers)
      await sql`select citus_add_node(${host}, ${port}::integer)`;
  });
  return connection;
}

/** A worker that is added later needs the database first. */
export async function addExtension({ connection }: CitusServer, name: string): Promise<void> {
  await asOwner(connection, (sql) => sql.unsafe(`create database ${name}`));
  await asOwner({ ...connection, database: name }, (sql) => sql.unsafe('create extension citus'));
}

/** Migrates the database and distributes its tables, as an operator does. */
export async function migrateAndDistribute(connection: ConnectionOptions): Promise<void> {
  await migrate(connection, { apply: true, service: { name: serviceRole, password: '' } });
  await asOwner(connection, (sql) => distribute(sql, { isDryRun: false, onProgress() {} }));
}

export async function asOwner<T>(
  connection: ConnectionOptions,
  work: (sql: ReturnType<typeof connect>) => Promise<T>,
): Promise<T> {
  const sql = connect(connection, 1);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
