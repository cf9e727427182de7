import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { TransferBody } from '../../contract/connector/transfer.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import { pushManually } from '../../server/domain/transfers/transfer-orders.ts';
import { claimWave, completeSchedule } from '../../server/domain/transfers/transfer-schedule-queries.ts';
import { makeChecker } from '../../server/platform/json/schema.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { alpha } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { settingsFor } from '../support/command.ts';
import { item, ship } from '../support/logistics.ts';
import { order, orderBody, orderRow, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import {
  all,
  inWarehouse,
  type LiveWarehouse,
  live,
  ofOneAccount,
  rejected,
  sku,
  startPushTests,
  untouched,
} from './push.ts';
import { type Behaviour, rejects, startWarehouseSystem, takes } from './warehouse-system.ts';

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
const cause = { actor: 'test', traceId: null };

test('accounts take turns; the orders of each are sent by their creation, in batches of one account, each once', async () => {
  const { system, warehouse } = await makePosted(undefined, 0);
  // Many orders of one account in a row, then of the other one: they are read in pages of each account.
  const [one, two] = await Promise.all(
    warehouse.callers.map((caller, index) => orderSome({ ...warehouse, callers: [caller] }, 5, `ROW-${index}`)),
  );
  for (const [index, number] of (await orderSome(warehouse, 8)).entries()) (index % 2 === 0 ? one! : two!).push(number);
  const numbers = [...one!, ...two!];
  const worker = startWorker();
  await wait.untilWaveIsOver(warehouse);

  const sent = system.batches.map((batch) => batch.numbers);
  const turns = [0, 4, 8].map((start) => [one!, two!].map((own) => own.slice(start, start + 4)));
  assert.deepEqual(sent.toSorted(), turns.flat().toSorted());
  for (const [index, turn] of turns.entries())
    assert.deepEqual(sent.slice(2 * index, 2 * index + 2).toSorted(), turn.toSorted(), 'both have their turn');
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  assert.equal((await scheduleOf(warehouse))!.lastOutcome, 'transferred 18, rejected 0');
  assert.equal(await worker.metric('transfers_total{outcome="accepted"}'), 18);

  const later = await orderSome(warehouse, 3, 'LATER');
  await waveNow(warehouse);
  await until('they have arrived', () => system.firstArrivals().length === 21);
  assert.deepEqual(system.firstArrivals().slice(18), [later[0], later[2], later[1]], 'the oldest order goes first');
});

const emptyOrder = {
  outbound_short_id: null,
  internal_name: null,
  name: null,
  store_no: 10,
  logistics_type: null,
  express_type: null,
  consignee_country: null,
  consignee_name: null,
  consignee_phone: null,
  consignee_address: null,
  consignee_zip: null,
  consignee_city: null,
  customer_name: null,
  delivery_charge: null,
  note: null,
  store_pickup_label_data: null,
};
const emptyLine = { storage_type: 'ambient', batch: null, identifier: null, combo_sku: null };
const lot = (expire_date: string, qty: number) => ({ batch_id: '', expire_date, qty });

test('the warehouse receives everything about an order of the warehouse API', async () => {
  const { system, warehouse } = await makePosted(undefined, 0);
  const [caller] = warehouse.callers;
  const number = `W-${warehouse.warehouseNo}`;
  await receive(app, { MILK: [['2031-02-01', 2]] }, caller);
  await receive(app, { MILK: [['2031-01-01', 1]] }, caller);
  const consignee = {
    consignee_name: '王小明',
    consignee_phone: '0912',
    consignee_address: '中大路300號',
    consignee_zip: '320',
  };
  const body = orderBody(
    number,
    [
      ['MILK', 1],
      ['MILK', 2],
    ],
    caller,
  );
  await app.callWarehouse('/outbound/create', { ...body, ...consignee }, caller);
  startWorker();
  await wait.untilWaveIsOver(warehouse);

  const [batch] = system.batches;
  assert.deepEqual(makeChecker(TransferBody)(batch!.body), { kind: 'valid', value: batch!.body });
  const { warehouse_no, batch_id, orders } = batch!.body;
  assert.deepEqual([warehouse_no, batch_id], [warehouse.warehouseNo, batch!.headers['webhook-id']]);
  const milk = { ...emptyLine, sku_id: 'MILK', name: 'Name of MILK' };
  assert.deepEqual(orders, [
    {
      ...emptyOrder,
      ...consignee,
      transfer_id: orders[0]!.transfer_id,
      orders_id: (await orderRow(app, number))!.order_no,
      account_no: 'LIVE-1',
      channel: 'warehouse',
      outbound_short_id: number,
      logistics_type: 'home',
      express_type: 'tcat',
      consignee_country: 'TW',
      created_at: orders[0]!.created_at,
      details: [
        { ...milk, qty: 1, lots: [lot('2031-01-01', 1)] },
        { ...milk, qty: 2, lots: [lot('2031-02-01', 2)] },
      ],
    },
  ]);
});

test('the warehouse receives everything about an order of the logistics webhook', async () => {
  const { system, warehouse } = await makePosted(undefined, 0);
  const [{ accountNo, apiKey }] = live as [(typeof live)[0]];
  const place = { account_no: accountNo, warehouse_no: warehouse.warehouseNo, store_no: 10 };
  await app.provision({ logistics_keys: [{ name: 'wms', key: apiKey, ...place }] });
  const extras = {
    delivery_charge: 60.5,
    note: 'Ring\ntwice',
    store_pickup_label_data: { store_id: '991182', nested: { codes: [1, 2.5, '三'] } },
  };
  const tea = item(sku, 2, { name: 'Tea in a box', combo_sku: 'BOX', identifier: 'ID-7' });
  await ship(app, 'L-1', [tea], { ...extras, city: 'Taipei', address: '1 Road' }, apiKey);
  startWorker();
  await wait.untilWaveIsOver(warehouse);

  const { body } = system.batches[0]!;
  assert.deepEqual(makeChecker(TransferBody)(body), { kind: 'valid', value: body });
  const { transfer_id: _, orders_id: __, created_at: ___, ...order } = body.orders[0]!;
  assert.deepEqual(order, {
    ...emptyOrder,
    ...extras,
    account_no: 'LIVE-1',
    channel: 'logistics',
    internal_name: 'L-1',
    name: 'SHOP-L-1',
    consignee_name: 'Chen Wei',
    consignee_phone: '0900000000',
    consignee_address: '1 Road',
    consignee_city: 'Taipei',
    customer_name: 'Lin Mei-hua',
    details: [
      {
        ...emptyLine,
        sku_id: sku,
        qty: 2,
        name: 'Tea in a box',
        identifier: 'ID-7',
        combo_sku: 'BOX',
        lots: [lot('2030-01-01', 2)],
      },
    ],
  });
});

test('posts are signed with Standard Webhooks: a whsec_ secret by its base64, any other by its bytes, both during a rotation', async () => {
  const system = await startWarehouseSystem();
  const old = 'lcs_the-first-secret-of-a-warehouse';
  const warehouse = await makeWarehouse({ type: 'http', url: system.url, secret: old });
  const owner = { kind: 'connector_secret', owner: String(warehouse.warehouseNo) } as const;
  const rotated = await rotateSecret(service, app.store.keyring, owner, { actor: 'test', overlapSeconds: 600 });
  const fresh = rotated.kind === 'rotated' ? rotated.issued.value : '';
  assert.match(fresh, /^whsec_/);
  await orderSome(warehouse, 1);
  startWorker();
  await wait.untilWaveIsOver(warehouse);

  const { headers, text } = system.batches[0]!;
  const given = headers as Record<string, string>;
  assert.deepEqual(new Webhook(old, { format: 'raw' }).verify(text, given), JSON.parse(text));
  assert.deepEqual(new Webhook(fresh).verify(text, given), JSON.parse(text));
  assert.equal(given['webhook-signature']!.split(' ').length, 2);
  assert.throws(() => new Webhook('another', { format: 'raw' }).verify(text, given));
  assert.throws(() => new Webhook(fresh).verify(`${text} `, given));
});

test('orders of UAT accounts are never transferred', async () => {
  const { system, warehouse } = await makePosted(undefined, 0);
  const { warehouseNo } = warehouse;
  const uat = { ...alpha, warehouseTpwId: `UAT-${warehouseNo}` };
  const tenants = [{ warehouse_tpw_id: uat.warehouseTpwId, warehouse_no: warehouseNo, store_no: 10 }];
  await app.provision({ accounts: [{ account_no: alpha.accountNo, tenants }] });
  await receive(app, { [sku]: [['2030-01-01', 10]] }, uat);
  const ofUat = `U-${warehouseNo}`;
  await order(app, ofUat, [[sku, 1]], uat);
  const numbers = await orderSome(warehouse, 1);
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(system.firstArrivals(), numbers);
  assert.deepEqual(await fatesOf([ofUat]), all([ofUat], untouched));
});

test('a manual warehouse gets no waves; a simulated one has its orders at once, which go on after one step', async () => {
  const [manual, simulated] = [
    await makeWarehouse({ type: 'manual' }),
    await makeWarehouse({ type: 'simulator', step_s: 77 }),
  ];
  const waiting = await orderSome(manual, 2);
  const numbers = await orderSome(simulated, 9);
  startWorker();
  await wait.untilWaveIsOver(simulated);

  assert.deepEqual(await fatesOf([...waiting, ...numbers]), {
    ...all(waiting, untouched),
    ...all(numbers, inWarehouse),
  });
  assert.equal((await scheduleOf(manual))!.lastOutcome, null);
  const steps = await database.read(
    (sql) => sql`
      select distinct t.warehouse_no, extract(epoch from next_step_at - t.created_at)::int as step, actor, c.from_state, c.to_state
      from transfer t join orders o using (account_id, order_id)
        join state_change c on c.account_id = o.account_id and document_type = 'order' and document_id = order_id
      where partner_number = any(${numbers})`,
  );
  const { warehouseNo } = simulated;
  const move = { from_state: 'pending_warehouse_transfer', to_state: 'in_warehouse' };
  assert.deepEqual([...steps], [{ warehouse_no: warehouseNo, step: 77, actor: `warehouse ${warehouseNo}`, ...move }]);
});

test('a wave whose time is up continues after the waves that have been due longer', async () => {
  const arrivals: string[] = [];
  const system = await startWarehouseSystem(({ numbers }) => {
    arrivals.push(...numbers);
    return { status: 200 };
  });
  const posted = { type: 'http', url: system.url } as const;
  const [busy, small] = [await makeWarehouse(posted), await makeWarehouse(posted)];
  const simulated = await makeWarehouse({ type: 'simulator', step_s: 3600 });
  const many = await orderSome(ofOneAccount(busy), 10);
  const few = await orderSome(ofOneAccount(small), 2);
  const given = await orderSome(ofOneAccount(simulated), 6);
  await database.transaction(completeSchedule);
  for (const warehouse of [busy, small, simulated]) await waveNow(warehouse);
  const worker = startWorker({ settings: { wavesAtOnce: 1, waveSeconds: 0 } });
  for (const warehouse of [busy, small, simulated]) await wait.untilWaveIsOver(warehouse);

  assert.deepEqual(arrivals, [...many.slice(0, 4), ...few, ...many.slice(4)]);
  assert.deepEqual(await fatesOf([...many, ...few, ...given]), all([...many, ...few, ...given], inWarehouse));
  // Two of three batches of the first warehouse, and one of two of the last one.
  assert.equal(await worker.metric('waves_total{outcome="turn_over"}'), 3);
  assert.equal(await worker.metric('waves_total{outcome="done"}'), 3);
  assert.equal((await scheduleOf(busy))!.lastOutcome, 'transferred 2, rejected 0');
});

test('a wave that is requested during another one follows it', async () => {
  const { system, warehouse } = await makePosted(undefined, 1);
  let late: string[] = [];
  system.behave(async ({ nth }) => {
    if (nth === 1) {
      late = await orderSome(warehouse, 1, 'LATE');
      const outcome = await pushManually(service, warehouse.warehouseNo, cause);
      assert.deepEqual(outcome, { kind: 'hastened', connector: 'http' });
    }
    return { status: 200 };
  });
  startWorker();
  await until('it has arrived', () => system.firstArrivals().length === 2);
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(late), all(late, inWarehouse));
  assert.ok((await scheduleOf(warehouse))!.inSeconds > 80_000, 'then the usual interval applies');
});

test('a wave whose worker has crashed stays due, also when it started because of a shorter interval', async () => {
  const { warehouseNo } = await makeWarehouse({ type: 'simulator' });
  await database.transaction(completeSchedule);
  await database.read(
    (sql) => sql`
      update push_schedule set last_wave_at = now() - interval '2 days', next_wave_at = now() + interval '1 day' where warehouse_no = ${warehouseNo}`,
  );
  const claim = () => database.transaction((tx) => claimWave(tx, randomUUID(), 0));
  assert.equal((await claim())?.warehouseNo, warehouseNo);
  assert.equal((await claim())?.warehouseNo, warehouseNo);
});

test('a shorter interval applies at once', async () => {
  const { warehouse } = await makePosted(undefined, 1);
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.ok((await scheduleOf(warehouse))!.inSeconds > 80_000);
  const numbers = await orderSome(warehouse, 1, 'SOON');
  await app.provision({ warehouses: [{ warehouse_no: warehouse.warehouseNo, transfer_every_s: 1 }] });
  await wait.untilInWarehouse(numbers);
});

test('a warehouse whose connector changes during a wave is served by the new connector, and no order twice', async () => {
  const [before, after] = [await startWarehouseSystem(), await startWarehouseSystem()];
  const warehouse = await makeWarehouse({ type: 'http', url: before.url });
  const numbers = await orderSome(ofOneAccount(warehouse), 10);
  before.behave(async () => {
    await connect(warehouse, { type: 'http', url: after.url });
    return { status: 200 };
  });
  after.behave(async () => {
    await connect(warehouse, { type: 'simulator', step_s: 3600 });
    return { status: 500 };
  });
  startWorker();
  await wait.untilInWarehouse(numbers);
  assert.deepEqual(before.firstArrivals(), numbers.slice(0, 4));
  assert.deepEqual(after.firstArrivals(), numbers.slice(4, 8));
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
});

const here = makeRunHere(settingsFor(app.store));
const succeeded = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr });

/** Three orders of two accounts, of which the warehouse accepts the first one. */
async function rejectTwo() {
  const isFirst = (number: string) => number.endsWith('-1');
  const acceptsFirst: Behaviour = (batch) => rejects(...batch.numbers.filter((number) => !isFirst(number)))(batch);
  const posted = await makePosted(acceptsFirst, 3, 2);
  const worker = startWorker();
  await wait.untilWaveIsOver(posted.warehouse);
  await worker.close();
  return { ...posted, warehouseNo: String(posted.warehouse.warehouseNo) };
}

test('the list of no transfers is empty, and names the command for failed waves', async () => {
  const nothing = 'no order is being sent or rejected; "lading transfer schedule" shows failed waves\n';
  assert.deepEqual(await here.run(['transfer', 'list']), succeeded(nothing));
  assert.deepEqual(await here.json(['transfer', 'list', '--warehouse', '7', '--status', 'sending']), []);
});

test('the list shows rejected orders with their reasons; retry sends them again with the next wave, under new ids', async () => {
  const { system, warehouse, warehouseNo, numbers } = await rejectTwo();
  const [, second, third] = numbers as [string, string, string];
  const list = ['transfer', 'list', '--warehouse', warehouseNo];

  const rows = await here.json(list);
  const expected = async (number: string, accountNo: string) => ({
    orders_id: (await orderRow(app, number))!.order_no,
    account_no: accountNo,
    number,
    warehouse_no: warehouse.warehouseNo,
    status: 'rejected',
    tries: 1,
    reason: `not ${number}`,
  });
  assert.deepEqual(
    rows.map(({ last_try: _, transfer_id: __, ...row }: Record<string, unknown>) => row),
    [await expected(second, 'LIVE-2'), await expected(third, 'LIVE-1')],
  );
  const { stdout } = await here.run([...list, '--status', 'rejected']);
  assert.match(stdout, /^orders_id +account_no +number +warehouse_no +status +tries +reason +last_try\n/);
  assert.deepEqual(await here.json([...list, '--status', 'sending']), []);
  assert.equal((await here.json([...list, '--limit', '1'])).length, 1);

  const retried = await here.run(['transfer', 'retry', second]);
  assert.deepEqual(retried, succeeded('1 order will be sent again with the next wave\n'));
  const due = { warehouse_no: warehouse.warehouseNo, connector: 'http', due: true };
  assert.deepEqual(await here.json(['transfer', 'push', warehouseNo]), due);
  system.behave(takes);
  startWorker();
  await wait.untilInWarehouse([second]);

  assert.deepEqual(await fatesOf([second, third]), { [second]: inWarehouse, [third]: rejected });
  assert.deepEqual([second, third].map(system.idsOf), [2, 1]);
  const retryAll = (of: string) => here.json(['transfer', 'retry', '--all-rejected', '--warehouse', of]);
  assert.deepEqual([await retryAll('9999'), await retryAll(warehouseNo)], [{ count: 0 }, { count: 1 }]);
  assert.equal((await fatesOf([third]))[third]![1], 'waiting');
});

test('retry changes nothing when it finds one order not rejected, or when its orders are not clear', async () => {
  const { numbers } = await rejectTwo();
  const [first, second] = numbers as [string, string];
  for (const number of [first, 'NOBODY'])
    assert.deepEqual(
      await here.run(['transfer', 'retry', second, number]),
      failed(`lading: order ${number} is not rejected; nothing was changed\n`),
    );
  assert.equal((await here.run(['transfer', 'retry'])).code, 2);
  assert.equal((await here.run(['transfer', 'retry', second, '--all-rejected'])).code, 2);
  assert.deepEqual(await fatesOf([second]), { [second]: rejected });
});

test('push transfers all orders that wait for a manual warehouse, and none of another', async () => {
  const [warehouse, other] = [await makeWarehouse({ type: 'manual' }), await makeWarehouse({ type: 'manual' })];
  const [numbers, others] = [await orderSome(warehouse, 5), await orderSome(other, 1)];
  const push = ['transfer', 'push', String(warehouse.warehouseNo)];

  const handedOver = `5 orders were handed to warehouse ${warehouse.warehouseNo}\n`;
  assert.deepEqual(await here.run(push), succeeded(handedOver));
  assert.deepEqual(await fatesOf([...numbers, ...others]), { ...all(numbers, inWarehouse), ...all(others, untouched) });
  const none = { warehouse_no: warehouse.warehouseNo, connector: 'manual', transferred: 0 };
  assert.deepEqual(await here.json(push), none);
  const [change] = await database.read(
    (sql) => sql`
      select actor from state_change join orders on orders.account_id = state_change.account_id and order_id = document_id where document_type = 'order' and partner_number = ${numbers[0]!}`,
  );
  assert.match(change!.actor, /^transfer push \(.+\)$/);
});

test('three manual pushes at once transfer each order once', async () => {
  const warehouse = await makeWarehouse({ type: 'manual' });
  const numbers = await orderSome(warehouse, 12);
  const outcomes = await Promise.all([1, 2, 3].map(() => pushManually(service, warehouse.warehouseNo, cause)));
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
  const counts = outcomes.map((outcome) => (outcome.kind === 'transferred' ? outcome.count : Number.NaN));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    12,
  );
});

test('a manual push with a time limit reports whether more orders wait, and the next push continues there', async () => {
  const warehouse = await makeWarehouse({ type: 'manual' });
  const numbers = Array.from({ length: 501 }, (_, index) => `LIMIT-${index}`);
  await Promise.all(numbers.map((number) => order(app, number, [[sku, 1]], warehouse.callers[0])));
  const push = () => pushManually(service, warehouse.warehouseNo, cause, { workMaxMs: 0 });
  assert.deepEqual(await push(), { kind: 'transferred', count: 500, hasMore: true });
  assert.deepEqual(await push(), { kind: 'transferred', count: 1, hasMore: false });
  assert.deepEqual(await push(), { kind: 'transferred', count: 0, hasMore: false });
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
});

test('push makes the next wave of any other warehouse due, also after failures; an unknown warehouse is refused', async () => {
  const warehouse = await makeWarehouse({ type: 'simulator', step_s: 3600 });
  const warehouseNo = String(warehouse.warehouseNo);
  const push = ['transfer', 'push', warehouseNo];
  const due = `the next wave of warehouse ${warehouseNo} is due now; a worker will start it\n`;
  assert.deepEqual(await here.run(push), succeeded(due));
  assert.ok((await scheduleOf(warehouse))!.inSeconds <= 0);
  await database.read(
    (sql) =>
      sql`update push_schedule set failures = 3, next_wave_at = now() + interval '1 hour' where warehouse_no = ${warehouseNo}`,
  );
  const numbers = await orderSome(warehouse, 1);
  await here.json(push);
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));

  const unknown = await here.run(['transfer', 'push', '424242']);
  assert.deepEqual(unknown, failed('lading: there is no warehouse 424242\n'));
  for (const number of ['x', '0', '2147483648', '9999999999'])
    assert.equal((await here.run(['transfer', 'push', number])).code, 2);
});

test('retry of a number that orders of two accounts have asks for the orders_id', async () => {
  const { warehouse } = await makePosted((batch) => rejects(...batch.numbers)(batch), 0);
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
  for (const { apiKey } of live) await ship(app, 'SAME', [item(sku, 1)], {}, apiKey);
  await order(app, `SAME-${warehouseNo}`, [[sku, 1]], warehouse.callers[0]);
  startWorker();
  await wait.untilWaveIsOver(warehouse);

  const list = ['transfer', 'list', '--warehouse', String(warehouseNo)];
  const rows = await here.json(list);
  assert.equal(rows.length, 3);
  const ids = `  ${rows[0].orders_id} of LIVE-1\n  ${rows[1].orders_id} of LIVE-2\n`;
  assert.deepEqual(
    await here.run(['transfer', 'retry', 'SAME']),
    failed(`lading: several orders have the number SAME; use the orders_id:\n${ids}`),
  );
  assert.deepEqual(await here.json(['transfer', 'retry', rows[1].orders_id]), { count: 1 });
  assert.equal((await here.json(list)).length, 2);
});

test('schedule and metrics show the last and next wave of each warehouse, and how many orders were rejected', async () => {
  const { warehouse } = await rejectTwo();
  const manual = await makeWarehouse({ type: 'manual' });
  const find = async ({ warehouseNo }: LiveWarehouse) => {
    const rows: Record<string, unknown>[] = await here.json(['transfer', 'schedule']);
    return rows.find((row) => row.warehouse_no === warehouseNo)!;
  };
  const usual = { transfer_every_s: 86_400, failures: 0 };
  const { last_wave, next_wave, ...rest } = await find(warehouse);
  const last_outcome = 'transferred 1, rejected 2';
  assert.deepEqual(rest, { ...usual, warehouse_no: warehouse.warehouseNo, connector: 'http', last_outcome });
  assert.equal(Date.parse(String(next_wave)) - Date.parse(String(last_wave)), 86_400_000);
  const never = { last_wave: null, last_outcome: null, next_wave: null };
  assert.deepEqual(await find(manual), {
    ...usual,
    ...never,
    warehouse_no: manual.warehouseNo,
    connector: 'manual',
  });
  const { stdout } = await here.run(['transfer', 'schedule']);
  assert.match(stdout, /^warehouse_no +connector +transfer_every_s +last_wave +last_outcome +failures +next_wave\n/);

  await database.read(
    (sql) =>
      sql`update push_schedule set next_wave_at = now() - interval '100 seconds' where warehouse_no = ${warehouse.warehouseNo}`,
  );
  const { payload } = await app.http.inject('/metrics');
  const gauge = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(payload)?.[1]);
  assert.ok(gauge('lading_orders_rejected') >= 2);
  assert.ok(gauge('lading_wave_longest_due_seconds') >= 100);
});

// The last test, because this worker runs until the end of the file.
test('the background jobs of a node transfer orders', async () => {
  const { warehouse, numbers } = await makePosted(undefined, 3);
  startTestBackground(app);
  await wait.untilWaveIsOver(warehouse);
  assert.deepEqual(await fatesOf(numbers), all(numbers, inWarehouse));
});
