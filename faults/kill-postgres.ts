import { setTimeout as sleep } from 'node:timers/promises';
import { faultWarehouse, signalled } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { checkResponseTime, watchRecovery } from './healing.ts';
import { eventually, extendForQuickRun, until } from './patience.ts';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
const healsWithinMs = 60_000;

/**
 * Alternately kills one PostgreSQL backend of a node and the whole server with -9. Only the nodes restart it, and
 * meanwhile they must respond with 200, 400 or 503 in time.
 */
export async function killPostgres({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 2 : 30;
  const withinMs = extendForQuickRun(healsWithinMs, quick);
  const outagesMs = { backend: [] as number[], server: [] as number[] };
  const backAfterMs = { backend: [] as number[], server: [] as number[] };
  let healing: Record<string, number> = {};
  const report = await withWorld({ quick, seed, nodes, nodesKeepPostgres: true, progress }, async (world) => {
    const watch = watchRecovery(world, quick);
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
      progress(
        `kill ${round}, of ${what === 'backend' ? 'one backend' : 'all of PostgreSQL'}: back after ${backAfterMs[what].at(-1)} ms`,
      );
    }
  });
  const figures = {
    ...report.figures,
    ...healing,
    longestOutageAfterBackendMs: Math.max(...outagesMs.backend),
    longestOutageAfterServerMs: Math.max(...outagesMs.server),
    // For a caller that retries immediately instead of waiting for Retry-After.
    backendBackAfterMs: Math.max(...backAfterMs.backend),
    serverBackAfterMs: Math.max(...backAfterMs.server),
  };
  return { fault: 'kill-postgres', rounds, ...checkResponseTime({ ...report, figures }, quick) };
}

/** Tries another backend if the chosen one has just ended. */
async function killBackend(world: World, random: Random, withinMs: number): Promise<void> {
  const killed = async () => {
    const backends = await backendsOfNodes(world);
    return backends.length > 0 && signalled(random.anyOf(backends), 'SIGKILL');
  };
  await until(killed, { withinMs, what: 'a backend that works for a node' });
}

/** All client backends except our own. */
async function backendsOfNodes(world: World): Promise<number[]> {
  const rows = await world.read(
    (sql) => sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows.map((row) => row.pid);
}

/** Returns the time until every node has served a caller that retries without pause. */
async function untilAllNodesServe(world: World, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  const served = await Promise.all(world.nodes.map((node) => eventually(() => isServed(node), { withinMs })));
  for (const [index, { name }] of world.nodes.entries())
    if (!served[index]) world.find('wrong', `${name} served no caller for ${withinMs / 1000} s`);
  return Math.round(performance.now() - startedAt);
}

async function isServed(node: ServiceNode): Promise<boolean> {
  const synced = faultWarehouse(node).productSync({ sku_id: 'HOT', sku_name: 'Faults', storage_type: 1 });
  return await synced.then(
    () => true,
    () => false,
  );
}
