import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Lane } from './callback.ts';

/** The states of a receiver, those that need attention first. */
export const receiverStates = ['paused', 'on_hold', 'failing', 'unproven', 'healthy'] as const;
export type ReceiverState = (typeof receiverStates)[number];

/**
 * Computed from a row of callback_receiver. A receiver that answers with rejections is failing too, although its
 * callbacks are still sent at the normal rate.
 */
export const receiverState = `case when paused then 'paused' when open_until > now() then 'on_hold'
  when greatest(failures, unsuccessful) > 0 then 'failing' when last_success_at is null then 'unproven' else 'healthy' end`;

export interface ReceiverSelection {
  accountIds: number[];
  states?: ReceiverState[];
  /** A part of the address. */
  address?: string;
  receiverId?: string;
}

export interface FoundReceiver {
  receiver_id: string;
  account_id: number;
  address: string;
  state: ReceiverState;
  /** Consecutive failed attempts. */
  failures: number;
  /** The receiver answers, but rejects every callback. */
  rejects: boolean;
  on_hold_until: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  paused_at: string | null;
  paused_by: string | null;
}

/**
 * Reads all receivers of these accounts: there are few, unless a partner uses a different address for each document.
 * Those that need attention come first, then those that were heard of last.
 */
export async function findReceivers(
  sql: Sql,
  { accountIds, ...selection }: ReceiverSelection,
  limit: number,
): Promise<FoundReceiver[]> {
  const found = await Promise.all(accountIds.map((accountId) => findReceiversOf(sql, accountId, selection, limit)));
  return found.flat().toSorted(byNeed).slice(0, limit);
}

async function findReceiversOf(
  sql: Sql,
  accountId: number,
  { states, address, receiverId }: Omit<ReceiverSelection, 'accountIds'>,
  limit: number,
): Promise<FoundReceiver[]> {
  return await sql<FoundReceiver[]>`
    select receiver_id, account_id, address, state, greatest(failures, unsuccessful) as failures, failures = 0 and unsuccessful > 0 as rejects,
      ${sql.unsafe(taipeiTime('open_until', 'on_hold_until'))},
      ${sql.unsafe(taipeiTime('last_success_at'))}, ${sql.unsafe(taipeiTime('last_failure_at'))}, ${sql.unsafe(taipeiTime('paused_at'))}, paused_by
    from (select *, ${sql.unsafe(receiverState)} as state from callback_receiver where account_id = ${accountId}) receiver
    where (${states ?? null}::text[] is null or state = any(${states ?? null}::text[]))
      and (${address ?? null}::text is null or strpos(lower(address), lower(${address ?? null}::text)) > 0)
      and (${receiverId ?? null}::uuid is null or receiver_id = ${receiverId ?? null}::uuid)
    order by array_position(${[...receiverStates]}::text[], state), greatest(receiver.last_success_at, receiver.last_failure_at) desc nulls last, receiver_id
    limit ${limit}`;
}

/** The same order as that of the statement, for the receivers of several accounts. */
function byNeed(one: FoundReceiver, other: FoundReceiver): number {
  return (
    receiverStates.indexOf(one.state) - receiverStates.indexOf(other.state) ||
    compare(lastHeardAt(other), lastHeardAt(one)) ||
    compare(one.receiver_id, other.receiver_id)
  );
}

/** Times have one format and one zone, so they are in the order of their text. */
function lastHeardAt({ last_success_at, last_failure_at }: FoundReceiver): string {
  const [success, failure] = [last_success_at ?? '', last_failure_at ?? ''];
  return success > failure ? success : failure;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export interface WaitingCount {
  receiver_id: string;
  count: number;
  oldest_at: string | null;
}

/** Counts the callbacks queued for each of these receivers, up to a limit, those due first. */
export async function countWaiting(sql: Sql, lanes: Lane[], countMax: number): Promise<WaitingCount[]> {
  return await perAccount(
    lanes,
    (accountId, own) => sql<WaitingCount[]>`
      select receiver_id, count, ${sql.unsafe(taipeiTime('oldest', 'oldest_at'))}
      from unnest(${own.map((lane) => lane.receiverId)}::uuid[]) as wanted(receiver_id)
      cross join lateral (
        select count(*)::integer as count, min(queued_at) as oldest from (
          select queued_at from callback_delivery where account_id = ${accountId} and receiver_id = wanted.receiver_id
          order by due_at limit ${countMax}::integer) queued
      ) counted`,
  );
}

export interface FailedCount {
  receiver_id: string;
  count: number;
  /** Not all failed callbacks of the account were read. */
  is_capped: boolean;
}

/**
 * Counts among the newest failed callbacks of each account, because no index leads from a receiver to its failed
 * callbacks.
 */
export async function countFailed(sql: Sql, accountIds: number[], lookedAtMax: number): Promise<FailedCount[]> {
  const counts = await Promise.all(accountIds.map((accountId) => countFailedOf(sql, accountId, lookedAtMax)));
  return counts.flat();
}

async function countFailedOf(sql: Sql, accountId: number, lookedAtMax: number): Promise<FailedCount[]> {
  return await sql<FailedCount[]>`
    select receiver_id, count(*)::integer as count, max(looked_at) = ${lookedAtMax}::integer as is_capped
    from (
      select receiver_id, count(*) over () as looked_at from (
        select receiver_id from callback where account_id = ${accountId} and status = (select 'failed'::text)
        order by created_at desc, callback_id desc limit ${lookedAtMax}::integer) newest
    ) failed
    group by receiver_id`;
}

/** null: there is no such receiver. */
export async function lockReceiver(tx: Tx, { accountId, receiverId }: Lane): Promise<{ paused: boolean } | null> {
  const [row] = await tx<{ paused: boolean }[]>`
    select paused from callback_receiver where account_id = ${accountId} and receiver_id = ${receiverId} for update`;
  return row ?? null;
}

export async function markPaused(tx: Tx, { accountId, receiverId }: Lane, actor: string): Promise<void> {
  await tx`
    update callback_receiver set paused = true, paused_at = now(), paused_by = ${actor}
    where account_id = ${accountId} and receiver_id = ${receiverId}`;
}

/** Also ends a wait that only we had decided on. */
export async function markResumed(tx: Tx, { accountId, receiverId }: Lane, openAfterFailures: number): Promise<void> {
  await tx`
    update callback_receiver set paused = false, paused_at = null, paused_by = null, resumed_at = now(),
      open_until = case when failures >= ${openAfterFailures}::integer then null else open_until end
    where account_id = ${accountId} and receiver_id = ${receiverId}`;
}
