import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { OrderStatus } from '../orders/order.ts';

/*
 * An erasure runs beside normal traffic. It locks orders, then the queued callbacks of these, then the callbacks: the
 * order in which state changes and workers lock them.
 */

/** The position of an order in the order of its end; the time is text, because it has microseconds. */
export interface EndPosition {
  endedAt: string;
  orderId: number;
}

export const beforeAll: EndPosition = { endedAt: '-infinity', orderId: 0 };

export interface EndedOrder extends EndPosition {
  partnerNumber: string;
  payloadDigest: string;
}

/** The condition of the index `orders_recipients_ended`. */
export function hasEndedWithRecipient(sql: Sql | Tx) {
  return sql`recipient_erased_at is null and status in ('shipped', 'arrived', 'delivered', 'undelivered', 'cancelled')`;
}

/** Locks orders of an account that ended before this time and have their recipient, and skips those that others use. */
export async function lockEndedOrders(
  tx: Tx,
  { accountId, endedBefore, after }: { accountId: number; endedBefore: Date; after: EndPosition },
  limit: number,
): Promise<EndedOrder[]> {
  return await tx<EndedOrder[]>`
    select order_id as "orderId", updated_at::text as "endedAt", partner_number as "partnerNumber",
      encode(payload_digest, 'hex') as "payloadDigest"
    from orders
    where account_id = ${accountId} and ${hasEndedWithRecipient(tx)} and updated_at < ${endedBefore.toISOString()}::timestamptz
      and (updated_at, order_id) > (${after.endedAt}::timestamptz, ${after.orderId}::bigint)
    order by updated_at, order_id limit ${limit} for update skip locked`;
}

export interface LockedOrder {
  orderId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: OrderStatus;
  erasedAt: Date | null;
}

export async function lockOrderById(tx: Tx, accountId: number, orderId: number): Promise<LockedOrder | null> {
  const [order] = await tx<LockedOrder[]>`
    select order_id as "orderId", partner_number as "partnerNumber", encode(payload_digest, 'hex') as "payloadDigest", status,
      recipient_erased_at as "erasedAt"
    from orders where account_id = ${accountId} and order_id = ${orderId} for update`;
  return order ?? null;
}

/** The accounts whose orders have a retention. */
export async function productionAccounts(sql: Sql): Promise<{ accountId: number; accountNo: string }[]> {
  return await sql<{ accountId: number; accountNo: string }[]>`
    select account_id as "accountId", account_no as "accountNo" from account where environment = 'production' order by account_id`;
}

export interface QueuedCallback {
  callbackId: number;
  orderId: number;
  /** A worker is sending it now. */
  isSending: boolean;
}

/** Waits for a worker that is recording a result. */
export async function lockQueuedCallbacks(tx: Tx, accountId: number, orderIds: number[]): Promise<QueuedCallback[]> {
  return await tx<QueuedCallback[]>`
    select callback_id as "callbackId", ${orderOfQueued(tx, accountId)} as "orderId", lease is not null and due_at > now() as "isSending"
    from callback_delivery queued
    where account_id = ${accountId} and callback_id = any(array(${callbacksOf(tx, accountId, orderIds)}))
    order by callback_id for update`;
}

/** Waits for a redelivery that is queueing one of these callbacks; no other can begin until this transaction ends. */
export async function lockCallbacks(tx: Tx, accountId: number, orderIds: number[]): Promise<void> {
  await tx`
    select from callback where account_id = ${accountId} and callback_id = any(array(${callbacksOf(tx, accountId, orderIds)}))
    order by callback_id for update`;
}

export async function findQueuedCallbacks(
  tx: Tx,
  accountId: number,
  orderIds: number[],
): Promise<{ callbackId: number; orderId: number }[]> {
  return await tx<{ callbackId: number; orderId: number }[]>`
    select callback_id as "callbackId", ${orderOfQueued(tx, accountId)} as "orderId" from callback_delivery queued
    where account_id = ${accountId} and callback_id = any(array(${callbacksOf(tx, accountId, orderIds)}))`;
}

function callbacksOf(tx: Tx, accountId: number, orderIds: number[]) {
  return tx`
    select callback_id from callback
    where account_id = ${accountId} and document_type = 'order' and document_id = any(${orderIds}::bigint[])
    union all
    select callback_id from callback
    where account_id = ${accountId} and test_of = any(${orderIds}::bigint[]) and document_type = 'order'`;
}

/** Tests have an id of their own in place of the order's. */
function orderOfQueued(tx: Tx, accountId: number) {
  return tx`case when document_id > 0 then document_id else (
    select test_of from callback c where c.account_id = ${accountId} and c.callback_id = queued.callback_id) end`;
}

/** The body of a callback after its erasure: JSON, because partners parse it. */
const erasedBody = '{}';

/**
 * Empties everything that may be about a person, in one round trip. `customer_name` is required by the contract and
 * becomes empty. The orders keep `updated_at`, the time of their last status.
 */
export async function erasePersonalData(
  tx: Tx,
  accountId: number,
  orders: { orderId: number; payloadDigest: string }[],
): Promise<{ callbacks: number; notes: number }> {
  const sorted = orders.toSorted((a, b) => a.orderId - b.orderId);
  const orderIds = sorted.map((order) => order.orderId);
  const isAmong = tx`account_id = ${accountId} and order_id = any(${orderIds}::bigint[])`;
  const callbackIds = tx`account_id = ${accountId} and callback_id = any(array(${callbacksOf(tx, accountId, orderIds)}))`;
  const digest = tx`(${sorted.map((order) => order.payloadDigest)}::text[])[width_bucket(order_id, ${orderIds}::bigint[])]`;
  const [callbacks, notes] = await Promise.all([
    tx`update callback set body = ${erasedBody}, body_erased_at = now() where ${callbackIds} and body_erased_at is null`,
    tx`
      update document_note set text = '' where account_id = ${accountId} and document_type = 'order'
        and document_id = any(${orderIds}::bigint[]) and text <> ''`,
    tx`update callback_attempt set response = null where ${callbackIds} and response is not null`,
    tx`update order_change set ${erasedChange(tx)} where ${isAmong}`,
    tx`update transfer set reason = null where ${isAmong} and reason is not null`,
    tx`
      update shipping_order set customer_name = '', city = null, note = null, store_pickup_label_data = null
      where ${isAmong}`,
    tx`
      update orders set consignee_name = null, consignee_phone = null, consignee_address = null, consignee_zip = null,
        payload_digest = decode(coalesce(${digest}), 'hex'), recipient_erased_at = now()
      where ${isAmong}`,
  ]);
  return { callbacks: callbacks.count, notes: notes.count };
}

/**
 * Erases changes of orders whose recipient is erased already: nodes of the version before changes existed erase orders
 * during an upgrade, and do not know this table. Returns how many; at most `limit`.
 */
export async function eraseLateChanges(tx: Tx, accountId: number, limit: number): Promise<number> {
  const { count } = await tx`
    update order_change set ${erasedChange(tx)} where account_id = ${accountId} and order_change_id = any(array(
      select order_change_id from order_change c
      where c.account_id = ${accountId} and num_nonnulls(c.old_values::text, c.new_values::text, c.reason, c.answer) > 0
        and exists (select from orders o
          where o.account_id = ${accountId} and o.order_id = c.order_id and o.recipient_erased_at is not null)
      order by order_id, order_change_id limit ${limit}))`;
  return count;
}

/** A change that the warehouse has not answered is given up: its values are gone. */
function erasedChange(tx: Tx) {
  return tx`old_values = null, new_values = null, reason = null, answer = null,
    state = case when state = 'requested' then 'refused' else state end`;
}
