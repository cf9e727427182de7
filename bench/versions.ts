import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  childrenOf,
  freePort,
  makeDataDir,
  postgresPid,
  provisioningFile,
  root,
  type Service,
  startProgram,
  stopService,
  waitUntilReady,
} from '../faults/child-process.ts';
import { makeRandom } from '../faults/random.ts';
import { type ApiRequest, makeApiRequests, mistakeIn, stockUpForOrders, stockUpForQueries } from './api-requests.ts';
import { provisionAccounts } from './bench-accounts.ts';
import type { BenchOptions } from './benchmark.ts';
import { openConnection } from './connection.ts';
import { median, type Output, rounded } from './figures.ts';
import { startLoadGenerator } from './load-generator.ts';
import { type OrderShape, shapes } from './order-shapes.ts';
import { makeOrderTraffic, type OrderTraffic } from './order-traffic.ts';
import { watchOthers } from './others.ts';
import { stockUpOtherAccounts } from './stock-accounts.ts';
import { type Contestant, type Rate, ratioOf, takeTurns, typical } from './turns.ts';

const connectionCounts = [1, 64, 256];
const accountCounts = [1, 10, 200];
const connectionsOfSeveral = 64;
const ticksPerSecond = 100;
const rounds = 9;
const readyWithinSeconds = 60;
const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };

interface Version {
  service: Service;
  dataDir: string;
  port: number;
  traffic: OrderTraffic;
}

interface Versions {
  before: Version;
  now: Version;
}

/** The processor time of the service and of its database per correct response; NaN where /proc does not exist. */
type RateWithCpu = Rate & { cpuMs: number; databaseCpuMs: number };

/**
 * Compares this version with another one, by default with itself, which shows the noise of the machine. Both services
 * run side by side on databases of their own, and take turns under the same load.
 */
export async function benchVersions(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const loads = options.only === 'requests' ? [] : loadsOf(options);
  const accounts = Math.max(1, ...loads.map((load) => load.accounts));
  const load = startLoadGenerator();
  const dataDirs = [makeDataDir(), makeDataDir()] as const;
  const start = async (tree: string, dataDir: string): Promise<Version> => {
    const port = await freePort();
    const args = [...startArguments(tree), '--apply', join(dataDir, provisioningFile)];
    const service = startProgram(args, { dataDir, port, tree, env });
    services.push(service);
    await waitUntilReady(service, readyWithinSeconds);
    const startedAt = performance.now();
    await stockUpForOrders(service.url);
    if (options.only !== 'orders') await stockUpForQueries(service.url);
    await stockUpOtherAccounts(port, accounts);
    output.progress(`prepared ${tree} in ${rounded((performance.now() - startedAt) / 1000, 1)} s`);
    const traffic = makeOrderTraffic({ name: tree, numbersBeginWith: 'V', load, port, seed: options.seed }, output);
    return { service, dataDir, port, traffic };
  };
  const services: Service[] = [];
  for (const dataDir of dataDirs) provisionAccounts(dataDir, accounts);
  try {
    const before = await start(options.before ?? root, dataDirs[0]);
    const now = await start(root, dataDirs[1]);
    await compareOrders({ before, now }, loads, options, output);
    const mistakes = options.only === 'orders' ? [] : await compareRequests({ before, now }, options, output);
    if (now.traffic.wrong > 0) mistakes.push(`${now.traffic.wrong} answers were not a new order`);
    return { mistakes };
  } finally {
    load.stop();
    for (const service of services) await stopService(service);
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The program that `npm start` of a version runs. */
function startArguments(tree: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
  return scripts.start.split('bin/node ')[1].split(' ');
}

/** One account alone, then the same orders from one account and from several. */
function loadsOf({ quick, accounts, connections }: BenchOptions): Load[] {
  const ofOne = connections ?? (quick ? [16] : connectionCounts);
  const ofSeveral = connections ?? (quick ? [16] : [connectionsOfSeveral]);
  const counts = accounts ?? (quick ? [1, 3] : accountCounts);
  const alone = counts.includes(1)
    ? shapes.flatMap((shape) => ofOne.map((each) => ({ shape, connections: each, accounts: 1 })))
    : [];
  const inTurn = counts.flatMap((count) =>
    ofSeveral.map((each): Load => ({ shape: 'few', connections: each, accounts: count })),
  );
  return [...alone, ...inTurn];
}

interface Load {
  shape: OrderShape;
  connections: number;
  accounts: number;
}

async function compareOrders(
  { before, now }: Versions,
  loads: Load[],
  options: BenchOptions,
  output: Output,
): Promise<void> {
  const plan = { ...options.plan, rounds: options.rounds ?? (options.quick ? options.plan.rounds : rounds) };
  const watch = watchOthers(plan.patienceSeconds);
  for (const { shape, connections, accounts } of loads) {
    const contestant = (name: string, version: Version): Contestant<RateWithCpu> => ({
      name: `${name}, ${shape}, ${accounts} accounts, ${connections} connections`,
      run: (seconds) => withCpu(version, () => version.traffic.run(shape, connections, seconds, accounts)),
    });
    const turns = await takeTurns(
      { before: contestant('before', before), now: contestant('now', now) },
      { plan, watch, output },
    );
    output.row('orders: this version divided by the other one', {
      shape,
      accounts,
      connections,
      'before, per second': rounded(typical(turns.before, 'perSecond'), 0),
      'now, per second': rounded(typical(turns.now, 'perSecond'), 0),
      'per second': rounded(ratioOf(turns.now, turns.before), 3),
      p50: rounded(ratioOf(turns.now, turns.before, 'p50Ms'), 3),
      p99: rounded(ratioOf(turns.now, turns.before, 'p99Ms'), 3),
      'cpu of the service per order': rounded(typical(turns.now, 'cpuMs') / typical(turns.before, 'cpuMs'), 3),
      'cpu of the database per order': rounded(
        typical(turns.now, 'databaseCpuMs') / typical(turns.before, 'databaseCpuMs'),
        3,
      ),
    });
  }
}

async function withCpu<Result extends Rate & { acknowledged: number }>(
  { service, dataDir }: Version,
  work: () => Promise<Result>,
): Promise<Result & RateWithCpu> {
  const postmaster = postgresPid(dataDir) ?? 0;
  const ticks = () => [cpuTicks(service.process.pid!), treeTicks(postmaster)] as const;
  const before = ticks();
  const result = await work();
  const [cpuMs, databaseCpuMs] = ticks().map(
    (now, index) => (1000 * (now - before[index]!)) / ticksPerSecond / result.acknowledged,
  );
  return { ...result, cpuMs: cpuMs!, databaseCpuMs: databaseCpuMs! };
}

/** The user and system time of a process, all threads included. */
function cpuTicks(pid: number, { withEndedChildren = false } = {}): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, withEndedChildren ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return Number.NaN;
  }
}

/** The same for a process and its children. */
function treeTicks(pid: number): number {
  const own = cpuTicks(pid, { withEndedChildren: true });
  if (Number.isNaN(own)) return own;
  return childrenOf(pid).reduce((sum, child) => sum + (cpuTicks(child) || 0), own);
}

/** Each request goes to both versions, one right after the other; the first of a pair alternates. */
async function compareRequests({ before, now }: Versions, options: BenchOptions, output: Output): Promise<string[]> {
  const random = makeRandom(options.seed);
  const sides = [
    { ...before, connection: await openConnection(before.port), times: [] as number[] },
    { ...now, connection: await openConnection(now.port), times: [] as number[] },
  ] as const;
  const mistakes: string[] = [];
  for (const request of Object.values(makeApiRequests(random))) {
    const count = options.quick ? Math.ceil(request.count / 100) : request.count;
    for (const { port, times } of sides) {
      times.length = 0;
      await request.prepare?.(port, count);
    }
    for (let index = 0; index < count; index++) {
      for (const { connection, times } of index % 2 === 0 ? sides : sides.toReversed()) {
        const { ms, wrong } = await timed(request, index, connection.ask);
        times.push(ms);
        if (wrong !== '') mistakes.push(`${request.name}: ${wrong}`);
      }
    }
    const [old, recent] = sides.map(({ times }) => median(times)) as [number, number];
    const figures = { request: request.name, 'before, ms': rounded(old, 3), 'now, ms': rounded(recent, 3) };
    output.progress(JSON.stringify(figures));
    output.row('lone requests, p50: this version divided by the other one', {
      ...figures,
      ratio: rounded(recent / old, 3),
    });
  }
  for (const { connection } of sides) connection.close();
  return mistakes;
}

async function timed(
  request: ApiRequest,
  index: number,
  ask: Awaited<ReturnType<typeof openConnection>>['ask'],
): Promise<{ ms: number; wrong: string }> {
  const bytes = request.bytes(index);
  const startedAt = performance.now();
  const { status, body } = await ask(bytes);
  return { ms: performance.now() - startedAt, wrong: mistakeIn(request, status, body) };
}
