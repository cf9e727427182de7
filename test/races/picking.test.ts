import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { pickingBatch, pickingClaim, pickingConfirm, pickingShort } from '../../contract/console/picking.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { retvalOf } from '../support/main.ts';
import { claimed, finish, ordered, pickAll, scan } from '../support/picking.ts';
import { assertAuditClean } from '../support/purge.ts';
import { startSecondNode } from '../support/second-node.ts';
import { orderRow, receive } from '../support/warehouse.ts';
import { assertNoDeadlocks, listOf, eachRound as roundAfterRound, roundsOf, shuffled, sum } from './races.ts';

const app = await startTestApp();
await provisionLive(app);
await provisionOperators(app);
const node = await startSecondNode(app);
await receive(app, { TEA: [['2030-01-01', 100_000]], CUP: [[null, 100_000]] }, live);
const [one, two] = [await signIn(app, 'staff'), await signIn(node, 'admin')];
const eachRound = (work: (round: number) => Promise<void>) => roundAfterRound(roundsOf({ usual: 1, full: 40 }), work);

const orderAll = async (name: string, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let index = 0; index < count; index++)
    ids.push(
      await ordered(app, `${name}-${index}`, [
        ['TEA', 2],
        ['CUP', 1],
      ]),
    );
  return ids;
};

test('two claims of the same orders: each order is in one batch', () =>
  eachRound(async (round) => {
    const ids = await orderAll(`CL-${round}`, 8);
    const answers = await Promise.all(
      [one, two, one, two].map((user) => {
        const order_ids = shuffled(ids).slice(0, 5);
        return user.ask(pickingClaim, { claim_id: randomUUID(), warehouse_no: 1, order_ids });
      }),
    );
    const next = { warehouse_no: 1, count: 8 };
    answers.push(
      ...(await Promise.all([one, two].map((user) => user.ask(pickingClaim, { ...next, claim_id: randomUUID() })))),
    );
    const batches = answers.flatMap((answer) => (answer.kind === 'claimed' ? [answer.batch_id] : []));
    const inBatches: number[] = [];
    for (const batch_id of batches)
      inBatches.push(...(await one.ask(pickingBatch, { batch_id })).orders.map(({ order_id }) => order_id));
    assert.deepEqual(inBatches.toSorted(), ids.toSorted());
    for (const batch_id of batches) {
      await pickAll(one, batch_id);
      await finish(one, batch_id);
    }
  }));

test('the same claim from a phone that repeats itself makes one batch', async () => {
  const order_ids = await orderAll('REPEATED', 2);
  const body = { claim_id: randomUUID(), warehouse_no: 1, order_ids };
  const answers = await Promise.all([one, two, one, two].map((user) => user.ask(pickingClaim, body)));
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  const [answer] = answers;
  if (answer?.kind === 'claimed') await finish(one, answer.batch_id, true);
});

test('two devices confirm the same task: no unit is counted twice, and a repeated scan counts once', () =>
  eachRound(async (round) => {
    const batch_id = await claimed(one, await orderAll(`CO-${round}`, 3));
    // Six units are needed, and eight are scanned.
    const answers = await Promise.all(listOf(8, (index) => scan(index % 2 ? one : two, batch_id, 'TEA')));
    const confirmed = answers.flatMap((answer) => (answer.kind === 'confirmed' ? answer.put : []));
    assert.deepEqual([confirmed.length, answers.filter(({ kind }) => kind === 'surplus').length], [6, 2]);
    for (const slot of [1, 2, 3])
      assert.equal(sum(confirmed.filter((put) => put.slot === slot).map(({ units }) => units)), 2);

    const body = { batch_id, scan_id: randomUUID(), code: 'CUP' };
    const repeats = await Promise.all(listOf(4, (index) => (index % 2 ? one : two).ask(pickingConfirm, body)));
    assert.equal(new Set(repeats.map((answer) => JSON.stringify(answer))).size, 1);
    const { lines } = await one.ask(pickingBatch, { batch_id });
    const picked = lines.map(({ sku_id, slots }) => [sku_id, sum(slots.map((slot) => slot.picked))]);
    assert.deepEqual(picked, [
      ['CUP', 1],
      ['TEA', 6],
    ]);
    await scan(two, batch_id, 'CUP', 2);
    const finished = await Promise.all([finish(one, batch_id), finish(two, batch_id)]);
    assert.deepEqual(finished, Array(2).fill({ kind: 'finished', picked: 3, left: 0 }));
  }));

test('a unit is found on one device and reported as missing on the other: the units of a task add up', () =>
  eachRound(async (round) => {
    const batch_id = await claimed(one, await orderAll(`SH-${round}`, 2));
    const line = (await one.ask(pickingBatch, { batch_id })).lines.find(({ sku_id }) => sku_id === 'TEA')!;
    const { account_no, lot_id } = line;
    const missing = { batch_id, account_no, lot_id, reason: 'not_found', remedy: 'ship_short' } as const;
    await Promise.all([
      ...listOf(4, () => scan(one, batch_id, 'TEA')),
      two.ask(pickingShort, { ...missing, scan_id: randomUUID() }),
    ]);
    const after = (await one.ask(pickingBatch, { batch_id })).lines.find(({ sku_id }) => sku_id === 'TEA')!;
    assert.ok(after.slots.every(({ qty, picked, short }) => picked + short === qty));
    await pickAll(one, batch_id);
    assert.equal((await finish(one, batch_id)).kind, 'finished');
  }));

test('cancellations during a pick: an order is cancelled and free of locks, or picked', () =>
  eachRound(async (round) => {
    const ids = await orderAll(`CA-${round}`, 6);
    const batch_id = await claimed(one, ids);
    const cancel = async (index: number) => {
      const outbound_short_ids = [`CA-${round}-${index}`];
      const { results } = retvalOf(await node.callMain('/orders/cancel', { outbound_short_ids }, { as: live }));
      return results[0].status as string;
    };
    const [cancelled] = await Promise.all([
      Promise.all(listOf(6, cancel)),
      pickAll(one, batch_id).then(() => finish(two, batch_id, true)),
      ...listOf(3, () => scan(two, batch_id, 'TEA')),
    ]);
    const { orders } = await one.ask(pickingBatch, { batch_id });
    for (const [index, { order_id, state, reason }] of orders.entries()) {
      const { status } = (await orderRow(app, `CA-${round}-${index}`))!;
      if (status === 'cancelled') {
        assert.deepEqual([cancelled[index], state], ['cancelled', 'left']);
        // A cancellation during the scan of a line makes it too many units; the batch then ends without them.
        assert.ok(reason === 'cancelled' || reason === 'given_back', String(reason));
      } else if (state === 'picked') assert.deepEqual([cancelled[index], status], ['too_late', 'picking']);
      else assert.fail(`order ${order_id} is ${String(status)} and ${state} (${reason})`);
    }
  }));

test('after all this the audit is clean, and there was no deadlock', async () => {
  await assertAuditClean(app);
  await assertNoDeadlocks(app);
});
