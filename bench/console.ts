import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleBasePath, csrfHeader } from '../contract/console/console-call.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { makeKeyring } from '../server/platform/keyring.ts';
import { parseMasterKey } from '../server/setting-values.ts';
import { plainRequest } from './bearer-request.ts';
import type { BenchOptions } from './benchmark.ts';
import { openConnection } from './connection.ts';
import { judged, median, type Output, rounded } from './figures.ts';
import { storeHistory } from './stored-history.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const smallOrders = 1000;
const largeOrders = { quick: 20_000, full: 1_000_000 };
/** Further accounts, each with a tenth of the orders of the main account. */
const otherAccounts = ['BENCH-2', 'BENCH-3'];
const operator = { username: 'bench', password: 'a password for the bench', role: 'read-only' } as const;
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
        mistakes.push(...(await compare(sides, what, path, { ...body, page_size }, options, output)));
      for (const [what, path, body] of others)
        mistakes.push(...(await compare(sides, what, path, body, options, output)));
      for (const [what, path, body] of homes)
        mistakes.push(...(await compare(sides, what, path, body, options, output, homeEveryMs)));
      for (const { close } of sides) close();
      return { mistakes };
    });
  return await withWorkbench(options, output, onBoth);
}

interface Side {
  orders: number;
  ask(path: string, body: object): Promise<{ ms: number; rows: number | null }>;
  close(): void;
}

async function store({ dataDir, sql, database, accountId }: Workbench, orders: number, output: Output): Promise<void> {
  const keyring = makeKeyring(parseMasterKey(readFileSync(join(dataDir, 'master.key'), 'utf8').trim())!);
  const provisioning = {
    operators: [operator],
    accounts: otherAccounts.map((account_no) => ({ account_no, environment: 'production' as const })),
  };
  const applied = await applyProvisioning(database, keyring, provisioning, { actor: 'bench' });
  if (applied.kind !== 'applied') throw new Error(JSON.stringify(applied));
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

async function openSide({ service, port }: Workbench, orders: number): Promise<Side> {
  const session = await signIn(service.url);
  const connection = await openConnection(port);
  return {
    orders,
    async ask(path, body) {
      const request = plainRequest(`${consoleBasePath}${path}`, body, session);
      const startedAt = performance.now();
      const { status, body: answer } = await connection.ask(request);
      const ms = performance.now() - startedAt;
      if (status !== 200) throw new Error(`${path}: ${status} ${answer.toString().slice(0, 500)}`);
      return { ms, rows: (JSON.parse(answer.toString()) as { rows?: unknown[] }).rows?.length ?? null };
    },
    close: connection.close,
  };
}

async function signIn(url: string): Promise<Record<string, string>> {
  const { username, password } = operator;
  const answer = await fetch(`${url}${consoleBasePath}/session/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const text = await answer.text();
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`nobody could sign in: ${answer.status} ${text}`);
  return { cookie, [csrfHeader]: (JSON.parse(text) as { csrf_token: string }).csrf_token };
}

const warmUpCalls = 2;

async function compare(
  sides: readonly [small: Side, large: Side],
  what: string,
  path: string,
  body: object,
  { quick }: BenchOptions,
  output: Output,
  everyMs = 0,
): Promise<string[]> {
  const calls = quick ? 2 : everyMs > 0 ? 5 : 40;
  const times: number[][] = [[], []];
  const rows: (number | null)[] = [null, null];
  for (let call = quick ? 0 : -warmUpCalls; call < calls; call++) {
    for (const [index, side] of sides.entries()) {
      const { ms, rows: found } = await side.ask(path, body);
      rows[index] = found;
      if (call >= 0) times[index]!.push(ms);
    }
    await sleep(quick ? 0 : everyMs);
  }
  const [small, large] = times.map(median) as [number, number];
  output.row('calls of the console on few and on many orders, milliseconds', {
    call: path,
    what,
    rows: rows[1] ?? '',
    [`${smallOrders} orders`]: rounded(small, 2),
    many: rounded(large, 2),
    of: sides[1].orders,
    ...judged(large / small, path === '/orders/search' ? goal : null),
  });
  return rows[0] === rows[1] ? [] : [`${what}: ${rows[0]} rows of few orders, ${rows[1]} of many`];
}
