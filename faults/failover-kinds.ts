import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { setMemberLink } from './cluster-networks.ts';
import { eventually, until } from './patience.ts';
import { leaderTtlSeconds, type PatroniCluster } from './patroni-cluster.ts';
import type { PatroniMember } from './patroni-member.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface FailoverScene {
  world: World;
  cluster: PatroniCluster;
  random: Random;
  quick: boolean;
}

/** Injects one fault and ends it; the cluster then becomes whole by itself. Returns details for the log. */
type Inject = (scene: FailoverScene, leader: PatroniMember) => Promise<string>;

interface FailoverKind {
  /** How often in a full run; the slow ones less often. */
  rounds: number;
  /** Another member must lead afterwards. */
  changesLeader: boolean;
  needsNetworks?: true;
  inject: Inject;
}

export const failoverKinds: Record<string, FailoverKind> = {
  'kill-postgres': { rounds: 22, changesLeader: true, inject: killPostgres },
  'kill-member': { rounds: 8, changesLeader: false, inject: killMember },
  freeze: { rounds: 8, changesLeader: true, inject: freeze },
  etcd: { rounds: 8, changesLeader: false, inject: stopEtcd },
  standbys: { rounds: 10, changesLeader: false, inject: stopStandbys },
  cancel: { rounds: 18, changesLeader: false, inject: cancelWaits },
  partition: { rounds: 8, changesLeader: true, needsNetworks: true, inject: cutOff },
  switchover: { rounds: 22, changesLeader: true, inject: switchOver },
};

const takesOverWithinMs = 120_000;

/** kill -9 of every process of the leader's PostgreSQL. Its Patroni goes on. */
async function killPostgres({ cluster }: FailoverScene, leader: PatroniMember): Promise<string> {
  leader.killPostgres();
  await untilAnotherLeads(cluster, leader);
  return leader.name;
}

/** kill -9 of the leader's Patroni and PostgreSQL. It returns after another member leads or, one time in three, earlier. */
async function killMember({ cluster, random }: FailoverScene, leader: PatroniMember): Promise<string> {
  const returnsEarly = random.oneIn(3);
  leader.killAll();
  if (returnsEarly) await sleep(random.between(500, leaderTtlSeconds * 500));
  else await untilAnotherLeads(cluster, leader);
  leader.start();
  return `${leader.name}${returnsEarly ? ', which returns before another member leads' : ''}`;
}

/** The leader wakes up when another member leads, and does not know that time has passed. */
async function freeze({ cluster, random }: FailoverScene, leader: PatroniMember): Promise<string> {
  leader.suspendAll();
  await untilAnotherLeads(cluster, leader);
  await sleep(random.between(0, 5000));
  leader.resume();
  return leader.name;
}

/** Without etcd the leader cannot prove that it still leads, so it stops to accept writes. */
async function stopEtcd({ world, cluster, random }: FailoverScene): Promise<string> {
  const signal = random.anyOf(['SIGTERM', 'SIGKILL'] as const);
  const seconds = random.between(1, 8);
  await cluster.etcd.stop(signal);
  const nobodyLeads = async () =>
    (await Promise.all(cluster.members.map((member) => member.isLeader()))).every(isFalse);
  await until(nobodyLeads, { withinMs: takesOverWithinMs, everyMs: 200, what: 'a leader that resigns' });
  await expectNothingAcknowledged(world, 'etcd was unavailable', seconds);
  await cluster.etcd.start();
  return `${signal}, ${seconds.toFixed(1)} s without a leader`;
}

/** In strict mode writes wait when no standby is left. */
async function stopStandbys({ world, cluster, random }: FailoverScene, leader: PatroniMember): Promise<string> {
  const standbys = othersThan(leader, cluster);
  const isKilled = random.oneIn(2);
  if (isKilled) for (const standby of standbys) standby.killAll();
  else await Promise.all(standbys.map((standby) => standby.stop()));
  const seconds = random.between(3, 8);
  await expectNothingAcknowledged(world, 'both standbys were unavailable', seconds);
  for (const standby of standbys) standby.start();
  return `${isKilled ? 'killed' : 'stopped'}, ${seconds.toFixed(1)} s`;
}

const cancelsWithinMs = 40_000;

/**
 * The standbys receive nothing, an operator cancels the waits of commits, and callers repeat their requests. One time in
 * two the leader is killed then, so that the cancelled commits are lost.
 */
async function cancelWaits({ world, cluster, random, quick }: FailoverScene, leader: PatroniMember): Promise<string> {
  const repeatsMin = quick ? 10 : 30;
  const thenKills = random.oneIn(2);
  const standbys = othersThan(leader, cluster);
  const repeats = () => world.tallies().at(-1)!.retries;
  const repeatsBefore = repeats();
  for (const standby of standbys)
    if (!standby.suspendReceiver()) world.find('wrong', `${standby.name} does not receive the log of the leader`);
  let cancelled = 0;
  const cancel = async (sql: Sql): Promise<boolean> => {
    const rows = await sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
    cancelled += rows.length;
    return cancelled > 0 && repeats() - repeatsBefore >= repeatsMin;
  };
  const isDone = await leader.ask((sql) => eventually(() => cancel(sql), { withinMs: cancelsWithinMs, everyMs: 50 }));
  if (!isDone) world.find('wrong', `${cancelled} waits were cancelled and repeated ${repeats() - repeatsBefore} times`);
  if (thenKills) leader.killPostgres();
  for (const standby of standbys) standby.resume();
  if (thenKills) await untilAnotherLeads(cluster, leader);
  return `${cancelled} waits${thenKills ? ', then the leader was killed' : ''}`;
}

/** Cuts the leader off from the other members and etcd, and one time in two also from nodes and haproxy. */
async function cutOff({ cluster, random }: FailoverScene, leader: PatroniMember): Promise<string> {
  const kinds = random.oneIn(2) ? (['cluster', 'service'] as const) : (['cluster'] as const);
  for (const kind of kinds) setMemberLink(leader.index, kind, 'down');
  await untilAnotherLeads(cluster, leader);
  await sleep(random.between(0, 5000));
  for (const kind of kinds) setMemberLink(leader.index, kind, 'up');
  return `${leader.name}${kinds.length === 1 ? ', which nodes and haproxy still reach' : ''}`;
}

async function switchOver({ world, cluster }: FailoverScene, leader: PatroniMember): Promise<string> {
  const body = JSON.stringify({ leader: leader.name });
  const headers = { 'content-type': 'application/json' };
  const response = await leader.request('/switchover', { method: 'POST', headers, body }, takesOverWithinMs);
  const text = (await response?.text()) ?? 'no response';
  if (response?.status !== 200) world.find('wrong', `the switchover failed: ${text}`);
  await untilAnotherLeads(cluster, leader);
  return text;
}

function othersThan(leader: PatroniMember, { members }: PatroniCluster): PatroniMember[] {
  return members.filter((member) => member !== leader);
}

async function untilAnotherLeads(cluster: PatroniCluster, former: PatroniMember): Promise<void> {
  const others = othersThan(former, cluster);
  const doesAnotherLead = async () => !(await Promise.all(others.map((member) => member.isLeader()))).every(isFalse);
  await until(doesAnotherLead, { withinMs: takesOverWithinMs, everyMs: 200, what: 'another leader' });
}

/** Responses that were in flight when the fault began may still arrive. */
const inFlightMs = 1500;

async function expectNothingAcknowledged(world: World, when: string, seconds: number): Promise<void> {
  await sleep(inFlightMs);
  const before = world.acknowledged();
  await sleep(seconds * 1000);
  const more = world.acknowledged() - before;
  if (more > 0) world.find('wrong', `${more} changes were acknowledged while ${when}`);
}

function isFalse(value: boolean): boolean {
  return !value;
}
