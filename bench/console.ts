import type { BenchOptions } from './benchmark.ts';
import { applyForConsole, compareCalls, openSide } from './console-calls.ts';
import type { Output } from './figures.ts';
import { storeHistory } from './stored-history.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const smallOrders = 1000;
const largeOrders = { quick: 20_000, full: 1_000_000 };
/** Further accounts, each with a tenth of the orders of the main account. */
const otherAccounts = ['BENCH-2', 'BENCH-3'];
/** Ensures that the smaller database fills its pages too; otherwise it would have less work. */
const page_size = 20;
const goal = { atMost: 1.5 };

const dayMs = 86_400_000;
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

/** The requests as sent by the pages. */
const searches: [what: string, path: string, body: object][] = [
  ['the first page', '/orders/search', {}],
  ['a state that most orders have', '/orders/search', { status: ['delivered'] }],
  ['a state that few orders have', '/orders/search', { status: ['pending_warehouse_transfer'] }],
  ['three states', '/orders/search', { status: ['pending_warehouse_transfer', 'shipped', 'cancelled'] }],
  ['one account', '/orders/search', { accounts: ['FAULTS'] }],
  ['two accounts, one state', '/orders/search', { accounts: ['FAULTS', 'BENCH-2'], status: ['delivered'] }],
  ['sixty days', '/orders/search', { created_from: day(120), created_to: day(60) }],
  ['one account, sixty days', '/orders/search', { accounts: ['FAULTS'], created_from: day(120), created_to: day(60) }],
  ['two channels', '/orders/search', { channel: ['main', 'logistics'] }],
  ['a warehouse, by when they changed', '/orders/search', { warehouse_no: [2], sort: 'updated' }],
  ['a state and a warehouse', '/orders/search', { status: ['delivered'], warehouse_no: [2] }],
  ['a number', '/orders/search', { number: 'B-OUT-77' }],
];
const others: [what: string, path: string, body: object][] = [
  ['Ctrl+K: a number', '/search/find', { text: 'B-OUT-77' }],
  ['Ctrl+K: a shipment', '/search/find', { text: 'B-SHIP-77' }],
];
/** These responses are cached briefly, so the requests are sent further apart. */
const homes: [what: string, path: string, body: object][] = [
  ['home: what needs attention', '/home/attention', {}],
  ['home: the flow of today', '/home/flow', {}],
  ['system', '/system/overview', {}],
];
const homeEveryMs = 1600;

/**
 * Compares the lists of the console with a million orders and with a thousand: two services on two databases get the
 * same requests alternately over one connection each.
 */
export async function benchConsole(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const orders = options.quick ? largeOrders.quick : largeOrders.full;
  const onBoth = async (small: Workbench) =>
    await withWorkbench(options, output, async (large) => {
      await store(small, smallOrders, output);
      await store(large, orders, output);
      // Opened late, because the service closes idle connections.
      const sides = [await openSide(small, smallOrders), await openSide(large, orders)] as const;
      const mistakes: string[] = [];
      for (const [what, path, body] of searches)
        mistakes.push(
          ...(await compareCalls(sides, { what, path, body: { ...body, page_size }, goal }, options, output)),
        );
      for (const [what, path, body] of others)
        mistakes.push(...(await compareCalls(sides, { what, path, body, goal: null }, options, output)));
      for (const [what, path, body] of homes)
        mistakes.push(
          ...(await compareCalls(sides, { what, path, body, goal: null, everyMs: homeEveryMs }, options, output)),
        );
      for (const { close } of sides) close();
      return { mistakes };
    });
  return await withWorkbench(options, output, onBoth);
}

async function store(workbench: Workbench, orders: number, output: Output): Promise<void> {
  const { sql, accountId } = workbench;
  await applyForConsole(workbench, otherAccounts);
  const accounts = await sql<
    { account_id: number }[]
  >`select account_id from account where account_no = any(${otherAccounts}) order by account_no`;
  const counts = (share: number) => ({
    products: 200,
    lots: 2000,
    orders: orders * share,
    inbounds: 200,
    callbacks: orders * share * 0.1,
    lines: 1,
  });
  const progress = (line: string) => output.progress(`stored ${line}`);
  await storeHistory(sql, { accountId, numbersBeginWith: 'B-', ...counts(1) }, progress);
  for (const [index, { account_id }] of accounts.entries()) {
    await storeHistory(sql, { accountId: account_id, numbersBeginWith: `B${index + 2}-`, ...counts(0.1) }, progress);
  }
  await sql`vacuum analyze`;
}
