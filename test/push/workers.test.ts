import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { startTestApp } from '../support/app.ts';
import { cancelOrders } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import {
  all,
  beingSent,
  cancelled,
  closeWarehouse,
  type Fate,
  fatesOf,
  inWarehouse,
  live,
  makeWarehouse,
  orderSome,
  provisionLive,
  putAside,
  scheduleOf,
  startTestPush,
  untilWaveIsOver,
  waveNow,
} from './push.ts';
import { type Behaviour, rejects, startWarehouseSystem, takes } from './warehouse-system.ts';

const app = await startTestApp();
await provisionLive(app);
const { database } = app.store;

test('four workers at once transfer each order once, in the order of creation, while more come', async () => {
  const system = await startWarehouseSystem(({ nth }) => (nth % 5 === 0 ? 'reset' : { status: nth % 7 === 0 ? 500 : 200 }));
  const simulated = await makeWarehouse(app, { type: 'simulator', step_s: 3600 });
  const posted = await makeWarehouse(app, { type: 'http', url: system.url });
  await app.provision({ warehouses: [posted, simulated].map(({ warehouseNo }) => ({ warehouse_no: warehouseNo, transfer_every_s: 1 })) });
  const pushes = Array.from({ length: 4 }, () => startTestPush(app));
  const numbers: string[] = [];
  for (let round = 1; round <= 8; round++) {
    numbers.push(...(await orderSome(app, posted, 6, `P${round}`)), ...(await orderSome(app, simulated, 6, `S${round}`)));
    for (const warehouse of [posted, simulated]) await waveNow(app, warehouse);
  }
  await until('all are there', async () => Object.values(await fatesOf(app, numbers)).every(([status]) => status === 'in_warehouse'));
  await Promise.all(pushes.map((push) => push.close()));

  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  assert.deepEqual(
    system.firstArrivals(),
    numbers.filter((number) => number.startsWith('P')),
  );
  assert.ok([...system.transfers().values()].every((ids) => ids.size === 1));
  for (const warehouse of [posted, simulated]) await closeWarehouse(app, warehouse);
});

test('a worker that stands still is overtaken, and what it writes afterwards is not accepted', async () => {
  const held = Promise.withResolvers<void>();
  const system = await startWarehouseSystem(async (batch) => {
    if (batch.nth > 1) return { status: 200 };
    await held.promise;
    return await rejects(...batch.numbers)(batch);
  });
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 6);
  const still = startTestPush(app, { settings: { wavesAtOnce: 1 } });
  await until('the first is at it', () => system.batches.length === 1);
  // As if it had not renewed its lease for long.
  await database.read(
    (sql) => sql`update push_schedule set lease_until = now() - interval '1 second' where warehouse_no = ${warehouse.warehouseNo}`,
  );
  const other = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  const schedule = await scheduleOf(app, warehouse);

  held.resolve();
  await until('the first has noticed', () => still.logLines.some((line) => line.msg === 'a wave was taken over by another worker'));
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  assert.equal((await scheduleOf(app, warehouse))!.lastOutcome, schedule!.lastOutcome);
  assert.deepEqual(system.batches.map((batch) => batch.numbers).slice(0, 2), [numbers.slice(0, 4), numbers.slice(0, 4)]);
  assert.ok([...system.transfers().values()].every((ids) => ids.size === 1));
  assert.equal(await still.metric('transfers_total{outcome="rejected"}'), 0);
  await Promise.all([still.close(), other.close()]);
  await closeWarehouse(app, warehouse);
});

test('a lease is renewed while the warehouse takes its time, so that nobody else begins', async () => {
  const held = Promise.withResolvers<void>();
  const system = await startWarehouseSystem(async () => {
    await held.promise;
    return { status: 200 };
  });
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 1);
  const pushes = [1, 2].map(() => startTestPush(app, { settings: { leaseSeconds: 2 } }));
  await until('one is at it', () => system.batches.length === 1);
  const leaseOf = async () => {
    const [row] = await database.read(
      (sql) => sql`select lease, lease_until::text as until from push_schedule where warehouse_no = ${warehouse.warehouseNo}`,
    );
    return row!;
  };
  const first = await leaseOf();
  for (let renewals = 0, last = first.until; renewals < 2; ) {
    const now = await leaseOf();
    assert.equal(now.lease, first.lease);
    if (now.until !== last) renewals++;
    last = now.until;
  }
  assert.equal(system.batches.length, 1);
  held.resolve();
  await untilWaveIsOver(app, warehouse);
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
  await Promise.all(pushes.map((push) => push.close()));
  await closeWarehouse(app, warehouse);
});

test('a worker that is closed records what it is just sending, and leaves the rest of the wave to the next one', async () => {
  const held = Promise.withResolvers<void>();
  const system = await startWarehouseSystem(async () => {
    await held.promise;
    return { status: 200 };
  });
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 6);
  const push = startTestPush(app);
  await until('it is at it', () => system.batches.length === 1);
  const closing = push.close();
  held.resolve();
  await closing;

  const left = (await scheduleOf(app, warehouse))!;
  assert.deepEqual([left.isFree, left.failures, left.inSeconds <= 0], [true, 0, true]);
  assert.deepEqual((await fatesOf(app, numbers.slice(0, 4)))[numbers[0]!], inWarehouse);
  assert.equal(system.firstArrivals().length, 4);
  const next = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await next.close();
  assert.deepEqual(system.firstArrivals(), numbers);
  await closeWarehouse(app, warehouse);
});

const main = { clientId: live[0]!.clientId, checkValue: live[0]!.checkValue };

async function report(number: string, status: string): Promise<unknown> {
  const entry = { outbound_short_id: number, status, ...(status === 'shipped' ? { shipment_no: `S-${number}` } : {}) };
  const { json } = await app.callMain('/fulfilment/advance', { orders: [entry] }, { as: main });
  return json.retval?.results?.[0]?.status ?? json;
}

test('a report may overtake the answer: whom the warehouse has reported on stays where it is, and was taken, whatever the answer says', async () => {
  const system = await startWarehouseSystem(async (batch) => {
    assert.equal(await report(batch.numbers[0]!, 'picking'), 'picking');
    assert.equal(await report(batch.numbers[2]!, 'shipped'), 'shipped');
    return await rejects(batch.numbers[2]!)(batch);
  });
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, { ...warehouse, callers: warehouse.callers.slice(0, 1) }, 3);
  const push = startTestPush(app);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  const [picking, taken, shipped] = numbers;
  assert.deepEqual(await fatesOf(app, numbers), {
    [picking!]: ['picking', 'accepted', 0],
    [taken!]: inWarehouse,
    [shipped!]: ['shipped', 'accepted', 0],
  });
  await closeWarehouse(app, warehouse);
});

test('an order whose answer was lost and on which the warehouse then reports is not sent again', async () => {
  const system = await startWarehouseSystem(() => 'reset');
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, { ...warehouse, callers: warehouse.callers.slice(0, 1) }, 2);
  const push = startTestPush(app, { settings: { retryDelaysSeconds: [3600] } });
  await until('it has failed', async () => (await scheduleOf(app, warehouse))?.failures === 1);
  assert.equal(await report(numbers[0]!, 'packed'), 'packed');
  system.behave(takes);
  await waveNow(app, warehouse);
  await untilWaveIsOver(app, warehouse);
  await push.close();

  assert.deepEqual(
    system.batches.map((batch) => batch.numbers),
    [numbers, numbers.slice(1)],
  );
  assert.deepEqual(await fatesOf(app, numbers), { [numbers[0]!]: ['packed', 'accepted', 0], [numbers[1]!]: inWarehouse });
  await closeWarehouse(app, warehouse);
});

test('an order that is being sent cannot be cancelled; one that was rejected, or has not been sent, can', async () => {
  const held = Promise.withResolvers<void>();
  const system = await startWarehouseSystem(async (batch) => {
    await held.promise;
    return await rejects(batch.numbers[1]!)(batch);
  });
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const [caller] = warehouse.callers;
  const numbers = await orderSome(app, { ...warehouse, callers: [caller!] }, 3);
  const push = startTestPush(app, { settings: { postedMax: 2 } });
  await until('they are being sent', () => system.batches.length === 1);
  const tooLate = (number: string) => ({ outbound_short_id: number, status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' });
  const done = (number: string) => ({ outbound_short_id: number, status: 'cancelled' });

  const [first, second, third] = numbers as [string, string, string];
  assert.deepEqual(await cancelOrders(app, numbers, caller), [tooLate(first), tooLate(second), done(third)]);
  assert.deepEqual(await fatesOf(app, numbers), { ...all([first, second], beingSent), [third]: cancelled });
  held.resolve();
  await untilWaveIsOver(app, warehouse);
  assert.deepEqual(await fatesOf(app, numbers), { [first]: inWarehouse, [second]: putAside, [third]: cancelled });
  assert.deepEqual(await cancelOrders(app, [first, second], caller), [tooLate(first), done(second)]);
  assert.deepEqual((await fatesOf(app, [second]))[second], ['cancelled', 'rejected', 0]);
  await push.close();
  await closeWarehouse(app, warehouse);
});

test('orders are cancelled and pushed at once: each ends as cancelled or transferred, never as both', async () => {
  const slowly: Behaviour = async (batch) =>
    batch.nth % 4 === 0 ? { status: 500 } : batch.nth % 5 === 0 ? { status: 422 } : { status: 200 };
  const system = await startWarehouseSystem(slowly);
  const posted = await makeWarehouse(app, { type: 'http', url: system.url });
  const simulated = await makeWarehouse(app, { type: 'simulator', step_s: 3600 });
  const pushes = [1, 2].map(() => startTestPush(app, { settings: { postedMax: 3, handedOverMax: 3 } }));
  for (const warehouse of [posted, simulated]) {
    const numbers = await orderSome(app, { ...warehouse, callers: warehouse.callers.slice(0, 1) }, 40);
    await waveNow(app, warehouse);
    const told = new Map<string, string>();
    const cancels = numbers.toReversed().map(async (number) => {
      const [result] = (await cancelOrders(app, [number], warehouse.callers[0])) as { status: string }[];
      told.set(number, result!.status);
    });
    await Promise.all(cancels);
    await waveNow(app, warehouse);
    await until('all have ended', async () =>
      Object.values(await fatesOf(app, numbers)).every(
        ([status, transfer]) => status !== 'pending_warehouse_transfer' || transfer === 'rejected',
      ),
    );

    for (const [number, fate] of Object.entries(await fatesOf(app, numbers))) {
      const isCancelled = told.get(number) === 'cancelled';
      const story = `${number} was told ${told.get(number)} and is ${fate}`;
      const hasArrived = system.firstArrivals().includes(number);
      if (isCancelled) assert.ok(fate[0] === 'cancelled' && (fate[1] === 'rejected' || (fate[1] === null && !hasArrived)), story);
      else assert.ok(sameFate(fate, inWarehouse) || sameFate(fate, putAside), story);
    }
  }
  await Promise.all(pushes.map((push) => push.close()));
  assert.deepEqual((await auditStock(database)).findings, []);
  for (const warehouse of [posted, simulated]) await closeWarehouse(app, warehouse);
});

function sameFate(one: Fate, other: Fate): boolean {
  return one.join() === other.join();
}
