import { Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { codesMax, locationMax, ProductCodeUnits } from '../main/products-update.ts';
import { CalendarDate, CallerIdentifier, IdentifierOrEmpty, PlaceNumber, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, type ListPage, listFields, RowId, record } from './console-values.ts';
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

/** Sorted by SKU, or by the field of the requested range or prefix. Days are in Taipei time and inclusive. */
export const productsSearch = consoleCall<ListPage<ProductRow>>()(
  '/products/search',
  record({
    ...listFields,
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

/** The changes of a product that a file makes; `before` is null for something new. */
export interface ImportedProduct {
  sku_id: string;
  codes: { code: string; units: number; before: number | null }[];
  locations: { warehouse_no: number; location: string; before: string | null }[];
}

export type ProductImportAnswer =
  /** Nothing was imported. `mistake_count` includes those that are not listed. */
  | { kind: 'refused'; mistakes: { line: number; problem: Message }[]; mistake_count: number }
  | {
      kind: 'imported';
      rows: number;
      products: number;
      changed_products: number;
      changed_codes: number;
      changed_locations: number;
      /** The first products that differ from the file. */
      changes: ImportedProduct[];
    };

/** More than a person reads; the counts include all of them. */
export const importLinesShownMax = 200;
export const productFileCharactersMax = 300_000;

const ProductFile = record({
  account_no: AccountNo,
  /** CSV, or cells that are copied from a spreadsheet. */
  text: Type.String({
    minLength: 1,
    maxLength: productFileCharactersMax,
    description: `1-${productFileCharactersMax} characters`,
  }),
});

/** Says what an import would change, and changes nothing. */
export const productImportPreview = consoleCall<ProductImportAnswer>()('/products/import-preview', ProductFile);

/** Adds codes and sets locations of products: all rows or none. Sent twice, it changes nothing more. */
export const productImport = consoleCall<ProductImportAnswer>()('/products/import', ProductFile);
