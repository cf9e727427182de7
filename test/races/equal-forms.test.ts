import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp, type TestAnswer } from '../support/app.ts';
import {
  assertBooksInOrder,
  type Body,
  bring,
  cancelShipping,
  form,
  formPath,
  item,
  orderPath,
  orderStatus,
  owedFor,
  shippingOrder,
  stopForm,
  take,
  textsOf,
} from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { startSecondNode } from '../support/second-node.ts';
import { stockOf } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const nodes = [app, await startSecondNode(app)];
const confirming = 'alpha-confirm';
await app.provision({
  logistics_keys: [{ name: 'confirm', key: confirming, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' }],
});
const crowdSize = 50;
const rounds = roundsOf({ usual: 2, full: 200 });

/** All at once, in turn at both nodes. */
function atOnce(bodies: Body[], path: string, apiKey: string | ((index: number) => string) = alpha.apiKey): Promise<TestAnswer[]> {
  const keyOf = (index: number) => (typeof apiKey === 'string' ? apiKey : apiKey(index));
  return Promise.all(bodies.map((body, index) => nodes[index % 2]!.callLogistics(path, body, { apiKey: keyOf(index) })));
}

/** Which of them it was; the others are repeats. */
function assertOneCreates(answers: TestAnswer[], expected: { document_no: string; status: string }): number {
  const retvals = answers.map((answer) => retvalOf(answer));
  const created = retvals.flatMap(({ idempotent }, index) => (idempotent ? [] : [index]));
  assert.equal(created.length, 1, `${created.length} of them created it`);
  for (const [index, retval] of retvals.entries()) assert.deepEqual(retval, { ...expected, idempotent: index !== created[0] });
  return created[0]!;
}

async function counted(number: string): Promise<Record<string, string | null>> {
  const [row] = await textsOf(
    app,
    `select (select count(*) from orders where partner_number = $1)::text as orders,
      (select count(*) from order_line join orders using (order_id) where partner_number = $1)::text as order_lines,
      (select count(*) from shipping_order join orders using (order_id) where partner_number = $1)::text as details,
      (select coalesce(sum(locked_delta), 0) from movement join orders using (order_id) where partner_number = $1)::text as locked,
      (select count(*) from inbound_document where partner_number = $1)::text as forms,
      (select coalesce(sum(on_hand_delta), 0) from movement join inbound_document using (inbound_id) where partner_number = $1)::text as brought`,
    [number],
  );
  return row!;
}

test('fifty equal orders at once on two nodes, of a sku that is new: one creates it and waits, the others are told of it', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `WAITING-${round}`;
    const body = shippingOrder(number, [item(`NEW-${round}`, 2), item(`ALSO-NEW-${round}`, 1), item(`NEW-${round}`, 1)], {
      callback_url: 'https://partner.example/orders',
    });
    const answers = await atOnce(Array(crowdSize).fill(body), orderPath);
    assertOneCreates(answers, { document_no: number, status: 'awaiting_stock' });
    assert.deepEqual(await counted(number), { orders: '1', order_lines: '3', details: '1', locked: '0', forms: '0', brought: '0' });
    const products = await textsOf(app, 'select count(*)::text from product where sku_id like $1', [`%NEW-${round}`]);
    assert.deepEqual(products, [{ count: '2' }]);
  }
});

test('fifty equal orders at once on two nodes, with stock for one: one has it, the others are told of it', async () => {
  for (let round = 1; round <= rounds; round++) {
    await bring(app, [{ sku: `LAST-${round}`, quantity: 3 }]);
    const number = `LAST-${round}`;
    const answers = await atOnce(Array(crowdSize).fill(shippingOrder(number, [item(`LAST-${round}`, 3)])), orderPath);
    assertOneCreates(answers, { document_no: number, status: 'pending_warehouse_transfer' });
    assert.deepEqual(await counted(number), { orders: '1', order_lines: '1', details: '1', locked: '3', forms: '0', brought: '0' });
  }
});

test('fifty equal forms at once on two nodes: one creates, the units come once, one callback is owed', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `FORM-${round}`;
    // A lot that is new in every round, and one that is there from the second round on.
    const body = form(number, [
      { sku: 'FORM', quantity: 2, batch: `B-${round}`, expire_date: '2030-01-01' },
      { sku: 'FORM', quantity: 1 },
    ]);
    const answers = await atOnce(Array(crowdSize).fill(body), formPath);
    assertOneCreates(answers, { document_no: number, status: 'received' });
    assert.deepEqual(await counted(number), { orders: '0', order_lines: '0', details: '0', locked: '0', forms: '1', brought: '3' });
    assert.equal((await owedFor(app, number)).length, 1);
  }
  assert.equal(
    (await stockOf(app, 'FORM')).reduce((sum, { qty }) => sum + qty, 0),
    rounds * 3,
  );
});

test('fifty orders of one number and three bodies at once: one creates, those that say the same are repeats, the others are 409', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `BODIES-${round}`;
    const bodies = Array.from({ length: crowdSize }, (_, index) =>
      shippingOrder(number, [item(`BODY-${round}-${index % 3}`, 1 + (index % 3))], { callback_url: 'https://partner.example/orders' }),
    );
    const answers = await atOnce(bodies, orderPath);
    const winner = answers.findIndex(({ json }) => json.retval?.idempotent === false);
    assertOneCreates(
      answers.filter((_, index) => index % 3 === winner % 3),
      { document_no: number, status: 'awaiting_stock' },
    );
    for (const { status, json } of answers.filter((_, index) => index % 3 !== winner % 3)) {
      assert.deepEqual([status, json.done, json.msg, json.retval], [409, false, 'internal_name was used before with another body', null]);
    }
    const lines = await textsOf(
      app,
      'select sku_id, qty::text from order_line join orders using (order_id) join product using (product_id) where partner_number = $1',
      [number],
    );
    assert.deepEqual(lines, [{ sku_id: `BODY-${round}-${winner % 3}`, qty: String(1 + (winner % 3)) }]);
    const registered = await textsOf(app, 'select sku_id from product where sku_id like $1', [`BODY-${round}-%`]);
    assert.deepEqual(registered, [{ sku_id: `BODY-${round}-${winner % 3}` }], 'what is in conflict registers nothing');
  }
});

test('fifty forms of one number and two bodies at once: one creates, those that say the same are repeats, the others are 409', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `FORMS-${round}`;
    const bodies = Array.from({ length: crowdSize }, (_, index) =>
      form(number, [{ sku: `FORMS-${round}`, quantity: 1 + (index % 4 < 2 ? 0 : 1) }]),
    );
    const kindOf = (index: number) => (index % 4 < 2 ? 0 : 1);
    const answers = await atOnce(bodies, formPath);
    const winner = answers.findIndex(({ json }) => json.retval?.idempotent === false);
    assertOneCreates(
      answers.filter((_, index) => kindOf(index) === kindOf(winner)),
      { document_no: number, status: 'received' },
    );
    for (const { status } of answers.filter((_, index) => kindOf(index) !== kindOf(winner))) assert.equal(status, 409);
    assert.equal((await stockOf(app, `FORMS-${round}`))[0]!.qty, 1 + kindOf(winner));
    assert.equal((await owedFor(app, number)).length, 1);
  }
});

test('fifty different orders and forms of one new sku at once: one product, and each has its document', async () => {
  for (let round = 1; round <= rounds; round++) {
    const sku = `ONE-${round}`;
    const answers = await Promise.all(
      Array.from({ length: crowdSize }, (_, index) =>
        index % 4 < 2
          ? nodes[index % 2]!.callLogistics(orderPath, shippingOrder(`${sku}-${index}`, [item(sku, 1, { name: `Name ${index}` })]))
          : nodes[index % 2]!.callLogistics(formPath, form(`${sku}-${index}`, [{ sku, quantity: 1, name: `Name ${index}` }]), {
              apiKey: confirming,
            }),
      ),
    );
    for (const answer of answers) assert.equal(retvalOf(answer).idempotent, false);
    assert.deepEqual(await textsOf(app, 'select count(*)::text from product where sku_id = $1', [sku]), [{ count: '1' }]);
  }
});

test('two accounts send one number at once: each has its own', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `WHOSE-${round}`;
    const body = shippingOrder(number, [item('WHOSE', 1)]);
    const isAlpha = (index: number) => index % 4 < 2;
    const answers = await atOnce(Array(crowdSize).fill(body), orderPath, (index) => (isAlpha(index) ? alpha : beta).apiKey);
    for (const those of [answers.filter((_, index) => isAlpha(index)), answers.filter((_, index) => !isAlpha(index))]) {
      assertOneCreates(those, { document_no: number, status: 'awaiting_stock' });
    }
    assert.equal((await counted(number)).orders, '2');
  }
});

test('fifty stops at once: one stops it, the others are repeats, one callback is owed', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `STOP-${round}`;
    await take(app, formPath, form(number, [{ sku: 'STOP', quantity: 1 }]), confirming);
    const bodies = Array.from({ length: crowdSize }, (_, index) => stopForm(number, { callback_url: `https://partner.example/${index}` }));
    const winner = assertOneCreates(await atOnce(bodies, formPath, confirming), { document_no: number, status: 'stopped' });
    const owed = await owedFor(app, number);
    assert.deepEqual(
      owed.map(({ event, sequence, url }) => [event, sequence, url]),
      [['inbound.stopped', 1, `https://partner.example/${winner}`]],
    );
  }
});

test('a form and its stop at once: it is stopped, or the stop came too early; never both lost', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `EARLY-${round}`;
    const bodies = Array.from({ length: 20 }, (_, index) =>
      index % 4 < 2 ? form(number, [{ sku: 'EARLY', quantity: 1 }]) : stopForm(number),
    );
    const answers = await atOnce(bodies, formPath, confirming);
    const stops = answers.filter((_, index) => index % 4 >= 2);
    const stopped = stops.filter(({ json }) => json.retval?.idempotent === false);
    assert.ok(stopped.length <= 1);
    for (const { status, json } of stops)
      assert.ok(status === 200 ? json.retval.status === 'stopped' : json.msg === 'form_no not found', JSON.stringify(json));
    for (const answer of answers.filter((_, index) => index % 4 < 2)) assert.match(retvalOf(answer).status, /^(expected|stopped)$/);
    assert.equal((await owedFor(app, number)).length, stopped.length);
    assert.equal((await take(app, formPath, stopForm(number), confirming)).status, 'stopped');
    assert.equal((await owedFor(app, number)).length, 1);
  }
});

test('twenty cancels at once of an order that is just being created: one callback is owed at most, and its units are free where it is cancelled', async () => {
  for (let round = 1; round <= rounds; round++) {
    const number = `RUSH-${round}`;
    await bring(app, [{ sku: number, quantity: 1 }]);
    const body = shippingOrder(number, [item(number, 1)], { callback_url: 'https://partner.example/orders' });
    const creating = atOnce(Array(4).fill(body), orderPath);
    const results = (await Promise.all(Array.from({ length: 20 }, (_, index) => cancelShipping(nodes[index % 2]!, [number])))).flat();
    for (const answer of await creating) retvalOf(answer);
    for (const result of results) assert.match((result as { status: string }).status, /^(cancelled|not_found)$/);
    await cancelShipping(app, [number]);
    assert.equal(await orderStatus(app, number), 'cancelled');
    assert.equal((await owedFor(app, number)).length, 1);
    assert.equal((await stockOf(app, number))[0]!.qty_lock, 0);
  }
});

test('after all of it the books are in order, and nobody has waited in a circle', async () => {
  await assertBooksInOrder(app);
  const deadlocks = await textsOf(app, 'select deadlocks::text from pg_stat_database where datname = current_database()', []);
  assert.deepEqual(deadlocks, [{ deadlocks: '0' }]);
});
