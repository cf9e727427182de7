import type { Sql } from '../../platform/database.ts';
import { cutPage, type Page, type Search, type SearchTable, searchPage } from '../../platform/keyset-search.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import { numberInOrderNo, type OrderChannel, type OrderStatus, orderChannels, orderStatuses } from './order.ts';

/** The partner's own number has another name in each contract, and is unique there. */
const number = { column: 'partner_number', type: 'text', rare: true, unique: true } as const;
const direct = "channel <> 'logistics'";
const logistics = "channel = 'logistics'";

export const orderTable: SearchTable = {
  table: 'orders',
  order: {
    columns: [
      { name: 'created_at', type: 'timestamptz' },
      { name: 'order_id', type: 'bigint' },
    ],
    descending: true,
  },
  select: () => `order_id, order_no, channel, partner_number, name, status, warehouse_no, store_no, shipment_no, carrier, logistics_type,
    express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip,
    ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    (select count(*) from order_line where order_line.order_id = listed.order_id) as line_count`,
  fields: {
    order_no: {
      column: 'order_no',
      type: 'text',
      index: 'orders_search_number',
      rare: true,
      // The partner's number is part of ours, so that its indexes serve both.
      lead: {
        name: 'partner_number',
        type: 'text',
        conditionFor: ({ anyOf = [] }) => ({ anyOf: anyOf.flatMap((orderNo) => numberInOrderNo(String(orderNo)) ?? []) }),
        either: [direct, logistics],
      },
    },
    direct_number: { ...number, index: 'orders_search_number', only: direct },
    logistics_number: { ...number, index: 'orders_number_logistics', only: logistics },
    shipment_no: { column: 'shipment_no', type: 'text', index: 'orders_search_shipment', rare: true },
    name: { column: 'name', type: 'text', index: 'orders_search_name', rare: true },
    updated_at: { column: 'updated_at', type: 'timestamptz', index: 'orders_search_updated', rare: true },
    created_at: { column: 'created_at', type: 'timestamptz', index: 'orders_search_created', rare: true },
    status: { column: 'status', type: 'text', index: 'orders_search_status', values: orderStatuses },
    store_no: { column: 'store_no', type: 'integer', index: 'orders_search_store' },
    warehouse_no: { column: 'warehouse_no', type: 'integer', index: 'orders_search_warehouse' },
    channel: { column: 'channel', type: 'text', index: 'orders_search_channel', values: orderChannels },
  },
};

export interface FoundOrder {
  order_id: number;
  order_no: string;
  channel: OrderChannel;
  partner_number: string;
  name: string | null;
  status: OrderStatus;
  warehouse_no: number;
  store_no: number;
  shipment_no: string | null;
  carrier: string | null;
  logistics_type: string | null;
  express_type: string | null;
  consignee_country: string | null;
  consignee_name: string | null;
  consignee_phone: string | null;
  consignee_address: string | null;
  consignee_zip: string | null;
  created_at: string;
  updated_at: string;
  line_count: number;
}

export interface FoundOrderLine {
  order_id: number;
  sku_id: string;
  qty: number;
}

/** Of all orders of a page together. */
const linesMax = 10_000;

export async function findOrders(sql: Sql, search: Search): Promise<Page<FoundOrder & { lines: FoundOrderLine[] }>> {
  const page = cutPage(await searchPage<FoundOrder>(sql, orderTable, search), (order) => order.line_count, linesMax);
  if (page.rows.length === 0) return { ...page, rows: [] };
  const lines = await sql<FoundOrderLine[]>`
    select order_id, sku_id, qty from order_line join product using (product_id)
    where order_id = any(${page.rows.map((order) => order.order_id)}) order by order_id, line_no`;
  const linesOf = Map.groupBy(lines, (line) => line.order_id);
  return { ...page, rows: page.rows.map((order) => ({ ...order, lines: linesOf.get(order.order_id) ?? [] })) };
}
