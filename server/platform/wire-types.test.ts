import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeTestStore } from '../../test/support/database.ts';
import { readArray, writeArray } from './wire-types.ts';

test('any list of texts comes back from the database as it was sent', async () => {
  const store = await makeTestStore();
  try {
    const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        const [row] = await store.database.read((sql) => sql`select ${values}::text[] as back, cardinality(${values}::text[]) as size`);
        assert.deepEqual([row!.back, row!.size], [values, values.length]);
      }),
      { numRuns: 200, examples: [[['NULL', null, '', '"', '\\', ',', '{}', ' a ', '\n']]] },
    );
  } finally {
    await store.close();
  }
});

test('lists of numbers, truths, days and instants keep their types', async () => {
  const store = await makeTestStore();
  try {
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
  } finally {
    await store.close();
  }
});

test('a bigint that a number cannot hold is an error, never rounded', async () => {
  const store = await makeTestStore();
  try {
    await assert.rejects(
      store.database.read((sql) => sql`select 9007199254740993::bigint as id`),
      /does not fit a number/,
    );
  } finally {
    await store.close();
  }
});

test('reading is the inverse of writing', () => {
  fc.assert(fc.property(fc.array(fc.option(fc.string())), (values) => assert.deepEqual(readArray(writeArray(values), String), values)));
});
