import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { DocumentType } from './callback.ts';
import { callbackChannel, giveUpAfterHours } from './owed-callback-queries.ts';
import type { ReceiverHealth } from './retry-schedule.ts';

/*
 * Lock order. A transaction that claims, releases or removes rows of the queue locks their receivers first: receivers in
 * the order of their ids, then rows of the queue in the order of theirs, then callbacks. Workers and redeliveries of one
 * receiver therefore run one after the other, and counts stay valid under the lock. A transaction that only adds a
 * callback locks no receiver, but the rows of its document that are already queued: there it meets a worker that is
 * finishing one of them.
 *
 * Plans are made once (see pipelined-connection.ts): rows are looked up by key, `offset 0` keeps a look-up per row from
 * becoming a join, and an `order by` that matches an index keeps PostgreSQL from scanning a million rows to find a few.
 */

/** A row of the queue: its own key and that of its document. */
export interface QueuedCallback {
  callbackId: number;
  accountId: number;
  receiverId: string;
  documentType: DocumentType;
  documentId: number;
}

export interface LockedReceiver extends ReceiverHealth {
  receiverId: string;
  /** The host within its account; the receivers at one host often fail together. */
  host: string;
  /** The last success was recorded recently. */
  isFresh: boolean;
}

/** Skips receivers that another worker has locked: one receiver that is locked for long must not hold up the others. */
export async function lockReceivers(tx: Tx, receiverIds: string[]): Promise<LockedReceiver[]> {
  return await tx<LockedReceiver[]>`
    select receiver_id as "receiverId", account_id || ' ' || substring(address from '^[^/]*//[^/]*') as host, failures, unsuccessful, greatest(extract(epoch from open_until - now()), 0)::float8 as "openForSeconds",
      last_success_at is not null as "hasSucceeded", coalesce(last_success_at > now() - interval '5 seconds', false) as "isFresh", paused
    from callback_receiver where receiver_id = any(${receiverIds}::uuid[])
    order by receiver_id for update skip locked`;
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
  return await tx<LockedDelivery[]>`
    select callback_id as "callbackId", lease, due_at > now() as "leaseRuns", attempts, attempts_before as "attemptsBefore"
    from callback_delivery
    where callback_id = any(${deliveries.map((one) => one.callbackId)}::bigint[] || array(${waitingBehind(tx, deliveries)}))
    order by callback_id for update`;
}

function waitingBehind(tx: Tx, deliveries: QueuedCallback[]) {
  return tx`
    select callback_id from callback_delivery behind
    where document_type = any(${distinct(deliveries.map((one) => one.documentType))}::text[])
      and document_id = any(${distinct(deliveries.map((one) => one.documentId))}::bigint[]) and due_at = 'infinity'`;
}

export interface LaneLoad {
  receiverId: string;
  /** Being sent by any worker. */
  inHand: number;
  /** Ready to be sent, counted up to `countMax`. */
  due: number;
}

/**
 * Runs after the receivers are locked, in a statement of its own, so that it sees what the previous lock holder wrote.
 */
export async function countLaneLoads(tx: Tx, receiverIds: string[], countMax: number): Promise<LaneLoad[]> {
  return await tx<LaneLoad[]>`
    select receiver_id as "receiverId", (
        select count(*)::integer from callback_delivery
        where receiver_id = lane.receiver_id and lease is not null and due_at > now()
      ) as "inHand", (
        select count(*)::integer from (
          select from callback_delivery where receiver_id = lane.receiver_id and due_at <= now() order by due_at limit ${countMax}::integer) due
      ) as due
    from unnest(${receiverIds}::uuid[]) as lane(receiver_id)`;
}

export interface OverdueDelivery extends QueuedCallback {
  attempts: number;
  attemptsBefore: number;
}

/**
 * Locks callbacks that have waited too long for these receivers, among the first that are due. A receiver that was
 * paused could not answer, so its full time starts again when it is resumed.
 */
export async function lockOverdue(tx: Tx, receiverIds: string[], countMax: number): Promise<OverdueDelivery[]> {
  return await tx<OverdueDelivery[]>`
    select ${camelColumns('callback_id, account_id, receiver_id, document_type, document_id, attempts, attempts_before')}
    from callback_delivery
    where callback_id = any(array(
      select callback_id from unnest(${receiverIds}::uuid[]) as lane(receiver_id)
      cross join lateral (
        select callback_id, give_up_at from callback_delivery where receiver_id = lane.receiver_id and due_at <= now()
        order by due_at, callback_id limit ${countMax}::integer
      ) due
      cross join lateral (
        select coalesce(resumed_at, '-infinity') as resumed_at from callback_receiver where receiver_id = lane.receiver_id offset 0
      ) receiver
      where give_up_at <= now() and resumed_at <= now() - make_interval(hours => ${giveUpAfterHours}::integer) limit ${countMax}::integer))
    order by callback_id for update skip locked`;
}

export interface DueLane {
  receiverId: string;
  dueInSeconds: number;
}

export const firstLane = '00000000-0000-0000-0000-000000000000';

/**
 * Receivers with queued callbacks whose ids come after `after`, and when their first callback may be sent. Takes one
 * index step per receiver, however long its queue is.
 */
export async function findLanes(sql: Sql | Tx, after: string, countMax: number): Promise<DueLane[]> {
  return await sql<DueLane[]>`
    with recursive lane as (
      (select receiver_id, 1 as place from callback_delivery where receiver_id > ${after}::uuid order by receiver_id limit 1)
      union all
      select following.receiver_id, place + 1 from lane
      cross join lateral (
        select receiver_id from callback_delivery where receiver_id > lane.receiver_id order by receiver_id limit 1
      ) following
      where place < ${countMax}::integer
    )
    select receiver_id as "receiverId",
      (case when paused then 'infinity' else extract(epoch from greatest(due_at, open_until)) end - extract(epoch from now()))::float8
        as "dueInSeconds"
    from lane
    cross join lateral (select due_at from callback_delivery where receiver_id = lane.receiver_id order by due_at limit 1) first
    cross join lateral (select paused, open_until from callback_receiver where receiver_id = lane.receiver_id offset 0) receiver`;
}

export interface ClaimedRow extends QueuedCallback {
  eventId: string;
  keyName: string;
  url: string;
  body: string;
  attempts: number;
  queuedForSeconds: number;
}

export interface Claim {
  receiverId: string;
  count: number;
}

export async function claimDeliveries(
  tx: Tx,
  claims: Claim[],
  lease: string,
  leaseSeconds: number,
): Promise<ClaimedRow[]> {
  return await tx<ClaimedRow[]>`
    with claimed as (
      update callback_delivery set lease = ${lease}::uuid, due_at = now() + make_interval(secs => ${leaseSeconds}::float8)
      where callback_id = any(array(
        select callback_id from unnest(${claims.map((one) => one.receiverId)}::uuid[], ${claims.map((one) => one.count)}::integer[])
          as lane(receiver_id, count)
        cross join lateral (
          select callback_id from callback_delivery where receiver_id = lane.receiver_id and due_at <= now()
          order by due_at, callback_id limit lane.count for update skip locked
        ) due))
      returning callback_id, account_id, receiver_id, document_type, document_id, attempts, queued_at
    )
    select ${camelColumns('callback_id, account_id, receiver_id, document_type, document_id, attempts')},
      extract(epoch from now() - queued_at)::float8 as "queuedForSeconds",
      ${camelColumns('event_id, key_name, url, body')}
    from claimed
    cross join lateral (select event_id, key_name, url, body from callback where callback_id = claimed.callback_id offset 0) content`;
}

export interface AttemptRow {
  callbackId: number;
  accountId: number;
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
  await tx`
    insert into callback_attempt (callback_id, account_id, attempt_no, at, duration_ms, http_status, error, address, response)
    select callback_id, account_id, attempt_no, now() - make_interval(secs => ago_ms / 1000.0), duration_ms, http_status, error, address, response
    from ${attemptRows.given(attempts)}`;
}

/** Extends the leases of callbacks that are still being sent. A lease that has expired belongs to another worker. */
export async function renewLeases(
  tx: Tx,
  inHand: { callbackId: number; lease: string }[],
  leaseSeconds: number,
): Promise<void> {
  await tx`
    update callback_delivery set due_at = now() + make_interval(secs => ${leaseSeconds}::float8)
    where callback_id = any(${inHand.map((one) => one.callbackId)}::bigint[]) and lease = any(${distinct(inHand.map((one) => one.lease))}::uuid[])
      and due_at > now()`;
}

/** The only function that removes rows from the queue; it sets the status of the callbacks at the same time. */
export function endDeliveries(tx: Tx, callbackIds: number[], status: 'delivered' | 'failed'): Promise<unknown> {
  return Promise.all([
    tx`delete from callback_delivery where callback_id = any(${callbackIds}::bigint[])`,
    tx`update callback set status = ${status}, updated_at = now() where callback_id = any(${callbackIds}::bigint[])`,
  ]);
}

export interface LaterDelivery {
  callbackId: number;
  afterMs: number;
  attempts: number;
}

/**
 * Releases the rows and makes them due later, or puts them behind an earlier callback of their document that has been
 * queued again meanwhile.
 */
export async function postponeDeliveries(tx: Tx, deliveries: LaterDelivery[]): Promise<void> {
  const sorted = deliveries.toSorted((a, b) => a.callbackId - b.callbackId);
  const ids = sorted.map((one) => one.callbackId);
  await tx`
    update callback_delivery delivery set lease = null,
      attempts = attempts + (${sorted.map((one) => one.attempts)}::integer[])[width_bucket(callback_id, ${ids}::bigint[])],
      due_at = case when ${isBehind(tx)} then 'infinity'
        else now() + make_interval(secs => (${sorted.map((one) => one.afterMs)}::bigint[])[width_bucket(callback_id, ${ids}::bigint[])] / 1000.0) end
    where callback_id = any(${ids}::bigint[])`;
}

/** Whether an earlier callback of the same document as `delivery` is queued. */
function isBehind(tx: Tx) {
  return tx`(delivery.sequence > 1 and exists (
    select from callback earlier
    cross join lateral (select from callback_delivery where callback_id = earlier.callback_id offset 0) queued
    where earlier.document_type = delivery.document_type and earlier.document_id = delivery.document_id
      and earlier.sequence < delivery.sequence offset 0))`;
}

/** Makes callbacks due that waited for these and have no other callback before them. Returns their receivers. */
export async function unblockDeliveries(tx: Tx, gone: QueuedCallback[]): Promise<string[]> {
  const rows = await tx<{ receiverId: string }[]>`
    update callback_delivery delivery set due_at = now()
    where callback_id = any(array(${waitingBehind(tx, gone)})) and not ${isBehind(tx)}
    returning receiver_id as "receiverId"`;
  return distinct(rows.map((row) => row.receiverId));
}

export interface ReceiverNews extends LockedReceiver {
  succeeded: boolean;
  failed: boolean;
}

export async function saveHealth(tx: Tx, receivers: ReceiverNews[]): Promise<void> {
  const sorted = receivers.toSorted((a, b) => (a.receiverId < b.receiverId ? -1 : 1));
  const ids = sorted.map((one) => one.receiverId);
  const place = tx`width_bucket(receiver_id, ${ids}::uuid[])`;
  await tx`
    update callback_receiver set failures = (${sorted.map((one) => one.failures)}::integer[])[${place}],
      unsuccessful = (${sorted.map((one) => one.unsuccessful)}::integer[])[${place}],
      open_until = now() + make_interval(secs =>
        nullif((${sorted.map((one) => Math.ceil(one.openForSeconds * 1000))}::bigint[])[${place}], 0) / 1000.0),
      last_success_at = case when (${sorted.map((one) => String(one.succeeded))}::boolean[])[${place}] then now() else last_success_at end,
      last_failure_at = case when (${sorted.map((one) => String(one.failed))}::boolean[])[${place}] then now() else last_failure_at end
    where receiver_id = any(${ids}::uuid[])`;
}

/**
 * Locks the receivers of these callbacks, then the queued rows of their documents, so that no other transaction changes
 * or adds any until this one ends.
 */
export async function lockForRedelivery(tx: Tx, callbackIds: number[]): Promise<void> {
  await tx`
    select from callback_receiver
    where receiver_id = any(array(select distinct receiver_id from callback where callback_id = any(${callbackIds}::bigint[])))
    order by receiver_id for update`;
  await tx`
    select from callback_delivery where callback_id = any(array(${ofTheirDocuments(tx, callbackIds)}))
    order by callback_id for update`;
}

function ofTheirDocuments(tx: Tx, callbackIds: number[]) {
  return tx`
    select other.callback_id from callback
    cross join lateral (
      select callback_id from callback same where same.document_type = callback.document_type and same.document_id = callback.document_id offset 0
    ) other
    where callback.callback_id = any(${callbackIds}::bigint[])`;
}

/**
 * Queues callbacks again, behind all others of their documents. Rows that a worker is sending stay unchanged. Returns the
 * ids that changed. The callbacks are locked, so that a purge cannot delete the content of one that is being queued.
 */
export async function queueAgain(tx: Tx, callbackIds: number[]): Promise<number[]> {
  const rows = await tx<{ callbackId: number }[]>`
    insert into callback_delivery as queued
      (callback_id, account_id, receiver_id, document_type, document_id, sequence, due_at, attempts_before, give_up_at)
    select callback_id, account_id, receiver_id, document_type, document_id, sequence, 'infinity', tries, ${giveUpAt(tx)}
    from callback
    cross join lateral (
      select coalesce(max(attempt_no), 0) as tries from callback_attempt where callback_id = callback.callback_id
    ) made
    where callback_id = any(${callbackIds}::bigint[])
    order by callback_id for key share of callback
    on conflict (callback_id) do update set queued_at = now(), due_at = 'infinity', lease = null, attempts = 0,
      attempts_before = excluded.attempts_before, give_up_at = excluded.give_up_at
      where not (queued.lease is not null and queued.due_at > now())
    returning callback_id as "callbackId"`;
  return rows.map((row) => row.callbackId);
}

function giveUpAt(tx: Tx) {
  return tx`now() + make_interval(hours => ${giveUpAfterHours}::integer)`;
}

export async function markPending(tx: Tx, callbackIds: number[]): Promise<void> {
  await tx`update callback set status = 'pending', updated_at = now() where callback_id = any(${callbackIds}::bigint[])`;
}

/**
 * Makes the earliest callback of each document due; the others wait for it. Rows that a worker is sending stay
 * unchanged.
 */
export async function putInOrder(tx: Tx, callbackIds: number[]): Promise<void> {
  await tx`
    update callback_delivery delivery set lease = null, due_at = case when ${isBehind(tx)} then 'infinity'::timestamptz else now() end
    where callback_id = any(array(${ofTheirDocuments(tx, callbackIds)})) and (lease is null or due_at <= now())
      and (due_at = 'infinity' or ${isBehind(tx)})`;
}

/**
 * Closes the circuit of these receivers early: a redelivery request means that somebody considers the receiver worth an
 * attempt.
 */
export async function endWaitOfBroken(tx: Tx, callbackIds: number[], openAfterFailures: number): Promise<void> {
  await tx`
    update callback_receiver set open_until = null
    where receiver_id = any(array(select distinct receiver_id from callback where callback_id = any(${callbackIds}::bigint[])))
      and open_until is not null and failures >= ${openAfterFailures}::integer`;
}

export interface RedeliveryCounts {
  /** Number of the ids that exist. */
  count: number;
  /** Number of callbacks that are not sent yet because their receiver is paused or on hold. */
  held: number;
  /** Number of the others that wait until an earlier callback of their document has been delivered. */
  behind: number;
}

export async function countRedelivery(tx: Tx, callbackIds: number[]): Promise<RedeliveryCounts> {
  const [row] = await tx<[RedeliveryCounts]>`
    select count(*)::integer as count, (count(*) filter (where is_held))::integer as held,
      (count(*) filter (where is_behind and not is_held))::integer as behind
    from callback
    cross join lateral (
      select coalesce(paused or open_until > now(), false) as is_on_hold from callback_receiver where receiver_id = callback.receiver_id offset 0
    ) receiver
    cross join lateral (
      select coalesce(is_on_hold and not bool_or(lease is not null and due_at > now()), false) as is_held,
        coalesce(bool_or(due_at = 'infinity'), false) as is_behind
      from callback_delivery where callback_id = callback.callback_id
    ) queued
    where callback_id = any(${callbackIds}::bigint[])`;
  return row;
}

/** The notification is empty, so the workers check all receivers. */
export async function wakeAllWorkers(tx: Tx): Promise<void> {
  await tx`select pg_notify(${callbackChannel}, '')`;
}

const undeliveredLookedAtMax = 1000;

/** Age of the oldest queued callback, judged by id: only 1,000 rows are read. 0: the queue is empty. */
export async function oldestUndeliveredSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ seconds: number }]>`
    select coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as seconds
    from (select queued_at from callback_delivery order by callback_id limit ${undeliveredLookedAtMax}::integer) oldest`;
  return row.seconds;
}

const lanesLookedAtMax = 1000;

/** How long the first due callback for a responsive receiver has waited for a worker. 0: none waits. */
export async function longestDueSeconds(sql: Sql): Promise<number> {
  const lanes = await findLanes(sql, firstLane, lanesLookedAtMax);
  const due = lanes.filter((lane) => lane.dueInSeconds < 0);
  const healthy = await sql<{ receiverId: string }[]>`
    select receiver_id as "receiverId" from callback_receiver
    where receiver_id = any(${due.map((lane) => lane.receiverId)}::uuid[]) and failures = 0 and last_success_at is not null`;
  const isHealthy = new Set(healthy.map((row) => row.receiverId));
  return Math.max(0, ...due.map((lane) => (isHealthy.has(lane.receiverId) ? -lane.dueInSeconds : 0)));
}
