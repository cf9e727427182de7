import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, IdentifierOrEmpty, PlaceNumber, Text, Units, WithMeaning } from '../values.ts';

export const stockQueryMax = 5000;

/** F-7 `/stock/query`; 1,000 sku_ids per call are recommended. A repeated sku_id is answered once. */
export const StockQueryBody = Type.Object({
  sku_ids: WithMeaning(
    Type.Array(CallerIdentifier, { minItems: 1, maxItems: stockQueryMax }),
    `1-${stockQueryMax} of your own product keys; at most 1000 per call are recommended.`,
  ),
  warehouse_tpw_id: WithMeaning(
    Clearable(IdentifierOrEmpty(125)),
    'Tenant identifier from the operator: only what that tenant can sell is answered. Left out, `null` or `""`: all stock of your account.',
  ),
});
export type StockQueryBody = Static<typeof StockQueryBody>;

export const StockDetail = Type.Object({
  sku_id: WithMeaning(Text(125), 'Your own key of the product.'),
  status: WithMeaning(Type.Enum(['ok', 'not_found']), '`not_found`: the product is not registered; all quantities are 0.'),
  stock_type: Type.Optional(
    WithMeaning(Type.Enum(['good', 'bad']), '`bad` is defective and never sellable. Absent where the product is not registered.'),
  ),
  warehouse_no: Type.Optional(WithMeaning(PlaceNumber, 'The warehouse of the tenant. Only where `warehouse_tpw_id` was sent.')),
  batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Batch of these units; may be empty.'),
  expire_date: Type.Optional(
    WithMeaning(
      Type.String({ format: 'date' }),
      'Expiry date of these units. Absent where the product is not registered, has no stock, or does not expire.',
    ),
  ),
  qty: WithMeaning(Units(), 'Units on hand.'),
  qty_lock: WithMeaning(Units(), 'Units of these that are allocated to orders.'),
  qty_available: WithMeaning(Units(), 'Units that can still be sold; 0 for bad stock.'),
});
export type StockDetail = Static<typeof StockDetail>;

export const StockQueryData = WithMeaning(
  Type.Object({
    stock_details: Type.Array(StockDetail, {
      description: 'one per sku, stock type, batch and expiry, summed over your warehouses or in the warehouse of the tenant',
    }),
  }),
  'What lies there.',
);
export type StockQueryData = Static<typeof StockQueryData>;
