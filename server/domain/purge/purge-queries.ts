import type { Sql, Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Balance } from './remaining-balance.ts';

/*
 * A purge works beside traffic: rows are found by an index and deleted by key, a batch at a time. Documents are locked before lots, as everywhere; those
 * that somebody else is working on are passed by.
 */

/** What may go: a document of a UAT account, in the order of their making. */
export type PurgedKind = 'order' | 'inbound';

/** Where a document stands, and what belongs to it. (What waits for stock is told to those behind it, and callbacks may be in a worker's hands.) */
const storedAs = {
  order: { table: 'orders', id: 'order_id', no: 'order_no', parts: ['order_line', 'shipping_order', 'transfer'], callbackTypes: ['order'] },
  inbound: {
    table: 'inbound_document',
    id: 'inbound_id',
    no: 'document_no',
    parts: ['inbound_line', 'inbound_form', 'receipt'],
    callbackTypes: ['inbound', 'return'],
  },
} as const satisfies Record<PurgedKind, object>;

export interface UatAccount {
  accountId: number;
  accountNo: string;
}

/** Also those that are disabled. */
export async function uatAccounts(sql: Sql): Promise<UatAccount[]> {
  return await sql<UatAccount[]>`
    select account_id as "accountId", account_no as "accountNo" from account where environment = 'uat' order by account_id`;
}

/**
 * Lets this transaction delete (the database refuses it otherwise), keeps it from ever scanning a table, whatever the statistics say, and
 * from waiting for the disk while others wait for its locks: what a crash undoes is purged again.
 */
export async function beginPurging(tx: Tx): Promise<void> {
  await tx`
    select set_config('lading.purging', 'on', true), set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`;
}

/** The place of a document in the order of making; the time as text, since it has microseconds. */
export interface Place {
  createdAt: string;
  id: number;
}

export const beforeAll: Place = { createdAt: '-infinity', id: 0 };

/** Which documents of an account are to be looked at. */
export interface Stretch {
  accountId: number;
  madeBefore: Date;
  after: Place;
}

export interface OldDocument extends Place {
  /** Ours. */
  documentNo: string;
}

export async function lockOldDocuments(tx: Tx, kind: PurgedKind, stretch: Stretch, limit: number): Promise<OldDocument[]> {
  return await tx<OldDocument[]>`${oldDocuments(tx, kind, stretch, limit)} for update skip locked`;
}

export async function findOldDocuments(sql: Sql, kind: PurgedKind, stretch: Stretch, limit: number): Promise<OldDocument[]> {
  return await sql<OldDocument[]>`${oldDocuments(sql, kind, stretch, limit)}`;
}

function oldDocuments(sql: Sql | Tx, kind: PurgedKind, { accountId, madeBefore, after }: Stretch, limit: number) {
  const { table, id, no } = storedAs[kind];
  return sql`
    select ${sql(id)} as id, created_at::text as "createdAt", ${sql(no)} as "documentNo" from ${sql(table)}
    where account_id = ${accountId} and created_at < ${madeBefore.toISOString()}::text::timestamptz
      and (created_at, ${sql(id)}) > (${after.createdAt}::text::timestamptz, ${after.id}::bigint)
    order by created_at, ${sql(id)} limit ${limit}`;
}

/** How many lines and movements each of these documents has, in the order given. */
export async function countRows(tx: Tx, kind: PurgedKind, ids: number[]): Promise<number[]> {
  const { id, parts } = storedAs[kind];
  const rows = await tx<{ rows: number }[]>`
    select (select count(*) from movement where ${tx(id)} = given.id) + (select count(*) from ${tx(parts[0])} where ${tx(id)} = given.id) as rows
    from unnest(${ids}::bigint[]) with ordinality as given(id, place) order by place`;
  return rows.map((row) => row.rows);
}

/** Everything that belongs to these documents but movements and callbacks, and the documents themselves. */
export async function deleteDocuments(tx: Tx, kind: PurgedKind, ids: number[]): Promise<void> {
  const { table, id, parts } = storedAs[kind];
  await Promise.all([
    ...parts.map((part) => tx`delete from ${tx(part)} where ${tx(id)} = any(${ids}::bigint[])`),
    tx`delete from state_change where document_type = ${kind} and document_id = any(${ids}::bigint[])`,
    tx`delete from document_note where document_type = ${kind} and document_id = any(${ids}::bigint[])`,
    tx`delete from ${tx(table)} where ${tx(id)} = any(${ids}::bigint[])`,
  ]);
}

/**
 * The callbacks of these documents, sent or not; returns how many. A place in the queue is locked first, where a worker is met that is just
 * recording its result, and deleted last, because whoever queues a callback again holds the callback.
 */
export async function deleteCallbacks(tx: Tx, kind: PurgedKind, ids: number[]): Promise<number> {
  const { callbackTypes } = storedAs[kind];
  const isTheirs = tx`document_type = any(${[...callbackTypes]}::text[]) and document_id = any(${ids}::bigint[])`;
  const [found] = await Promise.all([
    tx<{ callbackId: number }[]>`select callback_id as "callbackId" from callback where ${isTheirs}`,
    tx`delete from callback_target where ${isTheirs}`,
  ]);
  if (found.length === 0) return 0;
  const callbackIds = found.map((row) => row.callbackId);
  await Promise.all([
    tx`select from callback_delivery where callback_id = any(${callbackIds}::bigint[]) order by callback_id for update`,
    tx`delete from callback where callback_id = any(${callbackIds}::bigint[])`,
    tx`delete from callback_attempt where callback_id = any(${callbackIds}::bigint[])`,
    tx`delete from callback_delivery where callback_id = any(${callbackIds}::bigint[])`,
  ]);
  return found.length;
}

export interface LotBalance extends Balance {
  lotId: number;
  accountId: number;
}

/** The lots that these documents have moved something in. */
export async function lockLotsOf(tx: Tx, kind: PurgedKind, ids: number[]): Promise<LotBalance[]> {
  const id = tx(storedAs[kind].id);
  return await lockLots(tx, tx`array(select lot_id from movement where ${id} = any(${ids}::bigint[]))`);
}

async function lockLots(tx: Tx, lotIds: ReturnType<Tx>): Promise<LotBalance[]> {
  return await tx<LotBalance[]>`
    select lot_id as "lotId", account_id as "accountId", on_hand as "onHand", locked from lot
    where lot_id = any(${lotIds}) order by lot_id for no key update`;
}

/** What movements that are gone, or to go, have moved in a lot. */
export interface MovedInLot extends Balance {
  lotId: number;
  movements: number;
  /** null: several documents, or none. */
  documentId: number | null;
}

/** The movements of these documents, whose lots are locked. */
export async function deleteMovementsOf(tx: Tx, kind: PurgedKind, ids: number[]): Promise<MovedInLot[]> {
  const id = tx(storedAs[kind].id);
  return await tx<MovedInLot[]>`
    with gone as (delete from movement where ${id} = any(${ids}::bigint[]) returning lot_id, on_hand_delta, locked_delta, ${id} as document_id)
    select lot_id as "lotId", sum(on_hand_delta)::bigint as "onHand", sum(locked_delta)::bigint as locked, count(*) as movements,
      case when min(document_id) = max(document_id) then min(document_id) end as "documentId"
    from gone group by lot_id`;
}

/** The one place beside recordMovements that changes balances: what movements that are gone had moved goes with them. */
export async function takeFromBalances(tx: Tx, taken: (Balance & { lotId: number })[]): Promise<void> {
  const sorted = taken.toSorted((a, b) => a.lotId - b.lotId);
  const lotIds = sorted.map((one) => one.lotId);
  await tx`
    update lot set
      on_hand = on_hand - (${sorted.map((one) => one.onHand)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])],
      locked = locked - (${sorted.map((one) => one.locked)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])]
    where lot_id = any(${lotIds}::bigint[])`;
}

/** Corrections: movements without a document, of lots of an account. */
export interface CorrectedLots {
  accountId: number;
  madeBefore: Date;
  afterLotId: number;
}

export async function findCorrectedLots(
  sql: Sql | Tx,
  { accountId, madeBefore, afterLotId }: CorrectedLots,
  limit: number,
): Promise<number[]> {
  const rows = await sql<{ lotId: number }[]>`
    select distinct lot_id as "lotId" from movement
    where account_id = ${accountId} and lot_id > ${afterLotId} and ${isOldCorrection(sql, madeBefore)}
    order by lot_id limit ${limit}`;
  return rows.map((row) => row.lotId);
}

export async function lockLotsById(tx: Tx, lotIds: number[]): Promise<LotBalance[]> {
  return await lockLots(tx, tx`${distinct(lotIds)}::bigint[]`);
}

export async function sumCorrections(sql: Sql | Tx, accountId: number, lotIds: number[], madeBefore: Date): Promise<MovedInLot[]> {
  return await sql<MovedInLot[]>`
    select lot_id as "lotId", sum(on_hand_delta)::bigint as "onHand", sum(locked_delta)::bigint as locked, count(*) as movements,
      null as "documentId"
    from movement where ${isCorrectionOf(sql, accountId, lotIds, madeBefore)}
    group by lot_id order by lot_id`;
}

export async function deleteCorrections(tx: Tx, accountId: number, lotIds: number[], madeBefore: Date): Promise<void> {
  await tx`delete from movement where ${isCorrectionOf(tx, accountId, lotIds, madeBefore)}`;
}

function isCorrectionOf(sql: Sql | Tx, accountId: number, lotIds: number[], madeBefore: Date) {
  return sql`account_id = ${accountId} and lot_id = any(${lotIds}::bigint[]) and ${isOldCorrection(sql, madeBefore)}`;
}

function isOldCorrection(sql: Sql | Tx, madeBefore: Date) {
  return sql`at < ${madeBefore.toISOString()}::text::timestamptz and order_id is null and inbound_id is null`;
}

/** How many movements and callbacks these documents have. */
export async function countBelongings(sql: Sql, kind: PurgedKind, ids: number[]): Promise<{ movements: number; callbacks: number }> {
  const { id, callbackTypes } = storedAs[kind];
  const [row] = await sql<[{ movements: number; callbacks: number }]>`
    select (select count(*) from movement where ${sql(id)} = any(${ids}::bigint[])) as movements,
      (select count(*) from callback where document_type = any(${[...callbackTypes]}::text[]) and document_id = any(${ids}::bigint[])) as callbacks`;
  return row;
}
