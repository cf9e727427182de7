import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFind } from '../../contract/console/search-find.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { form, formPath, item, ship, take } from '../support/logistics.ts';
import { accountIdOf } from '../support/main.ts';
import { createInbound, order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
const viewer = await signIn(app, 'viewer');
await receive(app, { 'TEA-1': [['2030-01-01', 50]], 'TEA-12': [['2030-01-01', 50]] });
await receive(app, { 'TEA-1': [['2030-01-01', 50]] }, beta);

async function find(text: string): Promise<string[]> {
  const { hits } = await viewer.ask(searchFind, { text });
  return hits.map(({ kind, title, subtitle, path }) => `${kind} | ${title} | ${subtitle} | ${path.replace(/\d+$/, 'N')}`);
}

async function row(table: 'orders' | 'inbound_document', number: string) {
  const [found] = await app.store.database.read((sql) => sql`select * from ${sql(table)} where partner_number = ${number}`);
  return found!;
}

test('an order is found by the partner’s number, by ours, by the shop’s, by its shipment and by its transfer, and opens by its id', async () => {
  await order(app, 'OUT-77', [['TEA-1', 1]]);
  await order(app, 'OUT-777', [['TEA-1', 1]]);
  await ship(app, 'S-9', [item('TEA-1', 1)], { name: 'SHOP-9' });
  const { order_no, order_id } = await row('orders', 'OUT-77');
  const hit = `order | OUT-77 | ALPHA · ${order_no} | /orders/N`;
  assert.deepEqual(await find('OUT-77'), [hit, `order | OUT-777 | ALPHA · ${(await row('orders', 'OUT-777')).order_no} | /orders/N`]);
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

test('the same number of several accounts gives a hit for each', async () => {
  await ship(app, 'TWICE', [item('TEA-1', 1)]);
  await ship(app, 'TWICE', [item('TEA-1', 1)], {}, beta.apiKey);
  assert.deepEqual((await find('TWICE')).map((hit) => hit.split(' | ')[2]!.split(' ')[0]).toSorted(), ['ALPHA', 'BETA']);
});

test('an inbound document is found by the partner’s number and by ours, of every channel', async () => {
  await createInbound(app, 'IN-55', { 'TEA-1': [['2030-01-01', 5]] });
  await take(app, formPath, form('FORM-55', [{ sku: 'TEA-1', quantity: 1 }]));
  const { document_no } = await row('inbound_document', 'IN-55');
  const hit = `inbound | IN-55 | ALPHA · ${document_no} | /inbound/N`;
  assert.deepEqual([await find('IN-55'), await find(document_no)], [[hit], [hit]]);
  assert.match((await find('FORM-5'))[0]!, /^inbound \| FORM-55 \| ALPHA · si_\w+ \| \/inbound\/N$/);
});

test('a sku is found in every account, the same before those that begin so', async () => {
  const names = (await find('TEA-1')).map((hit) => hit.split(' | ').slice(0, 3).join(' | '));
  assert.deepEqual(names, [
    'sku | TEA-1 | ALPHA · Name of TEA-1',
    'sku | TEA-1 | BETA · Name of TEA-1',
    'sku | TEA-12 | ALPHA · Name of TEA-12',
  ]);
});

test('a trace id, an event, an account and a client are found', async () => {
  const { headers } = await app.callWarehouse('/stock/query', { sku_ids: ['TEA-1'] }, { secret: 'wrong' });
  await app.requestLog.flush();
  const traceId = String(headers['trace-id']);
  assert.deepEqual(await find(traceId), [
    `trace | ${traceId} | ALPHA · /warehouse/v1/stock/query · 401 | ${`/requests/${traceId}`.replace(/\d+$/, 'N')}`,
  ]);
  const [callback] = await app.store.database.read((sql) => sql`select event_id, event, document_no from callback limit 1`);
  const told = `callback | ${callback!.event_id} | ALPHA · ${callback!.event} · ${callback!.document_no} | /callbacks/N`;
  assert.deepEqual(await find(callback!.event_id), [told]);
  assert.deepEqual(await find('alp'), ['account | ALPHA |  | /partners/accounts/ALPHA']);
  assert.deepEqual(await find(alpha.clientId), ['client | alpha-erp | ALPHA | /partners/accounts/ALPHA']);
});

test('nothing is found for what is no number, too short or odd, and nothing breaks', async () => {
  for (const text of ['x', '  ', "' or 1=1 --", '%', 'OUT_77', '\u{10ffff}\u{10ffff}', '茶葉', 'a'.repeat(200)]) {
    assert.deepEqual(await find(text), [], JSON.stringify(text));
  }
  assert.equal((await viewer.send('/search/find', { text: 'a'.repeat(201) })).status, 400);
  assert.equal((await viewer.send('/search/find', { text: 'OUT-77' }, { cookie: undefined })).status, 401);
});

test('every look-up is by an index, however many rows there are', async () => {
  await app.store.database.transaction(async (tx) => {
    await tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status)
      select ${await accountIdOf(app, 'ALPHA')}, 'warehouse', 'BULK-' || n, 'ow_BULK-' || n || '_0123456789', '', 1, 10, 'cancelled' from generate_series(1, 20000) n`;
  });
  const scannedBefore = await sequentialReads();
  assert.equal((await find('BULK-1')).length, 5);
  assert.equal((await find('BULK-19999')).length, 1);
  // Connections tell late what they read of the small table before; all of the large one would be many more.
  assert.ok((await sequentialReads()) - scannedBefore < 20_000);
});

/** Rows of orders that were read one after the other so far. */
async function sequentialReads(): Promise<number> {
  return await app.store.database.transaction(async (tx) => {
    await tx`select pg_stat_force_next_flush()`;
    const [stats] = await tx`select seq_tup_read from pg_stat_user_tables where relname = 'orders'`;
    return Number(stats!.seq_tup_read);
  });
}
