import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { becomePurgeRole } from '../../platform/postgres/roles.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { deleteParts } from '../search/search-part-queries.ts';
import type { Balance } from './remaining-balance.ts';

/*
 * A purge runs beside normal traffic: rows are found by an index and deleted by key, one batch at a time. Documents are
 * locked before lots, as everywhere; documents that another transaction has locked are skipped.
 */

/** The kinds of documents that a purge deletes from UAT accounts, in the order of creation. */
export type PurgedKind = 'order' | 'inbound';

/**
 * The table of each kind and the tables that belong to it. Waiting lines and callbacks are handled separately: the
 * orders behind a waiting line are notified, and a worker may be sending a callback.
 */
const storedAs = {
  order: {
    table: 'orders',
    id: 'order_id',
    no: 'order_no',
    parts: ['order_line', 'shipping_order', 'transfer', 'order_change', 'order_print'],
    callbackTypes: ['order'],
  },
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

/** Includes disabled accounts. */
export async function uatAccounts(sql: Sql): Promise<UatAccount[]> {
  return await sql<UatAccount[]>`
    select ${camelColumns('account_id, account_no')} from account where environment = 'uat' order by account_id`;
}

/**
 * Gives this transaction the role that may delete documents of UAT accounts. It never scans a table, whatever the
 * statistics say, and does not wait for the disk while others wait for its locks: work that a crash undoes is purged
 * again.
 */
export async function beginPurging(tx: Tx): Promise<void> {
  await Promise.all([
    becomePurgeRole(tx),
    tx`select set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`,
  ]);
}

/** The position of a document in the order of creation; the time is text, because it has microseconds. */
export interface CreationPosition {
  createdAt: string;
  id: number;
}

export const beforeAll: CreationPosition = { createdAt: '-infinity', id: 0 };

/** A range of documents of an account. */
export interface Stretch {
  accountId: number;
  madeBefore: Date;
  after: CreationPosition;
}

export interface OldDocument extends CreationPosition {
  /** Our number. */
  documentNo: string;
}

export async function lockOldDocuments(
  tx: Tx,
  kind: PurgedKind,
  stretch: Stretch,
  limit: number,
): Promise<OldDocument[]> {
  return await tx<OldDocument[]>`${oldDocuments(tx, kind, stretch, limit)} for update skip locked`;
}

export async function findOldDocuments(
  sql: Sql,
  kind: PurgedKind,
  stretch: Stretch,
  limit: number,
): Promise<OldDocument[]> {
  return await sql<OldDocument[]>`${oldDocuments(sql, kind, stretch, limit)}`;
}

function oldDocuments(sql: Sql | Tx, kind: PurgedKind, { accountId, madeBefore, after }: Stretch, limit: number) {
  const { table, id, no } = storedAs[kind];
  return sql`
    select ${sql(id)} as id, created_at::text as "createdAt", ${sql(no)} as "documentNo" from ${sql(table)}
    where account_id = ${accountId} and created_at < ${madeBefore.toISOString()}::timestamptz
      and (created_at, ${sql(id)}) > (${after.createdAt}::timestamptz, ${after.id}::bigint)
    order by created_at, ${sql(id)} limit ${limit}`;
}

/** Documents of an account, by their ids. */
export interface PurgedDocuments {
  accountId: number;
  ids: number[];
}

/** The number of lines and movements of each of these documents, in the given order. */
export async function countRows(tx: Tx, kind: PurgedKind, { accountId, ids }: PurgedDocuments): Promise<number[]> {
  const { id, parts } = storedAs[kind];
  const isIts = tx`account_id = ${accountId} and ${tx(id)} = given.id`;
  const rows = await tx<{ rows: number }[]>`
    select (select count(*) from movement where ${isIts}) + (select count(*) from ${tx(parts[0])} where ${isIts}) as rows
    from unnest(${ids}::bigint[]) with ordinality as given(id, place) order by place`;
  return rows.map((row) => row.rows);
}

/** Deletes these documents and everything that belongs to them, except movements and callbacks. */
export async function deleteDocuments(tx: Tx, kind: PurgedKind, { accountId, ids }: PurgedDocuments): Promise<void> {
  const { table, id, parts } = storedAs[kind];
  const isAmong = tx`account_id = ${accountId} and ${tx(id)} = any(${ids}::bigint[])`;
  const isAbout = tx`account_id = ${accountId} and document_type = ${kind} and document_id = any(${ids}::bigint[])`;
  await Promise.all([
    deleteParts(tx, table, { accountId, ids }),
    ...parts.map((part) => tx`delete from ${tx(part)} where ${isAmong}`),
    tx`delete from state_change where ${isAbout}`,
    tx`delete from document_note where ${isAbout}`,
    tx`delete from ${tx(table)} where ${isAmong}`,
  ]);
}

/**
 * Deletes the callbacks of these documents, sent or not; returns how many. Their rows in the queue are locked first, to
 * wait for a worker that is recording a result, and deleted last, because a redelivery locks the callback.
 */
export async function deleteCallbacks(tx: Tx, kind: PurgedKind, { accountId, ids }: PurgedDocuments): Promise<number> {
  const [found] = await Promise.all([
    tx<{ callbackId: number }[]>`${callbacksOf(tx, kind, { accountId, ids })}`,
    tx`delete from callback_target where ${isAboutThem(tx, kind, { accountId, ids })}`,
  ]);
  if (found.length === 0) return 0;
  await deleteCallbackRows(tx, accountId, found);
  return found.length;
}

/** The callbacks of these documents, and the tests that have their content. */
function callbacksOf(sql: Sql | Tx, kind: PurgedKind, documents: PurgedDocuments) {
  const { accountId, ids } = documents;
  return sql`
    select callback_id as "callbackId" from callback where ${isAboutThem(sql, kind, documents)}
    union all
    select callback_id from callback
    where account_id = ${accountId} and test_of = any(${ids}::bigint[]) and document_type = any(${typesOf(kind)}::text[])`;
}

function isAboutThem(sql: Sql | Tx, kind: PurgedKind, { accountId, ids }: PurgedDocuments) {
  return sql`account_id = ${accountId} and document_type = any(${typesOf(kind)}::text[]) and document_id = any(${ids}::bigint[])`;
}

function typesOf(kind: PurgedKind): string[] {
  return [...storedAs[kind].callbackTypes];
}

async function deleteCallbackRows(tx: Tx, accountId: number, found: { callbackId: number }[]): Promise<void> {
  const isAmong = tx`account_id = ${accountId} and callback_id = any(${found.map((row) => row.callbackId)}::bigint[])`;
  await Promise.all([
    tx`select from callback_delivery where ${isAmong} order by callback_id for update`,
    tx`delete from callback where ${isAmong}`,
    tx`delete from callback_attempt where ${isAmong}`,
    tx`delete from callback_delivery where ${isAmong}`,
  ]);
}

/** Old test callbacks of an account. */
export type OldTests = Pick<Stretch, 'accountId' | 'madeBefore'>;

function isExampleTest(sql: Sql | Tx, { accountId, madeBefore }: OldTests) {
  return sql`account_id = ${accountId} and test_of = 0 and created_at < ${madeBefore.toISOString()}::timestamptz`;
}

export async function countExampleTests(sql: Sql, stretch: OldTests): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*) from callback where ${isExampleTest(sql, stretch)}`;
  return row.count;
}

/** Deletes tests with an example body, which belong to no document; returns how many. */
export async function deleteExampleTests(tx: Tx, stretch: OldTests, limit: number): Promise<number> {
  const { accountId } = stretch;
  const found = await tx<{ callbackId: number }[]>`
    select callback_id as "callbackId" from callback where ${isExampleTest(tx, stretch)}
    order by test_of, created_at limit ${limit} for update skip locked`;
  if (found.length > 0) await deleteCallbackRows(tx, accountId, found);
  return found.length;
}

export interface LotBalance extends Balance {
  lotId: number;
}

/** Locks the lots that these documents have movements in. */
export async function lockLotsOf(tx: Tx, kind: PurgedKind, { accountId, ids }: PurgedDocuments): Promise<LotBalance[]> {
  const id = tx(storedAs[kind].id);
  const lotIds = tx`array(select lot_id from movement where account_id = ${accountId} and ${id} = any(${ids}::bigint[]))`;
  return await lockLots(tx, accountId, lotIds);
}

async function lockLots(tx: Tx, accountId: number, lotIds: ReturnType<Tx>): Promise<LotBalance[]> {
  return await tx<LotBalance[]>`
    select ${camelColumns('lot_id, on_hand, locked')} from lot
    where account_id = ${accountId} and lot_id = any(${lotIds}) order by lot_id for no key update`;
}

/** The sum of deleted movements, or of movements to delete, in a lot. */
export interface MovedInLot extends Balance {
  lotId: number;
  movements: number;
  /** null: several documents, or none. */
  documentId: number | null;
}

/** Deletes the movements of these documents, whose lots are locked. */
export async function deleteMovementsOf(
  tx: Tx,
  kind: PurgedKind,
  { accountId, ids }: PurgedDocuments,
): Promise<MovedInLot[]> {
  const id = tx(storedAs[kind].id);
  return await tx<MovedInLot[]>`
    with gone as (
      delete from movement where account_id = ${accountId} and ${id} = any(${ids}::bigint[])
      returning lot_id, on_hand_delta, locked_delta, ${id} as document_id)
    select lot_id as "lotId", sum(on_hand_delta)::bigint as "onHand", sum(locked_delta)::bigint as locked, count(*) as movements,
      case when min(document_id) = max(document_id) then min(document_id) end as "documentId"
    from gone group by lot_id`;
}

/** The only function besides recordMovements that changes balances: it removes the effect of deleted movements. */
export async function takeFromBalances(tx: Tx, accountId: number, taken: LotBalance[]): Promise<void> {
  const sorted = taken.toSorted((a, b) => a.lotId - b.lotId);
  const lotIds = sorted.map((one) => one.lotId);
  await tx`
    update lot set
      on_hand = on_hand - (${sorted.map((one) => one.onHand)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])],
      locked = locked - (${sorted.map((one) => one.locked)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])]
    where account_id = ${accountId} and lot_id = any(${lotIds}::bigint[])`;
}

/**
 * Deletes changes of orders that are purged already: nodes of the version before changes existed purge during an upgrade,
 * and do not know this table. At most so many; returns whether there may be more.
 */
export async function deleteLeftChanges(tx: Tx, accountId: number, limit: number): Promise<boolean> {
  const { count } = await tx`
    delete from order_change where account_id = ${accountId} and order_change_id = any(array(
      select order_change_id from order_change c
      where c.account_id = ${accountId}
        and not exists (select from orders o where o.account_id = ${accountId} and o.order_id = c.order_id)
      limit ${limit}))`;
  return count === limit;
}

/** Deletes numbers of adjustments and moves, at most so many; returns whether there may be more. */
export async function deleteStockChanges(
  tx: Tx,
  { accountId, madeBefore }: { accountId: number; madeBefore: Date },
  limit: number,
): Promise<boolean> {
  const { count } = await tx`
    delete from stock_change where account_id = ${accountId} and stock_change_id = any(array(
      select stock_change_id from stock_change
      where account_id = ${accountId} and created_at < ${madeBefore.toISOString()}::timestamptz limit ${limit}))`;
  return count === limit;
}

/**
 * Deletes counts of the stock, at most so many; returns whether there may be more. Lines and scans come after their
 * count, which then takes no more of them.
 */
export async function deleteStockCounts(
  tx: Tx,
  { accountId, madeBefore }: { accountId: number; madeBefore: Date },
  limit: number,
): Promise<boolean> {
  const deleted = await tx<{ countId: number }[]>`
    delete from stock_count where account_id = ${accountId} and count_id = any(array(
      select count_id from stock_count
      where account_id = ${accountId} and created_at < ${madeBefore.toISOString()}::timestamptz limit ${limit}))
    returning count_id as "countId"`;
  const countIds = deleted.map(({ countId }) => countId);
  await tx`delete from stock_count_line where account_id = ${accountId} and count_id = any(${countIds}::bigint[])`.execute();
  await tx`delete from stock_count_entry where account_id = ${accountId} and count_id = any(${countIds}::bigint[])`.execute();
  return deleted.length === limit;
}

/** Corrections are movements without a document, in the lots of an account. */
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

export async function lockLotsById(tx: Tx, accountId: number, lotIds: number[]): Promise<LotBalance[]> {
  return await lockLots(tx, accountId, tx`${distinct(lotIds)}::bigint[]`);
}

export async function sumCorrections(
  sql: Sql | Tx,
  accountId: number,
  lotIds: number[],
  madeBefore: Date,
): Promise<MovedInLot[]> {
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
  return sql`at < ${madeBefore.toISOString()}::timestamptz and order_id is null and inbound_id is null`;
}

/** The number of movements and callbacks of these documents. */
export async function countBelongings(
  sql: Sql,
  kind: PurgedKind,
  { accountId, ids }: PurgedDocuments,
): Promise<{ movements: number; callbacks: number }> {
  const { id } = storedAs[kind];
  const [row] = await sql<[{ movements: number; callbacks: number }]>`
    select (select count(*) from movement where account_id = ${accountId} and ${sql(id)} = any(${ids}::bigint[])) as movements,
      (select count(*) from (${callbacksOf(sql, kind, { accountId, ids })}) theirs) as callbacks`;
  return row;
}
