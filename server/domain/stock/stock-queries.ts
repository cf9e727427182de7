import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { type RowColumns, rowParameters, typedRowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { type Lot, type LotKey, lotKeyText, type StockType } from './lot.ts';
import type { Movement } from './movement.ts';

// Every transaction locks lots in the order of their ids, which prevents deadlocks.

/** A product of an account in a warehouse. */
export type ProductInWarehouse = { accountId: number; productId: number; warehouseNo: number };

/**
 * Locks the lots of these products and warehouses that have units to sell. If several products and warehouses of an
 * account are given, all combinations are locked.
 */
export async function lockSellableLots(tx: Tx, places: ProductInWarehouse[]): Promise<Lot[]> {
  return await perAccount(places, (accountId, own) => tx<Lot[]>`${sellableLotsLock(accountId, own)}`);
}

/** The same as part of another statement. */
export function sellableLotsLock(accountId: number, places: ProductInWarehouse[]): Fragment {
  const productIds = distinct(places.map((place) => place.productId));
  const warehouseNos = distinct(places.map((place) => place.warehouseNo));
  return fragment`
    select ${lotColumns} from lot
    where account_id = ${accountId} and product_id = any(${productIds}) and warehouse_no = any(${warehouseNos})
      and on_hand > 0 and on_hand > locked and stock_type = 'good'
    order by lot_id for no key update`;
}

/** Units of a product in a warehouse that somebody wants, of any batch. */
export interface WantedUnits extends ProductInWarehouse {
  /** null: all that there are. */
  qty: number | null;
  /** The first expiry date that may be sold; null: any. */
  sellableFrom: string | null;
}

const wantedRows = rowParameters<WantedUnits>({
  product_id: ['bigint', (wanted) => wanted.productId],
  warehouse_no: ['integer', (wanted) => wanted.warehouseNo],
  sellable_from: ['date', (wanted) => wanted.sellableFrom ?? '-infinity'],
  qty: ['bigint', (wanted) => wanted.qty],
});

/**
 * Locks, as part of another statement, the lots from which these units are allocated: those that expire first, until
 * they have as many free units as all who want the product want together.
 *
 * Each lot in the index `lot_free` has a free unit, so no more lots are read than units are wanted. `wantsAll` is a
 * condition on a row of `shelf` (product_id, warehouse_no) under which all lots are locked.
 */
export function earliestLotsLock(accountId: number, wanted: WantedUnits[], wantsAll = fragment`false`): Fragment {
  return fragment`
    select ${lotColumns} from lot
    where account_id = ${accountId} and lot_id = any(array(
      select earliest.lot_id
      from (
        select shelf.product_id, shelf.warehouse_no, case when every_lot then '-infinity' else sellable_from end as sellable_from,
          case when every_lot then null else qty end as qty
        from ${wantedRows.unnest(together(wanted))} as shelf(product_id, warehouse_no, sellable_from, qty)
        cross join lateral (select ${wantsAll} as every_lot) condition
      ) wanted
      cross join lateral (
        select lot_id, sum(free) over (order by expire_date, lot_id) - free as free_before
        from (
          select lot_id, expire_date, on_hand - locked as free from lot
          where account_id = ${accountId} and product_id = wanted.product_id and warehouse_no = wanted.warehouse_no
            and free_level > 0 and expire_date >= wanted.sellable_from
          order by expire_date, lot_id limit wanted.qty) first_ones
      ) earliest
      where wanted.qty is null or earliest.free_before < wanted.qty))
      and on_hand > locked
    order by lot_id for no key update`;
}

/** One row for each first expiry date of a product, with the units that all want of the product. */
function together(wanted: WantedUnits[]): WantedUnits[] {
  const shelves = Map.groupBy(wanted, ({ productId, warehouseNo }) => `${productId}/${warehouseNo}`);
  return [...shelves.values()].flatMap((same) => {
    const qty = same.some((one) => one.qty === null) ? null : same.reduce((sum, one) => sum + one.qty!, 0);
    const dates = new Map(same.map((one) => [one.sellableFrom, one]));
    return [...dates.values()].map((one) => ({ ...one, qty }));
  });
}

/** All lots from which these units could be allocated at the moment, locked or not. */
export async function findLotIdsFor(tx: Tx, wanted: WantedUnits[]): Promise<number[]> {
  const rows = await perAccount(
    wanted,
    (accountId, own) => tx<{ lot_id: number }[]>`
      select lot.lot_id
      from ${wantedRows.unnest(together(own))} as wanted(product_id, warehouse_no, sellable_from, qty)
      cross join lateral (
        select lot_id from lot
        where account_id = ${accountId} and product_id = wanted.product_id and warehouse_no = wanted.warehouse_no
          and free_level > 0 and expire_date >= wanted.sellable_from offset 0) lot`,
  );
  return rows.map((row) => row.lot_id);
}

const lotKeyColumns: RowColumns<LotKey> = {
  product_id: ['bigint', (key) => key.productId],
  warehouse_no: ['integer', (key) => key.warehouseNo],
  stock_type: ['text', (key) => key.stockType],
  batch_id: ['text', (key) => key.batchId],
  expire_date: ['date', (key) => key.expireDate ?? 'infinity'],
};
const lotKeyRows = rowParameters(lotKeyColumns);

/**
 * Locks the lots with these keys that exist. Offset 0 makes PostgreSQL use one look-up per key, whatever the statistics
 * of the table say.
 */
export async function lockLotsByKey(tx: Tx, keys: LotKey[]): Promise<Lot[]> {
  return await perAccount(
    keys,
    (accountId, own) => tx<Lot[]>`
      select ${lotColumns} from lot
      where account_id = ${accountId} and lot_id = any(array(
        select found.lot_id from ${lotKeyRows.unnest(own)} as key(product_id, warehouse_no, stock_type, batch_id, expire_date)
        cross join lateral (
          select lot_id from lot where account_id = ${accountId} and product_id = key.product_id and warehouse_no = key.warehouse_no
            and stock_type = key.stock_type and batch_id = key.batch_id and expire_date = key.expire_date offset 0
        ) found))
      order by lot_id for no key update`,
  );
}

const lotColumns = fragment`${camelColumns('account_id, lot_id, product_id, warehouse_no, stock_type, batch_id')},
  nullif(expire_date, 'infinity') as "expireDate", on_hand as "onHand", locked`;

export async function takeLotIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('lot_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewLot = LotKey & { lotId: number };

/**
 * The job that serves waiting orders listens on this channel. The payload names the account and its lots that have more
 * free units (`lots:9:1,2`), its orders that start to wait (`orders:9:3,4`), or its products and warehouses that an
 * order no longer waits for (`places:9:5/1`). If there are too many, it is empty, and the job checks everything.
 */
export const stockChannel = 'lading_stock';
export const namedMax = 500;

export async function notifyOfStock(tx: Tx, accountId: number, what: 'lots' | 'orders', ids: number[]): Promise<void> {
  const payload = ids.length > namedMax ? '' : `${what}:${accountId}:${ids.join()}`;
  await tx`select pg_notify(${stockChannel}, ${payload})`;
}

/**
 * Writes movements together with the balances: neither ever changes without the other. New lots start with the sums of
 * their movements.
 */
export function recordMovements(tx: Tx, movements: Movement[], newLots: NewLot[] = []): Promise<unknown> {
  return Promise.all(movementWrites(tx, movements, newLots).map((send) => send()));
}

/** The same as separate statements, for callers that send them one by one. */
export function movementWrites(tx: Tx, movements: Movement[], newLots: NewLot[]): (() => Promise<unknown>)[] {
  return groupByAccount(movements).flatMap(([accountId, own]) => {
    const lots = newLots.filter((lot) => lot.accountId === accountId);
    return movementWritesOf(tx, accountId, own, lots);
  });
}

/** The same for one account; `insert` writes the movements, and more that belongs to them. */
export function recordMovementsBy(
  insert: () => Promise<unknown>,
  tx: Tx,
  accountId: number,
  movements: Movement[],
  newLots: NewLot[],
): Promise<unknown> {
  return Promise.all(movementWritesOf(tx, accountId, movements, newLots, insert).map((send) => send()));
}

function movementWritesOf(
  tx: Tx,
  accountId: number,
  movements: Movement[],
  newLots: NewLot[],
  insert = () => tx`${movementInsert(accountId, movements)}`.execute() as Promise<unknown>,
): (() => Promise<unknown>)[] {
  const sums = sumByLot(movements);
  const freed = [...sums].filter(([, { onHand, locked }]) => onHand > locked).map(([lotId]) => lotId);
  const opened = newLots.map((lot) => ({ ...lot, ...sums.get(lot.lotId)! }));
  for (const { lotId } of newLots) sums.delete(lotId);
  return [
    ...(newLots.length > 0 ? [() => insertLots(tx, accountId, opened)] : []),
    insert,
    ...(sums.size > 0 ? [() => tx`${balanceUpdate(accountId, sums)}`.execute()] : []),
    ...(freed.length > 0 ? [() => notifyOfStock(tx, accountId, 'lots', freed)] : []),
  ];
}

/** Locks units of lots that are locked already, as part of a statement that also writes the orders. */
export function lockWrites(accountId: number, locks: Movement[]): { movements: Fragment; balances: Fragment } {
  return { movements: movementInsert(accountId, locks), balances: balanceUpdate(accountId, sumByLot(locks)) };
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

const newLotRows = rowParameters<NewLot & Sums>({
  lot_id: ['bigint', (lot) => lot.lotId],
  on_hand: ['bigint', (lot) => lot.onHand],
  locked: ['bigint', (lot) => lot.locked],
  ...lotKeyColumns,
});

/** Sorted by the unique key, so that two nodes that create the same lots lock them in the same order. */
async function insertLots(tx: Tx, accountId: number, lots: (NewLot & Sums)[]): Promise<void> {
  const keyed = lots.map((lot) => ({ lot, key: lotKeyText(lot) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const sorted = keyed.map(({ lot }) => lot);
  await tx`
    insert into lot (account_id, lot_id, on_hand, locked, product_id, warehouse_no, stock_type, batch_id, expire_date, sku_id)
    select ${accountId}::bigint, given.*,
      (select sku_id from product where account_id = ${accountId} and product.product_id = given.product_id)
    from ${newLotRows.given(sorted)}`;
}

const movementRows = typedRowParameters<Movement>('movement_row', {
  lot_id: ['bigint', (movement) => movement.lotId],
  kind: ['text', (movement) => movement.kind],
  on_hand_delta: ['bigint', (movement) => movement.onHandDelta],
  locked_delta: ['bigint', (movement) => movement.lockedDelta],
  order_id: ['bigint', (movement) => movement.orderId ?? null],
  inbound_id: ['bigint', (movement) => movement.inboundId ?? null],
  actor: ['text', (movement) => movement.cause.actor],
  trace_id: ['uuid', (movement) => movement.cause.traceId],
  reason: ['text', (movement) => movement.reason ?? null],
});

function movementInsert(accountId: number, movements: Movement[]): Fragment {
  return fragment`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, inbound_id, actor, trace_id, reason)
    select ${accountId}::bigint, given.* from ${movementRows.given(movements)}`;
}

/**
 * The database does the addition. width_bucket finds the index of a lot in the sorted ids; a join could be planned as a
 * scan of all lots.
 */
function balanceUpdate(accountId: number, sums: Map<number, Sums>): Fragment {
  const sorted = [...sums].toSorted(([a], [b]) => a - b);
  const lotIds = sorted.map(([lotId]) => lotId);
  return fragment`
    update lot set
      on_hand = on_hand + (${sorted.map(([, sum]) => sum.onHand)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])],
      locked = locked + (${sorted.map(([, sum]) => sum.locked)}::bigint[])[width_bucket(lot_id, ${lotIds}::bigint[])]
    where account_id = ${accountId} and lot_id = any(${lotIds}::bigint[])`;
}

export interface StockRow {
  skuId: string;
  /** null: the product is registered and has no stock. */
  stockType: StockType | null;
  batchId: string;
  expireDate: string | null;
  onHand: number;
  locked: number;
  available: number;
}

/** The first expiry date that a warehouse sells; warehouses without a rule sell everything. */
export interface SellingRule {
  /** Missing if only the stock of one account is queried. */
  accountId?: number;
  warehouseNo: number;
  sellableFrom: string;
}

/** The units of these skus, summed over the warehouses; lots with nothing on hand are left out. */
export async function readStock(
  sql: Sql,
  { accountId, skuIds }: { accountId: number; skuIds: string[] },
  rules: SellingRule[],
): Promise<StockRow[]> {
  return await sql<StockRow[]>`
    select ${camelColumns('p.sku_id, stock_type')}, coalesce(batch_id, '') as "batchId", nullif(expire_date, 'infinity') as "expireDate",
      coalesce(sum(on_hand), 0)::bigint as "onHand", coalesce(sum(locked), 0)::bigint as locked,
      coalesce(sum(on_hand - locked) filter (
        where stock_type = 'good' and (rule.sellable_from is null or expire_date >= rule.sellable_from)), 0)::bigint
        as available
    from product p
    left join lot l on l.account_id = ${accountId} and l.product_id = p.product_id and l.on_hand > 0
    left join unnest(${rules.map((rule) => rule.warehouseNo)}::integer[], ${rules.map((rule) => rule.sellableFrom)}::date[])
      as rule(warehouse_no, sellable_from) on rule.warehouse_no = l.warehouse_no
    where p.account_id = ${accountId} and p.sku_id = any(${skuIds})
    group by p.sku_id, stock_type, batch_id, expire_date
    order by p.sku_id, stock_type desc, l.expire_date, batch_id`;
}

/**
 * The sellable units of these skus in one warehouse: good stock from an expiry date on, or of any expiry if that is
 * null.
 */
export async function readSellableStock(
  sql: Sql,
  { accountId, skuIds }: { accountId: number; skuIds: string[] },
  { warehouseNo, sellableFrom }: { warehouseNo: number; sellableFrom: string | null },
): Promise<StockRow[]> {
  return await sql<StockRow[]>`
    select ${camelColumns('p.sku_id, stock_type')}, coalesce(batch_id, '') as "batchId", nullif(expire_date, 'infinity') as "expireDate",
      coalesce(on_hand, 0) as "onHand", coalesce(locked, 0) as locked, coalesce(on_hand - locked, 0) as available
    from product p
    left join lot l on l.account_id = ${accountId} and l.product_id = p.product_id and l.on_hand > 0
      and l.warehouse_no = ${warehouseNo} and l.stock_type = 'good' and l.expire_date >= ${sellableFrom ?? '-infinity'}::date
    where p.account_id = ${accountId} and p.sku_id = any(${skuIds})
    order by p.sku_id, l.expire_date, batch_id`;
}
