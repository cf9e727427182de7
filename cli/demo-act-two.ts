import { setTimeout as sleep } from 'node:timers/promises';
import type { CallbackBody } from '../contract/logistics/callback.ts';
import type { StockRow } from '../contract/main/stocks-search.ts';
import type { TimelineEntry } from '../contract/main/timeline.ts';
import { exitCodes, Failure } from '../server/command-line.ts';
import { verifyCallbackSignature } from '../server/domain/callbacks/callback-signature.ts';
import { type Caller, logisticsCaller, mainCaller, strangerCaller } from './demo-caller.ts';
import { cutShort, paint, wrapJson } from './demo-layout.ts';
import { type DemoListener, listenForDemo } from './demo-listener.ts';
import type { DemoService } from './demo-stage.ts';
import type { Story } from './demo-story.ts';

export const production = { accountNo: 'SHOP', keyName: 'wms', clientId: 'shop' };

const shippedWithinSeconds = 30;
const lookEveryMs = 100;

/** From the purchase to the shipment, with everybody being told: a production account with a simulated warehouse. */
export async function playActTwo(story: Story, service: DemoService): Promise<void> {
  story.act(
    'From the purchase to the shipment',
    `${production.accountNo} is a production account. Its logistics system pushes forms and orders with an API key, and is called back at its own ` +
      'address. Its warehouse is a simulated one: it takes orders, picks, packs and ships them by itself, a step a second.',
  );
  const listener = await listenForDemo();
  try {
    const main = await signIn(story, service);
    await pushDocuments(story, logisticsCaller(service.url, service.secretOf('logistics_key', ownerOfKey)), listener);
    await receiveGoods(story, main);
    await hear(story, service, listener, {
      title: 'The logistics system is told: the goods are in',
      why: 'Signed as Standard Webhooks says. If nobody answered, it would be sent again for a day.',
      ...{ documentNo: 'PO-1', event: 'inbound.received' },
      shown: ({ event, document_no, status, received }) => ({ event, document_no, status, received }),
      expects: { document_no: 'PO-1', status: 'received' },
    });
    await watchOrder(story, main);
    await hear(story, service, listener, {
      title: 'The logistics system is told: the order is on its way',
      why: 'With the number of the shipment. State and callback are written as one: none is forgotten.',
      ...{ documentNo: 'SO-1', event: 'order.shipped' },
      shown: ({ event, document_no, status, shipment_no, carrier }) => ({ event, document_no, status, shipment_no, carrier }),
      expects: { document_no: 'SO-1', status: 'shipped', shipment_no: /^SIM-2-/, carrier: 'simulator' },
    });
    await lookAtStock(story, main);
    await audit(story, service);
  } finally {
    listener.close();
  }
}

const ownerOfKey = `${production.accountNo}/${production.keyName}`;

async function signIn(story: Story, { url, secretOf }: DemoService): Promise<Caller> {
  const CheckValue = secretOf('check_value', production.clientId);
  const { retval } = await story.call({
    title: "The shop's software gets a token",
    why: 'A ClientId and its CheckValue become a token, which is good for an hour of the main API.',
    ...{ by: strangerCaller(url), path: '/api/v1/token/getToken', body: { ClientId: production.clientId, CheckValue } },
    expects: { body: { done: true, retval: { token_type: 'Bearer' } } },
  });
  return mainCaller(url, retval.access_token);
}

async function pushDocuments(story: Story, by: Caller, { url: callback_url }: DemoListener): Promise<void> {
  await story.call({
    title: 'A purchase is announced',
    why: 'Twenty boxes of pineapple cake are on their way. They are expected; nothing is on hand yet.',
    by,
    path: '/purchases/purchase',
    body: {
      form_no: 'PO-1',
      internal_form_no: 'A-77',
      form_type: 1,
      shipping_type: 3,
      callback_url,
      products: [{ sku: 'CAKE-1', quantity: 20, name: 'Pineapple cake', storage_type: 'chilled', expire_date: '2030-12-31' }],
    },
    expects: { body: { done: true, retval: { document_no: 'PO-1', status: 'expected', idempotent: false } } },
  });
  await story.call({
    title: 'A customer orders some already',
    why: 'An order of the logistics system is not refused for want of stock: it waits, oldest first.',
    by,
    path: '/orders/order',
    body: {
      internal_name: 'SO-1',
      name: 'SHOP-88001',
      customer_name: 'Lin',
      delivery_name: 'Lin',
      phone: '0900000000',
      delivery_charge: 60,
      products: [{ sku: 'CAKE-1', quantity: 3, storage_type: 'chilled' }],
      callback_url,
    },
    expects: { body: { done: true, retval: { document_no: 'SO-1', status: 'awaiting_stock', idempotent: false } } },
  });
}

async function receiveGoods(story: Story, main: Caller): Promise<void> {
  const cake = { sku_id: 'CAKE-1', expire_date: '2030-12-31' };
  await story.call({
    title: 'The goods arrive: one short, one damaged',
    why: 'The warehouse reports what really came. With "final", the missing one is not waited for.',
    by: main,
    path: '/inbounds/receive',
    body: {
      form_no: 'PO-1',
      receipt_no: 'TRUCK-1',
      details: [
        { ...cake, qty: 18, stock_type: 'good' },
        { ...cake, qty: 1, stock_type: 'bad' },
      ],
      final: true,
    },
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

/** A callback that arrives, with its signature checked as a receiver should. */
async function hear(story: Story, { secretOf }: DemoService, listener: DemoListener, scene: HeardScene): Promise<void> {
  const { documentNo, event, shown, expects, ...words } = scene;
  await story.watch({
    ...words,
    async happens(print) {
      const { headers, bytes, body } = await listener.told(documentNo, event);
      const secret = secretOf('callback_secret', ownerOfKey);
      const { kind: signature } = verifyCallbackSignature(headers, bytes, [secret], { now: new Date() });
      print(paint.sent(`← POST ${listener.url}`));
      print(paint.quiet(`  webhook-id: ${headers['webhook-id']}   webhook-signature: ${cutShort(String(headers['webhook-signature']))}`));
      for (const line of wrapJson(shown(body), 2)) print(line);
      print(`${paint.answered('→ 200')} the signature is ${signature}`);
      return { callback: body, signature };
    },
    expects: { signature: 'valid', callback: { event, ...expects } },
  });
}

/** The timeline of the order, as it grows. */
async function watchOrder(story: Story, main: Caller): Promise<void> {
  await story.watch({
    title: 'The order goes through the warehouse by itself',
    why: 'It has its stock, and is pushed onward on the schedule of its warehouse. Every step is kept:',
    async happens(print) {
      const giveUpAt = performance.now() + shippedWithinSeconds * 1000;
      const seen: TimelineEntry[] = [];
      for (;;) {
        const { path, body, answer } = await main('/getOrdersData/searchList', { 'orders.internal_name': 'SO-1' });
        const { timeline = [], ...order } = answer.retval?.rows[0] ?? {};
        if (seen.length === 0) for (const line of [paint.sent(`→ POST ${path}`), ...wrapJson(body, 2)]) print(line);
        for (const entry of timeline.slice(seen.length)) {
          seen.push(entry);
          print(wordEntry(entry));
        }
        if (order.status === 'shipped') return { order: { ...order, timeline } };
        if (performance.now() > giveUpAt) {
          throw new Failure(exitCodes.refused, `the order was not shipped within ${shippedWithinSeconds} s; it is ${order.status}`);
        }
        await sleep(lookEveryMs);
      }
    },
    expects: {
      order: {
        shipment_no: /^SIM-2-/,
        timeline: ['awaiting_stock', 'pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'shipped'].map((to) => ({ to })),
      },
    },
  });
}

function wordEntry({ event, to, at, by }: TimelineEntry): string {
  return `${paint.answered('←')} ${clockTime(at)}  ${event.padEnd(10)}${to.padEnd(28)}${paint.quiet(`by ${by}`)}`;
}

/** The hours, minutes and seconds of a time as it is answered. */
function clockTime(at: string): string {
  return /T([\d:]+)/.exec(at)![1]!;
}

async function lookAtStock(story: Story, main: Caller): Promise<void> {
  await story.call({
    title: 'What is left?',
    why: 'Eighteen good boxes came, and three have left. The damaged one is there, but not for sale.',
    ...{ by: main, path: '/getStocksData/searchList', body: { 'products_stock.warehouse_no': 2, sort: '-qty' } },
    shown: ({ rows }) => ({
      rows: rows.map(({ stock_type, qty, qty_lock, qty_available }: StockRow) => ({ stock_type, qty, qty_lock, qty_available })),
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
    title: 'Does it all add up?',
    why: 'Each change of stock is a movement that nobody can alter; each balance must be their sum.',
    async happens(print) {
      print(paint.sent('$ lading audit'));
      const { exitCode, output } = await service.run(['audit']);
      for (const line of output.trimEnd().split('\n')) print(`  ${line}`);
      return { command: 'lading audit', exit_code: exitCode, output };
    },
    expects: { exit_code: 0, output: /everything adds up/ },
  });
}
