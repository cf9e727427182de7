import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { beta, startTestApp } from '../../support/app.ts';
import {
  assertBooksInOrder,
  assertFieldsRefused,
  form,
  formPath,
  item,
  owedFor,
  ship,
  stopForm,
  take,
  textsOf,
  unchanged,
} from '../../support/logistics.ts';
import { retvalOf, search } from '../../support/main.ts';
import { emptyRow, goodRow, moveInbound, movementsOf, order, stockOf } from '../../support/warehouse.ts';

const app = await startTestApp();
const confirming = 'alpha-confirm';
const production = 'prod-key';
await app.provision({
  accounts: [{ account_no: 'PROD', environment: 'production', secret: 'prod-secret' }],
  logistics_keys: [
    { name: 'confirm', key: confirming, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' },
    { name: 'wms', key: production, account_no: 'PROD', warehouse_no: 1, store_no: 10 },
    { name: 'at-once', key: 'prod-at-once', account_no: 'PROD', warehouse_no: 1, store_no: 10, receiving: 'on_create' },
  ],
});
const prod = { accountNo: 'PROD', secret: 'prod-secret', warehouseTpwId: 'none' };

const statusOf = async (number: string) => (await search(app, inboundsSearch, { 'inbounds.form_no': number })).rows[0]!.status;

test('on_create: the units are on hand at once, in lots by batch and expiry; no expiry_date is never', async () => {
  const body = form('AT-ONCE', [
    { sku: 'TEA', quantity: 5, batch: 'B1', expire_date: '2030-01-01' },
    { sku: 'TEA', quantity: 2, batch: 'B1', expire_date: '2031-01-01' },
    { sku: 'TEA', quantity: 3, batch: 'B2', expire_date: '2030-01-01' },
    { sku: 'TEA', quantity: 4, expire_date: '2030-01-01' },
    { sku: 'TEA', quantity: 6 },
    { sku: 'TEA', quantity: 1, batch: 'B1', expire_date: '2030-01-01' },
  ]);
  assert.deepEqual(await take(app, formPath, body), { document_no: 'AT-ONCE', status: 'received', idempotent: false });
  const never = goodRow('TEA', null, 6);
  assert.deepEqual(await stockOf(app, 'TEA'), [
    goodRow('TEA', '2030-01-01', 4),
    { ...goodRow('TEA', '2030-01-01', 6), batch_id: 'B1' },
    { ...goodRow('TEA', '2030-01-01', 3), batch_id: 'B2' },
    { ...goodRow('TEA', '2031-01-01', 2), batch_id: 'B1' },
    never,
  ]);
  const received = (qty: number, batch_id: string, expire_date: string | null) => ({
    ...{ kind: 'receive', sku_id: 'TEA', expire_date, batch_id, on_hand_delta: qty, locked_delta: 0 },
  });
  assert.deepEqual(await movementsOf(app, 'AT-ONCE'), [
    received(6, 'B1', '2030-01-01'),
    received(2, 'B1', '2031-01-01'),
    received(3, 'B2', '2030-01-01'),
    received(4, '', '2030-01-01'),
    received(6, '', null),
  ]);
  const actors = await textsOf(
    app,
    'select distinct actor from movement join inbound_document using (inbound_id) where partner_number = $1',
    ['AT-ONCE'],
  );
  assert.deepEqual(actors, [{ actor: 'ALPHA/wms' }]);
  assert.equal(await statusOf('AT-ONCE'), 'received');
});

test('a second form adds to the lots of the first', async () => {
  for (const n of [1, 2])
    await take(app, formPath, form(`ADDS-${n}`, [{ sku: 'ADDS', quantity: 5, batch: 'B', expire_date: '2030-01-01' }]));
  assert.deepEqual(await stockOf(app, 'ADDS'), [{ ...goodRow('ADDS', '2030-01-01', 10), batch_id: 'B' }]);
});

test('the units can be sold at once through the other interfaces', async () => {
  await take(app, formPath, form('SOLD', [{ sku: 'SOLD', quantity: 2, expire_date: '2030-01-01' }]));
  await order(app, 'SOLD', [['SOLD', 2]]);
  assert.deepEqual(await stockOf(app, 'SOLD'), [goodRow('SOLD', '2030-01-01', 2, 2)]);
});

test('on_create: a return arrives good', async () => {
  assert.equal(
    (await take(app, formPath, form('RETURN', [{ sku: 'RETURN', quantity: 3, expire_date: '2030-01-01' }], { form_type: 2 }))).status,
    'received',
  );
  assert.deepEqual(await stockOf(app, 'RETURN'), [goodRow('RETURN', '2030-01-01', 3)]);
  assert.equal(await ship(app, 'RETURN-SOLD', [item('RETURN', 3)]), 'pending_warehouse_transfer');
});

test('on_create: what expired long ago arrives and sells, as no limit is set', async () => {
  await take(app, formPath, form('OLD', [{ sku: 'OLD', quantity: 1, expire_date: '2001-01-01' }]));
  assert.equal(await ship(app, 'OLD', [item('OLD', 1)]), 'pending_warehouse_transfer');
});

for (const [what, form_type] of [
  ['an inbound', 1],
  ['a return', 2],
] as const) {
  test(`on_confirm: ${what} is expected, and there is no stock of it`, async () => {
    const number = `EXPECTED-${form_type}`;
    const answer = await take(app, formPath, form(number, [{ sku: number, quantity: 5 }], { form_type }), confirming);
    assert.deepEqual(answer, { document_no: number, status: 'expected', idempotent: false });
    assert.deepEqual(await stockOf(app, number), [emptyRow(number)]);
    assert.deepEqual(await movementsOf(app, number), []);
    assert.deepEqual(await owedFor(app, number), []);
    assert.equal(await ship(app, `${number}-OUT`, [item(number, 1)]), 'awaiting_stock');
  });
}

test('a production account receives on_confirm unless its key says otherwise', async () => {
  assert.equal((await take(app, formPath, form('PROD-1', [{ sku: 'PROD', quantity: 5 }]), production)).status, 'expected');
  assert.deepEqual(await stockOf(app, 'PROD', prod), [emptyRow('PROD')]);
  assert.equal((await take(app, formPath, form('PROD-2', [{ sku: 'PROD', quantity: 5 }]), 'prod-at-once')).status, 'received');
  assert.equal((await stockOf(app, 'PROD', prod))[0]!.qty, 5);
});

test('a stop of what is expected: it is stopped, nothing has come, and again it is a repeat', async () => {
  for (const form_type of [1, 2]) {
    const number = `STOP-${form_type}`;
    await take(app, formPath, form(number, [{ sku: number, quantity: 5 }], { form_type }), confirming);
    assert.deepEqual(await take(app, formPath, stopForm(number), confirming), {
      document_no: number,
      status: 'stopped',
      idempotent: false,
    });
    assert.equal(await statusOf(number), 'stopped');
    assert.deepEqual(await stockOf(app, number), [emptyRow(number)]);
    for (const again of [
      stopForm(number),
      stopForm(number, { callback_url: 'https://elsewhere.example/', internal_form_no: 'X', shipping_type: 1 }),
    ]) {
      assert.deepEqual(await unchanged(app, () => take(app, formPath, again, confirming)), {
        document_no: number,
        status: 'stopped',
        idempotent: true,
      });
    }
    const [row] = (await search(app, inboundsSearch, { 'inbounds.form_no': number })).rows;
    assert.equal(row!.kind, form_type === 1 ? 'inbound' : 'return');
  }
});

test('a stop while receiving: what has arrived stays', async () => {
  await take(app, formPath, form('PARTLY', [{ sku: 'PARTLY', quantity: 5 }]), confirming);
  const details = [{ sku_id: 'PARTLY', expire_date: '2030-01-01', qty: 2, stock_type: 'good' }];
  retvalOf(await app.callMain('/inbounds/receive', { form_no: 'PARTLY', details }));
  assert.equal((await take(app, formPath, stopForm('PARTLY'), confirming)).status, 'stopped');
  assert.deepEqual(await stockOf(app, 'PARTLY'), [goodRow('PARTLY', '2030-01-01', 2)]);
});

test('a stop changes nothing of the form but its status and where it is told', async () => {
  const original = form('KEPT', [{ sku: 'KEPT', quantity: 5, price: 1.5 }], { sender_name: 'Sender' });
  await take(app, formPath, original, confirming);
  const read = async () => (await search(app, inboundsSearch, { 'inbounds.form_no': 'KEPT' })).rows[0]! as Record<string, unknown>;
  const { status, updated_at, form: before, timeline, ...rest } = await read();
  await take(
    app,
    formPath,
    stopForm('KEPT', { internal_form_no: 'OTHER', shipping_type: 1, sender_name: 'Other', callback_url: 'https://partner.example/stops' }),
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

test('a stop of what is not known is 400 form_no not found; another account’s form is not known', async () => {
  await take(app, formPath, form('ALPHAS', [{ sku: 'ALPHAS', quantity: 5 }]), confirming);
  await unchanged(app, async () => {
    for (const [number, apiKey] of [
      ['NO-SUCH', confirming],
      ['alphas', confirming],
      ['ALPHAS', beta.apiKey],
      ['ALPHAS', production],
    ] as const) {
      const answer = await app.callLogistics(formPath, stopForm(number), { apiKey });
      assertFieldsRefused(answer, ['form_no'], 'form_no not found');
    }
  });
  assert.equal(await statusOf('ALPHAS'), 'expected');
});

test('another key of the account may stop it', async () => {
  assert.deepEqual(await take(app, formPath, stopForm('ALPHAS')), { document_no: 'ALPHAS', status: 'stopped', idempotent: false });
});

test('a stop of what is received is 400 and says so, and so is one of what is cancelled', async () => {
  await take(app, formPath, form('DONE', [{ sku: 'DONE', quantity: 5 }]));
  const received = await unchanged(app, () => app.callLogistics(formPath, stopForm('DONE')));
  assertFieldsRefused(received, ['form_no'], 'form_no is received already; receiving cannot be stopped');
  await take(app, formPath, form('CANCELLED', [{ sku: 'DONE', quantity: 5 }]), confirming);
  await moveInbound(app, 'CANCELLED', 'cancelled');
  const cancelled = await unchanged(app, () => app.callLogistics(formPath, stopForm('CANCELLED'), { apiKey: confirming }));
  assertFieldsRefused(cancelled, ['form_no'], 'form_no is cancelled already; receiving cannot be stopped');
});

test('a form of a number whose form was stopped is not a new one', async () => {
  await take(app, formPath, form('TAKEN', [{ sku: 'TAKEN', quantity: 1 }]), confirming);
  await take(app, formPath, stopForm('TAKEN'), confirming);
  const answer = await unchanged(app, () =>
    app.callLogistics(formPath, form('TAKEN', [{ sku: 'TAKEN', quantity: 2 }]), { apiKey: confirming }),
  );
  assert.equal(answer.status, 409);
});

test('a stop that is sent first creates nothing: the form that comes later is received', async () => {
  assert.equal((await app.callLogistics(formPath, stopForm('LATER'))).status, 400);
  assert.equal((await take(app, formPath, form('LATER', [{ sku: 'LATER', quantity: 1 }]))).status, 'received');
});

const most = 1_000_000_000;
const many = (sku: string, lines: number, other = {}) => Array.from({ length: lines }, () => ({ sku, quantity: most, ...other }));

test('a lot holds up to 1,000,000,000,000 units; a form that would bring more is refused and named, and nothing changes', async () => {
  for (const n of [1, 2]) assert.equal((await take(app, formPath, form(`FULL-${n}`, many('FULL', 500)))).status, 'received');
  assert.equal((await stockOf(app, 'FULL'))[0]!.qty, 1_000_000_000_000);
  const answer = await unchanged(app, () =>
    app.callLogistics(
      formPath,
      form('FULL-3', [
        { sku: 'OTHER', quantity: 1 },
        { sku: 'FULL', quantity: 1 },
      ]),
    ),
  );
  assertFieldsRefused(answer, ['products[1].quantity'], 'a lot of sku FULL would hold more than 1000000000000 units');
  assert.equal((await take(app, formPath, form('FULL-4', [{ sku: 'FULL', quantity: 1, batch: 'B' }]))).status, 'received');
});

test('the item that is too many is the one that is named', async () => {
  const answer = await app.callLogistics(
    formPath,
    form('FULL-5', [
      { sku: 'FULL', quantity: 1, batch: 'B' },
      { sku: 'FULL', quantity: 1 },
    ]),
  );
  assertFieldsRefused(answer, ['products[1].quantity']);
});

test('three forms at once that together overfill a lot of a new sku: two are received, one is refused, and nobody sees an error', async () => {
  const bodies = [1, 2, 3].map((n) => form(`NEW-FULL-${n}`, many('NEW-FULL', 500)));
  // The first one keeps the group busy, so that the others are decided together.
  const answers = await Promise.all(
    [form('NEW-FULL-0', [{ sku: 'NEW-OTHER', quantity: 1 }]), ...bodies].map((body) => app.callLogistics(formPath, body)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400]);
  assert.equal((await stockOf(app, 'NEW-FULL'))[0]!.qty, 1_000_000_000_000);
});

test('after all of it the books are in order', () => assertBooksInOrder(app));
