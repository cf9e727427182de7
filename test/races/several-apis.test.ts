import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundReceive } from '../../contract/console/inbound.ts';
import { orderAdvance, orderCancel } from '../../contract/console/orders.ts';
import { stockCorrect } from '../../contract/console/stock.ts';
import { startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, textsOf } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { announce, expiry, prod, provisionReceiving } from '../support/receiving.ts';
import { startSecondNode } from '../support/second-node.ts';
import {
  cancelOrders,
  dataOf,
  goodRow,
  lockedBy,
  order,
  orderBody,
  orderRow,
  receive,
  stockOf,
} from '../support/warehouse.ts';
import { assertNoDeadlocks, eachRound, listOf, roundsOf } from './races.ts';

const { app, admin, staff } = await startConsole();
await provisionReceiving(app);
await provisionLive(app);
const nodes = [app, await startSecondNode(app)];
const rounds = roundsOf({ usual: 1, full: 100 });

/** The id of the only row of a new number or sku. */
async function idOf(column: string, table: string, name: 'partner_number' | 'sku_id', value: string): Promise<number> {
  const rows = await textsOf(app, `select ${column}::text as id from ${table} where ${name} = $1`, [value]);
  assert.equal(rows.length, 1);
  return Number(rows[0]!.id);
}

test('equal orders at once, half through each API: one creates the order, the others are repeats', () =>
  eachRound(rounds, async (round) => {
    const [sku, number] = [`CREATE-${round}`, `OUT-CREATE-${round}`];
    // Without the rule about repeats, the second request would find too few units.
    await receive(app, { [sku]: [[expiry, 3]] });
    const body = orderBody(number, [[sku, 3]]);
    const answers = await Promise.all(
      listOf(20, async (index) => {
        const node = nodes[(index >> 1) % 2]!;
        if (index % 2 === 0) return retvalOf(await node.callMain('/orders/create', body));
        const { success, ...data } = dataOf(await node.callWarehouse('/outbound/create', body));
        assert.equal(success, true);
        return data;
      }),
    );
    const orders_id = (await orderRow(app, number))?.order_no;
    assert.equal(answers.filter(({ idempotent }) => !idempotent).length, 1);
    for (const answer of answers) assert.deepEqual(answer, { orders_id, idempotent: answer.idempotent });
    assert.equal(await lockedBy(app, number), 3);
  }));

test('cancels at once, half through each API: the units are released once', () =>
  eachRound(rounds, async (round) => {
    const [sku, number] = [`CANCEL-${round}`, `OUT-CANCEL-${round}`];
    await receive(app, { [sku]: [[expiry, 10]] });
    await order(app, `${number}-STAYS`, [[sku, 5]]);
    await order(app, number, [[sku, 3]]);
    const results = await Promise.all(
      listOf(20, async (index) => {
        if (index % 2 === 0) return await cancelOrders(nodes[(index >> 1) % 2]!, [number]);
        return retvalOf(await app.callMain('/orders/cancel', { outbound_short_ids: [number] })).results;
      }),
    );
    for (const result of results) assert.deepEqual(result, [{ outbound_short_id: number, status: 'cancelled' }]);
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, expiry, 10, 5)]);
  }));

test('two operators cancel and pack an order at once: one of them succeeds', () =>
  eachRound(4 * rounds, async (round) => {
    const number = `OUT-PACK-${round}`;
    await receive(app, { RICE: [[expiry, 2]] }, live);
    await order(app, number, [['RICE', 2]], live);
    const order_id = await idOf('order_id', 'orders', 'partner_number', number);
    const cancel = () => admin.ask(orderCancel, { order_ids: [order_id] });
    const pack = () => staff.ask(orderAdvance, { step: 'pack', orders: [{ order_id }] });
    const isCancelFirst = round % 2 === 0;
    const sent = await Promise.all((isCancelFirst ? [cancel, pack] : [pack, cancel]).map((send) => send()));
    const kinds = (isCancelFirst ? sent : sent.toReversed()).map(({ results }) => results[0]!.kind);
    const status = (await orderRow(app, number))?.status;
    assert.deepEqual(
      { status, kinds },
      status === 'cancelled'
        ? { status, kinds: ['cancelled', 'out_of_order'] }
        : { status: 'packed', kinds: ['too_late', 'advanced'] },
    );
  }));

test('two operators receive the last units at once: one receipt counts, the others are refused', async () => {
  await announce(app, 'IN-LAST', { 'LAST-TEA': 10 });
  const inbound_id = await idOf('inbound_id', 'inbound_document', 'partner_number', 'IN-LAST');
  const line = { sku_id: 'LAST-TEA', batch_id: '', expire_date: expiry, good: 4, bad: 0 };
  await staff.ask(inboundReceive, { inbound_id, lines: [line] });
  const answers = await Promise.all(
    listOf(8, (index) =>
      [staff, admin][index % 2]!.ask(inboundReceive, { inbound_id, receipt_no: `C-${index}`, lines: [line] }),
    ),
  );
  assert.deepEqual(answers.map(({ kind }) => kind).sort(), ['counted', ...Array(7).fill('refused')]);
  assert.deepEqual(await stockOf(app, 'LAST-TEA', prod), [goodRow('LAST-TEA', expiry, 8)]);
});

test('two operators remove the last free unit at once: one is refused', () =>
  eachRound(4 * rounds, async (round) => {
    const sku = `FREE-${round}`;
    await receive(app, { [sku]: [[expiry, 3]] });
    await order(app, sku, [[sku, 2]]);
    const lot_id = await idOf('lot_id', 'lot', 'sku_id', sku);
    const outcomes = await Promise.all(
      [staff, admin].map((operator) => operator.ask(stockCorrect, { lot_id, units: -1, reason: 'lost' })),
    );
    assert.deepEqual(
      outcomes.toSorted((a, b) => a.kind.localeCompare(b.kind)),
      [
        { kind: 'corrected', on_hand_before: 3, on_hand: 2, locked: 2 },
        { kind: 'too_few_free', free: 0, locked: 2 },
      ],
    );
  }));

test('after these races the books match, and no deadlock occurred', async () => {
  await assertBooksInOrder(app);
  await assertNoDeadlocks(app);
});
