import { setTimeout as sleep } from 'node:timers/promises';
import { serviceRole } from '../test/support/database.ts';
import type { ClusterPlaces } from './cluster-networks.ts';
import { type FailoverScene, failoverKinds } from './failover-kinds.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { checkResponseTime, watchRecovery } from './healing.ts';
import { startPatroniCluster } from './patroni-cluster.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import type { Random } from './random.ts';
import { withWorld } from './world.ts';

export interface FailoverTask extends Omit<FaultOptions, 'progress'> {
  folder: string;
  programs: PatroniPrograms;
  places: ClusterPlaces;
  /** Kinds that this machine does not support, with the reason. */
  skipped: Record<string, string>;
}

const nodes = 2;
/** Fewer than in other faults, because a full run takes an hour and every change is kept for the comparison. */
const callersPerNode = 4;
/** Patroni needs up to a minute on a busy machine until a new leader has a standby that confirms its commits. */
const answeredWithinMs = 180_000;

/** Longest times without a successful response, by kind of fault, as `World.takeLongestGapsMs` gives them. */
type Outages = Map<string, Record<string, number>[]>;

/** The first node uses haproxy, the second one knows all members. */
export async function runFailover(task: FailoverTask, progress: (line: string) => void): Promise<FaultReport> {
  const { quick, seed, folder, programs, places, skipped } = task;
  progress(`starting Patroni ${programs.patroniVersion} with three members`);
  const cluster = await startPatroniCluster({ folder, programs, places });
  const outages: Outages = new Map();
  let rounds = 0;
  try {
    const urls = { service: cluster.url(serviceRole), owner: cluster.url() };
    const proxyUrls = { DATABASE_URL: cluster.proxyUrl(serviceRole), DATABASE_OWNER_URL: cluster.proxyUrl() };
    const nodeEnv = (node: number): Record<string, string> => (node === 0 ? proxyUrls : {});
    const settings = { quick, seed, nodes, callersPerNode, answeredWithinMs, nodeEnv, progress, databaseUrls: urls };
    const report = await withWorld(settings, async (world) => {
      const random = world.random.fork();
      const plan = planOf(task, random);
      for (const kind of plan) {
        rounds++;
        const outage = await oneFault(kind, { world, cluster, random, quick }, (line) =>
          progress(`${rounds} of ${plan.length}: ${kind}: ${line}`),
        );
        if (outage !== null) outages.set(kind, [...(outages.get(kind) ?? []), outage]);
      }
    });
    const figures = {
      ...report.figures,
      patroni: programs.patroniVersion,
      'responses that the contract does not allow, such as 500': report.findings.filter(isStrangeResponse).length,
      ...outageFigures(outages),
      ...skipped,
    };
    return { fault: 'failover', rounds, ...checkResponseTime({ ...report, figures }, quick) };
  } finally {
    cluster.close();
  }
}

/** Each kind once, or as often as its entry says, in random order. */
function planOf({ quick, only = [], skipped }: FailoverTask, random: Random): string[] {
  const kinds = Object.entries(failoverKinds).filter(
    ([name]) => !(name in skipped) && (only.length === 0 || only.includes(name)),
  );
  const plan = kinds.flatMap(([name, { rounds }]) => Array.from({ length: quick ? 1 : rounds }, () => name));
  const keyed = plan.map((name) => ({ name, key: random.next() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ name }) => name);
}

/** A fault that cannot be carried out is a finding; the others still take place if the cluster can be repaired. */
async function oneFault(name: string, scene: FailoverScene, say: (line: string) => void) {
  const { world, cluster } = scene;
  try {
    return await injectAndWait(name, scene, say);
  } catch (error) {
    say(`could not be carried out: ${(error as Error).message}`);
    world.find('wrong', `${name} could not be carried out: ${(error as Error).stack}`);
    await cluster.repair();
    return null;
  }
}

async function injectAndWait(
  name: string,
  scene: FailoverScene,
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const { world, cluster, random, quick } = scene;
  const kind = failoverKinds[name]!;
  await sleep(random.between(500, quick ? 1000 : 3000));
  const [leader, timeline] = [await cluster.leader(), await cluster.timeline()];
  world.takeLongestGapsMs();
  const startedAt = performance.now();

  const details = await kind.inject(scene, leader);

  await cluster.untilWhole();
  await watchRecovery(world, quick).untilServed(name);
  const wholeAfterMs = performance.now() - startedAt;
  const outage = world.takeLongestGapsMs();
  const findings = world.ledger.findings.length;
  say(
    `${details}; no change for ${seconds(outage.changes!)} s, no query for ${seconds(outage.queries!)} s, whole after ${seconds(wholeAfterMs)} s; ` +
      `${world.acknowledged()} acknowledged, ${findings} findings`,
  );
  if (kind.changesLeader && (await cluster.timeline()) === timeline)
    world.find('wrong', `${name}: no other member took over`);
  return outage;
}

function outageFigures(outages: Outages): Record<string, string> {
  return Object.fromEntries(
    [...outages].map(([kind, all]) => {
      const changes = all.map((one) => one.changes!);
      const longestOf = (name: string) => `${name} ${seconds(Math.max(...all.map((one) => one[name]!)))}`;
      const longest = ['main', 'warehouse', 'logistics', 'queries'].map(longestOf).join(', ');
      const words = `median ${seconds(median(changes))}, longest ${seconds(Math.max(...changes))}`;
      return [`${kind}: s without a change`, `${all.length} times: ${words}; longest by contract: ${longest}`];
    }),
  );
}

function isStrangeResponse(finding: string): boolean {
  return /^wrong: node \d+ responded to /.test(finding);
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
