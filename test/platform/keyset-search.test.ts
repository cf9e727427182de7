import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Operator } from '../../contract/main/search-list.ts';
import { callbackTable } from '../../server/domain/callbacks/callback-search-queries.ts';
import { inboundTable } from '../../server/domain/inbound/inbound-search-queries.ts';
import { orderStatuses } from '../../server/domain/orders/order.ts';
import { orderTable } from '../../server/domain/orders/order-search-queries.ts';
import { productTable } from '../../server/domain/products/product-search-queries.ts';
import { levelOf, levelsFor, lotTable } from '../../server/domain/stock/stock-search-queries.ts';
import type { Value } from '../../server/platform/postgres/bind-values.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import {
  type Condition,
  cutPage,
  makePageQuery,
  OutdatedCursor,
  type Page,
  type Search,
  type SearchField,
  type SearchTable,
  scannedMax,
} from '../../server/platform/postgres/keyset-search.ts';
import { firstBeyond } from '../../server/platform/postgres/range-conditions.ts';
import { searchPage } from '../../server/platform/postgres/search-page.ts';
import { makeSql, type Tx } from '../../server/platform/postgres/sql.ts';
import { planSettings } from '../../server/platform/postgres/surroundings.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { makeTestStore } from '../support/database.ts';
import { accountIdOf, type ListName, lists } from '../support/main.ts';

const app = await startTestApp();
const accountId = await accountIdOf(app, alpha.accountNo);
const accounts = [accountId, await accountIdOf(app, beta.accountNo)];

const times = { updated_at: '2026-10-01T02:00:00Z', created_at: '2026-10-01T01:00:00Z' };
const rules = [
  { warehouseNo: 1, sellableFrom: '2026-11-15' },
  { warehouseNo: 2, sellableFrom: '2026-12-15' },
];

interface Stage {
  name: ListName;
  title: string;
  table: SearchTable;
  words: Record<string, string>;
  values: Record<string, Value>;
}

/** Each list's table in the database, with a value that many rows have and one that few have, for each of its fields. */
const stages: Stage[] = [
  ...[[], rules].map((ruled) => ({
    name: 'stocks' as const,
    title: ruled.length > 0 ? 'stocks under rules of sale' : 'stocks',
    table: lotTable(ruled),
    words: { qty: 'on_hand', qty_available: 'available' },
    values: {
      sku_id: 'S77',
      batch_id: 'B7',
      expire_date: '2027-01-07',
      on_hand: 50,
      available: 50,
      warehouse_no: 2,
      stock_type: 'bad',
    },
  })),
  {
    name: 'products',
    title: 'products',
    table: productTable,
    words: { products_id: 'product_id', sku_name: 'name' },
    values: {
      product_id: 77,
      sku_id: 'S77',
      name: 'Name 7',
      ...times,
      storage_type: 'frozen',
    },
  },
  {
    name: 'orders',
    title: 'orders',
    table: orderTable,
    words: { orders_id: 'order_no', outbound_short_id: 'direct_number', internal_name: 'logistics_number' },
    values: {
      order_no: 'ow_N77_0000000000',
      direct_number: 'N77',
      logistics_number: 'N78',
      shipment_no: 'H7',
      name: 'E7',
      consignee_phone: '0900000077',
      consignee_name: 'Person 7',
      sku_id: 'S77',
      held_at: '2026-10-01T03:00:00Z',
      ...times,
      status: 'packed',
      store_no: 20,
      warehouse_no: 2,
      channel: 'logistics',
    },
  },
  {
    name: 'inbounds',
    title: 'inbounds',
    table: inboundTable,
    words: {
      stock_in_no: 'document_no',
      inbound_short_id: 'direct_number',
      form_no: 'logistics_number',
      outbound_short_id: 'original_order_number',
    },
    values: {
      document_no: 'si_77',
      direct_number: 'N77',
      logistics_number: 'N78',
      original_order_number: 'O7',
      ...times,
      status: 'received',
      kind: 'return',
      store_no: 20,
      warehouse_no: 2,
      channel: 'logistics',
    },
  },
  {
    name: 'callbacks',
    title: 'callbacks',
    table: callbackTable,
    words: {},
    values: {
      event_id: '00000000-0000-4000-8000-000000000077',
      document_no: 'D7',
      ...times,
      status: 'failed',
      event: 'order.shipped',
      document_type: 'inbound',
    },
  },
];

const rowsPerTable = 4000;
// In tables as small as these PostgreSQL may rather read all and sort it; the question is whether it can do without.
const settings = { enable_seqscan: 'off', enable_bitmapscan: 'off' };
const planner = connect(app.store.connection, 1, { settings });
const sortless = connect(app.store.connection, 1, {
  settings: { ...settings, enable_sort: 'off', enable_incremental_sort: 'off' },
});
after(() => Promise.all([planner.end(), sortless.end()]));

async function fillTables(tx: Tx, accountIds: number[], rowsPerTable: number): Promise<void> {
  const account = tx`(${accountIds}::bigint[])[1 + i / 100 % ${accountIds.length}::integer]`;
  const times = tx`'2026-10-01T00:00:00Z'::timestamptz + i * interval '1.5 seconds', '2026-10-01T00:00:00Z'::timestamptz + i % 5000 * interval '3 seconds'`;
  const some = tx`generate_series(1, ${rowsPerTable}::integer) i`;
  await tx`
    insert into product (account_id, sku_id, name, storage_type, created_at, updated_at)
    select ${account}, 'S' || i, 'Name ' || i % 1000, (array['ambient', 'frozen', 'chilled'])[1 + i % 3], ${times} from ${some}`;
  await tx`
    insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
    select ${account}, 1 + i % 3, i, 'S' || i, (array['good', 'bad'])[1 + i % 2], 'B' || i % 500, '2027-01-01'::date + i % 300, i % 2000, i % 2000 / 2
    from ${some}`;
  await tx`
    insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment, name, shipment_no, consignee_phone,
      consignee_name, held_at, created_at, updated_at)
    select ${account}, (array['warehouse', 'main', 'logistics'])[1 + i % 3], 'N' || i, 'ow_N' || i || '_0000000000', '', 1 + i % 3, i % 50,
      (array['in_warehouse', 'packed', 'shipped', 'delivered'])[1 + i % 4], 'production', case when i % 3 = 2 then 'E' || i % 900 end,
      case when i % 4 > 1 then 'H' || i % 900 end, '09-0000-' || lpad((i % 300)::text, 4, '0'), 'Person ' || i % 40,
      case when i % 5 = 0 then '2026-10-01T03:00:00Z'::timestamptz + i % 700 * interval '1 minute' end, ${times} from ${some}`;
  await tx`
    insert into order_line (account_id, order_id, line_no, product_id, qty)
    select o.account_id, order_id, line_no, product_id, 1 from orders o
    join product p on p.account_id = o.account_id and sku_id = 'S' || 1 + order_id % 99, generate_series(1, 2) line_no`;
  await tx`
    insert into inbound_document (account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving, status,
      original_order_number, created_at, updated_at)
    select ${account}, (array['warehouse', 'logistics'])[1 + i % 2], (array['inbound', 'return'])[1 + i % 2], 'N' || i, 'si_' || i, '', 1 + i % 3, i % 50,
      'on_create', (array['expected', 'received', 'stopped'])[1 + i % 3], case when i % 2 = 1 then 'O' || i % 900 end, ${times} from ${some}`;
  await tx`
    insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, document_id, sequence,
      key_name, receiver_id, body, created_at, updated_at)
    select ${account}, ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, (array['order.shipped', 'inbound.received'])[1 + i % 2],
      (array['order', 'inbound', 'return'])[1 + i % 3], 'D' || i % 900, 'https://partner.example', (array['pending', 'delivered', 'failed'])[1 + i % 3],
      now(), i, 1, 'wms', '00000000-0000-4000-8000-000000000000', '{}', ${times} from ${some}`;
}

await planner.begin((tx) => fillTables(tx, accounts, rowsPerTable));
for (const { table } of stages) await planner.unsafe(`vacuum analyze ${table.table}`);

/** Accounts of very different size, with values that are easily sorted wrongly; equal values occur in all of them. */
const mixedAccounts = [1, 2, 3, 4, 5];
const mixedSizes = [0, 1, 40, 200, 4000];
const mixedTexts = ['', 'a', 'B', 'b', 'aa', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', '好'];
const mixedDays = ['-infinity', '0044-03-15 BC', '0001-01-01', '2026-02-28', '2026-10-01', '9999-12-31', '10000-01-01'];
const mixedTimes = [
  ...['-infinity', '2026-10-01 00:00:00.000001+00', '2026-10-01 00:00:00.00001+00', '2026-10-01 00:00:00.1+00'],
  ...['2026-10-01 00:00:00+00', '2026-09-30 23:59:59.999999+00', '12026-10-01 00:00:00+00', 'infinity'],
];
await planner.unsafe(`
  create table mixed (account_id bigint, mixed_id bigint primary key, label text collate "C", word text collate "C", small smallint,
    whole integer, big bigint, day date, at timestamptz, key uuid, word_or_null text collate "C")`);
await planner`
  insert into mixed
  select account_id, row_number() over (order by md5(account_id || '/' || i)), 'L' || i, (${mixedTexts}::text[])[1 + i % 12], i % 7 - 3, i % 11 - 5,
    (i % 5 - 2) * 9007199254740993, (${[...mixedDays, 'infinity']}::date[])[1 + i % 8], (${mixedTimes}::timestamptz[])[1 + i % 8],
    md5((i % 9)::text)::uuid, case when i % 3 > 0 then (${mixedTexts}::text[])[1 + i % 12] end
  from unnest(${mixedAccounts}::bigint[], ${mixedSizes}::integer[]) as sizes(account_id, size), generate_series(1, size) i`;

const bytewise = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

test('a text begins with the prefix exactly where it lies from the prefix to firstBeyond, compared byte by byte', () => {
  const edge = fc.constantFrom('\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', 'a', 'b');
  const any = fc
    .integer({ min: 0x20, max: 0x10f7ff })
    .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));
  const text = fc.array(fc.oneof(edge, any), { maxLength: 4 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(text, text, text, (prefix, rest, other) => {
      for (const one of [prefix + rest, other, other + rest]) {
        const beyond = firstBeyond(prefix);
        const lies = bytewise(one, prefix) >= 0 && (beyond === null || bytewise(one, beyond) < 0);
        assert.equal(lies, one.startsWith(prefix));
      }
    }),
    { numRuns: 500 },
  );
});

test('a page is cut before what would make it too heavy, but holds one row at least; the next one goes on behind it', () => {
  const page = (weights: number[]) => ({
    rows: weights,
    next: null,
    positions: weights.map((weight) => [`behind ${weight}`]),
  });
  const cut = (weights: number[], max: number) => {
    const { rows, next } = cutPage(page(weights), (row) => row, max);
    return [rows, next];
  };
  assert.deepEqual(cut([], 10), [[], null]);
  assert.deepEqual(cut([4, 6], 10), [[4, 6], null]);
  assert.deepEqual(cut([4, 6, 1], 10), [[4, 6], ['behind 6']]);
  assert.deepEqual(cut([11], 10), [[11], null]);
  assert.deepEqual(cut([11, 0, 1], 10), [[11], ['behind 11']]);
  assert.deepEqual(cut([0, 0, 11], 10), [[0, 0], ['behind 0']]);
});

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** Without what is read for each listed row, such as the codes of a product. */
const plansOf = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).filter((child) => child['Parent Relationship'] !== 'SubPlan').flatMap(plansOf),
];

async function planOf(table: SearchTable, search: Search): Promise<PlanNode[] | null> {
  const { text, parameters } = makePageQuery(table, search, accountId);
  if (text === null) return null;
  const isRare = Object.entries(search.filters).some(([field, { anyOf }]) => anyOf && table.fields[field]!.rare);
  const [row] = await (isRare ? planner : sortless).unsafe(`explain (format json) ${text}`, parameters as string[]);
  return plansOf(row!['QUERY PLAN'][0].Plan);
}

/** The index in whose order the rows come without any other wish. */
const indexOfOrder = ({ order, fields }: SearchTable) =>
  Object.values(fields).find(({ column }) => column === order.columns[0]!.name)!.index!;

function assertByIndex(table: Pick<SearchTable, 'table'>, plan: PlanNode[], indexes: string[], what: string): void {
  const scans = plan.filter((node) => node['Relation Name'] === table.table);
  assert.ok(scans.length > 0, what);
  for (const scan of scans) {
    assert.match(scan['Node Type'], /^Index (Only )?Scan$/, what);
    assert.ok(indexes.includes(scan['Index Name']!), `${what}: ${scan['Index Name']}, not ${indexes}`);
  }
}

function assertNothingSorted(plan: PlanNode[], what: string): void {
  assert.deepEqual(
    plan.map((node) => node['Node Type']).filter((type) => /Sort/.test(type)),
    [],
    what,
  );
}

function searchFor(filters: Search['filters'], accountIds = [accountId]): Search {
  return { accountIds, filters, sort: null, pageSize: 50, after: null };
}

/** The first page, and one behind it. */
async function searchesFrom(
  table: SearchTable,
  search: Omit<Search, 'accountIds' | 'pageSize' | 'after'>,
): Promise<Search[]> {
  const first: Search = { ...search, accountIds: [accountId], pageSize: 2, after: null };
  const { next } = await searchPage(planner, table, first);
  return next === null ? [first] : [first, { ...first, after: next }];
}

/** Reads all pages of a search, one after the other. */
async function walk(table: SearchTable, search: Search): Promise<Page<{ id: number }>[]> {
  const pages: Page<{ id: number }>[] = [];
  let after: Search['after'] = null;
  do {
    const page: Page<{ id: number }> = await searchPage(planner, table, { ...search, after });
    assert.ok(page.rows.length <= search.pageSize && page.positions.length === page.rows.length);
    pages.push(page);
    after = page.next;
  } while (after !== null);
  return pages;
}

/** Compares all pages with the order in which one statement of PostgreSQL returns the rows of all accounts. */
async function assertWalksInOrder(table: SearchTable, search: Search, where = 'true') {
  const pages = await walk(table, search);
  const [name] = pages.flatMap((page) => page.positions)[0]!;
  const columns = name!.replace('-', '').split(',');
  const expected = await planner.unsafe<{ id: number }[]>(`
    select ${table.select(() => '', 0)} from ${table.table}
    where account_id in (${search.accountIds.join()}) and ${table.where ?? 'true'} and ${where}
    order by ${columns.map((column) => `${column}${name!.startsWith('-') ? ' desc' : ''}`).join()}`);
  assert.deepEqual(
    pages.flatMap((page) => page.rows.map(({ id }) => id)),
    expected.map(({ id }) => id),
    JSON.stringify(search),
  );
  return pages;
}

const mixedField = (column: string, type: SearchField['type']): SearchField => ({ column, type, index: '' });
const mixedTable: SearchTable = {
  table: 'mixed',
  order: { columns: [{ name: 'mixed_id', type: 'bigint' }], descending: false },
  select: () => 'mixed_id as id',
  fields: {
    // Unique within an account only.
    label: { ...mixedField('label', 'text'), unique: true },
    word: mixedField('word', 'text'),
    small: mixedField('small', 'smallint'),
    whole: mixedField('whole', 'integer'),
    big: mixedField('big', 'bigint'),
    day: mixedField('day', 'date'),
    at: mixedField('at', 'timestamptz'),
    key: mixedField('key', 'uuid'),
    word_or_null: mixedField('word_or_null', 'text'),
    remainder: {
      ...mixedField('', 'bigint'),
      column: () => 'mixed_id % 1009',
      lead: { name: 'mixed_id', type: 'bigint', conditionFor: () => null },
    },
  },
};
const mixedSearch: Search = { accountIds: mixedAccounts, filters: {}, sort: null, pageSize: 50, after: null };

for (const field of ['label', 'word', 'small', 'whole', 'big', 'day', 'at', 'key'])
  test(`over several accounts sorted by ${field}, either way, pages contain every row once and in order`, async () => {
    for (const descending of [false, true]) {
      const search = { ...mixedSearch, sort: { field, descending }, pageSize: 150 };
      const pages = await assertWalksInOrder(mixedTable, search);
      assert.ok(pages.slice(0, -1).every(({ rows }) => rows.length === 150));
      await assertWalksInOrder(mixedTable, { ...search, accountIds: [1, 2, 3], pageSize: 1 });
      await assertWalksInOrder(mixedTable, { ...search, accountIds: [5, 4], pageSize: 700 });
    }
  });

test('over several accounts, rows without a value are where PostgreSQL sorts them', async () => {
  for (const descending of [false, true]) {
    const sort = { field: 'word_or_null', descending };
    await assertWalksInOrder(mixedTable, { ...mixedSearch, sort, pageSize: 5000 });
  }
});

test('if an account has more rows to examine than a page may, no row of another account is skipped or repeated', async () => {
  for (const sort of [null, { field: 'at', descending: true }]) {
    for (const anyOf of [[0], [1, 2, 3], Array.from({ length: 300 }, (_, index) => index)]) {
      const search = { ...mixedSearch, sort, filters: { remainder: { anyOf } } };
      const pages = await assertWalksInOrder(mixedTable, search, `mixed_id % 1009 in (${anyOf.join()})`);
      const isShort = pages.slice(0, -1).some(({ rows }) => rows.length < 50);
      assert.equal(isShort, anyOf.length < 100, 'whether a page ended early');
    }
  }
});

test('a page of several accounts examines no more rows than a page of one', async () => {
  const shares: number[] = [];
  const counting = makeSql(async ({ text, values }) => {
    shares.push(Number(/scanned = (\d+)/.exec(text)![1]));
    return await planner.unsafe(text, values as string[]);
  });
  await searchPage(counting, mixedTable, { ...mixedSearch, filters: { remainder: { anyOf: [2000] } } });
  assert.ok(shares.length > mixedAccounts.length);
  const sum = shares.reduce((total, share) => total + share, 0);
  assert.ok(sum <= scannedMax + shares.length, String(shares));
});

test('a position in another order is refused, for one account and for several', async () => {
  for (const accountIds of [[3], mixedAccounts])
    await assert.rejects(
      searchPage(planner, mixedTable, { ...mixedSearch, accountIds, after: ['-word,mixed_id', 'a', '1'] }),
      OutdatedCursor,
    );
});

test('no account has no page', async () => {
  const none = await searchPage(planner, orderTable, searchFor({}, []));
  assert.deepEqual([none.rows, none.next], [[], null]);
});

for (const { name, title, table, words, values } of stages) {
  const list = lists[name];
  const wordOf = (field: string) => words[field] ?? field;

  test(`${title}: each field has its index, which begins with account_id or leads to one row at most, or it cannot be sorted by`, async () => {
    for (const [field, { operators, sortable }] of Object.entries(list.fields)) {
      const { index, column } = table.fields[wordOf(field)]!;
      if (index === undefined) {
        assert.equal(sortable, false, field);
        continue;
      }
      const [found] = await planner`select indexdef from pg_indexes where indexname = ${index}`;
      const isExact = operators.length === 0 && !sortable && found?.indexdef.startsWith('CREATE UNIQUE INDEX');
      const begins = isExact ? `(account_id, |${column}\\)$)` : 'account_id, ';
      assert.match(found?.indexdef ?? '', new RegExp(`USING btree \\(${begins}`), `${field}: ${index}`);
    }
    assert.deepEqual(Object.keys(list.fields).map(wordOf).toSorted(), Object.keys(table.fields).toSorted());
  });

  for (const [field, { operators }] of Object.entries(list.fields)) {
    const { index, rare, values: all, column, part } = table.fields[wordOf(field)]!;
    const value = values[wordOf(field)]!;
    const conditions: [string, Condition][] = [
      ['equal to', { anyOf: [value] }],
      ['any of', { anyOf: [value, all?.[0] ?? values[wordOf(field)]!, value] }],
      ...operators.map((operator: Operator): [string, Condition] => [operator, { [operator]: value }]),
    ];

    test(`${title}: by ${field}, a page is a stretch of an index, wherever it is: ${conditions.map(([what]) => what).join(', ')}`, async () => {
      for (const [what, condition] of conditions) {
        // No index leads to rows by these fields.
        const isOpen =
          (what === 'ne' && all === undefined) || (typeof column !== 'string' && index !== 'lot_search_free');
        for (const search of await searchesFrom(table, { filters: { [wordOf(field)]: condition }, sort: null })) {
          const plan = (await planOf(table, search))!;
          const at = `${what}${search.after ? ' behind a cursor' : ''}`;
          const open =
            isOpen || (wordOf(field) === 'available' && levelsFor(condition, title.includes('rules')) === null);
          assertByIndex(table, plan, open ? [indexOfOrder(table)] : indexesOf(table, wordOf(field)), at);
          if (part)
            assert.ok(
              plan.some((node) => node['Index Name'] === index),
              at,
            );
          if (!rare) assertNothingSorted(plan, at);
        }
      }
    });
  }

  test(`${title}: in its own order and sorted by each field, either way, a page is a stretch of the index`, async () => {
    const sorts = Object.keys(list.fields).filter((field) => list.fields[field]!.sortable);
    const orders = sorts.flatMap((field) => [false, true].map((descending) => ({ field: wordOf(field), descending })));
    for (const sort of [null, ...orders]) {
      const index = sort === null ? indexOfOrder(table) : table.fields[sort.field]!.index!;
      const [first, ...others] = await searchesFrom(table, { filters: {}, sort });
      for (const search of [first!, ...others, { ...first!, accountIds: accounts }]) {
        const plan = (await planOf(table, search))!;
        assertByIndex(table, plan, [index], JSON.stringify(search));
        assertNothingSorted(plan, JSON.stringify(search));
      }
    }
  });

  test(`${title}: over two accounts, in its own order and sorted by each field, pages contain every row once and in order`, async () => {
    const listed = { ...table, select: () => `${idOf(table)} as id` };
    const sorts = Object.keys(list.fields).filter((field) => list.fields[field]!.sortable);
    for (const [index, sort] of [null, ...sorts].entries()) {
      const search = { ...searchFor({}, accounts), pageSize: 700 };
      const by = sort === null ? null : { field: wordOf(sort), descending: index % 2 === 1 };
      await assertWalksInOrder(listed, { ...search, sort: by });
    }
  });

  test(`${title}: whatever is combined, rows are found by an index of what was asked for or of the order, never by reading the table`, async () => {
    const fields = Object.keys(list.fields);
    const sorts = fields.filter((field) => list.fields[field]!.sortable);
    let turn = 0;
    for (const first of fields) {
      for (const second of fields.slice(fields.indexOf(first) + 1)) {
        for (const sort of [null, sorts[turn++ % sorts.length]!]) {
          const filters = {
            [wordOf(first)]: { anyOf: [values[wordOf(first)]!] },
            [wordOf(second)]: { anyOf: [values[wordOf(second)]!] },
          };
          const search = {
            ...searchFor(filters),
            sort: sort === null ? null : { field: wordOf(sort), descending: false },
          };
          const plan = await planOf(table, search);
          const known = [first, second, ...(sort ? [sort] : [])].flatMap((field) => indexesOf(table, wordOf(field)));
          if (plan) assertByIndex(table, plan, [...known, indexOfOrder(table)], JSON.stringify(search));
        }
      }
    }
  });

  test(`${title}: values are parameters of the statement, never part of it`, () => {
    for (const [field, value] of Object.entries(values)) {
      const text = typeof value === 'number' ? 987_654_321 : `'${value}"--`;
      for (const condition of [
        { anyOf: [text, text] },
        { gte: text, lt: text, ne: text },
        { prefix: String(text) },
      ] as Condition[]) {
        const { text: statement, parameters } = makePageQuery(table, searchFor({ [field]: condition }), 123_456_789);
        if (statement === null) continue;
        assert.ok(!statement.includes(String(text)) && !statement.includes('123456789'), statement);
        const named = [...statement.matchAll(/\$(\d+)::/g)].map(([, number]) => Number(number));
        assert.deepEqual(
          [...new Set(named)].toSorted((one, other) => one - other),
          parameters.map((_, at) => at + 1),
        );
      }
    }
  });
}

test('over many accounts, plans that are kept walk the index of the field or of the order, also if made before an analyze', async () => {
  const store = await makeTestStore();
  const service = connect(store.serviceConnection, 1);
  try {
    // Autovacuum would change statistics at any time. A plan that is made between its VACUUM and its ANALYZE has no
    // statistics, and is kept: PostgreSQL drops plans when the size of a table changes, and only VACUUM changes it.
    for (const { table } of stages)
      await store.database.read((sql) => sql.unsafe(`alter table ${table.table} set (autovacuum_enabled = off)`));
    await store.database.transaction(async (tx) => {
      // These accounts exist only in the tables of the lists.
      await tx`set local session_replication_role = replica`;
      await fillTables(tx, manyAccounts, 20_000);
    });
    const surroundings = { ...planSettings.of_any_values, 'lading.accounts': "'{1}'" };
    for (const [name, value] of Object.entries(surroundings)) await service.unsafe(`set ${name} = ${value}`);
    const kept = stages.flatMap(keptPlansOf);
    for (const [at, { text }] of kept.entries()) await service.unsafe(`prepare page_${at} as ${text}`);
    const planAt = async (at: number) => {
      // A generic plan does not depend on the values.
      const values = kept[at]!.parameters.map(() => 'null').join();
      const [row] = await service.unsafe(`explain (format json) execute page_${at} (${values})`);
      return plansOf(row!['QUERY PLAN'][0].Plan);
    };
    for (const at of kept.keys()) await planAt(at);
    for (const { table } of stages) await store.database.read((sql) => sql.unsafe(`vacuum analyze ${table.table}`));
    for (const [at, { table, indexes, maySort, what }] of kept.entries()) {
      const plan = await planAt(at);
      assertByIndex(table, plan, indexes, what);
      if (!maySort) assertNothingSorted(plan, what);
    }
  } finally {
    await service.end();
    await store.close();
  }
});

const manyAccounts = Array.from({ length: 20 }, (_, index) => index + 1);

/** The pages of a list by each field and in each order, the first one and one behind a position. */
function keptPlansOf({ name: list, table, title, words, values }: Stage) {
  const page = (filters: Search['filters'], sort: Search['sort'], indexes: string[], maySort = false) => {
    const search: Search = { accountIds: manyAccounts, filters, sort, pageSize: 50, after: null };
    const { orderName, positionColumns } = makePageQuery(table, search, 1);
    return [null, [orderName, ...positionColumns]].map((after) => {
      const { text, parameters } = makePageQuery(table, { ...search, after }, 1, { rows: 15, scanned: 512 });
      return {
        table,
        text: text!,
        parameters,
        indexes,
        maySort,
        what: `${title}: ${JSON.stringify({ filters, sort, after })}`,
      };
    });
  };
  const byField = Object.entries(lists[list].fields).flatMap(([word, { operators, sortable }]) => {
    const field = words[word] ?? word;
    const { rare, lead } = table.fields[field]!;
    const index = table.fields[field]!.index ?? indexOfOrder(table);
    const value = values[field]!;
    const hasRange = lead === undefined && operators.includes('gte');
    return [
      ...page({ [field]: { anyOf: [value] } }, null, indexesOf(table, field), rare),
      ...(hasRange ? page({ [field]: { gte: value, lte: value } }, null, [index]) : []),
      ...(sortable ? [false, true] : []).flatMap((descending) => page({}, { field, descending }, [index])),
    ];
  });
  return [...page({}, null, [indexOfOrder(table)]), ...byField];
}

/** The column that is unique over all accounts. */
function idOf({ table }: SearchTable): string {
  return { orders: 'order_id', inbound_document: 'inbound_id' }[table] ?? `${table}_id`;
}

/**
 * One number of ours leads to several indexes, each with its own part of the orders. Rows that are found in another
 * table are looked up by their id.
 */
function indexesOf(table: SearchTable, field: string): string[] {
  const { index = indexOfOrder(table), lead, part } = table.fields[field]!;
  if (part) return [`${table.table}_pkey`, index];
  if (lead?.either === undefined) return [index];
  return Object.values(table.fields).flatMap((other) => (other.column === lead.name ? [other.index!] : [index]));
}

test('the same value twice is looked up once, and what can be nothing is not looked up at all', () => {
  const branches = (filters: Search['filters']) =>
    makePageQuery(orderTable, searchFor(filters), accountId).text?.match(/from orders/g)?.length ?? null;
  assert.equal(branches({ status: { anyOf: ['packed', 'packed'] } }), 1);
  assert.equal(branches({ status: { anyOf: ['packed', 'shipped', 'packed'] } }), 2);
  assert.equal(branches({ status: { ne: 'packed' } }), orderStatuses.length - 1);
  assert.equal(branches({ warehouse_no: { anyOf: Array.from({ length: 100 }, (_, index) => index) } }), 100);
  assert.equal(branches({ order_no: { anyOf: ['nonsense', 'ow_', 'ow_A_', 'ow_A_0123', 'ow__0123456789'] } }), null);
  assert.equal(makePageQuery(lotTable([]), searchFor({ available: { anyOf: [] } }), accountId).text, null);
  assert.equal(makePageQuery(lotTable([]), searchFor({ available: { gt: 5, lt: 6 } }), accountId).text, null);
  assert.equal(makePageQuery(lotTable(rules), searchFor({ available: { lt: 0 } }), accountId).text, null);
});

const lotUnitsMax = 1_000_000_000_000;
const units = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.tuple(fc.integer({ min: 0, max: 39 }), fc.constantFrom(-1, 0, 1)).map(([power, beside]) => 2 ** power + beside),
  fc.integer({ min: 0, max: lotUnitsMax }),
  fc.constantFrom(lotUnitsMax, lotUnitsMax - 1),
);

test('levelOf is what the database writes as free_level, at and around every power of two', async () => {
  const powers = Array.from({ length: 40 }, (_, power) => 2 ** power);
  const free = [
    ...new Set([0, ...powers.flatMap((power) => [power - 1, power, power + 1]), lotUnitsMax - 1, lotUnitsMax]),
  ];
  await app.store.database.transaction(
    (tx) => tx`
      insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
      select ${accountId}, 9, 1, 'S1', type, locked || '/' || free, 'infinity', free + locked, locked
      from unnest(${free}::bigint[]) free, unnest(array[0, 7]) locked, unnest(array['good', 'bad']) type where free + locked <= ${lotUnitsMax}`,
  );
  const rows = await planner`select stock_type, on_hand - locked as free, free_level from lot where warehouse_no = 9`;
  assert.ok(rows.length > 400);
  for (const { stock_type, free, free_level } of rows) {
    assert.equal(free_level, stock_type === 'good' ? levelOf(free) : 0, `${stock_type} ${free}`);
  }
});

test('levelsFor leaves out no level at which there may be a lot that fits', () => {
  const condition: fc.Arbitrary<Condition> = fc.oneof(
    fc.array(units, { minLength: 1, maxLength: 5 }).map((anyOf) => ({ anyOf })),
    fc
      .subarray(['gte', 'gt', 'lte', 'lt', 'ne'] as const, { minLength: 1 })
      .chain((some) => fc.record(Object.fromEntries(some.map((operator) => [operator, units])))),
  );
  fc.assert(
    fc.property(condition, fc.array(units, { minLength: 1, maxLength: 20 }), fc.boolean(), (asked, lots, hasRules) => {
      const levels = levelsFor(asked, hasRules);
      const near = Object.values(asked)
        .flat()
        .flatMap((value) => [Number(value) - 1, Number(value), Number(value) + 1]);
      for (const free of [...lots, ...near].filter((one) => one >= 0 && one <= lotUnitsMax)) {
        // Under a rule, what is free may all the same not be for sale.
        for (const available of hasRules ? [free, 0] : [free]) {
          if (!holds(available, asked) || levels === null) continue;
          assert.ok(holds(levelOf(free), levels), JSON.stringify({ asked, levels, free, available }));
        }
      }
    }),
    { numRuns: 1000 },
  );
});

function holds(have: number, { anyOf, ne, gte, gt, lte, lt }: Condition): boolean {
  return (
    (anyOf === undefined || anyOf.includes(have)) &&
    (ne === undefined || have !== ne) &&
    (gte === undefined || have >= Number(gte)) &&
    (gt === undefined || have > Number(gt)) &&
    (lte === undefined || have <= Number(lte)) &&
    (lt === undefined || have < Number(lt))
  );
}
