import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { assertBooksInOrder, owedFor, unchanged } from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';
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
  prodReader,
  prodTenth,
  provisionReceiving,
  receiveCall,
  receiveUnits,
  stopDocument,
  units,
} from '../../support/receiving.ts';
import {
  createInbound,
  emptyRow,
  goodRow,
  leftOutIdentifiers,
  movementsOf,
  order,
  putLot,
  stockOf,
  syncProducts,
  waysToSayNoExpiry,
  wrongIdentifiers,
  wrongQuantities,
} from '../../support/warehouse.ts';

const app = await startTestApp();
await provisionReceiving(app);

/** A receipt that must be refused, and after which everything is as it was. */
async function refused(body: unknown, msg: string, { status = 400, as = prod as typeof prod | typeof alpha } = {}): Promise<void> {
  await unchanged(app, async () => assertNotDone(await receiveCall(app, body, as), { status, msg }));
}

const here = 'PROD/prod-erp';
const counted = (status: string) => ({ status, idempotent: false });
const repeated = (status: string) => ({ status, idempotent: true });

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

test('all of it in one call: received at once; the timeline and the movements name the call', async () => {
  await announce(app, 'AT-ONCE', { ONCE: 3 });
  const answer = await receiveCall(app, { inbound_short_id: 'AT-ONCE', details: [units('ONCE', 3)] });
  assert.deepEqual(answer.json.retval, counted('received'));
  const { timeline } = await documentOf(app, { inbound_short_id: 'AT-ONCE' });
  assert.deepEqual(
    timeline.map(({ event, trace_id }: Record<string, unknown>) => [event, trace_id === answer.headers['trace-id']]),
    [
      ['create', false],
      ['complete', true],
    ],
  );
  const causes = await app.store.database.read(
    (sql) => sql`
      select distinct m.actor, m.trace_id from movement m join inbound_document using (inbound_id) where partner_number = 'AT-ONCE'`,
  );
  assert.deepEqual([...causes], [{ actor: here, trace_id: answer.headers['trace-id'] }]);
  assert.equal((await app.requestLine(String(answer.headers['trace-id'])))!.document_no, 'AT-ONCE');
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
  const rows = await stockOf(app, 'LOTS', prod);
  assert.deepEqual(
    rows.map(({ stock_type, batch_id, expire_date, qty, qty_available }) => [stock_type, batch_id, expire_date, qty, qty_available]),
    [
      ['good', '', expiry, 7, 7],
      ['good', 'B1', expiry, 2, 2],
      ['good', '', '2031-06-30', 3, 3],
      ['good', '', undefined, 4, 4],
      ['bad', '', expiry, 5, 0],
    ],
  );
  const { received, differences } = await documentOf(app, { inbound_short_id: 'LOTS' });
  assert.deepEqual(
    received.map(({ stock_type, batch_id, expire_date, qty }: Record<string, unknown>) => [stock_type, batch_id, expire_date, qty]),
    [
      ['good', '', expiry, 7],
      ['good', 'B1', expiry, 2],
      ['good', '', '2031-06-30', 3],
      ['good', '', null, 4],
      ['bad', '', expiry, 5],
    ],
  );
  assert.deepEqual(differences, []);
});

test('units without an expire_date go into one lot without expiry, and a receipt may be repeated in any way of saying so', async () => {
  await announce(app, 'NEVER', { NEVER: 6 });
  const { expire_date: _, ...unit } = units('NEVER', 1);
  for (const [name, withoutExpiry] of waysToSayNoExpiry) {
    const receipt = (field: object) => ({ inbound_short_id: 'NEVER', receipt_no: name, details: [{ ...unit, ...field }] });
    assert.deepEqual(retvalOf(await receiveCall(app, receipt(withoutExpiry))), counted('receiving'));
    for (const [, other] of waysToSayNoExpiry) {
      assert.deepEqual(retvalOf(await receiveCall(app, receipt(other))), repeated('receiving'));
    }
  }
  assert.deepEqual(await stockOf(app, 'NEVER', prod), [goodRow('NEVER', null, 3)]);
  const { received } = await documentOf(app, { inbound_short_id: 'NEVER' });
  assert.deepEqual(received, [{ sku_id: 'NEVER', stock_type: 'good', batch_id: '', expire_date: null, qty: 3 }]);
});

test('good and bad count alike for what was announced', async () => {
  await announce(app, 'GRADED', { GRADED: 5 });
  const name = { inbound_short_id: 'GRADED' };
  assert.deepEqual(await receiveUnits(app, name, [units('GRADED', 3)]), counted('receiving'));
  await refused({ ...name, details: [units('GRADED', 3, { stock_type: 'bad' })] }, tooMany('GRADED', 5, 5, 3, 3));
  assert.deepEqual(await receiveUnits(app, name, [units('GRADED', 2, { stock_type: 'bad' })]), counted('received'));
});

function tooMany(sku: string, accepted: number, announced: number, received: number, reported: number): string {
  return `sku ${sku} would be more than the ${accepted} that are accepted: announced=${announced} received=${received} reported=${reported}`;
}

test('final closes the document, and what is missing stands in the list', async () => {
  await announce(app, 'SHORT', { SHORT: 10, NONE: 4 });
  const name = { inbound_short_id: 'SHORT' };
  await receiveUnits(app, name, [units('SHORT', 6)], { final: false });
  assert.deepEqual(await receiveUnits(app, name, [units('SHORT', 1)], { final: true }), counted('received'));
  assert.deepEqual((await documentOf(app, name)).differences, [
    { sku_id: 'SHORT', announced: 10, received: 7 },
    { sku_id: 'NONE', announced: 4, received: 0 },
  ]);
});

test('final with no details: nothing (more) has come', async () => {
  await announce(app, 'NOTHING', { NOTHING: 10 });
  assert.deepEqual(await receiveUnits(app, { inbound_short_id: 'NOTHING' }, [], { final: true }), counted('received'));
  const { received, differences } = await documentOf(app, { inbound_short_id: 'NOTHING' });
  assert.deepEqual([received, differences], [[], [{ sku_id: 'NOTHING', announced: 10, received: 0 }]]);
  assert.deepEqual(await eventsOf(app, { inbound_short_id: 'NOTHING' }), [
    ['create', null, 'expected', 'PROD'],
    ['complete', 'expected', 'received', here],
  ]);
});

test('more than announced is accepted up to the percentage of the tenant, rounded down, over all portions', async () => {
  await announce(app, 'TENTH', { TENTH: 19, OTHER: 5 }, { caller: prodTenth });
  const name = { inbound_short_id: 'TENTH' };
  await receiveUnits(app, name, [units('TENTH', 18)]);
  await refused({ ...name, details: [units('TENTH', 3)] }, tooMany('TENTH', 20, 19, 18, 3));
  assert.deepEqual(await receiveUnits(app, name, [units('TENTH', 1), units('TENTH', 1, { batch_id: 'B' })]), counted('receiving'));
  await refused({ ...name, details: [units('TENTH', 1)] }, tooMany('TENTH', 20, 19, 20, 1));
  await refused({ ...name, details: [units('OTHER', 6)] }, tooMany('OTHER', 5, 5, 0, 6));
  assert.deepEqual(await receiveUnits(app, name, [units('OTHER', 5)]), counted('received'));
  assert.deepEqual((await documentOf(app, name)).differences, [{ sku_id: 'TENTH', announced: 19, received: 20 }]);
});

test('a document keeps the percentage under which it was made', async () => {
  await announce(app, 'KEPT', { KEPT: 10 }, { caller: prodTenth });
  // Nobody after this test goes by the percentages of this tenant: how soon a node knows them is its own matter.
  const tenants = [{ warehouse_tpw_id: prodTenth.warehouseTpwId, warehouse_no: 1, store_no: 10, over_delivery_percent: 100 }];
  const account = { account_no: prod.accountNo, environment: 'production' as const, secret: prod.secret };
  await app.provision({ accounts: [{ ...account, tenants }] });
  await refused({ inbound_short_id: 'KEPT', details: [units('KEPT', 12)] }, tooMany('KEPT', 11, 10, 0, 12));
});

test('all mistakes are told at once, and nothing of the call is counted', async () => {
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
  const notIn = (sku: string, qty: number) => `sku ${sku} is not in the document: announced=0 received=0 reported=${qty}`;
  await refused(
    { inbound_short_id: 'WRONG', details, final: true },
    [tooMany('WRONG-1', 3, 3, 0, 4), notIn('KNOWN', 1), tooMany('WRONG-2', 3, 3, 0, 4), notIn('UNKNOWN', 1)].join('; '),
  );
  const many = Array.from({ length: 23 }, (_, index) => units(`UNKNOWN-${index}`, 1));
  const worded = many.slice(0, 20).map(({ sku_id }) => notIn(sku_id, 1));
  await refused({ inbound_short_id: 'WRONG', details: many }, `${worded.join('; ')} (and 3 more)`);
});

test('a lot holds at most 1,000,000,000,000 units; one that would hold more is refused', async () => {
  await announce(app, 'FULL', { FULL: 10 });
  await putLot(app, { skuId: 'FULL', qty: 999_999_999_995, expireDate: expiry }, prod);
  const message = 'a lot of sku FULL would hold more than 1000000000000 units';
  await refused({ inbound_short_id: 'FULL', details: [units('FULL', 5), units('FULL', 1)] }, message);
  await refused({ inbound_short_id: 'FULL', details: [units('FULL', 11)] }, `${tooMany('FULL', 10, 10, 0, 11)}; ${message}`);
  assert.deepEqual(await receiveUnits(app, { inbound_short_id: 'FULL' }, [units('FULL', 5)]), counted('receiving'));
});

const closings: Record<string, (name: Named) => Promise<unknown>> = {
  received: (name) => receiveUnits(app, name, [], { final: true }),
  stopped: (name) => stopDocument(app, name),
  cancelled: (name) =>
    cancelDocuments(app, 'form_no' in name ? { form_nos: [name.form_no] } : { inbound_short_ids: [name.inbound_short_id] }),
};
for (const [status, close] of Object.entries(closings)) {
  test(`nothing more is received once a document is ${status}`, async () => {
    for (const name of [
      { inbound_short_id: await announce(app, `CLOSED-${status}`, { CLOSED: 5 }) },
      { form_no: await announceForm(app, `CLOSED-${status}`, { CLOSED: 5 }) },
    ]) {
      await close(name);
      const message = `${Object.keys(name)[0]} is ${status} already; nothing more can be received`;
      await refused({ ...name, details: [units('CLOSED', 1)] }, message);
      await refused({ ...name, details: [], final: true }, message);
    }
  });
}

test('what was received with its creation cannot be received again', async () => {
  await announce(app, 'CREATED', { CREATED: 5 }, { caller: prodAtOnce });
  const message = 'inbound_short_id is received already; nothing more can be received';
  await refused({ inbound_short_id: 'CREATED', details: [units('CREATED', 5)] }, message);
  await syncProducts(app, ['CREATED']);
  await createInbound(app, 'CREATED-UAT', { CREATED: [[expiry, 5]] });
  await refused({ inbound_short_id: 'CREATED-UAT', details: [units('CREATED', 1)] }, message, { as: alpha });
  await announceForm(app, 'CREATED', { CREATED: 5 }, {}, prodAtOnce.apiKey);
  await refused({ form_no: 'CREATED', details: [units('CREATED', 1)] }, 'form_no is received already; nothing more can be received');
});

test('the same receipt again is answered with the status of today and counts no more, whatever has become of the document', async () => {
  await announce(app, 'AGAIN', { AGAIN: 10, MORE: 1 });
  const first = { inbound_short_id: 'AGAIN', receipt_no: 'R-1', details: [units('AGAIN', 4)] };
  const again = async (status: string) =>
    await unchanged(app, async () => assert.deepEqual((await receiveCall(app, first)).json.retval, repeated(status)));
  assert.deepEqual((await receiveCall(app, first)).json.retval, counted('receiving'));
  await again('receiving');
  const { inbound_short_id, receipt_no, details } = first;
  const otherwise = { details: [{ ...details[0], batch_id: null, unknown: 1 }], final: false, receipt_no, inbound_short_id };
  assert.deepEqual((await receiveCall(app, otherwise)).json.retval, repeated('receiving'));

  const second = { inbound_short_id: 'AGAIN', receipt_no: 'R-2', details: [units('AGAIN', 6), units('MORE', 1)] };
  assert.deepEqual((await receiveCall(app, second)).json.retval, counted('received'));
  await again('received');
  assert.deepEqual((await receiveCall(app, second)).json.retval, repeated('received'));

  await announce(app, 'AGAIN-STOPPED', { AGAIN: 10 });
  const portion = { ...first, inbound_short_id: 'AGAIN-STOPPED' };
  assert.deepEqual((await receiveCall(app, portion)).json.retval, counted('receiving'), 'the number of a receipt is its document’s own');
  await stopDocument(app, { inbound_short_id: 'AGAIN-STOPPED' });
  await unchanged(app, async () => assert.deepEqual((await receiveCall(app, portion)).json.retval, repeated('stopped')));
});

test('the number of a receipt with other content is 409', async () => {
  await announce(app, 'OTHER', { OTHER: 10, MORE: 1 });
  const first = { inbound_short_id: 'OTHER', receipt_no: 'R-1', details: [units('OTHER', 4)] };
  await receiveCall(app, first);
  for (const change of [
    { details: [units('OTHER', 5)] },
    { details: [units('MORE', 1)] },
    { details: [units('OTHER', 4, { stock_type: 'bad' })] },
    { details: [units('OTHER', 4, { batch_id: 'B' })] },
    { details: [units('OTHER', 4, { expire_date: null })] },
    { details: [units('OTHER', 2), units('OTHER', 2)] },
    { details: [units('OTHER', 4000)] },
    { final: true },
  ]) {
    await refused({ ...first, ...change }, 'receipt_no was used before with another body', { status: 409 });
  }
  await stopDocument(app, { inbound_short_id: 'OTHER' });
  await refused({ ...first, final: true }, 'receipt_no was used before with another body', { status: 409 });
});

test('a receipt that was refused has not used its number; without a number each call counts', async () => {
  await announce(app, 'NUMBER', { NUMBER: 10 });
  await refused({ inbound_short_id: 'NUMBER', receipt_no: 'R', details: [units('NUMBER', 11)] }, tooMany('NUMBER', 10, 10, 0, 11));
  const name = { inbound_short_id: 'NUMBER' };
  assert.deepEqual(await receiveUnits(app, name, [units('NUMBER', 2)], { receipt_no: 'R' }), counted('receiving'));
  for (const status of ['receiving', 'receiving', 'receiving', 'received']) {
    assert.deepEqual(await receiveUnits(app, name, [units('NUMBER', 2)]), counted(status));
  }
});

test('a document is known by its own number, of its own channel and its own account only', async () => {
  await announce(app, 'WHOSE', { WHOSE: 5 });
  await announceForm(app, 'WHOSE-FORM', { WHOSE: 5 });
  const details = [units('WHOSE', 1)];
  for (const inbound_short_id of ['NOBODY', 'whose', 'WHOSE-FORM']) {
    await refused({ inbound_short_id, details }, 'inbound_short_id not found');
  }
  for (const form_no of ['NOBODY', 'whose-form', 'WHOSE', '號'.repeat(255)]) await refused({ form_no, details }, 'form_no not found');
  for (const as of [alpha, beta]) {
    await refused({ inbound_short_id: 'WHOSE', details }, 'inbound_short_id not found', { as });
    await refused({ form_no: 'WHOSE-FORM', details }, 'form_no not found', { as });
  }
});

test('exactly one document is named', async () => {
  const details = [units('WHOSE', 1)];
  await refused({ details }, 'inbound_short_id is missing; or name the document by form_no');
  await refused({ inbound_short_id: 'WHOSE', form_no: 'WHOSE-FORM', details }, 'form_no must not stand beside inbound_short_id');
});

test('fields that are missing or wrong are refused and named, and nothing changes', async () => {
  const body = (change: object) => ({ inbound_short_id: 'WHOSE', details: [units('WHOSE', 1)], ...change });
  const detail = (change: object) => body({ details: [{ ...units('WHOSE', 1), ...change }] });
  const wrong: [path: string, body: unknown][] = [
    ...wrongIdentifiers
      .filter(([what]) => !leftOutIdentifiers.includes(what))
      .map(([, value]): [string, unknown] => ['inbound_short_id', body({ inbound_short_id: value })]),
    ...wrongIdentifiers
      .filter(([what]) => !leftOutIdentifiers.includes(what))
      .map(([, value]): [string, unknown] => ['receipt_no', body({ receipt_no: value })]),
    ...wrongIdentifiers.map(([, value]): [string, unknown] => ['details[0].sku_id', detail({ sku_id: value })]),
    ...[...wrongQuantities, ['missing', undefined] as const].map(([, value]): [string, unknown] => [
      'details[0].qty',
      detail({ qty: value }),
    ]),
    ...[' ', 'never', '2030-02-30', '2030-1-1', 20300101].map((value): [string, unknown] => [
      'details[0].expire_date',
      detail({ expire_date: value }),
    ]),
    ...[undefined, null, 'GOOD', 'broken', 1].map((value): [string, unknown] => ['details[0].stock_type', detail({ stock_type: value })]),
    ...[7, ' B', 'B\n', 'x'.repeat(126)].map((value): [string, unknown] => ['details[0].batch_id', detail({ batch_id: value })]),
    ...[undefined, null, {}, [], Array(501).fill(units('WHOSE', 1))].map((value): [string, unknown] => [
      'details',
      body({ details: value }),
    ]),
    ...['true', 1].map((value): [string, unknown] => ['final', body({ final: value })]),
    ...['x'.repeat(256), ' '].map((value): [string, unknown] => ['form_no', { form_no: value, details: [units('WHOSE', 1)] }]),
  ];
  await unchanged(app, async () => {
    for (const [path, sent] of wrong) {
      const msg = assertNotDone(await receiveCall(app, sent));
      assert.ok(msg.startsWith(`${path} `), `${path}: ${msg}`);
    }
  });
  await refused(body({ details: [], final: false }), 'details must not be empty, unless final is true');
});

test('500 details are received in one call', async () => {
  const skus = Array.from({ length: 20 }, (_, index) => `MANY-${index}`);
  await announce(app, 'MANY', Object.fromEntries(skus.map((sku) => [sku, 25])));
  const details = Array.from({ length: 500 }, (_, index) => units(skus[index % 20]!, 1, { batch_id: `B-${index}` }));
  assert.deepEqual(await receiveUnits(app, { inbound_short_id: 'MANY' }, details), counted('received'));
  assert.equal((await documentOf(app, { inbound_short_id: 'MANY' })).received.length, 500);
});

test('a client without inbounds.write is told so, by all three operations', async () => {
  await announce(app, 'FORBIDDEN', { FORBIDDEN: 1 });
  await unchanged(app, async () => {
    for (const [path, body] of [
      ['/inbounds/receive', { inbound_short_id: 'FORBIDDEN', details: [units('FORBIDDEN', 1)] }],
      ['/inbounds/stop', { inbound_short_id: 'FORBIDDEN' }],
      ['/inbounds/cancel', { inbound_short_ids: ['FORBIDDEN'] }],
    ] as const) {
      const answer = await app.callMain(path, body, { as: prodReader });
      assertNotDone(answer, { status: 403, msg: 'this client lacks the permission inbounds.write' });
    }
  });
});

for (const [kind, form_type] of [
  ['inbound', 1],
  ['return', 2],
] as const) {
  test(`a form that is received owes ${kind}.received, once, with what was announced and what really came`, async () => {
    const number = `TOLD-${kind}`;
    await announceForm(app, number, { 'TOLD-1': 5, 'TOLD-2': 2 }, { form_type }, prodTenth.apiKey);
    const name = { form_no: number };
    await receiveUnits(app, name, [units('TOLD-1', 2, { batch_id: 'B1' })], { receipt_no: 'R-1' });
    assert.deepEqual(await owedFor(app, number), []);
    const last = [units('TOLD-1', 2, { batch_id: 'B1' }), units('TOLD-1', 1, { stock_type: 'bad', expire_date: null })];
    await receiveUnits(app, name, last, { receipt_no: 'R-2', final: true });
    await receiveUnits(app, name, last, { receipt_no: 'R-2', final: true });

    const [owed, ...more] = await owedFor(app, number);
    assert.deepEqual(more, []);
    assert.deepEqual([owed!.event, owed!.sequence, owed!.key_name, owed!.status], [`${kind}.received`, 1, 'tenth', 'pending']);
    const { products, received, status, document_type, document_no, internal_no, lading_no } = JSON.parse(owed!.body);
    assert.deepEqual([status, document_type, document_no, internal_no], ['received', kind, number, `I-${number}`]);
    assert.equal(lading_no, (await documentOf(app, name)).stock_in_no);
    assert.deepEqual(
      products.map(({ sku, quantity }: Record<string, unknown>) => [sku, quantity]),
      [
        ['TOLD-1', 5],
        ['TOLD-2', 2],
      ],
    );
    assert.deepEqual(received, [
      { sku: 'TOLD-1', quantity: 4, stock_type: 'good', batch: 'B1', expire_date: expiry },
      { sku: 'TOLD-1', quantity: 1, stock_type: 'bad', batch: null, expire_date: null },
    ]);
  });
}

test('what has arrived can be sold at once, before its document is complete', async () => {
  await announce(app, 'SOLD', { SOLD: 5 });
  await receiveUnits(app, { inbound_short_id: 'SOLD' }, [units('SOLD', 2)]);
  await order(app, 'SOLD-1', [['SOLD', 2]], prod);
  assert.deepEqual(await stockOf(app, 'SOLD', prod), [goodRow('SOLD', expiry, 2, 2)]);
});

test('after all of it the books are in order', async () => {
  await assertBooksInOrder(app);
});

// The last one, since what is compared with everything in the database takes longer after it.
test('a document that has come in a hundred thousand portions takes no more of them, but can be ended', async () => {
  await announce(app, 'CRUMBS', { CRUMBS: 10 });
  const name = { inbound_short_id: 'CRUMBS' };
  await receiveUnits(app, name, [units('CRUMBS', 1)]);
  await app.store.database.transaction(
    (tx) => tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, inbound_id, actor)
      select account_id, lot_id, kind, case when i % 2 = 0 then 1 else -1 end, 0, inbound_id, 'test'
      from movement, generate_series(1, 99998) i
      where inbound_id = (select inbound_id from inbound_document where partner_number = 'CRUMBS')`,
  );
  assert.deepEqual(await receiveUnits(app, name, [units('CRUMBS', 1)]), counted('receiving'));
  const tooMany = await receiveCall(app, { ...name, details: [units('CRUMBS', 1)] });
  assertNotDone(tooMany, { msg: 'inbound_short_id has come in 100000 portions already; say final, or stop it' });
  assert.equal((await documentOf(app, name)).received[0].qty, 2);
  assert.deepEqual(await receiveUnits(app, name, [], { final: true }), counted('received'));
});
