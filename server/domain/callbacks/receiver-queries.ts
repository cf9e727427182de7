import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';

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
 */
export async function findReceivers(
  sql: Sql,
  { accountIds, states, address, receiverId }: ReceiverSelection,
  limit: number,
): Promise<FoundReceiver[]> {
  return await sql<FoundReceiver[]>`
    select receiver_id, account_id, address, state, greatest(failures, unsuccessful) as failures, failures = 0 and unsuccessful > 0 as rejects,
      ${sql.unsafe(taipeiTime('open_until', 'on_hold_until'))},
      ${sql.unsafe(taipeiTime('last_success_at'))}, ${sql.unsafe(taipeiTime('last_failure_at'))}, ${sql.unsafe(taipeiTime('paused_at'))}, paused_by
    from (select *, ${sql.unsafe(receiverState)} as state from callback_receiver where account_id = any(${accountIds}::bigint[])) receiver
    where (${states ?? null}::text[] is null or state = any(${states ?? null}::text[]))
      and (${address ?? null}::text is null or strpos(lower(address), lower(${address ?? null}::text)) > 0)
      and (${receiverId ?? null}::uuid is null or receiver_id = ${receiverId ?? null}::uuid)
    order by array_position(${[...receiverStates]}::text[], state), greatest(receiver.last_success_at, receiver.last_failure_at) desc nulls last, receiver_id
    limit ${limit}`;
}

export interface WaitingCount {
  receiver_id: string;
  count: number;
  oldest_at: string | null;
}

/** Counts the callbacks queued for each of these receivers, up to a limit, those due first. */
export async function countWaiting(sql: Sql, receiverIds: string[], countMax: number): Promise<WaitingCount[]> {
  return await sql<WaitingCount[]>`
    select receiver_id, count, ${sql.unsafe(taipeiTime('oldest', 'oldest_at'))}
    from unnest(${receiverIds}::uuid[]) as wanted(receiver_id)
    cross join lateral (
      select count(*)::integer as count, min(queued_at) as oldest from (
        select queued_at from callback_delivery where receiver_id = wanted.receiver_id order by due_at limit ${countMax}::integer) queued
    ) counted`;
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
  return await sql<FailedCount[]>`
    select receiver_id, count(*)::integer as count, max(looked_at) = ${lookedAtMax}::integer as is_capped
    from unnest(${accountIds}::bigint[]) as wanted(account_id)
    cross join lateral (
      select receiver_id, count(*) over () as looked_at from (
        select receiver_id from callback where account_id = wanted.account_id and status = (select 'failed'::text)
        order by created_at desc, callback_id desc limit ${lookedAtMax}::integer) newest
    ) failed
    group by receiver_id`;
}

/** null: there is no such receiver. */
export async function lockReceiver(tx: Tx, receiverId: string): Promise<{ paused: boolean } | null> {
  const [row] = await tx<
    { paused: boolean }[]
  >`select paused from callback_receiver where receiver_id = ${receiverId} for update`;
  return row ?? null;
}

export async function markPaused(tx: Tx, receiverId: string, actor: string): Promise<void> {
  await tx`update callback_receiver set paused = true, paused_at = now(), paused_by = ${actor} where receiver_id = ${receiverId}`;
}

/** Also ends a wait that only we had decided on. */
export async function markResumed(tx: Tx, receiverId: string, openAfterFailures: number): Promise<void> {
  await tx`
    update callback_receiver set paused = false, paused_at = null, paused_by = null, resumed_at = now(),
      open_until = case when failures >= ${openAfterFailures}::integer then null else open_until end
    where receiver_id = ${receiverId}`;
}
