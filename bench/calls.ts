import { faultAccount, faultKey } from '../faults/child-process.ts';
import { makeRandom, type Random } from '../faults/random.ts';
import { auditStock } from '../server/domain/audit/audit-stock.ts';
import { readStock } from '../server/domain/stock/stock-queries.ts';
import { cancelInbounds, cancelOrders, createInbound, createShippingOrder, syncProduct, type Unit } from './bare-statements.ts';
import { plainRequest } from './bearer-request.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Figures, type Goal, judged, median, type Output, quantile, rounded } from './figures.ts';
import { connectYardstick, createOrder, type YardstickSql } from './one-transaction-per-order.ts';
import { consignee, orderBody, orderedSkuIds, skuIdsOf } from './order-shapes.ts';
import { signedRequest } from './signed-request.ts';
import { plenty, stockUp } from './stock-up.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const stockSkuIds = Array.from({ length: 1000 }, (_, index) => `STOCK-${index}`);
const expireDates = ['2099-01-31', '2099-02-28', '2099-03-31'];
const qtyEach = 100;
const cancelledAtOnce = 100;
const warmUpCalls = 10;
const warmUpCallsQuick = 1;
const preparedAtOnce = 16;

/** A call of the API, and the bare statements that do the same; each is told the how-manieth it is, so that nothing is done twice. */
interface Call {
  name: string;
  calls: number;
  goal: Goal | null;
  /** Makes what the calls need, for so many of each sort. */
  prepare?(count: number): Promise<void>;
  request(index: number): Buffer;
  /** What the answer must say, and how often. */
  right: [words: string, times: number];
  bare(index: number): Promise<unknown>;
}

/** Every call that partners make, over one connection, beside the bare statements that do the same through the same driver; one of each in turn. */
export async function benchCalls(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withWorkbench(options, output, async (workbench) => {
    await stockUp(workbench.service.url, orderedSkuIds, ['2099-12-31'], plenty);
    await stockUp(workbench.service.url, stockSkuIds, expireDates, qtyEach);
    const sql = connectYardstick(workbench.connection, 1);
    const connection = await openConnection(workbench.port);
    const mistakes: string[] = [];
    try {
      for (const call of makeCalls(workbench, sql, makeRandom(options.seed))) {
        const [warmUp, count] = options.quick ? [warmUpCallsQuick, Math.ceil(call.calls / 100)] : [warmUpCalls, call.calls];
        await call.prepare?.(warmUp + count);
        // As PostgreSQL does by itself, a little later.
        await workbench.sql`vacuum analyze`;
        const times = await takeTurns(call, connection, { warmUp, count });
        if (times.wrong !== '') mistakes.push(`${call.name}: ${times.wrong}`);
        const figures = figuresOf(call, times);
        output.progress(JSON.stringify(figures));
        output.row('calls over HTTP beside the bare statements, milliseconds', figures);
      }
      const { findings } = await auditStock(workbench.database);
      if (findings.length > 0) mistakes.push(`the audit found ${findings.length}, such as ${JSON.stringify(findings[0])}`);
      return { mistakes };
    } finally {
      connection.close();
      await sql.end({ timeout: 5 });
    }
  });
}

function makeCalls({ accountId, port }: Workbench, sql: YardstickSql, random: Random): Call[] {
  const stockQuery = (count: number): Call => ({
    name: `stock/query, ${count} sku${count === 1 ? '' : 's'}`,
    calls: count >= 1000 ? 300 : 1000,
    goal: { atMost: 2 },
    request: () => signedRequest('stock/query', { sku_ids: stockSkuIds.slice(0, count) }),
    right: [`"qty":${qtyEach},`, count * expireDates.length],
    bare: () => readStock(sql, { accountId, skuIds: stockSkuIds.slice(0, count) }, []),
  });
  const numbers = (begin: string, index: number) => Array.from({ length: cancelledAtOnce }, (_, place) => `${begin}${index}-${place}`);
  const all = (begin: string, count: number) => Array.from({ length: count }, (_, index) => numbers(begin, index)).flat();

  return [
    {
      name: 'outbound/create, two lines',
      calls: 1000,
      goal: { atMost: 2 },
      request: (index) => signedRequest('outbound/create', orderBody('spread', `A-${index}`, random)),
      right: ['"idempotent":false', 1],
      bare: (index) => createOrder(sql, accountId, { number: `B-${index}`, skuIds: skuIdsOf('spread', random) }),
    },
    ...[1, 100, 1000].map(stockQuery),
    {
      name: 'product/sync, a new product',
      calls: 1000,
      goal: null,
      request: (index) => signedRequest('product/sync', { sku_id: `NEW-A-${index}`, sku_name: `Bench NEW-A-${index}`, storage_type: 1 }),
      right: ['"products_id":', 1],
      bare: (index) => syncProduct(sql, accountId, `NEW-B-${index}`),
    },
    {
      name: 'inbound/create, two lines',
      calls: 1000,
      goal: null,
      request: (index) => inboundRequest(`IN-A-${index}`, twoUnits(random)),
      right: ['"stock_in_no":', 1],
      bare: (index) => createInbound(sql, accountId, `IN-B-${index}`, twoUnits(random)),
    },
    {
      name: `outbound/cancel, ${cancelledAtOnce} orders of two lines`,
      calls: 60,
      goal: null,
      prepare: (count) =>
        sendAll(
          port,
          [...all('OUT-A-', count), ...all('OUT-B-', count)].map((number) =>
            signedRequest('outbound/create', orderBody('spread', number, random)),
          ),
        ),
      request: (index) => signedRequest('outbound/cancel', { outbound_short_ids: numbers('OUT-A-', index) }),
      right: ['"status":"cancelled"', cancelledAtOnce],
      bare: (index) => cancelOrders(sql, accountId, numbers('OUT-B-', index)),
    },
    {
      name: `inbound/cancel, ${cancelledAtOnce} documents of two lines`,
      calls: 60,
      goal: null,
      prepare: (count) =>
        sendAll(
          port,
          [...all('BACK-A-', count), ...all('BACK-B-', count)].map((number) => inboundRequest(number, twoUnits(random))),
        ),
      request: (index) => signedRequest('inbound/cancel', { inbound_short_ids: numbers('BACK-A-', index) }),
      right: ['"status":"cancelled"', cancelledAtOnce],
      bare: (index) => cancelInbounds(sql, accountId, numbers('BACK-B-', index)),
    },
    {
      name: 'logistics order, two items',
      calls: 1000,
      goal: null,
      request: (index) => shippingOrderRequest(`LA-${index}`, skuIdsOf('spread', random)),
      right: ['"idempotent":false', 1],
      bare: (index) => createShippingOrder(sql, accountId, `LB-${index}`, skuIdsOf('spread', random)),
    },
  ];
}

function twoUnits(random: Random): Unit[] {
  return skuIdsOf('spread', random).map((skuId) => ({ skuId, qty: 5 }));
}

function inboundRequest(number: string, units: Unit[]): Buffer {
  return signedRequest('inbound/create', {
    inbound_short_id: number,
    warehouse_tpw_id: faultAccount.tenant,
    details: units.map(({ skuId, qty }) => ({ sku_id: skuId, expires: [{ expire_date: '2099-12-31', qty }] })),
  });
}

function shippingOrderRequest(number: string, skuIds: string[]): Buffer {
  const { consignee_name, consignee_phone, consignee_address } = consignee;
  const body = {
    internal_name: number,
    name: number,
    customer_name: consignee_name,
    delivery_name: consignee_name,
    phone: consignee_phone,
    address: consignee_address,
    delivery_charge: 60,
    products: skuIds.map((sku) => ({ sku, quantity: 1, storage_type: 'ambient' })),
  };
  return plainRequest('/logistics/orders/order', body, { authorization: faultKey.apiKey });
}

/** Over several connections, as fast as it goes. */
async function sendAll(port: number, requests: Buffer[]): Promise<void> {
  let next = 0;
  async function send(): Promise<void> {
    const connection = await openConnection(port);
    while (next < requests.length) {
      const { status, body } = await connection.ask(requests[next++]!);
      if (status !== 200) throw new Error(`what is needed could not be made: ${status} ${body.toString().slice(0, 300)}`);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: preparedAtOnce }, send));
}

interface Times {
  http: number[];
  bare: number[];
  /** The first answer that was not right; empty where all were. */
  wrong: string;
}

async function takeTurns(
  { request, right: [words, often], bare }: Call,
  connection: Connection,
  { warmUp, count }: { warmUp: number; count: number },
): Promise<Times> {
  const times: Times = { http: [], bare: [], wrong: '' };
  for (let index = 0; index < warmUp + count; index++) {
    const bytes = request(index);
    const startedAt = performance.now();
    const { status, body } = await connection.ask(bytes);
    const between = performance.now();
    await bare(index);
    const endedAt = performance.now();
    if (status !== 200 || body.toString().split(words).length - 1 !== often) times.wrong ||= `${status} ${body.toString().slice(0, 300)}`;
    if (index < warmUp) continue;
    times.http.push(between - startedAt);
    times.bare.push(endedAt - between);
  }
  return times;
}

function figuresOf({ name, goal }: Call, { http, bare }: Times): Figures {
  const p99 = (times: number[]) => rounded(quantile(Float64Array.from(times).sort(), 0.99), 2);
  return {
    call: name,
    calls: http.length,
    p50: rounded(median(http), 2),
    p99: p99(http),
    'bare p50': rounded(median(bare), 2),
    'bare p99': p99(bare),
    ...judged(median(http) / median(bare), goal),
  };
}
