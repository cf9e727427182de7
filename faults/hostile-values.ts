import fc from 'fast-check';

/** JSON as bytes, or bytes that resemble JSON: numbers and escapes that no serializer writes. */
export type Fragment = string | Buffer;

const deep = (open: string, close: string, levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`;
const quoted = (text: string) => JSON.stringify(text);

const otherTypes = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '""',
  '" "',
  '0',
  '1',
  '"1"',
  '"null"',
  '"true"',
];

const numbers = [
  ...['-0', '-1', '-0.0', '1.5', '0.001', '0.0001', '1.0', '1e0', '1E+2', '1e-7', '2147483647', '2147483648'],
  ...['999999999', '1000000001'],
  ...['9007199254740991', '9007199254740993', '9223372036854775807', '9223372036854775808', '253402300800000', '1e15'],
  ...['1e308', '1e400'],
  ...['-1e400', '1e-400', '123456789012345678901234567890', '0.1234567890123456789', '1.005', '-1.005'],
  ...['33.33333333333333333333', '-0.001', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`],
  // Not JSON at all.
  ...['01', '+1', '.5', '1.', '0x10', '1_000', 'NaN', 'Infinity', '-Infinity', '1e', '--1', '１'],
];

const controlCharacters = Array.from({ length: 32 }, (_, code) => `"a\\u${code.toString(16).padStart(4, '0')}b"`);

const oddTexts = [
  // Lone surrogates in every position, and pairs in the wrong order.
  ...['"\\ud800"', '"\\udc00"', '"a\\ud800b"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\uD83D"', '"\\ud800\\u0041"'],
  ...['"\\u0000"', '"a\\u0000"', '"\\u007f"', '"\\u0085"', '"\\u009f"', '"\\ufffe"', '"\\uffff"', '"\\ufeffA"'],
  ...['"\\u2028"', '"\\u2029"'],
  ...['\u202eabc', 'שלום עולם', '\u2066x\u2069', 'e\u0301', '\u00e9', `Z${'\u0351'.repeat(40)}`, '👩‍👩‍👧‍👦'].map(
    quoted,
  ),
  ...['🇹🇼', '茶葉', '許功蓋', 'ﷺ', 'İıß', '\u200b', 'a\u200db', 'a\u2066b', 'a\ufe0fb', '\u00a0x\u00a0'].map(quoted),
  ...['\u3000x', 'x\u3000', ' x', 'x ', '\tx', 'x\n', '\ud7ff\ue000\ufffd', '\u{10ffff}', '\u{1f600}'].map(quoted),
  // Injection into SQL, shells, templates and other languages.
  ...["'; drop table orders; --", "' or '1'='1", '$1', '%', '_', '\\', '\\\\', '{"a":1}', '{a,b}', 'NULL'].map(quoted),
  ...['(1,2)', '$$', '::text'].map(quoted),
  ...['; rm -rf /', '$(id)', '`id`', '| cat', '&& true', '\u001b[31m', '%s%n%d'].map(quoted),
  ...[`\${jndi:ldap://127.0.0.1/a}`, '{{7*7}}', '<%= 1 %>'].map(quoted),
  ...['<script>alert(1)</script>', '"><img src=x>', '../../etc/passwd', '..\\..\\x', '/etc/passwd'].map(quoted),
  ...['file:///etc/passwd', '%2e%2e%2f', '%00'].map(quoted),
  ...['a\r\nset-cookie: x', 'a\\u000d\\u000ab', '=cmd()', '__proto__', 'constructor', 'prototype'].map(quoted),
  ...['toString', 'hasOwnProperty', 'undefined'].map(quoted),
  ...['infinity', '-infinity', '2027-02-30', '0000-01-01', '9999-12-31', '10000-01-01', '2027-6-1'].map(quoted),
  ...['2027-06-30T00:00:00Z', '2027-06-30 '].map(quoted),
  ...['2026-11-15T09:30:00+08:00', '2026-11-15T25:00:00Z', '9999-12-31T23:59:59.999999-15:59'].map(quoted),
  ...['0001-01-01T00:00:00Z', '2026-11-15T09:30:60Z'].map(quoted),
  ...['ow_', 'si_', 'ow_OUT-1_0000000000', 'TW', 'tw', 'home', 'csvs', 'ambient', 'good', 'shipped'].map(quoted),
  ...['A'.repeat(43), 'AAAA', 'eyJhIjoxfQ=='].map(quoted),
];

const longTexts = [
  20, 21, 25, 26, 30, 31, 50, 51, 100, 101, 125, 126, 255, 256, 500, 501, 2000, 2001, 2048, 2049, 16_384, 200_000,
].flatMap((length) => [
  quoted('x'.repeat(length)),
  // Limits count characters, which have up to four bytes.
  ...(length <= 2049 ? [quoted('茶'.repeat(length)), quoted('😀'.repeat(length))] : [quoted(' '.repeat(length))]),
]);

const objects = [
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"prototype":{"polluted":1}}'],
  ...['{"\\u005f_proto__":1}'],
  ...['{"toString":1}', '{"valueOf":null}', '{"toJSON":1}', '{"then":1}', '{"length":5}', '{"0":1}'],
  ...['{"hasOwnProperty":1}', '{"":1}'],
  ...['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"gte":1,"gte":1}', '{"ne":null}', '{"prefix":""}', '{"prefix":"%"}'],
  ...['{"gte":{}}', '{"$gt":""}'],
];

const nested = [16, 28, 31, 32, 33, 100, 20_000].flatMap((levels) => [
  deep('[', ']', levels),
  deep('{"a":', '}', levels),
]);

/** Invalid UTF-8: Big5 text, overlong forms, lone surrogates, truncated sequences. */
const otherBytes = [
  'a4a4a4e5',
  'b3 5c a5 5c bb 5c',
  'ff',
  'fe',
  'c0 80',
  'e0 80 af',
  'ed a0 80',
  'f4 90 80 80',
  'e8 8c',
  'c3',
  '80',
  'f0 9f 98',
].map((hex) => Buffer.concat([Buffer.from('"'), Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.from('"')]));

const rawControls = [
  '"a\u0000b"',
  '"a\nb"',
  '"a\u001fb"',
  '"a\tb"',
  '\u0000',
  '\ufeff1',
  "'single'",
  'undefined',
  '"open',
  '{',
  '[1,]',
  '1 2',
  '/* */1',
];

/** URLs for callbacks and images. Only the response matters: the service never connects to them in this run. */
export const hostileAddresses = [
  ...['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://0/'],
  ...['http://0.0.0.0:80/', 'http://2130706433/'],
  ...['http://0x7f.1/', 'http://017700000001/', 'http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/'],
  ...['http://192.168.0.1/', 'http://[fe80::1]/'],
  ...['http://[fd00::1]/', 'http://100.64.0.1/', 'http://224.0.0.1/', 'http://255.255.255.255/'],
  ...['http://user:password@partner.example/', 'ftp://partner.example/'],
  ...['javascript:alert(1)', 'data:text/plain,x', 'file:///etc/passwd', '//partner.example/', 'http:partner.example'],
  ...['http:/partner.example', 'HTTP://PARTNER.EXAMPLE/'],
  ...['http://', 'http://?', 'http://#', 'http://.', 'http://..', 'http://a b/', 'http://partner.example:0/'],
  ...['http://partner.example:65536/', 'http://partner.example:99999999999/'],
  ...['http://partner.example/%00', 'http://partner.example/\u0000', 'http://partner.example/\r\nx: y', 'http://xn--/'],
  ...['http://ä.example/茶?q=葉#ö', 'http://partner.example\\@127.0.0.1/'],
  ...['http://127.0.0.1#@partner.example/', 'http://127。0。0。1/', 'http://①②⑦.0.0.1/'],
  ...[`http://${'a'.repeat(64)}.example/`, `http://${'a.'.repeat(200)}example/`],
  ...[`https://partner.example/${'x'.repeat(2040)}`],
].map(quoted);

/** All hostile values for a field. */
export const hostileFragments: Fragment[] = [
  ...otherTypes,
  ...numbers,
  ...controlCharacters,
  ...oddTexts,
  ...longTexts,
  ...objects,
  ...nested,
  ...otherBytes,
  ...rawControls,
  ...hostileAddresses,
];

/** Random values beside the fixed ones. */
export const anyFragment: fc.Arbitrary<Fragment> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'grapheme', maxLength: 130 }).map((text) => JSON.stringify(text)),
  fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n0123456789.eE+-truefalsn/bu'), maxLength: 40 }),
  fc.double().map((value) => String(value)),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.json({ maxDepth: 5 }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')])),
  fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date.toISOString())),
  fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => JSON.stringify(url)),
);
