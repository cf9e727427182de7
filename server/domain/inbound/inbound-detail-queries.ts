import type { Sql } from '../../platform/database.ts';
import { timeOfTraceId } from '../../platform/ids.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import type { CallbackStatus } from '../callbacks/callback.ts';
import type { StockType } from '../stock/lot.ts';
import type { InboundChannel, InboundKind, InboundStatus } from './inbound-document.ts';

// What the console shows of one document beside its story.

/** Which document an id stands for. */
export interface InboundById {
  inbound_id: number;
  account_id: number;
  partner_number: string;
  document_no: string;
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
}

export async function findInboundsById(sql: Sql, inboundIds: number[]): Promise<InboundById[]> {
  return await sql<InboundById[]>`
    select inbound_id, account_id, partner_number, document_no, channel, kind, status
    from inbound_document where inbound_id = any(${inboundIds}) order by inbound_id`;
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

export async function findNamedLines(sql: Sql, inboundId: number): Promise<NamedLine[]> {
  return await sql<NamedLine[]>`
    select line_no, sku_id, coalesce(item_name, product.name) as name, batch_id, expire_date, identifier, qty
    from inbound_line join product using (product_id) where inbound_id = ${inboundId} order by line_no`;
}

/** A line by what can be scanned of it; one that still waits for units is not told from one that does not. */
export async function findLineByScan(sql: Sql, inboundId: number, text: string): Promise<{ line_no: number; sku_id: string } | null> {
  const [line] = await sql<{ line_no: number; sku_id: string }[]>`
    select line_no, sku_id from inbound_line join product using (product_id)
    where inbound_id = ${inboundId} and (sku_id = ${text} or identifier = ${text}) order by (sku_id = ${text}) desc, line_no limit 1`;
  return line ?? null;
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

export async function findBroughtLots(sql: Sql, inboundId: number): Promise<BroughtLot[]> {
  return await sql<BroughtLot[]>`
    select lot.lot_id, lot.sku_id, lot.stock_type, lot.batch_id, nullif(lot.expire_date, 'infinity') as expire_date,
      coalesce(sum(on_hand_delta) filter (where on_hand_delta > 0), 0)::bigint as received,
      coalesce(-sum(on_hand_delta) filter (where on_hand_delta < 0), 0)::bigint as retracted
    from movement join lot using (lot_id) where inbound_id = ${inboundId} group by lot.lot_id order by min(movement_id)`;
}

/** What came, or was taken back, in one call. */
export interface ReceiptSum {
  at: string;
  actor: string;
  trace_id: string | null;
  good: number;
  bad: number;
  lot_count: number;
}

/** The newest first. */
export async function findReceiptSums(sql: Sql, inboundId: number, limit: number): Promise<ReceiptSum[]> {
  return await sql<ReceiptSum[]>`
    select ${sql.unsafe(taipeiTime('movement.at', 'at'))}, actor, trace_id, count(*)::integer as lot_count,
      coalesce(sum(on_hand_delta) filter (where stock_type = 'good'), 0)::bigint as good,
      coalesce(sum(on_hand_delta) filter (where stock_type = 'bad'), 0)::bigint as bad
    from movement join lot using (lot_id) where inbound_id = ${inboundId}
    group by movement.at, actor, trace_id order by max(movement_id) desc limit ${limit}`;
}

/** One movement of a document: a part of a receipt. */
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

/** The newest, each receipt's in the order of coming. */
export async function findPortions(sql: Sql, inboundId: number, limit: number): Promise<Portion[]> {
  return await sql<Portion[]>`
    select ${sql.unsafe(taipeiTime('newest.at', 'at'))}, actor, trace_id, lot.sku_id, lot.stock_type, lot.batch_id,
      nullif(lot.expire_date, 'infinity') as expire_date, on_hand_delta as units
    from (select * from movement where inbound_id = ${inboundId} order by movement_id desc limit ${limit}) newest join lot using (lot_id)
    order by movement_id`;
}

export interface OrderBroughtBack {
  order_id: number;
  order_no: string;
  status: string;
  lines: { sku_id: string; name: string; qty: number }[];
}

const orderLinesMax = 200;

export async function findOrderBroughtBack(sql: Sql, inboundId: number): Promise<OrderBroughtBack | null> {
  const [order] = await sql<Omit<OrderBroughtBack, 'lines'>[]>`
    select order_id, order_no, status from returned_order join orders using (order_id) where inbound_id = ${inboundId}`;
  if (!order) return null;
  const lines = await sql<OrderBroughtBack['lines']>`
    select sku_id, coalesce(item_name, product.name) as name, qty from order_line join product using (product_id)
    where order_id = ${order.order_id} order by line_no limit ${orderLinesMax}`;
  return { ...order, lines };
}

export interface TriedCallback {
  callback_id: number;
  event: string;
  status: CallbackStatus;
  url: string;
  created_at: string;
}

export interface CallbackTry {
  callback_id: number;
  attempt_no: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
}

const triesMax = 200;

export async function findCallbacksWithTries(sql: Sql, inboundId: number): Promise<{ callbacks: TriedCallback[]; tries: CallbackTry[] }> {
  const callbacks = await sql<TriedCallback[]>`
    select callback_id, event, status, url, ${sql.unsafe(taipeiTime('created_at'))}
    from callback where document_type = any(array['inbound', 'return']) and document_id = ${inboundId} order by sequence`;
  if (callbacks.length === 0) return { callbacks, tries: [] };
  const tries = await sql<CallbackTry[]>`
    select callback_id, attempt_no, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error from callback_attempt
    where callback_id = any(${callbacks.map(({ callback_id }) => callback_id)}) order by callback_attempt.at desc limit ${triesMax}`;
  return { callbacks, tries };
}

/** What warehouse and store are called. */
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

/** A line of the request log. */
export interface LoggedCall {
  at: string;
  trace_id: string;
  contract: string;
  endpoint: string;
  http_status: number;
  code: string | null;
  reason: string | null;
}

const callsMax = 200;

/**
 * The calls with these trace ids, and the newest of those that named the document by its number, refused ones too. A line's time is that of its
 * trace id, so that only the days concerned are looked into; by the number, all that are kept.
 */
export async function findCallsAbout(
  sql: Sql,
  { traceIds, accountNo, number }: { traceIds: string[]; accountNo: string; number: string },
): Promise<LoggedCall[]> {
  const traced = traceIds.slice(-callsMax);
  const times = traced.flatMap((traceId) => timeOfTraceId(traceId)?.toISOString() ?? []);
  return await sql<LoggedCall[]>`
    select ${sql.unsafe(taipeiTime('at'))}, trace_id, contract, endpoint, http_status, code, reason from (
      select at, trace_id, contract, endpoint, status as http_status, code, reason from request_log
      where trace_id = any(${traced}::uuid[]) and at = any(${times}::timestamptz[])
      union
      (select at, trace_id, contract, endpoint, status, code, reason from request_log
      where document_no = ${number} and account_no = ${accountNo} order by at desc limit ${callsMax})
    ) call order by call.at`;
}
