import { Type } from 'typebox';
import { CalendarDate, CallerIdentifier, IdentifierOrEmpty } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';
import { expiryBands, type LotRow, stockTypes, Warehouses } from './stock-values.ts';

/** Lots with something on hand. By sku, or by expiry where that is asked for. */
export const stockSearch = consoleCall<ListPage<LotRow>>()(
  '/stock/search',
  record({
    ...listFields,
    warehouse_no: Type.Optional(Warehouses),
    sku_id: Type.Optional(CallerIdentifier),
    sku_prefix: Type.Optional(CallerIdentifier),
    stock_type: Type.Optional(Type.Enum([...stockTypes])),
    /** Empty: lots of no batch. */
    batch_id: Type.Optional(Type.With(IdentifierOrEmpty(125), { normalize: { emptyIsValue: true } })),
    expiry_band: Type.Optional(Type.Enum([...expiryBands])),
    /** Both days included. */
    expires_from: Type.Optional(CalendarDate),
    expires_to: Type.Optional(CalendarDate),
    only_free: Type.Optional(Type.Boolean()),
  }),
);
