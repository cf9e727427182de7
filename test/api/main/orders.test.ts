import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp, type TestAnswer } from '../../support/app.ts';
import { pathsOf, payloadDiffers, refusedEntry } from '../../support/errors.ts';
import { live, provisionLive } from '../../support/live.ts';
import { assertBooksInOrder, bring, item, owedFor, ship, unchanged } from '../../support/logistics.ts';
import { assertNotDone, lists, madeOnly, type Row, retvalOf, searchAll } from '../../support/main.ts';
import {
  cancelOrders as cancelThroughWarehouseApi,
  createInbound,
  dataOf,
  goodRow,
  moveOrder,
  order,
  orderBody,
  orderRow,
  receive,
  stockOf,
  syncProducts,
} from '../../support/warehouse.ts';

const app = await startTestApp();

await receive(app, { TEA: [['2030-01-01', 100_000]] });
await receive(app, { TEA: [['2030-01-01', 100_000]] }, beta);

const create = (body: unknown, as = alpha) => app.callMain('/orders/create', body, { as });
const cancel = (outbound_short_ids: string[]) => app.callMain('/orders/cancel', { outbound_short_ids });

const cancelled = (number: string) => ({ outbound_short_id: number, status: 'cancelled' });
const notFound = (number: string) => ({ outbound_short_id: number, status: 'not_found' });
const tooLate = (number: string) => ({
  outbound_short_id: number,
  status: 'cannot_cancel_after_picking',
  code: 'LST-TPW-6001',
});

async function listed(number: string): Promise<Row> {
  const rows = await searchAll(app, lists.orders, { 'orders.outbound_short_id': number });
  assert.equal(rows.length, 1);
  return rows[0]!;
}

/** The actors and requests that moved the units of an order. */
async function causesOf(number: string): Promise<object[]> {
  const rows = await app.store.database.read(
    (sql) => sql`
      select distinct m.kind, m.actor, m.trace_id from movement m join orders using (account_id, order_id)
      where partner_number = ${number} order by m.kind`,
  );
  return rows.map((row) => ({ ...row }));
}

const byClient = (answer: TestAnswer) => ({ actor: 'ALPHA/alpha-erp', trace_id: answer.headers['trace-id'] });

test('a new order belongs to the account of the token, is listed at once with all that was sent, and so is its cancel', async () => {
  const consignee = {
    consignee_name: '王小明',
    consignee_phone: '+886 912-345-678',
    consignee_address: '臺北市信義區市府路1號 📦',
    consignee_zip: '110',
  };
  const shipMethod = { logistics_type: 'csvs', express_type: 'hilife' };
  const ignored = { account_no: beta.accountNo, warehouse_no: 2, store_no: 20 };
  const answer = await create({ ...orderBody('NEW', [['TEA', 2]]), ...consignee, ...shipMethod, ...ignored });

  const { orders_id, warnings, ...others } = retvalOf(answer);
  assert.deepEqual(pathsOf(warnings), Object.keys(ignored));
  assert.match(orders_id, /^ow_NEW_[0-9a-f]{10}$/);
  assert.deepEqual(others, { idempotent: false });
  const { updated_at, ...row } = await listed('NEW');
  assert.deepEqual(row, {
    orders_id,
    outbound_short_id: 'NEW',
    ...{ held: false, held_at: null, changes: [] },
    recipient_erased_at: null,
    internal_name: null,
    name: null,
    status: 'pending_warehouse_transfer',
    channel: 'main',
    warehouse_no: 1,
    store_no: 10,
    shipment_no: null,
    carrier: null,
    parcels: [],
    short: [],
    undelivered_reason: null,
    returns: [],
    ...shipMethod,
    consignee_country: 'TW',
    ...consignee,
    details: [{ sku_id: 'TEA', qty: 2, item: null }],
    shipping: null,
    timeline: madeOnly(
      { status: 'pending_warehouse_transfer', created_at: row.created_at },
      'ALPHA/alpha-erp',
      answer.headers['trace-id'],
    ),
    created_at: row.created_at,
  });
  const locked = { kind: 'lock', ...byClient(answer) };
  assert.deepEqual(await causesOf('NEW'), [locked]);

  const answerToCancel = await cancel(['NEW']);
  assert.deepEqual(retvalOf(answerToCancel), { results: [cancelled('NEW')] });
  const { updated_at: cancelledAt, ...after } = await listed('NEW');
  const timeline = after.timeline as { at: string }[];
  const change = { event: 'cancel', from: 'pending_warehouse_transfer', to: 'cancelled', by: 'ALPHA/alpha-erp' };
  const cancelEntry = { ...change, at: timeline[1]!.at, trace_id: answerToCancel.headers['trace-id'] };
  assert.deepEqual(after, { ...row, status: 'cancelled', timeline: [timeline[0], cancelEntry] });
  assert.ok(String(cancelledAt) > String(updated_at));
  assert.deepEqual(await causesOf('NEW'), [locked, { kind: 'unlock', ...byClient(answerToCancel) }]);
});

test('a repeat returns the original, through either API, and says if the body differs', async () => {
  const here = orderBody('HERE', [['TEA', 5]]);
  const there = orderBody('THERE', [['TEA', 3]]);
  const { orders_id } = retvalOf(await create(here));
  const { orders_id: idThere } = await order(app, 'THERE', [['TEA', 3]]);
  await unchanged(app, async () => {
    const repeated = { orders_id, idempotent: true };
    assert.deepEqual(retvalOf(await create(here)), repeated);
    assert.deepEqual(dataOf(await app.callWarehouse('/outbound/create', here)), { success: true, ...repeated });
    const other = { ...here, details: [{ sku_id: 'TEA', qty: 6 }] };
    assert.deepEqual(retvalOf(await create(other)), { ...repeated, ...payloadDiffers });
    assert.deepEqual(retvalOf(await create(there)), { orders_id: idThere, idempotent: true });
  });
  assert.deepEqual([(await listed('HERE')).channel, (await listed('THERE')).channel], ['main', 'warehouse']);
});

test('each cause has its message, in the order of the checks; the request log has it too, and a refusal changes nothing', async () => {
  await receive(app, { FEW: [['2030-01-01', 2]] });
  const body = {
    ...orderBody('FREE', [['UNKNOWN', 1]], { warehouseTpwId: 'NOWHERE' }),
    logistics_type: 'locker',
    consignee_country: 'JP',
  };
  const corrections: [object, string][] = [
    [{}, 'consignee_country must be one of TW'],
    [{ consignee_country: 'TW' }, 'unknown tenant'],
    [{ warehouse_tpw_id: alpha.warehouseTpwId }, 'sku_id not found'],
    [{ details: [{ sku_id: 'FEW', qty: 3 }] }, 'unknown ship_method mapping'],
    [{ logistics_type: 'home' }, 'sku FEW available=2 < requested=3'],
  ];
  const lines = [];
  for (const [correction, msg] of corrections) {
    Object.assign(body, correction);
    const answer = await unchanged(app, () => create(body));
    assertNotDone(answer, { msg });
    lines.push(await app.requestLine(String(answer.headers['trace-id'])));
  }
  const accepted = await create({ ...body, details: [{ sku_id: 'FEW', qty: 2 }] });
  assert.equal(retvalOf(accepted).idempotent, false);
  lines.push(await app.requestLine(String(accepted.headers['trace-id'])));
  assert.deepEqual(
    lines.map((line) => [line?.status, line?.reason, line?.account_no]),
    [...corrections.map(([, msg]) => [400, msg, 'ALPHA']), [200, null, 'ALPHA']],
  );
  // The number of a body with wrong fields is not read.
  const numbers = [null, ...Array(5).fill('FREE')];
  assert.deepEqual(
    lines.map((line) => line?.document_no),
    numbers,
  );
});

test("another account's number is not found by a cancel, and its order stays", async () => {
  await order(app, 'OUT-THEIRS', [['TEA', 1]], beta);
  const numbers = ['OUT-THEIRS', 'NOBODY'];
  const answer = await unchanged(app, () => cancel(numbers));
  assert.deepEqual(retvalOf(answer), { results: numbers.map(notFound) });
});

test('orders of either API are cancelled through the other one; cancelling again says the same and gives nothing more back', async () => {
  await receive(app, { BOTH: [['2030-01-01', 6]] });
  await order(app, 'MADE-THERE', [['BOTH', 2]]);
  retvalOf(await create(orderBody('MADE-HERE', [['BOTH', 2]])));
  await order(app, 'STAYS', [['BOTH', 1]]);

  assert.deepEqual(retvalOf(await cancel(['MADE-THERE'])), { results: [cancelled('MADE-THERE')] });
  assert.deepEqual(await cancelThroughWarehouseApi(app, ['MADE-HERE']), [cancelled('MADE-HERE')]);
  assert.deepEqual(await stockOf(app, 'BOTH'), [goodRow('BOTH', '2030-01-01', 6, 1)]);
  await unchanged(app, async () => {
    assert.deepEqual(retvalOf(await cancel(['MADE-HERE'])), { results: [cancelled('MADE-HERE')] });
    assert.deepEqual(await cancelThroughWarehouseApi(app, ['MADE-THERE']), [cancelled('MADE-THERE')]);
  });
});

test('a cancel has one result per entry, in the order sent, duplicates included; up to 100, and one does not fail the others', async () => {
  await receive(app, { BATCH: [['2030-01-01', 10]] });
  for (const number of ['FREE-1', 'PICKED', 'DONE', 'KEPT']) await order(app, number, [['BATCH', 2]]);
  await moveOrder(app, 'PICKED', 'picking');
  retvalOf(await cancel(['DONE']));
  await ship(app, 'OF-LOGISTICS', [item('BATCH', 1)]);
  const unknown = [...Array.from({ length: 92 }, (_, index) => `NOBODY-${index}`), 'OF-LOGISTICS', '號'.repeat(125)];

  const { results } = retvalOf(await cancel(['PICKED', 'FREE-1', ...unknown, 'DONE', 'FREE-1', 'PICKED', 'NOBODY-1']));
  assert.deepEqual(results.slice(0, 2), [tooLate('PICKED'), cancelled('FREE-1')]);
  assert.deepEqual(results.slice(2, -4), unknown.map(notFound));
  const last = [cancelled('DONE'), cancelled('FREE-1'), tooLate('PICKED'), notFound('NOBODY-1')];
  assert.deepEqual(results.slice(-4), last);
  assert.deepEqual(await stockOf(app, 'BATCH'), [goodRow('BATCH', '2030-01-01', 10, 5)]);
  const statuses = ['PICKED', 'FREE-1', 'KEPT'].map(async (number) => (await orderRow(app, number))?.status);
  assert.deepEqual(await Promise.all(statuses), ['picking', 'cancelled', 'pending_warehouse_transfer']);
});

// Reports of the warehouse.

await provisionLive(app);
await syncProducts(app, ['TEA', 'RICE'], live);
await createInbound(
  app,
  'IN-STOCK',
  {
    TEA: [
      ['2030-01-01', 3],
      ['2031-01-01', 1000],
    ],
    RICE: [['2030-01-01', 1000]],
  },
  live,
);

interface Result {
  outbound_short_id?: string;
  internal_name?: string;
  status: string;
  message?: string;
}

async function advance(orders: object[], as = live): Promise<Result[]> {
  return retvalOf<{ results: Result[] }>(await app.callMain('/fulfilment/advance', { orders }, { as })).results;
}

const refused = (outbound_short_id: string, message: string) => refusedEntry({ outbound_short_id }, message);

async function ordered(number: string, lines: [string, number][]): Promise<string> {
  await order(app, number, lines, live);
  return number;
}

test('a report moves the order on, step by step, and the timeline says when, by whom and in which call', async () => {
  const outbound_short_id = await ordered('STEPS', [['RICE', 1]]);
  const traceIds: unknown[] = [];
  const steps = ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered'];
  for (const status of steps) {
    const report = {
      outbound_short_id,
      status,
      ...(status === 'packed' ? { shipment_no: 'TRACK-1', carrier: 'tcat' } : {}),
    };
    const answer = await app.callMain('/fulfilment/advance', { orders: [report] }, { as: live });
    assert.deepEqual(retvalOf(answer), { results: [{ outbound_short_id, status }] });
    traceIds.push(answer.headers['trace-id']);
  }

  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': outbound_short_id }, live);
  assert.deepEqual([row!.status, row!.shipment_no, row!.carrier], ['delivered', 'TRACK-1', 'tcat']);
  const [made, ...changes] = row!.timeline as Record<string, unknown>[];
  assert.deepEqual(
    [made!.event, made!.to, made!.at, made!.by],
    ['create', 'pending_warehouse_transfer', row!.created_at, 'LIVE'],
  );
  assert.deepEqual(
    changes.map(({ event, from, to, by, trace_id }) => [event, from, to, by, trace_id]),
    ['transfer', 'pick', 'pack', 'ship', 'deliver'].map((event, index) => {
      const from = index === 0 ? 'pending_warehouse_transfer' : steps[index - 1];
      return [event, from, steps[index], 'LIVE/live-wms', traceIds[index]];
    }),
  );
  const times = (row!.timeline as { at: string }[]).map(({ at }) => at);
  assert.deepEqual(times, times.toSorted());
});

test('with shipped the units leave the lots that they were locked in, and only then', async () => {
  await ordered('LEAVES', [
    ['TEA', 5],
    ['RICE', 2],
  ]);
  const locked = await stockOf(app, ['TEA', 'RICE'], live);
  assert.deepEqual(locked.slice(0, 2), [goodRow('TEA', '2030-01-01', 3, 3), goodRow('TEA', '2031-01-01', 1000, 2)]);
  await advance([{ outbound_short_id: 'LEAVES', status: 'packed' }]);
  assert.deepEqual(await stockOf(app, ['TEA', 'RICE'], live), locked);

  assert.deepEqual(await advance([{ outbound_short_id: 'LEAVES', status: 'shipped', shipment_no: 'S1' }]), [
    { outbound_short_id: 'LEAVES', status: 'shipped' },
  ]);
  const [tea] = await stockOf(app, ['TEA'], live);
  assert.deepEqual(tea, goodRow('TEA', '2031-01-01', 998, 0));
  const movements = await app.store.database.read(
    (sql) => sql`
      select kind, on_hand_delta::int, locked_delta::int, actor from movement
      where order_id = (select order_id from orders where partner_number = 'LEAVES') and kind = 'ship' order by lot_id`,
  );
  assert.deepEqual(
    movements.map(({ kind, on_hand_delta, locked_delta, actor }) => [kind, on_hand_delta, locked_delta, actor]),
    [3, 2, 2].map((units) => ['ship', -units, -units, 'LIVE/live-wms']),
  );
});

test('a shipped logistics order owes order.shipped once, with shipment number and carrier, however often it is reported', async () => {
  await bring(app, [{ sku: 'CUP', quantity: 4 }], live.apiKey);
  const callback_url = 'https://partner.example/shipped';
  await ship(app, 'TOLD', [item('CUP', 2, { price: 10.5 })], { callback_url, note: 'Fragile' }, live.apiKey);
  const report = { internal_name: 'TOLD', status: 'shipped', shipment_no: 'SHIP-77', carrier: '黑貓' };
  assert.deepEqual(await advance([report, report]), Array(2).fill({ internal_name: 'TOLD', status: 'shipped' }));
  await unchanged(app, () => advance([report]));
  await unchanged(app, () => advance([{ internal_name: 'TOLD', status: 'shipped' }]));

  const owed = await owedFor(app, 'TOLD');
  assert.equal(owed.length, 1);
  const body = JSON.parse(owed[0]!.body);
  assert.deepEqual(
    [owed[0]!.event, owed[0]!.url, body.status, body.shipment_no, body.carrier, body.note],
    [...['order.shipped', callback_url, 'shipped', 'SHIP-77', '黑貓', 'Fragile']],
  );
  assert.deepEqual(
    body.products.map(({ sku, quantity, price }: Record<string, unknown>) => [sku, quantity, price]),
    [['CUP', 2, 10.5]],
  );
  await advance([{ internal_name: 'TOLD', status: 'delivered' }]);
  assert.deepEqual(
    (await owedFor(app, 'TOLD')).map(({ event }) => event),
    ['order.shipped', 'order.delivered'],
  );
});

test('shipped and delivered in one call, or at the same moment: the callback says that the order was shipped, and by whom', async () => {
  await bring(app, [{ sku: 'JUG', quantity: 6 }], live.apiKey);
  const names = ['BOTH-0', 'BOTH-1', 'BOTH-2', 'BOTH-3', 'BOTH-4', 'BOTH-5'];
  for (const name of names)
    await ship(app, name, [item('JUG', 1)], { callback_url: 'https://partner.example/' }, live.apiKey);
  const shipped = (internal_name: string) => ({
    ...{ internal_name, status: 'shipped', shipment_no: `J-${internal_name}`, carrier: 'first' },
  });
  const delivered = (internal_name: string) => ({ internal_name, status: 'delivered', carrier: 'last' });
  await advance([shipped('BOTH-0'), delivered('BOTH-0')]);
  await Promise.all(names.slice(1).flatMap((name) => [advance([shipped(name)]), advance([delivered(name)])]));
  for (const name of names) {
    const owed = await owedFor(app, name);
    const { event, status, carrier } = JSON.parse(owed[0]!.body);
    assert.deepEqual([event, status, carrier], ['order.shipped', 'shipped', 'first'], name);
    // A delivery that is reported before the shipment is refused.
    assert.deepEqual(
      owed.slice(1).map(({ event, sequence }) => [event, sequence]),
      name === 'BOTH-0' || owed.length > 1 ? [['order.delivered', 2]] : [],
      name,
    );
  }
});

test('each report has its own result, in the order sent; a refused one says why, and the others are done', async () => {
  await ordered('ONE', [['RICE', 1]]);
  await ordered('TWO', [['RICE', 1]]);
  await ordered('GONE', [['RICE', 1]]);
  await app.callMain('/orders/cancel', { outbound_short_ids: ['GONE'] }, { as: live });
  await ship(app, 'WAITS', [item('NEVER-THERE', 1)], {}, live.apiKey);

  assert.deepEqual(
    await advance([
      { outbound_short_id: 'ONE', status: 'packed', shipment_no: 'P-1' },
      { outbound_short_id: 'NOBODY', status: 'packed' },
      { internal_name: 'ONE', status: 'packed' },
      { outbound_short_id: 'ONE', status: 'picking' },
      { outbound_short_id: 'GONE', status: 'picking' },
      { internal_name: 'WAITS', status: 'in_warehouse' },
      { outbound_short_id: 'TWO', status: 'delivered' },
      { outbound_short_id: 'TWO', status: 'shipped' },
      { outbound_short_id: 'ONE', status: 'shipped' },
      { outbound_short_id: 'ONE', status: 'shipped', shipment_no: 'P-2' },
      { outbound_short_id: 'ONE', status: 'delivered', shipment_no: 'P-2' },
      { outbound_short_id: 'TWO', status: 'in_warehouse' },
    ]),
    [
      { outbound_short_id: 'ONE', status: 'packed' },
      { outbound_short_id: 'NOBODY', status: 'not_found' },
      { internal_name: 'ONE', status: 'not_found' },
      refused('ONE', 'the order is packed already; it cannot go back to picking'),
      refused('GONE', 'the order is cancelled'),
      { internal_name: 'WAITS', status: 'refused', code: 'too_early', message: 'the order waits for stock' },
      refused('TWO', 'the order is pending_warehouse_transfer; it must be shipped before it is delivered'),
      refused('TWO', 'shipment_no is missing: what is shipped has one'),
      { outbound_short_id: 'ONE', status: 'shipped' },
      refused('ONE', 'it was shipped with another shipment_no, which stays'),
      refused('ONE', 'it was shipped with another shipment_no, which stays'),
      { outbound_short_id: 'TWO', status: 'in_warehouse' },
    ],
  );
  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': 'ONE' }, live);
  assert.deepEqual([row!.status, row!.shipment_no], ['shipped', 'P-1']);
});

test('a shipment number may change until the order is shipped, and is found by it', async () => {
  await ordered('RELABEL', [['RICE', 1]]);
  await advance([{ outbound_short_id: 'RELABEL', status: 'packed', shipment_no: 'OLD' }]);
  await advance([{ outbound_short_id: 'RELABEL', status: 'packed', shipment_no: 'NEW' }]);
  await advance([{ outbound_short_id: 'RELABEL', status: 'shipped' }]);
  const found = await searchAll(app, lists.orders, { 'orders.shipment_no': ['OLD', 'NEW'] }, live);
  assert.deepEqual(
    found.map((row) => [row.outbound_short_id, row.shipment_no]),
    [['RELABEL', 'NEW']],
  );
});

test('an order of a UAT account stays in pending_warehouse_transfer, whatever is reported', async () => {
  await order(app, 'UAT-STAYS', [['TEA', 1]]);
  for (const status of ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered']) {
    const report = { outbound_short_id: 'UAT-STAYS', status, shipment_no: 'S' };
    const result = refused('UAT-STAYS', 'orders of a UAT account stay in pending_warehouse_transfer');
    assert.deepEqual(await unchanged(app, () => advance([report], alpha as typeof live)), [result]);
  }
  await assert.rejects(
    app.store.database.transaction(
      (tx) => tx`update orders set status = 'in_warehouse' where partner_number = 'UAT-STAYS'`,
    ),
    { code: '23514', message: /orders_uat_stays/ },
  );
});

test('orders of another account are not found, and nothing changes', async () => {
  await ordered('MINE', [['RICE', 1]]);
  const results = await unchanged(app, () =>
    advance([{ outbound_short_id: 'MINE', status: 'picking' }], beta as typeof live),
  );
  assert.deepEqual(results, [{ outbound_short_id: 'MINE', status: 'not_found' }]);
});

test('a hundred reports are accepted in one call', async () => {
  const outbound_short_id = await ordered('HUNDRED', [['RICE', 1]]);
  const reports = Array(100).fill({ outbound_short_id, status: 'shipped', shipment_no: 'H' });
  assert.deepEqual(await advance(reports), Array(100).fill({ outbound_short_id, status: 'shipped' }));
});

test('after all of it the books are in order', () => assertBooksInOrder(app));
