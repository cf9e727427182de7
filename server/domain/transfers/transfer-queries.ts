import { type Message, storeMessage } from '../../../messages/message.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderStatus } from '../orders/order.ts';
import { idsAllowing, type OrderName } from '../orders/order-queries.ts';
import type { PendingBatch, Transfer, TransferStatus } from './transfer.ts';

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

/** In UTC to the microsecond, in a form that sorts by time. */
const createdAtText = fragment`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`;

/**
 * Finds pending orders of an account after a given position, the oldest first, without orders on hold and orders whose
 * transfer is in one of the `skipped` states. Only one index has this order, so the planner cannot pick another.
 */
export async function findPendingOrders(
  sql: Sql,
  { warehouseNo, upTo, skipped }: { warehouseNo: number; upTo: string; skipped: readonly TransferStatus[] },
  { accountId, createdAt, orderId }: PendingPosition,
  limit: number,
): Promise<PendingPosition[]> {
  return await sql<PendingPosition[]>`
    select account_id as "accountId", order_id as "orderId", ${createdAtText} as "createdAt"
    from (
      select account_id, created_at, order_id from orders o
      where account_id = ${accountId} and status <= 'pending_warehouse_transfer'
        and (status, created_at, order_id) > ('pending_warehouse_transfer', ${createdAt}::timestamptz, ${orderId})
        and warehouse_no + 0 = ${warehouseNo} and held_at is null
        and not exists (
          select from transfer t where t.account_id = ${accountId} and t.order_id = o.order_id and t.status = any(${[...skipped]}) offset 0)
      order by status, created_at, order_id limit ${limit}
    ) pending
    where created_at <= ${upTo}::timestamptz
    order by created_at, order_id`;
}

/** Locks those of these orders that are still pending for this warehouse and not on hold. Orders are always locked by ascending id. */
export async function lockPendingOrders(
  tx: Tx,
  warehouseNo: number,
  { accountId, orderIds }: PendingBatch,
): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    select order_id from orders
    where account_id = ${accountId} and order_id = any(${orderIds}) and status = 'pending_warehouse_transfer'
      and warehouse_no = ${warehouseNo} and environment = 'production' and held_at is null
    order by order_id for no key update`;
  return rows.map((row) => row.order_id);
}

/** Begins the transfer of locked orders that have no transfer, or a waiting one. */
export async function insertSending(tx: Tx, { accountId, orderIds }: PendingBatch): Promise<Transfer[]> {
  return await tx<Transfer[]>`
    insert into transfer as known (account_id, order_id, transfer_id, warehouse_no, status)
    select account_id, order_id, gen_random_uuid(), warehouse_no, 'sending' from orders
    where account_id = ${accountId} and order_id = any(${orderIds}) order by order_id
    on conflict (account_id, order_id) do update set transfer_id = excluded.transfer_id, status = 'sending', updated_at = excluded.updated_at
      where known.status = 'waiting'
    returning ${camelColumns('account_id, order_id, transfer_id')}`;
}

/**
 * Marks the transfer of locked orders as accepted, also of those that another system may have received. In a simulated
 * warehouse, each order takes its next step after `stepSeconds`. Returns the ids of the orders.
 */
export async function insertAccepted(
  tx: Tx,
  { accountId, orderIds }: PendingBatch,
  stepSeconds: number | null,
): Promise<number[]> {
  const rows = await tx<{ order_id: number }[]>`
    insert into transfer as known (account_id, order_id, transfer_id, warehouse_no, status, next_step_at)
    select account_id, order_id, gen_random_uuid(), warehouse_no, 'accepted', now() + make_interval(secs => ${stepSeconds}::float8)
    from orders where account_id = ${accountId} and order_id = any(${orderIds}) order by order_id
    on conflict (account_id, order_id) do update
      set status = 'accepted', reason = null, next_step_at = excluded.next_step_at, updated_at = excluded.updated_at
      where known.status in ('waiting', 'sending')
    returning order_id`;
  return rows.map((row) => row.order_id);
}

/** Transfers that the warehouse may or may not have received, of each account the oldest orders first. */
export async function findSending(sql: Sql, warehouseNo: number, limit: number): Promise<FoundSending[]> {
  return await inProductionAccounts(
    sql,
    (own, accountId) => own<FoundSending[]>`
      select ${camelColumns('o.account_id, o.order_id, sending.transfer_id')}, o.status as "orderStatus", ${createdAtText} as "createdAt"
      from (
        select order_id, transfer_id from transfer
        where account_id = ${accountId} and warehouse_no = ${warehouseNo} and status = 'sending'
      ) sending
      join orders o on o.account_id = ${accountId} and o.order_id = sending.order_id order by created_at, o.order_id limit ${limit}`,
  );
}

/** Orders of UAT accounts have no transfers. */
export async function inProductionAccounts<Row>(
  sql: Sql,
  send: (own: Sql, accountId: number) => PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  const accountIds = await productionAccountIds(sql);
  const own = sql.forAccounts(accountIds);
  return await perAccount(
    accountIds.map((accountId) => ({ accountId })),
    (accountId) => send(own, accountId),
  );
}

export interface SentTransfer extends Transfer {
  orderStatus: OrderStatus;
}

export interface FoundSending extends SentTransfer {
  /** The creation of the order, as text that sorts by time. */
  createdAt: string;
}

/** Those of these transfers that are still being sent. Locks their orders by ascending id. */
export async function lockSending(tx: Tx, transfers: Transfer[]): Promise<SentTransfer[]> {
  const orders = await perAccount(
    transfers,
    (accountId, own) => tx<{ order_id: number; status: OrderStatus }[]>`
      select order_id, status from orders where account_id = ${accountId} and order_id = any(${own.map((one) => one.orderId)})
      order by order_id for no key update`,
  );
  const sending = await perAccount(
    transfers,
    (accountId, own) => tx<Transfer[]>`
      select ${camelColumns('account_id, order_id, transfer_id')} from transfer
      where account_id = ${accountId} and transfer_id = any(${idsOf(own)}::uuid[]) and status = 'sending'`,
  );
  const statusOf = new Map(orders.map((order) => [order.order_id, order.status]));
  return sending.flatMap((one) =>
    statusOf.has(one.orderId) ? [{ ...one, orderStatus: statusOf.get(one.orderId)! }] : [],
  );
}

function idsOf(transfers: Transfer[]): string[] {
  return transfers.map((one) => one.transferId);
}

export async function acceptTransfers(tx: Tx, transfers: Transfer[]): Promise<void> {
  await perAccount(
    transfers,
    (accountId, own) => tx`
      update transfer set status = 'accepted', attempts = attempts + 1, reason = null, updated_at = now()
      where account_id = ${accountId} and transfer_id = any(${idsOf(own)}::uuid[])`,
  );
}

/** Rejected transfers stay so until an operator retries them. */
export async function rejectTransfers(tx: Tx, rejected: (Transfer & { reason: Message })[]): Promise<void> {
  await perAccount(
    rejected,
    (accountId, own) => tx`
      update transfer t set status = 'rejected', attempts = attempts + 1, reason = given.reason, updated_at = now()
      from unnest(${idsOf(own)}::uuid[], ${own.map((one) => storeMessage(one.reason))}::text[]) as given(transfer_id, reason)
      where t.account_id = ${accountId} and t.transfer_id = given.transfer_id and t.transfer_id = any(${idsOf(own)}::uuid[])`,
  );
}

/** The transfers are still being sent; `reason` says why the last attempt failed. */
export async function noteFailedTry(tx: Tx, transfers: Transfer[], reason: Message): Promise<void> {
  await perAccount(
    transfers,
    (accountId, own) => tx`
      update transfer set attempts = attempts + 1, reason = ${storeMessage(reason)}, updated_at = now()
      where account_id = ${accountId} and transfer_id = any(${idsOf(own)}::uuid[]) and status = 'sending'`,
  );
}

/** The warehouse cannot have received the transfers; `reason` says why. */
export async function takeBackTransfers(tx: Tx, transfers: Transfer[], reason: Message): Promise<void> {
  await perAccount(
    transfers,
    (accountId, own) => tx`
      update transfer set status = 'waiting', attempts = attempts + 1, reason = ${storeMessage(reason)}, updated_at = now()
      where account_id = ${accountId} and transfer_id = any(${idsOf(own)}::uuid[]) and status = 'sending'`,
  );
}

/** Those of these orders that their warehouse may have received. The caller has locked them, so this stays true. */
export async function ordersBeingSent(tx: Tx, wanted: OrderName[]): Promise<number[]> {
  const rows = await perAccount(
    wanted,
    (accountId, own) => tx<{ order_id: number }[]>`
      select order_id from transfer
      where account_id = ${accountId} and order_id = any(${idsAllowing(accountId, own, 'cancel')}) and status = 'sending'`,
  );
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

/** A short name of a reason, which addresses of pages can have: the reason itself may be long. */
const reasonKeyColumn = fragment`left(encode(sha256(convert_to(coalesce(t.reason, ''), 'UTF8')), 'hex'), 32)`;

/** Pending orders that their warehouse rejected for the same reason. */
export interface RejectionReason {
  key: string;
  reason: string | null;
  count: number;
}

/** The reason for which the warehouse rejected an order that is still pending; null: it did not. */
export async function findRejection(
  sql: Sql,
  accountId: number,
  orderId: number,
): Promise<Omit<RejectionReason, 'count'> | null> {
  const [row] = await sql<Omit<RejectionReason, 'count'>[]>`
    select ${reasonKeyColumn} as key, t.reason from transfer t
    join orders o on o.account_id = t.account_id and o.order_id = t.order_id
    where t.account_id = ${accountId} and t.order_id = ${orderId} and t.status = 'rejected'
      and o.status = 'pending_warehouse_transfer'`;
  return row ?? null;
}

/** The rejected orders of each account that are looked at. */
const rejectedMax = 1000;

/** The most frequent reason first. Takes at most `rejectedMax` orders of each account. */
export async function findRejectionReasons(sql: Sql, warehouseNos: number[] | null): Promise<RejectionReason[]> {
  const there = warehouseNos === null ? sql`` : sql`and t.warehouse_no = any(${warehouseNos}::integer[])`;
  const found = await inProductionAccounts(
    sql,
    (own, accountId) => own<RejectionReason[]>`
      select key, reason, count(*)::integer as count from (
        select ${reasonKeyColumn} as key, t.reason from transfer t
        join orders o on o.account_id = t.account_id and o.order_id = t.order_id
        where t.account_id = ${accountId} and t.status = 'rejected' and o.status = 'pending_warehouse_transfer' ${there}
        limit ${rejectedMax}) rejected
      group by key, reason`,
  );
  const byKey = Map.groupBy(found, ({ key }) => key);
  return [...byKey.values()]
    .map((those) => ({ ...those[0]!, count: those.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
}

export interface TransferSelection {
  warehouseNo: number | null;
  status: 'sending' | 'rejected' | null;
  /** Our order numbers or the partner's; null: any. */
  numbers: string[] | null;
  /** The key of a reason; missing: any. */
  reasonKey?: string | undefined;
}

/** With the id of its order, by which the console finds its page. */
export type TransferOfOrder = ListedTransfer & { order_id: number };

export async function listTransfers(sql: Sql, selection: TransferSelection, limit: number): Promise<TransferOfOrder[]> {
  const found = await findTransfers(sql, selection, limit);
  return found.map(({ account_id: _, ...transfer }) => transfer);
}

/** Orders that are being sent or were rejected and are still pending, the oldest first. */
export async function findTransfers(
  sql: Sql,
  { warehouseNo, status, numbers, reasonKey }: TransferSelection,
  limit: number,
): Promise<(TransferOfOrder & { account_id: number })[]> {
  type Found = TransferOfOrder & { account_id: number; createdAt: string };
  const found = (own: Sql, wanted: TransferStatus, accountId: number) => own<Found[]>`
    select o.order_id, o.account_id, order_no as orders_id, account_no, partner_number as number, t.warehouse_no, t.status,
      attempts as tries, reason, transfer_id, ${sql.unsafe(taipeiTime('t.updated_at', 'last_try'))},
      to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as "createdAt"
    from transfer t join orders o on o.account_id = t.account_id and o.order_id = t.order_id join account a on a.account_id = o.account_id
    where t.account_id = ${accountId} and t.status = ${wanted} and o.status = 'pending_warehouse_transfer'
      ${warehouseNo === null ? sql`` : sql`and t.warehouse_no = ${warehouseNo}`}
      ${numbers === null ? sql`` : sql`and (order_no = any(${numbers}) or partner_number = any(${numbers}))`}
      ${reasonKey === undefined ? sql`` : sql`and ${reasonKeyColumn} = ${reasonKey}`}
    order by o.created_at, o.order_id limit ${limit}`;
  const statuses = status === null ? (['sending', 'rejected'] as const) : [status];
  const pages = await Promise.all(
    statuses.map((wanted) => inProductionAccounts(sql, (own, accountId) => found(own, wanted, accountId))),
  );
  return pages
    .flat()
    .sort(byCreation)
    .slice(0, limit)
    .map(({ createdAt: _, ...transfer }) => transfer);
}

function byCreation(one: { createdAt: string; order_id: number }, other: typeof one): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.order_id - other.order_id;
}

/** Queues rejected orders again for the next wave, and returns their ids. */
export async function requeueRejected(tx: Tx, accountId: number, orderIds: number[]): Promise<number[]> {
  await tx`
    select from orders where account_id = ${accountId} and order_id = any(${orderIds}) order by order_id for no key update`;
  const waiting = await tx<{ order_id: number }[]>`
    update transfer set status = 'waiting', reason = null, updated_at = now()
    where account_id = ${accountId} and order_id = any(${orderIds}) and status = 'rejected' returning order_id`;
  return waiting.map((row) => row.order_id);
}

export async function countRejected(sql: Sql): Promise<number> {
  const counts = await inProductionAccounts(
    sql,
    (own, accountId) => own<[{ count: number }]>`
      select count(*)::integer as count from transfer t join orders o on o.account_id = t.account_id and o.order_id = t.order_id
      where t.account_id = ${accountId} and t.status = 'rejected' and o.status = 'pending_warehouse_transfer'`,
  );
  return counts.reduce((sum, { count }) => sum + count, 0);
}
