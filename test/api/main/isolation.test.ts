import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SearchList } from '../../../contract/main/search-list.ts';
import { makeChecker } from '../../../server/platform/json/schema.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  accountIdOf,
  anySearch,
  bodyOf,
  forEach,
  type ListName,
  listNames,
  lists,
  type Row,
  search,
  searchAll,
} from '../../support/main.ts';
import { insertSample, makeSample, type Sample } from '../../support/search-sample.ts';

const app = await startTestApp();

const idColumns = ['product_id', 'lot_id', 'order_id', 'inbound_id', 'callback_id', 'document_id'];
// Equal in all but their ids, which alternate, and in the numbers that are unique over all accounts.
const ours = await sampleOf(beta, 0);
const theirs = await sampleOf(alpha, 1);

async function sampleOf({ accountNo }: { accountNo: string }, turn: 0 | 1): Promise<Sample> {
  const sample = makeSample({
    accountId: await accountIdOf(app, accountNo),
    idsFrom: 1_000_000,
    mark: accountNo,
    rows: 40,
  });
  for (const row of Object.values(sample).flat() as Row[]) {
    for (const column of idColumns) {
      if (column in row) row[column] = (row[column] as number) * 2 + turn;
    }
    if ('event_id' in row) row.event_id = String(row.event_id).replace(/^./, turn === 0 ? 'a' : 'b');
    if ('order_no' in row) row.order_no = `ow_${row.partner_number}_${String(row.order_id).padStart(10, '0')}`;
  }
  return sample;
}

const tables: Record<ListName, { table: keyof Sample; columns: Record<string, string> }> = {
  stocks: { table: 'lot', columns: { qty: 'on_hand', qty_available: 'locked' } },
  products: { table: 'product', columns: { products_id: 'product_id', sku_name: 'name' } },
  orders: {
    table: 'orders',
    columns: { orders_id: 'order_no', outbound_short_id: 'partner_number', internal_name: 'partner_number' },
  },
  inbounds: {
    table: 'inbound_document',
    columns: {
      stock_in_no: 'document_no',
      inbound_short_id: 'partner_number',
      form_no: 'partner_number',
      outbound_short_id: 'original_order_number',
    },
  },
  callbacks: { table: 'callback', columns: {} },
};

/** The values of a sample in a field, except those that no filter accepts. */
function valuesOf(name: ListName, field: string, sample: Sample): unknown[] {
  const { table, columns } = tables[name];
  const check = makeChecker(lists[name].fields[field]!.value);
  // An order has the products of its lines.
  const rows: Row[] = field === 'sku_id' ? sample.product : sample[table];
  const had = new Set(rows.map((row) => row[columns[field] ?? field]));
  return [...had].filter((value) => check(value).kind === 'valid');
}

const searchesPerList = 12;
const { LADING_PROPERTY_RUNS: wantedRuns, LADING_PROPERTY_SEED: seed = '1' } = process.env;

/** Any searches by values of both accounts, and some that are refused. */
function searchesOf(name: ListName): object[] {
  const list = lists[name];
  const search = anySearch(list, (field) => [...valuesOf(name, field, ours), ...valuesOf(name, field, theirs)]);
  const random = fc
    .sample(search, { numRuns: Number(wantedRuns ?? searchesPerList), seed: Number(seed) })
    .map((one) => bodyOf(list, one));
  return [{}, { page_size: 500 }, ...random, { unknown: 1 }, { sort: 'unknown' }, { page_size: 0 }, { cursor: 'AAAA' }];
}

/** Everything that can be learned from a search: status and text of every page, but for the cursor, which is never the same twice. */
async function answersTo(list: SearchList, body: object): Promise<unknown[]> {
  const answers: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { status, text, json } = await app.callMain(list.path, cursor === undefined ? body : { ...body, cursor }, {
      as: beta,
    });
    cursor = json.retval?.next_cursor ?? undefined;
    answers.push([status, cursor === undefined ? text : text.replace(cursor, 'CURSOR')]);
  } while (cursor !== undefined);
  return answers;
}

await insertSample(app, ours);
const searches = Object.fromEntries(listNames.map((name) => [name, searchesOf(name)])) as Record<ListName, object[]>;
const alone = new Map<object, unknown[]>();
const begun = new Map<ListName, string>();
for (const name of listNames) {
  await forEach(searches[name], async (body) => alone.set(body, await answersTo(lists[name], body)));
  begun.set(name, (await search(app, lists[name], { page_size: 3 }, beta)).next_cursor!);
}
await insertSample(app, theirs);

for (const name of listNames) {
  const list = lists[name];

  test(`${name}: any search is answered to the letter as if the other account had no rows`, async () => {
    await forEach(searches[name], async (body) =>
      assert.deepEqual(await answersTo(list, body), alone.get(body), JSON.stringify(body)),
    );
  });

  test(`${name}: each account has exactly its own rows, also in a walk that began before the other account had any`, async () => {
    const count = (sample: Sample) => sample[tables[name].table].filter((row) => row.on_hand !== 0).length;
    const all = await searchAll(app, list, {}, beta);
    assert.deepEqual([all.length, (await searchAll(app, list, {}, alpha)).length], [count(ours), count(theirs)]);
    const rest = await search(app, list, { cursor: begun.get(name), page_size: 500 }, beta);
    assert.deepEqual(rest.rows, all.slice(3));
  });

  test(`${name}: a cursor reveals neither its position nor its account, and is never the same twice`, async () => {
    const sort = Object.keys(list.fields).find((field) => list.fields[field]!.sortable)!;
    for (const body of [{}, { sort }, { sort: `-${sort}` }]) {
      const pages: Awaited<ReturnType<typeof search>>[] = [];
      while (pages.length < 2) pages.push(await search(app, list, { ...body, page_size: 2 }, beta));
      assert.notEqual(pages[0]!.next_cursor, pages[1]!.next_cursor);
      const inClear = Buffer.from(pages[0]!.next_cursor!, 'base64url').toString('latin1');
      const last = pages[0]!.rows.at(-1)!;
      const ids = ours[tables[name].table].flatMap((row) =>
        idColumns.map((column) => row[column]).filter((id) => id !== undefined),
      );
      const values = Object.values(last).filter((value) => typeof value === 'string' || typeof value === 'number');
      for (const value of [...ids, ...values, list.prefix, 'created_at', '2026', 'BETA', '["', '",']) {
        const bytes = Buffer.from(String(value)).toString('latin1');
        // Shorter texts could occur by chance.
        if (bytes.length >= 4) assert.ok(!inClear.includes(bytes), bytes);
      }
    }
  });
}
