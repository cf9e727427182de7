import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { makeNormalizer } from './normalize.ts';

const Line = Type.String({ normalize: { lineBreaks: 'space' } });
const normalize = makeNormalizer(
  Type.Object({
    required: Type.String(),
    title: Line,
    text: Type.Optional(Line),
    nullable: Type.Optional(Type.Union([Line, Type.Null()])),
    flag: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.String())),
    object: Type.Optional(Type.Object({ inner: Type.Optional(Line) })),
    entries: Type.Array(Type.Object({ price: Type.Number({ minimum: 0, normalize: { decimals: 2 } }), note: Type.Optional(Line) })),
    code: Type.Optional(Type.String({ normalize: { numbersAsText: { minimum: 1, maximum: 4 } } })),
    batch: Type.Optional(Type.String({ normalize: { emptyIsValue: true } })),
  }),
);

test('an optional field that is null or empty is removed, or null where the schema allows it', () => {
  const empty = { text: '', nullable: '', flag: null, list: '', object: [], code: '' };
  assert.deepEqual(normalize({ ...empty }), { nullable: null });
  assert.deepEqual(normalize({ text: null, nullable: null, object: null, batch: null }), { nullable: null });
  assert.deepEqual(normalize({ object: '' }), {});
});

test('a required field, an empty list of values and an empty text that is a value stay', () => {
  const body = { required: '', title: null, list: [], object: {}, batch: '', entries: null };
  assert.deepEqual(normalize({ ...body }), body);
});

test('texts, numbers and fields are normalized in lists and objects too', () => {
  assert.deepEqual(
    normalize({ title: 'a\r\nb\tc', object: { inner: 'x\ny' }, entries: [{ price: 1.005, note: '' }, null, { price: 2 }, 'x'], code: 3 }),
    { title: 'a b c', object: { inner: 'x y' }, entries: [{ price: 1.01 }, null, { price: 2 }, 'x'], code: '3' },
  );
});

test('what is of another type, and what is out of range, stays for the check', () => {
  const body = { title: 7, text: ['a\n'], object: ['a'], entries: [{ price: -0.001 }, { price: '1.005' }], code: 5, unknown: '' };
  assert.deepEqual(normalize(structuredClone(body)), body);
  for (const other of [null, 'x\n', 1, [], ['a']]) assert.deepEqual(normalize(structuredClone(other)), other);
});

test('a schema that has nothing to normalize leaves the value alone', () => {
  const body = { number: null };
  assert.equal(makeNormalizer(Type.Object({ number: Type.Integer() }))(body), body);
  assert.deepEqual(body, { number: null });
});
