import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beta, startTestApp } from '../../support/app.ts';
import {
  assertBalancesAreSums,
  assertRefusedUnchanged,
  cancelOrders,
  createInbound,
  dataOf,
  dump,
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
const path = '/outbound/cancel';

await receive(app, { TEA: [['2030-01-01', 100_000]] });
await receive(app, { TEA: [['2030-01-01', 100_000]] }, beta);
/** A number that every refused batch names, and that must come to no harm. */
await order(app, 'OUT-VALID', [['TEA', 1]]);

const cancelled = (number: string) => ({ outbound_short_id: number, status: 'cancelled' });
const notFound = (number: string) => ({ outbound_short_id: number, status: 'not_found' });
const tooLate = (number: string) => ({ outbound_short_id: number, status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' });

test('a cancelled order gives back each unit to the lot it was locked in, by movements of its own', async () => {
  await receive(app, {
    BACK: [
      ['2030-01-01', 2],
      ['2031-01-01', 8],
    ],
  });
  await order(app, 'OUT-BACK', [['BACK', 5]]);
  const locked = await movementsOf(app, 'OUT-BACK');
  const answer = await app.callWarehouse(path, { outbound_short_ids: ['OUT-BACK'] });

  assert.deepEqual(dataOf(answer), { results: [cancelled('OUT-BACK')] });
  assert.equal((await orderRow(app, 'OUT-BACK'))?.status, 'cancelled');
  assert.deepEqual(await stockOf(app, 'BACK'), [goodRow('BACK', '2030-01-01', 2), goodRow('BACK', '2031-01-01', 8)]);
  const movements = await movementsOf(app, 'OUT-BACK');
  assert.deepEqual(movements.slice(0, locked.length), locked);
  const unlocked = { kind: 'unlock', sku_id: 'BACK', batch_id: '', on_hand_delta: 0 };
  assert.deepEqual(
    movements.slice(locked.length).toSorted((a, b) => a.expire_date!.localeCompare(b.expire_date!)),
    [
      { ...unlocked, expire_date: '2030-01-01', locked_delta: -2 },
      { ...unlocked, expire_date: '2031-01-01', locked_delta: -3 },
    ],
  );
  const [written] = await app.store.database.read(
    (sql) => sql`
      select distinct m.trace_id, m.actor from movement m join orders using (order_id)
      where partner_number = 'OUT-BACK' and m.kind = 'unlock'`,
  );
  assert.equal(written?.trace_id, answer.json.trace_id);
  assert.ok(written?.actor);
});

test('what was given back can be ordered by others, while other orders keep theirs', async () => {
  await receive(app, { SHARED: [['2030-01-01', 10]] });
  await order(app, 'OUT-SHARED-1', [['SHARED', 6]]);
  await order(app, 'OUT-SHARED-2', [['SHARED', 4]]);
  assert.deepEqual(await cancelOrders(app, ['OUT-SHARED-1']), [cancelled('OUT-SHARED-1')]);

  assert.deepEqual(await stockOf(app, 'SHARED'), [goodRow('SHARED', '2030-01-01', 10, 4)]);
  await order(app, 'OUT-SHARED-3', [['SHARED', 6]]);
});

test('cancelling again says cancelled again, and gives nothing more back', async () => {
  await receive(app, { AGAIN: [['2030-01-01', 10]] });
  await order(app, 'OUT-AGAIN-1', [['AGAIN', 3]]);
  await order(app, 'OUT-AGAIN-2', [['AGAIN', 3]]);
  await cancelOrders(app, ['OUT-AGAIN-1']);
  const before = await dump(app);

  assert.deepEqual(await cancelOrders(app, ['OUT-AGAIN-1']), [cancelled('OUT-AGAIN-1')]);
  assert.deepEqual(await dump(app), before);
});

for (const status of ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered']) {
  test(`an order that has reached the warehouse or picking is cannot_cancel_after_picking, and nothing changes: ${status}`, async () => {
    await order(app, `OUT-${status}`, [['TEA', 1]]);
    await moveOrder(app, `OUT-${status}`, status);
    const before = await dump(app);
    const answer = await app.callWarehouse(path, { outbound_short_ids: [`OUT-${status}`] });

    assert.deepEqual(dataOf(answer), { results: [tooLate(`OUT-${status}`)] });
    assert.deepEqual(await dump(app), before);
  });
}

test('each entry has its own status, in the order sent, duplicates included; one does not fail the others', async () => {
  await receive(app, { BATCH: [['2030-01-01', 10]] });
  for (const number of ['OUT-FREE', 'OUT-PICKED', 'OUT-DONE', 'OUT-STAYS']) await order(app, number, [['BATCH', 2]]);
  await moveOrder(app, 'OUT-PICKED', 'picking');
  await cancelOrders(app, ['OUT-DONE']);
  const outbound_short_ids = ['OUT-PICKED', 'NOBODY', 'OUT-FREE', 'OUT-DONE', 'OUT-FREE', 'OUT-PICKED', 'NOBODY'];
  const answer = await app.callWarehouse(path, { outbound_short_ids });

  assert.deepEqual(dataOf(answer), {
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

test('a batch in which nothing is known changes nothing and is a success', async () => {
  const before = await dump(app);
  assert.deepEqual(await cancelOrders(app, ['NOBODY-1', 'NOBODY-2']), [notFound('NOBODY-1'), notFound('NOBODY-2')]);
  assert.deepEqual(await dump(app), before);
});

test("another account's number is not found, and its order stays", async () => {
  await order(app, 'OUT-THEIRS', [['TEA', 1]], beta);
  await order(app, 'OUT-THEIRS-PICKED', [['TEA', 1]], beta);
  await moveOrder(app, 'OUT-THEIRS-PICKED', 'picking');
  const before = await dump(app);

  assert.deepEqual(await cancelOrders(app, ['OUT-THEIRS', 'OUT-THEIRS-PICKED']), [notFound('OUT-THEIRS'), notFound('OUT-THEIRS-PICKED')]);
  assert.deepEqual(await dump(app), before);
});

test('an account_no in the body opens no other account', async () => {
  await order(app, 'OUT-THEIRS-2', [['TEA', 1]], beta);
  const before = await dump(app);
  const answer = await app.callWarehouse(path, { outbound_short_ids: ['OUT-THEIRS-2'], account_no: beta.accountNo });

  assert.deepEqual(dataOf(answer).results, [notFound('OUT-THEIRS-2')]);
  assert.deepEqual(await dump(app), before);
});

test('numbers are compared exactly, and neither inbound numbers nor an orders_id are numbers of orders', async () => {
  await createInbound(app, 'IN-DOCUMENT', { TEA: [['2030-01-01', 1]] });
  const { orders_id } = await order(app, 'OUT-exact', [['TEA', 1]]);
  const before = await dump(app);
  const others = ['out-exact', 'OUT-EXACT', 'IN-DOCUMENT', orders_id];

  assert.deepEqual(await cancelOrders(app, others), others.map(notFound));
  assert.deepEqual(await dump(app), before);
});

test('twenty simultaneous cancels give the units back once', async () => {
  await receive(app, { RACE: [['2030-01-01', 10]] });
  await order(app, 'OUT-RACE-STAYS', [['RACE', 5]]);
  await order(app, 'OUT-RACE', [['RACE', 3]]);
  const results = await Promise.all(Array.from({ length: 20 }, () => cancelOrders(app, ['OUT-RACE'])));

  for (const result of results) assert.deepEqual(result, [cancelled('OUT-RACE')]);
  assert.deepEqual(await stockOf(app, 'RACE'), [goodRow('RACE', '2030-01-01', 10, 5)]);
});

test('a create and its cancel at the same instant: the order is cancelled or was not there yet, and the lock says the same', async () => {
  for (let round = 1; round <= 10; round++) {
    const sku = `SWIFT-${round}`;
    const number = `OUT-SWIFT-${round}`;
    await receive(app, { [sku]: [['2030-01-01', 5]] });
    const [, results] = await Promise.all([order(app, number, [[sku, 5]]), cancelOrders(app, [number])]);

    const [{ status }] = results as [{ status: string }];
    assert.ok(status === 'cancelled' || status === 'not_found', status);
    assert.equal((await orderRow(app, number))?.status, status === 'cancelled' ? 'cancelled' : 'pending_warehouse_transfer');
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, '2030-01-01', 5, status === 'cancelled' ? 0 : 5)]);
  }
});

test('cancels and new orders of the same skus at once: nothing is lost, nothing is sold twice', async () => {
  await receive(app, { 'BUSY-1': [['2030-01-01', 30]], 'BUSY-2': [['2030-01-01', 30]] });
  const numbers = Array.from({ length: 20 }, (_, index) => `OUT-BUSY-${index}`);
  for (const number of numbers)
    await order(app, number, [
      ['BUSY-1', 1],
      ['BUSY-2', 1],
    ]);
  const [created] = await Promise.all([
    Promise.all(
      numbers.map((number) =>
        app.callWarehouse(
          '/outbound/create',
          orderBody(`${number}-NEW`, [
            ['BUSY-2', 1],
            ['BUSY-1', 1],
          ]),
        ),
      ),
    ),
    ...Array.from({ length: 4 }, (_, index) => cancelOrders(app, index % 2 === 0 ? numbers : numbers.toReversed())),
  ]);

  const accepted = created.filter(({ status }) => status === 200).length;
  assert.ok(accepted >= 10, `${accepted} accepted, though 10 units were free from the start`);
  assert.deepEqual(await stockOf(app, ['BUSY-1', 'BUSY-2']), [
    goodRow('BUSY-1', '2030-01-01', 30, accepted),
    goodRow('BUSY-2', '2030-01-01', 30, accepted),
  ]);
});

test('100 entries are accepted', async () => {
  const numbers = Array.from({ length: 98 }, (_, index) => `OUT-HUNDRED-${index}`);
  for (const number of numbers) await order(app, number, [['TEA', 1]]);
  const batch = [...numbers, 'NOBODY', '號'.repeat(125)];

  assert.deepEqual(
    await cancelOrders(app, batch),
    batch.map((number, index) => (index < 98 ? cancelled(number) : notFound(number))),
  );
});

test('movements can be neither changed nor deleted, nor can a lot that has them: the database refuses', async () => {
  const before = await dump(app);
  const attempts = [
    `update movement set locked_delta = 0`,
    `delete from movement`,
    `truncate movement`,
    `delete from lot`,
    `update lot set locked = on_hand + 1`,
    `update lot set locked = -1`,
  ];
  for (const statement of attempts) {
    await assert.rejects(
      app.store.database.transaction((tx) => tx.unsafe(statement)),
      /append-only|by a purge only|lot_balance/,
      statement,
    );
  }
  assert.deepEqual(await dump(app), before);
});

const wrong: [string, object, string[]][] = [
  ['outbound_short_ids missing', {}, ['outbound_short_ids']],
  ['outbound_short_ids null', { outbound_short_ids: null }, ['outbound_short_ids']],
  ['outbound_short_ids no array', { outbound_short_ids: 'OUT-VALID' }, ['outbound_short_ids']],
  ['outbound_short_ids empty', { outbound_short_ids: [] }, ['outbound_short_ids']],
  ['more than 100 entries', { outbound_short_ids: Array(101).fill('OUT-VALID') }, ['outbound_short_ids']],
  ['the numbers of inbound documents instead', { inbound_short_ids: ['OUT-VALID'] }, ['outbound_short_ids']],
  ...wrongIdentifiers
    // JSON has no missing element: it is null.
    .filter(([name]) => name !== 'missing')
    .map(([name, value]): [string, object, string[]] => [
      `an entry ${name}`,
      { outbound_short_ids: ['OUT-VALID', value, 'OUT-VALID'] },
      ['outbound_short_ids[1]'],
    ]),
  ['several wrong entries', { outbound_short_ids: ['', 'OUT-VALID', 7] }, ['outbound_short_ids[0]', 'outbound_short_ids[2]']],
];
for (const [name, body, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged(app, path, body, { paths });
  });
}

test('balances are the sums of the movements, after all of this', async () => {
  await assertBalancesAreSums(app);
});
