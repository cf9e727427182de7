import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { findCallbacksOf } from '../callbacks/document-callback-queries.ts';
import {
  type DocumentHistory,
  type LotName,
  lotColumns,
  type NamedDocument,
} from '../documents/document-history-queries.ts';
import { findChangesOf } from '../documents/state-change-queries.ts';
import { timelineOf } from '../documents/timeline.ts';
import type { TransferStatus } from '../transfers/transfer.ts';
import { numberInOrderNo, type OrderChannel, type OrderStatus } from './order.ts';

/** `number` is the partner's number or ours. Numbers of the logistics channel are unique within an account only, so there may be several orders. */
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

export interface OrderHistory extends DocumentHistory {
  channel: OrderChannel;
  status: OrderStatus;
  name: string | null;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  lines: {
    sku_id: string;
    qty: number;
    batch_id: string | null;
    combo_sku: string | null;
    identifier: string | null;
  }[];
  /** How many units of each lot the order has locked or shipped. */
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

/** null: the order has been purged. */
export async function findOrderHistory(sql: Sql, orderId: number): Promise<OrderHistory | null> {
  const [order] = await sql<Omit<OrderHistory, 'lines' | 'lots' | 'transfer' | 'callbacks' | 'timeline'>[]>`
    select account_no, channel, partner_number, order_no as document_no, status, orders.name, warehouse_no, store_no, logistics_type, express_type,
      shipment_no, carrier, ${sql.unsafe(taipeiTime('orders.created_at', 'created_at'))}, ${sql.unsafe(taipeiTime('updated_at'))}, created_by, trace_id
    from orders join account using (account_id) where order_id = ${orderId}`;
  if (!order) return null;
  const [lines, lots, transfers, callbacks, changes] = await Promise.all([
    sql<OrderHistory['lines']>`
      select sku_id, qty, batch_id, combo_sku, identifier from order_line join product using (product_id)
      where order_id = ${orderId} order by line_no`,
    sql<OrderHistory['lots']>`
      select ${lotColumns(sql)}, sum(locked_delta)::bigint as locked, coalesce(-sum(on_hand_delta) filter (where kind = 'ship'), 0)::bigint as shipped
      from movement join lot using (lot_id) where order_id = ${orderId}
      group by lot.lot_id having sum(locked_delta) <> 0 or bool_or(kind = 'ship') order by min(movement_id)`,
    sql<Transfer[]>`
      select transfer_id, status, attempts, reason, note, ${sql.unsafe(taipeiTime('created_at'))}, ${sql.unsafe(taipeiTime('updated_at'))}
      from transfer where order_id = ${orderId}`,
    findCallbacksOf(sql, 'order', orderId),
    findChangesOf(sql, 'order', orderId),
  ]);
  return {
    ...order,
    lines,
    lots,
    transfer: transfers[0] ?? null,
    callbacks,
    timeline: timelineOf(order, changes),
  };
}

/** The recipient of an order. Personal details: read them only on request. */
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
