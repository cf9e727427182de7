import { taipeiDay } from '../../platform/clock.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { noOrders, type OrderCounts } from './order-counts.ts';
import {
  type AgeCount,
  listCountedCarriers,
  type OrderSum,
  type OrderTrendFilter,
  sumBacklog,
  sumBacklogDays,
  sumOrders,
} from './order-trend-queries.ts';

export type DayTrend = OrderCounts & { day: string; backlog: number[] | null };

export interface OrderTrendSums {
  /** Every day of the range up to today. */
  days: DayTrend[];
  byWarehouse: Map<number, OrderCounts>;
  byAccount: Map<number, OrderCounts>;
  byCarrier: Map<string, OrderCounts>;
  /** Open orders by class of age. */
  backlog: number[];
  carriers: string[];
}

const classesOfAge = 5;

/** The counts of these accounts, in sums by day, warehouse, account and carrier. */
export async function readOrderTrends(
  reads: Reader,
  accountIds: readonly number[],
  filter: OrderTrendFilter,
  now: Date,
): Promise<OrderTrendSums> {
  const accounts = accountIds.map((accountId) => ({ accountId }));
  const today = taipeiDay(now);
  const [sums, open, backlogs, carriers] = await reads.read(accountIds, (sql) =>
    Promise.all([
      sumOrders(sql, accounts, filter, today),
      sumBacklog(sql, accounts, filter),
      sumBacklogDays(sql, accounts, filter),
      listCountedCarriers(sql, accounts),
    ]),
  );
  const byDay = sumBy(sums, ({ day }) => day);
  const backlogOf = Map.groupBy(backlogs, ({ day }) => day);
  return {
    days: daysOf(filter, today).map((day) => {
      const counted = backlogOf.get(day);
      return { day, ...(byDay.get(day) ?? noOrders), backlog: counted === undefined ? null : agesOf(counted) };
    }),
    byWarehouse: sumBy(sums, ({ warehouseNo }) => warehouseNo),
    byAccount: sumBy(sums, ({ day, accountId }) => (day === null ? null : accountId)),
    byCarrier: sumBy(sums, ({ carrier }) => carrier),
    backlog: agesOf(open),
    carriers,
  };
}

/** null: the row is none of these sums. */
function sumBy<Key>(rows: readonly OrderSum[], keyOf: (row: OrderSum) => Key | null): Map<Key, OrderCounts> {
  const sums = new Map<Key, OrderCounts>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const sum = sums.get(key) ?? { ...noOrders };
    for (const name of Object.keys(sum) as (keyof OrderCounts)[]) if (name !== 'open') sum[name] += row[name];
    sums.set(key, sum);
  }
  return sums;
}

function agesOf(counted: readonly AgeCount[]): number[] {
  const ages = Array.from({ length: classesOfAge }, () => 0);
  for (const { age, orders } of counted) ages[age]! += orders;
  return ages;
}

/** The days of a range, without those of the future. */
export function daysOf({ from, to }: { from: string; to: string }, today: string): string[] {
  const days: string[] = [];
  const last = to < today ? to : today;
  for (let at = Date.parse(from); ; at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    if (day > last) return days;
    days.push(day);
  }
}
