import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushManually } from '../../server/domain/transfers/transfer-orders.ts';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder } from '../support/logistics.ts';
import { lists, type Row, retvalOf, searchAll } from '../support/main.ts';
import { startSecondNode } from '../support/second-node.ts';
import { orderBody, receive, stockOf } from '../support/warehouse.ts';
import { assertNoDeadlocks, listOf, eachRound as roundAfterRound, roundsOf, shuffled, sum } from './races.ts';

const app = await startTestApp();
await provisionLive(app);
const nodes = [app, await startSecondNode(app)];
await receive(app, { TEA: [['2030-01-01', 100_000]] }, live);
const rounds = roundsOf({ usual: 1, full: 60 });
const eachRound = (work: (round: number) => Promise<void>) => roundAfterRound(rounds, work);
const size = 12;

async function orderAll(name: string): Promise<string[]> {
  const numbers = listOf(size, (index) => `${name}-${index}`);
  for (const number of numbers)
    retvalOf(await app.callMain('/orders/create', orderBody(number, [['TEA', 1]], live), { as: live }));
  return numbers;
}

/** Each order in a call of its own; the nodes take turns. */
async function callEach(path: string, entries: object[]): Promise<string[]> {
  const call = (entry: object, index: number): Promise<TestAnswer> =>
    nodes[index % 2]!.callMain(`/orders/${path}`, { orders: [entry] }, { as: live });
  const answers = await Promise.all(entries.map(call));
  return answers.map((answer) => retvalOf(answer).results[0].status);
}

const push = () => pushManually(app.store.service, 1, { actor: 'test', traceId: null });
const named = (numbers: string[], change: object = {}) =>
  numbers.map((outbound_short_id) => ({ outbound_short_id, ...change }));

async function rowsOf(numbers: string[]): Promise<Row[]> {
  const rows = await searchAll(app, lists.orders, { 'orders.outbound_short_id': numbers }, live);
  const byNumber = new Map(rows.map((row) => [row.outbound_short_id, row]));
  return numbers.map((number) => byNumber.get(number)!);
}

const changesOf = (row: Row) => row.changes as { kind: string; old_values: Row; new_values: Row }[];

test('update against hand-over: an order is changed before it is handed over, or not at all', () =>
  eachRound(async (round) => {
    const numbers = await orderAll(`UW-${round}`);
    const [statuses] = await Promise.all([callEach('update', named(numbers, { consignee_name: 'Changed' })), push()]);
    for (const [index, row] of (await rowsOf(numbers)).entries()) {
      const isChanged = statuses[index] === 'updated';
      assert.ok(isChanged || statuses[index] === 'too_late');
      assert.deepEqual([row.status, row.consignee_name], ['in_warehouse', isChanged ? 'Changed' : null]);
      const moved = (row.timeline as Row[]).find(({ event }) => event === 'transfer')!;
      if (isChanged) assert.ok(String((changesOf(row)[0] as unknown as Row).at) < String(moved.at));
      else assert.deepEqual(changesOf(row), []);
    }
  }));

test('hold against hand-over: an order is held and stays, or is handed over', () =>
  eachRound(async (round) => {
    const numbers = await orderAll(`HW-${round}`);
    const [statuses] = await Promise.all([callEach('hold', named(numbers)), push()]);
    await push();
    for (const [index, row] of (await rowsOf(numbers)).entries()) {
      const expected = { held: ['pending_warehouse_transfer', true], too_late: ['in_warehouse', false] };
      assert.deepEqual([row.status, row.held], expected[statuses[index] as keyof typeof expected]);
    }
    await callEach('release', named(numbers.filter((_, index) => statuses[index] === 'held')));
    await push();
    assert.ok((await rowsOf(numbers)).every(({ status, held }) => status === 'in_warehouse' && held === false));
  }));

test('update against cancel: an update of a cancelled order is too late, and its units are free again', () =>
  eachRound(async (round) => {
    const numbers = await orderAll(`UC-${round}`);
    const lockedBefore = sum((await stockOf(app, 'TEA', live)).map(({ qty_lock }) => qty_lock));
    const cancel = { outbound_short_ids: shuffled(numbers) };
    const [statuses, cancelled] = await Promise.all([
      callEach('update', named(numbers, { consignee_name: 'Changed' })),
      nodes[1]!.callMain('/orders/cancel', cancel, { as: live }),
    ]);
    assert.ok(retvalOf(cancelled).results.every(({ status }: Row) => status === 'cancelled'));
    for (const [index, row] of (await rowsOf(numbers)).entries()) {
      const isChanged = statuses[index] === 'updated';
      assert.ok(isChanged || statuses[index] === 'too_late');
      const expected = ['cancelled', isChanged ? 'Changed' : null, isChanged ? 1 : 0];
      assert.deepEqual([row.status, row.consignee_name, changesOf(row).length], expected);
    }
    const locked = sum((await stockOf(app, 'TEA', live)).map(({ qty_lock }) => qty_lock));
    assert.equal(locked, lockedBefore - size);
  }));

test('release against cancel: an order is cancelled and never handed over, or it was released first and is handed over', () =>
  eachRound(async (round) => {
    const numbers = await orderAll(`RC-${round}`);
    await callEach('hold', named(numbers));
    const [released, answer] = await Promise.all([
      callEach('release', named(numbers)),
      nodes[1]!.callMain('/orders/cancel', { outbound_short_ids: shuffled(numbers) }, { as: live }),
      push(),
    ]);
    const results = retvalOf<{ results: Row[] }>(answer).results;
    const cancelled = new Set(results.filter((row) => row.status === 'cancelled').map((row) => row.outbound_short_id));
    for (const [index, row] of (await rowsOf(numbers)).entries()) {
      const isCancelled = cancelled.has(numbers[index]!);
      assert.deepEqual([row.status, row.held], [isCancelled ? 'cancelled' : 'in_warehouse', false]);
      assert.ok(released[index] === 'released' || (isCancelled && released[index] === 'too_late'), released[index]);
    }
  }));

test('many updates of one order at once: each replaces what the one before it wrote', () =>
  eachRound(async (round) => {
    const number = `UU-${round}`;
    retvalOf(await app.callMain('/orders/create', orderBody(number, [['TEA', 1]], live), { as: live }));
    const names = listOf(size, (index) => `Name ${index}`);
    const statuses = await callEach(
      'update',
      names.map((consignee_name) => ({ outbound_short_id: number, consignee_name })),
    );
    assert.ok(statuses.every((status) => status === 'updated'));
    const [row] = await rowsOf([number]);
    const written = changesOf(row!).map(({ new_values }) => new_values.consignee_name);
    const replaced = changesOf(row!).map(({ old_values }) => old_values.consignee_name);
    assert.deepEqual(written.toSorted(), names.toSorted());
    assert.deepEqual(replaced, [null, ...written.slice(0, -1)]);
    assert.equal(row!.consignee_name, written.at(-1));
  }));

test('no race ended in a deadlock, and the books are in order', async () => {
  await assertNoDeadlocks(app);
  await assertBooksInOrder(app);
});
