import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import { findOrders } from '../../server/domain/search/find-queries.ts';
import { searchTermOf } from '../../server/domain/search/search-term.ts';
import { Connection } from '../../server/platform/postgres/connection.ts';
import { type AccountList, makeSql, type Query } from '../../server/platform/postgres/sql.ts';
import { alpha, beta } from '../support/app.ts';
import { startConsole } from '../support/console.ts';
import { order, receive } from '../support/warehouse.ts';

const root = new URL('../../', import.meta.url);
const { app, viewer } = await startConsole();
const { store } = app;
// Both accounts have a rule of sale, which becomes part of the statements on stock.
await app.provision({
  accounts: [alpha, beta].map(({ accountNo, warehouseTpwId }) => ({
    account_no: accountNo,
    tenants: [{ warehouse_tpw_id: warehouseTpwId, warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 30 }],
  })),
});
for (const account of [alpha, beta]) {
  await receive(app, { TEA: [['2030-01-01', 50]], CUP: [['2031-01-01', 50]] }, account);
  for (const number of ['N-1', 'N-2', 'N-3']) await order(app, number, [['TEA', 1]], account);
}

async function namesOf(query: string): Promise<string[]> {
  const rows = await store.database.read((sql) => sql.unsafe<{ name: string }[]>(query));
  return rows.map(({ name }) => name);
}

/** Every node keeps all partners in memory: they are few, and are read over all accounts. */
const partnerTables = ['account', 'client', 'logistics_key', 'tenant'];

const tablesOfAccounts = (
  await namesOf(`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'account_id' order by 1`)
).filter((table) => !partnerTables.includes(table));

const tablesWithoutAccount = [
  // Shared by all accounts, with few rows.
  ...[
    'warehouse',
    'store',
    'push_schedule',
    'schedule',
    'node',
    'schema_migration',
    'granted_privileges',
    'token_key',
    'retired_master_key',
  ],
  // A batch may have orders of several accounts.
  ...['pick_batch', 'pick_scan'],
  // Read before the account of a caller is known, or with the partners.
  ...['secret', 'partner_change', 'partner_use', 'client_network'],
  // Operators work in all accounts.
  ...['operator', 'operator_session', 'operator_action', 'saved_view'],
  ...['operator_totp', 'operator_recovery_code', 'operator_identity'],
  // One row per run of a job over all accounts.
  ...['stock_audit', 'purge_report', 'recipient_erasure', 'trend_progress'],
  // Rules of administrators about any accounts.
  ...['alert_rule', 'alert_state', 'alert_message'],
  // Includes requests of unknown callers.
  'request_log',
];

test('every table either has an account or is known not to need one', async () => {
  const all = await namesOf(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`);
  const known = [...tablesOfAccounts, ...partnerTables, ...tablesWithoutAccount];
  assert.deepEqual(all, known.toSorted());
  assert.ok(tablesOfAccounts.length >= 19, tablesOfAccounts.join());
});

test('the account is the first column of every primary key, unique constraint and index of its tables', async () => {
  const keyed = await namesOf(`
    select distinct indrelid::regclass::text as name from pg_index where indisprimary`);
  assert.deepEqual(
    tablesOfAccounts.filter((table) => !keyed.includes(table)),
    [],
    'a table without a primary key',
  );
  const others = await namesOf(`
    select indrelid::regclass || '.' || indexrelid::regclass as name
    from pg_index left join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid::regclass::text in (${tablesOfAccounts.map((table) => `'${table}'`).join()})
      and attname is distinct from 'account_id' order by 1`);
  // The page that opens a link knows its token only, and a repeated request its id only.
  assert.deepEqual(others, ['handover_link.handover_link_request', 'handover_link.handover_link_token']);
});

test('the account of a row is never absent', async () => {
  const nullable = await namesOf(`
    select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'account_id' and not attnotnull`);
  assert.deepEqual(nullable, []);
});

test('ids come from named sequences, never from identity columns, which cannot be distributed', async () => {
  const identities = await namesOf(`
    select attrelid::regclass || '.' || attname as name from pg_attribute where attidentity <> '' order by 1`);
  assert.deepEqual(identities, []);
  const ownedByColumns = await namesOf(`
    select objid::regclass::text as name from pg_depend
    join pg_class on pg_class.oid = objid and relkind = 'S'
    where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i') order by 1`);
  assert.deepEqual(ownedByColumns, [], 'a serial column makes a sequence without a name of its own');
});

/** Table names in a statement, in any part of it. */
function tablesIn(text: string): string[] {
  const named = [...text.matchAll(/\b(?:from|join|update|into)\s+([a-z_]+)/g)].map(([, table]) => table!);
  return named.filter((table) => tablesOfAccounts.includes(table));
}

/** The accounts that a statement names; null if it compares the account in a way that may select several. */
function accountsIn({ text, values }: Query): string[] | null {
  if (/account_id\s*(=\s*any|in\b|<|>)/.test(text)) return null;
  const named = [...text.matchAll(/account_id = (?:\(select )?\$(\d+)/g)].map(([, at]) =>
    String(values[Number(at) - 1]),
  );
  return [...new Set(named)];
}

/** Sends a call of the console and returns its statements on tables that have accounts. */
async function statementsOf(path: string, body: object): Promise<Query[]> {
  const run = mock.method(Connection.prototype, 'run');
  try {
    const { status, json } = await viewer.send(path, body);
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
    return run.mock.calls.map((call) => call.arguments[0]!).filter(({ text }) => tablesIn(text).length > 0);
  } finally {
    run.mock.restore();
  }
}

const sku = { sku_prefix: 'T' };
const lists: [string, object[]][] = [
  ['/orders/search', [{}, { status: ['pending_warehouse_transfer', 'in_warehouse'] }, { number: 'N-1' }]],
  ['/inbound/search', [{}, { status: ['received'] }]],
  ['/products/search', [{}, sku]],
  ['/stock/search', [{}, sku, { expiry_band: 'later' }, { expiry_band: 'unsellable' }, { only_free: true }]],
  ['/stock/skus', [{}, { only_stocked: true }]],
  ['/callbacks/search', [{}, { status: ['failed'] }]],
];

for (const [path, bodies] of lists)
  test(`${path} over several accounts: every statement names one account, and every account has its own`, async () => {
    for (const body of bodies) {
      const statements = await statementsOf(path, { accounts: ['ALPHA', 'BETA'], page_size: 1, ...body });
      const accounts = statements.map((statement) => accountsIn(statement));
      for (const [index, named] of accounts.entries()) assert.equal(named?.length, 1, statements[index]!.text);
      assert.equal(new Set(accounts.flat()).size, 2, JSON.stringify(body));
    }
  });

test('details, sums and look-ups of the console name one account in each statement', async () => {
  const idOf = async (table: string, id: string) =>
    (await store.database.read((sql) => sql.unsafe(`select max(${id}) as id from ${table}`)))[0]!.id as number;
  const calls: [string, object][] = [
    ['/orders/detail', { order_id: await idOf('orders', 'order_id') }],
    ['/inbound/detail', { inbound_id: await idOf('inbound_document', 'inbound_id') }],
    ['/products/detail', { product_id: await idOf('product', 'product_id') }],
    ['/stock/by-sku', { product_id: await idOf('product', 'product_id') }],
    ['/stock/lot', { lot_id: await idOf('lot', 'lot_id') }],
    ['/orders/scan', { number: 'N-1' }],
    ['/inbound/find-by-scan', { text: 'N-1' }],
    ['/stock/summary', {}],
    ['/stock/expiring', { within_days: 3650 }],
    ['/callbacks/redeliver-count', { status: ['failed'] }],
    ['/receivers/list', {}],
    ['/home/attention', {}],
    ['/home/flow', {}],
    ['/system/overview', {}],
  ];
  for (const [path, body] of calls) {
    const statements = await statementsOf(path, body);
    assert.notEqual(statements.length, 0, path);
    for (const statement of statements) assert.equal(accountsIn(statement)?.length, 1, `${path}: ${statement.text}`);
  }
});

/** The texts of the statements on orders that a search sends, and the numbers that it finds. */
async function searchOrders(isDistributed: boolean): Promise<{ sent: Query[]; found: string[] }> {
  const sent: Query[] = [];
  const found = await store.database.read((sql) => {
    const send = (query: Query, accounts: AccountList) => {
      if (tablesIn(query.text).length > 0) sent.push(query);
      const ids = accounts.slice(1, -1).split(',').filter(Boolean).map(Number);
      return sql
        .forAccounts(ids)
        .prepared(query.text, query.values as string[])
        .execute();
    };
    const finding = { term: searchTermOf('N-1'), warehouseNos: null, unfilledMax: 100 };
    return findOrders(makeSql(send, [], isDistributed), finding);
  });
  return { sent, found: found.map(({ account_no, partner_number }) => `${account_no} ${partner_number}`).toSorted() };
}

test('a search goes through all accounts with one statement, but on Citus each account has its own', async () => {
  const together = await searchOrders(false);
  assert.deepEqual(together.found, ['ALPHA N-1', 'BETA N-1']);
  assert.equal(together.sent.length, 1);
  assert.match(together.sent[0]!.text, /unnest\(\$1::bigint\[\]/);
  assert.deepEqual(accountsIn(together.sent[0]!), [], 'it names no account, and does not compare accounts either');

  const apart = await searchOrders(true);
  assert.deepEqual(apart.found, together.found);
  assert.deepEqual(
    apart.sent.map(accountsIn).map((accounts) => accounts?.length),
    [1, 1],
  );
  assert.equal(new Set(apart.sent.flatMap(accountsIn)).size, 2);
});

test('on a conflict, no row of an account is set to now(), which Citus refuses: the default of the column serves', () => {
  const upsert = /insert into (\w+)[^`]*?on conflict([^`]*)/g;
  const refused = globSync('server/**/*-queries.ts', { cwd: root }).flatMap((path) =>
    [...readFileSync(new URL(path, root), 'utf8').matchAll(upsert)].flatMap(([, table, after]) =>
      tablesOfAccounts.includes(table!) && after!.includes('now()') ? [`${path}: ${table}`] : [],
    ),
  );
  assert.deepEqual(refused, []);
});
