import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Page, Search, SearchTable } from '../../platform/postgres/keyset-search.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import { isOfOrder } from '../picking/pick-queries.ts';
import type {
  CountedLot,
  CountedProduct,
  CountKey,
  CountLine,
  CountScope,
  CountState,
  ShelvedLot,
  StockCount,
} from './stock-count.ts';

const countColumns = camelColumns(
  'account_id, count_id, warehouse_no, scope, location, product_ids, state, reference_no',
);

/** Pages name counts by their id alone. */
export async function findCountById(sql: Sql, countId: number): Promise<StockCount | null> {
  const [found] = await inEveryAccount(
    sql,
    (own, accountId) =>
      own<
        StockCount[]
      >`select ${countColumns} from stock_count where account_id = ${accountId} and count_id = ${countId}`,
  );
  return found ?? null;
}

/** `share`: several people count, and nobody books. `update`: nobody else counts or books. */
export async function lockCount(
  tx: Tx,
  { accountId, countId }: CountKey,
  strength: 'share' | 'update',
): Promise<StockCount | null> {
  const lock = strength === 'share' ? fragment`for share` : fragment`for update`;
  const [found] = await tx<StockCount[]>`
    select ${countColumns} from stock_count where account_id = ${accountId} and count_id = ${countId} ${lock}`;
  return found ?? null;
}

export interface NewCount {
  accountId: number;
  requestId: string;
  warehouseNo: number;
  scope: CountScope;
  location: string | null;
  productIds: number[] | null;
  createdBy: string;
}

/** null: a repeat, whose count exists. */
export async function insertCount(tx: Tx, count: NewCount): Promise<number | null> {
  const { accountId, requestId, warehouseNo, scope, location, productIds, createdBy } = count;
  const [row] = await tx<{ countId: number }[]>`
    insert into stock_count (account_id, request_id, warehouse_no, scope, location, product_ids, created_by)
    values (${accountId}, ${requestId}, ${warehouseNo}, ${scope}, ${location}, ${productIds}::bigint[], ${createdBy})
    on conflict (account_id, request_id) do nothing returning count_id as "countId"`;
  return row?.countId ?? null;
}

export async function findCountOfRequest(sql: Sql, accountId: number, requestId: string): Promise<number | null> {
  const [row] = await sql<{ countId: number }[]>`
    select count_id as "countId" from stock_count where account_id = ${accountId} and request_id = ${requestId}`;
  return row?.countId ?? null;
}

export async function endCount(
  tx: Tx,
  { accountId, countId }: CountKey,
  ended: { state: Exclude<CountState, 'open'>; by: string; referenceNo: string | null },
): Promise<void> {
  await tx`
    update stock_count set state = ${ended.state}, ended_by = ${ended.by}, ended_at = now(), reference_no = ${ended.referenceNo}
    where account_id = ${accountId} and count_id = ${countId}`;
}

export async function isManualWarehouse(sql: Sql, warehouseNo: number): Promise<boolean> {
  const [row] = await sql<{ type: string }[]>`
    select connector->>'type' as type from warehouse where warehouse_no = ${warehouseNo}`;
  return row?.type === 'manual';
}

/** The products at a location of a warehouse. */
export async function findProductsAt(
  sql: Sql,
  { accountId, warehouseNo, location }: { accountId: number; warehouseNo: number; location: string },
): Promise<number[]> {
  const rows = await sql<{ productId: number }[]>`
    select product_id as "productId" from product_location
    where account_id = ${accountId} and warehouse_no = ${warehouseNo} and location = ${location}`;
  return rows.map(({ productId }) => productId);
}

/** The lots with units that a count covers. */
export async function findShelvedLots(
  sql: Sql,
  { accountId, warehouseNo, productIds }: Pick<StockCount, 'accountId' | 'warehouseNo' | 'productIds'>,
  limit: number,
): Promise<ShelvedLot[]> {
  const covered = productIds === null ? fragment`true` : fragment`product_id = any(${productIds}::bigint[])`;
  return await sql<ShelvedLot[]>`
    select ${camelColumns('product_id, stock_type, batch_id')}, nullif(expire_date, 'infinity') as "expireDate", on_hand as "onHand", locked
    from lot where account_id = ${accountId} and warehouse_no = ${warehouseNo} and on_hand > 0 and ${covered}
    order by sku_id, lot_id limit ${limit}`;
}

export async function findCountLines(sql: Sql, { accountId, countId }: CountKey): Promise<CountLine[]> {
  return await sql<CountLine[]>`
    select ${lineColumns(sql)} from stock_count_line where account_id = ${accountId} and count_id = ${countId}`;
}

function lineColumns(sql: Sql): Fragment {
  return fragment`${camelColumns('product_id, stock_type, batch_id, round, entries, counted, expected, off_shelf, moved, counted_by, booked')},
    nullif(expire_date, 'infinity') as "expireDate", ${sql.unsafe(taipeiTime('counted_at', '"countedAt"'))}`;
}

export async function findCountedProducts(
  sql: Sql,
  { accountId, warehouseNo }: Pick<StockCount, 'accountId' | 'warehouseNo'>,
  productIds: number[],
): Promise<CountedProduct[]> {
  return await sql<CountedProduct[]>`
    select p.product_id as "productId", p.sku_id as "skuId", p.name, l.location
    from product p left join product_location l
      on l.account_id = ${accountId} and l.product_id = p.product_id and l.warehouse_no = ${warehouseNo}
    where p.account_id = ${accountId} and p.product_id = any(${productIds}::bigint[])`;
}

const day = (expireDate: string | null) => expireDate ?? 'infinity';

function isLine({ accountId, countId }: CountKey, { productId, stockType, batchId, expireDate }: CountedLot): Fragment {
  return fragment`account_id = ${accountId} and count_id = ${countId} and product_id = ${productId}
    and stock_type = ${stockType} and batch_id = ${batchId} and expire_date = ${day(expireDate)}::date`;
}

/** Creates the line if it does not exist, and locks it: the scans of a lot come one after the other. */
export async function lockLine(tx: Tx, key: CountKey, lot: CountedLot): Promise<CountLine> {
  await tx`
    insert into stock_count_line (account_id, count_id, product_id, stock_type, batch_id, expire_date)
    values (${key.accountId}, ${key.countId}, ${lot.productId}, ${lot.stockType}, ${lot.batchId}, ${day(lot.expireDate)}::date)
    on conflict do nothing`.execute();
  const [line] = await tx<
    CountLine[]
  >`select ${lineColumns(tx)} from stock_count_line where ${isLine(key, lot)} for update`;
  return line!;
}

/** The units of a lot that are on the shelf, and those that have left it. */
export interface Shelf {
  expected: number;
  offShelf: number;
}

/**
 * The shelf at this moment. Units have left it when staff pick them in a batch, at the latest when their order is
 * packed; missing units of a packed order have not left it. From the shipment on, the balance does not include them. One
 * statement reads all of it, so that a shipment is in both or in neither.
 */
export async function readShelf(
  tx: Tx,
  { accountId, warehouseNo }: Pick<StockCount, 'accountId' | 'warehouseNo'>,
  { productId, stockType, batchId, expireDate }: CountedLot,
): Promise<Shelf> {
  const [row] = await tx<Shelf[]>`
    select on_hand - off_shelf as expected, off_shelf as "offShelf" from (
      select on_hand, coalesce((
        select sum(m.locked_delta) from orders o
        join movement m on m.account_id = ${accountId} and m.order_id = o.order_id and m.lot_id = lot.lot_id
        where o.account_id = ${accountId} and o.status in ('packed', 'partially_shipped') and o.warehouse_no = ${warehouseNo}), 0)::bigint
      + coalesce((
        select sum(case when o.status in ('packed', 'partially_shipped') then -t.short else t.picked end) from orders o
        join pick_batch_order b on b.account_id = ${accountId} and b.order_id = o.order_id and ${isOfOrder}
        join pick_task t on t.account_id = ${accountId} and t.order_id = o.order_id and t.batch_id = b.batch_id and t.lot_id = lot.lot_id
        where o.account_id = ${accountId} and o.status in ('pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'partially_shipped')
          and o.warehouse_no = ${warehouseNo}), 0)::bigint as off_shelf
      from lot where account_id = ${accountId} and product_id = ${productId} and warehouse_no = ${warehouseNo}
        and stock_type = ${stockType} and batch_id = ${batchId} and expire_date = ${day(expireDate)}::date) as balance`;
  return row ?? { expected: 0, offShelf: 0 };
}

export interface NewEntry extends CountedLot {
  scanId: string;
  round: number;
  units: number;
  by: string;
}

/** false: a repeat, which counts nothing. */
export async function insertEntry(tx: Tx, { accountId, countId }: CountKey, entry: NewEntry): Promise<boolean> {
  const { scanId, productId, stockType, batchId, expireDate, round, units, by } = entry;
  const { count } = await tx`
    insert into stock_count_entry (account_id, count_id, scan_id, product_id, stock_type, batch_id, expire_date, round, units, counted_by)
    values (${accountId}, ${countId}, ${scanId}, ${productId}, ${stockType}, ${batchId}, ${day(expireDate)}::date, ${round}, ${units}, ${by})
    on conflict do nothing`;
  return count === 1;
}

export async function addToLine(
  tx: Tx,
  key: CountKey,
  lot: CountedLot,
  { units, shelf, by }: { units: number; shelf: Shelf; by: string },
): Promise<void> {
  await tx`
    update stock_count_line set counted = counted + ${units}, entries = entries + 1,
      moved = moved or (entries > 0 and expected <> ${shelf.expected}),
      expected = case when entries = 0 then ${shelf.expected} else expected end,
      off_shelf = case when entries = 0 then ${shelf.offShelf} else off_shelf end,
      counted_by = ${by}, counted_at = now()
    where ${isLine(key, lot)}`.execute();
}

export type StoredEntry = CountedLot & { round: number; units: number; isUndone: boolean };

export async function findEntry(tx: Tx, { accountId, countId }: CountKey, scanId: string): Promise<StoredEntry | null> {
  const [row] = await tx<StoredEntry[]>`
    select ${camelColumns('product_id, stock_type, batch_id, round, units')}, nullif(expire_date, 'infinity') as "expireDate",
      undone_at is not null as "isUndone"
    from stock_count_entry where account_id = ${accountId} and count_id = ${countId} and scan_id = ${scanId}`;
  return row ?? null;
}

/** false: it was undone before. */
export async function markUndone(tx: Tx, { accountId, countId }: CountKey, scanId: string): Promise<boolean> {
  const { count } = await tx`
    update stock_count_entry set undone_at = now()
    where account_id = ${accountId} and count_id = ${countId} and scan_id = ${scanId} and undone_at is null`;
  return count === 1;
}

export async function takeFromLine(tx: Tx, key: CountKey, lot: CountedLot, units: number): Promise<void> {
  await tx`
    update stock_count_line set counted = counted - ${units}, entries = entries - 1, moved = moved and entries > 1,
      expected = case when entries > 1 then expected end, off_shelf = case when entries > 1 then off_shelf end
    where ${isLine(key, lot)}`.execute();
}

type LotRound = CountedLot & { round: number };

const lotRows = rowParameters<LotRound>({
  product_id: ['bigint', ({ productId }) => productId],
  stock_type: ['text', ({ stockType }) => stockType],
  batch_id: ['text', ({ batchId }) => batchId],
  expire_date: ['date', ({ expireDate }) => day(expireDate)],
  round: ['integer', ({ round }) => round],
});

const isGiven = fragment`l.product_id = given.product_id and l.stock_type = given.stock_type and l.batch_id = given.batch_id
  and l.expire_date = given.expire_date`;

/** Begins a new round for these lots, unless somebody else already has. Returns how many. */
export async function beginRounds(tx: Tx, { accountId, countId }: CountKey, lots: LotRound[]): Promise<number> {
  const { count } = await tx`
    update stock_count_line l set round = l.round + 1, entries = 0, counted = 0, expected = null, off_shelf = null, moved = false
    from ${lotRows.given(lots)}
    where l.account_id = ${accountId} and l.count_id = ${countId} and ${isGiven} and l.round = given.round and l.entries > 0`;
  return count;
}

/** Notes which differences were booked. */
export async function markBooked(tx: Tx, { accountId, countId }: CountKey, lines: CountLine[]): Promise<void> {
  await tx`
    update stock_count_line l set booked = l.counted - l.expected from ${lotRows.given(lines)}
    where l.account_id = ${accountId} and l.count_id = ${countId} and ${isGiven}`.execute();
}

export interface ListedCount {
  account_id: number;
  count_id: number;
  warehouse_no: number;
  scope: CountScope;
  location: string | null;
  sku_count: number | null;
  state: CountState;
  created_by: string;
  created_at: string;
  ended_by: string | null;
  ended_at: string | null;
  reference_no: string | null;
  lots_counted: number;
}

const countTable: SearchTable = {
  table: 'stock_count',
  order: {
    columns: [
      { name: 'created_at', type: 'timestamptz' },
      { name: 'count_id', type: 'bigint' },
    ],
    descending: true,
  },
  select:
    () => `account_id, count_id, warehouse_no, scope, location, cardinality(product_ids) as sku_count, state, created_by,
    ${taipeiTime('created_at')}, ended_by, ${taipeiTime('ended_at')}, reference_no,
    (select count(*) from stock_count_line l where l.account_id = listed.account_id and l.count_id = listed.count_id and entries > 0) as lots_counted`,
  fields: {
    warehouse_no: { column: 'warehouse_no', type: 'integer' },
    state: { column: 'state', type: 'text' },
    count_id: { column: 'count_id', type: 'bigint', index: 'stock_count_pkey', rare: true, unique: true },
  },
};

/** Counts, the newest first. */
export async function findCounts(sql: Sql, search: Search): Promise<Page<ListedCount>> {
  return await searchPage<ListedCount>(sql, countTable, search);
}
