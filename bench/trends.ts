import { latencyLimitsMs } from '../server/domain/callbacks/latency.ts';
import { countCalls } from '../server/domain/trends/count-calls.ts';
import { countOrders } from '../server/domain/trends/count-orders.ts';
import { taipeiDay } from '../server/platform/clock.ts';
import type { BenchOptions } from './benchmark.ts';
import { compareBeside } from './beside-orders.ts';
import { compareOnBoth, type OfficeMeasurement, withFewAndMany } from './few-and-many.ts';
import { type Output, rounded } from './figures.ts';
import type { Workbench } from './workbench.ts';

const lotsPerProduct = 10;

const daysBack = (count: number) => ({ from: taipeiDay(new Date(), 1 - count), to: taipeiDay(new Date()) });

/** The request of each chart; the console shows test accounts only on request. */
const calls: [what: string, path: string, body: object][] = [
  ['orders of 7 days', '/trends/orders', { ...daysBack(7), test_accounts: true }],
  ['orders of 90 days', '/trends/orders', { ...daysBack(90), test_accounts: true }],
  ['orders of 400 days, one warehouse', '/trends/orders', { ...daysBack(400), test_accounts: true, warehouse_no: [1] }],
  ['stock by month of expiry', '/trends/stock', { test_accounts: true }],
  ['receivers of 90 days', '/trends/callbacks', { ...daysBack(90), test_accounts: true }],
  ['calls of 90 days', '/trends/calls', { ...daysBack(90), test_accounts: true }],
  ['requests of 7 days by hour', '/requests/trend', { minutes: 10_080 }],
];

/** Compares every chart on few and on many orders, and orders per second while they are counted. */
export async function benchTrends(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withFewAndMany(compareTrends, options, output);
}

export const compareTrends: OfficeMeasurement = async (sides, options, output) => {
  const { few, many } = sides;
  for (const side of [few, many]) await storeCounts(side);
  const counting = { doing: 'counting', numbersBeginWith: 'COUNT-', run: countUntil };
  const mistakes = await compareBeside(many, counting, options, output);
  for (const side of [few, many]) await count(side, output);
  const charts = calls.map(([what, path, body]) => ({ what, path, body }));
  return [...mistakes, ...(await compareOnBoth(sides, charts, options, output))];
};

/**
 * Stores a cut-off, and counts of a call and two callbacks of each order. Both sides have the same number of lots, because
 * it is independent of the number of orders.
 */
async function storeCounts({ sql, accountId }: Workbench): Promise<void> {
  await sql`update warehouse set cut_off = '15:00'`;
  await sql.unsafe(`
    insert into call_trend (account_id, hour, calls, refused, failed, duration_ms, last_call_at)
    select account_id, date_trunc('hour', created_at), count(*), 0, 0, 4 * count(*), max(created_at)
    from orders where account_id = ${accountId} group by 1, 2 on conflict do nothing`);
  await sql.unsafe(`
    insert into callback_trend (account_id, hour, receiver_id, attempts, failed, delivered, given_up, latency)
    select account_id, date_trunc('hour', at), receiver_id, count(*), 0, count(*), 0,
      array_prepend(count(*)::integer, array_fill(0, array[${latencyLimitsMs.length}]))
    from orders cross join lateral (values (created_at), (updated_at)) reported (at)
      join callback_receiver using (account_id) where account_id = ${accountId} group by 1, 2, 3`);
  await sql.unsafe(`
    insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
    select account_id, 1 + n % 3, product_id, sku_id, 'good', 'B' || n, current_date + (n * 37 + product_id::integer) % 400, 100, 0
    from generate_series(1, ${lotsPerProduct}) n cross join product where account_id = ${accountId}`);
  await sql`vacuum analyze call_trend, callback_trend, lot`;
}

/** Counts what is not counted yet, without pauses. */
async function count({ sql, database }: Workbench, output: Output): Promise<void> {
  const startedAt = performance.now();
  const now = new Date();
  const orders = await countOrders(database, { now, youngestSeconds: 0, restRatio: 0, batchMax: 5000 });
  await countCalls(database, { now, exceptContract: 'console', restRatio: 0 });
  const seconds = (performance.now() - startedAt) / 1000;
  await sql`vacuum analyze counted_order, order_trend, backlog_trend, call_trend`;
  const [size] = await sql<{ counted: number; rows: number; bytes: number }[]>`
    select (select count(*) from counted_order) as counted, (select count(*) from order_trend) as rows,
      pg_total_relation_size('counted_order') as bytes`;
  output.row('orders counted', {
    orders,
    seconds: rounded(seconds, 1),
    'orders per second': rounded(orders / seconds, 0),
    'rows of counts': size!.rows,
    'bytes per order': Math.round(size!.bytes / Math.max(1, size!.counted)),
  });
}

/** The job runs every five minutes; here one run follows the other, so that there is always something to count. */
async function countUntil(database: Workbench['database'], stopping: AbortSignal): Promise<number> {
  let orders = 0;
  while (!stopping.aborted) orders += await countOrders(database, { now: new Date(), youngestSeconds: 1, stopping });
  return orders;
}
