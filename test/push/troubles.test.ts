import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { listTransfers } from '../../server/domain/transfers/transfer-queries.ts';
import { cancelOrders } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import {
  all,
  beingSent,
  cancelled,
  inWarehouse,
  live,
  rejected,
  startPushTests,
  takenBack,
  untouched,
  withoutRetry,
} from './push.ts';
import {
  type Behaviour,
  held,
  type Reply,
  rejects,
  startWarehouseSystem,
  takes,
  type WarehouseSystem,
} from './warehouse-system.ts';

const {
  app,
  database,
  service,
  connect,
  makeWarehouse,
  makePosted,
  orderSome,
  startWorker,
  scheduleOf,
  fatesOf,
  waveNow,
  ...wait
} = await startPushTests();

async function reasonsOf(numbers: string[]): Promise<Record<string, string>> {
  const rows = await database.read(
    (sql) =>
      sql`select partner_number, reason from transfer join orders using (account_id, order_id) where partner_number = any(${numbers})`,
  );
  return Object.fromEntries(rows.map((row) => [row.partner_number, formatStored(row.reason)]));
}

/** The place of an order among those of its test, from 1. */
function placeOf(number: string): number {
  return Number(number.split('-').at(-1));
}

/** The orders of each batch, by their places. */
function posts({ batches }: WarehouseSystem): number[][] {
  return batches.map((batch) => batch.numbers.map(placeOf));
}

test('an order that is rejected by name keeps the reason, the others are transferred, and it is not sent again', async () => {
  const { system, warehouse, numbers } = await makePosted((batch) =>
    rejects(...batch.numbers.filter((number) => [2, 5].includes(placeOf(number))))(batch),
  );
  const worker = startWorker();
  await wait.untilWaveIsOver(warehouse);

  const [second, fifth] = [numbers[1]!, numbers[4]!];
  assert.deepEqual(await fatesOf(numbers), { ...all(numbers, inWarehouse), [second]: rejected, [fifth]: rejected });
  assert.deepEqual(await reasonsOf([second, fifth]), { [second]: `not ${second}`, [fifth]: `not ${fifth}` });
  assert.equal((await scheduleOf(warehouse))!.lastOutcome, 'transferred 4, rejected 2');
  assert.equal(await worker.metric('transfers_total{outcome="rejected"}'), 2);

  await waveNow(warehouse);
  await wait.untilWaveIsOver(warehouse);
  assert.equal(system.batches.length, 2);
});

test('a batch that is refused is halved until the order that causes it is alone, which is rejected', async () => {
  const { system, warehouse, numbers } = await makePosted(
    (batch) =>
      batch.numbers.some((number) => placeOf(number) === 3)
        ? { status: 422, body: `no\0 island ${'x'.repeat(600)}` }
        : { status: 202 },
    7,
  );
  startWorker({ settings: { postedMax: 8 } });
  await wait.untilWaveIsOver(warehouse);

  const third = numbers[2]!;
  assert.deepEqual(await fatesOf(numbers), { ...all(numbers, inWarehouse), [third]: rejected });
  assert.deepEqual(await reasonsOf([third]), { [third]: `HTTP 422: no\ufffd island ${'x'.repeat(489)}` });
  assert.deepEqual(posts(system), [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4], [1, 2], [3, 4], [3], [4], [5, 6, 7]]);
  assert.ok(system.hasOneIdPerOrder());
});

const troubles: [string, Reply | 'late', outcome: string][] = [
  ['500', { status: 500, body: 'private details' }, 'failed: HTTP 500'],
  ['a reset', 'reset', 'failed: connection reset'],
  ['no response in time', 'late', 'failed: timed out after 0.3 s'],
];
for (const [name, reply, outcome] of troubles) {
  test(`after ${name} the same orders are sent again first, with the same ids`, async () => {
    const late = held();
    const { system, warehouse, numbers } = await makePosted(reply === 'late' ? late.behaviour : () => reply);
    const settings = { postSeconds: reply === 'late' ? 0.3 : 15, ...withoutRetry.settings };
    const failing = startWorker({ settings });
    await wait.untilFailed(warehouse);
    assert.equal((await scheduleOf(warehouse))!.lastOutcome, outcome);
    assert.deepEqual(await fatesOf(numbers), {
      ...all(numbers.slice(0, 4), beingSent),
      ...all(numbers.slice(4), untouched),
    });

    await failing.close();
    system.behave(takes);
    late.release();
    startWorker();
    await waveNow(warehouse);
    await wait.untilWaveIsOver(warehouse);

    assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
    const batch = [1, 2, 3, 4];
    assert.deepEqual(posts(system), [batch, batch, [5, 6]]);
    assert.ok(system.hasOneIdPerOrder());
    assert.equal(await failing.metric('transfers_total{outcome="failed"}'), 4);
    const logged = JSON.stringify(failing.logLines);
    assert.ok(!logged.includes('private details') && !logged.includes(numbers[0]!));
  });
}

test('orders of any account whose response was lost are sent again before new orders of another one', async () => {
  const { system, warehouse, numbers } = await makePosted(({ nth }) => ({ status: nth === 2 ? 500 : 200 }), 6, 2);
  startWorker(withoutRetry);
  await wait.untilFailed(warehouse);
  const newer = await orderSome({ ...warehouse, callers: [warehouse.callers[0]!] }, 1, 'NEWER');
  await waveNow(warehouse);
  await wait.untilWaveIsOver(warehouse);

  assert.deepEqual(posts(system), [[1, 3, 5], [2, 4, 6], [2, 4, 6], [1]]);
  assert.deepEqual(await fatesOf([...numbers, ...newer]), all([...numbers, ...newer], inWarehouse));
  assert.ok(system.hasOneIdPerOrder());
});

test('a wave is retried however often it fails, and counts its failures', async () => {
  const { system, warehouse, numbers } = await makePosted(({ nth }) => ({ status: nth <= 4 ? 429 : 200 }), 1);
  const worker = startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  assert.equal(system.batches.length, 5);
  assert.deepEqual(
    worker.logLines.flatMap((line) => line.failures ?? []),
    [1, 2, 3, 4],
  );
  const [row] = await database.read(
    (sql) =>
      sql`select attempts from transfer join orders using (account_id, order_id) where partner_number = ${numbers[0]!}`,
  );
  assert.equal(row!.attempts, 5);
});

test('Retry-After makes the wait longer', async () => {
  const { warehouse } = await makePosted(() => ({ status: 503, headers: { 'retry-after': '600' } }), 1);
  startWorker();
  await wait.untilFailed(warehouse);
  const { inSeconds } = (await scheduleOf(warehouse))!;
  assert.ok(inSeconds > 560 && inSeconds <= 600, `waits ${inSeconds} s`);
});

test('orders of a batch that cannot have arrived are taken back, can be cancelled, and go in order later', async () => {
  const { system, warehouse, numbers } = await makePosted(takes, 5);
  await system.close();
  startWorker({ settings: { bodyMaxBytes: 1000, ...withoutRetry.settings } });
  await wait.untilFailed(warehouse);
  assert.equal((await scheduleOf(warehouse))!.lastOutcome, 'failed: connection refused');
  assert.deepEqual(await fatesOf(numbers), { ...all(numbers, takenBack), [numbers[4]!]: untouched });
  assert.deepEqual(await cancelOrders(app, [numbers[0]!], warehouse.callers[0]), [
    { outbound_short_id: numbers[0], status: 'cancelled' },
  ]);

  const open = await startWarehouseSystem();
  await connect(warehouse, { type: 'http', url: open.url });
  await waveNow(warehouse);
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(open.firstArrivals(), numbers.slice(1));
});

test('orders that were sent before are not taken back when the next attempt finds no server', async () => {
  const { system, warehouse, numbers } = await makePosted(() => ({ status: 500 }), 1);
  startWorker(withoutRetry);
  await wait.untilFailed(warehouse);
  await system.close();
  await waveNow(warehouse);
  await wait.untilFailed(warehouse, 2);
  assert.deepEqual(await fatesOf(numbers), all(numbers, beingSent));
});

test('a response that is too long is requested again for fewer orders', async () => {
  const { system, warehouse, numbers } = await makePosted(
    ({ body }) => ({
      status: 200,
      body: {
        results: body.orders.map(({ transfer_id }) => ({ transfer_id, accepted: false, reason: 'x'.repeat(6000) })),
      },
    }),
    4,
  );
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, rejected));
  assert.deepEqual(posts(system), [
    [1, 2, 3, 4],
    [1, 2],
    [3, 4],
  ]);
  assert.equal((await reasonsOf(numbers))[numbers[0]!]!.length, 500);
});

test('a batch that would be too large is sent in halves', async () => {
  const { system, warehouse, numbers } = await makePosted(takes, 4);
  startWorker({ settings: { bodyMaxBytes: 3000 } });
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(system.firstArrivals(), numbers);
  assert.ok(system.batches.length > 1);
  assert.ok(system.batches.every((batch) => batch.text.length <= 3000 || batch.numbers.length === 1));
});

test('an order on which the warehouse always fails is isolated after three failures, holds up no other, and is retried first and alone', async () => {
  const failsOnSecond: Behaviour = (batch) => ({ status: batch.numbers.some((one) => placeOf(one) === 2) ? 500 : 200 });
  const { system, warehouse, numbers } = await makePosted(failsOnSecond, 7);
  const [first, second, ...others] = numbers as [string, string, ...string[]];
  // The third delay applies to a warehouse that works except for such an order.
  const worker = startWorker({ settings: { retryDelaysSeconds: [0.02, 0.02, 0.02, 7200] } });
  await wait.untilInWarehouse([first, ...others]);
  await until('it was retried twice', () => posts(system).filter((places) => places.join() === '2').length >= 3);

  assert.deepEqual(await fatesOf(numbers), { ...all([first, ...others], inWarehouse), [second]: beingSent });
  const batch = [1, 2, 3, 4];
  const isolating = [[1, 2], [1], [2], [3, 4]];
  assert.deepEqual(posts(system).slice(0, 11), [batch, batch, batch, batch, ...isolating, [5, 6, 7], [2], [2]]);
  await until('a wave has ended', async () => (await scheduleOf(warehouse))!.isFree);
  const { failures, lastOutcome } = (await scheduleOf(warehouse))!;
  assert.deepEqual([failures, lastOutcome], [3, 'transferred 0, rejected 0, blocked 1']);
  assert.ok((await worker.metric('waves_total{outcome="done"}')) >= 2);
  assert.equal(await worker.metric('waves_total{outcome="failed"}'), 3);

  const tooLate = { outbound_short_id: second, status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' };
  assert.deepEqual(await cancelOrders(app, [second], warehouse.callers[0]), [tooLate]);
  const [listed] = await database.read((sql) =>
    listTransfers(sql, { warehouseNo: warehouse.warehouseNo, status: null, numbers: null }, 9),
  );
  assert.deepEqual([listed!.number, listed!.status, formatStored(listed!.reason)], [second, 'sending', 'HTTP 500']);
  assert.ok(listed!.tries >= 6, 'each attempt is counted');

  const newer = await orderSome(warehouse, 1, 'NEWER');
  await wait.untilInWarehouse(newer);
  system.behave(takes);
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf([...numbers, ...newer]), all([...numbers, ...newer], inWarehouse));
  assert.ok(system.hasOneIdPerOrder());
  assert.equal((await scheduleOf(warehouse))!.lastOutcome, 'transferred 1, rejected 0');
});

test('a warehouse that fails for three single orders counts as down: the wave fails after few posts, and newer orders wait', async () => {
  const { system, warehouse, numbers } = await makePosted(() => ({ status: 503 }), 17);
  const worker = startWorker({ settings: { postedMax: 16, retryDelaysSeconds: [0.02, 0.02, 0.02, 3600] } });
  await wait.untilFailed(warehouse, 4);
  const { lastOutcome, inSeconds } = (await scheduleOf(warehouse))!;
  assert.equal(lastOutcome, 'failed: HTTP 503');
  assert.ok(inSeconds > 3500);
  assert.deepEqual(
    posts(system)
      .slice(3)
      .map((places) => places.length),
    [16, 8, 4, 2, 1, 1, 2, 1],
  );
  assert.deepEqual(await fatesOf(numbers), { ...all(numbers, beingSent), [numbers[16]!]: untouched });
  assert.equal(await worker.metric('waves_total{outcome="failed"}'), 4);

  system.behave(takes);
  await waveNow(warehouse);
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  assert.deepEqual(system.firstArrivals(), numbers);
});

test('without a secret nothing is sent', async () => {
  const { system, warehouse, numbers } = await makePosted(takes, 1);
  startWorker({ secretsOf: async () => [], ...withoutRetry });
  await wait.untilFailed(warehouse);
  assert.equal((await scheduleOf(warehouse))!.lastOutcome, 'failed: no secret to sign with');
  assert.deepEqual([system.batches.length, await fatesOf(numbers)], [0, all(numbers, takenBack)]);
});

test('a warehouse that does not respond holds up no other one', async () => {
  const { behaviour, release } = held();
  const { system } = await makePosted(behaviour, 1);
  startWorker();
  await until('it hangs', () => system.batches.length === 1);
  const other = await makeWarehouse({ type: 'http', url: (await startWarehouseSystem()).url });
  const numbers = await orderSome(other, 5);
  await waveNow(other);
  await wait.untilInWarehouse(numbers);
  release();
});

test('four workers at once transfer each order once, those of an account in the order of creation, while more orders come', async () => {
  const { system, warehouse: posted } = await makePosted(
    ({ nth }) => (nth % 5 === 0 ? 'reset' : { status: nth % 7 === 0 ? 500 : 200 }),
    0,
  );
  const simulated = await makeWarehouse({ type: 'simulator', step_s: 3600 });
  await app.provision({
    warehouses: [posted, simulated].map(({ warehouseNo }) => ({ warehouse_no: warehouseNo, transfer_every_s: 1 })),
  });
  for (let workers = 1; workers <= 4; workers++) startWorker();
  const [ofPosted, ofSimulated]: [string[], string[]] = [[], []];
  for (let round = 1; round <= 5; round++) {
    ofPosted.push(...(await orderSome(posted, 6, `P${round}`)));
    ofSimulated.push(...(await orderSome(simulated, 6, `S${round}`)));
    for (const warehouse of [posted, simulated]) await waveNow(warehouse);
  }
  const numbers = [...ofPosted, ...ofSimulated];
  await wait.untilInWarehouse(numbers);

  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  for (const account of [0, 1]) {
    const own = (those: string[]) => those.filter((number) => placeOf(number) % 2 === account);
    assert.deepEqual(own(system.firstArrivals()), own(ofPosted));
  }
  assert.ok(system.hasOneIdPerOrder());
});

test('a worker that hangs is replaced, and its late results are discarded', async () => {
  const late = held((batch) => rejects(...batch.numbers)(batch));
  const { system, warehouse, numbers } = await makePosted((batch) =>
    batch.nth > 1 ? { status: 200 } : late.behaviour(batch),
  );
  const hanging = startWorker({ settings: { wavesAtOnce: 1 } });
  await until('the first worker sends', () => system.batches.length === 1);
  // This has the effect of a lease that was not renewed in time.
  await database.read(
    (sql) =>
      sql`update push_schedule set lease_until = now() - interval '1 second' where warehouse_no = ${warehouse.warehouseNo}`,
  );
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  const schedule = await scheduleOf(warehouse);

  late.release();
  await until('the first worker notices', () =>
    hanging.logLines.some((line) => line.msg === 'a wave was taken over by another worker'),
  );
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  assert.equal((await scheduleOf(warehouse))!.lastOutcome, schedule!.lastOutcome);
  const batch = numbers.slice(0, 4);
  assert.deepEqual(system.batches.map(({ numbers }) => numbers).slice(0, 2), [batch, batch]);
  assert.ok(system.hasOneIdPerOrder());
  assert.equal(await hanging.metric('transfers_total{outcome="rejected"}'), 0);
});

test('a worker renews its lease while the warehouse takes its time, so no other worker starts', async () => {
  const { behaviour, release } = held();
  const { system, warehouse, numbers } = await makePosted(behaviour, 1);
  for (let workers = 1; workers <= 2; workers++) startWorker({ settings: { leaseSeconds: 2 } });
  await until('one worker sends', () => system.batches.length === 1);
  const leaseOf = async () => {
    const [row] = await database.read(
      (sql) =>
        sql`select lease, lease_until::text as until from push_schedule where warehouse_no = ${warehouse.warehouseNo}`,
    );
    return row!;
  };
  const { lease } = await leaseOf();
  // After two renewals the first lease would have ended.
  for (let renewals = 1; renewals <= 2; renewals++) {
    const before = await leaseOf();
    await until('the lease is renewed', async () => (await leaseOf()).until !== before.until);
  }
  assert.equal((await leaseOf()).lease, lease);
  assert.equal(system.batches.length, 1);
  release();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
});

test('a worker that is closed records the batch under way and leaves the rest of the wave to the next worker', async () => {
  const { behaviour, release } = held();
  const { system, warehouse, numbers } = await makePosted(behaviour);
  const worker = startWorker();
  await until('it sends', () => system.batches.length === 1);
  const closing = worker.close();
  release();
  await closing;

  const left = (await scheduleOf(warehouse))!;
  assert.deepEqual([left.isFree, left.failures, left.inSeconds <= 0], [true, 0, true]);
  assert.deepEqual(await fatesOf(numbers.slice(0, 4)), all(numbers.slice(0, 4), inWarehouse));
  assert.equal(system.firstArrivals().length, 4);
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(system.firstArrivals(), numbers);
});

async function report(number: string, status: string): Promise<unknown> {
  const entry = { outbound_short_id: number, status, ...(status === 'shipped' ? { shipment_no: `S-${number}` } : {}) };
  const { json } = await app.callMain('/fulfilment/advance', { orders: [entry] }, { as: live[0]! });
  return json.retval?.results?.[0]?.status ?? json;
}

test('an order that the warehouse reports on before its response counts as accepted and keeps its status', async () => {
  const { warehouse, numbers } = await makePosted(
    async (batch) => {
      assert.equal(await report(batch.numbers[0]!, 'picking'), 'picking');
      assert.equal(await report(batch.numbers[2]!, 'shipped'), 'shipped');
      return await rejects(batch.numbers[2]!)(batch);
    },
    3,
    1,
  );
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  const [picking, accepted, shipped] = numbers as [string, string, string];
  assert.deepEqual(await fatesOf(numbers), {
    [picking]: ['picking', 'accepted', 0],
    [accepted]: inWarehouse,
    [shipped]: ['shipped', 'accepted', 0],
  });
});

test('an order whose response was lost is not sent again after the warehouse reports on it', async () => {
  const { system, warehouse, numbers } = await makePosted(() => 'reset', 2, 1);
  const [reported, silent] = numbers as [string, string];
  startWorker(withoutRetry);
  await wait.untilFailed(warehouse);
  assert.equal(await report(reported, 'packed'), 'packed');
  system.behave(takes);
  await waveNow(warehouse);
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(
    system.batches.map((batch) => batch.numbers),
    [numbers, [silent]],
  );
  assert.deepEqual(await fatesOf(numbers), { [reported]: ['packed', 'accepted', 0], [silent]: inWarehouse });
});

test('an order that is being sent cannot be cancelled; one that was rejected, or not sent yet, can', async () => {
  const { behaviour, release } = held((batch) => rejects(batch.numbers[1]!)(batch));
  const { system, warehouse, numbers } = await makePosted(behaviour, 3, 1);
  const [caller] = warehouse.callers;
  startWorker({ settings: { postedMax: 2 } });
  await until('they are being sent', () => system.batches.length === 1);
  const tooLate = (outbound_short_id: string) => ({
    outbound_short_id,
    status: 'cannot_cancel_after_picking',
    code: 'LST-TPW-6001',
  });
  const done = (outbound_short_id: string) => ({ outbound_short_id, status: 'cancelled' });

  const [first, second, third] = numbers as [string, string, string];
  assert.deepEqual(await cancelOrders(app, numbers, caller), [tooLate(first), tooLate(second), done(third)]);
  assert.deepEqual(await fatesOf(numbers), { ...all([first, second], beingSent), [third]: cancelled });
  release();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), { [first]: inWarehouse, [second]: rejected, [third]: cancelled });
  assert.deepEqual(await cancelOrders(app, [first, second], caller), [tooLate(first), done(second)]);
  assert.deepEqual(await fatesOf([second]), { [second]: ['cancelled', 'rejected', 0] });
});

test('orders are cancelled and transferred at once: each ends as one of the two', async () => {
  const { system, warehouse: posted } = await makePosted(
    ({ nth }) => ({ status: nth % 4 === 0 ? 500 : nth % 5 === 0 ? 422 : 200 }),
    0,
  );
  const simulated = await makeWarehouse({ type: 'simulator', step_s: 3600 });
  for (let workers = 1; workers <= 2; workers++) startWorker({ settings: { postedMax: 3, handedOverMax: 3 } });
  for (const warehouse of [posted, simulated]) {
    const [caller] = warehouse.callers;
    const numbers = await orderSome({ ...warehouse, callers: [caller!] }, 30);
    await waveNow(warehouse);
    const answered = new Map<string, string>();
    const cancels = numbers.toReversed().map(async (number) => {
      const [result] = (await cancelOrders(app, [number], caller)) as { status: string }[];
      answered.set(number, result!.status);
    });
    await Promise.all(cancels);
    await waveNow(warehouse);
    await until('all have ended', async () =>
      Object.values(await fatesOf(numbers)).every(
        ([status, transfer]) => status !== 'pending_warehouse_transfer' || transfer === 'rejected',
      ),
    );

    const arrived = system.firstArrivals();
    for (const [number, fate] of Object.entries(await fatesOf(numbers))) {
      const [status, transfer] = fate;
      const state = `the cancel of ${number} was answered ${answered.get(number)}, and it is ${fate}`;
      if (answered.get(number) !== 'cancelled')
        assert.ok([inWarehouse, rejected].map(String).includes(String(fate)), state);
      else
        assert.ok(
          status === 'cancelled' && (transfer === 'rejected' || (transfer === null && !arrived.includes(number))),
          state,
        );
    }
  }
  assert.deepEqual((await auditStock(service)).findings, []);
});
