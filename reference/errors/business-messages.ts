import { type CataloguedMessage, textsOf } from './catalogued-message.ts';

type Row = Pick<CataloguedMessage, 'error' | 'contracts' | 'code'> & { status?: number; operations: readonly string[] };

const warehouseAndMain = ['warehouse', 'main'] as const;
const announce = ['inboundCreate', 'inboundReturn'] as const;
const order = ['outboundCreate', 'ordersCreate'] as const;
const advance = { contracts: ['main'], operations: ['fulfilmentAdvance'], status: 200 } as const;
const update = { contracts: ['main'], operations: ['ordersUpdate'], status: 200 } as const;
const change = { ...update, operations: ['ordersUpdate', 'ordersHold', 'ordersRelease'] } as const;

const rows: Row[] = [
  { contracts: ['warehouse'], operations: announce, code: 'LST-TPW-2001', error: 'duplicate_document' },
  { contracts: warehouseAndMain, operations: [...announce, ...order, 'stockQuery'], error: 'unknown_tenant' },
  { contracts: warehouseAndMain, operations: [...announce, ...order], error: 'unknown_sku' },
  { contracts: warehouseAndMain, operations: order, error: 'unknown_ship_method' },
  { contracts: warehouseAndMain, operations: order, error: 'ship_method_part' },
  { contracts: warehouseAndMain, operations: order, error: 'short_of_stock' },
  { contracts: ['warehouse'], operations: announce, error: 'too_many_units' },
  { contracts: ['main', 'logistics'], operations: ['inboundsReceive', 'inboundForm'], error: 'lot_too_large' },
  { contracts: ['main'], operations: ['inboundsReceive'], error: 'not_announced' },
  { contracts: ['main'], operations: ['inboundsReceive'], error: 'more_than_accepted' },
  { contracts: ['main'], operations: ['inboundsReceive'], status: 409, error: 'receipt_no_reused' },
  { contracts: ['main'], operations: ['stocksAdjust', 'stocksMove'], status: 409, error: 'reference_no_reused' },
  { contracts: ['logistics'], operations: ['shippingOrder'], status: 409, error: 'internal_name_reused' },
  { contracts: ['logistics'], operations: ['inboundForm'], status: 409, error: 'form_no_reused' },
  { contracts: ['main'], operations: ['callbacksRedeliver'], error: 'too_many_callbacks' },
  { ...change, error: 'order_past_changes' },
  { ...change, error: 'order_being_handed_over' },
  { ...change, error: 'too_many_changes' },
  { ...update, error: 'fields_of_logistics_orders' },
  { ...update, error: 'fields_of_direct_orders' },
  { ...update, error: 'ship_method_part' },
  { ...advance, error: 'uat_order_stays' },
  { ...advance, error: 'order_cancelled' },
  { ...advance, error: 'order_awaits_stock' },
  { ...advance, error: 'not_shipped_yet' },
  { ...advance, error: 'no_going_back' },
  { ...advance, error: 'shipment_no_missing' },
  { ...advance, error: 'other_shipment_no' },
  { ...advance, error: 'parcels_missing' },
  { ...advance, error: 'shipment_no_twice' },
  { ...advance, error: 'not_with_status' },
  { ...advance, error: 'units_remain' },
  { ...advance, error: 'parcel_not_held' },
  { ...advance, error: 'parcel_empty' },
  { ...advance, error: 'parcel_differs' },
  { ...advance, error: 'shipment_no_reused' },
  { ...advance, error: 'no_more_parcels' },
  { ...advance, error: 'too_many_parcels' },
  { ...advance, error: 'reason_missing' },
  { ...advance, error: 'other_reason' },
];

/** Valid requests that a business rule rejects. */
export const businessMessages: CataloguedMessage[] = rows.map((row) => ({
  status: 400,
  ...row,
  ...textsOf(row.error),
  about: 'business',
}));
