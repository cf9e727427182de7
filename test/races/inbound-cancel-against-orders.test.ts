import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { type CrowdRequest, gatherCrowd, openDoor } from '../support/crowd.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, createInbound, emptyRow, goodRow, orderBody, stockOf, syncProducts } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const [first, second] = [await openDoor(app), await openDoor(await startSecondNode(app))];
const rounds = roundsOf({ usual: 6, full: 200 });
const expireDate = '2030-01-01';

const places = [
  { where: 'one node', short: '1', crowd: gatherCrowd([first], 40) },
  { where: 'two nodes', short: '2', crowd: gatherCrowd([first, second], 40) },
];

const ordering = (number: string, sku: string): CrowdRequest => ({ path: '/outbound/create', body: orderBody(number, [[sku, 1]]) });
const cancelling = (number: string): CrowdRequest => ({ path: '/inbound/cancel', body: { inbound_short_ids: [number] } });

for (const { where, short: place, crowd } of places) {
  test(`on ${where}, the cancel of a document against 20 orders of its 10 units: either it is cancelled, or 10 have one`, async () => {
    for (let round = 1; round <= rounds; round++) {
      const sku = `ALL-${place}-${round}`;
      await syncProducts(app, [sku]);
      await createInbound(app, `IN-${sku}`, { [sku]: [[expireDate, 10]] });
      const requests = Array.from({ length: 20 }, (_, index) => ordering(`OUT-${sku}-${index}`, sku));
      const turn = Math.floor(Math.random() * 4);
      const [cancel, ...orders] = pulledOut(await crowd.call(requests.toSpliced(turn, 0, cancelling(`IN-${sku}`))), turn);

      const [{ status }] = cancel!.json.data.results;
      const accepted = orders.filter((answer) => answer.status === 200).length;
      for (const { json } of orders.filter((answer) => answer.status !== 200)) {
        assert.equal(json.message, `sku ${sku} available=0 < requested=1`);
      }
      assert.deepEqual([status, accepted], status === 'cancelled' ? ['cancelled', 0] : ['cannot_cancel_after_receiving', 10]);
      assert.deepEqual(await stockOf(app, sku), accepted === 0 ? [emptyRow(sku)] : [goodRow(sku, expireDate, 10, 10)]);
    }
  });

  test(`on ${where}, cancels of two documents of one lot against orders: what is left is what the orders hold or may still have`, async () => {
    for (let round = 1; round <= rounds; round++) {
      const sku = `HALF-${place}-${round}`;
      await syncProducts(app, [sku]);
      for (const half of ['A', 'B']) await createInbound(app, `IN-${sku}-${half}`, { [sku]: [[expireDate, 5]] });
      const cancels = [cancelling(`IN-${sku}-A`), cancelling(`IN-${sku}-B`), cancelling(`IN-${sku}-A`), cancelling(`IN-${sku}-B`)];
      const orders = Array.from({ length: 1 + (round % 7) }, (_, index) => ordering(`OUT-${sku}-${index}`, sku));
      const answers = await crowd.call(mixed(cancels, orders));

      const results = answers.flatMap(({ json }) => json.data.results ?? []) as { stock_in_sn: string; status: string }[];
      const cancelled = new Set(results.filter(({ status }) => status === 'cancelled').map(({ stock_in_sn }) => stock_in_sn));
      const accepted = answers.filter(({ json }) => json.data.orders_id !== undefined).length;
      const onHand = 10 - 5 * cancelled.size;
      // Units are alike: a document can go as long as five are free, so both go only before the first order, and one before the sixth.
      assert.ok(accepted <= onHand, `${accepted} orders, ${onHand} units`);
      assert.ok(
        accepted === orders.length || accepted === onHand,
        `${accepted} orders, ${onHand} units: somebody was refused a unit that is there`,
      );
      assert.deepEqual(await stockOf(app, sku), onHand === 0 ? [emptyRow(sku)] : [goodRow(sku, expireDate, onHand, accepted)]);
    }
  });
}

test('after all of it, balances are the sums of the movements', () => assertBalancesAreSums(app));

function pulledOut<T>(items: T[], index: number): T[] {
  return [items[index]!, ...items.toSpliced(index, 1)];
}

function mixed<T>(...lists: T[][]): T[] {
  return lists
    .flat()
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
