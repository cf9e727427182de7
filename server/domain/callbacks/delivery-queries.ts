import type { Sql, Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { DocumentType } from './callback.ts';
import { callbackChannel, giveUpAfterHours } from './owed-callback-queries.ts';
import type { ReceiverHealth } from './retry-schedule.ts';

/*
 * The order of locks. Whoever takes a row of the queue in hand, puts it back or removes it has its receiver locked before: receivers in the
 * order of their ids, then rows of the queue in the order of theirs, then callbacks. So workers and redeliveries of one receiver come one
 * after the other, and what is counted under the lock stays so. Who only adds a callback locks no receiver, but the rows of its document that
 * are queued already: there it meets a worker that is just done with one of them.
 *
 * Plans are made once (see session.ts): rows are looked up by key, `offset 0` keeps a look-up for each row from becoming a join, and an order
 * that only the index has keeps a few rows from being gathered out of a million.
 */

/** A row of the queue, by its own key and by its document's. */
export interface QueuedCallback {
  callbackId: number;
  accountId: number;
  receiverId: string;
  documentType: DocumentType;
  documentId: number;
}

export interface LockedReceiver extends ReceiverHealth {
  receiverId: string;
  /** Of its account; receivers there may well fail together. */
  host: string;
  /** It was written down lately that it answers. */
  isFresh: boolean;
}

/** Those that somebody else has locked are passed by: one that is held for long must not hold up the others. */
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

/** These, and what waits behind them: it may become due with what is decided now. */
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
  /** Sent by some worker just now. */
  inHand: number;
  /** Could be sent, as far as more than `countMax` make no difference. */
  due: number;
}

/** After the receivers are locked, in a statement of its own: then it sees what the last one who had the lock has done. */
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
 * What has waited for these receivers for too long, as far as it is due and among the first. While a receiver was paused it could not answer: it has
 * the whole time again from then on.
 */
export async function lockOverdue(tx: Tx, receiverIds: string[], countMax: number): Promise<OverdueDelivery[]> {
  return await tx<OverdueDelivery[]>`
    select callback_id as "callbackId", account_id as "accountId", receiver_id as "receiverId", document_type as "documentType",
      document_id as "documentId", attempts, attempts_before as "attemptsBefore"
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

/** Who has callbacks queued, behind `after` in the order of ids, and when the first may be sent: a step per receiver, however long its queue. */
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

export async function claimDeliveries(tx: Tx, claims: Claim[], lease: string, leaseSeconds: number): Promise<ClaimedRow[]> {
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
    select callback_id as "callbackId", account_id as "accountId", receiver_id as "receiverId", document_type as "documentType",
      document_id as "documentId", attempts, extract(epoch from now() - queued_at)::float8 as "queuedForSeconds",
      event_id as "eventId", key_name as "keyName", url, body
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

export async function insertAttempts(tx: Tx, attempts: AttemptRow[]): Promise<void> {
  const column = <T>(read: (attempt: AttemptRow) => T) => attempts.map(read);
  await tx`
    insert into callback_attempt (callback_id, account_id, attempt_no, at, duration_ms, http_status, error, address, response)
    select callback_id, account_id, attempt_no, now() - make_interval(secs => ago_ms / 1000.0), duration_ms, http_status, error, address, response
    from unnest(${column((one) => one.callbackId)}::bigint[], ${column((one) => one.accountId)}::bigint[],
      ${column((one) => one.attemptNo)}::integer[], ${column((one) => one.agoMs)}::bigint[], ${column((one) => one.durationMs)}::integer[],
      ${column((one) => one.httpStatus)}::smallint[], ${column((one) => one.error)}::text[], ${column((one) => one.address)}::text[],
      ${column((one) => one.response)}::text[])
      as given(callback_id, account_id, attempt_no, ago_ms, duration_ms, http_status, error, address, response)`;
}

/** For the workers that are still at it. What has ended meanwhile is somebody else's. */
export async function renewLeases(tx: Tx, inHand: { callbackId: number; lease: string }[], leaseSeconds: number): Promise<void> {
  await tx`
    update callback_delivery set due_at = now() + make_interval(secs => ${leaseSeconds}::float8)
    where callback_id = any(${inHand.map((one) => one.callbackId)}::bigint[]) and lease = any(${distinct(inHand.map((one) => one.lease))}::uuid[])
      and due_at > now()`;
}

/** The one door out of the queue: with it goes the callback's status. */
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

/** Out of hand, and due later; or behind an earlier callback of its document that was put into the queue again meanwhile. */
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

/** What waited behind these and has no other before it is due now. Returns whose it is. */
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

/** The receivers of these callbacks, then the queued rows of their documents: nobody else changes or adds any until this transaction ends. */
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
 * Into the queue, behind everything for now; what a worker has in hand stays as it is. Returns which have changed. (The callbacks are held
 * meanwhile: one that is just being purged must not be queued without its content.)
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

/** The earliest of each of their documents is due, the others wait behind it; what a worker has in hand stays as it is. */
export async function putInOrder(tx: Tx, callbackIds: number[]): Promise<void> {
  await tx`
    update callback_delivery delivery set lease = null, due_at = case when ${isBehind(tx)} then 'infinity'::timestamptz else now() end
    where callback_id = any(array(${ofTheirDocuments(tx, callbackIds)})) and (lease is null or due_at <= now())
      and (due_at = 'infinity' or ${isBehind(tx)})`;
}

/** Whoever asks for a redelivery thinks that the receiver is worth a try: the next one need not wait until the circuit closes by itself. */
export async function endWaitOfBroken(tx: Tx, callbackIds: number[], openAfterFailures: number): Promise<void> {
  await tx`
    update callback_receiver set open_until = null
    where receiver_id = any(array(select distinct receiver_id from callback where callback_id = any(${callbackIds}::bigint[])))
      and open_until is not null and failures >= ${openAfterFailures}::integer`;
}

export interface RedeliveryCounts {
  /** How many of the callbacks there are. */
  count: number;
  /** So many of them are not sent yet, because their receiver is paused or on hold. */
  held: number;
  /** So many of the others wait until an earlier callback of their document has arrived. */
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

/** Nothing is named: the workers look at everything. */
export async function wakeAllWorkers(tx: Tx): Promise<void> {
  await tx`select pg_notify(${callbackChannel}, '')`;
}

const undeliveredLookedAtMax = 1000;

/** For how long the oldest callback has been queued, as far as ids tell what is old: 1,000 rows are looked at. 0: the queue is empty. */
export async function oldestUndeliveredSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ seconds: number }]>`
    select coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as seconds
    from (select queued_at from callback_delivery order by callback_id limit ${undeliveredLookedAtMax}::integer) oldest`;
  return row.seconds;
}

const lanesLookedAtMax = 1000;

/** For how long the first callback for a receiver that answers has waited for a worker. 0: none does. */
export async function longestDueSeconds(sql: Sql): Promise<number> {
  const lanes = await findLanes(sql, firstLane, lanesLookedAtMax);
  const due = lanes.filter((lane) => lane.dueInSeconds < 0);
  const healthy = await sql<{ receiverId: string }[]>`
    select receiver_id as "receiverId" from callback_receiver
    where receiver_id = any(${due.map((lane) => lane.receiverId)}::uuid[]) and failures = 0 and last_success_at is not null`;
  const isHealthy = new Set(healthy.map((row) => row.receiverId));
  return Math.max(0, ...due.map((lane) => (isHealthy.has(lane.receiverId) ? -lane.dueInSeconds : 0)));
}
