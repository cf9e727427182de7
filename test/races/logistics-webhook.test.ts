import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateWaiting } from '../../server/domain/orders/allocate-waiting.ts';
import { alpha, beta, startTestApp, type TestAnswer } from '../support/app.ts';
import { errorItem } from '../support/errors.ts';
import {
  allocateEverything,
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
  placeOf,
  shippingOrder,
  statusesOf,
  stopForm,
  take,
  textsOf,
} from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { startSecondNode } from '../support/second-node.ts';
import { inboundBody, orderBody, stockOf, syncProducts } from '../support/warehouse.ts';
import { assertNoDeadlocks, eachRound, listOf, oneOf, roundsOf, some, sum, upTo } from './races.ts';

const app = await startTestApp();
const nodes = [app, await startSecondNode(app)];
const confirming = 'alpha-confirm-of-thirty-two-characters-or-more';
await app.provision({
  logistics_keys: [
    { name: 'confirm', key: confirming, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' },
  ],
});
const equal = 16;
const rounds = roundsOf({ usual: 1, full: 200 });
const callback_url = 'https://partner.example/orders';

/** Sends all bodies at once; the nodes take turns. */
function atOnce(bodies: Body[], path: string, keyOf: (index: number) => string = () => alpha.apiKey) {
  return Promise.all(
    bodies.map((body, index) => nodes[index % 2]!.callLogistics(path, body, { apiKey: keyOf(index) })),
  );
}

/** Half of the callers of each node. */
const isFirstHalf = (index: number) => index % 4 < 2;

/** Asserts that one answer created the document and the others are repeats of it; returns the index of the first. */
function assertOneCreates(answers: TestAnswer[], expected: { document_no: string; status: string }): number {
  const retvals = answers.map((answer) => retvalOf(answer));
  const created = retvals.findIndex(({ idempotent }) => !idempotent);
  assert.deepEqual(
    retvals,
    retvals.map((_, index) => ({ ...expected, idempotent: index !== created })),
  );
  return created;
}

/** Asserts that one of several bodies won, its repeats agree, and all other bodies are conflicts; returns the winner. */
function assertOneBodyWins(
  answers: TestAnswer[],
  kindOf: (index: number) => number,
  expected: { document_no: string; status: string },
): number {
  const winner = kindOf(answers.findIndex(({ json }) => json.retval?.idempotent === false));
  assertOneCreates(
    answers.filter((_, index) => kindOf(index) === winner),
    expected,
  );
  const field = expected.status === 'received' ? 'form_no' : 'internal_name';
  const msg = `${field} was used before with another body`;
  const errors = [errorItem('number_conflict', field, msg)];
  for (const { status, json } of answers.filter((_, index) => kindOf(index) !== winner))
    assert.deepEqual([status, json], [409, { done: false, msg, retval: { errors } }]);
  return winner;
}

const nothing = { orders: '0', order_lines: '0', details: '0', locked: '0', forms: '0', brought: '0' };
const productsLike = async (pattern: string) =>
  (await textsOf(app, 'select sku_id from product where sku_id like $1 order by sku_id', [pattern])).map(
    ({ sku_id }) => sku_id,
  );

async function counted(number: string): Promise<Record<string, string | null>> {
  const [row] = await textsOf(
    app,
    `select (select count(*) from orders where partner_number = $1)::text as orders,
      (select count(*) from order_line join orders using (account_id, order_id) where partner_number = $1)::text as order_lines,
      (select count(*) from shipping_order join orders using (account_id, order_id) where partner_number = $1)::text as details,
      (select coalesce(sum(locked_delta), 0) from movement join orders using (account_id, order_id) where partner_number = $1)::text as locked,
      (select count(*) from inbound_document where partner_number = $1)::text as forms,
      (select coalesce(sum(on_hand_delta), 0) from movement join inbound_document using (account_id, inbound_id) where partner_number = $1)::text as brought`,
    [number],
  );
  return row!;
}

test('equal orders of a new sku at once: one is created and waits, the others are repeats', () =>
  eachRound(rounds, async (round) => {
    const number = `WAITING-${round}`;
    const items = [item(`NEW-${round}`, 2), item(`ALSO-NEW-${round}`, 1), item(`NEW-${round}`, 1)];
    const answers = await atOnce(Array(equal).fill(shippingOrder(number, items, { callback_url })), orderPath);
    assertOneCreates(answers, { document_no: number, status: 'awaiting_stock' });
    assert.deepEqual(await counted(number), { ...nothing, orders: '1', order_lines: '3', details: '1' });
    assert.deepEqual(await productsLike(`%NEW-${round}`), [`ALSO-NEW-${round}`, `NEW-${round}`]);
  }));

test('equal orders at once with stock for many: one gets its units, the others are repeats', () =>
  eachRound(rounds, async (round) => {
    const number = `STOCKED-${round}`;
    await bring(app, [{ sku: number, quantity: 3 * equal }]);
    const answers = await atOnce(Array(equal).fill(shippingOrder(number, [item(number, 3)])), orderPath);
    assertOneCreates(answers, { document_no: number, status: 'pending_warehouse_transfer' });
    assert.deepEqual(await counted(number), { ...nothing, orders: '1', order_lines: '1', details: '1', locked: '3' });
  }));

test('equal forms at once: one is created, its units arrive once, and one callback is owed', async () => {
  await eachRound(rounds, async (round) => {
    const number = `FORM-${round}`;
    // One lot is new in each round, the other one exists from the second round on.
    const body = form(number, [
      { sku: 'FORM', quantity: 2, batch: `B-${round}`, expire_date: '2030-01-01' },
      { sku: 'FORM', quantity: 1 },
    ]);
    const answers = await atOnce(Array(equal).fill(body), formPath);
    assertOneCreates(answers, { document_no: number, status: 'received' });
    assert.deepEqual(await counted(number), { ...nothing, forms: '1', brought: '3' });
    assert.equal((await owedFor(app, number)).length, 1);
  });
  assert.equal(sum((await stockOf(app, 'FORM')).map(({ qty }) => qty)), rounds * 3);
});

test('orders of one number and three bodies at once: one body wins, and the others register no product', () =>
  eachRound(rounds, async (round) => {
    const number = `BODIES-${round}`;
    const bodyOf = (kind: number) => shippingOrder(number, [item(`BODY-${round}-${kind}`, 1 + kind)], { callback_url });
    const kindOf = (index: number) => index % 3;
    const answers = await atOnce(
      listOf(equal, (index) => bodyOf(kindOf(index))),
      orderPath,
    );
    const winner = assertOneBodyWins(answers, kindOf, { document_no: number, status: 'awaiting_stock' });
    const lines = await textsOf(
      app,
      'select sku_id, qty::text from order_line join orders using (account_id, order_id) join product using (account_id, product_id) where partner_number = $1',
      [number],
    );
    assert.deepEqual(lines, [{ sku_id: `BODY-${round}-${winner}`, qty: String(1 + winner) }]);
    assert.deepEqual(await productsLike(`BODY-${round}-%`), [`BODY-${round}-${winner}`]);
  }));

test('forms of one number and two bodies at once: one body wins, and its units arrive once', () =>
  eachRound(rounds, async (round) => {
    const number = `FORMS-${round}`;
    const kindOf = (index: number) => (isFirstHalf(index) ? 0 : 1);
    const bodies = listOf(equal, (index) => form(number, [{ sku: number, quantity: 1 + kindOf(index) }]));
    const answers = await atOnce(bodies, formPath);
    const winner = assertOneBodyWins(answers, kindOf, { document_no: number, status: 'received' });
    assert.equal((await stockOf(app, number))[0]!.qty, 1 + winner);
    assert.equal((await owedFor(app, number)).length, 1);
  }));

test('different orders and forms of one new sku at once: there is one product, and each document is created', () =>
  eachRound(rounds, async (round) => {
    const sku = `ONE-${round}`;
    const answers = await Promise.all(
      listOf(equal, (index) => {
        const [node, name] = [nodes[index % 2]!, `Name ${index}`];
        if (isFirstHalf(index))
          return node.callLogistics(orderPath, shippingOrder(`${sku}-${index}`, [item(sku, 1, { name })]));
        const body = form(`${sku}-${index}`, [{ sku, quantity: 1, name }]);
        return node.callLogistics(formPath, body, { apiKey: confirming });
      }),
    );
    for (const answer of answers) assert.equal(retvalOf(answer).idempotent, false);
    assert.deepEqual(await productsLike(sku), [sku]);
  }));

test('two accounts send one number at once: each has its own order', () =>
  eachRound(rounds, async (round) => {
    const number = `WHOSE-${round}`;
    const keyOf = (index: number) => (isFirstHalf(index) ? alpha : beta).apiKey;
    const answers = await atOnce(Array(equal).fill(shippingOrder(number, [item('WHOSE', 1)])), orderPath, keyOf);
    for (const half of [true, false])
      assertOneCreates(
        answers.filter((_, index) => isFirstHalf(index) === half),
        { document_no: number, status: 'awaiting_stock' },
      );
    assert.equal((await counted(number)).orders, '2');
  }));

test('stops of one form at once: one stops it, the others are repeats, and one callback is owed', () =>
  eachRound(rounds, async (round) => {
    const number = `STOP-${round}`;
    await take(app, formPath, form(number, [{ sku: 'STOP', quantity: 1 }]), confirming);
    const bodies = listOf(equal, (index) => stopForm(number, { callback_url: `https://partner.example/${index}` }));
    const answers = await atOnce(bodies, formPath, () => confirming);
    const winner = assertOneCreates(answers, { document_no: number, status: 'stopped' });
    assert.deepEqual(
      (await owedFor(app, number)).map(({ event, sequence, url }) => [event, sequence, url]),
      [['inbound.stopped', 1, `https://partner.example/${winner}`]],
    );
  }));

test('a form and its stop at once: the form is stopped, or the stop came too early and changed nothing', () =>
  eachRound(rounds, async (round) => {
    const number = `EARLY-${round}`;
    const bodies = listOf(20, (index) =>
      isFirstHalf(index) ? form(number, [{ sku: 'EARLY', quantity: 1 }]) : stopForm(number),
    );
    const answers = await atOnce(bodies, formPath, () => confirming);
    const stops = answers.filter((_, index) => !isFirstHalf(index));
    const stopped = stops.filter(({ json }) => json.retval?.idempotent === false);
    assert.ok(stopped.length <= 1);
    for (const { status, json } of stops)
      assert.equal(status === 200 ? json.retval.status : json.msg, status === 200 ? 'stopped' : 'form_no not found');
    for (const answer of answers.filter((_, index) => isFirstHalf(index)))
      assert.match(retvalOf(answer).status, /^(expected|stopped)$/);
    assert.equal((await owedFor(app, number)).length, stopped.length);
    assert.equal((await take(app, formPath, stopForm(number), confirming)).status, 'stopped');
    assert.equal((await owedFor(app, number)).length, 1);
  }));

test('cancels at once of an order that is just being created: at most one callback is owed, and no unit stays locked', () =>
  eachRound(rounds, async (round) => {
    const number = `RUSH-${round}`;
    await bring(app, [{ sku: number, quantity: 1 }]);
    const creating = atOnce(Array(4).fill(shippingOrder(number, [item(number, 1)], { callback_url })), orderPath);
    const results = await Promise.all(listOf(20, (index) => cancelShipping(nodes[index % 2]!, [number])));
    for (const answer of await creating) retvalOf(answer);
    for (const [result] of results) assert.match((result as { status: string }).status, /^(cancelled|not_found)$/);
    await cancelShipping(app, [number]);
    assert.equal(await orderStatus(app, number), 'cancelled');
    assert.equal((await owedFor(app, number)).length, 1);
    assert.equal((await stockOf(app, number))[0]!.qty_lock, 0);
  }));

test('three forms at once that together overfill a lot of a new sku: two are received, one is refused', async () => {
  const half = listOf(500, () => ({ sku: 'FULL', quantity: 1_000_000_000 }));
  // The first form keeps the group busy, so that the others are decided together.
  const bodies = [
    form('FULL-0', [{ sku: 'OTHER', quantity: 1 }]),
    ...listOf(3, (index) => form(`FULL-${index + 1}`, half)),
  ];
  const answers = await Promise.all(bodies.map((body) => app.callLogistics(formPath, body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400]);
  assert.equal((await stockOf(app, 'FULL'))[0]!.qty, 1_000_000_000_000);
});

test('eight allocations at once serve each waiting order once, the oldest first', () =>
  eachRound(rounds, async (round) => {
    const sku = `EIGHT-${round}`;
    const names = listOf(15, (index) => `${sku}-${index}`);
    for (const name of names) await app.callLogistics(orderPath, shippingOrder(name, [item(sku, 2)]));
    await bring(app, [{ sku, quantity: 21 }]);
    const place = await placeOf(app, sku);
    const counts = await Promise.all(listOf(8, () => allocateWaiting(app.store.service, place, app.clock.now())));
    assert.equal(sum(counts), 10);
    assert.deepEqual(await statusesOf(app, names), [
      ...Array(10).fill('pending_warehouse_transfer'),
      ...Array(5).fill('awaiting_stock'),
    ]);
    assert.deepEqual(
      (await stockOf(app, sku)).map(({ qty, qty_lock }) => [qty, qty_lock]),
      [[21, 20]],
    );
  }));

test('waiting orders are allocated and cancelled at once: all end cancelled, and no unit stays locked', () =>
  eachRound(rounds, async (round) => {
    const sku = `EITHER-${round}`;
    const names = listOf(20, (index) => `${sku}-${index}`);
    await Promise.all(names.map((name) => app.callLogistics(orderPath, shippingOrder(name, [item(sku, 1)]))));
    await bring(app, [{ sku, quantity: 20 }]);
    const place = await placeOf(app, sku);
    const allocating = listOf(2, () => allocateWaiting(app.store.service, place, app.clock.now()));
    const cancels = await Promise.all(names.map((name, index) => cancelShipping(nodes[index % 2]!, [name])));
    await Promise.all(allocating);
    assert.deepEqual(
      cancels.flat(),
      names.map((internal_name) => ({ internal_name, status: 'cancelled' })),
    );
    assert.deepEqual([...new Set(await statusesOf(app, names))], ['cancelled']);
    assert.equal((await stockOf(app, sku))[0]!.qty_lock, 0);
  }));

test('an order that starts to wait while its stock arrives is served by the notification of either', () =>
  eachRound(rounds * 2, async (round) => {
    const sku = `MEET-${round}`;
    await syncProducts(app, [sku]);
    const place = await placeOf(app, sku);
    const [answer] = await Promise.all([
      nodes[0]!.callLogistics(orderPath, shippingOrder(sku, [item(sku, 1)])),
      nodes[1]!.callLogistics(formPath, form(sku, [{ sku, quantity: 1 }])),
    ]);
    const served = await allocateWaiting(app.store.service, place, app.clock.now());
    assert.equal(served, answer.json.retval.status === 'awaiting_stock' ? 1 : 0);
    assert.deepEqual(await statusesOf(app, [sku]), ['pending_warehouse_transfer']);
  }));

const stormSkus = listOf(4, (index) => `STORM-${index}`);
const stormBatches = ['', 'A', 'B'];

/** Any call, with skus and numbers in random order; there are so few numbers that many calls collide. */
function anyCall(numbers: string[]): () => Promise<TestAnswer | number> {
  const node = oneOf(nodes);
  const number = () => oneOf(numbers);
  const sku = () => oneOf(stormSkus);
  const anyItems = () => some(() => item(sku(), upTo(4), Math.random() < 0.3 ? { batch: oneOf(stormBatches) } : {}), 3);
  const anyUnits = () => {
    const expire_date = () => oneOf([null, '2030-01-01', '2031-01-01']);
    return some(() => ({ sku: sku(), quantity: upTo(4), batch: oneOf(stormBatches), expire_date: expire_date() }), 2);
  };
  const order = () =>
    node.callLogistics(orderPath, shippingOrder(number(), anyItems(), Math.random() < 0.5 ? { callback_url } : {}));
  return oneOf<() => Promise<TestAnswer | number>>([
    order,
    order,
    order,
    () => node.callLogistics(formPath, form(number(), anyUnits())),
    () => node.callWarehouse('/inbound/create', inboundBody(`W-${number()}`, { [sku()]: [['2030-01-01', upTo(4)]] })),
    () =>
      node.callWarehouse(
        '/outbound/create',
        orderBody(
          `W-${number()}`,
          some(() => [sku(), upTo(4)], 2),
        ),
      ),
    () => node.callWarehouse('/outbound/cancel', { outbound_short_ids: some(() => `W-${number()}`, 4) }),
    () => node.callWarehouse('/inbound/cancel', { inbound_short_ids: some(() => `W-${number()}`, 3) }),
    () => node.callMain('/orders/cancel', { internal_names: some(number, 4) }),
    async () => allocateWaiting(app.store.service, await placeOf(app, sku()), app.clock.now()),
    () => allocateEverything(app),
  ]);
}

interface Waiting {
  order_id: number;
  lines: { product_id: number; batch_id: string | null; qty: number }[];
}

/** The orders that are complete when each takes unit by unit, the oldest first, and keeps what it finds. */
async function modelOfServed(): Promise<number[]> {
  const { database } = app.store;
  const waiting = await database.read(
    (sql) => sql<Waiting[]>`
      select order_id, json_agg(json_build_object('product_id', product_id, 'batch_id', batch_id, 'qty', qty) order by line_no) as lines
      from waiting_line group by order_id order by order_id`,
  );
  const found = await database.read(
    (sql) => sql<{ product_id: number; batch_id: string }[]>`
      select product_id, batch_id from lot, generate_series(1, on_hand - locked)
      where stock_type = 'good' and sku_id like 'STORM-%' order by expire_date, lot_id`,
  );
  const units = [...found];
  return waiting.flatMap(({ order_id, lines }) => {
    let missing = 0;
    const batchesFirst = lines.toSorted((a, b) => Number(a.batch_id === null) - Number(b.batch_id === null));
    for (const { product_id, batch_id, qty } of batchesFirst) {
      for (let n = 0; n < qty; n++) {
        const index = units.findIndex(
          (unit) => unit.product_id === product_id && (batch_id === null || unit.batch_id === batch_id),
        );
        if (index < 0) missing++;
        else units.splice(index, 1);
      }
    }
    return missing === 0 ? [order_id] : [];
  });
}

async function stillWaiting(): Promise<number[]> {
  const rows = await app.store.database.read(
    (sql) => sql`select order_id from orders where status = 'awaiting_stock' order by order_id`,
  );
  return rows.map((row) => row.order_id);
}

test('creates, forms, cancels and allocations at once: afterwards no order waits that could be served', async () => {
  const quietSku = 'STORM-QUIET';
  await syncProducts(app, [...stormSkus, quietSku]);
  await eachRound(rounds, async (round) => {
    const numbers = listOf(40, (index) => `STORM-${round}-${index}`);
    for (const answer of await Promise.all(listOf(90, () => anyCall(numbers)())))
      if (typeof answer !== 'number')
        assert.ok([200, 400, 409].includes(answer.status), `${answer.status} ${answer.text}`);

    // No other call asks for this sku, so at least this order waits until the goods come.
    retvalOf(await app.callLogistics(orderPath, shippingOrder(`STORM-${round}-QUIET`, [item(quietSku, 4)])));
    await bring(app, [
      ...[...stormSkus, quietSku].map((sku) => ({ sku, quantity: 4 })),
      { sku: oneOf(stormSkus), quantity: 4, batch: 'A' },
    ]);
    const before = await stillWaiting();
    const expected = await modelOfServed();
    assert.ok(expected.length > 0);
    assert.equal(await allocateEverything(app), expected.length);
    const after = new Set(await stillWaiting());
    assert.deepEqual(
      before.filter((orderId) => !after.has(orderId)),
      expected,
    );
    assert.equal(await allocateEverything(app), 0);
  });
});

test('after all races the books are in order, each order holds what and where it asked, and callbacks are owed once', async () => {
  await assertBooksInOrder(app);
  const held = await textsOf(
    app,
    `select partner_number, status, held::text, ordered::text from (
      select partner_number, status,
        (select coalesce(sum(locked_delta), 0) from movement m where m.account_id = o.account_id and m.order_id = o.order_id) as held,
        (select sum(qty) from order_line l where l.account_id = o.account_id and l.order_id = o.order_id) as ordered
      from orders o) as of_order
    where held <> case when status = 'pending_warehouse_transfer' then ordered else 0 end`,
    [],
  );
  const ofAnotherBatch = await textsOf(
    app,
    `select partner_number from (
      select o.partner_number, l.product_id, l.batch_id, sum(l.qty) as wanted,
        (select coalesce(sum(m.locked_delta), 0) from movement m join lot using (account_id, lot_id)
          where m.account_id = o.account_id and m.order_id = o.order_id and lot.product_id = l.product_id and lot.batch_id = l.batch_id) as held
      from orders o join order_line l using (account_id, order_id) where l.batch_id is not null and o.status = 'pending_warehouse_transfer'
      group by o.account_id, o.order_id, o.partner_number, l.product_id, l.batch_id) named
    where held < wanted`,
    [],
  );
  const callbacks = await textsOf(
    app,
    `select partner_number, status, callbacks::text from (
      select partner_number, status, (select count(*) from callback c where c.account_id = orders.account_id and c.document_type = 'order' and c.document_id = order_id) as callbacks,
        exists (select from callback_target t where t.account_id = orders.account_id and t.document_type = 'order' and t.document_id = order_id) as is_notified
      from orders where channel = 'logistics') each
    where callbacks <> case when status = 'cancelled' and is_notified then 1 else 0 end`,
    [],
  );
  assert.deepEqual({ held, ofAnotherBatch, callbacks }, { held: [], ofAnotherBatch: [], callbacks: [] });
  await assertNoDeadlocks(app);
});
