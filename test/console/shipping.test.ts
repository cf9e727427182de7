import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderHold } from '../../contract/console/order-changes.ts';
import { orderAdvance, orderDetail } from '../../contract/console/orders.ts';
import { orderShip, packingPlanned, packingScan, packingUndo } from '../../contract/console/packing.ts';
import { parcelsMax } from '../../contract/main/fulfilment-advance.ts';
import { alpha } from '../support/app.ts';
import { actionsOf, type ConsoleUser, column, columns, startConsole } from '../support/console.ts';
import { live } from '../support/live.ts';
import { assertBooksInOrder, item, owedFor, ship, unchanged } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { ean, orderIdOf, provisionPacking, scanOf, shipAfter, shippedText } from '../support/packing.ts';
import { order, orderRow, receive } from '../support/warehouse.ts';

const { app, staff, admin } = await startConsole();
await provisionPacking(app);
app.clock.set(new Date('2026-11-18T04:00:00Z'));

type Kinds = ('repeated' | 'format' | 'skipped' | 'short')[];
interface Asked {
  order_id: number;
  shipment_no?: string;
  carrier?: string;
  confirmed?: Kinds;
}

async function plan(orders: Asked[], user: ConsoleUser = staff) {
  const { results } = await user.ask(orderShip, { orders: orders.map((one) => ({ confirmed: [], ...one })) });
  return results.map(({ order_id: _, account_no: __, order_no: ___, ...result }) => result);
}

async function packed(number: string): Promise<number> {
  await order(app, number, [['TEA', 1]], live);
  const order_id = await orderIdOf(app, number);
  await staff.ask(orderAdvance, { step: 'pack', orders: [{ order_id }] });
  return order_id;
}

const statusOf = async (number: string) => (await orderRow(app, number))!.status;
const planned = (partner_number: string) => ({ partner_number, kind: 'planned', undo_seconds: 10 });

test('several orders are planned, undone without a trace, planned again and shipped after ten seconds, with one audit entry each', async () => {
  const callback = { callback_url: 'https://partner.example/orders' };
  await ship(app, 'BULK-1', [item('POT', 1)], callback, live.apiKey);
  const first = await orderIdOf(app, 'BULK-1');
  await staff.ask(orderAdvance, { step: 'pack', orders: [{ order_id: first }] });
  const second = await packed('BULK-2');
  const two = [
    { order_id: first, shipment_no: 'BULK-A' },
    { order_id: second, shipment_no: '901230160501', carrier: 'tcat' },
  ];
  await unchanged(app, async () => {
    for (let repeat = 0; repeat < 2; repeat++)
      assert.deepEqual(await plan(two), [planned('BULK-1'), planned('BULK-2')]);
    const { results } = await staff.ask(packingUndo, { order_ids: [first, second, 999_999_999] });
    assert.deepEqual(column(results, 'kind'), ['undone', 'undone', 'not_found']);
    assert.equal(await shipAfter(app, 60), shippedText(0));
    assert.deepEqual((await staff.ask(packingPlanned, {})).rows, []);
  });
  assert.deepEqual([await statusOf('BULK-1'), await owedFor(app, 'BULK-1')], ['packed', []]);

  const missing = { order_id: 999_999_999, shipment_no: 'BULK-C' };
  const none = { partner_number: null, kind: 'not_found' };
  assert.deepEqual(await plan([...two, missing]), [planned('BULK-1'), planned('BULK-2'), none]);
  assert.equal(await shipAfter(app, 9), shippedText(0));
  assert.equal(await shipAfter(app, 10), shippedText(2));
  assert.deepEqual([await statusOf('BULK-1'), await statusOf('BULK-2')], ['shipped', 'shipped']);
  assert.deepEqual(column(await owedFor(app, 'BULK-1'), 'event'), ['order.shipped']);
  const { parcels } = await staff.ask(orderDetail, { order_id: second });
  assert.deepEqual(columns(parcels, 'shipment_no', 'carrier'), [['901230160501', 'tcat']]);
  const late = await staff.ask(packingUndo, { order_ids: [first] });
  assert.deepEqual(column(late.results, 'kind'), ['too_late']);

  const entry = (await actionsOf(app, 'orders/ship')).at(-1)!;
  assert.equal(entry.outcome, 'planned 2, not_found 1');
  assert.deepEqual((entry.details as { shipments: Asked[] }).shipments[1], { ...two[1], confirmed: [] });
  assert.equal((await actionsOf(app, 'packing/undo')).at(0)?.outcome, 'undone 2, not_found 1');
  assert.equal(
    (await staff.send(orderShip.path, { orders: [two[0], two[0]].map((one) => ({ ...one, confirmed: [] })) })).status,
    400,
  );
  await assertBooksInOrder(app);
});

test('two orders with one number in a request both need a confirmation; two carriers may use the same number', async () => {
  const [first, second] = [await packed('SAME-1'), await packed('SAME-2')];
  const two = [
    { order_id: first, shipment_no: '901230160510' },
    { order_id: second, shipment_no: '901230160510' },
  ];
  const asked = (partner_number: string, other: number, otherNumber: string, status: string) => ({
    ...{ partner_number, kind: 'confirm' },
    warnings: [
      {
        ...{ kind: 'repeated', shipment_no: '901230160510' },
        others: [{ order_id: other, account_no: 'LIVE', partner_number: otherNumber, status }],
      },
    ],
  });
  await unchanged(app, async () => {
    assert.deepEqual(await plan(two), [
      asked('SAME-1', second, 'SAME-2', 'packed'),
      asked('SAME-2', first, 'SAME-1', 'packed'),
    ]);
    assert.deepEqual((await staff.ask(packingPlanned, {})).rows, []);
  });
  const carriers = [
    { ...two[0]!, carrier: 'post' },
    { ...two[1]!, carrier: 'pcsc' },
  ];
  assert.deepEqual(await plan(carriers), [planned('SAME-1'), planned('SAME-2')]);
  await staff.ask(packingUndo, { order_ids: [first, second] });

  const confirmed: Kinds = ['repeated'];
  assert.deepEqual(await plan(two.map((one) => ({ ...one, confirmed }))), [planned('SAME-1'), planned('SAME-2')]);
  assert.equal(await shipAfter(app, 10), shippedText(2));
  const third = await packed('SAME-3');
  const [again] = await plan([{ order_id: third, shipment_no: '901230160510' }]);
  assert.equal(again!.kind, 'confirm');
});

test('an announced number needs no typing; without one, and for the rest of a partial shipment, a number is missing', async () => {
  await order(app, 'SAID-1', [['TEA', 2]], live);
  const order_id = await orderIdOf(app, 'SAID-1');
  const number = { shipment_no: '901230160521', carrier: 'tcat' };
  assert.deepEqual(await plan([{ order_id }]), [{ partner_number: 'SAID-1', kind: 'no_shipment_no' }]);
  await staff.ask(orderAdvance, { step: 'pack', orders: [{ order_id, ...number }] });
  assert.deepEqual(await plan([{ order_id }]), [planned('SAID-1')]);
  await staff.ask(packingUndo, { order_ids: [order_id] });

  const parcels = [{ ...number, items: [{ sku_id: 'TEA', qty: 1 }] }];
  const report = { outbound_short_id: 'SAID-1', status: 'partially_shipped', parcels };
  retvalOf(await app.callMain('/fulfilment/advance', { orders: [report] }, { as: live }));
  assert.deepEqual(await plan([{ order_id }]), [{ partner_number: 'SAID-1', kind: 'no_shipment_no' }]);
  assert.deepEqual(await plan([{ order_id, shipment_no: '901230160522' }]), [planned('SAID-1')]);
  assert.equal(await shipAfter(app, 10), shippedText(1));
  assert.deepEqual(await plan([{ order_id, shipment_no: '901230160523' }]), [
    { partner_number: 'SAID-1', kind: 'not_workable', why: 'shipped' },
  ]);
  await assertBooksInOrder(app);
});

test('UAT orders and orders on hold are refused; orders of a warehouse with its own system only to staff; nothing changes', async () => {
  await receive(app, { BEAN: [['2030-01-01', 5]] }, alpha);
  await order(app, 'UAT-1', [['BEAN', 1]], alpha);
  await order(app, 'HELD-1', [['TEA', 1]], live);
  const [uat, held] = [await orderIdOf(app, 'UAT-1'), await orderIdOf(app, 'HELD-1')];
  await staff.ask(orderHold, { order_ids: [held] });
  const own = await packed('OWN-1');
  const system = { warehouse_no: 1, name: '桃園', connector: { type: 'simulator' as const } };
  await app.provision({ warehouses: [system] });
  const three = [uat, held, own].map((order_id) => ({ order_id, shipment_no: `90123016053${order_id % 10}` }));
  const refused = (partner_number: string, why: string) => ({ partner_number, kind: 'not_workable', why });
  await unchanged(app, async () => {
    assert.deepEqual(await plan(three), [
      refused('UAT-1', 'uat'),
      refused('HELD-1', 'other_warehouse'),
      refused('OWN-1', 'other_warehouse'),
    ]);
    assert.deepEqual(await plan(three.slice(0, 2), admin), [refused('UAT-1', 'uat'), refused('HELD-1', 'held')]);
  });
  assert.deepEqual(await plan(three.slice(2), admin), [planned('OWN-1')]);
  assert.equal(await shipAfter(app, 10), shippedText(1));
  await app.provision({ warehouses: [{ ...system, connector: { type: 'manual' } }] });
});

test('an order with several parcels on the packing table, and a parcel beyond the limit, do not leave', async () => {
  await order(app, 'BOXES', [['TEA', 2]], live);
  const boxes = await orderIdOf(app, 'BOXES');
  for (const parcel_no of [1, 2]) await staff.ask(packingScan, scanOf(boxes, ean, { parcel_no }));
  assert.deepEqual(await plan([{ order_id: boxes, shipment_no: '901230160541' }]), [
    { partner_number: 'BOXES', kind: 'parcels_changed' },
  ]);

  await order(app, 'MANY', [['TEA', parcelsMax + 1]], live);
  const many = await orderIdOf(app, 'MANY');
  const parcels = Array.from({ length: parcelsMax }, (_, index) => ({
    shipment_no: `MANY-${index}`,
    items: [{ sku_id: 'TEA', qty: 1 }],
  }));
  const partly = { outbound_short_id: 'MANY', status: 'partially_shipped', parcels };
  retvalOf(await app.callMain('/fulfilment/advance', { orders: [partly] }, { as: live }));
  assert.deepEqual(await plan([{ order_id: many, shipment_no: '901230160542' }]), [planned('MANY')]);
  await unchanged(app, () => shipAfter(app, 10));
  const { rows } = await admin.ask(packingPlanned, {});
  assert.deepEqual(columns(rows, 'partner_number', 'is_own', 'refusal'), [['MANY', false, 'too_many_parcels']]);
});
