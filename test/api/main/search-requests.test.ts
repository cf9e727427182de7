import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import {
  inboundChannels,
  inboundEvents,
  inboundKinds,
  inboundStatuses,
} from '../../../contract/main/inbounds-search.ts';
import { orderChannels, orderEvents, orderStatuses } from '../../../contract/main/orders-search.ts';
import { SearchBody, type SearchList, sortKeysOf } from '../../../contract/main/search-list.ts';
import { stockTypes } from '../../../contract/values.ts';
import { makeSearchReader } from '../../../server/api/main/search-request.ts';
import * as callback from '../../../server/domain/callbacks/callback.ts';
import * as inbound from '../../../server/domain/inbound/inbound-document.ts';
import * as order from '../../../server/domain/orders/order.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import * as lot from '../../../server/domain/stock/lot.ts';
import { makeNormalizer } from '../../../server/platform/json/normalize.ts';
import { makeChecker } from '../../../server/platform/json/schema.ts';
import { alpha, beta, startTestApp, type TokenCaller } from '../../support/app.ts';
import {
  accountIdOf,
  assertNotDone,
  dumpAll,
  forEach,
  type ListName,
  listNames,
  lists,
  search,
  searchAll,
} from '../../support/main.ts';
import { insertSample, makeSample } from '../../support/search-sample.ts';

const app = await startTestApp();
const elsewhere = await startTestApp();
for (const [on, caller, idsFrom] of [
  [app, alpha, 1_000_000],
  [app, beta, 2_000_000],
  [elsewhere, alpha, 1_000_000],
] as const) {
  await insertSample(
    on,
    makeSample({ accountId: await accountIdOf(on, caller.accountNo), idsFrom, mark: caller.accountNo, rows: 20 }),
  );
}

const before = await dumpAll(app);

async function assertRefused(
  name: ListName,
  body: unknown,
  msg?: string | RegExp,
  as: TokenCaller = alpha,
): Promise<string> {
  const said = assertNotDone(await app.callMain(lists[name].path, body, { as }));
  if (typeof msg === 'string') assert.equal(said, msg);
  else if (msg) assert.match(said, msg);
  return said;
}

const cursorRefusal = 'cursor is not of this search: same list, filters and sort';
const injections = [
  "'",
  "'; drop table orders; --",
  '$1',
  'status) or (1=1',
  'order_id',
  'account_id',
  'partner_number',
  'toString',
];

for (const name of listNames) {
  const list = lists[name];
  const keys = Object.keys(list.fields).map((field) => `${list.prefix}.${field}`);
  const sorts = sortKeysOf(list.fields).join(', ');
  const key = (field: string) => `${list.prefix}.${field}`;

  test(`${name}: an unknown filter is named, and the known ones are listed`, async () => {
    const [field] = Object.keys(list.fields);
    const other = lists[listNames.find((one) => one !== name)!];
    const ofOther = `${other.prefix}.${Object.keys(other.fields)[0]}`;
    const unknown = [
      'colour',
      key('colour'),
      list.prefix,
      '',
      `${key(field!)} `,
      field!,
      keys[0]!.toUpperCase(),
      ofOther,
    ];
    for (const one of unknown)
      await assertRefused(name, { [one]: 1 }, `${one} is not a filter of this list; there are ${keys.join(', ')}`);
  });

  test(`${name}: several mistakes are named at once, the first five and how many more, and long names are cut`, async () => {
    const long = await assertRefused(name, { ['x'.repeat(5000)]: 1, sort: 'y'.repeat(5000) });
    assert.ok(long.length < 1500, `${long.length}`);
    const said = await assertRefused(name, { a: 1, b: 1, page_size: 0, sort: 'c', cursor: 7, d: 1 });
    for (const one of ['a', 'b', 'd']) assert.ok(said.includes(`${one} is not a filter of this list`), said);
    assert.match(
      said,
      /sort c is not a sort key of this list.*page_size must be a whole number from 1 to 500.* \(and 1 more\)$/,
    );
  });

  test(`${name}: an object of nulls is no filter only where the operators are known`, async () => {
    const field = Object.keys(list.fields).find((one) => list.fields[one]!.operators.includes('gte'))!;
    assert.deepEqual(await searchAll(app, list, { [key(field)]: { gte: null } }), await searchAll(app, list));
    await assertRefused(name, { cursor: { a: null } }, /^cursor /);
    await assertRefused(name, { sort: { a: null } }, /^sort /);
    await assertRefused(name, { [key(field)]: { colour: null } }, new RegExp(`^${key(field)}.colour `));
    await assertRefused(name, { colour: { gte: null } }, /^colour is not a filter/);
  });

  test(`${name}: an unknown sort key is named, and the known ones are listed`, async () => {
    const unsortable = Object.keys(list.fields).filter((field) => !list.fields[field]!.sortable);
    const [sortable] = sortKeysOf(list.fields);
    const other = lists[listNames.find((one) => one !== name)!];
    const foreign = `${other.prefix}.${sortKeysOf(other.fields)[0]}`;
    const malformed = ['-', `--${sortable}`, `+${sortable}`, ' ', foreign];
    for (const sort of [...malformed, ...unsortable, ...unsortable.map((field) => `-${key(field)}`), ...injections])
      await assertRefused(name, { sort }, `sort ${sort} is not a sort key of this list; there are ${sorts}`);
  });

  test(`${name}: SQL in keys, values and cursor is never executed`, async () => {
    for (const injection of injections.slice(0, 4)) {
      await assertRefused(name, { [key(injection)]: 1 });
      await assertRefused(name, { cursor: injection }, cursorRefusal);
      const [field] = Object.entries(list.fields).find(([, { operators }]) => operators.includes('prefix'))!;
      await assertRefused(name, { [key(field)]: { [injection]: 'A' } });
      await search(app, list, { [key(field)]: { prefix: injection, ne: injection } });
    }
  });

  test(`${name}: a cursor of another list, account, filter, sort or installation is refused in the same words`, async () => {
    const [first, second] = Object.keys(list.fields).filter((field) => list.fields[field]!.operators.includes('gte'));
    const values = await searchAll(app, list);
    const least = (field: string) =>
      values
        .map((row) => row[field])
        .filter((one) => one !== null && one !== '')
        .toSorted()[0];
    const filter = { [key(first!)]: { gte: least(first!) } };
    const cursorOf = async (body: object, on = app, as = alpha) => {
      const { next_cursor } = await search(on, list, { ...body, page_size: 1 }, as);
      assert.ok(next_cursor);
      return next_cursor;
    };
    const sort = sortKeysOf(list.fields)[0]!;
    const cursor = await cursorOf({ ...filter, sort });

    assert.equal((await search(app, list, { ...filter, sort, cursor, page_size: 1 })).rows.length, 1);
    const others: object[] = [
      {},
      { sort },
      filter,
      { ...filter, sort: `-${sort}` },
      { ...filter, sort: sortKeysOf(list.fields)[1] },
      { sort, [key(first!)]: { gt: least(first!) } },
      { sort, [key(first!)]: { gte: least(first!), ne: least(first!) } },
      { sort, [key(first!)]: [least(first!)] },
      { sort, [key(first!)]: least(first!) },
      { sort, [key(second!)]: { gte: least(second!) } },
      { ...filter, sort, [key(second!)]: { gte: least(second!) } },
    ];
    for (const body of others) await assertRefused(name, { ...body, cursor }, cursorRefusal);
    await assertRefused(name, { ...filter, sort, cursor }, cursorRefusal, beta);
    for (const other of listNames.filter((one) => one !== name)) {
      const { next_cursor: theirs } = await search(app, lists[other], { page_size: 1 });
      await assertRefused(name, { cursor: theirs }, cursorRefusal);
    }
    await assertRefused(
      name,
      { ...filter, sort, cursor: await cursorOf({ ...filter, sort }, elsewhere) },
      cursorRefusal,
    );
  });
}

test('a cursor with any character changed, added or left out, and any garbage, is refused in the same words', async () => {
  const { next_cursor } = await search(app, lists.orders, { page_size: 2 });
  const cursor = next_cursor!;
  assert.match(cursor, /^[\w-]+$/);
  const broken = new Set([
    ...Array.from(cursor, (character, at) => {
      const other = at % 3 === 0 ? '' : at % 3 === 1 ? 'AA' : character === 'A' ? 'B' : 'A';
      return cursor.slice(0, at) + other + cursor.slice(at + 1);
    }),
    ...['=', 'A', 'AA', '\n', ' ', '.', '-'].map((more) => `${cursor}${more}`),
    ...['A', 'AAAA', 'null', '{}', '[]', '0', `${cursor}${cursor}`, ' ', '茶', '😀'.repeat(100), 'A'.repeat(4096)],
    ...[cursor.toLowerCase(), cursor.replaceAll(/[-_]/g, '+')],
    Buffer.from('["2026-01-01 00:00:00+00","1"]').toString('base64url'),
  ]);
  broken.delete(cursor);
  await forEach(broken, (one) => assertRefused('orders', { page_size: 2, cursor: one }, cursorRefusal));
});

const scalar = fc.oneof(
  fc.constantFrom<unknown>('shipped', 'good', 'inbound', 'failed', 'main', '', 'A-1', '\u0001'),
  fc.constantFrom<unknown>('x'.repeat(255), 'x'.repeat(256), '台'.repeat(255)),
  fc.constantFrom<unknown>(0, 1, 1.5, -1, 2_147_483_647, 2_147_483_648, 1_000_000_000_000, null, true),
  fc.constantFrom<unknown>('2027-06-30', '2027-02-29', '2026-11-15T09:30:00+08:00', '2026-11-15T09:30:00Z'),
  fc.constantFrom<unknown>('2026-11-15T09:30:00', '2026-11-15T25:00:00Z'),
  fc.constantFrom<unknown>('0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80'),
);
const question = fc.dictionary(fc.constantFrom('gte', 'gt', 'lte', 'lt', 'ne', 'prefix', 'like'), scalar, {
  maxKeys: 3,
  noNullPrototype: true,
});
const filter = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.array(scalar, { minLength: 99, maxLength: 102 }),
  question,
);

function bodyOf({ prefix, fields }: SearchList): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(fields);
  const keys = fc.constantFrom(...names.map((name) => `${prefix}.${name}`), `${prefix}.colour`, names[0]!);
  const paging = fc.record(
    {
      page_size: fc.constantFrom<unknown>(1, 50, 500, 501, 0, 1.5, '1', null),
      cursor: fc.constantFrom<unknown>('AAAA', '', 'A'.repeat(4096), 'A'.repeat(4097), 7),
      sort: fc.oneof(
        fc.constantFrom<unknown>(...names, ...names.map((name) => `-${prefix}.${name}`), '', '-', 'colour'),
        scalar,
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  return fc
    .tuple(fc.dictionary(keys, filter, { maxKeys: 3, noNullPrototype: true }), fc.option(paging, { nil: {} }))
    .map(([filters, rest]) => ({ ...filters, ...rest }));
}

for (const list of Object.values(lists)) {
  test(`the reference allows exactly what the service accepts: ${list.path}`, () => {
    const check = makeChecker(SearchBody(list));
    const normalize = makeNormalizer(SearchBody(list));
    const read = makeSearchReader(list);
    fc.assert(
      fc.property(bodyOf(list), (body) => {
        assert.equal(check(normalize(body)).kind === 'valid', read(body).kind === 'search', JSON.stringify(read(body)));
      }),
      { numRuns: 200, seed: Number(process.env.LADING_PROPERTY_SEED ?? 1) },
    );
  });
}

test('states, events, kinds and channels have the same names in the contract and the domain', () => {
  assert.deepEqual([...orderStatuses], order.orderStatuses);
  assert.deepEqual(orderChannels, order.orderChannels);
  assert.deepEqual([orderEvents, inboundEvents], [order.orderEvents, inbound.inboundEvents]);
  assert.deepEqual([...inboundStatuses], inbound.inboundStatuses);
  assert.deepEqual(stockTypes, lot.stockTypes);
  assert.deepEqual([inboundKinds, inboundChannels], [inbound.inboundKinds, inbound.inboundChannels]);
  const { status, document_type } = callbacksSearch.fields;
  assert.deepEqual(
    [status.value, document_type.value].map((value) => (value as { enum?: string[] }).enum),
    [[...callback.callbackStatuses], [...callback.documentTypes]],
  );
  for (const { permission } of Object.values(lists)) assert.ok((permissions as readonly string[]).includes(permission));
});

test('no search has changed anything', async () => {
  assert.deepEqual(await dumpAll(app), before);
});

test('none of these requests was logged as an error', () => {
  assert.deepEqual(
    app.logLines.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level)),
    [],
  );
});
