import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import {
  CallerIdentifier,
  Clearable,
  IdentifierOrEmpty,
  PlaceNumber,
  stockTypes,
  Text,
  Units,
  WithMeaning,
} from '../values.ts';

export const stockQueryMax = 5000;

/** F-7 `/stock/query`. We recommend at most 1,000 sku_ids per request. A repeated sku_id is returned once. */
export const StockQueryBody = Type.Object({
  sku_ids: WithMeaning(
    Type.Array(CallerIdentifier, { minItems: 1, maxItems: stockQueryMax }),
    `1-${stockQueryMax} of your product keys. We recommend at most 1000 per request.`,
  ),
  warehouse_tpw_id: WithMeaning(
    Clearable(IdentifierOrEmpty(125)),
    'Tenant identifier from the operator: returns only what that tenant can sell. Omitted, `null` or `""`: all stock of your account.',
  ),
});
export type StockQueryBody = Static<typeof StockQueryBody>;

export const StockDetail = Type.Object({
  sku_id: WithMeaning(Text(125), 'Your key for the product.'),
  status: WithMeaning(
    Type.Enum(['ok', 'not_found']),
    '`not_found`: the product is not registered; all quantities are 0.',
  ),
  stock_type: Type.Optional(
    WithMeaning(
      Type.Enum([...stockTypes]),
      '`bad` units are defective and never sold. Absent if the product is not registered.',
    ),
  ),
  warehouse_no: Type.Optional(
    WithMeaning(PlaceNumber, 'The warehouse of the tenant. Only present if `warehouse_tpw_id` was sent.'),
  ),
  batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Batch of these units; may be empty.'),
  expire_date: Type.Optional(
    WithMeaning(
      Type.String({ format: 'date' }),
      'Expiry date of these units. Absent if the product is not registered, has no stock, or does not expire.',
    ),
  ),
  qty: WithMeaning(Units(), 'Units on hand.'),
  qty_lock: WithMeaning(Units(), 'Units on hand that are allocated to orders.'),
  qty_available: WithMeaning(Units(), 'Units that can still be sold; 0 for bad stock.'),
});
export type StockDetail = Static<typeof StockDetail>;

export const StockQueryData = WithMeaning(
  Type.Object({
    stock_details: Type.Array(StockDetail, {
      description:
        'one per sku, stock type, batch and expiry date, summed over your warehouses, or in the warehouse of the tenant',
    }),
    ...warnings,
  }),
  'The stock.',
);
export type StockQueryData = Static<typeof StockQueryData>;
