import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTransfers } from '../../server/domain/orders/transfer-queries.ts';
import { startTestApp } from '../support/app.ts';
import { assertBalancesAreSums, cancelOrders } from '../support/warehouse.ts';
import { type TestWorker, until } from '../support/worker.ts';
import {
  all,
  beingSent,
  closeWarehouse,
  fatesOf,
  inWarehouse,
  type LiveWarehouse,
  makeWarehouse,
  orderSome,
  provisionLive,
  putAside,
  scheduleOf,
  startTestPush,
  takenBack,
  untilWaveIsOver,
  untouched,
  waveNow,
} from './push.ts';
import { type Behaviour, type Reply, rejects, startWarehouseSystem, takes, type WarehouseSystem } from './warehouse-system.ts';

const app = await startTestApp();
await provisionLive(app);
const { database } = app.store;

interface Story {
  system: WarehouseSystem;
  warehouse: LiveWarehouse;
  numbers: string[];
  push: TestWorker;
}

/** Orders that go to a system which behaves like this, until they are where they are to be. */
async function tell(
  { behaviour, orders = 6, settings = {} }: { behaviour: Behaviour; orders?: number; settings?: Parameters<typeof startTestPush>[1] },
  work: (story: Story) => Promise<void>,
): Promise<void> {
  const system = await startWarehouseSystem(behaviour);
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, orders);
  const push = startTestPush(app, settings);
  try {
    await work({ system, warehouse, numbers, push });
  } finally {
    await push.close();
    await closeWarehouse(app, warehouse);
  }
}

async function reasonsOf(numbers: string[]): Promise<Record<string, string>> {
  const rows = await database.read(
    (sql) => sql`select partner_number, reason from transfer join orders using (order_id) where partner_number = any(${numbers})`,
  );
  return Object.fromEntries(rows.map((row) => [row.partner_number, row.reason]));
}

test('an order that is rejected by name is put aside with its reason, and the rest goes on', async () => {
  const behaviour: Behaviour = (batch) => rejects(...batch.numbers.filter((number) => /-(2|5)$/.test(number)))(batch);
  await tell({ behaviour }, async ({ system, warehouse, numbers, push }) => {
    await untilWaveIsOver(app, warehouse);

    const [, second, , , fifth] = numbers;
    assert.deepEqual(await fatesOf(app, numbers), { ...all(numbers, inWarehouse), [second!]: putAside, [fifth!]: putAside });
    const reasons = await reasonsOf([second!, fifth!]);
    assert.deepEqual(reasons, { [second!]: `not ${second}`, [fifth!]: `not ${fifth}` });
    assert.equal((await scheduleOf(app, warehouse))!.lastOutcome, 'transferred 4, put aside 2');
    assert.equal(await push.metric('transfers_total{outcome="rejected"}'), 2);

    await waveNow(app, warehouse);
    await untilWaveIsOver(app, warehouse);
    assert.equal(system.batches.length, 2, 'what is put aside is not sent again by itself');
  });
});

for (const status of [400, 409, 413, 422]) {
  test(`a batch that is refused with ${status} is halved until the order that is the cause is alone, which is put aside`, async () => {
    const behaviour: Behaviour = ({ numbers }) =>
      numbers.some((number) => number.endsWith('-3')) ? { status, body: `no\0 island ${'x'.repeat(600)}` } : { status: 202 };
    await tell({ behaviour, orders: 7, settings: { settings: { postedMax: 8 } } }, async ({ system, warehouse, numbers }) => {
      await untilWaveIsOver(app, warehouse);

      const third = numbers[2]!;
      assert.deepEqual(await fatesOf(app, numbers), { ...all(numbers, inWarehouse), [third]: putAside });
      assert.deepEqual(await reasonsOf([third]), { [third]: `HTTP ${status}: no\ufffd island ${'x'.repeat(489)}` });
      assert.deepEqual(
        system.batches.map((batch) => batch.numbers.map((number) => Number(number.split('-').at(-1)))),
        [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4], [1, 2], [3, 4], [3], [4], [5, 6, 7]],
      );
      assert.ok([...system.transfers().values()].every((ids) => ids.size === 1));
    });
  });
}

const troubles: [string, Reply | 'late', why: RegExp][] = [
  ['500', { status: 500, body: 'private details' }, /^failed: HTTP 500$/],
  ['429', { status: 429 }, /^failed: HTTP 429$/],
  ['401', { status: 401 }, /^failed: HTTP 401$/],
  ['404', { status: 404 }, /^failed: HTTP 404$/],
  ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, /^failed: HTTP 307$/],
  ['a reset', 'reset', /^failed: connection reset$/],
  ['no answer in time', 'late', /^failed: timed out after 0\.3 s$/],
];
for (const [name, reply, why] of troubles) {
  test(`after ${name} the same orders are sent again, with the same ids, before any other`, async () => {
    const over = Promise.withResolvers<void>();
    const failing: Behaviour = async () => {
      if (reply !== 'late') return reply;
      await over.promise;
      return { status: 200 };
    };
    const settings = { postSeconds: reply === 'late' ? 0.3 : 15, retryDelaysSeconds: [3600] };
    await tell({ behaviour: failing, settings: { settings } }, async ({ system, warehouse, numbers, push }) => {
      await until('it has failed', async () => (await scheduleOf(app, warehouse))?.failures === 1);
      assert.match((await scheduleOf(app, warehouse))!.lastOutcome!, why);
      assert.deepEqual(await fatesOf(app, numbers), { ...all(numbers.slice(0, 4), beingSent), ...all(numbers.slice(4), untouched) });

      await push.close();
      system.behave(takes);
      over.resolve();
      const patient = startTestPush(app);
      await waveNow(app, warehouse);
      await untilWaveIsOver(app, warehouse);
      await patient.close();

      assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
      assert.deepEqual(
        system.batches.map((batch) => batch.numbers),
        [numbers.slice(0, 4), numbers.slice(0, 4), numbers.slice(4)],
      );
      assert.ok([...system.transfers().values()].every((ids) => ids.size === 1));
      assert.equal(await push.metric('transfers_total{outcome="failed"}'), 4);
      const logged = JSON.stringify(push.logLines);
      assert.ok(!logged.includes('private details') && !logged.includes(numbers[0]!));
    });
  });
}

test('a wave is tried again by itself, however often it fails, and counts its failures', async () => {
  const behaviour: Behaviour = ({ nth }) => ({ status: nth <= 4 ? 429 : 200 });
  await tell({ behaviour, orders: 1 }, async ({ system, warehouse, numbers, push }) => {
    await untilWaveIsOver(app, warehouse);
    assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
    assert.equal(system.batches.length, 5);
    const counted = push.logLines.flatMap((line) => line.failures ?? []);
    assert.deepEqual(counted, [1, 2, 3, 4]);
    const [row] = await database.read(
      (sql) => sql`select attempts from transfer join orders using (order_id) where partner_number = ${numbers[0]!}`,
    );
    assert.equal(row!.attempts, 5);
  });
});

test('Retry-After makes the wait longer, up to an hour', async () => {
  for (const [asked, atLeast, atMost] of [
    ['600', 590, 600],
    ['86400', 3590, 3600],
  ] as const) {
    const behaviour: Behaviour = () => ({ status: 503, headers: { 'retry-after': asked } });
    await tell({ behaviour, orders: 1 }, async ({ warehouse }) => {
      await until('it has failed', async () => (await scheduleOf(app, warehouse))?.failures === 1);
      const { inSeconds } = (await scheduleOf(app, warehouse))!;
      assert.ok(inSeconds > atLeast && inSeconds <= atMost, `waits ${inSeconds} s`);
    });
  }
});

test('where nothing can have arrived, orders are taken back and can still be cancelled', async () => {
  const system = await startWarehouseSystem();
  await system.close();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 2);
  const push = startTestPush(app, { settings: { retryDelaysSeconds: [3600] } });
  await until('it has failed', async () => (await scheduleOf(app, warehouse))?.failures === 1);
  await push.close();

  assert.equal((await scheduleOf(app, warehouse))!.lastOutcome, 'failed: connection refused');
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, takenBack));
  assert.deepEqual(await cancelOrders(app, [numbers[0]!], warehouse.callers[0]), [{ outbound_short_id: numbers[0], status: 'cancelled' }]);
  await closeWarehouse(app, warehouse);
});

test('what was sent before is not taken back when the next try finds nobody', async () => {
  await tell({ behaviour: () => ({ status: 500 }), orders: 1, settings: { settings: { retryDelaysSeconds: [3600] } } }, async (story) => {
    const { system, warehouse, numbers } = story;
    await until('it has failed', async () => (await scheduleOf(app, warehouse))?.failures === 1);
    await system.close();
    await waveNow(app, warehouse);
    await until('it has failed again', async () => (await scheduleOf(app, warehouse))?.failures === 2);
    assert.deepEqual(await fatesOf(app, numbers), all(numbers, beingSent));
  });
});

test('an answer that is no JSON, or says something else, takes all orders', async () => {
  const answers = [
    'thank you',
    '{"results": {"0": 1}}',
    'null',
    '{"results":[null,{"accepted":false},{"accepted":"no","transfer_id":"x"}]}',
  ];
  const behaviour: Behaviour = ({ nth }) => ({ status: 200, body: answers[nth - 1]! });
  await tell({ behaviour, orders: 4, settings: { settings: { postedMax: 1 } } }, async ({ warehouse, numbers, push }) => {
    await untilWaveIsOver(app, warehouse);
    assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
    assert.equal(push.logLines.filter((line) => String(line.msg).includes('no JSON')).length, 1);
  });
});

test('an answer that is too long to be read is asked for again, for fewer orders', async () => {
  const behaviour: Behaviour = ({ body }) => ({
    status: 200,
    body: { results: body.orders.map(({ transfer_id }) => ({ transfer_id, accepted: false, reason: 'x'.repeat(6000) })) },
  });
  await tell({ behaviour, orders: 4 }, async ({ system, warehouse, numbers }) => {
    await untilWaveIsOver(app, warehouse);
    assert.deepEqual(await fatesOf(app, numbers), all(numbers, putAside));
    assert.deepEqual(
      system.batches.map((batch) => batch.numbers.length),
      [4, 2, 2],
    );
    assert.equal((await reasonsOf(numbers))[numbers[0]!]!.length, 500);
  });
});

test('a batch that would be too large is sent in halves', async () => {
  await tell({ behaviour: takes, orders: 4, settings: { settings: { bodyMaxBytes: 3000 } } }, async ({ system, warehouse, numbers }) => {
    await untilWaveIsOver(app, warehouse);
    assert.deepEqual(system.firstArrivals(), numbers);
    assert.ok(system.batches.length > 1 && system.batches.every((batch) => batch.text.length <= 3000 || batch.numbers.length === 1));
  });
});

test('of a batch that is sent in halves nothing stays behind where nobody is there: all of it is taken back, and goes in order later', async () => {
  const system = await startWarehouseSystem();
  await system.close();
  const warehouse = await makeWarehouse(app, { type: 'http', url: system.url });
  const numbers = await orderSome(app, warehouse, 4);
  const settings = { bodyMaxBytes: 1000, retryDelaysSeconds: [3600] };
  const push = startTestPush(app, { settings });
  await until('it has failed', async () => (await scheduleOf(app, warehouse))?.failures === 1);
  assert.deepEqual(await fatesOf(app, numbers), all(numbers, takenBack));

  const open = await startWarehouseSystem();
  await app.provision({ warehouses: [{ warehouse_no: warehouse.warehouseNo, connector: { type: 'http', url: open.url } }] });
  await waveNow(app, warehouse);
  await untilWaveIsOver(app, warehouse);
  await push.close();
  assert.deepEqual(open.firstArrivals(), numbers);
  await closeWarehouse(app, warehouse);
});

/** Fails whenever one of these orders, named by its place, is among those sent. */
function failsOn(...places: number[]): Behaviour {
  return ({ numbers }) => ({ status: numbers.some((number) => places.includes(placeOf(number))) ? 500 : 200 });
}

function placeOf(number: string): number {
  return Number(number.split('-').at(-1));
}

/** Which orders were sent together, by their places. */
function posts({ batches }: WarehouseSystem): number[][] {
  return batches.map((batch) => batch.numbers.map(placeOf));
}

test('an order on which the warehouse fails every time is found after three failures, and holds up no other; it is tried again first, and alone', async () => {
  // The third delay is what counts for a warehouse that goes on but for such an order.
  const settings = { retryDelaysSeconds: [0.02, 0.02, 0.02, 7200] };
  await tell({ behaviour: failsOn(2), orders: 7, settings: { settings } }, async ({ system, warehouse, numbers, push }) => {
    const [first, second, ...others] = numbers as [string, string, ...string[]];
    await until('the others are there', async () => (await fatesOf(app, numbers))[numbers[6]!]![0] === 'in_warehouse');
    await until('it has been tried twice more', () => posts(system).filter((places) => places.join() === '2').length >= 3);

    assert.deepEqual(await fatesOf(app, numbers), { ...all([first, ...others], inWarehouse), [second]: beingSent });
    const failed = [1, 2, 3, 4];
    const found = [[1, 2], [1], [2], [3, 4]];
    assert.deepEqual(posts(system).slice(0, 11), [failed, failed, failed, failed, ...found, [5, 6, 7], [2], [2]]);
    await until('a wave has ended', async () => (await scheduleOf(app, warehouse))!.isFree);
    const { failures, lastOutcome } = (await scheduleOf(app, warehouse))!;
    assert.deepEqual([failures, lastOutcome], [3, 'transferred 0, put aside 0, stuck 1']);
    assert.ok((await push.metric('waves_total{outcome="done"}')) >= 2);
    assert.equal(await push.metric('waves_total{outcome="failed"}'), 3);

    const tooLate = { outbound_short_id: second, status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' };
    assert.deepEqual(await cancelOrders(app, [second], warehouse.callers[1]), [tooLate]);
    const [listed] = await database.read((sql) =>
      listTransfers(sql, { warehouseNo: warehouse.warehouseNo, status: null, numbers: null }, 9),
    );
    assert.deepEqual([listed!.number, listed!.status, listed!.reason], [second, 'sending', 'HTTP 500']);
    assert.ok(listed!.tries >= 6, 'each try is counted');

    const [newer] = await orderSome(app, warehouse, 1, 'NEWER');
    await until('it is there', async () => (await fatesOf(app, [newer!]))[newer!]![0] === 'in_warehouse');
    system.behave(takes);
    await untilWaveIsOver(app, warehouse);
    assert.deepEqual(await fatesOf(app, [...numbers, newer!]), all([...numbers, newer!], inWarehouse));
    assert.ok([...system.transfers().values()].every((ids) => ids.size === 1));
    assert.equal((await scheduleOf(app, warehouse))!.lastOutcome, 'transferred 1, put aside 0');
  });
});

test('a warehouse that fails for three orders alone is taken for down: the wave fails after few posts, and newer orders wait', async () => {
  const settings = { postedMax: 16, retryDelaysSeconds: [0.02, 0.02, 0.02, 3600] };
  const down: Behaviour = () => ({ status: 503 });
  await tell({ behaviour: down, orders: 17, settings: { settings } }, async ({ system, warehouse, numbers, push }) => {
    await until('it has failed four times', async () => (await scheduleOf(app, warehouse))?.failures === 4);
    const { lastOutcome, inSeconds } = (await scheduleOf(app, warehouse))!;
    assert.equal(lastOutcome, 'failed: HTTP 503');
    assert.ok(inSeconds > 3500);
    assert.deepEqual(
      posts(system)
        .slice(3)
        .map((places) => places.length),
      [16, 8, 4, 2, 1, 1, 2, 1],
    );
    assert.deepEqual(await fatesOf(app, numbers), { ...all(numbers.slice(0, 16), beingSent), [numbers[16]!]: untouched });
    assert.equal(await push.metric('waves_total{outcome="failed"}'), 4);

    system.behave(takes);
    await waveNow(app, warehouse);
    await untilWaveIsOver(app, warehouse);
    assert.deepEqual(await fatesOf(app, numbers), all(numbers, inWarehouse));
    assert.deepEqual(system.firstArrivals(), numbers);
  });
});

test('without a secret nothing is sent', async () => {
  await tell(
    { behaviour: takes, orders: 1, settings: { secretsOf: async () => [], settings: { retryDelaysSeconds: [3600] } } },
    async (story) => {
      await until('it has failed', async () => (await scheduleOf(app, story.warehouse))?.failures === 1);
      assert.equal((await scheduleOf(app, story.warehouse))!.lastOutcome, 'failed: no secret to sign with');
      assert.deepEqual([story.system.batches.length, await fatesOf(app, story.numbers)], [0, all(story.numbers, takenBack)]);
    },
  );
});

test('a warehouse that does not answer holds up no other one', async () => {
  const over = Promise.withResolvers<void>();
  const hanging: Behaviour = async () => {
    await over.promise;
    return { status: 200 };
  };
  await tell({ behaviour: hanging, orders: 1 }, async ({ system }) => {
    await until('it hangs', () => system.batches.length === 1);
    const other = await makeWarehouse(app, { type: 'http', url: (await startWarehouseSystem()).url });
    const numbers = await orderSome(app, other, 5);
    await waveNow(app, other);
    await until('they are there', async () => Object.values(await fatesOf(app, numbers)).every(([status]) => status === 'in_warehouse'));
    over.resolve();
    await closeWarehouse(app, other);
  });
  await assertBalancesAreSums(app);
});
