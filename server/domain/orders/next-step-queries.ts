import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderKey } from './order.ts';
import type { Shelves, WaitingLine } from './waiting-queries.ts';

/** A line of a waiting order with its product. */
export interface NamedWaitingLine extends WaitingLine {
  skuId: string;
  productName: string;
  warehouseNo: number;
}

export async function findWaitingLines(sql: Sql, { accountId, orderId }: OrderKey): Promise<NamedWaitingLine[]> {
  return await sql<NamedWaitingLine[]>`
    select ${camelColumns('order_id, product_id, batch_id, qty, sellable_days_before_expiry, sku_id, warehouse_no')}, name as "productName"
    from waiting_line join product using (account_id, product_id)
    where account_id = ${accountId} and order_id = ${orderId} order by line_no`;
}

/** A look at the queue of a product stops here. */
export const queueMax = 1000;

/** The lines of other orders for a product, before or after a given order, oldest first and up to a limit. */
function linesOfQueue(sql: Sql, { accountId, productIds, warehouseNo }: Shelves, orderId: number, side: QueueSide) {
  const where = side === 'before' ? sql`order_id < ${orderId}` : sql`order_id > ${orderId}`;
  return sql`
    select wanted.product_id, line.order_id, line.qty from unnest(${productIds}::bigint[]) as wanted(product_id)
    cross join lateral (
      select order_id, qty from waiting_line w
      where w.account_id = ${accountId} and w.product_id = wanted.product_id and w.warehouse_no = ${warehouseNo} and ${where}
      order by order_id, line_no limit ${queueMax + 1}
    ) line`;
}

type QueueSide = 'before' | 'after';

/** The number of other orders for the same products, counted up to one more than `queueMax`. */
export async function countQueue(sql: Sql, shelves: Shelves, orderId: number, side: QueueSide): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(distinct order_id)::integer as count from (${linesOfQueue(sql, shelves, orderId, side)}) queued`;
  return Math.min(row!.count, queueMax + 1);
}

/** The units of each product that older orders wait for. */
export async function unitsBefore(
  sql: Sql,
  shelves: Shelves,
  orderId: number,
): Promise<{ productId: number; units: number }[]> {
  return await sql<{ productId: number; units: number }[]>`
    select product_id as "productId", sum(qty)::bigint as units from (${linesOfQueue(sql, shelves, orderId, 'before')}) queued
    group by product_id`;
}

export interface QueuedOrder {
  orderId: number;
  partnerNumber: string;
  createdAt: string;
  /** The units of the same products. */
  units: number;
}

export async function findQueue(
  sql: Sql,
  shelves: Shelves,
  orderId: number,
  side: QueueSide,
  limit: number,
): Promise<QueuedOrder[]> {
  return await sql<QueuedOrder[]>`
    select ${camelColumns('o.order_id, o.partner_number')}, ${sql.unsafe(taipeiTime('o.created_at', '"createdAt"'))}, units
    from (
      select order_id, sum(qty)::bigint as units from (${linesOfQueue(sql, shelves, orderId, side)}) queued
      group by order_id order by order_id limit ${limit}
    ) first
    cross join lateral (
      select order_id, partner_number, created_at from orders
      where account_id = ${shelves.accountId} and orders.order_id = first.order_id offset 0
    ) o
    order by o.order_id`;
}

/** Units of a product that an open inbound document announces and that have not arrived. */
export interface ComingUnits {
  inboundId: number;
  documentNo: string;
  partnerNumber: string;
  kind: 'inbound' | 'return';
  status: 'expected' | 'receiving';
  /** null: the partner did not say. */
  estimatedArrivalAt: string | null;
  productId: number;
  units: number;
}

/** The newest open documents of an account are searched, so that the cost does not grow with their number. */
const openDocumentsMax = 2000;

/** Earliest arrival first, documents without one last. */
export async function findComingUnits(
  sql: Sql,
  { accountId, productIds, warehouseNo }: Shelves,
  limit: number,
): Promise<ComingUnits[]> {
  const open = (status: ComingUnits['status']) => sql`
    (select * from inbound_document where account_id = ${accountId} and status = ${sql.unsafe(`'${status}'`)}
    order by created_at desc limit ${openDocumentsMax})`;
  return await sql<ComingUnits[]>`
    select ${camelColumns('d.inbound_id, d.document_no, d.partner_number, announced.product_id')}, d.kind, d.status,
      ${sql.unsafe(taipeiTime('d.estimated_arrival_at', '"estimatedArrivalAt"'))}, (announced.units - arrived.units)::bigint as units
    from (${open('expected')} union all ${open('receiving')}) d
    cross join lateral (
      select product_id, sum(qty) as units from inbound_line
      where account_id = ${accountId} and inbound_id = d.inbound_id and product_id = any(${productIds}::bigint[]) group by product_id
    ) announced
    cross join lateral (
      select coalesce(sum(on_hand_delta), 0) as units from movement m join lot l on l.account_id = m.account_id and l.lot_id = m.lot_id
      where m.account_id = ${accountId} and m.inbound_id = d.inbound_id and l.product_id = announced.product_id
    ) arrived
    where d.warehouse_no = ${warehouseNo} and announced.units > arrived.units
    order by d.estimated_arrival_at nulls last, d.inbound_id, announced.product_id limit ${limit}`;
}
