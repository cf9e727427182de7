import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { FulfilmentAdvanceBody } from '../../contract/main/fulfilment-advance.ts';
import { InboundsCancelBody } from '../../contract/main/inbounds-cancel.ts';
import { InboundsReceiveBody } from '../../contract/main/inbounds-receive.ts';
import { InboundsStopBody } from '../../contract/main/inbounds-stop.ts';
import { OrdersCancelBody } from '../../contract/main/orders-cancel.ts';
import { changeFields, OrdersUpdateBody } from '../../contract/main/orders-update.ts';
import { InstantOrDay } from '../../contract/main/times.ts';
import {
  CalendarDate,
  ExpiryDate,
  FreeText,
  Identifier,
  IdentifierOrEmpty,
  Instant,
  Note,
  Title,
  WebAddress,
} from '../../contract/values.ts';
import {
  expressTypes,
  logisticsTypes,
  OutboundCreateBody,
  shipMethods as publishedShipMethods,
} from '../../contract/warehouse/outbound-create.ts';
import { logisticsReference } from '../../reference/logistics/endpoints.ts';
import { mainReference } from '../../reference/main/endpoints.ts';
import { warehouseReference } from '../../reference/warehouse/endpoints.ts';
import { shipMethods, wrongPartsOf } from '../../server/domain/orders/order.ts';
import { makeNormalizer } from '../../server/platform/json/normalize.ts';
import { makeChecker } from '../../server/platform/json/schema.ts';
import { readJson } from '../../server/platform/json/strict-json.ts';
import { missingFor, runProgram } from '../docs/programs.ts';
import { startTestApp } from '../support/app.ts';
import { publishedSchema } from '../support/published-schema.ts';

const app = await startTestApp();
const document = (await app.http.inject('/openapi.json')).json();

/** Returns the text in the form in which the service reads it from a request. */
function makeServiceVerdict(form: TSchema): (text: string) => boolean {
  const Body = Type.Object({ text: form });
  const [normalize, check] = [makeNormalizer(Body), makeChecker(Body)];
  return (text) => {
    const reading = readJson(Buffer.from(JSON.stringify({ text })));
    return reading.kind === 'value' && check(normalize(reading.value)).kind === 'valid';
  };
}

const lengthMax = 125;
const forms: Record<string, TSchema> = {
  Identifier: Identifier(lengthMax),
  IdentifierOrEmpty: IdentifierOrEmpty(lengthMax),
  Title: Title(lengthMax),
  FreeText: FreeText(lengthMax),
  Note: Note(lengthMax),
};

interface Case {
  text: string;
  isAccepted: boolean;
}

/**
 * Every character in the middle of a text, and white space also alone, first and last. Neighbours that the service accepts
 * are joined to one text, so that there are few cases.
 */
function casesOf(accepts: (text: string) => boolean): Case[] {
  const cases: Case[] = [];
  const note = (text: string, isAccepted = accepts(text)) => {
    cases.push({ text, isAccepted });
    return isAccepted;
  };
  for (let from = 0; from <= 0x10ffff; from += blockLength) {
    const length = Math.min(blockLength, 0x110000 - from);
    const block = Array.from({ length }, (_, index) => String.fromCodePoint(from + index));
    const joined = `a${block.join('')}a`;
    if (accepts(joined)) note(joined, true);
    else for (const character of block) note(`a${character}a`);
  }
  for (const character of spaces) for (const text of [character, `${character}a`, `a${character}`]) note(text);
  for (const text of ['', 'a\n', 'a\r\n', 'a\u2028', '漢'.repeat(lengthMax), '😀'.repeat(lengthMax)]) note(text);
  return cases;
}

const blockLength = 64;
const spaces = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((one) =>
  /[\s\x85]/.test(one),
);

const published = new Map(Object.entries(forms).map(([name, form]) => [name, publishedSchema(form)]));
const cases = new Map(Object.entries(forms).map(([name, form]) => [name, casesOf(makeServiceVerdict(form))]));

for (const name of Object.keys(forms)) {
  test(`the published pattern accepts exactly the characters that the service accepts: ${name}`, () => {
    const pattern = published.get(name)!.pattern as string;
    assert.ok(cases.get(name)!.some(({ isAccepted }) => !isAccepted));
    for (const flags of ['', 'u']) {
      const regex = new RegExp(pattern, flags);
      const wrong = cases.get(name)!.filter(({ text, isAccepted }) => regex.test(text) !== isAccepted);
      assert.deepEqual(wrong.slice(0, 5), [], `with the flags "${flags}"`);
    }
  });
}

const folder = mkdtempSync(join(tmpdir(), 'lading-patterns-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Halves of characters do not exist in other languages, and the planes without a rule of ours are alike. */
const elsewhere = ['Identifier', 'Title', 'FreeText'].map((name) => ({
  pattern: published.get(name)!.pattern as string,
  texts: cases.get(name)!.filter(({ text }) => text.isWellFormed() && !/[\u{20000}-\u{dff00}]/u.test(text)),
}));

/** A line with a pattern, then lines with texts: `+` or `-`, and the code points. */
function writeCases(): string {
  const codesOf = (text: string) => [...text].map((character) => character.codePointAt(0)!.toString(16)).join(' ');
  const lines = elsewhere.flatMap(({ pattern, texts }) => [
    `= ${codesOf(pattern)}`,
    ...texts.map(({ text, isAccepted }) => `${isAccepted ? '+' : '-'} ${codesOf(text)}`),
  ]);
  const file = join(folder, 'cases.txt');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const programs = {
  'patterns.py': `
import os, re
pattern = None; wrong = 0; count = 0
for line in open(os.environ['CASES']):
    kind, codes = line[0], line[2:].split()
    text = ''.join(chr(int(code, 16)) for code in codes)
    if kind == '=': pattern = re.compile(text)
    else:
        count += 1
        if (pattern.search(text) is not None) != (kind == '+'): wrong += 1
print(count, wrong)
`,
  'Patterns.java': `
import java.nio.file.*; import java.util.regex.*;
class Patterns {
  public static void main(String[] args) throws Exception {
    Pattern pattern = null; int count = 0, wrong = 0;
    for (String line : Files.readAllLines(Path.of(System.getenv("CASES")))) {
      StringBuilder text = new StringBuilder();
      for (String code : line.substring(1).trim().split(" ")) if (!code.isEmpty()) text.appendCodePoint(Integer.parseInt(code, 16));
      if (line.charAt(0) == '=') pattern = Pattern.compile(text.toString());
      else { count++; if (pattern.matcher(text).find() != (line.charAt(0) == '+')) wrong++; }
    }
    System.out.println(count + " " + wrong);
  }
}
`,
};

for (const [file, source] of Object.entries(programs)) {
  test(`the published patterns mean the same in another language: ${file}`, async (t) => {
    const missing = await missingFor(file);
    if (missing) return t.skip(`${missing} is not on this machine`);
    const count = elsewhere.reduce((sum, { texts }) => sum + texts.length, 0);
    assert.equal((await runProgram(file, source, { CASES: writeCases() })).trim(), `${count} 0`);
  });
}

test('no pattern of the document uses what languages interpret differently', () => {
  const patterns = new Set<string>();
  JSON.stringify(document, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  assert.ok(patterns.size > 15);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern.replaceAll('[\\s\\S]', ''), /\\[pPdDwWsSbB]|\\u\{|\(\?<|\\[0-9]/, pattern);
    for (const flags of ['', 'u']) new RegExp(pattern, flags);
  }
});

test('published dates are exactly the existing ones', () => {
  for (const [form, empty] of [
    [CalendarDate, false],
    [ExpiryDate, true],
  ] as const) {
    const accepts = makeServiceVerdict(form);
    const regex = new RegExp(publishedSchema(form).pattern as string);
    assert.equal(regex.test(''), empty);
    for (const year of ['0000', '0001', '0004', '1900', '2000', '2023', '2024', '2100', '2400', '9999'])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          assert.equal(regex.test(date), accepts(date), date);
        }
    for (const text of ['2024-02-29\n', ' 2024-02-29', '2024-2-9', '２０２４-01-01', '12024-01-01'])
      assert.equal(regex.test(text), accepts(text), text);
  }
});

test('published times are those that the service accepts', () => {
  const accepts = makeServiceVerdict(Instant);
  const regex = new RegExp(publishedSchema(Instant).pattern as string);
  const times = ['00:00:00Z', '23:59:59.123456+08:00', '09:30:00-15:59', '24:00:00Z', '23:60:00Z', '23:59:60Z'];
  const more = [
    '09:30:00',
    '09:30Z',
    '09:30:00.1234567Z',
    '09:30:00+16:00',
    '09:30:00+0800',
    '09:30:00Z\n',
    '09:30:00z',
  ];
  for (const day of ['2024-02-29', '2023-02-29', '0000-01-01'])
    for (const time of [...times, ...more]) assert.equal(regex.test(`${day}T${time}`), accepts(`${day}T${time}`), time);
});

test('a published time of a filter is one that the service accepts: a date, or any form of RFC 3339', () => {
  const accepts = makeServiceVerdict(InstantOrDay);
  const regex = new RegExp(publishedSchema(InstantOrDay).pattern as string);
  const times = ['', 'T00:00:00Z', 't23:59:60z', ' 09:30:00.1234567890+23:59', 'T09:30:00-00:00'];
  const wrong = [
    'T',
    'T24:00:00Z',
    'T09:30:00',
    'T09:30Z',
    'T09:30:00.Z',
    'T09:30:00+24:00',
    'T09:30:00Z\n',
    '\n',
    ' ',
  ];
  const days = ['0000-02-29', '2024-02-29', '2026-11-15'];
  for (const day of [...days, '2023-02-29', '2026-13-01', '2026-1-1'])
    for (const time of [...times, ...wrong]) {
      const isRight = days.includes(day) && times.includes(time);
      assert.deepEqual([regex.test(day + time), accepts(day + time)], [isRight, isRight], day + time);
    }
});

const addresses = {
  both: [
    'https://partner.example/callbacks?a=b&c=%20#d',
    'HTTP://partner.example',
    'http://198.51.100.7:8080/x',
    'https://[2001:db8::1]:443/',
    'https://[::]/',
    'https://[1:2:3:4:5:6:7::]/',
    'https://xn--fiq228c.example/',
    'https://a_b.partner.example./',
  ],
  // The reference asks for addresses as in RFC 3986; the service also reads what a browser reads.
  serviceOnly: [
    'https://中文.example/',
    'https://partner.example/中文',
    'https://partner.example/{id}',
    'https:/partner',
  ],
  neither: [
    '',
    'partner.example',
    'ftp://partner.example',
    'https://',
    'https://a b',
    'https://a:99999',
    'https://1.2.3.4.5',
    'https://256.1.1.1',
    'https://[1::2::3]',
    'https://a\n',
  ],
};

test('a published web address is one that the service accepts', () => {
  const accepts = makeServiceVerdict(WebAddress);
  const { pattern, format, maxLength } = publishedSchema(WebAddress);
  assert.deepEqual([format, maxLength], ['uri', 2048]);
  const regex = new RegExp(pattern as string);
  const verdicts = (texts: string[]) => texts.map((text) => [text, regex.test(text), accepts(text)]);
  assert.deepEqual(
    verdicts(addresses.both),
    addresses.both.map((text) => [text, true, true]),
  );
  const serviceOnly = addresses.serviceOnly.slice(0, 3);
  assert.deepEqual(
    verdicts(serviceOnly),
    serviceOnly.map((text) => [text, false, true]),
  );
  assert.deepEqual(
    verdicts(addresses.neither),
    addresses.neither.map((text) => [text, false, false]),
  );
});

type Body = Record<string, unknown>;

/** Every combination of these values; `undefined` leaves a field out. */
function combinations(fields: Record<string, unknown[]>): Body[] {
  return Object.entries(fields).reduce<Body[]>(
    (bodies, [name, values]) =>
      bodies.flatMap((body) => values.map((value) => (value === undefined ? body : { ...body, [name]: value }))),
    [{}],
  );
}

const oneName = { inbound_short_id: [undefined, null, 'IN'], form_no: [undefined, null, 'PO'] };
const goods = { sku_id: 'TEA', qty: 1, stock_type: 'good' };
const eitherOr: [name: string, form: TSchema, bodies: Body[], accepted: number][] = [
  [
    'fulfilment/advance',
    FulfilmentAdvanceBody,
    combinations({ outbound_short_id: [undefined, null, 'OUT'], internal_name: [undefined, null, 'SO'] }).map(
      (named) => ({
        orders: [{ ...named, status: 'packed' }],
      }),
    ),
    4,
  ],
  [
    'orders/cancel',
    OrdersCancelBody,
    combinations({ outbound_short_ids: [undefined, null, ['OUT']], internal_names: [undefined, null, ['SO']] }),
    5,
  ],
  [
    'orders/update',
    OrdersUpdateBody,
    combinations({
      outbound_short_id: [undefined, null, 'OUT'],
      internal_name: [undefined, 'SO'],
      consignee_name: [undefined, null, 'Lin Mei-hua'],
      consignee_address: [undefined, 'Store 991182'],
      store_pickup_label_data: [undefined, {}],
      unknown: [undefined, 1],
    }).map((order) => ({ orders: [order] })),
    3 * 10 * 2,
  ],
  [
    'inbounds/cancel',
    InboundsCancelBody,
    combinations({ inbound_short_ids: [undefined, null, ['IN']], form_nos: [undefined, null, ['PO']] }),
    5,
  ],
  ['inbounds/stop', InboundsStopBody, combinations(oneName), 4],
  [
    'inbounds/receive',
    InboundsReceiveBody,
    combinations({ ...oneName, details: [[], [goods]], final: [undefined, null, false, true] }),
    4 * 5,
  ],
];

for (const [name, form, bodies, accepted] of eitherOr) {
  test(`the published schema accepts exactly the combinations of fields that the service accepts: ${name}`, () => {
    const check = makeChecker(form);
    const publishedCheck = Compile(publishedSchema(form));
    const isValid = (body: Body) => check(structuredClone(body)).kind === 'valid';
    assert.equal(bodies.filter(isValid).length, accepted);
    for (const body of bodies) assert.equal(publishedCheck.Check(body), isValid(body), JSON.stringify(body));
  });
}

test('an empty text is no change of an order, neither by the published schema nor for the service', () => {
  const [normalize, check] = [makeNormalizer(OrdersUpdateBody), makeChecker(OrdersUpdateBody)];
  const publishedCheck = Compile(publishedSchema(OrdersUpdateBody));
  for (const field of Object.keys(changeFields)) {
    const body = { orders: [{ outbound_short_id: 'OUT', [field]: '' }] };
    assert.deepEqual([publishedCheck.Check(body), check(normalize(body)).kind], [false, 'mistakes'], field);
  }
});

test('the published schema accepts exactly the combinations of fields that the service accepts: callbacks/redeliver', async () => {
  const path = '/api/v2/default/callbacks/redeliver';
  const publishedCheck = Compile(document.paths[path].post.requestBody.content['application/json'].schema);
  const bodies = combinations({
    event_ids: [undefined, null, ['0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80']],
    'callbacks.status': [undefined, null, 'failed'],
    'callbacks.document_no': [undefined, { prefix: 'A' }],
    dry_run: [undefined, true],
  });
  const statuses = new Set<string>();
  for (const body of bodies) {
    const { status } = await app.callMain('/callbacks/redeliver', body);
    assert.equal(publishedCheck.Check(body), status === 200, JSON.stringify(body));
    statuses.add(String(status));
  }
  assert.deepEqual([...statuses].toSorted(), ['200', '400']);
});

test('the published schema has the known pairs of logistics_type and express_type', () => {
  assert.deepEqual(publishedShipMethods, shipMethods);
  const publishedCheck = Compile(publishedSchema(OutboundCreateBody));
  const order = {
    outbound_short_id: 'O',
    warehouse_tpw_id: 'T',
    consignee_country: 'TW',
    details: [{ sku_id: 'S', qty: 1 }],
  };
  for (const logisticsType of logisticsTypes)
    for (const expressType of expressTypes) {
      const body = { ...order, logistics_type: logisticsType, express_type: expressType };
      assert.equal(publishedCheck.Check(body), wrongPartsOf({ logisticsType, expressType }).length === 0);
    }
});

/** No schema can express these; the descriptions of the fields have them. */
const unpublishable = [
  'inboundCreate.details[]: the sum of expires',
  'inboundReturn.details[]: the sum of expires',
  'ordersUpdate.orders[].store_pickup_label_data: the size in bytes',
  'shippingOrder.store_pickup_label_data: the size in bytes',
];

test('every rule about a request body is published, except those that no schema can express', () => {
  const bodies = [mainReference, warehouseReference, logisticsReference].flatMap(({ endpoints }) =>
    endpoints.flatMap(({ operationId, body }) => (body ? [[operationId, body.schema] as const] : [])),
  );
  const unpublished = bodies.flatMap(([operationId, schema]) => rulesUnpublished(schema as SchemaNode, operationId));
  assert.deepEqual(unpublished.toSorted(), unpublishable.map((one) => one.split(':')[0]).toSorted());
});

interface SchemaNode {
  '~refine'?: unknown[];
  alternatives?: object;
  documented?: object;
  anyOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
}

function rulesUnpublished(node: SchemaNode, path: string): string[] {
  const isUnpublished = node['~refine'] && !node.alternatives && !node.documented;
  return [
    ...(isUnpublished ? [path] : []),
    ...(node.anyOf ?? []).flatMap((part) => rulesUnpublished(part, path)),
    ...(node.items ? rulesUnpublished(node.items, `${path}[]`) : []),
    ...Object.entries(node.properties ?? {}).flatMap(([name, part]) => rulesUnpublished(part, `${path}.${name}`)),
  ];
}
