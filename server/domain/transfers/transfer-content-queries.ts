import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Transfer, TransferredLine, TransferredOrder } from './transfer.ts';
import { type LotOfOrder, shareLots } from './transfer-lots.ts';

type OfOrder<Row> = Row & { orderId: number };
type Order = Omit<TransferredOrder, 'transferId' | 'lines' | 'shipping'>;
type Shipping = NonNullable<TransferredOrder['shipping']>;

/** Loads orders as their warehouse needs them, in the given order, without orders that no longer exist. */
export async function loadTransferred(sql: Sql, transfers: Transfer[]): Promise<TransferredOrder[]> {
  const [orders, lines, lots, shippings] = await Promise.all([
    ordersOf(sql, transfers),
    linesOf(sql, transfers),
    lotsOf(sql, transfers),
    shippingsOf(sql, transfers),
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

async function ordersOf(sql: Sql, transfers: Transfer[]): Promise<Order[]> {
  return await perAccount(
    transfers,
    (accountId, own) => sql<Order[]>`
      select order_id as "orderId", order_no as "orderNo", account_no as "accountNo", channel, partner_number as "partnerNumber", o.name,
        store_no as "storeNo", logistics_type as "logisticsType", express_type as "expressType", consignee_country as "consigneeCountry",
        consignee_name as "consigneeName", consignee_phone as "consigneePhone", consignee_address as "consigneeAddress",
        consignee_zip as "consigneeZip", ${sql.unsafe(taipeiTime('o.created_at', '"createdAt"'))}
      from orders o join account a on a.account_id = o.account_id
      where o.account_id = ${accountId} and order_id = any(${idsOf(own)})`,
  );
}

type Line = OfOrder<Omit<TransferredLine, 'lots'>>;

async function linesOf(sql: Sql, transfers: Transfer[]): Promise<Line[]> {
  return await perAccount(
    transfers,
    (accountId, own) => sql<Line[]>`
      select order_id as "orderId", sku_id as "skuId", qty, coalesce(item_name, p.name) as name,
        coalesce(item_storage_type, p.storage_type) as "storageType", batch_id as "batchId", identifier, combo_sku as "comboSku"
      from order_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
      where l.account_id = ${accountId} and order_id = any(${idsOf(own)}) order by order_id, line_no`,
  );
}

async function lotsOf(sql: Sql, transfers: Transfer[]): Promise<OfOrder<LotOfOrder>[]> {
  return await perAccount(
    transfers,
    (accountId, own) => sql<OfOrder<LotOfOrder>[]>`
      select held.order_id as "orderId", sku_id as "skuId", batch_id as "batchId", nullif(expire_date, 'infinity') as "expireDate", held.qty
      from (
        select order_id, lot_id, sum(locked_delta)::bigint as qty from movement
        where account_id = ${accountId} and order_id = any(${idsOf(own)})
        group by order_id, lot_id having sum(locked_delta) > 0
      ) held
      join lot on lot.account_id = ${accountId} and lot.lot_id = held.lot_id`,
  );
}

async function shippingsOf(sql: Sql, transfers: Transfer[]): Promise<OfOrder<Shipping>[]> {
  return await perAccount(
    transfers,
    (accountId, own) => sql<OfOrder<Shipping>[]>`
      select order_id as "orderId", customer_name as "customerName", delivery_charge as "deliveryCharge", city, note,
        store_pickup_label_data as "labelData"
      from shipping_order where account_id = ${accountId} and order_id = any(${idsOf(own)})`,
  );
}

function idsOf(transfers: Transfer[]): number[] {
  return transfers.map((one) => one.orderId);
}
