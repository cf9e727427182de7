import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import { holdTransaction, lockIsAwaited } from '../support/database.ts';
import { live, provisionLive } from '../support/live.ts';
import {
  assertBooksInOrder,
  bring,
  cancelShipping,
  form,
  formPath,
  item,
  owedFor,
  ship,
  textsOf,
} from '../support/logistics.ts';
import { lists, type Row, retvalOf, searchAll } from '../support/main.ts';
import {
  announce,
  announceForm,
  documentOf,
  expiry,
  type Named,
  prod,
  prodAtOnce,
  provisionReceiving,
  receiveCall,
  receiveUnits,
  stopDocument,
  units,
} from '../support/receiving.ts';
import { startSecondNode } from '../support/second-node.ts';
import { goodRow, inboundBody, stockOf, syncProducts, waysToSayNoExpiry } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import { assertNoDeadlocks, listOf, eachRound as roundAfterRound, roundsOf, shuffled, sum } from './races.ts';

const app = await startTestApp();
await provisionReceiving(app);
await provisionLive(app);
const nodes = [app, await startSecondNode(app)];
const rounds = roundsOf({ usual: 1, full: 100 });
const crowdSize = 20;

/** Sends all bodies at once; the nodes take turns. */
function atOnce(bodies: object[]): Promise<TestAnswer[]> {
  return Promise.all(bodies.map((body, index) => receiveCall(nodes[index % 2]!, body)));
}

const crowd = (body: (index: number) => object) => listOf(crowdSize, body);

function countedAmong(answers: TestAnswer[]): TestAnswer[] {
  return answers.filter(({ json }) => json.retval?.idempotent === false);
}

/** While the document is locked, the first call of each node waits for it, and the other calls form the next group. */
async function inOneGroup(number: string, bodies: object[]): Promise<TestAnswer[]> {
  const { database } = app.store;
  const { release } = await holdTransaction(database, async (tx) => {
    const [document] = await tx`select account_id from inbound_document where partner_number = ${number}`;
    await tx`
      select from inbound_document where account_id = ${document!.account_id} and partner_number = ${number} for update`;
  });
  const answers = atOnce(bodies);
  await lockIsAwaited(database, nodes.length);
  await until('all others wait', async () => {
    const metrics = await Promise.all(nodes.map(async ({ http }) => (await http.inject('/metrics')).payload));
    const waiting = metrics.map((text) => Number(/^lading_group_requests_waiting(?:\{.*\})? (\d+)$/m.exec(text)![1]));
    return sum(waiting) === bodies.length - nodes.length;
  });
  await release();
  return await answers;
}

const eachRound = (work: (round: number) => Promise<void>) => roundAfterRound(rounds, work);

test('equal receipts in one group and at two nodes: one counts, the others are repeats', () =>
  eachRound(async (round) => {
    const sku = `EQUAL-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 10 }) };
    // Each node begins with one of these, so that the equal ones meet in its next group.
    const others = [0, 1].map(() => ({ ...name, details: [units(sku, 1)] }));
    const equal = crowd(() => ({ ...name, receipt_no: 'R', details: [units(sku, 5)] }));
    const answers = await inOneGroup(sku, [...others, ...equal]);
    assert.equal(countedAmong(answers).length, 3);
    for (const { status, json } of answers) assert.deepEqual([status, json.retval.status], [200, 'receiving']);
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, 7)]);
  }));

test('receipts of one number and two bodies at once: one body counts once, the other one is a conflict', () =>
  eachRound(async (round) => {
    const sku = `BODIES-${round}`;
    const name = { inbound_short_id: await announce(app, sku, { [sku]: 100 }) };
    const qtyOf = (index: number) => 1 + (index % 4 < 2 ? 0 : 1);
    const answers = await atOnce(crowd((index) => ({ ...name, receipt_no: 'R', details: [units(sku, qtyOf(index))] })));
    const winner = answers.findIndex(({ json }) => json.retval?.idempotent === false);
    assert.equal(countedAmong(answers).length, 1);
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, index) => (qtyOf(index) === qtyOf(winner) ? 200 : 409)),
    );
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, qtyOf(winner))]);
  }));

test('two portions at once that together exceed the announcement: one is refused', () =>
  eachRound(async (round) => {
    const sku = `BOTH-${round}`;
    const name = { inbound_short_id: await announce(app, sku, { [sku]: 10 }) };
    const answers = await atOnce([6, 7].map((qty) => ({ ...name, details: [units(sku, qty)] })));
    const [counted, ...more] = countedAmong(answers);
    assert.equal(more.length, 0);
    assert.equal(counted!.json.retval.status, 'receiving');
    const refused = answers.find((answer) => answer !== counted)!;
    const [first, second] = counted === answers[0] ? [6, 7] : [7, 6];
    assert.equal(
      refused.json.msg,
      `sku ${sku} would be more than the 10 that are accepted: announced=10 received=${first} reported=${second}`,
    );
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, first)]);
  }));

test('single units in one group and at two nodes: as many count as were announced, one completes the form, and one callback is owed', () =>
  eachRound(async (round) => {
    const sku = `SINGLE-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 12 }) };
    const answers = await inOneGroup(
      sku,
      crowd(() => ({ ...name, details: [units(sku, 1)] })),
    );
    const counted = countedAmong(answers);
    assert.equal(counted.length, 12);
    assert.equal(counted.filter(({ json }) => json.retval.status === 'received').length, 1);
    const { received, timeline } = await documentOf(app, name);
    assert.deepEqual(received, [{ sku_id: sku, stock_type: 'good', batch_id: '', expire_date: expiry, qty: 12 }]);
    assert.deepEqual(
      timeline.map(({ event }: { event: string }) => event),
      ['create', 'receive', 'complete'],
    );
    const [owed, ...more] = await owedFor(app, sku);
    assert.deepEqual([JSON.parse(owed!.body).received[0].quantity, more.length], [12, 0]);
  }));

test('units without expiry that arrive at once through every channel make one lot', () =>
  eachRound(async (round) => {
    const sku = `NEVER-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: crowdSize }) };
    await syncProducts(app, [sku], prod);
    const { expire_date: _, ...unit } = units(sku, 1);
    const fieldOf = (index: number) => waysToSayNoExpiry[index % waysToSayNoExpiry.length]![1];
    const receipts = atOnce(crowd((index) => ({ ...name, details: [{ ...unit, ...fieldOf(index) }] })));
    const documents = crowd((index) => ({
      ...inboundBody(`${sku}-${index}`, {}, prodAtOnce),
      details: [{ sku_id: sku, expires: [{ ...fieldOf(index), qty: 1 }] }],
    })).map((body, index) => nodes[index % 2]!.callWarehouse('/inbound/create', body, prod));
    const forms = crowd((index) => form(`${sku}-${index}`, [{ sku, quantity: 1, ...fieldOf(index) }])).map(
      (body, index) => nodes[index % 2]!.callLogistics(formPath, body, { apiKey: prodAtOnce.apiKey }),
    );
    for (const { status, json } of [...(await receipts), ...(await Promise.all([...documents, ...forms]))]) {
      assert.equal(status, 200, JSON.stringify(json));
    }
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, null, 3 * crowdSize)]);
    assert.deepEqual(await textsOf(app, 'select count(*)::text from lot where sku_id = $1', [sku]), [{ count: '1' }]);
  }));

test('documents that bring units into one new lot at once: there is one lot, and no unit is lost', () =>
  eachRound(async (round) => {
    const sku = `LOT-${round}`;
    const names = await Promise.all(listOf(crowdSize, (index) => announce(app, `${sku}-${index}`, { [sku]: 3 })));
    const answers = await atOnce(names.map((inbound_short_id) => ({ inbound_short_id, details: [units(sku, 3)] })));
    assert.equal(countedAmong(answers).length, crowdSize);
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, 3 * crowdSize)]);
  }));

test('receipts against a stop: earlier receipts stay and are in the callback, later ones are refused', () =>
  eachRound(async (round) => {
    const sku = `STOP-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 100 }) };
    const receiving = atOnce(crowd(() => ({ ...name, details: [units(sku, 1)] })));
    const stops = await Promise.all([0, 1, 0, 1].map((node) => stopDocument(nodes[node]!, name)));
    const answers = await receiving;

    assert.equal(stops.filter(({ idempotent }) => !idempotent).length, 1);
    const counted = countedAmong(answers).length;
    for (const { status, json } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, json.msg], [400, 'form_no is stopped already; nothing more can be received']);
    }
    const { status, received } = await documentOf(app, name);
    assert.deepEqual([status, unitsIn(received)], ['stopped', counted]);
    const [owed, ...more] = await owedFor(app, sku);
    assert.deepEqual([owed!.event, more.length], ['inbound.stopped', 0]);
    const notified = JSON.parse(owed!.body).received.map(({ quantity }: { quantity: number }) => quantity);
    assert.deepEqual(notified, counted === 0 ? [] : [counted]);
  }));

test('receipts against a cancel: the document is received, or cancelled without any unit', () =>
  eachRound(async (round) => {
    const names = await Promise.all(
      listOf(6, async (index): Promise<[string, Named]> => {
        const sku = `CANCEL-${round}-${index}`;
        if (index % 2 === 0) return [sku, { inbound_short_id: await announce(app, sku, { [sku]: 2 }) }];
        return [sku, { form_no: await announceForm(app, sku, { [sku]: 2 }) }];
      }),
    );
    await Promise.all(
      names.map(async ([sku, name], index) => {
        const [here, there] = index % 4 < 2 ? nodes : nodes.toReversed();
        const list = 'form_no' in name ? { form_nos: [name.form_no] } : { inbound_short_ids: [name.inbound_short_id] };
        const [received, cancelled] = await Promise.all([
          receiveCall(here!, { ...name, details: [units(sku, 2)] }),
          there!.callMain('/inbounds/cancel', list, { as: prod }),
        ]);
        const [{ status }] = cancelled.json.retval.results;
        const field = Object.keys(name)[0];
        if (received.status === 200) {
          assert.deepEqual([received.json.retval.status, status], ['received', 'cannot_cancel_after_receiving']);
        } else {
          assert.deepEqual(
            [received.json.msg, status],
            [`${field} is cancelled already; nothing more can be received`, 'cancelled'],
          );
        }
        const document = await documentOf(app, name);
        assert.deepEqual(
          [document.status, unitsIn(document.received)],
          received.status === 200 ? ['received', 2] : ['cancelled', 0],
        );
        const events = (await owedFor(app, sku)).map(({ event }) => event);
        assert.deepEqual(events, 'form_no' in name ? [`inbound.${document.status}`] : []);
      }),
    );
  }));

function unitsIn(received: { qty: number }[]): number {
  return sum(received.map(({ qty }) => qty));
}

test('the last portion and final at once: the form is received once', () =>
  eachRound(async (round) => {
    const sku = `FINAL-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 4 }) };
    await receiveUnits(app, name, [units(sku, 2)]);
    const bodies = crowd((index) =>
      index % 4 < 2 ? { ...name, details: [units(sku, 2)] } : { ...name, details: [], final: true },
    );
    assert.equal(countedAmong(await atOnce(bodies)).length, 1);
    assert.equal((await owedFor(app, sku)).length, 1);
  }));

const ordersPerRound = 12;

/** The responses about an order. */
interface Responses {
  shipped: string[];
  cancelled: number;
  tooLate: number;
}

test('reports, repeats and cancels of the same orders at once: each is shipped once under one number, or cancelled', async () => {
  await eachRound(async (round) => {
    const names = listOf(ordersPerRound, (index) => `R${round}-${index}`);
    await bring(app, [{ sku: `SKU-${round}`, quantity: ordersPerRound * 2 }], live.apiKey);
    const callback = { callback_url: 'https://partner.example/' };
    await Promise.all(names.map((name) => ship(app, name, [item(`SKU-${round}`, 2)], callback, live.apiKey)));
    const responses = new Map(
      names.map((name): [string, Responses] => [name, { shipped: [], cancelled: 0, tooLate: 0 }]),
    );

    const calls = names.flatMap((name) => [
      () => report([{ internal_name: name, status: 'picking' }], responses),
      () =>
        report(
          [name, neighbourOf(name, names)].map((one) => ({
            internal_name: one,
            status: 'shipped',
            shipment_no: `A-${one}`,
          })),
          responses,
        ),
      () => report([{ internal_name: name, status: 'shipped', shipment_no: `B-${name}` }], responses),
      () => cancel([neighbourOf(name, names), name], responses),
    ]);
    await Promise.all(shuffled(calls).map((call) => call()));

    for (const row of await searchAll(app, lists.orders, { 'orders.internal_name': names }, live))
      await assertOneEnd(row, responses);
  });
});

function neighbourOf(name: string, names: string[]): string {
  return names[(names.indexOf(name) + 1) % names.length]!;
}

let callsSoFar = 0;
const nextNode = () => nodes[callsSoFar++ % nodes.length]!;

async function report(
  orders: { internal_name: string; status: string; shipment_no?: string }[],
  responses: Map<string, Responses>,
): Promise<void> {
  const answer = await nextNode().callMain('/fulfilment/advance', { orders }, { as: live });
  const { results } = retvalOf<{ results: { status: string }[] }>(answer);
  for (const [index, { status }] of results.entries()) {
    const { internal_name, shipment_no } = orders[index]!;
    if (status === 'shipped') responses.get(internal_name)!.shipped.push(shipment_no!);
  }
}

async function cancel(names: string[], responses: Map<string, Responses>): Promise<void> {
  const results = (await cancelShipping(nextNode(), names, live)) as { internal_name: string; status: string }[];
  for (const { internal_name, status } of results)
    responses.get(internal_name)![status === 'cancelled' ? 'cancelled' : 'tooLate'] += 1;
}

async function assertOneEnd(row: Row, responses: Map<string, Responses>): Promise<void> {
  const name = row.internal_name as string;
  const { shipped, cancelled, tooLate } = responses.get(name)!;
  const timeline = row.timeline as { from: string | null; to: string }[];
  for (const [index, { from }] of timeline.entries())
    assert.equal(from, index === 0 ? null : timeline[index - 1]!.to, name);
  assert.equal(timeline.at(-1)!.to, row.status);
  const owed = await owedFor(app, name);
  const movements = await app.store.database.read(
    (sql) => sql`
      select sum(on_hand_delta)::int as on_hand, sum(locked_delta)::int as locked from movement
      where order_id = (select order_id from orders where partner_number = ${name})`,
  );

  if (cancelled > 0) {
    assert.deepEqual(
      [row.status, shipped, tooLate, owed.map(({ event }) => event)],
      ['cancelled', [], 0, ['order.cancelled']],
      name,
    );
    assert.deepEqual({ ...movements[0] }, { on_hand: 0, locked: 0 });
  } else {
    assert.equal(row.status, 'shipped', name);
    assert.ok(
      shipped.every((number) => number === row.shipment_no),
      `${name}: ${shipped.join()}`,
    );
    assert.deepEqual(
      [owed.map(({ event }) => event), JSON.parse(owed[0]!.body).shipment_no],
      [['order.shipped'], row.shipment_no],
    );
    assert.deepEqual({ ...movements[0] }, { on_hand: -2, locked: 0 });
  }
}

test('after all races the books are in order, and no deadlock occurred', async () => {
  await assertBooksInOrder(app);
  await assertNoDeadlocks(app);
});

test('two nodes report the same parcel at once: it leaves once', () =>
  eachRound(async (round) => {
    const [sku, internal_name] = [`PARCEL-${round}`, `PARCEL-${round}`];
    await bring(app, [{ sku, quantity: 5 }], live.apiKey);
    await ship(app, internal_name, [item(sku, 5)], {}, live.apiKey);
    const parcels = [{ shipment_no: `P-${round}`, items: [{ sku_id: sku, qty: 2 }] }];
    const report = { orders: [{ internal_name, status: 'partially_shipped', parcels }] };
    const answers = await Promise.all(
      crowd(() => report).map((body, index) => nodes[index % 2]!.callMain('/fulfilment/advance', body, { as: live })),
    );
    for (const answer of answers)
      assert.deepEqual(retvalOf(answer), { results: [{ internal_name, status: 'partially_shipped' }] });
    const [stock] = await stockOf(app, sku, live);
    assert.deepEqual([stock!.qty, stock!.qty_lock], [3, 3]);
    await assertBooksInOrder(app);
  }));

test('a parcel against a cancellation: either the order is cancelled, or the parcel leaves and it is too late', () =>
  eachRound(async (round) => {
    const [sku, internal_name] = [`EITHER-${round}`, `EITHER-${round}`];
    await bring(app, [{ sku, quantity: 2 }], live.apiKey);
    await ship(app, internal_name, [item(sku, 2)], {}, live.apiKey);
    const parcels = [{ shipment_no: `E-${round}`, items: [{ sku_id: sku, qty: 1 }] }];
    const [[cancelled], reported] = await Promise.all([
      cancelShipping(nodes[round % 2]!, [internal_name], live),
      nodes[1 - (round % 2)]!.callMain(
        '/fulfilment/advance',
        { orders: [{ internal_name, status: 'partially_shipped', parcels }] },
        { as: live },
      ),
    ]);
    const [result] = retvalOf<{ results: Row[] }>(reported).results;
    const isCancelled = (cancelled as Row).status === 'cancelled';
    assert.equal(result!.status, isCancelled ? 'refused' : 'partially_shipped');
    await assertBooksInOrder(app);
  }));

test('a last report against one more parcel: the units leave or are short, and none is lost', () =>
  eachRound(async (round) => {
    const [sku, internal_name] = [`LAST-${round}`, `LAST-${round}`];
    await bring(app, [{ sku, quantity: 3 }], live.apiKey);
    await ship(app, internal_name, [item(sku, 3)], {}, live.apiKey);
    const call = (node: number, report: object) =>
      nodes[node]!.callMain('/fulfilment/advance', { orders: [{ internal_name, ...report }] }, { as: live });
    const parcel = (shipment_no: string) => [{ shipment_no, items: [{ sku_id: sku, qty: 1 }] }];
    await call(0, { status: 'partially_shipped', parcels: parcel(`L1-${round}`) });
    const [last, another] = await Promise.all([
      call(round % 2, { status: 'shipped', final: true }),
      call(1 - (round % 2), { status: 'partially_shipped', parcels: parcel(`L2-${round}`) }),
    ]);
    assert.equal(retvalOf<{ results: Row[] }>(last).results[0]!.status, 'shipped');
    const hasLeft = retvalOf<{ results: Row[] }>(another).results[0]!.status !== 'refused';
    const [row] = await searchAll(app, lists.orders, { 'orders.internal_name': internal_name }, live);
    assert.deepEqual([row!.status, row!.short], ['shipped', [{ sku_id: sku, qty: hasLeft ? 1 : 2 }]]);
    const [stock] = await stockOf(app, sku, live);
    assert.deepEqual([stock!.qty, stock!.qty_lock], [hasLeft ? 1 : 2, 0]);
    await assertBooksInOrder(app);
  }));

test('undelivered is reported many times at once: one reason counts, one return is expected, and one callback is owed', () =>
  eachRound(async (round) => {
    const [sku, internal_name] = [`FAILED-${round}`, `FAILED-${round}`];
    await bring(app, [{ sku, quantity: 2 }], live.apiKey);
    await ship(app, internal_name, [item(sku, 2)], { callback_url: 'https://partner.example/in' }, live.apiKey);
    const call = (node: number, report: object) =>
      nodes[node]!.callMain('/fulfilment/advance', { orders: [{ internal_name, ...report }] }, { as: live });
    await call(0, { status: 'shipped', shipment_no: `F-${round}` });
    const reasons = ['refused', 'damaged'];
    const answers = await Promise.all(
      crowd((index) => ({ status: 'undelivered', reason: reasons[Math.floor(index / 2) % 2] })).map((report, index) =>
        call(index % 2, report),
      ),
    );
    const [row] = await searchAll(app, lists.orders, { 'orders.internal_name': internal_name }, live);
    const winner = reasons.indexOf(row!.undelivered_reason as string);
    assert.deepEqual(
      answers.map((answer) => retvalOf<{ results: Row[] }>(answer).results[0]!.status),
      answers.map((_, index) => (Math.floor(index / 2) % 2 === winner ? 'undelivered' : 'refused')),
    );
    assert.equal((row!.returns as Row[]).length, 1);
    const events = (await owedFor(app, internal_name)).map(({ event }) => event);
    assert.deepEqual(events, ['order.shipped', 'order.undelivered']);
    await assertBooksInOrder(app);
  }));

test('two orders report one shipment number at two nodes: one leaves', () =>
  eachRound(async (round) => {
    const sku = `NUMBER-${round}`;
    await bring(app, [{ sku, quantity: 2 }], live.apiKey);
    const names = [`NUMBER-A-${round}`, `NUMBER-B-${round}`];
    for (const name of names) await ship(app, name, [item(sku, 1)], {}, live.apiKey);
    const answers = await Promise.all(
      names.map((internal_name, index) =>
        nodes[index]!.callMain(
          '/fulfilment/advance',
          { orders: [{ internal_name, status: 'shipped', shipment_no: `ONE-${round}` }] },
          { as: live },
        ),
      ),
    );
    const statuses = answers.map((answer) => retvalOf<{ results: Row[] }>(answer).results[0]!.status);
    assert.deepEqual(statuses.toSorted(), ['refused', 'shipped']);
    await assertBooksInOrder(app);
  }));
