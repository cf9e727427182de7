import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { type SearchList, sortKeysOf } from '../../../contract/main/search-list.ts';
import { makeChecker } from '../../../server/platform/json/schema.ts';
import { alpha, startTestApp, type TokenCaller } from '../../support/app.ts';
import {
  accountIdOf,
  anySearch,
  assertHolds,
  assertNotDone,
  bodyOf,
  forEach,
  insertRows,
  type ListName,
  listNames,
  lists,
  microsPerSecond,
  oddTexts,
  type Row,
  retvalOf,
  search,
  searchAll,
  taipei,
  utc,
  walk,
} from '../../support/main.ts';
import { eventually } from '../../support/nodes.ts';
import { insertSample, makeSample, sampleStart } from '../../support/search-sample.ts';
import { order, putLot, receive, stockOf, syncProducts } from '../../support/warehouse.ts';
import { assertFound, comparable, expected, type Modelled, microsOf, modelOf, valuesOf } from './search-model.ts';

const app = await startTestApp();
/** In Taipei it is already the 15th. */
app.clock.set(new Date('2026-11-14T16:00:00Z'));

/** Sells through the expiry day in warehouse 1, everything in 2 since one of its tenants does, and 30 days before in 3. */
const fresh = {
  accountNo: 'FRESH',
  secret: 'fresh-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-F1',
  clientId: 'fresh-erp',
  checkValue: 'fresh-check-value-of-thirty-two-characters-or-more',
};
const large = { clientId: 'large-erp', checkValue: 'large-check-value-of-thirty-two-characters-or-more' };
const reads = [
  ...(['stocks.read', 'products.read', 'orders.read', 'orders.recipients', 'inbounds.read', 'callbacks.read'] as const),
];
const tenant = (warehouse_tpw_id: string, warehouse_no: number, sellable_days_before_expiry: number | null) => ({
  warehouse_tpw_id,
  warehouse_no,
  store_no: 10,
  sellable_days_before_expiry,
});
await app.provision({
  warehouses: [2, 3].map((warehouse_no) => ({ warehouse_no, name: `Warehouse ${warehouse_no}` })),
  accounts: [
    {
      account_no: fresh.accountNo,
      environment: 'uat',
      secret: fresh.secret,
      tenants: [
        tenant('TPW-F1', 1, 0),
        tenant('TPW-F2', 2, 5),
        tenant('TPW-F2-ALL', 2, null),
        tenant('TPW-F3', 3, 30),
        tenant('TPW-F3-MORE', 3, 40),
      ],
    },
    { account_no: 'LARGE', environment: 'uat', secret: 'secret-of-thirty-two-characters-or-more' },
  ],
  clients: [
    { client_id: fresh.clientId, check_value: fresh.checkValue, account_no: fresh.accountNo, permissions: [...reads] },
    { client_id: large.clientId, check_value: large.checkValue, account_no: 'LARGE', permissions: [...reads] },
  ],
});
const sellableFrom: Record<number, string> = { 1: '2026-11-15', 3: '2026-12-15' };

const sampleRows = 66;
const idsFrom = 1_000_000;
const sampleFor = async (accountNo: string, from: number, mark: string) =>
  makeSample({ accountId: await accountIdOf(app, accountNo), idsFrom: from, mark, rows: sampleRows });
const alphaSample = await sampleFor(alpha.accountNo, idsFrom, 'a');
const freshSample = await sampleFor(fresh.accountNo, 2 * idsFrom, 'f');
for (const sample of [alphaSample, freshSample]) await insertSample(app, sample);
const bare = { account_id: await accountIdOf(app, 'LARGE'), payload_digest: '\\x00', warehouse_no: 1, store_no: 10 };
const model = modelOf(alphaSample, {});
const freshModel = modelOf(freshSample, sellableFrom);

const exactly = (list: SearchList) => makeChecker(Type.Object(list.row.properties, { additionalProperties: false }));

/** The accounts and lists on which everything is tried. */
const stages: { title: string; name: ListName; rows: Modelled[]; as: TokenCaller }[] = [
  ...listNames.map((name) => ({ title: name, name, rows: model[name], as: alpha })),
  { title: 'stocks under rules of sale', name: 'stocks', rows: freshModel.stocks, as: fresh },
];

for (const { title, name, rows, as } of stages) {
  const list = lists[name];
  const searchHere = (body: object) => searchAll(app, list, body, as);

  test(`${title}: every row is shown once, as the list's schema says and with nothing beside it`, async () => {
    const found = await searchHere({});
    const check = exactly(list);
    for (const row of found) {
      assert.deepEqual(check(row), { kind: 'valid', value: row });
      assert.deepEqual(Object.keys(row), Object.keys(list.row.properties));
    }
    assert.deepEqual(found, expected(name, rows, { filters: {}, sort: null }));
    assert.ok(found.length > 50);
  });

  for (const [field, { operators }] of Object.entries(list.fields)) {
    // The rules of sale change this field only.
    if (as === fresh && field !== 'qty_available') continue;
    test(`${title}: by ${field}: equal to, any of${operators.map((one) => `, ${one}`).join('')}`, async () => {
      const values = valuesOf(list, rows, field);
      const few = values.filter((_, index) => index % Math.ceil(values.length / 3) === 0);
      const filters: unknown[] = [
        ...few,
        few,
        [few[0], few[0]],
        ...operators.flatMap((operator) =>
          few.filter((value) => operator !== 'prefix' || value !== '').map((value) => ({ [operator]: value })),
        ),
      ];
      let anyFound = false;
      await forEach(filters, async (filter) => {
        const found = await searchHere({ [`${list.prefix}.${field}`]: filter });
        assertFound(found, name, rows, { filters: { [field]: filter }, sort: null });
        anyFound ||= found.length > 0;
      });
      assert.ok(anyFound);
    });
  }

  for (const key of sortKeysOf(list.fields)) {
    if (as === fresh && key !== 'qty_available') continue;
    test(`${title}: sorted by ${key}, both ways, with and without the prefix of the list`, async () => {
      assert.deepEqual(await searchHere({ sort: key, page_size: 7 }), expected(name, rows, { filters: {}, sort: key }));
      const descending = expected(name, rows, { filters: {}, sort: `-${key}` });
      assert.deepEqual(await searchHere({ sort: `-${list.prefix}.${key}` }), descending);
    });
  }

  test(`${title}: any combination of filters, order and page size finds what the model finds`, async () => {
    await assertHolds(
      anySearch(list, (field) => valuesOf(list, rows, field)),
      120,
      async (random) => {
        const pages = await walk(app, list, bodyOf(list, random), { as });
        const found = pages.flat();
        assertFound(found, name, rows, random);
        assert.equal(
          pages.length,
          Math.max(1, Math.ceil(found.length / random.pageSize)),
          'no page is short, and no empty one follows',
        );
      },
    );
  });

  test(`${title}: a page has 50 rows unless asked, 1 or 500 if asked; the last one has no next_cursor, also when it is full`, async () => {
    const all = expected(name, rows, { filters: {}, sort: null });
    assert.deepEqual((await search(app, list, {}, as)).rows, all.slice(0, 50));
    assert.deepEqual((await search(app, list, { page_size: 1 }, as)).rows, all.slice(0, 1));
    const whole = { rows: all, next_cursor: null };
    assert.deepEqual(await search(app, list, { page_size: 500 }, as), whole);
    assert.deepEqual(await search(app, list, { page_size: all.length }, as), whole);

    const first = await search(app, list, { page_size: all.length - 1 }, as);
    assert.ok(first.next_cursor);
    const last = await search(app, list, { page_size: 1, cursor: first.next_cursor }, as);
    assert.deepEqual(last, { rows: all.slice(-1), next_cursor: null });
  });

  test(`${title}: a cursor is good again and again, with any page_size, and however the same search is written`, async () => {
    const [field] = Object.entries(list.fields).find(([, { operators }]) => operators.includes('gte'))!;
    const [least] = valuesOf(list, rows, field).toSorted((a, b) =>
      comparable(field, a)! < comparable(field, b)! ? -1 : 1,
    );
    const key = `${list.prefix}.${field}`;
    const { next_cursor: cursor } = await search(app, list, { [key]: { gte: least, ne: least }, page_size: 2 }, as);
    const questions = { ne: least, gte: least };
    const following = await search(app, list, { page_size: 5, cursor, [key]: questions }, as);
    assert.equal(following.rows.length, 5);
    assert.deepEqual(
      (await search(app, list, { [key]: questions, cursor, page_size: 2 }, as)).rows,
      following.rows.slice(0, 2),
    );
  });
}

test('times are compared to the microsecond, in any offset; the same time in several notations is one value', async () => {
  const time = model.orders[0]!.row.created_at as string;
  const micros = microsOf(time);
  const same = model.orders.filter(({ row }) => row.created_at === time).length;
  const count = async (filter: unknown) => (await searchAll(app, lists.orders, { 'orders.created_at': filter })).length;
  const newYork = utc(micros - 5 * 3600 * microsPerSecond).replace('Z', '-05:00');
  const notations = [time, utc(micros), utc(micros).replace('Z', '+00:00'), newYork];
  for (const notation of notations) assert.equal(await count(notation), same, notation);
  assert.equal(await count({ gte: utc(micros), lte: utc(micros) }), same);
  assert.equal(await count({ gt: utc(micros - 1), lt: utc(micros + 1) }), same);
  assert.equal(await count({ gt: utc(micros), lt: utc(micros + 1) }), 0);
});

test('every time that is accepted can be compared with', async () => {
  for (const [time, found] of [
    ['0001-01-01T00:00:00+15:59', sampleRows],
    ['9999-12-31T23:59:59.999999-15:59', 0],
    ['2000-01-01T00:00:00+23:59', sampleRows],
  ] as const) {
    const answer = await app.callMain(lists.orders.path, { 'orders.created_at': { gt: time }, page_size: 500 });
    // No place on earth has such an offset, and PostgreSQL knows none.
    if (time.endsWith('+23:59') && answer.status === 400) assert.match(assertNotDone(answer), /^orders\.created_at/);
    else assert.equal(retvalOf(answer).rows.length, found, time);
  }
});

test('100 values are any of 100, up to the longest that there are', async () => {
  const long = '😀'.repeat(255);
  const values = [...Array.from({ length: 97 }, (_, index) => `none ${index}`), 'A', '茶', long];
  const found = await searchAll(app, lists.products, { 'products.sku_name': values });
  assert.deepEqual(found, expected('products', model.products, { filters: { sku_name: values }, sort: null }));
  const largest = {
    'products.products_id': [Number.MAX_SAFE_INTEGER, idsFrom],
    'products.sku_id': { gte: '', prefix: oddTexts[0] },
  };
  assert.deepEqual(
    (await searchAll(app, lists.products, largest)).map((row) => row.products_id),
    [idsFrom],
  );
});

test('qty_available is what stock/query says, also under rules of sale, of bad stock, and of one lot in several warehouses', async () => {
  await syncProducts(app, ['AVAILABLE'], fresh);
  for (const warehouseNo of [1, 2, 3]) {
    for (const expireDate of ['2026-11-14', '2026-11-15', '2026-12-14', '2026-12-15', null]) {
      for (const stockType of ['good', 'bad'] as const) {
        await putLot(app, { skuId: 'AVAILABLE', qty: 10 ** warehouseNo, expireDate, stockType, warehouseNo }, fresh);
      }
    }
  }
  await order(app, 'OUT-AVAILABLE', [['AVAILABLE', 15]], fresh);
  const rows = await searchAll(app, lists.stocks, { 'products_stock.sku_id': 'AVAILABLE' }, fresh);
  assert.equal(rows.length, 30);
  const byLot = Map.groupBy(rows, ({ stock_type, expire_date }) => `${stock_type} ${expire_date}`);
  const sum = (those: Row[], field: string) => those.reduce((total, row) => total + (row[field] as number), 0);
  const said = await stockOf(app, 'AVAILABLE', fresh);
  assert.deepEqual(
    new Map(
      said.map((row) => [`${row.stock_type} ${row.expire_date ?? null}`, [row.qty, row.qty_lock, row.qty_available]]),
    ),
    new Map(
      [...byLot].map(([key, those]) => [key, ['qty', 'qty_lock', 'qty_available'].map((field) => sum(those, field))]),
    ),
  );
  const availableOf = (warehouseNo: number) =>
    rows.filter((row) => row.warehouse_no === warehouseNo && row.stock_type === 'good').map((row) => row.qty_available);
  assert.deepEqual(availableOf(1), [0, 0, 5, 10, 10]);
  assert.deepEqual(availableOf(2), [100, 100, 100, 100, 100]);
  assert.deepEqual(availableOf(3), [0, 0, 0, 1000, 1000]);
  const nothingToSell = {
    'products_stock.sku_id': 'AVAILABLE',
    'products_stock.qty_available': 0,
    'products_stock.stock_type': 'good',
  };
  assert.equal((await searchAll(app, lists.stocks, nothingToSell, fresh)).length, 5);
});

const bareOrder = (number: string, micros: number, status = 'shipped') => ({
  ...bare,
  channel: 'warehouse',
  partner_number: number,
  order_no: `ow_${number}_0000000000`,
  status,
  environment: 'production',
  created_at: taipei(micros),
  updated_at: taipei(micros),
});

for (const sort of [undefined, '-warehouse_no']) {
  test(`pages stay as they are while rows are added and others change: no row twice, none missed, sorted by ${sort ?? 'nothing'}`, async () => {
    const mark = `W${sort ?? ''}`;
    const numbers = Array.from({ length: 40 }, (_, index) => `${mark}-${String(index).padStart(2, '0')}`);
    await insertRows(
      app,
      'orders',
      numbers.map((number, index) => bareOrder(number, sampleStart + (index % 7), index % 2 ? 'shipped' : 'packed')),
    );
    let added = 0;
    const between = async (page: number) => {
      // Before, behind and among those that were there; and one that is changed in what is not sorted by.
      await insertRows(
        app,
        'orders',
        [-1, 3, 100].map((micros) =>
          bareOrder(`${mark}-${String(page).padStart(2, '0')}+${++added}`, sampleStart + micros),
        ),
      );
      await app.store.database.transaction(
        (tx) => tx`update orders set carrier = 'tcat', updated_at = now() where partner_number = ${numbers[page * 3]!}`,
      );
    };
    const body = { 'orders.warehouse_no': 1, page_size: 3, ...(sort ? { sort } : {}) };
    const pages = await walk(app, lists.orders, body, {
      as: large,
      between: (page) => (page < 13 ? between(page) : Promise.resolve()),
    });

    const seen = pages.flat().map((row) => row.outbound_short_id as string);
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(new Set(numbers), new Set(numbers.filter((number) => seen.includes(number))));
    await app.store.database.transaction((tx) => tx`delete from orders where account_id = ${bare.account_id}`);
  });
}

test('among 25,000 rows, few of which fit, a page may be short, and all pages together have exactly those that fit', async () => {
  await app.store.database.transaction(
    (tx) => tx`
      insert into orders (account_id, channel, partner_number, shipment_no, order_no, payload_digest, warehouse_no, store_no, status, environment, created_at, updated_at)
      select ${bare.account_id}, 'warehouse', 'L' || i, 'SHIP-L' || i, 'ow_L' || i || '_0000000000', '', 1 + i % 2, i % 1000, 'shipped', 'production',
        ${taipei(sampleStart)}::timestamptz + (i % 5000) * interval '1 microsecond', ${taipei(sampleStart)}::timestamptz
      from generate_series(1, 25000) i`,
  );
  const fitting = Array.from({ length: 25_000 }, (_, index) => index + 1).filter((i) => i % 1000 === 7 && i % 2 === 1);
  const filters = { 'orders.store_no': 7, 'orders.warehouse_no': 2, 'orders.status': { ne: 'packed' } };
  for (const { sort, page_size } of [
    { page_size: 500 },
    { sort: 'created_at', page_size: 3 },
    { sort: '-warehouse_no', page_size: 500 },
  ]) {
    const pages = await walk(app, lists.orders, { ...filters, sort, page_size }, { as: large });
    const found = pages.flat().map((row) => row.outbound_short_id as string);
    assert.equal(found.length, fitting.length, sort);
    assert.deepEqual(new Set(found), new Set(fitting.map((i) => `L${i}`)));
    assert.ok(pages.length <= 4 + Math.ceil(fitting.length / page_size), `${pages.length} pages`);
  }
  const nothing = { ...filters, 'orders.store_no': { gte: 7, lte: 7 }, 'orders.warehouse_no': 1, sort: 'warehouse_no' };
  assert.deepEqual((await walk(app, lists.orders, nothing, { as: large })).flat(), []);
});

test('a value that few rows have is looked up: one page, with any other filters and in any order', async () => {
  const range = { 'orders.updated_at': { gte: taipei(sampleStart) } };
  for (const body of [
    range,
    { sort: 'warehouse_no' },
    { ...range, sort: '-updated_at' },
    { 'orders.status': 'shipped' },
  ]) {
    const page = await search(app, lists.orders, { 'orders.shipment_no': 'SHIP-L77', ...body }, large);
    assert.deepEqual(
      [page.rows.map((row) => row.outbound_short_id), page.next_cursor],
      [['L77'], null],
      JSON.stringify(body),
    );
  }
});

test('a cursor is refused once a rule of sale has changed the order of its list', async () => {
  const client = { clientId: 'ruled', checkValue: 'ruled-check-value-of-thirty-two-characters-or-more' };
  const ruled = { ...fresh, ...client, accountNo: 'RULED', warehouseTpwId: 'TPW-R' };
  const { accountNo: account_no, secret, clientId: client_id, checkValue: check_value } = ruled;
  await app.provision({
    accounts: [{ account_no, environment: 'uat', secret, tenants: [tenant('TPW-R', 1, null)] }],
    clients: [{ client_id, check_value, account_no, permissions: ['stocks.read'] }],
  });
  await receive(app, { R1: [['2030-01-01', 1]], R2: [['2030-01-01', 2]] }, ruled);
  const body = { 'products_stock.qty_available': { lte: 5 }, page_size: 1 };
  const { rows, next_cursor: cursor } = await search(app, lists.stocks, body, ruled);
  assert.deepEqual([rows.length, rows[0]!.sku_id], [1, 'R1']);

  await app.provision({ accounts: [{ account_no, tenants: [tenant('TPW-R', 1, 3)] }] });
  await eventually(async () => {
    const answer = await app.callMain(lists.stocks.path, { ...body, cursor }, { as: ruled });
    return answer.status === 400 && assertNotDone(answer).startsWith('cursor is not of this search');
  });
  assert.equal((await walk(app, lists.stocks, body, { as: ruled })).flat().length, 2);
});

test('with exactly as many rows as a page may look at, the last page is known to be the last', async () => {
  await app.store.database.transaction(
    (tx) => tx`delete from orders where account_id = ${bare.account_id} and store_no >= 400`,
  );
  const [{ count } = { count: 0 }] = await app.store.database.read(
    (sql) => sql`select count(*)::integer as count from orders where account_id = ${bare.account_id}`,
  );
  assert.equal(count, 10_000);
  const pages = await walk(
    app,
    lists.orders,
    { 'orders.store_no': [399], sort: 'updated_at', page_size: 500 },
    { as: large },
  );
  assert.deepEqual(
    pages.flat().map((row) => row.store_no),
    Array(25).fill(399),
  );
  assert.ok(pages.length <= 2);
});

const manyLines = [
  {
    name: 'orders' as const,
    table: 'orders',
    lines: 'order_line',
    id: 'order_id',
    number: 'outbound_short_id',
    columns: 'order_no, status, environment',
    values: "'ow_M_0000000000', 'shipped', 'production'",
  },
  {
    name: 'inbounds' as const,
    table: 'inbound_document',
    lines: 'inbound_line',
    id: 'inbound_id',
    number: 'inbound_short_id',
    columns: 'document_no, status, kind, receiving',
    values: "'si_M', 'received', 'inbound', 'on_create'",
  },
];
for (const { name, table, lines, id, number, columns, values } of manyLines) {
  test(`${name} with more than 6,000 lines together are spread over more pages, and none is missed`, async () => {
    await app.store.database.transaction(async (tx) => {
      const sql = (text: string) => tx.unsafe(text);
      await tx`delete from ${sql(table)} where account_id = ${bare.account_id}`;
      await tx`
        insert into ${sql(table)} (${sql(id)}, account_id, channel, partner_number, payload_digest, warehouse_no, store_no, created_at, ${sql(columns)})
        select 900000 + i, ${bare.account_id}, 'warehouse', 'M' || i, '', 1, 10,
          ${taipei(sampleStart)}::timestamptz - i * interval '1 second', ${sql(values)}
        from generate_series(1, 60) i`;
      await tx`
        insert into product (account_id, product_id, sku_id, name, storage_type)
        select ${bare.account_id}, 800000 + n, 'M-' || n, 'M', '1' from generate_series(0, 9) n on conflict do nothing`;
      await tx`
        insert into ${sql(lines)} (${sql(id)}, line_no, account_id, product_id, qty)
        select 900000 + i, line_no, ${bare.account_id}, 800000 + line_no % 10, line_no
        from generate_series(1, 60) i, generate_series(1, case when i % 4 = 0 then 1 else 500 end) line_no`;
    });
    const pages = await walk(app, lists[name], { page_size: 500 }, { as: large });
    assert.deepEqual(
      pages.flat().map((row) => row[number]),
      Array.from({ length: 60 }, (_, index) => `M${index + 1}`),
    );
    const linesOf = (rows: Row[]) => rows.reduce((sum, row) => sum + (row.details as object[]).length, 0);
    assert.ok(pages.length >= 3);
    for (const page of pages) assert.ok(linesOf(page) <= 6000, `${linesOf(page)} lines`);
    for (const row of pages.flat()) {
      const details = row.details as { qty: number }[];
      assert.deepEqual(
        details.map(({ qty }) => qty),
        Array.from({ length: details.length }, (_, index) => index + 1),
      );
    }
    assert.equal(linesOf(pages.flat()), 45 * 500 + 15);
  });
}
