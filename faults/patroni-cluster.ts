import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUserFor, runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import { freePort, onInterrupt } from './child-process.ts';
import type { ClusterPlaces } from './cluster-networks.ts';
import { eventually, until } from './patience.ts';
import { clusterDatabase, clusterOwner, PatroniMember } from './patroni-member.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { killProcessesIn } from './process-folders.ts';

/** Three members with PostgreSQL, one etcd that decides who leads, and a proxy that leads to the leader. */
export interface PatroniCluster {
  members: PatroniMember[];
  etcd: Etcd;
  /** A URL that names all members, and one of the proxy. */
  url(username?: string): string;
  proxyUrl(username?: string): string;
  leader(): Promise<PatroniMember>;
  /** Waits until all members run, two of them stream from the leader, and one of these is synchronous. */
  untilWhole(): Promise<void>;
  /** Increases with every failover. */
  timeline(): Promise<number>;
  /** Ends every fault that an error has left behind, and waits until the cluster is whole. */
  repair(): Promise<void>;
  close(): void;
}

export interface Etcd {
  start(): Promise<void>;
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Seconds. Without a sign of life of the leader for `ttl`, another member takes over; Patroni allows no less than 20. */
export const leaderTtlSeconds = 20;

/** The settings that docs/reliability.md recommends, and no fsync, because no fault takes the power from the machine. */
const dynamicSettings = {
  ttl: leaderTtlSeconds,
  loop_wait: 3,
  retry_timeout: 5,
  primary_start_timeout: 0,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: { wal_log_hints: 'on', max_connections: 100, wal_keep_size: '512MB', fsync: 'off' },
  },
};
const startsWithinMs = 180_000;
const wholeWithinMs = 180_000;

export async function startPatroniCluster(options: {
  folder: string;
  programs: PatroniPrograms;
  places: ClusterPlaces;
}): Promise<PatroniCluster> {
  const { folder, programs, places } = options;
  const user = databaseUserFor(join(folder, 'member-1'));
  chmodSync(folder, 0o711);
  if (runsAsRoot()) chownSync(folder, user.uid, user.gid);
  const close = () => killProcessesIn(folder);
  const forget = onInterrupt(() => {
    close();
    rmSync(folder, { recursive: true, force: true });
  });

  const etcdPort = await freePort();
  const etcd = await startEtcd(programs.etcd, folder, places.etcdHost, etcdPort);
  const members: PatroniMember[] = [];
  for (const [index, place] of places.members.entries()) {
    const ports = { postgres: await freePort(), rest: await freePort() };
    const shared = { folder, programs, user, etcd: `${places.etcdHost}:${etcdPort}`, dynamicSettings };
    members.push(new PatroniMember({ index, place, ports, ...shared }));
  }
  const proxyPort = await freePort();
  startHaproxy(programs.haproxy, folder, `${places.proxyHost}:${proxyPort}`, members);
  await startMembers(members);

  const urlOf = (hosts: string, username: string) => `postgres://${username}@${hosts}/${clusterDatabase}`;
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  return {
    members,
    etcd,
    url: (username = clusterOwner) => urlOf(hosts, username),
    proxyUrl: (username = clusterOwner) => urlOf(`${places.proxyHost}:${proxyPort}`, username),
    leader: () => findLeader(members),
    untilWhole: () => untilWhole(members),
    timeline: async () => (await clusterState(members)).find(({ role }) => role === 'leader')?.timeline ?? 0,
    async repair() {
      await etcd.start();
      for (const member of members) member.repair();
      await untilWhole(members);
    },
    close() {
      close();
      forget();
    },
  };
}

/** The others copy the first one, which creates the database. */
async function startMembers(members: PatroniMember[]): Promise<void> {
  const [first, ...others] = members;
  first!.start();
  await patientlyFor(members, 'first leader', () => first!.isLeader());
  await first!.ask((sql) => sql.unsafe(`create database ${clusterDatabase}`), 'postgres');
  for (const member of others) member.start();
  await untilWhole(members);
}

interface MemberState {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

async function untilWhole(members: PatroniMember[]): Promise<void> {
  const isWholeNow = async () => {
    const states = await clusterState(members);
    const leader = members.find(({ name }) => states.some((one) => one.name === name && one.role === 'leader'));
    // The states are some seconds old; the leader answers for this moment.
    return isWhole(states, members.length) && (await leader!.isLeader());
  };
  await patientlyFor(members, 'whole cluster', isWholeNow);
}

function isWhole(states: MemberState[], members: number): boolean {
  const timelines = new Set(states.map(({ timeline }) => timeline));
  const having = (role: string, state: string) => states.filter((one) => one.role === role && one.state === state);
  return (
    states.length === members &&
    timelines.size === 1 &&
    having('leader', 'running').length === 1 &&
    having('sync_standby', 'streaming').length === 1 &&
    having('replica', 'streaming').length === members - 2
  );
}

/** According to the first member that answers; empty if none does. */
async function clusterState(members: PatroniMember[]): Promise<MemberState[]> {
  for (const member of members) {
    const response = await member.request('/cluster');
    if (response?.ok) return ((await response.json()) as { members: MemberState[] }).members;
  }
  return [];
}

async function findLeader(members: PatroniMember[]): Promise<PatroniMember> {
  const asked = members.map(async (member) => {
    if (!(await member.isLeader())) throw new Error('not the leader');
    return member;
  });
  return await Promise.any(asked);
}

async function patientlyFor(members: PatroniMember[], what: string, condition: () => Promise<boolean>): Promise<void> {
  if (await eventually(condition, { withinMs: wholeWithinMs, everyMs: 200 })) return;
  const states = JSON.stringify(await clusterState(members));
  throw new Error(
    [`no ${what} within ${wholeWithinMs / 1000} s: ${states}`, ...members.map((member) => member.logged())].join('\n'),
  );
}

async function startEtcd(program: string, folder: string, host: string, port: number): Promise<Etcd> {
  const clients = `http://${host}:${port}`;
  const peers = `http://127.0.0.1:${await freePort()}`;
  const words = [
    ['--name', 'one'],
    ['--data-dir', join(folder, 'etcd')],
    ['--listen-client-urls', clients],
    ['--advertise-client-urls', clients],
    ['--listen-peer-urls', peers],
    ['--initial-advertise-peer-urls', peers],
    ['--initial-cluster', `one=${peers}`],
  ];
  const log = openSync(join(folder, 'etcd.log'), 'a');
  // Version 3.4 asks for this on other processors than amd64.
  const env = { PATH: '/usr/bin:/bin', ETCD_UNSUPPORTED_ARCH: process.arch };
  let child: ChildProcess | null = null;
  const etcd: Etcd = {
    async start() {
      if (child && child.exitCode === null && child.signalCode === null) return;
      child = spawn(program, words.flat(), { cwd: folder, env, stdio: ['ignore', log, log] });
      const isHealthy = async () => {
        const signal = AbortSignal.timeout(2000);
        return await fetch(`${clients}/health`, { signal }).then(
          (response) => response.ok,
          () => false,
        );
      };
      await until(isHealthy, { withinMs: startsWithinMs, everyMs: 50, what: 'etcd' });
    },
    async stop(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
  await etcd.start();
  return etcd;
}

/** Leads to the member whose Patroni answers that it is the primary, and ends connections to a former one. */
function startHaproxy(program: string, folder: string, address: string, members: PatroniMember[]): void {
  const file = join(folder, 'haproxy.cfg');
  const servers = members.map(
    ({ name, host, port, restUrl }) => `  server ${name} ${host}:${port} check port ${new URL(restUrl).port}`,
  );
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  timeout check 2s',
    'listen primary',
    `  bind ${address}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  spawn(program, ['-db', '-f', file], { cwd: folder, stdio: ['ignore', log, log] });
}
