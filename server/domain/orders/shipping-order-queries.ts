import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Tx } from '../../platform/postgres/sql.ts';
import type { CallbackTarget, NotifiedItem } from '../callbacks/callback.ts';
import type { Lot } from '../stock/lot.ts';
import type { ManyLots } from '../stock/many-lots.ts';
import {
  earliestLotsLock,
  namedMax,
  notifyOfStock,
  type ProductInWarehouse,
  sellableLotsLock,
  stockChannel,
  type WantedUnits,
} from '../stock/stock-queries.ts';
import type { OrderEvent, OrderKey, OrderStatus } from './order.ts';
import { environmentOf, idsAllowing, type OrderName, sendEach } from './order-queries.ts';
import type { ShippingItem, ShippingOrderRequest } from './shipping-order.ts';
import type { WantedTogether } from './waiting-queries.ts';

/** The parts of a shipping order that decide how a repeat of its number is answered. */
export interface KnownShippingOrder {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: OrderStatus;
}

export async function findShippingOrders(
  tx: Tx,
  wanted: { accountId: number; partnerNumber: string }[],
): Promise<KnownShippingOrder[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<KnownShippingOrder[]>`
      select ${camelColumns('account_id, partner_number')}, encode(payload_digest, 'hex') as "payloadDigest", status
      from orders where account_id = ${accountId} and channel = 'logistics'
        and partner_number = any(${distinct(own.map((one) => one.partnerNumber))})`,
  );
}

export type NewShippingOrder = Omit<ShippingOrderRequest, 'lines'> & {
  orderId: number;
  orderNo: string;
  status: OrderStatus;
  lines: (ShippingItem & { productId: number })[];
};

const shippingOrderRows = rowParameters<NewShippingOrder>({
  order_id: ['bigint', (order) => order.orderId],
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

/** Sorted by number, so that two nodes that insert the same orders lock them in the same order. */
function shippingOrderInsert(accountId: number, orders: NewShippingOrder[]): Fragment {
  const sorted = orders.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  return fragment`
    insert into orders (account_id, order_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, name,
      consignee_name, consignee_phone, consignee_address, trace_id, created_by, environment)
    select ${accountId}::bigint, order_id, 'logistics', partner_number, order_no, decode(payload_digest, 'hex'), warehouse_no, store_no,
      status, name, consignee_name, consignee_phone, consignee_address, trace_id, created_by,
      ${environmentOf(accountId)}
    from ${shippingOrderRows.given(sorted)}`;
}

const shippingDetailRows = rowParameters<NewShippingOrder>({
  order_id: ['bigint', (order) => order.orderId],
  customer_name: ['text', (order) => order.content.customerName],
  delivery_charge: ['numeric', (order) => order.content.deliveryCharge],
  city: ['text', (order) => order.content.recipient.city],
  note: ['text', (order) => order.content.note],
  label: ['text', ({ content }) => content.labelData && JSON.stringify(content.labelData)],
});

function shippingDetailInsert(accountId: number, orders: NewShippingOrder[]): Fragment {
  return fragment`
    insert into shipping_order (account_id, order_id, customer_name, delivery_charge, city, note, store_pickup_label_data)
    select ${accountId}::bigint, order_id, customer_name, delivery_charge, city, note, label::json
    from ${shippingDetailRows.given(orders)}`;
}

type NewShippingLine = NewShippingOrder['lines'][number] & { orderId: number; lineNo: number };

const shippingLineRows = rowParameters<NewShippingLine>({
  order_id: ['bigint', (line) => line.orderId],
  line_no: ['integer', (line) => line.lineNo],
  product_id: ['bigint', (line) => line.productId],
  qty: ['bigint', (line) => line.qty],
  batch_id: ['text', (line) => line.batchId],
  combo_sku: ['text', (line) => line.comboSku],
  item_name: ['text', (line) => line.name],
  item_storage_type: ['text', (line) => line.storageType],
  price: ['numeric', (line) => line.price],
  identifier: ['text', (line) => line.identifier],
});

function shippingLineInsert(accountId: number, orders: NewShippingOrder[]): Fragment {
  const lines = orders.flatMap(({ orderId, lines }) =>
    lines.map((line, index) => ({ orderId, lineNo: index + 1, ...line })),
  );
  return fragment`
    insert into order_line (account_id, order_id, line_no, product_id, qty, batch_id, combo_sku, item_name, item_storage_type, price, identifier)
    select ${accountId}::bigint, given.* from ${shippingLineRows.given(lines)}`;
}

/** Writes orders with their details and lines, as one statement per account. */
export async function insertShippingOrders(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  await perAccount(orders, (accountId, own) => {
    const [newOrders, details] = [shippingOrderInsert(accountId, own), shippingDetailInsert(accountId, own)];
    const lines = shippingLineInsert(accountId, own);
    if (tx.isDistributed) return sendEach(tx, [newOrders, details, lines]);
    return tx`with new_order as (${newOrders}), new_detail as (${details}) ${lines}`;
  });
}

/** Locks the lots for these units. Units that other orders wait for are reserved, so all lots of such a product are needed. */
export async function lockLotsForOrders(tx: Tx, wanted: WantedUnits[], manyLots: ManyLots): Promise<Lot[]> {
  const lots = await perAccount(wanted, (accountId, own) => {
    if (!manyLots.areAmong(own)) return tx<Lot[]>`${sellableLotsLock(accountId, own)}`;
    const isWaitedFor = fragment`exists (
      select from waiting_line w
      where w.account_id = ${accountId} and w.product_id = shelf.product_id and w.warehouse_no = shelf.warehouse_no)`;
    return tx<Lot[]>`${earliestLotsLock(accountId, own, isWaitedFor)}`;
  });
  manyLots.notice(lots);
  return lots;
}

/**
 * The combined demand of the orders that already wait for these products. `tooMany` if that is too much to read for
 * every new order.
 */
export async function findWantedAt(tx: Tx, places: ProductInWarehouse[]): Promise<WantedAt[]> {
  return await perAccount(
    places,
    (accountId, own) => tx<WantedAt[]>`
      select ${accountId}::bigint as "accountId", ${camelColumns('place.product_id, place.warehouse_no, batch_id')}, sum(qty)::bigint as qty,
        sellable_days_before_expiry as "sellableDaysBeforeExpiry",
        sum(count(*)) over (partition by place.product_id, place.warehouse_no) > ${wantedLinesMax} as "tooMany"
      from unnest(${own.map((place) => place.productId)}::bigint[], ${own.map((place) => place.warehouseNo)}::integer[])
        as place(product_id, warehouse_no)
      cross join lateral (
        select batch_id, qty, sellable_days_before_expiry from waiting_line w
        where w.account_id = ${accountId} and w.product_id = place.product_id and w.warehouse_no = place.warehouse_no
        limit ${wantedLinesMax + 1}) line
      group by place.product_id, place.warehouse_no, batch_id, sellable_days_before_expiry`,
  );
}

export type WantedAt = ProductInWarehouse & WantedTogether & { tooMany: boolean };

const wantedLinesMax = 1000;

const waitingLineRows = rowParameters<NewShippingLine & Pick<NewShippingOrder, 'key'>>({
  product_id: ['bigint', (line) => line.productId],
  warehouse_no: ['integer', (line) => line.key.warehouseNo],
  order_id: ['bigint', (line) => line.orderId],
  line_no: ['integer', (line) => line.lineNo],
  batch_id: ['text', (line) => line.batchId],
  qty: ['bigint', (line) => line.qty],
  sellable_days_before_expiry: ['integer', (line) => line.key.sellableDaysBeforeExpiry],
});

/** The job that serves waiting orders is notified: units may have been freed meanwhile. */
export async function insertWaitingLines(tx: Tx, orders: NewShippingOrder[]): Promise<void> {
  await Promise.all(
    groupByAccount(orders).flatMap(([accountId, own]) => {
      const orderIds = own.map((order) => order.orderId);
      return [insertWaitingOf(tx, accountId, own), notifyOfStock(tx, accountId, 'orders', orderIds)];
    }),
  );
}

async function insertWaitingOf(tx: Tx, accountId: number, orders: NewShippingOrder[]): Promise<void> {
  const lines = orders.flatMap(({ orderId, key, lines }) =>
    lines.map((line, index) => ({ ...line, orderId, lineNo: index + 1, key })),
  );
  await tx`
    insert into waiting_line (account_id, product_id, warehouse_no, order_id, line_no, batch_id, qty, sellable_days_before_expiry)
    select ${accountId}::bigint, given.* from ${waitingLineRows.given(lines)}`;
}

/** An order that has its stock waits no longer. */
export async function deleteWaitingLines(tx: Tx, accountId: number, orderIds: number[]): Promise<void> {
  await tx`delete from waiting_line where account_id = ${accountId} and order_id = any(${orderIds})`;
}

/**
 * Units that were available for an order that no longer wants them may serve the orders behind it, so these are
 * notified.
 */
export async function forgetWaiting(tx: Tx, orders: OrderKey[]): Promise<void> {
  await perAccount(orders, (accountId, own) => {
    const gone = fragment`
      delete from waiting_line where account_id = ${accountId} and order_id = any(${own.map((order) => order.orderId)})`;
    // Citus would notify from the server with the rows, where nobody listens.
    if (tx.isDistributed) return sendEach(tx, [gone, fragment`select pg_notify(${stockChannel}, '')`]);
    return tx`
      with gone as (${gone} returning product_id, warehouse_no),
        place as (select distinct product_id || '/' || warehouse_no as name from gone)
      select pg_notify(${stockChannel}, case when count(*) > ${namedMax} then '' else ${`places:${accountId}:`} || string_agg(name, ',') end)
      from place having count(*) > 0`;
  });
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
export async function findNotifiedOrders(
  tx: Tx,
  wanted: OrderName[],
  event: OrderEvent | OrderEvent[],
): Promise<NotifiedOrder[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<NotifiedOrder[]>`
      select document_id as "orderId", ${camelColumns('key_name, url, callback_count')},
        (select order_no from orders where account_id = ${accountId} and order_id = document_id) as "orderNo",
        (select name from orders where account_id = ${accountId} and order_id = document_id) as name,
        (select note from shipping_order where account_id = ${accountId} and order_id = document_id) as note
      from callback_target
      where account_id = ${accountId} and document_type = 'order' and document_id = any(${idsAllowing(accountId, own, event)})`,
  );
}

export async function findNotifiedItems(
  tx: Tx,
  wanted: OrderName[],
  event: OrderEvent | OrderEvent[],
): Promise<(NotifiedItem & { orderId: number })[]> {
  return await perAccount(wanted, (accountId, own) => itemsOf(tx, accountId, idsAllowing(accountId, own, event)));
}

function itemsOf(tx: Tx, accountId: number, orderIds: Fragment | number[]) {
  return tx<(NotifiedItem & { orderId: number })[]>`
    select order_id as "orderId",
      (select sku_id from product p where p.account_id = ${accountId} and p.product_id = l.product_id) as "skuId",
      qty, item_name as name, item_storage_type as "storageType", price, ${camelColumns('batch_id, identifier, combo_sku')}
    from order_line l where account_id = ${accountId} and order_id = any(${orderIds})
    order by order_id, line_no`;
}

/** The items of orders that are locked. */
export async function findItemsOf(tx: Tx, orders: OrderKey[]): Promise<(NotifiedItem & { orderId: number })[]> {
  return await perAccount(orders, (accountId, own) =>
    itemsOf(
      tx,
      accountId,
      own.map(({ orderId }) => orderId),
    ),
  );
}

/** An order whose account may have an address for its callbacks. */
export interface DirectOrder {
  orderId: number;
  orderNo: string;
  /** The owner of the secret that signed its last callback, or will sign the first one; null: not known. */
  signer: string | null;
  callbackCount: number;
}

export async function findDirectOrders(tx: Tx, orders: OrderKey[]): Promise<DirectOrder[]> {
  return await perAccount(
    orders,
    (accountId, own) => tx<DirectOrder[]>`
      select order_id as "orderId", order_no as "orderNo", key_name as signer, coalesce(callback_count, 0) as "callbackCount"
      from orders
      left join lateral (
        select key_name, callback_count from callback_target
        where account_id = ${accountId} and document_type = 'order' and document_id = order_id offset 0
      ) target on true
      where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)})`,
  );
}
