import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type AttentionKind, type HomeAttention, homeAttention, homeFlow } from '../../contract/console/home.ts';
import { searchFind } from '../../contract/console/search.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { ofAudit } from '../../server/domain/overview/attention.ts';
import { minutesOf, spansFrom } from '../../server/domain/overview/flow.ts';
import { taipeiDay, taipeiInstant } from '../../server/platform/clock.ts';
import { memoize } from '../../server/platform/limits/memoize.ts';
import { writeManifest, writeVerification } from '../../server/platform/postgres/backup/manifest.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';
import { alpha, beta, startTestApp, type TestApp } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { type ConsoleUser, column, columns, provisionOperators, signIn } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { form, formPath, item, ship, take } from '../support/logistics.ts';
import { accountIdOf } from '../support/main.ts';
import { createInbound, order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
const viewer = await signIn(app, 'viewer');

async function sql(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  await app.store.database.read(work);
}

/** Responses are cached for a moment, so each request is sent a little later. */
function looking(at: TestApp, user: ConsoleUser) {
  let looks = 0;
  return async (): Promise<HomeAttention> => {
    at.clock.set(new Date(Date.now() + 3000 * ++looks));
    return await user.ask(homeAttention, {});
  };
}
const look = looking(app, viewer);

async function itemOf(kind: AttentionKind) {
  return (await look()).items.find((one) => one.kind === kind)!;
}

test('every kind of work is listed, also where there is none', async () => {
  await sql((tx) => tx`insert into stock_audit (lots, orders, findings) values (0, 0, 0)`);
  const { items, first_steps } = await look();
  const [first] = items;
  assert.deepEqual([...new Set(column(items, 'severity'))], ['fine'], JSON.stringify(items));
  assert.deepEqual(first, { ...first, kind: 'stock_audit', count: 0, is_more: false, examples: [] });
  assert.deepEqual(column(items, 'kind'), [
    ...['stock_audit', 'jobs_failed', 'alerts_failing', 'waves_failing', 'transfers_rejected', 'lots_expired'],
    ...[
      'nodes_silent',
      'receivers_down',
      'callbacks_failed',
      'receivers_paused',
      'orders_awaiting_stock',
      'signatures_failing',
    ],
    ...['tokens_failing', 'lots_expiring'],
  ]);
  assert.deepEqual(first_steps, { has_accounts: true, has_products: false, has_orders: false });
});

test('orders that wait for stock are counted over all accounts, with the oldest, and the list behind them shows just these', async () => {
  await receive(app, { 'sku-1': [['2030-01-01', 1]] });
  await ship(app, 'W-1', [item('sku-1', 5)]);
  await ship(app, 'W-2', [item('sku-2', 1)], {}, beta.apiKey);
  await sql((tx) => tx`update orders set created_at = '2026-01-02 03:04:05+08' where partner_number = 'W-2'`);
  const waiting = await itemOf('orders_awaiting_stock');
  assert.deepEqual(waiting, {
    kind: 'orders_awaiting_stock',
    severity: 'warning',
    count: 2,
    is_more: false,
    examples: [],
    since: '2026-01-02T03:04:05.000000+08:00',
    path: '/orders?status=awaiting_stock',
  });
  const rows = await rowsBehind(waiting.path);
  assert.deepEqual(rows.map((row) => row.partner_number).toSorted(), ['W-1', 'W-2']);
  assert.deepEqual((await look()).first_steps, { has_accounts: true, has_products: true, has_orders: true });
});

/** As the page behind a path asks for its list. */
async function rowsBehind(path: string): Promise<Record<string, unknown>[]> {
  const { pathname, searchParams } = new URL(path, 'http://console');
  const lists = new Set(['status', 'contract']);
  const named = (name: string) => ({ transfer: 'transfer_status', type: 'stock_type' })[name] ?? name;
  const body = Object.fromEntries(
    [...searchParams].map(([name, value]) => [named(name), lists.has(name) ? value.split(',') : value]),
  );
  const { status, json } = await viewer.send(`${pathname}/search`, body);
  assert.equal(status, 200, JSON.stringify(json));
  return json.rows as Record<string, unknown>[];
}

test('callbacks that failed within the last 7 days are counted, and the list behind them shows just these', async () => {
  await order(app, 'C-0', [['sku-1', 1]]);
  await insertCallbacks({ failed: 3, pending: 1, delivered: 2 });
  const day = taipeiDay(app.clock.now(), -7);
  const failed = await itemOf('callbacks_failed');
  const path = `/callbacks?status=failed&created_from=${day}`;
  assert.deepEqual([failed.severity, failed.count, failed.is_more, failed.path], ['warning', 3, false, path]);
  const rows = await rowsBehind(failed.path);
  assert.deepEqual(column(rows, 'status'), ['failed', 'failed', 'failed']);

  const madeAt = (number: string, instant: string) =>
    sql((tx) => tx`update callback set created_at = ${instant} where document_no = ${number}`);
  await madeAt('failed1', `${day}T00:00:00+08:00`);
  await madeAt('failed2', `${taipeiDay(app.clock.now(), -8)}T23:59:59.999999+08:00`);
  const later = await itemOf('callbacks_failed');
  assert.deepEqual([later.count, later.since], [2, `${day}T00:00:00.000000+08:00`]);
  assert.deepEqual(column(await rowsBehind(later.path), 'document_no').toSorted(), ['failed1', 'failed3']);
  await sql((tx) => tx`update callback set created_at = now() - interval '9 days' where status = 'failed'`);
  assert.deepEqual([(await itemOf('callbacks_failed')).severity, (await rowsBehind(later.path)).length], ['fine', 0]);
});

const receiverId = randomUUID();

async function insertCallbacks(counts: Partial<Record<'failed' | 'pending' | 'delivered', number>>): Promise<void> {
  for (const [status, count] of Object.entries(counts)) {
    await sql(
      (tx) => tx`
        insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, document_id, sequence, key_name, receiver_id, body)
        select account_id, gen_random_uuid(), 'order.shipped', 'order', ${status} || n, 'https://partner.example/in', ${status}, now(),
          ${{ failed: 10_000, pending: 2000, delivered: 3000 }[status]!} + n, 1, 'wms', ${receiverId}, '{}'
        from generate_series(1, ${count}::integer) n, account where account_no = 'ALPHA'`,
    );
  }
}

test('a receiver with callbacks queued is down after five failures or when it rejects them, and is listed apart from one that is paused', async () => {
  await sql(
    (tx) => tx`
      insert into callback_receiver (receiver_id, account_id, address, failures)
      select ${receiverId}, account_id, 'https://partner.example/in', 4 from account where account_no = 'ALPHA'`,
  );
  await sql(
    (tx) => tx`
      insert into callback_delivery (callback_id, account_id, receiver_id, document_type, document_id, sequence, due_at, queued_at, give_up_at)
      select callback_id, account_id, receiver_id, document_type, document_id, sequence, now(), '2026-03-04 00:00:00+08', now() + interval '1 day'
      from callback where status = 'pending' and receiver_id = ${receiverId}`,
  );
  const failingReceivers = async () =>
    /^lading_callback_receivers_failing (\d+)$/m.exec((await app.http.inject('/metrics')).payload)?.[1];
  assert.deepEqual([(await itemOf('receivers_down')).severity, await failingReceivers()], ['fine', '0']);
  const change = (changes: string) => sql((tx) => tx.unsafe(`update callback_receiver set ${changes}`));
  await change('failures = 0, unsuccessful = 1');
  assert.deepEqual([(await itemOf('receivers_down')).severity, await failingReceivers()], ['warning', '1']);
  await change('failures = 5');
  const shown = {
    count: 1,
    since: '2026-03-04T00:00:00.000000+08:00',
    examples: [{ name: 'https://partner.example/in', detail: 'ALPHA', count: null }],
  };
  const down = await itemOf('receivers_down');
  assert.deepEqual(down, { ...down, severity: 'warning', ...shown });
  await change('paused = true');
  assert.equal((await itemOf('receivers_down')).count, 0);
  const paused = await itemOf('receivers_paused');
  assert.deepEqual(paused, { ...paused, severity: 'warning', ...shown });
});

test('orders that a warehouse rejected are urgent, until they have come further', async () => {
  await receive(app, { 'sku-9': [['2030-01-01', 5]] }, live);
  await order(app, 'T-1', [['sku-9', 1]], live);
  await sql(
    (tx) => tx`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, reason)
      select order_id, gen_random_uuid(), account_id, 1, 'rejected', 'no such sku' from orders where partner_number = 'T-1'`,
  );
  const { items } = await look();
  assert.deepEqual([items[0]!.kind, items[0]!.severity, items[0]!.count], ['transfers_rejected', 'critical', 1]);
  const rows = await rowsBehind(items[0]!.path);
  assert.deepEqual(column(rows, 'partner_number'), ['T-1']);
  await sql((tx) => tx`update orders set status = 'in_warehouse' where partner_number = 'T-1'`);
  assert.equal((await itemOf('transfers_rejected')).severity, 'fine');
});

test('warehouses whose waves fail, jobs that failed and nodes that fell silent are named', async () => {
  await sql(
    (tx) => tx`
      insert into push_schedule (warehouse_no, failures, last_outcome, last_wave_at) values (1, 4, 'failed: 503', '2026-02-03 00:00:00+08')
      on conflict (warehouse_no) do update set failures = 4, last_outcome = 'failed: 503', last_wave_at = '2026-02-03 00:00:00+08'`,
  );
  await sql(
    (tx) =>
      tx`insert into schedule (name, last_outcome, last_run_at) values ('purge_uat', 'failed', now()), ('audit_stock', 'fine', now())`,
  );
  await sql(
    (tx) => tx`
      insert into node (node_id, host, pid, role, version, seen_at) values
        (gen_random_uuid(), 'tpe-1', 11, 'both', '1', now()), (gen_random_uuid(), 'tpe-2', 22, 'worker', '1', now() - interval '5 minutes')`,
  );
  const { items } = await look();
  const shown = (kind: AttentionKind) =>
    columns(
      items.filter((one) => one.kind === kind),
      ...(['severity', 'count', 'examples'] as const),
    )[0];
  assert.deepEqual(shown('waves_failing'), ['critical', 1, [{ name: '1 Taoyuan', detail: 'failed: 503', count: 4 }]]);
  assert.deepEqual(shown('jobs_failed'), ['critical', 1, [{ name: 'purge_uat', detail: null, count: null }]]);
  assert.deepEqual(shown('nodes_silent'), ['warning', 1, [{ name: 'tpe-2 22', detail: null, count: null }]]);
});

test('lots with good units that have expired are urgent, bad ones not; apart from those that expire within 30 days; each with the first day', async () => {
  assert.equal((await itemOf('lots_expiring')).count, 0);
  const day = (days: number) => taipeiDay(new Date(), days);
  const skusBehind = async ({ path }: { path: string }) => column(await rowsBehind(path), 'sku_id').toSorted();
  await receive(app, { 'sku-today': [[day(0), 5]], 'sku-soon': [[day(29), 5]], 'sku-late': [[day(40), 5]] });
  assert.deepEqual([(await itemOf('lots_expired')).severity, (await itemOf('lots_expired')).count], ['fine', 0]);
  await receive(app, { 'sku-gone': [[day(-1), 5]], 'sku-older': [[day(-9), 5]], 'sku-none': [[day(-5), 5]] });
  await sql((tx) => tx`update lot set on_hand = 0 where sku_id = 'sku-none'`);

  const [expired, expiring] = [await itemOf('lots_expired'), await itemOf('lots_expiring')];
  assert.deepEqual([expired.severity, expired.count, expired.since], ['critical', 2, day(-9)]);
  assert.deepEqual(await skusBehind(expired), ['sku-gone', 'sku-older']);
  await sql((tx) => tx`update lot set stock_type = 'bad' where sku_id = 'sku-older'`);
  assert.deepEqual([(await itemOf('lots_expired')).count, await skusBehind(expired)], [1, ['sku-gone']]);
  assert.deepEqual([expiring.severity, expiring.count, expiring.since], ['warning', 2, day(0)]);
  assert.deepEqual(await skusBehind(expiring), ['sku-soon', 'sku-today']);
});

test('an audit with findings is urgent; one that is a day old, or none, is worth a look', async () => {
  const now = new Date('2026-11-16T04:00:00Z');
  const at = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  for (const [audit, severity, count] of [
    [null, 'warning', 0],
    [{ at: at(24), findings: 0 }, 'fine', 0],
    [{ at: at(26), findings: 0 }, 'warning', 0],
    [{ at: at(1), findings: 2 }, 'critical', 2],
  ] as const) {
    const item = ofAudit(audit, now);
    assert.deepEqual([item.severity, item.count], [severity, count]);
  }
  await sql((tx) => tx`insert into stock_audit (lots, orders, findings) values (5, 5, 2)`);
  const audit = await itemOf('stock_audit');
  assert.deepEqual([audit.severity, audit.count], ['critical', 2]);
});

test('accounts whose signatures fail are named, with what is most often the matter; so are clients that get no token', async () => {
  for (const accountNo of ['ALPHA', 'ALPHA', 'ALPHA', 'BETA', 'NOBODY'])
    await app.callWarehouse('/stock/query', { sku_ids: ['sku-1'] }, { accountNo, secret: 'wrong' });
  const payload = { ClientId: 'alpha-erp', CheckValue: 'wrong' };
  await app.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload });
  await app.requestLog.flush();
  const signatures = await itemOf('signatures_failing');
  assert.deepEqual([signatures.severity, signatures.count], ['warning', 2]);
  assert.deepEqual(columns(signatures.examples, 'name', 'count'), [
    ['ALPHA', 3],
    ['BETA', 1],
  ]);
  assert.match(formatMessage(signatures.examples[0]!.detail!), /\w+ .*\w+/);
  const refused = await rowsBehind(signatures.path);
  assert.deepEqual(new Set(refused.map(({ status, contract }) => `${contract} ${status}`)), new Set(['warehouse 401']));
  const tokens = await itemOf('tokens_failing');
  const detail = { code: 'check_value_mismatch', params: { client: 'alpha-erp' } };
  assert.deepEqual([tokens.severity, tokens.examples], ['warning', [{ name: 'alpha-erp', detail, count: 1 }]]);
  const reasons = column(await rowsBehind(tokens.path), 'reason') as ({ code?: string } | null)[];
  assert.ok(reasons.some((reason) => reason?.code === detail.code));
});

test('beyond a thousand nothing is counted: there are more', async () => {
  await sql((tx) => tx`delete from callback_delivery`);
  await sql((tx) => tx`update callback set document_id = document_id + 100000`);
  await insertCallbacks({ failed: 1001 });
  const { count, is_more } = await itemOf('callbacks_failed');
  assert.deepEqual([count, is_more], [1000, true]);
});

test('the flow of today: orders by hour and channel, by state, shipments, how long callbacks took, and calls by minute', async () => {
  const day = await startTestApp();
  await provisionOperators(day);
  await provisionLive(day);
  const user = await signIn(day, 'viewer');
  await receive(day, { 'sku-1': [['2030-01-01', 50]] }, live);
  for (const number of ['F-1', 'F-2', 'F-3']) await order(day, number, [['sku-1', 1]], live);
  await ship(day, 'F-4', [item('sku-1', 1)], {}, live.apiKey);
  await day.store.database.read(async (tx) => {
    await tx`update orders set created_at = '2026-11-16 09:10:00+08' where partner_number in ('F-1', 'F-2')`;
    await tx`update orders set created_at = '2026-11-15 23:59:59+08' where partner_number = 'F-3'`;
    await tx`update orders set created_at = '2026-11-16 14:00:00+08' where partner_number = 'F-4'`;
    await tx`update orders set status = 'shipped' where partner_number = 'F-2'`;
    await tx`
      insert into state_change (document_type, document_id, account_id, event, from_state, to_state, at, actor)
      select 'order', order_id, account_id, 'ship', 'packed', 'shipped', '2026-11-16 10:30:00+08', 'test' from orders where partner_number = 'F-2'`;
    await tx`
      insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, document_id, sequence, key_name, receiver_id, body,
        created_at, updated_at)
      select account_id, gen_random_uuid(), 'order.shipped', 'order', 'x', 'https://a.example', 'delivered', now(), n, 1, 'wms', gen_random_uuid(), '{}',
        '2026-11-16 11:00:00+08', '2026-11-16 11:00:00+08'::timestamptz + n * interval '1 second'
      from generate_series(1, 3) n, account where account_no = 'LIVE'`;
  });
  const minute = new Date('2026-11-16T06:29:30Z');
  day.clock.set(minute);
  for (let calls = 0; calls < 4; calls++) await day.callWarehouse('/stock/query', { sku_ids: ['sku-1'] }, live);
  await day.requestLog.flush();
  day.clock.set(new Date('2026-11-16T06:30:10Z'));

  const flow = await user.ask(homeFlow, {});
  assert.deepEqual([flow.day, flow.hours.length, flow.minutes.length], ['2026-11-16', 15, 60]);
  const none = { warehouse: 0, main: 0, logistics: 0, shipped: 0, callback_median_s: null, callback_worst_s: null };
  assert.deepEqual(
    flow.hours.filter((hour) => JSON.stringify({ ...hour, from: '' }) !== JSON.stringify({ from: '', ...none })),
    [
      { ...none, from: '2026-11-16T09:00:00.000+08:00', warehouse: 2 },
      { ...none, from: '2026-11-16T10:00:00.000+08:00', shipped: 1 },
      { ...none, from: '2026-11-16T11:00:00.000+08:00', callback_median_s: 2, callback_worst_s: 3 },
      { ...none, from: '2026-11-16T14:00:00.000+08:00', logistics: 1 },
    ],
  );
  assert.deepEqual(flow.states, [
    { status: 'pending_warehouse_transfer', count: 2, is_more: false },
    { status: 'shipped', count: 1, is_more: false },
  ]);
  assert.deepEqual(
    flow.minutes.filter(({ calls }) => calls > 0),
    [{ from: '2026-11-16T14:29:00.000+08:00', calls: 4, is_estimate: false }],
  );

  await day.store.database.read(
    (tx) => tx`update orders set created_at = '2026-11-16 14:05:00+08' where partner_number = 'F-3'`,
  );
  assert.deepEqual(await user.ask(homeFlow, {}), flow, 'it is kept for a moment');
  day.clock.set(new Date('2026-11-16T06:30:12Z'));
  assert.equal((await user.ask(homeFlow, {})).hours.at(-1)!.warehouse, 1);
});

test('calls of a minute with more than are counted are estimated from their rate', () => {
  const spans = spansFrom(new Date('2026-11-16T00:00:00Z'), 60_000, 3);
  const minutes = minutesOf(spans, [
    { place: 1, count: 12, withinSeconds: null },
    { place: 3, count: 1000, withinSeconds: 2 },
  ]);
  assert.deepEqual(columns(minutes, 'calls', 'isEstimate'), [
    [12, false],
    [0, false],
    [30_000, true],
  ]);
});

test('an answer is shared by all who ask within a moment; a failure is not', async () => {
  let nowMs = 0;
  let asked = 0;
  const kept = memoize(
    async () => {
      if (++asked === 2) throw new Error('away');
      return asked;
    },
    { clock: { now: () => new Date(nowMs) }, keptMs: 1000 },
  );
  assert.deepEqual(await Promise.all([kept(), kept()]), [1, 1]);
  nowMs = 999;
  assert.equal(await kept(), 1);
  nowMs = 1000;
  await assert.rejects(kept(), /away/);
  assert.equal(await kept(), 3);
});

async function find(text: string): Promise<string[]> {
  const { hits } = await viewer.ask(searchFind, { text });
  return hits.map(
    ({ kind, title, subtitle, path }) => `${kind} | ${title} | ${subtitle} | ${path.replace(/\d+$/, 'N')}`,
  );
}

async function row(table: 'orders' | 'inbound_document', number: string) {
  const [found] = await app.store.database.read(
    (sql) => sql`select * from ${sql(table)} where partner_number = ${number}`,
  );
  return found!;
}

test('the search finds an order by each of its numbers, its shipment and its transfer, and links to it', async () => {
  await receive(app, { 'TEA-1': [['2030-01-01', 50]], 'TEA-12': [['2030-01-01', 50]] });
  await receive(app, { 'TEA-1': [['2030-01-01', 50]] }, beta);
  await order(app, 'OUT-77', [['TEA-1', 1]]);
  await order(app, 'OUT-777', [['TEA-1', 1]]);
  await ship(app, 'S-9', [item('TEA-1', 1)], { name: 'SHOP-9' });
  const { order_no, order_id } = await row('orders', 'OUT-77');
  const hit = `order | OUT-77 | ALPHA · ${order_no} | /orders/N`;
  assert.deepEqual(await find('OUT-77'), [
    hit,
    `order | OUT-777 | ALPHA · ${(await row('orders', 'OUT-777')).order_no} | /orders/N`,
  ]);
  assert.deepEqual((await find(order_no))[0], hit);
  assert.deepEqual(await find(` ${order_no} `), await find(order_no));
  const { hits } = await viewer.ask(searchFind, { text: 'OUT-77' });
  assert.equal(hits[0]!.path, `/orders/${order_id}`);

  const shop = await row('orders', 'S-9');
  assert.deepEqual(await find('SHOP-9'), [`order | S-9 | ALPHA · ${shop.order_no} | /orders/N`]);
  const transferId = '019a8400-0000-4000-8000-000000000001';
  await app.store.database.read(async (sql) => {
    await sql`update orders set shipment_no = '9001-2233-44' where partner_number = 'S-9'`;
    await sql`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status)
      values (${order_id}, ${transferId}, ${await accountIdOf(app, 'ALPHA')}, 1, 'accepted')`;
  });
  assert.deepEqual(await find('9001-22'), ['shipment | 9001-2233-44 | ALPHA · S-9 | /orders/N']);
  assert.deepEqual(await find(transferId.toUpperCase()), [hit]);
});

test('the search finds an order by the number of each of its parcels, and links to it once', async () => {
  await receive(app, { BOX: [['2030-01-01', 9]] }, live);
  await order(app, 'THREE-PARCELS', [['BOX', 3]], live);
  const { main } = await clientsOf(app, live);
  const one = (shipment_no: string) => ({ shipment_no, items: [{ sku_id: 'BOX', qty: 1 }] });
  const parcels = [one('PN-1'), one('XN-2'), one('XN-3')];
  const [shipped] = await main.fulfilmentAdvance([{ outbound_short_id: 'THREE-PARCELS', status: 'shipped', parcels }]);
  assert.equal(shipped!.status, 'shipped');

  const hit = (shipmentNo: string) => `shipment | ${shipmentNo} | LIVE · THREE-PARCELS | /orders/N`;
  assert.deepEqual(await find('PN-1'), [hit('PN-1')]);
  assert.deepEqual(await find('XN-3'), [hit('XN-3')]);
  assert.deepEqual(await find('XN-'), [hit('XN-2')]);
});

test('the search finds a number of several accounts once for each, and an inbound document of every channel by both of its numbers', async () => {
  for (const { apiKey } of [alpha, beta]) await ship(app, 'TWICE', [item('TEA-1', 1)], {}, apiKey);
  const accounts = (await find('TWICE')).map((hit) => hit.split(' | ')[2]!.split(' ')[0]);
  assert.deepEqual(accounts.toSorted(), ['ALPHA', 'BETA']);

  await createInbound(app, 'IN-55', { 'TEA-1': [['2030-01-01', 5]] });
  await take(app, formPath, form('FORM-55', [{ sku: 'TEA-1', quantity: 1 }]));
  const { document_no } = await row('inbound_document', 'IN-55');
  const hit = `inbound | IN-55 | ALPHA · ${document_no} | /inbound/N`;
  assert.deepEqual([await find('IN-55'), await find(document_no)], [[hit], [hit]]);
  assert.match((await find('FORM-5'))[0]!, /^inbound \| FORM-55 \| ALPHA · si_\w+ \| \/inbound\/N$/);
});

test('the search finds a sku in every account, exact matches before longer ones', async () => {
  const names = (await find('TEA-1')).map((hit) => hit.split(' | ').slice(0, 3).join(' | '));
  assert.deepEqual(names, [
    'sku | TEA-1 | ALPHA · Name of TEA-1',
    'sku | TEA-1 | BETA · Name of TEA-1',
    'sku | TEA-12 | ALPHA · Name of TEA-12',
  ]);
});

test('the search finds a trace id, an event, an account and a client', async () => {
  const { headers } = await app.callWarehouse('/stock/query', { sku_ids: ['TEA-1'] }, { secret: 'wrong' });
  await app.requestLog.flush();
  const traceId = String(headers['trace-id']);
  assert.deepEqual(await find(traceId), [
    `trace | ${traceId} | ALPHA · /warehouse/v1/stock/query · 401 | ${`/requests/${traceId}`.replace(/\d+$/, 'N')}`,
  ]);
  const [callback] = await app.store.database.read(
    (sql) => sql`select event_id, event, document_no from callback limit 1`,
  );
  const hit = `callback | ${callback!.event_id} | ALPHA · ${callback!.event} · ${callback!.document_no} | /callbacks/N`;
  assert.deepEqual(await find(callback!.event_id), [hit]);
  assert.deepEqual(await find('alp'), ['account | ALPHA |  | /partners/accounts/ALPHA']);
  assert.deepEqual(await find(alpha.clientId), ['client | alpha-erp | ALPHA | /partners/accounts/ALPHA']);
});

test('the search finds nothing for a text that is too short or odd', async () => {
  for (const text of ['x', '  ', "' or 1=1 --", '%', 'OUT_77', '\u{10ffff}\u{10ffff}', '茶葉', 'a'.repeat(200)]) {
    assert.deepEqual(await find(text), [], JSON.stringify(text));
  }
});

test('every search uses an index', async () => {
  await app.store.database.transaction(async (tx) => {
    await tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment)
      select ${await accountIdOf(app, 'ALPHA')}, 'warehouse', 'BULK-' || n, 'ow_BULK-' || n || '_0123456789', '', 1, 10, 'cancelled', 'uat' from generate_series(1, 5000) n`;
  });
  const scannedBefore = await sequentialReads();
  assert.equal((await find('BULK-1')).length, 8);
  assert.equal((await find('BULK-4999')).length, 1);
  // Connections report late what they read of the small table before; all of the large one would be many more.
  assert.ok((await sequentialReads()) - scannedBefore < 5_000);
});

test('with two hundred accounts the work and the flow of all are counted, each account by its index', async () => {
  const before = await itemOf('orders_awaiting_stock');
  await app.store.database.transaction(async (tx) => {
    await tx`
      insert into account (account_no, name, environment, warehouse_api, enabled)
      select 'MANY-' || n, 'One of many', 'uat', true, true from generate_series(1, 200) n`;
    await tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment)
      select account_id, 'logistics', 'MANY', 'ow_MANY_0123456789', '', 1, 10, 'awaiting_stock', 'uat' from account where account_no like 'MANY-%'`;
  });
  const scannedBefore = await sequentialReads();
  assert.equal((await itemOf('orders_awaiting_stock')).count, before.count + 200);
  const { states } = await viewer.ask(homeFlow, {});
  assert.ok(states.find(({ status }) => status === 'awaiting_stock')!.count >= 200);
  assert.equal((await find('MANY')).filter((hit) => hit.startsWith('order ')).length, 8);
  assert.ok((await sequentialReads()) - scannedBefore < 5_000);
});

/** Rows of orders that were read one after the other so far. */
async function sequentialReads(): Promise<number> {
  return await app.store.database.transaction(async (tx) => {
    await tx`select pg_stat_force_next_flush()`;
    const [stats] = await tx`select seq_tup_read from pg_stat_user_tables where relname = 'orders'`;
    return Number(stats!.seq_tup_read);
  });
}

test('the home page shows the age of the last verified backup, and a schedule that has made none for twice its time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lading-home-backups-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { BACKUP_DIR: folder, BACKUP_EVERY_H: '24', BACKUP_MASTER_KEY: 'exclude' };
  const scheduled = await startTestApp({ env });
  await provisionOperators(scheduled);
  const see = looking(scheduled, await signIn(scheduled, 'viewer'));
  const backup = async () => {
    const { kind, severity, since, path } = (await see()).items.find((one) => one.kind === 'backup_late')!;
    return { kind, severity, since, path };
  };
  const item = { kind: 'backup_late', path: '/system?show=jobs' };
  assert.deepEqual(await backup(), { ...item, severity: 'critical', since: null });

  const [old, recent] = [60, 1].map((hours) => new Date(Date.now() - hours * 3_600_000)) as [Date, Date];
  verifiedBackup(folder, old);
  assert.deepEqual(await backup(), { ...item, severity: 'critical', since: taipeiInstant(old) });
  verifiedBackup(folder, recent);
  assert.deepEqual(await backup(), { ...item, severity: 'fine', since: taipeiInstant(recent) });
  assert.equal(
    (await look()).items.some(({ kind }) => kind === 'backup_late'),
    false,
  );
});

/** A backup without files. */
function verifiedBackup(parent: string, at: Date): void {
  const name = `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  mkdirSync(join(parent, name));
  const facts = { name, lading_version: '0.1.0', postgres_version: '18.4', system_identifier: '1', bytes: 0 };
  const positions = { timeline: 1, segment_bytes: 1, start_position: '0/1', end_position: '0/2', first_segment: '' };
  const times = { started_at: at.toISOString(), ended_at: at.toISOString() };
  const master_key = { kind: 'excluded' as const, key_id: '' };
  const manifest = writeManifest(join(parent, name), { ...facts, ...positions, ...times, master_key }, [], null);
  const result = { state: 'verified' as const, at: at.toISOString(), details: '' };
  writeVerification(join(parent, name), manifest, result, null);
}
