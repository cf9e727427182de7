import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { assertBooksInOrder, formCallbackUrl, owedFor, unchanged } from '../../support/logistics.ts';
import { assertNotDone } from '../../support/main.ts';
import {
  announce,
  announceForm,
  cancelDocuments,
  documentOf,
  eventsOf,
  prod,
  prodAtOnce,
  provisionReceiving,
  receiveUnits,
  stopDocument,
  units,
} from '../../support/receiving.ts';
import { cancelInbounds, emptyRow, movementsOf, order, stockOf, wrongIdentifiers } from '../../support/warehouse.ts';

const app = await startTestApp();
await provisionReceiving(app);

const tooLate = 'cannot_cancel_after_receiving';

test('a document of which nothing has arrived is cancelled, of either channel', async () => {
  await announce(app, 'DIRECT', { TEA: 5 });
  await announceForm(app, 'FORM', { TEA: 5 });
  assert.deepEqual(await cancelDocuments(app, { form_nos: ['FORM'], inbound_short_ids: ['DIRECT'] }), [
    { inbound_short_id: 'DIRECT', status: 'cancelled' },
    { form_no: 'FORM', status: 'cancelled' },
  ]);
  for (const name of [{ inbound_short_id: 'DIRECT' }, { form_no: 'FORM' }]) {
    assert.equal((await documentOf(app, name)).status, 'cancelled');
    assert.deepEqual((await eventsOf(app, name)).slice(1), [['cancel', 'expected', 'cancelled', 'PROD/prod-erp']]);
  }
  assert.deepEqual(await owedFor(app, 'DIRECT'), []);
});

for (const [kind, form_type] of [
  ['inbound', 1],
  ['return', 2],
] as const) {
  test(`a form that is cancelled owes ${kind}.cancelled, once: nothing has arrived`, async () => {
    const number = await announceForm(app, `TOLD-${kind}`, { TOLD: 5 }, { form_type });
    await cancelDocuments(app, { form_nos: [number, number] });
    await cancelDocuments(app, { form_nos: [number] });
    const [owed, ...more] = await owedFor(app, number);
    assert.deepEqual(more, []);
    assert.deepEqual([owed!.event, owed!.sequence, owed!.url, owed!.key_name], [`${kind}.cancelled`, 1, formCallbackUrl, 'wms']);
    const { status, internal_no, products, received } = JSON.parse(owed!.body);
    assert.deepEqual([status, internal_no, products[0].quantity, received], ['cancelled', `I-${number}`, 5, []]);
  });
}

test('what came with the creation of a form is taken back, as long as it is all still free; both callbacks are told in their order', async () => {
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
  const owed = await owedFor(app, 'BACK');
  assert.deepEqual(
    owed.map(({ event, sequence, body }) => [event, sequence, JSON.parse(body).received.length]),
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

test('what the warehouse has begun to receive, has received or has stopped stays as it is', async () => {
  const numbers = ['BEGUN', 'DONE', 'STOPPED'];
  for (const number of numbers) {
    await announce(app, number, { LATE: 5 });
    await announceForm(app, number, { LATE: 5 });
  }
  for (const name of [{ inbound_short_id: 'BEGUN' }, { form_no: 'BEGUN' }]) await receiveUnits(app, name, [units('LATE', 1)]);
  for (const name of [{ inbound_short_id: 'DONE' }, { form_no: 'DONE' }]) await receiveUnits(app, name, [units('LATE', 5)]);
  for (const name of [{ inbound_short_id: 'STOPPED' }, { form_no: 'STOPPED' }]) await stopDocument(app, name);
  await unchanged(app, async () => {
    assert.deepEqual(await cancelDocuments(app, { inbound_short_ids: numbers, form_nos: numbers }), [
      ...numbers.map((inbound_short_id) => ({ inbound_short_id, status: tooLate })),
      ...numbers.map((form_no) => ({ form_no, status: tooLate })),
    ]);
    assert.deepEqual(
      await cancelInbounds(app, numbers, prod),
      numbers.map((stock_in_sn) => ({ stock_in_sn, status: tooLate })),
    );
  });
});

test('one result per entry, in the order sent, duplicates included; one does not fail the others', async () => {
  for (const number of ['ONE', 'TWO']) await announceForm(app, number, { BATCH: 1 });
  await receiveUnits(app, { form_no: 'TWO' }, [units('BATCH', 1)]);
  assert.deepEqual(await cancelDocuments(app, { form_nos: ['TWO', 'NOBODY', 'ONE', 'TWO', 'ONE'] }), [
    { form_no: 'TWO', status: tooLate },
    { form_no: 'NOBODY', status: 'not_found' },
    { form_no: 'ONE', status: 'cancelled' },
    { form_no: 'TWO', status: tooLate },
    { form_no: 'ONE', status: 'cancelled' },
  ]);
  assert.equal((await owedFor(app, 'ONE')).length, 1);
});

test('100 entries of each are accepted', async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => `HUNDRED-${index}`);
  for (const number of numbers.slice(0, 3)) await announceForm(app, number, { HUNDRED: 1 });
  const results = await cancelDocuments(app, { inbound_short_ids: numbers, form_nos: numbers });
  assert.deepEqual(results, [
    ...numbers.map((inbound_short_id) => ({ inbound_short_id, status: 'not_found' })),
    ...numbers.map((form_no, index) => ({ form_no, status: index < 3 ? 'cancelled' : 'not_found' })),
  ]);
});

test('a number is looked for in its own channel and its own account; the warehouse API cancels no form', async () => {
  await announce(app, 'MINE', { MINE: 1 });
  await announceForm(app, 'MINE-FORM', { MINE: 1 });
  await unchanged(app, async () => {
    const crossed = { inbound_short_ids: ['MINE-FORM', 'mine'], form_nos: ['MINE', 'mine-form'] };
    for (const result of await cancelDocuments(app, crossed)) assert.equal((result as { status: string }).status, 'not_found');
    const right = { inbound_short_ids: ['MINE'], form_nos: ['MINE-FORM'] };
    for (const as of [alpha, beta]) {
      for (const result of await cancelDocuments(app, right, as)) assert.equal((result as { status: string }).status, 'not_found');
    }
    assert.deepEqual(await cancelInbounds(app, ['MINE-FORM'], prod), [{ stock_in_sn: 'MINE-FORM', status: 'not_found' }]);
  });
});

test('the same number in both channels: only the one that is named is cancelled', async () => {
  await announce(app, 'TWICE', { TWICE: 1 });
  await announceForm(app, 'TWICE', { TWICE: 1 });
  await cancelDocuments(app, { form_nos: ['TWICE'] });
  assert.equal((await documentOf(app, { inbound_short_id: 'TWICE' })).status, 'expected');
  assert.equal((await documentOf(app, { form_no: 'TWICE' })).status, 'cancelled');
});

test('fields that are missing or wrong are refused and named, and the numbers beside them come to no harm', async () => {
  await unchanged(app, async () => {
    for (const [body, msg] of [
      [{}, 'inbound_short_ids is missing; or name documents by form_nos'],
      [{ inbound_short_ids: [] }, 'inbound_short_ids must not have fewer than 1 items'],
      [{ form_nos: [] }, 'form_nos must not have fewer than 1 items'],
      [{ form_nos: Array(101).fill('MINE-FORM') }, 'form_nos must not have more than 100 items'],
      [{ inbound_short_ids: ['MINE'], form_nos: 'MINE-FORM' }, 'form_nos must be array'],
    ] as const) {
      assertNotDone(await app.callMain('/inbounds/cancel', body, { as: prod }), { msg });
    }
    for (const [what, wrong] of wrongIdentifiers.filter(([what]) => !/^(missing|of 126)/.test(what))) {
      const body = { inbound_short_ids: ['MINE'], form_nos: ['MINE-FORM', wrong] };
      const msg = assertNotDone(await app.callMain('/inbounds/cancel', body, { as: prod }));
      assert.ok(msg.startsWith('form_nos[1] must be '), `${what}: ${msg}`);
    }
  });
});

test('after all of it the books are in order', async () => {
  await assertBooksInOrder(app);
});
