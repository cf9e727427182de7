import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOrders, type OrderRun } from '../../server/domain/trends/count-orders.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { retvalOf } from '../support/main.ts';
import { purge } from '../support/purge.ts';
import { type Caller, cancelOrders, order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
const { database, service } = app.store;
await provisionLive(app);
await receive(app, { TEA: [['2031-01-01', 1000]] }, live);
await receive(app, { TEA: [['2031-01-01', 1000]] });

const now = new Date('2026-03-10T04:00:00Z');

async function count(run: Partial<OrderRun> = {}): Promise<number> {
  return await countOrders(service, { now, youngestSeconds: 0, restRatio: 0, ...run });
}

/** Orders that were created at this time in Taipei. */
async function create(at: string, numbers: string[], caller: Caller = live): Promise<void> {
  for (const number of numbers) await order(app, number, [['TEA', 2]], caller);
  await database.transaction(
    (tx) => tx`update orders set created_at = ${`${at}+08:00`}::timestamptz where partner_number = any(${numbers})`,
  );
}

/** A step of the warehouse at this time. */
async function advance(at: string, number: string, step: Record<string, unknown>): Promise<void> {
  retvalOf(
    await app.callMain('/fulfilment/advance', { orders: [{ outbound_short_id: number, ...step }] }, { as: live }),
  );
  await database.transaction(
    (tx) => tx`
      update state_change set at = ${`${at}+08:00`}::timestamptz
      where document_id = (select order_id from orders where partner_number = ${number})
        and state_change_id = (select max(state_change_id) from state_change
          where document_id = (select order_id from orders where partner_number = ${number}) and document_type = 'order')`,
  );
}

/** Day, carrier, and the counts that are not 0. */
async function days(accountNo = live.accountNo): Promise<string[]> {
  const rows = await database.read(
    (sql) => sql<Record<string, unknown>[]>`
      select day::text, warehouse_no, carrier, created, shipped, short, delivered, undelivered, cancelled, due, on_time, open from order_trend
      where account_id = (select account_id from account where account_no = ${accountNo}) order by day, warehouse_no, carrier`,
  );
  return rows
    .map(({ day, warehouse_no, carrier, ...counts }) => {
      const found = Object.entries(counts).filter(([, value]) => value !== 0);
      return [day, warehouse_no, carrier, ...found.map(([name, value]) => `${name}=${value}`)].join(' ');
    })
    .filter((line) => line.includes('='));
}

async function backlog(): Promise<string[]> {
  const rows = await database.read(
    (sql) =>
      sql`select day::text, age, sum(orders)::integer as orders from backlog_trend group by 1, 2 having sum(orders) > 0 order by 1, 2`,
  );
  return rows.map(({ day, age, orders }) => `${day} age=${age} ${orders}`);
}

test('orders are counted on the day in Taipei on which they were created, and are open', async () => {
  await create('2026-03-02T23:59:59', ['A-1', 'A-2']);
  await create('2026-03-03T00:00:00', ['A-3', 'A-4']);
  assert.equal(await count(), 4);
  assert.deepEqual(await days(), ['2026-03-02 1 tcat created=2 open=2', '2026-03-03 1 tcat created=2 open=2']);
  assert.deepEqual(await backlog(), ['2026-03-10 age=3 2', '2026-03-10 age=4 2']);
});

test('a second run counts nothing twice', async () => {
  const before = await days();
  assert.equal(await count(), 0);
  assert.deepEqual(await days(), before);
});

test('each step is counted on its own day; an order counts for the carrier that was reported, on all of its days', async () => {
  await advance('2026-03-03T10:00:00', 'A-1', { status: 'shipped', shipment_no: 'S-1', carrier: 'hct' });
  await advance('2026-03-04T10:00:00', 'A-2', { status: 'shipped', shipment_no: 'S-2' });
  await advance('2026-03-06T10:00:00', 'A-2', { status: 'delivered' });
  const parcels = [{ shipment_no: 'S-3', items: [{ sku_id: 'TEA', qty: 1 }] }];
  await advance('2026-03-05T10:00:00', 'A-3', { status: 'shipped', final: true, parcels });
  await advance('2026-03-09T10:00:00', 'A-3', { status: 'undelivered', reason: 'not_collected' });
  await cancelOrders(app, ['A-4'], live);
  await database.transaction(
    (tx) => tx`update state_change set at = '2026-03-08 08:00+08' where to_state = 'cancelled'`,
  );
  assert.equal(await count(), 4);
  assert.deepEqual(await days(), [
    '2026-03-02 1 hct created=1',
    '2026-03-02 1 tcat created=1',
    '2026-03-03 1 hct shipped=1',
    '2026-03-03 1 tcat created=2',
    '2026-03-04 1 tcat shipped=1',
    '2026-03-05 1 tcat shipped=1 short=1',
    '2026-03-06 1 tcat delivered=1',
    '2026-03-08 1 tcat cancelled=1',
    '2026-03-09 1 tcat undelivered=1',
  ]);
  assert.deepEqual(await backlog(), []);
});

test('a warehouse that gets a cut-off has an on-time rate for its earlier orders, too; without cancelled ones', async () => {
  await app.provision({ warehouses: [{ warehouse_no: 1, cut_off: '15:00' }] });
  // Both were created on Monday after 15:00: due on Tuesday, shipped on Tuesday and on Wednesday. A-3 was due on Tuesday.
  assert.equal(await count(), 4);
  assert.deepEqual(
    (await days()).filter((line) => line.includes('due=')),
    ['2026-03-03 1 hct shipped=1 due=1 on_time=1', '2026-03-03 1 tcat created=2 due=2'],
  );
  assert.equal(await count(), 0);
});

test('a later cut-off counts for new orders only, and orders of UAT accounts are never due', async () => {
  await app.provision({ warehouses: [{ warehouse_no: 1, cut_off: '10:00', working_days: ['sat'] }] });
  await create('2026-03-07T09:00:00', ['B-1']);
  await create('2026-03-07T11:00:00', ['B-2']);
  await create('2026-03-07T09:00:00', ['UAT-1'], alpha);
  await count();
  assert.deepEqual(
    (await days()).filter((line) => line.includes('due=')),
    [
      '2026-03-03 1 hct shipped=1 due=1 on_time=1',
      '2026-03-03 1 tcat created=2 due=2',
      '2026-03-07 1 tcat created=2 due=1 open=2',
      '2026-03-14 1 tcat due=1',
    ],
  );
  assert.deepEqual(await days('ALPHA'), ['2026-03-07 1 tcat created=1 open=1']);
  await advance('2026-03-09T10:00:00', 'B-1', { status: 'shipped', shipment_no: 'S-4', carrier: 'hct' });
  await count();
  assert.deepEqual(
    (await days()).filter((line) => line.startsWith('2026-03-07')),
    ['2026-03-07 1 hct created=1 due=1', '2026-03-07 1 tcat created=1 open=1'],
  );
});

test('two workers at once, and batches of one order, count each order once', async () => {
  const numbers = Array.from({ length: 12 }, (_, place) => `C-${place}`);
  await create('2026-02-02T09:00:00', numbers);
  const counted = await Promise.all([count({ batchMax: 1 }), count({ batchMax: 1 }), count({ batchMax: 5 })]);
  assert.equal(
    counted.reduce((sum, one) => sum + one, 0),
    12,
  );
  assert.deepEqual((await days()).slice(0, 2), ['2026-02-02 1 tcat created=12 open=12', '2026-02-07 1 tcat due=12']);
});

test('a run that fails before its commit has counted nothing, and one that is stopped continues there', async () => {
  await create('2026-02-03T09:00:00', ['D-1', 'D-2', 'D-3']);
  const before = await days();
  await database.transaction(
    (tx) => tx`alter table order_trend add constraint no_room check (day <> '2026-02-03') not valid`,
  );
  await assert.rejects(count(), /no_room/);
  assert.deepEqual(await days(), before);
  await database.transaction((tx) => tx`alter table order_trend drop constraint no_room`);

  const stop = new AbortController();
  stop.abort();
  assert.equal(await count({ batchMax: 2, stopping: stop.signal }), 0);
  assert.equal(await count({ batchMax: 2 }), 3);
  assert.deepEqual((await days()).slice(1, 2), ['2026-02-03 1 tcat created=3 open=3']);
  assert.equal(await count(), 0);
});

test('changes that are too young wait for the next run', async () => {
  await create('2026-02-04T09:00:00', ['E-1']);
  assert.equal(await count({ youngestSeconds: 3600 }), 0);
  assert.equal(await count(), 1);
});

test('the backlog of a day is replaced by a later run of that day, and kept afterwards', async () => {
  await database.transaction((tx) => tx`delete from backlog_trend`);
  await count({ now: new Date('2026-03-08T00:00:00Z') });
  const first = await backlog();
  assert.deepEqual(first, ['2026-03-08 age=1 2', '2026-03-08 age=4 16']);
  await cancelOrders(app, ['C-0'], live);
  await count({ now: new Date('2026-03-08T10:00:00Z') });
  assert.deepEqual(await backlog(), ['2026-03-08 age=1 2', '2026-03-08 age=4 15']);
  await count({ now: new Date('2026-03-09T10:00:00Z') });
  assert.deepEqual(await backlog(), [
    '2026-03-08 age=1 2',
    '2026-03-08 age=4 15',
    '2026-03-09 age=2 2',
    '2026-03-09 age=4 15',
  ]);
});

test('a purge takes back the counts of the orders that it deletes, and no others', async () => {
  const ofLive = await days();
  await create('2026-03-09T09:00:00', ['UAT-2', 'UAT-3'], alpha);
  await count();
  assert.deepEqual((await days('ALPHA')).slice(1), ['2026-03-09 1 tcat created=2 open=2']);
  await create('2026-03-09T15:00:00', ['UAT-4'], alpha);
  await count();
  // UAT-1 is of an earlier day, UAT-2 and UAT-3 of the earlier part of that day.
  await purge(app, { madeBefore: new Date('2026-03-09T12:00:00+08:00') });
  assert.deepEqual(await days('ALPHA'), ['2026-03-09 1 tcat created=1 open=1']);
  assert.equal(await count(), 0);
  assert.deepEqual(await days('ALPHA'), ['2026-03-09 1 tcat created=1 open=1']);
  assert.deepEqual(await days(), ofLive);
  await purge(app, { madeBefore: new Date('2026-04-01T00:00:00+08:00') });
  assert.deepEqual(await days('ALPHA'), []);
});
