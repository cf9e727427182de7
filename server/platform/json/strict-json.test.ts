import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMessage } from '../../../messages/format-message.ts';
import { findSyntaxMistake } from './json-syntax.ts';
import { readJson, readLargeJson } from './strict-json.ts';

test('20,000 keys of large objects are read, in one object, together or with escapes; one more is refused', () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`;
  const objects = (count: number, one: string) => `[${Array(count).fill(one).join(',')}]`;
  const largeObjects: [largest: string, tooLarge: string][] = [
    [keys(20_000), keys(20_001)],
    [objects(800, keys(25)), objects(801, keys(25))],
    [objects(20_000, '{"\\u0041":0}'), objects(20_001, '{"\\u0041":0}')],
  ];
  for (const [largest, tooLarge] of largeObjects) {
    assertValue(largest);
    assert.match(refusalOf(tooLarge), /^Large objects have more than 20000 keys at byte \d+\.$/);
  }
  assertValue(objects(1000, keys(24)));
});

test('100,000 values are read, one more is refused', () => {
  for (const value of ['0', 'null', '""']) assertValue(`[${Array(99_999).fill(value).join(',')}]`);
  assertRefused(`[${Array(100_000).fill('0').join(',')}]`, 'The body has more than 100000 values at byte 199998.');
  assertRefused(`[${Array(50_001).fill('{}').join(',')}]`, 'The body has more than 100000 values at byte 149998.');
});

test('a plain Uint8Array, also one that is a view into a larger buffer, reads like a Buffer', () => {
  const whole = new TextEncoder().encode('x{"a":1}x');
  assert.deepEqual(readJson(whole.subarray(1, 8)), { kind: 'value', value: { a: 1 } });
});

test('an empty body and a body of white space are refused', () => {
  assertRefused('', 'The body is empty.');
  assertRefused(' \n', 'The body is not valid JSON: it ends too early.');
});

test('invalid UTF-8 is refused, also inside a string', () => {
  for (const hex of ['ff', '22c328 22', '22eda08022', '22c080 22', '22f4908080 22', '22e282']) {
    const reading = readJson(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    assert.deepEqual(reading, { kind: 'refused', message: { code: 'not_utf8' } });
  }
});

test('a byte order mark is refused at the start and kept inside a string', () => {
  assertRefused('\ufeff{}', 'The body starts with a byte order mark.');
  assertValue('"\ufeff"');
});

test('invalid JSON is refused with its position', () => {
  const at = (position: number) => `The body is not valid JSON at character ${position}.`;
  const invalid: [position: number, texts: string[]][] = [
    [0, ['NaN', ']', "'a'", 'undefined', '+1', '.5', ',', ':', '\u00a0{}', '<html>']],
    [1, ['01', '-a', '{a:1}', "{'a':1}", '[,]', '{,}', '[}', '{]', '{1:2}', '1_2']],
    [2, ['"a\u0000b"', '"a\nb"', '1.e5', '1ex', '{}{}', '[]x', '1 2', '"\\x"', 'nuLl']],
    [3, ['"é"x']],
    [4, ['"😀"x']],
    [5, ['"\\u00g0"', '{"a" 1}', '{"a":,"b":1}', '{"a":True}']],
    [7, ['{"a":1 "b":2}', '{"a":1,b:2}', '{"a":trve}']],
    [8, ['{"a":1, // one\n"b":2}']],
    [15, ['{"sku_ids":["a"}']],
    [16, ['{"sku_ids":["a" "b"]}']],
  ];
  for (const [position, texts] of invalid) for (const text of texts) assertRefused(text, at(position));
  assertRefused('{"\\x":1}', 'The body is not valid JSON: the key at byte 2 has a wrong escape.');
});

test('a comma before a closing bracket is named, at the bracket', () => {
  const at = (position: number) => `The body is not valid JSON at character ${position}: a comma stands before ] or }.`;
  assertRefused('[1,]', at(3));
  assertRefused('{"a":1,}', at(7));
  assertRefused('{"sku_ids":["a",]}', at(16));
  assertRefused('{"a":[{"b":1},\n ]}', at(16));
  assertRefused('{"a":[],\n}', at(9));
});

test('a text that only lacks its end is refused as one, wherever it was cut', () => {
  const text = '{"a":[1,-2.5e+3,true,false,null,{}],"b\\u00e9\\n":{"c":"é"}}';
  assertValue(text);
  for (let length = 1; length < text.length; length++) {
    assertRefused(text.slice(0, length), 'The body is not valid JSON: it ends too early.');
  }
  assertRefused('{"sku_ids":["a"', 'The body is not valid JSON: it ends too early.');
});

test('a message never quotes the body, takes no position from it, and does not depend on an earlier body', () => {
  assertRefused('"a":1,"a":1', 'The key "a" at byte 7 appears twice in one object.');
  assertRefused('"a":1', 'The body is not valid JSON at character 3.');
  assertRefused('Anna Schmidt in JSON at position 3', 'The body is not valid JSON at character 0.');
  assertRefused('[Anna in JSON at position 3 (line 1 column 4)', 'The body is not valid JSON at character 1.');
});

test('property: where the engine names a position, ours is the same', () => {
  const text = fc
    .tuple(
      fc.jsonValue({ maxDepth: 4 }),
      fc.nat(),
      fc.nat(2),
      fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom(...'{}[]:,"\\ 0e-tn')),
    )
    .map(([value, place, removed, added]) => {
      const good = JSON.stringify(value);
      const at = place % (good.length + 1);
      return good.slice(0, at) + added + good.slice(at + removed);
    });
  let named = 0;
  fc.assert(
    fc.property(text, (candidate) => {
      const position = positionNamedByEngine(candidate);
      if (position === null) return;
      named++;
      const mistake = findSyntaxMistake(candidate);
      assert.equal(mistake.kind === 'ends_early' ? candidate.length : mistake.at, position, candidate);
    }),
    { numRuns: 1000 },
  );
  assert.ok(named > 100, `only ${named} positions were named`);
});

function positionNamedByEngine(text: string): number | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = (error as Error).message;
    if (message === 'Unexpected end of JSON input') return text.length;
    const position = /JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
    return position === undefined ? null : Number(position);
  }
}

const repeatedKeys: [text: string, key: string, byte: number][] = [
  ['{"a":1,"a":1}', 'a', 8],
  ['{"":1,"":1}', '', 7],
  ['[{"x":{"b":1,"c":{"b":2},"b" : 3}}]', 'b', 26],
  ['{"数":1,"数":2}', '数', 10],
  ['{"a":1,"\\u0061":2}', 'a', 8],
  ['{"\\u0061":1,"b":2,"a":3}', 'a', 19],
  ['{"\\/":1,"/":2}', '/', 9],
  ['{"😀":1,"\\ud83d\\ude00":2}', '😀', 11],
];
test('a key that appears twice in one object, compared as decoded, is refused', () => {
  for (const [text, key, byte] of repeatedKeys)
    assertRefused(text, `The key "${key}" at byte ${byte} appears twice in one object.`);
  assertValue('{"a":1,"\\\\u0061":2}');
  assertValue('{"a":{"a":[{"a":1},{"a":2},"a","a"]},"b":{"a":"a"},"A":"b"}');
});

test('duplicates are found in objects of many keys, whatever their number', () => {
  for (const count of [1, 2, 23, 24, 25, 26, 100, 5000]) {
    const members = Array.from({ length: count }, (_, index) => `"key${index}":{"key${index}":0}`);
    assertValue(`{${members.join()}}`);
    for (const repeated of [0, count >> 1, count - 1]) {
      assert.match(
        refusalOf(`{${members.join()},"key${repeated}":0}`),
        new RegExp(`^The key "key${repeated}" at byte \\d+ appears twice`),
      );
    }
  }
});

test('__proto__ and constructor are refused as keys, however written and however deep', () => {
  assertRefused('{"__proto__":{}}', 'The key "__proto__" at byte 2 is not allowed.');
  assertRefused('[{"a":1,"constructor":{}}]', 'The key "constructor" at byte 9 is not allowed.');
  assertRefused('{"\\u005f_proto__":{}}', 'The key "__proto__" at byte 2 is not allowed.');
  assertRefused('{"c\\u006Fnstructor":{}}', 'The key "constructor" at byte 2 is not allowed.');
  assertValue('{"_proto_":"__proto__","prototype":"constructor","Constructor":1,"warehouse":1}');
});

test('a shown key is cut at 60 characters and stays on one line', () => {
  const long = 'k'.repeat(61);
  assertRefused(`{"${long}":1,"${long}":1}`, `The key "${'k'.repeat(60)}…" at byte 68 appears twice in one object.`);
  assertRefused('{"a\\n\u2028b":1,"a\\n\u2028b":1}', 'The key "a??b" at byte 14 appears twice in one object.');
});

test('32 levels are read and the 33rd is refused', () => {
  assertValue('['.repeat(32) + ']'.repeat(32));
  assertValue(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`);
  assertValue(`[${'[],{},'.repeat(100)}0]`);
  assertRefused('['.repeat(33) + ']'.repeat(33), 'The body nests deeper than 32 levels at byte 32.');
  assertRefused(`${'{"a":'.repeat(32)}{}${'}'.repeat(32)}`, 'The body nests deeper than 32 levels at byte 160.');
  assertRefused('['.repeat(1_000_000), 'The body nests deeper than 32 levels at byte 32.');
});

test('numbers that print back as the same decimal are read', () => {
  const numbers = `
    0 -0 -0.0 0e999999 0.1 1.0 1e3 1E+3 1.50 -12.5e-3 9007199254740992 123456789012345680000 100e-2
    1e300 1e308 1e-307 5e-324 1.7976931348623157e308 0.30000000000000004 1000000000000000000000000
    1${'0'.repeat(300)} 0.${'0'.repeat(400)}1e401 1e${'0'.repeat(50)}1`;
  for (const text of numbers.trim().split(/\s+/)) {
    assertValue(text);
    assertValue(`{"n":[${text} ,${text}]}`);
  }
});

test('numbers that lose precision, overflow or vanish are refused', () => {
  const inexact = `
    9007199254740993 0.1000000000000000055511151231257827 0.10000000000000001 12345678901234567890000
    18446744073709551616`;
  const outOfRange = `
    1e400 -1e400 1e309 1e-400 4.9e-324 1e99999999999999999999 ${'7'.repeat(400)} 1${'0'.repeat(309)}`;
  for (const text of `${inexact}${outOfRange}`.trim().split(/\s+/)) {
    assertRefused(text, 'The number at byte 0 cannot be kept exactly.');
    assertRefused(`{"n":[1,${text}]}`, 'The number at byte 8 cannot be kept exactly.');
  }
});

test('half of a surrogate pair is refused in strings and keys', () => {
  const message = (at: number) => `A string or key holds half of a surrogate pair at byte ${at}.`;
  const halves =
    '\\ud800 \\uDBFF \\udc00 \\uDFFF \\ude00\\ud83d \\ud83dx \\ud83d\\\\ude00 \\ud83d\\n \\ud83d\\ud83d\\ude00';
  for (const half of halves.split(' ')) {
    assertRefused(`"${half}"`, message(1));
    assertRefused(`{"a\\n${half}":1}`, message(5));
  }
  assertRefused('"\\ud83d\\ude00\\ude00"', message(13));
  assertValue('["\\ud83d\\ude00","\\uD83D\\uDE00","😀","\\ue000\\ud7ff","\\\\ud800"]');
});

test('a NUL character is refused in strings and keys', () => {
  const message = (at: number) => `A string or key holds a NUL character, which cannot be stored, at byte ${at}.`;
  assertRefused('"\\u0000"', message(1));
  assertRefused('["a","b\\n\\u0000"]', message(9));
  assertRefused('{"\\u0000":1}', message(2));
  assertValue('["\\\\u0000","\\u0001","\\u000a"]');
});

test('property: random and mutated bytes never throw, and give a value only where JSON.parse gives the same; slices change nothing', async () => {
  const mutated = fc
    .tuple(
      fc.jsonValue({ maxDepth: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.oneof(fc.nat(255), jsonByte)), { maxLength: 4 }),
    )
    .map(([value, edits]) => {
      const bytes = [...Buffer.from(JSON.stringify(value))];
      for (const [place, removed, byte] of edits) bytes.splice(place % (bytes.length + 1), removed, byte);
      return Uint8Array.from(bytes);
    });
  const random = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.array(jsonByte, { maxLength: 30 }).map((bytes) => Uint8Array.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, random), fc.integer({ min: 1, max: 9 }), async (bytes, sliceBytes) => {
      const reading = readJson(bytes);
      assert.deepEqual(await readLargeJson(Buffer.from(bytes), undefined, sliceBytes), reading);
      if (reading.kind === 'value') assert.deepEqual(reading.value, JSON.parse(decodeFatally(bytes)));
      else assert.match(formatMessage(reading.message), /^[^\n]+\.$/);
    }),
    { numRuns: 3000 },
  );
});

test('other work runs while a large body is read, and two large bodies do not disturb each other', async () => {
  const objectOf = (key: string) =>
    `{${Array.from({ length: 15_000 }, (_, index) => `"${key} with a long name ${index}":${index}`).join()}}`;
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns++;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const bodies = ['one', 'another'].map(objectOf);
  const readings = await Promise.all(bodies.map((text) => readLargeJson(Buffer.from(text))));
  isReading = false;
  assert.deepEqual(
    readings,
    bodies.map((text) => ({ kind: 'value', value: JSON.parse(text) })),
  );
  assert.ok(turns >= Math.floor(bodies[0]!.length / (64 * 1024)), `only ${turns} turns`);
});

test('property: on texts of JSON fragments the reader accepts what a slow and plain reference accepts', () => {
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.stringMatching(/^[0-9]{1,20}$/),
      fc.stringMatching(/^(\.[0-9]{0,18})?$/),
      fc.stringMatching(/^([eE][+-]?[0-9]{1,3})?$/),
    )
    .map(([sign, whole, fraction, exponent]) => sign + whole.replace(/^0+(?=.)/, '') + fraction + exponent);
  const pieces = 'a b \\u0061 \\n \\\\ \\" \\u0000 \\ud83d \\ude00 \\ud83d\\ude00 😀 数 constructor __proto__';
  const piece = fc.constantFrom(...pieces.split(' '));
  const string = fc.array(piece, { maxLength: 3 }).map((chosen) => `"${chosen.join('')}"`);
  const scalar = fc.oneof(number, string, fc.constantFrom('true', 'null', '1', '"a"', 'x', ''));
  const text = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
      fc
        .array(fc.tuple(string, tie('value')), { maxLength: 5 })
        .map((members) => `{${members.map(([key, value]) => `${key} :${value}`).join()}}`),
      tie('value').map((value) => '['.repeat(30) + value + ']'.repeat(30)),
    ),
  })).value;
  const soup = fc
    .array(fc.oneof(scalar, fc.constantFrom('{', '}', '[', ']', ':', ',', ' ', '{"a":', '"b":1,')), { maxLength: 14 })
    .map((parts) => parts.join(''));
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(text, soup), (candidate) => {
      const expected = referenceAccepts(candidate);
      assert.equal(readJson(Buffer.from(candidate)).kind === 'value', expected, candidate);
      if (expected) accepted++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(accepted > 200, `only ${accepted} texts were acceptable`);
});

function assertValue(text: string) {
  assert.deepEqual(readJson(Buffer.from(text)), { kind: 'value', value: JSON.parse(text) }, text);
}

function assertRefused(text: string, message: string) {
  assert.equal(refusalOf(text), message, text.slice(0, 100));
}

function refusalOf(text: string): string {
  const reading = readJson(Buffer.from(text));
  return reading.kind === 'refused' ? formatMessage(reading.message) : 'read';
}

const jsonByte = fc.constantFrom(...Buffer.from('{}[]:,"\\ \n0123456789.eE+-truefalsn/b'));

function decodeFatally(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/**
 * A reader of its own, written for being plainly right: it takes the grammar's regular expressions in turn and
 * recurses.
 */
function referenceAccepts(text: string): boolean {
  let rest = text;
  try {
    readValue(1);
    return /^[ \t\r\n]*$/.test(rest);
  } catch (refusal) {
    if (refusal instanceof Refusal) return false;
    throw refusal;
  }

  function readValue(depth: number): void {
    const start = take(/^(?:[[{"]|true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/);
    if ('[{'.includes(start) && depth > 32) throw new Refusal();
    if (start === '[') readItems(depth);
    else if (start === '{') readMembers(depth);
    else if (start === '"') readString();
    else if (/[0-9]/.test(start) && !isSameDecimal(start, String(Number(start)))) throw new Refusal();
  }

  function readItems(depth: number): void {
    if (/^[ \t\r\n]*\]/.test(rest)) return void take(/^\]/);
    do readValue(depth + 1);
    while (take(/^[,\]]/) === ',');
  }

  function readMembers(depth: number): void {
    if (/^[ \t\r\n]*\}/.test(rest)) return void take(/^\}/);
    const keys: string[] = [];
    do {
      take(/^"/);
      const key = readString();
      if (keys.includes(key) || key === '__proto__' || key === 'constructor') throw new Refusal();
      keys.push(key);
      take(/^:/);
      readValue(depth + 1);
    } while (take(/^[,}]/) === ',');
  }

  function readString(): string {
    const match = /^(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/u.exec(rest);
    if (!match) throw new Refusal();
    rest = rest.slice(match[0].length);
    const decoded: string = JSON.parse(`"${match[0]}`);
    if (!decoded.isWellFormed() || decoded.includes('\u0000')) throw new Refusal();
    return decoded;
  }

  function take(token: RegExp): string {
    rest = rest.replace(/^[ \t\r\n]+/, '');
    const match = token.exec(rest);
    if (!match) throw new Refusal();
    rest = rest.slice(match[0].length);
    return match[0];
  }
}

class Refusal extends Error {}

function isSameDecimal(left: string, right: string): boolean {
  if (!/[1-9]/.test(left.split(/e/i)[0]!)) return true;
  const exponentIsHopeless = Math.abs(Number(left.split(/e/i)[1] ?? 0)) >= scale / 2;
  return !exponentIsHopeless && !right.endsWith('Infinity') && scaled(left) === scaled(right);
}

const scale = 2000;

/** The decimal as an integer count of 10^-scale, so that equal numbers are equal integers. */
function scaled(literal: string): bigint {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(scale + Number(exponent) - fraction.length);
}
