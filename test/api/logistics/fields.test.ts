import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { ordersSearch } from '../../../contract/main/orders-search.ts';
import { productsSearch } from '../../../contract/main/products-search.ts';
import { beta, startTestApp, type TokenCaller } from '../../support/app.ts';
import {
  assertFieldsRefused,
  type Body,
  bring,
  form,
  formPath,
  item,
  orderPath,
  ship,
  shippingOrder,
  stopForm,
  take,
  textsOf,
  unchanged,
} from '../../support/logistics.ts';
import { madeOnly, retvalOf, search } from '../../support/main.ts';
import { startSecondNode } from '../../support/second-node.ts';
import { createInbound, dataOf, emptyRow, goodRow, order, stockOf, syncProducts } from '../../support/warehouse.ts';

const app = await startTestApp();
// Forms of this key bring no stock, so lots do not matter here.
const confirming = 'alpha-confirm-of-thirty-two-characters-or-more';
await app.provision({
  logistics_keys: [
    { name: 'confirm', key: confirming, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' },
  ],
});

let numbers = 0;
const nextNumber = () => `FIELD-${++numbers}`;

type Row = Record<string, ReturnType<typeof JSON.parse>>;

async function acceptOrder(body: Body & { internal_name: string }): Promise<Row> {
  const { document_no, idempotent } = await take(app, orderPath, body);
  assert.deepEqual([document_no, idempotent], [body.internal_name, false]);
  return (await search(app, ordersSearch, { 'orders.internal_name': body.internal_name })).rows[0]!;
}

async function acceptForm(body: Body & { form_no: string }): Promise<Row> {
  const { document_no, status, idempotent } = await take(app, formPath, body, confirming);
  assert.deepEqual(
    { document_no, status, idempotent },
    { document_no: body.form_no, status: 'expected', idempotent: false },
  );
  return (await search(app, inboundsSearch, { 'inbounds.form_no': body.form_no })).rows[0]!;
}

async function refused(path: string, body: unknown, paths: string[], msg?: string): Promise<void> {
  const answer = await unchanged(app, () => app.callLogistics(path, body, { apiKey: confirming }));
  assertFieldsRefused(answer, paths, msg);
}

/** An order or a form with this in its only product. */
const orderWith = (product: Body, number = nextNumber()) => shippingOrder(number, [item('TEA', 1, product)]);
const formWith = (product: Body, number = nextNumber()) => form(number, [{ sku: 'TEA', quantity: 1, ...product }]);

const pickupLabel = {
  store: { no: '123456', 名: '台北門市 🏪' },
  codes: [1, '2', null, true, { z: 1, a: [] }],
  10: 'x',
};
// Texts that are special in SQL, JSON, HTML or templates arrive as they are.
const describedItem = {
  name: "茶'; drop table orders; --",
  price: 19.99,
  batch: 'NULL',
  identifier: '\\x00',
  combo_sku: '{"a":1}',
};
const emptyItem = { combo_sku: '', name: '', price: 0, batch: '', identifier: '' };
const everyShipping = {
  customer_name: '王小明',
  delivery_charge: 120.5,
  city: '臺北市',
  note: 'Ring twice.\n\tThen wait.\r\n謝謝 🙏 <script>alert(1)</script> {{7*7}} <%= 7*7 %>',
  callback_url: 'https://partner.example:8443/callbacks?order=1&x=%20',
  store_pickup_label_data: pickupLabel,
};
const everyRecipient = {
  delivery_name: '陳 大文',
  phone: '+886-2-1234 #56',
  address: '範例路 1 號 $$x$$ {1,2} "quoted" \\ % _',
};
const everyProducts = [
  item('TEA-EVERY', 3, { storage_type: '4', ...describedItem }),
  item('TEA-EVERY', 1, { storage_type: '2' }),
  item('RICE-EVERY', 1_000_000_000, { storage_type: 'Category 7', ...emptyItem }),
];

test('every field of an order is kept exactly as it was sent, and read back in the list', async () => {
  const body = shippingOrder('EVERY-FIELD', everyProducts, {
    name: 'SHOP 88 001/台',
    ...everyShipping,
    ...everyRecipient,
  });
  const answer = await app.callLogistics(orderPath, body);
  assert.deepEqual(retvalOf(answer), { document_no: 'EVERY-FIELD', status: 'awaiting_stock', idempotent: false });

  const { rows } = await search(app, ordersSearch, { 'orders.internal_name': 'EVERY-FIELD' });
  const { orders_id, created_at, updated_at, ...row } = rows[0]!;
  assert.match(String(orders_id), /^ow_EVERY-FIELD_[0-9a-f]{10}$/);
  for (const time of [created_at, updated_at])
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+08:00$/);
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
    ...{ parcels: [], short: [], undelivered_reason: null, returns: [] },
    logistics_type: null,
    express_type: null,
    consignee_country: null,
    consignee_name: everyRecipient.delivery_name,
    consignee_phone: everyRecipient.phone,
    consignee_address: everyRecipient.address,
    consignee_zip: null,
    ...{ held: false, held_at: null, changes: [] },
    recipient_erased_at: null,
    details: [
      { sku_id: 'TEA-EVERY', qty: 3, item: { ...describedItem, storage_type: 'chilled' } },
      { sku_id: 'TEA-EVERY', qty: 1, item: { ...nothing, storage_type: 'air_conditioned' } },
      { sku_id: 'RICE-EVERY', qty: 1_000_000_000, item: { ...nothing, storage_type: 'Category 7', price: 0 } },
    ],
    shipping: everyShipping,
    timeline: madeOnly({ status: 'awaiting_stock', created_at }, 'ALPHA/wms', answer.headers['trace-id']),
  });
});

test('a field that is left out of an order is null in the list', async () => {
  const { consignee_address, shipping, details } = await acceptOrder(shippingOrder('LEFT-OUT', [item('TEA', 1)]));
  assert.equal(consignee_address, null);
  const notThere = { city: null, note: null, callback_url: null, store_pickup_label_data: null };
  assert.deepEqual(shipping, { customer_name: 'Lin Mei-hua', delivery_charge: 60, ...notThere });
  const nothing = { name: null, price: null, batch: null, identifier: null, combo_sku: null };
  assert.deepEqual(details, [{ sku_id: 'TEA', qty: 1, item: { ...nothing, storage_type: 'ambient' } }]);
});

test('every field of a form is kept exactly as it was sent, and read back in the list', async () => {
  const described = { name: '烏龍茶', price: 79.99, identifier: 'ID/1' };
  const nothing = { name: null, storage_type: null, price: null, identifier: null };
  const products = [
    { sku: 'TEA', quantity: 100, ...described, storage_type: '3', batch: 'L-2026-03', expire_date: '2027-02-28' },
    { sku: 'TEA', quantity: 1, name: '', price: 0, storage_type: 'Dry, 7', batch: '', expire_date: '9999-12-31' },
    { sku: 'OIL', quantity: 1_000_000_000, ...nothing, batch: null, expire_date: null },
  ];
  const sent = {
    internal_form_no: 'A 77',
    shipping_type: 1,
    sender_name: 'Alishan 茶園',
    sender_address: '嘉義縣 阿里山鄉 1 號',
    callback_url: 'https://partner.example/forms?x=1',
  };
  const read = await acceptForm(form('PO 2026/一', products, { form_type: 2, ...sent }));
  const { stock_in_no, created_at, updated_at, timeline, ...row } = read;
  assert.match(String(stock_in_no), /^si_/);
  assert.equal(created_at, updated_at);
  const [{ trace_id, ...made }] = timeline;
  assert.deepEqual(made, { event: 'create', from: null, to: 'expected', at: created_at, by: 'ALPHA/confirm' });
  const tea = { sku_id: 'TEA', expire_date: '2027-02-28', batch_id: 'L-2026-03', qty: 100 };
  assert.deepEqual(row, {
    inbound_short_id: null,
    form_no: 'PO 2026/一',
    kind: 'return',
    status: 'expected',
    channel: 'logistics',
    warehouse_no: 1,
    store_no: 10,
    outbound_short_id: null,
    orders_id: null,
    estimated_arrival_at: null,
    details: [
      { ...tea, item: { ...described, storage_type: 'frozen' } },
      {
        ...tea,
        expire_date: '9999-12-31',
        batch_id: '',
        qty: 1,
        item: { ...nothing, storage_type: 'Dry, 7', price: 0 },
      },
      { sku_id: 'OIL', expire_date: null, batch_id: '', qty: 1_000_000_000, item: nothing },
    ],
    received: [],
    differences: [
      { sku_id: 'TEA', announced: 101, received: 0 },
      { sku_id: 'OIL', announced: 1_000_000_000, received: 0 },
    ],
    form: sent,
  });
});

test('form_type decides the kind of a form, and shipping_type is kept', async () => {
  for (const [form_type, kind] of [
    [1, 'inbound'],
    [2, 'return'],
  ] as const)
    for (const shipping_type of [1, 2, 3]) {
      const row = await acceptForm(form(nextNumber(), [{ sku: 'TEA', quantity: 1 }], { form_type, shipping_type }));
      assert.deepEqual([row.kind, row.form.shipping_type, row.form.sender_name], [kind, shipping_type, null]);
    }
});

test('fields that the contract does not know are ignored, in orders, forms and their items', async () => {
  const [orderNo, formNo] = [nextNumber(), nextNumber()];
  const unknown = { account_no: 'BETA', warehouse_no: 9, receiving: 'on_create', x: { y: 1 } };
  await acceptOrder({ ...orderWith({ expire_date: 'whatever', unknown: [] }, orderNo), ...unknown });
  await acceptForm({ ...formWith({ combo_sku: 5, unknown: 1 }, formNo), note: 7, ...unknown });
  assert.equal((await take(app, orderPath, orderWith({}, orderNo))).idempotent, true);
  assert.equal((await take(app, formPath, formWith({}, formNo), confirming)).idempotent, true);
});

const amounts: [written: string, stored: string][] = [
  ['-0', '0.00'],
  ['9999999998.99', '9999999998.99'],
  ['1.005', '1.01'],
  ['33.333333333333333333333333333', '33.33'],
  ['-1.005', '-1.01'],
];
test('money is rounded half up to two decimals, away from zero, and stored and shown exactly', async () => {
  for (const [written, stored] of amounts) {
    const [orderNo, formNo] = [nextNumber(), nextNumber()];
    const write = (body: object) => JSON.stringify(body).replaceAll('"MONEY"', written);
    // A delivery charge is never negative.
    const [charge, storedCharge] = written === '-1.005' ? [60, '60.00'] : ['MONEY', stored];
    const order = { ...orderWith({ price: 'MONEY' }, orderNo), delivery_charge: charge };
    retvalOf(await app.callLogistics(orderPath, write(order)));
    retvalOf(await app.callLogistics(formPath, write(formWith({ price: 'MONEY' }, formNo)), { apiKey: confirming }));
    const kept = await textsOf(
      app,
      `select delivery_charge::text as amount from orders join shipping_order using (account_id, order_id) where partner_number = $1
      union all select price::text from orders join order_line using (account_id, order_id) where partner_number = $1
      union all select price::text from inbound_document join inbound_line using (account_id, inbound_id) where partner_number = $2`,
      [orderNo, formNo],
    );
    const [{ shipping, details }] = (await search(app, ordersSearch, { 'orders.internal_name': orderNo })).rows as [
      Row,
    ];
    const [inbound] = (await search(app, inboundsSearch, { 'inbounds.form_no': formNo })).rows as [Row];
    const shown = [shipping.delivery_charge, details[0].item.price, inbound.details[0].item.price];
    const expected = [storedCharge, stored, stored];
    assert.deepEqual([kept.map(({ amount }) => amount), shown], [expected, expected.map(Number)], written);
  }
});

test('all mistakes are reported at once, each with its path; the message has the first and the number of others', async () => {
  const products = [item('', 0, { price: '1' }), { sku: 'TEA' }];
  const body = { internal_name: 'x'.repeat(31), phone: 7, delivery_charge: -1, products, store_pickup_label_data: [1] };
  const answer = await unchanged(app, () => app.callLogistics(orderPath, body));
  const { errors } = answer.json.retval;
  assertFieldsRefused(
    answer,
    [
      ...['internal_name', 'name', 'customer_name', 'delivery_name', 'delivery_charge', 'store_pickup_label_data'],
      ...['products[0].sku', 'products[0].quantity', 'products[0].price'],
      ...['products[1].quantity', 'products[1].storage_type'],
    ],
    `${errors[0].path} ${errors[0].message} (and ${errors.length - 1} more)`,
  );
});

// The label of a store pickup.

const labels: [string, object][] = [
  ['empty', {}],
  ['nested', { a: { b: { c: { d: [[[{ e: null }]]] } } } }],
  ['with keys that are not sorted', { z: 1, a: 2, m: { y: 1, b: 2 } }],
  ['with numbers', { n: [0, -1, 1.5, 0.1, 1e21, 123456789012345, -0.000001] }],
  ['in many scripts', { 店名: '全家 台北', '😀': '👨‍👩‍👧', 'e\u0301': 'é', '\u2028': '\u2029', '\ufffd': '\ufeff' }],
  ['with texts that are special elsewhere', { "';drop table orders;--": '"', '\\': '\\u0000', $1: '$2', '': '{}' }],
  ['with names of methods', { toString: 1, valueOf: 2, hasOwnProperty: 3, length: 4, prototype: 5 }],
];
test('a label is kept as it is, including the order of its keys', async () => {
  for (const [name, label] of labels) {
    const { shipping } = await acceptOrder({ ...orderWith({}), store_pickup_label_data: label });
    assert.equal(JSON.stringify(shipping.store_pickup_label_data), JSON.stringify(label), name);
  }
});

test('a label of 64 KiB is accepted, one byte more is refused; bytes are counted, not characters', async () => {
  const labelOfBytes = (bytes: number, character: string) => {
    const rest = bytes - Buffer.byteLength(JSON.stringify({ x: '' }));
    const size = Buffer.byteLength(character);
    return { x: character.repeat(Math.floor(rest / size)) + 'y'.repeat(rest % size) };
  };
  for (const character of ['x', '號']) {
    const edge = labelOfBytes(65_536, character);
    const { shipping } = await acceptOrder({ ...orderWith({}), store_pickup_label_data: edge });
    assert.deepEqual(shipping.store_pickup_label_data, edge);
    const larger = { ...orderWith({}), store_pickup_label_data: labelOfBytes(65_537, character) };
    const msg = 'store_pickup_label_data must be at most 64 KiB of JSON';
    await refused(orderPath, larger, ['store_pickup_label_data'], msg);
  }
});

test('callback_url is kept exactly as it was sent', async () => {
  const addresses = [
    'http://partner.example',
    'HTTPS://PARTNER.EXAMPLE/x',
    'https://partner.example:8443/a?b=c#d',
    'https://93.184.215.14/callback',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://店.example/回呼',
    `https://partner.example/${'x'.repeat(2048 - 24)}`,
  ];
  for (const url of addresses) {
    const body = orderWith({});
    await acceptOrder({ ...body, callback_url: url });
    const query = `select document_type, url, key_name, callback_count::text from callback_target
      where document_id = (select order_id from orders where partner_number = $1)`;
    const target = { document_type: 'order', url, key_name: 'wms', callback_count: '0' };
    assert.deepEqual(await textsOf(app, query, [body.internal_name]), [target]);
  }
});

test('callback_url is refused in orders, forms and stops if it has a password or is plainly private', async () => {
  const addresses = ['https://user:secret@partner.example/', 'https://partner.example:0/', 'http://127.0.0.1/'];
  for (const callback_url of [...addresses, 'http://0x7f.1/', 'http://[::1]/', 'http://localhost/']) {
    await refused(orderPath, { ...orderWith({}), callback_url }, ['callback_url']);
    await refused(formPath, { ...formWith({}), callback_url }, ['callback_url']);
  }
  const msg = 'callback_url must not point to a private or reserved address';
  await refused(formPath, stopForm('FORM-1', { callback_url: 'http://10.0.0.1/' }), ['callback_url'], msg);
});

test('500 products are accepted, in an order and in a form', async () => {
  const products = Array.from({ length: 500 }, (_, index) => item(`MANY-${index}`, 1 + index));
  const [order, inbound] = [shippingOrder(nextNumber(), products), form(nextNumber(), products)];
  assert.equal((await acceptOrder(order)).details.length, 500);
  assert.equal((await acceptForm(inbound)).details.length, 500);
  const counts = 'count(*)::text as lines, sum(qty)::text as units, count(distinct product_id)::text as products';
  const kept = await textsOf(
    app,
    `select ${counts} from order_line join orders using (account_id, order_id) where partner_number = $1
    union all select ${counts} from inbound_line join inbound_document using (account_id, inbound_id) where partner_number = $2`,
    [order.internal_name, inbound.form_no],
  );
  assert.deepEqual(kept, Array(2).fill({ lines: '500', units: '125250', products: '500' }));
});

// Products that orders and forms register.

async function productOf(sku: string, as?: TokenCaller): Promise<Row> {
  const { rows } = await search(app, productsSearch, { 'products.sku_id': sku }, as);
  assert.equal(rows.length, 1, `${sku}: ${rows.length}`);
  const { products_id, created_at, updated_at, ...product } = rows[0]!;
  assert.ok(Number.isInteger(products_id) && created_at === updated_at);
  return product;
}

const nothingMore = { length: null, width: null, height: null, weight: null, codes: [], locations: [] };

const categories: [sent: string, understood: string][] = [
  ['1', 'ambient'],
  ['2', 'air_conditioned'],
  ['3', 'frozen'],
  ['4', 'chilled'],
  ['ambient', 'ambient'],
  ['01', '01'],
  ['１', '１'],
  ['Ambient', 'Ambient'],
  ['toString', 'toString'],
];
test('storage_type: 1 to 4 and our names are understood, others are kept; orders and forms register products with them', async () => {
  const named = (prefix: string) =>
    categories.map(([storage_type], index) => ({ sku: `${prefix}-${index}`, storage_type, name: `Name ${index}` }));
  await ship(
    app,
    'CATEGORIES',
    named('ORDERED').map(({ sku, ...other }) => item(sku, 1, other)),
  );
  await bring(
    app,
    named('BROUGHT').map((product) => ({ ...product, quantity: 1 })),
  );
  for (const [index, [, storage_type]] of categories.entries())
    for (const sku_id of [`ORDERED-${index}`, `BROUGHT-${index}`])
      assert.deepEqual(await productOf(sku_id), { sku_id, sku_name: `Name ${index}`, storage_type, ...nothingMore });
  const lines = await app.store.database.read(
    (sql) => sql`
      select item_storage_type from order_line join orders using (account_id, order_id)
      where partner_number = 'CATEGORIES' order by line_no`,
  );
  assert.deepEqual(
    lines.map(({ item_storage_type }) => item_storage_type),
    categories.map(([, understood]) => understood),
  );
});

test('without a name a product has its sku for a name; without a storage_type it is unspecified', async () => {
  await ship(app, 'NAMELESS-1', [item('NAMELESS-1', 1)]);
  await ship(app, 'NAMELESS-2', [item('NAMELESS-2', 1, { name: '' }), item('NAMELESS-3', 1, { name: null })]);
  await bring(app, [{ sku: 'NAMELESS-4', quantity: 1 }]);
  await bring(app, [{ sku: 'NAMELESS-5', quantity: 1, name: 'Tea', storage_type: null }]);
  const { rows } = await search(app, productsSearch, { 'products.sku_id': { prefix: 'NAMELESS-' }, sort: 'sku_id' });
  const described = rows.map(({ sku_name, storage_type }) => [sku_name, storage_type]);
  assert.deepEqual(described, [
    ['NAMELESS-1', 'ambient'],
    ['NAMELESS-2', 'ambient'],
    ['NAMELESS-3', 'ambient'],
    ['NAMELESS-4', 'unspecified'],
    ['Tea', 'unspecified'],
  ]);
});

test('the first of several items of a new sku describes it', async () => {
  await ship(app, 'FIRST', [
    item('FIRST', 1, { name: 'First', storage_type: '3' }),
    item('FIRST', 2, { name: 'Second', storage_type: '4' }),
  ]);
  assert.deepEqual(await productOf('FIRST'), {
    sku_id: 'FIRST',
    sku_name: 'First',
    storage_type: 'frozen',
    ...nothingMore,
  });
});

test('an item never alters a known product', async () => {
  const synced = { sku_id: 'KNOWN', sku_name: 'As synced', length: 1.5, weight: 0.25 };
  dataOf(await app.callWarehouse('/product/sync', { ...synced, storage_type: 3 }));
  await ship(app, 'KNOWN', [item('KNOWN', 1, { name: 'Other', storage_type: '1' })]);
  await bring(app, [{ sku: 'KNOWN', quantity: 1, name: 'Other', storage_type: 'other' }]);
  assert.deepEqual(await productOf('KNOWN'), { ...nothingMore, ...synced, storage_type: 'frozen' });
});

test('a product that an order registers can be used and synced in the warehouse API at once, on another node too', async () => {
  const second = await startSecondNode(app);
  await ship(app, 'USABLE', [item('USABLE', 1, { name: 'As ordered' })]);
  for (const node of [app, second]) assert.deepEqual(await stockOf(node, 'USABLE'), [emptyRow('USABLE')]);
  await createInbound(second, 'USABLE', { USABLE: [['2030-01-01', 5]] });
  await order(app, 'USABLE', [['USABLE', 2]]);
  assert.deepEqual(await stockOf(app, 'USABLE'), [goodRow('USABLE', '2030-01-01', 5, 2)]);
  await syncProducts(app, ['USABLE']);
  const { rows } = await search(app, productsSearch, { 'products.sku_id': 'USABLE' });
  assert.deepEqual([rows[0]!.sku_name, rows[0]!.storage_type], ['Name of USABLE', 'ambient']);
});

test('two accounts may use one sku for two products', async () => {
  await ship(app, 'WHOSE', [item('WHOSE', 1, { name: 'Of ALPHA' })]);
  await ship(app, 'WHOSE', [item('WHOSE', 1, { name: 'Of BETA', storage_type: '4' })], {}, beta.apiKey);
  const [ours, theirs] = [await productOf('WHOSE'), await productOf('WHOSE', beta)];
  assert.deepEqual([ours.sku_name, theirs.sku_name], ['Of ALPHA', 'Of BETA']);
});
