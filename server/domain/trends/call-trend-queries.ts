import { lowestTraceIdAt } from '../../platform/ids.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';

/** The calls of an account in a span of time. */
export interface CallCounts {
  calls: number;
  /** Responses with a status from 400 to 499, and from 500 on. */
  refused: number;
  failed: number;
  /** The time that all calls took together. */
  durationMs: number;
  /** The last call whose caller was not refused with 401; null: there was none. Anybody can name an account. */
  lastCallAt: Date | null;
}

interface TimeSpan {
  from: Date;
  to: Date;
}

/**
 * Counts lines of the request log by account. A trace id contains its time, so its index leads to the lines. Lines
 * without an account and lines of the given contract are left out.
 */
export async function countLoggedCalls(
  sql: Sql,
  { from, to }: TimeSpan,
  exceptContract: string,
): Promise<(CallCounts & { accountNo: string })[]> {
  return await sql<(CallCounts & { accountNo: string })[]>`
    select account_no as "accountNo", count(*)::integer as calls,
      (count(*) filter (where status between 400 and 499))::integer as refused,
      (count(*) filter (where status >= 500))::integer as failed,
      (sum(duration_us::bigint) / 1000)::float8 as "durationMs",
      max(at) filter (where status <> 401) as "lastCallAt"
    from request_log
    where trace_id >= ${lowestTraceIdAt(from)}::uuid and trace_id < ${lowestTraceIdAt(to)}::uuid
      and at >= ${from} and at < ${to} and account_no is not null and contract <> ${exceptContract}
    group by account_no`;
}

/** The time of the first line of any caller; null: there is none. */
export async function findFirstCall(sql: Sql, { from, to }: TimeSpan): Promise<Date | null> {
  const [row] = await sql<{ at: Date }[]>`
    select at from request_log
    where trace_id >= ${lowestTraceIdAt(from)}::uuid and trace_id < ${lowestTraceIdAt(to)}::uuid and at >= ${from} and at < ${to}
    order by trace_id limit 1`;
  return row?.at ?? null;
}

/** Writes the counts of an hour in place of earlier counts of the same hour. */
export async function saveCallHour(
  tx: Tx,
  hour: Date,
  counted: readonly (CallCounts & { accountId: number })[],
): Promise<void> {
  await perAccount(
    counted,
    (accountId, [counts]) => tx`
      insert into call_trend (account_id, hour, calls, refused, failed, duration_ms, last_call_at)
      values (${accountId}, ${hour}, ${counts!.calls}, ${counts!.refused}, ${counts!.failed},
        ${Math.round(counts!.durationMs)}, ${counts!.lastCallAt})
      on conflict (account_id, hour) do update set calls = excluded.calls, refused = excluded.refused,
        failed = excluded.failed, duration_ms = excluded.duration_ms, last_call_at = excluded.last_call_at`,
  );
}

/** The calls of each of these accounts, over whole hours; accounts without calls are left out. */
export async function sumCalls(
  sql: Sql,
  accounts: readonly { accountId: number }[],
  { from, to }: TimeSpan,
): Promise<(Omit<CallCounts, 'lastCallAt'> & { accountId: number })[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<(Omit<CallCounts, 'lastCallAt'> & { accountId: number })[]>`
      select ${accountId}::bigint as "accountId", sum(calls)::float8 as calls, sum(refused)::float8 as refused,
        sum(failed)::float8 as failed, sum(duration_ms)::float8 as "durationMs"
      from call_trend where account_id = ${accountId} and hour >= ${from} and hour < ${to} having count(*) > 0`,
  );
}

export interface CallSum {
  /** A day in Taipei. */
  day: string;
  calls: number;
  refused: number;
  failed: number;
}

/** The calls of these accounts by day in Taipei. */
export async function sumCallDays(
  sql: Sql,
  accounts: readonly { accountId: number }[],
  { from, to }: TimeSpan,
): Promise<CallSum[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<CallSum[]>`
      select (hour at time zone interval '8 hours')::date::text as day, sum(calls)::float8 as calls, sum(refused)::float8 as refused,
        sum(failed)::float8 as failed
      from call_trend where account_id = ${accountId} and hour >= ${from} and hour < ${to} group by 1`,
  );
}

/** The calls of these accounts by hour. */
export async function listCallHours(
  sql: Sql,
  accounts: readonly { accountId: number }[],
  { from, to }: TimeSpan,
): Promise<(Omit<CallSum, 'day'> & { hour: Date })[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<(Omit<CallSum, 'day'> & { hour: Date })[]>`
      select hour, calls::float8 as calls, refused::float8 as refused, failed::float8 as failed
      from call_trend where account_id = ${accountId} and hour >= ${from} and hour < ${to}`,
  );
}

/** The calls of the log by hour, of known callers, the first `limit` lines of the span; and how many lines were read. */
export async function countTail(
  sql: Sql,
  { from, to }: TimeSpan,
  { accountNo, exceptContract, limit }: { accountNo: string | null; exceptContract: string; limit: number },
): Promise<(Omit<CallSum, 'day'> & { hour: Date; lines: number })[]> {
  return await sql<(Omit<CallSum, 'day'> & { hour: Date; lines: number })[]>`
    select date_trunc('hour', at, 'UTC') as hour, (sum(count(*)) over ())::integer as lines,
      (count(*) filter (where is_counted))::integer as calls,
      (count(*) filter (where is_counted and status between 400 and 499))::integer as refused,
      (count(*) filter (where is_counted and status >= 500))::integer as failed
    from (
      select at, status, contract <> ${exceptContract} and account_no = coalesce(${accountNo}::text, account_no)
          and exists (select from account a where a.account_no = request_log.account_no) as is_counted
      from request_log
      where trace_id >= ${lowestTraceIdAt(from)}::uuid and trace_id < ${lowestTraceIdAt(to)}::uuid and at >= ${from} and at < ${to}
      order by trace_id limit ${limit}) tail
    group by 1`;
}

/** When each of these accounts last called; accounts that never did are left out. */
export async function findLastCalls(
  sql: Sql,
  accounts: readonly { accountId: number }[],
): Promise<{ accountId: number; lastCallAt: Date }[]> {
  return await perAccount(
    accounts,
    (accountId) => sql<{ accountId: number; lastCallAt: Date }[]>`
      select ${camelColumns('account_id, last_call_at')} from call_trend
      where account_id = ${accountId} and last_call_at is not null order by hour desc limit 1`,
  );
}

/** null: nothing has been counted yet. */
export async function readProgress(sql: Sql, name: string): Promise<Date | null> {
  const [row] = await sql<{ countedUntil: Date }[]>`
    select ${camelColumns('counted_until')} from trend_progress where name = ${name}`;
  return row?.countedUntil ?? null;
}

export async function saveProgress(tx: Tx, name: string, countedUntil: Date): Promise<void> {
  await tx`
    insert into trend_progress (name, counted_until) values (${name}, ${countedUntil})
    on conflict (name) do update set counted_until = excluded.counted_until`;
}
