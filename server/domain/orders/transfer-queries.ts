import type { Sql, Tx } from '../../platform/database.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import type { OrderStatus } from './order.ts';
import { idsAllowing, type OrderName } from './order-queries.ts';
import type { Transfer, TransferStatus } from './transfer.ts';

/** How far the orders of an account were looked at. To the microsecond. */
export interface PendingPlace {
  accountId: number;
  createdAt: string;
  orderId: number;
}

/** Nothing of a UAT account ever reaches a warehouse. */
export async function productionAccountIds(sql: Sql): Promise<number[]> {
  const rows = await sql<{ account_id: number }[]>`select account_id from account where environment = 'production' order by account_id`;
  return rows.map((row) => row.account_id);
}

/**
 * Orders of these accounts that are to go to a warehouse, the oldest of each account first, so many of each beyond a given one. Those whose
 * transfer is in one of `passedBy` are left out. (Only one index has this order, so the planner cannot come to prefer another one.)
 */
export async function findPendingOrders(
  sql: Sql,
  { warehouseNo, upTo, passedBy }: { warehouseNo: number; upTo: string; passedBy: readonly TransferStatus[] },
  beyond: PendingPlace[],
  limit: number,
): Promise<PendingPlace[]> {
  return await sql<PendingPlace[]>`
    select pending.account_id as "accountId", pending.order_id as "orderId",
      to_char(pending.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as "createdAt"
    from unnest(${beyond.map((one) => one.accountId)}::bigint[], ${beyond.map((one) => one.createdAt)}::text[],
      ${beyond.map((one) => one.orderId)}::bigint[]) as beyond(account_id, created_at, order_id)
    cross join lateral (
      select account_id, created_at, order_id from orders o
      where o.account_id = beyond.account_id and status <= 'pending_warehouse_transfer'
        and (status, created_at, o.order_id) > ('pending_warehouse_transfer', beyond.created_at::timestamptz, beyond.order_id)
        and warehouse_no + 0 = ${warehouseNo}
        and not exists (select from transfer t where t.order_id = o.order_id and t.status = any(${[...passedBy]}) offset 0)
      order by status, created_at, order_id limit ${limit}
    ) pending
    where pending.created_at <= ${upTo}::text::timestamptz
    order by pending.account_id, pending.created_at, pending.order_id`;
}

/** Those of these orders that may still go to this warehouse. Orders are locked in the order of their ids. */
export async function lockPendingOrders(tx: Tx, warehouseNo: number, orderIds: number[]): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    select order_id from orders
    where order_id = any(${orderIds}) and status = 'pending_warehouse_transfer' and warehouse_no = ${warehouseNo}
      and account_id = any(array(select account_id from account where environment = 'production'))
    order by order_id for no key update`;
  return rows.map((row) => row.order_id);
}

/** Begins the transfer of orders that have none, or whose wait is over. They are locked. */
export async function insertSending(tx: Tx, orderIds: number[]): Promise<Transfer[]> {
  return await tx<Transfer[]>`
    insert into transfer as known (order_id, transfer_id, account_id, warehouse_no, status)
    select order_id, gen_random_uuid(), account_id, warehouse_no, 'sending' from orders where order_id = any(${orderIds}) order by order_id
    on conflict (order_id) do update set transfer_id = excluded.transfer_id, status = 'sending', updated_at = now() where known.status = 'waiting'
    returning order_id as "orderId", transfer_id as "transferId"`;
}

/**
 * These are the warehouse's at once; also those of which it was not known whether another system has them. They are locked. Where they
 * walk on by themselves, they do so after `stepSeconds`. Returns which.
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

/** Transfers of which it is not known whether they have arrived, the oldest order first. */
export async function findSending(sql: Sql, warehouseNo: number, limit: number): Promise<SentTransfer[]> {
  return await sql<SentTransfer[]>`
    select order_id as "orderId", transfer_id as "transferId", orders.status as "orderStatus"
    from (select order_id, transfer_id from transfer where warehouse_no = ${warehouseNo} and status = 'sending') sending
    join orders using (order_id) order by created_at, order_id limit ${limit}`;
}

export interface SentTransfer extends Transfer {
  /** How far its order has come. */
  orderStatus: OrderStatus;
}

/** Those of these transfers that are still being sent; with their orders, which are locked in the order of their ids. */
export async function lockSending(tx: Tx, transfers: Transfer[]): Promise<SentTransfer[]> {
  const orders = await tx<{ order_id: number; status: OrderStatus }[]>`
    select order_id, status from orders where order_id = any(${transfers.map((one) => one.orderId)}) order by order_id for no key update`;
  const sending = await tx<Transfer[]>`
    select order_id as "orderId", transfer_id as "transferId" from transfer
    where transfer_id = any(${transfers.map((one) => one.transferId)}::uuid[]) and status = 'sending'`;
  const statusOf = new Map(orders.map((order) => [order.order_id, order.status]));
  return sending.flatMap((one) => (statusOf.has(one.orderId) ? [{ ...one, orderStatus: statusOf.get(one.orderId)! }] : []));
}

export async function acceptTransfers(tx: Tx, transferIds: string[]): Promise<void> {
  await tx`
    update transfer set status = 'accepted', attempts = attempts + 1, reason = null, updated_at = now()
    where transfer_id = any(${transferIds}::uuid[])`;
}

/** Put aside, until somebody wants them tried again. */
export async function rejectTransfers(tx: Tx, rejected: { transferId: string; reason: string }[]): Promise<void> {
  await tx`
    update transfer set status = 'rejected', attempts = attempts + 1, reason = given.reason, updated_at = now()
    from unnest(${rejected.map((one) => one.transferId)}::uuid[], ${rejected.map((one) => one.reason)}::text[]) as given(transfer_id, reason)
    where transfer.transfer_id = given.transfer_id`;
}

/** Still being sent, and why so. */
export async function noteFailedTry(tx: Tx, transferIds: string[], reason: string): Promise<void> {
  await tx`
    update transfer set attempts = attempts + 1, reason = ${reason}, updated_at = now()
    where transfer_id = any(${transferIds}::uuid[]) and status = 'sending'`;
}

/** Surely not with their warehouse, and why so. */
export async function takeBackTransfers(tx: Tx, transferIds: string[], reason: string): Promise<void> {
  await tx`
    update transfer set status = 'waiting', attempts = attempts + 1, reason = ${reason}, updated_at = now()
    where transfer_id = any(${transferIds}::uuid[]) and status = 'sending'`;
}

/** Those of these orders of which it is not known whether their warehouse has them. After they are locked, so that it stays so. */
export async function ordersBeingSent(tx: Tx, wanted: OrderName[]): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    select order_id from transfer where order_id = any(${idsAllowing(tx, wanted, 'cancel')}) and status = 'sending'`;
  return rows.map((row) => row.order_id);
}

/** A transfer as it is listed. */
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
  /** Ours, or the partner's; null: any. */
  numbers: string[] | null;
}

/** Orders that are being sent or were put aside, and have not come further by themselves; the oldest first. */
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

/** Puts orders that were put aside back in line, where the next wave finds them. Returns which. */
export async function letRejectedWait(tx: Tx, orderIds: number[]): Promise<number[]> {
  await tx`select from orders where order_id = any(${orderIds}) order by order_id for no key update`;
  const waiting = await tx<{ order_id: number }[]>`
    update transfer set status = 'waiting', reason = null, updated_at = now()
    where order_id = any(${orderIds}) and status = 'rejected' returning order_id`;
  return waiting.map((row) => row.order_id);
}

/** How many orders are put aside. */
export async function countPutAside(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from transfer t join orders o using (order_id)
    where t.status = 'rejected' and o.status = 'pending_warehouse_transfer'`;
  return row.count;
}
