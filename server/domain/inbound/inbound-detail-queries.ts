import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import { findScanned } from '../products/product-code-queries.ts';
import type { StockType } from '../stock/lot.ts';
import type { InboundChannel, InboundKind, InboundStatus } from './inbound-document.ts';
import type { InboundKey } from './inbound-queries.ts';

// The parts of a document that the console shows beside its history.

/** The document with a given id. */
export interface InboundById {
  inbound_id: number;
  account_id: number;
  partner_number: string;
  document_no: string;
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  warehouse_no: number;
}

export async function findInboundsById(sql: Sql, inboundIds: number[]): Promise<InboundById[]> {
  const documents = await inEveryAccount(
    sql,
    (own, accountId) => own<InboundById[]>`
      select inbound_id, account_id, partner_number, document_no, channel, kind, status, warehouse_no
      from inbound_document where account_id = ${accountId} and inbound_id = any(${inboundIds})`,
  );
  return documents.toSorted((a, b) => a.inbound_id - b.inbound_id);
}

export interface NamedLine {
  line_no: number;
  sku_id: string;
  name: string;
  batch_id: string;
  expire_date: string | null;
  identifier: string | null;
  qty: number;
}

export async function findNamedLines(sql: Sql, { accountId, inboundId }: InboundKey): Promise<NamedLine[]> {
  return await sql<NamedLine[]>`
    select line_no, sku_id, coalesce(item_name, product.name) as name, batch_id, expire_date, identifier, qty
    from inbound_line join product using (account_id, product_id)
    where account_id = ${accountId} and inbound_id = ${inboundId} order by line_no`;
}

export type ScannedLine =
  /** Whether or not the line still expects units. */
  | { kind: 'line'; line_no: number; sku_id: string; units: number }
  /** A product that the document does not have. */
  | { kind: 'other_product'; sku_id: string }
  | { kind: 'nothing' };

/** Finds a line by the product that a scan means, otherwise by its identifier. */
export async function findLineByScan(
  sql: Sql,
  { accountId, inboundId }: InboundKey,
  text: string,
): Promise<ScannedLine> {
  const scanned = await findScanned(sql, accountId, text);
  const [line] = await sql<{ line_no: number; sku_id: string; is_scanned: boolean }[]>`
    select line_no, sku_id, product_id is not distinct from ${scanned?.productId ?? null}::bigint as is_scanned
    from inbound_line join product using (account_id, product_id)
    where account_id = ${accountId} and inbound_id = ${inboundId}
      and (product_id = ${scanned?.productId ?? null} or identifier = ${text})
    order by is_scanned desc, line_no limit 1`;
  if (line) {
    const { line_no, sku_id, is_scanned } = line;
    return { kind: 'line', line_no, sku_id, units: (is_scanned && scanned?.units) || 1 };
  }
  return scanned ? { kind: 'other_product', sku_id: scanned.skuId } : { kind: 'nothing' };
}

/** The codes of the products of a document. */
export async function findCodesOfLines(
  sql: Sql,
  { accountId, inboundId }: InboundKey,
): Promise<{ sku_id: string; code: string; units: number }[]> {
  return await sql<{ sku_id: string; code: string; units: number }[]>`
    select sku_id, code, units from product_code join product using (account_id, product_id)
    where account_id = ${accountId} and product_id = any(array(
      select product_id from inbound_line where account_id = ${accountId} and inbound_id = ${inboundId}))
    order by units, code`;
}

export interface BroughtLot {
  lot_id: number;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  received: number;
  retracted: number;
}

export async function findBroughtLots(sql: Sql, { accountId, inboundId }: InboundKey): Promise<BroughtLot[]> {
  return await sql<BroughtLot[]>`
    select lot.lot_id, lot.sku_id, lot.stock_type, lot.batch_id, nullif(lot.expire_date, 'infinity') as expire_date,
      coalesce(sum(on_hand_delta) filter (where on_hand_delta > 0), 0)::bigint as received,
      coalesce(-sum(on_hand_delta) filter (where on_hand_delta < 0), 0)::bigint as retracted
    from movement join lot using (account_id, lot_id)
    where account_id = ${accountId} and inbound_id = ${inboundId}
    group by lot.account_id, lot.lot_id order by min(movement_id)`;
}

/** Units received or retracted in one request. */
export interface ReceiptSum {
  at: string;
  actor: string;
  trace_id: string | null;
  good: number;
  bad: number;
  lot_count: number;
}

/** Newest first. */
export async function findReceiptSums(
  sql: Sql,
  { accountId, inboundId }: InboundKey,
  limit: number,
): Promise<ReceiptSum[]> {
  return await sql<ReceiptSum[]>`
    select ${sql.unsafe(taipeiTime('movement.at', 'at'))}, actor, trace_id, count(*)::integer as lot_count,
      coalesce(sum(on_hand_delta) filter (where stock_type = 'good'), 0)::bigint as good,
      coalesce(sum(on_hand_delta) filter (where stock_type = 'bad'), 0)::bigint as bad
    from movement join lot using (account_id, lot_id) where account_id = ${accountId} and inbound_id = ${inboundId}
    group by movement.at, actor, trace_id order by max(movement_id) desc limit ${limit}`;
}

/** One movement of a document, which is a part of a receipt. */
export interface Portion {
  at: string;
  actor: string;
  trace_id: string | null;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  units: number;
}

/** The newest movements, in the order in which they were received. */
export async function findPortions(sql: Sql, { accountId, inboundId }: InboundKey, limit: number): Promise<Portion[]> {
  return await sql<Portion[]>`
    select ${sql.unsafe(taipeiTime('newest.at', 'at'))}, actor, trace_id, lot.sku_id, lot.stock_type, lot.batch_id,
      nullif(lot.expire_date, 'infinity') as expire_date, on_hand_delta as units
    from (
      select * from movement where account_id = ${accountId} and inbound_id = ${inboundId} order by movement_id desc limit ${limit}
    ) newest
    join lot on lot.account_id = ${accountId} and lot.lot_id = newest.lot_id
    order by movement_id`;
}

export interface OrderBroughtBack {
  order_id: number;
  order_no: string;
  partner_number: string;
  status: string;
  lines: { sku_id: string; name: string; qty: number }[];
}

const orderLinesMax = 200;

export async function findOrderBroughtBack(
  sql: Sql,
  { accountId, inboundId }: InboundKey,
): Promise<OrderBroughtBack | null> {
  const [order] = await sql<Omit<OrderBroughtBack, 'lines'>[]>`
    select order_id, order_no, partner_number, status from returned_order join orders using (account_id, order_id)
    where account_id = ${accountId} and inbound_id = ${inboundId}`;
  if (!order) return null;
  const lines = await sql<OrderBroughtBack['lines']>`
    select sku_id, coalesce(item_name, product.name) as name, qty from order_line join product using (account_id, product_id)
    where account_id = ${accountId} and order_id = ${order.order_id} order by line_no limit ${orderLinesMax}`;
  return { ...order, lines };
}

/** The names of a warehouse and a store. */
export async function findPlaceNames(
  sql: Sql,
  warehouseNo: number,
  storeNo: number,
): Promise<{ warehouse_name: string; store_name: string }> {
  const [names] = await sql<{ warehouse_name: string | null; store_name: string | null }[]>`
    select (select name from warehouse where warehouse_no = ${warehouseNo}) as warehouse_name,
      (select name from store where store_no = ${storeNo}) as store_name`;
  return { warehouse_name: names?.warehouse_name ?? '', store_name: names?.store_name ?? '' };
}
