import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  type Body,
  bring,
  cancelShipping,
  form,
  formPath,
  item,
  orderPath,
  orderStatus,
  owedFor,
  ship,
  shippingOrder,
  stopForm,
  take,
  unchanged,
} from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';
import { startSecondNode } from '../../support/second-node.ts';
import { cancelInbounds, cancelOrders, createInbound, dataOf, moveOrder, orderBody, stockOf } from '../../support/warehouse.ts';

const app = await startTestApp();
const secondNode = await startSecondNode(app);
await app.provision({
  logistics_keys: [{ name: 'confirm', key: 'alpha-confirm', account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' }],
});

const label = { chain: 'pcsc', store: { no: 1, name: '店' }, codes: [1, 2] };
const order = shippingOrder(
  'REPEAT',
  [
    item('TEA', 2, { storage_type: '1', combo_sku: 'C', name: 'Tea', price: 19.99, batch: 'B', identifier: 'I' }),
    item('RICE', 1, { storage_type: 'frozen' }),
  ],
  {
    ...{ address: 'A road', city: 'A city', callback_url: 'https://partner.example/a', note: 'A note' },
    store_pickup_label_data: label,
  },
);
const inbound = form(
  'REPEAT',
  [
    { sku: 'TEA', quantity: 2, name: 'Tea', storage_type: '1', price: 19.99, batch: 'L1', identifier: 'I', expire_date: '2030-01-01' },
    { sku: 'RICE', quantity: 1 },
  ],
  { sender_name: 'A sender', sender_address: 'A road' },
);
await bring(app, [
  { sku: 'TEA', quantity: 100 },
  { sku: 'RICE', quantity: 1 },
]);
assert.equal((await take(app, orderPath, order)).status, 'awaiting_stock');
assert.equal((await take(app, formPath, inbound)).status, 'received');

/** The same, every object's fields in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

async function assertRepeat(path: string, body: Body | string, status: string): Promise<void> {
  for (const node of [app, secondNode]) {
    const answer = await unchanged(app, () => node.callLogistics(path, body));
    assert.deepEqual(retvalOf(answer), { document_no: 'REPEAT', status, idempotent: true });
  }
}

const orderRepeats: [string, Body | string][] = [
  ['the same body', order],
  ['fields in another order, those of items and of the label too', reversed(order) as Body],
  [
    'other white space, numbers and escapes',
    JSON.stringify(order, null, 2).replace('"quantity": 2', '"quantity": 2.0').replace('店', '\\u5e97'),
  ],
  ['fields that are not known', { ...order, unknown: 1 }],
  [
    'the storage type by its word',
    {
      ...order,
      products: [
        { ...order.products[0], storage_type: 'ambient' },
        { ...order.products[1], storage_type: '3' },
      ],
    },
  ],
  [
    'null where something was left out',
    {
      ...order,
      products: [order.products[0]!, { ...order.products[1], price: null, batch: null, name: null, combo_sku: null, identifier: '' }],
    },
  ],
];
for (const [what, body] of orderRepeats) {
  test(`an order again, ${what}: idempotent, and nothing changes`, () => assertRepeat(orderPath, body, 'awaiting_stock'));
}

const formRepeats: [string, Body | string][] = [
  ['the same body', inbound],
  ['fields in another order', reversed(inbound) as Body],
  ['the storage type by its word', { ...inbound, products: [{ ...inbound.products[0], storage_type: 'ambient' }, inbound.products[1]] }],
  [
    'null where something was left out',
    { ...inbound, products: [inbound.products[0]!, { ...inbound.products[1], expire_date: null, batch: '', name: null }] },
  ],
];
for (const [what, body] of formRepeats) {
  test(`a form again, ${what}: idempotent, and nothing changes`, () => assertRepeat(formPath, body, 'received'));
}

const [tea, rice] = order.products;
const otherOrders: Record<string, Body> = {
  name: { name: 'other' },
  customer_name: { customer_name: 'other' },
  delivery_name: { delivery_name: 'other' },
  phone: { phone: '1' },
  delivery_charge: { delivery_charge: 60.01 },
  address: { address: 'other' },
  'address left out': { address: undefined },
  city: { city: 'other' },
  callback_url: { callback_url: 'https://partner.example/b' },
  'callback_url left out': { callback_url: undefined },
  note: { note: 'other' },
  'one text of the label': { store_pickup_label_data: { ...label, chain: 'family' } },
  'the order of a list in the label': { store_pickup_label_data: { ...label, codes: [2, 1] } },
  'no label': { store_pickup_label_data: null },
  'an item more': { products: [tea, rice, item('TEA', 1)] },
  'an item less': { products: [tea] },
  'items in another order': { products: [rice, tea] },
  'the sku of an item': { products: [{ ...tea, sku: 'TEA-NEW-1' }, rice] },
  'the quantity of an item': { products: [{ ...tea, quantity: 3 }, rice] },
  'the storage_type of an item': { products: [{ ...tea, storage_type: '2' }, rice] },
  'the combo_sku of an item': { products: [{ ...tea, combo_sku: 'D' }, rice] },
  'the name of an item': { products: [{ ...tea, name: 'D' }, rice] },
  'the price of an item': { products: [{ ...tea, price: 20 }, rice] },
  'the batch of an item': { products: [{ ...tea, batch: 'D' }, rice] },
  'the identifier of an item': { products: [{ ...tea, identifier: 'D' }, rice] },
};
test('an order of the same number that says anything else is 409, and nothing changes', async () => {
  for (const [what, change] of Object.entries(otherOrders)) {
    const answer = await unchanged(app, () => app.callLogistics(orderPath, { ...order, ...change }));
    assert.equal(answer.status, 409, what);
    assertNotDone(answer, { status: 409, msg: 'internal_name was used before with another body' });
  }
});

const [teaIn, riceIn] = inbound.products;
const otherForms: Record<string, Body> = {
  internal_form_no: { internal_form_no: 'other' },
  form_type: { form_type: 2 },
  shipping_type: { shipping_type: 1 },
  callback_url: { callback_url: 'https://partner.example/other' },
  sender_name: { sender_name: 'other' },
  sender_address: { sender_address: undefined },
  'an item more': { products: [teaIn, riceIn, riceIn] },
  'items in another order': { products: [riceIn, teaIn] },
  'the sku of an item': { products: [{ ...teaIn, sku: 'TEA-NEW-2' }, riceIn] },
  'the quantity of an item': { products: [{ ...teaIn, quantity: 3 }, riceIn] },
  'the storage_type of an item': { products: [{ ...teaIn, storage_type: '2' }, riceIn] },
  'the name of an item': { products: [{ ...teaIn, name: 'D' }, riceIn] },
  'the price of an item': { products: [{ ...teaIn, price: 20 }, riceIn] },
  'the batch of an item': { products: [{ ...teaIn, batch: 'D' }, riceIn] },
  'the identifier of an item': { products: [{ ...teaIn, identifier: 'D' }, riceIn] },
  'the expire_date of an item': { products: [{ ...teaIn, expire_date: '2030-01-02' }, riceIn] },
};
test('a form of the same number that says anything else is 409, and nothing changes', async () => {
  for (const [what, change] of Object.entries(otherForms)) {
    const answer = await unchanged(app, () => app.callLogistics(formPath, { ...inbound, ...change }));
    assert.equal(answer.status, 409, what);
    assertNotDone(answer, { status: 409, msg: 'form_no was used before with another body' });
  }
});

test('a conflict is in the request log with its number', async () => {
  const answer = await app.callLogistics(orderPath, { ...order, name: 'other' });
  const line = await app.requestLine(String(answer.headers['trace-id']));
  assert.deepEqual([line?.status, line?.account_no, line?.document_no], [409, 'ALPHA', 'REPEAT']);
});

for (const [what, one, other] of [
  ['an empty object and an empty list', { a: {} }, { a: [] }],
  ['an object and the list of its fields', { a: { b: 1 } }, { a: [['b', 1]] }],
] as const) {
  test(`in a label, ${what} are not the same: 409`, async () => {
    const body = shippingOrder(`LABEL ${what.slice(0, 20).trim()}`, [item('TEA', 1)], { store_pickup_label_data: one });
    assert.equal((await take(app, orderPath, body)).idempotent, false);
    assert.equal((await take(app, orderPath, body)).idempotent, true);
    const answer = await unchanged(app, () => app.callLogistics(orderPath, { ...body, store_pickup_label_data: other }));
    assert.equal(answer.status, 409, answer.text);
  });
}

test('in a label, null and left out, 1 and "1", and the case of a key are not the same', async () => {
  for (const [index, [one, other]] of (
    [
      [{ a: null }, {}],
      [{ a: 1 }, { a: '1' }],
      [{ a: 1 }, { A: 1 }],
      [{ a: true }, { a: 1 }],
    ] as const
  ).entries()) {
    const body = shippingOrder(`LABEL-${index}`, [item('TEA', 1)], { store_pickup_label_data: one });
    await take(app, orderPath, body);
    assert.equal((await app.callLogistics(orderPath, { ...body, store_pickup_label_data: other })).status, 409);
  }
});

test('a mistake in the fields of a known number is 400, not a repeat', async () => {
  const answer = await unchanged(app, () => app.callLogistics(orderPath, { ...order, phone: '' }));
  assert.equal(answer.status, 400);
});

test('a repeat tells how far the order has come since: it waits, it has its stock, it is cancelled', async () => {
  const body = shippingOrder('FAR', [item('FAR', 5)]);
  assert.equal((await take(app, orderPath, body)).status, 'awaiting_stock');
  const moved: string[] = [];
  for (const status of ['pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'shipped', 'delivered', 'cancelled']) {
    await moveOrder(app, 'FAR', status);
    const retval = await take(app, orderPath, body);
    assert.equal(retval.idempotent, true);
    moved.push(retval.status);
    assert.equal((await app.callLogistics(orderPath, { ...body, name: 'other' })).status, 409);
  }
  assert.deepEqual(moved, ['pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'shipped', 'delivered', 'cancelled']);
  await moveOrder(app, 'FAR', 'awaiting_stock');
});

test('a cancelled order sent again stays cancelled and locks nothing', async () => {
  await bring(app, [{ sku: 'AGAIN', quantity: 5 }]);
  const body = shippingOrder('AGAIN', [item('AGAIN', 5)]);
  assert.equal((await take(app, orderPath, body)).status, 'pending_warehouse_transfer');
  assert.deepEqual(await cancelShipping(app, ['AGAIN']), [{ internal_name: 'AGAIN', status: 'cancelled' }]);
  const again = await unchanged(app, () => take(app, orderPath, body));
  assert.deepEqual(again, { document_no: 'AGAIN', status: 'cancelled', idempotent: true });
  assert.equal((await stockOf(app, 'AGAIN'))[0]!.qty_available, 5);
});

test('numbers are an account’s own: another one may use the same, with another body', async () => {
  const other = shippingOrder('REPEAT', [item('OTHER', 1)]);
  assert.deepEqual(await take(app, orderPath, other, beta.apiKey), { document_no: 'REPEAT', status: 'awaiting_stock', idempotent: false });
  assert.equal((await take(app, orderPath, other, beta.apiKey)).idempotent, true);
  assert.equal((await app.callLogistics(orderPath, order, { apiKey: beta.apiKey })).status, 409);
  assert.equal((await take(app, orderPath, order)).idempotent, true);

  assert.equal((await take(app, formPath, form('REPEAT', [{ sku: 'OTHER-IN', quantity: 1 }]), beta.apiKey)).idempotent, false);
  assert.equal((await take(app, formPath, inbound)).idempotent, true);
  assert.deepEqual(
    (await stockOf(app, 'OTHER-IN', beta)).map(({ qty }) => qty),
    [1],
  );
  assert.deepEqual(
    (await stockOf(app, 'OTHER-IN')).map(({ status }) => status),
    ['not_found'],
  );
});

test('orders and forms do not share their numbers', async () => {
  assert.equal((await take(app, orderPath, shippingOrder('SHARED', [item('TEA', 1)]))).idempotent, false);
  assert.equal((await take(app, formPath, form('SHARED', [{ sku: 'TEA', quantity: 1 }]))).idempotent, false);
});

test('the numbers of the warehouse and the main API are others: the same one may be used in each, and each cancels its own', async () => {
  await bring(app, [{ sku: 'SPACE', quantity: 10 }]);
  assert.equal(await ship(app, 'SPACE-1', [item('SPACE', 1)]), 'pending_warehouse_transfer');
  dataOf(await app.callWarehouse('/outbound/create', orderBody('SPACE-1', [['SPACE', 2]])));
  dataOf(await app.callWarehouse('/outbound/create', orderBody('SPACE-2', [['SPACE', 3]])));
  assert.equal(await ship(app, 'SPACE-2', [item('SPACE', 4)]), 'pending_warehouse_transfer');
  assert.equal((await stockOf(app, 'SPACE'))[0]!.qty_lock, 10);

  assert.deepEqual(await cancelOrders(app, ['SPACE-1']), [{ outbound_short_id: 'SPACE-1', status: 'cancelled' }]);
  assert.equal(await orderStatus(app, 'SPACE-1'), 'pending_warehouse_transfer');
  assert.deepEqual(await cancelShipping(app, ['SPACE-2']), [{ internal_name: 'SPACE-2', status: 'cancelled' }]);
  const [row] = await app.store.database.read(
    (sql) => sql`select status from orders where partner_number = 'SPACE-2' and channel = 'warehouse'`,
  );
  assert.equal(row!.status, 'pending_warehouse_transfer');
  assert.equal((await stockOf(app, 'SPACE'))[0]!.qty_lock, 1 + 3);
});

test('a shipping order is not to be cancelled by the warehouse API, nor another account’s by the main API', async () => {
  await ship(app, 'MINE', [item('TEA', 1)]);
  const results = await unchanged(app, async () => [
    await cancelOrders(app, ['MINE']),
    await cancelShipping(app, ['MINE'], beta),
    await cancelShipping(app, ['NOBODYS']),
  ]);
  assert.deepEqual(results, [
    [{ outbound_short_id: 'MINE', status: 'not_found' }],
    [{ internal_name: 'MINE', status: 'not_found' }],
    [{ internal_name: 'NOBODYS', status: 'not_found' }],
  ]);
});

test('a form is not to be cancelled by the warehouse API, and its number may be used there', async () => {
  await take(app, formPath, form('FORM-SPACE', [{ sku: 'FORM-SPACE', quantity: 7 }]));
  assert.deepEqual(await unchanged(app, () => cancelInbounds(app, ['FORM-SPACE'])), [{ stock_in_sn: 'FORM-SPACE', status: 'not_found' }]);
  await createInbound(app, 'FORM-SPACE', { 'FORM-SPACE': [['2030-01-01', 1]] });
  assert.deepEqual(await cancelInbounds(app, ['FORM-SPACE']), [{ stock_in_sn: 'FORM-SPACE', status: 'cancelled' }]);
  assert.equal((await stockOf(app, 'FORM-SPACE'))[0]!.qty, 7);
  await createInbound(app, 'ONLY-WAREHOUSE', { 'FORM-SPACE': [['2030-01-01', 1]] });
  const stop = await unchanged(app, () => app.callLogistics(formPath, stopForm('ONLY-WAREHOUSE')));
  assert.deepEqual([stop.status, stop.json.msg], [400, 'form_no not found']);
});

test('repeats of a form that was stopped: the original is a repeat, the stop too', async () => {
  const original = form('STOPPED', [{ sku: 'STOPPED', quantity: 1 }]);
  const apiKey = 'alpha-confirm';
  assert.equal((await take(app, formPath, original, apiKey)).status, 'expected');
  assert.deepEqual(await take(app, formPath, stopForm('STOPPED'), apiKey), {
    document_no: 'STOPPED',
    status: 'stopped',
    idempotent: false,
  });
  await unchanged(app, async () => {
    assert.deepEqual(await take(app, formPath, original, apiKey), { document_no: 'STOPPED', status: 'stopped', idempotent: true });
    assert.deepEqual(await take(app, formPath, stopForm('STOPPED'), apiKey), {
      document_no: 'STOPPED',
      status: 'stopped',
      idempotent: true,
    });
    assert.equal((await app.callLogistics(formPath, { ...original, shipping_type: 1 }, { apiKey })).status, 409);
  });
  assert.equal((await owedFor(app, 'STOPPED')).length, 1);
});

test('a key of another receiving rule repeats a form, and does not receive it', async () => {
  const body = form('RULES', [{ sku: 'RULES', quantity: 3 }]);
  assert.equal((await take(app, formPath, body, 'alpha-confirm')).status, 'expected');
  assert.deepEqual(await unchanged(app, () => take(app, formPath, body, alpha.apiKey)), {
    ...{ document_no: 'RULES', status: 'expected', idempotent: true },
  });
});
