import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { BodyOf } from '../../contract/console/console-call.ts';
import { orderHold, orderRelease } from '../../contract/console/order-changes.ts';
import { orderDetail } from '../../contract/console/orders.ts';
import {
  type PickBatch,
  pickingBatch,
  pickingClaim,
  pickingConfirm,
  pickingQueue,
  pickingShort,
} from '../../contract/console/picking.ts';
import { systemPushNow } from '../../contract/console/system.ts';
import { alpha } from '../support/app.ts';
import { actionsOf, columns, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { unchanged } from '../support/logistics.ts';
import { lists, retvalOf, searchAll } from '../support/main.ts';
import { shipNow } from '../support/packing.ts';
import { claimed, finish, labelled, ordered, other, pickAll, provisionOther, scan } from '../support/picking.ts';
import { assertAuditClean } from '../support/purge.ts';
import { type Lines, order, orderRow, receive } from '../support/warehouse.ts';

const { app, admin, staff } = await startConsole();
await provisionLive(app);
await provisionOther(app);
await receive(
  app,
  {
    TEA: [
      ['2030-01-01', 5],
      ['2031-01-01', 500],
    ],
    CUP: [[null, 500]],
    ICE: [['2030-06-01', 500]],
  },
  live,
);
await receive(app, { CUP: [[null, 500]] }, other);
const sync = { sku_id: 'ICE', sku_name: 'Ice cream', storage_type: 3 };
await app.callWarehouse('/product/sync', sync, live);
await labelled(app, 'TEA', { location: 'A-10', ean: '4710000000017', carton: ['CARTON-TEA', 12] });
await labelled(app, 'CUP', { location: 'A-2' });

async function statusOf(number: string): Promise<unknown> {
  return (await orderRow(app, number))!.status;
}

const batchOf = (batch_id: number) => staff.ask(pickingBatch, { batch_id });
const waitingOf = async () => (await staff.ask(pickingQueue, {})).warehouses.map(({ waiting }) => waiting);
const linesOf = ({ lines }: PickBatch) =>
  lines.map(({ location, sku_id, expire_date, slots }) => [
    `${location} ${sku_id} ${expire_date}`,
    slots.map(({ slot, qty, picked, short }) => `${slot}: ${picked}/${qty}${short > 0 ? ` -${short}` : ''}`).join(', '),
  ]);
const ordersOf = ({ orders }: PickBatch) => columns(orders, 'slot', 'partner_number', 'state', 'reason');

/** The units that the orders of a batch have locked, and those of its tasks. */
async function assertAgreesWithLedger(batch_id: number): Promise<void> {
  const rows = await app.store.database.read(
    (sql) => sql`
      select order_id, lot_id, sum(tasks)::int as tasks, sum(locked)::int as locked from (
        select order_id, lot_id, qty as tasks, 0 as locked from pick_task where batch_id = ${batch_id}
        union all
        select order_id, lot_id, 0, locked_delta from movement where order_id in (select order_id from pick_task where batch_id = ${batch_id})
      ) both_sides group by order_id, lot_id having sum(tasks) <> sum(locked)`,
  );
  assert.deepEqual([...rows], []);
}

test('the queue counts orders by carrier and temperature; the next ones become a list in walking order with a slot per order', async () => {
  await ordered(app, 'Q-1', [
    ['TEA', 4],
    ['CUP', 1],
  ]);
  await ordered(app, 'Q-2', [['TEA', 3]]);
  await ordered(app, 'Q-3', [['ICE', 1]]);
  await ordered(app, 'Q-4', [['CUP', 2]], { caller: other, logistics_type: 'csvs', express_type: 'pcsc' });
  await ordered(app, 'Q-5', [
    ['ICE', 1],
    ['CUP', 1],
  ]);
  const { warehouses, batches } = await staff.ask(pickingQueue, {});
  assert.deepEqual(columns(warehouses, 'warehouse_no', 'name', 'waiting'), [[1, 'Taoyuan', 5]]);
  assert.deepEqual(columns(warehouses[0]!.groups, 'express_type', 'temperature', 'waiting'), [
    ['tcat', 'ambient', 2],
    ['tcat', 'frozen', 1],
    ['pcsc', 'ambient', 1],
    ['tcat', 'mixed', 1],
  ]);
  assert.equal(warehouses[0]!.oldest_at, warehouses[0]!.groups[0]!.oldest_at);
  assert.deepEqual(batches, []);

  const frozen = { claim_id: randomUUID(), warehouse_no: 1, express_type: 'tcat', temperature: 'frozen' };
  const first = await staff.ask(pickingClaim, frozen);
  assert.deepEqual([first.kind, first.kind === 'claimed' && first.orders], ['claimed', 1]);
  const next = await staff.ask(pickingClaim, { claim_id: randomUUID(), warehouse_no: 1, count: 3 });
  assert.ok(next.kind === 'claimed');
  const batch = await batchOf(next.batch_id);
  assert.deepEqual(ordersOf(batch), [
    [1, 'Q-1', 'open', null],
    [2, 'Q-2', 'open', null],
    [3, 'Q-4', 'open', null],
  ]);
  // A-2 comes before A-10, and the lots are those that the orders have locked.
  assert.deepEqual(linesOf(batch), [
    ['A-2 CUP null', '1: 0/1'],
    ['A-10 TEA 2030-01-01', '1: 0/4, 2: 0/1'],
    ['A-10 TEA 2031-01-01', '2: 0/2'],
    ['null CUP null', '3: 0/2'],
  ]);
  await assertAgreesWithLedger(next.batch_id);
  assert.deepEqual(await waitingOf(), [1]);
  const open = (await staff.ask(pickingQueue, {})).batches;
  assert.deepEqual(columns(open, 'created_by', 'orders', 'units', 'done'), [
    ['packer', 1, 1, 0],
    ['packer', 3, 10, 0],
  ]);

  await pickAll(staff, next.batch_id);
  await finish(staff, next.batch_id);
  if (first.kind === 'claimed') await finish(staff, first.batch_id, true);
  assert.deepEqual(await waitingOf(), [2]);
});

test('a claim is repeatable; orders that are claimed, held, in a test account or of another warehouse are left out', async () => {
  const [one, two, held] = [
    await ordered(app, 'C-1', [['CUP', 1]]),
    await ordered(app, 'C-2', [['CUP', 1]]),
    await ordered(app, 'C-3', [['CUP', 1]]),
  ];
  await receive(app, { CUP: [[null, 5]] }, alpha);
  await order(app, 'C-UAT', [['CUP', 1]], alpha);
  const uat = Number((await orderRow(app, 'C-UAT'))!.order_id);
  await staff.ask(orderHold, { order_ids: [held] });
  await claimed(admin, [two]);
  const body = { claim_id: randomUUID(), warehouse_no: 1, order_ids: [one, two, held, uat] };
  const answer = await staff.ask(pickingClaim, body);
  assert.ok(answer.kind === 'claimed');
  assert.deepEqual([answer.orders, answer.left_out], [1, [two, held, uat]]);
  await unchanged(app, async () => assert.deepEqual(await staff.ask(pickingClaim, body), answer));
  const again = { ...body, claim_id: randomUUID() };
  await unchanged(app, async () => assert.deepEqual(await staff.ask(pickingClaim, again), { kind: 'nothing' }));

  await app.provision({ warehouses: [{ warehouse_no: 2, name: 'Robots', connector: { type: 'simulator' } }] });
  const elsewhere = { ...again, warehouse_no: 2 };
  await unchanged(app, async () => assert.deepEqual(await staff.ask(pickingClaim, elsewhere), { kind: 'not_manual' }));
  assert.deepEqual((await actionsOf(app, 'picking/claim')).at(-1), {
    ...{ username: 'packer', subject: 'warehouse 2', outcome: 'not_manual' },
    details: { order_ids: [one, two, held, uat] },
  });
  await staff.ask(orderRelease, { order_ids: [held] });
});

test('a scan of a sku, EAN or carton fills slots in order; a wrong, unknown or surplus one changes nothing', async () => {
  const ids = [
    await ordered(app, 'S-1', [['TEA', 10]]),
    await ordered(app, 'S-2', [
      ['TEA', 4],
      ['CUP', 2],
    ]),
    await ordered(app, 'S-3', [['CUP', 1]], { caller: other }),
  ];
  const batch_id = await claimed(staff, ids);
  const carton = await scan(staff, batch_id, 'CARTON-TEA');
  assert.ok(carton.kind === 'confirmed');
  assert.deepEqual(
    [carton.units, carton.put, carton.remaining],
    [
      12,
      [
        { slot: 1, units: 10 },
        { slot: 2, units: 2 },
      ],
      2,
    ],
  );
  const ean = await scan(staff, batch_id, '4710000000017');
  assert.deepEqual(ean.kind === 'confirmed' && [ean.put, ean.remaining], [[{ slot: 2, units: 1 }], 1]);

  const before = await batchOf(batch_id);
  const refused = [
    [await scan(staff, batch_id, 'TEA', 2), { kind: 'surplus', sku_id: 'TEA', units: 2, remaining: 1 }],
    [await scan(staff, batch_id, 'ICE'), { kind: 'not_on_list', sku_id: 'ICE' }],
    [await scan(staff, batch_id, 'NO-SUCH'), { kind: 'unknown_code' }],
    // Two accounts have a product of this name.
    [await scan(staff, batch_id, 'CUP'), { kind: 'several_accounts' }],
  ];
  for (const [answer, expected] of refused) assert.deepEqual(answer, expected);
  assert.deepEqual(await batchOf(batch_id), before);

  const cup = before.lines.find(({ account_no, sku_id }) => account_no === 'OTHER' && sku_id === 'CUP')!;
  const line = { account_no: 'OTHER', lot_id: cup.lot_id };
  const body = { batch_id, scan_id: randomUUID(), code: 'CUP', line };
  const answer = await staff.ask(pickingConfirm, body);
  assert.deepEqual(answer.kind === 'confirmed' && answer.put, [{ slot: 3, units: 1 }]);
  const after = await batchOf(batch_id);
  assert.deepEqual(await admin.ask(pickingConfirm, body), answer);
  assert.deepEqual(await batchOf(batch_id), after);
  // The line of the other account is complete, so the code is clear now.
  const own = await scan(staff, batch_id, 'CUP', 2);
  assert.deepEqual(own.kind === 'confirmed' && own.put, [{ slot: 2, units: 2 }]);
  const neither = await staff.send('/picking/confirm', { batch_id, scan_id: randomUUID() });
  assert.deepEqual([neither.status, neither.json.error?.mistakes?.[0]?.path], [400, 'code']);
  assert.equal((await staff.send('/picking/batch', { batch_id: 999_999 })).status, 404);
  await finish(staff, batch_id, true);
});

test('a batch is finished when all units are found; its orders are then being picked, and the batch accepts no more', async () => {
  const ids = [await ordered(app, 'F-1', [['ICE', 2]]), await ordered(app, 'F-2', [['ICE', 1]])];
  const batch_id = await claimed(staff, ids);
  await scan(staff, batch_id, 'ICE', 2);
  assert.deepEqual(await finish(staff, batch_id), { kind: 'incomplete', orders: 1 });
  assert.equal(await statusOf('F-1'), 'pending_warehouse_transfer');
  await scan(staff, batch_id, 'ICE');
  assert.deepEqual(await finish(staff, batch_id), { kind: 'finished', picked: 2, left: 0 });
  assert.deepEqual(await finish(admin, batch_id), { kind: 'finished', picked: 2, left: 0 });
  assert.deepEqual(await scan(staff, batch_id, 'ICE'), { kind: 'closed' });
  assert.deepEqual([await statusOf('F-1'), await statusOf('F-2')], ['picking', 'picking']);
  const { timeline } = await staff.ask(orderDetail, { order_id: ids[0]! });
  const moved = timeline.find((entry) => entry.kind === 'state' && entry.event === 'pick');
  assert.equal(moved && 'actor' in moved && moved.actor, 'operator packer');
});

test('a batch that is given back keeps complete orders, and returns the others to the queue', async () => {
  const ids = [await ordered(app, 'B-1', [['CUP', 1]]), await ordered(app, 'B-2', [['ICE', 2]])];
  const batch_id = await claimed(staff, ids);
  await scan(staff, batch_id, 'CUP');
  await scan(staff, batch_id, 'ICE');
  const waiting = (await waitingOf())[0]!;
  assert.deepEqual(await finish(staff, batch_id, true), { kind: 'finished', picked: 1, left: 1 });
  assert.deepEqual(ordersOf(await batchOf(batch_id)), [
    [1, 'B-1', 'picked', null],
    [2, 'B-2', 'left', 'given_back'],
  ]);
  assert.deepEqual([await statusOf('B-1'), await statusOf('B-2')], ['picking', 'pending_warehouse_transfer']);
  assert.equal((await waitingOf())[0], waiting + 1);
  const again = await claimed(staff, ids);
  assert.deepEqual(ordersOf(await batchOf(again)), [[1, 'B-2', 'open', null]]);
  await finish(staff, again, true);
});

const iceAndCup: Lines = [
  ['ICE', 2],
  ['CUP', 1],
];

/** All units of a line that are not found yet are missing. */
async function missing(batch_id: number, sku: string, how: Pick<BodyOf<typeof pickingShort>, 'reason' | 'remedy'>) {
  const { account_no, lot_id } = (await batchOf(batch_id)).lines.find(({ sku_id }) => sku_id === sku)!;
  return { batch_id, scan_id: randomUUID(), account_no, lot_id, ...how };
}

test('an order goes on without missing units; one without any unit is held', async () => {
  const ids = [
    await ordered(app, 'M-1', iceAndCup),
    await ordered(app, 'M-2', iceAndCup),
    await ordered(app, 'M-3', [['ICE', 1]]),
  ];
  const batch_id = await claimed(staff, ids);
  await scan(staff, batch_id, 'ICE', 3);
  const body = await missing(batch_id, 'ICE', { reason: 'damaged', remedy: 'ship_short' });
  const answer = await staff.ask(pickingShort, body);
  assert.deepEqual(answer, {
    kind: 'short',
    sku_id: 'ICE',
    orders: [
      { slot: 2, units: 1, partner_number: 'M-2', outcome: 'ship_short' },
      { slot: 3, units: 1, partner_number: 'M-3', outcome: 'held' },
    ],
  });
  await unchangedPicks(async () => assert.deepEqual(await staff.ask(pickingShort, body), answer));
  const again = { ...body, scan_id: randomUUID() };
  await unchangedPicks(async () => assert.deepEqual(await staff.ask(pickingShort, again), { kind: 'nothing_missing' }));
  assert.deepEqual(linesOf(await batchOf(batch_id)), [
    ['A-2 CUP null', '1: 0/1, 2: 0/1'],
    ['null ICE 2030-06-01', '1: 2/2, 2: 1/2 -1'],
  ]);
  assert.notEqual((await orderRow(app, 'M-3'))!.held_at, null);
  await scan(staff, batch_id, 'CUP', 2);
  assert.deepEqual(await finish(staff, batch_id), { kind: 'finished', picked: 2, left: 1 });
  assert.equal(await statusOf('M-2'), 'picking');

  const shipped = { order_id: ids[1]!, shipment_no: 'SHORT-1', carrier: 'tcat' };
  await shipNow(app, staff, [shipped]);
  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': ['M-2'] }, live);
  assert.deepEqual(row!.short, [{ sku_id: 'ICE', qty: 1 }]);
  const [parcel] = row!.parcels as { shipment_no: string; items: { sku_id: string; qty: number }[] }[];
  assert.deepEqual(
    [parcel!.shipment_no, ...columns(parcel!.items, 'sku_id', 'qty')],
    ['SHORT-1', ['ICE', 1], ['CUP', 1]],
  );
});

test('staff hold an order that lacks units, also after the hand-over; it leaves the batch, and waits again when released', async () => {
  const ids = [await ordered(app, 'H-1', [['ICE', 2]]), await ordered(app, 'H-2', [['TEA', 1]])];
  await staff.ask(systemPushNow, { warehouse_no: 1 });
  const batch_id = await claimed(staff, ids);
  await staff.ask(pickingShort, await missing(batch_id, 'TEA', { reason: 'not_found', remedy: 'hold' }));
  assert.deepEqual(ordersOf(await batchOf(batch_id)), [
    [1, 'H-1', 'open', null],
    [2, 'H-2', 'left', 'short'],
  ]);
  const { timeline } = await staff.ask(orderDetail, { order_id: ids[1]! });
  const change = timeline.find((entry) => entry.kind === 'change');
  assert.deepEqual(change && [change.change, change.reason, change.actor], [
    ...['hold', 'short pick: TEA, 1 missing (not_found)', 'operator packer'],
  ]);
  await scan(staff, batch_id, 'ICE', 2);
  assert.deepEqual(await finish(staff, batch_id), { kind: 'finished', picked: 1, left: 1 });
  assert.deepEqual([await statusOf('H-1'), await statusOf('H-2')], ['picking', 'in_warehouse']);

  await staff.ask(orderRelease, { order_ids: [ids[1]!] });
  const again = await claimed(staff, ids);
  assert.deepEqual(columns((await batchOf(again)).orders, 'partner_number'), [['H-2']]);
  await finish(staff, again, true);
});

async function unchangedPicks(work: () => Promise<void>): Promise<void> {
  const read = () => app.store.database.read((sql) => sql`select * from pick_task order by order_id, batch_id, lot_id`);
  const before = await read();
  await work();
  assert.deepEqual([...(await read())], [...before]);
}

test('an order that is cancelled, held, or packed elsewhere during picking leaves the batch visibly; a released one returns', async () => {
  const ids = [
    await ordered(app, 'L-1', [['CUP', 2]]),
    await ordered(app, 'L-2', [['CUP', 2]]),
    await ordered(app, 'L-3', [['CUP', 2]]),
    await ordered(app, 'L-4', [['CUP', 2]]),
  ];
  const batch_id = await claimed(staff, ids);
  await scan(staff, batch_id, 'CUP');
  const call = async (path: string, body: object) => retvalOf(await app.callMain(path, body, { as: live }));
  await call('/orders/cancel', { outbound_short_ids: ['L-1'] });
  await call('/orders/hold', { orders: [{ outbound_short_id: 'L-2' }] });
  await call('/fulfilment/advance', { orders: [{ outbound_short_id: 'L-3', status: 'packed' }] });
  const batch = await batchOf(batch_id);
  assert.deepEqual(ordersOf(batch), [
    [1, 'L-1', 'left', 'cancelled'],
    [2, 'L-2', 'left', 'held'],
    [3, 'L-3', 'left', 'gone'],
    [4, 'L-4', 'open', null],
  ]);
  // The unit in slot 1 goes back to the shelf.
  assert.deepEqual([batch.orders[0]!.picked, linesOf(batch)], [1, [['A-2 CUP null', '4: 0/2']]]);
  assert.deepEqual(await scan(staff, batch_id, 'CUP', 3), { kind: 'surplus', sku_id: 'CUP', units: 3, remaining: 2 });
  await call('/orders/release', { orders: [{ outbound_short_id: 'L-2' }] });
  await scan(staff, batch_id, 'CUP', 4);
  assert.deepEqual(await finish(staff, batch_id), { kind: 'finished', picked: 2, left: 2 });
  const statuses = await Promise.all(['L-1', 'L-2', 'L-3', 'L-4'].map(statusOf));
  assert.deepEqual(statuses, ['cancelled', 'picking', 'packed', 'picking']);
});

test('a warehouse that gets a system meanwhile: staff pick its orders no more, and claim them when it is manual again', async () => {
  const connectorIs = (type: 'manual' | 'simulator') =>
    app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type } }] });
  const ids = [await ordered(app, 'SWITCH', [['CUP', 2]])];
  const batch_id = await claimed(staff, ids);
  await scan(staff, batch_id, 'CUP', 2);
  await connectorIs('simulator');
  assert.deepEqual(ordersOf(await batchOf(batch_id)), [[1, 'SWITCH', 'left', 'given_back']]);
  assert.deepEqual(await scan(staff, batch_id, 'CUP'), { kind: 'not_on_list', sku_id: 'CUP' });
  assert.deepEqual(await finish(staff, batch_id), { kind: 'incomplete', orders: 1 });
  assert.deepEqual(await finish(staff, batch_id, true), { kind: 'finished', picked: 0, left: 1 });
  assert.equal(await statusOf('SWITCH'), 'pending_warehouse_transfer');
  await connectorIs('manual');
  await finish(staff, await claimed(staff, ids), true);
});

test('after all this the audit is clean', () => assertAuditClean(app));
