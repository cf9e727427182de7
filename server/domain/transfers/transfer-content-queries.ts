import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Transfer, TransferredLine, TransferredOrder } from './transfer.ts';
import { type LotOfOrder, shareLots } from './transfer-lots.ts';

type OfOrder<Row> = Row & { orderId: number };
type Order = Omit<TransferredOrder, 'transferId' | 'lines' | 'shipping'>;
type Shipping = NonNullable<TransferredOrder['shipping']>;

/** Loads orders as their warehouse needs them, in the given order, without orders that no longer exist. */
export async function loadTransferred(sql: Sql, transfers: Transfer[]): Promise<TransferredOrder[]> {
  const orderIds = transfers.map((one) => one.orderId);
  const [orders, lines, lots, shippings] = await Promise.all([
    ordersOf(sql, orderIds),
    linesOf(sql, orderIds),
    lotsOf(sql, orderIds),
    shippingsOf(sql, orderIds),
  ]);
  const orderOf = new Map(orders.map((order) => [order.orderId, order]));
  const linesByOrder = Map.groupBy(lines, (line) => line.orderId);
  const lotsByOrder = Map.groupBy(lots, (lot) => lot.orderId);
  const shippingOf = new Map(shippings.map(({ orderId, ...shipping }) => [orderId, shipping]));
  return transfers.flatMap(({ orderId, transferId }) => {
    const order = orderOf.get(orderId);
    if (!order) return [];
    const shared = shareLots(linesByOrder.get(orderId) ?? [], lotsByOrder.get(orderId) ?? []);
    return [{ ...order, transferId, lines: shared, shipping: shippingOf.get(orderId) ?? null }];
  });
}

async function ordersOf(sql: Sql, orderIds: number[]): Promise<Order[]> {
  return await sql<Order[]>`
    select order_id as "orderId", order_no as "orderNo", account_no as "accountNo", channel, partner_number as "partnerNumber", o.name,
      store_no as "storeNo", logistics_type as "logisticsType", express_type as "expressType", consignee_country as "consigneeCountry",
      consignee_name as "consigneeName", consignee_phone as "consigneePhone", consignee_address as "consigneeAddress",
      consignee_zip as "consigneeZip", ${sql.unsafe(taipeiTime('o.created_at', '"createdAt"'))}
    from orders o join account using (account_id) where order_id = any(${orderIds})`;
}

async function linesOf(sql: Sql, orderIds: number[]): Promise<OfOrder<Omit<TransferredLine, 'lots'>>[]> {
  return await sql<OfOrder<Omit<TransferredLine, 'lots'>>[]>`
    select order_id as "orderId", sku_id as "skuId", qty, coalesce(item_name, product.name) as name,
      coalesce(item_storage_type, product.storage_type) as "storageType", batch_id as "batchId", identifier, combo_sku as "comboSku"
    from order_line join product using (product_id) where order_id = any(${orderIds}) order by order_id, line_no`;
}

async function lotsOf(sql: Sql, orderIds: number[]): Promise<OfOrder<LotOfOrder>[]> {
  return await sql<OfOrder<LotOfOrder>[]>`
    select held.order_id as "orderId", sku_id as "skuId", batch_id as "batchId", nullif(expire_date, 'infinity') as "expireDate", held.qty
    from (
      select order_id, lot_id, sum(locked_delta)::bigint as qty from movement where order_id = any(${orderIds})
      group by order_id, lot_id having sum(locked_delta) > 0
    ) held
    join lot using (lot_id)`;
}

async function shippingsOf(sql: Sql, orderIds: number[]): Promise<OfOrder<Shipping>[]> {
  return await sql<OfOrder<Shipping>[]>`
    select order_id as "orderId", customer_name as "customerName", delivery_charge as "deliveryCharge", city, note,
      store_pickup_label_data as "labelData"
    from shipping_order where order_id = any(${orderIds})`;
}
