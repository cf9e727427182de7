import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import {
  allocateEverything,
  assertBooksInOrder,
  item,
  orderPath,
  shippingOrder,
  textsOf,
} from '../support/logistics.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, inboundBody, orderBody, receive, syncProducts } from '../support/warehouse.ts';
import { assertNoDeadlocks, eachRound, listOf, oneOf, roundsOf, shuffled, sum, upTo } from './races.ts';

const app = await startTestApp();
const second = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10, sellable_days_before_expiry: null };
await app.provision({
  warehouses: [{ warehouse_no: 2 }],
  accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [second] }],
});
const nodes = [app, await startSecondNode(app)];
const rounds = roundsOf({ usual: 1, full: 200 });
const expire_date = '2030-01-01';

const lotOf = (sku_id: string) => ({ sku_id, stock_type: 'good', expire_date });
const adjustment = (reference_no: string, sku: string, units: object, warehouse_no = 1) => ({
  reference_no,
  lines: [{ warehouse_no, ...lotOf(sku), reason: 'race', ...units }],
});
const moveLine = (sku: string, from: number, qty: number) => ({
  from_warehouse_no: from,
  to_warehouse_no: 3 - from,
  ...lotOf(sku),
  qty,
});

const adjust = (body: object) => oneOf(nodes).callMain('/stocks/adjust', body);
const move = (body: object) => oneOf(nodes).callMain('/stocks/move', body);

function isDone({ status, text }: TestAnswer, ...refusals: number[]): boolean {
  assert.ok([200, ...refusals].includes(status), `${status} ${text}`);
  return status === 200;
}

async function balances(sku: string) {
  return await textsOf(
    app,
    'select warehouse_no::text as warehouse, on_hand::text, locked::text from lot where sku_id = $1 order by warehouse_no',
    [sku],
  );
}

test('an adjustment and an order take the last units at once: one of them gets them, and a count never takes units of an order', () =>
  eachRound(rounds, async (round) => {
    const [last, counted] = [`LAST-${round}`, `COUNT-${round}`];
    await receive(app, { [last]: [[expire_date, 2]], [counted]: [[expire_date, 2]] });
    const [ordered, removed, orderedToo, emptied] = await Promise.all([
      oneOf(nodes).callWarehouse('/outbound/create', orderBody(last, [[last, 2]])),
      adjust(adjustment(`A-${last}`, last, { delta: -1 })),
      oneOf(nodes).callWarehouse('/outbound/create', orderBody(counted, [[counted, 2]])),
      adjust(adjustment(`A-${counted}`, counted, { counted: 0 })),
    ]);
    assert.equal(isDone(ordered, 400), !isDone(removed, 400));
    assert.equal(isDone(orderedToo, 400), !isDone(emptied, 400));
    assert.deepEqual(await balances(last), [
      ordered.status === 200
        ? { warehouse: '1', on_hand: '2', locked: '2' }
        : { warehouse: '1', on_hand: '1', locked: '0' },
    ]);
    await assertBooksInOrder(app);
  }));

test('moves in opposite directions over the same lots at once: none is lost, and no deadlock ends one', () =>
  eachRound(rounds, async (round) => {
    const skus = [1, 2, 3].map((n) => `CROSS-${round}-${n}`);
    await receive(app, Object.fromEntries(skus.map((sku) => [sku, [[expire_date, 20]]])));
    const there = { reference_no: `THERE-${round}`, lines: skus.map((sku) => moveLine(sku, 1, 10)) };
    assert.ok(isDone(await move(there)));
    // Ten moves each way; the lines name the lots in any order.
    const answers = await Promise.all(
      listOf(20, (index) => {
        const lines = shuffled(skus).map((sku) => moveLine(sku, 1 + (index % 2), 1));
        return move({ reference_no: `CROSS-${round}-${index}`, lines });
      }),
    );
    for (const answer of answers) assert.ok(isDone(answer));
    for (const sku of skus) {
      assert.deepEqual(await balances(sku), [
        { warehouse: '1', on_hand: '10', locked: '0' },
        { warehouse: '2', on_hand: '10', locked: '0' },
      ]);
    }
    await assertBooksInOrder(app);
    await assertNoDeadlocks(app);
  }));

test('the same number many times at once: one change, the same result for all; with two contents, one of them wins', () =>
  eachRound(rounds, async (round) => {
    const [sku, fresh] = [`SAME-${round}`, `FRESH-${round}`];
    await receive(app, { [sku]: [[expire_date, 5]] });
    await syncProducts(app, [fresh]);
    const taken = adjustment(`SAME-${round}`, sku, { delta: -5 });
    const opened = adjustment(`FRESH-${round}`, fresh, { delta: 7 });
    for (const body of [taken, opened]) {
      const answers = await Promise.all(listOf(10, () => adjust(body)));
      for (const answer of answers) assert.ok(isDone(answer));
      assert.equal(answers.filter(({ json }) => !json.retval.idempotent).length, 1);
      for (const { json } of answers) assert.deepEqual(json.retval.results, answers[0]!.json.retval.results);
    }
    assert.deepEqual(await balances(sku), [{ warehouse: '1', on_hand: '0', locked: '0' }]);
    assert.deepEqual(await balances(fresh), [{ warehouse: '1', on_hand: '7', locked: '0' }]);

    const contents = [1, 2].map((qty) => ({ reference_no: `TWO-${round}`, lines: [moveLine(fresh, 1, qty)] }));
    const mixed = await Promise.all(listOf(10, (index) => move(contents[index % 2]!)));
    const won = mixed.map((answer) => isDone(answer, 409));
    assert.ok(
      [true, false].every((isFirst) => new Set(won.filter((_, index) => (index % 2 === 0) === isFirst)).size === 1),
    );
    assert.equal(sum(mixed.filter(({ json }) => json.retval && !json.retval.idempotent).map(() => 1)), 1);
    await assertBooksInOrder(app);
  }));

test('adjustments, counts, moves, receipts, orders and cancels at once: no unit is sold twice or lost', () =>
  eachRound(rounds, async (round) => {
    const skus = [1, 2].map((n) => `MIX-${round}-${n}`);
    await receive(app, Object.fromEntries(skus.map((sku) => [sku, [[expire_date, 10]]])));
    /** Only receipts and adjustments change the total of a sku. */
    const totals = new Map(skus.map((sku) => [sku, 10]));
    const numbers = listOf(20, (index) => `MIX-${round}-O-${index}`);
    let made = 0;
    const next = () => `MIX-${round}-${++made}`;

    async function adjusted(sku: string, units: object): Promise<void> {
      const answer = await adjust(adjustment(next(), sku, units, upTo(2)));
      if (isDone(answer, 400)) totals.set(sku, totals.get(sku)! + answer.json.retval.results[0].delta);
    }
    const anyCall = async (): Promise<void> => {
      const [node, sku, number] = [oneOf(nodes), oneOf(skus), oneOf(numbers)];
      await oneOf<() => Promise<unknown>>([
        () => adjusted(sku, { delta: upTo(5) }),
        () => adjusted(sku, { delta: -upTo(5) }),
        () => adjusted(sku, { counted: upTo(12) }),
        async () =>
          isDone(
            await move({ reference_no: next(), lines: shuffled(skus).map((one) => moveLine(one, upTo(2), upTo(3))) }),
            400,
          ),
        async () => isDone(await move({ reference_no: next(), lines: [moveLine(sku, upTo(2), upTo(3))] }), 400),
        async () => {
          isDone(await node.callWarehouse('/inbound/create', inboundBody(next(), { [sku]: [[expire_date, 3]] })));
          totals.set(sku, totals.get(sku)! + 3);
        },
        async () => isDone(await node.callWarehouse('/outbound/create', orderBody(number, [[sku, upTo(3)]])), 400),
        async () => isDone(await node.callLogistics(orderPath, shippingOrder(number, [item(sku, upTo(4))])), 409),
        async () => isDone(await node.callWarehouse('/outbound/cancel', { outbound_short_ids: [number] })),
        () => allocateEverything(app),
      ])();
    };
    await Promise.all(listOf(80, anyCall));

    for (const [sku, total] of totals)
      assert.equal(sum((await balances(sku)).map(({ on_hand }) => Number(on_hand))), total, sku);
    await assertBalancesAreSums(app);
    await assertBooksInOrder(app);
    await assertNoDeadlocks(app);
    // Remaining orders would slow down the next round.
    await app.callWarehouse('/outbound/cancel', { outbound_short_ids: numbers });
    await app.callMain('/orders/cancel', { internal_names: numbers });
  }));
