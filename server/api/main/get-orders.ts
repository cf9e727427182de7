import type { ordersSearch } from '../../../contract/main/orders-search.ts';
import type { FoundOrder, FoundOrderLine } from '../../domain/orders/order-search-queries.ts';
import type { SearchListWording } from './search-list.ts';

export const ordersWording: SearchListWording<typeof ordersSearch, FoundOrder & { lines: FoundOrderLine[] }> = {
  words: { orders_id: 'order_no', outbound_short_id: 'direct_number', internal_name: 'logistics_number' },
  row: ({ order_id: _, line_count: __, order_no, partner_number, channel, lines, ...order }) => ({
    orders_id: order_no,
    outbound_short_id: channel === 'logistics' ? null : partner_number,
    internal_name: channel === 'logistics' ? partner_number : null,
    name: order.name,
    status: order.status,
    channel,
    warehouse_no: order.warehouse_no,
    store_no: order.store_no,
    shipment_no: order.shipment_no,
    carrier: order.carrier,
    logistics_type: order.logistics_type,
    express_type: order.express_type,
    consignee_country: order.consignee_country,
    consignee_name: order.consignee_name,
    consignee_phone: order.consignee_phone,
    consignee_address: order.consignee_address,
    consignee_zip: order.consignee_zip,
    details: lines.map(({ sku_id, qty }) => ({ sku_id, qty })),
    created_at: order.created_at,
    updated_at: order.updated_at,
  }),
};
