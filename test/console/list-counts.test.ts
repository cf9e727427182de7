import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeOfficeData } from '../../bench/office-data.ts';
import { callbackSearch } from '../../contract/console/callbacks.ts';
import { inboundSearch } from '../../contract/console/inbound.ts';
import { operatorsChange } from '../../contract/console/operators.ts';
import { orderSearch } from '../../contract/console/orders.ts';
import { productsSearch } from '../../contract/console/products.ts';
import { stockSearch } from '../../contract/console/stock.ts';
import { allRows, column, columns, signIn, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { accountIdOf } from '../support/main.ts';
import { receive } from '../support/warehouse.ts';

// Enough orders for counts that stop at their limits. The expected numbers come from plain statements.
const { app, database, admin, viewer } = await startConsole();
await provisionLive(app);
const accountId = await accountIdOf(app, live.accountNo);
const orders = 12_000;
await database.read((sql) =>
  storeOfficeData(sql, { accountId, numbersBeginWith: 'C-', orders, products: 40 }, () => {}),
);
await database.read((sql) => sql`analyze`);

/** The number of orders that meet a condition, by status. */
async function byStatus(where: string): Promise<Record<string, number>> {
  const rows = await database.read((sql) =>
    sql.unsafe<{ status: string; count: number }[]>(
      `select status, count(*)::integer as count from orders where account_id = ${accountId} and ${where} group by status`,
    ),
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const exact = (count = 0) => ({ count, is_more: false });
const ofTabs = (counts: Record<string, number>, tabs: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(tabs).map((tab) => [tab, exact(counts[tab])]));
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

test('tabs count the orders of each status, exactly up to 1,000, and the total up to 10,000; only if asked', async () => {
  assert.equal((await viewer.ask(orderSearch, {})).counts, undefined);
  const { counts } = await viewer.ask(orderSearch, { counted: true });
  const real = await byStatus('true');
  assert.ok(sum(real) === orders && real.delivered! > 1000 && real.pending_warehouse_transfer! < 1000);
  assert.deepEqual(counts, {
    total: { count: 10_000, is_more: true },
    tabs: { ...ofTabs(real, counts!.tabs), delivered: { count: 1000, is_more: true } },
  });
});

test('the status that is shown changes the total and no tab', async () => {
  const { counts: all } = await viewer.ask(orderSearch, { counted: true });
  const real = await byStatus('true');
  const { counts } = await viewer.ask(orderSearch, { counted: true, status: ['picking', 'packed'] });
  assert.deepEqual(counts, { total: exact(real.picking! + real.packed!), tabs: all!.tabs });
  const most = await viewer.ask(orderSearch, { counted: true, status: ['delivered', 'packed'] });
  assert.deepEqual(most.counts, { total: { count: 1000 + real.packed!, is_more: true }, tabs: all!.tabs });
});

test('tabs and total have the other filters of the list: by index, by a product, and by columns without an index', async () => {
  const daysUntil = (daysAgo: number) => ({
    created_from: '2020-01-01',
    created_to: new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10),
  });
  const untilEndOf = (day: string) => `created_at <= '${day}T23:59:59.999999+08:00'`;
  const days = daysUntil(320);
  const until = untilEndOf(days.created_to);
  const fewDays = daysUntil(353);
  for (const [filters, where] of [
    [{ ...days }, until],
    [{ sku_id: 'C-SKU-7' }, productIs("sku_id = 'C-SKU-7'")],
    [{ ...days, warehouse_no: [2] }, `${until} and warehouse_no = 2`],
    [{ ...days, carrier: ['hilife', 'post'] as const }, `${until} and express_type in ('hilife', 'post')`],
    [{ ...days, delivery: ['csvs'] as const }, `${until} and logistics_type = 'csvs'`],
    [
      { ...fewDays, storage: ['frozen'] as const },
      `${untilEndOf(fewDays.created_to)} and ${productIs("storage_type = 'frozen'")}`,
    ],
    [{ number: 'C-OUT-77' }, "partner_number = 'C-OUT-77'"],
    [{ number: 'C-OUT-NONE' }, 'false'],
  ] as const) {
    const body = filters as object;
    const real = await byStatus(where);
    const { counts } = await viewer.ask(orderSearch, { ...body, counted: true });
    const title = JSON.stringify(filters);
    const { delivered, ...others } = counts!.tabs;
    assert.deepEqual([counts!.total, others], [exact(sum(real)), ofTabs(real, others)], title);
    if (isCompared(body)) {
      assert.ok(delivered!.is_more && delivered!.count > 0 && delivered!.count <= 100, title);
    } else {
      const shown = Math.min(real.delivered ?? 0, 1000);
      assert.deepEqual(delivered, { count: shown, is_more: (real.delivered ?? 0) > 1000 }, title);
    }
    const rows = await allRows(viewer, orderSearch, { ...body, page_size: 200 });
    assert.equal(rows.length, sum(real), title);
  }
});

/** Of each tab, the newest 100 rows are compared with these filters. */
function isCompared(filters: object): boolean {
  return ['warehouse_no', 'carrier', 'delivery'].some((name) => name in filters);
}

function productIs(condition: string): string {
  return `order_id in (select l.order_id from order_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
    where l.account_id = ${accountId} and p.${condition})`;
}

test('a count that was cut off is a lower bound and says so', async () => {
  const { counts } = await viewer.ask(orderSearch, { counted: true, warehouse_no: [2] });
  const real = await byStatus('warehouse_no = 2');
  // Statuses with few orders are counted to their end; of the others, the newest 100 were examined.
  assert.deepEqual(counts!.tabs.picking, exact(real.picking));
  const { count, is_more } = counts!.tabs.delivered!;
  assert.ok(is_more && count > 20 && count <= 100, `${count} of ${real.delivered}`);
  const bySku = await viewer.ask(orderSearch, { counted: true, sku_id: 'C-SKU-7', storage: ['chilled'] });
  assert.equal(bySku.counts!.total.is_more, false);
  const frozen = await viewer.ask(orderSearch, { counted: true, storage: ['frozen'] });
  const { total, tabs } = frozen.counts!;
  assert.ok(total.is_more && total.count > 100 && total.count <= 500, 'the lines of the newest 500 orders are read');
  assert.equal(
    Object.values(tabs).reduce((all, tab) => all + tab.count, 0),
    total.count,
  );
  assert.ok(
    Object.values(tabs).every((tab) => tab.is_more),
    'a tab without any of them may have older ones',
  );
  const carrier = await viewer.ask(orderSearch, { counted: true, carrier: ['hct'] });
  assert.equal(carrier.counts!.total.is_more, true);
  assert.ok(
    carrier.counts!.total.count > 400 && carrier.counts!.total.count < sum(await byStatus("express_type = 'hct'")),
  );
});

test('several accounts are added up, also more of them than are counted wholly at first', async () => {
  const others = Array.from({ length: 20 }, (_, place) => `MANY-${place + 1}`);
  await app.provision({ accounts: others.map((account_no) => ({ account_no, environment: 'production' as const })) });
  const real = await byStatus('true');
  const { counts } = await viewer.ask(orderSearch, { counted: true });
  assert.deepEqual(counts!.total, { count: 10_000, is_more: true });
  assert.deepEqual(counts!.tabs.pending_warehouse_transfer, exact(real.pending_warehouse_transfer));
  assert.deepEqual(counts!.tabs.delivered, { count: 1000, is_more: true });
  const [few] = [await viewer.ask(orderSearch, { counted: true, accounts: ['MANY-1', 'ALPHA'] })];
  assert.deepEqual(few!.counts!.total, exact(0));
});

test('an operator who is restricted to warehouses gets the counts of these', async () => {
  await app.provision({ warehouses: [{ warehouse_no: 2, name: '高雄倉', connector: { type: 'manual' } }] });
  assert.equal((await admin.ask(operatorsChange, { username: 'packer', warehouse_nos: [2] })).kind, 'changed');
  const real = await byStatus('warehouse_no = 2');
  const staff = await signIn(app, 'staff');
  const { counts } = await staff.ask(orderSearch, { counted: true });
  assert.deepEqual(counts!.tabs.undelivered, exact(real.undelivered));
  const none = await staff.ask(orderSearch, { counted: true, warehouse_no: [1] });
  assert.deepEqual([none.rows, none.counts!.total, none.counts!.tabs.delivered], [[], exact(0), exact(0)]);
});

test('the lists of inbound documents, callbacks, products and stock have counts too', async () => {
  await receive(app, { TEA: [['2031-01-01', 5]] });
  const read = async (text: string) =>
    Object.fromEntries(
      (await database.read((sql) => sql.unsafe<{ tab: string; count: number }[]>(text))).map(({ tab, count }) => [
        tab,
        count,
      ]),
    );
  const count = (table: string, field: string, where = 'true') =>
    read(`select ${field} as tab, count(*)::integer as count from ${table} where ${where} group by 1`);
  for (const [call, real] of [
    [inboundSearch, await count('inbound_document', 'status')],
    [callbackSearch, await count('callback', 'status')],
    [productsSearch, await count('product', 'storage_type')],
    [stockSearch, await count('lot', 'stock_type', 'on_hand > 0')],
  ] as const) {
    const { counts } = await viewer.ask(call, { counted: true });
    assert.ok(sum(real) > 0);
    const tabs = ofTabs(real, counts!.tabs);
    if (call === callbackSearch) tabs.delivered = { count: 1000, is_more: true };
    assert.deepEqual(counts, { total: exact(sum(real)), tabs }, call.path);
  }
  const bySku = await viewer.ask(inboundSearch, { counted: true, sku_id: 'TEA' });
  assert.deepEqual([bySku.rows.length, bySku.counts!.total], [1, exact(1)]);
  const frozen = await allRows(viewer, inboundSearch, { storage: ['frozen'], page_size: 200 });
  const real = await read(`select 'frozen' as tab, count(*)::integer as count from inbound_document d where exists (
    select from inbound_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
    where l.account_id = d.account_id and l.inbound_id = d.inbound_id and p.storage_type = 'frozen')`);
  assert.equal(frozen.length, real.frozen);
});

test('each sort of a list is the reverse of the other way round', async () => {
  const newest = await viewer.ask(orderSearch, { page_size: 5 });
  assert.deepEqual(column(newest.rows, 'partner_number'), [
    'C-OUT-12000',
    'C-OUT-11999',
    'C-OUT-11998',
    'C-OUT-11997',
    'C-OUT-11996',
  ]);
  const oldest = await viewer.ask(orderSearch, { page_size: 2, reversed: true });
  assert.deepEqual(column(oldest.rows, 'partner_number'), ['C-OUT-1', 'C-OUT-2']);
  const next = await viewer.ask(orderSearch, { page_size: 2, reversed: true, cursor: oldest.next_cursor! });
  assert.deepEqual(column(next.rows, 'partner_number'), ['C-OUT-3', 'C-OUT-4']);

  const filters = { status: ['packed' as const] };
  for (const sort of ['created', 'updated'] as const) {
    const there = await allRows(viewer, orderSearch, { ...filters, sort, page_size: 100 });
    const back = await allRows(viewer, orderSearch, { ...filters, sort, reversed: true, page_size: 100 });
    assert.deepEqual(column(back, 'order_id'), column(there, 'order_id').toReversed(), sort);
    const times = column(there, `${sort}_at`);
    assert.deepEqual(times, times.toSorted().toReversed(), sort);
  }
  for (const sort of ['sku', 'name', 'created', 'updated'] as const) {
    const there = await allRows(viewer, productsSearch, { sort, page_size: 7 });
    const back = await allRows(viewer, productsSearch, { sort, reversed: true, page_size: 7 });
    assert.deepEqual(column(back, 'product_id'), column(there, 'product_id').toReversed(), sort);
  }
  const names = column(await allRows(viewer, productsSearch, { sort: 'name' }), 'name');
  assert.deepEqual(
    names,
    names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  );
  for (const sort of ['created', 'updated', 'arrival'] as const) {
    const there = await allRows(viewer, inboundSearch, { sort });
    const back = await allRows(viewer, inboundSearch, { sort, reversed: true });
    assert.deepEqual(column(back, 'inbound_id'), column(there, 'inbound_id').toReversed(), sort);
  }
  await receive(app, { MILK: [['2030-01-01', 9]], EGG: [['2032-01-01', 2]] });
  const stocks = async (body: object) => columns(await allRows(viewer, stockSearch, body), 'sku_id');
  assert.deepEqual(await stocks({ sort: 'expiry' }), [['MILK'], ['TEA'], ['EGG']]);
  assert.deepEqual(await stocks({ sort: 'expiry', reversed: true }), [['EGG'], ['TEA'], ['MILK']]);
  assert.deepEqual(await stocks({ sort: 'on_hand' }), [['MILK'], ['TEA'], ['EGG']]);
  assert.deepEqual(await stocks({ reversed: true }), [['TEA'], ['MILK'], ['EGG']]);
  const first = (await viewer.ask(callbackSearch, { reversed: true, page_size: 1 })).rows[0]!;
  assert.equal(first.callback_id, (await allRows(viewer, callbackSearch, { page_size: 200 })).at(-1)!.callback_id);
});
