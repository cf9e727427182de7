import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRunHere } from '../cli/run-here.ts';
import { startWarehouseSystem } from '../push/warehouse-system.ts';
import { startTestApp } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { settingsFor } from '../support/command.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, shippingOrder } from '../support/logistics.ts';
import { assertAuditClean } from '../support/purge.ts';
import { orderBody, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp();
await provisionLive(app);
const system = await startWarehouseSystem();
const connectSystem = () =>
  app.provision({
    warehouses: [{ warehouse_no: 1, connector: { type: 'http', url: system.url }, transfer_every_s: 1 }],
  });
const { main, logistics } = await clientsOf(app, live);
await receive(app, { TEA: [['2030-01-01', 100]] }, live);
await bring(app, [{ sku: 'LAMP', quantity: 10 }], live.apiKey);
const here = makeRunHere(settingsFor(app.store));
startTestBackground(app);

async function rowOf(filter: object) {
  const [row] = await Array.fromAsync(main.searchOrders(filter));
  return row!;
}

test('a warehouse that has a held order without our hand-over ends the hold by its report, and nothing stays to release', async () => {
  const outbound_short_id = 'FETCHED';
  await main.ordersCreate(orderBody(outbound_short_id, [['TEA', 1]], live));
  await main.ordersHold([{ outbound_short_id, reason: 'wait' }]);
  const row = () => rowOf({ 'orders.outbound_short_id': outbound_short_id });
  assert.equal((await row()).held, true);
  await main.fulfilmentAdvance([{ outbound_short_id, status: 'in_warehouse' }]);
  const { status, held, held_at, changes } = await row();
  assert.deepEqual([status, held, held_at], ['in_warehouse', false, null]);
  assert.deepEqual(
    changes.map((change) => [change.kind, change.status]),
    [['hold', 'made']],
  );
  assert.equal((await main.ordersRelease([{ outbound_short_id }]))[0]!.status, 'too_late');
});

// The warehouse is still manual here: no wave takes the order between two commands.
test('commands hold, change and release an order; the history names their user and masks the recipient', async () => {
  await main.ordersCreate({ ...orderBody('CLI-1', [['TEA', 1]], live), consignee_name: '王小明' });
  assert.equal((await here.run('order hold CLI-1 --reason closed')).code, 0);
  assert.equal((await here.run('order update CLI-1 --consignee-name 陳大文 --express-type hct')).code, 0);
  const { changes, held, recipient } = await here.json('order show CLI-1');
  assert.deepEqual([held, recipient.name], [true, '陳○文']);
  assert.deepEqual(
    changes.map(({ kind, reason, old_values, new_values }: Record<string, unknown>) => [
      kind,
      reason,
      old_values,
      new_values,
    ]),
    [
      ['hold', 'closed', null, null],
      [
        'update',
        null,
        { consignee_name: '王○明', express_type: 'tcat' },
        { consignee_name: '陳○文', express_type: 'hct' },
      ],
    ],
  );
  assert.match(changes[0].by, /^lading \(/);
  const refused = await here.run('order update CLI-1 --note hello');
  assert.deepEqual([refused.code, /only orders of the logistics webhook have note/.test(refused.stderr)], [1, true]);
  assert.notEqual((await here.run('order update CLI-1')).code, 0);
  assert.equal((await here.run('order release CLI-1')).code, 0);
  assert.equal((await here.run('transfer push 1')).code, 0);
  const tooLate = await here.run('order hold CLI-1');
  assert.match(tooLate.stderr, /too late|can be changed only before|being handed over/);
});

test('the pickup store of two orders has closed: they are held, get another store, are released, and leave with it', async () => {
  const closed = { store_id: '111', name: 'Closed store' };
  const open = { store_id: '222', name: 'Open store' };
  const pickup = { logistics_type: 'csvs', express_type: 'family', consignee_address: 'Store 111' } as const;
  const original = { ...orderBody('STORE-1', [['TEA', 1]], live), ...pickup };
  await main.ordersCreate(original);
  await logistics.shippingOrder(shippingOrder('STORE-2', [item('LAMP', 1)], { store_pickup_label_data: closed }));
  const both = [{ outbound_short_id: 'STORE-1' }, { internal_name: 'STORE-2' }];
  const reason = 'store 111 has closed';
  const held = await main.ordersHold(both.map((name) => ({ ...name, reason })));
  assert.deepEqual(
    held.map(({ status }) => status),
    ['held', 'held'],
  );

  // The warehouse gets its orders from now on: only the one that is not held.
  await main.ordersCreate(orderBody('STORE-3', [['TEA', 1]], live));
  await connectSystem();
  await until('the third order has left', () => system.firstArrivals().includes('STORE-3'));

  const updated = await main.ordersUpdate([
    { outbound_short_id: 'STORE-1', express_type: 'hilife', consignee_address: 'Store 222' },
    { internal_name: 'STORE-2', store_pickup_label_data: open },
  ]);
  assert.deepEqual(
    updated.map(({ status }) => status),
    ['updated', 'updated'],
  );
  assert.equal((await main.ordersCreate(original)).payload_differs, undefined);
  assert.deepEqual(system.firstArrivals(), ['STORE-3']);
  await main.ordersRelease(both);
  await until('both have left', () => system.firstArrivals().length === 3);

  const sent = system.batches.flatMap(({ body }) => body.orders);
  const one = sent.find(({ outbound_short_id }) => outbound_short_id === 'STORE-1')!;
  assert.deepEqual([one.express_type, one.consignee_address], ['hilife', 'Store 222']);
  assert.deepEqual(sent.find(({ internal_name }) => internal_name === 'STORE-2')!.store_pickup_label_data, open);
  await until('both are in the warehouse', async () => {
    const rows = [
      await rowOf({ 'orders.outbound_short_id': 'STORE-1' }),
      await rowOf({ 'orders.internal_name': 'STORE-2' }),
    ];
    return rows.every(({ status }) => status === 'in_warehouse');
  });
  const { changes } = await rowOf({ 'orders.internal_name': 'STORE-2' });
  assert.deepEqual(
    changes.map((change) => [change.kind, change.reason, change.old_values, change.new_values]),
    [
      ['hold', reason, null, null],
      ['update', null, { store_pickup_label_data: closed }, { store_pickup_label_data: open }],
      ['release', null, null, null],
    ],
  );
  await assertAuditClean(app);
});
