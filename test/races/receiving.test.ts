import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import { assertBooksInOrder, form, formPath, owedFor, textsOf } from '../support/logistics.ts';
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
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
await provisionReceiving(app);
const nodes = [app, await startSecondNode(app)];
const rounds = roundsOf({ usual: 3, full: 100 });
const crowdSize = 20;

/** All of them at once, by turns on either node. */
function atOnce(bodies: object[]): Promise<TestAnswer[]> {
  return Promise.all(bodies.map((body, index) => receiveCall(nodes[index % 2]!, body)));
}

const crowd = (body: (index: number) => object) => Array.from({ length: crowdSize }, (_, index) => body(index));

function countedAmong(answers: TestAnswer[]): TestAnswer[] {
  return answers.filter(({ json }) => json.retval?.idempotent === false);
}

async function eachRound(work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= rounds; round++) await work(round);
}

test('equal receipts at once, on two nodes: one counts, the others are told so', () =>
  eachRound(async (round) => {
    const sku = `EQUAL-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 5 }) };
    const answers = await atOnce(crowd(() => ({ ...name, receipt_no: 'R', details: [units(sku, 5)] })));
    assert.equal(countedAmong(answers).length, 1);
    for (const { status, json } of answers) assert.deepEqual([status, json.retval.status], [200, 'received']);
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, 5)]);
    assert.equal((await owedFor(app, sku)).length, 1);
  }));

test('one number and two bodies at once: one counts, those that say the same are repeats, the others are 409', () =>
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

test('two portions that together would be too many: one is refused', () =>
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

test('a crowd of single units: exactly as many count as were announced, one of them completes it, and it is told once', () =>
  eachRound(async (round) => {
    const sku = `SINGLE-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 12 }) };
    const answers = await atOnce(crowd(() => ({ ...name, details: [units(sku, 1)] })));
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

test('units without expiry that arrive at once, on two nodes and through every channel, make one lot', () =>
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
    const forms = crowd((index) => form(`${sku}-${index}`, [{ sku, quantity: 1, ...fieldOf(index) }])).map((body, index) =>
      nodes[index % 2]!.callLogistics(formPath, body, { apiKey: prodAtOnce.apiKey }),
    );
    for (const { status, json } of [...(await receipts), ...(await Promise.all([...documents, ...forms]))]) {
      assert.equal(status, 200, JSON.stringify(json));
    }
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, null, 3 * crowdSize)]);
    assert.deepEqual(await textsOf(app, 'select count(*)::text from lot where sku_id = $1', [sku]), [{ count: '1' }]);
  }));

/** What is asked while the document is held up from outside: the first call of each node waits for it, and all others form the next group. */
async function inOneGroup(number: string, bodies: object[]): Promise<TestAnswer[]> {
  const [asked] = await app.store.database.transaction(async (tx) => {
    await tx`select from inbound_document where partner_number = ${number} for update`;
    const asked = atOnce(bodies);
    await sleep(heldUpMs);
    return [asked];
  });
  return await asked!;
}
const heldUpMs = 150;

test('equal receipts in one group: one counts, the others are told so', () =>
  eachRound(async (round) => {
    const sku = `GROUP-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 10 }) };
    const others = [0, 1].map(() => ({ ...name, details: [units(sku, 1)] }));
    const equal = crowd(() => ({ ...name, receipt_no: 'R', details: [units(sku, 3)] }));
    const answers = await inOneGroup(sku, [...others, ...equal]);
    assert.equal(countedAmong(answers).length, 3);
    for (const { status, json } of answers) assert.deepEqual([status, json.retval.status], [200, 'receiving']);
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, 5)]);
  }));

test('portions in one group that together would be too many: as many count as were announced', () =>
  eachRound(async (round) => {
    const sku = `PORTIONS-${round}`;
    const name = { inbound_short_id: await announce(app, sku, { [sku]: 20, OTHER: 1 }) };
    const answers = await inOneGroup(
      sku,
      crowd(() => ({ ...name, details: [units(sku, 3)] })),
    );
    assert.equal(countedAmong(answers).length, 6);
    for (const { json } of answers.filter(({ status }) => status !== 200)) {
      assert.equal(json.msg, `sku ${sku} would be more than the 20 that are accepted: announced=20 received=18 reported=3`);
    }
    const { status, received } = await documentOf(app, name);
    assert.deepEqual([status, unitsIn(received)], ['receiving', 18]);
  }));

test('documents that bring units into one new lot at once: one lot, and nothing is lost', () =>
  eachRound(async (round) => {
    const sku = `LOT-${round}`;
    const names = await Promise.all(crowd(() => ({})).map((_, index) => announce(app, `${sku}-${index}`, { [sku]: 3 })));
    const answers = await atOnce(names.map((inbound_short_id) => ({ inbound_short_id, details: [units(sku, 3)] })));
    assert.equal(countedAmong(answers).length, crowdSize);
    assert.deepEqual(await stockOf(app, sku, prod), [goodRow(sku, expiry, 3 * crowdSize)]);
  }));

test('receipts against a stop: what was counted before it stays and is what is told, what comes after it is refused', () =>
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
    const told = JSON.parse(owed!.body).received.map(({ quantity }: { quantity: number }) => quantity);
    assert.deepEqual(told, counted === 0 ? [] : [counted]);
  }));

test('receipts against a cancel: either nothing has come, or it cannot be cancelled any more', () =>
  eachRound(async (round) => {
    const names: [string, Named][] = [];
    for (let index = 0; index < 6; index++) {
      const sku = `CANCEL-${round}-${index}`;
      names.push([
        sku,
        index % 2 === 0
          ? { inbound_short_id: await announce(app, sku, { [sku]: 2 }) }
          : { form_no: await announceForm(app, sku, { [sku]: 2 }) },
      ]);
    }
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
          assert.deepEqual([received.json.msg, status], [`${field} is cancelled already; nothing more can be received`, 'cancelled']);
        }
        const document = await documentOf(app, name);
        assert.deepEqual([document.status, unitsIn(document.received)], received.status === 200 ? ['received', 2] : ['cancelled', 0]);
        const events = (await owedFor(app, sku)).map(({ event }) => event);
        assert.deepEqual(events, 'form_no' in name ? [`inbound.${document.status}`] : []);
      }),
    );
  }));

function unitsIn(received: { qty: number }[]): number {
  return received.reduce((sum, { qty }) => sum + qty, 0);
}

test('a last portion and final at once: it is received, and once', () =>
  eachRound(async (round) => {
    const sku = `FINAL-${round}`;
    const name = { form_no: await announceForm(app, sku, { [sku]: 4 }) };
    await receiveUnits(app, name, [units(sku, 2)]);
    const bodies = crowd((index) => (index % 4 < 2 ? { ...name, details: [units(sku, 2)] } : { ...name, details: [], final: true }));
    assert.equal(countedAmong(await atOnce(bodies)).length, 1);
    assert.equal((await owedFor(app, sku)).length, 1);
  }));

test('after all of it the books are in order, and nobody has waited in a circle', async () => {
  await assertBooksInOrder(app);
  const deadlocks = await textsOf(app, 'select deadlocks::text from pg_stat_database where datname = current_database()', []);
  assert.deepEqual(deadlocks, [{ deadlocks: '0' }]);
});
