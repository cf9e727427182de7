import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackTarget, DocumentType, OwedCallback } from './callback.ts';

/**
 * Workers listen on this channel. The payload names the receivers that have new callbacks, or is empty if there are
 * many.
 */
export const callbackChannel = 'lading_callback';
const namedReceiversMax = 100;
/** Callbacks are given up if the receiver has not answered for this long. All attempts take 27 h 35 min plus jitter. */
export const giveUpAfterHours = 31;

export interface KnownTarget extends CallbackTarget {
  documentId: number;
  callbackCount: number;
}

/** Call it after the documents are locked, so that the result stays valid. */
export async function findCallbackTargets(
  tx: Tx,
  types: DocumentType[],
  documentIds: number[],
): Promise<KnownTarget[]> {
  return await tx<KnownTarget[]>`
    select ${camelColumns('document_id, key_name, url, callback_count')} from callback_target
    where document_type = any(${types}) and document_id = any(${documentIds})`;
}

export interface NewTarget extends CallbackTarget {
  accountId: number;
  type: DocumentType;
  documentId: number;
  callbackCount: number;
}

const targetRows = rowParameters<NewTarget>({
  document_type: ['text', (target) => target.type],
  document_id: ['bigint', (target) => target.documentId],
  account_id: ['bigint', (target) => target.accountId],
  key_name: ['text', (target) => target.keyName],
  url: ['text', (target) => target.url],
  callback_count: ['integer', (target) => target.callbackCount],
});

/** Stores where the callbacks of these documents are sent from now on, and how many there have been. */
export async function keepCallbackTargets(tx: Tx, targets: NewTarget[]): Promise<void> {
  await tx`
    insert into callback_target (document_type, document_id, account_id, key_name, url, callback_count)
    select * from ${targetRows.unnest(targets)}
    on conflict (document_type, document_id) do update
      set key_name = excluded.key_name, url = excluded.url, callback_count = excluded.callback_count`;
}

/**
 * Stores callbacks and queues them in the transaction that they report on. A callback that is not the first of its
 * document waits for the earlier ones. Their rows in the queue are locked: a worker that is finishing one of them either
 * commits first, and this callback need not wait, or finds this callback and starts it.
 */
export function oweCallbacks(tx: Tx, owed: OwedCallback[]): Promise<unknown>[] {
  const sorted = owed.toSorted((a, b) => (a.receiverId < b.receiverId ? -1 : 1));
  const later = sorted.filter(({ event }) => event.sequence > 1);
  return [
    ...(later.length > 0 ? [lockEarlier(tx, later)] : []),
    keepCallbackTargets(tx, sorted.map(targetOf)),
    insertReceivers(tx, sorted),
    insertCallbacks(tx, sorted),
    queueCallbacks(tx, sorted),
    wakeWorkers(tx, [...new Set(sorted.map(({ receiverId }) => receiverId))]),
  ];
}

function targetOf({ keyName, url, event: { sequence, document } }: OwedCallback): NewTarget {
  const { accountId, type, documentId } = document;
  return { accountId, type, documentId, keyName, url, callbackCount: sequence };
}

async function lockEarlier(tx: Tx, owed: OwedCallback[]): Promise<void> {
  await tx`
    select from callback_delivery where callback_id = any(array(
      select callback_id from callback where document_type = any(${owed.map(({ event }) => event.document.type)})
        and document_id = any(${owed.map(({ event }) => event.document.documentId)})))
    order by callback_id for update`;
}

const receiverRows = rowParameters<OwedCallback>({
  receiver_id: ['uuid', (callback) => callback.receiverId],
  account_id: ['bigint', ({ event }) => event.document.accountId],
  address: ['text', (callback) => callback.receiverAddress],
});

async function insertReceivers(tx: Tx, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback_receiver (receiver_id, account_id, address)
    select distinct on (receiver_id) receiver_id, account_id, address
    from ${receiverRows.given(owed)}
    order by receiver_id
    on conflict do nothing`;
}

const callbackRows = rowParameters<OwedCallback>({
  account_id: ['bigint', ({ event }) => event.document.accountId],
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
});

async function insertCallbacks(tx: Tx, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback (account_id, event_id, event, document_type, document_id, document_no, sequence, url, key_name, receiver_id, body,
      occurred_at, status)
    select *, 'pending' from ${callbackRows.unnest(owed)}`;
}

/** Runs in a statement after the one that locked the earlier rows, so that it sees them as they are under the lock. */
async function queueCallbacks(tx: Tx, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback_delivery (callback_id, account_id, receiver_id, document_type, document_id, sequence, due_at, give_up_at)
    select callback_id, account_id, receiver_id, document_type, document_id, sequence,
      case when sequence > 1 and exists (
          select from callback earlier
          cross join lateral (select from callback_delivery queued where queued.callback_id = earlier.callback_id offset 0) queued
          where earlier.document_type = owed.document_type and earlier.document_id = owed.document_id and earlier.sequence < owed.sequence)
        then 'infinity' else now() end,
      now() + make_interval(hours => ${giveUpAfterHours})
    from callback owed where event_id = any(${owed.map(({ event }) => event.eventId)}::uuid[])`;
}

export async function wakeWorkers(tx: Tx, receiverIds: string[]): Promise<void> {
  await tx`select pg_notify(${callbackChannel}, ${receiverIds.length > namedReceiversMax ? '' : receiverIds.join()})`;
}
