import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderKey } from '../orders/order.ts';
import type { BatchContent, BatchOrder, LeftReason, PickBatch, PickTask, ShortReason } from './pick-batch.ts';

const batchColumns = `batch_id as "batchId", warehouse_no as "warehouseNo", account_ids as "accountIds", created_by as "createdBy",
  ${taipeiTime('created_at', '"createdAt"')}, ${taipeiTime('closed_at', '"closedAt"')}`;

export async function findBatch(sql: Sql, batchId: number): Promise<PickBatch | null> {
  const [batch] = await sql<
    PickBatch[]
  >`select ${sql.unsafe(batchColumns)} from pick_batch where batch_id = ${batchId}`;
  return batch ?? null;
}

/** Changes of a batch are made one after the other: this is the lock of all of them, and is taken before orders. */
export async function lockBatch(tx: Tx, batchId: number): Promise<PickBatch | null> {
  const [batch] = await tx<PickBatch[]>`
    select ${tx.unsafe(batchColumns)} from pick_batch where batch_id = ${batchId} for no key update`;
  return batch ?? null;
}

export async function findBatchOfClaim(tx: Tx, claimId: string): Promise<number | null> {
  const [found] = await tx<{ batchId: number }[]>`
    select batch_id as "batchId" from pick_batch where claim_id = ${claimId}::uuid`;
  return found?.batchId ?? null;
}

/** An open batch with the units that were found so far, for the list of batches. */
export interface ListedBatch extends PickBatch {
  orders: number;
  units: number;
  picked: number;
}

const openBatchesMax = 200;

/** The open batches of these warehouses; null: of all. */
export async function findOpenBatches(sql: Sql, warehouseNos: number[] | null): Promise<ListedBatch[]> {
  const batches = await sql<PickBatch[]>`
    select ${sql.unsafe(batchColumns)} from pick_batch
    where closed_at is null and (${warehouseNos}::integer[] is null or warehouse_no = any(${warehouseNos}::integer[]))
    order by batch_id limit ${openBatchesMax}`;
  const ofAccount = batches.flatMap(({ batchId, accountIds }) =>
    accountIds.map((accountId) => ({ accountId, batchId })),
  );
  const own = sql.forAccounts([...new Set(ofAccount.map(({ accountId }) => accountId))]);
  const counts = await perAccount(
    ofAccount,
    (accountId, those) => own<{ batchId: number; orders: number; units: number; picked: number }[]>`
      select t.batch_id as "batchId", count(distinct t.order_id) as orders, sum(t.qty)::bigint as units, sum(t.picked + t.short)::bigint as picked
      from pick_task t join pick_batch_order b on b.account_id = t.account_id and b.order_id = t.order_id and b.batch_id = t.batch_id
      where t.account_id = ${accountId} and t.batch_id = any(${those.map(({ batchId }) => batchId)}) and b.state = 'open'
      group by t.batch_id`,
  );
  const countsOf = Map.groupBy(counts, ({ batchId }) => batchId);
  return batches.map((batch) => {
    const those = countsOf.get(batch.batchId) ?? [];
    const sum = (name: 'orders' | 'units' | 'picked') => those.reduce((total, one) => total + one[name], 0);
    return { ...batch, orders: sum('orders'), units: sum('units'), picked: sum('picked') };
  });
}

/** Orders and tasks of a batch. Within a transaction, call it after the batch is locked. */
export async function readContent(sql: Sql, batch: PickBatch): Promise<BatchContent> {
  const { batchId, warehouseNo, accountIds } = batch;
  const own = sql.forAccounts(accountIds);
  const accounts = accountIds.map((accountId) => ({ accountId }));
  const [orders, tasks] = await Promise.all([
    perAccount(accounts, (accountId) => findBatchOrders(own, accountId, batchId)),
    perAccount(accounts, (accountId) => findTasks(own, { accountId, batchId, warehouseNo })),
  ]);
  return { batch, orders: orders.toSorted((one, other) => one.slot - other.slot), tasks };
}

/** The orders in a slot of a batch: one, or none. */
export async function findOrdersOfSlot(sql: Sql, batchId: number, slot: number): Promise<OrderKey[]> {
  const batch = await findBatch(sql, batchId);
  if (batch === null) return [];
  const { orders } = await readContent(sql, batch);
  return orders.filter((order) => order.slot === slot && order.state !== 'left');
}

async function findBatchOrders(sql: Sql, accountId: number, batchId: number): Promise<BatchOrder[]> {
  return await sql<BatchOrder[]>`
    select ${camelColumns('b.account_id, b.order_id, b.slot, b.state, b.reason, o.partner_number, o.status')},
      o.channel = 'logistics' as "isLogistics", o.held_at is not null as "isHeld", ${camelColumns('o.logistics_type, o.express_type')},
      coalesce(w.connector->>'type' = 'manual', false) as "isManual"
    from pick_batch_order b join orders o on o.account_id = b.account_id and o.order_id = b.order_id
    join warehouse w on w.warehouse_no = o.warehouse_no
    where b.account_id = ${accountId} and b.batch_id = ${batchId}`;
}

async function findTasks(
  sql: Sql,
  { accountId, batchId, warehouseNo }: { accountId: number; batchId: number; warehouseNo: number },
): Promise<PickTask[]> {
  return await sql<PickTask[]>`
    select ${camelColumns('t.account_id, t.order_id, t.lot_id, t.product_id, t.qty, t.picked, t.short, t.reason, lot.sku_id')}, p.name,
      ${camelColumns('p.storage_type, lot.batch_id')}, nullif(lot.expire_date, 'infinity') as "expireDate", l.location
    from pick_task t
    join lot on lot.account_id = t.account_id and lot.lot_id = t.lot_id
    join product p on p.account_id = t.account_id and p.product_id = t.product_id
    left join product_location l on l.account_id = t.account_id and l.product_id = t.product_id and l.warehouse_no = ${warehouseNo}
    where t.account_id = ${accountId} and t.batch_id = ${batchId} order by t.order_id, t.lot_id`;
}

/** Their states stay as they are until this transaction ends. Orders are locked by ascending id. */
export async function lockOrders(tx: Tx, orders: OrderKey[], strength: 'share' | 'no key update'): Promise<void> {
  await perAccount(
    orders,
    (accountId, own) => tx`
      select from orders where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)})
      order by order_id for ${tx.unsafe(strength)}`,
  );
}

export interface NewBatch {
  claimId: string;
  warehouseNo: number;
  accountIds: number[];
  createdBy: string;
}

export async function insertBatch(tx: Tx, { claimId, warehouseNo, accountIds, createdBy }: NewBatch): Promise<number> {
  const [{ batchId }] = await tx<[{ batchId: number }]>`
    insert into pick_batch (claim_id, warehouse_no, account_ids, created_by)
    values (${claimId}::uuid, ${warehouseNo}, ${accountIds}::bigint[], ${createdBy}) returning batch_id as "batchId"`;
  return batchId;
}

type NewSlot = OrderKey & { slot: number };

const slotRows = rowParameters<NewSlot>({
  order_id: ['bigint', ({ orderId }) => orderId],
  slot: ['integer', ({ slot }) => slot],
});

/** Puts locked orders into a batch. Their tasks are the units that they have locked, as the ledger has them. */
export async function insertSlots(tx: Tx, batchId: number, slots: NewSlot[]): Promise<void> {
  await perAccount(
    slots,
    (accountId, own) => tx`
      insert into pick_batch_order (account_id, order_id, batch_id, slot)
      select ${accountId}::bigint, given.order_id, ${batchId}::bigint, given.slot from ${slotRows.given(own)} order by given.order_id`,
  );
  await perAccount(
    slots,
    (accountId, own) => tx`
      insert into pick_task (account_id, order_id, batch_id, lot_id, product_id, qty)
      select ${accountId}::bigint, held.order_id, ${batchId}::bigint, held.lot_id, lot.product_id, held.qty
      from (
        select order_id, lot_id, sum(locked_delta)::bigint as qty
        from movement where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)})
        group by order_id, lot_id having sum(locked_delta) > 0
      ) held
      join lot on lot.account_id = ${accountId} and lot.lot_id = held.lot_id`,
  );
}

/** Units of a task that were found or are missing. */
export interface TaskChange extends OrderKey {
  lotId: number;
  picked: number;
  short: number;
  reason: ShortReason | null;
}

const taskRows = rowParameters<TaskChange>({
  order_id: ['bigint', ({ orderId }) => orderId],
  lot_id: ['bigint', ({ lotId }) => lotId],
  picked: ['bigint', ({ picked }) => picked],
  short: ['bigint', ({ short }) => short],
  reason: ['text', ({ reason }) => reason],
});

/** Adds units to tasks of a locked batch. */
export async function changeTasks(tx: Tx, batchId: number, changes: TaskChange[]): Promise<void> {
  await perAccount(
    changes,
    (accountId, own) => tx`
      update pick_task t set picked = t.picked + given.picked, short = t.short + given.short, reason = coalesce(given.reason, t.reason)
      from ${taskRows.given(own)}
      where t.account_id = ${accountId} and t.batch_id = ${batchId} and t.order_id = given.order_id and t.lot_id = given.lot_id`,
  );
}

export interface SettledOrder extends OrderKey {
  state: 'picked' | 'left';
  reason: LeftReason | null;
}

const settledRows = rowParameters<SettledOrder>({
  order_id: ['bigint', ({ orderId }) => orderId],
  state: ['text', ({ state }) => state],
  reason: ['text', ({ reason }) => reason],
});

/** Writes how orders have ended in a locked batch. */
export async function settleOrders(tx: Tx, batchId: number, orders: SettledOrder[]): Promise<void> {
  await perAccount(
    orders,
    (accountId, own) => tx`
      update pick_batch_order b set state = given.state, reason = given.reason from ${settledRows.given(own)}
      where b.account_id = ${accountId} and b.batch_id = ${batchId} and b.order_id = given.order_id and b.state = 'open'`,
  );
}

export async function closeBatch(tx: Tx, batchId: number, username: string): Promise<void> {
  await tx`update pick_batch set closed_at = now(), closed_by = ${username} where batch_id = ${batchId}`;
  await tx`delete from pick_scan where batch_id = ${batchId}`;
}

/** The answer to an earlier scan with this id; null: there was none. */
export async function findScan<Answer>(tx: Tx, batchId: number, scanId: string): Promise<Answer | null> {
  const [found] = await tx<{ answer: Answer }[]>`
    select answer from pick_scan where batch_id = ${batchId} and scan_id = ${scanId}::uuid`;
  return found?.answer ?? null;
}

export interface NewScan {
  batchId: number;
  scanId: string;
  username: string;
}

export async function insertScan(tx: Tx, { batchId, scanId, username }: NewScan, answer: object): Promise<void> {
  await tx`
    insert into pick_scan (batch_id, scan_id, answer, username)
    values (${batchId}, ${scanId}::uuid, ${JSON.stringify(answer)}::text::json, ${username})`;
}

/**
 * Rows `b` of `pick_batch_order` whose missing units count when the order is packed, shipped or counted. Those of an
 * order that was packed or shipped before its batch ended count too.
 */
export const isOfOrder = fragment`(b.state <> 'left' or b.reason = 'gone')`;

/** Units of a lot that an order leaves with, although others of its units are missing. */
export interface ShortPick extends OrderKey {
  lotId: number;
  qty: number;
  skuId: string;
}

/**
 * Returns the orders that were in a batch with missing units, and all their other units. If the batch has not ended,
 * the person who ships the order has the units that nobody has scanned yet.
 */
export async function findShortPicks(sql: Sql, orders: OrderKey[]): Promise<ShortPick[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<ShortPick[]>`
      select ${camelColumns('t.account_id, t.order_id, t.lot_id, lot.sku_id')}, t.qty - t.short as qty
      from pick_batch_order b
      join pick_task t on t.account_id = b.account_id and t.order_id = b.order_id and t.batch_id = b.batch_id
      join lot on lot.account_id = t.account_id and lot.lot_id = t.lot_id
      where b.account_id = ${accountId} and b.order_id = any(${own.map(({ orderId }) => orderId)}) and ${isOfOrder} and t.qty > t.short
        and exists (select from pick_task s
          where s.account_id = ${accountId} and s.order_id = b.order_id and s.batch_id = b.batch_id and s.short > 0)
      order by t.order_id, t.lot_id`,
  );
}
