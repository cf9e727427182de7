import { Type } from 'typebox';
import { CalendarDate, CallerIdentifier, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, RowId, record } from './console-values.ts';
import type { ShelfRow } from './stock.ts';

export interface ProductRow {
  product_id: number;
  account_no: string;
  sku_id: string;
  name: string;
  storage_type: string;
  /** A decimal number as text, so that it is exact; null if unknown. */
  length_cm: string | null;
  width_cm: string | null;
  height_cm: string | null;
  weight_kg: string | null;
  created_at: string;
  updated_at: string;
}

/** Sorted by SKU, or by the field of the requested range or prefix. Days are in Taipei time and inclusive. */
export const productsSearch = consoleCall<ListPage<ProductRow>>()(
  '/products/search',
  record({
    ...listFields,
    sku_id: Type.Optional(CallerIdentifier),
    sku_prefix: Type.Optional(CallerIdentifier),
    name_prefix: Type.Optional(Title(255)),
    storage_type: Type.Optional(CallerIdentifier),
    updated_from: Type.Optional(CalendarDate),
    updated_to: Type.Optional(CalendarDate),
  }),
);

export const productDetail = consoleCall<{ product: ProductRow; shelves: ShelfRow[] }>()(
  '/products/detail',
  record({ product_id: RowId }),
);
