import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallbackBody, OrderRow } from '../../sdk/client.ts';
import { verifyCallback } from '../../sdk/client.ts';
import { startTestApp } from '../support/app.ts';
import { startNotifiedPartner, startTestBackground } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, bring, item, shippingOrder } from '../support/logistics.ts';

// A warehouse reports through the API, and the partner listens on a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionLive(app);
startTestBackground(app);
const { main, logistics } = await clientsOf(app, live);
const { callbackUrl: callback_url, notified } = await startNotifiedPartner();
await bring(app, [{ sku: 'CUP', quantity: 10 }], live.apiKey);

async function ordered(internal_name: string, quantity: number): Promise<string> {
  await logistics.shippingOrder(shippingOrder(internal_name, [item('CUP', quantity)], { callback_url }));
  return internal_name;
}

type Body<Event extends CallbackBody['event']> = Extract<CallbackBody, { event: Event }>;

/** Waits for a callback with a valid signature; its body fits the schema of its event. */
async function heard<Event extends CallbackBody['event']>(number: string, event: Event): Promise<Body<Event>> {
  const { text, headers } = await notified(number, event);
  const { duplicate: _, ...body } = verifyCallback({ headers, body: text }, { secrets: live.callbackSecret });
  return body as Body<Event>;
}

async function rowOf(internalName: string): Promise<OrderRow> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.internal_name': internalName }));
  return row!;
}

const cups = (quantity: number) => ({ sku: 'CUP', quantity, batch: null, expire_date: null });
const free = async () => {
  const [cup] = await Array.fromAsync(main.searchStocks({ 'products_stock.sku_id': 'CUP' }));
  return [cup!.qty, cup!.qty_lock];
};

test('a partial shipment in two parcels: the partner hears of each, with what has left so far', async () => {
  const internal_name = await ordered('TWO-PARCELS', 3);
  const first = { shipment_no: 'T-1', carrier: 'tcat', items: [{ sku_id: 'CUP', qty: 1 }] };
  await main.fulfilmentAdvance([{ internal_name, status: 'partially_shipped', parcels: [first] }]);
  const part = await heard(internal_name, 'order.partially_shipped');
  assert.deepEqual(
    [part.sequence, part.status, part.shipment_no, part.carrier, part.parcels, part.short],
    [1, 'partially_shipped', 'T-1', 'tcat', [{ shipment_no: 'T-1', carrier: 'tcat', items: [cups(1)] }], []],
  );

  await main.fulfilmentAdvance([{ internal_name, status: 'shipped', parcels: [{ shipment_no: 'T-2' }] }]);
  const whole = await heard(internal_name, 'order.shipped');
  assert.deepEqual(
    [whole.sequence, whole.shipment_no, whole.short, whole.parcels],
    [
      ...[2, 'T-1', []],
      [
        { shipment_no: 'T-1', carrier: 'tcat', items: [cups(1)] },
        { shipment_no: 'T-2', carrier: null, items: [cups(2)] },
      ],
    ],
  );
  assert.deepEqual(await free(), [7, 0]);
});

test('a short shipment: the partner hears what is missing, and the units can be sold again', async () => {
  const internal_name = await ordered('SHORT-ONE', 3);
  const parcel = { shipment_no: 'S-1', items: [{ sku_id: 'CUP', qty: 2 }] };
  await main.fulfilmentAdvance([{ internal_name, status: 'shipped', parcels: [parcel], final: true }]);
  const { short, parcels } = await heard(internal_name, 'order.shipped');
  assert.deepEqual([short, parcels.length], [[{ sku: 'CUP', quantity: 1 }], 1]);
  assert.deepEqual(await free(), [5, 0]);
  assert.deepEqual((await rowOf(internal_name)).short, [{ sku_id: 'CUP', qty: 1 }]);
});

test('an order that is not collected at its store comes back: expected, received, and in stock again', async () => {
  const internal_name = await ordered('NOT-COLLECTED', 2);
  await main.fulfilmentAdvance([
    { internal_name, status: 'shipped', shipment_no: 'N-1', carrier: 'pcsc' },
    { internal_name, status: 'arrived' },
  ]);
  assert.equal((await heard(internal_name, 'order.arrived')).sequence, 2);
  await main.fulfilmentAdvance([{ internal_name, status: 'undelivered', reason: 'not_collected' }]);
  const failed = await heard(internal_name, 'order.undelivered');
  const { returns, undelivered_reason } = await rowOf(internal_name);
  assert.deepEqual([failed.sequence, failed.reason, undelivered_reason], [3, 'not_collected', 'not_collected']);
  assert.deepEqual(
    returns.map(({ stock_in_no, status }) => [stock_in_no, status]),
    [[failed.return_no, 'expected']],
  );
  assert.deepEqual(await free(), [3, 0]);

  const details = [
    { sku_id: 'CUP', qty: 1, stock_type: 'good' as const },
    { sku_id: 'CUP', qty: 1, stock_type: 'bad' as const },
  ];
  await main.inboundsReceive({ form_no: failed.return_no!, receipt_no: 'BACK-1', details });
  const received = await heard(failed.return_no!, 'return.received');
  assert.deepEqual(
    [received.internal_no, received.received.map(({ quantity, stock_type }) => [quantity, stock_type])],
    [
      internal_name,
      [
        [1, 'good'],
        [1, 'bad'],
      ],
    ],
  );
  assert.deepEqual((await rowOf(internal_name)).returns[0]!.status, 'received');
  await assertBooksInOrder(app);
});
