import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import { listPartners } from '../../server/domain/partners/partner-queries.ts';
import { receiveFormsJob } from '../../server/jobs/receive-forms-job.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { column } from '../support/console.ts';
import { holdTransaction, lockIsAwaited } from '../support/database.ts';
import { form, formPath, ship, stopForm, take, unchanged } from '../support/logistics.ts';
import { cancelDocuments, receiveUnits, units } from '../support/receiving.ts';
import { emptyRow, goodRow, stockOf } from '../support/warehouse.ts';

const app = await startTestApp();
const place = { warehouse_no: 1, store_no: 10 };
const keyOf = (name: string) => `${name}-key-of-thirty-two-characters-or-more`;
const later = keyOf('later');
await app.provision({
  logistics_keys: [
    { name: 'later', key: later, account_no: 'ALPHA', ...place, sellable_days_before_expiry: null },
    { name: 'hour', key: keyOf('hour'), account_no: 'ALPHA', ...place, receive_after_s: 3600 },
    { name: 'confirm', key: keyOf('confirm'), account_no: 'ALPHA', ...place, receiving: 'on_confirm' },
  ],
});

const start = new Date('2026-03-01T04:00:00Z');
const expiry = '2030-01-01';
app.clock.set(start);

/** Runs the job as if so many seconds had passed since the forms were created. */
async function runAfter(seconds: number): Promise<string> {
  const { service: database, keyring } = app.store;
  const { config, metrics } = app;
  const stopping = new AbortController().signal;
  const clock = { ...app.clock, now: () => new Date(start.getTime() + seconds * 1000) };
  return formatMessage(
    await receiveFormsJob.run({ database, keyring, clock, config, metrics, stopping, formatCallback }),
  );
}

const counted = (count: number, left = 0) =>
  `received ${count} forms whose time had come; ${left} could not be received`;

async function send(number: string, products: { sku: string; quantity: number }[], other: object = {}, apiKey = later) {
  const dated = products.map((product) => ({ expire_date: expiry, ...product }));
  return (await take(app, formPath, form(number, dated, { ...other }), apiKey)).status;
}

async function formOf(number: string) {
  const [row] = await app.store.database.read(
    (sql) => sql`select status, receive_at from inbound_document where partner_number = ${number}`,
  );
  return row!;
}

async function eventsOf(number: string): Promise<{ event: string; received: { quantity: number }[] }[]> {
  const rows = await app.store.database.read(
    (sql) => sql`select body from callback where document_no = ${number} order by callback_id`,
  );
  return rows.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body));
}

async function assertAuditClean(): Promise<void> {
  assert.deepEqual((await auditStock(app.store.service)).findings, []);
}

test('a form of a new UAT key stays expected for 30 s, is then received with its callback, and once only', async () => {
  assert.equal(await send('WAITS', [{ sku: 'WAITS', quantity: 5 }]), 'expected');
  assert.deepEqual(await formOf('WAITS'), { status: 'expected', receive_at: new Date('2026-03-01T04:00:30Z') });
  assert.equal(await unchanged(app, () => runAfter(29)), counted(0));
  assert.deepEqual(await stockOf(app, 'WAITS'), [emptyRow('WAITS')]);
  assert.deepEqual(await eventsOf('WAITS'), []);

  assert.deepEqual(await Promise.all([runAfter(30), runAfter(30)]).then((all) => all.sort().at(-1)), counted(1));
  assert.equal((await formOf('WAITS')).status, 'received');
  assert.deepEqual(await stockOf(app, 'WAITS'), [goodRow('WAITS', expiry, 5)]);
  const events = await eventsOf('WAITS');
  assert.deepEqual(column(events, 'event'), ['inbound.received']);
  assert.equal(await unchanged(app, () => runAfter(3000)), counted(0));
  await assertAuditClean();
});

test('after partial receipts only the rest arrives, in the lots that were announced', async () => {
  const lines = [
    { sku: 'PART', quantity: 5 },
    { sku: 'PART', quantity: 3, batch: 'B' },
    { sku: 'WHOLE', quantity: 2 },
  ];
  assert.equal(await send('PART', lines), 'expected');
  const name = { form_no: 'PART' };
  assert.equal((await receiveUnits(app, name, [units('PART', 2)], {}, alpha)).status, 'receiving');
  await receiveUnits(app, name, [units('PART', 1, { stock_type: 'bad' })], {}, alpha);
  assert.equal(await runAfter(30), counted(1));
  assert.equal((await formOf('PART')).status, 'received');
  const rows = await stockOf(app, 'PART');
  assert.deepEqual(rows.map(({ batch_id, stock_type, qty }) => `${batch_id} ${stock_type} ${qty}`).sort(), [
    ' bad 1',
    ' good 4',
    'B good 3',
  ]);
  assert.deepEqual(await stockOf(app, 'WHOLE'), [goodRow('WHOLE', expiry, 2)]);
  const [event] = await eventsOf('PART');
  assert.equal(
    event!.received.reduce((sum, { quantity }) => sum + quantity, 0),
    10,
  );
  await assertAuditClean();
});

test('a form that was stopped, cancelled or completed before its time is left alone', async () => {
  for (const number of ['STOPS', 'CANCELS', 'ENDS', 'COMES']) await send(number, [{ sku: number, quantity: 4 }], {});
  await receiveUnits(app, { form_no: 'STOPS' }, [units('STOPS', 1)], {}, alpha);
  assert.equal((await take(app, formPath, stopForm('STOPS'), later)).status, 'stopped');
  assert.deepEqual(await cancelDocuments(app, { form_nos: ['CANCELS'] }, alpha), [
    { form_no: 'CANCELS', status: 'cancelled' },
  ]);
  await receiveUnits(app, { form_no: 'ENDS' }, [units('ENDS', 1)], { final: true }, alpha);
  await receiveUnits(app, { form_no: 'COMES' }, [units('COMES', 4)], {}, alpha);
  assert.equal(await unchanged(app, () => runAfter(60)), counted(0));
  assert.deepEqual(await stockOf(app, 'CANCELS'), [emptyRow('CANCELS')]);
  assert.deepEqual(await stockOf(app, 'STOPS'), [goodRow('STOPS', expiry, 1)]);
  await assertAuditClean();
});

test('an automatically received form can still be cancelled while all its units are free, as on_create promises', async () => {
  await send('BACK', [{ sku: 'BACK', quantity: 3 }]);
  assert.equal(await runAfter(30), counted(1));
  assert.deepEqual(await cancelDocuments(app, { form_nos: ['BACK'] }, alpha), [
    { form_no: 'BACK', status: 'cancelled' },
  ]);
  assert.deepEqual(await stockOf(app, 'BACK'), [emptyRow('BACK')]);
  await assertAuditClean();
});

test('a return arrives as good, and a waiting order finds the units', async () => {
  assert.equal(
    await ship(app, 'HOPES', [{ sku: 'HOPED', quantity: 2, storage_type: '1' }], {}, later),
    'awaiting_stock',
  );
  assert.equal(await send('RETURNS', [{ sku: 'HOPED', quantity: 2 }], { form_type: 2 }), 'expected');
  assert.equal(await runAfter(30), counted(1));
  assert.deepEqual(column(await eventsOf('RETURNS'), 'event'), ['return.received']);
  assert.deepEqual(await stockOf(app, 'HOPED'), [goodRow('HOPED', expiry, 2)]);
});

test('each form keeps the time of its key: another setting, on_confirm, and a change of the key afterwards', async () => {
  assert.equal(await send('HOUR', [{ sku: 'HOUR', quantity: 1 }], {}, keyOf('hour')), 'expected');
  assert.equal(await send('NEVER', [{ sku: 'NEVER', quantity: 1 }], {}, keyOf('confirm')), 'expected');
  await app.provision({ logistics_keys: [{ name: 'hour', account_no: 'ALPHA', receive_after_s: 0 }] });
  assert.equal(await runAfter(3599), counted(0));
  assert.equal(await runAfter(3600), counted(1));
  assert.deepEqual(
    [(await formOf('HOUR')).status, await formOf('NEVER')],
    ['received', { status: 'expected', receive_at: null }],
  );
});

test('a receipt, a stop and a cancellation at the moment of the job leave the books right, and each form in one end', async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => `MOMENT-${index}`);
  for (const number of numbers) await send(number, [{ sku: 'MOMENT', quantity: 3 }]);
  const received = { sku_id: 'MOMENT', expire_date: expiry, qty: 1, stock_type: 'good' };
  await Promise.all([
    runAfter(30),
    ...numbers.map((form_no, index) => {
      if (index % 3 === 0) return app.callMain('/inbounds/receive', { form_no, details: [received] });
      if (index % 3 === 1) return app.callMain('/inbounds/stop', { form_no });
      return cancelDocuments(app, { form_nos: [form_no] }, alpha);
    }),
    runAfter(30),
  ]);
  await runAfter(30);
  const ends = await Promise.all(numbers.map(async (number) => (await formOf(number)).status));
  assert.ok(ends.every((status, index) => status === 'received' || status === ['', 'stopped', 'cancelled'][index % 3]));
  const [row] = await stockOf(app, 'MOMENT');
  assert.equal(row!.qty, 3 * ends.filter((status) => status === 'received').length);
  for (const number of numbers) assert.equal((await eventsOf(number)).length >= 1, true);
  await assertAuditClean();
});

test('a form whose lot is full stays expected, and the others are received', async () => {
  const most = Array.from({ length: 500 }, () => ({ sku: 'FULL', quantity: 1_000_000_000 }));
  for (const number of ['FULL-1', 'FULL-2', 'FULL-3']) await send(number, most);
  await send('BESIDE', [{ sku: 'BESIDE', quantity: 1 }]);
  assert.equal(await runAfter(30), counted(3, 1));
  assert.deepEqual([(await formOf('FULL-3')).status, (await formOf('BESIDE')).status], ['expected', 'received']);
  await cancelDocuments(app, { form_nos: ['FULL-3'] }, alpha);
});

test('a form waits for the next run if somebody else creates its lot at the same moment', async () => {
  await send('SAME-LOT', [{ sku: 'SAME-LOT', quantity: 2 }]);
  const creation = await holdTransaction(
    app.store.database,
    (tx) => tx`
      with made as (
        insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
        select account_id, 1, product_id, sku_id, 'good', '', ${expiry}::date, 1, 0 from product where sku_id = 'SAME-LOT'
        returning account_id, lot_id)
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      select account_id, lot_id, 'adjust', 1, 0, 'test', 'counted' from made`,
  );
  const run = runAfter(30);
  await lockIsAwaited(app.store.database);
  await creation.release();
  assert.equal(await run, counted(0, 1));
  assert.equal((await formOf('SAME-LOT')).status, 'expected');

  assert.equal(await runAfter(30), counted(1));
  assert.deepEqual(await stockOf(app, ['SAME-LOT']), [goodRow('SAME-LOT', expiry, 3)]);
  await assertAuditClean();
});

test('a new key of a production account receives no form by itself, and cannot be set to', async () => {
  await app.provision({ accounts: [{ account_no: 'LIVE', environment: 'production' }] });
  const key = { name: 'live', account_no: 'LIVE', ...place };
  const { service, keyring } = app.store;
  const refused = await applyProvisioning(
    service,
    keyring,
    { logistics_keys: [{ ...key, receive_after_s: 30 }] },
    { actor: 'test' },
  );
  assert.deepEqual(refused, {
    kind: 'refused',
    mistakes: [
      {
        path: ['logistics_keys', 0, 'receive_after_s'],
        message: 'only keys of UAT accounts receive forms by themselves; in production it must be 0',
        reason: 'fixed',
      },
    ],
  });
  await app.provision({ logistics_keys: [{ ...key, receive_after_s: 0 }] });
  const keys = await service.read(noAccounts, (sql) => listPartners(sql, 'logistics_key'));
  assert.deepEqual(
    keys.map(({ name, account_no, receive_after_s }) => [account_no, name, receive_after_s]),
    [
      ['ALPHA', 'confirm', 30],
      ['ALPHA', 'hour', 0],
      ['ALPHA', 'later', 30],
      ['ALPHA', 'wms', 0],
      ['BETA', 'wms', 0],
      ['LIVE', 'live', 0],
    ],
  );
});
