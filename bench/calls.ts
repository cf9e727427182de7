import { makeRandom, type Random } from '../faults/random.ts';
import { auditStock } from '../server/domain/audit/audit-stock.ts';
import { readStock } from '../server/domain/stock/stock-queries.ts';
import {
  type ApiRequest,
  type ApiRequestName,
  cancelledNumbers,
  makeApiRequests,
  mistakeIn,
  stockSkuIds,
  stockUpForOrders,
  stockUpForQueries,
  twoUnits,
} from './api-requests.ts';
import { cancelInbounds, cancelOrders, createInbound, createShippingOrder, syncProduct } from './bare-statements.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Figures, type Goal, judged, median, type Output, quantile, rounded } from './figures.ts';
import { connectYardstick, createOrder, type YardstickSql } from './one-transaction-per-order.ts';
import { skuIdsOf } from './order-shapes.ts';
import { withWorkbench } from './workbench.ts';

const warmUpCalls = 10;
const warmUpCallsQuick = 1;
const goals: Partial<Record<ApiRequestName, Goal>> = {
  order: { atMost: 2 },
  stock1: { atMost: 2 },
  stock100: { atMost: 2 },
  stock1000: { atMost: 2 },
};

type BareStatements = (index: number) => Promise<unknown>;

/**
 * Compares every API request over one connection with bare statements that have the same effect, alternately and
 * through the same driver.
 */
export async function benchCalls(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withWorkbench(options, output, async (workbench) => {
    await stockUpForOrders(workbench.service.url);
    await stockUpForQueries(workbench.service.url);
    const sql = connectYardstick(workbench.connection, 1);
    const connection = await openConnection(workbench.port);
    const random = makeRandom(options.seed);
    const bare = makeBareStatements(sql, workbench.accountId, random);
    const mistakes: string[] = [];
    try {
      for (const [name, request] of Object.entries(makeApiRequests(random)) as [ApiRequestName, ApiRequest][]) {
        const [warmUp, count] = options.quick
          ? [warmUpCallsQuick, Math.ceil(request.count / 100)]
          : [warmUpCalls, request.count];
        await request.prepare?.(workbench.port, warmUp + count);
        // PostgreSQL would do this automatically a little later.
        await workbench.sql`vacuum analyze`;
        const times = await takeTurns(request, bare[name], { connection, warmUp, count });
        if (times.wrong !== '') mistakes.push(`${request.name}: ${times.wrong}`);
        const figures = figuresOf(request.name, goals[name] ?? null, times);
        output.progress(JSON.stringify(figures));
        output.row('calls over HTTP beside the bare statements, milliseconds', figures);
      }
      const { findings } = await auditStock(workbench.database);
      if (findings.length > 0)
        mistakes.push(`the audit found ${findings.length}, such as ${JSON.stringify(findings[0])}`);
      return { mistakes };
    } finally {
      connection.close();
      await sql.end({ timeout: 5 });
    }
  });
}

/** The statements that have the same effect as each kind of request. */
function makeBareStatements(
  sql: YardstickSql,
  accountId: number,
  random: Random,
): Record<ApiRequestName, BareStatements> {
  const stockOf = (count: number) => () => readStock(sql, { accountId, skuIds: stockSkuIds.slice(0, count) }, []);
  return {
    order: (index) => createOrder(sql, accountId, { number: `B-${index}`, skuIds: skuIdsOf('spread', random) }),
    stock1: stockOf(1),
    stock100: stockOf(100),
    stock1000: stockOf(1000),
    product: (index) => syncProduct(sql, accountId, `NEW-B-${index}`),
    inbound: (index) => createInbound(sql, accountId, `IN-B-${index}`, twoUnits(random)),
    cancelOrders: (index) => cancelOrders(sql, accountId, cancelledNumbers('OUT-B', index)),
    cancelInbounds: (index) => cancelInbounds(sql, accountId, cancelledNumbers('BACK-B', index)),
    shippingOrder: (index) => createShippingOrder(sql, accountId, `LB-${index}`, skuIdsOf('spread', random)),
  };
}

interface Times {
  http: number[];
  bare: number[];
  /** The first wrong response; empty if all were correct. */
  wrong: string;
}

async function takeTurns(
  request: ApiRequest,
  bare: BareStatements,
  { connection, warmUp, count }: { connection: Connection; warmUp: number; count: number },
): Promise<Times> {
  const times: Times = { http: [], bare: [], wrong: '' };
  for (let index = 0; index < warmUp + count; index++) {
    const bytes = request.bytes(index);
    const startedAt = performance.now();
    const { status, body } = await connection.ask(bytes);
    const between = performance.now();
    await bare(index);
    const endedAt = performance.now();
    times.wrong ||= mistakeIn(request, status, body);
    if (index < warmUp) continue;
    times.http.push(between - startedAt);
    times.bare.push(endedAt - between);
  }
  return times;
}

function figuresOf(name: string, goal: Goal | null, { http, bare }: Times): Figures {
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
