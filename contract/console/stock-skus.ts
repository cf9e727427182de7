import { Type } from 'typebox';
import { CallerIdentifier } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';
import { Warehouses } from './stock-values.ts';

/** A product with what lies of it, over the warehouses that are asked for. */
export interface SkuRow {
  product_id: number;
  account_no: string;
  sku_id: string;
  product_name: string;
  warehouses: number[];
  lots: number;
  on_hand: number;
  locked: number;
  free: number;
  sellable: number;
  bad: number;
  earliest_expiry: string | null;
}

export const stockSkus = consoleCall<ListPage<SkuRow>>()(
  '/stock/skus',
  record({
    ...listFields,
    warehouse_no: Type.Optional(Warehouses),
    sku_id: Type.Optional(CallerIdentifier),
    sku_prefix: Type.Optional(CallerIdentifier),
    /** Leaves products out of which nothing is on hand. */
    only_stocked: Type.Optional(Type.Boolean()),
  }),
);
