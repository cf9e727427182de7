import { type Message, storeMessage } from '../../../messages/message.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderStatus } from '../orders/order.ts';
import { idsAllowing, type OrderName } from '../orders/order-queries.ts';
import type { Transfer, TransferStatus } from './transfer.ts';

/** A cursor position in the pending orders of an account. */
export interface PendingPosition {
  accountId: number;
  /** To the microsecond. */
  createdAt: string;
  orderId: number;
}

/** Orders of UAT accounts never reach a warehouse. */
export async function productionAccountIds(sql: Sql): Promise<number[]> {
  const rows = await sql<
    { account_id: number }[]
  >`select account_id from account where environment = 'production' order by account_id`;
  return rows.map((row) => row.account_id);
}

/**
 * Finds pending orders of these accounts after the given positions, the oldest of each account first, without orders
 * whose transfer is in one of the `skipped` states. Only one index has this order, so the planner cannot pick another.
 */
export async function findPendingOrders(
  sql: Sql,
  { warehouseNo, upTo, skipped }: { warehouseNo: number; upTo: string; skipped: readonly TransferStatus[] },
  beyond: PendingPosition[],
  limit: number,
): Promise<PendingPosition[]> {
  return await sql<PendingPosition[]>`
    select pending.account_id as "accountId", pending.order_id as "orderId",
      to_char(pending.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as "createdAt"
    from unnest(${beyond.map((one) => one.accountId)}::bigint[], ${beyond.map((one) => one.createdAt)}::text[],
      ${beyond.map((one) => one.orderId)}::bigint[]) as beyond(account_id, created_at, order_id)
    cross join lateral (
      select account_id, created_at, order_id from orders o
      where o.account_id = beyond.account_id and status <= 'pending_warehouse_transfer'
        and (status, created_at, o.order_id) > ('pending_warehouse_transfer', beyond.created_at::timestamptz, beyond.order_id)
        and warehouse_no + 0 = ${warehouseNo}
        and not exists (select from transfer t where t.order_id = o.order_id and t.status = any(${[...skipped]}) offset 0)
      order by status, created_at, order_id limit ${limit}
    ) pending
    where pending.created_at <= ${upTo}::timestamptz
    order by pending.account_id, pending.created_at, pending.order_id`;
}

/** Locks those of these orders that are still pending for this warehouse. Orders are always locked by ascending id. */
export async function lockPendingOrders(tx: Tx, warehouseNo: number, orderIds: number[]): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    select order_id from orders
    where order_id = any(${orderIds}) and status = 'pending_warehouse_transfer' and warehouse_no = ${warehouseNo}
      and account_id = any(array(select account_id from account where environment = 'production'))
    order by order_id for no key update`;
  return rows.map((row) => row.order_id);
}

/** Begins the transfer of locked orders that have no transfer, or a waiting one. */
export async function insertSending(tx: Tx, orderIds: number[]): Promise<Transfer[]> {
  return await tx<Transfer[]>`
    insert into transfer as known (order_id, transfer_id, account_id, warehouse_no, status)
    select order_id, gen_random_uuid(), account_id, warehouse_no, 'sending' from orders where order_id = any(${orderIds}) order by order_id
    on conflict (order_id) do update set transfer_id = excluded.transfer_id, status = 'sending', updated_at = now() where known.status = 'waiting'
    returning order_id as "orderId", transfer_id as "transferId"`;
}

/**
 * Marks the transfer of locked orders as accepted, also of those that another system may have received. In a simulated
 * warehouse, each order takes its next step after `stepSeconds`. Returns the ids of the orders.
 */
export async function insertAccepted(tx: Tx, orderIds: number[], stepSeconds: number | null): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    insert into transfer as known (order_id, transfer_id, account_id, warehouse_no, status, next_step_at)
    select order_id, gen_random_uuid(), account_id, warehouse_no, 'accepted', now() + make_interval(secs => ${stepSeconds}::float8)
    from orders where order_id = any(${orderIds}) order by order_id
    on conflict (order_id) do update set status = 'accepted', reason = null, next_step_at = excluded.next_step_at, updated_at = now()
      where known.status in ('waiting', 'sending')
    returning order_id`;
  return rows.map((row) => row.order_id);
}

/** Transfers that the warehouse may or may not have received, the oldest order first. */
export async function findSending(sql: Sql, warehouseNo: number, limit: number): Promise<SentTransfer[]> {
  return await sql<SentTransfer[]>`
    select order_id as "orderId", transfer_id as "transferId", orders.status as "orderStatus"
    from (select order_id, transfer_id from transfer where warehouse_no = ${warehouseNo} and status = 'sending') sending
    join orders using (order_id) order by created_at, order_id limit ${limit}`;
}

export interface SentTransfer extends Transfer {
  orderStatus: OrderStatus;
}

/** Those of these transfers that are still being sent. Locks their orders by ascending id. */
export async function lockSending(tx: Tx, transfers: Transfer[]): Promise<SentTransfer[]> {
  const orders = await tx<{ order_id: number; status: OrderStatus }[]>`
    select order_id, status from orders where order_id = any(${transfers.map((one) => one.orderId)}) order by order_id for no key update`;
  const sending = await tx<Transfer[]>`
    select order_id as "orderId", transfer_id as "transferId" from transfer
    where transfer_id = any(${transfers.map((one) => one.transferId)}::uuid[]) and status = 'sending'`;
  const statusOf = new Map(orders.map((order) => [order.order_id, order.status]));
  return sending.flatMap((one) =>
    statusOf.has(one.orderId) ? [{ ...one, orderStatus: statusOf.get(one.orderId)! }] : [],
  );
}

export async function acceptTransfers(tx: Tx, transferIds: string[]): Promise<void> {
  await tx`
    update transfer set status = 'accepted', attempts = attempts + 1, reason = null, updated_at = now()
    where transfer_id = any(${transferIds}::uuid[])`;
}

/** Rejected transfers stay so until an operator retries them. */
export async function rejectTransfers(tx: Tx, rejected: { transferId: string; reason: Message }[]): Promise<void> {
  await tx`
    update transfer set status = 'rejected', attempts = attempts + 1, reason = given.reason, updated_at = now()
    from unnest(${rejected.map((one) => one.transferId)}::uuid[], ${rejected.map((one) => storeMessage(one.reason))}::text[]) as given(transfer_id, reason)
    where transfer.transfer_id = given.transfer_id`;
}

/** The transfers are still being sent; `reason` says why the last attempt failed. */
export async function noteFailedTry(tx: Tx, transferIds: string[], reason: Message): Promise<void> {
  await tx`
    update transfer set attempts = attempts + 1, reason = ${storeMessage(reason)}, updated_at = now()
    where transfer_id = any(${transferIds}::uuid[]) and status = 'sending'`;
}

/** The warehouse cannot have received the transfers; `reason` says why. */
export async function takeBackTransfers(tx: Tx, transferIds: string[], reason: Message): Promise<void> {
  await tx`
    update transfer set status = 'waiting', attempts = attempts + 1, reason = ${storeMessage(reason)}, updated_at = now()
    where transfer_id = any(${transferIds}::uuid[]) and status = 'sending'`;
}

/** Those of these orders that their warehouse may have received. The caller has locked them, so this stays true. */
export async function ordersBeingSent(tx: Tx, wanted: OrderName[]): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    select order_id from transfer where order_id = any(${idsAllowing(tx, wanted, 'cancel')}) and status = 'sending'`;
  return rows.map((row) => row.order_id);
}

export interface ListedTransfer {
  orders_id: string;
  account_no: string;
  number: string;
  warehouse_no: number;
  status: TransferStatus;
  tries: number;
  reason: string | null;
  transfer_id: string;
  last_try: string;
}

export interface TransferSelection {
  warehouseNo: number | null;
  status: 'sending' | 'rejected' | null;
  /** Our order numbers or the partner's; null: any. */
  numbers: string[] | null;
}

/** Orders that are being sent or were rejected and are still pending, the oldest first. */
export async function listTransfers(
  sql: Sql,
  selection: TransferSelection,
  limit: number,
): Promise<(ListedTransfer & { order_id: number })[]> {
  const { warehouseNo, status, numbers } = selection;
  return await sql<(ListedTransfer & { order_id: number })[]>`
    select o.order_id, order_no as orders_id, account_no, partner_number as number, t.warehouse_no, t.status, attempts as tries, reason, transfer_id,
      ${sql.unsafe(taipeiTime('t.updated_at', 'last_try'))}
    from transfer t join orders o using (order_id) join account a on a.account_id = o.account_id
    where t.status in ('sending', 'rejected') ${status === null ? sql`` : sql`and t.status = ${status}`}
      and o.status = 'pending_warehouse_transfer'
      ${warehouseNo === null ? sql`` : sql`and t.warehouse_no = ${warehouseNo}`}
      ${numbers === null ? sql`` : sql`and (order_no = any(${numbers}) or partner_number = any(${numbers}))`}
    order by o.created_at, o.order_id limit ${limit}`;
}

/** Queues rejected orders again for the next wave, and returns their ids. */
export async function requeueRejected(tx: Tx, orderIds: number[]): Promise<number[]> {
  await tx`select from orders where order_id = any(${orderIds}) order by order_id for no key update`;
  const waiting = await tx<{ order_id: number }[]>`
    update transfer set status = 'waiting', reason = null, updated_at = now()
    where order_id = any(${orderIds}) and status = 'rejected' returning order_id`;
  return waiting.map((row) => row.order_id);
}

export async function countRejected(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from transfer t join orders o using (order_id)
    where t.status = 'rejected' and o.status = 'pending_warehouse_transfer'`;
  return row.count;
}
