import type { Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { CallbackTarget, ToldItem } from '../callbacks/callback.ts';
import { namedMax, notifyOfStock, type Place, stockChannel } from '../stock/stock-queries.ts';
import type { ShippingOrderRequest } from './create-shipping-orders.ts';
import type { OrderEvent, OrderStatus } from './order.ts';
import { idsAllowing, type OrderName } from './order-queries.ts';
import type { ShippingItem } from './shipping-order.ts';
import type { WantedTogether } from './waiting-queries.ts';

/** What a repeat of its number needs to know of a shipping order. */
export interface KnownShippingOrder {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: OrderStatus;
}

/** Perhaps also another account's of the same number. */
export async function findShippingOrders(tx: Tx, wanted: { accountId: number; partnerNumber: string }[]): Promise<KnownShippingOrder[]> {
  return await tx<KnownShippingOrder[]>`
    select account_id as "accountId", partner_number as "partnerNumber", encode(payload_digest, 'hex') as "payloadDigest", status
    from orders where channel = 'logistics' and account_id = any(${distinct(wanted.map((one) => one.accountId))})
      and partner_number = any(${distinct(wanted.map((one) => one.partnerNumber))})`;
}

export type NewShippingOrder = Omit<ShippingOrderRequest, 'lines'> & {
  orderId: number;
  orderNo: string;
  status: OrderStatus;
  lines: (ShippingItem & { productId: number })[];
};

/** Sorted by what must be unique, so that two nodes that insert the same ones wait for each other in one order. */
export async function insertShippingOrders(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  const sorted = orders.toSorted((a, b) => a.accountId - b.accountId || (a.partnerNumber < b.partnerNumber ? -1 : 1));
  const column = <T>(read: (order: NewShippingOrder) => T) => sorted.map(read);
  await tx`
    insert into orders (order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, name,
      consignee_name, consignee_phone, consignee_address, trace_id, created_by)
    select order_id, account_id, 'logistics', partner_number, order_no, decode(payload_digest, 'hex'), warehouse_no, store_no, status, name,
      consignee_name, consignee_phone, consignee_address, trace_id, created_by
    from unnest(
      ${column((one) => one.orderId)}::bigint[], ${column((one) => one.accountId)}::bigint[], ${column((one) => one.partnerNumber)}::text[],
      ${column((one) => one.orderNo)}::text[], ${column((one) => one.payloadDigest)}::text[], ${column((one) => one.key.warehouseNo)}::integer[],
      ${column((one) => one.key.storeNo)}::integer[], ${column((one) => one.status)}::text[], ${column((one) => one.content.name)}::text[],
      ${column((one) => one.content.recipient.name)}::text[], ${column((one) => one.content.recipient.phone)}::text[],
      ${column((one) => one.content.recipient.address)}::text[], ${column((one) => one.cause.traceId)}::uuid[],
      ${column((one) => one.cause.actor)}::text[]
    ) as given(order_id, account_id, partner_number, order_no, payload_digest, warehouse_no, store_no, status, name, consignee_name,
      consignee_phone, consignee_address, trace_id, created_by)`;
}

export async function insertShippingDetails(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  await tx`
    insert into shipping_order (order_id, account_id, customer_name, delivery_charge, city, note, store_pickup_label_data)
    select order_id, account_id, customer_name, delivery_charge, city, note, label::json
    from unnest(
      ${orders.map((one) => one.orderId)}::bigint[], ${orders.map((one) => one.accountId)}::bigint[],
      ${orders.map((one) => one.content.customerName)}::text[], ${orders.map((one) => one.content.deliveryCharge)}::numeric[],
      ${orders.map((one) => one.content.recipient.city)}::text[], ${orders.map((one) => one.content.note)}::text[],
      ${orders.map(({ content }) => content.labelData && JSON.stringify(content.labelData))}::text[]
    ) as given(order_id, account_id, customer_name, delivery_charge, city, note, label)`;
}

export async function insertShippingLines(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  const lines = orders.flatMap(({ orderId, accountId, lines }) =>
    lines.map((line, index) => ({ orderId, accountId, lineNo: index + 1, ...line })),
  );
  await tx`
    insert into order_line (order_id, line_no, account_id, product_id, qty, batch_id, combo_sku, item_name, item_storage_type, price, identifier)
    select * from unnest(${lines.map((line) => line.orderId)}::bigint[], ${lines.map((line) => line.lineNo)}::integer[],
      ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.productId)}::bigint[],
      ${lines.map((line) => line.qty)}::bigint[], ${lines.map((line) => line.batchId)}::text[], ${lines.map((line) => line.comboSku)}::text[],
      ${lines.map((line) => line.name)}::text[], ${lines.map((line) => line.storageType)}::text[],
      ${lines.map((line) => line.price)}::numeric[], ${lines.map((line) => line.identifier)}::text[])`;
}

/** What waits for these products already, together. Where that is more than can be looked at for every new order, `tooMany`. */
export async function findWantedAt(tx: Tx, places: Place[]): Promise<(Place & WantedTogether & { tooMany: boolean })[]> {
  return await tx<(Place & WantedTogether & { tooMany: boolean })[]>`
    select place.product_id as "productId", place.warehouse_no as "warehouseNo", batch_id as "batchId", sum(qty)::bigint as qty,
      sellable_days_before_expiry as "sellableDaysBeforeExpiry",
      sum(count(*)) over (partition by place.product_id, place.warehouse_no) > ${wantedLinesMax} as "tooMany"
    from unnest(${places.map((place) => place.productId)}::bigint[], ${places.map((place) => place.warehouseNo)}::integer[])
      as place(product_id, warehouse_no)
    cross join lateral (
      select batch_id, qty, sellable_days_before_expiry from waiting_line w where w.product_id = place.product_id and w.warehouse_no = place.warehouse_no
      limit ${wantedLinesMax + 1}) line
    group by place.product_id, place.warehouse_no, batch_id, sellable_days_before_expiry`;
}

const wantedLinesMax = 1000;

export async function insertWaitingLines(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  const lines = orders.flatMap(({ orderId, accountId, key, lines }) =>
    lines.map((line, index) => ({ ...line, orderId, accountId, lineNo: index + 1, key })),
  );
  await Promise.all([
    tx`
    insert into waiting_line (product_id, warehouse_no, order_id, line_no, account_id, batch_id, qty, sellable_days_before_expiry)
    select * from unnest(${lines.map((line) => line.productId)}::bigint[], ${lines.map((line) => line.key.warehouseNo)}::integer[],
      ${lines.map((line) => line.orderId)}::bigint[], ${lines.map((line) => line.lineNo)}::integer[],
      ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.batchId)}::text[], ${lines.map((line) => line.qty)}::bigint[],
      ${lines.map((line) => line.key.sellableDaysBeforeExpiry)}::integer[])`,
    notifyOfStock(
      tx,
      'orders',
      orders.map((order) => order.orderId),
    ),
  ]);
}

/** An order that has its stock waits no longer. */
export async function deleteWaitingLines(tx: Tx, orderIds: number[]): Promise<void> {
  await tx`delete from waiting_line where order_id = any(${orderIds})`;
}

/** What there was for an order that wants it no more may be for those that stood behind it. */
export async function forgetWaiting(tx: Tx, orderIds: number[]): Promise<void> {
  await tx`
    with gone as (delete from waiting_line where order_id = any(${orderIds}) returning product_id, warehouse_no),
      place as (select distinct product_id || '/' || warehouse_no as name from gone)
    select pg_notify(${stockChannel}, case when count(*) > ${namedMax} then '' else 'places:' || string_agg(name, ',') end) from place having count(*) > 0`;
}

/** What is told of an order beside its numbers, and where. */
export interface ToldOrder extends CallbackTarget {
  orderId: number;
  callbackCount: number;
  orderNo: string;
  name: string | null;
  note: string | null;
}

/** Of those to which the event can happen, and whose partner wants to be told. */
export async function findToldOrders(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<ToldOrder[]> {
  return await tx<ToldOrder[]>`
    select document_id as "orderId", key_name as "keyName", url, callback_count as "callbackCount",
      (select order_no from orders where order_id = document_id) as "orderNo",
      (select name from orders where order_id = document_id) as name,
      (select note from shipping_order where order_id = document_id) as note
    from callback_target where document_type = 'order' and document_id = any(${idsAllowing(tx, wanted, event)})`;
}

export async function findToldItems(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<(ToldItem & { orderId: number })[]> {
  return await tx<(ToldItem & { orderId: number })[]>`
    select order_id as "orderId", (select sku_id from product p where p.product_id = l.product_id) as "skuId", qty, item_name as name,
      item_storage_type as "storageType", price, batch_id as "batchId", identifier, combo_sku as "comboSku"
    from order_line l where order_id = any(${idsAllowing(tx, wanted, event)}) order by order_id, line_no`;
}
