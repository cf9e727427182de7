import { rmSync } from 'node:fs';
import { makeDataDir } from '../faults/child-process.ts';
import type { BenchOptions } from './benchmark.ts';
import { judged, type Output, rounded } from './figures.ts';
import { orderedSkuIds, shapes } from './order-shapes.ts';
import { checkOrders, makeOrderTraffic, type OrderTraffic } from './order-traffic.ts';
import { plenty, stockUp } from './stock-up.ts';
import { storeHistory } from './stored-history.ts';
import { reportSizes, settle, sizesOf } from './table-sizes.ts';
import { othersOf, ratioOf, takeTurns, typical } from './turns.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const environment = 'production';
const connections = 64;
const goal = { atLeast: 0.9 };
/** The number of stored orders at each step. */
const stepsFull = [0, 1_000_000, 5_000_000];
const stepsQuick = [20_000];
const ordersPerLot = 250;
const lotsPerProduct = 10;

/**
 * Compares signed `outbound/create` on a database with millions of orders and on an empty one, in alternating turns. At
 * each step both sides are freshly started, from PostgreSQL to the load: only the stored data differs. In the first
 * step, nothing is stored on either side: the error of that ratio is the error to expect in the others.
 */
export async function benchGrowth(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  // Orders of a UAT account would be purged.
  const dataDir = makeDataDir(environment);
  const steps = options.quick ? stepsQuick : stepsFull;
  const mistakes: string[] = [];
  try {
    let stored = 0;
    for (const step of steps) {
      const more = step - stored;
      if (more > 0) await withWorkbench(options, output, (workbench) => store(workbench, more, output), { dataDir });
      stored = step;
      const compareWith = (empty: Workbench) =>
        withWorkbench(
          options,
          output,
          (grown) => compareSides({ stored, isFirst: step === steps[0] }, empty, grown, options, output),
          {
            dataDir,
          },
        );
      mistakes.push(...(await withWorkbench(options, output, compareWith, { environment })));
    }
    return { mistakes };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Side {
  workbench: Workbench;
  traffic: OrderTraffic;
}

async function compareSides(
  { stored, isFirst }: { stored: number; isFirst: boolean },
  emptyBench: Workbench,
  grownBench: Workbench,
  options: BenchOptions,
  output: Output,
): Promise<string[]> {
  const empty = await makeSide(emptyBench, 'empty', stored, options, output);
  const grown = await makeSide(grownBench, 'grown', stored, options, output);
  const sizesBefore = await sizesOf(empty.workbench.sql);
  await compare(stored, empty, grown, options, output);
  if (isFirst) {
    await settle(empty.workbench.sql);
    reportSizes('just created', sizesBefore, await sizesOf(empty.workbench.sql), empty.traffic.acknowledged, output);
  }
  const checks = [empty, grown].map(({ workbench, traffic }) => checkOrders(workbench, [traffic], output));
  return (await Promise.all(checks)).flat();
}

async function makeSide(
  workbench: Workbench,
  name: string,
  stored: number,
  { seed }: BenchOptions,
  output: Output,
): Promise<Side> {
  const { accountId, load, port, service, sql } = workbench;
  const [stock] = await sql`select from lot where account_id = ${accountId} and sku_id = ${orderedSkuIds[0]!}`;
  if (!stock) await stockUp(service.url, orderedSkuIds, ['2099-12-31'], plenty);
  await settle(sql);
  const traffic = { name: `${name}, ${stored} stored`, numbersBeginWith: `S${stored}-`, load, port, seed };
  return { workbench, traffic: makeOrderTraffic(traffic, output) };
}

/** Completed orders with two lines, in separate lots. */
async function store({ sql, accountId }: Workbench, orders: number, output: Output): Promise<void> {
  const lots = orders / ordersPerLot;
  const numbersBeginWith = `${orders}-`;
  const history = {
    accountId,
    numbersBeginWith,
    products: lots / lotsPerProduct,
    lots,
    orders,
    lines: 2,
    inbounds: lots,
    callbacks: 0,
  };
  const before = await sizesOf(sql);
  const startedAt = performance.now();
  await storeHistory(sql, history, (line) => output.progress(`stored ${line}`));
  await settle(sql);
  reportSizes('delivered, with their whole story', before, await sizesOf(sql), orders, output);
  output.row('storing', { orders, seconds: Math.round((performance.now() - startedAt) / 1000) });
}

async function compare(
  stored: number,
  empty: Side,
  grown: Side,
  { plan }: BenchOptions,
  output: Output,
): Promise<void> {
  for (const shape of shapes) {
    const contestants = {
      empty: empty.traffic.contestant(shape, connections),
      grown: grown.traffic.contestant(shape, connections),
    };
    const turns = await takeTurns(contestants, { plan, watch: grown.workbench.watch, output });
    output.row(`goals: orders per second, ${connections} connections`, {
      shape,
      'stored orders': stored,
      'per second': rounded(typical(turns.grown, 'perSecond'), 0),
      'beside an empty one': rounded(typical(turns.empty, 'perSecond'), 0),
      'p50 ms': rounded(typical(turns.grown, 'p50Ms'), 2),
      'p50 of an empty one': rounded(typical(turns.empty, 'p50Ms'), 2),
      'others took, %': othersOf([...turns.empty, ...turns.grown]),
      ...judged(ratioOf(turns.grown, turns.empty), stored === 0 ? null : goal),
    });
  }
}
