import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { findCallbacksOf } from '../callbacks/document-callback-queries.ts';
import {
  type DocumentHistory,
  type LotName,
  lotColumns,
  type NamedDocument,
} from '../documents/document-history-queries.ts';
import { findReturnsOfOrders } from '../documents/return-link-queries.ts';
import { findChangesOf } from '../documents/state-change-queries.ts';
import { timelineOf } from '../documents/timeline.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import { inAccounts } from '../partners/every-account.ts';
import type { TransferStatus } from '../transfers/transfer.ts';
import {
  numberInOrderNo,
  type OrderChannel,
  type OrderKey,
  type OrderStatus,
  type UndeliveredReason,
} from './order.ts';
import { findChangesOfOrders, type OrderChange } from './order-change-queries.ts';
import { isHeld } from './order-search-queries.ts';
import { findListedShipments, type ListedShipment, nothingShipped } from './parcel-queries.ts';
import type { Recipient } from './recipient.ts';

export type NamedOrder = NamedDocument & { account_id: number };

/** `number` is the partner's number or ours. Accounts, and the channels of an account, may use the same number. */
export async function findOrdersNamed(sql: Sql, number: string, accountNo: string | null): Promise<NamedOrder[]> {
  const partnerNumbers = [number, numberInOrderNo(number) ?? number];
  const orders = await inAccounts(
    sql,
    accountNo,
    (own, accountId) => own<NamedOrder[]>`
      select order_id as document_id, a.account_id, account_no, channel, partner_number, order_no as document_no
      from orders o join account a on a.account_id = o.account_id
      where o.account_id = ${accountId} and order_id = any(array(
          select order_id from orders
          where account_id = ${accountId} and channel <> 'logistics' and partner_number = any(${partnerNumbers})
          union all
          select order_id from orders
          where account_id = ${accountId} and channel = 'logistics' and partner_number = any(${partnerNumbers})))
        and ${number} in (partner_number, order_no)
      order by order_id`,
  );
  return orders.toSorted((a, b) => (a.account_no === b.account_no ? 0 : a.account_no < b.account_no ? -1 : 1));
}

export interface OrderHistory extends DocumentHistory, ListedShipment {
  channel: OrderChannel;
  status: OrderStatus;
  name: string | null;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  undelivered_reason: UndeliveredReason | null;
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
  held: boolean;
  /** Changes other than those of the status, with personal data; oldest first. */
  changes: OrderChange[];
  /** null: the order has the recipient that the partner sent. */
  recipient_erased_at: string | null;
  /** The oldest first. */
  returns: { inbound_id: number; document_no: string; status: InboundStatus }[];
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
export async function findOrderHistory(sql: Sql, { accountId, orderId }: OrderKey): Promise<OrderHistory | null> {
  const [order] = await sql<
    Omit<
      OrderHistory,
      'lines' | 'lots' | 'transfer' | 'callbacks' | 'timeline' | 'changes' | 'returns' | keyof ListedShipment
    >[]
  >`
    select account_no, channel, partner_number, order_no as document_no, status, o.name, warehouse_no, store_no, logistics_type, express_type,
      shipment_no, carrier, undelivered_reason, ${sql.unsafe(taipeiTime('o.created_at', 'created_at'))}, ${sql.unsafe(taipeiTime('updated_at'))}, created_by, trace_id,
      ${sql.unsafe(taipeiTime('recipient_erased_at'))}, ${sql.unsafe(isHeld)} as held
    from orders o join account a on a.account_id = o.account_id where o.account_id = ${accountId} and order_id = ${orderId}`;
  if (!order) return null;
  const key = { accountId, documentId: orderId };
  const [lines, lots, transfers, callbacks, stateChanges, changes, returns, shipments] = await Promise.all([
    sql<OrderHistory['lines']>`
      select sku_id, qty, batch_id, combo_sku, identifier
      from order_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
      where l.account_id = ${accountId} and order_id = ${orderId} order by line_no`,
    sql<OrderHistory['lots']>`
      select ${lotColumns(sql)}, sum(locked_delta)::bigint as locked, coalesce(-sum(on_hand_delta) filter (where kind = 'ship'), 0)::bigint as shipped
      from movement m join lot on lot.account_id = m.account_id and lot.lot_id = m.lot_id
      where m.account_id = ${accountId} and order_id = ${orderId}
      group by lot.account_id, lot.lot_id having sum(locked_delta) <> 0 or bool_or(kind = 'ship') order by min(movement_id)`,
    sql<Transfer[]>`
      select transfer_id, status, attempts, reason, note, ${sql.unsafe(taipeiTime('created_at'))}, ${sql.unsafe(taipeiTime('updated_at'))}
      from transfer where account_id = ${accountId} and order_id = ${orderId}`,
    findCallbacksOf(sql, 'order', key),
    findChangesOf(sql, 'order', key),
    findChangesOfOrders(sql, [{ accountId, orderId }]),
    findReturnsOfOrders(sql, [key]),
    findListedShipments(sql, [{ accountId, orderId, status: order.status }]),
  ]);
  return {
    ...order,
    ...(shipments.get(orderId) ?? nothingShipped),
    lines,
    lots,
    transfer: transfers[0] ?? null,
    callbacks,
    changes,
    timeline: timelineOf(order, stateChanges),
    returns: (returns.get(orderId) ?? []).map(({ inboundId, documentNo, status }) => ({
      inbound_id: inboundId,
      document_no: documentNo,
      status,
    })),
  };
}

export async function findRecipient(sql: Sql, order: OrderKey): Promise<Recipient | null> {
  const [found] = await findRecipients(sql, [order]);
  if (found === undefined) return null;
  const { order_id: _, ...recipient } = found;
  return recipient;
}

export async function findRecipients(sql: Sql, orders: OrderKey[]): Promise<(Recipient & { order_id: number })[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<(Recipient & { order_id: number })[]>`
      select o.order_id, consignee_country as country, consignee_name as name, consignee_phone as phone, consignee_address as address,
        city, consignee_zip as zip, customer_name, note, store_pickup_label_data
      from orders o left join shipping_order s on s.account_id = o.account_id and s.order_id = o.order_id
      where o.account_id = ${accountId} and o.order_id = any(${own.map(({ orderId }) => orderId)}::bigint[])`,
  );
}
