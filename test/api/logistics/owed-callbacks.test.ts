import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { laneName, receiverIdOf } from '../../../server/domain/callbacks/callback.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  bring,
  cancelShipping,
  form,
  formCallbackUrl,
  formPath,
  item,
  orderPath,
  owedFor,
  ship,
  shippingOrder,
  stopForm,
  take,
  textsOf,
  unchanged,
} from '../../support/logistics.ts';
import { accountIdOf, search } from '../../support/main.ts';
import { listenTo } from '../../support/notifications.ts';
import { moveInbound, moveOrder } from '../../support/warehouse.ts';

const app = await startTestApp();
const confirming = 'alpha-confirm-of-thirty-two-characters-or-more';
await app.provision({
  logistics_keys: [
    { name: 'confirm', key: confirming, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' },
  ],
});
const alphaId = await accountIdOf(app, 'ALPHA');

const hearing = await listenTo(app, 'lading_callback');

/** The place in the queue of each callback of a document. */
async function queueOf(documentNo: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select d.sequence, d.account_id, d.receiver_id, d.document_type, d.document_id = c.document_id as same_document, d.lease, d.attempts,
        d.attempts_before, case when d.due_at = 'infinity' then 'infinity' when d.due_at <= now() then 'due' else 'later' end as due,
        (d.give_up_at - d.queued_at)::text as give_up
      from callback_delivery d join callback c using (account_id, callback_id) where c.document_no = ${documentNo} order by d.sequence`,
  );
  return rows.map((row) => ({ ...row }));
}

const atOnce = (type: string, url: string, sequence = 1, due = 'due') => ({
  sequence,
  account_id: alphaId,
  receiver_id: receiverIdOf(alphaId, url),
  document_type: type,
  same_document: true,
  lease: null,
  attempts: 0,
  attempts_before: 0,
  due,
  give_up: '1 day 07:00:00',
});

/** The target of a document and how many callbacks it has had. */
async function targetsOf(type: string, number: string) {
  const query = `select t.document_type, t.key_name, t.url, t.callback_count::text as count from callback_target t
    where t.document_type = $1 and t.document_id = case when $1 = 'order'
      then (select order_id from orders where partner_number = $2)
      else (select inbound_id from inbound_document where partner_number = $2) end`;
  return await textsOf(app, query, [type, number]);
}

async function ourNumber(table: 'orders' | 'inbound_document', number: string): Promise<string> {
  const column = table === 'orders' ? 'order_no' : 'document_no';
  const [row] = await textsOf(app, `select ${column} as no from ${table} where partner_number = $1`, [number]);
  return row!.no!;
}

const now = new Date('2026-11-14T16:30:00.007Z');
const nowInTaipei = '2026-11-15T00:30:00.007+08:00';

const laneAt = (url: string) => laneName({ accountId: alphaId, receiverId: receiverIdOf(alphaId, url) });

/** Does something at that time; returns its result and the receivers that the workers were notified of. */
async function hearingNow<T>(work: () => Promise<T>): Promise<{ result: T; heard: string[] }> {
  app.clock.set(now);
  try {
    return await hearing(work);
  } finally {
    app.clock.set(null);
  }
}

interface OwedEvent {
  number: string;
  type: 'order' | 'inbound' | 'return';
  status: string;
  url: string;
  /** The part of the body that depends on this document. */
  internalNo: string;
  name?: string;
  products: object[];
  received: object[] | null;
  note?: string | null;
}

/** The document owes this one callback: its row, its body to the byte, its target and its place in the queue. */
async function assertOwed({ number, type, status, url, ...expected }: OwedEvent): Promise<void> {
  const [owed, ...more] = await owedFor(app, number);
  assert.deepEqual(more, []);
  const { event_id, body, receiver_id, ...row } = owed!;
  assert.match(event_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const document = { document_type: type, document_no: number };
  const event = { event: `${type}.${status}`, sequence: 1 };
  assert.deepEqual(row, { ...event, ...document, url, key_name: 'wms', status: 'pending', occurred_at: now });
  assert.equal(
    body,
    JSON.stringify({
      event_id,
      ...event,
      test: false,
      ...document,
      internal_no: expected.internalNo,
      name: expected.name ?? null,
      lading_no: await ourNumber(type === 'order' ? 'orders' : 'inbound_document', number),
      status,
      shipment_no: null,
      carrier: null,
      occurred_at: nowInTaipei,
      products: expected.products,
      received: expected.received,
      note: expected.note ?? null,
    }),
  );
  const address = url.split('?')[0]!;
  assert.equal(receiver_id, receiverIdOf(alphaId, address));
  assert.deepEqual(await queueOf(number), [atOnce(type, address)]);
  assert.deepEqual(await targetsOf(type, number), [{ document_type: type, key_name: 'wms', url, count: '1' }]);
}

const tea = { sku: 'TEA', quantity: 3, name: '烏龍茶 🍵', storage_type: '4', price: 19.99 };
const teaLot = { batch: 'B1', identifier: 'ID-1', expire_date: '2030-01-31' };
const described = [
  { ...tea, ...teaLot },
  { sku: 'RICE', quantity: 1 },
];
const undescribed = { name: null, storage_type: null, price: null, batch: null, identifier: null, expire_date: null };
const announced = [
  { ...tea, storage_type: 'chilled', ...teaLot },
  { sku: 'RICE', quantity: 1, ...undescribed },
];

for (const [type, form_type] of [
  ['inbound', 1],
  ['return', 2],
] as const) {
  test(`${type}.received is owed with the creation of a form that is received at once`, async () => {
    const number = `RECEIVED-${type}`;
    const url = `${formCallbackUrl}?token=1`;
    const { heard } = await hearingNow(() =>
      take(app, formPath, form(number, described, { form_type, callback_url: url })),
    );
    const received = [
      { sku: 'RICE', quantity: 1, stock_type: 'good', batch: null, expire_date: null },
      { sku: 'TEA', quantity: 3, stock_type: 'good', batch: 'B1', expire_date: '2030-01-31' },
    ];
    const internalNo = `I-${number}`;
    await assertOwed({ number, type, status: 'received', url, internalNo, products: announced, received });
    assert.deepEqual(heard, [laneAt(formCallbackUrl)]);
  });

  test(`${type}.stopped is owed with the stop, to the address and by the key of the stop, with the content of the form`, async () => {
    const number = `STOPPED-${type}`;
    await take(app, formPath, form(number, described, { form_type, internal_form_no: 'ORIGINAL' }), confirming);
    const url = 'https://stops.example/x';
    const stop = stopForm(number, { callback_url: url, internal_form_no: 'OTHER' });
    const { heard } = await hearingNow(() => take(app, formPath, stop, alpha.apiKey));
    const internalNo = 'ORIGINAL';
    await assertOwed({ number, type, status: 'stopped', url, internalNo, products: announced, received: [] });
    assert.deepEqual(heard, [laneAt(url)]);
    const again = await hearing(() => unchanged(app, () => take(app, formPath, stop, alpha.apiKey)));
    assert.deepEqual(again.heard, []);
  });
}

test('order.cancelled is owed with the cancel of an order, whether it waits or has its stock', async () => {
  await bring(app, [{ sku: 'CAN', quantity: 5, batch: 'B1' }]);
  const url = 'https://partner.example/orders';
  const note = 'Line 1\nLine 2 謝謝';
  const can = { sku: 'CAN', quantity: 2, name: 'Tea', storage_type: 'air_conditioned', price: 0.1 };
  const canLot = { batch: 'B1', identifier: 'I', combo_sku: 'COMBO' };
  const items = [item('CAN', 2, { ...can, ...canLot, storage_type: '2' }), item('CAN', 1)];
  assert.equal(await ship(app, 'CAN-1', items, { callback_url: url, note }), 'pending_warehouse_transfer');
  assert.equal(await ship(app, 'CAN-2', [item('NONE', 1)], { callback_url: url }), 'awaiting_stock');
  assert.deepEqual([await owedFor(app, 'CAN-1'), await owedFor(app, 'CAN-2')], [[], []]);
  const { result, heard } = await hearingNow(() => cancelShipping(app, ['CAN-1', 'CAN-2', 'CAN-1']));

  assert.deepEqual(
    result,
    ['CAN-1', 'CAN-2', 'CAN-1'].map((internal_name) => ({ internal_name, status: 'cancelled' })),
  );
  const plain = { name: null, storage_type: 'ambient', price: null, batch: null, identifier: null, combo_sku: null };
  const products = {
    'CAN-1': [
      { ...can, ...canLot },
      { sku: 'CAN', quantity: 1, ...plain },
    ],
    'CAN-2': [{ sku: 'NONE', quantity: 1, ...plain }],
  };
  for (const number of ['CAN-1', 'CAN-2'] as const) {
    const event = { number, type: 'order' as const, status: 'cancelled', url, internalNo: number };
    const own = { name: `SHOP-${number}`, products: products[number], note: number === 'CAN-1' ? note : null };
    await assertOwed({ ...event, ...own, received: null });
  }
  assert.deepEqual(heard, [laneAt(url)]);
});

test('a receiver is an address without its query, once for each account', async () => {
  await take(app, formPath, form('RECEIVER', [{ sku: 'TEA', quantity: 1 }]), beta.apiKey);
  const receivers = await textsOf(
    app,
    `select receiver_id::text, account_id::text, address, failures::text, paused::text from callback_receiver
      where address like $1 order by account_id`,
    [`${formCallbackUrl}%`],
  );
  const fresh = { address: formCallbackUrl, failures: '0', paused: 'false' };
  const expected = [alphaId, await accountIdOf(app, 'BETA')].map((id) => {
    return { receiver_id: receiverIdOf(id, formCallbackUrl), account_id: String(id), ...fresh };
  });
  assert.deepEqual(receivers, expected);
});

test('an expected form owes nothing yet, and its target is kept; an order without callback_url has none', async () => {
  const { heard } = await hearing(async () => {
    await take(app, formPath, form('EXPECTED', described), confirming);
    await ship(app, 'SILENT', [item('NONE', 1)]);
    await cancelShipping(app, ['SILENT']);
  });
  assert.deepEqual([heard, await owedFor(app, 'EXPECTED'), await owedFor(app, 'SILENT')], [[], [], []]);
  const target = { document_type: 'inbound', key_name: 'confirm', url: formCallbackUrl, count: '0' };
  assert.deepEqual(await targetsOf('inbound', 'EXPECTED'), [target]);
  assert.deepEqual(await targetsOf('order', 'SILENT'), []);
});

test('a second cancel owes nothing, nor does a late one or one of another account’s order', async () => {
  const callback_url = 'https://partner.example/orders';
  await ship(app, 'LATE', [item('NONE', 1)], { callback_url });
  await moveOrder(app, 'LATE', 'picking');
  const { heard } = await hearing(() =>
    unchanged(app, async () => {
      assert.deepEqual(await cancelShipping(app, ['CAN-1', 'LATE']), [
        { internal_name: 'CAN-1', status: 'cancelled' },
        { internal_name: 'LATE', status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' },
      ]);
      assert.deepEqual(await cancelShipping(app, ['CAN-2'], beta), [{ internal_name: 'CAN-2', status: 'not_found' }]);
    }),
  );
  assert.deepEqual(heard, []);
  await moveOrder(app, 'LATE', 'awaiting_stock');
});

test('a request that is refused, in conflict or repeated owes nothing', async () => {
  const repeated = form('RECEIVED-inbound', described, { callback_url: `${formCallbackUrl}?token=1` });
  const { heard } = await hearing(() =>
    unchanged(app, async () => {
      assert.equal((await take(app, formPath, repeated)).idempotent, true);
      assert.equal((await app.callLogistics(formPath, { ...repeated, shipping_type: 1 })).status, 409);
      assert.equal((await app.callLogistics(formPath, { ...repeated, form_no: 'NEW', shipping_type: 9 })).status, 400);
      assert.equal((await app.callLogistics(formPath, stopForm('RECEIVED-inbound'))).status, 400);
      assert.equal((await app.callLogistics(formPath, stopForm('NO-SUCH'))).status, 400);
      assert.equal((await take(app, orderPath, shippingOrder('SILENT', [item('NONE', 1)]))).idempotent, true);
    }),
  );
  assert.deepEqual(heard, []);
});

/** A document of two events; the update replaces the report of the warehouse. */
async function receivedThenReceivingAgain(number: string): Promise<void> {
  await take(app, formPath, form(number, described));
  await moveInbound(app, number, 'receiving');
}

test('the second event of a document waits behind the first', async () => {
  await receivedThenReceivingAgain('TWO');
  await take(app, formPath, stopForm('TWO'));
  const owed = await owedFor(app, 'TWO');
  assert.deepEqual(
    owed.map(({ event, sequence, body }) => [event, sequence, JSON.parse(body).sequence, JSON.parse(body).event_id]),
    [
      ['inbound.received', 1, 1, owed[0]!.event_id],
      ['inbound.stopped', 2, 2, owed[1]!.event_id],
    ],
  );
  assert.ok(owed[0]!.event_id < owed[1]!.event_id, 'later events have larger numbers');
  assert.deepEqual(await queueOf('TWO'), [
    atOnce('inbound', formCallbackUrl),
    atOnce('inbound', formCallbackUrl, 2, 'infinity'),
  ]);
  const [row] = (
    await search(app, callbacksSearch, { 'callbacks.document_no': 'TWO', 'callbacks.event': 'inbound.stopped' })
  ).rows;
  assert.equal(row!.next_attempt_at, null);
  assert.deepEqual(
    (await targetsOf('inbound', 'TWO')).map(({ count }) => count),
    ['2'],
  );
});

test('the second event of a document is due at once if the first is no longer in the queue', async () => {
  await receivedThenReceivingAgain('TWO-DONE');
  await app.store.database.transaction(
    (tx) =>
      tx`delete from callback_delivery where callback_id in (select callback_id from callback where document_no = 'TWO-DONE')`,
  );
  await take(app, formPath, stopForm('TWO-DONE'));
  assert.deepEqual(await queueOf('TWO-DONE'), [atOnce('inbound', formCallbackUrl, 2)]);
});

test('a document with the same id and another type does not delay the callback', async () => {
  await receivedThenReceivingAgain('OTHER-TYPE');
  const [row] = await app.store.database.read(
    (sql) => sql`select inbound_id from inbound_document where partner_number = 'OTHER-TYPE'`,
  );
  await app.store.database.transaction(async (tx) => {
    await tx`update callback set document_type = 'order', document_no = 'AN-ORDER' where document_type = 'inbound' and document_id = ${row!.inbound_id}`;
    await tx`update callback_delivery set document_type = 'order' where document_type = 'inbound' and document_id = ${row!.inbound_id}`;
  });
  await take(app, formPath, stopForm('OTHER-TYPE'));
  assert.deepEqual(await queueOf('OTHER-TYPE'), [atOnce('inbound', formCallbackUrl, 2)]);
});

test('a callback has all 500 items of a form in the order sent, with exact prices', async () => {
  const prices = [0, 0.01, 0.1, 1.15, 19.99, 9_999_999_998.99, 9_999_999_999];
  const products = Array.from({ length: 500 }, (_, index) => ({
    sku: `MANY-${index % 7}`,
    quantity: 1 + index,
    price: prices[index % 7]!,
  }));
  await take(app, formPath, form('MANY', products));
  const body = JSON.parse((await owedFor(app, 'MANY'))[0]!.body);
  assert.deepEqual(
    body.products.map(({ sku, quantity, price }: Record<string, unknown>) => ({ sku, quantity, price })),
    products,
  );
});
