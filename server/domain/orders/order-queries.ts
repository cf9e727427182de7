import type { Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Cause } from '../stock/movement.ts';
import { changeStates } from '../timeline/state-change-queries.ts';
import type { OrderRequest } from './create-orders.ts';
import { type OrderEvent, type OrderStatus, orderAfter, orderStatesAllowing } from './order.ts';

/** What a repeat of its number needs to know of an order. */
export interface KnownOrder {
  accountId: number;
  partnerNumber: string;
  orderNo: string;
  payloadDigest: string;
}

export async function findOrdersByNumber(tx: Tx, partnerNumbers: string[]): Promise<KnownOrder[]> {
  return await tx<KnownOrder[]>`
    select account_id as "accountId", partner_number as "partnerNumber", order_no as "orderNo", encode(payload_digest, 'hex') as "payloadDigest"
    from orders where channel <> 'logistics' and partner_number = any(${partnerNumbers})`;
}

export async function takeOrderIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('orders_order_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewOrder = Omit<OrderRequest, 'tenant' | 'lines'> & {
  orderId: number;
  orderNo: string;
  status: OrderStatus;
  tenant: { warehouseNo: number; storeNo: number };
  lines: { skuId: string; productId: number; qty: number }[];
};

/** Sorted by number, so that two nodes that insert the same ones wait for each other in one order. */
export async function insertOrders(tx: Tx, orders: NewOrder[]): Promise<void> {
  const sorted = orders.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  const column = <T>(read: (order: NewOrder) => T) => sorted.map(read);
  await tx`
    insert into orders (order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status,
      logistics_type, express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip, trace_id, created_by)
    select order_id, account_id, channel, partner_number, order_no, decode(payload_digest, 'hex'), warehouse_no, store_no, status,
      logistics_type, express_type, country, name, phone, address, zip, trace_id, created_by
    from unnest(
      ${column((one) => one.orderId)}::bigint[], ${column((one) => one.accountId)}::bigint[], ${column((one) => one.channel)}::text[],
      ${column((one) => one.partnerNumber)}::text[], ${column((one) => one.orderNo)}::text[], ${column((one) => one.payloadDigest)}::text[],
      ${column((one) => one.tenant.warehouseNo)}::integer[], ${column((one) => one.tenant.storeNo)}::integer[],
      ${column((one) => one.status)}::text[],
      ${column((one) => one.shipMethod.logisticsType)}::text[], ${column((one) => one.shipMethod.expressType)}::text[],
      ${column((one) => one.consignee.country)}::text[], ${column((one) => one.consignee.name)}::text[],
      ${column((one) => one.consignee.phone)}::text[], ${column((one) => one.consignee.address)}::text[],
      ${column((one) => one.consignee.zip)}::text[], ${column((one) => one.cause.traceId)}::uuid[],
      ${column((one) => one.cause.actor)}::text[]
    ) as given(order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status,
      logistics_type, express_type, country, name, phone, address, zip, trace_id, created_by)`;
}

export async function insertOrderLines(tx: Tx, orders: NewOrder[]): Promise<void> {
  const lines = orders.flatMap(({ orderId, accountId, lines }) =>
    lines.map(({ productId, qty }, index) => ({ orderId, accountId, lineNo: index + 1, productId, qty })),
  );
  await tx`
    insert into order_line (order_id, line_no, account_id, product_id, qty)
    select * from unnest(${lines.map((line) => line.orderId)}::bigint[], ${lines.map((line) => line.lineNo)}::integer[],
      ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.productId)}::bigint[],
      ${lines.map((line) => line.qty)}::bigint[])`;
}

export interface LockedOrder {
  orderId: number;
  accountId: number;
  partnerNumber: string;
  isLogistics: boolean;
  status: OrderStatus;
  shipmentNo: string | null;
  carrier: string | null;
}

/** How a partner names an order: the numbers of the logistics channel are its own. */
export type OrderName = { accountId: number; partnerNumber: string; isLogistics: boolean };

/** To find it by. */
export function orderNameText({ accountId, partnerNumber, isLogistics }: OrderName): string {
  return `${accountId}/${isLogistics}/${partnerNumber}`;
}

/** Orders are locked before lots, and in the order of their ids. */
export async function lockOrdersByNumber(tx: Tx, wanted: OrderName[]): Promise<LockedOrder[]> {
  return await tx<LockedOrder[]>`
    select order_id as "orderId", account_id as "accountId", partner_number as "partnerNumber", channel = 'logistics' as "isLogistics", status,
      shipment_no as "shipmentNo", carrier
    from orders where ${isNamed(tx, wanted)}
    order by order_id for no key update`;
}

export interface HeldUnits {
  orderId: number;
  lotId: number;
  qty: number;
}

/** What these orders hold of which lot, as long as the event can happen to them. After they are locked, so that it stays so. */
export async function unitsHeldByOrders(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<HeldUnits[]> {
  return await tx<HeldUnits[]>`
    select order_id as "orderId", lot_id as "lotId", sum(locked_delta)::bigint as qty
    from movement where order_id = any(${idsAllowing(tx, wanted, event)})
    group by order_id, lot_id having sum(locked_delta) <> 0`;
}

export async function lockLotsOfOrders(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<void> {
  await tx`
    select from lot
    where lot_id = any(array(select lot_id from movement where order_id = any(${idsAllowing(tx, wanted, event)})))
    order by lot_id for no key update`;
}

/** Those to which the event can happen. */
export function idsAllowing(tx: Tx, wanted: OrderName[], event: OrderEvent) {
  return tx`array(select order_id from orders where ${isNamed(tx, wanted)} and status = any(${orderStatesAllowing(event)}))`;
}

/** Those of logistics stand in an index of their own, so that without them the statement is the simple one. */
export function isNamed(tx: Tx, wanted: OrderName[]) {
  const logistics = wanted.filter((one) => one.isLogistics);
  const direct = wanted.filter((one) => !one.isLogistics);
  if (logistics.length === 0) return tx`channel <> 'logistics' and ${isAmong(tx, direct)}`;
  const isLogistics = tx`channel = 'logistics' and ${isAmong(tx, logistics)}`;
  return direct.length === 0 ? isLogistics : tx`(${isLogistics} or (channel <> 'logistics' and ${isAmong(tx, direct)}))`;
}

function isAmong(tx: Tx, wanted: OrderName[]) {
  const numbers = distinct(wanted.map((one) => one.partnerNumber));
  const accountIds = distinct(wanted.map((one) => one.accountId));
  return tx`account_id = any(${accountIds}) and partner_number = any(${numbers})`;
}

/** An order as it was when it was locked, what happens to it, and who brings that about. */
export type OrderMove = Pick<LockedOrder, 'orderId' | 'status'> & { event: OrderEvent; cause: Cause };

/** Lets something happen to orders, in states in which it can; to each of them once, or one thing after the other. Returns how often it did. */
export async function moveOrders(tx: Tx, moves: OrderMove[]): Promise<number> {
  return await changeStates(
    tx,
    'order',
    moves.map(({ orderId, status, event, cause }) => ({ documentId: orderId, event, from: status, to: orderAfter(status, event)!, cause })),
  );
}

export interface Shipment {
  orderId: number;
  shipmentNo: string | null;
  carrier: string | null;
}

export async function keepShipments(tx: Tx, shipments: Shipment[]): Promise<void> {
  const sorted = shipments.toSorted((a, b) => a.orderId - b.orderId);
  const place = tx`width_bucket(order_id, ${sorted.map((one) => one.orderId)}::bigint[])`;
  await tx`
    update orders set shipment_no = (${sorted.map((one) => one.shipmentNo)}::text[])[${place}],
      carrier = (${sorted.map((one) => one.carrier)}::text[])[${place}], updated_at = now()
    where order_id = any(${sorted.map((one) => one.orderId)})`;
}
