import { distinct } from '../../platform/distinct.ts';
import { groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { currentTraceparent } from '../../platform/tracing/span.ts';
import { type CallbackTarget, type DocumentType, type Lane, laneName, type OwedCallback } from './callback.ts';

/**
 * Workers listen on this channel. The payload is a list of lanes that have new callbacks, or of accounts if those are
 * many lanes, or empty if those are many accounts.
 */
export const callbackChannel = 'lading_callback';
const namedMax = 100;
/** Callbacks are given up if the receiver has not answered for this long. All attempts take 27 h 35 min plus jitter. */
export const giveUpAfterHours = 31;
/** Nobody waits for a test for long. Four attempts take 36 minutes. */
const testGivenUpAfterHours = 1;

export interface NewTarget extends CallbackTarget {
  accountId: number;
  type: DocumentType;
  documentId: number;
  callbackCount: number;
}

const targetRows = rowParameters<NewTarget>({
  account_id: ['bigint', (target) => target.accountId],
  document_type: ['text', (target) => target.type],
  document_id: ['bigint', (target) => target.documentId],
  key_name: ['text', (target) => target.keyName],
  url: ['text', (target) => target.url],
  callback_count: ['integer', (target) => target.callbackCount],
});

/** Stores where the callbacks of these documents are sent from now on, and how many there have been. */
export async function keepCallbackTargets(tx: Tx, targets: NewTarget[]): Promise<void> {
  await perAccount(
    targets,
    (_, own) => tx`
      insert into callback_target (account_id, document_type, document_id, key_name, url, callback_count)
      select * from ${targetRows.unnest(own)}
      on conflict (account_id, document_type, document_id) do update
        set key_name = excluded.key_name, url = excluded.url, callback_count = excluded.callback_count`,
  );
}

/**
 * Stores callbacks and queues them in the transaction that they report on. A callback that is not the first of its
 * document waits for the earlier ones. Their rows in the queue are locked: a worker that is finishing one of them either
 * commits first, and this callback need not wait, or finds this callback and starts it.
 */
export function oweCallbacks(tx: Tx, owed: OwedCallback[]): Promise<unknown>[] {
  return [
    ...groupByAccount(owed).flatMap(([accountId, own]) => oweCallbacksOf(tx, accountId, own)),
    wakeWorkers(tx, owed),
  ];
}

function oweCallbacksOf(tx: Tx, accountId: number, owed: OwedCallback[]): Promise<unknown>[] {
  const sorted = owed.toSorted((a, b) => (a.receiverId < b.receiverId ? -1 : 1));
  const later = sorted.filter(({ event }) => event.sequence > 1);
  return [
    ...(later.length > 0 ? [lockEarlier(tx, accountId, later)] : []),
    keepCallbackTargets(tx, lastOfDocuments(sorted).map(targetOf)),
    insertReceivers(tx, accountId, sorted),
    insertCallbacks(tx, accountId, sorted),
    queueCallbacks(tx, accountId, sorted),
  ];
}

/** Stores a test and queues it. It belongs to no document, so no target is stored. */
export function oweTest(tx: Tx, test: OwedCallback): Promise<unknown>[] {
  const { accountId } = test;
  return [
    insertReceivers(tx, accountId, [test]),
    insertCallbacks(tx, accountId, [test]),
    queueCallbacks(tx, accountId, [test]),
    wakeWorkers(tx, [test]),
  ];
}

/** Several callbacks of a document may be owed at once. */
function lastOfDocuments(owed: OwedCallback[]): OwedCallback[] {
  const bySequence = owed.toSorted((a, b) => a.event.sequence - b.event.sequence);
  return [...new Map(bySequence.map((one) => [documentText(one), one])).values()];
}

function documentText({ event: { document } }: OwedCallback): string {
  return `${document.type}/${document.documentId}`;
}

/** The events whose document has an earlier one among those that are owed now; their rows are not in the queue yet. */
function behindOthers(owed: OwedCallback[]): string[] {
  const firsts = new Map<string, number>();
  for (const one of owed) {
    const name = documentText(one);
    firsts.set(name, Math.min(one.event.sequence, firsts.get(name) ?? one.event.sequence));
  }
  return owed.flatMap((one) => (one.event.sequence > firsts.get(documentText(one))! ? [one.event.eventId] : []));
}

function targetOf({ accountId, keyName, url, event: { sequence, document } }: OwedCallback): NewTarget {
  const { type, documentId } = document;
  return { accountId, type, documentId, keyName, url, callbackCount: sequence };
}

async function lockEarlier(tx: Tx, accountId: number, owed: OwedCallback[]): Promise<void> {
  await tx`
    select from callback_delivery where account_id = ${accountId} and callback_id = any(array(
      select callback_id from callback where account_id = ${accountId}
        and document_type = any(${owed.map(({ event }) => event.document.type)})
        and document_id = any(${owed.map(({ event }) => event.document.documentId)})))
    order by callback_id for update`;
}

const receiverRows = rowParameters<OwedCallback>({
  receiver_id: ['uuid', (callback) => callback.receiverId],
  address: ['text', (callback) => callback.receiverAddress],
});

async function insertReceivers(tx: Tx, accountId: number, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback_receiver (account_id, receiver_id, address)
    select distinct on (receiver_id) ${accountId}::bigint, receiver_id, address
    from ${receiverRows.given(owed)}
    order by receiver_id
    on conflict do nothing`;
}

const callbackRows = rowParameters<OwedCallback>({
  event_id: ['uuid', ({ event }) => event.eventId],
  event: ['text', ({ event }) => event.event],
  document_type: ['text', ({ event }) => event.document.type],
  document_id: ['bigint', ({ event }) => event.document.documentId],
  document_no: ['text', ({ event }) => event.document.partnerNumber],
  sequence: ['integer', ({ event }) => event.sequence],
  url: ['text', (callback) => callback.url],
  key_name: ['text', (callback) => callback.keyName],
  receiver_id: ['uuid', (callback) => callback.receiverId],
  body: ['text', (callback) => callback.body],
  occurred_at: ['timestamptz', ({ event }) => event.occurredAt.toISOString()],
  test_of: ['bigint', (callback) => callback.testOf],
});

async function insertCallbacks(tx: Tx, accountId: number, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback (account_id, status, event_id, event, document_type, document_id, document_no, sequence, url, key_name, receiver_id, body,
      occurred_at, test_of, traceparent)
    select ${accountId}::bigint, 'pending', given.*, ${currentTraceparent()}::text from ${callbackRows.given(owed)}`;
}

/** Runs in a statement after the one that locked the earlier rows, so that it sees them as they are under the lock. */
async function queueCallbacks(tx: Tx, accountId: number, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback_delivery (account_id, callback_id, receiver_id, document_type, document_id, sequence, due_at, give_up_at)
    select account_id, callback_id, receiver_id, document_type, document_id, sequence,
      case when event_id = any(${behindOthers(owed)}::uuid[]) or ${isBehind(tx, accountId)} then 'infinity' else now() end,
      now() + make_interval(hours => case when test_of is null then ${giveUpAfterHours}::integer else ${testGivenUpAfterHours}::integer end)
    from callback delivery where account_id = ${accountId} and event_id = any(${owed.map(({ event }) => event.eventId)}::uuid[])`;
}

/**
 * Whether an earlier callback of the same document as `delivery` is queued. The order leads to the index by sequence, even
 * if the plan was made while the table was empty and all indexes seemed to be equally good.
 */
export function isBehind(tx: Tx, accountId: number) {
  return tx`(delivery.sequence > 1 and exists (
    select from callback earlier
    cross join lateral (
      select from callback_delivery where account_id = ${accountId} and callback_id = earlier.callback_id offset 0
    ) queued
    where earlier.account_id = ${accountId} and earlier.document_type = delivery.document_type
      and earlier.document_id = delivery.document_id and earlier.sequence < delivery.sequence
    order by earlier.sequence offset 0))`;
}

/** For a time that `greatest` compares: Citus refuses an update with `case ... else now() end`. */
export function infinityIfBehind(tx: Tx, accountId: number) {
  return tx`case when ${isBehind(tx, accountId)} then timestamptz 'infinity' else timestamptz '-infinity' end`;
}

export async function wakeWorkers(tx: Tx, lanes: Lane[]): Promise<void> {
  const names = [distinct(lanes.map(laneName)), distinct(lanes.map(({ accountId }) => accountId))];
  const payload = names.find(({ length }) => length <= namedMax) ?? [];
  await tx`select pg_notify(${callbackChannel}, ${payload.join()})`;
}

/** Workers look for due callbacks of all receivers of the account. */
export async function wakeWorkersFor(tx: Tx, accountId: number): Promise<void> {
  await tx`select pg_notify(${callbackChannel}, ${String(accountId)})`;
}
