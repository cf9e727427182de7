import { firstBeyond } from '../../platform/postgres/range-conditions.ts';
import type { Fragment, Sql } from '../../platform/postgres/sql.ts';
import { numberInOrderNo } from '../orders/order.ts';
import { inEveryAccount } from '../partners/every-account.ts';

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

// An exact match sorts first among the numbers with the same prefix, so one index range finds both. Documents are found in
// the warehouses that are given, or in all if that is null.

function isThere(sql: Sql, warehouseNos: number[] | null): Fragment {
  return warehouseNos === null ? sql`true` : sql`warehouse_no = any(${warehouseNos}::integer[])`;
}

/** By the partner's number, or by ours, which contains the partner's. */
export async function findOrdersByNumber(sql: Sql, text: string, warehouseNos: number[] | null): Promise<FoundOrder[]> {
  const there = isThere(sql, warehouseNos);
  const { from, to } = stretchOf(numberInOrderNo(text) ?? text);
  const found = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<FoundOrder[]>`
      (select ${orderColumns(sql, accountNo)} from orders
        where account_id = ${accountId} and channel <> 'logistics' and partner_number >= ${from} and partner_number < ${to} and ${there}
        order by partner_number limit ${foundMax})
      union all
      (select ${orderColumns(sql, accountNo)} from orders
        where account_id = ${accountId} and channel = 'logistics' and partner_number >= ${from} and partner_number < ${to} and ${there}
        order by partner_number limit ${foundMax})`,
  );
  return firstOf(
    found,
    (one, other) => compare(one.partner_number, other.partner_number) || one.order_id - other.order_id,
  );
}

/** By the partner's second number, which only orders of the logistics webhook have; newest first. */
export async function findOrdersByName(sql: Sql, text: string, warehouseNos: number[] | null): Promise<FoundOrder[]> {
  const there = isThere(sql, warehouseNos);
  const found = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<FoundOrder[]>`
      select ${orderColumns(sql, accountNo)} from orders where account_id = ${accountId} and name = ${text} and ${there}
      order by created_at desc limit ${foundMax}`,
  );
  return firstOf(found, (one, other) => other.order_id - one.order_id);
}

/** By the number of any parcel; an order has the number of its first one. */
export async function findOrdersByShipment(
  sql: Sql,
  text: string,
  warehouseNos: number[] | null,
): Promise<FoundOrder[]> {
  const there = isThere(sql, warehouseNos);
  const { from, to } = stretchOf(text);
  const found = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<FoundOrder[]>`
      (select ${orderColumns(sql, accountNo)} from orders
        where account_id = ${accountId} and shipment_no >= ${from} and shipment_no < ${to} and ${there}
        order by shipment_no limit ${foundMax})
      union all
      (select o.order_id, order_no, partner_number, ${accountNo}::text, p.shipment_no
        from parcel p join orders o on o.account_id = p.account_id and o.order_id = p.order_id
        where p.account_id = ${accountId} and p.shipment_no >= ${from} and p.shipment_no < ${to} and parcel_no > 1 and ${there}
        order by p.shipment_no limit ${foundMax})`,
  );
  return firstOf(found, (one, other) => compare(one.shipment_no!, other.shipment_no!));
}

function orderColumns(sql: Sql, accountNo: string): Fragment {
  return sql`order_id, order_no, partner_number, ${accountNo}::text as account_no, shipment_no`;
}

/** By the partner's number or by ours. */
export async function findInboundsByNumber(
  sql: Sql,
  text: string,
  warehouseNos: number[] | null,
): Promise<FoundInbound[]> {
  const there = isThere(sql, warehouseNos);
  const { from, to } = stretchOf(text);
  const found = await inEveryAccount(sql, (own, accountId, accountNo) => {
    const columns = own`inbound_id, document_no, partner_number, ${accountNo}::text as account_no`;
    return own<FoundInbound[]>`
      (select ${columns} from inbound_document
        where account_id = ${accountId} and channel <> 'logistics' and partner_number >= ${from} and partner_number < ${to} and ${there}
        order by partner_number limit ${foundMax})
      union
      (select ${columns} from inbound_document
        where account_id = ${accountId} and channel = 'logistics' and partner_number >= ${from} and partner_number < ${to} and ${there}
        order by partner_number limit ${foundMax})
      union
      (select ${columns} from inbound_document
        where account_id = ${accountId} and document_no >= ${from} and document_no < ${to} and ${there}
        order by document_no limit ${foundMax})`;
  });
  return firstOf(
    found,
    (one, other) => compare(one.partner_number, other.partner_number) || one.inbound_id - other.inbound_id,
  );
}

export async function findProductsBySku(sql: Sql, text: string): Promise<FoundProduct[]> {
  const { from, to } = stretchOf(text);
  const found = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<FoundProduct[]>`
      select product_id, sku_id, name, ${accountNo}::text as account_no from product
      where account_id = ${accountId} and sku_id >= ${from} and sku_id < ${to} order by sku_id limit ${foundMax}`,
  );
  return firstOf(found, (one, other) => compare(one.sku_id, other.sku_id) || compare(one.account_no, other.account_no));
}

/** By a whole barcode of a unit or a carton. */
export async function findProductsByCode(sql: Sql, code: string): Promise<FoundProduct[]> {
  const found = await inEveryAccount(
    sql,
    (own, accountId, accountNo) => own<FoundProduct[]>`
      select product_id, sku_id, name, ${accountNo}::text as account_no
      from product_code join product using (account_id, product_id) where account_id = ${accountId} and code = ${code}`,
  );
  return firstOf(found, (one, other) => compare(one.account_no, other.account_no));
}

/** Keeps the first ones of the rows that were found in all accounts. */
function firstOf<Found>(found: Found[], inOrder: (one: Found, other: Found) => number): Found[] {
  return found.toSorted(inOrder).slice(0, foundMax);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The upper bound lies beyond every text with this prefix; nothing lies beyond the last of all texts. */
function stretchOf(prefix: string): { from: string; to: string } {
  return { from: prefix, to: firstBeyond(prefix) ?? `${prefix}\u{10ffff}` };
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
      select ${orderColumns(sql, accountNo)} from orders where account_id = ${accountId} and order_id = (
        select order_id from transfer where account_id = ${accountId} and transfer_id = ${transferId}::uuid) and ${isThere(sql, warehouseNos)}`,
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
