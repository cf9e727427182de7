import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { packingOpen, packingScan, packingShip } from '../../contract/console/packing.ts';
import { pickingBatch, pickingShort } from '../../contract/console/picking.ts';
import { stockSearch } from '../../contract/console/stock.ts';
import { columns, startConsole } from '../support/console.ts';
import { beginCount } from '../support/counting.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, unchanged } from '../support/logistics.ts';
import { lists, searchAll } from '../support/main.ts';
import { scanOf, shipAfter, shippedText } from '../support/packing.ts';
import { claimed, finish, ordered, scan } from '../support/picking.ts';
import { assertAuditClean } from '../support/purge.ts';
import { receive } from '../support/warehouse.ts';

// Orders that leave a pick batch without some of their units.

const { app, staff } = await startConsole();
await provisionLive(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
app.clock.set(new Date('2026-11-18T04:00:00Z'));

/** An order of five units: two of an early lot, which is empty, and three of a lot without a date. */
async function pickedShort(sku: string): Promise<{ orderId: number; batchId: number }> {
  await receive(
    app,
    {
      [sku]: [
        ['2030-01-01', 2],
        [null, 10],
      ],
    },
    live,
  );
  const orderId = await ordered(app, `ORDER-${sku}`, [[sku, 5]]);
  const batchId = await claimed(staff, [orderId]);
  const { lines } = await staff.ask(pickingBatch, { batch_id: batchId });
  const { lot_id } = lines.find(({ expire_date }) => expire_date === '2030-01-01')!;
  const missing = { batch_id: batchId, scan_id: randomUUID(), account_no: live.accountNo, lot_id };
  const answer = await staff.ask(pickingShort, { ...missing, reason: 'not_found', remedy: 'ship_short' });
  assert.equal(answer.kind, 'short');
  await scan(staff, batchId, sku, 3);
  return { orderId, batchId };
}

/** The date, units on hand and locked units of each lot. */
async function lotsOf(sku_id: string) {
  const { rows } = await staff.ask(stockSearch, { accounts: [live.accountNo], sku_id });
  return columns(rows, 'expire_date', 'on_hand', 'locked');
}

async function shippedOf(sku: string) {
  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': [`ORDER-${sku}`] }, live);
  const parcels = row!.parcels as { shipment_no: string; items: { sku_id: string; qty: number }[] }[];
  return [row!.status, row!.short, parcels.map(({ shipment_no, items }) => [shipment_no, ...columns(items, 'qty')])];
}

test('packing needs the units that were found; the order leaves in two parcels with the lot in which they were', async () => {
  const { orderId, batchId } = await pickedShort('TEA');
  await finish(staff, batchId);
  const opened = await staff.ask(packingOpen, { number: `${batchId}-1` });
  assert.deepEqual(opened.kind === 'found' && columns(opened.order.lines, 'sku_id', 'qty', 'packed'), [['TEA', 3, 0]]);

  const put = (parcel_no: number, times: number) =>
    staff.ask(packingScan, scanOf(orderId, 'TEA', { parcel_no, times }));
  const surplus = await unchanged(app, () => put(1, 4));
  assert.deepEqual(surplus.kind === 'surplus' && surplus.left, 3);
  assert.equal((await put(1, 1)).order.status, 'picking');
  const last = await put(2, 2);
  assert.deepEqual([last.order.status, last.order.is_complete], ['packed', true]);

  const shipments = [1, 2].map((parcel_no) => ({ parcel_no, shipment_no: `90123016050${parcel_no}` }));
  assert.equal((await staff.ask(packingShip, { order_id: orderId, shipments, confirmed: [] })).kind, 'planned');
  assert.equal(await shipAfter(app, 11), shippedText(1));
  assert.deepEqual(await shippedOf('TEA'), [
    'shipped',
    [{ sku_id: 'TEA', qty: 2 }],
    [
      ['901230160501', [1]],
      ['901230160502', [2]],
    ],
  ]);
  assert.deepEqual(await lotsOf('TEA'), [
    ['2030-01-01', 2, 0],
    [null, 7, 0],
  ]);
});

test('an order that was packed without scans leaves with the units that were found', async () => {
  const { orderId, batchId } = await pickedShort('CUP');
  await finish(staff, batchId);
  const shipments = [{ parcel_no: 1, shipment_no: '901230160503' }];
  const asked = { order_id: orderId, shipments, confirmed: ['skipped' as const] };
  assert.equal((await staff.ask(packingShip, asked)).kind, 'planned');
  assert.equal(await shipAfter(app, 11), shippedText(1));
  assert.deepEqual(await shippedOf('CUP'), ['shipped', [{ sku_id: 'CUP', qty: 2 }], [['901230160503', [3]]]]);
  assert.deepEqual(await lotsOf('CUP'), [
    ['2030-01-01', 2, 0],
    [null, 7, 0],
  ]);
});

test('missing units stay missing when the order leaves before its batch has ended', async () => {
  const { orderId } = await pickedShort('BAG');
  const shipments = [{ parcel_no: 1, shipment_no: '901230160505' }];
  const asked = { order_id: orderId, shipments, confirmed: ['skipped' as const] };
  assert.equal((await staff.ask(packingShip, asked)).kind, 'planned');
  assert.equal(await shipAfter(app, 11), shippedText(1));
  assert.deepEqual(await shippedOf('BAG'), ['shipped', [{ sku_id: 'BAG', qty: 2 }], [['901230160505', [3]]]]);
});

test('missing units stay missing when the order is packed before its batch has ended', async () => {
  const { orderId, batchId } = await pickedShort('BOX');
  const packed = await staff.ask(packingScan, scanOf(orderId, 'BOX', { times: 3 }));
  assert.deepEqual([packed.order.status, packed.order.is_complete], ['packed', true]);
  assert.deepEqual(await finish(staff, batchId), { kind: 'finished', picked: 0, left: 1 });
  const count = await beginCount(app, staff, ['BOX']);
  await count.enter(staff, 'BOX', 2, { expire_date: '2030-01-01' });
  assert.equal((await count.line(staff, 'BOX', '2030-01-01')).expected, 2);

  const shipments = [{ parcel_no: 1, shipment_no: '901230160506' }];
  assert.equal((await staff.ask(packingShip, { order_id: orderId, shipments, confirmed: [] })).kind, 'planned');
  assert.equal(await shipAfter(app, 11), shippedText(1));
  assert.deepEqual(await shippedOf('BOX'), ['shipped', [{ sku_id: 'BOX', qty: 2 }], [['901230160506', [3]]]]);
  assert.deepEqual(await lotsOf('BOX'), [
    ['2030-01-01', 2, 0],
    [null, 7, 0],
  ]);
});

test('units in the slots of a batch are not on the shelf; missing ones are, until a count books them', async () => {
  const { orderId, batchId } = await pickedShort('POT');
  const shelf = async () => {
    const count = await beginCount(app, staff, ['POT']);
    const seen: (number | null)[][] = [];
    for (const expire_date of ['2030-01-01', null]) {
      await count.enter(staff, 'POT', 1, { expire_date });
      const { expected, off_shelf } = await count.line(staff, 'POT', expire_date);
      seen.push([expected, off_shelf]);
    }
    return seen;
  };
  const early = [2, 0];
  assert.deepEqual(await shelf(), [early, [7, 3]]);
  await finish(staff, batchId);
  assert.deepEqual(await shelf(), [early, [7, 3]]);
  await staff.ask(packingScan, scanOf(orderId, 'POT', { times: 3 }));
  assert.deepEqual(await shelf(), [early, [7, 3]]);

  const count = await beginCount(app, staff, ['POT']);
  await count.enter(staff, 'POT', 7, { expire_date: null });
  const shipments = [{ parcel_no: 1, shipment_no: '901230160504' }];
  assert.equal((await staff.ask(packingShip, { order_id: orderId, shipments, confirmed: [] })).kind, 'planned');
  assert.equal(await shipAfter(app, 11), shippedText(1));
  const after = await count.line(staff, 'POT', null);
  assert.deepEqual([after.expected, after.difference, after.moved], [7, 0, false]);
  assert.equal((await count.book(staff)).kind, 'booked');
  assert.deepEqual(await lotsOf('POT'), [
    ['2030-01-01', 2, 0],
    [null, 7, 0],
  ]);
});

test('slots without an order open nothing, and after all this the audit is clean', async () => {
  const { batchId } = await pickedShort('GEM');
  const kindOf = async (number: string) => (await staff.ask(packingOpen, { number })).kind;
  assert.deepEqual(
    [await kindOf(`${batchId}-1`), await kindOf(`${batchId}-2`), await kindOf('999999-1')],
    ['found', 'not_found', 'not_found'],
  );
  await finish(staff, batchId);
  await assertBooksInOrder(app);
  await assertAuditClean(app);
});
