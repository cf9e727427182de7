import { setTimeout as sleep } from 'node:timers/promises';
import { faultWarehouse } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
const healsWithinSeconds = 60;

/**
 * kill -9 of a PostgreSQL backend that works for a node, and of all of PostgreSQL, in turn: nobody but the nodes brings it back, and meanwhile
 * they answer 200, 400 or 503, each in time.
 */
export async function killPostgres({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 2 : 30;
  const outagesMs = { backend: [] as number[], server: [] as number[] };
  const backAfterMs = { backend: [] as number[], server: [] as number[] };
  const report = await withWorld({ seed, nodes, nodesKeepPostgres: true, progress }, async (world) => {
    const random = world.random.fork();
    for (let round = 1; round <= rounds; round++) {
      await sleep(random.between(500, quick ? 1000 : 3000));
      const what = round % 2 === 1 ? 'backend' : 'server';
      const pid = what === 'backend' ? random.anyOf(await backendsOfNodes(world)) : world.postgresPid();
      world.takeLongestGapMs();
      process.kill(pid, 'SIGKILL');
      backAfterMs[what].push(await untilAllNodesServe(world));
      await untilServed(world);
      outagesMs[what].push(world.takeLongestGapMs());
      progress(`kill ${round}, of ${what === 'backend' ? 'one backend' : 'all of PostgreSQL'}: back after ${backAfterMs[what].at(-1)} ms`);
    }
  });
  const figures = {
    ...report.figures,
    longestOutageAfterBackendMs: Math.max(...outagesMs.backend),
    longestOutageAfterServerMs: Math.max(...outagesMs.server),
    // For whoever asks just then, and does not wait as long as a 503 asks for.
    backendBackAfterMs: Math.max(...backAfterMs.backend),
    serverBackAfterMs: Math.max(...backAfterMs.server),
  };
  return { fault: 'kill-postgres', rounds, ...report, figures };
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
async function untilAllNodesServe(world: World): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(world.nodes.map(untilServes));
  return Math.round(performance.now() - startedAt);
}

const askEveryMs = 20;

async function untilServes(node: ServiceNode): Promise<void> {
  const giveUpAt = performance.now() + healsWithinSeconds * 1000;
  const body = { sku_id: 'HOT', sku_name: 'Faults', storage_type: 1 } as const;
  const isServed = () =>
    faultWarehouse(node)
      .productSync(body)
      .then(
        () => true,
        () => false,
      );
  while (performance.now() < giveUpAt && !(await isServed())) await sleep(askEveryMs);
}

/** Answers that were on their way at the kill do not count: so many more must have come. */
const servedAgainAnswers = 100;

async function untilServed(world: World): Promise<void> {
  const done = () => world.tallies().at(-1)!.done;
  const [before, giveUpAt] = [done(), performance.now() + healsWithinSeconds * 1000];
  while (done() < before + servedAgainAnswers) {
    if (performance.now() > giveUpAt) {
      world.find('wrong', `not served again within ${healsWithinSeconds} s`);
      return;
    }
    await sleep(50);
  }
}
