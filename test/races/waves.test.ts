import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRow } from '../../sdk/client.ts';
import { ofOneAccount, startPushTests, live as twoAccounts } from '../push/push.ts';
import { startWarehouseSystem } from '../push/warehouse-system.ts';
import { clientsOf } from '../support/clients.ts';
import { assertBooksInOrder } from '../support/logistics.ts';
import { assertNoDeadlocks, eachRound, roundsOf } from './races.ts';

const { app, makeWarehouse, orderSome, startWorker, waveNow, ...wait } = await startPushTests();
const { main } = await clientsOf(app, twoAccounts[0]!);
const rounds = roundsOf({ usual: 1, full: 60 });
const size = 8;

async function makePosted() {
  const system = await startWarehouseSystem();
  const warehouse = ofOneAccount(await makeWarehouse({ type: 'http', url: system.url }));
  startWorker();
  await wait.untilWaveIsOver(warehouse);
  return { system, warehouse };
}

async function rowsOf(numbers: string[]): Promise<OrderRow[]> {
  const rows = await Array.fromAsync(main.searchOrders({ 'orders.outbound_short_id': numbers }));
  return numbers.map((number) => rows.find((row) => row.outbound_short_id === number)!);
}

test('update against wave: the warehouse gets the order as it was changed, or the change is too late', async () => {
  const { system, warehouse } = await makePosted();
  await eachRound(rounds, async (round) => {
    const numbers = await orderSome(warehouse, size, `UW${round}`);
    const updates = numbers.map((outbound_short_id) =>
      main.ordersUpdate([{ outbound_short_id, consignee_name: 'Changed' }]),
    );
    const [results] = await Promise.all([Promise.all(updates), waveNow(warehouse)]);
    await wait.untilInWarehouse(numbers);
    await wait.untilWaveIsOver(warehouse);

    const posted = new Map(
      system.batches.flatMap(({ body }) =>
        body.orders.map(({ outbound_short_id, consignee_name }) => [outbound_short_id, consignee_name]),
      ),
    );
    for (const [index, row] of (await rowsOf(numbers)).entries()) {
      const { status } = results[index]![0]!;
      assert.ok(status === 'updated' || status === 'too_late', status);
      const name = status === 'updated' ? 'Changed' : null;
      assert.deepEqual([row.consignee_name, posted.get(numbers[index]!)], [name, name]);
    }
  });
});

test('hold against wave: an order is held and not posted, or it is posted and the hold is too late', async () => {
  const { system, warehouse } = await makePosted();
  await eachRound(rounds, async (round) => {
    const numbers = await orderSome(warehouse, size, `HW${round}`);
    const holds = numbers.map((outbound_short_id) => main.ordersHold([{ outbound_short_id }]));
    const [results] = await Promise.all([Promise.all(holds), waveNow(warehouse)]);
    const held = numbers.filter((_, index) => results[index]![0]!.status === 'held');
    await wait.untilInWarehouse(numbers.filter((number) => !held.includes(number)));
    await wait.untilWaveIsOver(warehouse);

    const arrived = system.firstArrivals();
    for (const [index, row] of (await rowsOf(numbers)).entries()) {
      const isHeld = held.includes(numbers[index]!);
      const expected = isHeld ? ['pending_warehouse_transfer', true] : ['in_warehouse', false];
      assert.deepEqual([row.status, row.held, arrived.includes(numbers[index]!)], [...expected, !isHeld]);
    }
    if (held.length > 0) await main.ordersRelease(held.map((outbound_short_id) => ({ outbound_short_id })));
    await waveNow(warehouse);
    await wait.untilInWarehouse(numbers);
    await wait.untilWaveIsOver(warehouse);
  });
});

test('no race ended in a deadlock, and the books are in order', async () => {
  await assertNoDeadlocks(app);
  await assertBooksInOrder(app);
});
