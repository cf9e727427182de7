import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { live, provisionLive } from '../../support/live.ts';
import { assertBooksInOrder, bring, cancelShipping, item, orderStatus, owedFor, ship, unchanged } from '../../support/logistics.ts';
import { assertNotDone, lists, retvalOf, searchAll } from '../../support/main.ts';
import { createInbound, goodRow, order, stockOf, syncProducts } from '../../support/warehouse.ts';

const app = await startTestApp();
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
await syncProducts(app, ['TEA']);
await createInbound(app, 'IN-UAT', { TEA: [['2030-01-01', 10]] });

interface Result {
  outbound_short_id?: string;
  internal_name?: string;
  status: string;
  message?: string;
}

async function advance(orders: object[], as = live): Promise<Result[]> {
  return retvalOf<{ results: Result[] }>(await app.callMain('/fulfilment/advance', { orders }, { as })).results;
}

async function ordered(number: string, lines: [string, number][]): Promise<string> {
  await order(app, number, lines, live);
  return number;
}

test('a report moves the order on, step by step, and the timeline tells when, by whom and in which call', async () => {
  const outbound_short_id = await ordered('STEPS', [['RICE', 1]]);
  const traceIds: unknown[] = [];
  const steps = ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered'];
  for (const status of steps) {
    const report = { outbound_short_id, status, ...(status === 'packed' ? { shipment_no: 'TRACK-1', carrier: 'tcat' } : {}) };
    const answer = await app.callMain('/fulfilment/advance', { orders: [report] }, { as: live });
    assert.deepEqual(retvalOf(answer), { results: [{ outbound_short_id, status }] });
    traceIds.push(answer.headers['trace-id']);
  }

  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': outbound_short_id }, live);
  assert.deepEqual([row!.status, row!.shipment_no, row!.carrier], ['delivered', 'TRACK-1', 'tcat']);
  const [made, ...changes] = row!.timeline as Record<string, unknown>[];
  assert.deepEqual([made!.event, made!.to, made!.at, made!.by], ['create', 'pending_warehouse_transfer', row!.created_at, 'LIVE']);
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

test('a logistics order’s partner is told order.shipped with shipment number and carrier, once, however often it is reported', async () => {
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
  assert.equal((await owedFor(app, 'TOLD')).length, 1);
});

test('shipped and delivered in one call, or at the same moment: the partner is told that it was shipped, and by whom', async () => {
  await bring(app, [{ sku: 'JUG', quantity: 6 }], live.apiKey);
  const names = ['BOTH-0', 'BOTH-1', 'BOTH-2', 'BOTH-3', 'BOTH-4', 'BOTH-5'];
  for (const name of names) await ship(app, name, [item('JUG', 1)], { callback_url: 'https://partner.example/' }, live.apiKey);
  const shipped = (internal_name: string) => ({ internal_name, status: 'shipped', shipment_no: 'J', carrier: 'first' });
  const delivered = (internal_name: string) => ({ internal_name, status: 'delivered', carrier: 'last' });
  await advance([shipped('BOTH-0'), delivered('BOTH-0')]);
  await Promise.all(names.slice(1).flatMap((name) => [advance([shipped(name)]), advance([delivered(name)])]));
  for (const name of names) {
    const owed = await owedFor(app, name);
    const { event, status, carrier } = JSON.parse(owed[0]!.body);
    assert.deepEqual([owed.length, event, status, carrier], [1, 'order.shipped', 'shipped', 'first'], name);
  }
});

test('each report has its own result, in the order sent; what is refused says why and holds up nobody', async () => {
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
      { outbound_short_id: 'ONE', status: 'refused', message: 'the order is packed already; it cannot go back to picking' },
      { outbound_short_id: 'GONE', status: 'refused', message: 'the order is cancelled' },
      { internal_name: 'WAITS', status: 'refused', message: 'the order waits for stock' },
      {
        outbound_short_id: 'TWO',
        status: 'refused',
        message: 'the order is pending_warehouse_transfer; it must be shipped before it is delivered',
      },
      { outbound_short_id: 'TWO', status: 'refused', message: 'shipment_no is missing: what is shipped has one' },
      { outbound_short_id: 'ONE', status: 'shipped' },
      { outbound_short_id: 'ONE', status: 'refused', message: 'it was shipped with another shipment_no, which stays' },
      { outbound_short_id: 'ONE', status: 'refused', message: 'it was shipped with another shipment_no, which stays' },
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
    const message = 'orders of a UAT account stay in pending_warehouse_transfer';
    assert.deepEqual(await unchanged(app, () => advance([report], alpha as typeof live)), [
      { outbound_short_id: 'UAT-STAYS', status: 'refused', message },
    ]);
  }
  await assert.rejects(
    app.store.database.transaction((tx) => tx`update orders set status = 'in_warehouse' where partner_number = 'UAT-STAYS'`),
    /is of a UAT account and cannot be in_warehouse/,
  );
});

test('orders of another account are not found, and stay', async () => {
  await ordered('MINE', [['RICE', 1]]);
  assert.deepEqual(await unchanged(app, () => advance([{ outbound_short_id: 'MINE', status: 'picking' }], beta as typeof live)), [
    { outbound_short_id: 'MINE', status: 'not_found' },
  ]);
});

test('what has been shipped cannot be cancelled', async () => {
  await bring(app, [{ sku: 'BOWL', quantity: 1 }], live.apiKey);
  await ship(app, 'BACK', [item('BOWL', 1)], {}, live.apiKey);
  await advance([{ internal_name: 'BACK', status: 'shipped', shipment_no: 'B1' }]);
  assert.deepEqual(await unchanged(app, () => cancelShipping(app, ['BACK'], live)), [
    { internal_name: 'BACK', status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' },
  ]);
  assert.equal(await orderStatus(app, 'BACK', live.accountNo), 'shipped');
});

test('a hundred reports in one call; one hundred and one are refused', async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => `HUNDRED-${index}`);
  for (const number of numbers) await ordered(number, [['RICE', 1]]);
  const reports = numbers.map((outbound_short_id) => ({ outbound_short_id, status: 'shipped', shipment_no: `H-${outbound_short_id}` }));
  assert.deepEqual(
    await advance(reports),
    numbers.map((outbound_short_id) => ({ outbound_short_id, status: 'shipped' })),
  );
  const body = { orders: [...reports, reports[0]] };
  await unchanged(app, async () =>
    assertNotDone(await app.callMain('/fulfilment/advance', body, { as: live }), { msg: 'orders must not have more than 100 items' }),
  );
});

for (const [name, orders, msg] of [
  ['no orders', [], 'orders must not have fewer than 1 items'],
  ['neither name', [{ status: 'packed' }], 'orders[0].outbound_short_id is missing, or internal_name'],
  [
    'both names',
    [{ outbound_short_id: 'ONE', internal_name: 'ONE', status: 'packed' }],
    'orders[0].internal_name must not be given as well',
  ],
  [
    'a state that nobody reports',
    [{ outbound_short_id: 'ONE', status: 'cancelled' }],
    'orders[0].status must be one of in_warehouse, picking, packed, shipped, delivered',
  ],
  ['no state', [{ outbound_short_id: 'ONE' }], 'orders[0].status is missing'],
  [
    'a blank shipment number',
    [{ outbound_short_id: 'ONE', status: 'shipped', shipment_no: ' ' }],
    'orders[0].shipment_no must be 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end',
  ],
] as [string, object[], string][]) {
  test(`refused as a whole, and nothing changes: ${name}`, async () => {
    await unchanged(app, async () => assertNotDone(await app.callMain('/fulfilment/advance', { orders }, { as: live }), { msg }));
  });
}

test('without the permission fulfilment.write it is 403', async () => {
  await app.provision({
    clients: [{ client_id: 'reader', check_value: 'reader-check', account_no: live.accountNo, permissions: ['orders.read'] }],
  });
  const as = { clientId: 'reader', checkValue: 'reader-check' };
  const answer = await app.callMain('/fulfilment/advance', { orders: [{ outbound_short_id: 'ONE', status: 'packed' }] }, { as });
  assertNotDone(answer, { status: 403 });
});

test('after all of it the books are in order', () => assertBooksInOrder(app));
