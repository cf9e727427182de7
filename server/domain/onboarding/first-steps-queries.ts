import { lowestTraceIdAt } from '../../platform/ids.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';

// What an account did first, from rows that are there. Each statement reads an index from one end, or a limited number
// of lines.

export interface OnboardedAccount {
  accountId: number;
  createdAt: Date;
}

export async function findOnboardedAccount(sql: Sql, accountNo: string): Promise<OnboardedAccount | null> {
  const [row] = await sql<OnboardedAccount[]>`
    select account_id as "accountId", created_at as "createdAt" from account where account_no = ${accountNo}`;
  return row ?? null;
}

/** A first document, with what its page is found by. */
export interface FirstDocument {
  id: number;
  name: string;
  at: string;
}

export async function findFirstProduct(sql: Sql, accountId: number): Promise<FirstDocument | null> {
  const [row] = await sql<FirstDocument[]>`
    select product_id as id, sku_id as name, ${sql.unsafe(taipeiTime('created_at', 'at'))} from product
    where account_id = ${accountId} order by created_at, sku_id limit 1`;
  return row ?? null;
}

export async function findFirstInbound(sql: Sql, accountId: number): Promise<FirstDocument | null> {
  const [row] = await sql<FirstDocument[]>`
    select inbound_id as id, partner_number as name, ${sql.unsafe(taipeiTime('created_at', 'at'))} from inbound_document
    where account_id = ${accountId} order by created_at, inbound_id limit 1`;
  return row ?? null;
}

export async function findFirstOrder(sql: Sql, accountId: number): Promise<FirstDocument | null> {
  const [row] = await sql<FirstDocument[]>`
    select order_id as id, partner_number as name, ${sql.unsafe(taipeiTime('created_at', 'at'))} from orders
    where account_id = ${accountId} order by created_at, order_id limit 1`;
  return row ?? null;
}

/** The first callback that was answered with 2xx. `name` is its event. */
export async function findFirstDelivered(
  sql: Sql,
  accountId: number,
): Promise<(FirstDocument & { isTest: boolean }) | null> {
  const [row] = await sql<(FirstDocument & { isTest: boolean })[]>`
    select callback_id as id, event as name, is_test as "isTest", ${sql.unsafe(taipeiTime('at'))} from (
      select callback_id, event, test_of is not null as is_test, coalesce((
        select min(at) from callback_attempt a
        where a.account_id = ${accountId} and a.callback_id = c.callback_id and http_status between 200 and 299), updated_at) as at
      from callback c where account_id = ${accountId} and status = (select 'delivered')
      order by created_at, callback_id limit 1) first`;
  return row ?? null;
}

/** The newest callback that was attempted and has not arrived. */
export async function findUndelivered(
  sql: Sql,
  accountId: number,
): Promise<{ callbackId: number; httpStatus: number | null; error: string | null; at: string } | null> {
  const [row] = await sql<{ callbackId: number; httpStatus: number | null; error: string | null; at: string }[]>`
    select callback_id as "callbackId", http_status as "httpStatus", error, ${sql.unsafe(taipeiTime('at'))} from (
      select callback_id from callback where account_id = ${accountId} order by created_at desc, callback_id desc limit ${undeliveredLookedAtMax}
    ) newest cross join lateral (
      select attempt_no, http_status, error, at from callback_attempt a
      where a.account_id = ${accountId} and a.callback_id = newest.callback_id order by attempt_no desc limit 1
    ) last
    where coalesce(http_status, 0) not between 200 and 299
    order by callback_id desc limit 1`;
  return row ?? null;
}

const undeliveredLookedAtMax = 100;
/** About 10 ms of the log of a busy node. */
export const linesLookedAtMax = 20_000;

export interface FirstCall {
  at: string;
  contract: string;
  traceId: string;
}

/**
 * The first call that was accepted, among the first lines of the log after the account was created: no index leads from
 * an account to its lines. Anybody can name an account, so refused calls do not count.
 */
export async function findFirstCallInLog(sql: Sql, accountNo: string, since: Date): Promise<FirstCall | null> {
  const [row] = await sql<FirstCall[]>`
    select ${sql.unsafe(taipeiTime('at'))}, contract, trace_id as "traceId" from (
      select at, contract, trace_id, account_no, status, reason from request_log
      where at >= ${since} and trace_id >= ${lowestTraceIdAt(since)}::uuid order by trace_id limit ${linesLookedAtMax}
    ) line
    where account_no = ${accountNo} and status < 400 and reason is null and contract <> 'console' order by trace_id limit 1`;
  return row ?? null;
}

/** When the account called, from counts and notes that are kept longer than the log; null: it never did. */
export async function findCallNoted(sql: Sql, accountId: number, accountNo: string): Promise<string | null> {
  const [row] = await sql<{ at: string | null }[]>`
    select ${sql.unsafe(taipeiTime('at'))} from (select coalesce(
      (select last_call_at from call_trend where account_id = ${accountId} and last_call_at is not null order by hour limit 1),
      (select last_used_at from partner_use where kind = 'account' and name = ${accountNo})) as at) noted`;
  return row?.at ?? null;
}

/** Refused and failed calls of an account that are alike. */
export interface ErrorGroup {
  endpoint: string;
  status: number;
  code: string | null;
  reason: string | null;
  count: number;
  traceId: string;
  lastAt: string;
}

/** Among the newest lines of the log since then, the most frequent first. */
export async function listErrorGroups(sql: Sql, accountNo: string, since: Date): Promise<ErrorGroup[]> {
  return await sql<ErrorGroup[]>`
    select endpoint, status, code, count(*)::integer as count, (array_agg(trace_id order by trace_id desc))[1] as "traceId",
      (array_agg(reason order by trace_id desc))[1] as reason, ${sql.unsafe(taipeiTime('max(at)', '"lastAt"'))}
    from (
      select trace_id, at, endpoint, status, code, reason, account_no, contract from request_log
      where at >= ${since} and trace_id >= ${lowestTraceIdAt(since)}::uuid order by trace_id desc limit ${linesLookedAtMax}
    ) line
    where account_no = ${accountNo} and contract <> 'console' and (status >= 400 or reason is not null)
    group by endpoint, status, code order by count(*) desc, max(at) desc limit ${groupsMax}`;
}

const groupsMax = 50;
