import type { Fragment, Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import { numberInOrderNo, type OrderStatus } from '../orders/order.ts';
import { type AccountWithin, inEveryAccount, throughEveryAccount } from '../partners/every-account.ts';
import { isBehindPosition, newestFirst, positionIn, type SearchSource } from './search-part-queries.ts';
import { rangeOf, type SearchTerm } from './search-term.ts';

/** What is looked for, and where. */
export interface Finding {
  term: SearchTerm;
  /** Documents are found in these warehouses, or in all if null. */
  warehouseNos: number[] | null;
  /** The newest documents of each account whose parts are not stored yet are read directly, at most so many. */
  unfilledMax: number;
}

/** Limit per kind; a longer text narrows the search. */
export const foundMax = 8;
/** The rows of an index that are read for a kind in an account. Some may lead to documents of other warehouses. */
const candidatesMax = 30;

export interface FoundOrder {
  order_id: number;
  order_no: string;
  partner_number: string;
  name: string | null;
  account_no: string;
  shipment_no: string | null;
  status: OrderStatus;
  created_at: string;
}

export interface FoundInbound {
  inbound_id: number;
  kind: 'inbound' | 'return';
  document_no: string;
  partner_number: string;
  account_no: string;
  status: InboundStatus;
  created_at: string;
}

export interface FoundProduct {
  product_id: number;
  sku_id: string;
  name: string;
  account_no: string;
  /** The text is a barcode of the product. */
  is_coded: boolean;
}

/*
 * Each function sends one statement per account. It finds candidates by whole numbers and their beginnings, which have
 * indexes, by parts, and among the newest rows, whose parts are not stored yet. Then it reads the documents, compares
 * them with the whole text, and returns those that are named exactly so first, then the newest, one more than the limit.
 */

/** By any part of the partner's numbers, or by our whole number, which contains the partner's. */
export async function findOrders(sql: Sql, { term, warehouseNos, unfilledMax }: Finding): Promise<FoundOrder[]> {
  const { from, to } = rangeOf(numberInOrderNo(term.text) ?? term.text);
  return await throughEveryAccount<FoundOrder>(sql, (own, account) => {
    const beginning = (channel: string) => own`(
      select order_id from orders
      where account_id = ${account.id} and ${own.unsafe(channel)} and partner_number >= ${from} and partner_number < ${to}
      order by partner_number ${candidates(own)})`;
    return own`
      select ${orderColumns(own, account.no)}, shipment_no from (
        ${beginning("channel <> 'logistics'")} union ${beginning("channel = 'logistics'")}
        union (select order_id from orders where account_id = ${account.id} and name = ${term.text}
          order by created_at desc ${candidates(own)})
        union ${byPart(own, account, 'o', term)}
        union (select order_id from ${unfilled(own, account, 'orders', unfilledMax)}
          where ${has(own, ['partner_number', 'name'], term)} and ${term.isPartOfNumber} ${candidates(own)})) found
      ${documentsOf(own, account, 'orders', warehouseNos)}
      where ${has(own, ['partner_number', 'name', 'order_no'], term)}
      order by coalesce(${term.lower} in (lower(partner_number), lower(name), lower(order_no)), false) desc, order_id desc
      limit ${foundMax + 1}`;
  });
}

/** By any part of the number of any parcel; an order has the number of its first one. */
export async function findShipments(sql: Sql, { term, warehouseNos, unfilledMax }: Finding): Promise<FoundOrder[]> {
  const { from, to } = term.beginning;
  return await throughEveryAccount<FoundOrder>(
    sql,
    (own, account) => own`
      select ${orderColumns(own, account.no)}, shipped.shipment_no from (
        (select order_id from orders where account_id = ${account.id} and shipment_no >= ${from} and shipment_no < ${to}
          order by shipment_no ${candidates(own)})
        union (select order_id from parcel
          where account_id = ${account.id} and shipment_no >= ${from} and shipment_no < ${to} and parcel_no > 1
          order by shipment_no ${candidates(own)})
        union ${byPart(own, account, 's', term)}
        union (select order_id from ${unfilled(own, account, 'orders', unfilledMax)}
          where (${has(own, ['shipment_no'], term)} or exists (select from parcel p where p.account_id = ${account.id}
            and p.order_id = listed.order_id and ${has(own, ['p.shipment_no'], term)})) and ${term.isPartOfNumber}
          ${candidates(own)})) found
      ${documentsOf(own, account, 'orders', warehouseNos)}
      cross join lateral (
        select number as shipment_no from (
          select o.shipment_no as number, 0 as place union all
          select p.shipment_no, parcel_no from parcel p where p.account_id = ${account.id} and p.order_id = o.order_id) numbers
        where ${has(own, ['number'], term)}
        order by lower(number) = ${term.lower} desc, place limit 1) shipped
      order by lower(shipped.shipment_no) = ${term.lower} desc, order_id desc limit ${foundMax + 1}`,
  );
}

/** By any part of the partner's number, or by the beginning of ours. */
export async function findInbounds(sql: Sql, { term, warehouseNos, unfilledMax }: Finding): Promise<FoundInbound[]> {
  const { from, to } = term.beginning;
  return await throughEveryAccount<FoundInbound>(sql, (own, account) => {
    const beginning = (column: string, channel = 'true') => own`(
      select inbound_id from inbound_document
      where account_id = ${account.id} and ${own.unsafe(channel)} and ${own(column)} >= ${from} and ${own(column)} < ${to}
      order by ${own(column)} ${candidates(own)})`;
    return own`
      select o.inbound_id, kind, document_no, partner_number, ${account.no} as account_no, status,
        ${own.unsafe(taipeiTime('created_at'))}
      from (
        ${beginning('partner_number', "channel <> 'logistics'")} union ${beginning('partner_number', "channel = 'logistics'")}
        union ${beginning('document_no')} union ${byPart(own, account, 'i', term)}
        union (select inbound_id from ${unfilled(own, account, 'inbound_document', unfilledMax)}
          where ${has(own, ['partner_number'], term)} and ${term.isPartOfNumber} ${candidates(own)})) found
      ${documentsOf(own, account, 'inbound_document', warehouseNos)}
      where ${has(own, ['partner_number', 'document_no'], term)}
      order by ${term.lower} in (lower(partner_number), lower(document_no)) desc, o.inbound_id desc limit ${foundMax + 1}`;
  });
}

/** By any part of the sku or the name, or by a whole barcode of a unit or a carton. */
export async function findProducts(
  sql: Sql,
  { term, unfilledMax }: Omit<Finding, 'warehouseNos'>,
): Promise<FoundProduct[]> {
  return await throughEveryAccount<FoundProduct>(sql, (own, account) => {
    const coded = own`select product_id from product_code where account_id = ${account.id} and code = ${term.text}`;
    return own`
      select o.product_id, sku_id, name, ${account.no} as account_no, o.product_id in (${coded}) as is_coded from (
        ${coded} union (select found_id from search_part
          where account_id = ${account.id} and kind = 'p' and part >= ${term.parts.from} and part < ${term.parts.to}
          order by part ${candidates(own)})
        union (select product_id from product
          where account_id = ${account.id} and sku_id >= ${term.beginning.from} and sku_id < ${term.beginning.to}
          order by sku_id ${candidates(own)})
        union (select product_id from ${unfilled(own, account, 'product', unfilledMax)}
          where ${has(own, ['sku_id', 'name'], term)} ${candidates(own)})) found
      cross join lateral (
        select * from product where account_id = ${account.id} and product_id = found.product_id offset 0) o
      where o.product_id in (${coded}) or ${has(own, ['sku_id', 'name'], term)}
      order by o.product_id in (${coded}) or ${term.lower} in (lower(sku_id), lower(name)) desc, sku_id limit ${foundMax + 1}`;
  });
}

/** Whether an account has more rows whose parts are not stored yet than a search reads. */
export async function isBehind(sql: Sql, unfilledMax: number): Promise<boolean> {
  const found = await throughEveryAccount<{ is_behind: boolean }>(sql, (own, account) => {
    const beyond = (source: SearchSource) => own`exists (
      select from ${positionIn(own, account.id, source)} done cross join lateral (
        select from ${own(source)} where account_id = ${account.id} and ${isBehindPosition(own, source)}
        order by ${newestFirst(own, source)} offset ${unfilledMax} limit 1) next)`;
    return own`
      select ${beyond('orders')} or ${beyond('inbound_document')} or ${beyond('product')} as is_behind`;
  });
  return found.some(({ is_behind }) => is_behind);
}

/** A number in the text, because PostgreSQL expects thousands of rows if it does not see the limit. */
function candidates(sql: Sql): Fragment {
  return sql.unsafe(`limit ${candidatesMax}`);
}

/** Whether one of the columns contains the text. */
function has(sql: Sql, columns: string[], { lower }: SearchTerm): Fragment {
  const found = columns.map((column) => sql`coalesce(strpos(lower(${sql.unsafe(column)}), ${lower}) > 0, false)`);
  return sql`(${found.reduce((some, other) => sql`${some} or ${other}`)})`;
}

/** The ids of documents that have such a part. */
function byPart(
  sql: Sql,
  account: AccountWithin,
  kind: 'o' | 's' | 'i',
  { parts, isPartOfNumber }: SearchTerm,
): Fragment {
  return sql`(
    select found_id from search_part
    where account_id = ${account.id} and kind = ${kind} and part >= ${parts.from} and part < ${parts.to} and ${isPartOfNumber}
    order by part ${candidates(sql)})`;
}

/** The newest rows whose parts are not stored yet, as `listed`. */
function unfilled(sql: Sql, account: AccountWithin, source: SearchSource, rowsMax: number): Fragment {
  return sql`(
    select newest.* from ${positionIn(sql, account.id, source)} done cross join lateral (
      select * from ${sql(source)} where account_id = ${account.id} and ${isBehindPosition(sql, source)}
      order by ${newestFirst(sql, source)} limit ${rowsMax}) newest) listed`;
}

/** Leads from candidates to their documents, as `o`. Offset 0 makes PostgreSQL look them up row by row. */
function documentsOf(
  sql: Sql,
  account: AccountWithin,
  source: 'orders' | 'inbound_document',
  warehouseNos: number[] | null,
): Fragment {
  const id = sql(source === 'orders' ? 'order_id' : 'inbound_id');
  return sql`cross join lateral (select * from ${sql(source)}
    where account_id = ${account.id} and ${id} = found.${id} and ${isThere(sql, warehouseNos)} offset 0) o`;
}

function isThere(sql: Sql, warehouseNos: number[] | null): Fragment {
  return warehouseNos === null ? sql`true` : sql`warehouse_no = any(${warehouseNos}::integer[])`;
}

function orderColumns(sql: Sql, accountNo: Fragment): Fragment {
  return sql`o.order_id, order_no, partner_number, name, ${accountNo} as account_no, status,
    ${sql.unsafe(taipeiTime('created_at'))}`;
}

export async function findCallbackByEvent(sql: Sql, eventId: string) {
  const [row] = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<
      { callback_id: number; event: string; document_no: string; account_no: string }[]
    >`
      select callback_id, event, document_no, ${accountNo}::text as account_no from callback
      where account_id = ${accountId} and event_id = ${eventId}::uuid`,
  );
  return row ?? null;
}

export async function findOrderByTransfer(
  sql: Sql,
  transferId: string,
  warehouseNos: number[] | null,
): Promise<FoundOrder | null> {
  const [row] = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<FoundOrder[]>`
      select ${orderColumns(own, own`${accountNo}::text`)}, shipment_no from orders o where account_id = ${accountId} and order_id = (
        select order_id from transfer where account_id = ${accountId} and transfer_id = ${transferId}::uuid) and ${isThere(own, warehouseNos)}`,
  );
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
