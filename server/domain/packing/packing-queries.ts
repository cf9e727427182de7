import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import type { OrderKey } from '../orders/order.ts';
import { lotsHeldByOrders } from '../orders/order-queries.ts';
import { sumByProduct } from '../orders/parcel.ts';
import { isOfOrder } from '../picking/pick-queries.ts';
import type { NeededUnits, OrderToPack, PackedUnits } from './packing.ts';

function orderToPack(accountId: number, orderIds: number[]): Fragment {
  return fragment`
    select ${camelColumns('o.account_id, o.order_id, partner_number')}, channel = 'logistics' as "isLogistics", status,
      held_at is not null as "isHeld", o.environment = 'uat' as "isUat",
      coalesce(w.connector->>'type' = 'manual', false) as "isManual", ${camelColumns('carrier, express_type')},
      exists (select from planned_shipment s
        where s.account_id = ${accountId} and s.order_id = o.order_id and s.refusal is null) as "isPlanned"
    from orders o join warehouse w on w.warehouse_no = o.warehouse_no
    where o.account_id = ${accountId} and o.order_id = any(${orderIds}::bigint[])`;
}

export async function findOrdersToPack(sql: Sql, orders: OrderKey[]): Promise<OrderToPack[]> {
  return await perAccount(orders, (accountId, own) => sql<OrderToPack[]>`${orderToPack(accountId, idsOf(own))}`);
}

/**
 * Everything that packs, plans or ships an order locks it first, so that two devices take turns. The plan is read after
 * the lock, because it may have ended while we waited.
 */
export async function lockOrderToPack(tx: Tx, { accountId, orderId }: OrderKey): Promise<OrderToPack | null> {
  await tx`
    select from orders where account_id = ${accountId} and order_id = ${orderId} for no key update`;
  const [order] = await tx<OrderToPack[]>`${orderToPack(accountId, [orderId])}`;
  return order ?? null;
}

function idsOf(orders: OrderKey[]): number[] {
  return orders.map(({ orderId }) => orderId);
}

/** The units that the order holds, without those that staff did not find when they picked it. */
export async function findNeeded(sql: Sql, order: OrderToPack): Promise<NeededUnits[]> {
  const { accountId, orderId } = order;
  const [held, missing] = await Promise.all([
    lotsHeldByOrders(sql, [order], 'ship'),
    sql<{ productId: number; qty: number }[]>`
      select t.product_id as "productId", sum(t.short)::bigint as qty
      from pick_batch_order b
      join pick_task t on t.account_id = ${accountId} and t.order_id = ${orderId} and t.batch_id = b.batch_id
      where b.account_id = ${accountId} and b.order_id = ${orderId} and ${isOfOrder} and t.short > 0
      group by t.product_id`,
  ]);
  const missingOf = new Map(missing.map(({ productId, qty }) => [productId, qty]));
  return sumByProduct(held)
    .map((units) => ({ ...units, qty: units.qty - (missingOf.get(units.productId) ?? 0) }))
    .filter(({ qty }) => qty > 0);
}

export async function findPacked(sql: Sql, { accountId, orderId }: OrderKey): Promise<PackedUnits[]> {
  return await sql<PackedUnits[]>`
    select ${camelColumns('parcel_no, u.product_id, sku_id')}, sum(qty)::bigint as qty
    from packed_unit u join product p on p.account_id = ${accountId} and p.product_id = u.product_id
    where u.account_id = ${accountId} and order_id = ${orderId}
    group by parcel_no, u.product_id, sku_id order by parcel_no, sku_id`;
}

export interface NewPackedUnits extends OrderKey {
  scanId: string;
  parcelNo: number;
  productId: number;
  qty: number;
  actor: string;
}

/** The units that an earlier call with this id has packed. */
export async function findScan(
  tx: Tx,
  { accountId, orderId, scanId }: Pick<NewPackedUnits, 'accountId' | 'orderId' | 'scanId'>,
): Promise<{ productId: number; qty: number } | null> {
  const [known] = await tx<{ productId: number; qty: number }[]>`
    select product_id as "productId", qty from packed_unit
    where account_id = ${accountId} and order_id = ${orderId} and scan_id = ${scanId}::uuid`;
  return known ?? null;
}

export async function insertPacked(tx: Tx, units: NewPackedUnits): Promise<void> {
  const { accountId, orderId, scanId, parcelNo, productId, qty, actor } = units;
  await tx`
    insert into packed_unit (account_id, order_id, scan_id, parcel_no, product_id, qty, packed_by)
    values (${accountId}, ${orderId}, ${scanId}::uuid, ${parcelNo}, ${productId}, ${qty}, ${actor})`;
}

export async function deletePacked(tx: Tx, { accountId, orderId }: OrderKey, parcelNo: number): Promise<void> {
  await tx`
    delete from packed_unit where account_id = ${accountId} and order_id = ${orderId} and parcel_no = ${parcelNo}`;
}
