import type { Sql, Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import { type Lot, type LotKey, lotKeyText, type StockType } from './lot.ts';
import type { Movement } from './movement.ts';

// Lots are locked in the order of their ids, by everyone: so nobody waits in a circle.

/** Lots from which something can be sold, of these products in these warehouses; where both differ, also of the other pairs. */
export async function lockSellableLots(tx: Tx, wanted: { productId: number; warehouseNo: number }[]): Promise<Lot[]> {
  return await tx<Lot[]>`
    select ${lotColumns(tx)} from lot
    where product_id = any(${distinct(wanted.map((one) => one.productId))}) and warehouse_no = any(${distinct(wanted.map((one) => one.warehouseNo))})
      and on_hand > 0 and on_hand > locked and stock_type = 'good'
    order by lot_id for no key update`;
}

/** The lots of these keys, as far as they exist; perhaps also others that are made up of parts of these keys. */
export async function lockLotsByKey(tx: Tx, keys: LotKey[]): Promise<Lot[]> {
  return await tx<Lot[]>`
    select ${lotColumns(tx)} from lot
    where product_id = any(${distinct(keys.map((key) => key.productId))}) and warehouse_no = any(${distinct(keys.map((key) => key.warehouseNo))})
      and stock_type = any(${distinct(keys.map((key) => key.stockType))}) and batch_id = any(${distinct(keys.map((key) => key.batchId))})
      and (expire_date = any(${distinct(keys.map((key) => key.expireDate))}::date[]) or expire_date is null)
    order by lot_id for no key update`;
}

function lotColumns(tx: Tx) {
  return tx`lot_id as "lotId", product_id as "productId", warehouse_no as "warehouseNo", stock_type as "stockType", batch_id as "batchId",
    expire_date as "expireDate", on_hand as "onHand", locked`;
}

export async function takeLotIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('lot', 'lot_id')) as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewLot = LotKey & { lotId: number; accountId: number };

/** Empty; movements fill them. Sorted by what must be unique, so that two nodes that make the same lots wait for each other in one order. */
export async function insertLots(tx: Tx, lots: NewLot[]): Promise<void> {
  const sorted = lots.toSorted((a, b) => (lotKeyText(a) < lotKeyText(b) ? -1 : 1));
  await tx`
    insert into lot (lot_id, account_id, product_id, warehouse_no, stock_type, batch_id, expire_date, on_hand, locked)
    select given.*, 0, 0 from unnest(
      ${sorted.map((lot) => lot.lotId)}::bigint[], ${sorted.map((lot) => lot.accountId)}::bigint[],
      ${sorted.map((lot) => lot.productId)}::bigint[], ${sorted.map((lot) => lot.warehouseNo)}::integer[],
      ${sorted.map((lot) => lot.stockType)}::text[], ${sorted.map((lot) => lot.batchId)}::text[],
      ${sorted.map((lot) => lot.expireDate)}::date[]) as given`;
}

/** In one statement, so that no balance ever changes without its movement. */
export async function recordMovements(tx: Tx, movements: Movement[]): Promise<void> {
  await tx`
    with recorded as (
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, inbound_id, actor, trace_id, reason)
      select * from unnest(
        ${movements.map((one) => one.accountId)}::bigint[], ${movements.map((one) => one.lotId)}::bigint[],
        ${movements.map((one) => one.kind)}::text[],
        ${movements.map((one) => one.onHandDelta)}::bigint[], ${movements.map((one) => one.lockedDelta)}::bigint[],
        ${movements.map((one) => one.orderId ?? null)}::bigint[], ${movements.map((one) => one.inboundId ?? null)}::bigint[],
        ${movements.map((one) => one.cause.actor)}::text[], ${movements.map((one) => one.cause.traceId)}::uuid[],
        ${movements.map((one) => one.reason ?? null)}::text[])
      returning lot_id, on_hand_delta, locked_delta
    ), sums as (
      select lot_id, sum(on_hand_delta)::bigint as on_hand_delta, sum(locked_delta)::bigint as locked_delta from recorded group by lot_id
    )
    update lot set on_hand = on_hand + on_hand_delta, locked = locked + locked_delta
    from sums where lot.lot_id = sums.lot_id and lot.lot_id = any(${distinct(movements.map((one) => one.lotId))})`;
}

export interface StockRow {
  sku_id: string;
  /** null: the product is registered and has no stock. */
  stock_type: StockType | null;
  batch_id: string;
  expire_date: string | null;
  qty: number;
  qty_lock: number;
  qty_available: number;
}

/** From which expiry date on a warehouse sells; warehouses that are not named sell everything. */
export interface SellingRule {
  warehouseNo: number;
  sellableFrom: string;
}

/** What lies there of these skus, summed over the warehouses; lots with nothing on hand are left out. */
export async function readStock(sql: Sql, accountId: number, skuIds: string[], rules: SellingRule[]): Promise<StockRow[]> {
  return await sql<StockRow[]>`
    select p.sku_id, stock_type, coalesce(batch_id, '') as batch_id, expire_date,
      coalesce(sum(on_hand), 0)::bigint as qty, coalesce(sum(locked), 0)::bigint as qty_lock,
      coalesce(sum(on_hand - locked) filter (
        where stock_type = 'good' and (rule.sellable_from is null or expire_date is null or expire_date >= rule.sellable_from)), 0)::bigint
        as qty_available
    from product p
    left join lot l on l.product_id = p.product_id and l.on_hand > 0
    left join unnest(${rules.map((rule) => rule.warehouseNo)}::integer[], ${rules.map((rule) => rule.sellableFrom)}::date[])
      as rule(warehouse_no, sellable_from) on rule.warehouse_no = l.warehouse_no
    where p.account_id = ${accountId} and p.sku_id = any(${skuIds})
    group by p.sku_id, stock_type, batch_id, expire_date
    order by p.sku_id, stock_type desc, expire_date, batch_id`;
}
