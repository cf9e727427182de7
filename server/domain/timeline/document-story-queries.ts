import type { Sql } from '../../platform/database.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import type { CallbackStatus } from '../callbacks/callback.ts';
import type { InboundChannel, InboundKind, InboundStatus } from '../inbound/inbound-document.ts';
import { numberInOrderNo, type OrderChannel, type OrderStatus } from '../orders/order.ts';
import type { TransferStatus } from '../orders/transfer.ts';
import type { StockType } from '../stock/lot.ts';
import { findStateChanges, type TimelineOf } from './state-change-queries.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';
import { callbackTypesOf } from './told-queries.ts';

// Everything that is known of one document, for whoever has to find out what became of it. Numbers of logistics are unique within an account only,
// so that a number may be that of several documents.

/** A document that has a number, its partner's or ours. */
export interface NamedDocument {
  document_id: number;
  account_no: string;
  channel: string;
  partner_number: string;
  /** Ours. */
  document_no: string;
}

export async function findOrdersNamed(sql: Sql, number: string, accountNo: string | null): Promise<NamedDocument[]> {
  const partnerNumbers = [number, numberInOrderNo(number) ?? number];
  return await sql<NamedDocument[]>`
    select order_id as document_id, account_no, channel, partner_number, order_no as document_no
    from orders join account using (account_id)
    where order_id = any(array(
        select order_id from orders where channel <> 'logistics' and partner_number = any(${partnerNumbers})
        union all
        select order_id from orders where channel = 'logistics' and partner_number = any(${partnerNumbers})
          and account_id = any(array(select account_id from account))
      ))
      and ${number} in (partner_number, order_no) and (${accountNo}::text is null or account_no = ${accountNo})
    order by account_no, order_id`;
}

export async function findInboundsNamed(sql: Sql, number: string, accountNo: string | null): Promise<NamedDocument[]> {
  return await sql<NamedDocument[]>`
    select inbound_id as document_id, account_no, channel, partner_number, document_no
    from inbound_document join account using (account_id)
    where inbound_id = any(array(
        select inbound_id from inbound_document where channel <> 'logistics' and partner_number = ${number}
        union all
        select inbound_id from inbound_document where channel = 'logistics' and partner_number = ${number}
          and account_id = any(array(select account_id from account))
        union all
        select inbound_id from inbound_document where document_no = ${number} and account_id = any(array(select account_id from account))
      ))
      and (${accountNo}::text is null or account_no = ${accountNo})
    order by account_no, inbound_id`;
}

interface LotName {
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
}

export interface StoryCallback {
  event_id: string;
  event: string;
  status: CallbackStatus;
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
}

interface Story {
  account_no: string;
  partner_number: string;
  /** Ours. */
  document_no: string;
  warehouse_no: number;
  store_no: number;
  created_at: string;
  updated_at: string;
  created_by: string | null;
  trace_id: string | null;
  callbacks: StoryCallback[];
  timeline: TimelineEntry[];
}

export interface OrderStory extends Story {
  channel: OrderChannel;
  status: OrderStatus;
  name: string | null;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  lines: { sku_id: string; qty: number; batch_id: string | null; combo_sku: string | null; identifier: string | null }[];
  /** What it holds of which lot, and what has left for it. */
  lots: (LotName & { locked: number; shipped: number })[];
  transfer: Transfer | null;
}

export interface Transfer {
  transfer_id: string;
  status: TransferStatus;
  attempts: number;
  reason: string | null;
  note: string | null;
  created_at: string;
  updated_at: string;
}

/** null: it has been purged. */
export async function findOrderStory(sql: Sql, orderId: number): Promise<OrderStory | null> {
  const [order] = await sql<Omit<OrderStory, 'lines' | 'lots' | 'transfer' | 'callbacks' | 'timeline'>[]>`
    select account_no, channel, partner_number, order_no as document_no, status, orders.name, warehouse_no, store_no, logistics_type, express_type,
      shipment_no, carrier, ${sql.unsafe(taipeiTime('orders.created_at', 'created_at'))}, ${sql.unsafe(taipeiTime('updated_at'))}, created_by, trace_id
    from orders join account using (account_id) where order_id = ${orderId}`;
  if (!order) return null;
  const [lines, lots, transfers, callbacks, changes] = await Promise.all([
    sql<OrderStory['lines']>`
      select sku_id, qty, batch_id, combo_sku, identifier from order_line join product using (product_id)
      where order_id = ${orderId} order by line_no`,
    sql<OrderStory['lots']>`
      select ${lotColumns(sql)}, sum(locked_delta)::bigint as locked, coalesce(-sum(on_hand_delta) filter (where kind = 'ship'), 0)::bigint as shipped
      from movement join lot using (lot_id) where order_id = ${orderId}
      group by lot.lot_id having sum(locked_delta) <> 0 or bool_or(kind = 'ship') order by min(movement_id)`,
    sql<Transfer[]>`
      select transfer_id, status, attempts, reason, note, ${sql.unsafe(taipeiTime('created_at'))}, ${sql.unsafe(taipeiTime('updated_at'))}
      from transfer where order_id = ${orderId}`,
    findCallbacksOf(sql, 'order', orderId),
    findStateChanges(sql, 'order', [orderId]),
  ]);
  return { ...order, lines, lots, transfer: transfers[0] ?? null, callbacks, timeline: timelineOf(order, withoutId(changes)) };
}

/** Who an order goes to. Personal details: read only where somebody asks for them. */
export interface Recipient {
  country: string | null;
  name: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  zip: string | null;
  customer_name: string | null;
  note: string | null;
  store_pickup_label_data: Record<string, unknown> | null;
}

export async function findRecipient(sql: Sql, orderId: number): Promise<Recipient | null> {
  const [recipient] = await sql<Recipient[]>`
    select consignee_country as country, consignee_name as name, consignee_phone as phone, consignee_address as address, city,
      consignee_zip as zip, customer_name, note, store_pickup_label_data
    from orders left join shipping_order using (order_id) where order_id = ${orderId}`;
  return recipient ?? null;
}

export interface InboundStory extends Story {
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  receiving: 'on_create' | 'on_confirm';
  over_delivery_percent: number;
  internal_form_no: string | null;
  original_order_number: string | null;
  estimated_arrival_at: string | null;
  lines: { sku_id: string; qty: number; batch_id: string; expire_date: string | null; identifier: string | null }[];
  /** What arrived in which lot, and what was taken back again. */
  lots: (LotName & { received: number; retracted: number })[];
  receipts: { receipt_no: string; at: string }[];
}

/** null: it has been purged. */
export async function findInboundStory(sql: Sql, inboundId: number): Promise<InboundStory | null> {
  const [document] = await sql<Omit<InboundStory, 'lines' | 'lots' | 'receipts' | 'callbacks' | 'timeline'>[]>`
    select account_no, channel, kind, partner_number, document_no, internal_form_no, status, receiving, over_delivery_percent, warehouse_no, store_no,
      original_order_number, ${sql.unsafe(taipeiTime('estimated_arrival_at'))}, ${sql.unsafe(taipeiTime('d.created_at', 'created_at'))},
      ${sql.unsafe(taipeiTime('updated_at'))}, created_by, trace_id
    from inbound_document d join account using (account_id) left join inbound_form using (inbound_id) where inbound_id = ${inboundId}`;
  if (!document) return null;
  const [lines, lots, receipts, callbacks, changes] = await Promise.all([
    sql<InboundStory['lines']>`
      select sku_id, qty, batch_id, expire_date, identifier from inbound_line join product using (product_id)
      where inbound_id = ${inboundId} order by line_no`,
    sql<InboundStory['lots']>`
      select ${lotColumns(sql)}, coalesce(sum(on_hand_delta) filter (where on_hand_delta > 0), 0)::bigint as received,
        coalesce(-sum(on_hand_delta) filter (where on_hand_delta < 0), 0)::bigint as retracted
      from movement join lot using (lot_id) where inbound_id = ${inboundId} group by lot.lot_id order by min(movement_id)`,
    sql<InboundStory['receipts']>`
      select receipt_no, ${sql.unsafe(taipeiTime('at'))} from receipt where inbound_id = ${inboundId} order by receipt.at, receipt_no`,
    findCallbacksOf(sql, 'inbound', inboundId),
    findStateChanges(sql, 'inbound', [inboundId]),
  ]);
  return { ...document, lines, lots, receipts, callbacks, timeline: timelineOf(document, withoutId(changes)) };
}

function lotColumns(sql: Sql) {
  return sql`lot.sku_id, lot.stock_type, lot.batch_id, nullif(lot.expire_date, 'infinity') as expire_date`;
}

async function findCallbacksOf(sql: Sql, type: TimelineOf, documentId: number): Promise<StoryCallback[]> {
  return await sql<StoryCallback[]>`
    select event_id, event, status, (select count(*) from callback_attempt a where a.callback_id = c.callback_id) as attempts,
      (select ${sql.unsafe(taipeiTime('due_at', 'due_at'))} from callback_delivery d where d.callback_id = c.callback_id and due_at < 'infinity')
        as next_attempt_at,
      ${sql.unsafe(taipeiTime('created_at'))}
    from callback c where document_type = any(${callbackTypesOf[type]}) and document_id = ${documentId} order by sequence`;
}

function withoutId(changes: (TimelineEntry & { documentId: number })[]): TimelineEntry[] {
  return changes.map(({ documentId: _, ...change }) => change);
}
