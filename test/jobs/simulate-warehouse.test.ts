import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { makeAdvanceOrders } from '../../server/domain/orders/advance-orders.ts';
import { walkSimulatedOrders } from '../../server/domain/orders/walk-simulated-orders.ts';
import { accountIdsOf } from '../../server/domain/partners/partner-queries.ts';
import { takeDueSteps } from '../../server/jobs/simulate-warehouse.ts';
import { makeLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { DatabaseUnavailable } from '../../server/platform/postgres/deadline.ts';
import { startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, dumpLogistics, item, owedFor, ship } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { emptyRow, goodRow, movementsOf, order, orderRow, receive, stockOf } from '../support/warehouse.ts';
import { breakOrder } from '../support/worker.ts';

const app = await startTestApp();
const stepSeconds = 60;
await provisionLive(app);

async function simulate(chances: { short_pick_percent?: number; delay_percent?: number } = {}): Promise<void> {
  const connector = { type: 'simulator', step_s: stepSeconds, ...chances } as const;
  await app.provision({ warehouses: [{ warehouse_no: 1, connector }] });
}

const { database, service } = app.store;
const [accountId] = await database.read((sql) => accountIdsOf(sql, live.accountNo));
const advanceOrders = makeAdvanceOrders({ clock: app.clock, formatCallback });
const logLines: string[] = [];
const context = {
  database: service,
  advanceOrders,
  log: makeLog('trace', { write: (line) => void logLines.push(line) }),
};
const workers = [1, 2].map(() => openDatabase(app.store.serviceConnection, { max: 1, deadlineSeconds: 60 }));
after(() => Promise.all(workers.map((worker) => worker.close())));
beforeEach(async () => {
  await simulate();
  await database.transaction((tx) => tx`update transfer set next_step_at = null`);
});

/** Transfers orders as a wave does: they are in the warehouse, and their first step is scheduled. */
async function handOver(...numbers: string[]): Promise<void> {
  const names = await database.read(
    (sql) =>
      sql`select partner_number, channel = 'logistics' as is_logistics from orders where partner_number = any(${numbers})`,
  );
  const orders = names.map(({ partner_number, is_logistics }) => ({
    [is_logistics ? 'internal_name' : 'outbound_short_id']: partner_number,
    status: 'in_warehouse',
  }));
  await report(orders);
  await insertTransfers(numbers);
}

/** Creates orders of one unit each and transfers them. */
async function makeTransferred(skuId: string, ...numbers: string[]): Promise<void> {
  await receive(app, { [skuId]: [['2030-01-01', numbers.length]] }, live);
  for (const number of numbers) await order(app, number, [[skuId, 1]], live);
  await handOver(...numbers);
}

async function insertTransfers(numbers: string[]): Promise<void> {
  await database.transaction(
    (tx) => tx`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, next_step_at)
      select order_id, gen_random_uuid(), account_id, warehouse_no, 'accepted', now() + make_interval(secs => ${stepSeconds})
      from orders where partner_number = any(${numbers})`,
  );
}

async function report(orders: object[]): Promise<string[]> {
  const { results } = retvalOf<{ results: { status: string }[] }>(
    await app.callMain('/fulfilment/advance', { orders }, { as: live }),
  );
  return results.map(({ status }) => status);
}

/** Makes the next step of all orders due. */
async function timePasses(): Promise<void> {
  await database.transaction((tx) => tx`update transfer set next_step_at = now() where next_step_at is not null`);
}

async function step(): Promise<number> {
  await timePasses();
  return await takeDueSteps(context);
}

async function statusOf(number: string): Promise<unknown> {
  return (await orderRow(app, number))!.status;
}

/** The time in seconds from the last step of an order to its next one, and the reason for a delay. */
async function restOf(number: string): Promise<[seconds: number | null, note: string | null]> {
  const [row] = await database.read(
    (sql) => sql`
      select extract(epoch from next_step_at - t.updated_at)::float8 as seconds, note
      from transfer t join orders using (account_id, order_id) where partner_number = ${number}`,
  );
  return [row!.seconds, row!.note];
}

async function timelineOf(number: string): Promise<string[]> {
  const rows = await database.read(
    (sql) => sql`
      select event, from_state, to_state, actor from state_change join orders on orders.account_id = state_change.account_id and document_type = 'order' and document_id = order_id
      where partner_number = ${number} order by state_change_id`,
  );
  return rows.map(({ event, from_state, to_state, actor }) => `${event}: ${from_state} -> ${to_state} by ${actor}`);
}

const walked = [
  'pick: in_warehouse -> picking by simulated warehouse 1',
  'pack: picking -> packed by simulated warehouse 1',
  'ship: packed -> shipped by simulated warehouse 1',
];

test('an order goes to shipped step by step; then its units leave, and a callback is owed', async () => {
  await receive(app, { TEA: [['2030-01-01', 10]] }, live);
  await ship(app, 'WALK-1', [item('TEA', 3)], { callback_url: 'https://partner.example/told' }, live.apiKey);
  await handOver('WALK-1');

  assert.equal(await takeDueSteps(context), 0, 'before its time');
  const seen: unknown[] = [];
  for (let steps = 0; steps < 3; steps++) {
    assert.equal(await step(), 1);
    seen.push([await statusOf('WALK-1'), ...(await restOf('WALK-1'))]);
    assert.equal((await owedFor(app, 'WALK-1')).length, steps === 2 ? 1 : 0);
    assert.deepEqual(await stockOf(app, 'TEA', live), [
      steps === 2 ? goodRow('TEA', '2030-01-01', 7) : goodRow('TEA', '2030-01-01', 10, 3),
    ]);
  }
  assert.deepEqual(seen, [
    ['picking', stepSeconds, null],
    ['packed', stepSeconds, null],
    ['shipped', null, null],
  ]);
  assert.equal(await step(), 0, 'there is no further step');

  const { order_id, shipment_no, carrier } = (await orderRow(app, 'WALK-1'))!;
  assert.deepEqual([shipment_no, carrier], [`SIM-1-${(order_id as number).toString(36)}`, 'simulator']);
  assert.deepEqual((await timelineOf('WALK-1')).slice(1), walked);
  assert.deepEqual(
    (await movementsOf(app, 'WALK-1')).map(({ kind, on_hand_delta, locked_delta }) => [
      kind,
      on_hand_delta,
      locked_delta,
    ]),
    [
      ['lock', 0, 3],
      ['ship', -3, -3],
    ],
  );
  const [owed] = await owedFor(app, 'WALK-1');
  const body = JSON.parse(owed!.body);
  assert.deepEqual(
    [owed!.event, body.status, body.shipment_no, body.carrier],
    ['order.shipped', 'shipped', shipment_no, carrier],
  );
  await assertBooksInOrder(app);
});

test('a short pick delays an order with a note, and the order is shipped complete', async () => {
  await simulate({ short_pick_percent: 100 });
  await makeTransferred('SALT', 'SHORT');

  await step();
  assert.deepEqual(
    [await statusOf('SHORT'), ...(await restOf('SHORT'))],
    ['picking', 4 * stepSeconds, 'short pick: a unit is missing and is being looked for'],
  );
  await step();
  assert.deepEqual([await statusOf('SHORT'), ...(await restOf('SHORT'))], ['packed', stepSeconds, null]);
  await step();
  assert.equal(await statusOf('SHORT'), 'shipped');
  assert.deepEqual((await timelineOf('SHORT')).slice(1), walked);
  await assertBooksInOrder(app);
});

test('an order continues from the status of a report, and keeps its shipment number and carrier', async () => {
  await receive(app, { CORN: [['2030-01-01', 1]] }, live);
  await makeTransferred('CORN', 'AHEAD', 'GONE');
  await report([
    { outbound_short_id: 'AHEAD', status: 'packed', shipment_no: 'REAL-1' },
    { outbound_short_id: 'GONE', status: 'shipped', shipment_no: 'REAL-2', carrier: 'hct' },
  ]);
  const gone = await orderRow(app, 'GONE');

  assert.equal(await step(), 2);
  assert.equal(await step(), 0);

  const { status, shipment_no, carrier } = (await orderRow(app, 'AHEAD'))!;
  assert.deepEqual([status, shipment_no, carrier], ['shipped', 'REAL-1', 'tcat']);
  assert.deepEqual(await orderRow(app, 'GONE'), gone);
  assert.deepEqual(await stockOf(app, 'CORN', live), [goodRow('CORN', '2030-01-01', 1)]);
  await assertBooksInOrder(app);
});

test('orders of a warehouse that is no longer simulated stop, and reports still advance them', async () => {
  await makeTransferred('OATS', 'STOPPED');
  await step();
  await app.provision({ warehouses: [{ warehouse_no: 1, connector: { type: 'manual' } }] });

  assert.equal(await step(), 1);
  assert.deepEqual([await statusOf('STOPPED'), ...(await restOf('STOPPED'))], ['picking', null, null]);
  assert.equal(await step(), 0);

  assert.deepEqual(await report([{ outbound_short_id: 'STOPPED', status: 'shipped', shipment_no: 'BY-HAND' }]), [
    'shipped',
  ]);
});

test('two workers and reports at once: each order takes each step once, and all are shipped', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `RACE-${index}`);
  await receive(app, { RACE: [['2030-01-01', 100]] }, live);
  for (const number of numbers)
    await ship(app, number, [item('RACE', 2)], { callback_url: 'https://partner.example/race' }, live.apiKey);
  await handOver(...numbers);

  for (let steps = 0; steps < 3; steps++) {
    await timePasses();
    const person = report(
      numbers.filter((_, index) => index % 4 === steps).map((internal_name) => ({ internal_name, status: 'packed' })),
    );
    const counts = await Promise.all(workers.map((worker) => walkAll(worker)));
    await person;
    if (steps === 0) assert.equal(counts[0]! + counts[1]!, numbers.length);
  }
  await step();

  const stages = ['in_warehouse', 'picking', 'packed', 'shipped'];
  for (const number of numbers) {
    const moves = (await timelineOf(number)).map((line) => /: (\w+) -> (\w+)/.exec(line)!.slice(1));
    assert.deepEqual(moves.at(-1)![1], 'shipped');
    for (const [index, [from, to]] of moves.entries()) {
      assert.equal(from, index === 0 ? 'pending_warehouse_transfer' : moves[index - 1]![1]);
      assert.ok(stages.indexOf(to!) > stages.indexOf(from!));
    }
    assert.equal((await owedFor(app, number)).length, 1);
    assert.deepEqual(
      (await movementsOf(app, number)).map(({ kind }) => kind),
      ['lock', 'ship'],
    );
  }
  assert.deepEqual(await stockOf(app, 'RACE', live), [goodRow('RACE', '2030-01-01', 60)]);
  await assertBooksInOrder(app);
});

async function walkAll(worker: (typeof workers)[number]): Promise<number> {
  let count = 0;
  for (;;) {
    const walkedNow = await walkSimulatedOrders(worker, advanceOrders, { accountId: accountId!, max: 3 });
    if (walkedNow === 0) return count;
    count += walkedNow;
  }
}

test('a worker that crashes during a step changes nothing, and the step is taken once', async () => {
  await receive(app, { BEAN: [['2030-01-01', 3]] }, live);
  await ship(app, 'LOST', [item('BEAN', 3)], { callback_url: 'https://partner.example/lost' }, live.apiKey);
  await handOver('LOST');
  for (let steps = 0; steps < 2; steps++) await step();
  await timePasses();
  const lostAfterWriting: typeof advanceOrders = {
    ...advanceOrders,
    async run(tx, requests) {
      const decision = await advanceOrders.run(tx, requests);
      await Promise.all(decision.writes);
      await tx`select pg_terminate_backend(pg_backend_pid())`;
      return decision;
    },
  };

  const before = await dumpLogistics(app);
  await assert.rejects(
    walkSimulatedOrders(workers[0]!, lostAfterWriting, { accountId: accountId!, max: 10 }),
    DatabaseUnavailable,
  );
  assert.deepEqual(await dumpLogistics(app), before);

  assert.equal(await walkSimulatedOrders(workers[0]!, advanceOrders, { accountId: accountId!, max: 10 }), 1);
  assert.deepEqual((await timelineOf('LOST')).slice(1), walked);
  assert.equal((await owedFor(app, 'LOST')).length, 1);
  assert.deepEqual(await stockOf(app, 'BEAN', live), [emptyRow('BEAN')]);
  await assertBooksInOrder(app);
});

test('an order that cannot advance holds up no other, does not change, and is retried', async () => {
  await makeTransferred('NUTS', 'STUCK', 'FREE');
  const { repair } = await breakOrder(database, 'STUCK');
  await step();
  assert.deepEqual([await statusOf('STUCK'), await statusOf('FREE')], ['in_warehouse', 'picking']);
  assert.deepEqual(await restOf('STUCK'), [60, 'it could not go on, and is tried again']);
  assert.equal((await timelineOf('STUCK')).length, 1);

  await repair();
  await step();
  assert.deepEqual([await statusOf('STUCK'), ...(await restOf('STUCK'))], ['picking', stepSeconds, null]);
});
