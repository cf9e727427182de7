import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { receiverIdOf } from '../../../server/domain/callbacks/callback.ts';
import { connect } from '../../../server/platform/database.ts';
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
import { moveInbound, moveOrder } from '../../support/warehouse.ts';

const app = await startTestApp();
const confirming = 'alpha-confirm';
await app.provision({
  logistics_keys: [{ name: 'confirm', key: confirming, account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_confirm' }],
});
const alphaId = await accountIdOf(app, 'ALPHA');

const listener = connect(app.store.connection, 1);
after(() => listener.end());
const heard: string[] = [];
let marks = 0;
await listener.listen('lading_callback', (text) => void heard.push(text));

/** What was told until now has arrived. */
async function hearAll(): Promise<void> {
  const mark = `mark ${++marks}`;
  await app.store.database.transaction((tx) => tx`select pg_notify('lading_callback', ${mark})`);
  while (heard.at(-1) !== mark) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What the workers are told while this is done. */
async function hearing<T>(work: () => Promise<T>): Promise<{ result: T; heard: string[] }> {
  await hearAll();
  heard.length = 0;
  const result = await work();
  await hearAll();
  return { result, heard: heard.slice(0, -1) };
}

/** The place in the queue of each callback of a document. */
async function queueOf(documentNo: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select d.sequence, d.account_id, d.receiver_id, d.document_type, d.document_id = c.document_id as same_document, d.lease, d.attempts,
        d.attempts_before, case when d.due_at = 'infinity' then 'infinity' when d.due_at <= now() then 'due' else 'later' end as due,
        (d.give_up_at - d.queued_at)::text as give_up
      from callback_delivery d join callback c using (callback_id) where c.document_no = ${documentNo} order by d.sequence`,
  );
  return rows.map((row) => ({ ...row }));
}

const atOnce = (type: string, url: string, sequence = 1, due = 'due') => ({
  ...{ sequence, account_id: alphaId, receiver_id: receiverIdOf(alphaId, url), document_type: type, same_document: true },
  ...{ lease: null, attempts: 0, attempts_before: 0, due, give_up: '1 day 07:00:00' },
});

async function ourNumber(table: 'orders' | 'inbound_document', number: string): Promise<string> {
  const column = table === 'orders' ? 'order_no' : 'document_no';
  const [row] = await textsOf(app, `select ${column} as no from ${table} where partner_number = $1`, [number]);
  return row!.no!;
}

const now = new Date('2026-11-14T16:30:00.007Z');
const nowInTaipei = '2026-11-15T00:30:00.007+08:00';

const described = [
  {
    ...{ sku: 'TEA', quantity: 3, name: '烏龍茶 🍵', storage_type: '4', price: 19.99 },
    ...{ batch: 'B1', identifier: 'ID-1', expire_date: '2030-01-31' },
  },
  { sku: 'RICE', quantity: 1 },
];
const told = [
  {
    ...{ sku: 'TEA', quantity: 3, name: '烏龍茶 🍵', storage_type: 'chilled', price: 19.99 },
    ...{ batch: 'B1', identifier: 'ID-1', expire_date: '2030-01-31' },
  },
  { sku: 'RICE', quantity: 1, name: null, storage_type: null, price: null, batch: null, identifier: null, expire_date: null },
];

for (const [kind, form_type] of [
  ['inbound', 1],
  ['return', 2],
] as const) {
  test(`${kind}.received is owed with the creation of a form that is received at once: body, target, queue and word to the workers`, async () => {
    app.clock.set(now);
    const number = `RECEIVED-${kind}`;
    const { heard } = await hearing(() =>
      take(app, formPath, form(number, described, { form_type, callback_url: `${formCallbackUrl}?token=1` })),
    );
    app.clock.set(null);

    const [owed, ...more] = await owedFor(app, number);
    assert.deepEqual(more, []);
    const { event_id, body, receiver_id, ...row } = owed!;
    assert.match(event_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(row, {
      ...{ event: `${kind}.received`, document_type: kind, document_no: number, sequence: 1, url: `${formCallbackUrl}?token=1` },
      ...{ key_name: 'wms', status: 'pending', occurred_at: now },
    });
    assert.equal(
      body,
      JSON.stringify({
        event_id,
        event: `${kind}.received`,
        sequence: 1,
        document_type: kind,
        document_no: number,
        internal_no: `I-${number}`,
        name: null,
        lading_no: await ourNumber('inbound_document', number),
        status: 'received',
        shipment_no: null,
        carrier: null,
        occurred_at: nowInTaipei,
        products: told,
        received: [
          { sku: 'RICE', quantity: 1, stock_type: 'good', batch: null, expire_date: null },
          { sku: 'TEA', quantity: 3, stock_type: 'good', batch: 'B1', expire_date: '2030-01-31' },
        ],
        note: null,
      }),
    );
    assert.deepEqual(await queueOf(number), [atOnce(kind, formCallbackUrl)]);
    assert.deepEqual(heard, [receiver_id]);
    const target = await textsOf(
      app,
      `select t.document_type, t.key_name, t.url, t.callback_count::text from callback_target t join inbound_document on document_id = inbound_id
        where t.document_type = kind and partner_number = $1`,
      [number],
    );
    assert.deepEqual(target, [{ document_type: kind, key_name: 'wms', url: `${formCallbackUrl}?token=1`, callback_count: '1' }]);
  });
}

test('the receiver is the address without its query, once for each account', async () => {
  await take(app, formPath, form('RECEIVER', [{ sku: 'TEA', quantity: 1 }]), beta.apiKey);
  const receivers = await textsOf(
    app,
    'select receiver_id::text, account_id::text, address, failures::text, paused::text from callback_receiver',
    [],
  );
  const betaId = await accountIdOf(app, 'BETA');
  const fresh = { address: formCallbackUrl, failures: '0', paused: 'false' };
  assert.deepEqual(
    new Set(receivers.map((row) => JSON.stringify(row))),
    new Set(
      [alphaId, betaId].map((id) => JSON.stringify({ receiver_id: receiverIdOf(id, formCallbackUrl), account_id: String(id), ...fresh })),
    ),
  );
});

test('the owed callback is in the list of the main API, of its own account only', async () => {
  const { rows } = await search(app, callbacksSearch, { 'callbacks.document_no': 'RECEIVED-inbound' });
  assert.equal(rows.length, 1);
  const { event, sequence, callback_url, status, attempts, occurred_at, body } = rows[0]!;
  assert.deepEqual([event, sequence, callback_url, status, attempts], ['inbound.received', 1, `${formCallbackUrl}?token=1`, 'pending', []]);
  assert.equal(Date.parse(String(occurred_at)), now.getTime());
  assert.equal(body, (await owedFor(app, 'RECEIVED-inbound'))[0]!.body);
  assert.deepEqual((await search(app, callbacksSearch, { 'callbacks.document_no': 'RECEIVED-inbound' }, beta)).rows, []);
});

test('a form that is expected owes nothing yet; where it will be told is kept', async () => {
  const { heard } = await hearing(() => take(app, formPath, form('EXPECTED', described), confirming));
  assert.deepEqual([heard, await owedFor(app, 'EXPECTED'), await queueOf('EXPECTED')], [[], [], []]);
  const target = await textsOf(
    app,
    `select document_type, key_name, url, callback_count::text from callback_target
      where document_id = (select inbound_id from inbound_document where partner_number = 'EXPECTED') and document_type = 'inbound'`,
    [],
  );
  assert.deepEqual(target, [{ document_type: 'inbound', key_name: 'confirm', url: formCallbackUrl, callback_count: '0' }]);
});

for (const [kind, form_type] of [
  ['inbound', 1],
  ['return', 2],
] as const) {
  test(`${kind}.stopped is owed with the stop, to the address and by the key of the stop, with what the form had said`, async () => {
    const number = `STOPPED-${kind}`;
    await take(app, formPath, form(number, described, { form_type, internal_form_no: 'ORIGINAL' }), confirming);
    app.clock.set(now);
    const stop = stopForm(number, { callback_url: 'https://stops.example/x', internal_form_no: 'OTHER' });
    const { heard } = await hearing(() => take(app, formPath, stop, alpha.apiKey));
    app.clock.set(null);

    const [owed, ...more] = await owedFor(app, number);
    assert.deepEqual(more, []);
    const { event_id, body, receiver_id, ...row } = owed!;
    assert.deepEqual(row, {
      ...{ event: `${kind}.stopped`, document_type: kind, document_no: number, sequence: 1, url: 'https://stops.example/x' },
      ...{ key_name: 'wms', status: 'pending', occurred_at: now },
    });
    assert.deepEqual(JSON.parse(body), {
      ...{ event_id, event: `${kind}.stopped`, sequence: 1, document_type: kind, document_no: number, internal_no: 'ORIGINAL' },
      ...{ name: null, lading_no: await ourNumber('inbound_document', number), status: 'stopped', shipment_no: null, carrier: null },
      ...{ occurred_at: nowInTaipei, products: told, received: [], note: null },
    });
    assert.deepEqual(await queueOf(number), [atOnce(kind, 'https://stops.example/x')]);
    assert.deepEqual(heard, [receiver_id]);
    const again = await hearing(() => unchanged(app, () => take(app, formPath, stop, alpha.apiKey)));
    assert.deepEqual(again.heard, []);
  });
}

test('order.cancelled is owed with the cancel of an order, whether it waits or has its stock', async () => {
  await bring(app, [{ sku: 'CAN', quantity: 5, batch: 'B1' }]);
  const items = [
    item('CAN', 2, { name: 'Tea', storage_type: '2', price: 0.1, batch: 'B1', identifier: 'I', combo_sku: 'COMBO' }),
    item('CAN', 1),
  ];
  const callback_url = 'https://partner.example/orders';
  assert.equal(await ship(app, 'CAN-1', items, { callback_url, note: 'Line 1\nLine 2 謝謝' }), 'pending_warehouse_transfer');
  assert.equal(await ship(app, 'CAN-2', [item('NONE', 1)], { callback_url }), 'awaiting_stock');
  assert.deepEqual([await owedFor(app, 'CAN-1'), await owedFor(app, 'CAN-2')], [[], []]);
  app.clock.set(now);
  const { result, heard } = await hearing(() => cancelShipping(app, ['CAN-1', 'CAN-2', 'CAN-1']));
  app.clock.set(null);

  assert.deepEqual(
    result,
    ['CAN-1', 'CAN-2', 'CAN-1'].map((internal_name) => ({ internal_name, status: 'cancelled' })),
  );
  const nothing = { name: null, price: null, batch: null, identifier: null };
  const products: Record<string, object[]> = {
    'CAN-1': [
      {
        sku: 'CAN',
        quantity: 2,
        name: 'Tea',
        storage_type: 'air_conditioned',
        price: 0.1,
        batch: 'B1',
        identifier: 'I',
        combo_sku: 'COMBO',
      },
      { sku: 'CAN', quantity: 1, ...nothing, storage_type: 'ambient', combo_sku: null },
    ],
    'CAN-2': [{ sku: 'NONE', quantity: 1, ...nothing, storage_type: 'ambient', combo_sku: null }],
  };
  for (const [number, note] of [
    ['CAN-1', 'Line 1\nLine 2 謝謝'],
    ['CAN-2', null],
  ] as const) {
    const [owed, ...more] = await owedFor(app, number);
    assert.deepEqual(more, []);
    const { event_id, body, receiver_id: _, ...row } = owed!;
    assert.deepEqual(row, {
      ...{ event: 'order.cancelled', document_type: 'order', document_no: number, sequence: 1, url: callback_url },
      ...{ key_name: 'wms', status: 'pending', occurred_at: now },
    });
    assert.deepEqual(JSON.parse(body), {
      ...{ event_id, event: 'order.cancelled', sequence: 1, document_type: 'order', document_no: number, internal_no: number },
      ...{ name: `SHOP-${number}`, lading_no: await ourNumber('orders', number), status: 'cancelled', shipment_no: null, carrier: null },
      ...{ occurred_at: nowInTaipei, products: products[number], received: null, note },
    });
    assert.deepEqual(await queueOf(number), [atOnce('order', callback_url)]);
  }
  assert.deepEqual(heard, [receiverIdOf(alphaId, callback_url)]);
});

test('an order that names no callback_url owes nothing', async () => {
  await ship(app, 'SILENT', [item('NONE', 1)]);
  const { heard } = await hearing(() => cancelShipping(app, ['SILENT']));
  assert.deepEqual([heard, await owedFor(app, 'SILENT')], [[], []]);
  const targets = await textsOf(
    app,
    `select 1 from callback_target where document_type = 'order' and document_id = (select order_id from orders where partner_number = 'SILENT')`,
    [],
  );
  assert.deepEqual(targets, []);
});

test('nothing is owed again by a second cancel, nor by one that comes too late or names another account’s order', async () => {
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

test('nothing is owed by what is refused, in conflict or repeated', async () => {
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

/** A document of two events: no call leads there yet, so the warehouse's word is put in its place. */
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
  assert.deepEqual(await queueOf('TWO'), [atOnce('inbound', formCallbackUrl), atOnce('inbound', formCallbackUrl, 2, 'infinity')]);
  const [row] = (await search(app, callbacksSearch, { 'callbacks.document_no': 'TWO', 'callbacks.event': 'inbound.stopped' })).rows;
  assert.equal(row!.next_attempt_at, null);
  const target = await textsOf(
    app,
    `select callback_count::text from callback_target where document_type = 'inbound'
      and document_id = (select inbound_id from inbound_document where partner_number = 'TWO')`,
    [],
  );
  assert.deepEqual(target, [{ callback_count: '2' }]);
});

test('the second event of a document is due at once where the first is no longer in the queue', async () => {
  await receivedThenReceivingAgain('TWO-DONE');
  await app.store.database.transaction(
    (tx) => tx`delete from callback_delivery where callback_id in (select callback_id from callback where document_no = 'TWO-DONE')`,
  );
  await take(app, formPath, stopForm('TWO-DONE'));
  assert.deepEqual(await queueOf('TWO-DONE'), [atOnce('inbound', formCallbackUrl, 2)]);
});

test('a document of the same id and of another type does not hold it up', async () => {
  await receivedThenReceivingAgain('OTHER-TYPE');
  const [row] = await app.store.database.read((sql) => sql`select inbound_id from inbound_document where partner_number = 'OTHER-TYPE'`);
  await app.store.database.transaction(async (tx) => {
    await tx`update callback set document_type = 'order', document_no = 'AN-ORDER' where document_type = 'inbound' and document_id = ${row!.inbound_id}`;
    await tx`update callback_delivery set document_type = 'order' where document_type = 'inbound' and document_id = ${row!.inbound_id}`;
  });
  await take(app, formPath, stopForm('OTHER-TYPE'));
  assert.deepEqual(await queueOf('OTHER-TYPE'), [atOnce('inbound', formCallbackUrl, 2)]);
});

test('a form of 500 items owes them all, in the order sent', async () => {
  const products = Array.from({ length: 500 }, (_, index) => ({
    sku: `MANY-${index % 7}`,
    quantity: 1 + index,
    identifier: String(index),
  }));
  await take(app, formPath, form('MANY', products));
  const body = JSON.parse((await owedFor(app, 'MANY'))[0]!.body);
  assert.deepEqual(
    body.products.map(({ sku, quantity, identifier }: Record<string, unknown>) => ({ sku, quantity, identifier })),
    products,
  );
});

test('money in a body is exact', async () => {
  const prices = [0, 0.01, 0.1, 1.15, 19.99, 9_999_999_998.99, 9_999_999_999];
  await take(
    app,
    formPath,
    form(
      'PRICES',
      prices.map((price) => ({ sku: 'PRICES', quantity: 1, price })),
    ),
    confirming,
  );
  await take(app, formPath, stopForm('PRICES'), confirming);
  const body = JSON.parse((await owedFor(app, 'PRICES'))[0]!.body);
  assert.deepEqual(
    body.products.map(({ price }: { price: number }) => price),
    prices,
  );
});
