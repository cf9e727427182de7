import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, startTestApp } from '../../support/app.ts';
import { assertBooksInOrder, formCallbackUrl, formPath, owedFor, stopForm, take, unchanged } from '../../support/logistics.ts';
import { assertNotDone } from '../../support/main.ts';
import {
  announce,
  announceForm,
  cancelDocuments,
  documentOf,
  eventsOf,
  expiry,
  prod,
  prodAtOnce,
  provisionReceiving,
  receiveUnits,
  stopDocument,
  units,
} from '../../support/receiving.ts';
import { goodRow, leftOutIdentifiers, stockOf, wrongIdentifiers } from '../../support/warehouse.ts';

const app = await startTestApp();
await provisionReceiving(app);

async function refused(body: unknown, msg: string, as: typeof prod | typeof alpha = prod): Promise<void> {
  await unchanged(app, async () => assertNotDone(await app.callMain('/inbounds/stop', body, { as }), { msg }));
}

const stopped = { status: 'stopped', idempotent: false };
const stoppedBefore = { status: 'stopped', idempotent: true };

test('a document of the warehouse API is stopped: what has arrived stays, the rest is closed, nobody is told', async () => {
  const name = { inbound_short_id: await announce(app, 'PARTLY', { PARTLY: 10 }) };
  await receiveUnits(app, name, [units('PARTLY', 4)]);
  assert.deepEqual(await stopDocument(app, name), stopped);

  assert.deepEqual(await stockOf(app, 'PARTLY', prod), [goodRow('PARTLY', expiry, 4)]);
  const { status, differences } = await documentOf(app, name);
  assert.deepEqual([status, differences], ['stopped', [{ sku_id: 'PARTLY', announced: 10, received: 4 }]]);
  assert.deepEqual((await eventsOf(app, name)).at(-1), ['stop', 'receiving', 'stopped', 'PROD/prod-erp']);
  assert.deepEqual(await owedFor(app, 'PARTLY'), []);
});

test('a document of which nothing has arrived is stopped too', async () => {
  const name = { inbound_short_id: await announce(app, 'UNSEEN', { UNSEEN: 10 }) };
  assert.deepEqual(await stopDocument(app, name), stopped);
  assert.deepEqual(await eventsOf(app, name), [
    ['create', null, 'expected', 'PROD'],
    ['stop', 'expected', 'stopped', 'PROD/prod-erp'],
  ]);
});

for (const [kind, form_type] of [
  ['inbound', 1],
  ['return', 2],
] as const) {
  test(`a form is stopped, and its own callback address is told ${kind}.stopped, with what has arrived until then`, async () => {
    const number = await announceForm(app, `FORM-${kind}`, { FORM: 10 }, { form_type });
    await receiveUnits(app, { form_no: number }, [units('FORM', 3), units('FORM', 1, { stock_type: 'bad' })]);
    assert.deepEqual(await stopDocument(app, { form_no: number }), stopped);

    const [owed, ...more] = await owedFor(app, number);
    assert.deepEqual(more, []);
    assert.deepEqual([owed!.event, owed!.sequence, owed!.url, owed!.key_name], [`${kind}.stopped`, 1, formCallbackUrl, 'wms']);
    const { status, products, received } = JSON.parse(owed!.body);
    assert.deepEqual([status, products[0].quantity], ['stopped', 10]);
    assert.deepEqual(received, [
      { sku: 'FORM', quantity: 3, stock_type: 'good', batch: null, expire_date: expiry },
      { sku: 'FORM', quantity: 1, stock_type: 'bad', batch: null, expire_date: expiry },
    ]);
  });
}

test('a stop can be repeated, through either API, and nothing is told again', async () => {
  const name = { form_no: await announceForm(app, 'AGAIN', { AGAIN: 1 }) };
  await stopDocument(app, name);
  await unchanged(app, async () => {
    assert.deepEqual(await stopDocument(app, name), stoppedBefore);
    const there = await take(app, formPath, stopForm('AGAIN', { callback_url: 'https://partner.example/other' }), prod.apiKey);
    assert.deepEqual([there.status, there.idempotent], ['stopped', true]);
  });
  const other = { form_no: await announceForm(app, 'AGAIN-THERE', { AGAIN: 1 }) };
  await take(app, formPath, stopForm('AGAIN-THERE'), prod.apiKey);
  await unchanged(app, async () => assert.deepEqual(await stopDocument(app, other), stoppedBefore));
});

test('what is received or cancelled cannot be stopped', async () => {
  const received = await announce(app, 'DONE', { DONE: 1 });
  await receiveUnits(app, { inbound_short_id: received }, [units('DONE', 1)]);
  await refused({ inbound_short_id: 'DONE' }, 'inbound_short_id is received already; receiving cannot be stopped');
  await announce(app, 'CREATED', { CREATED: 1 }, { caller: prodAtOnce });
  await refused({ inbound_short_id: 'CREATED' }, 'inbound_short_id is received already; receiving cannot be stopped');
  await announceForm(app, 'GONE', { GONE: 1 });
  await cancelDocuments(app, { form_nos: ['GONE'] });
  await refused({ form_no: 'GONE' }, 'form_no is cancelled already; receiving cannot be stopped');
});

test('a document is known by its own number, of its own channel and its own account only', async () => {
  await announce(app, 'WHOSE', { WHOSE: 1 });
  await announceForm(app, 'WHOSE-FORM', { WHOSE: 1 });
  for (const inbound_short_id of ['NOBODY', 'whose', 'WHOSE-FORM']) await refused({ inbound_short_id }, 'inbound_short_id not found');
  for (const form_no of ['NOBODY', 'WHOSE']) await refused({ form_no }, 'form_no not found');
  await refused({ inbound_short_id: 'WHOSE' }, 'inbound_short_id not found', alpha);
  await refused({ form_no: 'WHOSE-FORM' }, 'form_no not found', alpha);
});

test('exactly one document is named, by a number that can be one', async () => {
  await refused({}, 'inbound_short_id is missing; or name the document by form_no');
  await refused({ inbound_short_id: 'WHOSE', form_no: 'WHOSE-FORM' }, 'form_no must not stand beside inbound_short_id');
  await unchanged(app, async () => {
    for (const [what, inbound_short_id] of wrongIdentifiers.filter(([what]) => !leftOutIdentifiers.includes(what))) {
      const msg = assertNotDone(await app.callMain('/inbounds/stop', { inbound_short_id }, { as: prod }));
      assert.ok(msg.startsWith('inbound_short_id must be '), `${what}: ${msg}`);
    }
  });
});

test('after all of it the books are in order', async () => {
  await assertBooksInOrder(app);
});
