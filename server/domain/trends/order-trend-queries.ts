import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import type { OrderCounts } from './order-counts.ts';

/** Which counts of an account are asked for; null: all. Both days are included. */
export interface OrderTrendFilter {
  from: string;
  to: string;
  warehouseNos: number[] | null;
  carriers: string[] | null;
}

type Accounts = readonly { accountId: number }[];

/** The sums of a day, of a warehouse, or of a carrier: exactly one of them is not null. */
export interface OrderSum extends Omit<OrderCounts, 'open'> {
  accountId: number;
  day: string | null;
  warehouseNo: number | null;
  carrier: string | null;
}

/** Orders that are due on `today` or later may still be on time, so they are left out. */
export async function sumOrders(
  sql: Sql,
  accounts: Accounts,
  filter: OrderTrendFilter,
  today: string,
): Promise<OrderSum[]> {
  const { from, to } = filter;
  return await perAccount(
    accounts,
    (accountId) => sql<OrderSum[]>`
      select ${accountId}::bigint as "accountId", day::text, warehouse_no as "warehouseNo", carrier, sum(created)::float8 as created,
        sum(shipped)::float8 as shipped, sum(short)::float8 as short, sum(delivered)::float8 as delivered,
        sum(undelivered)::float8 as undelivered, sum(cancelled)::float8 as cancelled,
        coalesce(sum(due) filter (where day < ${today}::date), 0)::float8 as due,
        coalesce(sum(on_time) filter (where day < ${today}::date), 0)::float8 as on_time
      from order_trend where account_id = ${accountId} and day >= ${from}::date and day <= ${to}::date and ${isAsked(sql, filter)}
      group by grouping sets ((day), (warehouse_no), (carrier))`,
  );
}

function isAsked(sql: Sql, { warehouseNos, carriers }: Pick<OrderTrendFilter, 'warehouseNos' | 'carriers'>) {
  return sql`(${warehouseNos === null} or warehouse_no = any(${warehouseNos ?? []}::integer[]))
    and (${carriers === null} or carrier = any(${carriers ?? []}::text[]))`;
}

export interface AgeCount {
  /** A class of age, as in `backlog_trend`. */
  age: number;
  orders: number;
}

/**
 * The open orders by age, as the last count of each account left them. A sum over the open orders of all days would take
 * longer with every day that still has one.
 */
export async function sumBacklog(
  sql: Sql,
  accounts: Accounts,
  filter: Pick<OrderTrendFilter, 'warehouseNos' | 'carriers'>,
): Promise<AgeCount[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<AgeCount[]>`
      select age, sum(orders)::float8 as orders
      from backlog_trend where account_id = ${accountId} and ${isAsked(sql, filter)}
        and day = (select max(day) from backlog_trend where account_id = ${accountId}) group by age`,
  );
}

/** The open orders by age at the end of each day, with a count of 0 for a day without any. Days that were not counted are left out. */
export async function sumBacklogDays(
  sql: Sql,
  accounts: Accounts,
  filter: OrderTrendFilter,
): Promise<(AgeCount & { day: string })[]> {
  const { from, to } = filter;
  return await perAccount(
    accounts,
    (accountId) => sql<(AgeCount & { day: string })[]>`
      select day::text, age, coalesce(sum(orders) filter (where ${isAsked(sql, filter)}), 0)::float8 as orders
      from backlog_trend where account_id = ${accountId} and day >= ${from}::date and day <= ${to}::date
      group by day, age`,
  );
}

/** The carriers that were counted by themselves. */
export async function listCountedCarriers(sql: Sql, accounts: Accounts): Promise<string[]> {
  const rows = await perAccount(
    accounts,
    (accountId) => sql<{ carriers: string[] }[]>`
      select carriers from order_trend_progress where account_id = ${accountId}`,
  );
  return [...new Set(rows.flatMap(({ carriers }) => carriers))].toSorted();
}

export async function listWarehousesWithoutCutOff(sql: Sql): Promise<number[]> {
  const rows = await sql<{ warehouseNo: number }[]>`
    select warehouse_no as "warehouseNo" from warehouse where cut_off is null order by warehouse_no`;
  return rows.map(({ warehouseNo }) => warehouseNo);
}
