import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import type { AdvanceReport } from '../../sdk/client.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { describeFinding } from '../../server/domain/audit/finding.ts';
import { repairAll } from '../../server/domain/audit/repair-stock.ts';
import { startTestApp } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship } from '../support/logistics.ts';
import { assertAuditClean } from '../support/purge.ts';

const app = await startTestApp();
await provisionLive(app);
const { database, service } = app.store;
const { main } = await clientsOf(app, live);
await bring(app, [{ sku: 'CUP', quantity: 1000 }], live.apiKey);

/** An order of five cups; two have left in one parcel, two in the next. */
async function shipFour(internal_name: string): Promise<string> {
  await ship(app, internal_name, [item('CUP', 5)], {}, live.apiKey);
  const parcel = (no: number) => ({ shipment_no: `${internal_name}-${no}`, items: [{ sku_id: 'CUP', qty: 2 }] });
  await report(internal_name, { status: 'partially_shipped', parcels: [parcel(1)] });
  await report(internal_name, { status: 'partially_shipped', parcels: [parcel(2)] });
  return await idOf(internal_name);
}

/** The order has left, and one of its cups will not be shipped. */
async function shipShort(internal_name: string): Promise<string> {
  const id = await shipFour(internal_name);
  await report(internal_name, { status: 'shipped', final: true });
  return id;
}

async function fail(internal_name: string, reason: 'refused' | 'lost'): Promise<string> {
  const id = await shipShort(internal_name);
  await report(internal_name, { status: 'undelivered', reason });
  return id;
}

async function report(internal_name: string, said: Omit<AdvanceReport, 'outbound_short_id' | 'internal_name'>) {
  assert.deepEqual(await main.fulfilmentAdvance([{ internal_name, ...said }]), [
    { internal_name, status: said.status },
  ]);
}

async function idOf(number: string): Promise<string> {
  const [row] = await database.read(
    (sql) => sql`select order_id::text as id from orders where partner_number = ${number}`,
  );
  return row!.id;
}

/** Changes data as somebody with a database console might. */
async function run(statement: string): Promise<void> {
  await database.transaction((tx) => tx.unsafe(statement));
}

async function found(): Promise<string[]> {
  return (await auditStock(service)).findings.map((finding) => formatMessage(describeFinding(finding)));
}

/** Breaks the data, sees exactly these findings, which a repair leaves to a person, and restores the data. */
async function assertFound(breaks: string, findings: string[], restores: string): Promise<void> {
  await run(breaks);
  assert.deepEqual(await found(), findings);
  const repairs = await repairAll(service, (await auditStock(service)).findings, 'test');
  assert.deepEqual(
    repairs.map(({ outcome }) => outcome.kind),
    findings.map(() => 'needs_a_person'),
  );
  await run(restores);
}

beforeEach(() => assertAuditClean(app));

test('a parcel whose row is missing is found by each of its parts, also if no parcel of the order is left', async () => {
  const id = await shipShort('GONE');
  const keep = `create table kept as select * from parcel where order_id = ${id}`;
  const restore = 'insert into parcel select * from kept; drop table kept';
  const item = (no: number) => `parcel_item with order_id ${id} of LIVE refers to parcel ${no}, which does not exist`;
  await assertFound(
    `${keep}; delete from parcel where order_id = ${id} and parcel_no = 2`,
    [item(2)],
    `delete from kept where parcel_no <> 2; ${restore}`,
  );
  await assertFound(
    `${keep}; delete from parcel where order_id = ${id}`,
    [item(1), item(2), `short_line with order_id ${id} of LIVE refers to parcel ${id}, which does not exist`],
    restore,
  );
});

test('parts of parcels without their order are found', async () => {
  const id = await shipShort('ORPHAN');
  const absent = '900000';
  const to = (table: string) =>
    `${table} with order_id ${absent} of LIVE refers to orders ${absent}, which does not exist`;
  const copied = (table: string, columns: string) =>
    `insert into ${table} (account_id, order_id, ${columns}) select account_id, ${absent}, ${columns} from ${table} where order_id = ${id} limit 1`;
  await assertFound(
    `${copied('parcel_item', 'parcel_no, lot_id, qty')}; ${copied('short_line', 'product_id, qty')}`,
    [to('parcel_item'), to('short_line')],
    `delete from parcel_item where order_id = ${absent}; delete from short_line where order_id = ${absent}`,
  );
});

test('a return that names an order which its account does not have is found', async () => {
  await shipShort('NAMED');
  const id = await fail('RETURNED', 'refused');
  const [row] = await database.read(
    (sql) => sql`select inbound_id::text as id from inbound_document where original_order_id = ${id}`,
  );
  const where = `where inbound_id = ${row!.id}`;
  const delivery = 'order RETURNED (undelivered) of LIVE: reason of the failed delivery: refused; expected returns: 0';
  const reference = `inbound_document with inbound_id ${row!.id} of LIVE refers to orders 900000, which does not exist`;
  await assertFound(
    `update inbound_document set original_order_id = 900000 ${where}`,
    [delivery, reference],
    `update inbound_document set original_order_id = ${id} ${where}`,
  );
});

test('an undelivered order without its reason or its expected return is found; a lost one needs no return', async () => {
  const id = await fail('FAILED', 'refused');
  await fail('LOST', 'lost');
  const where = `where order_id = ${id}`;
  const text = (status: string, reason: string, returns: number) =>
    `order FAILED (${status}) of LIVE: reason of the failed delivery: ${reason}; expected returns: ${returns}`;
  await assertFound(
    `update orders set undelivered_reason = null ${where}`,
    [text('undelivered', 'none', 1)],
    `update orders set undelivered_reason = 'refused' ${where}`,
  );
  await assertFound(
    `update inbound_document set original_order_id = null where original_order_id = ${id}`,
    [text('undelivered', 'refused', 0)],
    `update inbound_document set original_order_id = ${id} where original_order_number is null and original_order_id is null
      and kind = 'return' and inbound_id = (select max(inbound_id) from inbound_document where kind = 'return')`,
  );
  await assertFound(
    `update orders set status = 'delivered' ${where}`,
    [text('delivered', 'refused', 1)],
    `update orders set status = 'undelivered' ${where}`,
  );
});

test('ordered units that are neither shipped in parcels nor short nor held are found', async () => {
  const id = await shipShort('SUM');
  const text = (ordered: number, packed: number, short: number) =>
    `order SUM (shipped) of LIVE has ${packed} of sku CUP in parcels and 4 shipped, ${short} short and 1 unlocked, of ${ordered} ordered`;
  const broken: [table: string, qty: number, was: number, finding: string][] = [
    ['order_line', 6, 5, text(6, 4, 1)],
    ['short_line', 2, 1, text(5, 4, 2)],
    ['parcel_item', 3, 2, text(5, 5, 1)],
  ];
  for (const [table, qty, was, finding] of broken) {
    const where = `where order_id = ${id}${table === 'parcel_item' ? ' and parcel_no = 1' : ''}`;
    await assertFound(
      `update ${table} set qty = ${qty} ${where}`,
      [finding],
      `update ${table} set qty = ${was} ${where}`,
    );
  }
});

test('an order of an earlier version has no parcels, but must have shipped what was ordered', async () => {
  await ship(app, 'EARLIER', [item('CUP', 3)], {}, live.apiKey);
  await report('EARLIER', { status: 'shipped', shipment_no: 'EARLIER' });
  const where = `where order_id = ${await idOf('EARLIER')}`;
  await run(`delete from parcel_item ${where}; delete from parcel ${where}`);
  assert.deepEqual(await found(), []);
  await assertFound(
    `update order_line set qty = 4 ${where}`,
    ['order EARLIER (shipped) of LIVE has 0 of sku CUP in parcels and 3 shipped, 0 short and 0 unlocked, of 4 ordered'],
    `update order_line set qty = 3 ${where}`,
  );
});

test('a repair frees surplus units of a partially shipped order; its short units and movements agree afterwards', async () => {
  const id = await shipFour('SURPLUS');
  await run(`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor)
    select account_id, lot_id, 'lock', 0, 2, order_id, 'test' from parcel_item where order_id = ${id} and parcel_no = 1;
    update lot set locked = locked + 2 where lot_id = (select lot_id from parcel_item where order_id = ${id} and parcel_no = 1)`);
  assert.deepEqual(await found(), ['order SURPLUS (partially_shipped) of LIVE holds 3 of sku CUP, and should hold 1']);
  assert.deepEqual(await repaired(), ['freed 2']);
  await assertAuditClean(app);
  await report('SURPLUS', { status: 'shipped', final: true });
  assert.deepEqual(await movementsOf(id), ['lock 5', 'ship -2', 'ship -2', 'lock 2', 'adjust -2', 'unlock -1']);
});

test('a repair unlocks short units that an order still holds; its short units and movements agree afterwards', async () => {
  const id = await shipFour('KEPT');
  await run(`
    update orders set status = 'shipped' where order_id = ${id};
    insert into short_line (account_id, order_id, product_id, qty) select account_id, order_id, product_id, 1 from order_line where order_id = ${id}`);
  assert.deepEqual(await found(), [
    'order KEPT (shipped) of LIVE holds 1 of sku CUP, and should hold 0',
    'order KEPT (shipped) of LIVE has 4 of sku CUP in parcels and 4 shipped, 1 short and 0 unlocked, of 5 ordered',
  ]);
  assert.deepEqual(await repaired(), ['freed 1', 'nothing_left']);
  await assertAuditClean(app);
  assert.deepEqual(await movementsOf(id), ['lock 5', 'ship -2', 'ship -2', 'unlock -1']);
});

async function repaired(): Promise<string[]> {
  const repairs = await repairAll(service, (await auditStock(service)).findings, 'test');
  return repairs.map(({ outcome }) => (outcome.kind === 'repaired' ? outcome.what : outcome.kind));
}

async function movementsOf(orderId: string): Promise<string[]> {
  const rows = await database.read(
    (sql) => sql`select kind, locked_delta as locked from movement where order_id = ${orderId} order by movement_id`,
  );
  return rows.map(({ kind, locked }) => `${kind} ${locked}`);
}
