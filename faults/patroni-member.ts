import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../server/platform/postgres/database.ts';
import { type DatabaseUser, runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { signalled } from './child-process.ts';
import { linkKinds, type MemberPlace, setMemberLink } from './cluster-networks.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { killProcessesIn, processesIn, suspendProcessesIn, titleOf } from './process-folders.ts';

export interface MemberSettings {
  index: number;
  folder: string;
  place: MemberPlace;
  ports: { postgres: number; rest: number };
  programs: PatroniPrograms;
  user: DatabaseUser;
  etcd: string;
  /** Dynamic settings of the cluster, which the first member stores in etcd. */
  dynamicSettings: object;
}

export const clusterOwner = 'lading';
export const clusterDatabase = 'lading';
const endsWithinMs = 120_000;
const answersWithinMs = 3000;
const logLines = 15;

/** A member of the cluster: Patroni, and the PostgreSQL that Patroni starts. */
export class PatroniMember {
  readonly index: number;
  readonly name: string;
  readonly restUrl: string;
  readonly host: string;
  readonly port: number;
  private readonly settings: MemberSettings;
  private readonly folder: string;
  private readonly dataFolder: string;
  private child: ChildProcess | null = null;
  private suspended: number[] = [];

  constructor(settings: MemberSettings) {
    const { index, place, ports } = settings;
    this.index = index;
    this.name = `member-${index + 1}`;
    this.host = place.serviceHost;
    this.port = ports.postgres;
    this.restUrl = `http://${place.serviceHost}:${ports.rest}`;
    this.settings = settings;
    this.folder = join(settings.folder, this.name);
    this.dataFolder = join(this.folder, 'data');
    mkdirSync(this.folder, { mode: 0o700 });
    // JSON is valid YAML.
    writeFileSync(this.configFile(), JSON.stringify(configOf(this.name, this.folder, settings)));
    if (runsAsRoot())
      for (const path of [this.folder, this.configFile()]) chownSync(path, settings.user.uid, settings.user.gid);
  }

  start(): void {
    const { place, programs, user } = this.settings;
    const log = openSync(this.logFile(), 'a');
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: this.folder,
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      PYTHONPATH: programs.patroni,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const options = { cwd: this.folder, env, stdio: ['ignore', log, log] as ['ignore', number, number] };
    const words = ['-m', 'patroni', this.configFile()];
    if (place.network === null) this.child = spawn(programs.python, words, { ...options, ...user.spawnAs });
    else {
      const as = ['--setuid', String(user.uid), '--setgid', String(user.gid)];
      this.child = spawn(
        'nsenter',
        [`--net=/run/netns/${place.network}`, ...as, '--', programs.python, ...words],
        options,
      );
    }
  }

  /** Patroni shuts PostgreSQL down before it ends. */
  async stop(): Promise<void> {
    if (!this.isRunning()) return;
    const ended = once(this.child!, 'exit', { signal: AbortSignal.timeout(endsWithinMs) });
    this.child!.kill('SIGTERM');
    await ended.catch(() => {
      throw new Error(`Patroni of ${this.name} did not end:\n${this.logged()}`);
    });
  }

  /** Patroni and PostgreSQL. */
  killAll(): void {
    killProcessesIn(this.folder);
  }

  /** Only PostgreSQL; Patroni notices it. */
  killPostgres(): void {
    killProcessesIn(this.dataFolder);
  }

  /** Suspends Patroni and PostgreSQL until `resume`. */
  suspendAll(): void {
    this.suspended = suspendProcessesIn(this.folder);
  }

  /** Suspends only the process that receives the log of the leader; false if there is none. */
  suspendReceiver(): boolean {
    this.suspended = processesIn(this.dataFolder).filter((pid) => titleOf(pid).includes('walreceiver'));
    for (const pid of this.suspended) signalled(pid, 'SIGSTOP');
    return this.suspended.length > 0;
  }

  resume(): void {
    for (const pid of this.suspended) signalled(pid, 'SIGCONT');
    this.suspended = [];
  }

  /** Ends every fault of this member. */
  repair(): void {
    this.resume();
    if (this.settings.place.network !== null) for (const kind of linkKinds) setMemberLink(this.index, kind, 'up');
    if (!this.isRunning()) this.start();
  }

  /** Whether Patroni considers this member the leader. */
  async isLeader(): Promise<boolean> {
    return (await this.request('/primary'))?.status === 200;
  }

  /** Calls Patroni; null if it does not answer. */
  async request(path: string, init: RequestInit = {}, withinMs = answersWithinMs): Promise<Response | null> {
    return await fetch(`${this.restUrl}${path}`, { ...init, signal: AbortSignal.timeout(withinMs) }).catch(() => null);
  }

  /** Uses a superuser's connection, also on a standby, which does not wait for other members. */
  async ask<T>(work: (sql: Sql) => Promise<T>, database = clusterDatabase): Promise<T> {
    const { host, port } = this;
    const sql = connect({ host, port, username: clusterOwner, password: '', database }, 1, {
      acceptsStandby: true,
      settings: { synchronous_commit: 'local' },
    });
    return await work(sql).finally(() => sql.end({ timeout: 1 }));
  }

  /** The end of Patroni's log, which includes that of PostgreSQL. */
  logged(): string {
    const lines = readFileSync(this.logFile(), 'utf8').trim().split('\n');
    return [`${this.name}:`, ...lines.slice(-logLines)].join('\n  ');
  }

  private isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  private configFile(): string {
    return join(this.folder, 'patroni.yml');
  }

  private logFile(): string {
    return join(this.settings.folder, `${this.name}.log`);
  }
}

function configOf(name: string, folder: string, { place, ports, programs, etcd, dynamicSettings }: MemberSettings) {
  const everyAddress = place.network === null ? place.serviceHost : '0.0.0.0';
  return {
    scope: 'lading',
    name,
    restapi: { listen: `${everyAddress}:${ports.rest}`, connect_address: `${place.clusterHost}:${ports.rest}` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: dynamicSettings,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: `${everyAddress}:${ports.postgres}`,
      connect_address: `${place.clusterHost}:${ports.postgres}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs.postgresBin,
      pgpass: join(folder, 'pgpass'),
      basebackup: [{ checkpoint: 'fast' }],
      authentication: { superuser: { username: clusterOwner }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        ...['127.0.0.0/8', '198.18.0.0/15'].flatMap((network) => [
          `host all all ${network} trust`,
          `host replication all ${network} trust`,
        ]),
      ],
    },
  };
}
