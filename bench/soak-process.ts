/** A separate process that performs random partner requests and receives callbacks until it is stopped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultAccount, faultClient, faultKey } from '../faults/child-process.ts';
import { makeRandom, type Random } from '../faults/random.ts';
import {
  LogisticsClient,
  MainClient,
  type OutboundCreateBody,
  RefusedError,
  UnauthorizedError,
  WarehouseClient,
} from '../sdk/client.ts';
import { consignee, orderBody, orderedSkuIds, skuIdsOf } from './order-shapes.ts';

export type SoakCommand =
  | { kind: 'begin'; url: string; callers: number; seed: number }
  | { kind: 'report' }
  | { kind: 'stop' };

/** Counts since the start. */
export interface SoakReport {
  calls: number;
  /** Counts by kind of request. */
  byRequest: Record<string, { calls: number; totalMs: number }>;
  orders: number;
  callbacks: number;
  /** Unexpected responses: their number and an example. */
  wrong: number;
  example: string;
}

/** The number of recent documents from which repeats and cancellations are chosen. */
const recentMax = 500;
const rowsRead = 50;

const report: SoakReport = { calls: 0, byRequest: {}, orders: 0, callbacks: 0, wrong: 0, example: '' };
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
  return Array.from({ length: count }, (_, name) => send(new Partner(url, `${name}-`, callbackUrl, random.fork())));
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

async function send(partner: Partner): Promise<void> {
  while (!stopping) {
    report.calls += 1;
    await partner.sendOne().catch((error) => {
      report.wrong += 1;
      report.example ||= String(error);
    });
  }
}

/** A partner with access to all three APIs that sends one random request after the other. */
class Partner {
  readonly #warehouse: WarehouseClient;
  readonly #stranger: WarehouseClient;
  readonly #main: MainClient;
  readonly #logistics: LogisticsClient;
  readonly #numbersBeginWith: string;
  readonly #callbackUrl: string;
  readonly #random: Random;
  readonly #orders: OutboundCreateBody[] = [];
  readonly #inbounds: string[] = [];
  readonly #shippings: string[] = [];
  #numbers = 0;

  constructor(url: string, numbersBeginWith: string, callbackUrl: string, random: Random) {
    const { accountNo, secret } = faultAccount;
    this.#warehouse = new WarehouseClient({ url, accountNo, secret });
    this.#stranger = new WarehouseClient({ url, accountNo, secret: 'another secret', retriesMax: 0 });
    this.#main = new MainClient({ url, ...faultClient });
    this.#logistics = new LogisticsClient({ url, apiKey: faultKey.apiKey });
    this.#numbersBeginWith = numbersBeginWith;
    this.#callbackUrl = callbackUrl;
    this.#random = random;
  }

  /** The frequency of each request in percent. */
  readonly #requests: [share: number, name: string, send: () => Promise<unknown>][] = [
    [45, 'outbound/create', () => this.#createOrder()],
    [5, 'outbound/create again', () => this.#repeatOrder()],
    [5, 'outbound/cancel', () => this.#cancelOrders()],
    [8, 'inbound/create', () => this.#createInbound()],
    [2, 'inbound/cancel', () => this.#cancelInbound()],
    [10, 'logistics order', () => this.#createShippingOrder()],
    [3, 'orders/cancel', () => this.#cancelShippingOrders()],
    [10, 'stock/query', () => this.#queryStock()],
    [5, 'searchList', () => this.#search()],
    [3, 'product/sync', () => this.#syncProduct()],
    [4, 'refused', () => this.#beRefused()],
  ];

  async sendOne(): Promise<void> {
    let dice = this.#random.next() * 100;
    for (const [share, name, send] of this.#requests) {
      dice -= share;
      if (dice < 0) return await timed(name, send);
    }
  }

  #nextNumber(kind: string): string {
    return `${kind}-${this.#numbersBeginWith}${++this.#numbers}`;
  }

  async #createOrder(): Promise<void> {
    const body = orderBody(this.#random.oneIn(3) ? 'hot' : 'spread', this.#nextNumber('OUT'), this.#random);
    const { idempotent } = await this.#warehouse.outboundCreate(body);
    if (idempotent) throw new Error(`${body.outbound_short_id} existed already`);
    report.orders += 1;
    keep(this.#orders, body);
  }

  async #repeatOrder(): Promise<void> {
    if (this.#orders.length === 0) return;
    const { idempotent, payload_differs } = await this.#warehouse.outboundCreate(this.#random.anyOf(this.#orders));
    if (!idempotent || payload_differs) throw new Error('a repeat was not recognized');
  }

  async #cancelOrders(): Promise<void> {
    const numbers = this.#orders.splice(0, this.#random.upTo(10)).map((order) => order.outbound_short_id);
    const results = numbers.length === 0 ? [] : await this.#warehouse.outboundCancel(numbers);
    if (results.some(({ status }) => status !== 'cancelled'))
      throw new Error(`an order was not cancelled: ${JSON.stringify(results)}`);
  }

  async #createInbound(): Promise<void> {
    const inbound_short_id = this.#nextNumber('IN');
    const details = skuIdsOf('spread', this.#random).map((sku_id) => ({
      sku_id,
      expires: [{ expire_date: '2099-12-31', qty: this.#random.upTo(20) }],
    }));
    await this.#warehouse.inboundCreate({ inbound_short_id, warehouse_tpw_id: faultAccount.tenant, details });
    keep(this.#inbounds, inbound_short_id);
  }

  async #cancelInbound(): Promise<void> {
    const number = this.#inbounds.shift();
    if (number !== undefined) await this.#warehouse.inboundCancel([number]);
  }

  async #createShippingOrder(): Promise<void> {
    const { consignee_name: name, consignee_phone: phone, consignee_address: address } = consignee;
    const number = this.#nextNumber('SHIP');
    await this.#logistics.shippingOrder({
      internal_name: number,
      name: number,
      customer_name: name,
      delivery_name: name,
      phone,
      address,
      delivery_charge: 60,
      products: skuIdsOf('spread', this.#random).map((sku) => ({ sku, quantity: 1, storage_type: 'ambient' })),
      callback_url: this.#callbackUrl,
    });
    keep(this.#shippings, number);
  }

  async #cancelShippingOrders(): Promise<void> {
    const internal_names = this.#shippings.splice(0, this.#random.upTo(5));
    if (internal_names.length > 0) await this.#main.ordersCancel({ internal_names });
  }

  async #queryStock(): Promise<void> {
    await this.#warehouse.stockQuery(orderedSkuIds.slice(0, this.#random.upTo(orderedSkuIds.length)));
  }

  async #syncProduct(): Promise<void> {
    const sku_id = this.#random.anyOf(orderedSkuIds);
    await this.#warehouse.productSync({ sku_id, sku_name: `Soak ${++this.#numbers}`, storage_type: 1 });
  }

  async #search(): Promise<void> {
    const rows = this.#random.oneIn(2)
      ? this.#main.searchOrders({ 'orders.status': 'cancelled' })
      : this.#main.searchStocks({});
    let read = 0;
    for await (const _ of rows) if (++read === rowsRead) return;
  }

  async #beRefused(): Promise<void> {
    const isStranger = this.#random.oneIn(2);
    const refused = isStranger
      ? this.#stranger.stockQuery(orderedSkuIds.slice(0, 1))
      : this.#warehouse.outboundCreate({
          ...orderBody('hot', this.#nextNumber('NO'), this.#random),
          details: [{ sku_id: 'unknown', qty: 1 }],
        });
    const error = await refused.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof (isStranger ? UnauthorizedError : RefusedError)))
      throw new Error(`the request was not refused as expected: ${error}`);
  }
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  const { calls, totalMs } = report.byRequest[name] ?? { calls: 0, totalMs: 0 };
  report.byRequest[name] = { calls: calls + 1, totalMs: totalMs + performance.now() - startedAt };
}

function keep<T>(recent: T[], one: T): void {
  recent.push(one);
  if (recent.length > recentMax) recent.shift();
}
