import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { orderStatuses } from '../../../server/domain/orders/order.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  assertBooksInOrder,
  assertFieldsRefused,
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
  textsOf,
  unchanged,
} from '../../support/logistics.ts';
import { assertNotDone, retvalOf, search } from '../../support/main.ts';
import { startSecondNode } from '../../support/second-node.ts';
import {
  cancelInbounds,
  cancelOrders,
  createInbound,
  dataOf,
  emptyRow,
  goodRow,
  moveInbound,
  movementsOf,
  moveOrder,
  orderBody,
  putLot,
  stockOf,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const secondNode = await startSecondNode(app);
const [confirming, production] = [
  'alpha-confirm-of-thirty-two-characters-or-more',
  'prod-key-of-thirty-two-characters-or-more',
];
const prod = { accountNo: 'PROD', secret: 'prod-secret-of-thirty-two-characters-or-more', warehouseTpwId: 'none' };
const place = { warehouse_no: 1, store_no: 10 };
await app.provision({
  accounts: [{ account_no: 'PROD', environment: 'production', secret: prod.secret }],
  logistics_keys: [
    { name: 'confirm', key: confirming, account_no: 'ALPHA', ...place, receiving: 'on_confirm' },
    { name: 'wms', key: production, account_no: 'PROD', ...place },
    {
      name: 'at-once',
      key: 'prod-at-once-of-thirty-two-characters-or-more',
      account_no: 'PROD',
      ...place,
      receiving: 'on_create',
    },
  ],
});

const label = { chain: 'pcsc', store: { no: 1, name: '店' }, codes: [1, 2] };
const order = shippingOrder(
  'REPEAT',
  [
    item('TEA', 2, { storage_type: '1', combo_sku: 'C', name: 'Tea', price: 19.99, batch: 'B', identifier: 'I' }),
    item('RICE', 1, { storage_type: 'frozen' }),
  ],
  {
    address: 'A road',
    city: 'A city',
    callback_url: 'https://partner.example/a',
    note: 'A note',
    store_pickup_label_data: label,
  },
);
const described = { name: 'Tea', storage_type: '1', price: 19.99, batch: 'L1', identifier: 'I' };
const teaIn = { sku: 'TEA', quantity: 2, ...described, expire_date: '2030-01-01' };
const riceIn = { sku: 'RICE', quantity: 1 };
const sender = { sender_name: 'A sender', sender_address: 'A road' };
const inbound = form('REPEAT', [teaIn, riceIn], { shipping_type: 1, ...sender });
await bring(app, [
  { sku: 'TEA', quantity: 100 },
  { sku: 'RICE', quantity: 1 },
]);
assert.equal((await take(app, orderPath, order)).status, 'awaiting_stock');
assert.equal((await take(app, formPath, inbound)).status, 'received');

/** The same value with the fields of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

const named = (storage_type: string, other: string, body: { products: Body[] }) => {
  const [first, second] = body.products;
  return {
    ...body,
    products: [{ ...first, storage_type }, second!.storage_type ? { ...second, storage_type: other } : second],
  };
};
const rewritten = JSON.stringify(order, null, 2).replace('"quantity": 2', '"quantity": 2.0').replace('店', '\\u5e97');
for (const [path, status, bodies] of [
  [orderPath, 'awaiting_stock', [order, reversed(order), rewritten, named('ambient', '3', order)]],
  [formPath, 'received', [inbound, reversed(inbound), named('ambient', '3', inbound)]],
] as const) {
  test(`${path}: a repeat is idempotent on both nodes, however it is written, and nothing changes`, async () => {
    for (const node of [app, secondNode])
      for (const body of bodies) {
        const answer = await unchanged(app, () => node.callLogistics(path, body));
        assert.deepEqual(retvalOf(answer), { document_no: 'REPEAT', status, idempotent: true });
      }
  });
}

/** Another value of the same form. */
const changed = (value: unknown) => (typeof value === 'number' ? value + 1 : `${String(value).slice(0, -1)}2`);

/** The body with a change in each field of the document and of its first item, and with other items. */
function othersOf(body: { products: Body[] }): [what: string, other: Body][] {
  const { products, store_pickup_label_data: _, ...fields } = body as typeof body & Body;
  const [first, second] = products as [Body, Body];
  const ofItem = (field: string, value: unknown): [string, Body] => [
    `${field} of an item`,
    { ...body, products: [{ ...first, [field]: changed(value) }, second] },
  ];
  return [
    ...Object.entries(fields).map(([field, value]): [string, Body] => [field, { ...body, [field]: changed(value) }]),
    ...Object.entries(first).map(([field, value]) => ofItem(field, value)),
    ['an item more', { ...body, products: [first, second, second] }],
    ['an item less', { ...body, products: [first] }],
    ['items in another order', { ...body, products: [second, first] }],
  ];
}

const otherOrders: [what: string, other: Body][] = [
  ['address left out', { ...order, address: undefined }],
  ['callback_url left out', { ...order, callback_url: undefined }],
  ['one text of the label', { ...order, store_pickup_label_data: { ...label, chain: 'family' } }],
  ['the order of a list in the label', { ...order, store_pickup_label_data: { ...label, codes: [2, 1] } }],
  ['no label', { ...order, store_pickup_label_data: null }],
  ...othersOf(order).filter(([what]) => what !== 'internal_name'),
];
const otherForms = othersOf(inbound).filter(([what]) => what !== 'form_no');
for (const [path, others, field] of [
  [orderPath, otherOrders, 'internal_name'],
  [formPath, otherForms, 'form_no'],
] as const) {
  test(`${path}: the same number with any other field is 409, and nothing changes`, async () => {
    await unchanged(app, async () => {
      for (const [what, body] of others) {
        const answer = await app.callLogistics(path, body);
        assert.equal(answer.status, 409, what);
        assertNotDone(answer, { status: 409, msg: `${field} was used before with another body` });
      }
    });
    const conflict = await app.callLogistics(path, others.at(-1)![1]);
    const line = await app.requestLine(String(conflict.headers['trace-id']));
    assert.deepEqual([line?.status, line?.account_no, line?.document_no], [409, 'ALPHA', 'REPEAT']);
  });
}

const labelPairs: [string, one: object, other: object][] = [
  ['an empty object and an empty list', { a: {} }, { a: [] }],
  ['an object and the list of its fields', { a: { b: 1 } }, { a: [['b', 1]] }],
  ['null and no field', { a: null }, {}],
  ['1 and "1"', { a: 1 }, { a: '1' }],
  ['another case of a key', { a: 1 }, { A: 1 }],
  ['true and 1', { a: true }, { a: 1 }],
];
test('labels that are only similar are not the same: 409, and nothing changes', async () => {
  for (const [index, [what, one, other]] of labelPairs.entries()) {
    const body = shippingOrder(`LABEL-${index}`, [item('TEA', 1)], { store_pickup_label_data: one });
    assert.equal((await take(app, orderPath, body)).idempotent, false);
    const conflicting = { ...body, store_pickup_label_data: other };
    const answer = await unchanged(app, () => app.callLogistics(orderPath, conflicting));
    assert.equal(answer.status, 409, what);
    assert.equal((await take(app, orderPath, body)).idempotent, true);
  }
});

test('a mistake in the fields of a known number is 400, not a repeat', async () => {
  const answer = await unchanged(app, () => app.callLogistics(orderPath, { ...order, phone: '' }));
  assert.equal(answer.status, 400);
});

test('a repeat has the current status of the order, whatever it is', async () => {
  const body = shippingOrder('FAR', [item('FAR', 5)]);
  assert.equal((await take(app, orderPath, body)).status, 'awaiting_stock');
  for (const status of orderStatuses.slice(1)) {
    await moveOrder(app, 'FAR', status);
    assert.deepEqual(await take(app, orderPath, body), { document_no: 'FAR', status, idempotent: true });
    assert.equal((await app.callLogistics(orderPath, { ...body, name: 'other' })).status, 409);
  }
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

test('each account has its own numbers, and orders and forms do not share them', async () => {
  const other = shippingOrder('REPEAT', [item('OTHER', 1)]);
  const created = { document_no: 'REPEAT', status: 'awaiting_stock', idempotent: false };
  assert.deepEqual(await take(app, orderPath, other, beta.apiKey), created);
  assert.equal((await take(app, orderPath, other, beta.apiKey)).idempotent, true);
  assert.equal((await app.callLogistics(orderPath, order, { apiKey: beta.apiKey })).status, 409);
  assert.equal((await take(app, orderPath, order)).idempotent, true);

  const otherForm = form('REPEAT', [{ sku: 'OTHER-IN', quantity: 1 }]);
  assert.equal((await take(app, formPath, otherForm, beta.apiKey)).idempotent, false);
  assert.equal((await take(app, formPath, inbound)).idempotent, true);
  const [theirs, ours] = [await stockOf(app, 'OTHER-IN', beta), await stockOf(app, 'OTHER-IN')];
  assert.deepEqual([theirs.map(({ qty }) => qty), ours.map(({ status }) => status)], [[1], ['not_found']]);
});

test('the warehouse API has its own numbers: one number may be used in both, and each API cancels its own order', async () => {
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

test('the warehouse API cancels neither shipping orders nor forms, and another account cancels neither', async () => {
  await ship(app, 'MINE', [item('TEA', 1)]);
  await take(app, formPath, form('FORM-SPACE', [{ sku: 'FORM-SPACE', quantity: 7 }]));
  const results = await unchanged(app, async () => [
    ...(await cancelOrders(app, ['MINE'])),
    ...(await cancelShipping(app, ['MINE'], beta)),
    ...(await cancelInbounds(app, ['FORM-SPACE'])),
  ]);
  assert.deepEqual(results, [
    { outbound_short_id: 'MINE', status: 'not_found' },
    { internal_name: 'MINE', status: 'not_found' },
    { stock_in_sn: 'FORM-SPACE', status: 'not_found' },
  ]);
  await createInbound(app, 'FORM-SPACE', { 'FORM-SPACE': [['2030-01-01', 1]] });
  assert.deepEqual(await cancelInbounds(app, ['FORM-SPACE']), [{ stock_in_sn: 'FORM-SPACE', status: 'cancelled' }]);
  assert.equal((await stockOf(app, 'FORM-SPACE'))[0]!.qty, 7);
});

test('a repeat by a key with another receiving rule does not receive the form', async () => {
  const body = form('RULES', [{ sku: 'RULES', quantity: 3 }]);
  assert.equal((await take(app, formPath, body, confirming)).status, 'expected');
  assert.deepEqual(await unchanged(app, () => take(app, formPath, body, alpha.apiKey)), {
    document_no: 'RULES',
    status: 'expected',
    idempotent: true,
  });
});

// Inbound forms and their stops.

const statusOf = async (number: string) =>
  (await search(app, inboundsSearch, { 'inbounds.form_no': number })).rows[0]!.status;

test('on_create: the units are on hand at once, in lots by batch and expiry', async () => {
  const body = form('AT-ONCE', [
    { sku: 'LOTS', quantity: 5, batch: 'B1', expire_date: '2030-01-01' },
    { sku: 'LOTS', quantity: 2, batch: 'B1', expire_date: '2031-01-01' },
    { sku: 'LOTS', quantity: 3, batch: 'B2', expire_date: '2030-01-01' },
    { sku: 'LOTS', quantity: 4, expire_date: '2030-01-01' },
    { sku: 'LOTS', quantity: 6 },
    { sku: 'LOTS', quantity: 1, batch: 'B1', expire_date: '2030-01-01' },
  ]);
  assert.deepEqual(await take(app, formPath, body), { document_no: 'AT-ONCE', status: 'received', idempotent: false });
  const never = goodRow('LOTS', null, 6);
  assert.deepEqual(await stockOf(app, 'LOTS'), [
    goodRow('LOTS', '2030-01-01', 4),
    { ...goodRow('LOTS', '2030-01-01', 6), batch_id: 'B1' },
    { ...goodRow('LOTS', '2030-01-01', 3), batch_id: 'B2' },
    { ...goodRow('LOTS', '2031-01-01', 2), batch_id: 'B1' },
    never,
  ]);
  const received = (on_hand_delta: number, batch_id: string, expire_date: string | null) => {
    return { kind: 'receive', sku_id: 'LOTS', expire_date, batch_id, on_hand_delta, locked_delta: 0 };
  };
  assert.deepEqual(await movementsOf(app, 'AT-ONCE'), [
    received(6, 'B1', '2030-01-01'),
    received(2, 'B1', '2031-01-01'),
    received(3, 'B2', '2030-01-01'),
    received(4, '', '2030-01-01'),
    received(6, '', null),
  ]);
  const causes = await textsOf(
    app,
    `select distinct actor, movement.trace_id::text = inbound_document.trace_id::text as of_the_call
    from movement join inbound_document using (account_id, inbound_id) where partner_number = $1`,
    ['AT-ONCE'],
  );
  assert.deepEqual(causes, [{ actor: 'ALPHA/wms', of_the_call: true }]);
  assert.equal(await statusOf('AT-ONCE'), 'received');
});

test('on_create: a second form and a return add to the lots, and the units can be ordered at once through any API', async () => {
  for (const form_type of [1, 2]) {
    const products = [{ sku: 'ADDS', quantity: 5, batch: 'B', expire_date: '2030-01-01' }];
    const { status } = await take(app, formPath, form(`ADDS-${form_type}`, products, { form_type }));
    assert.equal(status, 'received');
  }
  dataOf(await app.callWarehouse('/outbound/create', orderBody('ADDS', [['ADDS', 2]])));
  assert.equal(await ship(app, 'ADDS', [item('ADDS', 8)]), 'pending_warehouse_transfer');
  assert.deepEqual(await stockOf(app, 'ADDS'), [{ ...goodRow('ADDS', '2030-01-01', 10, 10), batch_id: 'B' }]);
});

test('on_confirm, and in production by default: inbounds and returns are expected, without stock and callbacks', async () => {
  for (const [form_type, apiKey, caller] of [
    [1, confirming, alpha],
    [2, confirming, alpha],
    [1, production, prod],
  ] as const) {
    const number = `EXPECTED-${form_type}-${apiKey}`;
    const answer = await take(app, formPath, form(number, [{ sku: number, quantity: 5 }], { form_type }), apiKey);
    assert.deepEqual(answer, { document_no: number, status: 'expected', idempotent: false });
    assert.deepEqual(await stockOf(app, number, caller), [emptyRow(number)]);
    assert.deepEqual([await movementsOf(app, number), await owedFor(app, number)], [[], []]);
    assert.equal(await ship(app, `OUT-${form_type}`, [item(number, 1)], {}, apiKey), 'awaiting_stock');
  }
  const atOnce = form('PROD-2', [{ sku: 'PROD', quantity: 5 }]);
  assert.equal((await take(app, formPath, atOnce, 'prod-at-once-of-thirty-two-characters-or-more')).status, 'received');
  assert.equal((await stockOf(app, 'PROD', prod))[0]!.qty, 5);
});

test('a stop of an expected form: nothing has come, the stop and the form again are repeats, another body is 409', async () => {
  for (const form_type of [1, 2]) {
    const number = `STOP-${form_type}`;
    const original = form(number, [{ sku: number, quantity: 5 }], { form_type });
    await take(app, formPath, original, confirming);
    const stopped = { document_no: number, status: 'stopped', idempotent: false };
    assert.deepEqual(await take(app, formPath, stopForm(number), confirming), stopped);
    const [row] = (await search(app, inboundsSearch, { 'inbounds.form_no': number })).rows;
    assert.deepEqual([row!.status, row!.kind], ['stopped', form_type === 1 ? 'inbound' : 'return']);
    assert.deepEqual(await stockOf(app, number), [emptyRow(number)]);

    const other = { callback_url: 'https://elsewhere.example/', internal_form_no: 'X', shipping_type: 1 };
    await unchanged(app, async () => {
      for (const again of [stopForm(number), stopForm(number, other), original])
        assert.deepEqual(await take(app, formPath, again, confirming), { ...stopped, idempotent: true });
      const conflict = await app.callLogistics(formPath, { ...original, shipping_type: 1 }, { apiKey: confirming });
      assert.equal(conflict.status, 409);
    });
    assert.equal((await owedFor(app, number)).length, 1);
  }
});

test('a stop changes only the status and the callback_url of a form', async () => {
  const original = form('KEPT', [{ sku: 'KEPT', quantity: 5, price: 1.5 }], { sender_name: 'Sender' });
  await take(app, formPath, original, confirming);
  const read = async () =>
    (await search(app, inboundsSearch, { 'inbounds.form_no': 'KEPT' })).rows[0]! as Record<string, unknown>;
  const { status, updated_at, form: before, timeline, ...rest } = await read();
  await take(
    app,
    formPath,
    stopForm('KEPT', {
      internal_form_no: 'OTHER',
      shipping_type: 1,
      sender_name: 'Other',
      callback_url: 'https://partner.example/stops',
    }),
    confirming,
  );
  const { timeline: then, ...after } = await read();
  assert.deepEqual((then as object[]).slice(0, 1), timeline);
  assert.equal((then as object[]).length, 2);
  assert.deepEqual(after, {
    ...rest,
    status: 'stopped',
    updated_at: after.updated_at,
    form: { ...(before as object), callback_url: 'https://partner.example/stops' },
  });
  assert.equal(status, 'expected');
  assert.notEqual(after.updated_at, updated_at);
});

test('a stop of an unknown form or of another account’s form is 400 form_no not found; another key of the account may stop it', async () => {
  await take(app, formPath, form('ALPHAS', [{ sku: 'ALPHAS', quantity: 5 }]), confirming);
  await unchanged(app, async () => {
    for (const [number, apiKey] of [
      ['LATER', confirming],
      ['alphas', confirming],
      ['ALPHAS', beta.apiKey],
      ['ALPHAS', production],
    ] as const) {
      const answer = await app.callLogistics(formPath, stopForm(number), { apiKey });
      assertFieldsRefused(answer, ['form_no'], 'form_no not found');
    }
  });
  const stopped = { document_no: 'ALPHAS', status: 'stopped', idempotent: false };
  assert.deepEqual(await take(app, formPath, stopForm('ALPHAS')), stopped);
  assert.equal((await take(app, formPath, form('LATER', [{ sku: 'LATER', quantity: 1 }]))).status, 'received');
});

test('a stop of a received or cancelled form is 400 with its status', async () => {
  await take(app, formPath, form('DONE', [{ sku: 'DONE', quantity: 5 }]));
  const received = await unchanged(app, () => app.callLogistics(formPath, stopForm('DONE')));
  assertFieldsRefused(received, ['form_no'], 'form_no is received already; receiving cannot be stopped');
  await take(app, formPath, form('CANCELLED', [{ sku: 'DONE', quantity: 5 }]), confirming);
  await moveInbound(app, 'CANCELLED', 'cancelled');
  const cancelled = await unchanged(app, () =>
    app.callLogistics(formPath, stopForm('CANCELLED'), { apiKey: confirming }),
  );
  assertFieldsRefused(cancelled, ['form_no'], 'form_no is cancelled already; receiving cannot be stopped');
});

test('a lot holds up to 1,000,000,000,000 units; a form that would bring more is refused with the item named, and nothing changes', async () => {
  const [ofBatch, one] = [
    { sku: 'FULL', quantity: 1, batch: 'B' },
    { sku: 'FULL', quantity: 1 },
  ];
  await take(app, formPath, form('FULL-1', [one]));
  await putLot(app, { skuId: 'FULL', qty: 999_999_999_999, expireDate: '2030-01-01' });
  const dated = { ...one, expire_date: '2030-01-01' };
  await take(app, formPath, form('FULL-2', [dated]));
  assert.equal((await stockOf(app, 'FULL'))[0]!.qty, 1_000_000_000_000);
  const answer = await unchanged(app, () => app.callLogistics(formPath, form('FULL-3', [ofBatch, dated])));
  assertFieldsRefused(answer, ['products[1].quantity'], 'a lot of sku FULL would hold more than 1000000000000 units');
  assert.equal((await take(app, formPath, form('FULL-3', [ofBatch]))).status, 'received');
});

test('the books are in order, after all of this', () => assertBooksInOrder(app));
