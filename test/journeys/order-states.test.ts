import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type OrderEvent,
  type OrderStatus,
  orderAfter,
  orderEvents,
  orderStatesAllowing,
  orderStatuses,
} from '../../server/domain/orders/order.ts';
import { type ReportedStatus, reportedEvents } from '../../server/domain/orders/progress.ts';
import { startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import {
  allocateEverything,
  assertBooksInOrder,
  bring,
  cancelShipping,
  item,
  orderStatus,
  ship,
  unchanged,
} from '../support/logistics.ts';
import { lists, retvalOf, searchAll } from '../support/main.ts';

const app = await startTestApp();
await provisionLive(app);
let made = 0;

// The other tests compare the service with the table of moves. This one states what the table must say.
test('an order can be cancelled until the warehouse has it, shipped once it has stock, and delivered after that', () => {
  assert.deepEqual(orderStatesAllowing('cancel'), ['awaiting_stock', 'pending_warehouse_transfer']);
  const holding = ['pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'partially_shipped'];
  assert.deepEqual(orderStatesAllowing('ship'), holding);
  assert.deepEqual(orderStatesAllowing('ship_part'), holding);
  assert.deepEqual(orderStatesAllowing('arrive'), ['shipped']);
  assert.deepEqual(orderStatesAllowing('deliver'), ['shipped', 'arrived']);
  assert.deepEqual(orderStatesAllowing('fail'), ['shipped', 'arrived']);
});

/** The status that a warehouse reports for each event. */
const reports = new Map(
  Object.entries(reportedEvents).map(([status, event]) => [event as OrderEvent, status as ReportedStatus]),
);

async function report(internal_name: string, status: string): Promise<string> {
  const parcel = { shipment_no: `P-${++made}`, items: [{ sku_id: `SKU-${internal_name}`, qty: 1 }] };
  const detailsOf: Record<string, object> = {
    partially_shipped: { parcels: [parcel] },
    shipped: { shipment_no: `S-${internal_name}` },
    undelivered: { reason: 'refused' },
  };
  const answer = await app.callMain(
    '/fulfilment/advance',
    { orders: [{ internal_name, status, ...detailsOf[status] }] },
    { as: live },
  );
  return retvalOf<{ results: { status: string }[] }>(answer).results[0]!.status;
}

/** Creates an order of three units and brings it into the state through the APIs. */
async function orderIn(state: OrderStatus): Promise<string> {
  const name = `${state.slice(0, 8)}-${++made}`;
  await ship(app, name, [item(`SKU-${name}`, 3)], {}, live.apiKey);
  if (state === 'awaiting_stock') return name;
  if (state === 'cancelled') {
    await cancelShipping(app, [name], live);
    return name;
  }
  await happen(name, 'allocate');
  if (state !== 'pending_warehouse_transfer') {
    if (orderAfter('shipped', reportedEvents[state]) === state) await report(name, 'shipped');
    await report(name, state);
  }
  return name;
}

/** Tries to let an event happen to the order, and returns the response. */
async function happen(name: string, event: OrderEvent): Promise<unknown> {
  if (event === 'allocate') {
    await bring(app, [{ sku: `SKU-${name}`, quantity: 3 }], live.apiKey);
    return await allocateEverything(app);
  }
  if (event === 'cancel') return ((await cancelShipping(app, [name], live)) as { status: string }[])[0]!.status;
  return await report(name, reports.get(event)!);
}

function expectedAnswer(state: OrderStatus, event: OrderEvent): unknown {
  const after = orderAfter(state, event);
  if (event === 'allocate') return after === null ? 0 : 1;
  if (event === 'cancel') return after ?? (state === 'cancelled' ? 'cancelled' : 'cannot_cancel_after_picking');
  // A repeated report has the same response.
  return after ?? (reports.get(event) === state ? state : 'refused');
}

for (const state of orderStatuses) {
  for (const event of orderEvents) {
    const after = orderAfter(state, event);
    test(`${state}, ${event}: ${after === null ? 'nothing happens' : `the order is ${after}`}`, async () => {
      const name = await orderIn(state);
      assert.equal(await orderStatus(app, name, live.accountNo), state);
      const before = await timelineOf(name);

      const answer =
        after === null && event !== 'allocate'
          ? await unchanged(app, () => happen(name, event))
          : await happen(name, event);
      assert.equal(answer, expectedAnswer(state, event));
      assert.equal(await orderStatus(app, name, live.accountNo), after ?? state);
      const change = { event, from: state, to: after };
      assert.deepEqual(await timelineOf(name), after === null || after === state ? before : [...before, change]);
    });
  }
}

async function timelineOf(name: string): Promise<object[]> {
  const [row] = await searchAll(app, lists.orders, { 'orders.internal_name': name }, live);
  return (row!.timeline as { event: string; from: string | null; to: string }[]).map(({ event, from, to }) => ({
    event,
    from,
    to,
  }));
}

test('after all cases the books are in order', () => assertBooksInOrder(app));
