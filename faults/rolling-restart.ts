import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch as fetchOver } from 'undici';
import { type Balancer, startBalancer } from './balancer.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { makeNewVersion, type NewVersion } from './new-version.ts';
import { extendForQuickRun, until } from './patience.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const nodes = 3;
/** Several health checks of the balancer. */
const drainSecondsFull = 5;
const drainSecondsQuick = 3;
/** Fewer than the callers of each balancer, so that no connection is idle and closed. */
const connectionsPerEntrance = 4;
const callersPerNode = 16;
const readsOnSeconds = 2;
/** For quick runs; a full run allows none. */
const busyShareMax = 0.05;
const migrationSeenWithinMs = 60_000;
const trustedWithinMs = 60_000;

/**
 * Replaces the nodes one after the other by the next version, under load. The first new node migrates the database while
 * the others use it and another session reads the changed table. No request may fail, whether the balancer distributes
 * requests or connections.
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
        quick,
        seed,
        nodes,
        progress,
        callersPerNode,
        mustSucceedAtOnce: true,
        env: { DRAIN_S: String(drainSeconds) },
        async beforeLoad(nodes) {
          const urls = nodes.map((node) => node.url);
          entrances.push(await startBalancer('requests', urls), await startBalancer('connections', urls));
          await Promise.all(urls.map((url) => trustedBy(entrances, url, quick)));
        },
        // Afterwards each node is called directly.
        urlOf: (node) => (isOver ? undefined : entrances[node % 2]!.url),
        fetch: ((url: string, init: object) =>
          fetchOver(url, { ...init, dispatcher: connections })) as unknown as typeof fetch,
      },
      async (world) => {
        for (let round = 1; round <= rounds; round++) {
          const version = makeNewVersion(round);
          versions.push(version);
          await replaceAll(world, version, entrances, times, quick);
          progress(
            `round ${round}: all nodes replaced, with ${version.migration}; ${world.acknowledged()} acknowledged`,
          );
        }
        isOver = true;
        const { busy, requests } = world.tallies().at(-1)!;
        if (busy > requests * busyShareMax)
          world.find('wrong', `${busy} of ${requests} requests got the response 503 or 429`);
      },
    );
    return {
      fault: 'rolling-restart',
      rounds,
      ...report,
      figures: { ...figures, restarts: rounds * nodes, drainSeconds, ...times },
    };
  } finally {
    await connections.destroy();
    await Promise.all(entrances.map((entrance) => entrance.close()));
    for (const version of versions) version.remove();
  }
}

interface RestartTimes {
  slowestStopMs: number;
  /** From the first wait for the table lock to the end, including the time in which another session reads the table. */
  slowestMigrationMs: number;
  servedWhileMigrating: number;
}

async function replaceAll(
  world: World,
  version: NewVersion,
  entrances: Balancer[],
  times: RestartTimes,
  quick: boolean,
): Promise<void> {
  for (const [index, node] of world.nodes.entries()) {
    const startedAt = performance.now();
    await node.stop();
    times.slowestStopMs = Math.max(times.slowestStopMs, Math.round(performance.now() - startedAt));

    const up = () => startAs(version, node);
    if (index === 0)
      await migrateUnderReader(world, version, up, times, extendForQuickRun(migrationSeenWithinMs, quick));
    else await up();
    await trustedBy(entrances, node.url, quick);
  }
  world.tree = version.tree;
}

async function startAs({ tree, cache }: NewVersion, node: ServiceNode): Promise<void> {
  node.start({ NODE_COMPILE_CACHE: cache }, tree);
  await node.untilUp();
}

/** Reads the table before and during the migration. A migration that queued callers behind its lock would show here. */
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
    world.find('wrong', `${version.migration} did not wait for the session that read its table`);
    return;
  }
  if (served() === since.served) world.find('wrong', `no caller was served while ${version.migration} waited`);
  times.slowestMigrationMs = Math.max(times.slowestMigrationMs, Math.round(performance.now() - since.ms));
  times.servedWhileMigrating += served() - since.served;
}

async function trustedBy(entrances: Balancer[], nodeUrl: string, quick: boolean): Promise<void> {
  const wait = {
    withinMs: extendForQuickRun(trustedWithinMs, quick),
    what: `readiness of ${nodeUrl} at the balancers`,
  };
  await until(() => entrances.every((entrance) => entrance.trusts(nodeUrl)), wait);
}
