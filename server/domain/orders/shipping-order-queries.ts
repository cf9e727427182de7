import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackTarget, NotifiedItem } from '../callbacks/callback.ts';
import { namedMax, notifyOfStock, type ProductInWarehouse, stockChannel } from '../stock/stock-queries.ts';
import type { OrderEvent, OrderStatus } from './order.ts';
import { idsAllowing, type OrderName } from './order-queries.ts';
import type { ShippingItem, ShippingOrderRequest } from './shipping-order.ts';
import type { WantedTogether } from './waiting-queries.ts';

/** The parts of a shipping order that decide how a repeat of its number is answered. */
export interface KnownShippingOrder {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: OrderStatus;
}

/** May include orders of another account with the same number. */
export async function findShippingOrders(
  tx: Tx,
  wanted: { accountId: number; partnerNumber: string }[],
): Promise<KnownShippingOrder[]> {
  return await tx<KnownShippingOrder[]>`
    select ${camelColumns('account_id, partner_number')}, encode(payload_digest, 'hex') as "payloadDigest", status
    from orders where channel = 'logistics' and account_id = any(${distinct(wanted.map((one) => one.accountId))})
      and partner_number = any(${distinct(wanted.map((one) => one.partnerNumber))})`;
}

export type NewShippingOrder = Omit<ShippingOrderRequest, 'lines'> & {
  orderId: number;
  orderNo: string;
  status: OrderStatus;
  lines: (ShippingItem & { productId: number })[];
};

const shippingOrderRows = rowParameters<NewShippingOrder>({
  order_id: ['bigint', (order) => order.orderId],
  account_id: ['bigint', (order) => order.accountId],
  partner_number: ['text', (order) => order.partnerNumber],
  order_no: ['text', (order) => order.orderNo],
  payload_digest: ['text', (order) => order.payloadDigest],
  warehouse_no: ['integer', (order) => order.key.warehouseNo],
  store_no: ['integer', (order) => order.key.storeNo],
  status: ['text', (order) => order.status],
  name: ['text', (order) => order.content.name],
  consignee_name: ['text', (order) => order.content.recipient.name],
  consignee_phone: ['text', (order) => order.content.recipient.phone],
  consignee_address: ['text', (order) => order.content.recipient.address],
  trace_id: ['uuid', (order) => order.cause.traceId],
  created_by: ['text', (order) => order.cause.actor],
});

/** Sorted by the unique key, so that two nodes that insert the same orders lock them in the same order. */
export async function insertShippingOrders(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  const sorted = orders.toSorted((a, b) => a.accountId - b.accountId || (a.partnerNumber < b.partnerNumber ? -1 : 1));
  await tx`
    insert into orders (order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, name,
      consignee_name, consignee_phone, consignee_address, trace_id, created_by)
    select order_id, account_id, 'logistics', partner_number, order_no, decode(payload_digest, 'hex'), warehouse_no, store_no, status, name,
      consignee_name, consignee_phone, consignee_address, trace_id, created_by
    from ${shippingOrderRows.given(sorted)}`;
}

const shippingDetailRows = rowParameters<NewShippingOrder>({
  order_id: ['bigint', (order) => order.orderId],
  account_id: ['bigint', (order) => order.accountId],
  customer_name: ['text', (order) => order.content.customerName],
  delivery_charge: ['numeric', (order) => order.content.deliveryCharge],
  city: ['text', (order) => order.content.recipient.city],
  note: ['text', (order) => order.content.note],
  label: ['text', ({ content }) => content.labelData && JSON.stringify(content.labelData)],
});

export async function insertShippingDetails(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  await tx`
    insert into shipping_order (order_id, account_id, customer_name, delivery_charge, city, note, store_pickup_label_data)
    select order_id, account_id, customer_name, delivery_charge, city, note, label::json
    from ${shippingDetailRows.given(orders)}`;
}

type NewShippingLine = NewShippingOrder['lines'][number] & { orderId: number; accountId: number; lineNo: number };

const shippingLineRows = rowParameters<NewShippingLine>({
  order_id: ['bigint', (line) => line.orderId],
  line_no: ['integer', (line) => line.lineNo],
  account_id: ['bigint', (line) => line.accountId],
  product_id: ['bigint', (line) => line.productId],
  qty: ['bigint', (line) => line.qty],
  batch_id: ['text', (line) => line.batchId],
  combo_sku: ['text', (line) => line.comboSku],
  item_name: ['text', (line) => line.name],
  item_storage_type: ['text', (line) => line.storageType],
  price: ['numeric', (line) => line.price],
  identifier: ['text', (line) => line.identifier],
});

export async function insertShippingLines(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  const lines = orders.flatMap(({ orderId, accountId, lines }) =>
    lines.map((line, index) => ({ orderId, accountId, lineNo: index + 1, ...line })),
  );
  await tx`
    insert into order_line (order_id, line_no, account_id, product_id, qty, batch_id, combo_sku, item_name, item_storage_type, price, identifier)
    select * from ${shippingLineRows.unnest(lines)}`;
}

/**
 * The combined demand of the orders that already wait for these products. `tooMany` if that is too much to read for
 * every new order.
 */
export async function findWantedAt(
  tx: Tx,
  places: ProductInWarehouse[],
): Promise<(ProductInWarehouse & WantedTogether & { tooMany: boolean })[]> {
  return await tx<(ProductInWarehouse & WantedTogether & { tooMany: boolean })[]>`
    select ${camelColumns('place.product_id, place.warehouse_no, batch_id')}, sum(qty)::bigint as qty,
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

const waitingLineRows = rowParameters<NewShippingLine & Pick<NewShippingOrder, 'key'>>({
  product_id: ['bigint', (line) => line.productId],
  warehouse_no: ['integer', (line) => line.key.warehouseNo],
  order_id: ['bigint', (line) => line.orderId],
  line_no: ['integer', (line) => line.lineNo],
  account_id: ['bigint', (line) => line.accountId],
  batch_id: ['text', (line) => line.batchId],
  qty: ['bigint', (line) => line.qty],
  sellable_days_before_expiry: ['integer', (line) => line.key.sellableDaysBeforeExpiry],
});

export async function insertWaitingLines(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  const lines = orders.flatMap(({ orderId, accountId, key, lines }) =>
    lines.map((line, index) => ({ ...line, orderId, accountId, lineNo: index + 1, key })),
  );
  await Promise.all([
    tx`
    insert into waiting_line (product_id, warehouse_no, order_id, line_no, account_id, batch_id, qty, sellable_days_before_expiry)
    select * from ${waitingLineRows.unnest(lines)}`,
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

/**
 * Units that were available for an order that no longer wants them may serve the orders behind it, so these are
 * notified.
 */
export async function forgetWaiting(tx: Tx, orderIds: number[]): Promise<void> {
  await tx`
    with gone as (delete from waiting_line where order_id = any(${orderIds}) returning product_id, warehouse_no),
      place as (select distinct product_id || '/' || warehouse_no as name from gone)
    select pg_notify(${stockChannel}, case when count(*) > ${namedMax} then '' else 'places:' || string_agg(name, ',') end) from place having count(*) > 0`;
}

/** The details of an order that notifications contain beside its numbers, and their target. */
export interface NotifiedOrder extends CallbackTarget {
  orderId: number;
  callbackCount: number;
  orderNo: string;
  name: string | null;
  note: string | null;
}

/** Only orders whose state allows the event and whose partner wants notifications. */
export async function findNotifiedOrders(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<NotifiedOrder[]> {
  return await tx<NotifiedOrder[]>`
    select document_id as "orderId", ${camelColumns('key_name, url, callback_count')},
      (select order_no from orders where order_id = document_id) as "orderNo",
      (select name from orders where order_id = document_id) as name,
      (select note from shipping_order where order_id = document_id) as note
    from callback_target where document_type = 'order' and document_id = any(${idsAllowing(tx, wanted, event)})`;
}

export async function findNotifiedItems(
  tx: Tx,
  wanted: OrderName[],
  event: OrderEvent,
): Promise<(NotifiedItem & { orderId: number })[]> {
  return await tx<(NotifiedItem & { orderId: number })[]>`
    select order_id as "orderId", (select sku_id from product p where p.product_id = l.product_id) as "skuId", qty, item_name as name,
      item_storage_type as "storageType", price, ${camelColumns('batch_id, identifier, combo_sku')}
    from order_line l where order_id = any(${idsAllowing(tx, wanted, event)}) order by order_id, line_no`;
}
