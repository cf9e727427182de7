import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { fromNow } from '../../platform/postgres/from-now.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackKey, DocumentType, Lane } from './callback.ts';
import { giveUpAfterHours, infinityIfBehind, isBehind } from './owed-callback-queries.ts';
import type { ReceiverHealth } from './retry-schedule.ts';

/*
 * Lock order. A transaction that claims, releases or removes rows of the queue locks their receivers first: receivers in
 * the order of account and id, then rows of the queue in the order of account and id, then callbacks. Workers and
 * redeliveries of one receiver therefore run one after the other, and counts stay valid under the lock. A transaction
 * that only adds a callback locks no receiver, but the rows of its document that are already queued: there it meets a
 * worker that is finishing one of them.
 *
 * A turn of a worker is about receivers of many accounts, and every statement names one account: `perAccount` sends one
 * for each, in the order of the accounts.
 *
 * Plans are made once (see pipelined-connection.ts): rows are looked up by key, `offset 0` keeps a look-up per row from
 * becoming a join, and an `order by` that matches an index keeps PostgreSQL from scanning a million rows to find a few.
 */

/** A row of the queue: its own key and that of its document. */
export interface QueuedCallback extends CallbackKey, Lane {
  documentType: DocumentType;
  documentId: number;
}

export interface LockedReceiver extends ReceiverHealth, Lane {
  /** The host within its account; the receivers at one host often fail together. */
  host: string;
  /** The last success was recorded recently. */
  isFresh: boolean;
}

/** Skips receivers that another worker has locked: one receiver that is locked for long must not hold up the others. */
export async function lockReceivers(tx: Tx, lanes: Lane[]): Promise<LockedReceiver[]> {
  return await perAccount(
    lanes,
    (accountId, own) => tx<LockedReceiver[]>`
      select ${camelColumns('account_id, receiver_id')}, account_id || ' ' || substring(address from '^[^/]*//[^/]*') as host, failures, unsuccessful,
        greatest(extract(epoch from open_until - now()), 0)::float8 as "openForSeconds",
        last_success_at is not null as "hasSucceeded", coalesce(last_success_at > now() - interval '5 seconds', false) as "isFresh", paused
      from callback_receiver where account_id = ${accountId} and receiver_id = any(${receiverIdsOf(own)}::uuid[])
      order by receiver_id for update skip locked`,
  );
}

function receiverIdsOf(lanes: Lane[]): string[] {
  return lanes.map((lane) => lane.receiverId);
}

function callbackIdsOf(callbacks: CallbackKey[]): number[] {
  return callbacks.map((callback) => callback.callbackId);
}

export interface LockedDelivery {
  callbackId: number;
  lease: string | null;
  leaseRuns: boolean;
  attempts: number;
  attemptsBefore: number;
}

/** Locks these rows and the rows that wait behind them, because a result recorded now may make those due. */
export async function lockDeliveries(tx: Tx, deliveries: QueuedCallback[]): Promise<LockedDelivery[]> {
  return await perAccount(
    deliveries,
    (accountId, own) => tx<LockedDelivery[]>`
      select callback_id as "callbackId", lease, due_at > now() as "leaseRuns", attempts, attempts_before as "attemptsBefore"
      from callback_delivery
      where account_id = ${accountId}
        and callback_id = any(${callbackIdsOf(own)}::bigint[] || array(${waitingBehind(tx, accountId, own)}))
      order by callback_id for update`,
  );
}

function waitingBehind(tx: Tx, accountId: number, deliveries: QueuedCallback[]) {
  return tx`
    select callback_id from callback_delivery behind
    where account_id = ${accountId} and document_type = any(${distinct(deliveries.map((one) => one.documentType))}::text[])
      and document_id = any(${distinct(deliveries.map((one) => one.documentId))}::bigint[]) and due_at = 'infinity'`;
}

export interface LaneLoad extends Lane {
  /** Being sent by any worker. */
  inHand: number;
  /** Ready to be sent, counted up to `countMax`. */
  due: number;
}

/**
 * Runs after the receivers are locked, in a statement of its own, so that it sees what the previous lock holder wrote.
 */
export async function countLaneLoads(tx: Tx, lanes: Lane[], countMax: number): Promise<LaneLoad[]> {
  return await perAccount(
    lanes,
    (accountId, own) => tx<LaneLoad[]>`
      select ${accountId}::bigint as "accountId", receiver_id as "receiverId", (
          select count(*)::integer from callback_delivery
          where account_id = ${accountId} and receiver_id = lane.receiver_id and lease is not null and due_at > now()
        ) as "inHand", (
          select count(*)::integer from (
            select from callback_delivery where account_id = ${accountId} and receiver_id = lane.receiver_id and due_at <= now()
            order by due_at limit ${countMax}::integer) due
        ) as due
      from unnest(${receiverIdsOf(own)}::uuid[]) as lane(receiver_id)`,
  );
}

export interface OverdueDelivery extends QueuedCallback {
  attempts: number;
  attemptsBefore: number;
}

/**
 * Locks callbacks that have waited too long for these receivers, among the first that are due. A receiver that was
 * paused could not answer, so its full time starts again when it is resumed.
 */
export async function lockOverdue(tx: Tx, lanes: Lane[], countMax: number): Promise<OverdueDelivery[]> {
  return await perAccount(
    lanes,
    (accountId, own) => tx<OverdueDelivery[]>`
      select ${camelColumns('callback_id, account_id, receiver_id, document_type, document_id, attempts, attempts_before')}
      from callback_delivery
      where account_id = ${accountId} and callback_id = any(array(
        select callback_id from unnest(${receiverIdsOf(own)}::uuid[]) as lane(receiver_id)
        cross join lateral (
          select callback_id, give_up_at from callback_delivery
          where account_id = ${accountId} and receiver_id = lane.receiver_id and due_at <= now()
          order by due_at, callback_id limit ${countMax}::integer
        ) due
        cross join lateral (
          select coalesce(resumed_at, '-infinity') as resumed_at from callback_receiver
          where account_id = ${accountId} and receiver_id = lane.receiver_id offset 0
        ) receiver
        where give_up_at <= now() and resumed_at <= now() - make_interval(hours => ${giveUpAfterHours}::integer) limit ${countMax}::integer))
      order by callback_id for update skip locked`,
  );
}

export interface ClaimedRow extends QueuedCallback {
  eventId: string;
  keyName: string;
  url: string;
  body: string;
  /** The trace of the change that the callback reports; null if that change was not traced. */
  traceparent: string | null;
  attempts: number;
  queuedForSeconds: number;
}

export interface Claim extends Lane {
  count: number;
}

export async function claimDeliveries(
  tx: Tx,
  claims: Claim[],
  lease: string,
  leaseSeconds: number,
): Promise<ClaimedRow[]> {
  return await perAccount(
    claims,
    (accountId, own) => tx<ClaimedRow[]>`
      with claimed as (
        update callback_delivery set lease = ${lease}::uuid, due_at = now() + make_interval(secs => ${leaseSeconds}::float8)
        where account_id = ${accountId} and callback_id = any(array(
          select callback_id from unnest(${receiverIdsOf(own)}::uuid[], ${own.map((one) => one.count)}::integer[]) as lane(receiver_id, count)
          cross join lateral (
            select callback_id from callback_delivery where account_id = ${accountId} and receiver_id = lane.receiver_id and due_at <= now()
            order by due_at, callback_id limit lane.count for update skip locked
          ) due))
        returning callback_id, account_id, receiver_id, document_type, document_id, attempts, queued_at
      )
      select ${camelColumns('callback_id, account_id, receiver_id, document_type, document_id, attempts')},
        extract(epoch from now() - queued_at)::float8 as "queuedForSeconds",
        ${camelColumns('event_id, key_name, url, body, traceparent')}
      from claimed
      cross join lateral (
        select event_id, key_name, url, body, traceparent from callback where account_id = ${accountId} and callback_id = claimed.callback_id offset 0
      ) content`,
  );
}

export interface AttemptRow extends CallbackKey {
  attemptNo: number;
  agoMs: number;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  address: string | null;
  response: string | null;
}

const attemptRows = rowParameters<AttemptRow>({
  callback_id: ['bigint', (attempt) => attempt.callbackId],
  account_id: ['bigint', (attempt) => attempt.accountId],
  attempt_no: ['integer', (attempt) => attempt.attemptNo],
  ago_ms: ['bigint', (attempt) => attempt.agoMs],
  duration_ms: ['integer', (attempt) => attempt.durationMs],
  http_status: ['smallint', (attempt) => attempt.httpStatus],
  error: ['text', (attempt) => attempt.error],
  address: ['text', (attempt) => attempt.address],
  response: ['text', (attempt) => attempt.response],
});

export async function insertAttempts(tx: Tx, attempts: AttemptRow[]): Promise<void> {
  await perAccount(
    attempts,
    (_, own) => tx`
      insert into callback_attempt (account_id, callback_id, attempt_no, at, duration_ms, http_status, error, address, response)
      select account_id, callback_id, attempt_no, now() - make_interval(secs => ago_ms / 1000.0), duration_ms, http_status, error, address, response
      from ${attemptRows.given(own)}`,
  );
}

/** Extends the leases of callbacks that are still being sent. A lease that has expired belongs to another worker. */
export async function renewLeases(
  tx: Tx,
  inHand: (CallbackKey & { lease: string })[],
  leaseSeconds: number,
): Promise<void> {
  await perAccount(
    inHand,
    (accountId, own) => tx`
      update callback_delivery set due_at = now() + make_interval(secs => ${leaseSeconds}::float8)
      where account_id = ${accountId} and callback_id = any(${callbackIdsOf(own)}::bigint[])
        and lease = any(${distinct(own.map((one) => one.lease))}::uuid[]) and due_at > now()`,
  );
}

/** The only function that removes rows from the queue; it sets the status of the callbacks at the same time. */
export async function endDeliveries(tx: Tx, callbacks: CallbackKey[], status: 'delivered' | 'failed'): Promise<void> {
  await perAccount(callbacks, (accountId, own) => {
    const ended = tx`account_id = ${accountId} and callback_id = any(${callbackIdsOf(own)}::bigint[])`;
    return tx`
      with removed as (delete from callback_delivery where ${ended})
      update callback set status = ${status}, updated_at = now() where ${ended}`;
  });
}

export interface LaterDelivery extends CallbackKey {
  afterMs: number;
  attempts: number;
}

/**
 * Releases the rows and makes them due later, or puts them behind an earlier callback of their document that has been
 * queued again meanwhile.
 */
export async function postponeDeliveries(tx: Tx, deliveries: LaterDelivery[]): Promise<void> {
  await perAccount(deliveries, (accountId, own) => {
    const sorted = own.toSorted((a, b) => a.callbackId - b.callbackId);
    const place = tx`width_bucket(callback_id, ${callbackIdsOf(sorted)}::bigint[])`;
    return tx`
      update callback_delivery delivery set lease = null,
        attempts = attempts + (${sorted.map((one) => one.attempts)}::integer[])[${place}],
        due_at = greatest(${infinityIfBehind(tx, accountId)},
          ${fromNow(tx`make_interval(secs => (${sorted.map((one) => one.afterMs)}::bigint[])[${place}] / 1000.0)`)})
      where account_id = ${accountId} and callback_id = any(${callbackIdsOf(sorted)}::bigint[])`;
  });
}

/** Makes callbacks due that waited for these and have no other callback before them. Returns their lanes. */
export async function unblockDeliveries(tx: Tx, gone: QueuedCallback[]): Promise<Lane[]> {
  return await perAccount(
    gone,
    (accountId, own) => tx<Lane[]>`
      update callback_delivery delivery set due_at = now()
      where account_id = ${accountId} and callback_id = any(array(${waitingBehind(tx, accountId, own)})) and not ${isBehind(tx, accountId)}
      returning ${camelColumns('account_id, receiver_id')}`,
  );
}

export interface ReceiverNews extends LockedReceiver {
  succeeded: boolean;
  failed: boolean;
}

export async function saveHealth(tx: Tx, receivers: ReceiverNews[]): Promise<void> {
  await perAccount(receivers, (accountId, own) => {
    const sorted = own.toSorted((a, b) => (a.receiverId < b.receiverId ? -1 : 1));
    const place = tx`width_bucket(receiver_id, ${receiverIdsOf(sorted)}::uuid[])`;
    const openFor = tx`make_interval(secs =>
      nullif((${sorted.map((one) => Math.ceil(one.openForSeconds * 1000))}::bigint[])[${place}], 0) / 1000.0)`;
    return tx`
      update callback_receiver set failures = coalesce((${sorted.map((one) => one.failures)}::integer[])[${place}]),
        unsuccessful = coalesce((${sorted.map((one) => one.unsuccessful)}::integer[])[${place}]),
        open_until = ${fromNow(openFor)},
        last_success_at = greatest((array[last_success_at, now()])[(${sorted.map((one) => (one.succeeded ? 2 : 1))}::integer[])[${place}]]),
        last_failure_at = greatest((array[last_failure_at, now()])[(${sorted.map((one) => (one.failed ? 2 : 1))}::integer[])[${place}]])
      where account_id = ${accountId} and receiver_id = any(${receiverIdsOf(sorted)}::uuid[])`;
  });
}
