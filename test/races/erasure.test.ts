import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redeliverInBatches } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import { eraseRecipients } from '../../server/domain/recipients/erase-recipients.ts';
import { forgetOrder } from '../../server/domain/recipients/forget-order.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { startTestDelivery } from '../callbacks/delivery.ts';
import { startHangingReceiver, startReceiver } from '../callbacks/receiver.ts';
import { startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, orderPath, shippingOrder } from '../support/logistics.ts';
import { assertAuditClean } from '../support/purge.ts';
import { until } from '../support/worker.ts';
import { assertNoDeadlocks, eachRound, listOf, roundsOf, shuffled, sum } from './races.ts';

const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionLive(app);
await bring(app, [{ sku: 'LAMP', quantity: 100_000 }], live.apiKey);
const other = openDatabase(app.store.serviceConnection, { max: 6, deadlineSeconds: 60 });
test.after(() => other.close());
const { database, service, keyring } = app.store;

const bodyOf = (number: string, callback_url: string) =>
  shippingOrder(number, [item('LAMP', 1)], { note: `note of ${number}`, address: '信義路7號', callback_url });

async function create(number: string, url: string): Promise<number> {
  return (await app.callLogistics(orderPath, bodyOf(number, url), live)).status;
}

async function advance(number: string, status: string): Promise<void> {
  const entry = { internal_name: number, status, ...(status === 'shipped' ? { shipment_no: `S-${number}` } : {}) };
  assert.equal((await app.callMain('/fulfilment/advance', { orders: [entry] }, { as: live })).status, 200);
}

const eraseAll = (through = service) =>
  eraseRecipients(through, keyring, {
    endedBefore: new Date(Date.now() + 60_000),
    actor: 'test',
    restRatio: 0,
    batchMax: 3,
  });

/** The first one. */
async function callbackOf(number: string) {
  const [row] = await database.read(
    (sql) => sql<{ accountId: number; callbackId: number; orderId: number; status: string; isErased: boolean }[]>`
      select account_id as "accountId", callback_id as "callbackId", document_id as "orderId", status, body_erased_at is not null as "isErased"
      from callback where document_no = ${number} order by callback_id`,
  );
  return row!;
}

/**
 * Personal data of an order is there as a whole or gone as a whole, and nothing without its body is queued. A callback
 * of a later event has a body, which contains nothing about the recipient.
 */
async function assertNoneIsHalf(): Promise<void> {
  const half = await database.read(
    (sql) => sql`
      select partner_number from orders join shipping_order using (account_id, order_id)
      where num_nonnulls(recipient_erased_at) <> case when consignee_name is null and consignee_address is null and note is null and customer_name = ''
          and octet_length(payload_digest) = 36 then 1 else 0 end
        or (recipient_erased_at is null and num_nonnulls(consignee_name, consignee_phone, consignee_address, note) < 4)
      union all
      select document_no from callback join orders o on o.account_id = callback.account_id and o.order_id = document_id
      where document_type = 'order' and case when recipient_erased_at is null then body_erased_at is not null
        else body_erased_at is null and body::json ->> 'note' is not null end
      union all
      select document_no from callback join callback_delivery using (account_id, callback_id) where body_erased_at is not null`,
  );
  assert.deepEqual(
    half.map((row) => ({ ...row })),
    [],
  );
}

test('an order whose callback is being sent keeps its recipient until the result is recorded; the partner gets the whole body', async () => {
  const receiver = await startHangingReceiver();
  await create('SENT', receiver.url);
  await advance('SENT', 'shipped');
  const worker = startTestDelivery(service);
  await until('the callback is being sent', () => receiver.received.length === 1);
  const { accountId, orderId } = await callbackOf('SENT');
  const forget = () => service.transaction([accountId], (tx) => forgetOrder(tx, keyring, { accountId, orderId }));
  assert.equal(await eraseAll(), null);
  assert.deepEqual(await forget(), { kind: 'callbacks_pending', count: 1 });
  await assertNoneIsHalf();

  receiver.letGo();
  await until('the result is recorded', async () => (await callbackOf('SENT')).status === 'delivered');
  assert.deepEqual(await forget(), { kind: 'erased' });
  await worker.close();
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).note),
    ['note of SENT'],
  );
  await assertNoneIsHalf();
});

test('erasures beside deliveries, redeliveries, state changes and repeats: nothing is half erased, and no body is sent that is erased', async () => {
  const receiver = await startReceiver();
  const worker = startTestDelivery(other);
  await eachRound(roundsOf({ usual: 2, full: 100 }), async (round) => {
    const numbers = listOf(12, (index) => `MIX-${round}-${index}`);
    await Promise.all(numbers.map((number) => create(number, receiver.url)));
    await Promise.all(numbers.map((number) => advance(number, 'shipped')));
    const callbacks = await Promise.all(numbers.map(callbackOf));
    const statuses: number[] = [];
    const reports = await Promise.all([
      eraseAll(),
      eraseAll(other),
      ...shuffled([
        ...numbers.map((number) => () => advance(number, 'delivered')),
        ...callbacks.map((callback) => () => redeliverInBatches(service, [callback])),
        ...numbers.map((number) => async () => void statuses.push(await create(number, receiver.url))),
        ...callbacks.slice(0, 4).map(
          ({ accountId, orderId }) =>
            () =>
              other.transaction([accountId], (tx) => forgetOrder(tx, keyring, { accountId, orderId })),
        ),
      ]).map((work) => work()),
    ]);
    await assertNoneIsHalf();
    assert.deepEqual(
      statuses,
      listOf(12, () => 200),
      'a repeat is a repeat before and after',
    );
    await until('all callbacks have ended', async () => {
      const queued = await database.read((sql) => sql`select from callback_delivery`);
      return queued.length === 0;
    });
    const rest = await eraseAll();
    const erased = await database.read(
      (sql) =>
        sql`select from orders where partner_number like ${`MIX-${round}-%`} and recipient_erased_at is not null and status = 'delivered'`,
    );
    assert.equal(erased.length, 12);
    assert.ok(
      sum([reports[0], reports[1], rest].map((report) => (report as { orders: number } | null)?.orders ?? 0)) <= 12,
    );
  });
  await worker.close();
  for (const { body } of receiver.received) {
    const { event, document_no, note } = JSON.parse(body);
    assert.ok(note === `note of ${document_no}` || (event === 'order.delivered' && note === null), body);
  }
  await assertNoneIsHalf();
  await assertAuditClean(app);
  await assertNoDeadlocks(app);
});
