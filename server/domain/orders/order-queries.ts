import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { typedRowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { usesCallbacks } from '../callbacks/account-callback-queries.ts';
import type { CallbackTarget } from '../callbacks/callback.ts';
import type { DocumentSize } from '../documents/cancel-in-turns.ts';
import { changeStates } from '../documents/state-change-queries.ts';
import type { Lot } from '../stock/lot.ts';
import type { ManyLots } from '../stock/many-lots.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { earliestLotsLock, lockWrites, sellableLotsLock, type WantedUnits } from '../stock/stock-queries.ts';
import {
  type OrderEvent,
  type OrderRequest,
  type OrderStatus,
  orderAfter,
  orderStatesAllowing,
  type UndeliveredReason,
} from './order.ts';

/** The parts of an order that decide how a repeat of its number is answered. */
export interface KnownOrder {
  accountId: number;
  partnerNumber: string;
  orderNo: string;
  payloadDigest: string;
}

export async function findOrdersByNumber(
  tx: Sql | Tx,
  wanted: Pick<KnownOrder, 'accountId' | 'partnerNumber'>[],
): Promise<KnownOrder[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<KnownOrder[]>`
      select ${camelColumns('account_id, partner_number, order_no')}, encode(payload_digest, 'hex') as "payloadDigest"
      from orders where ${hasNumberOf(accountId, own)}`,
  );
}

function hasNumberOf(accountId: number, wanted: Pick<KnownOrder, 'partnerNumber'>[]): Fragment {
  return fragment`account_id = ${accountId} and channel <> 'logistics'
    and partner_number = any(${wanted.map((one) => one.partnerNumber)})`;
}

/** The numbers of orders and the units that they need. */
export type WantedOrder = Pick<KnownOrder, 'accountId' | 'partnerNumber'> & { units: WantedUnits[] };

/**
 * Locks the lots that these orders need, then finds the numbers that exist. One statement takes less time than two, but
 * it shows the orders as they were when it began to wait for a lot: see create-orders.ts.
 */
export async function lockLotsAndFindOrders(
  tx: Tx,
  wanted: WantedOrder[],
  manyLots: ManyLots,
): Promise<{ lots: Lot[]; known: KnownOrder[] }> {
  const rows = await perAccount<WantedOrder, (Lot & { partnerNumber: null }) | KnownOrder>(wanted, (accountId, own) => {
    const units = own.flatMap((one) => one.units);
    const locked = manyLots.areAmong(units) ? earliestLotsLock(accountId, units) : sellableLotsLock(accountId, units);
    return tx`
      with locked as (${locked})
      select locked.*, null as "partnerNumber", null as "orderNo", null as "payloadDigest" from locked
      union all
      select account_id, null, null, null, null, null, null, null, null, partner_number, order_no, encode(payload_digest, 'hex')
      from orders where ${hasNumberOf(accountId, own)}`;
  });
  const lots: Lot[] = [];
  const known: KnownOrder[] = [];
  for (const row of rows) {
    if (row.partnerNumber === null) lots.push(row);
    else known.push(row);
  }
  manyLots.notice(lots);
  return { lots, known };
}

export async function takeOrderIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('order_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewOrder = Omit<OrderRequest, 'tenant' | 'lines'> & {
  orderId: number;
  orderNo: string;
  status: OrderStatus;
  tenant: { warehouseNo: number; storeNo: number; callback: CallbackTarget | null };
  lines: { skuId: string; productId: number; qty: number }[];
};

const orderRows = typedRowParameters<NewOrder>('order_row', {
  order_id: ['bigint', (order) => order.orderId],
  channel: ['text', (order) => order.channel],
  partner_number: ['text', (order) => order.partnerNumber],
  order_no: ['text', (order) => order.orderNo],
  payload_digest: ['text', (order) => order.payloadDigest],
  warehouse_no: ['integer', (order) => order.tenant.warehouseNo],
  store_no: ['integer', (order) => order.tenant.storeNo],
  status: ['text', (order) => order.status],
  logistics_type: ['text', (order) => order.shipMethod.logisticsType],
  express_type: ['text', (order) => order.shipMethod.expressType],
  country: ['text', (order) => order.consignee.country],
  name: ['text', (order) => order.consignee.name],
  phone: ['text', (order) => order.consignee.phone],
  address: ['text', (order) => order.consignee.address],
  zip: ['text', (order) => order.consignee.zip],
  trace_id: ['uuid', (order) => order.cause.traceId],
  created_by: ['text', (order) => order.cause.actor],
});

/** The environment of an account never changes. Orders carry it, because a constraint on them depends on it. */
export function environmentOf(accountId: number): Fragment {
  return fragment`(select environment from account where account_id = ${accountId}::bigint)`;
}

/** Sorted by number, so that two nodes that insert the same orders lock them in the same order. */
function orderInsert(accountId: number, orders: NewOrder[]): Fragment {
  const sorted = orders.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  return fragment`
    insert into orders (account_id, order_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status,
      logistics_type, express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip, trace_id, created_by,
      environment)
    select ${accountId}::bigint, order_id, channel, partner_number, order_no, decode(payload_digest, 'hex'), warehouse_no, store_no, status,
      logistics_type, express_type, country, name, phone, address, zip, trace_id, created_by, ${environmentOf(accountId)}
    from ${orderRows.given(sorted)}`;
}

const orderLineRows = typedRowParameters<{ orderId: number; lineNo: number; productId: number; qty: number }>(
  'order_line_row',
  {
    order_id: ['bigint', (line) => line.orderId],
    line_no: ['integer', (line) => line.lineNo],
    product_id: ['bigint', (line) => line.productId],
    qty: ['bigint', (line) => line.qty],
  },
);

function orderLineInsert(accountId: number, orders: NewOrder[]): Fragment {
  const lines = orders.flatMap(({ orderId, lines }) =>
    lines.map(({ productId, qty }, index) => ({ orderId, lineNo: index + 1, productId, qty })),
  );
  return fragment`
    insert into order_line (account_id, order_id, line_no, product_id, qty)
    select ${accountId}::bigint, given.* from ${orderLineRows.given(lines)}`;
}

/**
 * Writes orders with their lines and the units that they lock. One statement per account costs half as much as four
 * when a group has many accounts.
 */
export async function insertOrders(tx: Tx, orders: NewOrder[], locks: Movement[]): Promise<void> {
  await perAccount(orders, (accountId, own) => {
    const { movements, balances } = lockWrites(
      accountId,
      locks.filter((lock) => lock.accountId === accountId),
    );
    const [newOrders, newLines] = [orderInsert(accountId, own), orderLineInsert(accountId, own)];
    if (tx.isDistributed) return sendEach(tx, [newOrders, newLines, movements, balances]);
    return tx`
      with new_order as (${newOrders}), new_line as (${newLines}), new_lock as (${movements})
      ${balances}`;
  });
}

/** Citus runs inserts within a statement one by one, and stores their results in between. */
export async function sendEach(tx: Tx, statements: Fragment[]): Promise<never[]> {
  await Promise.all(statements.map((statement) => tx`${statement}`.execute()));
  return [];
}

export interface LockedOrder {
  orderId: number;
  accountId: number;
  partnerNumber: string;
  isLogistics: boolean;
  status: OrderStatus;
  shipmentNo: string | null;
  carrier: string | null;
  /** null: the order was delivered, or may be yet. */
  undeliveredReason: UndeliveredReason | null;
  /** The order is not of the logistics webhook, and its account has an address for callbacks. */
  usesCallbacks: boolean;
}

/** How a partner refers to an order. The logistics channel has numbers of its own. */
export type OrderName = { accountId: number; partnerNumber: string; isLogistics: boolean };

/** The name as a key of a map. */
export function orderNameText({ accountId, partnerNumber, isLogistics }: OrderName): string {
  return `${accountId}/${isLogistics}/${partnerNumber}`;
}

/** Orders are locked before lots, and in the order of their ids. */
export async function lockOrdersByNumber(tx: Tx, wanted: OrderName[]): Promise<LockedOrder[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<LockedOrder[]>`
      select ${camelColumns('order_id, account_id, partner_number')}, channel = 'logistics' as "isLogistics", status,
        shipment_no as "shipmentNo", carrier, undelivered_reason as "undeliveredReason", channel <> 'logistics' and (${usesCallbacks(accountId)}) as "usesCallbacks"
      from orders where ${isNamed(accountId, own)}
      order by order_id for no key update`,
  );
}

export interface HeldUnits {
  orderId: number;
  lotId: number;
  qty: number;
}

/**
 * The units that these orders hold in each lot, if their state allows the event. Call it after the orders are locked,
 * so that the result stays valid.
 */
export async function unitsHeldByOrders(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<HeldUnits[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<HeldUnits[]>`
      select ${camelColumns('order_id, lot_id')}, sum(locked_delta)::bigint as qty
      from movement where account_id = ${accountId} and order_id = any(${idsAllowing(accountId, own, event)})
      group by order_id, lot_id having sum(locked_delta) <> 0`,
  );
}

/** Units that an order holds in a lot, and the details of the lot. */
export interface HeldLot extends HeldUnits {
  skuId: string;
  productId: number;
  /** Empty: no batch. */
  batchId: string;
  /** null: they do not expire. */
  expireDate: string | null;
}

/** The same with the details of the lots, the earliest expiry first. */
export async function lotsHeldByOrders(tx: Sql, wanted: OrderName[], event: OrderEvent): Promise<HeldLot[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<HeldLot[]>`
      select ${camelColumns('held.order_id, held.lot_id')}, held.qty, ${camelColumns('lot.sku_id, lot.product_id, lot.batch_id')},
        nullif(lot.expire_date, 'infinity') as "expireDate"
      from (
        select order_id, lot_id, sum(locked_delta)::bigint as qty
        from movement where account_id = ${accountId} and order_id = any(${idsAllowing(accountId, own, event)})
        group by order_id, lot_id having sum(locked_delta) <> 0
      ) held
      join lot on lot.account_id = ${accountId} and lot.lot_id = held.lot_id
      order by lot.expire_date, lot.lot_id`,
  );
}

export async function findOrderSizes(sql: Sql, accountId: number, wanted: OrderName[], countMax: number) {
  return await sql<DocumentSize[]>`
    select ${camelColumns('partner_number')}, (
      select count(*)::integer from (
        select from movement where movement.account_id = ${accountId} and movement.order_id = orders.order_id
        limit ${countMax}::integer) counted
    ) as movements
    from orders where ${isNamed(accountId, wanted)}`;
}

export async function lockLotsOfOrders(tx: Tx, wanted: OrderName[], event: OrderEvent): Promise<void> {
  await perAccount(
    wanted,
    (accountId, own) => tx`
      select from lot
      where account_id = ${accountId} and lot_id = any(array(
        select lot_id from movement where account_id = ${accountId} and order_id = any(${idsAllowing(accountId, own, event)})))
      order by lot_id for no key update`,
  );
}

/** The ids of the orders of one account whose state allows the event, or one of the events. */
export function idsAllowing(accountId: number, wanted: OrderName[], event: OrderEvent | OrderEvent[]): Fragment {
  const states = distinct([event].flat().flatMap(orderStatesAllowing));
  return fragment`array(
    select order_id from orders where ${isNamed(accountId, wanted)} and status = any(${states}))`;
}

/**
 * For orders of one account. Numbers of the logistics channel have an index of their own; without such numbers the
 * statement stays simple.
 */
export function isNamed(accountId: number, wanted: OrderName[]): Fragment {
  const logistics = wanted.filter((one) => one.isLogistics);
  const direct = wanted.filter((one) => !one.isLogistics);
  if (logistics.length === 0) return fragment`channel <> 'logistics' and ${isAmong(accountId, direct)}`;
  const isLogistics = fragment`channel = 'logistics' and ${isAmong(accountId, logistics)}`;
  return direct.length === 0
    ? isLogistics
    : fragment`(${isLogistics} or (channel <> 'logistics' and ${isAmong(accountId, direct)}))`;
}

function isAmong(accountId: number, wanted: OrderName[]): Fragment {
  const numbers = distinct(wanted.map((one) => one.partnerNumber));
  return fragment`account_id = ${accountId} and partner_number = any(${numbers})`;
}

/** An order as it was when it was locked, the event, and its cause. */
export type OrderMove = Pick<LockedOrder, 'accountId' | 'orderId' | 'status'> & { event: OrderEvent; cause: Cause };

/**
 * Applies events to orders whose states allow them. Several events of one order are applied one after the other.
 * Returns the number of changes.
 */
export async function moveOrders(tx: Tx, moves: OrderMove[]): Promise<number> {
  return await changeStates(
    tx,
    'order',
    moves.map(({ accountId, orderId, status, event, cause }) => ({
      accountId,
      documentId: orderId,
      event,
      from: status,
      to: orderAfter(status, event)!,
      cause,
    })),
  );
}

export interface Shipment {
  accountId: number;
  orderId: number;
  shipmentNo: string | null;
  carrier: string | null;
}

export async function keepShipments(tx: Tx, shipments: Shipment[]): Promise<void> {
  await perAccount(shipments, (accountId, own) => {
    const sorted = own.toSorted((a, b) => a.orderId - b.orderId);
    const orderIds = sorted.map((one) => one.orderId);
    const place = fragment`width_bucket(order_id, ${orderIds}::bigint[])`;
    return tx`
      update orders set shipment_no = coalesce((${sorted.map((one) => one.shipmentNo)}::text[])[${place}]),
        carrier = coalesce((${sorted.map((one) => one.carrier)}::text[])[${place}]),
        updated_at = greatest(updated_at, now())
      where account_id = ${accountId} and order_id = any(${orderIds})`;
  });
}

export async function keepReasons(
  tx: Tx,
  reasons: { accountId: number; orderId: number; reason: UndeliveredReason }[],
): Promise<void> {
  await perAccount(reasons, (accountId, own) => {
    const sorted = own.toSorted((a, b) => a.orderId - b.orderId);
    const orderIds = sorted.map((one) => one.orderId);
    const place = fragment`width_bucket(order_id, ${orderIds}::bigint[])`;
    return tx`
      update orders set undelivered_reason = coalesce((${sorted.map((one) => one.reason)}::text[])[${place}])
      where account_id = ${accountId} and order_id = any(${orderIds})`;
  });
}
