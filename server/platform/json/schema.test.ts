import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { formatMessage } from '../../../messages/format-message.ts';
import { roundDecimal } from './decimal.ts';
import { makeNormalizer } from './normalize.ts';
import { formatPath, makeChecker } from './schema.ts';

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
    entries: Type.Array(
      Type.Object({ price: Type.Number({ minimum: 0, normalize: { decimals: 2 } }), note: Type.Optional(Line) }),
    ),
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
    normalize({
      title: 'a\r\nb\tc',
      object: { inner: 'x\ny' },
      entries: [{ price: 1.005, note: '' }, null, { price: 2 }, 'x'],
      code: 3,
    }),
    { title: 'a b c', object: { inner: 'x y' }, entries: [{ price: 1.01 }, null, { price: 2 }, 'x'], code: '3' },
  );
});

test('what is of another type, and what is out of range, stays for the check', () => {
  const body = {
    title: 7,
    text: ['a\n'],
    object: ['a'],
    entries: [{ price: -0.001 }, { price: '1.005' }],
    code: 5,
    unknown: '',
  };
  assert.deepEqual(normalize(structuredClone(body)), body);
  for (const other of [null, 'x\n', 1, [], ['a']]) assert.deepEqual(normalize(structuredClone(other)), other);
});

test('a schema that has nothing to normalize leaves the value alone', () => {
  const body = { number: null };
  assert.equal(makeNormalizer(Type.Object({ number: Type.Integer() }))(body), body);
  assert.deepEqual(body, { number: null });
});

const rounded: [literal: string, decimals: number, result: number][] = [
  ['1.005', 2, 1.01],
  ['1.00499999999999999999999', 2, 1],
  ['-1.005', 2, -1.01],
  ['-0.004', 2, 0],
  ['0.5', 0, 1],
  ['0.05', 0, 0],
  ['0.9995', 3, 1],
  ['12.3456e1', 2, 123.46],
  ['123456e-5', 3, 1.235],
  ['5e-3', 2, 0.01],
  ['4.9E-3', 2, 0],
  ['1e-400', 3, 0],
  ['0.000', 2, 0],
  ['9999999999.995', 2, 10_000_000_000],
  ['1e21', 2, 1e21],
];
test('a decimal is rounded half up, away from zero', () => {
  for (const [literal, decimals, result] of rounded) assert.equal(roundDecimal(literal, decimals), result, literal);
});

test('rounding agrees with whole-number arithmetic on the digits', () => {
  const digits = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 3 }), (units, decimals) => {
      const written = `${units < 0n ? '-' : ''}${decimalText(units < 0n ? -units : units, 6)}`;
      const step = 10n ** BigInt(6 - decimals);
      const magnitude = ((units < 0n ? -units : units) * 2n + step) / (step * 2n);
      assert.equal(Math.abs(roundDecimal(written, decimals)), Number(decimalText(magnitude, decimals)));
    }),
  );
});

function decimalText(units: bigint, decimals: number): string {
  const text = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

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
      Type.Array(
        Type.Object({
          head: Type.Object({ notes: Type.Array(Type.Integer(), { maxItems: 3, 'x-max-items-in-all': 4 }) }),
        }),
        {
          maxItems: 3,
        },
      ),
    ),
  }),
);
const mistakesIn = (value: unknown) => {
  const checked = check(value);
  return checked.kind === 'valid'
    ? []
    : checked.mistakes.map(({ path, message }) => `${formatPath(path)} ${formatMessage(message)}`);
};
const detail = { qty: 1, expires: [] };

test('a list over its limit is the only mistake, wherever it is, and nothing in it is checked', () => {
  const manyWrong = Array(500_000).fill(0);
  assert.deepEqual(mistakesIn({ details: manyWrong }), ['details must not have more than 3 items']);
  assert.deepEqual(mistakesIn({ details: [detail, { qty: 'x', expires: manyWrong }] }), [
    'details[1].expires must not have more than 2 items',
  ]);
  assert.deepEqual(mistakesIn({ details: [], images: manyWrong }), ['images must not have more than 1 items']);
});

test('lists at their limits are checked, and a value that is no list is a mistake', () => {
  assert.deepEqual(
    mistakesIn({ details: [detail, detail, { qty: null, expires: [{ day: 'a' }, { day: 'b' }] }], images: ['a'] }),
    [],
  );
  assert.deepEqual(mistakesIn({ details: { length: 9 } }), ['details must be array']);
  assert.deepEqual(mistakesIn({ details: [null, { qty: 1, expires: 'none' }], images: null }), [
    'details[0] must be object',
    'details[1].expires must be array',
  ]);
  assert.deepEqual(mistakesIn(null), [' must be object']);
});

test('lists that are too long only together are one mistake of the list around them, and nothing in them is checked', () => {
  const page = (...notes: unknown[]) => ({ head: { notes } });
  assert.deepEqual(mistakesIn({ details: [], pages: [page(1, 2), page(3, 4)] }), []);
  assert.deepEqual(mistakesIn({ details: 'none', pages: [page('x', 'x'), page(), page('x', 'x', 'x')] }), [
    'pages must not have more than 4 head.notes in all',
  ]);
  assert.deepEqual(mistakesIn({ details: [], pages: [page(1, 2, 3, 4), page(5)] }), [
    'pages[0].head.notes must not have more than 3 items',
  ]);
  assert.deepEqual(mistakesIn({ details: [], pages: [null, { head: { notes: { length: 9 } } }, page(1)] }), [
    'pages[0] must be object',
    'pages[1].head.notes must be array',
  ]);
});

test('a pattern in a list that may be null is worded by its description', () => {
  const Code = Type.String({ pattern: '^[a-z]+$', description: 'small letters' });
  const checkCodes = makeChecker(Type.Object({ codes: Type.Optional(Type.Union([Type.Array(Code), Type.Null()])) }));
  const checked = checkCodes({ codes: ['a', 'B'] });
  assert.deepEqual(checked.kind === 'mistakes' && checked.mistakes, [
    { path: ['codes', 1], message: { code: 'not_of_form', params: { form: 'small letters' } } },
  ]);
});

test('a mistake in a field that may be null names its other type, once', () => {
  assert.deepEqual(mistakesIn({ details: [{ qty: 'x', expires: [] }], images: [1] }), [
    'details[0].qty must be integer',
    'images[0] must be string',
  ]);
});
