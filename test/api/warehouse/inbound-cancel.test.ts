import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  assertBalancesAreSums,
  assertRefusedUnchanged,
  cancelInbounds,
  cancelOrders,
  createInbound,
  dataOf,
  dump,
  emptyRow,
  goodRow,
  inboundRow,
  moveInbound,
  movementsOf,
  order,
  orderBody,
  receive,
  stockOf,
  syncProducts,
  wrongIdentifiers,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/inbound/cancel';

const confirming = { ...alpha, warehouseTpwId: 'TPW-CONFIRM' };
const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [
        { warehouse_tpw_id: confirming.warehouseTpwId, warehouse_no: 1, store_no: 10, receiving: 'on_confirm' },
        { warehouse_tpw_id: secondTenant.warehouseTpwId, warehouse_no: 2, store_no: 10 },
      ],
    },
  ],
});

/** A number that every refused batch names, and that must come to no harm. */
const valid = await receive(app, { STAYS: [['2030-01-01', 5]] });

const cancelled = (number: string) => ({ stock_in_sn: number, status: 'cancelled' });
const notFound = (number: string) => ({ stock_in_sn: number, status: 'not_found' });
const tooLate = (number: string) => ({ stock_in_sn: number, status: 'cannot_cancel_after_receiving' });

test('a document whose units are untouched is cancelled, and the units are taken back by movements of their own', async () => {
  await syncProducts(app, ['UNTOUCHED']);
  await createInbound(app, 'IN-UNTOUCHED', {
    UNTOUCHED: [
      ['2030-01-01', 2],
      ['2031-01-01', 3],
    ],
  });
  const received = await movementsOf(app, 'IN-UNTOUCHED');
  const answer = await app.callWarehouse(path, { inbound_short_ids: ['IN-UNTOUCHED'] });

  assert.deepEqual(dataOf(answer), { results: [cancelled('IN-UNTOUCHED')] });
  assert.equal((await inboundRow(app, 'IN-UNTOUCHED'))?.status, 'cancelled');
  assert.deepEqual(await stockOf(app, 'UNTOUCHED'), [emptyRow('UNTOUCHED')]);
  const movements = await movementsOf(app, 'IN-UNTOUCHED');
  assert.deepEqual(movements.slice(0, received.length), received);
  const retracted = { kind: 'retract', sku_id: 'UNTOUCHED', batch_id: '', locked_delta: 0 };
  assert.deepEqual(
    movements.slice(received.length).toSorted((a, b) => b.on_hand_delta - a.on_hand_delta),
    [
      { ...retracted, expire_date: '2030-01-01', on_hand_delta: -2 },
      { ...retracted, expire_date: '2031-01-01', on_hand_delta: -3 },
    ],
  );
});

test('units of other documents stay', async () => {
  await syncProducts(app, ['OTHERS']);
  await createInbound(app, 'IN-OTHERS-1', { OTHERS: [['2030-01-01', 2]] });
  await createInbound(app, 'IN-OTHERS-2', { OTHERS: [['2030-01-01', 5]] });
  await createInbound(app, 'IN-OTHERS-3', { OTHERS: [['2030-01-01', 11]] }, secondTenant);
  assert.deepEqual(await cancelInbounds(app, ['IN-OTHERS-2']), [cancelled('IN-OTHERS-2')]);

  assert.deepEqual(await stockOf(app, 'OTHERS'), [goodRow('OTHERS', '2030-01-01', 13)]);
  assert.equal((await inboundRow(app, 'IN-OTHERS-1'))?.status, 'received');
});

test('cancelling again says cancelled again, and takes nothing more', async () => {
  await receive(app, { AGAIN: [['2030-01-01', 9]] });
  await createInbound(app, 'IN-AGAIN', { AGAIN: [['2030-01-01', 4]] });
  assert.deepEqual(await cancelInbounds(app, ['IN-AGAIN']), [cancelled('IN-AGAIN')]);
  const before = await dump(app);

  assert.deepEqual(await cancelInbounds(app, ['IN-AGAIN']), [cancelled('IN-AGAIN')]);
  assert.deepEqual(await dump(app), before);
});

test('a document that is only expected is cancelled; nothing had arrived', async () => {
  await syncProducts(app, ['EXPECTED']);
  await createInbound(app, 'IN-EXPECTED', { EXPECTED: [['2030-01-01', 4]] }, confirming);
  assert.deepEqual(await cancelInbounds(app, ['IN-EXPECTED'], confirming), [cancelled('IN-EXPECTED')]);

  assert.equal((await inboundRow(app, 'IN-EXPECTED'))?.status, 'cancelled');
  assert.deepEqual(await movementsOf(app, 'IN-EXPECTED'), []);
  assert.deepEqual(await stockOf(app, 'EXPECTED'), [emptyRow('EXPECTED')]);
});

for (const status of ['receiving', 'received', 'stopped']) {
  test(`what the warehouse has begun to receive can no longer be cancelled, and nothing changes: ${status}`, async () => {
    await syncProducts(app, ['BEGUN']);
    await createInbound(app, `IN-${status}`, { BEGUN: [['2030-01-01', 4]] }, confirming);
    await moveInbound(app, `IN-${status}`, status);
    const before = await dump(app);

    assert.deepEqual(await cancelInbounds(app, [`IN-${status}`]), [tooLate(`IN-${status}`)]);
    assert.deepEqual(await dump(app), before);
  });
}

test('a document whose units are promised to an order can no longer be cancelled, and nothing changes', async () => {
  const number = await receive(app, { PROMISED: [['2030-01-01', 5]] });
  await order(app, 'OUT-PROMISED', [['PROMISED', 1]]);
  const before = await dump(app);

  assert.deepEqual(await cancelInbounds(app, [number]), [tooLate(number)]);
  assert.deepEqual(await dump(app), before);
});

test('one promised unit holds the whole document: its other lots stay too', async () => {
  const number = await receive(app, { 'HELD-1': [['2030-01-01', 5]], 'HELD-2': [['2030-01-01', 5]], 'HELD-3': [['2030-01-01', 5]] });
  await order(app, 'OUT-HELD', [['HELD-2', 1]]);
  const before = await dump(app);

  assert.deepEqual(await cancelInbounds(app, [number]), [tooLate(number)]);
  assert.deepEqual(await dump(app), before);
});

test('it can be cancelled once the order that held its units is', async () => {
  const number = await receive(app, { FREED: [['2030-01-01', 5]] });
  await order(app, 'OUT-FREED', [['FREED', 5]]);
  assert.deepEqual(await cancelInbounds(app, [number]), [tooLate(number)]);
  await cancelOrders(app, ['OUT-FREED']);

  assert.deepEqual(await cancelInbounds(app, [number]), [cancelled(number)]);
  assert.deepEqual(await stockOf(app, 'FREED'), [emptyRow('FREED')]);
});

test('a document is cancelled while as many units as it brought are free in their lot, whoever brought those', async () => {
  const first = await receive(app, { ALIKE: [['2030-01-01', 10]] });
  const second = await receive(app, { ALIKE: [['2030-01-01', 10]] });
  await order(app, 'OUT-ALIKE', [['ALIKE', 10]]);

  assert.deepEqual(await cancelInbounds(app, [first]), [cancelled(first)]);
  assert.deepEqual(await cancelInbounds(app, [second]), [tooLate(second)]);
  assert.deepEqual(await stockOf(app, 'ALIKE'), [goodRow('ALIKE', '2030-01-01', 10, 10)]);
});

test('two documents in one batch cannot both take back what is free for one only', async () => {
  const numbers = [await receive(app, { SCARCE: [['2030-01-01', 10]] }), await receive(app, { SCARCE: [['2030-01-01', 10]] })];
  await order(app, 'OUT-SCARCE', [['SCARCE', 5]]);
  const results = (await cancelInbounds(app, numbers)) as { stock_in_sn: string; status: string }[];

  assert.deepEqual(
    results.map(({ stock_in_sn }) => stock_in_sn),
    numbers,
  );
  assert.deepEqual(results.map(({ status }) => status).sort(), ['cancelled', 'cannot_cancel_after_receiving']);
  assert.deepEqual(await stockOf(app, 'SCARCE'), [goodRow('SCARCE', '2030-01-01', 10, 5)]);
});

test('free units of another lot do not stand in: another date, another warehouse', async () => {
  const number = await receive(app, { APART: [['2030-01-01', 5]] });
  await createInbound(app, 'IN-APART-DATE', { APART: [['2031-01-01', 5]] });
  await createInbound(app, 'IN-APART-WAREHOUSE', { APART: [['2030-01-01', 5]] }, secondTenant);
  await order(app, 'OUT-APART', [['APART', 5]]);

  assert.deepEqual(await cancelInbounds(app, [number]), [tooLate(number)]);
});

test('the warehouses of an account do not matter: one batch cancels in all of them', async () => {
  await syncProducts(app, ['BOTH']);
  await createInbound(app, 'IN-BOTH-1', { BOTH: [['2030-01-01', 1]] });
  await createInbound(app, 'IN-BOTH-2', { BOTH: [['2030-01-01', 1]] }, secondTenant);
  assert.deepEqual(await cancelInbounds(app, ['IN-BOTH-2', 'IN-BOTH-1']), [cancelled('IN-BOTH-2'), cancelled('IN-BOTH-1')]);
  assert.deepEqual(await stockOf(app, 'BOTH'), [emptyRow('BOTH')]);
});

test('each entry has its own status, in the order sent, duplicates included; one does not fail the others', async () => {
  const promised = await receive(app, { BATCH: [['2030-01-01', 5]] });
  await order(app, 'OUT-BATCH', [['BATCH', 5]]);
  const free = await receive(app, { 'BATCH-FREE': [['2030-01-01', 5]] });
  const answer = await app.callWarehouse(path, { inbound_short_ids: ['NOBODY', free, promised, 'NOBODY', free, promised] });

  assert.deepEqual(dataOf(answer), {
    results: [notFound('NOBODY'), cancelled(free), tooLate(promised), notFound('NOBODY'), cancelled(free), tooLate(promised)],
  });
  assert.deepEqual(await stockOf(app, ['BATCH', 'BATCH-FREE']), [goodRow('BATCH', '2030-01-01', 5, 5), emptyRow('BATCH-FREE')]);
});

test('a batch in which nothing is known changes nothing and is a success', async () => {
  const before = await dump(app);
  assert.deepEqual(await cancelInbounds(app, ['NOBODY-1', 'NOBODY-2']), [notFound('NOBODY-1'), notFound('NOBODY-2')]);
  assert.deepEqual(await dump(app), before);
});

test("another account's number is not found, and its document stays", async () => {
  const number = await receive(app, { THEIRS: [['2030-01-01', 5]] }, beta);
  const before = await dump(app);

  assert.deepEqual(await cancelInbounds(app, [number]), [notFound(number)]);
  assert.deepEqual(await dump(app), before);
});

test('an account_no in the body opens no other account', async () => {
  const number = await receive(app, { 'THEIRS-2': [['2030-01-01', 5]] }, beta);
  const before = await dump(app);
  const answer = await app.callWarehouse(path, { inbound_short_ids: [number], account_no: beta.accountNo });

  assert.deepEqual(dataOf(answer).results, [notFound(number)]);
  assert.deepEqual(await dump(app), before);
});

test('numbers are compared exactly, and those of orders are others', async () => {
  await receive(app, { EXACT: [['2030-01-01', 5]] });
  await createInbound(app, 'IN-exact', { EXACT: [['2030-01-01', 5]] });
  await order(app, 'OUT-ORDER', [['EXACT', 1]]);
  const before = await dump(app);

  assert.deepEqual(await cancelInbounds(app, ['in-exact', 'IN-EXACT', 'OUT-ORDER']), [
    notFound('in-exact'),
    notFound('IN-EXACT'),
    notFound('OUT-ORDER'),
  ]);
  assert.deepEqual(await dump(app), before);
});

test('twenty simultaneous cancels take the units back once', async () => {
  await receive(app, { RACE: [['2030-01-01', 7]] });
  const number = await receive(app, { RACE: [['2030-01-01', 5]] });
  const results = await Promise.all(Array.from({ length: 20 }, () => cancelInbounds(app, [number])));

  for (const result of results) assert.deepEqual(result, [cancelled(number)]);
  assert.deepEqual(await stockOf(app, 'RACE'), [goodRow('RACE', '2030-01-01', 7)]);
});

test('a cancel and an order race for the same units: one of them has them, never both', async () => {
  for (let round = 1; round <= 10; round++) {
    const sku = `CONTEST-${round}`;
    const number = await receive(app, { [sku]: [['2030-01-01', 5]] });
    const [results, ordered] = await Promise.all([
      cancelInbounds(app, [number]),
      app.callWarehouse('/outbound/create', orderBody(`OUT-CONTEST-${round}`, [[sku, 1]])),
    ]);

    if (ordered.status === 200) {
      assert.deepEqual(results, [tooLate(number)]);
      assert.deepEqual(await stockOf(app, sku), [goodRow(sku, '2030-01-01', 5, 1)]);
    } else {
      assert.equal(ordered.json.message, `sku ${sku} available=0 < requested=1`);
      assert.deepEqual(results, [cancelled(number)]);
      assert.deepEqual(await stockOf(app, sku), [emptyRow(sku)]);
    }
  }
});

test('simultaneous batches with the same numbers in opposite orders all end, and every document is cancelled once', async () => {
  const numbers: string[] = [];
  for (let index = 0; index < 10; index++) numbers.push(await receive(app, { [`CROSS-${index % 3}`]: [['2030-01-01', 1]] }));
  const batches = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? numbers : numbers.toReversed()));
  const answers = await Promise.all(batches.map((batch) => cancelInbounds(app, batch)));

  for (const [index, results] of answers.entries()) assert.deepEqual(results, batches[index]!.map(cancelled));
  assert.deepEqual(await stockOf(app, ['CROSS-0', 'CROSS-1', 'CROSS-2']), ['CROSS-0', 'CROSS-1', 'CROSS-2'].map(emptyRow));
});

test('100 entries are accepted', async () => {
  const numbers: string[] = [];
  for (let index = 0; index < 98; index++) numbers.push(`NOBODY-${index}`);
  numbers.push(await receive(app, { HUNDRED: [['2030-01-01', 1]] }), '號'.repeat(125));
  const results = await cancelInbounds(app, numbers);

  assert.deepEqual(
    results,
    numbers.map((number, index) => (index === 98 ? cancelled(number) : notFound(number))),
  );
});

const wrong: [string, object, string[]][] = [
  ['inbound_short_ids missing', {}, ['inbound_short_ids']],
  ['inbound_short_ids null', { inbound_short_ids: null }, ['inbound_short_ids']],
  ['inbound_short_ids no array', { inbound_short_ids: valid }, ['inbound_short_ids']],
  ['inbound_short_ids empty', { inbound_short_ids: [] }, ['inbound_short_ids']],
  ['more than 100 entries', { inbound_short_ids: Array(101).fill(valid) }, ['inbound_short_ids']],
  ['the numbers of orders instead', { outbound_short_ids: [valid] }, ['inbound_short_ids']],
  ...wrongIdentifiers
    // JSON has no missing element: it is null.
    .filter(([name]) => name !== 'missing')
    .map(([name, value]): [string, object, string[]] => [
      `an entry ${name}`,
      { inbound_short_ids: [valid, value, valid] },
      ['inbound_short_ids[1]'],
    ]),
  ['several wrong entries', { inbound_short_ids: ['', valid, 7] }, ['inbound_short_ids[0]', 'inbound_short_ids[2]']],
];
for (const [name, body, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged(app, path, body, { paths });
  });
}

test('balances are the sums of the movements, after all of this', async () => {
  await assertBalancesAreSums(app);
});
