import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type ChangeAnswer, ChangeBody } from '../../contract/connector/change.ts';
import { orderDetail, orderSearch } from '../../contract/console/orders.ts';
import { formatMessage } from '../../messages/format-message.ts';
import type { MainClient, OrderRow } from '../../sdk/client.ts';
import { settleReplacedRequests } from '../../server/domain/transfers/settle-replaced.ts';
import { makeChecker } from '../../server/platform/json/schema.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { clientsOf } from '../support/clients.ts';
import { settingsFor } from '../support/command.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { assertBooksInOrder, item, shippingOrder } from '../support/logistics.ts';
import { until } from '../support/worker.ts';
import { live, startPushTests } from './push.ts';
import { held, startWarehouseSystem, takes } from './warehouse-system.ts';

const { app, connect, makeWarehouse, orderSome, startWorker, waveNow, ...wait } = await startPushTests();
const { main, logistics } = await clientsOf(app, live[0]!);
const secret = 'whsec_Y29ubmVjdG9yLXNlY3JldC1vZi10aGUtdGVzdHM=';

type Change = ChangeBody['changes'][number];
type Reply = { status: number; body?: ChangeAnswer } | 'reset';

/** Bodies that do not follow the contract. */
const invalid: ChangeBody[] = [];

/** The part of a warehouse's system that receives changes of orders. */
async function startChangeSystem(answer: (changes: Change[]) => Reply = () => ({ status: 200 })) {
  const posts: Change[][] = [];
  let answering = answer;
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const body = new Webhook(secret).verify(sent, request.headers as Record<string, string>) as ChangeBody;
    invalid.push(...(makeChecker(ChangeBody)(body).kind === 'valid' ? [] : [body]));
    posts.push(body.changes);
    const reply = answering(body.changes);
    if (reply === 'reset') request.socket.resetAndDestroy();
    else response.writeHead(reply.status).end(reply.body ? JSON.stringify(reply.body) : '');
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`,
    posts,
    behave(next: typeof answer) {
      answering = next;
    },
  };
}

/** Orders of the first account that a warehouse has accepted; its system also receives changes. */
async function makeAccepted(count: number, answer?: (changes: Change[]) => Reply) {
  const [orders, changes] = await Promise.all([startWarehouseSystem(), startChangeSystem(answer)]);
  const connector = { type: 'http' as const, url: orders.url, changes_url: changes.url, secret };
  const warehouse = await makeWarehouse(connector);
  const numbers = await orderSome({ ...warehouse, callers: warehouse.callers.slice(0, 1) }, count);
  startWorker();
  await wait.untilInWarehouse(numbers);
  await wait.untilWaveIsOver(warehouse);
  return { warehouse, connector, numbers, changes };
}

async function rowOf(number: string): Promise<OrderRow> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.outbound_short_id': number }));
  return row!;
}

const statusesOf = ({ changes }: OrderRow) => changes.map(({ status }) => status);

async function untilAnswered(number: string): Promise<OrderRow> {
  await until('the warehouse has answered', async () => !statusesOf(await rowOf(number)).includes('requested'));
  return await rowOf(number);
}

const requested = (outbound_short_id: string) => ({ outbound_short_id, status: 'requested' });
type Update = Parameters<MainClient['ordersUpdate']>[0][number];

test('a warehouse that has the order is asked at once for an update, a hold and a release, and the order follows its answer', async () => {
  const { numbers, changes } = await makeAccepted(1);
  const number = numbers[0]!;
  const name = { outbound_short_id: number };
  const before = await rowOf(number);
  assert.deepEqual(await main.ordersUpdate([{ ...name, consignee_name: 'Wu Ming', express_type: 'hct' }]), [
    requested(number),
  ]);
  const updated = await untilAnswered(number);
  assert.deepEqual([updated.status, updated.consignee_name, updated.express_type], ['in_warehouse', 'Wu Ming', 'hct']);
  assert.deepEqual(
    updated.changes.map(({ kind, status, old_values, new_values }) => ({ kind, status, old_values, new_values })),
    [
      {
        kind: 'update',
        status: 'made',
        old_values: { consignee_name: null, logistics_type: 'home', express_type: 'tcat' },
        new_values: { consignee_name: 'Wu Ming', logistics_type: 'home', express_type: 'hct' },
      },
    ],
  );
  assert.ok(updated.changes[0]!.answered_at! >= updated.changes[0]!.at);

  assert.deepEqual(await main.ordersHold([{ ...name, reason: 'wait' }]), [requested(number)]);
  assert.equal((await untilAnswered(number)).held, true);
  assert.deepEqual(await main.ordersRelease([name]), [requested(number)]);
  assert.equal((await untilAnswered(number)).held, false);

  const posted = changes.posts.flat();
  assert.deepEqual(
    posted.map(({ event, fields, reason }) => [event, fields, reason]),
    [
      ['order.updated', { consignee_name: 'Wu Ming', logistics_type: 'home', express_type: 'hct' }, null],
      ['order.held', null, 'wait'],
      ['order.released', null, null],
    ],
  );
  for (const { orders_id, account_no, outbound_short_id, internal_name } of posted)
    assert.deepEqual(
      [orders_id, account_no, outbound_short_id, internal_name],
      [before.orders_id, live[0]!.accountNo, number, null],
    );
});

test('a change that the warehouse refuses changes nothing; its reason is in the history, without the recipient', async () => {
  const { numbers, changes } = await makeAccepted(2, (asked) => ({
    status: 200,
    body: {
      results: asked
        .filter(({ event }) => event === 'order.held')
        .map(({ change_id }) => ({ change_id: change_id.toUpperCase(), accepted: false, reason: 'being picked' })),
    },
  }));
  const [one, two] = numbers as [string, string];
  await main.ordersHold([{ outbound_short_id: one }, { outbound_short_id: two }]);
  await main.ordersUpdate([{ outbound_short_id: two, consignee_name: '王小明' }]);
  const [first, second] = [await untilAnswered(one), await untilAnswered(two)];
  assert.deepEqual(
    [first.held, first.changes[0]!.status, first.changes[0]!.message],
    [false, 'refused', 'being picked'],
  );
  assert.deepEqual([second.held, second.consignee_name, statusesOf(second)], [false, '王小明', ['refused', 'made']]);

  changes.behave(() => ({ status: 422, body: { results: [], why: 'no 陳大文 here' } as never }));
  await main.ordersUpdate([{ outbound_short_id: one, consignee_name: '陳大文' }]);
  const third = await untilAnswered(one);
  assert.deepEqual([third.consignee_name, statusesOf(third)], [null, ['refused', 'refused']]);
  assert.equal(third.changes[1]!.message, 'HTTP 422: {"results":[],"why":"no 陳○文 here"}');
});

test('the answer of a warehouse that names a recipient of the order is stored and shown without the name', async () => {
  const { numbers, changes } = await makeAccepted(1);
  const number = numbers[0]!;
  const name = { outbound_short_id: number };
  await main.ordersUpdate([{ ...name, consignee_name: '王小明' }]);
  await untilAnswered(number);
  changes.behave((asked) => ({
    status: 200,
    body: {
      results: asked.map(({ change_id }) => ({ change_id, accepted: false, reason: '王小明 or 陳大文 collects it' })),
    },
  }));
  await main.ordersHold([name]);
  assert.equal((await untilAnswered(number)).changes[1]!.message, '王○明 or 陳大文 collects it');

  // The other person becomes the recipient after the answer was stored.
  changes.behave(() => ({ status: 200 }));
  await main.ordersUpdate([{ ...name, consignee_name: '陳大文' }]);
  const { orders_id } = await untilAnswered(number);
  // Reasons of earlier versions are not masked.
  await app.store.database.transaction(
    (tx) => tx`
      update transfer set reason = 'HTTP 422: 王小明'
      where order_id = (select order_id from orders where partner_number = ${number})`,
  );
  await provisionOperators(app);
  const viewer = await signIn(app, 'viewer');
  const { rows } = await viewer.ask(orderSearch, { number });
  const { transfer, timeline } = await viewer.ask(orderDetail, { order_id: rows[0]!.order_id });
  assert.equal(transfer!.reason, 'HTTP 422: 王○明');
  const answers = timeline.flatMap((entry) =>
    entry.kind === 'change' ? [entry.answer && formatMessage(entry.answer)] : [],
  );
  assert.deepEqual(answers, [null, '王○明 or 陳○文 collects it', null]);
  const shown = await makeRunHere(settingsFor(app.store)).json(`order show ${orders_id}`);
  assert.equal(shown.changes[1].message, '王○明 or 陳○文 collects it');
});

test('a change without a clear answer stays requested; the next wave asks again under the same id, and a repeat adds none', async () => {
  const { warehouse, numbers, changes } = await makeAccepted(1, () => 'reset');
  const number = numbers[0]!;
  const update: Update[] = [{ outbound_short_id: number, consignee_name: 'Wu Ming' }];
  await main.ordersUpdate(update);
  await until('the warehouse was asked', () => changes.posts.length > 0);
  await until('the failure is noted', async () => (await rowOf(number)).changes[0]!.message !== null);
  assert.deepEqual(await main.ordersUpdate(update), [requested(number)]);
  const row = await rowOf(number);
  assert.deepEqual([row.consignee_name, statusesOf(row)], [null, ['requested']]);

  await wait.untilWaveIsOver(warehouse);
  const asked = changes.posts.length;
  changes.behave(() => ({ status: 503 }));
  await waveNow(warehouse);
  await until('the warehouse was asked again', () => changes.posts.length > asked);
  await wait.untilWaveIsOver(warehouse);
  changes.behave(() => ({ status: 200 }));
  await waveNow(warehouse);
  assert.equal((await untilAnswered(number)).consignee_name, 'Wu Ming');
  assert.equal(new Set(changes.posts.flat().map(({ change_id }) => change_id)).size, 1);
});

test('new orders do not wait for a warehouse that fails on changes', async () => {
  const { warehouse, numbers, changes } = await makeAccepted(1, () => ({ status: 500 }));
  await main.ordersHold([{ outbound_short_id: numbers[0]! }]);
  await until('the warehouse was asked', () => changes.posts.length > 0);
  const more = await orderSome({ ...warehouse, callers: warehouse.callers.slice(0, 1) }, 1, 'MORE');
  await wait.untilWaveIsOver(warehouse);
  await waveNow(warehouse);
  await wait.untilInWarehouse(more);
  assert.deepEqual(statusesOf(await rowOf(numbers[0]!)), ['requested']);
});

test('without a changes_url an accepted order is too late to change, and a pending request is refused', async () => {
  const { warehouse, connector, numbers, changes } = await makeAccepted(1, () => 'reset');
  const number = numbers[0]!;
  await main.ordersHold([{ outbound_short_id: number }]);
  await until('the warehouse was asked', () => changes.posts.length > 0);
  const { changes_url: _, ...without } = connector;
  await connect(warehouse, without);
  await wait.untilWaveIsOver(warehouse);
  await waveNow(warehouse);
  const row = await untilAnswered(number);
  assert.deepEqual([row.held, row.changes[0]!.message], [false, 'the warehouse no longer accepts changes']);
  const [result] = await main.ordersHold([{ outbound_short_id: number }]);
  assert.equal(result!.status, 'too_late');
});

test('a request to a warehouse that becomes manual is refused, and nobody is asked for it again', async () => {
  const { warehouse, numbers, changes } = await makeAccepted(1, () => 'reset');
  const number = numbers[0]!;
  await main.ordersHold([{ outbound_short_id: number }]);
  await until('the failure is noted', async () => (await rowOf(number)).changes[0]!.message !== null);
  await wait.untilWaveIsOver(warehouse);
  const settle = () => settleReplacedRequests(app.store.service, new AbortController().signal);
  // Requests of earlier tests are open, too; this one has its system.
  await settle();
  assert.deepEqual(statusesOf(await rowOf(number)), ['requested']);

  await connect(warehouse, { type: 'manual' });
  const asked = changes.posts.length;
  assert.equal(await settle(), 1);
  const row = await rowOf(number);
  assert.deepEqual(
    [row.held, statusesOf(row), row.changes[0]!.message],
    [false, ['refused'], 'the warehouse no longer accepts changes'],
  );
  assert.equal(await settle(), 0);
  assert.equal(changes.posts.length, asked);
  assert.equal((await main.ordersRelease([{ outbound_short_id: number }]))[0]!.status, 'too_late');
});

test('a request to a system that was replaced is refused and not sent to the new one; a new request is', async () => {
  const { warehouse, connector, numbers, changes } = await makeAccepted(1, () => 'reset');
  const number = numbers[0]!;
  await main.ordersHold([{ outbound_short_id: number }]);
  await until('the warehouse was asked', () => changes.posts.length > 0);
  await wait.untilWaveIsOver(warehouse);
  const next = await startChangeSystem();
  await connect(warehouse, { ...connector, changes_url: next.url });
  await waveNow(warehouse);
  const row = await untilAnswered(number);
  const message = 'the warehouse has another system now, and the one that was asked did not answer';
  assert.deepEqual([row.held, statusesOf(row), row.changes[0]!.message], [false, ['refused'], message]);
  assert.deepEqual(next.posts, []);

  await main.ordersHold([{ outbound_short_id: number }]);
  assert.deepEqual(statusesOf(await untilAnswered(number)), ['refused', 'made']);
  assert.equal(next.posts.length, 1);
});

test('orders on which a warehouse always fails do not hold up the changes of others', async () => {
  const { warehouse, numbers, changes } = await makeAccepted(7, () => 'reset');
  const [good, ...bad] = numbers as [string, ...string[]];
  await main.ordersHold(bad.map((outbound_short_id) => ({ outbound_short_id })));
  await until('the warehouse was asked', () => changes.posts.length > 0);
  await wait.untilWaveIsOver(warehouse);
  await app.store.database.transaction(
    (tx) => tx`update order_change set attempts = 9 where warehouse_no = ${warehouse.warehouseNo}`,
  );

  const before = changes.posts.length;
  changes.behave((asked) =>
    asked.some(({ outbound_short_id }) => bad.includes(outbound_short_id!)) ? 'reset' : { status: 200 },
  );
  await main.ordersHold([{ outbound_short_id: good }]);
  assert.equal((await untilAnswered(good)).held, true);
  await wait.untilWaveIsOver(warehouse);
  const posts = changes.posts.slice(before).map((asked) => asked.map(({ outbound_short_id }) => outbound_short_id));
  // After the first failure nobody answers, so the wave leaves the others to the next one, which starts with them.
  assert.deepEqual(posts, [[good], [bad[0]]]);
  await waveNow(warehouse);
  await until('the next one was asked', () => changes.posts.length > before + 2);
  assert.equal(changes.posts[before + 2]![0]!.outbound_short_id, bad[1]);
});

test('an order whose post is not answered yet is too late to change, whatever the warehouse accepts', async () => {
  const { behaviour, release } = held(takes);
  const [orders, changes] = await Promise.all([startWarehouseSystem(behaviour), startChangeSystem()]);
  const warehouse = await makeWarehouse({ type: 'http', url: orders.url, changes_url: changes.url, secret });
  const numbers = await orderSome({ ...warehouse, callers: warehouse.callers.slice(0, 1) }, 2);
  const [sent, kept] = numbers as [string, string];
  await main.ordersHold([{ outbound_short_id: kept }]);
  startWorker();
  await until('the order is on its way', () => orders.batches.length > 0);
  const results = await main.ordersUpdate(
    [sent, kept].map((outbound_short_id) => ({ outbound_short_id, consignee_name: 'Wu Ming' })),
  );
  release();
  await wait.untilInWarehouse([sent]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['too_late', 'updated'],
  );
  assert.deepEqual(orders.firstArrivals(), [sent]);
  assert.deepEqual(changes.posts, []);
  assert.deepEqual((await rowOf(sent)).changes, []);

  await main.ordersRelease([{ outbound_short_id: kept }]);
  await waveNow(warehouse);
  await wait.untilInWarehouse([kept]);
  const last = orders.batches.at(-1)!.body.orders;
  assert.deepEqual(
    last.map(({ outbound_short_id, consignee_name }) => [outbound_short_id, consignee_name]),
    [[kept, 'Wu Ming']],
  );
});

test('an order of the logistics webhook is changed at the warehouse with its label', async () => {
  const [orders, changes] = await Promise.all([startWarehouseSystem(), startChangeSystem()]);
  const warehouse = await makeWarehouse({ type: 'http', url: orders.url, changes_url: changes.url, secret });
  await app.provision({
    logistics_keys: [
      {
        name: 'wms',
        key: live[0]!.apiKey,
        account_no: live[0]!.accountNo,
        warehouse_no: warehouse.warehouseNo,
        store_no: 10,
      },
    ],
  });
  await logistics.shippingOrder(shippingOrder('LABEL-1', [item('TEA', 1)], { store_pickup_label_data: { store: 1 } }));
  startWorker();
  await wait.untilInWarehouse(['LABEL-1']);
  await main.ordersUpdate([{ internal_name: 'LABEL-1', store_pickup_label_data: { store: 2 } }]);
  const row = async () => (await Array.fromAsync(main.searchOrders({ 'orders.internal_name': 'LABEL-1' })))[0]!;
  await until('it is answered', async () => statusesOf(await row())[0] === 'made');
  assert.deepEqual((await row()).shipping!.store_pickup_label_data, { store: 2 });
  assert.deepEqual(changes.posts.flat()[0]!.fields, { store_pickup_label_data: { store: 2 } });
});

test('every request followed the contract, and no change moved units', async () => {
  assert.deepEqual(invalid, []);
  await assertBooksInOrder(app);
});
