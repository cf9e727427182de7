import { fork } from 'node:child_process';
import { makeRandom } from '../faults/random.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Goal, judged, type Output, rounded } from './figures.ts';
import { ask } from './load-generator.ts';
import type { OneByOneResult, OneByOneSlice } from './one-by-one-process.ts';
import { orderedSkuIds, type Shape, shapes } from './order-shapes.ts';
import { checkOrders, makeOrderTraffic, type OrderTraffic, type Promised } from './order-traffic.ts';
import { findPgbench, type Pgbench } from './pgbench.ts';
import {
  type FirstIds,
  findFirstIds,
  makeBareTables,
  type PgbenchTables,
  pgbenchNumbers,
  pgbenchScript,
} from './pgbench-scripts.ts';
import { plenty, stockUp } from './stock-up.ts';
import { type Contestant, figuresOf, type Rate, ratioOf, type Turn, takeTurns, typical } from './turns.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const serviceConnections = [1, 16, 64, 256];
const oneByOneConnections = 16;
const behindHttpConnections = 64;
const pgbenchTables: PgbenchTables[] = ['same tables', 'bare tables'];
const pgbenchClients = [1, 2, 4, 8, 16, 32, 64];
const pgbenchClientsQuick = [16];
const searchPlan = { warmUpSeconds: 0, rounds: 3, seconds: 3 };
/** The number of concurrent orders for the same lot, where one transaction per order is slow. */
const crowd = 32;

/**
 * Measures signed `outbound/create` over sockets against the service as users run it, and as baselines one transaction
 * per order on the same PostgreSQL: through the same driver without HTTP, behind the same HTTP under the same load, and
 * by pgbench.
 */
export async function benchOutbound(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withWorkbench(options, output, async (workbench) => {
    await stockUp(workbench.service.url, orderedSkuIds, ['2099-12-31'], plenty);
    const { load, port } = workbench;
    const service = makeOrderTraffic(
      { name: 'the service', numbersBeginWith: 'S', load, port, seed: options.seed },
      output,
    );
    const stage = { options, workbench, output };
    // A profile should only contain the service and not its baselines.
    const yardsticks = options.profile
      ? await profileService(service, stage)
      : await compareWithYardsticks(service, stage);
    return { mistakes: await checkOrders(workbench, [service, ...yardsticks], output) };
  });
}

interface Stage {
  options: BenchOptions;
  workbench: Workbench;
  output: Output;
}

async function profileService(service: OrderTraffic, { options, workbench, output }: Stage): Promise<[]> {
  for (const shape of shapes) {
    const contestants = Object.fromEntries(
      serviceConnections.map((count) => [serviceAt(count), service.contestant(shape, count)]),
    );
    reportRates(shape, await takeTurns(contestants, { plan: options.plan, watch: workbench.watch, output }), output);
  }
  return [];
}

async function compareWithYardsticks(service: OrderTraffic, stage: Stage): Promise<Promised[]> {
  const { options, workbench, output } = stage;
  const ids = await findFirstIds(workbench.sql, workbench.accountId);
  const behindHttp = await workbench.beside(['bench/serve-one-by-one.ts']);
  const pgbench = await findPgbench(workbench.connection);
  if (pgbench) await makeBareTables(workbench.sql, ids);
  output.row('pgbench', {
    found: pgbench?.version ?? "absent on this machine: PostgreSQL's client tools are not installed",
  });

  const port = Number(new URL(behindHttp.url).port);
  const traffic = {
    name: 'one by one behind the same HTTP',
    numbersBeginWith: 'H',
    load: workbench.load,
    port,
    seed: options.seed,
  };
  const http = makeOrderTraffic(traffic, output);
  const oneByOne = makeOneByOne(workbench, options.seed);
  const byPgbench = pgbench ? makePgbenchTraffic(pgbench, ids, options.seed) : null;
  try {
    const best = byPgbench ? await findBestClients(byPgbench, options, workbench, output) : null;
    for (const shape of shapes) await compare(shape, { service, http, oneByOne, byPgbench, best }, stage);
    return [http, oneByOne, ...(byPgbench ? [byPgbench] : [])];
  } finally {
    oneByOne.stop();
  }
}

type OneByOne = Promised & { contestant(shape: Shape, connections: number): Contestant<OneByOneResult>; stop(): void };

/** Runs in a separate process, like the service. */
function makeOneByOne({ connection: target, accountId }: Workbench, seed: number): OneByOne {
  const child = fork(new URL('./one-by-one-process.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const random = makeRandom(seed);
  let slices = 0;
  const oneByOne: OneByOne = {
    name: 'one transaction per order',
    numbersBeginWith: 'Y',
    acknowledged: 0,
    unanswered: 0,
    wrong: 0,
    contestant: (shape, connections) => ({
      name: `one transaction per order, ${shape}, ${connections} connections`,
      async run(seconds) {
        const numbersBeginWith = `Y${++slices}-`;
        const slice: OneByOneSlice = {
          target,
          accountId,
          shape,
          connections,
          seconds,
          numbersBeginWith,
          seed: random.upTo(2 ** 31),
        };
        const result = (await ask(child, slice)) as OneByOneResult;
        oneByOne.acknowledged += result.committed;
        return result;
      },
    }),
    stop: () => void child.kill(),
  };
  return oneByOne;
}

type PgbenchTraffic = Promised & { contestant(tables: PgbenchTables, shape: Shape, clients: number): Contestant<Rate> };

function makePgbenchTraffic(pgbench: Pgbench, ids: FirstIds, seed: number): PgbenchTraffic {
  const random = makeRandom(seed);
  const traffic: PgbenchTraffic = {
    name: 'pgbench',
    numbersBeginWith: pgbenchNumbers,
    acknowledged: 0,
    unanswered: 0,
    wrong: 0,
    contestant: (tables, shape, clients) => ({
      name: `pgbench, ${tables}, ${shape}, ${clients} clients`,
      async run(seconds) {
        const result = await pgbench.run(pgbenchScript(tables, shape, ids), {
          clients,
          seconds,
          seed: random.upTo(2 ** 31),
        });
        if (tables === 'same tables') traffic.acknowledged += result.committed;
        return result;
      },
    }),
  };
  return traffic;
}

/** The number of clients with which pgbench is fastest. */
type BestClients = Record<Shape, Record<PgbenchTables, number>>;

async function findBestClients(
  pgbench: PgbenchTraffic,
  { quick, plan }: BenchOptions,
  { watch }: Workbench,
  output: Output,
): Promise<BestClients> {
  const best: BestClients = {
    spread: { 'same tables': 0, 'bare tables': 0 },
    hot: { 'same tables': 0, 'bare tables': 0 },
  };
  const counts = quick ? pgbenchClientsQuick : pgbenchClients;
  for (const shape of shapes) {
    for (const tables of pgbenchTables) {
      const contestants = Object.fromEntries(
        counts.map((clients) => [`${clients}`, pgbench.contestant(tables, shape, clients)]),
      );
      const turns = await takeTurns(contestants, { plan: quick ? plan : { ...plan, ...searchPlan }, watch, output });
      const rates = counts.map((clients) => typical(turns[`${clients}`]!, 'perSecond'));
      best[shape][tables] = counts[rates.indexOf(Math.max(...rates))]!;
      const columns = counts.map((clients, index) => [`${clients} clients`, rounded(rates[index]!, 0)] as const);
      output.row('pgbench alone, orders per second', { shape, into: tables, ...Object.fromEntries(columns) });
    }
  }
  return best;
}

interface Ways {
  service: OrderTraffic;
  http: OrderTraffic;
  oneByOne: OneByOne;
  byPgbench: PgbenchTraffic | null;
  best: BestClients | null;
}

async function compare(shape: Shape, ways: Ways, { options, workbench, output }: Stage): Promise<void> {
  const turns = await takeTurns(contestantsOf(shape, ways), { plan: options.plan, watch: workbench.watch, output });
  reportRates(shape, turns, output);

  const fastest = serviceConnections.toSorted((one, other) => rateOf(other) - rateOf(one))[0]!;
  function rateOf(connections: number): number {
    return typical(turns[serviceAt(connections)]!, 'perSecond');
  }
  for (const { at, yardstick, goal } of goalsOf(shape, fastest, ways.best)) {
    const measured = turns[yardstick]!;
    const figures = { shape, service: serviceAt(at), 'per second': rounded(rateOf(at), 0), beside: yardstick };
    const other = { 'its per second': rounded(typical(measured, 'perSecond'), 0) };
    output.row('goals: orders per second', {
      ...figures,
      ...other,
      ...judged(ratioOf(turns[serviceAt(at)]!, measured), goal),
    });
  }
  reportLatency(shape, turns, output);
}

function reportRates(shape: Shape, turns: Record<string, Turn<Rate>[]>, output: Output): void {
  for (const [way, results] of Object.entries(turns)) {
    output.row('orders per second', { shape, way, ...figuresOf(results), 'cpu of the load, %': cpuOf(results) });
  }
}

const serviceAt = (connections: number) => `the service at ${connections}`;
const alone = 'one transaction per order at 1';
const sixteen = `one transaction per order at ${oneByOneConnections}`;
const behind = `one by one behind the same HTTP at ${behindHttpConnections}`;
const pgbenchBest = (best: BestClients, shape: Shape, tables: PgbenchTables) =>
  `pgbench, ${tables}, best (${best[shape][tables]} clients)`;
const pgbenchAlone = (tables: PgbenchTables) => `pgbench, ${tables}, 1 client`;
const pgbenchCrowd = (tables: PgbenchTables) => `pgbench, ${tables}, ${crowd} clients`;

function contestantsOf(
  shape: Shape,
  { service, http, oneByOne, byPgbench, best }: Ways,
): Record<string, Contestant<Rate>> {
  const contestants: Record<string, Contestant<Rate>> = {
    [alone]: oneByOne.contestant(shape, 1),
    [sixteen]: oneByOne.contestant(shape, oneByOneConnections),
    [behind]: http.contestant(shape, behindHttpConnections),
  };
  for (const connections of serviceConnections)
    contestants[serviceAt(connections)] = service.contestant(shape, connections);
  for (const tables of byPgbench ? pgbenchTables : []) {
    contestants[pgbenchAlone(tables)] = byPgbench!.contestant(tables, shape, 1);
    contestants[pgbenchBest(best!, shape, tables)] = byPgbench!.contestant(tables, shape, best![shape][tables]);
    if (shape === 'hot') contestants[pgbenchCrowd(tables)] = byPgbench!.contestant(tables, shape, crowd);
  }
  return contestants;
}

interface WantedRatio {
  /** Connections to the service. */
  at: number;
  yardstick: string;
  goal: Goal | null;
}

function goalsOf(shape: Shape, fastest: number, best: BestClients | null): WantedRatio[] {
  const eachTables = best === null ? [] : pgbenchTables;
  const besideBest = (at: number, atLeast: number) =>
    eachTables.map((tables) => ({ at, yardstick: pgbenchBest(best!, shape, tables), goal: { atLeast } }));
  const besideCrowd = (at: number, atLeast: number) =>
    eachTables.map((tables) => ({ at, yardstick: pgbenchCrowd(tables), goal: { atLeast } }));
  const besideHttp = { at: behindHttpConnections, yardstick: behind, goal: null };
  if (shape === 'hot') {
    return [
      ...besideBest(fastest, 2),
      ...besideCrowd(fastest, 8),
      { at: fastest, yardstick: sixteen, goal: { atLeast: 7 } },
      besideHttp,
    ];
  }
  return [
    ...besideBest(64, 1),
    ...besideBest(256, 1.5),
    { at: 64, yardstick: sixteen, goal: { atLeast: 4 } },
    besideHttp,
  ];
}

function reportLatency(shape: Shape, turns: Record<string, Turn<Rate>[]>, output: Output): void {
  const service = turns[serviceAt(1)]!;
  for (const yardstick of [alone, ...pgbenchTables.map(pgbenchAlone)]) {
    const transaction = turns[yardstick];
    if (!transaction) continue;
    for (const [quantile, measure] of [
      ['p50', 'p50Ms'],
      ['p99', 'p99Ms'],
    ] as const) {
      const goal = yardstick === alone && quantile === 'p50' ? { atMost: 2 } : null;
      output.row('goals: latency of a lone order', {
        shape,
        quantile,
        'service ms': rounded(typical(service, measure), 2),
        beside: yardstick,
        'its ms': rounded(typical(transaction, measure), 2),
        ...judged(ratioOf(service, transaction, measure), goal),
      });
    }
  }
}

/** The share of one core used by the load, which runs on the same machine as the service. */
function cpuOf(turns: Rate[]): number | string {
  const shares = turns.flatMap((turn) => ('cpuShare' in turn ? [{ cpuShare: Number(turn.cpuShare) }] : []));
  return shares.length === 0 ? '' : rounded(100 * typical(shares, 'cpuShare'), 0);
}
