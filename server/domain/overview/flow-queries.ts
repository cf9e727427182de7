import { perAccount } from '../../platform/postgres/per-account.ts';
import { type RowColumns, rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderChannel, OrderStatus } from '../orders/order.ts';
import type { AccountName } from '../partners/partner-queries.ts';
import { addUp, type Counted } from './attention-queries.ts';

export interface Span {
  from: string;
  to: string;
}

const spanColumns: RowColumns<Span> = {
  from_at: ['timestamptz', (span) => span.from],
  to_at: ['timestamptz', (span) => span.to],
};
const spanRows = rowParameters(spanColumns);

/** Limit per account, channel and hour; the chart shows nothing higher. */
const countedPerHourMax = 100_000;

/** Counts by span, in the given order, and channel; zeros are left out. Reads only an index. */
export async function countCreated(
  sql: Sql,
  accounts: AccountName[],
  spans: Span[],
  channels: readonly OrderChannel[],
): Promise<{ place: number; channel: OrderChannel; count: number }[]> {
  const counts = await perAccount(
    accounts,
    (accountId) => sql<{ place: number; channel: OrderChannel; count: number }[]>`
      select place::integer, channel, count
      from ${spanRows.unnest(spans)} with ordinality as span(from_at, to_at, place)
      cross join unnest(${[...channels]}::text[]) as wanted(channel)
      cross join lateral (
        select count(*)::integer as count from (
          select from orders where account_id = ${accountId} and orders.channel = wanted.channel
            and created_at >= from_at and created_at < to_at order by created_at, order_id limit ${countedPerHourMax}) found
      ) counted
      where count > 0`,
  );
  return sumAlike(counts, ({ place, channel }) => `${place} ${channel}`);
}

/** The rows of several accounts that mean the same, as one. */
function sumAlike<Row extends { count: number }>(rows: Row[], nameOf: (row: Row) => string): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const sum = sums.get(nameOf(row));
    if (sum) sum.count += row.count;
    else sums.set(nameOf(row), { ...row });
  }
  return [...sums.values()];
}

/** Shipped orders by span. */
export async function countShipped(
  sql: Sql,
  accounts: AccountName[],
  spans: Span[],
): Promise<{ place: number; count: number }[]> {
  const counts = await perAccount(
    accounts,
    (accountId) => sql<{ place: number; count: number }[]>`
      select place::integer, count
      from ${spanRows.unnest(spans)} with ordinality as span(from_at, to_at, place)
      cross join lateral (
        select count(*)::integer as count from (
          select from state_change where account_id = ${accountId} and document_type = 'order' and to_state = 'shipped'
            and at >= from_at and at < to_at order by at limit ${countedPerHourMax}) found
      ) counted
      where count > 0`,
  );
  return sumAlike(counts, ({ place }) => String(place));
}

/** Sample size per account and span; the newest are used. */
const lagSampleMax = 50;

/** How many seconds callbacks took to be delivered, among those created in the span and delivered. */
export async function readCallbackLags(
  sql: Sql,
  accounts: AccountName[],
  spans: Span[],
): Promise<{ place: number; seconds: number }[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<{ place: number; seconds: number }[]>`
      select place::integer, seconds
      from ${spanRows.unnest(spans)} with ordinality as span(from_at, to_at, place)
      cross join lateral (
        select extract(epoch from updated_at - created_at)::float8 as seconds from callback
        where account_id = ${accountId} and status = (select 'delivered') and created_at >= from_at and created_at < to_at
        order by created_at desc limit ${lagSampleMax}
      ) arrived`,
  );
}

export const statesCountedMax = 20_000;

/**
 * The current states of the orders created since then, each counted up to the limit per account. The sort order makes
 * PostgreSQL walk the index.
 */
export async function countStates(
  sql: Sql,
  accounts: AccountName[],
  from: string,
  statuses: readonly OrderStatus[],
): Promise<{ status: OrderStatus; count: number }[]> {
  const counts = await perAccount(
    accounts,
    (accountId) => sql<{ status: OrderStatus; count: number }[]>`
      select status, count from unnest(${[...statuses]}::text[]) as wanted(status)
      cross join lateral (
        select count(*)::integer as count from (
          select from orders where account_id = ${accountId} and orders.status = wanted.status
            and created_at >= ${from}::timestamptz order by created_at, order_id limit ${statesCountedMax + 1}) found
      ) counted
      where count > 0`,
  );
  const sums = sumAlike(counts, ({ status }) => status);
  return sums.toSorted((one, other) => statuses.indexOf(one.status) - statuses.indexOf(other.status));
}

/** Requests counted per minute; the total is extrapolated from how long these took to arrive. */
const callsCountedMax = 1000;

export interface MinuteOfCalls {
  place: number;
  count: number;
  /** If there are more: within how many seconds of the minute these arrived. */
  withinSeconds: number | null;
}

const minuteRows = rowParameters<Span & { firstId: string; endId: string }>({
  ...spanColumns,
  first_id: ['uuid', (span) => span.firstId],
  end_id: ['uuid', (span) => span.endId],
});

/** Requests by span, without those of one contract. A trace id contains its time, so its index leads to the span. */
export async function countCalls(
  sql: Sql,
  spans: (Span & { firstId: string; endId: string })[],
  exceptContract: string,
): Promise<MinuteOfCalls[]> {
  return await sql<MinuteOfCalls[]>`
    select place::integer, count,
      case when count = ${callsCountedMax} then extract(epoch from last_at - from_at)::float8 end as "withinSeconds"
    from ${minuteRows.unnest(spans)} with ordinality as span(from_at, to_at, first_id, end_id, place)
    cross join lateral (
      select count(*)::integer as count, max(at) as last_at from (
        select at from request_log where trace_id >= first_id and trace_id < end_id and at >= from_at and at < to_at
          and contract <> ${exceptContract} order by trace_id limit ${callsCountedMax}) found
    ) counted
    where count > 0`;
}

const queueCountedMax = 1000;

/** Undelivered callbacks; the oldest among those with the lowest ids. */
export async function countQueuedCallbacks(sql: Sql, accounts: AccountName[]): Promise<Counted> {
  const counts = await perAccount(
    accounts,
    (accountId) => sql<{ count: number; since: string | null }[]>`
      select count(*)::integer as count, ${sql.unsafe(taipeiTime('min(queued_at)', 'since'))} from (
        select queued_at from callback_delivery where account_id = ${accountId} order by callback_id limit ${queueCountedMax + 1}) oldest`,
  );
  return addUp(counts, queueCountedMax);
}
