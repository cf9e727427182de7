import type { Bind } from '../../platform/postgres/bind-values.ts';
import type { Condition, Page, Search, SearchField, SearchTable } from '../../platform/postgres/keyset-search.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { type FoundProduct, productTable } from '../products/product-search-queries.ts';
import type { BandDays } from './expiry-band.ts';
import { lotUnitsMax, type StockType, stockTypes } from './lot.ts';
import type { SellingRule } from './stock-queries.ts';

/**
 * Lots with units on hand; the rules of their account and warehouse determine how many are available. Rules of any
 * account decide on the order, because all accounts must have the same.
 */
export function lotTable(rules: SellingRule[]): SearchTable {
  return {
    table: 'lot',
    where: 'on_hand > 0',
    order: {
      columns: [
        { name: 'sku_id', type: 'text' },
        { name: 'lot_id', type: 'bigint' },
      ],
      descending: false,
    },
    select: (
      bind,
      accountId,
    ) => `warehouse_no, sku_id, stock_type, batch_id, nullif(expire_date, 'infinity') as expire_date, on_hand, locked,
      ${available(rulesOf(rules, accountId), bind)} as available`,
    fields: {
      sku_id: { column: 'sku_id', type: 'text', index: 'lot_search_sku', rare: true },
      batch_id: { column: 'batch_id', type: 'text', index: 'lot_search_batch' },
      expire_date: { column: 'expire_date', type: 'date', index: 'lot_search_expiry' },
      on_hand: { column: 'on_hand', type: 'bigint', index: 'lot_search_on_hand' },
      available: {
        column: (bind, accountId) => available(rulesOf(rules, accountId), bind),
        type: 'bigint',
        index: 'lot_search_free',
        lead: {
          name: 'free_level',
          type: 'smallint',
          conditionFor: (condition) => levelsFor(condition, rules.length > 0),
        },
      },
      warehouse_no: { column: 'warehouse_no', type: 'integer', index: 'lot_search_warehouse' },
      stock_type: { column: 'stock_type', type: 'text', index: 'lot_search_stock_type', values: stockTypes },
    },
  };
}

/** The same as in stock/query: good units that no order has locked and whose expiry date may still be sold. */
function available(rules: SellingRule[], bind: Bind): string {
  return `case when stock_type <> 'good' or ${tooOld(rules, bind)} then 0 else on_hand - locked end`;
}

/** Whether the expiry date may no longer be sold, by the rule of the warehouse. */
function tooOld(rules: SellingRule[], bind: Bind): string {
  const each = rules.map(
    ({ warehouseNo, sellableFrom }) =>
      `(warehouse_no = ${bind(warehouseNo, 'integer')} and expire_date < ${bind(sellableFrom, 'date')})`,
  );
  return each.length === 0 ? 'false' : `(${each.join(' or ')})`;
}

/** A rule without an account is for the only account that is asked about. */
function rulesOf(rules: SellingRule[], accountId: number): SellingRule[] {
  return rules.filter((rule) => rule.accountId === undefined || rule.accountId === accountId);
}

/**
 * Translates a condition on available units into one on the level of free units. Under a rule, free units may be
 * unavailable.
 */
export function levelsFor(
  { anyOf, gte = 0, gt = -1, lte = lotUnitsMax, lt = lotUnitsMax + 1 }: Condition,
  hasRules: boolean,
): Condition | null {
  if (anyOf !== undefined)
    return hasRules && anyOf.includes(0) ? null : { anyOf: anyOf.map((qty) => levelOf(Number(qty))) };
  const least = Math.max(Number(gte), Number(gt) + 1);
  const most = Math.min(Number(lte), Number(lt) - 1);
  if (least > most) return { anyOf: [] };
  if (least === 0 && (hasRules || most === lotUnitsMax)) return null;
  return { gte: levelOf(least), lte: levelOf(most) };
}

/** The value of the column `free_level`: 0 for none, otherwise one more than the exponent of the power of two. */
export function levelOf(units: number): number {
  return units < 1 ? 0 : Math.floor(Math.log2(units)) + 1;
}

export interface FoundLot {
  warehouse_no: number;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  on_hand: number;
  locked: number;
  available: number;
}

export async function findLots(sql: Sql, search: Search, rules: SellingRule[]): Promise<Page<FoundLot>> {
  return await searchPage<FoundLot>(sql, lotTable(rules), search);
}

/** A lot as operators see it, beside the lots of other accounts. */
export interface ListedLot extends FoundLot {
  lot_id: number;
  account_id: number;
  product_id: number;
  product_name: string;
}

export async function findListedLots(sql: Sql, search: Search, rules: SellingRule[]): Promise<Page<ListedLot>> {
  const table = listedLotTable(rules);
  const more = `lot_id, account_id, product_id,
    (select name from product p where p.account_id = listed.account_id and p.product_id = listed.product_id) as product_name`;
  return await searchPage<ListedLot>(
    sql,
    { ...table, select: (bind, accountId) => `${table.select(bind, accountId)}, ${more}` },
    search,
  );
}

/** Includes filters without an index: such lots are searched among those that the other filters leave. */
function listedLotTable(rules: SellingRule[]): SearchTable {
  const table = lotTable(rules);
  return {
    ...table,
    fields: {
      ...table.fields,
      // Bad units may be free as well, and the level does not count them.
      free: {
        column: () => 'on_hand - locked',
        type: 'bigint',
        index: 'lot_search_free',
        lead: { name: 'free_level', type: 'smallint', conditionFor: () => null },
      },
      is_too_old: {
        column: (bind, accountId) => `case when ${tooOld(rulesOf(rules, accountId), bind)} then 1 else 0 end`,
        type: 'smallint',
        index: 'lot_search_expiry',
        lead: { name: 'expire_date', type: 'date', conditionFor: () => null },
      },
    },
  };
}

type Fragment = ReturnType<Sql>;

export interface LotCounts {
  expired: number;
  unsellable: number;
  within_30_days: number;
  within_90_days: number;
  bad: number;
}

interface CountingRules {
  /** null: in all. */
  warehouseNos: number[] | null;
  rules: SellingRule[];
  days: BandDays;
  limit: number;
}

/** The number of lots of each kind with units on hand, counted up to one more than the limit. */
export async function countLots(
  sql: Sql,
  { accountIds, rules, ...counting }: CountingRules & { accountIds: number[] },
): Promise<LotCounts> {
  const counts = await perAccount(
    accountIds.map((accountId) => ({ accountId })),
    (accountId) => countLotsOf(sql, accountId, { rules: rulesOf(rules, accountId), ...counting }),
  );
  const sum = (kind: keyof LotCounts) =>
    Math.min(
      counting.limit + 1,
      counts.reduce((total, one) => total + one[kind], 0),
    );
  return {
    expired: sum('expired'),
    unsellable: sum('unsellable'),
    within_30_days: sum('within_30_days'),
    within_90_days: sum('within_90_days'),
    bad: sum('bad'),
  };
}

function countLotsOf(
  sql: Sql,
  accountId: number,
  { warehouseNos, rules, days, limit }: CountingRules,
): PromiseLike<LotCounts[]> {
  const { today, in30Days, in90Days } = days;
  const there = warehouseNos === null ? sql`true` : sql`lot.warehouse_no = any(${warehouseNos}::integer[])`;
  const lots = (where: Fragment) =>
    sql`select from lot where lot.account_id = ${accountId} and on_hand > 0 and ${there} and ${where} limit ${limit + 1}`;
  const counted = (where: Fragment) => sql`(select count(*) from (${lots(where)}) counted)`;
  const sold = sql`not exists (select from rule where rule.warehouse_no = lot.warehouse_no and expire_date < rule.sellable_from)`;
  const heldBack = sql`expire_date >= ${today}::date and expire_date < rule.sellable_from and warehouse_no = rule.warehouse_no`;
  return sql<LotCounts[]>`
    with rule as (
      select * from unnest(${rules.map((rule) => rule.warehouseNo)}::integer[], ${rules.map((rule) => rule.sellableFrom)}::date[])
        as given(warehouse_no, sellable_from)
    )
    select ${counted(sql`expire_date < ${today}::date`)} as expired,
      (select count(*) from (select from rule cross join lateral (${lots(heldBack)}) found limit ${limit + 1}) counted) as unsellable,
      ${counted(sql`expire_date between ${today}::date and ${in30Days}::date and ${sold}`)} as within_30_days,
      ${counted(sql`expire_date > ${in30Days}::date and expire_date <= ${in90Days}::date and ${sold}`)} as within_90_days,
      ${counted(sql`stock_type = 'bad'`)} as bad`;
}

/** Products, optionally filtered by whether any units are on hand, in these warehouses or in any. */
export async function findStockedProducts(
  sql: Sql,
  search: Search,
  warehouseNos: number[] | null,
): Promise<Page<FoundProduct>> {
  const isStocked: SearchField = {
    column: (bind) => `case when exists (
      select from lot where lot.account_id = listed.account_id and lot.product_id = listed.product_id and on_hand > 0
        ${warehouseNos === null ? '' : `and warehouse_no = any(${bind(warehouseNos, 'integer[]')})`}) then 1 else 0 end`,
    type: 'smallint',
    index: 'lot_stocked',
    lead: { name: 'product_id', type: 'bigint', conditionFor: () => null },
  };
  return await searchPage<FoundProduct>(
    sql,
    { ...productTable, fields: { ...productTable.fields, is_stocked: isStocked } },
    search,
  );
}

/** The units of a product in a warehouse, by stock type. */
export interface ShelfSum {
  product_id: number;
  warehouse_no: number;
  stock_type: StockType;
  lots: number;
  on_hand: number;
  locked: number;
  available: number;
  /** The earliest expiry of all lots; null: none expires. */
  earliest_expiry: string | null;
}

/** The sums of these products by warehouse, good before bad; uses the index of lots with units on hand. */
export async function sumShelves(
  sql: Sql,
  products: { accountId: number; productId: number }[],
  rules: SellingRule[],
): Promise<ShelfSum[]> {
  return await perAccount(products, (accountId, own) => {
    const parameters: unknown[] = [];
    const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
    const productIds = own.map(({ productId }) => productId);
    const statement = `
      select product_id, warehouse_no, stock_type, count(*) as lots, sum(on_hand)::bigint as on_hand, sum(locked)::bigint as locked,
        sum(${available(rulesOf(rules, accountId), bind)})::bigint as available, nullif(min(expire_date), 'infinity') as earliest_expiry
      from lot
      where account_id = ${bind(accountId, 'bigint')} and product_id = any(${bind(productIds, 'bigint[]')}) and on_hand > 0
      group by product_id, warehouse_no, stock_type order by product_id, warehouse_no, stock_type desc`;
    return sql.prepared<ShelfSum[]>(statement, parameters as string[]);
  });
}
