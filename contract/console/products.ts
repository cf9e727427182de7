import { Type } from 'typebox';
import { codesMax, locationMax, ProductCodeUnits } from '../main/products-update.ts';
import { CalendarDate, CallerIdentifier, IdentifierOrEmpty, PlaceNumber, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { countedField, type ListPage, listFields, RowId, record, reversedField } from './console-values.ts';
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
  /** Codes of units first, then those of cartons. */
  codes: { code: string; units: number }[];
  locations: { warehouse_no: number; location: string }[];
  created_at: string;
  updated_at: string;
}

export const productSorts = ['sku', 'name', 'created', 'updated'] as const;

/** Sorted by SKU, or by the field of the requested range or prefix; times newest first. Days are in Taipei time and inclusive. */
export const productsSearch = consoleCall<ListPage<ProductRow>>()(
  '/products/search',
  record({
    ...listFields,
    ...countedField,
    sort: Type.Optional(Type.Enum([...productSorts])),
    ...reversedField,
    sku_id: Type.Optional(CallerIdentifier),
    sku_prefix: Type.Optional(CallerIdentifier),
    /** A scanned code: a barcode, otherwise an sku_id. */
    code: Type.Optional(CallerIdentifier),
    name_prefix: Type.Optional(Title(255)),
    storage_type: Type.Optional(CallerIdentifier),
    updated_from: Type.Optional(CalendarDate),
    updated_to: Type.Optional(CalendarDate),
  }),
);

export interface ProductDetail {
  product: ProductRow;
  shelves: ShelfRow[];
  /** The warehouses of the account, in which the product may have a location. */
  warehouses: { warehouse_no: number; name: string }[];
}

export const productDetail = consoleCall<ProductDetail>()('/products/detail', record({ product_id: RowId }));

export type ProductChangeMistake =
  /** `sku_id`: the product that has the code. */
  | { kind: 'code_of_other'; code: string; sku_id: string }
  | { kind: 'repeated_code'; code: string }
  | { kind: 'unknown_warehouse' | 'repeated_warehouse'; warehouse_no: number };

/** Sets all codes of a product, and the locations in the given warehouses. Sent twice, it changes nothing more. */
export const productChange = consoleCall<{ kind: 'changed' } | { kind: 'refused'; mistakes: ProductChangeMistake[] }>()(
  '/products/change',
  record({
    product_id: RowId,
    codes: Type.Array(record({ code: CallerIdentifier, units: ProductCodeUnits }), { maxItems: codesMax }),
    /** An empty location is removed. */
    locations: Type.Array(record({ warehouse_no: PlaceNumber, location: IdentifierOrEmpty(locationMax) }), {
      maxItems: codesMax,
    }),
  }),
);
