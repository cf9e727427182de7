import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordersSearch } from '../../../contract/main/orders-search.ts';
import { startTestApp } from '../../support/app.ts';
import {
  assertFieldsRefused,
  type Body,
  item,
  orderPath,
  orderStatus,
  ship,
  shippingOrder,
  take,
  textsOf,
  unchanged,
  waitingLines,
} from '../../support/logistics.ts';
import { madeOnly, retvalOf, search } from '../../support/main.ts';
import { wrongQuantities } from '../../support/warehouse.ts';

const app = await startTestApp();

let numbers = 0;
const nextNumber = () => `FIELD-${++numbers}`;

async function refused(body: unknown, paths: string[], msg?: string): Promise<void> {
  assertFieldsRefused(await unchanged(app, () => app.callLogistics(orderPath, body)), paths, msg);
}

/** Each of these values is refused at its path, and none of them leaves anything behind. */
async function allRefused(path: string, values: unknown[]): Promise<void> {
  await unchanged(app, async () => {
    for (const value of values) assertFieldsRefused(await app.callLogistics(orderPath, withField(path, value)), [path]);
  });
}

async function accepted(body: Body): Promise<void> {
  const { document_no, idempotent } = await take(app, orderPath, body);
  assert.deepEqual([document_no, idempotent], [body.internal_name, false]);
}

const whole = shippingOrder('WHOLE', [item('TEA', 2)]);
function withField(path: string, value: unknown): Body {
  const body: Body = { ...structuredClone(whole), internal_name: nextNumber() };
  const [, field] = /^products\[0\]\.(.*)$/.exec(path) ?? [];
  const holder = field === undefined ? body : (body.products as Body[])[0]!;
  const name = field ?? path;
  if (value === undefined) delete holder[name];
  else holder[name] = value;
  return body;
}

test('every field is kept exactly as it was sent, and read back in the list', async () => {
  const label = { chain: 'pcsc', store: { no: '123456', 名: '台北門市 🏪' }, codes: [1, '2', null, true, { z: 1, a: [] }], 10: 'x' };
  const body = shippingOrder(
    'EVERY-FIELD',
    [
      item('TEA-EVERY', 3, {
        storage_type: '4',
        combo_sku: 'COMBO-1',
        name: '烏龍茶',
        price: 19.99,
        batch: 'L-2026-03',
        identifier: 'ID/1',
      }),
      item('TEA-EVERY', 1, { storage_type: '2' }),
      item('RICE-EVERY', 1_000_000_000, { storage_type: 'Category 7', combo_sku: '', name: '', price: 0, batch: '', identifier: '' }),
    ],
    {
      name: 'SHOP 88 001/台',
      customer_name: '王小明',
      delivery_name: '陳 大文',
      phone: '+886-2-1234 #56',
      delivery_charge: 120.5,
      address: '中正區 範例路 1 號 3 樓',
      city: '臺北市',
      callback_url: 'https://partner.example:8443/callbacks?order=1&x=%20',
      note: 'Ring twice.\n\tThen wait.\r\n謝謝 🙏',
      store_pickup_label_data: label,
    },
  );
  const answer = await app.callLogistics(orderPath, body);
  assert.deepEqual(retvalOf(answer), { document_no: 'EVERY-FIELD', status: 'awaiting_stock', idempotent: false });

  const { rows } = await search(app, ordersSearch, { 'orders.internal_name': 'EVERY-FIELD' });
  const { orders_id, created_at, updated_at, ...row } = rows[0]!;
  assert.match(String(orders_id), /^ow_EVERY-FIELD_[0-9a-f]{10}$/);
  for (const time of [created_at, updated_at]) assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+08:00$/);
  const nothing = { name: null, price: null, batch: null, identifier: null, combo_sku: null };
  assert.deepEqual(row, {
    outbound_short_id: null,
    internal_name: 'EVERY-FIELD',
    name: 'SHOP 88 001/台',
    status: 'awaiting_stock',
    channel: 'logistics',
    warehouse_no: 1,
    store_no: 10,
    shipment_no: null,
    carrier: null,
    logistics_type: null,
    express_type: null,
    consignee_country: null,
    consignee_name: '陳 大文',
    consignee_phone: '+886-2-1234 #56',
    consignee_address: '中正區 範例路 1 號 3 樓',
    consignee_zip: null,
    details: [
      {
        sku_id: 'TEA-EVERY',
        qty: 3,
        item: { name: '烏龍茶', storage_type: 'chilled', price: 19.99, batch: 'L-2026-03', identifier: 'ID/1', combo_sku: 'COMBO-1' },
      },
      { sku_id: 'TEA-EVERY', qty: 1, item: { ...nothing, storage_type: 'air_conditioned' } },
      { sku_id: 'RICE-EVERY', qty: 1_000_000_000, item: { ...nothing, storage_type: 'Category 7', price: 0 } },
    ],
    shipping: {
      customer_name: '王小明',
      delivery_charge: 120.5,
      city: '臺北市',
      note: 'Ring twice.\n\tThen wait.\r\n謝謝 🙏',
      callback_url: 'https://partner.example:8443/callbacks?order=1&x=%20',
      store_pickup_label_data: label,
    },
    timeline: madeOnly({ status: 'awaiting_stock', created_at }, 'ALPHA/wms', answer.headers['trace-id']),
  });
  const [stored] = await textsOf(
    app,
    `select store_pickup_label_data::text as label, customer_name, delivery_charge::text from shipping_order
      where order_id = (select order_id from orders where partner_number = 'EVERY-FIELD')`,
    [],
  );
  // A key that is a number comes first in JavaScript; its meaning is the same.
  assert.deepEqual(stored, { label: JSON.stringify(label), customer_name: '王小明', delivery_charge: '120.50' });
});

test('what need not be said may be left out, be null or be empty; it is then not there', async () => {
  const texts = ['address', 'city', 'note'];
  const others = ['callback_url', 'store_pickup_label_data'];
  const ofItem = ['combo_sku', 'name', 'batch', 'identifier'];
  const all = (names: string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  await accepted(shippingOrder('LEFT-OUT', [item('TEA', 1)]));
  await accepted(shippingOrder('LEFT-NULL', [item('TEA', 1, all([...ofItem, 'price'], null))], all([...texts, ...others], null)));
  await accepted(shippingOrder('LEFT-EMPTY', [item('TEA', 1, all(ofItem, ''))], all(texts, '')));
  const { rows } = await search(app, ordersSearch, { 'orders.internal_name': ['LEFT-OUT', 'LEFT-NULL', 'LEFT-EMPTY'] });
  assert.equal(rows.length, 3);
  for (const row of rows) {
    assert.equal(row.consignee_address, null);
    assert.deepEqual(row.shipping, {
      ...{ customer_name: 'Lin Mei-hua', delivery_charge: 60 },
      ...{ city: null, note: null, callback_url: null, store_pickup_label_data: null },
    });
    assert.deepEqual(row.details, [
      {
        sku_id: 'TEA',
        qty: 1,
        item: { name: null, storage_type: 'ambient', price: null, batch: null, identifier: null, combo_sku: null },
      },
    ]);
  }
});

test('fields that the contract does not know are ignored, in the order and in its items', async () => {
  const number = nextNumber();
  await accepted(
    shippingOrder(number, [item('TEA', 1, { expire_date: 'whatever', unknown: [] })], { account_no: 'BETA', warehouse_no: 9, x: { y: 1 } }),
  );
  assert.equal(await orderStatus(app, number), 'awaiting_stock');
  assert.equal((await take(app, orderPath, shippingOrder(number, [item('TEA', 1)]))).idempotent, true);
});

const required = ['internal_name', 'name', 'customer_name', 'delivery_name', 'phone', 'delivery_charge', 'products'];
const requiredOfItem = ['sku', 'quantity', 'storage_type'].map((name) => `products[0].${name}`);
for (const path of [...required, ...requiredOfItem]) {
  test(`${path} is required: missing and null are refused, and named`, async () => {
    await refused(withField(path, undefined), [path], `${path} is missing`);
    await refused(withField(path, null), [path]);
  });
}

const texts = ['internal_name', 'name', 'customer_name', 'delivery_name', 'phone', 'address', 'city', 'callback_url', 'note'];
const textsOfItem = ['sku', 'storage_type', 'combo_sku', 'name', 'batch', 'identifier'].map((name) => `products[0].${name}`);
const numbersAsText = ['phone', 'products[0].identifier'];
for (const path of [...texts, ...textsOfItem]) {
  test(`${path} is text: a number (unless it stands for text), a boolean, a list and an object are refused`, async () => {
    const number = numbersAsText.includes(path) ? [] : [7];
    await allRefused(path, [...number, true, ['A'], { a: 'A' }]);
  });
}

/** Characters that are one, two and four bytes in UTF-8, and one or two units in UTF-16: each is one character. */
const characters = ['A', '號', '😀', '\u{10ffff}'];
const limits: [path: string, max: number][] = [
  ['internal_name', 30],
  ['customer_name', 25],
  ['products[0].sku', 125],
  ['name', 125],
  ['delivery_name', 255],
  ['phone', 50],
  ['address', 500],
  ['city', 100],
  ['note', 2000],
  ['products[0].storage_type', 50],
  ['products[0].combo_sku', 125],
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

test('the message says what would be right', async () => {
  await refused(
    withField('internal_name', 'x'.repeat(31)),
    ['internal_name'],
    'internal_name must be 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end',
  );
  await refused(
    withField('customer_name', '號'.repeat(26)),
    ['customer_name'],
    'customer_name must be 1-25 characters, not blank, without control characters other than line breaks and tabs, which become spaces',
  );
  await refused(
    withField('products[0].batch', 'x'.repeat(126)),
    ['products[0].batch'],
    'products[0].batch must be at most 125 characters, without control, zero-width or bidirectional characters and without white space at either end',
  );
  await refused(withField('delivery_charge', -0.001), ['delivery_charge'], 'delivery_charge must be >= 0');
});

for (const path of ['internal_name', 'name', 'products[0].sku']) {
  test(`${path} is a number of the caller: empty, with white space at an end, or with characters that cannot be seen it is refused`, async () => {
    await allRefused(path, [
      '',
      ' ',
      ' A',
      'A ',
      'A\u3000',
      '\u00a0A',
      'A\n',
      '\tA',
      'A\u0007B',
      'A\u0085B',
      'A\u007f',
      'A\u200bB',
      'A\u202eB',
    ]);
    await accepted(withField(path, 'A B\u3000C'));
  });
}

for (const path of ['customer_name', 'delivery_name', 'phone', 'products[0].storage_type']) {
  test(`${path} must say something: empty, blank, or with control characters it is refused`, async () => {
    await allRefused(path, ['', ' ', '\u3000', '\n', '\t\r\n', 'A\u0001', 'A\u000b', 'A\u0085']);
  });
}

for (const path of ['address', 'city', ...['combo_sku', 'name', 'batch', 'identifier'].map((name) => `products[0].${name}`)]) {
  test(`${path} has no control characters`, async () => {
    await allRefused(path, ['\u0001', 'A\u000bB', 'A\u0085']);
  });
}

test('a batch is compared exactly, so that it has no line breaks, tabs or characters that cannot be seen', () =>
  allRefused('products[0].batch', ['A\nB', 'A\tB', 'A\u200dB', 'A\u2066B']));

test('a note may have several lines and tabs, and no other control characters', async () => {
  await accepted(withField('note', 'a\nb\r\nc\td'));
  await allRefused('note', ['\u0001', 'a\u0007', 'a\u000b', '\u0085']);
});

const amounts: [written: string, stored: string][] = [
  ['0', '0.00'],
  ['-0', '0.00'],
  ['0.1', '0.10'],
  ['0.01', '0.01'],
  ['0.10', '0.10'],
  ['1.0', '1.00'],
  ['1e2', '100.00'],
  ['19.99', '19.99'],
  ['0.29', '0.29'],
  ['1.15', '1.15'],
  ['4.35', '4.35'],
  ['1234567.89', '1234567.89'],
  ['9007199254.99', '9007199254.99'],
  ['9999999998.99', '9999999998.99'],
  ['9999999999', '9999999999.00'],
  ['0.001', '0.00'],
  ['0.005', '0.01'],
  ['1.005', '1.01'],
  ['19.995', '20.00'],
  ['1.23456', '1.23'],
  ['1e-7', '0.00'],
  ['33.333333333333333333333333333', '33.33'],
  ['0.10000000000000000555', '0.10'],
  ['1.00499999999999999999', '1.00'],
];
for (const [written, stored] of amounts) {
  test(`money ${written} is kept as ${stored}`, async () => {
    const number = nextNumber();
    const body = JSON.stringify(shippingOrder(number, [item('TEA', 1, { price: 0 })]))
      .replace('"delivery_charge":60', `"delivery_charge":${written}`)
      .replace('"price":0', `"price":${written}`);
    retvalOf(await app.callLogistics(orderPath, body));
    const [row] = await textsOf(
      app,
      `select delivery_charge::text as charge, price::text from orders join shipping_order using (order_id) join order_line using (order_id)
        where partner_number = $1`,
      [number],
    );
    assert.deepEqual(row, { charge: stored, price: stored });
    const { rows } = await search(app, ordersSearch, { 'orders.internal_name': number });
    const { shipping, details } = rows[0] as { shipping: { delivery_charge: number }; details: { item: { price: number } }[] };
    assert.deepEqual([shipping.delivery_charge, details[0]!.item.price], [Number(stored), Number(stored)]);
  });
}

for (const [written, stored] of [
  ['-1', '-1.00'],
  ['-0.004', '0.00'],
  ['-1.005', '-1.01'],
  ['-9999999999', '-9999999999.00'],
]) {
  test(`a price of ${written}, a discount, is kept as ${stored}`, async () => {
    const number = nextNumber();
    const body = JSON.stringify(shippingOrder(number, [item('TEA', 1, { price: 0 })])).replace('"price":0', `"price":${written}`);
    retvalOf(await app.callLogistics(orderPath, body));
    const query = 'select price::text from orders join order_line using (order_id) where partner_number = $1';
    assert.deepEqual(await textsOf(app, query, [number]), [{ price: stored }]);
    const { rows } = await search(app, ordersSearch, { 'orders.internal_name': number });
    const { details } = rows[0] as { details: { item: { price: number } }[] };
    assert.equal(details[0]!.item.price, Number(stored));
  });
}

test('a price is refused where it is no amount: too large, too small, text', () =>
  allRefused('products[0].price', [9_999_999_999.01, 10_000_000_000, -10_000_000_000, 1e15, '1', true, [], {}]));

test('delivery_charge is refused where it is no amount: negative, too large, text, nothing', () =>
  allRefused('delivery_charge', [-1, -0.01, -0.001, 9_999_999_999.01, 10_000_000_000, 1e15, '1', '', null, true, [], {}]));

test('a quantity of 1.0 and of 1e0 is 1', async () => {
  for (const written of ['1.0', '1e0', '10e-1']) {
    const number = nextNumber();
    const body = JSON.stringify(shippingOrder(number, [item('TEA', 7)])).replace('"quantity":7', `"quantity":${written}`);
    retvalOf(await app.callLogistics(orderPath, body));
    assert.deepEqual(
      (await waitingLines(app)).filter(([name]) => name === number),
      [[number, 'TEA', 1, null]],
    );
  }
});

for (const [name, quantity] of [...wrongQuantities, ['a list', [1]], ['10 to the 15', 1e15]] as [string, unknown][]) {
  test(`a quantity that is ${name} is refused`, () => refused(withField('products[0].quantity', quantity), ['products[0].quantity']));
}

test('an item that is no object is refused at its place', async () => {
  for (const value of [null, 'TEA', 1, []]) {
    const answer = await unchanged(app, () => app.callLogistics(orderPath, withField('products', [item('TEA', 1), value])));
    assert.equal(answer.status, 400);
    for (const { path } of answer.json.retval.errors) assert.match(path, /^products\[1\]/);
  }
});

test('all mistakes are told at once, each with its path; the message tells the first and how many more', async () => {
  const body = {
    internal_name: 'x'.repeat(31),
    customer_name: '',
    delivery_name: 7,
    phone: '0900',
    delivery_charge: -1,
    products: [item('', 0, { price: '1' }), { sku: 'TEA' }, item('TEA', 1, { batch: 5 })],
    callback_url: 'ftp://partner.example/',
    store_pickup_label_data: [1],
    note: 'a\u0007',
  };
  const answer = await unchanged(app, () => app.callLogistics(orderPath, body));
  const paths = [
    ...['internal_name', 'name', 'customer_name', 'delivery_name', 'delivery_charge', 'callback_url', 'store_pickup_label_data', 'note'],
    ...[
      'products[0].sku',
      'products[0].quantity',
      'products[0].price',
      'products[1].quantity',
      'products[1].storage_type',
      'products[2].batch',
    ],
  ];
  assertFieldsRefused(answer, paths);
  const { errors } = answer.json.retval;
  const first = errors[0];
  assert.equal(answer.json.msg, `${first.path} ${first.message} (and ${errors.length - 1} more)`);
});

test('each mistake is told once, also of a field that may be null', async () => {
  for (const [path, value] of [
    ['callback_url', 'http://10.0.0.1/'],
    ['store_pickup_label_data', 'x'],
    ['store_pickup_label_data', { x: 'x'.repeat(70_000) }],
    ['products[0].price', '1'],
    ['note', 1],
  ] as const) {
    const { json } = await app.callLogistics(orderPath, withField(path, value));
    assert.deepEqual(
      json.retval.errors.map((error: { path: string }) => error.path),
      [path],
      JSON.stringify(json),
    );
  }
});

test('a callback_url that is no URL is told once', async () => {
  const { json } = await app.callLogistics(orderPath, withField('callback_url', 'x'));
  assert.deepEqual(json.retval.errors, [{ path: 'callback_url', message: 'must be an absolute http(s) URL' }]);
});

test('a body that is no object is refused', async () => {
  for (const body of ['null', '[]', '"order"', '7', 'true']) {
    const answer = await unchanged(app, () => app.callLogistics(orderPath, body));
    assert.deepEqual([answer.status, answer.json.done], [400, false]);
  }
});

// What the label of a pickup needs.

const labelOf = async (number: string) => {
  const { rows } = await search(app, ordersSearch, { 'orders.internal_name': number });
  return (rows[0]!.shipping as { store_pickup_label_data: unknown }).store_pickup_label_data;
};

const labels: [string, object][] = [
  ['empty', {}],
  ['nested', { a: { b: { c: { d: [[[{ e: null }]]] } } } }],
  ['with keys that sort otherwise', { z: 1, a: 2, m: { y: 1, b: 2 } }],
  ['with numbers', { n: [0, -1, 1.5, 0.1, 1e21, 123456789012345, -0.000001] }],
  ['in many scripts', { 店名: '全家 台北', '😀': '👨‍👩‍👧', 'e\u0301': 'é', '\u2028': '\u2029', '\ufffd': '\ufeff' }],
  [
    'with texts that are special elsewhere',
    { "';drop table orders;--": '"', '\\': '\\u0000', '%': '_', $1: '$2', '{}': '{1,2}', '': 'empty key' },
  ],
  ['with names of methods', { toString: 1, valueOf: 2, hasOwnProperty: 3, length: 4, prototype: 5 }],
];
for (const [name, label] of labels) {
  test(`a label is kept as it is: ${name}`, async () => {
    const number = nextNumber();
    await accepted(shippingOrder(number, [item('TEA', 1)], { store_pickup_label_data: label }));
    const kept = await labelOf(number);
    assert.deepEqual(kept, label);
    assert.equal(JSON.stringify(kept), JSON.stringify(label), 'also the order of its keys');
  });
}

test('a label of 64 KiB is taken, one byte more is refused; bytes are counted, not characters', async () => {
  const labelOfBytes = (bytes: number, character: string) => {
    const rest = bytes - Buffer.byteLength(JSON.stringify({ x: '' }));
    const size = Buffer.byteLength(character);
    return { x: character.repeat(Math.floor(rest / size)) + 'y'.repeat(rest % size) };
  };
  for (const character of ['x', '號', '😀']) {
    const edge = labelOfBytes(65_536, character);
    assert.equal(Buffer.byteLength(JSON.stringify(edge)), 65_536);
    const number = nextNumber();
    await accepted(shippingOrder(number, [item('TEA', 1)], { store_pickup_label_data: edge }));
    assert.deepEqual(await labelOf(number), edge);
    await refused(
      withField('store_pickup_label_data', labelOfBytes(65_537, character)),
      ['store_pickup_label_data'],
      'store_pickup_label_data must be at most 64 KiB of JSON',
    );
  }
});

test('a label that is no object is refused', async () => {
  await allRefused('store_pickup_label_data', [[{}], [null], 'label', ' ', 7, true]);
});

// Where callbacks go.

const addressesTaken = [
  'https://partner.example/callbacks',
  'http://partner.example',
  'HTTPS://PARTNER.EXAMPLE/x',
  'https://partner.example:8443/a?b=c#d',
  'https://93.184.215.14/callback',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://店.example/回呼',
  `https://partner.example/${'x'.repeat(2048 - 24)}`,
];
for (const url of addressesTaken) {
  test(`callback_url is taken and kept to the letter: ${url.slice(0, 60)}`, async () => {
    const number = nextNumber();
    await accepted(shippingOrder(number, [item('TEA', 1)], { callback_url: url }));
    const [target] = await textsOf(
      app,
      `select document_type, url, key_name, callback_count::text from callback_target
        where document_id = (select order_id from orders where partner_number = $1)`,
      [number],
    );
    assert.deepEqual(target, { document_type: 'order', url, key_name: 'wms', callback_count: '0' });
  });
}

const notAddresses = [
  ' ',
  'partner.example/x',
  '/callbacks',
  '//partner.example/x',
  'https://',
  'https:partner',
  'ftp://partner.example/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://partner.example/a b',
  ' https://partner.example/',
  'https://partner.example/\n',
  'https://user:secret@partner.example/',
  'https://user@partner.example/',
  'https://partner.example:0/',
  'https://partner.example:65536/',
  `https://partner.example/${'x'.repeat(2048 - 23)}`,
];
test('callback_url is refused where it is no absolute http(s) URL without a password', async () => {
  await allRefused('callback_url', notAddresses);
});

const privateHosts: Record<string, string[]> = {
  'loopback, in many spellings': [
    ...['127.0.0.1', '127.1', '127.255.255.254', '2130706433', '0x7f000001', '0177.0.0.1', '017700000001', '0x7f.1', '0.0.0.0', '0'],
    ...['127.0.0.1.', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127.0.0.1:8080'],
  ],
  'private, link-local or reserved': [
    ...['10.0.0.1', '10.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.168.257', '169.254.169.254', '0xa9fea9fe', '100.64.0.1'],
    ...['192.0.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ],
  'of IPv6, also with IPv4 inside': [
    ...[
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::ffff:10.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
    ],
    ...['[64:ff9b::10.0.0.1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[2002:7f00:1::]', '[2001:db8::1]', '[fec0::1]'],
  ],
  'a name of this machine': ['localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'ⓛocalhost', 'localhost:8080'],
};
for (const [what, hosts] of Object.entries(privateHosts)) {
  test(`callback_url is refused where it is plainly private: ${what}`, () =>
    allRefused(
      'callback_url',
      hosts.flatMap((host) => [`http://${host}/callbacks`, `https://${host}`]),
    ));
}

test('texts that are special somewhere arrive as they are, and nothing happens', async () => {
  const odd = [
    "'; drop table orders; --",
    '$$x$$ {1,2} "quoted" \\ % _',
    'NULL',
    '{"a":1}',
    '\\x00',
    '<script>alert(1)</script>',
    '{{7*7}} <%= 7*7 %>',
  ];
  for (const [index, text] of odd.entries()) {
    const body = shippingOrder(
      `ODD-${index}-${text.slice(0, 10).trim()}`,
      [item(`ODD ${text}`, 1, { name: text, storage_type: text.slice(0, 50), batch: text, identifier: text, combo_sku: text })],
      {
        ...{ name: text, customer_name: text.slice(0, 25), delivery_name: text, phone: text, address: text, city: text, note: text },
      },
    );
    await accepted(body);
    const { rows } = await search(app, ordersSearch, { 'orders.internal_name': body.internal_name });
    const { name, consignee_name, consignee_phone, consignee_address, shipping, details } = rows[0] as Record<string, unknown>;
    assert.deepEqual([name, consignee_name, consignee_phone, consignee_address], [text, text, text, text]);
    assert.deepEqual([(shipping as Body).city, (shipping as Body).note, (shipping as Body).customer_name], [text, text, text.slice(0, 25)]);
    assert.deepEqual(details, [
      {
        sku_id: `ODD ${text}`,
        qty: 1,
        item: { name: text, storage_type: text.slice(0, 50), price: null, batch: text, identifier: text, combo_sku: text },
      },
    ]);
  }
});

test('an order that finds its stock is answered with the state after', async () => {
  assert.equal(await ship(app, 'NO-STOCK', [item('NEW-SKU', 1)]), 'awaiting_stock');
});

test('1 to 500 products are taken; none and 501 refused, and what is no list', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => item(`MANY-${index}`, 1 + index));
  const number = nextNumber();
  await accepted(shippingOrder(number, many(500)));
  const [row] = await textsOf(
    app,
    `select count(*)::text as lines, sum(qty)::text as units, count(distinct product_id)::text as products
      from order_line join orders using (order_id) where partner_number = $1`,
    [number],
  );
  assert.deepEqual(row, { lines: '500', units: '125250', products: '500' });
  await refused(withField('products', many(501)), ['products']);
  await refused(withField('products', []), ['products']);
  await allRefused('products', [{}, 'TEA', 1, { 0: item('TEA', 1) }]);
});
