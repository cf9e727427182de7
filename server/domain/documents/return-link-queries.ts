import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import type { OrderChannel } from '../orders/order.ts';
import type { DocumentKey } from './state-change-queries.ts';

// The view `returned_order` knows which order a return belongs to (migrations/0006_return_links.sql). One statement
// finds the links of a whole page.

/** A return of an order. */
export interface OrderReturn {
  inboundId: number;
  documentNo: string;
  status: InboundStatus;
}

/** The order of a return. */
export interface ReturnedOrder {
  orderId: number;
  orderNo: string;
  channel: OrderChannel;
  partnerNumber: string;
}

/** Nobody limits how many returns may name the same order; a row shows the latest. */
export const returnsShownMax = 100;

/** The returns of each order, the oldest first. Orders without returns are not in the map. */
export async function findReturnsOfOrders(sql: Sql, orders: DocumentKey[]): Promise<Map<number, OrderReturn[]>> {
  const found = await perAccount(
    orders,
    (accountId, own) => sql<(OrderReturn & { orderId: number })[]>`
      select wanted.order_id as "orderId", found.inbound_id as "inboundId", found.document_no as "documentNo", found.status
      from unnest(${own.map((order) => order.documentId)}::bigint[]) as wanted(order_id)
      cross join lateral (
        select d.inbound_id, d.document_no, d.status
        from returned_order r join inbound_document d on d.account_id = r.account_id and d.inbound_id = r.inbound_id
        where r.account_id = ${accountId} and d.account_id = ${accountId} and r.order_id = wanted.order_id
        order by d.inbound_id desc limit ${returnsShownMax}) found
      order by found.inbound_id`,
  );
  const shown = found.map(({ orderId, ...one }) => ({ orderId, one }));
  const byOrder = Map.groupBy(shown, ({ orderId }) => orderId);
  return new Map([...byOrder].map(([orderId, those]) => [orderId, those.map(({ one }) => one)]));
}

/** The order of each return. Returns whose order is not known (yet) are not in the map. */
export async function findOrdersOfReturns(sql: Sql, returns: DocumentKey[]): Promise<Map<number, ReturnedOrder>> {
  const found = await perAccount(
    returns,
    (accountId, own) => sql<(ReturnedOrder & { inboundId: number })[]>`
      select r.inbound_id as "inboundId", o.order_id as "orderId", o.order_no as "orderNo", o.channel,
        o.partner_number as "partnerNumber"
      from returned_order r join orders o on o.account_id = r.account_id and o.order_id = r.order_id
      where r.account_id = ${accountId} and o.account_id = ${accountId}
        and r.inbound_id = any(${own.map((one) => one.documentId)})`,
  );
  return new Map(found.map(({ inboundId, ...order }) => [inboundId, order]));
}
