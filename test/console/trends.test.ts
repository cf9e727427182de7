import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warehousesChange, warehousesList } from '../../contract/console/partners.ts';
import {
  requestsTrend,
  trendsCallbacks,
  trendsCalls,
  trendsOrders,
  trendsStock,
} from '../../contract/console/trends.ts';
import { countCalls } from '../../server/domain/trends/count-calls.ts';
import { countOrders } from '../../server/domain/trends/count-orders.ts';
import { startTestDelivery } from '../callbacks/delivery.ts';
import { insertManyCallbacks } from '../callbacks/insert-callbacks.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { alpha } from '../support/app.ts';
import { startConsole } from '../support/console.ts';
import { exported } from '../support/exports.ts';
import { live, provisionLive } from '../support/live.ts';
import { accountIdOf, retvalOf } from '../support/main.ts';
import { order, putLot, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const { app, admin, staff, viewer } = await startConsole();
const { database, service } = app.store;
await provisionLive(app);
const second = { ...live, warehouseTpwId: 'TPW-LIVE-2' };
await app.provision({
  warehouses: [{ warehouse_no: 1, cut_off: '15:00' }, { warehouse_no: 2 }],
  accounts: [
    {
      account_no: live.accountNo,
      environment: 'production',
      tenants: [{ warehouse_tpw_id: 'TPW-LIVE-2', warehouse_no: 2, store_no: 10, receiving: 'on_create' }],
    },
  ],
});
await receive(app, { TEA: [['2031-01-01', 100]] }, live);
await receive(app, { TEA: [['2031-01-01', 100]] }, second);
await receive(app, { TEA: [['2031-01-01', 100]] });

const now = new Date('2026-03-10T04:00:00Z');
const days = { from: '2026-03-02', to: '2026-03-12' };

async function create(at: string, number: string, caller: Parameters<typeof order>[3]) {
  await order(app, number, [['TEA', 1]], caller);
  await database.transaction(
    (tx) => tx`update orders set created_at = ${`${at}+08:00`}::timestamptz where partner_number = ${number}`,
  );
}

async function ship(at: string, number: string, carrier?: string) {
  const sent = {
    outbound_short_id: number,
    status: 'shipped',
    shipment_no: `S-${number}`,
    ...(carrier && { carrier }),
  };
  retvalOf(await app.callMain('/fulfilment/advance', { orders: [sent] }, { as: live }));
  await database.transaction(
    (tx) => tx`
      update state_change set at = ${`${at}+08:00`}::timestamptz where to_state = 'shipped'
        and document_id = (select order_id from orders where partner_number = ${number})`,
  );
}

// Monday to Wednesday: two on time, one late, one still open in another warehouse, one of a UAT account.
await create('2026-03-02T10:00', 'A-1', live);
await create('2026-03-02T16:00', 'A-2', live);
await create('2026-03-03T09:00', 'A-3', live);
await create('2026-03-04T09:00', 'B-1', second);
await create('2026-03-04T09:00', 'U-1', alpha);
await ship('2026-03-02T17:00', 'A-1', 'hct');
await ship('2026-03-03T17:00', 'A-2');
await ship('2026-03-05T17:00', 'A-3');
await countOrders(service, { now, youngestSeconds: 0, restRatio: 0 });
app.clock.set(now);

const none = { created: 0, shipped: 0, short: 0, delivered: 0, undelivered: 0, cancelled: 0, due: 0, on_time: 0 };

test('orders are summed by day, warehouse, account and carrier; test accounts only on request, and days of the future never', async () => {
  const trends = await viewer.ask(trendsOrders, days);
  assert.deepEqual(
    trends.days.map(({ day, created, shipped, due, on_time }) => [day.slice(8), created, shipped, due, on_time]),
    [
      ['02', 2, 1, 1, 1],
      ['03', 1, 1, 2, 1],
      ['04', 1, 0, 0, 0],
      ['05', 0, 1, 0, 0],
      ...['06', '07', '08', '09', '10'].map((day) => [day, 0, 0, 0, 0]),
    ],
  );
  assert.deepEqual(trends.by_account, [{ account_no: 'LIVE', ...none, created: 4, shipped: 3, due: 3, on_time: 2 }]);
  assert.deepEqual(trends.by_warehouse, [
    { warehouse_no: 1, ...none, created: 3, shipped: 3, due: 3, on_time: 2 },
    { warehouse_no: 2, ...none, created: 1 },
  ]);
  assert.deepEqual(trends.by_carrier, [
    { carrier: 'tcat', ...none, created: 3, shipped: 2, due: 2, on_time: 1 },
    { carrier: 'hct', ...none, created: 1, shipped: 1, due: 1, on_time: 1 },
  ]);
  assert.deepEqual(trends.backlog, [0, 0, 0, 1, 0]);
  assert.deepEqual(trends.days.at(-1)!.backlog, [0, 0, 0, 1, 0]);
  assert.equal(trends.days[0]!.backlog, null);
  assert.deepEqual([trends.carriers, trends.without_cut_off], [['hct', 'tcat'], [2]]);
  assert.equal(trends.counted_at, '2026-03-10T12:00:00.000+08:00');

  const withTests = await viewer.ask(trendsOrders, { ...days, test_accounts: true });
  assert.deepEqual(
    withTests.by_account.map(({ account_no, created }) => [account_no, created]),
    [
      ['LIVE', 4],
      ['ALPHA', 1],
    ],
  );
  const named = await viewer.ask(trendsOrders, { ...days, accounts: ['ALPHA'] });
  assert.deepEqual(
    named.by_account.map(({ created }) => created),
    [1],
  );
});

test('filters of days, warehouse and carrier narrow all sums', async () => {
  const one = await viewer.ask(trendsOrders, {
    from: '2026-03-03',
    to: '2026-03-03',
    warehouse_no: [1],
    carrier: ['tcat'],
  });
  assert.deepEqual(one.days, [
    { day: '2026-03-03', ...none, created: 1, shipped: 1, due: 2, on_time: 1, backlog: null },
  ]);
  const byPost = await viewer.ask(trendsOrders, { ...days, carrier: ['post'] });
  assert.deepEqual(byPost.by_account, []);
  // The last day was counted, and no order was open; the first one was not counted.
  assert.deepEqual([byPost.days[0]!.backlog, byPost.days.at(-1)!.backlog], [null, [0, 0, 0, 0, 0]]);
});

test('wrong ranges, unknown accounts and unknown fields are refused', async () => {
  const mistakeOf = async (body: object) => {
    const { status, json } = await viewer.send('/trends/orders', body);
    return [status, json.error?.mistakes?.[0]?.path, json.error?.mistakes?.[0]?.message];
  };
  assert.deepEqual(await mistakeOf({ from: '2026-03-03', to: '2026-03-02' }), [400, 'from', 'must be before to']);
  assert.deepEqual(await mistakeOf({ from: '2025-01-01', to: '2026-03-02' }), [
    400,
    'from',
    'must be at most 400 days before to',
  ]);
  assert.equal((await mistakeOf({ ...days, accounts: ['NOBODY'] }))[0], 400);
  assert.equal((await mistakeOf({ ...days, from: '2026-02-30' }))[0], 400);
  assert.equal((await mistakeOf({ ...days, colour: 'red' }))[0], 400);
});

test('units are summed by month of expiry and grade, with expired ones first', async () => {
  await putLot(app, { skuId: 'TEA', qty: 5, expireDate: '2026-03-09' }, live);
  await putLot(app, { skuId: 'TEA', qty: 7, expireDate: '2026-03-31' }, live);
  await putLot(app, { skuId: 'TEA', qty: 3, expireDate: '2027-03-31', stockType: 'bad' }, live);
  const { months, complete_until } = await viewer.ask(trendsStock, { accounts: ['LIVE'] });
  assert.deepEqual(
    months.filter(({ good, bad }) => good + bad > 0),
    [
      { month: 'expired', good: 5, bad: 0 },
      { month: '2026-03', good: 7, bad: 0 },
      { month: '2027-03', good: 0, bad: 3 },
    ],
  );
  assert.equal(months.length, 14);
  assert.equal(complete_until, null);
  const other = await viewer.ask(trendsStock, { accounts: ['LIVE'], warehouse_no: [2] });
  assert.ok(other.months.every(({ good, bad }) => good + bad === 0));
});

test('if an account has too many lots, the answer says until which day it is complete, also for another warehouse', async () => {
  const accountId = await accountIdOf(app, live.accountNo);
  const addLots = (count: number, day: string) =>
    database.transaction(
      (tx) => tx`
        insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
        select ${accountId}, 1, 1, 'MANY', 'good', 'MANY-' || n, ${day}::date, 1, 0 from generate_series(1, ${count}::integer) n`,
    );
  // With the lot of the test before that expires on 2026-03-09, as many as are read.
  await addLots(19_999, '2026-03-20');
  await putLot(app, { skuId: 'TEA', qty: 9, expireDate: '2026-04-01' }, second);
  const asked = async (warehouse_no: number) => {
    const { months, complete_until } = await viewer.ask(trendsStock, {
      accounts: ['LIVE'],
      warehouse_no: [warehouse_no],
    });
    return [complete_until, months.find(({ month }) => month === '2026-03')!.good];
  };
  assert.deepEqual(await asked(1), ['2026-03-30', 20_006]);
  await addLots(2, '2026-03-19');
  assert.deepEqual(await asked(1), ['2026-03-19', 20_000]);
  assert.deepEqual(await asked(2), ['2026-03-19', 0]);
  await database.transaction(
    (tx) => tx`delete from lot where account_id = ${accountId} and (sku_id = 'MANY' or warehouse_no = 2)`,
  );
});

test('attempts to deliver callbacks are counted by receiver, with success and response times, and no attempt twice', async () => {
  app.clock.set(new Date());
  const receiver = await startReceiver(({ path }) => ({ status: path.endsWith('/bad') ? 410 : 200 }));
  const worker = startTestDelivery(service);
  const accountId = await accountIdOf(app, live.accountNo);
  const queue = (path: string, count: number) =>
    database.read((sql) =>
      insertManyCallbacks(sql, { accountId, keyName: 'wms', urls: [`${receiver.url}${path}`], count }),
    );
  await queue('/good', 2);
  await queue('/bad', 1);
  const ended = async () => {
    const rows = await database.read((sql) => sql`select 1 from callback where status <> 'pending'`);
    return rows.length >= 3;
  };
  await until('all callbacks have ended', ended);
  await worker.close();
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const { days, rows, has_more } = await viewer.ask(trendsCallbacks, { from: today, to: today });
  assert.deepEqual(
    rows.map(({ address, attempts, failed, delivered, given_up }) => [
      new URL(address).pathname.replace(/.*\//, '/'),
      attempts,
      failed,
      delivered,
      given_up,
    ]),
    [
      ['/bad', 1, 1, 0, 1],
      ['/good', 2, 0, 2, 0],
    ],
  );
  assert.ok(rows.every(({ account_no, p50_ms, p95_ms }) => account_no === 'LIVE' && p50_ms! > 0 && p95_ms! >= p50_ms!));
  assert.equal(has_more, false);

  assert.deepEqual(
    days.map(({ day, attempts, failed }) => [day, attempts, failed]),
    [[today, 3, 1]],
  );
  const { receiver_id, p50_ms, p95_ms } = rows[1]!;
  const ofOne = await viewer.ask(trendsCallbacks, { from: today, to: today, receiver_id });
  assert.deepEqual(ofOne.days, [{ day: today, attempts: 2, failed: 0, p50_ms, p95_ms }]);
  assert.deepEqual(ofOne.rows, rows);
});

test('calls and errors are summed by day and account; the chart of requests has the latest calls, too', async () => {
  const logged = async () => {
    const [log] = await database.read(
      (sql) =>
        sql`select count(*)::integer as calls, (count(*) filter (where status >= 400))::integer as refused from request_log where account_no = 'LIVE'`,
    );
    return log as { calls: number; refused: number };
  };
  const hours = async () => {
    const trend = await viewer.ask(requestsTrend, { minutes: 60, account_no: 'LIVE' });
    assert.ok(trend.hours.length >= 24);
    return trend.hours.reduce((sum, { calls }) => sum + calls, 0);
  };
  await until('the chart has all lines', async () => (await hours()) === (await logged()).calls);
  await countCalls(service, { now: new Date(), exceptContract: 'console', restRatio: 0 });
  const log = await logged();
  assert.equal(await hours(), log.calls);
  app.clock.set(new Date());
  await app.callWarehouse('/stock/query', { sku_ids: ['TEA'] }, live);
  await until('the next call is shown before it is counted', async () => (await hours()) === log.calls + 1);

  await countCalls(service, { now: new Date(), exceptContract: 'console', restRatio: 0 });
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10);
  const { rows, days: byDay } = await viewer.ask(trendsCalls, { from: yesterday, to: today });
  assert.deepEqual(
    rows.map(({ account_no, calls, refused }) => [account_no, calls, refused]),
    [['LIVE', log.calls + 1, log.refused]],
  );
  assert.equal(
    byDay.reduce((sum, { calls }) => sum + calls, 0),
    log.calls + 1,
  );
});

test('the orders by day, receivers and callers can be exported', async () => {
  const file = await exported(app, staff, { list: 'trend-days', filters: { from: '2026-03-02', to: '2026-03-03' } });
  assert.deepEqual(file.payload.trim().split('\r\n').slice(1), [
    '"2026-03-02","2","1","0","0","0","0","1","1",""',
    '"2026-03-03","1","1","0","0","0","0","2","1",""',
  ]);
  const callers = await exported(app, staff, {
    list: 'trend-callers',
    language: 'zh-TW',
    filters: { from: '2026-03-02', to: '2026-12-31' },
  });
  assert.match(callers.payload, /"貨主","呼叫次數"/);
});

test('administrators change the cut-off and the working days of a warehouse; wrong ones change nothing', async () => {
  const rulesOf = async () => {
    const { rows } = await admin.ask(warehousesList, {});
    return rows.map(({ warehouse_no, cut_off, working_days }) => [warehouse_no, cut_off, working_days.length]);
  };
  const change = async (body: object) => (await admin.send('/warehouses/change', { warehouse_no: 2, ...body })).status;
  assert.equal(
    (await admin.ask(warehousesChange, { warehouse_no: 2, cut_off: '11:30', working_days: ['sat'] })).kind,
    'changed',
  );
  assert.deepEqual(await rulesOf(), [
    [1, '15:00', 5],
    [2, '11:30', 1],
  ]);
  for (const wrong of [{ cut_off: '24:00' }, { cut_off: '9:00' }, { working_days: [] }, { working_days: ['monday'] }])
    assert.equal(await change(wrong), 400, JSON.stringify(wrong));
  assert.deepEqual(await rulesOf(), [
    [1, '15:00', 5],
    [2, '11:30', 1],
  ]);
  assert.equal((await admin.ask(warehousesChange, { warehouse_no: 2, cut_off: null })).kind, 'changed');
  assert.deepEqual((await rulesOf())[1], [2, null, 1]);
  assert.equal((await staff.send('/warehouses/change', { warehouse_no: 2, cut_off: '10:00' })).status, 403);
});

test('the backlog is that of the last count; the days before keep theirs', async () => {
  const later = new Date('2026-03-12T04:00:00Z');
  await countOrders(service, { now: later, youngestSeconds: 0, restRatio: 0 });
  app.clock.set(later);
  const trends = await viewer.ask(trendsOrders, { ...days, accounts: [live.accountNo] });
  assert.deepEqual(trends.backlog, [0, 0, 0, 0, 1]);
  assert.deepEqual(
    trends.days.map(({ backlog }) => backlog).filter((backlog) => backlog !== null),
    [
      [0, 0, 0, 1, 0],
      [0, 0, 0, 0, 1],
    ],
  );
});
