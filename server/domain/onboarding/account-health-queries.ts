import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import type { AccountName } from '../partners/partner-queries.ts';

/** Counts of callbacks and receivers stop here. */
export const countedMax = 1000;

export interface AccountHealth {
  accountNo: string;
  callsDay: number;
  errorsDay: number;
  callsWeek: number;
  errorsWeek: number;
  /** Receivers whose last attempts failed, or that are on hold or paused. */
  receiversFailing: number;
  /** Callbacks that are not delivered yet. */
  callbacksWaiting: number;
  /** Callbacks that were given up within seven days. */
  callbacksFailed: number;
}

/**
 * A statement per account, which states only this one, because row-level security compares each row with all that are
 * stated: at most 168 rows of call_trend by primary key, and index
 * steps up to a limit for callbacks. Calls are counted by the hour, so the spans begin with an hour.
 */
export async function readHealth(sql: Sql, accounts: AccountName[]): Promise<AccountHealth[]> {
  return await perAccount(accounts, (accountId, [account]) =>
    sql.forAccounts([accountId]).prepared<AccountHealth[]>(healthOfAccount, [accountId, account!.accountNo]),
  );
}

const healthOfAccount = `
  select $2::text as "accountNo", "callsDay", "errorsDay", "callsWeek", "errorsWeek",
    (select count(*)::integer from (
      select from callback_receiver where account_id = $1
        and (paused or open_until > now() or greatest(failures, unsuccessful) > 0) limit ${countedMax + 1}) found) as "receiversFailing",
    (select count(*)::integer from (
      select from callback_delivery where account_id = $1 limit ${countedMax + 1}) found) as "callbacksWaiting",
    (select count(*)::integer from (
      select from callback where account_id = $1 and status = (select 'failed') and test_of is null
        and created_at > now() - interval '7 days' limit ${countedMax + 1}) found) as "callbacksFailed"
  from (
    select coalesce(sum(calls) filter (where is_day), 0)::float8 as "callsDay",
      coalesce(sum(refused + failed) filter (where is_day), 0)::float8 as "errorsDay",
      coalesce(sum(calls), 0)::float8 as "callsWeek", coalesce(sum(refused + failed), 0)::float8 as "errorsWeek"
    from (
      select calls, refused, failed, hour > now() - interval '24 hours' as is_day from call_trend
      where account_id = $1 and hour > now() - interval '7 days') hours
  ) counted`;

export interface OrdersOfDay {
  day: string;
  count: number;
  isMore: boolean;
}

/** Orders created on each of the last seven days in Taipei, oldest first. Reads at most `max` index entries per day. */
export async function countOrdersByDay(
  sql: Sql,
  accountId: number,
  today: string,
  max: number,
): Promise<OrdersOfDay[]> {
  return await sql<OrdersOfDay[]>`
    select to_char(day, 'YYYY-MM-DD') as day, least(count, ${max}::integer) as count, count > ${max}::integer as "isMore"
    from generate_series(${today}::timestamp - interval '6 days', ${today}::timestamp, interval '1 day') as day
    cross join lateral (
      select count(*)::integer as count from (
        select from orders where account_id = ${accountId} and created_at >= day at time zone interval '8 hours'
          and created_at < (day + interval '1 day') at time zone interval '8 hours' limit ${max}::integer + 1) found
    ) counted order by day`;
}
