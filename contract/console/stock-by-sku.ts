import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { LotRow, ShelfRow } from './stock-values.ts';

export const lotsShownMax = 200;

export interface StockOfProduct {
  product_id: number;
  account_no: string;
  sku_id: string;
  product_name: string;
  shelves: ShelfRow[];
  /** Those with something on hand, the earliest expiry first. */
  lots: LotRow[];
  /** There are more lots than these. */
  is_more: boolean;
}

export const stockBySku = consoleCall<StockOfProduct>()('/stock/by-sku', record({ product_id: RowId }));
