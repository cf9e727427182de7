import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  orderNextSteps,
  orderRejectionReasons,
  orderResendReason,
  orderSearch,
} from '../../contract/console/orders.ts';
import { stockBlockExpired, stockExpired, stockSearch } from '../../contract/console/stock.ts';
import { storeMessage } from '../../messages/message.ts';
import { sending } from '../../messages/sending-texts.ts';
import { taipeiDay } from '../../server/platform/clock.ts';
import { alpha, beta } from '../support/app.ts';
import { actionsOf, column, columns, startConsole } from '../support/console.ts';
import { fingerprint } from '../support/every-field.ts';
import { live, provisionLive } from '../support/live.ts';
import { allocateEverything, assertBooksInOrder, item, ship } from '../support/logistics.ts';
import {
  assertBalancesAreSums,
  dataOf,
  inboundBody,
  order,
  orderRow,
  putLot,
  receive,
  syncProducts,
} from '../support/warehouse.ts';

const { app, admin, staff, viewer } = await startConsole();
await provisionLive(app);
const confirmed = { ...alpha, warehouseTpwId: 'TPW-A-CONFIRMED' };
const place = { warehouse_tpw_id: confirmed.warehouseTpwId, warehouse_no: 1, store_no: 10 };
await app.provision({
  accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [{ ...place, receiving: 'on_confirm' }] }],
});
const idOf = async (number: string) => Number((await orderRow(app, number))!.order_id);
const stepsOf = async (number: string) => await viewer.ask(orderNextSteps, { order_id: await idOf(number) });

test('a waiting order shows the missing units, the deliveries that bring them by arrival, and its place in the queue', async () => {
  await receive(app, { TEA: [['2031-01-01', 3]], CUP: [['2031-01-01', 9]] });
  await ship(app, 'OLD', [item('TEA', 5)]);
  await ship(app, 'MINE', [item('TEA', 4), item('CUP', 2)]);
  await ship(app, 'YOUNG', [item('TEA', 7)]);
  await ship(app, 'OTHER', [item('CUP', 90)]);
  await ship(app, 'OTHER ACCOUNT', [item('TEA', 1)], {}, beta.apiKey);
  await syncProducts(app, ['SOAP']);
  const expected = async (number: string, lines: Parameters<typeof inboundBody>[1], arrivesAt: string) => {
    dataOf(
      await app.callWarehouse(
        '/inbound/create',
        { ...inboundBody(number, lines, confirmed), estimated_arrival_time: Date.parse(arrivesAt) },
        confirmed,
      ),
    );
  };
  await expected('LATE', { TEA: [['2032-01-01', 10]] }, '2031-02-02T10:00:00+08:00');
  await expected('SOON', { TEA: [['2032-01-01', 6]], CUP: [['2032-01-01', 1]] }, '2031-01-02T10:00:00+08:00');
  await expected('NOTHING', { SOAP: [['2032-01-01', 6]] }, '2031-01-01T10:00:00+08:00');

  const { awaited, rejection } = await stepsOf('MINE');
  assert.equal(rejection, null);
  const shownOf = columns(awaited!.products, 'sku_id', 'ordered', 'available', 'missing', 'wanted_before');
  assert.deepEqual(shownOf, [
    ['TEA', 4, 3, 1, 5],
    ['CUP', 2, 2, 0, 0],
  ]);
  assert.deepEqual(columns(awaited!.inbounds, 'partner_number', 'sku_id', 'units', 'estimated_arrival_at', 'status'), [
    ['SOON', 'TEA', 6, '2031-01-02T10:00:00.000000+08:00', 'expected'],
    ['SOON', 'CUP', 1, '2031-01-02T10:00:00.000000+08:00', 'expected'],
    ['LATE', 'TEA', 10, '2031-02-02T10:00:00.000000+08:00', 'expected'],
  ]);
  assert.deepEqual([awaited!.place, awaited!.behind_count, awaited!.has_more_inbounds], [2, 2, false]);
  assert.deepEqual(columns(awaited!.ahead, 'partner_number', 'units'), [['OLD', 5]]);
  assert.deepEqual(columns(awaited!.behind, 'partner_number', 'units'), [
    ['YOUNG', 7],
    ['OTHER', 90],
  ]);

  await receive(app, { TEA: [['2031-01-01', 6]] });
  await allocateEverything(app);
  assert.deepEqual(await stepsOf('MINE'), { awaited: null, rejection: null });
});

async function reject(numbers: string[], reason: string): Promise<void> {
  for (const number of numbers) {
    await order(app, number, [['JAR', 1]], live);
    await app.store.database.transaction(
      (tx) => tx`
        insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
        select order_id, gen_random_uuid(), account_id, warehouse_no, 'rejected', 1, ${reason} from orders where partner_number = ${number}`,
    );
  }
}

test('a rejected order shows how many were rejected for the same reason; the list shows just these, and all are resent at once', async () => {
  await receive(app, { JAR: [['2031-01-01', 50]] }, live);
  const reason = sending('warehouse_reason', { text: 'unknown sku JAR' });
  await reject(['R-1', 'R-2', 'R-3'], storeMessage(reason));
  await reject(['R-4'], 'HTTP 422: no address');

  const { rejection, awaited } = await stepsOf('R-2');
  assert.deepEqual([awaited, rejection?.reason, rejection?.count], [null, reason, 3]);
  const { reasons } = await viewer.ask(orderRejectionReasons, {});
  assert.deepEqual(columns(reasons, 'reason', 'count'), [
    [reason, 3],
    ['HTTP 422: no address', 1],
  ]);
  const transfer_reason = rejection!.key;
  const listed = async () => column((await viewer.ask(orderSearch, { transfer_reason })).rows, 'partner_number');
  assert.deepEqual((await listed()).toSorted(), ['R-1', 'R-2', 'R-3']);
  const before = await fingerprint(app);
  assert.equal((await viewer.send('/orders/search', { transfer_reason: 'no such sku' })).status, 400);
  assert.equal((await admin.send('/orders/resend-reason', { transfer_reason: 'no such sku' })).status, 400);
  const unknown = { transfer_reason: '0'.repeat(32) };
  assert.deepEqual(await admin.ask(orderResendReason, unknown), { resent: 0, is_more: false });
  assert.equal(await fingerprint(app), before);

  assert.deepEqual(await admin.ask(orderResendReason, { transfer_reason }), { resent: 3, is_more: false });
  assert.deepEqual(await listed(), []);
  assert.equal((await stepsOf('R-2')).rejection, null);
  assert.equal((await stepsOf('R-4')).rejection?.count, 1);
  assert.deepEqual(column(await actionsOf(app, 'orders/resend-reason'), 'outcome'), ['waiting 0', 'waiting 3']);
  assert.deepEqual(await admin.ask(orderResendReason, { transfer_reason }), { resent: 0, is_more: false });
});

const lotsOf = async (sku_id: string) =>
  columns(
    (await viewer.ask(stockSearch, { sku_id })).rows,
    'stock_type',
    'expire_date',
    'on_hand',
    'locked',
  ).toSorted();

test('expired stock is blocked in one step: free units become bad, locked ones stay and are named, a repeat changes nothing', async () => {
  const day = (days: number) => taipeiDay(app.clock.now(), days);
  await syncProducts(app, ['MILK', 'EGG']);
  await receive(app, { MILK: [[day(3), 10]], EGG: [[day(0), 4]] });
  await order(app, 'MILK-ORDER', [['MILK', 3]]);
  await receive(app, { EGG: [[day(-1), 6]] });
  await putLot(app, { skuId: 'EGG', qty: 2, expireDate: day(-1), stockType: 'bad' });
  await app.store.database.transaction((tx) => tx`update lot set expire_date = ${day(-2)} where sku_id = 'MILK'`);
  await syncProducts(app, ['PIE'], live);
  await receive(app, { PIE: [[day(-9), 5]] }, live);

  const before = await viewer.ask(stockExpired, {});
  assert.deepEqual([before.lots, before.units, before.is_more], [3, 18, false]);
  assert.deepEqual(columns(before.free, 'sku_id', 'on_hand', 'locked'), [
    ['PIE', 5, 0],
    ['MILK', 10, 3],
    ['EGG', 6, 0],
  ]);
  const step = { reason: 'expired', reference_no: 'EXPIRED-1' };
  const done = await staff.ask(stockBlockExpired, step);
  assert.ok(done.kind === 'blocked');
  assert.deepEqual([done.lots, done.units, done.is_more], [3, 18, false]);
  assert.deepEqual(columns(done.locked, 'sku_id', 'on_hand', 'locked'), [['MILK', 3, 3]]);
  assert.deepEqual(await lotsOf('MILK'), [
    ['bad', day(-2), 7, 0],
    ['good', day(-2), 3, 3],
  ]);
  assert.deepEqual(await lotsOf('EGG'), [
    ['bad', day(-1), 8, 0],
    ['good', day(0), 4, 0],
  ]);
  assert.deepEqual(await lotsOf('PIE'), [['bad', day(-9), 5, 0]]);

  const after = await fingerprint(app);
  assert.deepEqual(await staff.ask(stockBlockExpired, step), done);
  assert.deepEqual(await staff.ask(stockBlockExpired, { ...step, reason: 'other' }), { kind: 'conflict' });
  assert.equal((await staff.send('/stock/block-expired', { reference_no: 'X' })).status, 400);
  assert.equal(await fingerprint(app), after);
  const nothing = await staff.ask(stockBlockExpired, { reason: 'expired' });
  assert.ok(nothing.kind === 'blocked' && nothing.lots === 0);
  assert.deepEqual([(await viewer.ask(stockExpired, {})).lots, column(done.locked, 'account_no')], [0, ['ALPHA']]);
  await assertBalancesAreSums(app);
  await assertBooksInOrder(app);
});

test('blocking names accounts and warehouses, and two of the same at once count once', async () => {
  const day = taipeiDay(app.clock.now(), -1);
  await receive(app, { JAM: [[day, 8]] });
  await receive(app, { JAM: [[day, 9]] }, live);
  const step = { accounts: ['ALPHA'], warehouse_no: [1], reason: 'expired', reference_no: 'TWICE' };
  const answers = await Promise.all([1, 2, 3].map(() => staff.ask(stockBlockExpired, step)));
  for (const answer of answers) assert.ok(answer.kind === 'blocked' && answer.lots === 1 && answer.units === 8);
  assert.deepEqual(
    columns((await viewer.ask(stockSearch, { sku_id: 'JAM' })).rows, 'account_no', 'stock_type', 'on_hand').toSorted(),
    [
      ['ALPHA', 'bad', 8],
      [live.accountNo, 'good', 9],
    ].toSorted(),
  );
  assert.deepEqual(await staff.ask(stockBlockExpired, { ...step, warehouse_no: [2] }), { kind: 'conflict' });
});
