import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { allocateWaiting } from '../../server/domain/orders/allocate-waiting.ts';
import { beta, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { actionsOf, columns } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, cancelShipping, form, formPath, item, placeOf, ship, stopForm, take } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { cancelInbounds, createInbound, order, receive, syncProducts } from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const here = makeRunHere(settingsFor(app.store));
const place = { warehouse_no: 1, store_no: 10 };
const confirmed = {
  name: 'confirmed',
  key: 'live-confirmed-of-thirty-two-characters-or-more',
  account_no: live.accountNo,
  ...place,
};
await provisionLive(app);
await app.provision({ logistics_keys: [{ ...confirmed, receiving: 'on_confirm' }] });

type Entry = Record<'event' | 'from' | 'to' | 'at' | 'by' | 'trace_id', string | null>;

/** The steps of a timeline; each has its time, and those of calls have their trace id. */
function stepsOf(timeline: Entry[]): string[] {
  for (const [index, { at }] of timeline.entries()) {
    assert.match(at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00$/);
    if (index > 0) assert.ok(at! >= timeline[index - 1]!.at!);
  }
  return timeline.map(
    ({ event, from, to, by, trace_id }) => `${event}: ${from} -> ${to} by ${by}${trace_id ? ', called' : ''}`,
  );
}

const personal = ['Chen Wei', '0900000000', 'Lin Mei-hua', '1 Test Road', 'ring twice'];

test('order show: lines, lots, callbacks and timeline of a shipping order that waited, was shipped and notified', async () => {
  await bring(app, [{ sku: 'TEA', quantity: 1, batch: 'B', expire_date: '2030-01-01' }], live.apiKey);
  const callback_url = 'https://partner.example/orders';
  const other = { callback_url, address: '1 Test Road', note: 'ring twice' };
  const items = [item('TEA', 2, { combo_sku: 'SET' }), item('TEA', 1, { batch: 'B' })];
  assert.equal(await ship(app, 'SHOW-1', items, other, live.apiKey), 'awaiting_stock');
  await bring(app, [{ sku: 'TEA', quantity: 5 }], live.apiKey);
  const waiting = await here.json('order show SHOW-1');
  assert.deepEqual([waiting.status, waiting.lots, waiting.callbacks], ['awaiting_stock', [], []]);

  await allocateWaiting(app.store.service, await placeOf(app, 'TEA', { accountNo: 'LIVE' }), app.clock.now());
  const holding = await here.json('order show SHOW-1');
  const lots = [
    { sku_id: 'TEA', stock_type: 'good', batch_id: 'B', expire_date: '2030-01-01', locked: 1, shipped: 0 },
    { sku_id: 'TEA', stock_type: 'good', batch_id: '', expire_date: null, locked: 2, shipped: 0 },
  ];
  assert.deepEqual(holding.lots, lots);

  const shipped = { internal_name: 'SHOW-1', status: 'shipped', shipment_no: 'S-77', carrier: 'tcat' };
  retvalOf(await app.callMain('/fulfilment/advance', { orders: [shipped] }, { as: live }));
  const history = await here.json('order show SHOW-1');
  const { document_no, created_at, updated_at, trace_id, timeline, callbacks, lots: left, ...rest } = history;
  assert.match(document_no, /^ow_SHOW-1_[0-9a-f]{10}$/);
  assert.ok(updated_at > created_at);
  assert.equal(updated_at, timeline.at(-1).at, 'it changed when its last event happened');
  assert.deepEqual(rest, {
    ...{ account_no: 'LIVE', channel: 'logistics', partner_number: 'SHOW-1', status: 'shipped', name: 'SHOP-SHOW-1' },
    ...{ logistics_type: null, express_type: null, shipment_no: 'S-77', carrier: 'tcat', ...place },
    ...{ undelivered_reason: null, short: [], parcels: rest.parcels, returns: [] },
    ...{ created_by: 'LIVE/wms', transfer: null, recipient_erased_at: null, recipient: rest.recipient },
    ...{ held: false, changes: [] },
    lines: [
      { sku_id: 'TEA', qty: 2, batch_id: null, combo_sku: 'SET', identifier: null },
      { sku_id: 'TEA', qty: 1, batch_id: 'B', combo_sku: null, identifier: null },
    ],
  });
  assert.deepEqual(columns(rest.parcels, 'shipment_no', 'carrier', 'items'), [
    [
      ...['S-77', 'tcat'],
      lots.map(({ sku_id, batch_id, expire_date, locked: qty }) => ({ sku_id, qty, batch_id, expire_date })),
    ],
  ]);
  assert.deepEqual(
    left,
    lots.map((lot) => ({ ...lot, locked: 0, shipped: lot.locked })),
  );
  assert.deepEqual(columns(callbacks, 'event', 'status', 'attempts'), [['order.shipped', 'pending', 0]]);
  assert.ok(callbacks[0].next_attempt_at !== null);
  assert.deepEqual(stepsOf(timeline), [
    'create: null -> awaiting_stock by LIVE/wms, called',
    'allocate: awaiting_stock -> pending_warehouse_transfer by waiting orders',
    'ship: pending_warehouse_transfer -> shipped by LIVE/live-wms, called',
  ]);
  assert.equal(timeline[0].trace_id, trace_id);
  assert.deepEqual(await here.json(['order', 'show', document_no]), history, 'by our own number it is the same');
});

test('order show as text has the same facts, and as text and JSON no personal details', async () => {
  const history = await here.json('order show SHOW-1');
  const { document_no, trace_id, callbacks } = history;
  const { stdout } = await here.run('order show SHOW-1');
  const parts = [document_no, 'SHOW-1 (account LIVE, logistics)', 'S-77, tcat', 'order.shipped', trace_id];
  for (const part of [...parts, callbacks[0].event_id]) assert.ok(stdout.includes(part), part);
  assert.match(stdout, /\n\ntimeline\n {2}event +from +to +at +by +trace_id\n {2}create +- +awaiting_stock /);
  for (const detail of personal)
    assert.ok(!stdout.includes(detail) && !JSON.stringify(history).includes(detail), detail);
});

test('order show masks the recipient; --show-recipient prints it, and the audit log records that', async () => {
  const { recipient: masked, ...history } = await here.json('order show SHOW-1');
  assert.deepEqual(masked, {
    ...{ country: null, name: 'C** W**', phone: '09xx-xxx-000', address: '***', city: null, zip: null },
    ...{ customer_name: 'L** M**', note: '***', store_pickup_label_data: null },
  });
  assert.deepEqual(await actionsOf(app, 'orders/view-recipient'), []);
  const { recipient, ...same } = await here.json('order show SHOW-1 --show-recipient');
  assert.deepEqual(same, history);
  const [{ order_id } = { order_id: 0 }] = await app.store.database.read(
    (sql) => sql`select order_id from orders where partner_number = 'SHOW-1'`,
  );
  const entry = { username: `lading (${userInfo().username})`, subject: `order ${order_id}`, details: {} };
  assert.deepEqual(await actionsOf(app, 'orders/view-recipient'), [{ ...entry, outcome: 'viewed' }]);
  assert.deepEqual(recipient, {
    ...{ country: null, name: 'Chen Wei', phone: '0900000000', address: '1 Test Road', city: null, zip: null },
    ...{ customer_name: 'Lin Mei-hua', note: 'ring twice', store_pickup_label_data: null },
  });
  const { stdout } = await here.run('order show SHOW-1 --show-recipient');
  for (const detail of personal) assert.ok(stdout.includes(detail), detail);
});

test('order show prints the transfer to the warehouse', async () => {
  await receive(app, { SOAP: [['2030-01-01', 5]] }, live);
  await order(app, 'SHOW-2', [['SOAP', 1]], live);
  await app.store.database.transaction(
    (tx) => tx`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
      select order_id, '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80', account_id, warehouse_no, 'rejected', 2, 'address unknown'
      from orders where partner_number = 'SHOW-2'`,
  );
  const { transfer, logistics_type, express_type, channel } = await here.json('order show SHOW-2');
  const { created_at, updated_at, ...rest } = transfer;
  assert.ok(updated_at >= created_at);
  assert.deepEqual([channel, logistics_type, express_type], ['warehouse', 'home', 'tcat']);
  const transfer_id = '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80';
  assert.deepEqual(rest, { transfer_id, status: 'rejected', attempts: 2, reason: 'address unknown', note: null });
  const { stdout } = await here.run('order show SHOW-2');
  assert.match(stdout, /\ntransfer +0199c3b2-\S+; rejected; 2 attempts; address unknown\n/);
});

test('a number of several orders: they are listed, and the account or our own number selects one', async () => {
  await receive(app, { MANY: [['2030-01-01', 5]] });
  await ship(app, 'MANY', [item('MANY', 1)]);
  await ship(app, 'MANY', [item('MANY', 1)], {}, beta.apiKey);
  const several = await here.run('order show MANY');
  assert.deepEqual([several.code, several.stdout], [1, '']);
  const numbers = [...several.stderr.matchAll(/^ {2}(ow_MANY_[0-9a-f]{10}) \(account (ALPHA|BETA), logistics\)$/gm)];
  assert.deepEqual(
    numbers.map(([, , account]) => account),
    ['ALPHA', 'BETA'],
  );
  assert.match(several.stderr, /^lading: several documents have the number MANY; use --account, or our own number:\n/);
  assert.equal((await here.json('order show MANY --account BETA')).account_no, 'BETA');
  assert.equal((await here.json(['order', 'show', numbers[0]![1]!])).account_no, 'ALPHA');

  // One account may have the same number in both channels.
  const { orders_id } = await order(app, 'MANY', [['MANY', 1]]);
  const both = await here.run('order show MANY --account ALPHA');
  assert.equal(both.code, 1);
  assert.match(both.stderr, /\(account ALPHA, logistics\)\n {2}ow_MANY_[0-9a-f]{10} \(account ALPHA, warehouse\)\n$/);
  assert.equal((await here.json(['order', 'show', orders_id])).channel, 'warehouse');

  // A partner's number may look like one of ours.
  await order(app, orders_id, [['MANY', 1]]);
  const lookAlike = await here.run(['order', 'show', orders_id]);
  assert.equal(lookAlike.code, 1, 'it is the number of two orders now');
});

test('an unknown number is reported, whatever it looks like', async () => {
  for (const [document, what] of [
    ['order', 'order'],
    ['inbound', 'inbound document'],
  ] as const) {
    for (const number of ['NOBODY', 'ow_NOBODY_0123456789', 'si_00000000000000000000', "';--", '%']) {
      const { code, stdout, stderr } = await here.run([document, 'show', number]);
      assert.deepEqual([code, stdout, stderr], [1, '', `lading: there is no ${what} ${number}\n`]);
    }
    const { code, stderr } = await here.run([document, 'show', 'SHOW-2', '--account', 'BETA']);
    assert.deepEqual([code, stderr], [1, `lading: there is no ${what} SHOW-2 of account BETA\n`]);
  }
});

test('inbound show: lines, units received and retracted, and the timeline of an inbound document', async () => {
  await syncProducts(app, ['FLOUR']);
  const units: [string, number][] = [
    ['2030-01-01', 3],
    ['2030-02-01', 4],
  ];
  const { stock_in_no } = await createInbound(app, 'IN-1', { FLOUR: units });
  const lots = units.map(([expire_date, received]) => ({
    ...{ sku_id: 'FLOUR', stock_type: 'good', batch_id: '', expire_date },
    received,
    retracted: 0,
  }));
  const before = await here.json('inbound show IN-1');
  const { created_at, updated_at, trace_id, timeline, ...rest } = before;
  assert.equal(updated_at, created_at);
  assert.deepEqual(rest, {
    ...{ account_no: 'ALPHA', channel: 'warehouse', kind: 'inbound', partner_number: 'IN-1', document_no: stock_in_no },
    ...{ internal_form_no: null, status: 'received', receiving: 'on_create', receive_at: null, ...place },
    over_delivery_percent: 0,
    ...{ original_order_number: null, orders_id: null, estimated_arrival_at: null, created_by: 'ALPHA' },
    ...{ receipts: [], callbacks: [] },
    lines: units.map(([expire_date, qty]) => ({ sku_id: 'FLOUR', qty, batch_id: '', expire_date, identifier: null })),
    lots,
  });
  assert.deepEqual(stepsOf(timeline), ['create: null -> received by ALPHA, called']);
  assert.equal(timeline[0].trace_id, trace_id);
  assert.deepEqual(await here.json(['inbound', 'show', stock_in_no]), before);

  await cancelInbounds(app, ['IN-1']);
  const after = await here.json('inbound show IN-1 --account ALPHA');
  assert.deepEqual([after.status, after.lots], ['cancelled', lots.map((lot) => ({ ...lot, retracted: lot.received }))]);
  assert.deepEqual(stepsOf(after.timeline).slice(1), ['cancel: received -> cancelled by ALPHA, called']);
  const { stdout } = await here.run('inbound show IN-1');
  assert.match(stdout, /^inbound +si_[0-9a-f]{20}\nnumber +IN-1 \(account ALPHA, warehouse\)\nstatus +cancelled\n/);
  assert.match(
    stdout,
    /\n\nlots\n {2}sku_id +stock_type +batch_id +expire_date +received +retracted\n {2}FLOUR +good +2030-01-01 +3 +3\n/,
  );
});

test('inbound show: a form whose receiving was stopped, with the callback that says so; a number of several accounts', async () => {
  for (const apiKey of ['live-confirmed-of-thirty-two-characters-or-more', beta.apiKey])
    await take(app, formPath, form('F-1', [{ sku: 'FORM', quantity: 2 }], { form_type: 2 }), apiKey);
  await take(app, formPath, stopForm('F-1'), 'live-confirmed-of-thirty-two-characters-or-more');
  const several = await here.run('inbound show F-1');
  assert.equal(several.code, 1);
  assert.match(
    several.stderr,
    /\n {2}si_[0-9a-f]{20} \(account BETA, logistics\)\n {2}si_[0-9a-f]{20} \(account LIVE, logistics\)\n$/,
  );
  const history = await here.json('inbound show F-1 --account LIVE');
  assert.deepEqual(
    [history.kind, history.status, history.internal_form_no, history.lots],
    ['return', 'stopped', 'I-F-1', []],
  );
  assert.deepEqual(columns(history.callbacks, 'event', 'status'), [['return.stopped', 'pending']]);
  assert.deepEqual(stepsOf(history.timeline), [
    'create: null -> expected by LIVE/confirmed, called',
    'stop: expected -> stopped by LIVE/confirmed, called',
  ]);
});

test('an order from before changes were recorded has a timeline of the known steps', async () => {
  await bring(app, [{ sku: 'PAST', quantity: 2 }]);
  await ship(app, 'PAST', [item('PAST', 1)]);
  await app.store.database.transaction(
    (tx) => tx`update orders set created_by = null, trace_id = null where partner_number = 'PAST'`,
  );
  const { timeline } = await here.json('order show PAST');
  assert.deepEqual(stepsOf(timeline), ['create: null -> pending_warehouse_transfer by null']);
  assert.equal((await here.run('order show PAST')).code, 0);
  await cancelShipping(app, ['PAST']);
  const cancelled = await here.json('order show PAST');
  assert.deepEqual([cancelled.status, cancelled.lots], ['cancelled', []]);
  assert.deepEqual(stepsOf(cancelled.timeline).slice(1), [
    'cancel: pending_warehouse_transfer -> cancelled by ALPHA/alpha-erp, called',
  ]);
});
