import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { type ErasureRun, eraseRecipients } from '../../server/domain/recipients/erase-recipients.ts';
import { eraseRecipientsJob } from '../../server/jobs/erase-recipients-job.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { alpha, startTestApp, testConfig } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { actionsOf } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, orderPath, ship, shippingOrder, take } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { assertAuditClean, rowsOfAccount } from '../support/purge.ts';
import { cancelOrders, order, orderBody, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionLive(app);
await receive(app, { TEA: [['2030-01-01', 1000]] }, live);
await receive(app, { TEA: [['2030-01-01', 10]] }, alpha);
await bring(app, [{ sku: 'LAMP', quantity: 100 }], live.apiKey);
const { database } = app.store;
const here = makeRunHere(settingsFor(app.store));

const consignee = {
  consignee_name: '王小明',
  consignee_phone: '0912345678',
  consignee_address: '信義路7號',
  consignee_zip: '110',
};

/** An order of the warehouse API that has this status since exactly this time. */
async function ended(number: string, status: string, at: string, caller = live): Promise<void> {
  const body = { ...orderBody(number, [['TEA', 1]], caller), ...consignee };
  assert.equal((await app.callWarehouse('/outbound/create', body, caller)).status, 200);
  if (status === 'cancelled') await cancelOrders(app, [number], caller);
  else if (status !== 'pending_warehouse_transfer') await advance({ outbound_short_id: number }, status);
  await database.transaction(
    (tx) => tx`update orders set updated_at = ${at}::timestamptz where partner_number = ${number}`,
  );
}

async function advance(named: object, status: string): Promise<void> {
  if (status === 'delivered') await advance(named, 'shipped');
  const shipment = status === 'shipped' ? { shipment_no: `S-${JSON.stringify(named)}`.slice(0, 100) } : {};
  const answer = await app.callMain(
    '/fulfilment/advance',
    { orders: [{ ...named, status, ...shipment }] },
    { as: live },
  );
  assert.equal(retvalOf<{ results: { status: string }[] }>(answer).results[0]!.status, status);
}

async function erasedAmong(prefix: string): Promise<string[]> {
  const rows = await database.read(
    (sql) => sql`select partner_number as number from orders where partner_number like ${`${prefix}%`}
      and recipient_erased_at is not null and num_nonnulls(consignee_name, consignee_phone, consignee_address, consignee_zip) = 0
      order by partner_number`,
  );
  return rows.map(({ number }) => number);
}

async function runJob(now: string, env: Record<string, string> = { RECIPIENT_RETENTION_DAYS: '180' }): Promise<string> {
  const { service, keyring } = app.store;
  const run = {
    database: service,
    keyring,
    config: testConfig(env),
    metrics: makeMetrics(),
    stopping: new AbortController().signal,
    formatCallback,
  };
  return formatMessage(await eraseRecipientsJob.run({ ...run, clock: { now: () => new Date(now) } }));
}

const erase = (run: Partial<ErasureRun> & { endedBefore: Date }) =>
  eraseRecipients(app.store.service, app.store.keyring, { actor: 'test', restRatio: 0, ...run });

test('recipients are erased when the retention has passed since the last status, to the millisecond, and never before', async () => {
  const at = '2020-01-01T08:00:00.000Z';
  for (const status of ['shipped', 'delivered', 'cancelled', 'packed', 'pending_warehouse_transfer'])
    await ended(`B-${status}`, status, at);
  await ended('B-uat', 'cancelled', at, alpha);
  await ended('B-later', 'cancelled', '2020-01-01T08:00:00.001Z');

  assert.equal(await runJob('2020-06-29T08:00:00.000Z', {}), 'RECIPIENT_RETENTION_DAYS is off');
  assert.equal(await runJob('2020-06-29T08:00:00.000Z'), 'no recipient is past its retention');
  assert.deepEqual(await erasedAmong('B-'), []);
  assert.equal(
    await runJob('2020-06-29T08:00:00.001Z'),
    'erased the recipients of 3 orders, with 0 callback bodies and 0 notes',
  );
  assert.deepEqual(await erasedAmong('B-'), ['B-cancelled', 'B-delivered', 'B-shipped']);
  assert.equal(await runJob('2020-06-29T08:00:00.001Z'), 'no recipient is past its retention');
  const [report] = await database.read(
    (sql) => sql`select * from recipient_erasure order by recipient_erasure_id desc limit 1`,
  );
  const { actor, ended_before, orders, callbacks, notes, finished_at } = report!;
  assert.deepEqual(
    [actor, ended_before.toISOString(), orders, callbacks, notes, finished_at === null],
    ['erase_recipients', '2020-01-01T08:00:00.001Z', 3, 0, 0, false],
  );
});

test('values of changes that a node of an earlier version has left are erased later, and only those of erased orders', async () => {
  const at = '2020-01-01T08:00:00.000Z';
  for (const number of ['L-erased', 'L-kept']) await ended(number, 'cancelled', at);
  await database.transaction(async (tx) => {
    await tx`update orders set recipient_erased_at = now(), consignee_name = null where partner_number = 'L-erased'`;
    await tx`
      insert into order_change (account_id, order_id, kind, state, actor, fields, old_values, new_values, reason, request_id, warehouse_no)
      select account_id, order_id, kind, state, 'boss', '{name}', '{"name":"王小明"}', '{"name":"陳大文"}', 'he called', gen_random_uuid(), 1
      from orders, (values ('update', 'made'), ('update', 'requested'), ('hold', 'refused')) given(kind, state)
      where partner_number in ('L-erased', 'L-kept')`;
  });
  await erase({ endedBefore: new Date('2019-01-01'), batchMax: 2 });
  const rows = await database.read(
    (sql) => sql`
      select partner_number || ' ' || state || ' ' || num_nonnulls(old_values::text, new_values::text, reason, answer) as text
      from order_change join orders using (account_id, order_id) where partner_number like 'L-%' order by partner_number, order_change_id`,
  );
  assert.deepEqual(
    rows.map(({ text }) => text),
    [
      ...['L-erased made 0', 'L-erased refused 0', 'L-erased refused 0'],
      ...['L-kept made 3', 'L-kept requested 3', 'L-kept refused 3'],
    ],
  );
});

test('an erasure empties personal data and changes nothing else', async () => {
  const more = { address: '信義路7號', city: '臺北市', note: '請打電話', store_pickup_label_data: { store: '991' } };
  const callback_url = 'https://partner.example/in';
  await ship(app, 'E-1', [item('LAMP', 1, { identifier: 'LINE-1' })], { ...more, callback_url }, live.apiKey);
  await ship(app, 'E-2', [item('LAMP', 1)], { ...more, callback_url }, live.apiKey);
  await advance({ internal_name: 'E-1' }, 'delivered');
  await database.transaction(async (tx) => {
    await tx`update orders set updated_at = '2019-01-01' where partner_number = 'E-1'`;
    await tx`delete from callback_delivery`;
    await tx`update callback set status = 'delivered' where document_no = 'E-1'`;
    await tx`
      insert into callback_attempt (account_id, callback_id, attempt_no, duration_ms, http_status, response)
      select account_id, callback_id, 1, 1, 200, 'thanks, 王小明' from callback where document_no = 'E-1'`;
    await tx`
      insert into document_note (account_id, document_type, document_id, author, text)
      select account_id, 'order', order_id, 'packer', 'called 王小明' from orders where partner_number = 'E-1'`;
  });
  const before = await rowsOfAccount(app, live.accountNo);
  const outcome = await runJob('2019-12-31T00:00:00.000Z');
  assert.equal(outcome, 'erased the recipients of 1 orders, with 2 callback bodies and 1 notes');
  const after = await rowsOfAccount(app, live.accountNo);
  const changed = Object.keys(before).filter((table) => JSON.stringify(before[table]) !== JSON.stringify(after[table]));
  assert.deepEqual(changed, ['callback', 'callback_attempt', 'document_note', 'orders', 'shipping_order']);
  for (const table of changed) {
    const kept = before[table]!.filter((row) => after[table]!.includes(row));
    // Callbacks of the shipment and of the delivery.
    const erased = table.startsWith('callback') ? 2 : 1;
    assert.equal(kept.length, before[table]!.length - erased, `${table}: so many rows have changed`);
  }
  const [row] = await database.read(
    (sql) => sql`
      select o.status, o.shipment_no is not null as is_shipped, o.name, o.updated_at = '2019-01-01' as is_same_time, octet_length(payload_digest) as digest,
        s.customer_name, s.delivery_charge, s.city, s.note, s.store_pickup_label_data as label, c.body, c.status as callback,
        c.body_erased_at = o.recipient_erased_at as at_once, a.response, a.http_status, n.text, n.author, l.identifier
      from orders o join shipping_order s using (account_id, order_id) join order_line l using (account_id, order_id)
      join callback c on c.document_id = o.order_id and c.account_id = o.account_id join callback_attempt a on a.callback_id = c.callback_id and a.account_id = o.account_id
      join document_note n on n.document_id = o.order_id and n.account_id = o.account_id where o.partner_number = 'E-1'`,
  );
  assert.deepEqual(
    { ...row },
    {
      ...{ status: 'delivered', is_shipped: true, name: 'SHOP-E-1', is_same_time: true, digest: 36 },
      ...{ customer_name: '', delivery_charge: '60.00', city: null, note: null, label: null, body: '{}' },
      ...{ callback: 'delivered', at_once: true, response: null, http_status: 200, text: '', author: 'packer' },
      identifier: 'LINE-1',
    },
  );
  await assertAuditClean(app);

  const search = { 'orders.internal_name': 'E-1' };
  const found = await app.callMain('/getOrdersData/searchList', search, { as: live });
  const [shown] = retvalOf<{ rows: Record<string, string | null>[] }>(found).rows;
  const { consignee_name, consignee_phone, consignee_address, shipping, recipient_erased_at, status } = shown!;
  assert.deepEqual([consignee_name, consignee_phone, consignee_address, status], [null, null, null, 'delivered']);
  assert.deepEqual(shipping, {
    ...{ customer_name: '', delivery_charge: 60, city: null, note: null, callback_url },
    store_pickup_label_data: null,
  });
  assert.match(recipient_erased_at!, /^\d{4}-\d\d-\d\dT.*\+08:00$/);
});

test('an erased callback is not sent again: every way to redeliver counts it apart', async () => {
  const [callback] = await database.read((sql) => sql`select event_id from callback where document_no = 'E-1'`);
  const event_ids = [callback!.event_id as string];
  for (const dry_run of [true, false])
    assert.deepEqual(retvalOf(await app.callMain('/callbacks/redeliver', { event_ids, dry_run }, { as: live })), {
      count: 0,
      erased: 1,
    });
  const { stdout } = await here.run(`callbacks redeliver ${event_ids[0]}`);
  assert.equal(
    stdout,
    '0 callbacks will be redelivered; 1 cannot be, because the body was erased with the recipient\n',
  );
  assert.match(
    (await here.run(`callbacks show ${event_ids[0]}`)).stdout,
    /\nbody, erased on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n {2}\{\}\n/,
  );
  assert.deepEqual([...(await database.read((sql) => sql`select from callback_delivery`))], []);
  const found = await app.callMain(
    '/getCallbacksData/searchList',
    { 'callbacks.event_id': event_ids[0] },
    { as: live },
  );
  const [row] = retvalOf<{ rows: { body: string; body_erased_at: string }[] }>(found).rows;
  assert.deepEqual([row!.body, typeof row!.body_erased_at], ['{}', 'string']);
});

test('a run works in batches, stops when asked and is continued by the next; two runs at once erase each order once', async () => {
  const at = '2018-01-01T00:00:00Z';
  for (let n = 1; n <= 7; n++) await ended(`R-${n}`, 'cancelled', at);
  const endedBefore = new Date('2018-06-01');
  const stopping = new AbortController();
  const stopped = await erase({ endedBefore, batchMax: 2, stopping: stopping.signal, onBatch: () => stopping.abort() });
  assert.deepEqual([stopped!.orders, stopped!.finishedAt], [2, null]);
  assert.deepEqual(await erasedAmong('R-'), ['R-1', 'R-2']);
  const both = await Promise.all([erase({ endedBefore, batchMax: 1 }), erase({ endedBefore, batchMax: 1 })]);
  const rest = await erase({ endedBefore });
  assert.equal(
    [...both, rest].reduce((sum, report) => sum + (report?.orders ?? 0), 0),
    5,
  );
  assert.equal((await erasedAmong('R-')).length, 7);
});

test('callbacks that still wait for a paused receiver end as failed when the retention has passed', async () => {
  const callback_url = 'https://paused.example/in';
  await take(app, orderPath, shippingOrder('P-1', [item('LAMP', 1)], { note: 'x', callback_url }), live.apiKey);
  await advance({ internal_name: 'P-1' }, 'shipped');
  await database.transaction((tx) => tx`update orders set updated_at = '2017-01-01' where partner_number = 'P-1'`);
  assert.equal((await erase({ endedBefore: new Date('2017-06-01') }))!.orders, 1);
  const rows = await database.read(
    (sql) =>
      sql`select status, body, (select count(*)::integer from callback_delivery) as queued from callback where document_no = 'P-1'`,
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ status: 'failed', body: '{}', queued: 0 }],
  );
});

test('order forget erases one order that has ended, after a confirmation; everything else is refused and changes nothing', async () => {
  await order(app, 'F-1', [['TEA', 1]], live);
  await ship(app, 'F-1', [item('LAMP', 1)], { callback_url: 'https://partner.example/in' }, live.apiKey);
  await order(app, 'F-1', [['TEA', 1]], alpha);
  const run = (args: string) => here.run(`order forget ${args}`);
  const before = await rowsOfAccount(app, live.accountNo);
  const refusals: [args: string, code: number, message: RegExp][] = [
    ['F-9 --yes', 1, /^lading: there is no order F-9\n$/],
    ['F-1 --yes', 1, /^lading: several documents have the number F-1; use --account, or our own number:\n/],
    ['F-1 --account ALPHA', 2, /^lading: erasing cannot be undone; confirm it with --yes/],
    [
      'F-1 --account ALPHA --yes',
      1,
      /^lading: ow_F-1_\w+ has not ended: its status is pending_warehouse_transfer\. Only/,
    ],
  ];
  for (const [args, code, message] of refusals) {
    const result = await run(args);
    assert.deepEqual([result.code, result.stdout], [code, ''], args);
    assert.match(result.stderr, message);
  }
  assert.deepEqual(await rowsOfAccount(app, live.accountNo), before);

  const orderNo = async (channel: string) =>
    (
      await database.read(
        (sql) => sql`select order_no, order_id from orders join account using (account_id)
      where partner_number = 'F-1' and channel = ${channel} and account_no = 'LIVE'`,
      )
    )[0]!;
  const [direct, logistics] = [await orderNo('warehouse'), await orderNo('logistics')];
  await advance({ internal_name: 'F-1' }, 'shipped');
  const pending = await run(`${logistics.order_no} --yes`);
  assert.match(
    pending.stderr,
    /^lading: 1 callback of ow_F-1_\w+ must be delivered first; a callback fails after 31 hours/,
  );
  await cancelOrders(app, ['F-1'], live);
  const done = { order_no: direct.order_no, account_no: 'LIVE' };
  assert.deepEqual(await here.json(`order forget ${direct.order_no} --yes`), {
    ...done,
    kind: 'erased',
    erased_before: null,
  });
  const { erased_before, ...again } = await here.json(`order forget ${direct.order_no} --yes`);
  assert.deepEqual(again, { ...done, kind: 'already' });
  assert.match(
    (await here.run(`order show ${direct.order_no}`)).stdout,
    new RegExp(`\nrecipient +erased on ${erased_before.slice(0, 19).replace('T', ' ')}`),
  );

  const entry = { username: `lading (${userInfo().username})`, details: {} };
  const subject = `order ${direct.order_id}`;
  assert.deepEqual((await actionsOf(app, 'orders/forget')).slice(-3), [
    { ...entry, subject: `order ${logistics.order_id}`, outcome: 'callbacks_pending' },
    { ...entry, subject, outcome: 'erased' },
    { ...entry, subject, outcome: 'already' },
  ]);
});
