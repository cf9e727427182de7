import { faultAccount, faultWarehouse, withService } from '../faults/child-process.ts';
import type { StockDetail } from '../sdk/client.ts';
import { readStock } from '../server/domain/stock/stock-queries.ts';
import { connect } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { type Answer, openConnection } from './connection.ts';
import { median, type Output, quantile, rounded } from './figures.ts';
import { signedRequest } from './signed-request.ts';
import { stockUp } from './stock-up.ts';

const skuIds = Array.from({ length: 1000 }, (_, index) => `STOCK-${index}`);
const expireDates = ['2099-01-31', '2099-02-28', '2099-03-31'];
const qtyEach = 100;
const skuCounts = [1, 100, 1000];
const ratioGoal = 2;
const warmUpCalls = 30;

/** `stock/query`, signed, over one connection, beside the same query through the same driver; one call of each in turn. */
export async function benchStock(options: { quick: boolean; env: Record<string, string> }, output: Output): Promise<{ correct: boolean }> {
  return await withService({ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...options.env }, async (service, dataDir) => {
    const embedded = await openEmbeddedPostgres({ dataDir });
    const sql = connect(embedded.connection, 1);
    const warehouse = faultWarehouse(service);
    const connection = await openConnection(Number(new URL(service.url).port));
    try {
      await stockUp(service.url, skuIds, expireDates, qtyEach);
      const [account] = await sql<{ account_id: number }[]>`select account_id from account where account_no = ${faultAccount.accountNo}`;
      const accountId = account!.account_id;

      let wrong = 0;
      for (const count of skuCounts) {
        const asked = skuIds.slice(0, count);
        const rowsWanted = count * expireDates.length;
        const ask = () => connection.ask(signedRequest('stock/query', { sku_ids: asked }));
        const query = () => readStock(sql, accountId, asked, []);
        if (untouched(await warehouse.stockQuery(asked)) !== rowsWanted || (await query()).length !== rowsWanted) wrong += 1;

        const times = await takeTurns(ask, query, callsFor(count, options.quick));
        wrong += times.refused;
        output.row('stock/query over HTTP beside the bare query', { skus: count, rows: rowsWanted, ...figuresOf(times) });
      }
      if (wrong > 0) output.progress(`MISTAKE: ${wrong} answers were not what they should be`);
      return { correct: wrong === 0 };
    } finally {
      connection.close();
      await sql.end({ timeout: 5 });
      await embedded.close();
    }
  });
}

function callsFor(skuCount: number, quick: boolean): number {
  const calls = skuCount >= 1000 ? 300 : 1000;
  return quick ? calls / 3 : calls;
}

/** Rows as they were brought in. */
function untouched(details: StockDetail[]): number {
  return details.filter((row) => row.status === 'ok' && row.qty === qtyEach && row.qty_available === qtyEach).length;
}

interface Times {
  http: number[];
  query: number[];
  refused: number;
}

async function takeTurns(ask: () => Promise<Answer>, query: () => Promise<unknown>, calls: number): Promise<Times> {
  const times: Times = { http: [], query: [], refused: 0 };
  for (let call = -warmUpCalls; call < calls; call++) {
    const startedAt = performance.now();
    const { status } = await ask();
    const between = performance.now();
    await query();
    const endedAt = performance.now();
    if (status !== 200) times.refused += 1;
    if (call < 0) continue;
    times.http.push(between - startedAt);
    times.query.push(endedAt - between);
  }
  return times;
}

function figuresOf({ http, query }: Times) {
  const p99 = quantile(
    http.toSorted((one, other) => one - other),
    0.99,
  );
  return {
    'http p50 ms': rounded(median(http), 2),
    'http p99 ms': rounded(p99, 2),
    'query p50 ms': rounded(median(query), 2),
    ratio: rounded(median(http) / median(query), 2),
    goal: `<= ${ratioGoal}`,
  };
}
