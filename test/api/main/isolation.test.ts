import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SearchList } from '../../../contract/main/search-list.ts';
import { makeChecker } from '../../../server/platform/schema.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  accountIdOf,
  anySearch,
  assertNotDone,
  bodyOf,
  dumpAll,
  forEach,
  insertSample,
  type ListName,
  listNames,
  lists,
  makeSample,
  type Row,
  retvalOf,
  type Sample,
  search,
  searchAll,
} from '../../support/main.ts';
import { orderBody, receive } from '../../support/warehouse.ts';

const app = await startTestApp();

const idColumns = ['product_id', 'lot_id', 'order_id', 'inbound_id', 'callback_id', 'document_id'];
// Equal in all but their ids, which alternate, and in the numbers that are unique over all accounts.
const ours = await sampleOf(beta, 0);
const theirs = await sampleOf(alpha, 1);

async function sampleOf({ accountNo }: { accountNo: string }, turn: 0 | 1): Promise<Sample> {
  const sample = makeSample({ accountId: await accountIdOf(app, accountNo), idsFrom: 1_000_000, mark: accountNo, rows: 40 });
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
  orders: { table: 'orders', columns: { orders_id: 'order_no', outbound_short_id: 'partner_number', internal_name: 'partner_number' } },
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

/** What rows of a sample have in a field, as far as it can be asked for. */
function valuesOf(name: ListName, field: string, sample: Sample): unknown[] {
  const { table, columns } = tables[name];
  const check = makeChecker(lists[name].fields[field]!.value);
  const had = new Set(sample[table].map((row) => row[columns[field] ?? field]));
  return [...had].filter((value) => check(value).kind === 'valid');
}

const searchesPerList = 20;
const { LADING_PROPERTY_RUNS: wantedRuns, LADING_PROPERTY_SEED: seed = '1' } = process.env;

/** Any searches by values of both accounts, and some that are refused. */
function searchesOf(name: ListName): object[] {
  const list = lists[name];
  const search = anySearch(list, (field) => [...valuesOf(name, field, ours), ...valuesOf(name, field, theirs)]);
  const random = fc.sample(search, { numRuns: Number(wantedRuns ?? searchesPerList), seed: Number(seed) }).map((one) => bodyOf(list, one));
  return [{}, { page_size: 500 }, ...random, { unknown: 1 }, { sort: 'unknown' }, { page_size: 0 }, { cursor: 'AAAA' }];
}

/** Everything that can be learned from a search: status and text of every page, but for the cursor, which is never the same twice. */
async function answersTo(list: SearchList, body: object): Promise<unknown[]> {
  const answers: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { status, text, json } = await app.callMain(list.path, cursor === undefined ? body : { ...body, cursor }, { as: beta });
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
    await forEach(searches[name], async (body) => assert.deepEqual(await answersTo(list, body), alone.get(body), JSON.stringify(body)));
  });

  test(`${name}: a walk that began before the other account had rows goes on as if it had none`, async () => {
    const all = await searchAll(app, list, {}, beta);
    const rest = await search(app, list, { cursor: begun.get(name), page_size: 500 }, beta);
    assert.deepEqual(rest.rows, all.slice(3));
  });

  test(`${name}: each account has its own rows, and as many as it has`, async () => {
    const { table } = tables[name];
    const count = (sample: Sample) => sample[table].filter((row) => row.on_hand !== 0).length;
    assert.equal((await searchAll(app, list, {}, alpha)).length, count(theirs));
    assert.equal((await searchAll(app, list, {}, beta)).length, count(ours));
  });

  test(`${name}: what only the other account has is answered byte for byte as what nobody has`, async () => {
    const nobodys: Record<string, unknown> = {
      products_id: 999_999_999,
      event_id: '99999999-9999-4999-8999-999999999999',
      orders_id: 'ow_NOBODY_0000000000',
    };
    for (const [field, { operators }] of Object.entries(list.fields)) {
      const own = new Set(valuesOf(name, field, ours));
      const foreign = valuesOf(name, field, theirs).filter((value) => !own.has(value));
      const { text: nothing } = await app.callMain(
        list.path,
        { [`${list.prefix}.${field}`]: nobodys[field] ?? nobodysOf(foreign[0]) },
        { as: beta },
      );
      for (const value of foreign.slice(0, 6)) {
        const questions = [value, [value], ...(operators.includes('gte') ? [{ gte: value, lte: value }] : [])];
        for (const filter of questions) {
          const { text } = await app.callMain(list.path, { [`${list.prefix}.${field}`]: filter }, { as: beta });
          assert.equal(text, nothing);
        }
        if (operators.includes('prefix')) {
          const { text } = await app.callMain(list.path, { [`${list.prefix}.${field}`]: { prefix: value } }, { as: beta });
          assert.equal(text, nothing);
        }
      }
    }
  });

  test(`${name}: a cursor of the other account is refused byte for byte as garbage is`, async () => {
    for (const body of [{}, { page_size: 1 }, { sort: Object.keys(list.fields).find((field) => list.fields[field]!.sortable) }]) {
      const { next_cursor: cursor } = await search(app, list, { ...body, page_size: 1 }, alpha);
      const refused = await app.callMain(list.path, { ...body, cursor }, { as: beta });
      const garbage = await app.callMain(
        list.path,
        { ...body, cursor: Buffer.from(cursor!).reverse().toString('base64url') },
        { as: beta },
      );
      assertNotDone(refused);
      assert.equal(refused.text, garbage.text);
    }
  });

  test(`${name}: a cursor shows neither what it stands for nor whose it is, and is never the same twice`, async () => {
    const sort = Object.keys(list.fields).find((field) => list.fields[field]!.sortable)!;
    for (const body of [{}, { sort }, { sort: `-${sort}` }]) {
      const pages: Awaited<ReturnType<typeof search>>[] = [];
      while (pages.length < 5) pages.push(await search(app, list, { ...body, page_size: 2 }, beta));
      assert.equal(new Set(pages.map(({ next_cursor }) => next_cursor)).size, 5);
      const inClear = Buffer.from(pages[0]!.next_cursor!, 'base64url').toString('latin1');
      const last = pages[0]!.rows.at(-1)!;
      const ids = ours[tables[name].table].flatMap((row) => idColumns.map((column) => row[column]).filter((id) => id !== undefined));
      const values = Object.values(last).filter((value) => typeof value === 'string' || typeof value === 'number');
      for (const value of [...ids, ...values, list.prefix, 'created_at', '2026', 'BETA', '["', '",']) {
        const bytes = Buffer.from(String(value)).toString('latin1');
        // Of shorter ones chance alone could write one.
        if (bytes.length >= 4) assert.ok(!inClear.includes(bytes), bytes);
      }
    }
  });
}

/** Something of the same kind that no account has. */
function nobodysOf(value: unknown): unknown {
  if (typeof value === 'number') return 987_654_321;
  if (/^\d{4}-\d\d-\d\d$/.test(String(value))) return '1999-01-01';
  return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? '1999-01-01T00:00:00Z' : 'NOBODY';
}

const theirDirect = theirs.orders.filter(({ channel }) => channel !== 'logistics');
const theirLogistics = theirs.orders.filter(({ channel }) => channel === 'logistics');

test("creating an order under another account's number says that it is in use, and shows and changes nothing", async () => {
  await receive(app, { TEA: [['2030-01-01', 100]] }, beta);
  const before = await dumpAll(app);
  for (const { partner_number } of theirDirect) {
    const answer = await app.callMain('/orders/create', orderBody(String(partner_number), [['TEA', 1]], beta), { as: beta });
    assertNotDone(answer, { msg: 'outbound_short_id already in use' });
    assert.equal(answer.text, '{"done":false,"msg":"outbound_short_id already in use","retval":null}');
  }
  assert.deepEqual(await dumpAll(app), before);
});

test("another account's number of logistics is not in use, since those are each account's own", async () => {
  const own = new Set(ours.orders.map(({ partner_number }) => partner_number));
  for (const { partner_number } of theirLogistics.filter((order) => !own.has(order.partner_number)).slice(0, 3)) {
    const { idempotent } = retvalOf(
      await app.callMain('/orders/create', orderBody(String(partner_number), [['TEA', 1]], beta), { as: beta }),
    );
    assert.equal(idempotent, false);
  }
});

test("cancelling another account's orders says not_found in every state, as for what nobody has, and changes nothing", async () => {
  const before = await dumpAll(app);
  const numbers = [...theirs.orders.map(({ partner_number }) => String(partner_number)), 'NOBODY'].filter(
    (number) => !ours.orders.some(({ partner_number }) => partner_number === number),
  );
  for (let from = 0; from < numbers.length; from += 100) {
    const outbound_short_ids = numbers.slice(from, from + 100);
    assert.deepEqual(retvalOf(await app.callMain('/orders/cancel', { outbound_short_ids }, { as: beta })), {
      results: outbound_short_ids.map((outbound_short_id) => ({ outbound_short_id, status: 'not_found' })),
    });
  }
  assert.deepEqual(await dumpAll(app), before);
});
