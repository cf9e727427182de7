import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { makeTestStore } from '../../../test/support/database.ts';
import { camelColumns } from './camel-columns.ts';
import { RowArray } from './row-array.ts';
import { rowParameters, typedRowParameters } from './row-parameters.ts';
import { sendInTurns } from './send-in-turns.ts';
import { readArray, writeArray } from './wire-types.ts';

test('columns get camelCase aliases where their names differ', () => {
  assert.equal(
    camelColumns('lot.lot_id, status, over_delivery_percent').write([]),
    'lot.lot_id as "lotId", status, over_delivery_percent as "overDeliveryPercent"',
  );
});

const store = await makeTestStore({ pool: 2 });
after(() => store.close());

test('rows arrive in their order, each column with its type', async () => {
  const rows = rowParameters<{ id: number; name: string | null; day: string }>({
    id: ['bigint', (row) => row.id],
    name: ['text', (row) => row.name],
    day: ['date', (row) => row.day],
  });
  const sent = [
    { id: 2, name: null, day: '2026-11-15' },
    { id: 1, name: 'a, "b"', day: '2026-11-16' },
  ];
  const given = await store.database.read(
    (sql) => sql`select id, name, day, pg_typeof(id)::text as type from ${rows.given(sent)}`,
  );
  const unnested = await store.database.read((sql) => sql`select * from ${rows.unnest(sent)} as t(id, name, day)`);
  assert.deepEqual(
    [...given],
    sent.map((row) => ({ ...row, type: 'bigint' })),
  );
  assert.deepEqual([...unnested], sent);
});

test('statements are sent in order, one per turn, and none waits for the result of another', async () => {
  const sent: number[] = [];
  const send = (number: number) => () => {
    sent.push(number);
    return new Promise(() => {});
  };
  const sending = sendInTurns([send(1), send(2), send(3)]);

  assert.deepEqual(sent, []);
  await nextTurn();
  assert.deepEqual(sent, [1]);
  await nextTurn();
  assert.deepEqual(sent, [1, 2]);
  await nextTurn();
  assert.deepEqual(sent, [1, 2, 3]);
  assert.equal((await sending).length, 3);
});

// The runner fails a test with an unhandled rejection.
test('a statement that fails before the last one is sent rejects its own promise, and is never unhandled', async () => {
  const failure = new Error('refused');
  const sent = await sendInTurns([() => Promise.reject(failure), async () => 'done', async () => 'done']);

  assert.deepEqual(await Promise.allSettled(sent), [
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 'done' },
    { status: 'fulfilled', value: 'done' },
  ]);
});

test('any array of texts is returned by the database as it was sent', async () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
      const [row] = await store.database.read(
        (sql) => sql`select ${values}::text[] as back, cardinality(${values}::text[]) as size`,
      );
      assert.deepEqual([row!.back, row!.size], [values, values.length]);
    }),
    { numRuns: 100, examples: [[['NULL', null, '', '"', '\\', ',', '{}', ' a ', '\n']]] },
  );
});

test('any row is returned by the database as it was sent, each column with its type', async () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
  type Line = {
    orderId: number;
    kind: string | null;
    lotId: number | null;
    traceId: string | null;
    reason: string | null;
  };
  const rows = typedRowParameters<Line>('movement_row', {
    lot_id: ['bigint', (row) => row.lotId],
    kind: ['text', (row) => row.kind],
    on_hand_delta: ['bigint', () => null],
    locked_delta: ['bigint', () => null],
    order_id: ['bigint', (row) => row.orderId],
    inbound_id: ['bigint', () => null],
    actor: ['text', () => null],
    trace_id: ['uuid', (row) => row.traceId],
    reason: ['text', (row) => row.reason],
  });
  const row = fc.record<Line>(
    {
      orderId: fc.maxSafeInteger(),
      kind: fc.option(text),
      lotId: fc.option(fc.maxSafeInteger()),
      traceId: fc.option(fc.uuid()),
      reason: fc.option(text),
    },
    { noNullPrototype: true },
  );
  const awkward = [
    '',
    ' ',
    'NULL',
    '"',
    '\\',
    ',',
    '()',
    ')","(',
    '{}',
    '\n',
    '\\"',
    'a "b" \\c',
    'x'.repeat(100_000),
    '茶é',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(row), async (sent) => {
      const back = await store.database.read(
        (sql) =>
          sql`select order_id as "orderId", kind, lot_id as "lotId", trace_id as "traceId", reason from ${rows.given(sent)}`,
      );
      assert.deepEqual([...back], sent);
    }),
    {
      numRuns: 100,
      examples: [[awkward.map((each) => ({ orderId: 1, kind: each, lotId: null, traceId: null, reason: each }))]],
    },
  );
});

test('a number that is not whole or too large for its column is never sent', () => {
  const write = (type: 'bigint' | 'integer', value: number) =>
    new RowArray('sample_row', [value], [[type, (row: number) => row]]).write(new Map([['sample_row', 1]]));
  for (const wrong of [1.5, Number.NaN, undefined as never, 2 ** 53])
    assert.throws(() => write('bigint', wrong), TypeError);
  for (const wrong of [2 ** 31, -(2 ** 31) - 1]) assert.throws(() => write('integer', wrong), TypeError);
  assert.equal(write('bigint', -1).toString('hex').slice(-16), 'f'.repeat(16));
});

test('rows with dates travel as text, and return as they were sent', async () => {
  type Line = { inboundId: number; lineNo: number | null; expireDate: string | null };
  const rows = typedRowParameters<Line>('inbound_line_row', {
    inbound_id: ['bigint', (row) => row.inboundId],
    line_no: ['integer', (row) => row.lineNo],
    product_id: ['bigint', () => null],
    expire_date: ['date', (row) => row.expireDate],
    qty: ['bigint', () => null],
  });
  const sent = [
    { inboundId: 2 ** 53 - 1, lineNo: -(2 ** 31), expireDate: '2099-12-31' },
    { inboundId: -1, lineNo: null, expireDate: null },
  ];
  const back = await store.database.read(
    (sql) =>
      sql`select inbound_id as "inboundId", line_no as "lineNo", expire_date as "expireDate" from ${rows.given(sent)}`,
  );
  assert.deepEqual([...back], sent);
});

test('arrays of numbers, booleans, dates and instants keep their types', async () => {
  const [row] = await store.database.read(
    (sql) => sql`
      select array[1, null]::int[] as integers, array[9007199254740991]::bigint[] as bigints, array[true, false] as truths,
        array['2026-11-15']::date[] as days, array['2026-11-15T00:00:00Z']::timestamptz[] as instants, array[1.50]::numeric[] as decimals`,
  );
  assert.deepEqual(
    { ...row },
    {
      integers: [1, null],
      bigints: [9007199254740991],
      truths: [true, false],
      days: ['2026-11-15'],
      instants: [new Date('2026-11-15T00:00:00Z')],
      decimals: ['1.50'],
    },
  );
});

test('a bigint that does not fit a number is an error, never rounded', async () => {
  await assert.rejects(
    store.database.read((sql) => sql`select 9007199254740993::bigint as id`),
    /does not fit a number/,
  );
});

test('reading is the inverse of writing', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string())), (values) =>
      assert.deepEqual(readArray(writeArray(values), String), values),
    ),
  );
});
