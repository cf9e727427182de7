import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushByHand } from '../../server/domain/orders/transfer-orders.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { order, orderRow } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import {
  all,
  closeWarehouse,
  fatesOf,
  inWarehouse,
  type LiveWarehouse,
  live,
  makeWarehouse,
  orderSome,
  provisionLive,
  putAside,
  scheduleOf,
  sku,
  startTestPush,
  untilWaveIsOver,
  untouched,
} from './push.ts';
import { rejects, startWarehouseSystem, takes, type WarehouseSystem } from './warehouse-system.ts';

const app = await startTestApp();
await provisionLive(app);
const here = makeRunHere(settingsFor(app.store));

/** Two orders of three that the warehouse does not want. */
async function putTwoAside(): Promise<{ system: WarehouseSystem; warehouse: LiveWarehouse; numbers: string[] }> {
  const system = await startWarehouseSystem((batch) => rejects(...batch.numbers.slice(1))(batch));
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 3);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await push.close();
  return { system, warehouse, numbers };
}

test('without any, the list says so', async () => {
  const nothing = {
    code: 0,
    stdout: 'no order is being sent, and none is put aside; "lading transfer schedule" shows waves that failed\n',
    stderr: '',
  };
  assert.deepEqual(await here.run(['transfer', 'list']), nothing);
  assert.deepEqual(await here.json(['transfer', 'list', '--warehouse', '7', '--status', 'sending']), []);
});

test('list shows who is put aside, and why; retry sends it again, under a new id, with the next wave', async () => {
  const { system, warehouse, numbers } = await putTwoAside();
  const warehouseNo = String(warehouse.warehouseNo);
  const [, second, third] = numbers as [string, string, string];

  const rows = await here.json(['transfer', 'list', '--warehouse', warehouseNo]);
  const { order_no } = (await orderRow(app, second))!;
  assert.deepEqual(
    rows.map(({ last_try: _, transfer_id: __, ...row }: Record<string, unknown>) => row),
    [second, third].map((number, index) => ({
      ...{ orders_id: index === 0 ? order_no : rows[1].orders_id, account_no: live[(index + 1) % 2]!.accountNo, number },
      ...{ warehouse_no: warehouse.warehouseNo, status: 'rejected', tries: 1, reason: `not ${number}` },
    })),
  );
  const { stdout } = await here.run(['transfer', 'list', '--status', 'rejected', '--warehouse', warehouseNo]);
  assert.match(stdout, /^orders_id +account_no +number +warehouse_no +status +tries +reason +last_try\n/);
  assert.deepEqual(await here.json(['transfer', 'list', '--status', 'sending', '--warehouse', warehouseNo]), []);
  assert.equal((await here.json(['transfer', 'list', '--warehouse', warehouseNo, '--limit', '1'])).length, 1);

  assert.deepEqual(await here.run(['transfer', 'retry', second]), {
    ...{ code: 0, stdout: '1 order will be sent again with the next wave\n', stderr: '' },
  });
  assert.deepEqual(await here.json(['transfer', 'push', warehouseNo]), {
    warehouse_no: warehouse.warehouseNo,
    connector: 'http',
    due: true,
  });
  system.behave(takes);
  const push = startTestPush(app);
  await until('it is there', async () => (await fatesOf(app, [second]))[second]![0] === 'in_warehouse');
  await untilWaveIsOver(app, warehouse);
  await push.close();

  assert.deepEqual(await fatesOf(app, [second, third]), { [second]: inWarehouse, [third]: putAside });
  assert.deepEqual(
    [second, third].map((number) => system.transfers().get(number)!.size),
    [2, 1],
  );
  assert.deepEqual(await here.json(['transfer', 'retry', '--all-rejected', '--warehouse', '9999']), { count: 0 });
  assert.deepEqual(await here.json(['transfer', 'retry', '--all-rejected', '--warehouse', warehouseNo]), { count: 1 });
  assert.equal((await fatesOf(app, [third]))[third]![1], 'waiting');
  await closeWarehouse(app, warehouse);
});

test('retry names what it cannot find, and changes nothing then; it wants to know which', async () => {
  const { warehouse, numbers } = await putTwoAside();
  const [first, second] = numbers as [string, string];
  for (const number of [first, 'NOBODY']) {
    const answer = await here.run(['transfer', 'retry', second, number]);
    assert.deepEqual(answer, { code: 1, stdout: '', stderr: `lading: order ${number} is not put aside; nothing was changed\n` });
  }
  assert.equal((await here.run(['transfer', 'retry'])).code, 2);
  assert.equal((await here.run(['transfer', 'retry', second, '--all-rejected'])).code, 2);
  assert.deepEqual((await fatesOf(app, [second]))[second], putAside);
  await closeWarehouse(app, warehouse);
});

test('push gives a manual warehouse everything that waits for it, and nothing of others', async () => {
  const [warehouse, other] = [await makeWarehouse(app, { type: 'manual' }), await makeWarehouse(app, { type: 'manual' })];
  const [numbers, others] = [await orderSome(app, warehouse, 5), await orderSome(app, other, 1)];
  const warehouseNo = String(warehouse.warehouseNo);

  assert.deepEqual(await here.run(['transfer', 'push', warehouseNo]), {
    ...{ code: 0, stdout: `5 orders were handed to warehouse ${warehouseNo}\n`, stderr: '' },
  });
  assert.deepEqual(await fatesOf(app, [...numbers, ...others]), { ...all(numbers, inWarehouse), ...all(others, untouched) });
  assert.deepEqual(await here.json(['transfer', 'push', warehouseNo]), {
    warehouse_no: warehouse.warehouseNo,
    connector: 'manual',
    transferred: 0,
  });
  const [change] = await app.store.database.read(
    (sql) => sql`
      select actor from state_change join orders on order_id = document_id where document_type = 'order' and partner_number = ${numbers[0]!}`,
  );
  assert.match(change!.actor, /^transfer push \(.+\)$/);
});

test('three who push by hand at once transfer each order once', async () => {
  const warehouse = await makeWarehouse(app, { type: 'manual' });
  const numbers = await orderSome(app, warehouse, 12);
  const cause = { actor: 'test', traceId: null };
  const outcomes = await Promise.all([1, 2, 3].map(() => pushByHand(app.store.database, warehouse.warehouseNo, cause)));

  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  const counts = outcomes.map((outcome) => (outcome.kind === 'transferred' ? outcome.count : Number.NaN));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    12,
  );
});

test('who pushes by hand for some time only is told whether more wait, and goes on where that was', async () => {
  const warehouse = await makeWarehouse(app, { type: 'manual' });
  const numbers = await orderSome(app, warehouse, 501);
  const push = () => pushByHand(app.store.database, warehouse.warehouseNo, { actor: 'test', traceId: null }, { workMaxMs: 0 });

  assert.deepEqual(await push(), { kind: 'transferred', count: 500, hasMore: true });
  assert.deepEqual(await push(), { kind: 'transferred', count: 1, hasMore: false });
  assert.deepEqual(await push(), { kind: 'transferred', count: 0, hasMore: false });
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
});

test('push of any other warehouse lets its next wave begin now, also where it failed; one that is not known is refused', async () => {
  const warehouse = await makeWarehouse(app, { type: 'simulator', step_s: 3600 });
  const warehouseNo = String(warehouse.warehouseNo);
  assert.deepEqual(await here.run(['transfer', 'push', warehouseNo]), {
    ...{ code: 0, stdout: `the next wave of warehouse ${warehouseNo} is due now; a worker will begin it\n`, stderr: '' },
  });
  assert.ok((await scheduleOf(app, warehouse))!.inSeconds <= 0);
  await app.store.database.read(
    (sql) =>
      sql`update push_schedule set failures = 3, next_wave_at = now() + interval '1 hour' where warehouse_no = ${warehouse.warehouseNo}`,
  );
  const numbers = await orderSome(app, warehouse, 1);
  await here.json(['transfer', 'push', warehouseNo]);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await push.close();
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));

  assert.deepEqual(await here.run(['transfer', 'push', '424242']), {
    code: 1,
    stdout: '',
    stderr: 'lading: there is no warehouse 424242\n',
  });
  for (const number of ['x', '0', '2147483648', '9999999999']) assert.equal((await here.run(['transfer', 'push', number])).code, 2);
  await closeWarehouse(app, warehouse);
});

test('a number that orders of two accounts have is not enough to name one', async () => {
  const system = await startWarehouseSystem((batch) => rejects(...batch.numbers)(batch));
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const { warehouseNo } = warehouse;
  await app.provision({
    logistics_keys: live.map(({ accountNo, apiKey }) => ({
      name: 'wms',
      key: apiKey,
      account_no: accountNo,
      warehouse_no: warehouseNo,
      store_no: 10,
    })),
  });
  for (const { apiKey } of live) {
    const { exampleShippingOrder } = await import('../../contract/logistics/shipping-order.ts');
    const body = {
      ...exampleShippingOrder,
      internal_name: 'SAME',
      callback_url: null,
      products: [{ sku, quantity: 1, storage_type: '1' }],
    };
    assert.equal((await app.callLogistics('/orders/order', body, { apiKey })).status, 200);
  }
  await order(app, `SAME-${warehouseNo}`, [[sku, 1]], warehouse.callers[0]);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  const rows = await here.json(['transfer', 'list', '--warehouse', String(warehouseNo)]);
  assert.equal(rows.length, 3);
  const { code, stderr } = await here.run(['transfer', 'retry', 'SAME']);
  assert.deepEqual(
    [code, stderr],
    [
      1,
      `lading: more than one order has the number SAME; say which by its orders_id:\n  ${rows[0].orders_id} of LIVE-1\n  ${rows[1].orders_id} of LIVE-2\n`,
    ],
  );
  assert.deepEqual(await here.json(['transfer', 'retry', rows[1].orders_id]), { count: 1 });
  assert.equal((await here.json(['transfer', 'list', '--warehouse', String(warehouseNo)])).length, 2);
  await closeWarehouse(app, warehouse);
});

test('schedule shows how the last wave of each warehouse went, and when the next one is due', async () => {
  const { warehouse } = await putTwoAside();
  const manual = await makeWarehouse(app, { type: 'manual' });
  const find = async ({ warehouseNo }: LiveWarehouse) => {
    const rows: Record<string, unknown>[] = await here.json(['transfer', 'schedule']);
    return rows.find((row) => row.warehouse_no === warehouseNo)!;
  };
  const { last_wave, next_wave, ...rest } = await find(warehouse);
  assert.deepEqual(rest, {
    ...{ warehouse_no: warehouse.warehouseNo, connector: 'http', transfer_every_s: 86_400 },
    ...{ last_outcome: 'transferred 1, put aside 2', failures: 0 },
  });
  assert.equal(Date.parse(String(next_wave)) - Date.parse(String(last_wave)), 86_400_000);
  assert.deepEqual(await find(manual), {
    ...{ warehouse_no: manual.warehouseNo, connector: 'manual', transfer_every_s: 86_400, last_wave: null, last_outcome: null },
    ...{ failures: 0, next_wave: null },
  });
  const { stdout } = await here.run(['transfer', 'schedule']);
  assert.match(stdout, /^warehouse_no +connector +transfer_every_s +last_wave +last_outcome +failures +next_wave\n/);
  await closeWarehouse(app, warehouse);
});

test('the metrics tell how many orders are put aside, and for how long a wave has waited for a worker', async () => {
  const { warehouse } = await putTwoAside();
  const gauge = async (name: string) => {
    const { payload } = await app.http.inject('/metrics');
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(payload)?.[1]);
  };
  assert.ok((await gauge('lading_orders_put_aside')) >= 2);
  await app.store.database.read(
    (sql) => sql`update push_schedule set next_wave_at = now() - interval '100 seconds' where warehouse_no = ${warehouse.warehouseNo}`,
  );
  assert.ok((await gauge('lading_wave_longest_due_seconds')) >= 100);
  await closeWarehouse(app, warehouse);
});
