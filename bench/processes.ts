import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  makeDataDir,
  postgresPid,
  provisioningFile,
  type Service,
  startService,
  stopService,
  waitUntilReady,
} from '../faults/child-process.ts';
import { stockUpForOrders } from './api-requests.ts';
import type { BenchOptions } from './benchmark.ts';
import { judged, type Output, rounded } from './figures.ts';
import { startLoadGenerator } from './load-generator.ts';
import { makeOrderTraffic, type OrderTraffic } from './order-traffic.ts';
import { ticksOfFamily, watchOthers } from './others.ts';
import { type Contestant, othersOf, type Rate, ratioOf, type Turn, takeTurns, typical } from './turns.ts';

const processCounts = { one: 1, two: 2 };
const connectionCounts = [64, 256];
const readyWithinSeconds = 120;
const ticksPerSecond = 100;
const cpuRatioMax = 1.1;

interface Node {
  service: Service;
  dataDir: string;
  traffic: OrderTraffic;
}

/** With the CPU time per acknowledged order of all processes of the node, and of PostgreSQL; NaN if unknown. */
type RateWithCpu = Rate & { nodeCpuMs: number; postgresCpuMs: number };

/**
 * Compares a node of two processes with one of a single process. Each has its own database; they take turns under the
 * same load.
 */
export async function benchProcesses(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const load = startLoadGenerator();
  const nodes: Node[] = [];
  const start = async (processes: number): Promise<Node> => {
    const dataDir = makeDataDir();
    const port = await freePort();
    const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', PROCESSES: String(processes) };
    const service = startService({ dataDir, port, apply: join(dataDir, provisioningFile), env });
    const name = `PROCESSES=${processes}`;
    const traffic = makeOrderTraffic({ name, numbersBeginWith: 'P', load, port, seed: options.seed }, output);
    const node = { service, dataDir, traffic };
    nodes.push(node);
    await waitUntilReady(service, readyWithinSeconds);
    await stockUpForOrders(service.url);
    return node;
  };
  try {
    const one = await start(processCounts.one);
    const two = await start(processCounts.two);
    await compare(one, two, options, output);
    const wrong = nodes.filter(({ traffic }) => traffic.wrong + traffic.unanswered > 0);
    return {
      mistakes: wrong.map(
        ({ traffic }) => `${traffic.name}: ${traffic.wrong} wrong answers, ${traffic.unanswered} requests without one`,
      ),
    };
  } finally {
    load.stop();
    for (const { service, dataDir } of nodes) {
      await stopService(service);
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
}

async function compare(one: Node, two: Node, options: BenchOptions, output: Output): Promise<void> {
  const plan = { ...options.plan, rounds: options.rounds ?? options.plan.rounds };
  const watch = watchOthers(plan.patienceSeconds);
  for (const connections of options.connections ?? (options.quick ? [16] : connectionCounts)) {
    const contestant = (node: Node): Contestant<RateWithCpu> => ({
      name: `${node.traffic.name}, ${connections} connections`,
      run: (seconds) => withCpu(node, () => node.traffic.run('spread', connections, seconds)),
    });
    const turns = await takeTurns({ one: contestant(one), two: contestant(two) }, { plan, watch, output });
    output.row('orders: two processes divided by one', figuresOf(connections, turns));
  }
}

function figuresOf(connections: number, { one, two }: Record<'one' | 'two', Turn<RateWithCpu>[]>) {
  const cpuRatio = (name: 'nodeCpuMs' | 'postgresCpuMs') => typical(two, name) / typical(one, name);
  return {
    connections,
    'one, per second': rounded(typical(one, 'perSecond'), 0),
    'two, per second': rounded(typical(two, 'perSecond'), 0),
    'per second': rounded(ratioOf(two, one), 2),
    p50: rounded(ratioOf(two, one, 'p50Ms'), 2),
    p99: rounded(ratioOf(two, one, 'p99Ms'), 2),
    'cpu ms of one': rounded(typical(one, 'nodeCpuMs'), 3),
    'cpu ms of two': rounded(typical(two, 'nodeCpuMs'), 3),
    'cpu of PostgreSQL': rounded(cpuRatio('postgresCpuMs'), 2),
    'others took, %': othersOf([...one, ...two]),
    ...judged(cpuRatio('nodeCpuMs'), { atMost: cpuRatioMax }),
  };
}

async function withCpu<Result extends Rate & { acknowledged: number }>(
  { service, dataDir }: Node,
  work: () => Promise<Result>,
): Promise<Result & RateWithCpu> {
  const postgres = postgresPid(dataDir)!;
  const ticks = () => ({ node: ticksOfFamily(service.process.pid!, postgres), postgres: ticksOfFamily(postgres) });
  const before = ticks();
  const result = await work();
  const after = ticks();
  const perOrder = (used: number) => (1000 * used) / ticksPerSecond / result.acknowledged;
  return {
    ...result,
    nodeCpuMs: perOrder(after.node - before.node),
    postgresCpuMs: perOrder(after.postgres - before.postgres),
  };
}
