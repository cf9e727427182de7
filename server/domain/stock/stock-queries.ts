import type { Sql, Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import { type Lot, type LotKey, lotKeyText, type StockType } from './lot.ts';
import type { Movement } from './movement.ts';

// Lots are locked in the order of their ids, by everyone: so nobody waits in a circle.

/** Where a product lies. */
export type Place = { productId: number; warehouseNo: number };

/** Lots from which something can be sold, of these products in these warehouses; where both differ, also of the other pairs. */
export async function lockSellableLots(tx: Tx, places: Place[]): Promise<Lot[]> {
  return await tx<Lot[]>`select ${lotColumns(tx)} from lot where ${isSellable(tx, places)} order by lot_id for no key update`;
}

export async function findSellableLotIds(tx: Tx, places: Place[]): Promise<number[]> {
  const rows = await tx<{ lot_id: number }[]>`select lot_id from lot where ${isSellable(tx, places)}`;
  return rows.map((row) => row.lot_id);
}

function isSellable(tx: Tx, places: Place[]) {
  const productIds = distinct(places.map((place) => place.productId));
  const warehouseNos = distinct(places.map((place) => place.warehouseNo));
  return tx`product_id = any(${productIds}) and warehouse_no = any(${warehouseNos})
    and on_hand > 0 and on_hand > locked and stock_type = 'good'`;
}

/** The lots of these keys, as far as they exist. (Offset 0 keeps it a look-up for each key, whatever the planner thinks of the table.) */
export async function lockLotsByKey(tx: Tx, keys: LotKey[]): Promise<Lot[]> {
  return await tx<Lot[]>`
    select ${lotColumns(tx)} from lot
    where lot_id = any(array(
      select found.lot_id from unnest(${keyColumns(tx, keys)}) as key(product_id, warehouse_no, stock_type, batch_id, expire_date)
      cross join lateral (
        select lot_id from lot where product_id = key.product_id and warehouse_no = key.warehouse_no and stock_type = key.stock_type
          and batch_id = key.batch_id and expire_date = key.expire_date offset 0
      ) found))
    order by lot_id for no key update`;
}

function lotColumns(tx: Tx) {
  return tx`lot_id as "lotId", product_id as "productId", warehouse_no as "warehouseNo", stock_type as "stockType", batch_id as "batchId",
    nullif(expire_date, 'infinity') as "expireDate", on_hand as "onHand", locked`;
}

export async function takeLotIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('lot_lot_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewLot = LotKey & { lotId: number; accountId: number };

/**
 * Whoever serves orders that wait for stock listens here. What is sent names the lots that have more free units (`lots:1,2`), the orders
 * that wait from now on (`orders:3,4`), or products and warehouses for which one waits no longer (`places:5/1`); it is empty where they are
 * many: then everything is to be looked at.
 */
export const stockChannel = 'lading_stock';
export const namedMax = 500;

export async function notifyOfStock(tx: Tx, what: 'lots' | 'orders', ids: number[]): Promise<void> {
  await tx`select pg_notify(${stockChannel}, ${ids.length > namedMax ? '' : `${what}:${ids.join()}`})`;
}

/** Movements, and with them the balances: none ever changes without the other. Lots that are new begin with what their movements bring. */
export function recordMovements(tx: Tx, movements: Movement[], newLots: NewLot[] = []): Promise<unknown> {
  return Promise.all(movementWrites(tx, movements, newLots).map((send) => send()));
}

/** The same, for whoever sends the statements one by one. */
export function movementWrites(tx: Tx, movements: Movement[], newLots: NewLot[]): (() => Promise<unknown>)[] {
  const sums = sumByLot(movements);
  const freed = [...sums].filter(([, { onHand, locked }]) => onHand > locked).map(([lotId]) => lotId);
  const opened = newLots.map((lot) => ({ ...lot, ...sums.get(lot.lotId)! }));
  for (const { lotId } of newLots) sums.delete(lotId);
  return [
    ...(newLots.length > 0 ? [() => insertLots(tx, opened)] : []),
    ...(movements.length > 0 ? [() => insertMovements(tx, movements)] : []),
    ...(sums.size > 0 ? [() => addToBalances(tx, sums)] : []),
    ...(freed.length > 0 ? [() => notifyOfStock(tx, 'lots', freed)] : []),
  ];
}

type Sums = { onHand: number; locked: number };

function sumByLot(movements: Movement[]): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  for (const { lotId, onHandDelta, lockedDelta } of movements) {
    const sum = sums.get(lotId);
    if (!sum) sums.set(lotId, { onHand: onHandDelta, locked: lockedDelta });
    else {
      sum.onHand += onHandDelta;
      sum.locked += lockedDelta;
    }
  }
  return sums;
}

/** Sorted by what must be unique, so that two nodes that make the same lots wait for each other in one order. */
async function insertLots(tx: Tx, lots: (NewLot & Sums)[]): Promise<void> {
  const keyed = lots.map((lot) => ({ lot, key: lotKeyText(lot) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const sorted = keyed.map(({ lot }) => lot);
  await tx`
    insert into lot (lot_id, account_id, on_hand, locked, product_id, warehouse_no, stock_type, batch_id, expire_date, sku_id)
    select *, (select sku_id from product where product.product_id = given.product_id)
    from unnest(${sorted.map((lot) => lot.lotId)}::bigint[], ${sorted.map((lot) => lot.accountId)}::bigint[],
      ${sorted.map((lot) => lot.onHand)}::bigint[], ${sorted.map((lot) => lot.locked)}::bigint[], ${keyColumns(tx, sorted)})
      as given(lot_id, account_id, on_hand, locked, product_id, warehouse_no, stock_type, batch_id, expire_date)`;
}

function keyColumns(tx: Tx, keys: LotKey[]) {
  return tx`${keys.map((key) => key.productId)}::bigint[], ${keys.map((key) => key.warehouseNo)}::integer[],
    ${keys.map((key) => key.stockType)}::text[], ${keys.map((key) => key.batchId)}::text[],
    ${keys.map((key) => key.expireDate ?? 'infinity')}::date[]`;
}

async function insertMovements(tx: Tx, movements: Movement[]): Promise<void> {
  await tx`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, inbound_id, actor, trace_id, reason)
    select * from unnest(
      ${movements.map((one) => one.accountId)}::bigint[], ${movements.map((one) => one.lotId)}::bigint[],
      ${movements.map((one) => one.kind)}::text[],
      ${movements.map((one) => one.onHandDelta)}::bigint[], ${movements.map((one) => one.lockedDelta)}::bigint[],
      ${movements.map((one) => one.orderId ?? null)}::bigint[], ${movements.map((one) => one.inboundId ?? null)}::bigint[],
      ${movements.map((one) => one.cause.actor)}::text[], ${movements.map((one) => one.cause.traceId)}::uuid[],
      ${movements.map((one) => one.reason ?? null)}::text[])`;
}

/** The database adds. (width_bucket finds the place of a lot in the sorted ids; a join could be planned as a scan of all lots.) */
async function addToBalances(tx: Tx, sums: Map<number, Sums>): Promise<void> {
  const sorted = [...sums].toSorted(([a], [b]) => a - b);
  const lotIds = sorted.map(([lotId]) => lotId);
  await tx`
    update lot set
      on_hand = on_hand + (${sorted.map(([, sum]) => sum.onHand)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])],
      locked = locked + (${sorted.map(([, sum]) => sum.locked)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])]
    where lot_id = any(${lotIds}::bigint[])`;
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
  /** Left out where the stock of one account only is asked for. */
  accountId?: number;
  warehouseNo: number;
  sellableFrom: string;
}

/** What lies there of these skus, summed over the warehouses; lots with nothing on hand are left out. */
export async function readStock(
  sql: Sql,
  { accountId, skuIds }: { accountId: number; skuIds: string[] },
  rules: SellingRule[],
): Promise<StockRow[]> {
  return await sql<StockRow[]>`
    select p.sku_id, stock_type, coalesce(batch_id, '') as batch_id, nullif(expire_date, 'infinity') as expire_date,
      coalesce(sum(on_hand), 0)::bigint as qty, coalesce(sum(locked), 0)::bigint as qty_lock,
      coalesce(sum(on_hand - locked) filter (
        where stock_type = 'good' and (rule.sellable_from is null or expire_date >= rule.sellable_from)), 0)::bigint
        as qty_available
    from product p
    left join lot l on l.product_id = p.product_id and l.on_hand > 0
    left join unnest(${rules.map((rule) => rule.warehouseNo)}::integer[], ${rules.map((rule) => rule.sellableFrom)}::date[])
      as rule(warehouse_no, sellable_from) on rule.warehouse_no = l.warehouse_no
    where p.account_id = ${accountId} and p.sku_id = any(${skuIds})
    group by p.sku_id, stock_type, batch_id, expire_date
    order by p.sku_id, stock_type desc, l.expire_date, batch_id`;
}

/** What can be sold of these skus in one warehouse: good stock from an expiry date on, or of any expiry where that is null. */
export async function readSellableStock(
  sql: Sql,
  { accountId, skuIds }: { accountId: number; skuIds: string[] },
  { warehouseNo, sellableFrom }: { warehouseNo: number; sellableFrom: string | null },
): Promise<StockRow[]> {
  return await sql<StockRow[]>`
    select p.sku_id, stock_type, coalesce(batch_id, '') as batch_id, nullif(expire_date, 'infinity') as expire_date,
      coalesce(on_hand, 0) as qty, coalesce(locked, 0) as qty_lock, coalesce(on_hand - locked, 0) as qty_available
    from product p
    left join lot l on l.product_id = p.product_id and l.on_hand > 0
      and l.warehouse_no = ${warehouseNo} and l.stock_type = 'good' and l.expire_date >= ${sellableFrom ?? '-infinity'}::date
    where p.account_id = ${accountId} and p.sku_id = any(${skuIds})
    order by p.sku_id, l.expire_date, batch_id`;
}
