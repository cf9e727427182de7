import type { Tx } from '../../platform/database.ts';
import type { CallbackTarget, DocumentType, OwedCallback } from './callback.ts';

/** Workers listen here; what is sent says which receivers have something new, or nothing where they are many. */
export const callbackChannel = 'lading_callback';
const namedReceiversMax = 100;
/** A receiver that has not answered for so long is given up. The tries take 27 h 35 min and their jitter. */
export const giveUpAfterHours = 31;

export interface KnownTarget extends CallbackTarget {
  documentId: number;
  callbackCount: number;
}

/** After the documents themselves are locked: then it stays so. */
export async function findCallbackTargets(tx: Tx, types: DocumentType[], documentIds: number[]): Promise<KnownTarget[]> {
  return await tx<KnownTarget[]>`
    select document_id as "documentId", key_name as "keyName", url, callback_count as "callbackCount" from callback_target
    where document_type = any(${types}) and document_id = any(${documentIds})`;
}

export interface NewTarget extends CallbackTarget {
  accountId: number;
  type: DocumentType;
  documentId: number;
  callbackCount: number;
}

/** Where the callbacks of these documents go from now on, and how many there have been. */
export async function keepCallbackTargets(tx: Tx, targets: NewTarget[]): Promise<void> {
  await tx`
    insert into callback_target (document_type, document_id, account_id, key_name, url, callback_count)
    select * from unnest(${targets.map((one) => one.type)}::text[], ${targets.map((one) => one.documentId)}::bigint[],
      ${targets.map((one) => one.accountId)}::bigint[], ${targets.map((one) => one.keyName)}::text[], ${targets.map((one) => one.url)}::text[],
      ${targets.map((one) => one.callbackCount)}::integer[])
    on conflict (document_type, document_id) do update
      set key_name = excluded.key_name, url = excluded.url, callback_count = excluded.callback_count`;
}

/**
 * Writes callbacks and queues them, in the transaction of what they tell. One that is not the first of its document waits for those before
 * it: their places in the queue are locked, so that a worker which is just done with one either sees this one, or is seen.
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

async function insertReceivers(tx: Tx, owed: OwedCallback[]): Promise<void> {
  await tx`
    insert into callback_receiver (receiver_id, account_id, address)
    select distinct on (receiver_id) receiver_id, account_id, address
    from unnest(${owed.map((one) => one.receiverId)}::uuid[], ${owed.map(({ event }) => event.document.accountId)}::bigint[],
      ${owed.map((one) => one.receiverAddress)}::text[]) as given(receiver_id, account_id, address)
    order by receiver_id
    on conflict do nothing`;
}

async function insertCallbacks(tx: Tx, owed: OwedCallback[]): Promise<void> {
  const column = <T>(read: (one: OwedCallback) => T) => owed.map(read);
  await tx`
    insert into callback (account_id, event_id, event, document_type, document_id, document_no, sequence, url, key_name, receiver_id, body,
      occurred_at, status)
    select *, 'pending' from unnest(
      ${column(({ event }) => event.document.accountId)}::bigint[], ${column(({ event }) => event.eventId)}::uuid[],
      ${column(({ event }) => event.event)}::text[], ${column(({ event }) => event.document.type)}::text[],
      ${column(({ event }) => event.document.documentId)}::bigint[], ${column(({ event }) => event.document.partnerNumber)}::text[],
      ${column(({ event }) => event.sequence)}::integer[], ${column((one) => one.url)}::text[], ${column((one) => one.keyName)}::text[],
      ${column((one) => one.receiverId)}::uuid[], ${column((one) => one.body)}::text[],
      ${column(({ event }) => event.occurredAt.toISOString())}::timestamptz[])`;
}

/** In a statement after the one that locked the earlier ones, so that it sees what was true when it had them. */
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
