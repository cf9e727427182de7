import type { InboundRow, inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { shippingTypes } from '../../domain/inbound/inbound-form.ts';
import type { FoundForm, FoundInboundLine, InboundInFull } from '../../domain/inbound/inbound-search-queries.ts';
import { formatTimeline } from './format-timeline.ts';
import type { SearchListFormat } from './search-list.ts';

export const inboundsFormat: SearchListFormat<typeof inboundsSearch, InboundInFull> = {
  domainNames: {
    stock_in_no: 'document_no',
    inbound_short_id: 'direct_number',
    form_no: 'logistics_number',
    outbound_short_id: 'original_order_number',
  },
  row: ({ document_no, channel, partner_number, original_order_number, returned, lines, form, ...document }) => ({
    stock_in_no: document_no,
    inbound_short_id: channel === 'logistics' ? null : partner_number,
    form_no: channel === 'logistics' ? partner_number : null,
    kind: document.kind,
    status: document.status,
    channel,
    warehouse_no: document.warehouse_no,
    store_no: document.store_no,
    outbound_short_id: original_order_number,
    orders_id: returned?.orderNo ?? null,
    estimated_arrival_at: document.estimated_arrival_at,
    details: lines.map(({ sku_id, expire_date, batch_id, qty, ...item }) => ({
      sku_id,
      expire_date,
      batch_id,
      qty,
      item: channel === 'logistics' ? itemOf(item) : null,
    })),
    received: document.arrived.map(({ skuId, stockType, batchId, expireDate, qty }) => ({
      sku_id: skuId,
      stock_type: stockType,
      batch_id: batchId,
      expire_date: expireDate,
      qty,
    })),
    differences: document.differences.map(({ skuId, announced, received }) => ({ sku_id: skuId, announced, received })),
    form: form && formOf(form),
    timeline: formatTimeline<InboundRow>(document.timeline),
    created_at: document.created_at,
    updated_at: document.updated_at,
  }),
};

/** Amounts have at most 12 digits and are therefore exact as numbers. */
function itemOf({
  name,
  storage_type,
  price,
  identifier,
}: Pick<FoundInboundLine, 'name' | 'storage_type' | 'price' | 'identifier'>) {
  return { name, storage_type, price: price === null ? null : Number(price), identifier };
}

function formOf({ internal_form_no, shipping_type, sender_name, sender_address, url }: FoundForm) {
  const shippingType = (shippingTypes.indexOf(shipping_type) + 1) as 1 | 2 | 3;
  return { internal_form_no, shipping_type: shippingType, sender_name, sender_address, callback_url: url };
}
