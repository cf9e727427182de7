import {
  faultAccount,
  freePort,
  postgresPid,
  type Service,
  startProgram,
  stopService,
  waitUntilReady,
  withService,
} from '../faults/child-process.ts';
import { connect } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { checkBalance } from './balance.ts';
import { median, type Output, rounded } from './figures.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load-generator.ts';
import { connectYardstick, createOrdersOneByOne, type YardstickResult, type YardstickSql } from './one-transaction-per-order.ts';
import { orderedSkuIds, type Shape } from './order-shapes.ts';
import { type Watch, watchOthers } from './others.ts';
import { stockUp } from './stock-up.ts';

const plenty = 1_000_000_000;
const readyWithinSeconds = 60;
const yardstickConnections = 16;
const serviceConnections = 64;
const growthConnections = [1, 4, 16, 64, 256];
const ratioGoals: Partial<Record<Shape, number>> = { spread: 4, hot: 6 };
/** Requests made ready for each second: so many at least, and twice as many as were ever answered. */
const preparedPerSecondMin = 5000;
const preparedPerConnectionAndSecond = 2500;

interface Plan {
  /** For so long altogether it waits for others to leave the machine alone. */
  patienceSeconds: number;
  warmUpSeconds: number;
  rounds: number;
  seconds: number;
  growthRounds: number;
  growthSeconds: number;
}
const quickPlan: Plan = { patienceSeconds: 8, warmUpSeconds: 1.5, rounds: 3, seconds: 2, growthRounds: 1, growthSeconds: 2 };
const fullPlan: Plan = { patienceSeconds: 600, warmUpSeconds: 3, rounds: 5, seconds: 5, growthRounds: 3, growthSeconds: 4 };

/**
 * Signed `outbound/create` over sockets, against the service as users run it, beside one transaction per order on the same PostgreSQL: behind the
 * same HTTP under the same load, and without HTTP. They take turns, because the machine is not ours alone.
 */
export async function benchOutbound(
  options: { quick: boolean; env: Record<string, string> },
  output: Output,
): Promise<{ correct: boolean }> {
  const plan = options.quick ? quickPlan : fullPlan;
  return await withService({ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...options.env }, async (service, dataDir) => {
    const embedded = await openEmbeddedPostgres({ dataDir });
    const sql = connect(embedded.connection, 1);
    const yardstickSql = connectYardstick(embedded.connection, yardstickConnections);
    const load = startLoadGenerator();
    const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
    const obvious = startProgram(['bench/serve-one-by-one.ts'], { dataDir, port: await freePort(), env });
    try {
      await waitUntilReady(obvious, readyWithinSeconds);
      await stockUp(service.url, orderedSkuIds, ['2099-12-31'], plenty);
      const [account] = await sql<{ account_id: number }[]>`select account_id from account where account_no = ${faultAccount.accountNo}`;
      const watch = watchOthers(
        [process.pid, load.pid, service.process.pid!, obvious.process.pid!],
        [postgresPid(dataDir)!],
        plan.patienceSeconds,
      );
      const contest = makeContest({ service, obvious, load, yardstickSql, accountId: account!.account_id, watch }, output);
      await measure(contest, plan, output);

      const balance = await checkBalance(sql, serviceNumbers);
      return { correct: reportCorrectness(contest, balance, output) };
    } finally {
      load.stop();
      await stopService(obvious);
      await Promise.all([sql.end({ timeout: 5 }), yardstickSql.end({ timeout: 5 })]);
      await embedded.close();
    }
  });
}

async function measure(contest: Contest, plan: Plan, output: Output): Promise<void> {
  for (const shape of ['spread', 'hot'] as const) {
    await contest.yardstick(shape, yardstickConnections, plan.warmUpSeconds);
    await contest.service(shape, serviceConnections, plan.warmUpSeconds);
    await contest.obvious(shape, serviceConnections, plan.warmUpSeconds);
  }

  const pairs: Record<'spread' | 'hot' | 'hot_pair', Pair[]> = { spread: [], hot: [], hot_pair: [] };
  for (let round = 1; round <= plan.rounds; round++) {
    for (const shape of ['spread', 'hot'] as const) pairs[shape].push(await contest.pair(shape, plan.seconds));
  }
  pairs.hot_pair.push(await contest.pair('hot_pair', plan.seconds));
  for (const [shape, measured] of Object.entries(pairs)) output.row('orders per second', compare(shape as Shape, measured));

  const lone: Omit<Pair, 'obvious'>[] = [];
  for (let round = 1; round <= Math.max(2, plan.growthRounds); round++) {
    lone.push({ yardstick: await contest.yardstick('spread', 1, plan.seconds), service: await contest.service('spread', 1, plan.seconds) });
  }
  output.row('one at a time: p50 of an order of two lines', compareLone(lone));

  const growth = new Map(growthConnections.map((connections) => [connections, [] as Beside<LoadResult>[]]));
  for (let round = 1; round <= plan.growthRounds; round++) {
    for (const [connections, results] of growth) results.push(await contest.service('spread', connections, plan.growthSeconds));
  }
  for (const [connections, results] of growth) {
    const shares = { 'cpu of the load, %': cpuOf(results), 'others took, %': othersOf(results) };
    output.row('growth: spread, over connections', { connections, ...typical(results), ...shares });
  }
}

/** With the share of the machine that others took meanwhile. */
type Beside<Result> = Result & { others: number };

interface Pair {
  /** One transaction per order, without HTTP. */
  yardstick: Beside<YardstickResult>;
  service: Beside<LoadResult>;
  /** One transaction per order, behind the same HTTP under the same load. */
  obvious: Beside<LoadResult>;
}

type Contest = ReturnType<typeof makeContest>;

const serviceNumbers = 'S';
const yardstickNumbers = 'Y';

/** Both ways to create orders, with numbers that never repeat, and the count of what was promised. */
function makeContest(
  parts: { service: Service; obvious: Service; load: LoadGenerator; yardstickSql: YardstickSql; accountId: number; watch: Watch },
  output: Output,
) {
  const totals = { acknowledged: 0, unanswered: 0, wrong: 0, committed: 0 };
  let slices = 0;

  async function yardstick(shape: Shape, connections: number, seconds: number): Promise<Beside<YardstickResult>> {
    const { result, others } = await parts.watch.undisturbed(async () => {
      const numbersBeginWith = `${yardstickNumbers}${++slices}-`;
      const result = await createOrdersOneByOne(parts.yardstickSql, {
        accountId: parts.accountId,
        shape,
        connections,
        seconds,
        numbersBeginWith,
      });
      totals.committed += result.committed;
      return result;
    });
    output.progress(progressLine('one transaction per order', shape, connections, result, others));
    return { ...result, others };
  }

  /** The same load over HTTP, on either. */
  function behindHttp(name: string, url: string, numbers: string, count: (result: LoadResult) => void) {
    const port = Number(new URL(url).port);
    let fastest = 0;
    return async (shape: Shape, connections: number, seconds: number): Promise<Beside<LoadResult>> => {
      const { result, others } = await parts.watch.undisturbed(async () => {
        const numbersBeginWith = `${numbers}${++slices}-`;
        const perSecond = Math.min(Math.max(preparedPerSecondMin, 2 * fastest), connections * preparedPerConnectionAndSecond);
        const requestsMax = Math.ceil(seconds * perSecond);
        const result = await parts.load.run({
          port,
          connections,
          seconds,
          requestsMax,
          requests: { kind: 'orders', shape, numbersBeginWith },
        });
        fastest = Math.max(fastest, result.perSecond);
        count(result);
        totals.wrong += result.wrong;
        if (result.wrong > 0) output.progress(`  ${result.wrong} wrong answers, such as: ${result.example}`);
        if (result.ranOut) output.progress('  all prepared requests were used before the time was up');
        return result;
      });
      output.progress(progressLine(name, shape, connections, result, others));
      return { ...result, others };
    };
  }

  const service = behindHttp('the service', parts.service.url, serviceNumbers, (result) => {
    totals.acknowledged += result.acknowledged;
    totals.unanswered += result.unanswered;
  });
  const obvious = behindHttp('the same, one by one', parts.obvious.url, yardstickNumbers, (result) => {
    totals.committed += result.acknowledged;
  });

  async function pair(shape: Shape, seconds: number): Promise<Pair> {
    return {
      yardstick: await yardstick(shape, yardstickConnections, seconds),
      service: await service(shape, serviceConnections, seconds),
      obvious: await obvious(shape, serviceConnections, seconds),
    };
  }

  return { yardstick, service, obvious, pair, totals };
}

function progressLine(who: string, shape: Shape, connections: number, result: YardstickResult | LoadResult, others: number): string {
  const rate = `${result.perSecond.toFixed(0).padStart(6)}/s`;
  const latency = `p50 ${result.p50Ms.toFixed(2).padStart(6)} ms   p99 ${result.p99Ms.toFixed(2).padStart(6)} ms`;
  return `${who.padEnd(26)}${shape.padEnd(9)}${String(connections).padStart(4)} connections ${rate}   ${latency}   (others took ${(100 * others).toFixed(0)} %)`;
}

function compare(shape: Shape, pairs: Pair[]): Record<string, number | string> {
  const service = typical(pairs.map((pair) => pair.service));
  const yardstick = typical(pairs.map((pair) => pair.yardstick));
  const obvious = typical(pairs.map((pair) => pair.obvious));
  return {
    shape,
    service: service['orders/s'],
    'p50 ms': service['p50 ms'],
    'p99 ms': service['p99 ms'],
    'one by one': obvious['orders/s'],
    ratio: rounded(service['orders/s'] / obvious['orders/s'], 2),
    'one by one, no HTTP': yardstick['orders/s'],
    'ratio to that': rounded(service['orders/s'] / yardstick['orders/s'], 2),
    goal: ratioGoals[shape] ?? '',
    'cpu of the load, %': cpuOf(pairs.map((pair) => pair.service)),
    'others took, %': othersOf(pairs.flatMap((pair) => [pair.yardstick, pair.service, pair.obvious])),
  };
}

function compareLone(pairs: Omit<Pair, 'obvious'>[]): Record<string, number | string> {
  const service = typical(pairs.map((pair) => pair.service));
  const yardstick = typical(pairs.map((pair) => pair.yardstick));
  return {
    'service ms': service['p50 ms'],
    'one transaction ms': yardstick['p50 ms'],
    ratio: rounded(service['p50 ms'] / yardstick['p50 ms'], 2),
    'others took, %': othersOf(pairs.flatMap((pair) => [pair.yardstick, pair.service])),
  };
}

function typical(results: (YardstickResult | LoadResult)[]) {
  return {
    'orders/s': rounded(median(results.map((result) => result.perSecond)), 0),
    'p50 ms': rounded(median(results.map((result) => result.p50Ms)), 2),
    'p99 ms': rounded(median(results.map((result) => result.p99Ms)), 2),
  };
}

/** The load shares the machine's cores with the service: so much of one core it took. */
function cpuOf(results: LoadResult[]): number {
  return rounded(100 * median(results.map((result) => result.cpuShare)), 0);
}

/** Of the whole machine, on average: above a tenth or so, measure again at a quieter time. */
function othersOf(results: Beside<unknown>[]): number {
  return rounded((100 * results.reduce((sum, { others }) => sum + others, 0)) / results.length, 0);
}

function reportCorrectness({ totals }: Contest, balance: Awaited<ReturnType<typeof checkBalance>>, output: Output): boolean {
  const { acknowledged, unanswered, wrong, committed } = totals;
  const missing = Math.max(0, acknowledged - balance.ofService);
  const unexplained = Math.max(0, balance.ofService - acknowledged - unanswered);
  const ofYardstick = balance.orders - balance.ofService;
  const mistakes = [
    ...balance.mistakes,
    ...(missing === 0 ? [] : [`${missing} acknowledged orders are missing`]),
    ...(unexplained === 0 ? [] : [`${unexplained} orders exist that nobody was told of`]),
    ...(wrong === 0 ? [] : [`${wrong} answers were not a new order`]),
    ...(ofYardstick === committed ? [] : [`the yardstick committed ${committed} orders, and ${ofYardstick} exist`]),
  ];
  output.row('correctness', {
    'acknowledged by the service': acknowledged,
    'in the table': balance.ofService,
    'never answered': unanswered,
    'by the yardstick': ofYardstick,
    'units locked = lines = movements': balance.units,
    mistakes: mistakes.length,
  });
  for (const mistake of mistakes.slice(0, 20)) output.progress(`MISTAKE: ${mistake}`);
  return mistakes.length === 0;
}
