import { type Static, Type } from 'typebox';
import { PlaceNumber, smallNumberMax, stockTypes, Text, WithMeaning } from '../values.ts';
import { day, number, oneOf, orEmpty, type SearchList, text, unsorted } from './search-list.ts';

const unitsMax = 1_000_000_000_000;
const LotUnits = Type.Integer({ minimum: 0, maximum: unitsMax });

export const StockRow = Type.Object({
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse of the lot.'),
  sku_id: WithMeaning(Text(125), 'Your key for the product.'),
  stock_type: WithMeaning(Type.Enum([...stockTypes]), '`bad` units are defective and never sold.'),
  batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Batch of the lot; may be empty.'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    'Expiry date; `null` if the lot does not expire.',
  ),
  qty: WithMeaning(LotUnits, 'Units on hand.'),
  qty_lock: WithMeaning(LotUnits, 'Units on hand that are allocated to orders.'),
  qty_available: WithMeaning(LotUnits, 'Units that can still be sold; 0 for bad stock.'),
});
export type StockRow = Static<typeof StockRow>;

/** Stock by lot, without lots that have no units on hand. */
export const stocksSearch = {
  path: '/getStocksData/searchList',
  prefix: 'products_stock',
  permission: 'stocks.read',
  fields: {
    sku_id: text('Your key for the product.', 'TEA-1'),
    batch_id: orEmpty(text('Batch of the lot; `""` for lots without one.', 'L-2026-03')),
    expire_date: day('Expiry date.'),
    qty: number(unitsMax, 'Units on hand.', 60),
    qty_available: unsorted(number(unitsMax, 'Units that can still be sold.', 58)),
    warehouse_no: number(smallNumberMax, 'The warehouse of the lot.', 1),
    stock_type: oneOf(stockTypes, 'Good or defective.'),
  },
  row: StockRow,
} satisfies SearchList;
