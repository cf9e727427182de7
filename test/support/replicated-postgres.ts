import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../faults/child-process.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import {
  type DatabaseUser,
  databaseUserFor,
  runsAsRoot,
} from '../../server/platform/postgres/embedded/database-user.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';

/** A primary and its synchronous standby: two PostgreSQL servers on loopback. */
export interface ReplicatedPostgres {
  servers: [PostgresServer, PostgresServer];
  /** A URL with both servers, in the order of their creation. */
  url(username?: string): string;
  /** Replaces `standby` by a copy of the running `primary`, and starts it. */
  copy(primary: PostgresServer, standby: PostgresServer): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresServer {
  host: string;
  port: number;
  url: string;
  /** With other settings than usual, if they are given. */
  start(others?: Record<string, string>): Promise<void>;
  /** SIGINT shuts the server down; SIGKILL acts like a crash. */
  stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  promote(): Promise<void>;
  /** Uses a superuser's connection, also on a standby. */
  ask<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

const host = '127.0.0.1';
const owner = 'lading';
const databaseName = 'lading';
const startsWithinMs = 120_000;
/** Connections of the test do not wait for the standby. */
const alone = { synchronous_commit: 'local' };

export async function startReplicatedPostgres(options: {
  folder: string;
  programs: PostgresPrograms;
}): Promise<ReplicatedPostgres> {
  const { folder, programs } = options;
  const user = databaseUserFor(join(folder, 'cluster-0'));
  if (runsAsRoot()) chownSync(folder, user.uid, user.gid);
  const ports = [await freePort(), await freePort()] as const;
  const make = (index: 0 | 1) =>
    makeServer({
      programs,
      user,
      cluster: join(folder, `cluster-${index}`),
      port: ports[index],
      settings: {
        wal_keep_size: '512MB',
        synchronous_standby_names: '*',
        hot_standby: 'on',
        // Only a server that starts as a standby uses it.
        primary_conninfo: `host=${host} port=${ports[1 - index]!} user=${owner}`,
        wal_retrieve_retry_interval: '200ms',
      },
    });
  const servers: [Server, Server] = [make(0), make(1)];
  const [primary, standby] = servers;

  const clusterOf = (server: PostgresServer) => servers.find((one) => one === server)!.cluster;

  async function copy(from: PostgresServer, to: PostgresServer): Promise<void> {
    await copyCluster(from, clusterOf(from), clusterOf(to), user);
    await to.start();
  }

  await initialize(programs, primary.cluster, user);
  await primary.start();
  await createDatabase(primary.port);
  await copy(primary, standby);
  await standbyIsSynchronous(primary);
  return {
    servers,
    url: (username = owner) =>
      `postgres://${username}@${servers.map((one) => `${one.host}:${one.port}`).join(',')}/${databaseName}`,
    copy: async (from, to) => {
      await copy(from, to);
      await standbyIsSynchronous(from);
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    },
  };
}

/** One PostgreSQL server of its own on loopback, with the files in its cluster that the test gives. */
export async function startPostgres(options: {
  folder: string;
  programs: PostgresPrograms;
  settings: Record<string, string>;
  files?: Record<string, string>;
}): Promise<PostgresServer> {
  const { folder, programs, settings, files = {} } = options;
  const cluster = join(folder, 'cluster');
  const user = databaseUserFor(cluster);
  if (runsAsRoot()) chownSync(folder, user.uid, user.gid);
  await initialize(programs, cluster, user);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(cluster, name), text, { mode: 0o600 });
    if (runsAsRoot()) chownSync(join(cluster, name), user.uid, user.gid);
  }
  const server = makeServer({ programs, user, cluster, port: await freePort(), settings });
  await server.start();
  await createDatabase(server.port);
  return server;
}

/** A server on a cluster that exists, such as a restored one. */
export async function startPostgresOn(
  cluster: string,
  programs: PostgresPrograms,
  settings: Record<string, string>,
): Promise<PostgresServer> {
  const server = makeServer({ programs, user: databaseUserFor(cluster), cluster, port: await freePort(), settings });
  await server.start();
  return server;
}

async function createDatabase(port: number): Promise<void> {
  const admin = connect({ host, port, username: owner, password: '', database: 'postgres' }, 1, { settings: alone });
  await admin.unsafe(`create database ${databaseName}`);
  await admin.end();
}

export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  env?: Record<string, string>;
}

interface Server extends PostgresServer {
  cluster: string;
}

function makeServer(place: {
  programs: PostgresPrograms;
  user: DatabaseUser;
  cluster: string;
  port: number;
  settings: Record<string, string>;
}): Server {
  const { programs, user, cluster, port } = place;
  const settings = {
    port,
    listen_addresses: host,
    unix_socket_directories: '',
    max_connections: 200,
    fsync: 'off',
    ...place.settings,
  };
  let child: ChildProcess | null = null;

  const ask = async <T>(work: (sql: Sql) => Promise<T>) => {
    const sql = connect({ host, port, username: owner, password: '', database: databaseName }, 1, {
      acceptsStandby: true,
      settings: alone,
    });
    return await work(sql).finally(() => sql.end({ timeout: 1 }));
  };

  return {
    host,
    port,
    cluster,
    url: `postgres://${owner}@${host}:${port}/${databaseName}`,
    async start(others = {}) {
      const parameters = Object.entries({ ...settings, ...others }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]);
      const giveUpAt = performance.now() + startsWithinMs;
      do {
        if (performance.now() > giveUpAt) throw new Error(`PostgreSQL did not start in ${cluster}`);
        // After a kill, the other processes of the server live a little longer, and a new one refuses to start beside them.
        if (child === null || child.exitCode !== null || child.signalCode !== null)
          child = spawn(programs.postgres, ['-D', cluster, ...parameters], {
            cwd: '/',
            env: { ...ownEnv, ...programs.env },
            stdio: 'ignore',
            ...user.spawnAs,
          });
        await sleep(20);
      } while (!(await isAnswered(port)));
    },
    async stop(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    promote: () => ask(async (sql) => void (await sql`select pg_promote(wait => true)`)),
    ask,
  };
}

/**
 * Copies a cluster like pg_basebackup, which the embedded PostgreSQL lacks; the standby streams the changes that are
 * made meanwhile.
 */
async function copyCluster(source: PostgresServer, from: string, to: string, user: DatabaseUser): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  await source.ask(async (sql) => {
    await sql`select pg_backup_start('copy', true)`;
    // Files may disappear during the copy; cp then copies the others and exits with 1.
    await promisify(execFile)('cp', ['-a', from, to]).catch((error: { code?: number }) => {
      if (error.code !== 1) throw error;
    });
    const [row] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    writeFileSync(join(to, 'backup_label'), row!.labelfile);
  });
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
    rmSync(join(to, name), { recursive: true, force: true });
  mkdirSync(join(to, 'pg_wal'), { mode: 0o700 });
  writeFileSync(join(to, 'standby.signal'), '');
  if (runsAsRoot())
    for (const name of ['backup_label', 'pg_wal', 'standby.signal']) chownSync(join(to, name), user.uid, user.gid);
}

async function standbyIsSynchronous(primary: PostgresServer): Promise<void> {
  const isSynchronous = (sql: Sql) =>
    sql`select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`;
  while ((await primary.ask(isSynchronous)).length === 0) await sleep(20);
}

/** Whether the server accepts connections. */
async function isAnswered(port: number): Promise<boolean> {
  const sql = connect({ host, port, username: owner, password: '', database: 'postgres' }, 1, {
    acceptsStandby: true,
  });
  return await sql
    .unsafe('select 1')
    .then(
      () => true,
      () => false,
    )
    .finally(() => sql.end({ timeout: 0 }).catch(() => {}));
}

async function initialize({ initdb, env = {} }: PostgresPrograms, cluster: string, user: DatabaseUser): Promise<void> {
  const words = ['-D', cluster, `--username=${owner}`, '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(initdb, words, { cwd: '/', env: { ...ownEnv, ...env }, ...user.spawnAs });
}

const ownEnv = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
