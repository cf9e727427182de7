import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortKeysOf } from '../../../contract/main/search-list.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { alpha, beta, startTestApp, type TokenCaller } from '../../support/app.ts';
import {
  accountIdOf,
  assertNotDone,
  dumpAll,
  forEach,
  insertSample,
  type ListName,
  listNames,
  lists,
  makeSample,
  search,
  searchAll,
} from '../../support/main.ts';

const app = await startTestApp();
const elsewhere = await startTestApp();
for (const [on, caller, idsFrom] of [
  [app, alpha, 1_000_000],
  [app, beta, 2_000_000],
  [elsewhere, alpha, 1_000_000],
] as const) {
  await insertSample(on, makeSample({ accountId: await accountIdOf(on, caller.accountNo), idsFrom, mark: caller.accountNo, rows: 20 }));
}

const clientOf = (permission: string, kind: string): TokenCaller => ({
  clientId: `${kind} ${permission}`,
  checkValue: `check ${permission}`,
});
const reads = listNames.map((name) => lists[name].permission as (typeof permissions)[number]);
await app.provision({
  clients: reads.flatMap((read) =>
    (
      [
        ['only', [read]],
        ['all but', permissions.filter((one) => one !== read)],
      ] as const
    ).map(([kind, allowed]) => ({
      client_id: clientOf(read, kind).clientId,
      check_value: clientOf(read, kind).checkValue,
      account_no: alpha.accountNo,
      permissions: [...allowed],
    })),
  ),
});

const before = await dumpAll(app);

async function assertRefused(name: ListName, body: unknown, msg?: string | RegExp, as: TokenCaller = alpha): Promise<string> {
  const said = assertNotDone(await app.callMain(lists[name].path, body, { as }));
  if (typeof msg === 'string') assert.equal(said, msg);
  else if (msg) assert.match(said, msg);
  return said;
}

const injections = ["'", "'; drop table orders; --", '$1', 'status) or (1=1', 'order_id', 'account_id', 'partner_number', 'toString'];

for (const name of listNames) {
  const list = lists[name];
  const keys = Object.keys(list.fields).map((field) => `${list.prefix}.${field}`);
  const sorts = sortKeysOf(list.fields).join(', ');
  const key = (field: string) => `${list.prefix}.${field}`;

  test(`${name}: an unknown filter is named, and the known ones are told`, async () => {
    for (const unknown of [
      'colour',
      key('colour'),
      key(''),
      list.prefix,
      '',
      key(key('status')),
      `${key(Object.keys(list.fields)[0]!)} `,
    ]) {
      await assertRefused(name, { [unknown]: 1 }, `${unknown} is not a filter of this list; there are ${keys.join(', ')}`);
    }
  });

  test(`${name}: a filter without its prefix, in another case or of another list is unknown`, async () => {
    const others = listNames
      .filter((other) => other !== name)
      .flatMap((other) => Object.keys(lists[other].fields).map((field) => `${lists[other].prefix}.${field}`));
    for (const unknown of [...Object.keys(list.fields), ...keys.map((one) => one.toUpperCase()), ...others]) {
      const said = await assertRefused(name, { [unknown]: 1 });
      assert.ok(said.startsWith(`${unknown} is not a filter of this list; `), said);
    }
  });

  test(`${name}: several mistakes are named at once, the first five and how many more`, async () => {
    const said = await assertRefused(name, { a: 1, b: 1, page_size: 0, sort: 'c', cursor: 7, d: 1 });
    for (const one of ['a', 'b', 'd']) assert.ok(said.includes(`${one} is not a filter of this list`), said);
    assert.match(said, /sort c is not a sort key of this list.*page_size must be a whole number from 1 to 500.* \(and 1 more\)$/);
  });

  test(`${name}: an unknown sort key is named, and the known ones are told`, async () => {
    const unsortable = Object.keys(list.fields).filter((field) => !list.fields[field]!.sortable);
    const wrong = [
      'colour',
      '-colour',
      '-',
      `--${sortKeysOf(list.fields)[0]}`,
      `+${sortKeysOf(list.fields)[0]}`,
      ' ',
      'products_stock',
      ...unsortable,
    ];
    for (const sort of [...wrong, ...unsortable.map((field) => `-${key(field)}`), ...injections]) {
      const said = await assertRefused(name, { sort });
      assert.equal(said, `sort ${sort} is not a sort key of this list; there are ${sorts}`);
    }
    const other = listNames.find((one) => one !== name)!;
    const foreign = `${lists[other].prefix}.${sortKeysOf(lists[other].fields)[0]}`;
    await assertRefused(name, { sort: foreign }, `sort ${foreign} is not a sort key of this list; there are ${sorts}`);
    for (const sort of [1, true, ['created_at'], { created_at: 'desc' }]) {
      await assertRefused(name, { sort }, `sort must be a field, or "-" and a field; there are ${sorts}`);
    }
  });

  test(`${name}: page_size is a whole number from 1 to 500 and nothing else`, async () => {
    for (const page_size of [0, -1, 501, 1e9, 1.5, '5', ' ', true, [5], {}]) {
      await assertRefused(name, { page_size }, 'page_size must be a whole number from 1 to 500');
    }
  });

  for (const [field, { operators, value }] of Object.entries(list.fields)) {
    const { type = 'string' } = value as { type?: string };
    const fitting = type === 'integer' ? 7 : 'A';

    test(`${name}: by ${field}, what is no value, no list of values and no question about them is refused, and the field is named`, async () => {
      const wrongValues: unknown[] = [
        null,
        true,
        ...(type === 'integer' ? ['1', '', 1.5, -1, 1e300, 9007199254740992] : [7, 1.5, 'A\u0007', 'x'.repeat(256), '😀'.repeat(256)]),
        ...('enum' in value || 'format' in value ? ['', 'A', "' or 1=1 --", 'infinity', 'now', 'today', '-infinity'] : []),
      ];
      const wrong: unknown[] = [
        // By itself, null or an empty text is no filter at all.
        ...wrongValues.filter((one) => one !== null && one !== ''),
        ...wrongValues.map((one) => [one]),
        [],
        [[]],
        [[fitting]],
        [{}],
        [fitting, null],
        Array(101).fill(fitting),
        {},
        { eq: fitting },
        { GTE: fitting },
        { toString: fitting },
        { ne: [fitting] },
        { gte: {} },
        ...operators.filter((one) => one !== 'prefix').flatMap((operator) => wrongValues.map((one) => ({ [operator]: one }))),
        ...['gte', 'gt', 'lte', 'lt', 'ne', 'prefix'].filter((one) => !operators.includes(one as 'ne')).map((one) => ({ [one]: fitting })),
        ...(operators.includes('prefix') ? ['', ' ', 7, null, [], 'x'.repeat(256), 'A\u0000'].map((prefix) => ({ prefix })) : []),
      ];
      await forEach(wrong, async (filter) => {
        const answer = await app.callMain(list.path, { [key(field)]: filter });
        const said = assertNotDone(answer);
        // A NUL is refused with the whole body.
        if (!JSON.stringify(filter).includes('\\u0000')) assert.ok(said.startsWith(key(field)), said);
      });
    });
  }

  test(`${name}: the words for what is wrong with a filter`, async () => {
    const counted = Object.keys(list.fields).filter((field) => (list.fields[field]!.value as { type?: string }).type === 'integer');
    const integer = counted.find((field) => list.fields[field]!.operators.length > 0);
    if (integer) {
      await assertRefused(name, { [key(integer)]: '1' }, `${key(integer)} must be integer`);
      await assertRefused(name, { [key(integer)]: [] }, `${key(integer)} must have 1 to 100 values`);
      await assertRefused(name, { [key(integer)]: Array(101).fill(1) }, `${key(integer)} must have 1 to 100 values`);
      await assertRefused(name, { [key(integer)]: [1, 'x'] }, `${key(integer)}[1] must be integer`);
      await assertRefused(name, { [key(integer)]: {} }, `${key(integer)} must name an operator: gte, gt, lte, lt, ne`);
      const wrong = { [key(integer)]: { gte: 1, prefix: 'x' } };
      await assertRefused(name, wrong, `${key(integer)}.prefix is not an operator of this filter; there are gte, gt, lte, lt, ne`);
    }
    const [chosen, { value }] = Object.entries(list.fields).find(([, one]) => 'enum' in one.value) ?? [null, { value: {} }];
    const choices = (value as { enum?: string[] }).enum?.join(', ');
    if (chosen) await assertRefused(name, { [key(chosen)]: 'nonsense' }, `${key(chosen)} must be one of ${choices}`);
    const time = 'updated_at' in list.fields ? 'updated_at' : null;
    for (const wrong of [
      '2026-11-01',
      '2026-11-01T00:00:00',
      '2026-02-30T00:00:00Z',
      '2026-11-01T00:00:00.1234567Z',
      '2026-11-01T24:00:00Z',
    ]) {
      if (time === null) break;
      const words = `${key(time)} must be a time as in RFC 3339, with its offset and at most 6 decimals`;
      await assertRefused(name, { [key(time)]: wrong }, words);
    }
  });

  test(`${name}: what a caller made up is repeated to them, but not at any length`, async () => {
    const said = await assertRefused(name, { ['x'.repeat(5000)]: 1, sort: 'y'.repeat(5000) });
    assert.ok(said.length < 1500, `${said.length}`);
  });

  test(`${name}: SQL in keys, values, sort and cursor is a name, a text or nothing, and never more`, async () => {
    await forEach(injections, async (injection) => {
      await assertRefused(name, { [injection]: 1 });
      await assertRefused(name, { [key(injection)]: 1 });
      await assertRefused(name, { cursor: injection }, 'cursor is not of this search: same list, filters and sort');
      for (const [field, { operators }] of Object.entries(list.fields)) {
        await assertRefused(name, { [key(field)]: { [injection]: 'A' } });
        const { status, json } = await app.callMain(list.path, { [key(field)]: [injection] });
        assert.ok(status === 400 || status === 200, `${status}`);
        for (const row of json.retval?.rows ?? []) assert.equal(row[field], injection);
        if (operators.includes('prefix')) await search(app, list, { [key(field)]: { prefix: injection, ne: injection } });
      }
    });
  });

  test(`${name}: a cursor with any character changed, added or left out, and any garbage, is refused in the same words`, async () => {
    const refusal = 'cursor is not of this search: same list, filters and sort';
    const { next_cursor: cursor } = await search(app, list, { page_size: 2 });
    assert.match(cursor!, /^[\w-]+$/);
    const broken = new Set([
      ...Array.from(cursor!, (character, at) => `${cursor!.slice(0, at)}${character === 'A' ? 'B' : 'A'}${cursor!.slice(at + 1)}`),
      ...Array.from(cursor!, (_, at) =>
        at % 2 === 0 ? `${cursor!.slice(0, at)}${cursor!.slice(at + 1)}` : `${cursor!.slice(0, at)}A${cursor!.slice(at)}`,
      ),
      ...['=', 'A', 'AA', '\n', ' ', '.', '-'].map((more) => `${cursor}${more}`),
      ...['A', 'AAAA', 'null', '{}', '[]', '0', `${cursor}${cursor}`, ' ', '茶', '😀'.repeat(100), 'A'.repeat(4096)],
      cursor!.toLowerCase(),
      cursor!.replaceAll(/[-_]/g, '+'),
      Buffer.from('["2026-01-01 00:00:00+00","1"]').toString('base64url'),
    ]);
    broken.delete(cursor!);
    await forEach(broken, (one) => assertRefused(name, { page_size: 2, cursor: one }, refusal));
    for (const none of [7, 'A'.repeat(4097), {}, [cursor]]) {
      await assertRefused(
        name,
        { page_size: 2, cursor: none },
        'cursor must be the next_cursor of an earlier answer; leave it out for the first page',
      );
    }
  });

  test(`${name}: a cursor of another list, account, filter, sort or installation is refused in the same words`, async () => {
    const refusal = 'cursor is not of this search: same list, filters and sort';
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
    for (const body of others) await assertRefused(name, { ...body, cursor }, refusal);
    await assertRefused(name, { ...filter, sort, cursor }, refusal, beta);
    for (const other of listNames.filter((one) => one !== name)) {
      const { next_cursor: theirs } = await search(app, lists[other], { page_size: 1 });
      await assertRefused(name, { cursor: theirs }, refusal);
    }
    await assertRefused(name, { ...filter, sort, cursor: await cursorOf({ ...filter, sort }, elsewhere) }, refusal);
  });

  test(`${name}: without ${list.permission} it is 403 and the permission is named, whatever is sent; with it alone it is answered`, async () => {
    const lacking = clientOf(list.permission, 'all but');
    for (const body of [{}, { unknown: 1 }, 'no JSON', { cursor: 'A' }]) {
      const answer = await app.callMain(list.path, body, { as: lacking });
      assertNotDone(answer, { status: 403, msg: `this client lacks the permission ${list.permission}` });
    }
    assert.equal((await searchAll(app, list, {}, clientOf(list.permission, 'only'))).length, (await searchAll(app, list)).length);
  });

  const brokenBodies: [string, string | Buffer, string | RegExp][] = [
    ['nothing', '', 'The body is empty.'],
    ['half of a document', '{"page_size":5', 'The body is not valid JSON: it ends too early.'],
    ['a list', '[{}]', 'the body must be object'],
    ['null', 'null', 'the body must be object'],
    ['a text', '"page_size"', 'the body must be object'],
    ['a number', '7', 'the body must be object'],
    ['a key twice', '{"page_size":5,"page_size":6}', /^The key "page_size" at byte \d+ appears twice in one object\.$/],
    ['a filter twice, once escaped', `{"${keys[0]}":"A","${keys[0]!.replace('.', '\\u002e')}":"B"}`, /appears twice in one object/],
    ['a __proto__ key', '{"__proto__":{"page_size":5}}', /^The key "__proto__" at byte \d+ is not allowed\.$/],
    ['a __proto__ key within a filter', `{"${keys[0]}":{"__proto__":"A"}}`, /^The key "__proto__" at byte \d+ is not allowed\.$/],
    ['a constructor key', '{"constructor":1}', /^The key "constructor" at byte \d+ is not allowed\.$/],
    ['invalid UTF-8', Buffer.from(`{"${keys[0]}":"\u00e9"}`, 'latin1'), 'The body is not valid UTF-8.'],
    ['a number that cannot be kept', '{"page_size":9007199254740993}', /cannot be kept exactly/],
    ['NUL', `{"${keys[0]}":"\\u0000"}`, /NUL/],
    ['half of a surrogate pair', `{"${keys[0]}":"\\ud800"}`, /surrogate/],
    ['33 levels', `{"${keys[0]}":${'['.repeat(33)}${']'.repeat(33)}}`, /nests deeper/],
  ];
  for (const [what, body, msg] of brokenBodies) {
    test(`${name}: a broken body is 400: ${what}`, async () => {
      await assertRefused(name, body, msg);
    });
  }
}

test('no search has changed anything', async () => {
  assert.deepEqual(await dumpAll(app), before);
});

test('none of this was a surprise to the service', () => {
  assert.deepEqual(
    app.logLines.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level)),
    [],
  );
});
