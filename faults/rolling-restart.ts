import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch as fetchOver } from 'undici';
import { type Balancer, startBalancer } from './balancer.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { makeNewVersion, type NewVersion } from './new-version.ts';
import { patiently, until } from './patience.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const nodes = 3;
/** A few of the balancer's looks. */
const drainSecondsFull = 5;
const drainSecondsQuick = 3;
/** Fewer than callers at each entrance: so every connection is in use all the time, and none is closed while it idles. */
const connectionsPerEntrance = 4;
const callersPerNode = 16;
const readsOnSeconds = 2;
/** In a full run there is none. */
const busyShareMax = 0.05;
const migrationSeenWithinMs = 60_000;
const trustedWithinMs = 60_000;

/**
 * Every node is replaced by its next version, one after the other, under load; the first one to come migrates the database beneath the others, while
 * somebody reads the table that is changed. No request fails, whether a balancer hands out requests or connections.
 */
export async function rollingRestart({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const [rounds, drainSeconds] = quick ? [1, drainSecondsQuick] : [6, drainSecondsFull];
  const entrances: Balancer[] = [];
  const versions: NewVersion[] = [];
  const connections = new Agent({ connections: connectionsPerEntrance });
  const times: RestartTimes = { slowestStopMs: 0, slowestMigrationMs: 0, servedWhileMigrating: 0 };
  let isOver = false;
  try {
    const { figures, ...report } = await withWorld(
      {
        ...{ quick, seed, nodes, progress, callersPerNode, mustSucceedAtOnce: true },
        env: { DRAIN_S: String(drainSeconds) },
        async beforeLoad(nodes) {
          const urls = nodes.map((node) => node.url);
          entrances.push(await startBalancer('requests', urls), await startBalancer('connections', urls));
          await Promise.all(urls.map((url) => trustedBy(entrances, url, quick)));
        },
        // Afterwards every node is asked by itself.
        urlOf: (node) => (isOver ? undefined : entrances[node % 2]!.url),
        fetch: ((url: string, init: object) => fetchOver(url, { ...init, dispatcher: connections })) as unknown as typeof fetch,
      },
      async (world) => {
        for (let round = 1; round <= rounds; round++) {
          const version = makeNewVersion(round);
          versions.push(version);
          await replaceAll(world, version, entrances, times, quick);
          progress(`round ${round}: all nodes replaced, with ${version.migration}; ${world.acknowledged()} acknowledged`);
        }
        isOver = true;
        const { busy, requests } = world.tallies().at(-1)!;
        if (busy > requests * busyShareMax) world.find('wrong', `${busy} of ${requests} requests were answered with 503 or 429`);
      },
    );
    return { fault: 'rolling-restart', rounds, ...report, figures: { ...figures, restarts: rounds * nodes, drainSeconds, ...times } };
  } finally {
    await connections.destroy();
    await Promise.all(entrances.map((entrance) => entrance.close()));
    for (const version of versions) version.remove();
  }
}

interface RestartTimes {
  slowestStopMs: number;
  /** From the first wait for its table to the end, with somebody reading that table for most of it. */
  slowestMigrationMs: number;
  servedWhileMigrating: number;
}

async function replaceAll(world: World, version: NewVersion, entrances: Balancer[], times: RestartTimes, quick: boolean): Promise<void> {
  for (const [index, node] of world.nodes.entries()) {
    const startedAt = performance.now();
    await node.stop();
    times.slowestStopMs = Math.max(times.slowestStopMs, Math.round(performance.now() - startedAt));

    const up = () => startAs(version, node);
    if (index === 0) await migrateUnderReader(world, version, up, times, patiently(migrationSeenWithinMs, quick));
    else await up();
    await trustedBy(entrances, node.url, quick);
  }
  world.tree = version.tree;
}

async function startAs({ tree, cache }: NewVersion, node: ServiceNode): Promise<void> {
  node.start({ NODE_COMPILE_CACHE: cache }, tree);
  await node.untilUp();
}

/** Somebody reads the table when the migration comes, and for some time longer: whoever waited behind both would be seen. */
async function migrateUnderReader(
  world: World,
  version: NewVersion,
  up: () => Promise<void>,
  times: RestartTimes,
  withinMs: number,
): Promise<void> {
  const served = () => world.tallies().at(-1)!.done;
  let waitingSince: { ms: number; served: number } | null = null;
  const reading = world.read((reader) =>
    reader.begin(async (tx) => {
      await tx.unsafe(`select count(*) from ${version.changes}`);
      const giveUpAt = performance.now() + withinMs;
      while (performance.now() < giveUpAt) {
        const waiting = await tx`
          select from pg_locks where not granted and mode = 'AccessExclusiveLock' and relation = ${version.changes}::regclass`;
        if (waiting.count > 0) waitingSince ??= { ms: performance.now(), served: served() };
        if (waitingSince !== null && performance.now() - waitingSince.ms > readsOnSeconds * 1000) return;
        await sleep(20);
      }
    }),
  );
  await Promise.all([reading, up()]);

  const since = waitingSince as { ms: number; served: number } | null;
  if (since === null) {
    world.find('wrong', `${version.migration} did not wait for whoever read its table`);
    return;
  }
  if (served() === since.served) world.find('wrong', `nobody was served while ${version.migration} waited`);
  times.slowestMigrationMs = Math.max(times.slowestMigrationMs, Math.round(performance.now() - since.ms));
  times.servedWhileMigrating += served() - since.served;
}

async function trustedBy(entrances: Balancer[], nodeUrl: string, quick: boolean): Promise<void> {
  const wait = { withinMs: patiently(trustedWithinMs, quick), what: `${nodeUrl} is ready, and the balancers believe it` };
  await until(() => entrances.every((entrance) => entrance.trusts(nodeUrl)), wait);
}
