import { setTimeout as sleep } from 'node:timers/promises';
import { faultWarehouse, signalled } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { holdToBound, watchHealing } from './healing.ts';
import { becomes, patiently, until } from './patience.ts';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
const healsWithinMs = 60_000;

/**
 * kill -9 of a PostgreSQL backend that works for a node, and of all of PostgreSQL, in turn: nobody but the nodes brings it back, and meanwhile
 * they answer 200, 400 or 503, each in time.
 */
export async function killPostgres({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 2 : 30;
  const withinMs = patiently(healsWithinMs, quick);
  const outagesMs = { backend: [] as number[], server: [] as number[] };
  const backAfterMs = { backend: [] as number[], server: [] as number[] };
  let healing: Record<string, number> = {};
  const report = await withWorld({ quick, seed, nodes, nodesKeepPostgres: true, progress }, async (world) => {
    const watch = watchHealing(world, quick);
    healing = watch.slowest;
    const random = world.random.fork();
    for (let round = 1; round <= rounds; round++) {
      await sleep(random.between(500, quick ? 1000 : 3000));
      const what = round % 2 === 1 ? 'backend' : 'server';
      world.takeLongestGapMs();
      if (what === 'backend') await killBackend(world, random, withinMs);
      else signalled(world.postgresPid(), 'SIGKILL');
      backAfterMs[what].push(await untilAllNodesServe(world, withinMs));
      await watch.untilServed(what);
      outagesMs[what].push(world.takeLongestGapMs());
      progress(`kill ${round}, of ${what === 'backend' ? 'one backend' : 'all of PostgreSQL'}: back after ${backAfterMs[what].at(-1)} ms`);
    }
  });
  const figures = {
    ...report.figures,
    ...healing,
    longestOutageAfterBackendMs: Math.max(...outagesMs.backend),
    longestOutageAfterServerMs: Math.max(...outagesMs.server),
    // For whoever asks just then, and does not wait as long as a 503 asks for.
    backendBackAfterMs: Math.max(...backAfterMs.backend),
    serverBackAfterMs: Math.max(...backAfterMs.server),
  };
  return { fault: 'kill-postgres', rounds, ...holdToBound({ ...report, figures }, quick) };
}

/** Another one, should it have ended by itself just before. */
async function killBackend(world: World, random: Random, withinMs: number): Promise<void> {
  const killed = async () => {
    const backends = await backendsOfNodes(world);
    return backends.length > 0 && signalled(random.anyOf(backends), 'SIGKILL');
  };
  await until(killed, { withinMs, what: 'a backend that works for a node' });
}

/** Those that are at work or wait for it; not our own. */
async function backendsOfNodes(world: World): Promise<number[]> {
  const rows = await world.read(
    (sql) => sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows.map((row) => row.pid);
}

/** How long it takes until every node has served somebody who asks again and again. */
async function untilAllNodesServe(world: World, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  const served = await Promise.all(world.nodes.map((node) => becomes(() => isServed(node), { withinMs })));
  for (const [index, { name }] of world.nodes.entries())
    if (!served[index]) world.find('wrong', `${name} served nobody for ${withinMs / 1000} s`);
  return Math.round(performance.now() - startedAt);
}

async function isServed(node: ServiceNode): Promise<boolean> {
  const synced = faultWarehouse(node).productSync({ sku_id: 'HOT', sku_name: 'Faults', storage_type: 1 });
  return await synced.then(
    () => true,
    () => false,
  );
}
