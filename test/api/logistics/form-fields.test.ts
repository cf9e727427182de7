import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { startTestApp } from '../../support/app.ts';
import { assertFieldsRefused, type Body, form, formPath, stopForm, take, textsOf, unchanged } from '../../support/logistics.ts';
import { retvalOf, search } from '../../support/main.ts';
import { waysToSayNoExpiry, wrongQuantities } from '../../support/warehouse.ts';

const app = await startTestApp();
// Forms of this key bring no stock, so nothing is said about lots here.
const apiKey = 'alpha-confirm';
await app.provision({
  logistics_keys: [{ name: 'confirm', key: apiKey, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' }],
});

let numbers = 0;
const nextNumber = () => `FORM-${++numbers}`;
const call = (body: unknown) => app.callLogistics(formPath, body, { apiKey });

async function refused(body: unknown, paths: string[], msg?: string): Promise<void> {
  assertFieldsRefused(await unchanged(app, () => call(body)), paths, msg);
}

async function allRefused(path: string, values: unknown[]): Promise<void> {
  await unchanged(app, async () => {
    for (const value of values) assertFieldsRefused(await call(withField(path, value)), [path]);
  });
}

async function accepted(body: Body): Promise<void> {
  assert.deepEqual(await take(app, formPath, body, apiKey), { document_no: body.form_no, status: 'expected', idempotent: false });
}

const whole = form('WHOLE', [{ sku: 'TEA', quantity: 2 }]);
function withField(path: string, value: unknown): Body {
  const body: Body = { ...structuredClone(whole), form_no: nextNumber() };
  const [, field] = /^products\[0\]\.(.*)$/.exec(path) ?? [];
  const holder = field === undefined ? body : (body.products as Body[])[0]!;
  const name = field ?? path;
  if (value === undefined) delete holder[name];
  else holder[name] = value;
  return body;
}

test('every field is kept exactly as it was sent, and read back in the list', async () => {
  await accepted(
    form(
      'PO 2026/一',
      [
        {
          ...{ sku: 'TEA', quantity: 100, name: '烏龍茶', storage_type: '3', price: 79.99 },
          ...{ batch: 'L-2026-03', identifier: 'ID/1', expire_date: '2027-02-28' },
        },
        { sku: 'TEA', quantity: 1 },
        {
          sku: 'RICE',
          quantity: 1_000_000_000,
          name: '',
          storage_type: 'Dry, 7',
          price: 0,
          batch: '',
          identifier: '',
          expire_date: '9999-12-31',
        },
        { sku: 'OIL', quantity: 2, name: null, storage_type: null, price: null, batch: null, identifier: null, expire_date: null },
      ],
      {
        ...{ internal_form_no: 'A 77', form_type: 2, shipping_type: 1, callback_url: 'https://partner.example/forms?x=1' },
        ...{ sender_name: 'Alishan 茶園', sender_address: '嘉義縣 阿里山鄉 1 號' },
      },
    ),
  );
  const { rows } = await search(app, inboundsSearch, { 'inbounds.form_no': 'PO 2026/一' });
  const { stock_in_no, created_at, updated_at, timeline, ...row } = rows[0]!;
  assert.match(String(stock_in_no), /^si_/);
  assert.equal(created_at, updated_at);
  const [{ trace_id, ...made }] = timeline as [Record<string, unknown>];
  assert.deepEqual(made, { event: 'create', from: null, to: 'expected', at: created_at, by: 'ALPHA/confirm' });
  const nothing = { name: null, storage_type: null, price: null, identifier: null };
  assert.deepEqual(row, {
    inbound_short_id: null,
    form_no: 'PO 2026/一',
    kind: 'return',
    status: 'expected',
    channel: 'logistics',
    warehouse_no: 1,
    store_no: 10,
    outbound_short_id: null,
    estimated_arrival_at: null,
    details: [
      {
        ...{ sku_id: 'TEA', expire_date: '2027-02-28', batch_id: 'L-2026-03', qty: 100 },
        item: { name: '烏龍茶', storage_type: 'frozen', price: 79.99, identifier: 'ID/1' },
      },
      { sku_id: 'TEA', expire_date: null, batch_id: '', qty: 1, item: nothing },
      {
        ...{ sku_id: 'RICE', expire_date: '9999-12-31', batch_id: '', qty: 1_000_000_000 },
        item: { ...nothing, storage_type: 'Dry, 7', price: 0 },
      },
      { sku_id: 'OIL', expire_date: null, batch_id: '', qty: 2, item: nothing },
    ],
    received: [],
    differences: [
      { sku_id: 'TEA', announced: 101, received: 0 },
      { sku_id: 'RICE', announced: 1_000_000_000, received: 0 },
      { sku_id: 'OIL', announced: 2, received: 0 },
    ],
    form: {
      ...{ internal_form_no: 'A 77', shipping_type: 1, sender_name: 'Alishan 茶園', sender_address: '嘉義縣 阿里山鄉 1 號' },
      callback_url: 'https://partner.example/forms?x=1',
    },
  });
});

for (const [form_type, kind] of [
  [1, 'inbound'],
  [2, 'return'],
] as const) {
  for (const [shipping_type, word] of [
    [1, 'vendor_pickup'],
    [2, 'logistics_delivery'],
    [3, 'vendor_delivery'],
  ] as const) {
    test(`form_type ${form_type} is ${kind}, shipping_type ${shipping_type} is ${word}`, async () => {
      const number = nextNumber();
      await accepted(form(number, [{ sku: 'TEA', quantity: 1 }], { form_type, shipping_type }));
      const rows = await textsOf(
        app,
        'select kind, channel, receiving, shipping_type, sender_name, sender_address from inbound_document join inbound_form using (inbound_id) where partner_number = $1',
        [number],
      );
      assert.deepEqual(rows, [
        { kind, channel: 'logistics', receiving: 'on_confirm', shipping_type: word, sender_name: null, sender_address: null },
      ]);
    });
  }
}

test('form_type and shipping_type are one of 1, 2, 3 as a number, and nothing else', async () => {
  for (const path of ['form_type', 'shipping_type']) await allRefused(path, [0, 4, -1, 1.5, '1', 'inbound', true, null, [1], {}]);
  const number = nextNumber();
  const body = JSON.stringify(form(number, [{ sku: 'TEA', quantity: 1 }])).replace('"form_type":1', '"form_type":1.0');
  assert.equal(retvalOf(await call(body)).status, 'expected');
});

const required = ['form_no', 'internal_form_no', 'form_type', 'shipping_type', 'callback_url', 'products'];
for (const path of [...required, 'products[0].sku', 'products[0].quantity']) {
  test(`${path} is required: missing and null are refused, and named`, async () => {
    await refused(withField(path, undefined), [path], `${path} is missing`);
    await refused(withField(path, null), [path]);
  });
}

test('storage_type need not be said, other than in an order; sender and all else of an item neither', async () => {
  await accepted(withField('products[0].storage_type', undefined));
  for (const path of ['sender_name', 'sender_address']) for (const value of [null, '']) await accepted(withField(path, value));
});

const texts = ['form_no', 'internal_form_no', 'callback_url', 'sender_name', 'sender_address'];
const textsOfItem = ['sku', 'storage_type', 'name', 'batch', 'identifier', 'expire_date'].map((name) => `products[0].${name}`);
for (const path of [...texts, ...textsOfItem]) {
  test(`${path} is text: a number (unless it stands for text), a boolean, a list and an object are refused`, () =>
    allRefused(path, [...(path === 'products[0].identifier' ? [] : [7]), true, ['A'], { a: 'A' }]));
}

const characters = ['A', '號', '😀', '\u{10ffff}'];
const limits: [path: string, max: number][] = [
  ['form_no', 255],
  ['internal_form_no', 255],
  ['sender_name', 255],
  ['sender_address', 500],
  ['products[0].sku', 125],
  ['products[0].storage_type', 50],
  ['products[0].name', 255],
  ['products[0].batch', 125],
  ['products[0].identifier', 125],
];
for (const [path, max] of limits) {
  test(`${path}: ${max} characters are taken and ${max + 1} refused, whatever their size`, async () => {
    for (const character of characters) await accepted(withField(path, character.repeat(max)));
    await allRefused(
      path,
      characters.map((character) => character.repeat(max + 1)),
    );
  });
}

for (const path of ['form_no', 'internal_form_no', 'products[0].sku']) {
  test(`${path} is a number of the caller: empty, with white space at an end, or with characters that cannot be seen it is refused`, () =>
    allRefused(path, ['', ' ', ' A', 'A ', 'A\u3000', 'A\n', 'A\u0007B', 'A\u0085B', 'A\u200bB', 'A\u202eB']));
}

for (const path of ['sender_name', 'sender_address', 'products[0].name', 'products[0].batch', 'products[0].identifier']) {
  test(`${path} has no control characters`, () => allRefused(path, ['\u0001', 'A\u000bB', 'A\u0085']));
}

test('a storage_type that is said says something', () => allRefused('products[0].storage_type', [' ', '\n', 0, 5, 1.5]));

test('a quantity of 1.0 is 1', async () => {
  const number = nextNumber();
  retvalOf(await call(JSON.stringify(form(number, [{ sku: 'TEA', quantity: 7 }])).replace('"quantity":7', '"quantity":1.0')));
  const rows = await textsOf(app, 'select qty::text from inbound_line join inbound_document using (inbound_id) where partner_number = $1', [
    number,
  ]);
  assert.deepEqual(rows, [{ qty: '1' }]);
});

test('a quantity that is no whole number of 1 to 1,000,000,000 is refused', async () => {
  await allRefused(
    'products[0].quantity',
    wrongQuantities.map(([, quantity]) => quantity),
  );
});

for (const [written, stored] of [
  ['0', '0.00'],
  ['0.1', '0.10'],
  ['19.99', '19.99'],
  ['1.15', '1.15'],
  ['9999999998.99', '9999999998.99'],
  ['9999999999', '9999999999.00'],
  ['1.005', '1.01'],
  ['-80.125', '-80.13'],
] as const) {
  test(`a price of ${written} is kept as ${stored}`, async () => {
    const number = nextNumber();
    retvalOf(await call(JSON.stringify(form(number, [{ sku: 'TEA', quantity: 1, price: 7 }])).replace('"price":7', `"price":${written}`)));
    const rows = await textsOf(
      app,
      'select price::text from inbound_line join inbound_document using (inbound_id) where partner_number = $1',
      [number],
    );
    assert.deepEqual(rows, [{ price: stored }]);
    const [row] = (await search(app, inboundsSearch, { 'inbounds.form_no': number })).rows as { details: { item: { price: number } }[] }[];
    assert.equal(row!.details[0]!.item.price, Number(stored));
  });
}

test('a price that is no amount is refused', () =>
  allRefused('products[0].price', [9_999_999_999.01, 10_000_000_000, -10_000_000_000, '1', true, []]));

test('items whose expire_date is left out, null or empty do not expire, and are the same form', async () => {
  const number = nextNumber();
  const formWith = (field: object) => form(number, [{ sku: 'TEA', quantity: 1, ...field }]);
  await accepted(formWith({}));
  for (const [, field] of waysToSayNoExpiry) {
    const retval = await take(app, formPath, formWith(field), apiKey);
    assert.deepEqual(retval, { document_no: number, status: 'expected', idempotent: true });
  }
  for (const [, field] of waysToSayNoExpiry) {
    const another = nextNumber();
    await accepted(form(another, [{ sku: 'TEA', quantity: 1, ...field }]));
    const { rows } = await search(app, inboundsSearch, { 'inbounds.form_no': another });
    assert.equal((rows[0] as { details: { expire_date: string | null }[] }).details[0]!.expire_date, null);
  }
});

test('an expire_date is a day that exists', async () => {
  for (const day of ['0001-01-01', '2000-01-01', '2028-02-29', '9999-12-31']) await accepted(withField('products[0].expire_date', day));
  await allRefused('products[0].expire_date', [
    ...[' ', '2027-02-29', '2026-13-01', '2026-00-10', '2026-01-32', '0000-01-01', '26-01-01', '2026-1-1', '20260101', '2026/01/01'],
    ...[
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '2026-01-01 ',
      'infinity',
      'today',
      '10000-01-01',
      '-0001-01-01',
      '２０２６-01-01',
      20260101,
    ],
  ]);
});

test('callback_url is refused where it is no absolute http(s) URL, or plainly private', () =>
  allRefused('callback_url', [
    ...[
      '',
      'partner.example',
      'ftp://partner.example/',
      'https://user:secret@partner.example/',
      `https://partner.example/${'x'.repeat(2025)}`,
    ],
    ...[
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://192.168.1.1/',
    ],
    ...['http://[::1]/', 'http://[::ffff:10.0.0.1]/', 'http://[fd00::1]/', 'http://localhost/', 'http://a.localhost./'],
  ]));

test('a stop names a callback_url by the same rules', async () => {
  await refused(
    { ...stopForm('FORM-1'), callback_url: 'http://10.0.0.1/' },
    ['callback_url'],
    'callback_url must not point to a private or reserved address',
  );
});

test('products may be empty for a stop, and for nothing else', async () => {
  for (const form_type of [1, 2]) {
    await refused(form(nextNumber(), [], { form_type }), ['products'], 'products must not have fewer than 1 items');
  }
  await refused(stopForm('NO-SUCH-FORM'), ['form_no'], 'form_no not found');
  const { products: _, ...without } = stopForm('NO-SUCH-FORM');
  await refused(without, ['products'], 'products is missing');
});

test('an empty list is told together with other mistakes', async () => {
  await refused(form('', [], { shipping_type: 9 }), ['form_no', 'shipping_type', 'products']);
});

test('a stop may name products, and they are looked at as those of any form', async () => {
  await refused(form('NO-SUCH-FORM', [{ sku: 'TEA', quantity: 0 }], { form_type: 3 }), ['products[0].quantity']);
});

test('what is no list of items is refused', async () => {
  await allRefused('products', [{}, 'TEA', 1, { length: 1 }]);
  for (const value of [null, 'TEA', 1, []]) {
    const answer = await unchanged(app, () => call(withField('products', [value])));
    assert.equal(answer.status, 400);
    for (const { path } of answer.json.retval.errors) assert.match(path, /^products\[0\]/);
  }
});

test('all mistakes are told at once, each with its path', async () => {
  await refused(
    {
      form_no: 'x'.repeat(256),
      form_type: 4,
      shipping_type: '1',
      callback_url: 'x',
      sender_name: 5,
      products: [
        { quantity: 1.5, expire_date: 'x' },
        { sku: 'A', quantity: 1, price: '-1' },
      ],
    },
    [
      ...['form_no', 'internal_form_no', 'form_type', 'shipping_type', 'callback_url', 'sender_name'],
      ...['products[0].sku', 'products[0].quantity', 'products[0].expire_date', 'products[1].price'],
    ],
  );
  await refused({}, required);
});

test('fields that the contract does not know are ignored', async () => {
  const number = nextNumber();
  await accepted({
    ...form(number, [{ sku: 'TEA', quantity: 1, combo_sku: 5, unknown: 1 }]),
    note: 7,
    account_no: 'BETA',
    receiving: 'on_create',
  });
  assert.equal((await take(app, formPath, form(number, [{ sku: 'TEA', quantity: 1 }]), apiKey)).idempotent, true);
});

test('1 to 500 products are taken, 501 refused', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ sku: `MANY-${index}`, quantity: 1 + index }));
  const number = nextNumber();
  await accepted(form(number, many(500)));
  const rows = await textsOf(
    app,
    'select count(*)::text as lines, sum(qty)::text as units from inbound_line join inbound_document using (inbound_id) where partner_number = $1',
    [number],
  );
  assert.deepEqual(rows, [{ lines: '500', units: '125250' }]);
  await refused(withField('products', many(501)), ['products']);
});
