import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderHold, orderRelease } from '../../contract/console/order-changes.ts';
import { type NamedOrder, orderCancel, orderDetail } from '../../contract/console/orders.ts';
import {
  packingEmpty,
  packingOpen,
  packingPlanned,
  packingScan,
  packingShip,
  packingUndo,
} from '../../contract/console/packing.ts';
import { alpha } from '../support/app.ts';
import { actionsOf, columns, startConsole } from '../support/console.ts';
import { live } from '../support/live.ts';
import { assertBooksInOrder, item, owedFor, ship, unchanged } from '../support/logistics.ts';
import type { Row } from '../support/main.ts';
import { carton, ean, orderIdOf, provisionPacking, scanOf, shipAfter, shippedText } from '../support/packing.ts';
import { order, orderRow, receive } from '../support/warehouse.ts';

const { app, staff } = await startConsole();
await provisionPacking(app);
app.clock.set(new Date('2026-11-18T04:00:00Z'));

async function ordered(number: string, ...lines: [string, number][]): Promise<number> {
  await order(app, number, lines, live);
  return await orderIdOf(app, number);
}

const scan = (orderId: number, code: string, other: { parcel_no?: number; times?: number } = {}) =>
  staff.ask(packingScan, scanOf(orderId, code, other));
const statusOf = async (number: string) => (await orderRow(app, number))!.status;
const parcel = (shipment_no: string, parcel_no = 1) => ({ parcel_no, shipment_no });
const label = (place: number) => `9012301605${place}`;

async function packed(number: string): Promise<number> {
  const orderId = await ordered(number, ['TEA', 1]);
  await scan(orderId, ean);
  return orderId;
}

const plan = (order_id: number, shipment_no: string, confirmed: ('repeated' | 'format' | 'skipped' | 'short')[] = []) =>
  staff.ask(packingShip, { order_id, shipments: [parcel(shipment_no)], confirmed });
const undo = async (...order_ids: number[]) =>
  (await staff.ask(packingUndo, { order_ids })).results as (NamedOrder & { kind: string; status?: string })[];

test('items count down by barcode, carton code and sku; the last one makes the order packed', async () => {
  const orderId = await ordered('PACK-1', ['TEA', 14], ['CUP', 2]);
  const opened = await staff.ask(packingOpen, { number: 'PACK-1' });
  assert.equal(opened.kind, 'found');
  const answers = [await scan(orderId, carton), await scan(orderId, ean), await scan(orderId, 'CUP', { times: 2 })];
  assert.deepEqual(columns(answers as Row[], 'kind', 'sku_id', 'qty', 'is_complete'), [
    ['packed', 'TEA', 12, false],
    ['packed', 'TEA', 1, false],
    ['packed', 'CUP', 2, false],
  ]);
  assert.equal(await statusOf('PACK-1'), 'pending_warehouse_transfer');
  const last = await scan(orderId, 'TEA');
  assert.equal(last.kind === 'packed' && last.is_complete, true);
  assert.deepEqual(columns(last.order.lines, 'sku_id', 'qty', 'packed'), [
    ['TEA', 14, 14],
    ['CUP', 2, 2],
  ]);
  assert.deepEqual([last.order.status, last.order.is_complete], ['packed', true]);
  const { timeline } = await staff.ask(orderDetail, { order_id: orderId });
  const steps = timeline.filter((entry) => entry.kind === 'state' && entry.event === 'pack');
  assert.deepEqual(columns(steps as object[] as Row[], 'actor'), [['operator packer']]);
  assert.equal((await actionsOf(app, 'packing/scan')).length, 4);
});

test('a wrong item, a surplus unit and an unknown code change nothing', async () => {
  const orderId = await ordered('PACK-2', ['TEA', 3], ['CUP', 1]);
  await scan(orderId, 'CUP');
  const before = await staff.ask(packingOpen, { number: 'PACK-2' });
  const refused = [
    await scan(orderId, 'POT'),
    await scan(orderId, carton),
    await scan(orderId, 'CUP'),
    await scan(orderId, 'TEA', { times: 4 }),
    await scan(orderId, 'NO-SUCH'),
  ];
  assert.deepEqual(
    refused.map(({ order, ...answer }) => answer),
    [
      { kind: 'wrong', sku_id: 'POT' },
      { kind: 'surplus', sku_id: 'TEA', qty: 12, left: 3 },
      { kind: 'surplus', sku_id: 'CUP', qty: 1, left: 0 },
      { kind: 'surplus', sku_id: 'TEA', qty: 4, left: 3 },
      { kind: 'unknown' },
    ],
  );
  assert.deepEqual(await staff.ask(packingOpen, { number: 'PACK-2' }), before);
});

test('a scan that a phone repeats counts once, and another device finds the parcels by any number of the order', async () => {
  const orderId = await ordered('PACK-3', ['TEA', 5]);
  const body = scanOf(orderId, ean, { times: 2 });
  const answers = [await staff.ask(packingScan, body), await staff.ask(packingScan, body)];
  assert.deepEqual(answers[0], answers[1]);
  const orderNo = String((await orderRow(app, 'PACK-3'))!.order_no);
  for (const number of ['PACK-3', orderNo]) {
    const found = await staff.ask(packingOpen, { number });
    assert.ok(found.kind === 'found');
    assert.deepEqual(found.order.parcels, [{ parcel_no: 1, units: [{ sku_id: 'TEA', qty: 2 }] }]);
  }
  assert.deepEqual(await staff.ask(packingOpen, { number: 'NO-SUCH' }), { kind: 'not_found' });
});

test('an emptied parcel is scanned again; a packed order stays packed', async () => {
  const orderId = await packed('PACK-4');
  const emptied = await staff.ask(packingEmpty, { order_id: orderId, parcel_no: 1 });
  assert.deepEqual([emptied.kind, emptied.order.parcels, emptied.order.status], ['emptied', [], 'packed']);
  const again = await scan(orderId, ean);
  assert.deepEqual([again.kind, again.order.is_complete], ['packed', true]);
});

test('orders of UAT accounts, on hold, cancelled, waiting or of a warehouse with a system are not packed', async () => {
  await receive(app, { BEAN: [['2030-01-01', 5]] }, alpha);
  await order(app, 'UAT-1', [['BEAN', 1]], alpha);
  await ship(app, 'WAITS', [item('NO-STOCK', 1)], {}, live.apiKey);
  const [held, cancelled] = [await ordered('HELD-1', ['TEA', 1]), await ordered('GONE-1', ['TEA', 1])];
  await staff.ask(orderHold, { order_ids: [held] });
  await staff.ask(orderCancel, { order_ids: [cancelled] });
  const ids = {
    uat: await orderIdOf(app, 'UAT-1'),
    awaiting_stock: await orderIdOf(app, 'WAITS'),
    held,
    cancelled,
  };
  await unchangedOrders(async () => {
    for (const [why, orderId] of Object.entries(ids)) {
      for (const answer of [await scan(orderId, 'TEA'), await plan(orderId, label(10), ['skipped', 'format'])])
        assert.deepEqual(answer.kind === 'not_workable' && answer.why, why, why);
    }
  });
  await staff.ask(orderRelease, { order_ids: [held] });
  const system = { warehouse_no: 1, name: '桃園', connector: { type: 'simulator' as const } };
  await app.provision({ warehouses: [system] });
  const other = await scan(held, 'TEA');
  assert.deepEqual(other.kind === 'not_workable' && other.why, 'other_warehouse');
  await app.provision({ warehouses: [{ ...system, connector: { type: 'manual' } }] });
  assert.equal((await scan(held, 'TEA')).kind, 'packed');
});

/** Nothing is packed, planned or moved. */
async function unchangedOrders(work: () => Promise<void>): Promise<void> {
  await unchanged(app, work);
  assert.deepEqual((await staff.ask(packingPlanned, {})).rows, []);
}

test('several parcels leave with a label each, after ten seconds and in one report', async () => {
  const orderId = await ordered('BOX-1', ['TEA', 3], ['CUP', 1]);
  await scan(orderId, ean, { times: 2 });
  await scan(orderId, ean, { parcel_no: 2 });
  await scan(orderId, 'CUP', { parcel_no: 2 });
  const ask = (shipments: ReturnType<typeof parcel>[]) =>
    staff.ask(packingShip, { order_id: orderId, shipments, confirmed: [] });
  assert.deepEqual(await ask([parcel(label(21))]), { kind: 'parcels_changed' });
  assert.deepEqual(await ask([parcel(label(21)), parcel(label(21), 2)]), { kind: 'number_twice' });
  const shipments = [parcel(label(21)), parcel(label(22), 2)];
  const planned = { kind: 'planned', undo_seconds: 10 };
  assert.deepEqual([await ask(shipments), await ask(shipments)], [planned, planned]);
  assert.deepEqual(await ask([parcel(label(23)), parcel(label(22), 2)]), { kind: 'other_plan' });
  assert.equal((await scan(orderId, 'POT')).kind, 'not_workable');

  assert.equal(await shipAfter(app, 9), shippedText(0));
  assert.deepEqual([await statusOf('BOX-1'), await leftWith(orderId)], ['packed', []]);
  assert.equal(await shipAfter(app, 10), shippedText(1));
  assert.equal(await statusOf('BOX-1'), 'shipped');
  assert.deepEqual(await leftWith(orderId), [
    [label(21), 'TEA', 2],
    [label(22), 'CUP', 1],
    [label(22), 'TEA', 1],
  ]);
  assert.equal(await shipAfter(app, 60), shippedText(0));
  const { timeline } = await staff.ask(orderDetail, { order_id: orderId });
  const steps = timeline.filter((entry) => entry.kind === 'state' && entry.event === 'ship');
  assert.deepEqual(columns(steps as object[] as Row[], 'actor'), [['operator packer']]);
  await assertBooksInOrder(app);
});

async function leftWith(orderId: number): Promise<unknown[][]> {
  const rows = await app.store.database.read(
    (sql) => sql`
      select shipment_no, sku_id, qty from parcel join parcel_item using (account_id, order_id, parcel_no)
      join lot using (account_id, lot_id) where order_id = ${orderId} order by parcel_no, sku_id`,
  );
  return columns<Row>([...rows], 'shipment_no', 'sku_id', 'qty');
}

test('an undone shipment leaves nothing behind, and after the job it is too late', async () => {
  await ship(app, 'UNDO-1', [item('POT', 1)], { callback_url: 'https://partner.example/orders' }, live.apiKey);
  const orderId = await orderIdOf(app, 'UNDO-1');
  await scan(orderId, 'POT');
  await plan(orderId, 'UNDO-A');
  const { rows } = await staff.ask(packingPlanned, {});
  assert.deepEqual(columns(rows, 'partner_number', 'shipment_nos', 'planned_by', 'is_own', 'undo_seconds', 'refusal'), [
    ['UNDO-1', ['UNDO-A'], 'operator packer', true, 10, null],
  ]);
  for (let repeat = 0; repeat < 2; repeat++) assert.deepEqual(columns(await undo(orderId), 'kind'), [['undone']]);
  assert.equal(await shipAfter(app, 60), shippedText(0));
  assert.deepEqual([await statusOf('UNDO-1'), await owedFor(app, 'UNDO-1')], ['packed', []]);

  await plan(orderId, 'UNDO-B');
  assert.equal(await shipAfter(app, 60), shippedText(1));
  assert.deepEqual(columns(await undo(orderId), 'kind', 'status'), [['too_late', 'shipped']]);
  assert.deepEqual((await orderRow(app, 'UNDO-1'))!.shipment_no, 'UNDO-B');
  assert.deepEqual(columns(await owedFor(app, 'UNDO-1'), 'event'), [['order.shipped']]);
});

test('a number in use, of another form, an order that is not packed and missing units each need a confirmation', async () => {
  const [first, second] = [await packed('ASK-1'), await packed('ASK-2')];
  await plan(first, label(31));
  const others = [{ order_id: first, account_no: 'LIVE', partner_number: 'ASK-1', status: 'packed' }];
  const asked = { kind: 'confirm', warnings: [{ kind: 'repeated', shipment_no: label(31), others }] };
  assert.deepEqual(await plan(second, label(31)), asked);
  assert.deepEqual(await plan(second, label(31), ['format', 'skipped']), asked);
  await shipAfter(app, 10);
  assert.equal((await plan(second, label(31))).kind, 'confirm');

  assert.deepEqual(await plan(second, '123'), {
    kind: 'confirm',
    warnings: [{ kind: 'format', shipment_no: '123', carrier: 'tcat', digits: 12 }],
  });
  const third = await ordered('ASK-3', ['TEA', 2], ['CUP', 1]);
  await scan(third, ean);
  const warnings = [
    { kind: 'skipped', status: 'pending_warehouse_transfer' },
    { kind: 'short', units: 2 },
  ];
  assert.deepEqual(await plan(third, label(32)), { kind: 'confirm', warnings });
  assert.deepEqual(await plan(third, label(32), ['skipped']), { kind: 'confirm', warnings });
  assert.deepEqual(await shipAfter(app, 60), shippedText(0));

  assert.equal((await plan(second, label(31), ['repeated'])).kind, 'planned');
  assert.equal((await plan(third, label(32), ['skipped', 'short'])).kind, 'planned');
  assert.equal(await shipAfter(app, 60), shippedText(2));
  assert.deepEqual([await statusOf('ASK-2'), await statusOf('ASK-3')], ['shipped', 'shipped']);
  assert.deepEqual(await leftWith(third), [[label(32), 'TEA', 1]]);
  await assertBooksInOrder(app);
});

test('an order that was packed without scans leaves in one parcel with all its units', async () => {
  const orderId = await ordered('BLIND-1', ['TEA', 2], ['CUP', 1]);
  assert.equal((await plan(orderId, label(41), ['skipped'])).kind, 'planned');
  assert.equal(await shipAfter(app, 10), shippedText(1));
  assert.deepEqual(await leftWith(orderId), [
    [label(41), 'CUP', 1],
    [label(41), 'TEA', 2],
  ]);
});

test('scanned units are forgotten when the main API ships the order, and kept while a part of it stays', async () => {
  const orderId = await ordered('API-1', ['TEA', 2], ['CUP', 1]);
  for (const code of [ean, ean, 'CUP']) await scan(orderId, code);
  const scans = () =>
    app.store.database
      .read((sql) => sql`select qty from packed_unit where order_id = ${orderId}`)
      .then(({ length }) => length);
  const advance = (report: object) =>
    app.callMain('/fulfilment/advance', { orders: [{ outbound_short_id: 'API-1', ...report }] }, { as: live });
  const parcels = [{ shipment_no: label(61), items: [{ sku_id: 'CUP', qty: 1 }] }];
  await advance({ status: 'partially_shipped', parcels });
  assert.deepEqual([await statusOf('API-1'), await scans()], ['partially_shipped', 3]);
  await advance({ status: 'shipped', shipment_no: label(62) });
  assert.deepEqual([await statusOf('API-1'), await scans()], ['shipped', 0]);
});

test('an order that was held or cancelled meanwhile, or whose number was used meanwhile, does not leave; the plan says why', async () => {
  const [held, cancelled, late] = [
    await ordered('LATE-1', ['TEA', 1]),
    await ordered('LATE-2', ['TEA', 1]),
    await packed('LATE-3'),
  ];
  await plan(held, label(51), ['skipped']);
  await plan(cancelled, label(52), ['skipped']);
  await plan(late, label(53));
  await staff.ask(orderHold, { order_ids: [held] });
  await staff.ask(orderCancel, { order_ids: [cancelled] });
  await order(app, 'LATE-4', [['TEA', 1]], live);
  const report = { outbound_short_id: 'LATE-4', status: 'shipped', shipment_no: label(53), carrier: '' };
  await app.callMain('/fulfilment/advance', { orders: [{ ...report, carrier: undefined }] }, { as: live });

  assert.equal(await shipAfter(app, 10), shippedText(0, 3));
  assert.equal(await shipAfter(app, 60), shippedText(0));
  const { rows } = await staff.ask(packingPlanned, {});
  assert.deepEqual(columns(rows, 'partner_number', 'refusal').toSorted(), [
    ['LATE-1', 'held'],
    ['LATE-2', 'cancelled'],
    ['LATE-3', 'repeated_shipment_no'],
  ]);
  assert.deepEqual(
    [await statusOf('LATE-1'), await statusOf('LATE-2'), await statusOf('LATE-3')],
    ['pending_warehouse_transfer', 'cancelled', 'packed'],
  );
  // A refused plan is replaced by the next one, or removed.
  assert.equal((await plan(late, label(54))).kind, 'planned');
  assert.equal(await shipAfter(app, 10), shippedText(1));
  assert.deepEqual(columns(await undo(held, cancelled), 'kind'), [['undone'], ['undone']]);
  assert.deepEqual((await staff.ask(packingPlanned, {})).rows, []);
  await assertBooksInOrder(app);
});
