import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateWaiting } from '../../server/domain/orders/allocate-waiting.ts';
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts';
import {
  allocateEverything,
  assertBooksInOrder,
  type Body,
  bring,
  form,
  formPath,
  item,
  orderPath,
  placeOf,
  shippingOrder,
  statusesOf,
  textsOf,
} from '../support/logistics.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, inboundBody, orderBody, stockOf, syncProducts } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const nodes = [app, await startSecondNode(app)];
const rounds = roundsOf({ usual: 3, full: 200 });
const skus = ['STORM-1', 'STORM-2', 'STORM-3', 'STORM-4'];
const batches = ['', 'A', 'B'];
await syncProducts(app, skus);

const oneOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const some = <T>(make: () => T, max: number): T[] => Array.from({ length: 1 + Math.floor(Math.random() * max) }, make);
const anyQty = () => 1 + Math.floor(Math.random() * 4);
const anyNode = (): TestApp => oneOf(nodes);

/** Any call, in no order of its skus and numbers; `numbers` are so few that many of them meet. */
function anyCall(numbers: string[]): () => Promise<TestAnswer | number> {
  const number = () => oneOf(numbers);
  const node = anyNode();
  const items = () => some(() => item(oneOf(skus), anyQty(), Math.random() < 0.3 ? { batch: oneOf(batches) } : {}), 3);
  const units = () =>
    some(
      (): Body & { sku: string; quantity: number } => ({
        sku: oneOf(skus),
        quantity: anyQty(),
        batch: oneOf(batches),
        expire_date: oneOf([null, '2030-01-01', '2031-01-01']),
      }),
      2,
    );
  const order = () =>
    node.callLogistics(
      orderPath,
      shippingOrder(number(), items(), Math.random() < 0.5 ? { callback_url: 'https://partner.example/orders' } : {}),
    );
  return oneOf<() => Promise<TestAnswer | number>>([
    order,
    order,
    order,
    () => node.callLogistics(formPath, form(number(), units())),
    () => node.callWarehouse('/inbound/create', inboundBody(`W-${number()}`, { [oneOf(skus)]: [['2030-01-01', anyQty()]] })),
    () =>
      node.callWarehouse(
        '/outbound/create',
        orderBody(`W-${number()}`, [
          [oneOf(skus), anyQty()],
          [oneOf(skus), anyQty()],
        ]),
      ),
    () => node.callWarehouse('/outbound/cancel', { outbound_short_ids: some(() => `W-${number()}`, 4) }),
    () => node.callWarehouse('/inbound/cancel', { inbound_short_ids: some(() => `W-${number()}`, 3) }),
    () => node.callMain('/orders/cancel', { internal_names: some(number, 4) }),
    async () => allocateWaiting(app.store.database, await placeOf(app, oneOf(skus)), app.clock.now()),
    () => allocateEverything(app),
  ]);
}

/** Each answer is one of the contract's; a worker's is how many it has served. */
function assertOfContract(answer: TestAnswer | number): void {
  if (typeof answer === 'number') return;
  assert.ok([200, 400, 409].includes(answer.status), `${answer.status} ${answer.text}`);
}

interface Waiting {
  order_id: number;
  lines: { product_id: number; batch_id: string | null; qty: number }[];
}
interface Unit {
  product_id: number;
  batch_id: string;
}

/** Who has all he wants where each takes unit by unit, the oldest first, and keeps what he finds. */
async function modelOfServed(): Promise<number[]> {
  const { database } = app.store;
  const waiting = await database.read(
    (sql) => sql<Waiting[]>`
      select order_id, json_agg(json_build_object('product_id', product_id, 'batch_id', batch_id, 'qty', qty) order by line_no) as lines
      from waiting_line group by order_id order by order_id`,
  );
  const units = [
    ...(await database.read(
      (sql) => sql<Unit[]>`
        select product_id, batch_id from lot, generate_series(1, on_hand - locked) where stock_type = 'good' order by expire_date, lot_id`,
    )),
  ];
  return waiting.flatMap(({ order_id, lines }) => {
    let missing = 0;
    for (const { product_id, batch_id, qty } of lines.toSorted((a, b) => Number(a.batch_id === null) - Number(b.batch_id === null))) {
      for (let n = 0; n < qty; n++) {
        const index = units.findIndex((unit) => unit.product_id === product_id && (batch_id === null || unit.batch_id === batch_id));
        if (index < 0) missing++;
        else units.splice(index, 1);
      }
    }
    return missing === 0 ? [order_id] : [];
  });
}

const stillWaiting = async (): Promise<number[]> => {
  const rows = await app.store.database.read((sql) => sql`select order_id from orders where status = 'awaiting_stock' order by order_id`);
  return rows.map((row) => row.order_id);
};

test('creates, forms, cancels and several who allocate, all at once on two nodes: nothing is sold twice, and in the end nobody waits who could be served', async () => {
  let servedAtLast = 0;
  for (let round = 1; round <= rounds; round++) {
    const numbers = Array.from({ length: 40 }, (_, index) => `STORM-${round}-${index}`);
    const answers = await Promise.all(Array.from({ length: 90 }, () => anyCall(numbers)()));
    answers.forEach(assertOfContract);

    // So that there is something left to be served.
    await bring(app, [
      { sku: oneOf(skus), quantity: 4 },
      { sku: oneOf(skus), quantity: 4, batch: 'A' },
    ]);
    const before = await stillWaiting();
    const expected = await modelOfServed();
    assert.equal(await allocateEverything(app), expected.length);
    const after = new Set(await stillWaiting());
    assert.deepEqual(
      before.filter((orderId) => !after.has(orderId)),
      expected,
    );
    assert.equal(await allocateEverything(app), 0);
    servedAtLast += expected.length;
    await assertBooksInOrder(app);
  }
  assert.ok(servedAtLast > 0, 'some were left to be served in the end');

  await assertBalancesAreSums(app);
  const wrong = await textsOf(
    app,
    `select partner_number, status, held::text, ordered::text from (
      select partner_number, status,
        (select coalesce(sum(locked_delta), 0) from movement m where m.order_id = o.order_id) as held,
        (select sum(qty) from order_line l where l.order_id = o.order_id) as ordered
      from orders o) as of_order
    where held <> case when status = 'pending_warehouse_transfer' then ordered else 0 end`,
    [],
  );
  assert.deepEqual(wrong, []);
  const ofAnotherBatch = await textsOf(
    app,
    `select partner_number from (
      select o.partner_number, l.product_id, l.batch_id, sum(l.qty) as wanted,
        (select coalesce(sum(m.locked_delta), 0) from movement m join lot using (lot_id)
          where m.order_id = o.order_id and lot.product_id = l.product_id and lot.batch_id = l.batch_id) as held
      from orders o join order_line l using (order_id) where l.batch_id is not null and o.status = 'pending_warehouse_transfer'
      group by o.order_id, o.partner_number, l.product_id, l.batch_id) named
    where held < wanted`,
    [],
  );
  assert.deepEqual(ofAnotherBatch, [], 'whoever named a batch has it');
  const callbacks = await textsOf(
    app,
    `select partner_number, status, callbacks::text from (
      select partner_number, status, (select count(*) from callback c where c.document_type = 'order' and c.document_id = order_id) as callbacks,
        exists (select from callback_target t where t.document_type = 'order' and t.document_id = order_id) as told
      from orders where channel = 'logistics') each
    where callbacks <> case when status = 'cancelled' and told then 1 else 0 end`,
    [],
  );
  assert.deepEqual(callbacks, [], 'one callback for each cancel, and none else');
  const deadlocks = await textsOf(app, 'select deadlocks::text from pg_stat_database where datname = current_database()', []);
  assert.deepEqual(deadlocks, [{ deadlocks: '0' }], 'everybody locks in one order');
});

test('eight who allocate at once serve each order once, the oldest first', async () => {
  for (let round = 1; round <= rounds; round++) {
    const sku = `EIGHT-${round}`;
    const names = Array.from({ length: 15 }, (_, index) => `${sku}-${index}`);
    for (const name of names) await app.callLogistics(orderPath, shippingOrder(name, [item(sku, 2)]));
    await bring(app, [{ sku, quantity: 21 }]);
    const place = await placeOf(app, sku);
    const counts = await Promise.all(Array.from({ length: 8 }, () => allocateWaiting(app.store.database, place, app.clock.now())));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      10,
    );
    const statuses = await statusesOf(app, names);
    assert.deepEqual(statuses, [...Array(10).fill('pending_warehouse_transfer'), ...Array(5).fill('awaiting_stock')]);
    assert.deepEqual(
      (await stockOf(app, sku)).map(({ qty, qty_lock }) => [qty, qty_lock]),
      [[21, 20]],
    );
  }
});

test('those who wait are allocated and cancelled at once: each is one or the other, and what is cancelled holds nothing', async () => {
  for (let round = 1; round <= rounds; round++) {
    const sku = `EITHER-${round}`;
    const names = Array.from({ length: 20 }, (_, index) => `${sku}-${index}`);
    for (const name of names) await app.callLogistics(orderPath, shippingOrder(name, [item(sku, 1)]));
    await bring(app, [{ sku, quantity: 20 }]);
    const place = await placeOf(app, sku);
    const [, , ...cancels] = await Promise.all([
      allocateWaiting(app.store.database, place, app.clock.now()),
      allocateWaiting(app.store.database, place, app.clock.now()),
      ...names.map((name, index) => nodes[index % 2]!.callMain('/orders/cancel', { internal_names: [name] })),
    ]);
    for (const { json } of cancels as TestAnswer[]) assert.equal(json.retval.results[0].status, 'cancelled');
    assert.deepEqual([...new Set(await statusesOf(app, names))], ['cancelled']);
    assert.equal((await stockOf(app, sku))[0]!.qty_lock, 0);
  }
  await assertBooksInOrder(app);
});

test('an order that begins to wait while its stock comes is served by who is told of either', async () => {
  for (let round = 1; round <= rounds * 2; round++) {
    const sku = `MEET-${round}`;
    await syncProducts(app, [sku]);
    const place = await placeOf(app, sku);
    const [answer] = await Promise.all([
      nodes[0]!.callLogistics(orderPath, shippingOrder(sku, [item(sku, 1)])),
      nodes[1]!.callLogistics(formPath, form(sku, [{ sku, quantity: 1 }])),
    ]);
    const { status } = answer.json.retval;
    assert.equal(await allocateWaiting(app.store.database, place, app.clock.now()), status === 'awaiting_stock' ? 1 : 0);
    assert.deepEqual(await statusesOf(app, [sku]), ['pending_warehouse_transfer']);
  }
});
