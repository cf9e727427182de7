import type { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import type { FoundInbound, FoundInboundLine } from '../../domain/inbound/inbound-search-queries.ts';
import type { SearchListWording } from './search-list.ts';

export const inboundsWording: SearchListWording<typeof inboundsSearch, FoundInbound & { lines: FoundInboundLine[] }> = {
  words: {
    stock_in_no: 'document_no',
    inbound_short_id: 'direct_number',
    form_no: 'logistics_number',
    outbound_short_id: 'original_order_number',
  },
  row: ({ document_no, channel, partner_number, original_order_number, lines, ...document }) => ({
    stock_in_no: document_no,
    inbound_short_id: channel === 'logistics' ? null : partner_number,
    form_no: channel === 'logistics' ? partner_number : null,
    kind: document.kind,
    status: document.status,
    channel,
    warehouse_no: document.warehouse_no,
    store_no: document.store_no,
    outbound_short_id: original_order_number,
    estimated_arrival_at: document.estimated_arrival_at,
    details: lines.map(({ sku_id, expire_date, batch_id, qty }) => ({ sku_id, expire_date, batch_id, qty })),
    created_at: document.created_at,
    updated_at: document.updated_at,
  }),
};
