import type { OrderRow, ordersSearch } from '../../../contract/main/orders-search.ts';
import type { FoundOrderLine, FoundShipping, OrderInFull } from '../../domain/orders/order-search-queries.ts';
import { formatOrderChange } from './format-order-change.ts';
import { formatTimeline } from './format-timeline.ts';
import type { SearchListFormat } from './search-list.ts';

export const ordersFormat: SearchListFormat<typeof ordersSearch, OrderInFull> = {
  domainNames: { orders_id: 'order_no', outbound_short_id: 'direct_number', internal_name: 'logistics_number' },
  row: ({
    order_id: _,
    weight: __,
    order_no,
    partner_number,
    channel,
    lines,
    shipping,
    changes,
    timeline,
    returns,
    ...order
  }) => ({
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
    parcels: order.parcels,
    short: order.short,
    undelivered_reason: order.undelivered_reason,
    logistics_type: order.logistics_type as OrderRow['logistics_type'],
    express_type: order.express_type as OrderRow['express_type'],
    consignee_country: order.consignee_country as OrderRow['consignee_country'],
    consignee_name: order.consignee_name,
    consignee_phone: order.consignee_phone,
    consignee_address: order.consignee_address,
    consignee_zip: order.consignee_zip,
    details: lines.map((line) => ({
      sku_id: line.sku_id,
      qty: line.qty,
      item: channel === 'logistics' ? itemOf(line) : null,
    })),
    shipping: shipping && shippingOf(shipping),
    returns: returns.map(({ documentNo, status }) => ({ stock_in_no: documentNo, status })),
    held: order.held,
    held_at: order.held_at,
    changes: changes.map(formatOrderChange),
    timeline: formatTimeline<OrderRow>(timeline),
    recipient_erased_at: order.recipient_erased_at,
    created_at: order.created_at,
    updated_at: order.updated_at,
  }),
};

/** Amounts have at most 12 digits and are therefore exact as numbers. */
function itemOf({ name, storage_type, price, batch_id, identifier, combo_sku }: FoundOrderLine) {
  return { name, storage_type, price: price === null ? null : Number(price), batch: batch_id, identifier, combo_sku };
}

function shippingOf({ customer_name, delivery_charge, city, note, url, store_pickup_label_data }: FoundShipping) {
  return {
    customer_name,
    delivery_charge: Number(delivery_charge),
    city,
    note,
    callback_url: url,
    store_pickup_label_data,
  };
}
