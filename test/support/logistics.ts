import assert from 'node:assert/strict';
import type { InboundFormBody, ShippingOrderBody } from '../../sdk/client.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { allocateWaiting } from '../../server/domain/orders/allocate-waiting.ts';
import { type WaitedFor, waitedForAnywhere } from '../../server/domain/orders/waiting-queries.ts';
import { accountIdsOf } from '../../server/domain/partners/partner-queries.ts';
import type { TestAnswer, TestApp, TokenCaller } from './app.ts';
import { retvalOf } from './main.ts';
import { dump } from './warehouse.ts';

export type Body = Record<string, unknown>;
export type Item = Body & { sku: string; quantity: number; storage_type: string };

export const orderPath = '/orders/order';
export const formPath = '/purchases/purchase';

export function item(sku: string, quantity: number, other: Body = {}): Item {
  return { sku, quantity, storage_type: 'ambient', ...other };
}

/** A shipping order with nothing that can be left out. */
export function shippingOrder(internalName: string, products: Item[], other: Body = {}): ShippingOrderBody {
  return {
    internal_name: internalName,
    name: `SHOP-${internalName}`,
    customer_name: 'Lin Mei-hua',
    delivery_name: 'Chen Wei',
    phone: '0900000000',
    delivery_charge: 60,
    products,
    ...other,
  };
}

export const formCallbackUrl = 'https://partner.example/forms';

/** An inbound form with nothing that can be left out. */
export function form(
  formNo: string,
  products: (Body & { sku: string; quantity: number })[],
  other: Body = {},
): InboundFormBody {
  return {
    form_no: formNo,
    internal_form_no: `I-${formNo}`,
    form_type: 1,
    shipping_type: 3,
    callback_url: formCallbackUrl,
    products,
    ...other,
  };
}

export function stopForm(formNo: string, other: Body = {}): InboundFormBody {
  return form(formNo, [], { form_type: 3, ...other });
}

export interface Retval {
  document_no: string;
  status: string;
  idempotent: boolean;
}

/** A body that must be accepted; what is answered. */
export async function take(app: TestApp, path: string, body: Body, apiKey?: string): Promise<Retval> {
  return retvalOf<Retval>(await app.callLogistics(path, body, apiKey === undefined ? {} : { apiKey }));
}

/** The state of a shipping order that must be created. */
export async function ship(
  app: TestApp,
  internalName: string,
  products: Item[],
  other: Body = {},
  apiKey?: string,
): Promise<string> {
  const { document_no, status, idempotent } = await take(
    app,
    orderPath,
    shippingOrder(internalName, products, other),
    apiKey,
  );
  assert.deepEqual([document_no, idempotent], [internalName, false]);
  return status;
}

let formsTaken = 0;

/** Units that come by an inbound form. */
export async function bring(
  app: TestApp,
  products: (Body & { sku: string; quantity: number })[],
  apiKey?: string,
): Promise<string> {
  const number = `BROUGHT-${++formsTaken}`;
  const { status } = await take(app, formPath, form(number, products), apiKey);
  assert.equal(status, 'received');
  return number;
}

export async function cancelShipping(app: TestApp, names: string[], as?: TokenCaller): Promise<object[]> {
  const answer = await app.callMain('/orders/cancel', { internal_names: names }, as ? { as } : {});
  return retvalOf<{ results: object[] }>(answer).results;
}

/** Everything that a call of the webhook can leave behind. */
export async function dumpLogistics(app: TestApp): Promise<Record<string, unknown>> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select
        (select coalesce(jsonb_agg(o::text order by o::text), '[]') from shipping_order o) as shipping_order,
        (select coalesce(jsonb_agg(f::text order by f::text), '[]') from inbound_form f) as inbound_form,
        (select coalesce(jsonb_agg(w::text order by w::text), '[]') from waiting_line w) as waiting_line,
        (select coalesce(jsonb_agg(t::text order by t::text), '[]') from callback_target t) as callback_target,
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from callback c) as callback,
        (select coalesce(jsonb_agg(r::text order by r::text), '[]') from callback_receiver r) as callback_receiver,
        (select coalesce(jsonb_agg(d::text order by d::text), '[]') from callback_delivery d) as callback_delivery`,
  );
  return { ...(await dump(app)), ...row };
}

/** Does something after which every table must be as it was. */
export async function unchanged<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
  const before = await dumpLogistics(app);
  const result = await work();
  assert.deepEqual(await dumpLogistics(app), before);
  return result;
}

/** Holds an answer to be a refusal because of these fields, and of no others. */
export function assertFieldsRefused({ status, text, json }: TestAnswer, paths: string[], msg?: string): void {
  assert.equal(status, 400, text);
  assert.deepEqual(Object.keys(json), ['done', 'msg', 'retval']);
  assert.equal(json.done, false);
  assert.ok(typeof json.msg === 'string' && json.msg.length > 0, text);
  if (msg !== undefined) assert.equal(json.msg, msg);
  const errors: { path: string; message: string }[] = json.retval.errors;
  assert.deepEqual([...new Set(errors.map(({ path }) => path))].sort(), [...paths].sort(), text);
  for (const error of errors) {
    assert.deepEqual(Object.keys(error), ['code', 'path', 'message', 'doc_url']);
    assert.ok(error.message.length > 0);
  }
}

export async function orderStatus(app: TestApp, internalName: string, accountNo = 'ALPHA'): Promise<string> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select status from orders join account using (account_id)
      where channel = 'logistics' and partner_number = ${internalName} and account_no = ${accountNo}`,
  );
  return row!.status;
}

export async function statusesOf(app: TestApp, internalNames: string[]): Promise<string[]> {
  return await Promise.all(internalNames.map((name) => orderStatus(app, name)));
}

/**
 * As the job does it in production: whatever is waited for and of which there is something. Returns how many orders
 * were served.
 */
export async function allocateEverything(app: TestApp): Promise<number> {
  const accountIds = await app.store.database.read((sql) => accountIdsOf(sql, null));
  let served = 0;
  for (const accountId of accountIds) served += await allocateInAccount(app, accountId);
  return served;
}

async function allocateInAccount({ store: { database, service }, clock }: TestApp, accountId: number): Promise<number> {
  let served = 0;
  let beyond: WaitedFor = { accountId, productId: 0, warehouseNo: 0 };
  for (;;) {
    const places = await database.read((sql) => waitedForAnywhere(sql, beyond, 10));
    if (places.length === 0) return served;
    for (const place of places) served += await allocateWaiting(service, place, clock.now());
    beyond = places.at(-1)!;
  }
}

/** The units that orders wait for; by default of a product of ALPHA in warehouse 1. */
export async function placeOf(
  app: TestApp,
  sku: string,
  { accountNo = 'ALPHA', warehouseNo = 1 } = {},
): Promise<WaitedFor> {
  const [row] = await app.store.database.read(
    (sql) =>
      sql`select account_id, product_id from product join account using (account_id) where sku_id = ${sku} and account_no = ${accountNo}`,
  );
  return { accountId: row!.account_id, productId: row!.product_id, warehouseNo };
}

export async function allocate(app: TestApp, sku: string): Promise<number> {
  return await allocateWaiting(app.store.service, await placeOf(app, sku), app.clock.now());
}

/** The lines of all orders in awaiting_stock. */
export async function waitingLines(
  app: TestApp,
): Promise<[internalName: string, sku: string, qty: number, batch: string | null][]> {
  const rows = await app.store.database.read(
    (sql) => sql`
      select partner_number, sku_id, qty, batch_id
      from waiting_line join orders using (account_id, order_id) join product using (account_id, product_id)
      order by order_id, line_no`,
  );
  return rows.map((row) => [row.partner_number, row.sku_id, row.qty, row.batch_id]);
}

/** The proof of `lading audit`, and that who waits has lines to wait with, and nobody else has. */
export async function assertBooksInOrder(app: TestApp): Promise<void> {
  const { findings } = await auditStock(app.store.service);
  assert.deepEqual(findings, []);
  const wrong = await app.store.database.read(
    (sql) => sql`
      select o.order_id, o.status, w.lines as waiting, l.lines from orders o
        left join (select account_id, order_id, count(*)::int as lines from waiting_line group by account_id, order_id) w using (account_id, order_id)
        left join (select account_id, order_id, count(*)::int as lines from order_line group by account_id, order_id) l using (account_id, order_id)
      where coalesce(w.lines, 0) <> case when o.status = 'awaiting_stock' then l.lines else 0 end
      union all
      select order_id, null, count(*)::int, null from waiting_line where (account_id, order_id) not in (select account_id, order_id from orders) group by order_id`,
  );
  assert.deepEqual([...wrong], []);
}

export interface OwedRow {
  event_id: string;
  event: string;
  document_type: string;
  document_no: string;
  sequence: number;
  url: string;
  key_name: string;
  status: string;
  body: string;
  occurred_at: Date;
  receiver_id: string;
}

/** Callbacks of a document of this number, the first one first. */
export async function owedFor(app: TestApp, documentNo: string): Promise<OwedRow[]> {
  const rows = await app.store.database.read(
    (sql) => sql<OwedRow[]>`
      select event_id, event, document_type, document_no, sequence, url, key_name, status, body, occurred_at, receiver_id
      from callback where document_no = ${documentNo} order by sequence`,
  );
  return rows.map((row) => ({ ...row }));
}

/** The database's own word on what a number is: as text, to the last decimal. */
export async function textsOf(
  app: TestApp,
  query: string,
  parameters: string[],
): Promise<Record<string, string | null>[]> {
  const rows = await app.store.database.read((sql) => sql.unsafe(query, parameters));
  return rows.map((row) => ({ ...row }) as Record<string, string | null>);
}
