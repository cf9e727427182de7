import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ordersSearch } from '../contract/main/orders-search.ts';
import type { SearchList } from '../contract/main/search-list.ts';
import { stocksSearch } from '../contract/main/stocks-search.ts';
import { faultMain } from '../faults/child-process.ts';
import type { MainClient } from '../sdk/client.ts';
import { ordersFormat } from '../server/api/main/orders-search.ts';
import { makeSearchReader, type SearchRequest } from '../server/api/main/search-request.ts';
import { stocksFormat } from '../server/api/main/stocks-search.ts';
import { orderTable } from '../server/domain/orders/order-search-queries.ts';
import { lotTable } from '../server/domain/stock/stock-search-queries.ts';
import { makeCursors } from '../server/http/cursor.ts';
import { makeKeyring } from '../server/platform/keyring.ts';
import {
  type CursorPosition,
  makePageQuery,
  type Search,
  type SearchTable,
} from '../server/platform/postgres/keyset-search.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { parseMasterKey } from '../server/setting-values.ts';
import { bearerRequest, getToken } from './bearer-request.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Figures, median, type Output, rounded } from './figures.ts';
import { storeHistory } from './stored-history.ts';
import { withWorkbench } from './workbench.ts';

interface Listing {
  list: SearchList;
  walk(main: MainClient, body: object): AsyncIterable<unknown>;
  table: SearchTable;
  domainNames: Record<string, string | undefined>;
}
const orders: Listing = {
  list: ordersSearch,
  walk: (main, body) => main.searchOrders(body),
  table: orderTable,
  domainNames: ordersFormat.domainNames,
};
const stocks: Listing = {
  list: stocksSearch,
  walk: (main, body) => main.searchStocks(body),
  table: lotTable([]),
  domainNames: stocksFormat.domainNames,
};

/** Every field of both lists individually, with all of its operators. */
const searches: [Listing, object][] = [
  [orders, {}],
  [orders, { sort: 'updated_at' }],
  [orders, { sort: '-status' }],
  [orders, { 'orders.orders_id': 'ow_B-OUT-77_28dd2c7955' }],
  [orders, { 'orders.outbound_short_id': 'B-OUT-77' }],
  [orders, { 'orders.outbound_short_id': { prefix: 'B-OUT-1' } }],
  [orders, { 'orders.internal_name': { prefix: 'B-' } }],
  [orders, { 'orders.name': 'nobody' }],
  [orders, { 'orders.shipment_no': 'B-SHIP-77777' }],
  [orders, { 'orders.shipment_no': { prefix: 'B-SHIP-9' } }],
  [orders, { 'orders.status': 'picking' }],
  [orders, { 'orders.status': 'delivered' }],
  [orders, { 'orders.status': 'awaiting_stock' }],
  [orders, { 'orders.status': ['picking', 'packed', 'shipped'] }],
  [orders, { 'orders.status': { ne: 'delivered' } }],
  [orders, { 'orders.channel': 'main' }],
  [orders, { 'orders.channel': { ne: 'warehouse' } }],
  [orders, { 'orders.warehouse_no': 2 }],
  [orders, { 'orders.warehouse_no': { gte: 2 } }],
  [orders, { 'orders.store_no': 1 }],
  [orders, { 'orders.created_at': { gte: '2020-01-01T00:00:00Z' } }],
  [orders, { 'orders.updated_at': { gte: '2020-01-01T00:00:00Z' } }],
  [stocks, {}],
  [stocks, { sort: '-expire_date' }],
  [stocks, { 'products_stock.sku_id': 'B-SKU-7' }],
  [stocks, { 'products_stock.sku_id': { prefix: 'B-SKU-1' } }],
  [stocks, { 'products_stock.batch_id': 'B7' }],
  [stocks, { 'products_stock.expire_date': { lt: '2027-06-01' } }],
  [stocks, { 'products_stock.expire_date': '2027-06-01' }],
  [stocks, { 'products_stock.qty': { gte: 1 } }],
  [stocks, { 'products_stock.qty_available': { gt: 0 } }],
  [stocks, { 'products_stock.qty_available': { lte: 1 } }],
  [stocks, { 'products_stock.warehouse_no': 2 }],
  [stocks, { 'products_stock.stock_type': 'bad' }],
  [stocks, { 'products_stock.stock_type': { ne: 'bad' } }],
];

const pageSize = 50;
/** Enough rows for separate first, deep and last pages. */
const worthPaging = 10 * pageSize;

/**
 * Measures the search lists with a million orders: the first, a deep and the last page of each, and the statement of
 * the first page through the same driver, in alternating turns over one connection; also checks every query plan.
 */
export async function benchSearch(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const size = options.quick ? 0.02 : 1;
  return await withWorkbench(options, output, async ({ service, port, dataDir, sql, accountId }) => {
    await storeHistory(sql, historyOf(accountId, size), (line) => output.progress(`stored ${line}`));
    await sql`vacuum analyze`;

    const cursors = makeCursors(makeKeyring(parseMasterKey(readFileSync(join(dataDir, 'master.key'), 'utf8').trim())!));
    const main = faultMain(service);
    const token = await getToken(service.url);
    const connection = await openConnection(port);
    const mistakes: string[] = [];
    for (const [listing, body] of searches) {
      const subject = readSearch(listing, body, accountId);
      const scans = await sequentialScans(sql, listing.table, subject.search);
      // With few rows, a sequential scan is the best plan.
      if (scans > 0 && !options.quick) mistakes.push(`a sequential scan for ${JSON.stringify(body)}`);

      const pages = await placesOf(sql, listing.table, subject.search);
      if (pages.rows < worthPaging) {
        const walked = (await Array.fromAsync(listing.walk(main, body))).length;
        if (walked !== pages.rows) mistakes.push(`${walked} rows instead of ${pages.rows} for ${JSON.stringify(body)}`);
      }
      const ask = (after: CursorPosition | null) => {
        const cursor = after
          ? {
              cursor: cursors.write(
                { list: listing.list.prefix, accountIds: [accountId], search: subject.request },
                after,
              ),
            }
          : {};
        return bearerRequest(`/api/v2/default${listing.list.path}`, { ...body, ...cursor }, token);
      };
      const bare = barePage(sql, listing.table, subject.search);
      const times = await takeTurns(connection, pages.places.map(ask), bare, options.quick ? 3 : 40);
      output.row('pages of 50 rows over HTTP, and the bare statement of the first one, milliseconds', {
        list: listing.list.prefix,
        search: JSON.stringify(body),
        rows: pages.rows,
        ...figuresOf(times),
        'seq scans': scans,
      });
    }
    connection.close();
    return { mistakes };
  });
}

function historyOf(accountId: number, size: number) {
  const counts = { products: 20_000, lots: 200_000, orders: 1_000_000, inbounds: 20_000, callbacks: 100_000 };
  const scaled = Object.fromEntries(
    Object.entries(counts).map(([what, count]) => [what, count * size]),
  ) as typeof counts;
  return { accountId, numbersBeginWith: 'B-', lines: 1, ...scaled };
}

/**
 * The same search as parsed by the service, with the API's field names for the cursor and the domain's for the
 * statement.
 */
function readSearch(
  { list, domainNames }: Listing,
  body: object,
  accountId: number,
): { request: SearchRequest; search: Search } {
  const reading = makeSearchReader(list)(body as Record<string, unknown>);
  if (reading.kind === 'mistakes') throw new Error(`${JSON.stringify(body)}: ${JSON.stringify(reading.mistakes)}`);
  const request = reading.search;
  const inDomainWords = (field: string) => domainNames[field] ?? field;
  const filters = Object.fromEntries(
    Object.entries(request.filters).map(([field, condition]) => [inDomainWords(field), condition]),
  );
  const sort = request.sort && { ...request.sort, field: inDomainWords(request.sort.field) };
  return { request, search: { accountIds: [accountId], filters, sort, pageSize, after: null } };
}

async function sequentialScans(sql: Sql, table: SearchTable, search: Search): Promise<number> {
  const { text, parameters } = makePageQuery(table, search, search.accountIds[0]!);
  if (text === null) return 0;
  const plan = await sql.unsafe(`explain ${text}`, parameters as string[]);
  return plan.filter((line) => /Seq Scan on/.test(line['QUERY PLAN'])).length;
}

/** The start of the first, a deep and the last page. Small lists only have a first page. */
async function placesOf(
  sql: Sql,
  table: SearchTable,
  search: Search,
): Promise<{ rows: number; places: (CursorPosition | null)[] }> {
  const { text, parameters, orderName, positionColumns } = makePageQuery(
    table,
    { ...search, pageSize: 10_000_000 },
    search.accountIds[0]!,
  );
  const columns = positionColumns.join(', ');
  const [count] = await sql.unsafe(
    `select count(*) as rows from (${text}) as listed where fits`,
    parameters as string[],
  );
  const rows: number = count!.rows;
  if (rows < worthPaging) return { rows, places: [null] };
  const places = await Promise.all(
    [Math.floor(rows / 2), rows - pageSize - 1].map(async (offset) => {
      const [row] = await sql.unsafe(
        `select ${columns} from (${text}) as listed offset ${offset} limit 1`,
        parameters as string[],
      );
      return [orderName, ...positionColumns.map((name) => row![name] as string)];
    }),
  );
  return { rows, places: [null, ...places] };
}

/** The rows of the page as returned by the driver, without their lines and timelines. */
function barePage(sql: Sql, table: SearchTable, search: Search): () => Promise<unknown> {
  const { text, parameters } = makePageQuery(table, search, search.accountIds[0]!);
  return async () => (text === null ? [] : await sql.unsafe(text, parameters as string[]));
}

const warmUpCalls = 2;

interface Times {
  /** The times of each page. */
  http: number[][];
  bare: number[];
}

async function takeTurns(
  connection: Connection,
  requests: Buffer[],
  bare: () => Promise<unknown>,
  calls: number,
): Promise<Times> {
  const times: Times = { http: requests.map(() => []), bare: [] };
  for (let call = -warmUpCalls; call < calls; call++) {
    for (const [index, request] of requests.entries()) {
      const startedAt = performance.now();
      const { status, body } = await connection.ask(request);
      if (status !== 200) throw new Error(`${status}: ${body.toString().slice(0, 500)}`);
      if (call >= 0) times.http[index]!.push(performance.now() - startedAt);
    }
    const startedAt = performance.now();
    await bare();
    if (call >= 0) times.bare.push(performance.now() - startedAt);
  }
  return times;
}

function figuresOf({ http: [first, deep, last], bare }: Times): Figures {
  const firstMs = median(first!);
  const pages = deep && last ? { deep: median(deep), last: median(last) } : null;
  return {
    first: rounded(firstMs, 2),
    'bare statement': rounded(median(bare), 2),
    'first / bare': rounded(firstMs / median(bare), 2),
    deep: pages ? rounded(pages.deep, 2) : '',
    last: pages ? rounded(pages.last, 2) : '',
    'deep / first': pages ? rounded(pages.deep / firstMs, 2) : '',
    'last / first': pages ? rounded(pages.last / firstMs, 2) : '',
  };
}
