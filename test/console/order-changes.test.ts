import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderHold, orderRelease, orderUpdate } from '../../contract/console/order-changes.ts';
import { orderDetail, orderSearch, orderViewRecipient } from '../../contract/console/orders.ts';
import { systemPushNow } from '../../contract/console/system.ts';
import { alpha } from '../support/app.ts';
import { actionsOf, column, columns, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship, unchanged } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { dataOf, order, orderRow, receive, stockOf } from '../support/warehouse.ts';

const { app, staff, viewer } = await startConsole();
await provisionLive(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
await receive(app, { TEA: [['2030-01-01', 100]] }, live);
await receive(app, { CUP: [['2030-01-01', 10]] }, alpha);

async function idOf(number: string): Promise<number> {
  return Number((await orderRow(app, number))!.order_id);
}

const person = {
  consignee_name: '林美華',
  consignee_phone: '0912-345-678',
  consignee_address: '臺北市信義區松仁路 1 號',
};

/** A home delivery of one unit to the same person each time. */
async function ordered(number: string): Promise<number> {
  const method = { consignee_country: 'TW', logistics_type: 'home', express_type: 'tcat' };
  const details = [{ sku_id: 'TEA', qty: 1 }];
  const body = { outbound_short_id: number, warehouse_tpw_id: live.warehouseTpwId, ...method, ...person, details };
  dataOf(await app.callWarehouse('/outbound/create', body, live));
  return await idOf(number);
}

async function picked(number: string): Promise<number> {
  const orderId = await ordered(number);
  const orders = [{ outbound_short_id: number, status: 'picking' }];
  retvalOf(await app.callMain('/fulfilment/advance', { orders }, { as: live }));
  return orderId;
}

async function changesOf(order_id: number) {
  const { timeline } = await viewer.ask(orderDetail, { order_id });
  return timeline.filter((entry) => entry.kind === 'change');
}

const field = (name: string, old: string | null, after: string | null) => ({ field: name, old, new: after });

test('staff hold orders of several accounts; a wave skips them until they are released, and their stock stays locked', async () => {
  const [held, free] = [await ordered('HOLD-1'), await ordered('HOLD-2')];
  await order(app, 'HOLD-UAT', [['CUP', 1]], alpha);
  const uat = await idOf('HOLD-UAT');
  const order_ids = [held, uat, 999_999_999];
  const { results } = await staff.ask(orderHold, { order_ids, reason: '等客服確認' });
  assert.deepEqual(columns(results, 'order_id', 'account_no', 'partner_number', 'kind'), [
    [held, 'LIVE', 'HOLD-1', 'changed'],
    [uat, 'ALPHA', 'HOLD-UAT', 'changed'],
    [999_999_999, null, null, 'not_found'],
  ]);
  const { rows } = await viewer.ask(orderSearch, { held: true });
  assert.deepEqual(columns(rows, 'partner_number', 'held'), [
    ['HOLD-UAT', true],
    ['HOLD-1', true],
  ]);
  assert.deepEqual(columns(await changesOf(held), 'change', 'state', 'actor', 'reason', 'fields', 'answer'), [
    ['hold', 'made', 'operator packer', '等客服確認', [], null],
  ]);

  const transferred = { kind: 'transferred', count: 1, has_more: false };
  assert.deepEqual(await staff.ask(systemPushNow, { warehouse_no: 1 }), transferred);
  const shown = await viewer.ask(orderDetail, { order_id: held });
  assert.deepEqual([shown.status, shown.held, shown.can.change], ['pending_warehouse_transfer', true, true]);
  assert.equal((await viewer.ask(orderDetail, { order_id: free })).status, 'in_warehouse');
  assert.deepEqual(column(await stockOf(app, 'TEA', live), 'qty_lock'), [2]);
  assert.deepEqual(await staff.ask(systemPushNow, { warehouse_no: 1 }), { ...transferred, count: 0 });

  const released = await staff.ask(orderRelease, { order_ids: [held] });
  assert.deepEqual(column(released.results, 'kind'), ['changed']);
  assert.deepEqual(columns(await changesOf(held), 'change', 'reason'), [
    ['hold', '等客服確認'],
    ['release', null],
  ]);
  assert.deepEqual(await staff.ask(systemPushNow, { warehouse_no: 1 }), transferred);
  assert.equal((await viewer.ask(orderDetail, { order_id: held })).status, 'in_warehouse');
  assert.deepEqual(await actionsOf(app, 'orders/hold'), [
    { username: 'packer', subject: null, details: { order_ids }, outcome: 'changed 2, not_found 1' },
  ]);
  assert.deepEqual(await actionsOf(app, 'orders/release'), [
    { username: 'packer', subject: `order ${held}`, details: { order_ids: [held] }, outcome: 'changed 1' },
  ]);
});

test('a changed recipient is in the history with old and new values, masked; with the recipient, staff see them in full', async () => {
  const order_id = await ordered('UPDATE-1');
  const fields = { consignee_name: '陳大文', consignee_phone: '0987-654-321', consignee_address: '公館門市' };
  const method = { logistics_type: 'csvs', express_type: 'family' };
  const result = await staff.ask(orderUpdate, { order_id, ...fields, ...method });
  assert.deepEqual([result.partner_number, result.kind], ['UPDATE-1', 'changed']);

  const ofMethod = [field('logistics_type', 'home', 'csvs'), field('express_type', 'tcat', 'family')];
  for (const user of [viewer, staff]) {
    const shown = await user.ask(orderDetail, { order_id });
    const { name, phone, address } = shown.recipient;
    assert.deepEqual(
      [name, phone, address, shown.logistics_type, shown.express_type],
      ['陳○文', '09xx-xxx-321', '***', 'csvs', 'family'],
    );
    const [change] = shown.timeline.filter((entry) => entry.kind === 'change');
    assert.deepEqual([change!.change, change!.state, change!.actor], ['update', 'made', 'operator packer']);
    assert.deepEqual(change!.fields, [
      field('name', '林○華', '陳○文'),
      field('phone', '09xx-xxx-678', '09xx-xxx-321'),
      field('address', '臺北市信義區***', '***'),
      ...ofMethod,
    ]);
  }
  const { changes } = await staff.ask(orderViewRecipient, { order_id });
  assert.deepEqual(changes[0]!.fields, [
    field('name', '林美華', '陳大文'),
    field('phone', '0912-345-678', '0987-654-321'),
    field('address', '臺北市信義區松仁路 1 號', '公館門市'),
    ...ofMethod,
  ]);

  const [logged] = await actionsOf(app, 'orders/update');
  const changed = ['name', 'phone', 'address', 'logistics_type', 'express_type'];
  assert.deepEqual([logged!.username, logged!.subject, logged!.outcome], ['packer', `order ${order_id}`, 'changed']);
  assert.deepEqual((logged!.details.fields as string[]).toSorted(), changed.toSorted());
  assert.ok(!JSON.stringify(logged).includes('陳大文'));
});

test('the label of a store pickup is replaced as a whole, and its old and new values are masked in the history', async () => {
  await bring(app, [{ sku: 'LAMP', quantity: 5 }], live.apiKey);
  await ship(app, 'LABEL-1', [item('LAMP', 1)], { store_pickup_label_data: { store_id: '991182' } }, live.apiKey);
  const order_id = await idOf('LABEL-1');
  const label = { store_id: '991190', store_name: '公館門市' };
  assert.equal((await staff.ask(orderUpdate, { order_id, store_pickup_label_data: label })).kind, 'changed');
  const [change] = await changesOf(order_id);
  assert.deepEqual(change!.fields, [
    field('store_pickup_label_data', '{"store_id":"***"}', '{"store_id":"***","store_name":"***"}'),
  ]);
  assert.deepEqual((await staff.ask(orderViewRecipient, { order_id })).store_pickup_label_data, label);
});

test('what comes too late, does not fit the order or its channel, or is not allowed changes nothing', async () => {
  const [order_id, waiting] = [await picked('LATE-1'), await ordered('LATE-2')];
  const tooLate = { order_id, account_no: 'LIVE', partner_number: 'LATE-1', kind: 'too_late', status: 'picking' };
  const { order_no } = await viewer.ask(orderDetail, { order_id });
  await unchanged(app, async () => {
    assert.deepEqual((await staff.ask(orderHold, { order_ids: [order_id] })).results, [{ ...tooLate, order_no }]);
    assert.deepEqual((await staff.ask(orderRelease, { order_ids: [order_id] })).results, [{ ...tooLate, order_no }]);
    assert.deepEqual(await staff.ask(orderUpdate, { order_id, consignee_name: '陳大文' }), { ...tooLate, order_no });
    const note = await staff.ask(orderUpdate, { order_id: waiting, note: '請小心', consignee_name: '陳大文' });
    assert.deepEqual(note.kind === 'not_applicable' && note.fields, ['note']);
    const method = await staff.ask(orderUpdate, { order_id: waiting, express_type: 'family' });
    assert.equal(method.kind, 'unknown_ship_method');
    for (const [path, body] of [
      ['/orders/hold', { order_ids: [waiting] }],
      ['/orders/release', { order_ids: [waiting] }],
      ['/orders/update', { order_id: waiting, consignee_name: '陳大文' }],
    ] as const)
      assert.equal((await viewer.send(path, body)).status, 403, path);
  });
  assert.deepEqual(await changesOf(order_id), []);
  assert.deepEqual(column(await actionsOf(app, 'orders/update'), 'outcome').slice(-3), [
    'too_late',
    'not_applicable',
    'unknown_ship_method',
  ]);
  assert.equal((await viewer.ask(orderDetail, { order_id: waiting })).held, false);
});
