import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import type { AuditedRange } from './audit-queries.ts';
import type { ReferenceFinding } from './finding.ts';

/** A column that must name a row of the same account. */
export interface Reference {
  table: string;
  /** The rows are read in the order of this column; an index leads to it. */
  id: string;
  column: string;
  target: string;
  targetId: string;
  /** A further column in which both rows have the same value. */
  within?: string;
  /** Rows with other types refer to other tables. */
  documentType?: string;
  /** A condition for rows that refer to nothing. */
  isAbsent?: Fragment;
  /** A condition for broken references that another finding shows. */
  shownElsewhere?: (accountId: number) => Fragment;
}

const order = { target: 'orders', targetId: 'order_id' };
const inbound = { target: 'inbound_document', targetId: 'inbound_id' };
const product = { column: 'product_id', target: 'product', targetId: 'product_id' };
const callback = { id: 'callback_id', column: 'callback_id', target: 'callback', targetId: 'callback_id' };
const receiver = { id: 'callback_id', column: 'receiver_id', target: 'callback_receiver', targetId: 'receiver_id' };
const parcel = { column: 'parcel_no', target: 'parcel', targetId: 'parcel_no', within: 'order_id' };
const byOrder = { id: 'order_id', column: 'order_id', ...order };
const byInbound = { id: 'inbound_id', column: 'inbound_id', ...inbound };
const byCount = { id: 'count_id', column: 'count_id', target: 'stock_count', targetId: 'count_id' };
const ofOrder = { column: 'document_id', ...order, documentType: 'order' };
const ofInbound = { column: 'document_id', ...inbound, documentType: 'inbound' };
const ofReturn = { column: 'document_id', ...inbound, documentType: 'return' };

/**
 * Units that a document holds although it does not exist are a lock or an inbound finding. The repair of such a lock is
 * an adjustment that names the order.
 */
const heldByOrder = (accountId: number) => fragment`exists (
  select from movement m where m.account_id = ${accountId}::bigint and m.order_id = broken.id
  having sum(m.locked_delta) <> 0 or bool_or(m.kind = 'adjust'))`;
const broughtByInbound = (accountId: number) => fragment`exists (
  select from movement m where m.account_id = ${accountId}::bigint and m.inbound_id = broken.id having sum(m.on_hand_delta) <> 0)`;

/** The reference to the order shows it. */
const ofNoOrder = (accountId: number) => fragment`not exists (
  select from orders o where o.account_id = ${accountId}::bigint and o.order_id = broken.id)`;

/** A test callback has a negative id in place of a document, and 0 if it has the body of none. */
const noDocument = fragment`t.document_id < 0`;
const noExample = fragment`t.test_of = 0`;

/** All references within an account but one: movements of a lot that does not exist differ from its balance. */
export const references: Reference[] = [
  { table: 'lot', id: 'lot_id', ...product },
  { table: 'product_code', id: 'product_id', ...product },
  { table: 'product_location', id: 'product_id', ...product },
  { table: 'stock_count_line', ...byCount },
  { table: 'stock_count_line', id: 'count_id', ...product },
  { table: 'stock_count_entry', ...byCount },
  { table: 'stock_count_entry', id: 'count_id', ...product },
  { table: 'inbound_document', id: 'inbound_id', column: 'original_order_id', ...order },
  { table: 'inbound_line', ...byInbound },
  { table: 'inbound_line', id: 'inbound_id', ...product },
  { table: 'inbound_form', ...byInbound },
  { table: 'receipt', ...byInbound },
  { table: 'order_line', ...byOrder },
  { table: 'order_line', id: 'order_id', ...product },
  { table: 'shipping_order', ...byOrder },
  { table: 'parcel', ...byOrder },
  { table: 'parcel_item', ...byOrder },
  { table: 'parcel_item', id: 'order_id', ...parcel, shownElsewhere: ofNoOrder },
  { table: 'parcel_item', id: 'order_id', column: 'lot_id', target: 'lot', targetId: 'lot_id' },
  { table: 'packed_unit', ...byOrder },
  { table: 'packed_unit', id: 'order_id', ...product },
  { table: 'planned_shipment', ...byOrder },
  { table: 'short_line', ...byOrder },
  {
    table: 'short_line',
    id: 'order_id',
    column: 'order_id',
    target: 'parcel',
    targetId: 'order_id',
    shownElsewhere: ofNoOrder,
  },
  { table: 'short_line', id: 'order_id', ...product },
  { table: 'waiting_line', ...byOrder },
  { table: 'waiting_line', id: 'order_id', ...product },
  { table: 'pick_batch_order', ...byOrder },
  { table: 'pick_task', ...byOrder },
  { table: 'pick_task', id: 'order_id', column: 'lot_id', target: 'lot', targetId: 'lot_id' },
  { table: 'pick_task', id: 'order_id', ...product },
  {
    table: 'pick_task',
    id: 'order_id',
    column: 'batch_id',
    target: 'pick_batch_order',
    targetId: 'batch_id',
    within: 'order_id',
    shownElsewhere: ofNoOrder,
  },
  { table: 'movement', ...byOrder, shownElsewhere: heldByOrder },
  { table: 'movement', ...byInbound, shownElsewhere: broughtByInbound },
  { table: 'transfer', ...byOrder },
  { table: 'order_change', ...byOrder },
  { table: 'order_print', ...byOrder },
  { table: 'callback', id: 'callback_id', ...ofOrder, isAbsent: noDocument },
  { table: 'callback', id: 'callback_id', ...ofInbound, isAbsent: noDocument },
  { table: 'callback', id: 'callback_id', ...ofReturn, isAbsent: noDocument },
  { table: 'callback', id: 'callback_id', ...ofOrder, column: 'test_of', isAbsent: noExample },
  { table: 'callback', id: 'callback_id', ...ofInbound, column: 'test_of', isAbsent: noExample },
  { table: 'callback', id: 'callback_id', ...ofReturn, column: 'test_of', isAbsent: noExample },
  { table: 'callback', ...receiver },
  { table: 'callback_attempt', ...callback },
  { table: 'callback_delivery', ...callback },
  { table: 'callback_delivery', ...receiver },
  { table: 'callback_target', id: 'document_id', ...ofOrder },
  { table: 'callback_target', id: 'document_id', ...ofInbound },
  { table: 'callback_target', id: 'document_id', ...ofReturn },
  { table: 'state_change', id: 'document_id', ...ofOrder },
  { table: 'state_change', id: 'document_id', ...ofInbound },
  { table: 'document_note', id: 'document_id', ...ofOrder },
  { table: 'document_note', id: 'document_id', ...ofInbound },
];

/** The number of the next rows with a reference, and the highest id among them; null when there are no more rows. */
export interface NextRows {
  rows: number;
  last: number | null;
}

export async function nextRows(
  sql: Sql,
  accountId: number,
  reference: Reference,
  from: number,
  atOnce: number,
): Promise<NextRows> {
  const [next] = await sql<[NextRows]>`
    select count(*) as rows, max(id) as last from (
      select t.${sql(reference.id)} as id from ${sql(reference.table)} t
      where account_id = ${accountId} and t.${sql(reference.id)} >= ${from}${isOfType(sql, reference)}
      order by t.${sql(reference.id)} limit ${atOnce}) as next`;
  return next;
}

/**
 * The references of these rows to rows that do not exist in their account. Offset 0 makes PostgreSQL use one look-up per
 * row.
 */
export async function findBroken(
  sql: Sql | Tx,
  { accountId, accountNo, from, to }: AuditedRange,
  reference: Reference,
): Promise<ReferenceFinding[]> {
  const { table, target, isAbsent = fragment`false`, shownElsewhere = () => fragment`false` } = reference;
  const { within } = reference;
  const isWithin = within === undefined ? sql`` : sql` and found.${sql(within)} = t.${sql(within)}`;
  const [id, column, targetId] = [sql(reference.id), sql(reference.column), sql(reference.targetId)];
  return await sql<ReferenceFinding[]>`
    select 'reference' as kind, ${accountNo} as "accountNo", ${table} as "table", ${reference.id} as "idColumn", id,
      ${target} as target, missing as "targetId"
    from (
      select distinct t.account_id, t.${id} as id, t.${column}::text as missing from ${sql(table)} t
      where t.account_id = ${accountId} and t.${id} between ${from} and ${to}${isOfType(sql, reference)} and t.${column} is not null and not (${isAbsent})
        and not exists (select from ${sql(target)} found where found.account_id = ${accountId} and found.${targetId} = t.${column}${isWithin} offset 0)
      offset 0
    ) broken
    where not (${shownElsewhere(accountId)}) order by id, missing`;
}

function isOfType(sql: Sql | Tx, { documentType }: Reference) {
  return documentType === undefined ? sql`` : sql` and document_type = ${documentType}`;
}
