import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { makeChecker, wordPath } from './schema.ts';

const check = makeChecker(
  Type.Object({
    details: Type.Array(
      Type.Object({
        qty: Type.Union([Type.Integer(), Type.Null()]),
        expires: Type.Array(Type.Object({ day: Type.String() }), { maxItems: 2 }),
      }),
      { maxItems: 3 },
    ),
    images: Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: 1 }), Type.Null()])),
    pages: Type.Optional(
      Type.Array(Type.Object({ head: Type.Object({ notes: Type.Array(Type.Integer(), { maxItems: 3, 'x-max-items-in-all': 4 }) }) }), {
        maxItems: 3,
      }),
    ),
  }),
);
const told = (value: unknown) => {
  const checked = check(value);
  return checked.kind === 'valid' ? [] : checked.mistakes.map(({ path, message }) => `${wordPath(path)} ${message}`);
};
const detail = { qty: 1, expires: [] };

test('a list over its limit is told before anything else, wherever it stands, and nothing in it is looked at', () => {
  const manyWrong = Array(500_000).fill(0);
  assert.deepEqual(told({ details: manyWrong }), ['details must not have more than 3 items']);
  assert.deepEqual(told({ details: [detail, { qty: 'x', expires: manyWrong }] }), ['details[1].expires must not have more than 2 items']);
  assert.deepEqual(told({ details: [], images: manyWrong }), ['images must not have more than 1 items']);
});

test('lists at their limits are checked, and what is no list at all is told as such', () => {
  assert.deepEqual(told({ details: [detail, detail, { qty: null, expires: [{ day: 'a' }, { day: 'b' }] }], images: ['a'] }), []);
  assert.deepEqual(told({ details: { length: 9 } }), ['details must be array']);
  assert.deepEqual(told({ details: [null, { qty: 1, expires: 'none' }], images: null }), [
    'details[0] must be object',
    'details[1].expires must be array',
  ]);
  assert.deepEqual(told(null), [' must be object']);
});

test('lists that are too long only together are told by what holds them, and nothing in them is looked at', () => {
  const page = (...notes: unknown[]) => ({ head: { notes } });
  assert.deepEqual(told({ details: [], pages: [page(1, 2), page(3, 4)] }), []);
  assert.deepEqual(told({ details: 'none', pages: [page('x', 'x'), page(), page('x', 'x', 'x')] }), [
    'pages must not have more than 4 head.notes in all',
  ]);
  assert.deepEqual(told({ details: [], pages: [page(1, 2, 3, 4), page(5)] }), ['pages[0].head.notes must not have more than 3 items']);
  assert.deepEqual(told({ details: [], pages: [null, { head: { notes: { length: 9 } } }, page(1)] }), [
    'pages[0] must be object',
    'pages[1].head.notes must be array',
  ]);
});

test('a pattern in a list that may be null is worded by its description', () => {
  const Code = Type.String({ pattern: '^[a-z]+$', description: 'small letters' });
  const checkCodes = makeChecker(Type.Object({ codes: Type.Optional(Type.Union([Type.Array(Code), Type.Null()])) }));
  const checked = checkCodes({ codes: ['a', 'B'] });
  assert.deepEqual(checked.kind === 'mistakes' && checked.mistakes, [{ path: ['codes', 1], message: 'must be small letters' }]);
});

test('of a field that may be null, what else it may be is told, once', () => {
  assert.deepEqual(told({ details: [{ qty: 'x', expires: [] }], images: [1] }), [
    'details[0].qty must be integer',
    'images[0] must be string',
  ]);
});
