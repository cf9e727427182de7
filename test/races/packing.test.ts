import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderShip, packingScan, packingShip, packingUndo } from '../../contract/console/packing.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { live } from '../support/live.ts';
import { assertBooksInOrder } from '../support/logistics.ts';
import { ean, orderIdOf, provisionPacking, scanOf, shipAfter } from '../support/packing.ts';
import { startSecondNode } from '../support/second-node.ts';
import { cancelOrders, order, orderRow } from '../support/warehouse.ts';
import { assertNoDeadlocks, listOf, eachRound as roundAfterRound, roundsOf, sum } from './races.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionPacking(app);
app.clock.set(new Date('2026-11-18T04:00:00Z'));
const devices = [await signIn(app, 'staff'), await signIn(await startSecondNode(app), 'staff')];
const rounds = roundsOf({ usual: 2, full: 60 });
const eachRound = (work: (round: number) => Promise<void>) => roundAfterRound(rounds, work);
const device = (index: number) => devices[index % 2]!;

async function ordered(number: string, qty: number): Promise<number> {
  await order(app, number, [['TEA', qty]], live);
  return await orderIdOf(app, number);
}

async function unitsPacked(orderId: number): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`select coalesce(sum(qty), 0)::integer as units from packed_unit where order_id = ${orderId}`,
  );
  return row!.units;
}

async function stepsOf(orderId: number, event: string): Promise<number> {
  const rows = await app.store.database.read(
    (sql) => sql`
      select from state_change where document_type = 'order' and document_id = ${orderId} and event = ${event}`,
  );
  return rows.length;
}

test('two devices on one order: exactly its units are packed, the surplus is refused, and it becomes packed once', () =>
  eachRound(async (round) => {
    const orderId = await ordered(`TWO-${round}`, 10);
    // Each scan is sent twice, as by a phone without a response.
    const bodies = listOf(14, () => scanOf(orderId, ean)).flatMap((body) => [body, body]);
    const answers = await Promise.all(bodies.map((body, index) => device(index >> 1).ask(packingScan, body)));
    assert.equal(await unitsPacked(orderId), 10);
    const counted = new Set(
      bodies.filter((_, index) => answers[index]!.kind === 'packed').map(({ scan_id }) => scan_id),
    );
    assert.equal(counted.size, 10);
    assert.equal(answers.filter(({ kind }) => kind === 'surplus').length, 8);
    assert.equal((await orderRow(app, `TWO-${round}`))!.status, 'packed');
    assert.equal(await stepsOf(orderId, 'pack'), 1);
  }));

test('cancellation against packing: a cancelled order is never packed, and a packed one is never cancelled', () =>
  eachRound(async (round) => {
    const numbers = listOf(8, (index) => `CANCEL-${round}-${index}`);
    const ids = await Promise.all(numbers.map((number) => ordered(number, 2)));
    const scans = ids.flatMap((orderId) => listOf(2, () => scanOf(orderId, ean)));
    const [answers] = await Promise.all([
      Promise.all(scans.map((body, index) => device(index).ask(packingScan, body))),
      ...numbers.map((number) => cancelOrders(app, [number], live)),
    ]);
    for (const [index, orderId] of ids.entries()) {
      const { status } = (await orderRow(app, numbers[index]!))!;
      const own = answers.slice(index * 2, index * 2 + 2).map(({ kind }) => kind);
      if (status === 'packed') assert.deepEqual(own, ['packed', 'packed']);
      else {
        assert.equal(status, 'cancelled');
        assert.ok(own.includes('not_workable'), own.join());
      }
      assert.equal(await stepsOf(orderId, 'pack'), status === 'packed' ? 1 : 0);
    }
    await assertBooksInOrder(app);
  }));

test('undo against three runs of the job at once: an order is undone and stays, or leaves once', () =>
  eachRound(async (round) => {
    const numbers = listOf(10, (index) => `UNDO-${round}-${index}`);
    const ids = await Promise.all(numbers.map((number) => ordered(number, 1)));
    for (const [index, order_id] of ids.entries()) {
      await device(index).ask(packingScan, scanOf(order_id, ean));
      const shipments = [{ parcel_no: 1, shipment_no: `9012${round}`.padEnd(11, '0') + index }];
      const planned = await device(index).ask(packingShip, { order_id, shipments, confirmed: [] });
      assert.equal(planned.kind, 'planned');
    }
    const [undone] = await Promise.all([
      Promise.all(ids.map((order_id, index) => device(index).ask(packingUndo, { order_ids: [order_id] }))),
      ...listOf(3, () => shipAfter(app, 10)),
    ]);
    for (const [index, orderId] of ids.entries()) {
      const isUndone = undone[index]!.results[0]!.kind === 'undone';
      assert.equal((await orderRow(app, numbers[index]!))!.status, isUndone ? 'packed' : 'shipped');
      assert.deepEqual([await stepsOf(orderId, 'ship'), await unitsPacked(orderId)], isUndone ? [0, 1] : [1, 0]);
    }
    await assertBooksInOrder(app);
  }));

test('cancellation against a planned shipment: the order leaves or is cancelled, and its unit counts once', () =>
  eachRound(async (round) => {
    const numbers = listOf(8, (index) => `PLAN-${round}-${index}`);
    const ids = await Promise.all(numbers.map((number) => ordered(number, 1)));
    for (const [index, order_id] of ids.entries()) {
      const shipments = [{ parcel_no: 1, shipment_no: `8012${round}`.padEnd(11, '0') + index }];
      await device(index).ask(packingShip, { order_id, shipments, confirmed: ['skipped'] });
    }
    await Promise.all([
      ...numbers.map((number) => cancelOrders(app, [number], live)),
      ...listOf(2, () => shipAfter(app, 10)),
    ]);
    const shipped = await Promise.all(ids.map((orderId) => stepsOf(orderId, 'ship')));
    const cancelled = await Promise.all(ids.map((orderId) => stepsOf(orderId, 'cancel')));
    assert.deepEqual(
      shipped.map((count, index) => count + cancelled[index]!),
      listOf(8, () => 1),
    );
    assert.equal(sum(shipped) + sum(cancelled), 8);
    await device(round).ask(packingUndo, { order_ids: ids });
    await assertBooksInOrder(app);
  }));

test('two devices ship one order with different numbers, from both pages: one plan wins, the others hear of it', () =>
  eachRound(async (round) => {
    const orderId = await ordered(`WINS-${round}`, 1);
    const answers = await Promise.all(
      listOf(8, async (index) => {
        const [shipment_no, confirmed] = [`7012${round}`.padEnd(11, '0') + index, ['skipped' as const]];
        const shipments = [{ parcel_no: 1, shipment_no }];
        if (index % 4 < 2) return await device(index).ask(packingShip, { order_id: orderId, shipments, confirmed });
        const orders = [{ order_id: orderId, shipment_no, confirmed }];
        return (await device(index).ask(orderShip, { orders })).results[0]!;
      }),
    );
    const kinds = answers.map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), [...listOf(7, () => 'other_plan'), 'planned']);
    await Promise.all(listOf(2, () => shipAfter(app, 10)));
    const winner = kinds.indexOf('planned');
    assert.equal((await orderRow(app, `WINS-${round}`))!.shipment_no, `7012${round}`.padEnd(11, '0') + winner);
    assert.equal(await stepsOf(orderId, 'ship'), 1);
  }));

test('no race of this file has ended in a deadlock', () => assertNoDeadlocks(app));
