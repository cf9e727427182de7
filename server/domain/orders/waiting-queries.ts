import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { ProductInWarehouse } from '../stock/stock-queries.ts';
import { inProductionAccounts } from '../transfers/transfer-queries.ts';

/** A product of an account in a warehouse, for which orders wait. */
export type WaitedFor = ProductInWarehouse;

/** The products and warehouses of these lots that orders wait for. */
export async function waitedForAtLots(sql: Sql, accountId: number, lotIds: number[]): Promise<WaitedFor[]> {
  return await sql<WaitedFor[]>`
    select distinct ${camelColumns('account_id, product_id, warehouse_no')} from lot
    where account_id = ${accountId} and lot_id = any(${lotIds}) and exists (
      select from waiting_line w
      where w.account_id = ${accountId} and w.product_id = lot.product_id and w.warehouse_no = lot.warehouse_no)`;
}

/** The products and warehouses that these orders wait for. */
export async function waitedForByOrders(sql: Sql, accountId: number, orderIds: number[]): Promise<WaitedFor[]> {
  return await sql<WaitedFor[]>`
    select distinct ${camelColumns('account_id, product_id, warehouse_no')} from waiting_line
    where account_id = ${accountId} and order_id = any(${orderIds})`;
}

/** All places of an account that orders wait for and that have free units, up to `limit` after a given one. */
export async function waitedForAnywhere(sql: Sql, beyond: WaitedFor, limit: number): Promise<WaitedFor[]> {
  const { accountId } = beyond;
  return await sql<WaitedFor[]>`
    with recursive place as (
      (select product_id, warehouse_no from waiting_line
        where account_id = ${accountId} and (product_id, warehouse_no) > (${beyond.productId}, ${beyond.warehouseNo})
        order by product_id, warehouse_no limit 1)
      union all
      select next.product_id, next.warehouse_no from place cross join lateral (
        select product_id, warehouse_no from waiting_line w
        where w.account_id = ${accountId} and (w.product_id, w.warehouse_no) > (place.product_id, place.warehouse_no)
        order by product_id, warehouse_no limit 1) next
    )
    select ${accountId}::bigint as "accountId", ${camelColumns('product_id, warehouse_no')} from place
    where exists (select from lot l where l.account_id = ${accountId} and l.product_id = place.product_id
      and l.warehouse_no = place.warehouse_no and l.on_hand > 0 and l.on_hand > l.locked and l.stock_type = 'good')
    limit ${limit}`;
}

/** Serializes the allocation in an account's warehouse, so that each run sees what the previous one left. */
export async function lockWaiting(tx: Tx, { accountId, warehouseNo }: WaitedFor): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`waiting orders ${accountId}/${warehouseNo}`}, 0))`;
}

/**
 * The ids of the oldest orders that wait for this product, after a given order. Orders are locked before lots, and in
 * the order of their ids.
 */
export async function lockWaitingOrders(
  tx: Tx,
  { accountId, productId, warehouseNo }: WaitedFor,
  beyondOrderId: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    select order_id from orders
    where account_id = ${accountId} and status = 'awaiting_stock' and order_id = any(array(
      select distinct order_id from waiting_line
      where account_id = ${accountId} and product_id = ${productId} and warehouse_no = ${warehouseNo} and order_id > ${beyondOrderId}
      order by order_id limit ${limit}))
    order by order_id for no key update`;
  return rows.map((row) => row.order_id);
}

export interface WaitingLine {
  orderId: number;
  productId: number;
  batchId: string | null;
  qty: number;
  sellableDaysBeforeExpiry: number | null;
}

const lineColumns = camelColumns('order_id, product_id, batch_id, qty, sellable_days_before_expiry');

export async function waitingLinesOf(tx: Tx, accountId: number, orderIds: number[]): Promise<WaitingLine[]> {
  return await tx<WaitingLine[]>`
    select ${lineColumns} from waiting_line
    where account_id = ${accountId} and order_id = any(${orderIds}) order by order_id, line_no`;
}

/** Products of an account in one warehouse. */
export interface Shelves {
  accountId: number;
  productIds: number[];
  warehouseNo: number;
}

/** The demand of a range of orders for these products, oldest first. */
export async function waitingLinesBetween(
  tx: Tx,
  { accountId, productIds, warehouseNo }: Shelves,
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<WaitingLine[]> {
  return await tx<WaitingLine[]>`
    select ${lineColumns} from waiting_line
    where account_id = ${accountId} and product_id = any(${productIds}) and warehouse_no = ${warehouseNo}
      and order_id between ${from} and ${to}
    order by order_id, line_no limit ${limit}`;
}

/** The combined demand of all orders before a given one for these products. */
export async function wantedBefore(
  tx: Tx,
  { accountId, productIds, warehouseNo }: Shelves,
  orderId: number,
): Promise<WantedTogether[]> {
  return await tx<WantedTogether[]>`
    select ${camelColumns('product_id, batch_id')}, sum(qty)::bigint as qty,
      sellable_days_before_expiry as "sellableDaysBeforeExpiry" from waiting_line
    where account_id = ${accountId} and product_id = any(${productIds}) and warehouse_no = ${warehouseNo} and order_id < ${orderId}
    group by product_id, batch_id, sellable_days_before_expiry`;
}

/** The combined demand of orders with the same shelf-life rule; a null batch means any batch. */
export interface WantedTogether {
  productId: number;
  batchId: string | null;
  qty: number;
  sellableDaysBeforeExpiry: number | null;
}

/** Age of the oldest order of a production account that waits for stock. 0: none waits. */
export async function longestWaitingSeconds(sql: Sql): Promise<number> {
  const oldest = await inProductionAccounts(
    sql,
    (own, accountId) => own<{ seconds: number }[]>`
      select extract(epoch from now() - created_at)::float8 as seconds from orders
      where account_id = ${accountId} and status = (select 'awaiting_stock') order by created_at limit 1`,
  );
  return Math.max(0, ...oldest.map(({ seconds }) => seconds));
}
