import assert from 'node:assert/strict';
import fc from 'fast-check';
import { callbacksSearch } from '../../contract/main/callbacks-search.ts';
import { inboundsSearch } from '../../contract/main/inbounds-search.ts';
import { ordersSearch } from '../../contract/main/orders-search.ts';
import { productsSearch } from '../../contract/main/products-search.ts';
import { type SearchList, type SearchPage, sortKeysOf } from '../../contract/main/search-list.ts';
import { stocksSearch } from '../../contract/main/stocks-search.ts';
import type { TestAnswer, TestApp, TokenCaller } from './app.ts';
import { dump } from './warehouse.ts';

export const lists: Record<ListName, SearchList> = {
  stocks: stocksSearch,
  products: productsSearch,
  orders: ordersSearch,
  inbounds: inboundsSearch,
  callbacks: callbacksSearch,
};
export type ListName = 'stocks' | 'products' | 'orders' | 'inbounds' | 'callbacks';
export const listNames: ListName[] = ['stocks', 'products', 'orders', 'inbounds', 'callbacks'];

export type Row = Record<string, unknown>;

/** The retval of an answer that must be a success, in the envelope of every success. */
export function retvalOf<Retval = ReturnType<typeof JSON.parse>>({ status, json }: TestAnswer): Retval {
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(Object.keys(json), ['done', 'msg', 'retval']);
  assert.deepEqual([json.done, json.msg], [true, 'success']);
  return json.retval;
}

/** Holds an answer of the main API or the logistics webhook to be a refusal in its envelope; its message. */
export function assertNotDone(
  { status, text, json }: TestAnswer,
  expected: { status?: number; msg?: string } = {},
): string {
  assert.equal(status, expected.status ?? 400, text);
  const { msg, errors, retval } = json;
  const list = errors ?? retval?.errors;
  assert.ok(list.length > 0, text);
  assert.deepEqual(
    json,
    errors ? { done: false, msg, retval: null, errors } : { done: false, msg, retval: { errors: list } },
  );
  assert.ok(typeof json.msg === 'string' && json.msg.length > 0, text);
  if (expected.msg !== undefined) assert.equal(json.msg, expected.msg);
  return json.msg;
}

/** One page of a list. */
export async function search(app: TestApp, list: SearchList, body: object, as?: TokenCaller): Promise<SearchPage<Row>> {
  const page = retvalOf<SearchPage<Row>>(await app.callMain(list.path, body, as ? { as } : {}));
  assert.deepEqual(Object.keys(page), ['rows', 'next_cursor']);
  return page;
}

const pagesMax = 200;

/** All pages of a search, one after the other; `between` is done before each but the first. */
export async function walk(
  app: TestApp,
  list: SearchList,
  body: { page_size?: number; [filter: string]: unknown },
  options: { as?: TokenCaller; between?(page: number): Promise<unknown> } = {},
): Promise<Row[][]> {
  const pages: Row[][] = [];
  let cursor: string | null = null;
  do {
    if (cursor !== null) await options.between?.(pages.length);
    const page: SearchPage<Row> = await search(app, list, cursor === null ? body : { ...body, cursor }, options.as);
    assert.ok(page.rows.length <= (body.page_size ?? 50), `${page.rows.length} rows`);
    pages.push(page.rows);
    cursor = page.next_cursor;
    assert.ok(pages.length < pagesMax, 'the walk does not end');
  } while (cursor !== null);
  return pages;
}

export async function searchAll(app: TestApp, list: SearchList, body: object = {}, as?: TokenCaller): Promise<Row[]> {
  return (await walk(app, list, { page_size: 500, ...body }, as ? { as } : {})).flat();
}

/** An account may have two searches at once; more would wait, and be rejected on a slow machine. */
const atOnceMax = 2;

/** All of them, a few at once. */
export async function forEach<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items].values();
  const workers = Array.from({ length: atOnceMax }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(workers);
}

/** Every table that a call of the main API could have changed. */
export async function dumpAll(app: TestApp): Promise<Record<string, unknown>> {
  const [callbacks] = await app.store.database.read(
    (sql) => sql`
      select
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from callback c) as callback,
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from callback_attempt c) as callback_attempt,
        (select coalesce(jsonb_agg(c::text order by c::text), '[]') from callback_delivery c) as callback_delivery`,
  );
  return { ...(await dump(app)), ...callbacks };
}

/** Rows as they are in the database, all with the same columns. */
export async function insertRows(app: TestApp, table: string, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).join(', ');
  await app.store.database.transaction(
    (tx) =>
      tx`insert into ${tx.unsafe(table)} (${tx.unsafe(columns)}) overriding system value
        select ${tx.unsafe(columns)} from jsonb_populate_recordset(null::${tx.unsafe(table)}, ${JSON.stringify(rows)}::text::jsonb)`,
  );
}

export async function accountIdOf(app: TestApp, accountNo: string): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`select account_id from account where account_no = ${accountNo}`,
  );
  return row!.account_id;
}

/** Texts that are special somewhere on their way, in no order. */
export const oddTexts = [
  'A',
  'a',
  'A-1',
  'A-10',
  'A%',
  'A_1',
  '%',
  '_',
  '\\',
  '\\%',
  "'",
  "';--",
  '"',
  'a"b\\c',
  'NULL',
  '{}',
  '{a,b}',
  'Ä',
  '茶',
  '茶葉',
  '\ud7ff',
  '\ud7ffz',
  '\ue000',
  '\uffff',
  '😀',
  '😀1',
  '\u{10ffff}',
  '\u{10ffff}z',
];

/** Instants are counted in microseconds, as the database keeps them. */
export const microsPerSecond = 1_000_000;

export function taipei(micros: number): string {
  return `${isoSeconds(micros / microsPerSecond + 8 * 3600)}.${decimals(micros)}+08:00`;
}

export function utc(micros: number): string {
  return `${isoSeconds(micros / microsPerSecond)}.${decimals(micros)}Z`;
}

function isoSeconds(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19);
}

function decimals(micros: number): string {
  return String(micros % microsPerSecond).padStart(6, '0');
}

export type Filters = Record<string, unknown>;
export interface RandomSearch {
  /** By field, without the prefix of the list. */
  filters: Filters;
  sort: string | null;
  pageSize: number;
}

/** Any search of a list: filters by values that its rows have and by others near them. */
export function anySearch(list: SearchList, valuesOf: (field: string) => unknown[]): fc.Arbitrary<RandomSearch> {
  const filters = Object.fromEntries(Object.keys(list.fields).map((name) => [name, filterOf(name)]));
  function filterOf(name: string): fc.Arbitrary<unknown> {
    const { operators } = list.fields[name]!;
    const value = fc.constantFrom(...valuesOf(name));
    const asked = (operator: string) => (operator === 'prefix' ? value.map((text) => prefixOf(String(text))) : value);
    const questions = fc
      .subarray([...operators], { minLength: Math.min(1, operators.length), maxLength: Math.min(3, operators.length) })
      .chain((some) => fc.record(Object.fromEntries(some.map((operator) => [operator, asked(operator)]))));
    const anyOf = fc.array(value, { minLength: 1, maxLength: 5 });
    return operators.length > 0 ? fc.oneof(value, anyOf, questions) : fc.oneof(value, anyOf);
  }
  const sorts = sortKeysOf(list.fields).flatMap((key) => [key, `-${key}`]);
  return fc.record({
    filters: fc
      .subarray(Object.keys(filters), { maxLength: 4 })
      .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, filters[name]!])))),
    sort: fc.option(fc.constantFrom(...sorts)),
    pageSize: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(50, 500)),
  });
}

function prefixOf(text: string): string {
  const points = [...text];
  return points.slice(0, Math.max(1, Math.ceil(points.length / 2))).join('') || 'A';
}

export function bodyOf(list: SearchList, { filters, sort, pageSize }: RandomSearch) {
  return {
    ...Object.fromEntries(Object.entries(filters).map(([name, filter]) => [`${list.prefix}.${name}`, filter])),
    ...(sort === null ? {} : { sort }),
    page_size: pageSize,
  };
}

/**
 * Does the usual number of runs or, on a busy machine, as many as fit into the usual time. LADING_PROPERTY_RUNS asks
 * for more. A failure prints its seed, and LADING_PROPERTY_SEED repeats it.
 */
export async function assertHolds<T>(
  values: fc.Arbitrary<T>,
  usualRuns: number,
  holds: (value: T) => Promise<void>,
  usualMs = 350,
): Promise<void> {
  const { LADING_PROPERTY_RUNS: wantedRuns, LADING_PROPERTY_SEED: seed } = process.env;
  const enoughAt = wantedRuns === undefined ? performance.now() + usualMs : Number.POSITIVE_INFINITY;
  let failed = false;
  const property = fc.asyncProperty(values, async (value) => {
    if (performance.now() > enoughAt && !failed) return;
    try {
      await holds(value);
    } catch (error) {
      // From here on fast-check shrinks the counterexample, which may take longer.
      failed = true;
      throw error;
    }
  });
  await fc.assert(property, {
    numRuns: Number(wantedRuns ?? usualRuns),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });
}

/** The timeline of a document to which nothing has happened since it was made. */
export function madeOnly(
  row: { status: unknown; created_at: unknown },
  by: string | null = null,
  trace_id: unknown = null,
) {
  return [{ event: 'create', from: null, to: row.status, at: row.created_at, by, trace_id }];
}
