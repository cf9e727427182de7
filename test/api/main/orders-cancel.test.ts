import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { assertNotDone, dumpAll, lists, retvalOf, searchAll } from '../../support/main.ts';
import {
  assertBalancesAreSums,
  cancelOrders as cancelThroughWarehouseApi,
  createInbound,
  goodRow,
  movementsOf,
  moveOrder,
  order,
  orderBody,
  orderRow,
  receive,
  stockOf,
  wrongIdentifiers,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/orders/cancel';

const reader = { clientId: 'alpha-reader', checkValue: 'alpha-reader-check-value' };
const writer = { clientId: 'alpha-writer', checkValue: 'alpha-writer-check-value' };
await app.provision({
  clients: [
    { client_id: reader.clientId, check_value: reader.checkValue, account_no: alpha.accountNo, permissions: ['orders.read'] },
    { client_id: writer.clientId, check_value: writer.checkValue, account_no: alpha.accountNo, permissions: ['orders.write'] },
  ],
});
await receive(app, { TEA: [['2030-01-01', 100_000]] });
await receive(app, { TEA: [['2030-01-01', 100_000]] }, beta);
/** A number that every refused batch names, and that must come to no harm. */
await order(app, 'OUT-VALID', [['TEA', 1]]);

const cancelled = (number: string) => ({ outbound_short_id: number, status: 'cancelled' });
const notFound = (number: string) => ({ outbound_short_id: number, status: 'not_found' });
const tooLate = (number: string) => ({ outbound_short_id: number, status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' });

const cancel = (outbound_short_ids: unknown, as = alpha) => app.callMain(path, { outbound_short_ids }, { as });

test('a cancelled order gives back each unit to its lot, by the client of the account and under the trace id of the answer', async () => {
  await receive(app, {
    BACK: [
      ['2030-01-01', 2],
      ['2031-01-01', 8],
    ],
  });
  retvalOf(await app.callMain('/orders/create', orderBody('OUT-BACK', [['BACK', 5]])));
  const answer = await cancel(['OUT-BACK']);

  assert.deepEqual(retvalOf(answer), { results: [cancelled('OUT-BACK')] });
  assert.deepEqual(await stockOf(app, 'BACK'), [goodRow('BACK', '2030-01-01', 2), goodRow('BACK', '2031-01-01', 8)]);
  const unlocked = (await movementsOf(app, 'OUT-BACK')).filter(({ kind }) => kind === 'unlock');
  assert.deepEqual(unlocked.map(({ expire_date, locked_delta }) => [expire_date, locked_delta]).sort(), [
    ['2030-01-01', -2],
    ['2031-01-01', -3],
  ]);
  const causes = await app.store.database.read(
    (sql) => sql`
      select distinct m.actor, m.trace_id from movement m join orders using (order_id)
      where partner_number = 'OUT-BACK' and m.kind = 'unlock'`,
  );
  assert.deepEqual([...causes], [{ actor: 'ALPHA/alpha-erp', trace_id: answer.headers['trace-id'] }]);
});

test('the list of orders shows it cancelled at once, and updated then', async () => {
  await order(app, 'OUT-SHOWN', [['TEA', 1]]);
  const [before] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': 'OUT-SHOWN' });
  const answer = await cancel(['OUT-SHOWN']);
  retvalOf(answer);
  const [after] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': 'OUT-SHOWN' });

  const timeline = after!.timeline as { at: string }[];
  const cancelledNow = { event: 'cancel', from: 'pending_warehouse_transfer', to: 'cancelled', by: 'ALPHA/alpha-erp' };
  assert.deepEqual(
    { ...after, updated_at: before?.updated_at },
    {
      ...before,
      status: 'cancelled',
      timeline: [timeline[0], { ...cancelledNow, at: timeline[1]!.at, trace_id: answer.headers['trace-id'] }],
    },
  );
  assert.ok(String(after?.updated_at) > String(before?.updated_at));
});

test('orders of the warehouse API can be cancelled here, and those of the main API there', async () => {
  await receive(app, { BOTH: [['2030-01-01', 4]] });
  await order(app, 'OUT-THERE', [['BOTH', 2]]);
  retvalOf(await app.callMain('/orders/create', orderBody('OUT-HERE', [['BOTH', 2]])));

  assert.deepEqual(retvalOf(await cancel(['OUT-THERE'])), { results: [cancelled('OUT-THERE')] });
  assert.deepEqual(await cancelThroughWarehouseApi(app, ['OUT-HERE']), [cancelled('OUT-HERE')]);
  assert.deepEqual(await stockOf(app, 'BOTH'), [goodRow('BOTH', '2030-01-01', 4)]);
});

test('cancelling again says cancelled again, through either API, and gives nothing more back', async () => {
  await receive(app, { AGAIN: [['2030-01-01', 10]] });
  await order(app, 'OUT-AGAIN', [['AGAIN', 3]]);
  await order(app, 'OUT-AGAIN-STAYS', [['AGAIN', 3]]);
  retvalOf(await cancel(['OUT-AGAIN']));
  const before = await dumpAll(app);

  assert.deepEqual(retvalOf(await cancel(['OUT-AGAIN'])), { results: [cancelled('OUT-AGAIN')] });
  assert.deepEqual(await cancelThroughWarehouseApi(app, ['OUT-AGAIN']), [cancelled('OUT-AGAIN')]);
  assert.deepEqual(await dumpAll(app), before);
});

for (const status of ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered']) {
  test(`an order that has reached the warehouse is cannot_cancel_after_picking with LST-TPW-6001, and nothing changes: ${status}`, async () => {
    await order(app, `OUT-${status}`, [['TEA', 1]]);
    await moveOrder(app, `OUT-${status}`, status);
    const before = await dumpAll(app);

    assert.deepEqual(retvalOf(await cancel([`OUT-${status}`])), { results: [tooLate(`OUT-${status}`)] });
    assert.deepEqual(await dumpAll(app), before);
  });
}

test('one result per entry, in the order sent, duplicates included; one does not fail the others', async () => {
  await receive(app, { BATCH: [['2030-01-01', 10]] });
  for (const number of ['OUT-FREE', 'OUT-PICKED', 'OUT-DONE', 'OUT-STAYS']) await order(app, number, [['BATCH', 2]]);
  await moveOrder(app, 'OUT-PICKED', 'picking');
  retvalOf(await cancel(['OUT-DONE']));
  const numbers = ['OUT-PICKED', 'NOBODY', 'OUT-FREE', 'OUT-DONE', 'OUT-FREE', 'OUT-PICKED', 'NOBODY'];

  assert.deepEqual(retvalOf(await cancel(numbers)), {
    results: [
      tooLate('OUT-PICKED'),
      notFound('NOBODY'),
      cancelled('OUT-FREE'),
      cancelled('OUT-DONE'),
      cancelled('OUT-FREE'),
      tooLate('OUT-PICKED'),
      notFound('NOBODY'),
    ],
  });
  assert.deepEqual(await stockOf(app, 'BATCH'), [goodRow('BATCH', '2030-01-01', 10, 4)]);
  const statuses = ['OUT-PICKED', 'OUT-FREE', 'OUT-DONE', 'OUT-STAYS'].map(async (number) => (await orderRow(app, number))?.status);
  assert.deepEqual(await Promise.all(statuses), ['picking', 'cancelled', 'cancelled', 'pending_warehouse_transfer']);
});

test("another account's number is not found, and its order stays", async () => {
  await order(app, 'OUT-THEIRS', [['TEA', 1]], beta);
  await order(app, 'OUT-THEIRS-PICKED', [['TEA', 1]], beta);
  await moveOrder(app, 'OUT-THEIRS-PICKED', 'picking');
  const before = await dumpAll(app);
  const numbers = ['OUT-THEIRS', 'OUT-THEIRS-PICKED', 'NOBODY'];

  assert.deepEqual(retvalOf(await cancel(numbers)), { results: numbers.map(notFound) });
  assert.deepEqual(await dumpAll(app), before);
});

test('numbers are compared exactly; those of inbound documents, an orders_id and a number of logistics are none', async () => {
  await createInbound(app, 'IN-DOCUMENT', { TEA: [['2030-01-01', 1]] });
  const { orders_id } = await order(app, 'OUT-exact', [['TEA', 1]]);
  await app.store.database.transaction(
    (tx) => tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status)
      select account_id, 'logistics', 'LOGISTICS-1', 'ow_LOGISTICS-1_0000000000', '', 1, 10, 'awaiting_stock'
      from account where account_no = 'ALPHA'`,
  );
  const before = await dumpAll(app);
  const others = ['out-exact', 'OUT-EXACT', 'IN-DOCUMENT', orders_id, 'LOGISTICS-1'];

  assert.deepEqual(retvalOf(await cancel(others)), { results: others.map(notFound) });
  assert.deepEqual(await dumpAll(app), before);
});

test('100 entries are accepted', async () => {
  const numbers = Array.from({ length: 98 }, (_, index) => `OUT-HUNDRED-${index}`);
  for (const number of numbers) await order(app, number, [['TEA', 1]]);
  const batch = [...numbers, 'NOBODY', '號'.repeat(125)];
  assert.deepEqual(retvalOf(await cancel(batch)), {
    results: batch.map((number, index) => (index < 98 ? cancelled(number) : notFound(number))),
  });
});

test('twenty simultaneous cancels, half through each API, give the units back once', async () => {
  await receive(app, { RACE: [['2030-01-01', 10]] });
  await order(app, 'OUT-RACE-STAYS', [['RACE', 5]]);
  await order(app, 'OUT-RACE', [['RACE', 3]]);
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      index % 2 === 0 ? retvalOf(await cancel(['OUT-RACE'])).results : await cancelThroughWarehouseApi(app, ['OUT-RACE']),
    ),
  );
  for (const result of results) assert.deepEqual(result, [cancelled('OUT-RACE')]);
  assert.deepEqual(await stockOf(app, 'RACE'), [goodRow('RACE', '2030-01-01', 10, 5)]);
});

const wrong: [string, object, string | RegExp][] = [
  ['outbound_short_ids missing', {}, 'outbound_short_ids is missing; or name orders by internal_names'],
  ['outbound_short_ids null', { outbound_short_ids: null }, 'outbound_short_ids is missing; or name orders by internal_names'],
  ['outbound_short_ids no array', { outbound_short_ids: 'OUT-VALID' }, /^outbound_short_ids must be array/],
  ['outbound_short_ids empty', { outbound_short_ids: [] }, /^outbound_short_ids must not have fewer than 1 items/],
  ['more than 100 entries', { outbound_short_ids: Array(101).fill('OUT-VALID') }, /^outbound_short_ids must not have more than 100 items/],
  [
    'the numbers of inbound documents instead',
    { inbound_short_ids: ['OUT-VALID'] },
    'outbound_short_ids is missing; or name orders by internal_names',
  ],
  ...wrongIdentifiers
    // JSON has no missing element: it is null.
    .filter(([name]) => name !== 'missing')
    .map(([name, value]): [string, object, RegExp] => [
      `an entry ${name}`,
      { outbound_short_ids: ['OUT-VALID', value, 'OUT-VALID'] },
      /^outbound_short_ids\[1\] must be [^;]+$/,
    ]),
];
for (const [name, body, msg] of wrong) {
  test(`refused with 400, the field named, and nothing changed: ${name}`, async () => {
    const before = await dumpAll(app);
    const said = assertNotDone(await app.callMain(path, body));
    if (typeof msg === 'string') assert.equal(said, msg);
    else assert.match(said, msg);
    assert.deepEqual(await dumpAll(app), before);
  });
}

test('without orders.write it is 403, the permission is named, and nothing changes; with it alone it is done', async () => {
  await order(app, 'OUT-PERMISSION', [['TEA', 1]]);
  const before = await dumpAll(app);
  for (const body of [{ outbound_short_ids: ['OUT-PERMISSION'] }, {}]) {
    const answer = await app.callMain(path, body, { as: reader });
    assertNotDone(answer, { status: 403, msg: 'this client lacks the permission orders.write' });
  }
  assert.deepEqual(await dumpAll(app), before);
  const answer = await app.callMain(path, { outbound_short_ids: ['OUT-PERMISSION'] }, { as: writer });
  assert.deepEqual(retvalOf(answer), { results: [cancelled('OUT-PERMISSION')] });
});

test('balances are the sums of the movements, after all of this', () => assertBalancesAreSums(app));
