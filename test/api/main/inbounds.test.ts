import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, startTestApp } from '../../support/app.ts';
import {
  assertBooksInOrder,
  formCallbackUrl,
  formPath,
  owedFor,
  stopForm,
  take,
  unchanged,
} from '../../support/logistics.ts';
import { assertNotDone } from '../../support/main.ts';
import {
  announce,
  announceForm,
  cancelDocuments,
  documentOf,
  eventsOf,
  expiry,
  type Named,
  prod,
  prodAtOnce,
  prodTenth,
  provisionReceiving,
  receiveCall,
  receiveUnits,
  stopDocument,
  units,
} from '../../support/receiving.ts';
import {
  cancelInbounds,
  createInbound,
  emptyRow,
  goodRow,
  movementsOf,
  order,
  putLot,
  stockOf,
  syncProducts,
  waysToSayNoExpiry,
} from '../../support/warehouse.ts';

const app = await startTestApp();
await provisionReceiving(app);

/** A call that must be refused, and after which everything is as it was. */
async function refused(
  operation: 'receive' | 'stop',
  body: unknown,
  msg: string,
  { status = 400, as = prod as typeof prod | typeof alpha } = {},
): Promise<void> {
  await unchanged(app, async () =>
    assertNotDone(await app.callMain(`/inbounds/${operation}`, body, { as }), { status, msg }),
  );
}

const receiptAnswer = async (body: object) => (await receiveCall(app, body)).json.retval;

const here = 'PROD/prod-erp';
const counted = (status: string) => ({ status, idempotent: false });
const repeated = (status: string) => ({ status, idempotent: true });
const tooLate = 'cannot_cancel_after_receiving';

function tooMany(sku: string, accepted: number, announced: number, received: number, reported: number): string {
  return `sku ${sku} would be more than the ${accepted} that are accepted: announced=${announced} received=${received} reported=${reported}`;
}

test('a document arrives in portions: receiving with the first, received when the last of what was announced is there', async () => {
  await announce(app, 'PORTIONS', { TEA: 10, CAKE: 2 });
  const name = { inbound_short_id: 'PORTIONS' };
  assert.deepEqual(await stockOf(app, 'TEA', prod), [emptyRow('TEA')]);

  assert.deepEqual(await receiveUnits(app, name, [units('TEA', 4)]), counted('receiving'));
  assert.deepEqual(await stockOf(app, 'TEA', prod), [goodRow('TEA', expiry, 4)]);
  assert.deepEqual((await documentOf(app, name)).differences, [
    { sku_id: 'TEA', announced: 10, received: 4 },
    { sku_id: 'CAKE', announced: 2, received: 0 },
  ]);
  // Units that have arrived can be sold at once.
  await order(app, 'SOLD-EARLY', [['TEA', 4]], prod);
  assert.deepEqual(await stockOf(app, 'TEA', prod), [goodRow('TEA', expiry, 4, 4)]);
  assert.deepEqual(await receiveUnits(app, name, [units('TEA', 6), units('CAKE', 1)]), counted('receiving'));
  assert.deepEqual(await receiveUnits(app, name, [units('CAKE', 1)]), counted('received'));

  const { status, received, differences } = await documentOf(app, name);
  assert.equal(status, 'received');
  const good = { stock_type: 'good', batch_id: '', expire_date: expiry };
  assert.deepEqual(received, [
    { sku_id: 'CAKE', ...good, qty: 2 },
    { sku_id: 'TEA', ...good, qty: 10 },
  ]);
  assert.deepEqual(differences, []);
  assert.deepEqual(await eventsOf(app, name), [
    ['create', null, 'expected', 'PROD'],
    ['receive', 'expected', 'receiving', here],
    ['complete', 'receiving', 'received', here],
  ]);
  assert.deepEqual(
    (await movementsOf(app, 'PORTIONS')).map(({ kind, sku_id, on_hand_delta }) => [kind, sku_id, on_hand_delta]),
    [
      ['receive', 'TEA', 4],
      ['receive', 'TEA', 6],
      ['receive', 'CAKE', 1],
      ['receive', 'CAKE', 1],
    ],
  );
});

test('all of it in one call: received at once; the timeline, the movements and the request log name the call', async () => {
  await announce(app, 'AT-ONCE', { ONCE: 3 });
  const answer = await receiveCall(app, { inbound_short_id: 'AT-ONCE', details: [units('ONCE', 3)] });
  const trace_id = answer.headers['trace-id'];
  assert.deepEqual(answer.json.retval, counted('received'));
  const { timeline } = await documentOf(app, { inbound_short_id: 'AT-ONCE' });
  assert.deepEqual([timeline.length, timeline[1].event, timeline[1].trace_id], [2, 'complete', trace_id]);
  const causes = await app.store.database.read(
    (sql) => sql`
      select distinct m.actor, m.trace_id from movement m join inbound_document using (account_id, inbound_id) where partner_number = 'AT-ONCE'`,
  );
  assert.deepEqual([...causes], [{ actor: here, trace_id }]);
  assert.equal((await app.requestLine(String(trace_id)))!.document_no, 'AT-ONCE');
});

test('units go into the lot that was found, whatever was announced: expiry, batch, good or bad; only good ones can be sold', async () => {
  await announce(app, 'LOTS', { LOTS: 21 });
  await receiveUnits(app, { inbound_short_id: 'LOTS' }, [
    units('LOTS', 1),
    units('LOTS', 2, { batch_id: 'B1' }),
    units('LOTS', 3, { expire_date: '2031-06-30' }),
    units('LOTS', 4, { expire_date: null }),
    units('LOTS', 5, { stock_type: 'bad' }),
    units('LOTS', 6, { batch_id: null }),
  ]);
  const lots = [
    { stock_type: 'good', batch_id: '', expire_date: expiry, qty: 7 },
    { stock_type: 'good', batch_id: 'B1', expire_date: expiry, qty: 2 },
    { stock_type: 'good', batch_id: '', expire_date: '2031-06-30', qty: 3 },
    { stock_type: 'good', batch_id: '', expire_date: null, qty: 4 },
    { stock_type: 'bad', batch_id: '', expire_date: expiry, qty: 5 },
  ].map((lot) => ({ sku_id: 'LOTS', ...lot }));
  const stock = await stockOf(app, 'LOTS', prod);
  assert.deepEqual(
    stock,
    lots.map(({ expire_date, qty, stock_type, batch_id }) => ({
      ...goodRow('LOTS', expire_date, qty),
      stock_type,
      batch_id,
      qty_available: stock_type === 'good' ? qty : 0,
    })),
  );
  const { received, differences } = await documentOf(app, { inbound_short_id: 'LOTS' });
  assert.deepEqual([received, differences], [lots, []]);
});

test('final closes the document, also with no details; the list says what is missing, and no portion follows', async () => {
  await announce(app, 'SHORT', { SHORT: 10, NONE: 4 });
  const name = { inbound_short_id: 'SHORT' };
  await receiveUnits(app, name, [units('SHORT', 6)], { final: false });
  assert.deepEqual(await receiveUnits(app, name, [units('SHORT', 1)], { final: true }), counted('received'));
  assert.deepEqual((await documentOf(app, name)).differences, [
    { sku_id: 'SHORT', announced: 10, received: 7 },
    { sku_id: 'NONE', announced: 4, received: 0 },
  ]);
  const closed = 'inbound_short_id is received already; nothing more can be received';
  await refused('receive', { ...name, details: [units('SHORT', 1)] }, closed);

  const nothing = { inbound_short_id: await announce(app, 'NOTHING', { NONE: 10 }) };
  assert.deepEqual(await receiveUnits(app, nothing, [], { final: true }), counted('received'));
  const { received, differences } = await documentOf(app, nothing);
  assert.deepEqual([received, differences], [[], [{ sku_id: 'NONE', announced: 10, received: 0 }]]);
  assert.deepEqual((await eventsOf(app, nothing))[1], ['complete', 'expected', 'received', here]);
});

test('more than announced is accepted up to the percentage under which the document was made, good and bad counted alike', async () => {
  await announce(app, 'TENTH', { TENTH: 19, OTHER: 5 }, { caller: prodTenth });
  const { warehouseTpwId: warehouse_tpw_id } = prodTenth;
  const tenants = [{ warehouse_tpw_id, warehouse_no: 1, store_no: 10, over_delivery_percent: 100 }];
  await app.provision({ accounts: [{ account_no: prod.accountNo, tenants }] });

  const name = { inbound_short_id: 'TENTH' };
  await receiveUnits(app, name, [units('TENTH', 18)]);
  await refused('receive', { ...name, details: [units('TENTH', 3)] }, tooMany('TENTH', 20, 19, 18, 3));
  const lastTwo = [units('TENTH', 1), units('TENTH', 1, { stock_type: 'bad' })];
  assert.deepEqual(await receiveUnits(app, name, lastTwo), counted('receiving'));
  assert.deepEqual(await receiveUnits(app, name, [units('OTHER', 5)]), counted('received'));
  assert.deepEqual((await documentOf(app, name)).differences, [{ sku_id: 'TENTH', announced: 19, received: 20 }]);
});

test('all mistakes are reported at once, the first 20 in words, and nothing of the call is counted', async () => {
  await announce(app, 'WRONG', { 'WRONG-1': 3, 'WRONG-2': 3, 'WRONG-3': 3 });
  await syncProducts(app, ['KNOWN'], prod);
  const details = [
    units('WRONG-1', 2),
    units('KNOWN', 1),
    units('WRONG-2', 4),
    units('WRONG-1', 2),
    units('UNKNOWN', 1),
    units('WRONG-3', 3),
  ];
  const notIn = (sku: string) => `sku ${sku} is not in the document: announced=0 received=0 reported=1`;
  await refused(
    'receive',
    { inbound_short_id: 'WRONG', details, final: true },
    [tooMany('WRONG-1', 3, 3, 0, 4), notIn('KNOWN'), tooMany('WRONG-2', 3, 3, 0, 4), notIn('UNKNOWN')].join('; '),
  );
  const many = Array.from({ length: 23 }, (_, index) => units(`UNKNOWN-${index}`, 1));
  const first = many.slice(0, 20).map(({ sku_id }) => notIn(sku_id));
  await refused('receive', { inbound_short_id: 'WRONG', details: many }, `${first.join('; ')} (and 3 more)`);
});

test('a lot holds at most 1,000,000,000,000 units; one that would hold more is refused', async () => {
  await announce(app, 'FULL', { FULL: 10 });
  await putLot(app, { skuId: 'FULL', qty: 999_999_999_995, expireDate: expiry }, prod);
  const name = { inbound_short_id: 'FULL' };
  const message = 'a lot of sku FULL would hold more than 1000000000000 units';
  await refused('receive', { ...name, details: [units('FULL', 5), units('FULL', 1)] }, message);
  const both = `${tooMany('FULL', 10, 10, 0, 11)}; ${message}`;
  await refused('receive', { ...name, details: [units('FULL', 11)] }, both);
  assert.deepEqual(await receiveUnits(app, name, [units('FULL', 5)]), counted('receiving'));
});

test('the same receipt again is answered with the current status of the document and counts no more', async () => {
  await announce(app, 'AGAIN', { AGAIN: 10, MORE: 1 });
  const first = { inbound_short_id: 'AGAIN', receipt_no: 'R-1', details: [units('AGAIN', 4)] };
  const second = { inbound_short_id: 'AGAIN', receipt_no: 'R-2', details: [units('AGAIN', 6), units('MORE', 1)] };
  const again = (body: object, status: string) =>
    unchanged(app, async () => assert.deepEqual(await receiptAnswer(body), repeated(status)));
  assert.deepEqual(await receiptAnswer(first), counted('receiving'));
  await again(first, 'receiving');
  await again({ ...first, details: [units('AGAIN', 4, { batch_id: null, unknown: 1 })], final: false }, 'receiving');
  assert.deepEqual(await receiptAnswer(second), counted('received'));
  await again(first, 'received');
  await again(second, 'received');

  // The number of a receipt belongs to its document.
  const name = { inbound_short_id: await announce(app, 'AGAIN-STOPPED', { AGAIN: 10 }) };
  assert.deepEqual(await receiptAnswer({ ...first, ...name }), counted('receiving'));
  await stopDocument(app, name);
  await again({ ...first, ...name }, 'stopped');
});

test('a receipt without expiry may be repeated with the date left out, null or empty', async () => {
  await announce(app, 'NEVER', { NEVER: 6 });
  const { expire_date: _, ...unit } = units('NEVER', 1);
  for (const [name, field] of waysToSayNoExpiry) {
    const receipt = (one: object) => ({
      inbound_short_id: 'NEVER',
      receipt_no: name,
      details: [{ ...unit, ...one }],
    });
    assert.deepEqual(await receiptAnswer(receipt(field)), counted('receiving'));
    for (const [, other] of waysToSayNoExpiry)
      assert.deepEqual(await receiptAnswer(receipt(other)), repeated('receiving'));
  }
  assert.deepEqual(await stockOf(app, 'NEVER', prod), [goodRow('NEVER', null, 3)]);
});

test('the number of a receipt with other content is 409', async () => {
  await announce(app, 'OTHER', { OTHER: 10, MORE: 1 });
  const first = { inbound_short_id: 'OTHER', receipt_no: 'R-1', details: [units('OTHER', 4)] };
  await receiveCall(app, first);
  const changes: object[] = [
    { details: [units('OTHER', 5)] },
    { details: [units('MORE', 1)] },
    { details: [units('OTHER', 4, { stock_type: 'bad' })] },
    { details: [units('OTHER', 4, { batch_id: 'B' })] },
    { details: [units('OTHER', 4, { expire_date: null })] },
    { details: [units('OTHER', 2), units('OTHER', 2)] },
    { details: [units('OTHER', 4000)] },
    { final: true },
  ];
  const conflict = 'receipt_no was used before with another body';
  for (const change of changes) await refused('receive', { ...first, ...change }, conflict, { status: 409 });
  await stopDocument(app, { inbound_short_id: 'OTHER' });
  await refused('receive', { ...first, final: true }, conflict, { status: 409 });
});

test('a receipt that was refused has not used its number; without a number each call counts', async () => {
  const name = { inbound_short_id: await announce(app, 'NUMBER', { NUMBER: 6 }) };
  const tooLarge = { ...name, receipt_no: 'R', details: [units('NUMBER', 11)] };
  await refused('receive', tooLarge, tooMany('NUMBER', 6, 6, 0, 11));
  assert.deepEqual(await receiveUnits(app, name, [units('NUMBER', 2)], { receipt_no: 'R' }), counted('receiving'));
  assert.deepEqual(await receiveUnits(app, name, [units('NUMBER', 2)]), counted('receiving'));
  assert.deepEqual(await receiveUnits(app, name, [units('NUMBER', 2)]), counted('received'));
});

test('500 details are received in one call', async () => {
  const skus = Array.from({ length: 20 }, (_, index) => `MANY-${index}`);
  await announce(app, 'MANY', Object.fromEntries(skus.map((sku) => [sku, 25])));
  const details = Array.from({ length: 500 }, (_, index) => units(skus[index % 20]!, 1, { batch_id: `B-${index}` }));
  assert.deepEqual(await receiveUnits(app, { inbound_short_id: 'MANY' }, details), counted('received'));
  assert.equal((await documentOf(app, { inbound_short_id: 'MANY' })).received.length, 500);
});

test('a stop can be repeated, through either API, and no further callback is owed', async () => {
  const name = { form_no: await announceForm(app, 'TWICE', { TWICE: 1 }) };
  await stopDocument(app, name);
  await unchanged(app, async () => {
    assert.deepEqual(await stopDocument(app, name), repeated('stopped'));
    const other = stopForm('TWICE', { callback_url: 'https://partner.example/other' });
    const { status, idempotent } = await take(app, formPath, other, prod.apiKey);
    assert.deepEqual({ status, idempotent }, repeated('stopped'));
  });
});

/** Each end of a form, reached twice, and the units that its callback reports. */
const ends: { status: string; end(name: { form_no: string }): Promise<unknown>; received: object[] }[] = [
  {
    status: 'received',
    end: async (name) => {
      await receiveUnits(app, name, [units('TOLD', 2, { batch_id: 'B1' })], { receipt_no: 'R-1' });
      assert.deepEqual(await owedFor(app, name.form_no), []);
      const last = [units('TOLD', 2, { batch_id: 'B1' }), units('TOLD', 1, { stock_type: 'bad', expire_date: null })];
      for (let times = 0; times < 2; times++) await receiveUnits(app, name, last, { receipt_no: 'R-2', final: true });
    },
    received: [
      { sku: 'TOLD', quantity: 4, stock_type: 'good', batch: 'B1', expire_date: expiry },
      { sku: 'TOLD', quantity: 1, stock_type: 'bad', batch: null, expire_date: null },
    ],
  },
  {
    status: 'stopped',
    end: async (name) => {
      await receiveUnits(app, name, [units('TOLD', 3), units('TOLD', 1, { stock_type: 'bad' })]);
      const stock = await stockOf(app, 'TOLD', prod);
      for (let times = 0; times < 2; times++) await stopDocument(app, name);
      assert.deepEqual(await stockOf(app, 'TOLD', prod), stock);
    },
    received: [
      { sku: 'TOLD', quantity: 3, stock_type: 'good', batch: null, expire_date: expiry },
      { sku: 'TOLD', quantity: 1, stock_type: 'bad', batch: null, expire_date: expiry },
    ],
  },
  {
    status: 'cancelled',
    end: async ({ form_no }) => {
      for (const form_nos of [[form_no, form_no], [form_no]]) await cancelDocuments(app, { form_nos });
    },
    received: [],
  },
];
for (const { status, end, received } of ends) {
  test(`a form that is ${status} owes one callback, with what was announced and what arrived`, async () => {
    for (const [kind, form_type] of [
      ['inbound', 1],
      ['return', 2],
    ] as const) {
      const form_no = await announceForm(app, `${status}-${kind}`, { TOLD: 5, NONE: 2 }, { form_type });
      await end({ form_no });
      const [owed, ...more] = await owedFor(app, form_no);
      assert.deepEqual(more, []);
      const { event, sequence, url, key_name } = owed!;
      assert.deepEqual([event, sequence, url, key_name], [`${kind}.${status}`, 1, formCallbackUrl, 'wms']);
      const body = JSON.parse(owed!.body);
      assert.deepEqual(
        [body.status, body.document_type, body.document_no, body.internal_no, body.lading_no, body.received],
        [status, kind, form_no, `I-${form_no}`, (await documentOf(app, { form_no })).stock_in_no, received],
      );
      const announced = body.products.map(({ sku, quantity }: Record<string, unknown>) => [sku, quantity]);
      assert.deepEqual(Object.fromEntries(announced), { TOLD: 5, NONE: 2 });
    }
  });
}

test('units that came with the creation of a form are taken back by its cancel, as long as all of them are free', async () => {
  await announceForm(app, 'BACK', { BACK: 5 }, {}, prodAtOnce.apiKey);
  assert.deepEqual(await cancelDocuments(app, { form_nos: ['BACK'] }), [{ form_no: 'BACK', status: 'cancelled' }]);
  assert.deepEqual(await stockOf(app, 'BACK', prod), [emptyRow('BACK')]);
  assert.deepEqual(
    (await movementsOf(app, 'BACK')).map(({ kind, on_hand_delta }) => [kind, on_hand_delta]),
    [
      ['receive', 5],
      ['retract', -5],
    ],
  );
  assert.deepEqual(
    (await owedFor(app, 'BACK')).map(({ event, sequence, body }) => [
      event,
      sequence,
      JSON.parse(body).received.length,
    ]),
    [
      ['inbound.received', 1, 1],
      ['inbound.cancelled', 2, 0],
    ],
  );
  const { received, differences } = await documentOf(app, { form_no: 'BACK' });
  assert.deepEqual([received, differences], [[], [{ sku_id: 'BACK', announced: 5, received: 0 }]]);

  await announceForm(app, 'TAKEN', { TAKEN: 5 }, {}, prodAtOnce.apiKey);
  await order(app, 'TAKEN-1', [['TAKEN', 1]], prod);
  await unchanged(app, async () =>
    assert.deepEqual(await cancelDocuments(app, { form_nos: ['TAKEN'] }), [{ form_no: 'TAKEN', status: tooLate }]),
  );
});

test('a cancel has one result per entry, in the order sent, duplicates included; up to 100 of each channel', async () => {
  await announce(app, 'DIRECT', { BATCH: 1 });
  for (const number of ['FREE', 'BEGUN']) await announceForm(app, number, { BATCH: 2 });
  await receiveUnits(app, { form_no: 'BEGUN' }, [units('BATCH', 1)]);
  const unknown = Array.from({ length: 96 }, (_, index) => `UNKNOWN-${index}`);
  const result = (number: string, status: string) => ({ form_no: number, status });
  assert.deepEqual(
    await cancelDocuments(app, {
      form_nos: ['BEGUN', ...unknown, 'FREE', 'BEGUN', 'FREE'],
      inbound_short_ids: [...unknown, 'DIRECT', 'FREE', 'DIRECT', 'BEGUN'],
    }),
    [
      ...unknown.map((inbound_short_id) => ({ inbound_short_id, status: 'not_found' })),
      { inbound_short_id: 'DIRECT', status: 'cancelled' },
      { inbound_short_id: 'FREE', status: 'not_found' },
      { inbound_short_id: 'DIRECT', status: 'cancelled' },
      { inbound_short_id: 'BEGUN', status: 'not_found' },
      result('BEGUN', tooLate),
      ...unknown.map((number) => result(number, 'not_found')),
      result('FREE', 'cancelled'),
      result('BEGUN', tooLate),
      result('FREE', 'cancelled'),
    ],
  );
});

test('a document is known by its own number, of its own channel and its own account only, to all three operations', async () => {
  await announce(app, 'MINE', { MINE: 5 });
  await announceForm(app, 'MINE-FORM', { MINE: 5 });
  const details = [units('MINE', 1)];
  const strange: [Named, typeof prod | typeof alpha][] = [
    ...['NOBODY', 'mine', 'MINE-FORM'].map((inbound_short_id): [Named, typeof prod] => [{ inbound_short_id }, prod]),
    ...['NOBODY', 'mine-form', 'MINE'].map((form_no): [Named, typeof prod] => [{ form_no }, prod]),
    [{ inbound_short_id: 'MINE' }, alpha],
    [{ form_no: 'MINE-FORM' }, alpha],
  ];
  for (const [name, as] of strange) {
    const [[field, number]] = Object.entries(name) as [[string, string]];
    await refused('receive', { ...name, details }, `${field} not found`, { as });
    await refused('stop', name, `${field} not found`, { as });
    const cancelling = await unchanged(app, () => cancelDocuments(app, { [`${field}s`]: [number] }, as));
    assert.deepEqual(cancelling, [{ ...name, status: 'not_found' }]);
  }
  assert.deepEqual(await unchanged(app, () => cancelInbounds(app, ['MINE-FORM'], prod)), [
    { stock_in_sn: 'MINE-FORM', status: 'not_found' },
  ]);

  await announceForm(app, 'MINE', { MINE: 1 });
  await cancelDocuments(app, { form_nos: ['MINE'] });
  const statuses = [{ inbound_short_id: 'MINE' }, { form_no: 'MINE' }].map((name) => documentOf(app, name));
  assert.deepEqual(
    (await Promise.all(statuses)).map(({ status }) => status),
    ['expected', 'cancelled'],
  );
});

test('a UAT and a production account use one number side by side: each receives, stops and cancels its own document', async () => {
  const number = 'BOTH';
  const name = { inbound_short_id: number };
  await announce(app, number, { BOTH: 5 });
  await syncProducts(app, ['BOTH']);
  await createInbound(app, number, { BOTH: [[expiry, 3]] });

  assert.deepEqual(await receiveUnits(app, name, [units('BOTH', 2)]), counted('receiving'));
  await refused(
    'receive',
    { ...name, details: [units('BOTH', 1)] },
    'inbound_short_id is received already; nothing more can be received',
    {
      as: alpha,
    },
  );
  assert.deepEqual(await cancelDocuments(app, { inbound_short_ids: [number] }, alpha), [
    { inbound_short_id: number, status: 'cancelled' },
  ]);
  assert.deepEqual(await stopDocument(app, name), counted('stopped'));

  const documents = await Promise.all([prod, alpha].map((as) => documentOf(app, name, as)));
  assert.deepEqual(
    documents.map(({ status }) => status),
    ['stopped', 'cancelled'],
  );
  assert.deepEqual(await stockOf(app, 'BOTH', prod), [goodRow('BOTH', expiry, 2)]);
  assert.deepEqual(await stockOf(app, 'BOTH'), [emptyRow('BOTH')]);
});

test('after all of it the books are in order', () => assertBooksInOrder(app));

// The last test, because every comparison of the whole database takes longer after it.
test('a document that has come in 100,000 portions takes no more of them, but can be ended', async () => {
  const name = { inbound_short_id: await announce(app, 'CRUMBS', { CRUMBS: 10 }) };
  await receiveUnits(app, name, [units('CRUMBS', 1)]);
  await app.store.database.transaction(
    (tx) => tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, inbound_id, actor)
      select account_id, lot_id, kind, case when i % 2 = 0 then 1 else -1 end, 0, inbound_id, 'test'
      from movement, generate_series(1, 99998) i
      where inbound_id = (select inbound_id from inbound_document where partner_number = 'CRUMBS')`,
  );
  assert.deepEqual(await receiveUnits(app, name, [units('CRUMBS', 1)]), counted('receiving'));
  const answer = await receiveCall(app, { ...name, details: [units('CRUMBS', 1)] });
  assertNotDone(answer, { msg: 'inbound_short_id has come in 100000 portions already; say final, or stop it' });
  assert.equal((await documentOf(app, name)).received[0].qty, 2);
  assert.deepEqual(await receiveUnits(app, name, [], { final: true }), counted('received'));
});
