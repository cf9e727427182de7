import { Type } from 'typebox';
import { CalendarDate, CallerIdentifier, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';

export interface ProductRow {
  product_id: number;
  account_no: string;
  sku_id: string;
  name: string;
  storage_type: string;
  /** Exact, so as text; null: not known. */
  length_cm: string | null;
  width_cm: string | null;
  height_cm: string | null;
  weight_kg: string | null;
  created_at: string;
  updated_at: string;
}

/** By sku, or by what a range or a beginning is asked of. Days are those of Taipei, the last one included. */
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
