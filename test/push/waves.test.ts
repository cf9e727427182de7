import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { TransferBody } from '../../contract/connector/transfer.ts';
import { pushByHand } from '../../server/domain/orders/transfer-orders.ts';
import { claimWave, completeSchedule } from '../../server/domain/orders/transfer-schedule-queries.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { makeLog } from '../../server/platform/log.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { makeChecker } from '../../server/platform/schema.ts';
import { startBackground } from '../../server/start-background.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { order, orderRow, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import {
  all,
  closeWarehouse,
  fatesOf,
  inWarehouse,
  live,
  makeWarehouse,
  orderSome,
  provisionLive,
  scheduleOf,
  sku,
  startTestPush,
  untilWaveIsOver,
  untouched,
  waveNow,
} from './push.ts';
import { startWarehouseSystem } from './warehouse-system.ts';

const app = await startTestApp();
await provisionLive(app);
const { database } = app.store;

test('orders of several accounts go in the order of their creation, in batches, each once', async () => {
  const system = await startWarehouseSystem();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  // Many of one account in a row, and then of the other one: they are looked up in pages, and the second one's must wait for their turn.
  const numbers: string[] = [];
  for (const [index, caller] of warehouse.callers.entries()) {
    numbers.push(...(await orderSome(app, { ...warehouse, callers: [caller] }, 8, `ROW-${index}`)));
  }
  numbers.push(...(await orderSome(app, warehouse, 14)));
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);

  assert.deepEqual(system.firstArrivals(), numbers);
  assert.deepEqual(
    system.batches.map((batch) => batch.numbers.length),
    [4, 4, 4, 4, 4, 4, 4, 2],
  );
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  assert.equal((await scheduleOf(app, warehouse))!.lastOutcome, 'transferred 30, put aside 0');
  assert.equal(await push.metric('transfers_total{outcome="accepted"}'), 30);

  const later = await orderSome(app, warehouse, 3, 'LATER');
  await waveNow(app, warehouse);
  await until('they have come', () => system.firstArrivals().length === 33);
  assert.deepEqual(system.firstArrivals(), [...numbers, ...later]);
  await untilWaveIsOver(app, warehouse);
  await push.close();
  await closeWarehouse(app, warehouse);
});

test('the warehouse is told all that it needs, in the words of the contract', async () => {
  const system = await startWarehouseSystem();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const [caller] = warehouse.callers;
  const { warehouseNo } = warehouse;
  await receive(app, { MILK: [['2031-02-01', 2]] }, caller);
  await receive(app, { MILK: [['2031-01-01', 1]] }, caller);
  await app.callWarehouse(
    '/outbound/create',
    {
      ...{ outbound_short_id: `W-${warehouseNo}`, warehouse_tpw_id: caller!.warehouseTpwId, consignee_country: 'TW' },
      ...{ consignee_name: '王小明', consignee_phone: '0912', consignee_address: '中大路300號', consignee_zip: '320' },
      ...{ logistics_type: 'home', express_type: 'tcat' },
      details: [
        { sku_id: 'MILK', qty: 1 },
        { sku_id: 'MILK', qty: 2 },
      ],
    },
    caller,
  );
  await app.provision({
    logistics_keys: [
      { name: `wms-${warehouseNo}`, key: `key-${warehouseNo}`, account_no: live[0]!.accountNo, warehouse_no: warehouseNo, store_no: 10 },
    ],
  });
  const label = { store_id: '991182', nested: { codes: [1, 2.5, '三'] } };
  const answer = await app.callLogistics(
    '/orders/order',
    {
      ...{
        name: 'SHOP-1',
        internal_name: `L-${warehouseNo}`,
        customer_name: 'Chen',
        delivery_name: 'Lin',
        phone: '02-1',
        city: 'Taipei',
        address: '1 Road',
      },
      ...{ delivery_charge: 60.5, note: 'Ring\ntwice', store_pickup_label_data: label },
      products: [{ sku, quantity: 2, storage_type: '1', name: 'Tea in a box', combo_sku: 'BOX', identifier: 'ID-7' }],
    },
    { apiKey: `key-${warehouseNo}` },
  );
  assert.equal(answer.status, 200, answer.text);
  const push = startTestPush(app);
  await until('they have come', () => system.batches.length === 1);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  const { body } = system.batches[0]!;
  assert.deepEqual(makeChecker(TransferBody)(body), { kind: 'valid', value: body });
  const [one, other] = body.orders;
  const row = await orderRow(app, `W-${warehouseNo}`);
  assert.deepEqual(one, {
    ...{
      transfer_id: one!.transfer_id,
      orders_id: row!.order_no,
      account_no: 'LIVE-1',
      channel: 'warehouse',
      outbound_short_id: `W-${warehouseNo}`,
    },
    ...{ internal_name: null, name: null, store_no: 10, logistics_type: 'home', express_type: 'tcat', consignee_country: 'TW' },
    ...{ consignee_name: '王小明', consignee_phone: '0912', consignee_address: '中大路300號', consignee_zip: '320', consignee_city: null },
    ...{ customer_name: null, delivery_charge: null, note: null, store_pickup_label_data: null, created_at: one!.created_at },
    details: [
      { ...line('MILK', 1, 'Name of MILK'), lots: [{ batch_id: '', expire_date: '2031-01-01', qty: 1 }] },
      { ...line('MILK', 2, 'Name of MILK'), lots: [{ batch_id: '', expire_date: '2031-02-01', qty: 2 }] },
    ],
  });
  const { transfer_id: _, orders_id: __, created_at: ___, ...rest } = other!;
  assert.deepEqual(rest, {
    ...{
      account_no: 'LIVE-1',
      channel: 'logistics',
      outbound_short_id: null,
      internal_name: `L-${warehouseNo}`,
      name: 'SHOP-1',
      store_no: 10,
    },
    ...{ logistics_type: null, express_type: null, consignee_country: null, consignee_name: 'Lin', consignee_phone: '02-1' },
    ...{ consignee_address: '1 Road', consignee_zip: null, consignee_city: 'Taipei', customer_name: 'Chen', delivery_charge: 60.5 },
    ...{ note: 'Ring\ntwice', store_pickup_label_data: label },
    details: [
      {
        ...line(sku, 2, 'Tea in a box'),
        ...{ identifier: 'ID-7', combo_sku: 'BOX', lots: [{ batch_id: '', expire_date: '2030-01-01', qty: 2 }] },
      },
    ],
  });
  assert.deepEqual([body.warehouse_no, body.batch_id], [warehouseNo, system.batches[0]!.headers['webhook-id']]);
  await closeWarehouse(app, warehouse);
});

function line(sku_id: string, qty: number, name: string) {
  return { sku_id, qty, name, storage_type: 'ambient', batch: null, identifier: null, combo_sku: null };
}

test('posts are signed as Standard Webhooks says: a whsec_ secret by its base64, any other by its bytes, and during a rotation by both', async () => {
  const system = await startWarehouseSystem();
  const old = 'lcs_the-secret-of-a-warehouse';
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url, secret: old });
  const rotated = await rotateSecret(
    database,
    app.store.keyring,
    { kind: 'connector_secret', owner: String(warehouse.warehouseNo) },
    { actor: 'test', overlapSeconds: 600 },
  );
  const fresh = rotated.kind === 'rotated' ? rotated.issued.value : '';
  assert.match(fresh, /^whsec_/);
  await orderSome(app, warehouse, 1);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  const { headers, text } = system.batches[0]!;
  const given = headers as Record<string, string>;
  assert.deepEqual(new Webhook(old, { format: 'raw' }).verify(text, given), JSON.parse(text));
  assert.deepEqual(new Webhook(fresh).verify(text, given), JSON.parse(text));
  assert.equal(given['webhook-signature']!.split(' ').length, 2);
  assert.throws(() => new Webhook('another', { format: 'raw' }).verify(text, given));
  assert.throws(() => new Webhook(fresh).verify(`${text} `, given));
  await closeWarehouse(app, warehouse);
});

test('orders of UAT accounts are never taken', async () => {
  const system = await startWarehouseSystem();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const uat = { ...alpha, warehouseTpwId: `UAT-${warehouse.warehouseNo}` };
  await app.provision({
    accounts: [
      {
        account_no: alpha.accountNo,
        tenants: [{ warehouse_tpw_id: uat.warehouseTpwId, warehouse_no: warehouse.warehouseNo, store_no: 10 }],
      },
    ],
  });
  await receive(app, { [sku]: [['2030-01-01', 10]] }, uat);
  const tried = `U-${warehouse.warehouseNo}`;
  await order(app, tried, [[sku, 1]], uat);
  const [number] = await orderSome(app, warehouse, 1);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);

  assert.deepEqual(system.firstArrivals(), [number]);
  await app.provision({ warehouses: [{ warehouse_no: warehouse.warehouseNo, connector: { type: 'simulator' } }] });
  const [another] = await orderSome(app, warehouse, 1, 'S');
  await waveNow(app, warehouse);
  await until('it is there', async () => (await fatesOf(app, [another!]))[another!]![0] === 'in_warehouse');
  await push.close();
  assert.deepEqual(await fatesOf(app, [tried]), all([tried], untouched));
  await closeWarehouse(app, warehouse);
});

test('a manual warehouse is left alone', async () => {
  const [manual, other] = [await makeWarehouse(app, { type: 'manual' }), await makeWarehouse(app, { type: 'simulator' })];
  const numbers = await orderSome(app, manual, 2);
  const [sign] = await orderSome(app, other, 1);
  const push = startTestPush(app);
  await untilWaveIsOver(app, other);
  await push.close();

  assert.deepEqual(await fatesOf(app, [...numbers, sign!]), { ...all(numbers, untouched), [sign!]: inWarehouse });
  assert.equal((await scheduleOf(app, manual))!.lastOutcome, null);
  await closeWarehouse(app, other);
});

test('a simulated warehouse has its orders at once, and they walk on after one step', async () => {
  const warehouse = await makeWarehouse(app, { type: 'simulator', step_s: 77 });
  const numbers = await orderSome(app, warehouse, 9);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  const steps = await database.read(
    (sql) => sql`
      select distinct t.warehouse_no, extract(epoch from next_step_at - t.created_at)::int as step, actor, c.from_state, c.to_state
      from transfer t join orders o using (order_id) join state_change c on document_type = 'order' and document_id = order_id
      where partner_number = any(${numbers})`,
  );
  assert.deepEqual(
    steps.map((row) => ({ ...row })),
    [
      {
        ...{ warehouse_no: warehouse.warehouseNo, step: 77, actor: `warehouse ${warehouse.warehouseNo}` },
        ...{ from_state: 'pending_warehouse_transfer', to_state: 'in_warehouse' },
      },
    ],
  );
  await closeWarehouse(app, warehouse);
});

test('a node that works in the background pushes by itself', async () => {
  const system = await startWarehouseSystem();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 3);
  const { keyring } = app.store;
  const log = makeLog('silent');
  const background = startBackground({ database, keyring, clock: systemClock, config: app.config, log, metrics: makeMetrics() });
  await untilWaveIsOver(app, warehouse);
  await background.close();

  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  await closeWarehouse(app, warehouse);
});

test('a wave that is not through when its turn is over goes on behind those that are due longer', async () => {
  const arrivals: string[] = [];
  const system = await startWarehouseSystem(({ numbers }) => {
    arrivals.push(...numbers);
    return { status: 200 };
  });
  const [busy, small] = [
    await makeWarehouse(app, { type: 'http', url: system.url }),
    await makeWarehouse(app, { type: 'http', url: system.url }),
  ];
  const simulated = await makeWarehouse(app, { type: 'simulator', step_s: 3600 });
  const many = await orderSome(app, busy, 10);
  const few = await orderSome(app, small, 2);
  const given = await orderSome(app, simulated, 6);
  await database.transaction(completeSchedule);
  for (const warehouse of [busy, small, simulated]) await waveNow(app, warehouse);
  const push = startTestPush(app, { settings: { wavesAtOnce: 1, waveSeconds: 0 } });
  for (const warehouse of [busy, small, simulated]) await untilWaveIsOver(app, warehouse);
  await push.close();

  assert.deepEqual(arrivals, [...many.slice(0, 4), ...few, ...many.slice(4)]);
  assert.deepEqual(await fatesOf(app, [...many, ...few, ...given]), all([...many, ...few, ...given], inWarehouse));
  // Two of three batches of the first one, and one of two of the last one.
  assert.equal(await push.metric('waves_total{outcome="turn_over"}'), 3);
  assert.equal(await push.metric('waves_total{outcome="done"}'), 3);
  assert.equal((await scheduleOf(app, busy))!.lastOutcome, 'transferred 2, put aside 0');
  for (const warehouse of [busy, small, simulated]) await closeWarehouse(app, warehouse);
});

test('a wave that is asked for while one goes on comes after it', async () => {
  const system = await startWarehouseSystem();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  await orderSome(app, warehouse, 1);
  let late: string[] = [];
  system.behave(async ({ nth }) => {
    if (nth === 1) {
      late = await orderSome(app, warehouse, 1, 'LATE');
      const asked = await pushByHand(database, warehouse.warehouseNo, { actor: 'test', traceId: null });
      assert.deepEqual(asked, { kind: 'hastened', connector: 'http' });
    }
    return { status: 200 };
  });
  const push = startTestPush(app);
  await until('it has come', () => system.firstArrivals().length === 2);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  assert.deepEqual(await fatesOf(app, late), all(late, inWarehouse));
  assert.ok((await scheduleOf(app, warehouse))!.inSeconds > 80_000, 'and after that when it is its time');
  await closeWarehouse(app, warehouse);
});

test('a wave whose worker is gone stays due, also where it had begun because the schedule was made shorter', async () => {
  const warehouse = await makeWarehouse(app, { type: 'simulator' });
  const { warehouseNo } = warehouse;
  await database.transaction(completeSchedule);
  await database.read(
    (sql) => sql`
      update push_schedule set last_wave_at = now() - interval '2 days', next_wave_at = now() + interval '1 day' where warehouse_no = ${warehouseNo}`,
  );
  const claim = () => database.transaction((tx) => claimWave(tx, randomUUID(), 0));
  assert.equal((await claim())?.warehouseNo, warehouseNo);
  assert.equal((await claim())?.warehouseNo, warehouseNo);
  await closeWarehouse(app, warehouse);
});

test('a schedule that was made shorter counts at once', async () => {
  const system = await startWarehouseSystem();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  await orderSome(app, warehouse, 1);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  assert.ok((await scheduleOf(app, warehouse))!.inSeconds > 80_000);

  const numbers = await orderSome(app, warehouse, 1, 'SOON');
  await app.provision({ warehouses: [{ warehouse_no: warehouse.warehouseNo, transfer_every_s: 1 }] });
  await until('it has come', async () => (await fatesOf(app, numbers))[numbers[0]!]![0] === 'in_warehouse');
  await push.close();
  await closeWarehouse(app, warehouse);
});

test('a warehouse that is connected in another way while a wave goes on is served in the new way, and no order twice', async () => {
  const [before, after] = [await startWarehouseSystem(), await startWarehouseSystem()];
  const warehouse = await makeWarehouse(app, { type: 'http', url: before.url });
  const numbers = await orderSome(app, warehouse, 10);
  before.behave(async () => {
    await app.provision({ warehouses: [{ warehouse_no: warehouse.warehouseNo, connector: { type: 'http', url: after.url } }] });
    return { status: 200 };
  });
  after.behave(async () => {
    await app.provision({ warehouses: [{ warehouse_no: warehouse.warehouseNo, connector: { type: 'simulator', step_s: 3600 } }] });
    return { status: 500 };
  });
  const push = startTestPush(app);
  await until('all are there', async () => Object.values(await fatesOf(app, numbers)).every(([status]) => status === 'in_warehouse'));
  await push.close();

  assert.deepEqual(before.firstArrivals(), numbers.slice(0, 4));
  assert.deepEqual(after.firstArrivals(), numbers.slice(4, 8));
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  await closeWarehouse(app, warehouse);
});
