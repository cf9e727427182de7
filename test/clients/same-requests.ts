import type { Kind } from './driver.ts';

/** A call of every method of the SDK, with its arguments; several if the arguments decide whether it is repeatable. */
export const calls: [kind: Kind, method: string, ...args: unknown[]][] = [
  [
    'warehouse',
    'productSync',
    { sku_id: 'TEA-1', sku_name: '烏龍茶 "é" / \\ \u2028 🍵', storage_type: 1, weight: 0.25 },
  ],
  ['warehouse', 'inboundCreate', { inbound_short_id: 'IN-1', details: [{ sku_id: 'TEA-1', expires: [{ qty: 1 }] }] }],
  ['warehouse', 'inboundReturn', { inbound_short_id: 'RT-1', outbound_short_id: 'OUT-1' }],
  ['warehouse', 'inboundCancel', numbers('IN', 201)],
  ['warehouse', 'outboundCreate', { outbound_short_id: 'OUT-1', details: [{ sku_id: 'TEA-1', qty: 1 }] }],
  ['warehouse', 'outboundCancel', numbers('OUT', 101)],
  ['warehouse', 'outboundCancel', []],
  ['warehouse', 'stockQuery', [...numbers('SKU', 1001), 'SKU-0']],
  ['main', 'searchStocks', { 'stocks.sku_id': 'TEA-1' }],
  ['main', 'searchProducts'],
  ['main', 'searchOrders', { 'orders.status': ['shipped'], page_size: 2 }],
  ['main', 'searchInbounds', {}],
  ['main', 'searchCallbacks', { cursor: 'from here' }],
  ['main', 'searchPage', 'orders', { total: true }],
  ['main', 'ordersCreate', { outbound_short_id: 'OUT-2' }],
  ['main', 'ordersCancel', { internal_names: numbers('NAME', 2), outbound_short_ids: numbers('OUT', 101) }],
  ['main', 'ordersUpdate', [{ outbound_short_id: 'OUT-1', note: null }]],
  ['main', 'ordersHold', [{ outbound_short_id: 'OUT-1' }]],
  ['main', 'ordersRelease', [{ outbound_short_id: 'OUT-1' }]],
  ['main', 'inboundsReceive', { form_no: 'PO-1' }],
  ['main', 'inboundsReceive', { form_no: 'PO-1', receipt_no: 'R-1' }],
  ['main', 'inboundsStop', { form_no: 'PO-1' }],
  ['main', 'inboundsCancel', { inbound_short_ids: ['IN-1'], form_nos: ['PO-1'] }],
  ['main', 'fulfilmentAdvance', [{ outbound_short_id: 'OUT-1', status: 'packed' }]],
  ['main', 'callbacksRedeliver', { event_ids: ['01994f3c-6d2a-7b1e-8c3d-0123456789ab'] }],
  ['main', 'callbacksRedeliver', { 'callbacks.status': 'failed', dry_run: true }],
  ['main', 'productsUpdate', { products: [{ sku_id: 'TEA-1', barcodes: [] }] }],
  ['main', 'stocksAdjust', { reference_no: 'ADJ-1', lines: [] }],
  ['main', 'stocksMove', { reference_no: 'MOVE-1', lines: [] }],
  ['main', 'callbacksTest', { event: 'order.shipped' }],
  ['logistics', 'shippingOrder', { internal_name: 'WMS-1' }],
  ['logistics', 'inboundForm', { form_no: 'PO-1' }],
  ['logistics', 'testCallback', { event: 'order.shipped' }],
];

function numbers(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** A response that suits every method. */
export const universalAnswer = {
  code: 'LST-TPW-2000',
  message: 'success',
  success: true,
  data: { success: true, results: [], stock_details: [] },
  done: true,
  msg: 'success',
  retval: { access_token: 'a-token', expires_in: 3600, results: [], rows: [], next_cursor: null },
};
