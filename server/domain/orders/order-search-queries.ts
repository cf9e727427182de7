import { cutPage, type Page, type Search, type SearchTable } from '../../platform/postgres/keyset-search.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { findReturnsOfOrders, type OrderReturn } from '../documents/return-link-queries.ts';
import { type DocumentKey, findStateChanges } from '../documents/state-change-queries.ts';
import { type TimelineEntry, timelineOf } from '../documents/timeline.ts';
import type { TransferStatus } from '../transfers/transfer.ts';
import {
  numberInOrderNo,
  type OrderChannel,
  type OrderStatus,
  orderChannels,
  orderStatuses,
  type UndeliveredReason,
} from './order.ts';
import { findChangesOfOrders, type OrderChange } from './order-change-queries.ts';
import { findListedShipments, type ListedShipment, nothingShipped } from './parcel-queries.ts';

/** The partner's number has a different name in each contract and is unique there. */
const number = { column: 'partner_number', type: 'text', rare: true, unique: true } as const;
const direct = "channel <> 'logistics'";
const logistics = "channel = 'logistics'";

/** Spaces, hyphens and plus signs of a phone number do not count. The view `order_phone` has the same expression. */
const phoneDigits = `regexp_replace(consignee_phone collate "C", '[^0-9]', '', 'g')`;

function isOfListed(table: string): string {
  return `${table}.account_id = listed.account_id and ${table}.order_id = listed.order_id`;
}

/**
 * An order keeps the time of its hold when it is cancelled, or when its warehouse picks it nevertheless. A report that the
 * order is in the warehouse ends the hold; in this status only the warehouse itself holds orders.
 */
export const heldStatuses = ['awaiting_stock', 'pending_warehouse_transfer', 'in_warehouse'] as const;
export const isHeld = `(held_at is not null and status in (${heldStatuses.map((status) => `'${status}'`).join()}))`;

export const orderTable: SearchTable = {
  table: 'orders',
  order: {
    columns: [
      { name: 'created_at', type: 'timestamptz' },
      { name: 'order_id', type: 'bigint' },
    ],
    descending: true,
  },
  select:
    () => `order_id, account_id, order_no, channel, partner_number, name, status, warehouse_no, store_no, shipment_no, carrier, undelivered_reason, logistics_type,
    express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip,
    ${taipeiTime('created_at')}, ${taipeiTime('updated_at')}, ${taipeiTime('recipient_erased_at')}, created_by, trace_id,
    ${isHeld} as held, ${taipeiTime('held_at')}, changed_at is not null as is_changed,
    case when changed_at is null then 0 else (select coalesce(sum(2 + octet_length(new_values::text) + octet_length(old_values::text)), 0)
      from order_change c where ${isOfListed('c')}) / 100 end
    + (select count(*) from order_line l where ${isOfListed('l')})
    + (select count(*) from parcel_item i where ${isOfListed('i')}) + case when channel = 'logistics' then
      (select coalesce(octet_length(store_pickup_label_data::text), 0) from shipping_order s where ${isOfListed('s')}) / 100
      else 0 end as weight`,
  fields: {
    order_no: {
      column: 'order_no',
      type: 'text',
      index: 'orders_number',
      rare: true,
      // The partner's number is part of ours, so its indexes serve both.
      lead: {
        name: 'partner_number',
        type: 'text',
        conditionFor: ({ anyOf = [] }) => ({
          anyOf: anyOf.flatMap((orderNo) => numberInOrderNo(String(orderNo)) ?? []),
        }),
        either: [direct, logistics],
      },
    },
    direct_number: { ...number, index: 'orders_number', only: direct },
    logistics_number: { ...number, index: 'orders_number_logistics', only: logistics },
    shipment_no: { column: 'shipment_no', type: 'text', index: 'orders_search_shipment', rare: true },
    name: { column: 'name', type: 'text', index: 'orders_search_name', rare: true },
    held_at: { column: 'held_at', type: 'timestamptz', index: 'orders_search_held', rare: true },
    // All digits, or the last four.
    consignee_phone: {
      column: phoneDigits,
      also: `right(${phoneDigits}, 4)`,
      type: 'text',
      index: 'orders_search_phone',
      part: {
        table: 'order_phone',
        id: 'order_id',
        column: 'last_four',
        keysOf: (_account, values) => `(select right(digits, 4) from unnest(${values}) digits)`,
        isWhole: false,
      },
    },
    consignee_name: { column: 'consignee_name collate "C"', type: 'text', index: 'orders_search_consignee' },
    sku_id: {
      column: 'sku_id',
      type: 'text',
      index: 'order_line_product',
      part: {
        table: 'order_line',
        id: 'order_id',
        column: 'product_id',
        keysOf: (account, values) =>
          `(select product_id from product where account_id = ${account()} and sku_id = any(${values}))`,
        isWhole: true,
      },
    },
    updated_at: { column: 'updated_at', type: 'timestamptz', index: 'orders_search_updated', rare: true },
    created_at: { column: 'created_at', type: 'timestamptz', index: 'orders_search_created', rare: true },
    status: { column: 'status', type: 'text', index: 'orders_search_status', values: orderStatuses },
    warehouse_no: { column: 'warehouse_no', type: 'integer', index: 'orders_search_warehouse' },
    store_no: { column: 'store_no', type: 'integer' },
    channel: { column: 'channel', type: 'text', values: orderChannels },
  },
};

export interface FoundOrder {
  order_id: number;
  account_id: number;
  order_no: string;
  channel: OrderChannel;
  partner_number: string;
  name: string | null;
  status: OrderStatus;
  warehouse_no: number;
  store_no: number;
  shipment_no: string | null;
  carrier: string | null;
  undelivered_reason: UndeliveredReason | null;
  logistics_type: string | null;
  express_type: string | null;
  consignee_country: string | null;
  consignee_name: string | null;
  consignee_phone: string | null;
  consignee_address: string | null;
  consignee_zip: string | null;
  created_at: string;
  updated_at: string;
  recipient_erased_at: string | null;
  held: boolean;
  held_at: string | null;
  is_changed: boolean;
  created_by: string | null;
  trace_id: string | null;
  weight: number;
}

export interface FoundOrderLine {
  order_id: number;
  sku_id: string;
  qty: number;
  name: string | null;
  storage_type: string | null;
  price: string | null;
  batch_id: string | null;
  identifier: string | null;
  combo_sku: string | null;
}

/** Fields that only orders of the logistics webhook have. */
export interface FoundShipping {
  order_id: number;
  customer_name: string;
  delivery_charge: string;
  city: string | null;
  note: string | null;
  store_pickup_label_data: Record<string, unknown> | null;
  url: string | null;
}

export type OrderInFull = FoundOrder &
  ListedShipment & {
    lines: FoundOrderLine[];
    shipping: FoundShipping | null;
    changes: OrderChange[];
    timeline: TimelineEntry[];
    returns: OrderReturn[];
  };

/** Limit for all orders of a page together: lines, lots in parcels, and labels of hundreds of bytes. */
const weightMax = 6000;

export async function findOrders(sql: Sql, search: Search): Promise<Page<OrderInFull>> {
  const page = cutPage(await searchPage<FoundOrder>(sql, orderTable, search), (order) => order.weight, weightMax);
  if (page.rows.length === 0) return { ...page, rows: [] };
  const orders = page.rows.map(({ account_id, order_id, channel, is_changed }) => ({
    accountId: account_id,
    documentId: order_id,
    orderId: order_id,
    channel,
    isChanged: is_changed,
  }));
  const [lines, shippings, stateChanges, changes, returns, shipments] = await Promise.all([
    linesOf(sql, orders),
    shippingsOf(
      sql,
      orders.filter(({ channel }) => channel === 'logistics'),
    ),
    findStateChanges(sql, 'order', orders),
    findChangesOfOrders(
      sql,
      orders.filter(({ isChanged }) => isChanged),
    ),
    findReturnsOfOrders(sql, orders),
    findListedShipments(
      sql,
      page.rows.map(({ account_id, order_id, status }) => ({ accountId: account_id, orderId: order_id, status })),
    ),
  ]);
  const statesByOrder = Map.groupBy(stateChanges, (change) => change.documentId);
  const changesByOrder = Map.groupBy(changes, (change) => change.orderId);
  const linesByOrder = Map.groupBy(lines, (line) => line.order_id);
  const shippingByOrder = new Map(shippings.map((shipping) => [shipping.order_id, shipping]));
  const inFull = (order: FoundOrder): OrderInFull => ({
    ...order,
    ...(shipments.get(order.order_id) ?? nothingShipped),
    lines: linesByOrder.get(order.order_id) ?? [],
    shipping: shippingByOrder.get(order.order_id) ?? null,
    changes: changesByOrder.get(order.order_id) ?? [],
    timeline: timelineOf(order, statesByOrder.get(order.order_id) ?? []),
    returns: returns.get(order.order_id) ?? [],
  });
  return { ...page, rows: page.rows.map(inFull) };
}

/** For operators: across accounts, with line and unit counts instead of the lines. */
const orderListTable: SearchTable = {
  ...orderTable,
  select:
    () => `order_id, account_id, order_no, channel, partner_number, name, status, warehouse_no, store_no, shipment_no, carrier,
    logistics_type, express_type, ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    (select count(*) from order_line l where ${isOfListed('l')}) as line_count,
    (select coalesce(sum(qty), 0)::bigint from order_line l where ${isOfListed('l')}) as units,
    ${isHeld} as held,
    case when status in ('pending_warehouse_transfer', 'in_warehouse') then
      (select t.status from transfer t where ${isOfListed('t')}) end as transfer,
    case when status = 'pending_warehouse_transfer' then
      (select t.reason from transfer t where ${isOfListed('t')} and t.status = 'rejected') end as transfer_reason,
    environment,
    coalesce((select w.connector->>'type' = 'manual' from warehouse w where w.warehouse_no = listed.warehouse_no), false) as is_manual,
    coalesce((select w.connector->>'type' = 'http' and w.connector->>'changes_url' is not null
      from warehouse w where w.warehouse_no = listed.warehouse_no), false) as takes_changes,
    status in ('pending_warehouse_transfer', 'in_warehouse', 'picking')
      and exists (select from pick_batch_order b where ${isOfListed('b')} and b.state <> 'left') as is_in_batch`,
  fields: {
    order_id: { column: 'order_id', type: 'bigint', index: 'orders_pkey', rare: true },
    ...orderTable.fields,
    // Without an index: compared while walking.
    logistics_type: { column: 'logistics_type', type: 'text' },
    carrier: { column: 'express_type', also: 'carrier', type: 'text' },
    storage_type: {
      column: 'storage_type',
      type: 'text',
      holds: (
        values,
        // Offset 0 makes PostgreSQL probe each order that is examined; it could read all lines of the account at once instead.
      ) => `exists (select from order_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
        where ${isOfListed('l')} and coalesce(l.item_storage_type, p.storage_type) = any(${values}) offset 0)`,
    },
  },
};

export interface ListedOrder {
  order_id: number;
  account_id: number;
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
  created_at: string;
  updated_at: string;
  line_count: number;
  units: number;
  held: boolean;
  /** null: the order has no transfer, or is past it. */
  transfer: TransferStatus | null;
  /** Only of rejected orders. */
  transfer_reason: string | null;
  environment: 'uat' | 'production';
  is_manual: boolean;
  takes_changes: boolean;
  is_in_batch: boolean;
}

export async function listOrders(sql: Sql, search: Search): Promise<Page<ListedOrder>> {
  return await searchPage<ListedOrder>(sql, orderListTable, search);
}

async function linesOf(sql: Sql, orders: DocumentKey[]): Promise<FoundOrderLine[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<FoundOrderLine[]>`
      select order_id, sku_id, qty, item_name as name, item_storage_type as storage_type, price, batch_id, identifier, combo_sku
      from order_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
      where l.account_id = ${accountId} and order_id = any(${own.map((order) => order.documentId)}) order by order_id, line_no`,
  );
}

async function shippingsOf(sql: Sql, orders: DocumentKey[]): Promise<FoundShipping[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<FoundShipping[]>`
      select order_id, customer_name, delivery_charge, city, note, store_pickup_label_data, url
      from shipping_order s
        left join callback_target t on t.account_id = s.account_id and document_type = 'order' and document_id = order_id
      where s.account_id = ${accountId} and order_id = any(${own.map((order) => order.documentId)})`,
  );
}
