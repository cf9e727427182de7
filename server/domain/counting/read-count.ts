import type { Sql } from '../../platform/postgres/sql.ts';
import { findScanned } from '../products/product-code-queries.ts';
import { type CountedProduct, countLotsMax, type SheetLine, type StockCount, sheetLines } from './stock-count.ts';
import { findCountedProducts, findCountLines, findShelvedLots } from './stock-count-queries.ts';

export interface Sheet {
  products: CountedProduct[];
  lines: SheetLine[];
  /** The warehouse has more lots than a sheet shows. */
  isCut: boolean;
}

/** The lots in stock and those that were counted, with their products. */
export async function readSheet(sql: Sql, count: StockCount): Promise<Sheet> {
  const [found, lines] = await Promise.all([findShelvedLots(sql, count, countLotsMax + 1), findCountLines(sql, count)]);
  const lots = found.slice(0, countLotsMax);
  const productIds = new Set([...(count.productIds ?? []), ...[...lots, ...lines].map(({ productId }) => productId)]);
  const products = await findCountedProducts(sql, count, [...productIds]);
  return { products, lines: sheetLines(products, lots, lines), isCut: found.length > countLotsMax };
}

export type FoundByScan =
  | { kind: 'found'; product: CountedProduct; units: number; lines: SheetLine[] }
  | { kind: 'unknown' }
  | { kind: 'not_on_sheet'; product: CountedProduct };

/** The product that a scan means, and its lots. */
export async function findByScan(sql: Sql, count: StockCount, code: string): Promise<FoundByScan> {
  const scanned = await findScanned(sql, count.accountId, code);
  if (scanned === null) return { kind: 'unknown' };
  const [product] = await findCountedProducts(sql, count, [scanned.productId]);
  if (count.productIds !== null && !count.productIds.includes(scanned.productId))
    return { kind: 'not_on_sheet', product: product! };
  const ofProduct = { ...count, productIds: [scanned.productId] };
  const [lots, lines] = await Promise.all([findShelvedLots(sql, ofProduct, countLotsMax), findCountLines(sql, count)]);
  const own = lines.filter(({ productId }) => productId === scanned.productId);
  return { kind: 'found', product: product!, units: scanned.units, lines: sheetLines([product!], lots, own) };
}
