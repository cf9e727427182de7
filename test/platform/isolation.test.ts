// Isolation below the API: whatever a statement of the service says, the database shows and changes only rows of the
// accounts that were stated, keeps what must stay as it was written, and lets the service change no rule.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, mock, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Connection } from '../../server/platform/postgres/connection.ts';
import { loginOf } from '../../server/platform/postgres/connection-target.ts';
import { connect, openDatabase } from '../../server/platform/postgres/database.ts';
import { openConnection } from '../../server/platform/postgres/open-connection.ts';
import { becomePurgeRole } from '../../server/platform/postgres/roles.ts';
import { noAccounts, type Query, type Rows, type Tx } from '../../server/platform/postgres/sql.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { fingerprintOf, mayNot, patienceSeconds, serviceRole } from '../support/database.ts';
import { live, provisionLive } from '../support/live.ts';
import { form, formPath, item, orderPath, shippingOrder, take } from '../support/logistics.ts';
import { listNames, lists, searchAll } from '../support/main.ts';
import { cancelOrders, order, receive, stockOf } from '../support/warehouse.ts';

const app = await startTestApp();
const { database, service, serviceConnection } = app.store;
await provisionLive(app);
const own = await fill(alpha);
const other = await fill(beta);
const production = await fill(live);
await fillTablesOfAllAccounts();

/** They tell which account a caller belongs to, so they are read before an account can be stated. */
const readByAll = ['client', 'handover_link', 'logistics_key', 'tenant'];
const { tables, views } = await relationsWithAccounts();

/** Puts rows of an account into every table with accounts; returns the id of the account. */
async function fill(caller: typeof alpha): Promise<number> {
  await receive(app, { TEA: [['2030-01-01', 9]] }, caller);
  await order(app, 'KEPT', [['TEA', 1]], caller);
  await order(app, 'CANCELLED', [['TEA', 1]], caller);
  await cancelOrders(app, ['CANCELLED'], caller);
  await take(app, formPath, form('FORM', [{ sku: 'TEA', quantity: 1 }]), caller.apiKey);
  await take(app, orderPath, shippingOrder('WAITING', [item('NOT-IN-STOCK', 1)]), caller.apiKey);
  return await database.transaction(async (tx) => {
    const [{ id }] = (await tx`select account_id as id from account where account_no = ${caller.accountNo}`) as [
      { id: number },
    ];
    const ofForm = tx`from inbound_document where account_id = ${id} and partner_number = 'FORM'`;
    const ofOrder = tx`from orders where account_id = ${id} and partner_number = 'KEPT'`;
    await tx`
      insert into receipt (account_id, inbound_id, receipt_no, payload_digest) select account_id, inbound_id, 'R-1', '' ${ofForm}`;
    await tx`
      insert into product_code (account_id, code, product_id, units)
      select account_id, 'CODE', product_id, 1 from product where account_id = ${id} and sku_id = 'TEA'`;
    await tx`
      insert into product_location (account_id, product_id, warehouse_no, location)
      select account_id, product_id, 1, 'A-1' from product where account_id = ${id} and sku_id = 'TEA'`;
    await tx`
      insert into stock_change (account_id, kind, reference_no, payload_digest, result, lot_ids, movement_ids, actor)
      values (${id}, 'adjust', 'ADJ-1', '', '[]', '{}', '{}', 'test')`;
    await tx`
      insert into transfer (account_id, order_id, transfer_id, warehouse_no, status)
      select account_id, order_id, gen_random_uuid(), warehouse_no, 'waiting' ${ofOrder}`;
    await tx`
      insert into document_note (account_id, document_type, document_id, author, text)
      select account_id, 'order', order_id, 'packer', 'fragile' ${ofOrder}`;
    await tx`
      insert into order_change (account_id, order_id, kind, state, actor, fields)
      select account_id, order_id, 'hold', 'made', 'packer', '{}' ${ofOrder}`;
    await tx`
      insert into parcel (account_id, order_id, parcel_no, shipment_no, carrier)
      select account_id, order_id, 1, 'S-1', 'tcat' ${ofOrder}`;
    await tx`
      insert into parcel_item (account_id, order_id, parcel_no, lot_id, qty)
      select account_id, order_id, 1, (select min(lot_id) from lot where account_id = ${id}), 1 ${ofOrder}`;
    await tx`
      insert into short_line (account_id, order_id, product_id, qty)
      select account_id, order_id, (select min(product_id) from product where account_id = ${id}), 1 ${ofOrder}`;
    await tx`
      insert into callback_attempt (account_id, callback_id, attempt_no, duration_ms, error)
      select account_id, callback_id, 1, 12, 'timeout' from callback where account_id = ${id}`;
    await fillTablesOfFloor(tx, id, ofOrder);
    await fillTrends(tx, id, ofOrder);
    await tx`
      insert into handover_link (account_id, link_id, token_digest, request_id, request_digest, sealed, master_key_id, secrets, language,
        created_by, expires_at)
      values (${id}, gen_random_uuid(), ${randomBytes(32)}, gen_random_uuid(), '', '', 'key', '[]', 'en', 'boss', now())`;
    await tx`
      update inbound_document set kind = 'return', original_order_number = 'KEPT' where account_id = ${id} and partner_number <> 'FORM'`;
    return id;
  });
}

async function fillTrends(tx: Tx, id: number, ofOrder: ReturnType<Tx>): Promise<void> {
  await tx`insert into call_trend (account_id, hour, calls, refused, failed, duration_ms) values (${id}, now(), 1, 0, 0, 1)`;
  await tx`insert into order_trend (account_id, day, warehouse_no, carrier, created) values (${id}, '2026-03-02', 1, 'tcat', 1)`;
  await tx`insert into backlog_trend (account_id, day, warehouse_no, carrier, age, orders) values (${id}, '2026-03-02', 1, 'tcat', 0, 1)`;
  await tx`insert into order_trend_progress (account_id) values (${id})`;
  await tx`
    insert into counted_order (account_id, order_id, warehouse_no, carrier, created_on, is_short)
    select account_id, order_id, 1, 'tcat', '2026-03-02', false ${ofOrder}`;
  await tx`
    insert into callback_trend (account_id, hour, receiver_id, attempts, failed, delivered, given_up, latency)
    values (${id}, now(), gen_random_uuid(), 1, 0, 1, 0, '{1}')`;
}

/** Rows of picking, packing, printing and counting. */
async function fillTablesOfFloor(tx: Tx, id: number, ofOrder: ReturnType<Tx>): Promise<void> {
  const [count] = await tx<{ id: number }[]>`
    insert into stock_count (account_id, request_id, warehouse_no, scope, created_by)
    values (${id}, gen_random_uuid(), 1, 'warehouse', 'packer') returning count_id as id`;
  await tx`
    insert into stock_count_line (account_id, count_id, product_id, stock_type, expire_date)
    select account_id, ${count!.id}, product_id, 'good', '2030-01-01' from product where account_id = ${id} and sku_id = 'TEA'`;
  await tx`
    insert into stock_count_entry (account_id, count_id, scan_id, product_id, stock_type, expire_date, round, units, counted_by)
    select account_id, ${count!.id}, gen_random_uuid(), product_id, 'good', '2030-01-01', 1, 2, 'packer'
    from product where account_id = ${id} and sku_id = 'TEA'`;
  await tx`
    insert into order_print (account_id, order_id, document, prints, print_id, printed_by)
    select account_id, order_id, 'packing_slip', 1, gen_random_uuid(), 'packer' ${ofOrder}`;
  await tx`
    insert into search_part (account_id, kind, part, found_id) select account_id, 'o', 'kept', order_id ${ofOrder}`;
  await tx`
    insert into search_progress (account_id, source, at, created_at, id, sku_id)
    select account_id, 'orders', updated_at, created_at, order_id, '' ${ofOrder}`;
  await tx`
    insert into packed_unit (account_id, order_id, scan_id, parcel_no, product_id, qty, packed_by)
    select account_id, order_id, gen_random_uuid(), 1, (select min(product_id) from product where account_id = ${id}), 1, 'packer'
    ${ofOrder}`;
  await tx`
    insert into planned_shipment (account_id, order_id, shipments, allow_repeat, is_final, due_at, planned_by)
    select account_id, order_id, '[]', false, false, now(), 'packer' ${ofOrder}`;
  await tx`
    insert into pick_batch_order (account_id, order_id, batch_id, slot) select account_id, order_id, 1, 1 ${ofOrder}`;
  await tx`
    insert into pick_task (account_id, order_id, batch_id, lot_id, product_id, qty)
    select account_id, order_id, 1, (select min(lot_id) from lot where account_id = ${id}),
      (select min(product_id) from product where account_id = ${id}), 1 ${ofOrder}`;
}

async function fillTablesOfAllAccounts(): Promise<void> {
  await database.transaction(async (tx) => {
    await tx`insert into stock_audit (lots, orders, findings) values (1, 1, 0)`;
    await tx`
      insert into operator_action (username, action, address, trace_id, outcome)
      values ('boss', 'done', '192.0.2.1', gen_random_uuid(), 'done'), ('boss', 'begun', '192.0.2.1', gen_random_uuid(), null)`;
  });
}

/** From the catalog, so that a new table is not forgotten. The table of the accounts themselves is read by all. */
async function relationsWithAccounts(): Promise<{ tables: string[]; views: string[] }> {
  const rows = await database.read(
    (sql) => sql<{ name: string; kind: string }[]>`
      select relname as name, relkind::text as kind from pg_class c join pg_attribute on attrelid = c.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and attname = 'account_id' and relname <> 'account'
      order by relname`,
  );
  const named = (kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  return { tables: named(['r', 'p']), views: named(['v', 'm']) };
}

/** The number of rows that a statement of the service affects, or the error of PostgreSQL; the statement is undone. */
async function attempt(
  accountIds: readonly number[],
  statement: (tx: Tx) => PromiseLike<Rows>,
): Promise<number | { code: string; message: string }> {
  const undo = new Error('undo');
  let count = 0;
  try {
    await service.transaction(accountIds, async (tx) => {
      ({ count } = await statement(tx));
      throw undo;
    });
  } catch (error) {
    if (error !== undo) return { code: (error as { code: string }).code, message: (error as Error).message };
  }
  return count;
}

async function idsSeen(accountIds: readonly number[], relation: string): Promise<number[]> {
  const rows = await service.read(
    accountIds,
    (sql) => sql<{ id: number }[]>`select distinct account_id as id from ${sql(relation)} order by 1`,
  );
  return rows.map(({ id }) => id);
}

async function rowsOf(table: string, accountId: number): Promise<number> {
  const rows = await database.read((sql) => sql`select from ${sql(table)} where account_id = ${accountId}`);
  return rows.length;
}

/** The outcomes of a statement that may touch no row, or so many. */
function assertTouches(outcome: Awaited<ReturnType<typeof attempt>>, table: string, rows: number): void {
  if (typeof outcome === 'number') assert.equal(outcome, rows, table);
  else assert.deepEqual(outcome, mayNot(table));
}

const brokenRule = (table: string) => ({
  code: '42501',
  message: `new row violates row-level security policy for table "${table}"`,
});

/** Inserts a row that has the values of the first row of an account. */
async function insertCopy(stated: number, table: string, ofAccount: number) {
  const [row] = await database.read(
    (sql) => sql<{ columns: string; values: string }[]>`
      select (select string_agg(quote_ident(attname), ', ') from pg_attribute
          where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and not attisdropped) as columns,
        (select to_jsonb(t)::text from ${sql(table)} t where account_id = ${ofAccount} limit 1) as values`,
  );
  const { columns, values } = row!;
  return await attempt(
    [stated],
    (tx) => tx`
      insert into ${tx(table)} (${tx.unsafe(columns)})
      select ${tx.unsafe(columns)} from jsonb_populate_record(null::${tx(table)}, ${values}::text::jsonb)`,
  );
}

test('every table with accounts is tried, and has rows of each account', async () => {
  assert.ok(tables.length >= 22, tables.join());
  for (const table of tables) {
    const counts = await Promise.all([own, other, production].map((accountId) => rowsOf(table, accountId)));
    assert.ok(Math.min(...counts) > 0, `${table}: ${counts}`);
  }
});

for (const table of tables) {
  test(`${table}: a statement sees, changes, deletes and adds rows of the stated account only`, async () => {
    const before = await fingerprintOf(app.store, table);
    const [all, ofOwn] = [[own, other, production].toSorted((a, b) => a - b), await rowsOf(table, own)];
    const isReadByAll = readByAll.includes(table);
    assert.deepEqual(await idsSeen([own], table), isReadByAll ? all : [own]);
    assert.deepEqual(await idsSeen([own, other], table), isReadByAll ? all : [own, other]);
    assert.deepEqual(await idsSeen(noAccounts, table), isReadByAll ? all : []);

    for (const [stated, owner, rows] of [
      [[own], other, 0],
      [noAccounts, own, 0],
      [[own], own, ofOwn],
    ] as const) {
      const where = (tx: Tx) => tx`where account_id = ${owner}`;
      const updated = await attempt(stated, (tx) => tx`update ${tx(table)} set account_id = account_id ${where(tx)}`);
      assertTouches(updated, table, rows);
      assertTouches(await attempt(stated, (tx) => tx`delete from ${tx(table)} ${where(tx)}`), table, rows);
    }
    // A condition was forgotten.
    assertTouches(await attempt([own], (tx) => tx`update ${tx(table)} set account_id = account_id`), table, ofOwn);
    assertTouches(await attempt([own], (tx) => tx`delete from ${tx(table)}`), table, ofOwn);

    assert.deepEqual(await insertCopy(own, table, other), brokenRule(table));
    // The same insert for the stated account meets the row that was copied.
    const repeated = await insertCopy(own, table, own);
    assert.equal(typeof repeated === 'object' && repeated.code, '23505', table);
    const moved = await attempt(
      [own],
      (tx) => tx`update ${tx(table)} set account_id = ${other} where account_id = ${own}`,
    );
    assert.ok(typeof moved === 'object' && moved.code === '42501', table);
    assert.equal(await fingerprintOf(app.store, table), before);
  });
}

test('a view shows rows of the stated accounts only', async () => {
  assert.deepEqual(views, ['order_phone', 'returned_order']);
  for (const view of views) {
    assert.deepEqual(await idsSeen([own], view), [own]);
    assert.deepEqual(await idsSeen([own, other], view), [own, other]);
    assert.deepEqual(await idsSeen(noAccounts, view), []);
  }
});

test('a condition on a view that would fail at a row of another account never meets one', async () => {
  for (const view of views) {
    const seen = (accountIds: readonly number[], revealing: number) =>
      attempt(accountIds, (tx) => tx`select from ${tx(view)} where 1 / (account_id - ${revealing}::bigint) > 5`);
    assert.equal(await seen([own], other), 0, view);
    assert.equal(await seen(noAccounts, own), 0, view);
    const failed = await seen([own], own);
    assert.equal(typeof failed === 'object' && failed.code, '22012', view);
  }
});

test('a connection on which no account was ever stated sees no rows', async () => {
  const sql = connect(serviceConnection, 1);
  after(() => sql.end());
  for (const relation of [...tables.filter((name) => !readByAll.includes(name)), ...views])
    assert.equal((await sql`select from ${sql(relation)}`).length, 0, relation);
});

test('accounts that were stated for one piece of work do not remain for the next one on the same connection', async () => {
  const narrow = openDatabase(serviceConnection, { max: 1, deadlineSeconds: patienceSeconds });
  after(() => narrow.close());
  const look = (sql: Pick<Tx, 'unsafe'>) =>
    sql.unsafe<{ ids: number[] }[]>(
      'select coalesce(array_agg(distinct account_id), array[]::bigint[])::text as ids from orders',
    );
  const seen: unknown[] = [];
  const note = async (work: Promise<readonly { ids: unknown }[]>) => void seen.push((await work)[0]!.ids);

  await note(narrow.read([own], look));
  await note(narrow.transaction([other], look));
  await note(narrow.read([own], look));
  await note(narrow.read(noAccounts, look));
  await assert.rejects(
    narrow.transaction([other], (tx) => tx`select 1 / 0`),
    /division by zero/,
  );
  await note(narrow.transaction(noAccounts, look));
  await note(narrow.read([other], look));
  assert.deepEqual(seen, [`{${own}}`, `{${other}}`, `{${own}}`, '{}', '{}', `{${other}}`]);
});

const keptAsWritten = [
  'movement',
  'state_change',
  'partner_change',
  'operator_action',
  'document_note',
  'receipt',
  'stock_change',
  'stock_audit',
  'parcel_item',
  'short_line',
  'parcel',
  'order_change',
  'stock_count_entry',
];
/** Columns that are filled in later: the outcome of an action, the right carrier, the answer of a warehouse. */
const addedLater: Record<string, string[]> = {
  operator_action: ['outcome'],
  parcel: ['carrier', 'is_repeat'],
  order_change: ['state', 'old_values', 'attempts', 'answered_at', 'answer'],
  stock_count_entry: ['undone_at'],
};
for (const table of keptAsWritten) {
  test(`${table}: the service may not change or delete a row that was written`, async () => {
    const before = await fingerprintOf(app.store, table);
    const columns = await database.read(
      (sql) => sql<{ name: string }[]>`
        select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`,
    );
    for (const { name } of columns.filter((column) => !addedLater[table]?.includes(column.name))) {
      const updated = await attempt([own, other], (tx) => tx`update ${tx(table)} set ${tx(name)} = ${tx(name)}`);
      assert.deepEqual(updated, mayNot(table), name);
    }
    assert.deepEqual(await attempt([own, other], (tx) => tx`delete from ${tx(table)}`), mayNot(table));
    assert.deepEqual(await attempt([own, other], (tx) => tx`truncate ${tx(table)}`), mayNot(table));
    assert.match(before, /^[1-9]\d* rows/);
    assert.equal(await fingerprintOf(app.store, table), before);
  });
}

test('the outcome of an action is added once', async () => {
  const add = (action: string, outcome: string) =>
    service.transaction(noAccounts, async (tx) => {
      const { count } = await tx`update operator_action set outcome = ${outcome} where action = ${action}`;
      return count;
    });
  assert.equal(await add('begun', 'finished'), 1);
  assert.equal(await add('begun', 'other'), 0);
  assert.equal(await add('done', 'other'), 0);
  const rows = await database.read(
    (sql) => sql`select action, outcome from operator_action where action in ('begun', 'done') order by action`,
  );
  assert.deepEqual(
    rows.map(({ action, outcome }) => [action, outcome]),
    [
      ['begun', 'finished'],
      ['done', 'done'],
    ],
  );
});

const ownerRole = app.store.connection.username;
/** Statements that would change a rule, or go around one. */
const changesOfRules = [
  'create table another (id bigint)',
  'create schema another',
  'create function another() returns integer language sql return 1',
  'create or replace function drop_request_log_day(day date) returns void language sql as $$ select $$',
  'create view another as select 1 as one',
  'create index on orders (name)',
  'create trigger another before insert on orders for each row execute function suppress_redundant_updates_trigger()',
  'create rule another as on delete to orders do instead nothing',
  'alter table orders add column another text',
  'alter table orders drop constraint orders_uat_stays',
  'alter table orders disable row level security',
  `alter table orders owner to ${serviceRole}`,
  'alter policy stated_accounts on orders using (true)',
  'drop policy stated_accounts on orders',
  'create policy another on orders using (true)',
  'drop table movement',
  'drop function create_request_log_day',
  ...['product', 'lot', 'orders', 'waiting_line', 'callback_delivery'].map((table) => `truncate ${table}`),
  'set session_replication_role = replica',
  `set role ${ownerRole}`,
  `set session authorization ${ownerRole}`,
  `alter role ${serviceRole} bypassrls`,
  `alter role ${serviceRole} superuser`,
  'create role another',
  `grant ${ownerRole} to ${serviceRole}`,
  'insert into schema_migration (version, name, checksum) values (9999, $$x$$, $$x$$)',
  'delete from granted_privileges',
  `update account set environment = 'uat'`,
  'delete from account',
  `copy orders to program 'true'`,
  `select pg_read_file('PG_VERSION')`,
  'set local row_security = off; select from orders',
];
for (const statement of changesOfRules) {
  test(`the service may not: ${statement}`, async () => {
    const before = await rulesOfTheDatabase();
    const outcome = await attempt([own, other], (tx) => tx.unsafe(statement));
    assert.equal(typeof outcome === 'object' && outcome.code, '42501', JSON.stringify(outcome));
    assert.deepEqual(await rulesOfTheDatabase(), before);
  });
}

async function rulesOfTheDatabase(): Promise<unknown> {
  const [rules] = await database.read(
    (sql) => sql`
      select (select jsonb_agg(c order by oid) from (
          select oid, relname, relowner, relrowsecurity, relacl::text from pg_class where relnamespace = 'public'::regnamespace) c) as relations,
        (select jsonb_agg(p order by tablename, policyname) from pg_policies p) as policies,
        (select jsonb_agg(f order by oid) from (
          select oid, prosrc, proacl::text from pg_proc where pronamespace = 'public'::regnamespace) f) as functions,
        (select jsonb_agg(r order by rolname) from (select rolname, rolsuper, rolbypassrls, rolinherit from pg_roles
          where rolname in (${serviceRole}, 'another')) r) as roles`,
  );
  return { ...rules };
}

test('the service may create temporary tables, which only its own connection sees', async () => {
  assert.equal(typeof (await attempt(noAccounts, (tx) => tx`create temporary table own (id bigint)`)), 'number');
});

/** The documents of an account and all that belongs to them. */
const purgedTables = [
  'movement',
  'state_change',
  'document_note',
  'inbound_document',
  'inbound_line',
  'inbound_form',
  'receipt',
  'stock_change',
  'stock_count',
  'stock_count_line',
  'stock_count_entry',
  'orders',
  'order_line',
  'shipping_order',
  'transfer',
  'order_change',
  'callback',
  'callback_attempt',
  'callback_target',
];
for (const table of purgedTables) {
  test(`${table}: only a purge deletes, and only rows of a UAT account that was stated`, async () => {
    const deleted = (stated: number[], owner: number, isPurge = true) =>
      attempt(stated, async (tx) => {
        if (isPurge) await becomePurgeRole(tx);
        return await tx`delete from ${tx(table)} where account_id = ${owner}`;
      });
    const all = [own, other, production];
    assert.equal(await deleted(all, own), await rowsOf(table, own));
    assert.equal(await deleted([own], other), 0);
    assert.equal(await deleted(all, production), 0);
    assert.deepEqual(await deleted(all, own, false), mayNot(table));
    assert.ok((await rowsOf(table, production)) > 0);
  });
}

test('the purge role may not change the ledger, nor partners, and ends with its transaction', async () => {
  const asPurge = (statement: string) =>
    attempt([own, production], async (tx) => {
      await becomePurgeRole(tx);
      return await tx.unsafe(statement);
    });
  for (const table of ['movement', 'state_change', 'receipt', 'product', 'tenant'])
    assert.deepEqual(await asPurge(`update ${table} set account_id = account_id`), mayNot(table));
  for (const table of ['lot', 'product', 'account', 'partner_change', 'operator_action'])
    assert.deepEqual(await asPurge(`delete from ${table}`), mayNot(table));

  const narrow = openDatabase(serviceConnection, { max: 1, deadlineSeconds: patienceSeconds });
  after(() => narrow.close());
  const roleOf = (tx: Pick<Tx, 'unsafe'>) => tx.unsafe<{ name: string }[]>('select current_user as name');
  const [during] = await narrow.transaction([own], async (tx) => {
    await becomePurgeRole(tx);
    return await roleOf(tx);
  });
  const [afterwards] = await narrow.read([own], roleOf);
  assert.deepEqual([during!.name, afterwards!.name], [`${serviceRole}_purge`, serviceRole]);
});

/** The same statement as if its author had forgotten the account. */
function withoutAccount(query: Query): Query {
  const text = query.text.replaceAll(
    /(?:\b\w+\.)?\baccount_id = (?:\(select (\$\d+)::bigint\)|(\$\d+)(?:::\w+)?)/g,
    (_, unseen, plain) => `${unseen ?? plain}::bigint is not null`,
  );
  return { ...query, text };
}

interface Mutation {
  original: Query;
  mutated: Query;
}

/** Calls with every statement on tables of accounts mutated; returns the response and the mutations. */
async function callMutated<T>(call: () => Promise<T>): Promise<{ response: T; mutations: Mutation[] }> {
  const mutations: Mutation[] = [];
  const { run } = Connection.prototype;
  const mocked = mock.method(Connection.prototype, 'run', function (this: Connection, query: Query) {
    const mutated = withoutAccount(query);
    if (mutated.text !== query.text) mutations.push({ original: query, mutated });
    return run.call(this, mutated);
  });
  try {
    return { response: await call(), mutations };
  } finally {
    mocked.mock.restore();
  }
}

/** Whether a mutation finds something else for somebody whom row-level security does not bind. */
async function leaksToOwner(mutations: Mutation[]): Promise<boolean> {
  const { connection: owner } = app.store;
  const connection = await openConnection({ server: owner, login: loginOf(owner), settings: {} });
  try {
    for (const { original, mutated } of mutations)
      if (!isDeepStrictEqual(await connection.run(original), await connection.run(mutated))) return true;
    return false;
  } finally {
    connection.destroy();
  }
}

const partnerLists: [string, () => Promise<{ rows: unknown[] }>][] = [
  ...listNames.map((name): [string, () => Promise<{ rows: unknown[] }>] => [
    name,
    async () => ({ rows: await searchAll(app, lists[name]) }),
  ]),
  ['stock/query', async () => ({ rows: await stockOf(app, 'TEA') })],
];

for (const [name, call] of partnerLists) {
  test(`${name}: a query that forgets its account shows no row of another account`, async () => {
    const { rows } = await call();
    const { response, mutations } = await callMutated(call);
    assert.deepEqual(response.rows, rows);
    assert.equal(await leaksToOwner(mutations), true, 'without row-level security the mutation would show more');
  });
}
