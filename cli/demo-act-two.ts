import { setTimeout as sleep } from 'node:timers/promises';
import { type CallbackBody, LogisticsClient, MainClient, type OrderRow, type StockRow } from '../sdk/client.ts';
import { ownedName } from '../server/domain/partners/owned-name.ts';
import { exitCodes, Failure } from './command-line.ts';
import { cutShort, paint, wrapJson } from './demo-layout.ts';
import { type DemoListener, listenForDemo } from './demo-listener.ts';
import type { DemoService } from './demo-stage.ts';
import type { Story } from './demo-story.ts';
import type { DemoWire } from './demo-wire.ts';

export const production = { accountNo: 'SHOP', keyName: 'wms', clientId: 'shop' };

const shippedWithinSeconds = 30;
const lookEveryMs = 100;

/** Plays a production account with a simulated warehouse, from purchase to shipment, including callbacks. */
export async function playActTwo(story: Story, service: DemoService, wire: DemoWire): Promise<void> {
  story.act(
    'From purchase to shipment',
    `${production.accountNo} is a production account. Its logistics system sends forms and orders with an API key and receives callbacks at its own ` +
      'URL. Its warehouse is simulated: it accepts, picks, packs and ships orders automatically, one step per second.',
  );
  const { url, secretOf } = service;
  const main = new MainClient({
    ...wire.to(url),
    clientId: production.clientId,
    checkValue: secretOf('check_value', production.clientId),
  });
  const logistics = new LogisticsClient({ ...wire.to(url), apiKey: secretOf('logistics_key', ownerOfKey) });
  const listener = await listenForDemo(secretOf('callback_secret', ownerOfKey));
  try {
    await signIn(story, main);
    await pushDocuments(story, logistics, listener);
    await receiveGoods(story, main);
    await hear(story, listener, {
      title: 'Callback to the logistics system: goods received',
      why: 'Signed according to Standard Webhooks. Without a response, it would be retried for about a day.',
      documentNo: 'PO-1',
      event: 'inbound.received',
      shown: ({ event, document_no, status, received }) => ({ event, document_no, status, received }),
      expects: { document_no: 'PO-1', status: 'received' },
    });
    await watchOrder(story, main);
    await hear(story, listener, {
      title: 'Callback to the logistics system: order shipped',
      why: 'Includes the shipment number. Status and callback are stored in one transaction, so no callback is lost.',
      documentNo: 'SO-1',
      event: 'order.shipped',
      shown: ({ event, document_no, status, shipment_no, carrier }) => ({
        event,
        document_no,
        status,
        shipment_no,
        carrier,
      }),
      expects: { document_no: 'SO-1', status: 'shipped', shipment_no: /^SIM-2-/, carrier: 'simulator' },
    });
    await lookAtStock(story, main);
    await audit(story, service);
  } finally {
    listener.close();
  }
}

const ownerOfKey = ownedName(production.accountNo, production.keyName);

/** The client gets a token with its first request and reuses it. */
async function signIn(story: Story, main: MainClient): Promise<void> {
  await story.call({
    title: "The shop's software gets an access token",
    why: 'A ClientId and its CheckValue are exchanged for a token, which is valid for one hour in the main API.',
    call: () => Array.fromAsync(main.searchStocks()),
    about: 'first',
    expects: { body: { done: true, retval: { token_type: 'Bearer' } } },
  });
}

async function pushDocuments(
  story: Story,
  logistics: LogisticsClient,
  { url: callback_url }: DemoListener,
): Promise<void> {
  await story.call({
    title: 'Announce a purchase',
    why: 'Twenty boxes of pineapple cake are on their way. The document is expected; nothing is in stock yet.',
    call: () =>
      logistics.inboundForm({
        form_no: 'PO-1',
        internal_form_no: 'A-77',
        form_type: 1,
        shipping_type: 3,
        callback_url,
        products: [
          { sku: 'CAKE-1', quantity: 20, name: 'Pineapple cake', storage_type: 'chilled', expire_date: '2030-12-31' },
        ],
      }),
    expects: { body: { done: true, retval: { document_no: 'PO-1', status: 'expected', idempotent: false } } },
  });
  await story.call({
    title: 'A customer orders before the goods arrive',
    why: 'An order of the logistics webhook is not rejected if stock is insufficient. It waits, oldest first.',
    call: () =>
      logistics.shippingOrder({
        internal_name: 'SO-1',
        name: 'SHOP-88001',
        customer_name: 'Lin',
        delivery_name: 'Lin',
        phone: '0900000000',
        delivery_charge: 60,
        products: [{ sku: 'CAKE-1', quantity: 3, storage_type: 'chilled' }],
        callback_url,
      }),
    expects: { body: { done: true, retval: { document_no: 'SO-1', status: 'awaiting_stock', idempotent: false } } },
  });
}

async function receiveGoods(story: Story, main: MainClient): Promise<void> {
  const cake = { sku_id: 'CAKE-1', expire_date: '2030-12-31' };
  await story.call({
    title: 'The goods arrive: one short, one damaged',
    why: 'The warehouse reports the goods that actually arrived. With "final", the missing unit is no longer expected.',
    call: () =>
      main.inboundsReceive({
        form_no: 'PO-1',
        receipt_no: 'TRUCK-1',
        details: [
          { ...cake, qty: 18, stock_type: 'good' },
          { ...cake, qty: 1, stock_type: 'bad' },
        ],
        final: true,
      }),
    expects: { body: { done: true, retval: { status: 'received' } } },
  });
}

interface HeardScene {
  title: string;
  why: string;
  documentNo: string;
  event: CallbackBody['event'];
  shown(body: CallbackBody): object;
  expects: object;
}

/** Waits for a callback with a valid signature. */
async function hear(
  story: Story,
  listener: DemoListener,
  { documentNo, event, shown, expects, ...step }: HeardScene,
): Promise<void> {
  await story.watch({
    ...step,
    async happens(print) {
      const { headers, callback } = await listener.waitFor(documentNo, event);
      print(paint.sent(`← POST ${listener.url}`));
      print(
        paint.quiet(
          `  webhook-id: ${headers['webhook-id']}   webhook-signature: ${cutShort(String(headers['webhook-signature']))}`,
        ),
      );
      for (const line of wrapJson(shown(callback), 2)) print(line);
      print(`${paint.answered('→ 200')} the signature is valid`);
      return { callback, signature: 'valid' };
    },
    expects: { callback: { event, ...expects } },
  });
}

/** Prints the timeline of the order as it grows. */
async function watchOrder(story: Story, main: MainClient): Promise<void> {
  await story.watch({
    title: 'The warehouse processes the order',
    why: 'The order has its stock and is transferred on the schedule of its warehouse. Every step is recorded:',
    async happens(print) {
      const giveUpAt = performance.now() + shippedWithinSeconds * 1000;
      const search = { 'orders.internal_name': 'SO-1' };
      for (const line of [paint.sent('→ POST /api/v2/default/getOrdersData/searchList'), ...wrapJson(search, 2)])
        print(line);
      let seen = 0;
      for (;;) {
        const [order] = await Array.fromAsync(main.searchOrders(search));
        for (const entry of order!.timeline.slice(seen)) print(formatEntry(entry));
        seen = order!.timeline.length;
        if (order!.status === 'shipped') return { order };
        if (performance.now() > giveUpAt) {
          throw new Failure(
            exitCodes.refused,
            `the order was not shipped within ${shippedWithinSeconds} s; it is ${order!.status}`,
          );
        }
        await sleep(lookEveryMs);
      }
    },
    expects: {
      order: {
        shipment_no: /^SIM-2-/,
        timeline: ['awaiting_stock', 'pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'shipped'].map(
          (to) => ({ to }),
        ),
      },
    },
  });
}

function formatEntry({ event, to, at, by }: OrderRow['timeline'][number]): string {
  return `${paint.answered('←')} ${clockTime(at)}  ${event.padEnd(10)}${to.padEnd(28)}${paint.quiet(`by ${by}`)}`;
}

/** Hours, minutes and seconds of a time in a response. */
function clockTime(at: string): string {
  return /T([\d:]+)/.exec(at)![1]!;
}

async function lookAtStock(story: Story, main: MainClient): Promise<void> {
  await story.call({
    title: 'The remaining stock',
    why: 'Eighteen good boxes arrived, and three were shipped. The damaged one is in stock but not for sale.',
    call: () => Array.fromAsync(main.searchStocks({ 'products_stock.warehouse_no': 2, sort: '-qty' })),
    shown: ({ rows }) => ({
      rows: rows.map(({ stock_type, qty, qty_lock, qty_available }: StockRow) => ({
        stock_type,
        qty,
        qty_lock,
        qty_available,
      })),
    }),
    expects: {
      body: {
        retval: {
          rows: [
            { sku_id: 'CAKE-1', stock_type: 'good', qty: 15, qty_lock: 0, qty_available: 15 },
            { sku_id: 'CAKE-1', stock_type: 'bad', qty: 1, qty_lock: 0, qty_available: 0 },
          ],
        },
      },
    },
  });
}

async function audit(story: Story, service: DemoService): Promise<void> {
  await story.watch({
    title: 'Audit the stock',
    why: 'Each stock change is an immutable movement, and each balance must equal the sum of its movements.',
    async happens(print) {
      print(paint.sent('$ lading audit'));
      const { exitCode, output } = await service.run(['audit']);
      for (const line of output.trimEnd().split('\n')) print(`  ${line}`);
      return { command: 'lading audit', exit_code: exitCode, output };
    },
    expects: { exit_code: 0, output: /the books match/ },
  });
}
