import type { Tx } from '../../platform/postgres/sql.ts';
import { giveUpAfterHours, infinityIfBehind, isBehind } from './owed-callback-queries.ts';

// Callbacks that are sent again. The order of the locks is described in delivery-queries.ts.

/**
 * Locks the receivers of these callbacks, then the queued rows of their documents, so that no other transaction changes
 * or adds any until this one ends.
 */
export function lockForRedelivery(tx: Tx, accountId: number, callbackIds: number[]): Promise<unknown> {
  return Promise.all([
    tx`
      select from callback_receiver where account_id = ${accountId} and receiver_id = any(array(${theirReceivers(tx, accountId, callbackIds)}))
      order by receiver_id for update`,
    tx`
      select from callback_delivery where account_id = ${accountId} and callback_id = any(array(${ofTheirDocuments(tx, accountId, callbackIds)}))
      order by callback_id for update`,
  ]);
}

function theirReceivers(tx: Tx, accountId: number, callbackIds: number[]) {
  return tx`
    select distinct receiver_id from callback where account_id = ${accountId} and callback_id = any(${callbackIds}::bigint[])`;
}

function ofTheirDocuments(tx: Tx, accountId: number, callbackIds: number[]) {
  return tx`
    select other.callback_id from callback
    cross join lateral (
      select callback_id from callback same
      where same.account_id = ${accountId} and same.document_type = callback.document_type and same.document_id = callback.document_id
      order by same.sequence offset 0
    ) other
    where callback.account_id = ${accountId} and callback.callback_id = any(${callbackIds}::bigint[])`;
}

/**
 * Queues callbacks again, behind all others of their documents. Rows that a worker is sending stay unchanged. Returns the
 * ids that changed. The callbacks are locked, so that neither a purge nor an erasure removes the content of one that is
 * being queued. Callbacks without their body stay as they are.
 */
export async function queueAgain(tx: Tx, accountId: number, callbackIds: number[]): Promise<number[]> {
  const rows = await tx<{ callbackId: number }[]>`
    insert into callback_delivery as queued
      (account_id, callback_id, receiver_id, document_type, document_id, sequence, due_at, attempts_before, give_up_at)
    select account_id, callback_id, receiver_id, document_type, document_id, sequence, 'infinity', tries,
      now() + make_interval(hours => ${giveUpAfterHours}::integer)
    from callback
    cross join lateral (
      select coalesce(max(attempt_no), 0) as tries from callback_attempt
      where account_id = ${accountId} and callback_id = callback.callback_id
    ) made
    where account_id = ${accountId} and callback_id = any(${callbackIds}::bigint[]) and body_erased_at is null
    order by callback_id for key share of callback
    on conflict (account_id, callback_id) do update set queued_at = excluded.queued_at, due_at = 'infinity', lease = null, attempts = 0,
      attempts_before = excluded.attempts_before, give_up_at = excluded.give_up_at
      where not (queued.lease is not null and queued.due_at > excluded.queued_at)
    returning callback_id as "callbackId"`;
  return rows.map((row) => row.callbackId);
}

export async function markPending(tx: Tx, accountId: number, callbackIds: number[]): Promise<void> {
  await tx`
    update callback set status = 'pending', updated_at = now()
    where account_id = ${accountId} and callback_id = any(${callbackIds}::bigint[])`;
}

/**
 * Makes the earliest callback of each document due; the others wait for it. Rows that a worker is sending stay
 * unchanged.
 */
export async function putInOrder(tx: Tx, accountId: number, callbackIds: number[]): Promise<void> {
  await tx`
    update callback_delivery delivery
    set lease = null, due_at = greatest(now(), ${infinityIfBehind(tx, accountId)})
    where account_id = ${accountId} and callback_id = any(array(${ofTheirDocuments(tx, accountId, callbackIds)}))
      and (lease is null or due_at <= now()) and (due_at = 'infinity' or ${isBehind(tx, accountId)})`;
}

/**
 * Closes the circuit of these receivers early: a redelivery request means that somebody considers the receiver worth an
 * attempt.
 */
export async function endWaitOfBroken(
  tx: Tx,
  accountId: number,
  callbackIds: number[],
  openAfterFailures: number,
): Promise<void> {
  await tx`
    update callback_receiver set open_until = null
    where account_id = ${accountId} and receiver_id = any(array(${theirReceivers(tx, accountId, callbackIds)}))
      and open_until is not null and failures >= ${openAfterFailures}::integer`;
}

export interface RedeliveryCounts {
  /** Number of the ids that exist and have their body. */
  count: number;
  /** Number of callbacks that are not sent yet because their receiver is paused or on hold. */
  held: number;
  /** Number of the others that wait until an earlier callback of their document has been delivered. */
  behind: number;
  /** Number of callbacks that cannot be sent again, because their body is erased. */
  erased: number;
}

export async function countRedelivery(tx: Tx, accountId: number, callbackIds: number[]): Promise<RedeliveryCounts> {
  const [row] = await tx<[RedeliveryCounts]>`
    select (count(*) filter (where body_erased_at is null))::integer as count,
      (count(*) filter (where is_held and body_erased_at is null))::integer as held,
      (count(*) filter (where is_behind and not is_held))::integer as behind,
      (count(*) filter (where body_erased_at is not null))::integer as erased
    from callback
    cross join lateral (
      select coalesce(paused or open_until > now(), false) as is_on_hold from callback_receiver
      where account_id = ${accountId} and receiver_id = callback.receiver_id offset 0
    ) receiver
    cross join lateral (
      select coalesce(is_on_hold and not bool_or(lease is not null and due_at > now()), false) as is_held,
        coalesce(bool_or(due_at = 'infinity'), false) as is_behind
      from callback_delivery where account_id = ${accountId} and callback_id = callback.callback_id
    ) queued
    where account_id = ${accountId} and callback_id = any(${callbackIds}::bigint[])`;
  return row;
}
