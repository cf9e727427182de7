import type { Sql } from '../../platform/database.ts';
import { type Bind, type Condition, type Page, type Search, type SearchTable, searchPage } from '../../platform/keyset-search.ts';
import { lotUnitsMax, type StockType, stockTypes } from './lot.ts';
import type { SellingRule } from './stock-queries.ts';

/** Lots with something on hand; what of it can be sold follows from the rules of their warehouses. */
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
    select: (bind) => `warehouse_no, sku_id, stock_type, batch_id, nullif(expire_date, 'infinity') as expire_date, on_hand, locked,
      ${available(rules, bind)} as available`,
    fields: {
      sku_id: { column: 'sku_id', type: 'text', index: 'lot_search_sku', rare: true },
      batch_id: { column: 'batch_id', type: 'text', index: 'lot_search_batch' },
      expire_date: { column: 'expire_date', type: 'date', index: 'lot_search_expiry' },
      on_hand: { column: 'on_hand', type: 'bigint', index: 'lot_search_on_hand' },
      available: {
        column: (bind) => available(rules, bind),
        type: 'bigint',
        index: 'lot_search_free',
        lead: { name: 'free_level', type: 'smallint', conditionFor: (condition) => levelsFor(condition, rules.length > 0) },
      },
      warehouse_no: { column: 'warehouse_no', type: 'integer', index: 'lot_search_warehouse' },
      stock_type: { column: 'stock_type', type: 'text', index: 'lot_search_stock_type', values: stockTypes },
    },
  };
}

/** As in stock/query: good units that no order has locked, where their expiry date may still be sold. */
function available(rules: SellingRule[], bind: Bind): string {
  const unsellable = rules.map(
    ({ warehouseNo, sellableFrom }) => `(warehouse_no = ${bind(warehouseNo, 'integer')} and expire_date < ${bind(sellableFrom, 'date')})`,
  );
  return `case when stock_type <> 'good' ${unsellable.map((one) => `or ${one}`).join(' ')} then 0 else on_hand - locked end`;
}

/** What holds of the level of free units where this is asked of those for sale. Under a rule none may be for sale although some are free. */
export function levelsFor(
  { anyOf, gte = 0, gt = -1, lte = lotUnitsMax, lt = lotUnitsMax + 1 }: Condition,
  hasRules: boolean,
): Condition | null {
  if (anyOf !== undefined) return hasRules && anyOf.includes(0) ? null : { anyOf: anyOf.map((qty) => levelOf(Number(qty))) };
  const least = Math.max(Number(gte), Number(gt) + 1);
  const most = Math.min(Number(lte), Number(lt) - 1);
  if (least > most) return { anyOf: [] };
  if (least === 0 && (hasRules || most === lotUnitsMax)) return null;
  return { gte: levelOf(least), lte: levelOf(most) };
}

/** As the column `free_level` has it: 0 for none, else one more than the exponent of the power of two. */
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
