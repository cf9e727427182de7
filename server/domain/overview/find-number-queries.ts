import { firstBeyond } from '../../platform/postgres/keyset-search.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { numberInOrderNo } from '../orders/order.ts';

/** Limit per kind; a longer text narrows the search. */
const foundMax = 5;

export interface FoundOrder {
  order_id: number;
  order_no: string;
  partner_number: string;
  account_no: string;
  shipment_no: string | null;
}

export interface FoundInbound {
  inbound_id: number;
  document_no: string;
  partner_number: string;
  account_no: string;
}

export interface FoundProduct {
  product_id: number;
  sku_id: string;
  name: string;
  account_no: string;
}

// An exact match sorts first among the numbers with the same prefix, so one index range finds both.

/** By the partner's number, or by ours, which contains the partner's. */
export async function findOrdersByNumber(sql: Sql, text: string): Promise<FoundOrder[]> {
  const { from, to } = stretchOf(numberInOrderNo(text) ?? text);
  return await sql<FoundOrder[]>`
    select order_id, order_no, partner_number, account_no, shipment_no from (
      (select * from orders where channel <> 'logistics' and partner_number >= ${from} and partner_number < ${to} order by partner_number limit ${foundMax})
      union all
      (select found.* from account cross join lateral (
        select * from orders where orders.account_id = account.account_id and channel = 'logistics' and partner_number >= ${from} and partner_number < ${to}
        order by partner_number limit ${foundMax}) found
      order by partner_number limit ${foundMax})
    ) found join account using (account_id) order by partner_number, order_id limit ${foundMax}`;
}

/** By the partner's second number, which only orders of the logistics webhook have. */
export async function findOrdersByName(sql: Sql, text: string): Promise<FoundOrder[]> {
  return await sql<FoundOrder[]>`
    select order_id, order_no, partner_number, account_no, shipment_no from account cross join lateral (
      select * from orders where orders.account_id = account.account_id and name = ${text} order by created_at desc limit ${foundMax}) found
    order by found.created_at desc limit ${foundMax}`;
}

export async function findOrdersByShipment(sql: Sql, text: string): Promise<FoundOrder[]> {
  const { from, to } = stretchOf(text);
  return await sql<FoundOrder[]>`
    select order_id, order_no, partner_number, account_no, shipment_no from account cross join lateral (
      select * from orders where orders.account_id = account.account_id and shipment_no >= ${from} and shipment_no < ${to}
      order by shipment_no limit ${foundMax}) found
    order by shipment_no limit ${foundMax}`;
}

export async function findInboundsByNumber(sql: Sql, text: string): Promise<FoundInbound[]> {
  const { from, to } = stretchOf(text);
  return await sql<FoundInbound[]>`
    select distinct inbound_id, document_no, partner_number, account_no from (
      (select * from inbound_document where channel <> 'logistics' and partner_number >= ${from} and partner_number < ${to}
        order by partner_number limit ${foundMax})
      union all
      (select found.* from account cross join lateral (
        select * from inbound_document d where d.account_id = account.account_id and channel = 'logistics' and partner_number >= ${from}
          and partner_number < ${to} order by partner_number limit ${foundMax}) found
      order by partner_number limit ${foundMax})
      union all
      (select found.* from account cross join lateral (
        select * from inbound_document d where d.account_id = account.account_id and document_no >= ${from} and document_no < ${to}
        order by document_no limit ${foundMax}) found
      order by document_no limit ${foundMax})
    ) found join account using (account_id) order by partner_number, inbound_id limit ${foundMax}`;
}

export async function findProductsBySku(sql: Sql, text: string): Promise<FoundProduct[]> {
  const { from, to } = stretchOf(text);
  return await sql<FoundProduct[]>`
    select product_id, sku_id, found.name, account_no from account cross join lateral (
      select * from product where product.account_id = account.account_id and sku_id >= ${from} and sku_id < ${to} order by sku_id limit ${foundMax}) found
    order by sku_id, account_no limit ${foundMax}`;
}

/** The upper bound lies beyond every text with this prefix; nothing lies beyond the last of all texts. */
function stretchOf(prefix: string): { from: string; to: string } {
  return { from: prefix, to: firstBeyond(prefix) ?? `${prefix}\u{10ffff}` };
}

export async function findCallbackByEvent(sql: Sql, eventId: string) {
  const [row] = await sql<{ callback_id: number; event: string; document_no: string; account_no: string }[]>`
    select callback_id, event, document_no, account_no from callback join account using (account_id) where event_id = ${eventId}::uuid`;
  return row ?? null;
}

export async function findOrderByTransfer(sql: Sql, transferId: string): Promise<FoundOrder | null> {
  const [row] = await sql<FoundOrder[]>`
    select order_id, order_no, partner_number, account_no, shipment_no
    from transfer join orders using (order_id) join account on account.account_id = orders.account_id where transfer_id = ${transferId}::uuid`;
  return row ?? null;
}

export async function findClient(
  sql: Sql,
  clientId: string,
): Promise<{ client_id: string; account_no: string } | null> {
  const [row] = await sql<{ client_id: string; account_no: string }[]>`
    select client_id, account_no from client join account using (account_id) where client_id = ${clientId}`;
  return row ?? null;
}
