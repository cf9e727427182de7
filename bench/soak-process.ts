/** A process of its own that does all that partners do, chosen at random, and receives their callbacks; until it is told to stop. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultAccount, faultClient, faultKey } from '../faults/child-process.ts';
import { makeRandom, type Random } from '../faults/random.ts';
import { LogisticsClient, MainClient, type OutboundCreateBody, RefusedError, UnauthorizedError, WarehouseClient } from '../sdk/client.ts';
import { consignee, orderBody, orderedSkuIds, skuIdsOf } from './order-shapes.ts';

export type SoakCommand = { kind: 'begin'; url: string; callers: number; seed: number } | { kind: 'report' } | { kind: 'stop' };

/** Since it began. */
export interface SoakReport {
  calls: number;
  /** By what was done. */
  doings: Record<string, { calls: number; totalMs: number }>;
  orders: number;
  callbacks: number;
  /** What was answered otherwise than it should be: how often, and an example. */
  wrong: number;
  example: string;
}

/** Documents to send again or to cancel are chosen from so many. */
const recentMax = 500;
const rowsRead = 50;

const report: SoakReport = { calls: 0, doings: {}, orders: 0, callbacks: 0, wrong: 0, example: '' };
let stopping = false;
let callers: Promise<void>[] = [];

process.on('message', async (command: SoakCommand) => {
  if (command.kind === 'begin') callers = await begin(command);
  if (command.kind === 'stop') {
    stopping = true;
    await Promise.all(callers);
  }
  process.send!(report);
});
process.on('disconnect', () => process.exit());

async function begin({ url, callers: count, seed }: Extract<SoakCommand, { kind: 'begin' }>): Promise<Promise<void>[]> {
  const random = makeRandom(seed);
  const callbackUrl = await receiveCallbacks();
  return Array.from({ length: count }, (_, name) => call(makePartner(url, `${name}-`, callbackUrl, random.fork())));
}

async function receiveCallbacks(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      report.callbacks += 1;
      response.writeHead(200, { 'content-length': 0 }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`;
}

async function call(anything: () => Promise<void>): Promise<void> {
  while (!stopping) {
    report.calls += 1;
    await anything().catch((error) => {
      report.wrong += 1;
      report.example ||= String(error);
    });
  }
}

function makePartner(url: string, begin: string, callbackUrl: string, random: Random): () => Promise<void> {
  const { accountNo, secret, tenant } = faultAccount;
  const warehouse = new WarehouseClient({ url, accountNo, secret });
  const stranger = new WarehouseClient({ url, accountNo, secret: 'another secret', retriesMax: 0 });
  const main = new MainClient({ url, ...faultClient });
  const logistics = new LogisticsClient({ url, apiKey: faultKey.apiKey });
  const orders: OutboundCreateBody[] = [];
  const inbounds: string[] = [];
  const shippings: string[] = [];
  let numbers = 0;

  async function createOrder(): Promise<void> {
    const body = orderBody(random.oneIn(3) ? 'hot' : 'spread', `OUT-${begin}${++numbers}`, random);
    const { idempotent } = await warehouse.outboundCreate(body);
    if (idempotent) throw new Error(`${body.outbound_short_id} was known`);
    report.orders += 1;
    keep(orders, body);
  }

  async function repeatOrder(): Promise<void> {
    if (orders.length === 0) return;
    const { idempotent, payload_differs } = await warehouse.outboundCreate(random.anyOf(orders));
    if (!idempotent || payload_differs) throw new Error('a repeat was taken for something else');
  }

  async function cancelOrders(): Promise<void> {
    const those = orders.splice(0, random.upTo(10)).map((order) => order.outbound_short_id);
    const results = those.length === 0 ? [] : await warehouse.outboundCancel(those);
    if (results.some(({ status }) => status !== 'cancelled')) throw new Error(`an order was not cancelled: ${JSON.stringify(results)}`);
  }

  async function createInbound(): Promise<void> {
    const number = `IN-${begin}${++numbers}`;
    const details = skuIdsOf('spread', random).map((sku_id) => ({
      sku_id,
      expires: [{ expire_date: '2099-12-31', qty: random.upTo(20) }],
    }));
    await warehouse.inboundCreate({ inbound_short_id: number, warehouse_tpw_id: tenant, details });
    keep(inbounds, number);
  }

  async function cancelInbound(): Promise<void> {
    const number = inbounds.shift();
    if (number !== undefined) await warehouse.inboundCancel([number]);
  }

  async function shippingOrder(): Promise<void> {
    const { consignee_name: name, consignee_phone: phone, consignee_address: address } = consignee;
    const number = `SHIP-${begin}${++numbers}`;
    const products = skuIdsOf('spread', random).map((sku) => ({ sku, quantity: 1, storage_type: 'ambient' }));
    const people = { customer_name: name, delivery_name: name, phone, address, delivery_charge: 60 };
    await logistics.shippingOrder({ internal_name: number, name: number, ...people, products, callback_url: callbackUrl });
    keep(shippings, number);
  }

  async function cancelShippingOrders(): Promise<void> {
    const those = shippings.splice(0, random.upTo(5));
    if (those.length > 0) await main.ordersCancel({ internal_names: those });
  }

  async function search(): Promise<void> {
    const searching = random.oneIn(2) ? main.searchOrders({ 'orders.status': 'cancelled' }) : main.searchStocks({});
    let read = 0;
    for await (const _ of searching) if (++read === rowsRead) return;
  }

  async function beRefused(): Promise<void> {
    const isStranger = random.oneIn(2);
    const refused = isStranger
      ? stranger.stockQuery(orderedSkuIds.slice(0, 1))
      : warehouse.outboundCreate({
          ...orderBody('hot', `NO-${begin}${++numbers}`, random),
          details: [{ sku_id: 'nobody knows it', qty: 1 }],
        });
    const error = await refused.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof (isStranger ? UnauthorizedError : RefusedError))) throw new Error(`not refused as it should be: ${error}`);
  }

  /** How often each is done, of a hundred. */
  const doings: [share: number, name: string, () => Promise<unknown>][] = [
    [45, 'outbound/create', createOrder],
    [5, 'outbound/create again', repeatOrder],
    [5, 'outbound/cancel', cancelOrders],
    [8, 'inbound/create', createInbound],
    [2, 'inbound/cancel', cancelInbound],
    [10, 'logistics order', shippingOrder],
    [3, 'orders/cancel', cancelShippingOrders],
    [10, 'stock/query', () => warehouse.stockQuery(orderedSkuIds.slice(0, random.upTo(orderedSkuIds.length)))],
    [5, 'searchList', search],
    [
      3,
      'product/sync',
      () => warehouse.productSync({ sku_id: random.anyOf(orderedSkuIds), sku_name: `Soak ${++numbers}`, storage_type: 1 }),
    ],
    [4, 'refused', beRefused],
  ];
  return async () => {
    let dice = random.next() * 100;
    for (const [share, name, doing] of doings) {
      dice -= share;
      if (dice < 0) return await timed(name, doing);
    }
  };
}

async function timed(name: string, doing: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await doing();
  const { calls, totalMs } = report.doings[name] ?? { calls: 0, totalMs: 0 };
  report.doings[name] = { calls: calls + 1, totalMs: totalMs + performance.now() - startedAt };
}

function keep<T>(recent: T[], one: T): void {
  recent.push(one);
  if (recent.length > recentMax) recent.shift();
}
