import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Fragment, Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { AccountName } from '../partners/partner-queries.ts';
import { silentAfterSeconds } from './node-queries.ts';

/** Counts stop here: an operator acts the same on a thousand items as on a million. */
export const countedMax = 1000;

export interface Counted {
  count: number;
  /** There are more. */
  isMore: boolean;
  /** The time of the oldest one; null: there is none. */
  since: string | null;
}

interface CountRow {
  count: number;
  since: string | null;
}

/**
 * Counts the rows that `rowsOf` selects for an account (with the column `at`, oldest first, at most `countedMax` and one
 * more), and adds up the accounts. Takes one index look-up per account.
 */
async function countOverAccounts(
  sql: Sql,
  accounts: AccountName[],
  rowsOf: (accountId: number) => Fragment,
): Promise<Counted> {
  const counts = await perAccount(
    accounts,
    (accountId) => sql<CountRow[]>`
      select count(*)::integer as count, ${sql.unsafe(taipeiTime('min(at)', 'since'))} from (${rowsOf(accountId)}) found`,
  );
  return addUp(counts, countedMax);
}

/** Counts of several accounts as one. */
export function addUp(counts: CountRow[], max: number): Counted {
  const count = counts.reduce((sum, one) => sum + one.count, 0);
  const [since = null] = counts.flatMap((one) => one.since ?? []).toSorted();
  return { count: Math.min(count, max), isMore: count > max, since };
}

// The value is in a subquery, so that the planner uses the index that leads to it (see keyset-search.ts).

/** Counts failures since this day in Taipei, without tests: an operator who left older ones as they are has decided so. */
export async function countFailedCallbacks(sql: Sql, accounts: AccountName[], fromDay: string): Promise<Counted> {
  return await countOverAccounts(
    sql,
    accounts,
    (accountId) => sql`
      select created_at as at from callback where account_id = ${accountId} and status = (select 'failed') and test_of is null
        and created_at >= ${`${fromDay}T00:00:00+08:00`}::timestamptz order by created_at limit ${countedMax + 1}`,
  );
}

/** With `warehouseNos`, only orders of these. */
export async function countOrdersAwaitingStock(
  sql: Sql,
  accounts: AccountName[],
  warehouseNos: number[] | null = null,
): Promise<Counted> {
  return await countOverAccounts(sql, accounts, (accountId) =>
    ofWarehouses(
      sql,
      warehouseNos,
      (limit) => sql`
        select created_at as at, warehouse_no from orders where account_id = ${accountId} and status = (select 'awaiting_stock')
        order by created_at limit ${limit}`,
    ),
  );
}

/** Selects the rows of these warehouses among the first rows of `rowsOf`, which have the columns `at` and `warehouse_no`. */
function ofWarehouses(sql: Sql, warehouseNos: number[] | null, rowsOf: (limit: number) => Fragment): Fragment {
  if (warehouseNos === null) return rowsOf(countedMax + 1);
  return sql`
    select at from (${rowsOf(lookedAtMax)}) looked_at where warehouse_no = any(${warehouseNos}::integer[])
    order by at limit ${countedMax + 1}`;
}

/**
 * Lots with units on hand that expire between these days, inclusive; `since` is the first of their days. With `onlyGood`,
 * units that are already blocked do not count.
 */
export async function countLotsExpiring(
  sql: Sql,
  accounts: AccountName[],
  {
    from,
    to,
    onlyGood = false,
    warehouseNos = null,
  }: { from: string; to: string; onlyGood?: boolean; warehouseNos?: number[] | null },
): Promise<Counted> {
  const counted = await countOverAccounts(sql, accounts, (accountId) =>
    ofWarehouses(
      sql,
      warehouseNos,
      (limit) => sql`
        select expire_date::timestamp at time zone interval '8 hours' as at, warehouse_no from lot
        where account_id = ${accountId} and on_hand > 0 and expire_date between ${from}::date and ${to}::date
          ${onlyGood ? sql`and stock_type = 'good'` : sql``}
        order by expire_date limit ${limit}`,
    ),
  );
  return { ...counted, since: counted.since?.slice(0, 10) ?? null };
}

/** Counts transfers in this state; transfers whose order has advanced otherwise do not count. */
export async function countTransfers(
  sql: Sql,
  accounts: AccountName[],
  status: 'sending' | 'rejected',
  warehouseNos: number[] | null = null,
): Promise<Counted> {
  const ofThese = warehouseNos === null ? sql`` : sql`and warehouse_no = any(${warehouseNos}::integer[])`;
  return await countOverAccounts(
    sql,
    accounts,
    (accountId) => sql`
      select t.updated_at as at from (
        select order_id, updated_at from transfer where account_id = ${accountId} and status = ${sql.unsafe(`'${status}'`)}
          ${ofThese}
        order by warehouse_no, order_id limit ${lookedAtMax}) t
      cross join lateral (select status from orders where account_id = ${accountId} and order_id = t.order_id offset 0) o
      where o.status = 'pending_warehouse_transfer' limit ${countedMax + 1}`,
  );
}

const lookedAtMax = 10_000;

export interface QueuedReceiver {
  address: string;
  account_no: string;
  /** Consecutive attempts without a sign of life, and consecutive attempts without success. */
  failures: number;
  unsuccessful: number;
  is_open: boolean;
  paused: boolean;
  last_success_at: string | null;
  first_queued_at: string;
}

/**
 * Receivers with queued callbacks, up to a limit per account. Takes one index step per receiver, however long its queue
 * is.
 */
export async function listQueuedReceivers(sql: Sql, accounts: AccountName[]): Promise<QueuedReceiver[]> {
  return await perAccount(
    accounts,
    (accountId, [account]) => sql<QueuedReceiver[]>`
      with recursive lane as (
        (select receiver_id, 1 as place from callback_delivery where account_id = ${accountId} order by receiver_id limit 1)
        union all
        select following.receiver_id, place + 1 from lane
        cross join lateral (
          select receiver_id from callback_delivery where account_id = ${accountId} and receiver_id > lane.receiver_id
          order by receiver_id limit 1
        ) following
        where place <= ${countedMax}::integer
      )
      select address, ${account!.accountNo}::text as account_no, failures, unsuccessful, coalesce(open_until > now(), false) as is_open, paused,
        ${sql.unsafe(taipeiTime('last_success_at'))}, ${sql.unsafe(taipeiTime('queued_at', 'first_queued_at'))}
      from lane
      cross join lateral (
        select queued_at from callback_delivery where account_id = ${accountId} and receiver_id = lane.receiver_id
        order by due_at limit 1
      ) first
      cross join lateral (
        select * from callback_receiver where account_id = ${accountId} and receiver_id = lane.receiver_id offset 0
      ) receiver`,
  );
}

export interface FailingWave {
  warehouseNo: number;
  name: string;
  failures: number;
  lastOutcome: string | null;
  lastWaveAt: string | null;
}

/** Warehouses, all or these, whose last waves could not be completed. */
export async function listFailingWaves(sql: Sql, warehouseNos: number[] | null): Promise<FailingWave[]> {
  const ofThese = warehouseNos === null ? sql`` : sql`and warehouse_no = any(${warehouseNos}::integer[])`;
  return await sql<FailingWave[]>`
    select ${camelColumns('warehouse_no, name, failures, last_outcome')}, ${sql.unsafe(taipeiTime('last_wave_at', '"lastWaveAt"'))}
    from push_schedule join warehouse using (warehouse_no) where failures > 0 ${ofThese} order by failures desc, warehouse_no`;
}

export interface FailedJob {
  name: string;
  lastRunAt: string | null;
}

export async function listFailedJobs(sql: Sql): Promise<FailedJob[]> {
  return await sql<FailedJob[]>`
    select name, ${sql.unsafe(taipeiTime('last_run_at', '"lastRunAt"'))} from schedule where last_outcome = 'failed' order by name`;
}

export async function listSilentNodes(sql: Sql): Promise<{ host: string; pid: number; seenAt: string }[]> {
  return await sql<{ host: string; pid: number; seenAt: string }[]>`
    select host, pid, ${sql.unsafe(taipeiTime('seen_at', '"seenAt"'))} from node
    where seen_at < now() - make_interval(secs => ${silentAfterSeconds}::float8) order by seen_at limit ${countedMax}`;
}

/** A busy service has a million requests an hour; the newest ones show which callers have problems. */
const callsLookedAtMax = 20_000;

export interface FailingCaller {
  /** An account or a client. */
  name: string;
  count: number;
  /** The most frequent problem. */
  detail: string | null;
  since: string;
}

/** Callers rejected in the newest requests since `from`, by account, with the most frequent diagnosis. */
export async function listRefusedSignatures(sql: Sql, contract: string, from: RecentFrom): Promise<FailingCaller[]> {
  return await sql<FailingCaller[]>`
    select account_no as name, count(*)::integer as count, mode() within group (order by coalesce(split_part(diagnosis, e'\n', 1), reason)) as detail,
      ${sql.unsafe(taipeiTime('min(at)', 'since'))}
    from (${recentCalls(sql, from)}) recent
    where contract = ${contract} and status = 401 and account_no is not null
    group by account_no order by count(*) desc, account_no limit ${countedMax}`;
}

/** Callers that were refused a token at this endpoint, by reason, which names the client. */
export async function listRefusedTokens(sql: Sql, endpoint: string, from: RecentFrom): Promise<FailingCaller[]> {
  return await sql<FailingCaller[]>`
    select coalesce(substring(reason from '"client":"([^"]+)"'), substring(reason from 'client ([^ ]+)'), account_no) as name, count(*)::integer as count,
      mode() within group (order by reason) as detail, ${sql.unsafe(taipeiTime('min(at)', 'since'))}
    from (${recentCalls(sql, from)}) recent
    where endpoint = ${endpoint} and reason is not null and account_no is not null
    group by 1 order by count(*) desc, 1 limit ${countedMax}`;
}

/** An instant and the smallest trace id of that time: the index on trace ids is in time order. */
export interface RecentFrom {
  at: string;
  traceId: string;
  /** null: calls of all accounts. */
  accountNos: string[] | null;
}

function recentCalls(sql: Sql, { at, traceId, accountNos }: RecentFrom) {
  const ofThese = accountNos === null ? sql`` : sql`where account_no = any(${accountNos}::text[])`;
  return sql`
    select * from (${recentCallsOfAll(sql, at, traceId)}) all_calls ${ofThese}`;
}

function recentCallsOfAll(sql: Sql, at: string, traceId: string) {
  return sql`
    select at, contract, endpoint, status, account_no, reason, diagnosis from request_log
    where trace_id >= ${traceId}::uuid and at >= ${at}::timestamptz order by trace_id desc limit ${callsLookedAtMax}`;
}

export interface FirstSteps {
  hasAccounts: boolean;
  hasProducts: boolean;
  hasOrders: boolean;
}

export async function readFirstSteps(sql: Sql, accounts: AccountName[]): Promise<FirstSteps> {
  const steps = await perAccount(
    accounts,
    (accountId) => sql<Omit<FirstSteps, 'hasAccounts'>[]>`
      select exists (select from product where account_id = ${accountId}) as "hasProducts",
        exists (select from orders where account_id = ${accountId}) as "hasOrders"`,
  );
  return {
    hasAccounts: accounts.length > 0,
    hasProducts: steps.some(({ hasProducts }) => hasProducts),
    hasOrders: steps.some(({ hasOrders }) => hasOrders),
  };
}
