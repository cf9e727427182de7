import assert from 'node:assert/strict';
import type { InboundCreatedData } from '../../contract/warehouse/inbound.ts';
import type { OutboundCreateData } from '../../contract/warehouse/outbound-create.ts';
import type { StockDetail } from '../../contract/warehouse/stock-query.ts';
import type { InboundCreateBody, OutboundCreateBody } from '../../sdk/client.ts';
import { alpha, type TestAnswer, type TestApp } from './app.ts';

/** A caller of the warehouse API, and its tenant. */
export type Caller = Pick<typeof alpha, 'accountNo' | 'secret' | 'warehouseTpwId'>;

/** Units by their expiry date; null for units that do not expire. */
export type Units = [expireDate: string | null, qty: number][];
export type Lines = [skuId: string, qty: number][];

export async function syncProducts(app: TestApp, skuIds: string[], caller: Caller = alpha): Promise<void> {
  for (const skuId of skuIds) {
    dataOf(
      await app.callWarehouse(
        '/product/sync',
        { sku_id: skuId, sku_name: `Name of ${skuId}`, storage_type: 1 },
        caller,
      ),
    );
  }
}

export function inboundBody(
  number: string,
  stock: Record<string, Units>,
  caller: Pick<Caller, 'warehouseTpwId'> = alpha,
): InboundCreateBody {
  return {
    inbound_short_id: number,
    warehouse_tpw_id: caller.warehouseTpwId,
    details: Object.entries(stock).map(([sku_id, units]) => ({
      sku_id,
      expires: units.map(([expire_date, qty]) => ({ expire_date, qty })),
    })),
  };
}

let documentsReceived = 0;

/** Makes the products known and brings their units in; the number of the document. */
export async function receive(app: TestApp, stock: Record<string, Units>, caller: Caller = alpha): Promise<string> {
  const number = `RECEIVED-${++documentsReceived}`;
  await syncProducts(app, Object.keys(stock), caller);
  await createInbound(app, number, stock, caller);
  return number;
}

export async function createInbound(
  app: TestApp,
  number: string,
  stock: Record<string, Units>,
  caller: Caller = alpha,
): Promise<InboundCreatedData> {
  return dataOf(await app.callWarehouse('/inbound/create', inboundBody(number, stock, caller), caller));
}

export function orderBody(
  number: string,
  lines: Lines,
  caller: Pick<Caller, 'warehouseTpwId'> = alpha,
): OutboundCreateBody {
  return {
    outbound_short_id: number,
    warehouse_tpw_id: caller.warehouseTpwId,
    consignee_country: 'TW',
    logistics_type: 'home',
    express_type: 'tcat',
    details: lines.map(([sku_id, qty]) => ({ sku_id, qty })),
  };
}

/** An order that must be accepted. */
export async function order(
  app: TestApp,
  number: string,
  lines: Lines,
  caller: Caller = alpha,
): Promise<OutboundCreateData> {
  return dataOf(await app.callWarehouse('/outbound/create', orderBody(number, lines, caller), caller));
}

export async function cancelOrders(app: TestApp, numbers: string[], caller: Caller = alpha): Promise<object[]> {
  return dataOf<{ results: object[] }>(
    await app.callWarehouse('/outbound/cancel', { outbound_short_ids: numbers }, caller),
  ).results;
}

export async function cancelInbounds(app: TestApp, numbers: string[], caller: Caller = alpha): Promise<object[]> {
  return dataOf<{ results: object[] }>(
    await app.callWarehouse('/inbound/cancel', { inbound_short_ids: numbers }, caller),
  ).results;
}

export async function stockOf(app: TestApp, skuIds: string | string[], caller: Caller = alpha): Promise<StockDetail[]> {
  const answer = await app.callWarehouse('/stock/query', { sku_ids: [skuIds].flat() }, caller);
  return dataOf<{ stock_details: StockDetail[] }>(answer).stock_details;
}

/** The fields by which a caller says that units do not expire; all mean the same. */
export const waysToSayNoExpiry: [name: string, field: { expire_date?: string | null }][] = [
  ['left out', {}],
  ['null', { expire_date: null }],
  ['empty', { expire_date: '' }],
];

/** A row of stock/query, all good and free unless said otherwise. */
export function goodRow(skuId: string, expireDate: string | null, qty: number, qtyLock = 0): StockDetail {
  return {
    sku_id: skuId,
    status: 'ok',
    stock_type: 'good',
    batch_id: '',
    ...(expireDate === null ? {} : { expire_date: expireDate }),
    qty,
    qty_lock: qtyLock,
    qty_available: qty - qtyLock,
  };
}

/** The row of stock/query for a product without stock. */
export function emptyRow(skuId: string): StockDetail {
  return { sku_id: skuId, status: 'ok', stock_type: 'good', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 };
}

/** The data of an answer that must be a success, in the envelope of every success. */
export function dataOf<Data = ReturnType<typeof JSON.parse>>({ status, headers, json }: TestAnswer): Data {
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(Object.keys(json), ['code', 'trace_id', 'message', 'success', 'data']);
  assert.deepEqual(
    [json.code, json.message, json.success, json.trace_id],
    ['LST-TPW-2000', 'success', true, headers['trace-id']],
  );
  return json.data;
}

export interface Refusal {
  /** To the letter, where the contract fixes it. */
  message?: string;
  /** Every path that `data.errors` must name, and no other. */
  paths?: string[];
}

/** Calls, and holds the answer to be PARAM_INVALID and every table to be as it was. */
export async function assertRefusedUnchanged(
  app: TestApp,
  path: string,
  body: unknown,
  refusal: Refusal,
  caller: Caller = alpha,
): Promise<TestAnswer> {
  const before = await dump(app);
  const answer = await app.callWarehouse(path, body, caller);
  assertRefused(answer, refusal);
  assert.deepEqual(await dump(app), before);
  return answer;
}

export function assertRefused({ status, headers, json }: TestAnswer, { message, paths }: Refusal): void {
  assert.equal(status, 400, JSON.stringify(json));
  assert.deepEqual(Object.keys(json), ['code', 'trace_id', 'message', 'success', 'data']);
  assert.deepEqual([json.code, json.success, json.trace_id], ['PARAM_INVALID', false, headers['trace-id']]);
  assert.ok(json.message.length > 0);
  if (message !== undefined) assert.equal(json.message, message);
  if (paths === undefined) return;
  const errors: { path: string; message: string }[] = json.data.errors;
  assert.deepEqual([...new Set(errors.map((error) => error.path))].sort(), [...paths].sort(), JSON.stringify(json));
  for (const error of errors) assert.ok(error.message.length > 0);
}

/**
 * Every row that a document or a unit of stock can leave behind: two equal dumps mean that nothing happened in between.
 */
export async function dump(app: TestApp): Promise<Record<string, string[]>> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select
        (select coalesce(jsonb_agg(p::text order by p::text), '[]') from product p) as product,
        (select coalesce(jsonb_agg(d::text order by d::text), '[]') from inbound_document d) as inbound_document,
        (select coalesce(jsonb_agg(l::text order by l::text), '[]') from inbound_line l) as inbound_line,
        (select coalesce(jsonb_agg(o::text order by o::text), '[]') from orders o) as orders,
        (select coalesce(jsonb_agg(l::text order by l::text), '[]') from order_line l) as order_line,
        (select coalesce(jsonb_agg(l::text order by l::text), '[]') from lot l) as lot,
        (select coalesce(jsonb_agg(m::text order by m::text), '[]') from movement m) as movement,
        (select coalesce(jsonb_agg(p::text order by p::text), '[]') from parcel p) as parcel,
        (select coalesce(jsonb_agg(i::text order by i::text), '[]') from parcel_item i) as parcel_item,
        (select coalesce(jsonb_agg(s::text order by s::text), '[]') from short_line s) as short_line,
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from state_change c) as state_change,
        (select coalesce(jsonb_agg(r::text order by r::text), '[]') from receipt r) as receipt,
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from order_change c) as order_change,
        (select coalesce(jsonb_agg(s::text order by s::text), '[]') from shipping_order s) as shipping_order,
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from stock_change c) as stock_change,
        (select coalesce(jsonb_agg(t::text order by t::text), '[]') from transfer t) as transfer`,
  );
  return { ...row } as Record<string, string[]>;
}

/** The rule that must never break: what a lot holds is what its movements add up to. */
export async function assertBalancesAreSums(app: TestApp): Promise<void> {
  const wrong = await app.store.database.read(
    (sql) => sql`
      select l.lot_id, l.on_hand, l.locked, sum(m.on_hand_delta) as on_hand_moved, sum(m.locked_delta) as locked_moved
      from lot l left join movement m using (account_id, lot_id)
      group by l.account_id, l.lot_id
      having l.on_hand <> coalesce(sum(m.on_hand_delta), 0) or l.locked <> coalesce(sum(m.locked_delta), 0)`,
  );
  assert.deepEqual([...wrong], []);
  const unlike = await app.store.database.read(
    (sql) => sql`select m.* from movement m left join lot l using (account_id, lot_id) where l.lot_id is null`,
  );
  assert.deepEqual([...unlike], []);
}

/** Locked by an order's movements and not unlocked or shipped by them. */
export async function lockedBy(app: TestApp, orderNumber: string): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select coalesce(sum(locked_delta), 0)::bigint as units
      from movement where order_id in (select order_id from orders where partner_number = ${orderNumber})`,
  );
  return row!.units;
}

export interface MovementRow {
  kind: string;
  sku_id: string;
  expire_date: string | null;
  batch_id: string;
  on_hand_delta: number;
  locked_delta: number;
}

/** The movements of the order or inbound document with this number, in order. */
export async function movementsOf(app: TestApp, number: string): Promise<MovementRow[]> {
  const rows = await app.store.database.read(
    (sql) => sql<MovementRow[]>`
      select m.kind, p.sku_id, nullif(l.expire_date, 'infinity') as expire_date, l.batch_id, m.on_hand_delta, m.locked_delta
      from movement m join lot l using (account_id, lot_id) join product p using (account_id, product_id)
        left join orders o on o.account_id = m.account_id and o.order_id = m.order_id
        left join inbound_document d on d.account_id = m.account_id and d.inbound_id = m.inbound_id
      where ${number} in (o.partner_number, d.partner_number)
      order by m.movement_id`,
  );
  return rows.map((row) => ({ ...row }));
}

/** Stock that no document of the warehouse API can make: defective, of a batch, or without an expiry date. */
export async function putLot(
  app: TestApp,
  lot: {
    skuId: string;
    qty: number;
    expireDate: string | null;
    stockType?: 'good' | 'bad';
    batchId?: string;
    warehouseNo?: number;
  },
  caller: Caller = alpha,
): Promise<void> {
  const { skuId, qty, expireDate, stockType = 'good', batchId = '', warehouseNo = 1 } = lot;
  await app.store.database.transaction(async (tx) => {
    const [row] = await tx`
      insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
      select account_id, ${warehouseNo}::int, product_id, sku_id, ${stockType}, ${batchId}, ${expireDate ?? 'infinity'}::date, ${qty}::bigint, 0
      from product join account using (account_id) where account_no = ${caller.accountNo} and sku_id = ${skuId}
      returning lot_id, account_id`;
    await tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      values (${row!.account_id}, ${row!.lot_id}, 'adjust', ${qty}, 0, 'test', 'counted')`;
  });
}

/**
 * An order as far along as only the warehouse can bring it; one of a UAT account too, which the database would not let
 * go so far.
 */
export async function moveOrder(app: TestApp, number: string, status: string): Promise<void> {
  // Only an order of a production account may have every status.
  await app.store.database.transaction(
    (tx) => tx`update orders set status = ${status}, environment = 'production' where partner_number = ${number}`,
  );
}

export async function moveInbound(app: TestApp, number: string, status: string): Promise<void> {
  await app.store.database.transaction(
    (tx) => tx`update inbound_document set status = ${status} where partner_number = ${number}`,
  );
}

export async function orderRow(app: TestApp, number: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await app.store.database.read(
    (sql) => sql`select o.*, account_no from orders o join account using (account_id) where partner_number = ${number}`,
  );
  return row;
}

export async function inboundRow(app: TestApp, number: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await app.store.database.read(
    (sql) =>
      sql`select d.*, account_no from inbound_document d join account using (account_id) where partner_number = ${number}`,
  );
  return row;
}
