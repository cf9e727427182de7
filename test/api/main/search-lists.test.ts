import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type SearchList, sortKeysOf } from '../../../contract/main/search-list.ts';
import { makeChecker } from '../../../server/platform/schema.ts';
import { alpha, startTestApp, type TokenCaller } from '../../support/app.ts';
import {
  accountIdOf,
  anySearch,
  assertHolds,
  assertNotDone,
  bodyOf,
  type Filters,
  forEach,
  insertRows,
  insertSample,
  type ListName,
  listNames,
  lists,
  madeOnly,
  makeSample,
  microsPerSecond,
  oddTexts,
  type RandomSearch,
  type Row,
  retvalOf,
  type Sample,
  sampleStart,
  search,
  searchAll,
  taipei,
  utc,
  walk,
} from '../../support/main.ts';
import { order, putLot, receive, stockOf, syncProducts, withoutTriggers } from '../../support/warehouse.ts';

const noInboundItem = { name: null, storage_type: null, price: null, identifier: null };
const noOrderItem = { name: null, storage_type: null, price: null, batch: null, identifier: null, combo_sku: null };
const app = await startTestApp();
/** In Taipei it is already the 15th. */
app.clock.set(new Date('2026-11-14T16:00:00Z'));

/** Sells through the expiry day in warehouse 1, everything in 2 since one of its tenants does, and 30 days before in 3. */
const fresh = {
  accountNo: 'FRESH',
  secret: 'fresh-secret',
  warehouseTpwId: 'TPW-F1',
  clientId: 'fresh-erp',
  checkValue: 'fresh-check-value',
};
const large = { clientId: 'large-erp', checkValue: 'large-check-value' };
const empty = { clientId: 'empty-erp', checkValue: 'empty-check-value' };
const reads = ['stocks.read', 'products.read', 'orders.read', 'inbounds.read', 'callbacks.read'] as const;
await app.provision({
  warehouses: [2, 3].map((warehouse_no) => ({ warehouse_no, name: `Warehouse ${warehouse_no}` })),
  accounts: [
    {
      account_no: fresh.accountNo,
      environment: 'uat',
      secret: fresh.secret,
      tenants: [
        { warehouse_tpw_id: 'TPW-F1', warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 0 },
        { warehouse_tpw_id: 'TPW-F2', warehouse_no: 2, store_no: 10, sellable_days_before_expiry: 5 },
        { warehouse_tpw_id: 'TPW-F2-ALL', warehouse_no: 2, store_no: 10, sellable_days_before_expiry: null },
        { warehouse_tpw_id: 'TPW-F3', warehouse_no: 3, store_no: 10, sellable_days_before_expiry: 30 },
        { warehouse_tpw_id: 'TPW-F3-MORE', warehouse_no: 3, store_no: 10, sellable_days_before_expiry: 40 },
      ],
    },
    ...['LARGE', 'EMPTY'].map((account_no) => ({ account_no, environment: 'uat' as const, secret: 'secret' })),
  ],
  clients: [
    { client_id: fresh.clientId, check_value: fresh.checkValue, account_no: fresh.accountNo, permissions: [...reads] },
    { client_id: large.clientId, check_value: large.checkValue, account_no: 'LARGE', permissions: [...reads] },
    { client_id: empty.clientId, check_value: empty.checkValue, account_no: 'EMPTY', permissions: [...reads] },
  ],
});
const sellableFrom: Record<number, string> = { 1: '2026-11-15', 3: '2026-12-15' };

/** A row as the list must show it, and where it stands among those that are equal in what they are sorted by. */
interface Modelled {
  row: Row;
  /** What a sort compares, where that is not what the row shows. */
  keys: Row;
  ties: (string | number)[];
}

type LotRow = Row & Record<'warehouse_no' | 'on_hand' | 'locked' | 'lot_id', number> & Record<'sku_id' | 'expire_date', string>;

/** Of documents of which nothing has arrived: all that they announce. */
function missing(announced: [skuId: string, qty: number][]) {
  const sums = new Map<string, number>();
  for (const [skuId, qty] of announced) sums.set(skuId, (sums.get(skuId) ?? 0) + qty);
  return [...sums].map(([sku_id, announced]) => ({ sku_id, announced, received: 0 }));
}

const modelOf = (sample: Sample, rules: Record<number, string>): Record<ListName, Modelled[]> => {
  const skuOf = new Map(sample.product.map(({ product_id, sku_id }) => [product_id, sku_id]));
  return {
    stocks: sample.lot
      .filter(({ on_hand }) => (on_hand as number) > 0)
      .map((lot) => {
        const { warehouse_no, sku_id, stock_type, batch_id, expire_date, on_hand, locked, lot_id } = lot as LotRow;
        const sellable = stock_type === 'good' && expire_date >= (rules[warehouse_no] ?? '');
        return {
          row: {
            warehouse_no,
            sku_id,
            stock_type,
            batch_id,
            expire_date: expire_date === 'infinity' ? null : expire_date,
            qty: on_hand,
            qty_lock: locked,
            qty_available: sellable ? on_hand - locked : 0,
          },
          keys: {},
          ties: [comparable('sku_id', sku_id)!, lot_id],
        };
      }),
    products: sample.product.map(({ account_id: _, product_id, name, length_cm, width_cm, height_cm, weight_kg, ...product }) => ({
      row: {
        products_id: product_id,
        sku_id: product.sku_id,
        sku_name: name,
        storage_type: product.storage_type,
        length: length_cm,
        width: width_cm,
        height: height_cm,
        weight: weight_kg,
        created_at: product.created_at,
        updated_at: product.updated_at,
      },
      keys: {},
      ties: [comparable('sku_id', product.sku_id)!],
    })),
    orders: sample.orders.map(({ order_id, order_no, channel, partner_number, ...rest }) => ({
      row: {
        orders_id: order_no,
        outbound_short_id: channel === 'logistics' ? null : partner_number,
        internal_name: channel === 'logistics' ? partner_number : null,
        name: rest.name,
        status: rest.status,
        channel,
        warehouse_no: rest.warehouse_no,
        store_no: rest.store_no,
        shipment_no: rest.shipment_no,
        carrier: rest.carrier,
        logistics_type: rest.logistics_type,
        express_type: rest.express_type,
        consignee_country: rest.consignee_country,
        consignee_name: rest.consignee_name,
        consignee_phone: rest.consignee_phone,
        consignee_address: rest.consignee_address,
        consignee_zip: rest.consignee_zip,
        details: sample.order_line
          .filter((line) => line.order_id === order_id)
          .map(({ product_id, qty }) => ({ sku_id: skuOf.get(product_id), qty, item: channel === 'logistics' ? noOrderItem : null })),
        shipping: null,
        timeline: madeOnly(rest as { status: unknown; created_at: unknown }),
        created_at: rest.created_at,
        updated_at: rest.updated_at,
      },
      keys: { outbound_short_id: partner_number, internal_name: partner_number },
      ties: [rest.created_at as string, order_id as number],
    })),
    inbounds: sample.inbound_document.map(({ inbound_id, document_no, channel, partner_number, ...rest }) => ({
      row: {
        stock_in_no: document_no,
        inbound_short_id: channel === 'logistics' ? null : partner_number,
        form_no: channel === 'logistics' ? partner_number : null,
        kind: rest.kind,
        status: rest.status,
        channel,
        warehouse_no: rest.warehouse_no,
        store_no: rest.store_no,
        outbound_short_id: rest.original_order_number,
        estimated_arrival_at: rest.estimated_arrival_at,
        details: sample.inbound_line
          .filter((line) => line.inbound_id === inbound_id)
          .map(({ product_id, expire_date, batch_id, qty }) => {
            const item = channel === 'logistics' ? noInboundItem : null;
            return { sku_id: skuOf.get(product_id), expire_date, batch_id, qty, item };
          }),
        received: [],
        differences: missing(
          sample.inbound_line
            .filter((line) => line.inbound_id === inbound_id)
            .map(({ product_id, qty }) => [skuOf.get(product_id) as string, qty as number]),
        ),
        form: null,
        timeline: madeOnly(rest as { status: unknown; created_at: unknown }),
        created_at: rest.created_at,
        updated_at: rest.updated_at,
      },
      keys: { inbound_short_id: partner_number, form_no: partner_number },
      ties: [rest.created_at as string, inbound_id as number],
    })),
    callbacks: sample.callback.map(({ callback_id, account_id: _, url, ...rest }) => ({
      row: {
        event_id: rest.event_id,
        event: rest.event,
        document_type: rest.document_type,
        document_no: rest.document_no,
        sequence: rest.sequence,
        body: rest.body,
        callback_url: url,
        status: rest.status,
        attempts: sample.callback_attempt
          .filter((attempt) => attempt.callback_id === callback_id)
          .map(({ at, duration_ms, http_status, error, address, response }) => ({
            at,
            duration_ms,
            http_status,
            error,
            address,
            response,
          })),
        next_attempt_at: null,
        occurred_at: rest.occurred_at,
        created_at: rest.created_at,
        updated_at: rest.updated_at,
      },
      keys: {},
      ties: [rest.created_at as string, callback_id as number],
    })),
  };
};

const sampleRows = 66;
const idsFrom = 1_000_000;
const alphaSample = makeSample({ accountId: await accountIdOf(app, alpha.accountNo), idsFrom, mark: 'a', rows: sampleRows });
const freshSample = makeSample({ accountId: await accountIdOf(app, fresh.accountNo), idsFrom: 2 * idsFrom, mark: 'f', rows: sampleRows });
for (const sample of [alphaSample, freshSample]) await insertSample(app, sample);
const bare = { account_id: await accountIdOf(app, 'LARGE'), payload_digest: '\\x00', warehouse_no: 1, store_no: 10 };
const model = modelOf(alphaSample, {});
const freshModel = modelOf(freshSample, sellableFrom);

/** What a value is compared as: text byte by byte, times as instants, and what does not expire as later than every date. */
function comparable(field: string, value: unknown): string | number | null {
  if (field === 'expire_date') return (value as string | null) ?? 'infinity';
  if (typeof value === 'string' && (field === 'created_at' || field === 'updated_at')) return microsOf(value);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value as number | null;
}

function microsOf(time: string): number {
  const [, seconds, decimals = '', offset] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(time)!;
  return Date.parse(`${seconds}${offset}`) * 1000 + Number(decimals.padEnd(6, '0'));
}

const holds: Record<string, (have: string | number, asked: string | number) => boolean> = {
  gte: (have, asked) => have >= asked,
  gt: (have, asked) => have > asked,
  lte: (have, asked) => have <= asked,
  lt: (have, asked) => have < asked,
  ne: (have, asked) => have !== asked,
  prefix: (have, asked) => String(have).startsWith(String(asked)),
};

/** A row without a value fits no question about it. */
function fits(field: string, row: Row, filter: unknown): boolean {
  const have = comparable(field, row[field]);
  if (have === null) return false;
  if (Array.isArray(filter)) return filter.some((value) => comparable(field, value) === have);
  if (typeof filter !== 'object') return comparable(field, filter) === have;
  return Object.entries(filter as object).every(([operator, value]) => holds[operator]!(have, comparable(field, value)!));
}

/** Asked for by a range and without a wish for an order, rows come in the order of the field that is asked so. */
function impliedSort(name: ListName, filters: Filters): string | null {
  const ranged = Object.keys(filters).find((field) => isRange(filters[field])) ?? null;
  return ranged === 'created_at' && newestFirst.includes(name) ? null : ranged;
}

function isRange(filter: unknown): boolean {
  return typeof filter === 'object' && !Array.isArray(filter) && Object.keys(filter as object).some((operator) => operator !== 'ne');
}

const newestFirst: ListName[] = ['orders', 'inbounds', 'callbacks'];

type Asked = Pick<RandomSearch, 'filters' | 'sort'>;

function expected(name: ListName, rows: Modelled[], { filters, sort }: Asked): Row[] {
  const wish = sort ?? impliedSort(name, filters);
  const descending = wish === null ? newestFirst.includes(name) : wish.startsWith('-');
  const field = wish?.replace(/^-/, '');
  const placeOf = ({ row, keys, ties }: Modelled) => [
    ...(field === undefined ? [] : [comparable(field, keys[field] ?? row[field])]),
    ...ties,
  ];
  return rows
    .filter(({ row }) => Object.entries(filters).every(([name, filter]) => fits(name, row, filter)))
    .map((one) => ({ row: one.row, place: placeOf(one) }))
    .toSorted((one, other) => comparePlaces(one.place, other.place) * (descending ? -1 : 1))
    .map(({ row }) => row);
}

/**
 * Exactly those rows, in that order. Where nobody has asked for one, the order is ours to choose for a range beside other filters; and by what
 * can still be sold it is only roughly one.
 */
function assertFound(found: Row[], name: ListName, rows: Modelled[], asked: Asked): void {
  const all = expected(name, rows, asked);
  const filters = Object.entries(asked.filters);
  const isOurs = filters.some(([field, filter]) => isRange(filter) && (filters.length > 1 || field === 'qty_available'));
  const isRough = asked.sort === null && isOurs;
  const inOrder = (those: Row[]) =>
    isRough ? those.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) : those;
  assert.deepEqual(inOrder(found), inOrder(all), JSON.stringify(asked));
}

function comparePlaces(one: unknown[], other: unknown[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] as number) < (other[at] as number) ? -1 : 1;
}

/** What the rows have in a field, and what is near to it. An empty text is a value to search for in batch_id only. */
function valuesOf(list: SearchList, rows: Modelled[], field: string): unknown[] {
  const had = [...new Set(rows.map(({ row }) => row[field]))].filter((value) => value !== null);
  const near = had.slice(0, 12).flatMap((value): unknown[] => {
    if (typeof value === 'number') return [value + 1, Math.max(0, value - 1)];
    if (field === 'created_at' || field === 'updated_at') {
      const micros = microsOf(value as string);
      return [taipei(micros + 1), utc(micros), utc(micros - 1)];
    }
    if (field === 'expire_date') return [dayAfter(value as string), '0001-01-01'];
    return field === 'event_id' ? ['00000000-0000-4000-8000-000000000000'] : [`${value}!`, [...(value as string)][0]!, '', 'A'];
  });
  const check = makeChecker(list.fields[field]!.value);
  return [...had, ...new Set(near)].filter((value) => check(value).kind === 'valid' && (value !== '' || field === 'batch_id'));
}

function dayAfter(day: string): string {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  return next.startsWith('+') ? day : next;
}

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
    test(`${title}: sorted by ${key}, both ways, with and without the prefix of the list`, async () => {
      for (const sort of [key, `-${key}`]) {
        const sorted = expected(name, rows, { filters: {}, sort });
        assert.deepEqual(await searchHere({ sort }), sorted);
        assert.deepEqual(await searchHere({ sort: sort.replace(key, `${list.prefix}.${key}`), page_size: 7 }), sorted);
      }
    });
  }

  test(`${title}: whatever is asked for in whatever order and pages, it is what a plain look at all rows gives`, async () => {
    await assertHolds(
      anySearch(list, (field) => valuesOf(list, rows, field)),
      120,
      async (random) => {
        const pages = await walk(app, list, bodyOf(list, random), { as });
        const found = pages.flat();
        assertFound(found, name, rows, random);
        assert.equal(pages.length, Math.max(1, Math.ceil(found.length / random.pageSize)), 'no page is short, and no empty one follows');
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
    const [least] = valuesOf(list, rows, field).toSorted((a, b) => (comparable(field, a)! < comparable(field, b)! ? -1 : 1));
    const key = `${list.prefix}.${field}`;
    const { next_cursor: cursor } = await search(app, list, { [key]: { gte: least, ne: least }, page_size: 2 }, as);
    const questions = { ne: least, gte: least };
    const following = await search(app, list, { page_size: 5, cursor, [key]: questions }, as);
    assert.equal(following.rows.length, 5);
    assert.deepEqual((await search(app, list, { [key]: questions, cursor, page_size: 2 }, as)).rows, following.rows.slice(0, 2));
  });
}

for (const name of listNames) {
  test(`${name}: an account without any has an empty last page, whatever is asked`, async () => {
    const list = lists[name];
    const none = { rows: [], next_cursor: null };
    assert.deepEqual(await search(app, list, {}, empty), none);
    for (const field of Object.keys(list.fields)) {
      for (const value of valuesOf(list, model[name], field).slice(0, 2)) {
        assert.deepEqual(await search(app, list, { [`${list.prefix}.${field}`]: value }, empty), none);
      }
    }
  });
}

const texts = { stocks: 'batch_id', products: 'sku_name', orders: 'name', callbacks: 'document_no', inbounds: 'form_no' } as const;
for (const [name, field] of Object.entries(texts) as [ListName, string][]) {
  test(`${name}: a prefix is that text and nothing else, whatever its characters mean elsewhere (${field})`, async () => {
    const list = lists[name];
    await forEach([...oddTexts, 'A-', "'; drop table orders;--", '\u{10ffff}\u{10ffff}', '\ud7ff\u{10ffff}'], async (prefix) => {
      const found = await searchAll(app, list, { [`${list.prefix}.${field}`]: { prefix } });
      const beginning = model[name].filter(({ row }) => (row[field] as string | null)?.startsWith(prefix));
      assert.deepEqual(new Set(found.map((row) => JSON.stringify(row))), new Set(beginning.map(({ row }) => JSON.stringify(row))), prefix);
    });
  });
}

test('text is compared byte by byte: capitals before small letters, both before everything beyond ASCII', async () => {
  const found = await searchAll(app, lists.products, {
    'products.sku_id': ['a', 'A', 'Ä', '茶', '😀', '\ue000', '_', '%'],
    sort: 'sku_id',
  });
  assert.deepEqual(
    found.map((row) => row.sku_id),
    ['%', 'A', '_', 'a', 'Ä', '茶', '\ue000', '😀'],
  );
});

test('what does not expire is later than every date: found by gt and ne, not by lt, and last in order', async () => {
  const key = 'products_stock.expire_date';
  const datesOf = async (body: object) => (await searchAll(app, lists.stocks, body)).map((row) => row.expire_date);
  const forever = model.stocks.filter(({ row }) => row.expire_date === null).length;
  assert.ok(forever > 3);
  assert.equal((await datesOf({ [key]: { gt: '9999-12-31' } })).length, forever);
  assert.equal((await datesOf({ [key]: { ne: '9999-12-31' } })).filter((date) => date === null).length, forever);
  assert.ok(!(await datesOf({ [key]: { lte: '9999-12-31' } })).includes(null));
  assert.deepEqual((await datesOf({ sort: 'expire_date' })).slice(-forever), Array(forever).fill(null));
  assert.deepEqual((await datesOf({ sort: '-expire_date' })).slice(0, forever), Array(forever).fill(null));
});

test('a number that an order does not have is not another number: ne finds those that have one', async () => {
  for (const field of ['shipment_no', 'name', 'outbound_short_id', 'internal_name']) {
    const found = await searchAll(app, lists.orders, { [`orders.${field}`]: { ne: 'A' } });
    assert.ok(found.length > 0);
    for (const row of found) assert.ok(row[field] !== null && row[field] !== 'A');
  }
});

test('times are told apart to the microsecond, in whatever offset they are written', async () => {
  const micros = microsOf(model.orders[0]!.row.created_at as string);
  const same = model.orders.filter(({ row }) => row.created_at === taipei(micros)).length;
  const count = async (filter: unknown) => (await searchAll(app, lists.orders, { 'orders.created_at': filter })).length;
  const newYork = `${new Date(micros / 1000 - 5 * 3_600_000).toISOString().slice(0, 19)}.${String(micros % microsPerSecond).padStart(6, '0')}-05:00`;
  for (const time of [taipei(micros), utc(micros), newYork]) assert.equal(await count(time), same, time);
  assert.equal(await count({ gte: utc(micros), lte: utc(micros) }), same);
  assert.equal(await count({ gt: utc(micros - 1), lt: utc(micros + 1) }), same);
  assert.equal(await count({ gt: utc(micros), lt: utc(micros + 1) }), 0);
});

test('the same time in several notations is one value: no row comes twice', async () => {
  const time = model.orders[0]!.row.created_at as string;
  const micros = microsOf(time);
  for (const field of ['created_at', 'updated_at']) {
    for (const sort of [{}, { sort: field }, { sort: `-${field}` }]) {
      const filters = { [field]: [time, utc(micros), `${time.slice(0, 26)}+08:00`, utc(micros).replace('Z', '+00:00')] };
      const found = await searchAll(app, lists.orders, { [`orders.${field}`]: filters[field], ...sort });
      assertFound(found, 'orders', model.orders, { filters, sort: sort.sort ?? null });
    }
  }
});

for (const [title, time, before] of [
  ['the earliest', '0001-01-01T00:00:00Z', true],
  ['the earliest, behind Greenwich', '0001-01-01T00:00:00-15:59', true],
  ['the earliest, ahead of Greenwich', '0001-01-01T00:00:00+15:59', true],
  ['the latest', '9999-12-31T23:59:59.999999Z', false],
  ['the latest, behind Greenwich', '9999-12-31T23:59:59.999999-15:59', false],
  ['the latest, ahead of Greenwich', '9999-12-31T23:59:59.999999+15:59', false],
  ['of the largest offset', '2000-01-01T00:00:00+23:59', true],
  ['of the smallest offset', '2000-01-01T00:00:00-23:59', true],
] as const) {
  test(`every time that is accepted can be compared with: ${title}, ${time}`, async () => {
    for (const [filter, found] of [
      [{ gt: time }, before ? sampleRows : 0],
      [[time], 0],
      [{ ne: time }, sampleRows],
    ] as const) {
      const answer = await app.callMain(lists.orders.path, { 'orders.created_at': filter, page_size: 500 });
      // No place on earth is that far ahead or behind, and PostgreSQL knows none.
      if (/[+-]23:59$/.test(time) && answer.status === 400) assert.match(assertNotDone(answer), /^orders\.created_at/);
      else assert.equal(retvalOf(answer).rows.length, found, JSON.stringify(filter));
    }
  });
}

test('100 values are any of 100, up to the longest that there are', async () => {
  const long = '😀'.repeat(255);
  const values = [...Array.from({ length: 97 }, (_, index) => `none ${index}`), 'A', '茶', long];
  const found = await searchAll(app, lists.products, { 'products.sku_name': values });
  assert.deepEqual(found, expected('products', model.products, { filters: { sku_name: values }, sort: null }));
  const largest = { 'products.products_id': [Number.MAX_SAFE_INTEGER, idsFrom], 'products.sku_id': { gte: '', prefix: oddTexts[0] } };
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
    new Map(said.map((row) => [`${row.stock_type} ${row.expire_date ?? null}`, [row.qty, row.qty_lock, row.qty_available]])),
    new Map([...byLot].map(([key, those]) => [key, ['qty', 'qty_lock', 'qty_available'].map((field) => sum(those, field))])),
  );
  const availableOf = (warehouseNo: number) =>
    rows.filter((row) => row.warehouse_no === warehouseNo && row.stock_type === 'good').map((row) => row.qty_available);
  assert.deepEqual(availableOf(1), [0, 0, 5, 10, 10]);
  assert.deepEqual(availableOf(2), [100, 100, 100, 100, 100]);
  assert.deepEqual(availableOf(3), [0, 0, 0, 1000, 1000]);
  const nothingToSell = { 'products_stock.sku_id': 'AVAILABLE', 'products_stock.qty_available': 0, 'products_stock.stock_type': 'good' };
  assert.equal((await searchAll(app, lists.stocks, nothingToSell, fresh)).length, 5);
});

test('orders and inbound documents made through the APIs are found with all that was sent, lines in their order', async () => {
  await receive(app, { 'MADE-1': [['2030-01-01', 9]], 'MADE-2': [['2030-01-01', 9]] });
  const inbound = {
    inbound_short_id: 'IN-MADE',
    warehouse_tpw_id: alpha.warehouseTpwId,
    outbound_short_id: 'OUT-MADE',
    estimated_arrival_time: 1_800_000_000_123,
    details: [
      {
        sku_id: 'MADE-2',
        expires: [
          { expire_date: '2031-01-01', qty: 3 },
          { expire_date: '2030-06-01', qty: 2 },
        ],
      },
      { sku_id: 'MADE-1', expires: [{ expire_date: '2031-01-01', qty: 1 }] },
    ],
  };
  const returned = (await app.callWarehouse('/inbound/return', inbound)).json;
  const { stock_in_no } = returned.data;
  const sent = {
    outbound_short_id: 'OUT-MADE',
    warehouse_tpw_id: alpha.warehouseTpwId,
    consignee_country: 'TW',
    logistics_type: 'csvs',
    express_type: 'family',
    consignee_name: '王小明',
    consignee_address: '',
    details: [
      { sku_id: 'MADE-2', qty: 2 },
      { sku_id: 'MADE-1', qty: 1 },
      { sku_id: 'MADE-2', qty: 1 },
    ],
  };
  const ordered = (await app.callWarehouse('/outbound/create', sent)).json;
  const { orders_id } = ordered.data;

  const [made, ...others] = await searchAll(app, lists.orders, { 'orders.orders_id': orders_id });
  const { created_at, updated_at, ...rest } = made!;
  assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00$/);
  assert.equal(updated_at, created_at);
  assert.deepEqual(others, []);
  assert.deepEqual(rest, {
    orders_id,
    outbound_short_id: 'OUT-MADE',
    internal_name: null,
    name: null,
    status: 'pending_warehouse_transfer',
    channel: 'warehouse',
    warehouse_no: 1,
    store_no: 10,
    shipment_no: null,
    carrier: null,
    logistics_type: 'csvs',
    express_type: 'family',
    consignee_country: 'TW',
    consignee_name: '王小明',
    consignee_phone: null,
    consignee_address: null,
    consignee_zip: null,
    details: sent.details.map((line) => ({ ...line, item: null })),
    shipping: null,
    timeline: madeOnly({ status: 'pending_warehouse_transfer', created_at }, 'ALPHA', ordered.trace_id),
  });
  const [document] = await searchAll(app, lists.inbounds, { 'inbounds.outbound_short_id': 'OUT-MADE' });
  const { created_at: createdAt, updated_at: updatedAt, ...documentRest } = document!;
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(documentRest, {
    stock_in_no,
    inbound_short_id: 'IN-MADE',
    form_no: null,
    kind: 'return',
    status: 'received',
    channel: 'warehouse',
    warehouse_no: 1,
    store_no: 10,
    outbound_short_id: 'OUT-MADE',
    estimated_arrival_at: '2027-01-15T16:00:00.123000+08:00',
    details: [
      { sku_id: 'MADE-2', expire_date: '2031-01-01', batch_id: '', qty: 3, item: null },
      { sku_id: 'MADE-2', expire_date: '2030-06-01', batch_id: '', qty: 2, item: null },
      { sku_id: 'MADE-1', expire_date: '2031-01-01', batch_id: '', qty: 1, item: null },
    ],
    received: [
      { sku_id: 'MADE-1', stock_type: 'good', batch_id: '', expire_date: '2031-01-01', qty: 1 },
      { sku_id: 'MADE-2', stock_type: 'good', batch_id: '', expire_date: '2030-06-01', qty: 2 },
      { sku_id: 'MADE-2', stock_type: 'good', batch_id: '', expire_date: '2031-01-01', qty: 3 },
    ],
    differences: [],
    form: null,
    timeline: madeOnly({ status: 'received', created_at: createdAt }, 'ALPHA', returned.trace_id),
  });
});

const bareOrder = (number: string, micros: number, status = 'shipped') => ({
  ...bare,
  channel: 'warehouse',
  partner_number: number,
  order_no: `ow_${number}_0000000000`,
  status,
  created_at: taipei(micros),
  updated_at: taipei(micros),
});

const walks: { sort?: string }[] = [{}, { sort: 'created_at' }, { sort: '-store_no' }, { sort: 'status' }];
for (const { sort } of walks) {
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
        [-1, 3, 100].map((micros) => bareOrder(`${mark}-${String(page).padStart(2, '0')}+${++added}`, sampleStart + micros)),
      );
      await app.store.database.transaction(
        (tx) => tx`update orders set carrier = 'tcat', updated_at = now() where partner_number = ${numbers[page * 3]!}`,
      );
    };
    const body = { 'orders.warehouse_no': 1, page_size: 3, ...(sort ? { sort } : {}) };
    const pages = await walk(app, lists.orders, body, { as: large, between: (page) => (page < 13 ? between(page) : Promise.resolve()) });

    const seen = pages.flat().map((row) => row.outbound_short_id as string);
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(new Set(numbers), new Set(numbers.filter((number) => seen.includes(number))));
    await withoutTriggers(app, (tx) => tx`delete from orders where account_id = ${bare.account_id}`);
  });
}

test('among 25,000 rows, few of which fit, a page may be short, and all pages together have exactly those that fit', async () => {
  await withoutTriggers(
    app,
    (tx) => tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, created_at, updated_at)
      select ${bare.account_id}, 'warehouse', 'L' || i, 'ow_L' || i || '_0000000000', '', 1 + i % 2, i % 1000, 'shipped',
        ${taipei(sampleStart)}::text::timestamptz + (i % 5000) * interval '1 microsecond', ${taipei(sampleStart)}::text::timestamptz
      from generate_series(1, 25000) i`,
  );
  const fitting = Array.from({ length: 25_000 }, (_, index) => index + 1).filter((i) => i % 1000 === 7 && i % 2 === 1);
  const filters = { 'orders.store_no': 7, 'orders.warehouse_no': 2, 'orders.status': { ne: 'packed' } };
  for (const body of [{ sort: undefined }, { sort: 'created_at' }, { sort: '-created_at' }, { sort: 'updated_at' }, { sort: '-channel' }]) {
    for (const page_size of body.sort === 'created_at' ? [3, 500] : [500]) {
      const pages = await walk(app, lists.orders, { ...filters, ...body, page_size }, { as: large });
      const found = pages.flat().map((row) => row.outbound_short_id as string);
      assert.equal(found.length, fitting.length, JSON.stringify(body));
      assert.deepEqual(new Set(found), new Set(fitting.map((i) => `L${i}`)));
      assert.ok(pages.length <= 4 + Math.ceil(fitting.length / page_size), `${pages.length} pages`);
    }
  }
  const nothing = { ...filters, 'orders.store_no': { gte: 7, lte: 7 }, 'orders.warehouse_no': 1, sort: 'channel' };
  assert.deepEqual((await walk(app, lists.orders, nothing, { as: large })).flat(), []);
});

test('what few rows have is looked up, whatever else is asked and in whatever order: one page', async () => {
  await app.store.database.transaction(
    (tx) => tx`update orders set shipment_no = 'SHIP-' || partner_number where account_id = ${bare.account_id}`,
  );
  const range = { 'orders.updated_at': { gte: taipei(sampleStart) } };
  for (const body of [range, { sort: 'store_no' }, { ...range, sort: '-updated_at' }, { 'orders.status': 'shipped' }]) {
    const page = await search(app, lists.orders, { 'orders.shipment_no': 'SHIP-L77', ...body }, large);
    assert.deepEqual([page.rows.map((row) => row.outbound_short_id), page.next_cursor], [['L77'], null], JSON.stringify(body));
  }
});

test('a cursor is refused once a rule of sale has changed the order of what it belongs to', async () => {
  const ruled = { ...fresh, accountNo: 'RULED', clientId: 'ruled', checkValue: 'ruled-check-value', warehouseTpwId: 'TPW-R' };
  const tenant = (days: number | null) => [
    { warehouse_tpw_id: ruled.warehouseTpwId, warehouse_no: 1, store_no: 10, sellable_days_before_expiry: days },
  ];
  await app.provision({
    accounts: [{ account_no: ruled.accountNo, environment: 'uat', secret: ruled.secret, tenants: tenant(null) }],
    clients: [{ client_id: ruled.clientId, check_value: ruled.checkValue, account_no: ruled.accountNo, permissions: ['stocks.read'] }],
  });
  await receive(app, { R1: [['2030-01-01', 1]], R2: [['2030-01-01', 2]] }, ruled);
  const body = { 'products_stock.qty_available': { lte: 5 }, page_size: 1 };
  const first = await search(app, lists.stocks, body, ruled);
  assert.deepEqual(
    first.rows.map((row) => row.sku_id),
    ['R1'],
  );

  await app.provision({ accounts: [{ account_no: ruled.accountNo, tenants: tenant(3) }] });
  await eventually(async () => {
    const answer = await app.callMain(lists.stocks.path, { ...body, cursor: first.next_cursor }, { as: ruled });
    return answer.status === 400 && assertNotDone(answer).startsWith('cursor is not of this search');
  });
  assert.equal((await walk(app, lists.stocks, body, { as: ruled })).flat().length, 2);
});

/** A change of a partner reaches a node within 5 s. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 5000;
  while (!(await holds())) {
    assert.ok(performance.now() < giveUpAt, 'not within 5 s');
    await sleep(100);
  }
}

test('exactly as many rows as a page may look at: the last page is told', async () => {
  await withoutTriggers(app, (tx) => tx`delete from orders where account_id = ${bare.account_id} and store_no >= 400`);
  const [{ count } = { count: 0 }] = await app.store.database.read(
    (sql) => sql`select count(*)::integer as count from orders where account_id = ${bare.account_id}`,
  );
  assert.equal(count, 10_000);
  const pages = await walk(app, lists.orders, { 'orders.store_no': [399], sort: 'channel', page_size: 500 }, { as: large });
  assert.deepEqual(
    pages.flat().map((row) => row.store_no),
    Array(25).fill(399),
  );
  assert.ok(pages.length <= 2);
});

const manyLines: { name: ListName; table: string; lines: string; id: string; number: string; columns: string; values: string }[] = [
  {
    name: 'orders',
    table: 'orders',
    lines: 'order_line',
    id: 'order_id',
    number: 'outbound_short_id',
    columns: 'order_no, status',
    values: "'ow_M_0000000000', 'shipped'",
  },
  {
    name: 'inbounds',
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
    await withoutTriggers(app, async (tx) => {
      const sql = (text: string) => tx.unsafe(text);
      await tx`delete from ${sql(table)} where account_id = ${bare.account_id}`;
      await tx`
        insert into ${sql(table)} (${sql(id)}, account_id, channel, partner_number, payload_digest, warehouse_no, store_no, created_at, ${sql(columns)})
        select 900000 + i, ${bare.account_id}, 'warehouse', 'M' || i, '', 1, 10,
          ${taipei(sampleStart)}::text::timestamptz - i * interval '1 second', ${sql(values)}
        from generate_series(1, 60) i`;
      await tx`
        insert into ${sql(lines)} (${sql(id)}, line_no, account_id, product_id, qty)
        select 900000 + i, line_no, ${bare.account_id}, ${idsFrom} + line_no % ${sampleRows}, line_no
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
