import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  orderAdvance,
  orderCancel,
  orderDetail,
  orderNoteAdd,
  orderScan,
  orderSearch,
  orderTransferRetry,
  orderViewRecipient,
  recipientViewsPerHour,
} from '../../contract/console/orders.ts';
import { orderShip } from '../../contract/console/packing.ts';
import { orderStatuses } from '../../contract/main/orders-search.ts';
import { alpha, beta } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { actionsOf, allRows, column, columns, logRefusedCalls, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import {
  assertBooksInOrder,
  bring,
  item,
  orderPath,
  owedFor,
  ship,
  shippingOrder,
  take,
  unchanged,
} from '../support/logistics.ts';
import { shipNow } from '../support/packing.ts';
import { order, putLot, receive, syncProducts } from '../support/warehouse.ts';

const { app, admin, staff, viewer } = await startConsole();
await provisionLive(app);
await receive(app, { TEA: [['2030-01-01', 3]], RICE: [['2030-06-01', 1000]] }, live);
await receive(app, { TEA: [['2031-01-01', 1000]] }, live);
await receive(app, { CUP: [['2030-01-01', 100]] }, alpha);
await receive(app, { JUG: [['2030-01-01', 100]] }, beta);

async function idOf(partnerNumber: string, accountNo = live.accountNo): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select order_id from orders join account using (account_id) where partner_number = ${partnerNumber} and account_no = ${accountNo}`,
  );
  return row!.order_id;
}

async function ordered(number: string, lines: [string, number][] = [['RICE', 1]]): Promise<number> {
  await order(app, number, lines, live);
  return await idOf(number);
}

async function statusOf(orderId: number): Promise<string> {
  const [row] = await app.store.database.read((sql) => sql`select status from orders where order_id = ${orderId}`);
  return row!.status;
}

test('the list shows orders of all accounts, newest first, filtered in every way, page by page', async () => {
  for (const number of ['LIST-A1', 'LIST-B1', 'LIST-A2', 'LIST-B2', 'LIST-A3'])
    await (number.startsWith('LIST-A') ? order(app, number, [['CUP', 2]]) : order(app, number, [['JUG', 2]], beta));
  await bring(app, [{ sku: 'PEN', quantity: 10 }]);
  await ship(app, 'LIST-L1', [item('PEN', 1), item('PEN', 2)]);
  await ship(app, 'LIST-L2', [item('PEN', 1000)]);

  const uat = { accounts: ['ALPHA', 'BETA'] };
  const numbers = async (body: object) => {
    const { rows } = await viewer.ask(orderSearch, { ...uat, ...body });
    return column(rows, 'partner_number');
  };
  const all = ['LIST-L2', 'LIST-L1', 'LIST-A3', 'LIST-B2', 'LIST-A2', 'LIST-B1', 'LIST-A1'];
  assert.deepEqual(await numbers({}), all);
  assert.deepEqual(await numbers({ accounts: ['BETA'] }), ['LIST-B2', 'LIST-B1']);
  assert.deepEqual(await numbers({ status: ['awaiting_stock'] }), ['LIST-L2']);
  assert.deepEqual(await numbers({ status: ['awaiting_stock', 'pending_warehouse_transfer'] }), all);
  assert.deepEqual(await numbers({ status: [...orderStatuses] }), all);
  assert.deepEqual(await numbers({ channel: ['logistics'] }), ['LIST-L2', 'LIST-L1']);
  assert.deepEqual(await numbers({ warehouse_no: [1], store_no: 10 }), all);
  assert.deepEqual(await numbers({ warehouse_no: [2] }), []);
  assert.deepEqual(await numbers({ number: 'LIST-L1' }), ['LIST-L1']);
  assert.deepEqual(await numbers({ number: 'LIST-A2', channel: ['logistics'] }), []);
  assert.deepEqual(await numbers({ number: 'NO-SUCH' }), []);
  assert.deepEqual(await numbers({ name: 'SHOP-LIST-L2' }), ['LIST-L2']);
  assert.deepEqual(await numbers({ created_from: '2999-01-01' }), []);
  assert.deepEqual(await numbers({ created_to: '2999-01-01', sort: 'updated' }), all);
  assert.deepEqual(await numbers({ updated_from: '2020-01-01' }), all);

  const {
    rows: [row],
  } = await viewer.ask(orderSearch, { number: 'LIST-L1' });
  const { order_id, order_no, created_at, updated_at, ...rest } = row!;
  assert.deepEqual([order_id, created_at], [await idOf('LIST-L1', 'ALPHA'), updated_at]);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00$/);
  assert.deepEqual(await numbers({ number: order_no }), ['LIST-L1']);
  assert.deepEqual(rest, {
    ...{ account_no: 'ALPHA', partner_number: 'LIST-L1', name: 'SHOP-LIST-L1', channel: 'logistics' },
    ...{ status: 'pending_warehouse_transfer', warehouse_no: 1, store_no: 10, line_count: 2, units: 3 },
    ...{ logistics_type: null, express_type: null, shipment_no: null, carrier: null, transfer_status: null },
    ...{ transfer_reason: null, can: ['hold', 'cancel'] },
    held: false,
  });

  const paged = await allRows(viewer, orderSearch, { accounts: ['ALPHA', 'BETA'], page_size: 3 });
  assert.deepEqual(column(paged, 'partner_number'), all);
  const { next_cursor } = await viewer.ask(orderSearch, { ...uat, page_size: 3 });
  const refused = await viewer.send('/orders/search', { accounts: ['BETA'], page_size: 3, cursor: next_cursor });
  assert.deepEqual([refused.status, refused.json.error?.mistakes?.[0]?.path], [400, 'cursor']);
  assert.equal((await viewer.send('/orders/search', { accounts: ['NOBODY'] })).status, 400);
});

test('an order shows its lots and the lots that it passed over, with reasons, as the stock was then', async () => {
  await syncProducts(app, ['MILK'], live);
  await putLot(app, { skuId: 'MILK', qty: 9, expireDate: '2029-01-01', stockType: 'bad' }, live);
  await putLot(app, { skuId: 'MILK', qty: 2, expireDate: '2029-02-01', batchId: 'M1' }, live);
  await putLot(app, { skuId: 'MILK', qty: 4, expireDate: '2029-03-01', batchId: 'M2' }, live);
  await putLot(app, { skuId: 'MILK', qty: 50, expireDate: '2029-04-01', batchId: 'M3' }, live);
  await ordered('TOOK-FIRST', [['MILK', 2]]);
  const orderId = await ordered('TOOK', [['MILK', 5]]);
  // Later changes do not alter the stored history.
  await putLot(app, { skuId: 'MILK', qty: 7, expireDate: '2028-01-01', batchId: 'LATER' }, live);
  await ordered('TOOK-AFTER', [['MILK', 20]]);

  const { lines, allocation, lots } = await viewer.ask(orderDetail, { order_id: orderId });
  assert.deepEqual(columns(lines[0]!.lots, 'batch_id', 'expire_date', 'qty', 'why'), [
    ['M2', '2029-03-01', 4, 'expires_first'],
    ['M3', '2029-04-01', 1, 'expires_next'],
  ]);
  const dayTaken = allocation.at!.slice(0, 10);
  assert.deepEqual(
    [allocation.as_of, allocation.sellable_from, allocation.shortages, allocation.has_more],
    ['then', dayTaken, [], false],
  );
  assert.deepEqual(columns(allocation.passed_over, 'stock_type', 'batch_id', 'on_hand', 'free', 'why'), [
    ['bad', '', 9, 9, 'not_good'],
    ['good', 'M1', 2, 0, 'nothing_free'],
  ]);
  assert.deepEqual(columns(lots, 'batch_id', 'taken', 'locked', 'shipped'), [
    ['M2', 4, 4, 0],
    ['M3', 1, 1, 0],
  ]);
});

test('reasons include a named batch, another batch and too early an expiry; a waiting order shows the units that it lacks', async () => {
  const tenant = { warehouse_tpw_id: live.warehouseTpwId, sellable_days_before_expiry: 30 };
  await app.provision({ accounts: [{ account_no: live.accountNo, tenants: [tenant] }] });
  // Every list looks at the partners as they are now.
  await viewer.ask(orderSearch, {});
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await syncProducts(app, ['EGG'], live);
  await putLot(app, { skuId: 'EGG', qty: 5, expireDate: soon }, live);
  await putLot(app, { skuId: 'EGG', qty: 5, expireDate: null, batchId: 'E1' }, live);
  await putLot(app, { skuId: 'EGG', qty: 5, expireDate: null, batchId: 'E2' }, live);
  const eggs = await viewer.ask(orderDetail, { order_id: await ordered('EGGS', [['EGG', 3]]) });
  assert.deepEqual(columns(eggs.lines[0]!.lots, 'batch_id', 'why'), [['E1', 'oldest']]);
  assert.deepEqual(columns(eggs.allocation.passed_over, 'batch_id', 'why'), [
    ['', 'expires_too_soon'],
    ['E2', 'not_needed'],
  ]);

  await ship(app, 'EGGS-E2', [item('EGG', 2, { batch: 'E2' })], {}, live.apiKey);
  const named = await viewer.ask(orderDetail, { order_id: await idOf('EGGS-E2') });
  assert.deepEqual(columns(named.lines[0]!.lots, 'batch_id', 'qty', 'why'), [['E2', 2, 'named_batch']]);
  assert.deepEqual(columns(named.allocation.passed_over, 'batch_id', 'why'), [
    ['', 'another_batch'],
    ['E1', 'another_batch'],
  ]);

  await ship(app, 'EGGS-WAIT', [item('EGG', 99)], {}, live.apiKey);
  const waiting = await viewer.ask(orderDetail, { order_id: await idOf('EGGS-WAIT') });
  assert.deepEqual([waiting.status, waiting.lines[0]!.lots, waiting.allocation.as_of], ['awaiting_stock', [], 'now']);
  assert.deepEqual(waiting.allocation.shortages, [{ sku_id: 'EGG', available: 10, requested: 99 }]);
});

test('an order has one history of states with their calls, repeats, callbacks and notes, and its recipient as sent', async () => {
  await bring(app, [{ sku: 'LAMP', quantity: 5 }], live.apiKey);
  const label = { store_id: '991182', store_name: '台大門市', nested: { code: 'A1' } };
  const other = {
    ...{
      callback_url: 'https://partner.example/told',
      city: '臺北市',
      address: '羅斯福路四段 1 號',
      note: '易碎 Fragile',
    },
    store_pickup_label_data: label,
  };
  const products = [item('LAMP', 2, { price: 10.5, name: '檯燈' })];
  await ship(app, 'STORY', products, other, live.apiKey);
  await take(app, orderPath, shippingOrder('STORY', products, other), live.apiKey);
  const orderId = await idOf('STORY');
  const shipment = { order_id: orderId, shipment_no: 'S-1', carrier: '黑貓' };
  await shipNow(app, staff, [shipment]);
  const added = await staff.ask(orderNoteAdd, { order_id: orderId, text: ' Damaged box,\nrepacked ' });
  assert.deepEqual(added.kind === 'added' && [added.note.author, added.note.text], [
    'packer',
    'Damaged box,\nrepacked',
  ]);
  await app.requestLog.flush();

  const story = await staff.ask(orderDetail, { order_id: orderId });
  const from = 'pending_warehouse_transfer';
  assert.deepEqual(
    story.timeline.map((entry) => {
      if (entry.kind === 'state') return [entry.kind, entry.event, entry.from, entry.to, entry.actor, entry.call];
      if (entry.kind === 'request') return [entry.kind, entry.contract, entry.http_status];
      if (entry.kind === 'callback') return [entry.kind, entry.event, entry.status];
      return entry.kind === 'note' ? [entry.kind, entry.actor, entry.text] : [entry.kind];
    }),
    [
      ['state', 'create', null, from, 'LIVE/wms', 'logistics /logistics/orders/order'],
      ['request', 'logistics', 200],
      [...['state', 'ship', from, 'shipped', 'operator packer'], 'console /console/api/orders/ship'],
      ['callback', 'order.shipped', 'pending'],
      ['note', 'packer', 'Damaged box,\nrepacked'],
    ],
  );
  const { shipment_no, carrier, delivery_charge, environment, warehouse_name, store_name, name, recipient } = story;
  assert.deepEqual(
    [shipment_no, carrier, delivery_charge, environment, warehouse_name, store_name, name],
    ['S-1', '黑貓', '60.00', 'production', 'Taoyuan', 'Upload test', 'SHOP-STORY'],
  );
  const people = [recipient, (await staff.ask(orderViewRecipient, { order_id: orderId })).recipient];
  assert.deepEqual(columns(people, 'name', 'phone', 'city', 'note'), [
    ['C** W**', '09xx-xxx-000', '臺北市', '***'],
    ['Chen Wei', '0900000000', '臺北市', '易碎 Fragile'],
  ]);
  assert.deepEqual(columns(story.lines, 'sku_id', 'name', 'qty', 'price'), [['LAMP', '檯燈', 2, '10.50']]);
  assert.deepEqual(columns(story.parcels, 'shipment_no', 'carrier'), [['S-1', '黑貓']]);
  assert.deepEqual(columns(story.parcels[0]!.items, 'sku_id', 'qty'), [['LAMP', 2]]);
  assert.deepEqual([story.short, story.undelivered_reason], [[], null]);
  const steps = ['deliver', 'arrive', 'fail'];
  assert.deepEqual(story.can, { cancel: false, change: false, retry_transfer: false, forget: true, steps });
});

test('the delivery of a shipped order fails only with a reason, which the order keeps', async () => {
  const orderId = await idOf('STORY');
  const failed = { step: 'fail' as const, orders: [{ order_id: orderId }] };
  assert.deepEqual(column((await staff.ask(orderAdvance, failed)).results, 'kind'), ['no_reason']);
  assert.equal((await staff.ask(orderDetail, { order_id: orderId })).status, 'shipped');
  const { results: lost } = await staff.ask(orderAdvance, { ...failed, reason: 'lost' });
  assert.deepEqual(column(lost, 'kind'), ['advanced']);
  const { status, undelivered_reason } = await staff.ask(orderDetail, { order_id: orderId });
  assert.deepEqual([status, undelivered_reason], ['undelivered', 'lost']);
});

test('an unknown order is 404, and an empty note is refused; the audit log has the added one', async () => {
  const orderId = await idOf('STORY');
  const missing = await viewer.send('/orders/detail', { order_id: 999_999_999 });
  assert.deepEqual([missing.status, missing.json.error?.kind], [404, 'not_found']);
  assert.equal((await staff.send('/orders/note-add', { order_id: orderId, text: '   ' })).status, 400);
  const notes = await actionsOf(app, 'orders/note-add');
  assert.deepEqual(notes.at(-1), { username: 'packer', subject: `order ${orderId}`, details: {}, outcome: 'added' });
  const [count] = await app.store.database.read((sql) => sql`select count(*)::int as notes from document_note`);
  assert.equal(count!.notes, 1);
});

test('the history has the newest 200 calls that named an order and the one that created it, and shows whether there are more', async () => {
  const orderId = await ordered('NAMED-OFTEN');
  const readNamed = async () => {
    const { timeline, has_more_timeline } = await viewer.ask(orderDetail, { order_id: orderId });
    const made = timeline.find(({ kind }) => kind === 'state');
    assert.deepEqual(made?.kind === 'state' && [made.event, made.call?.startsWith('warehouse ')], ['create', true]);
    const named = timeline.filter((entry) => entry.kind === 'request').map(({ reason }) => Number(reason));
    return [named.length, named[0], named.at(-1), has_more_timeline];
  };
  const naming = { endpoint: '/outbound/order', accountNo: live.accountNo, number: 'NAMED-OFTEN' };
  await logRefusedCalls(app, { ...naming, from: 1, to: 200 });
  assert.deepEqual(await readNamed(), [200, 1, 200, false]);
  await logRefusedCalls(app, { ...naming, from: 201, to: 203 });
  assert.deepEqual(await readNamed(), [200, 4, 203, true]);
});

test('an order takes 500 notes: of two writers at once one gets the last place, and a later note changes nothing', async () => {
  const orderId = await ordered('NOTED');
  await app.store.database.read(
    (sql) => sql`
      insert into document_note (document_type, document_id, account_id, author, text)
      select 'order', order_id, account_id, 'packer', n from orders, generate_series(1, 499) n where order_id = ${orderId}`,
  );
  const add = (text: string) => staff.ask(orderNoteAdd, { order_id: orderId, text });
  const answers = await Promise.all([add('one'), add('other')]);
  assert.deepEqual(column(answers, 'kind').toSorted(), ['added', 'too_many']);
  assert.deepEqual(await add('the 501st'), { kind: 'too_many', max: 500 });
  const { timeline } = await viewer.ask(orderDetail, { order_id: orderId });
  const notes = timeline.filter((entry) => entry.kind === 'note');
  assert.deepEqual([notes.length, ['one', 'other'].includes(notes.at(-1)!.text)], [500, true]);
  assert.equal((await actionsOf(app, 'orders/note-add')).at(-1)!.outcome, 'too_many');
});

test('orders of several accounts are cancelled at once, each with its own result, and nothing changes for those that are refused', async () => {
  const [free, picked] = [await ordered('CANCEL-1'), await ordered('CANCEL-2')];
  await order(app, 'CANCEL-A', [['CUP', 3]], alpha);
  const uat = await idOf('CANCEL-A', 'ALPHA');
  await staff.ask(orderAdvance, { step: 'pick', orders: [{ order_id: picked }] });
  const order_ids = [free, picked, 999_999_999, uat];

  const { results } = await staff.ask(orderCancel, { order_ids });
  assert.deepEqual(columns(results, 'order_id', 'account_no', 'partner_number', 'kind', 'status'), [
    [free, 'LIVE', 'CANCEL-1', 'cancelled', undefined],
    [picked, 'LIVE', 'CANCEL-2', 'too_late', 'picking'],
    [999_999_999, null, null, 'not_found', undefined],
    [uat, 'ALPHA', 'CANCEL-A', 'cancelled', undefined],
  ]);
  assert.deepEqual(
    [await statusOf(free), await statusOf(picked), await statusOf(uat)],
    ['cancelled', 'picking', 'cancelled'],
  );
  await unchanged(app, () => staff.ask(orderCancel, { order_ids: [picked] }));
  await assertBooksInOrder(app);
  const { timeline } = await viewer.ask(orderDetail, { order_id: free });
  assert.equal(timeline.find((entry) => entry.kind === 'state' && entry.event === 'cancel')?.kind, 'state');
  const [many, one] = (await actionsOf(app, 'orders/cancel')).slice(-2);
  assert.deepEqual(many, {
    username: 'packer',
    subject: null,
    details: { order_ids },
    outcome: 'cancelled 2, too_late 1, not_found 1',
  });
  assert.deepEqual([one!.subject, one!.outcome], [`order ${picked}`, 'too_late 1']);
  assert.equal((await staff.send('/orders/cancel', { order_ids: [free, free] })).status, 400);
});

test('orders are picked, packed, shipped and delivered, each with its own result; refusals change nothing', async () => {
  await bring(app, [{ sku: 'BOX', quantity: 5 }], live.apiKey);
  await ship(app, 'STEP-L', [item('BOX', 2)], { callback_url: 'https://partner.example/steps' }, live.apiKey);
  await order(app, 'STEP-UAT', [['CUP', 1]], alpha);
  const [direct, logistics, uat] = [await ordered('STEP-1'), await idOf('STEP-L'), await idOf('STEP-UAT', 'ALPHA')];
  const advance = async (step: 'pick' | 'pack' | 'deliver', orders: object[]) => {
    const { results } = await staff.ask(orderAdvance, { step, orders: orders as { order_id: number }[] });
    return results.map((result) => ('status' in result ? `${result.kind} ${result.status}` : result.kind));
  };
  const three = [{ order_id: direct }, { order_id: logistics }, { order_id: uat }];

  assert.deepEqual(await advance('pick', three), ['advanced picking', 'advanced picking', 'uat']);
  assert.equal(await statusOf(uat), 'pending_warehouse_transfer');
  assert.deepEqual(await unchanged(app, () => advance('pick', [three[0]!])), ['already picking']);
  assert.deepEqual(await advance('pack', three.slice(0, 2)), ['advanced packed', 'advanced packed']);
  assert.deepEqual(await unchanged(app, () => advance('pick', [three[0]!])), ['out_of_order packed']);
  assert.deepEqual(await unchanged(app, () => advance('deliver', [three[0]!])), ['out_of_order packed']);
  assert.equal((await staff.send('/orders/advance', { step: 'ship', orders: [three[0]] })).status, 400);
  const shipped = [
    { order_id: direct, shipment_no: 'SHIP-1', carrier: 'tcat' },
    { order_id: logistics, shipment_no: 'SHIP-2' },
  ];
  await shipNow(app, staff, shipped);
  assert.deepEqual(column(await owedFor(app, 'STEP-L'), 'event'), ['order.shipped']);
  assert.deepEqual(await advance('deliver', [{ order_id: direct }]), ['advanced delivered']);
  await assertBooksInOrder(app);

  const line = (await actionsOf(app, 'orders/advance')).find(({ outcome }) => outcome === 'advanced 2, uat 1');
  assert.deepEqual(line?.details, { order_ids: [direct, logistics, uat], step: 'pick' });
  assert.equal((await staff.send('/orders/advance', { step: 'pick', orders: [three[0], three[0]] })).status, 400);
});

test('a scan finds an order by its number, ours, or its shipment, with the lots of each line; several orders of one number are all listed', async () => {
  const orderId = await ordered('SCAN-1', [['TEA', 5]]);
  const found = await viewer.ask(orderScan, { number: 'SCAN-1' });
  assert.ok(found.kind === 'found');
  const { order_no, status, steps, lines, account_no } = found.order;
  assert.deepEqual(
    [found.order.order_id, account_no, status, steps],
    [orderId, 'LIVE', 'pending_warehouse_transfer', ['pick', 'pack', 'ship']],
  );
  assert.deepEqual(lines, [
    {
      ...{ line_no: 1, sku_id: 'TEA', name: 'Name of TEA', storage_type: 'ambient', qty: 5 },
      lots: [
        { batch_id: '', expire_date: '2030-01-01', qty: 3 },
        { batch_id: '', expire_date: '2031-01-01', qty: 2 },
      ],
    },
  ]);
  await staff.ask(orderAdvance, { step: 'pack', orders: [{ order_id: orderId, shipment_no: 'SCAN-S' }] });
  for (const number of [order_no, 'SCAN-S']) {
    const again = await viewer.ask(orderScan, { number });
    assert.ok(
      again.kind === 'found' && again.order.order_id === orderId && again.order.shipment_no === 'SCAN-S',
      number,
    );
  }
  await bring(app, [{ sku: 'TWIN', quantity: 5 }]);
  await bring(app, [{ sku: 'TWIN', quantity: 5 }], beta.apiKey);
  await ship(app, 'SCAN-TWIN', [item('TWIN', 1)]);
  await ship(app, 'SCAN-TWIN', [item('TWIN', 1)], {}, beta.apiKey);
  const twins = await viewer.ask(orderScan, { number: 'SCAN-TWIN' });
  assert.deepEqual(twins.kind === 'several' && twins.orders.map((one) => [one.account_no, one.steps]), [
    ['ALPHA', []],
    ['BETA', []],
  ]);
  assert.deepEqual(await viewer.ask(orderScan, { number: 'SCAN-NOTHING' }), { kind: 'not_found' });
});

test('a scan finds an order by its second parcel, whose number another order may not have', async () => {
  const [orderId, other] = [await ordered('SCAN-PARCELS', [['TEA', 2]]), await ordered('SCAN-OTHER')];
  const parcel = (shipment_no: string) => ({ shipment_no, carrier: 'tcat', items: [{ sku_id: 'TEA', qty: 1 }] });
  const { main } = await clientsOf(app, live);
  await main.fulfilmentAdvance([
    { outbound_short_id: 'SCAN-PARCELS', status: 'shipped', parcels: [parcel('SCAN-P1'), parcel('SCAN-P2')] },
  ]);
  for (const number of ['SCAN-P1', 'SCAN-P2']) {
    const found = await viewer.ask(orderScan, { number });
    assert.equal(found.kind === 'found' && found.order.order_id, orderId, number);
  }
  const shipment = { order_id: other, shipment_no: 'SCAN-P2', confirmed: ['skipped' as const] };
  const { results } = await unchanged(app, () => staff.ask(orderShip, { orders: [shipment] }));
  const others = [{ order_id: orderId, account_no: 'LIVE', partner_number: 'SCAN-PARCELS', status: 'shipped' }];
  assert.deepEqual(
    results.map((result) => result.kind === 'confirm' && result.warnings[0]),
    [{ kind: 'repeated', shipment_no: 'SCAN-P2', others }],
  );
});

test('recipients are masked for everybody; staff may look at one, and each look is in the audit log before it is shown', async () => {
  await bring(app, [{ sku: 'VASE', quantity: 5 }], live.apiKey);
  const person = { customer_name: '陳小姐', delivery_name: '王小明', phone: '0912-345-678', address: '信義路五段7號' };
  const label = { store: { name: '信義門市', code: 991 }, receiver: '王小明', tags: ['0912345678', null, true] };
  const more = { city: '臺北市', note: '請打 0912345678', store_pickup_label_data: label };
  await take(app, orderPath, shippingOrder('MASKED', [item('VASE', 1)], { ...person, ...more }), live.apiKey);
  const order_id = await idOf('MASKED');
  const views = async () =>
    (await actionsOf(app, 'orders/view-recipient')).filter(({ subject }) => subject === `order ${order_id}`);

  for (const user of [viewer, staff, admin]) {
    const masked = await user.ask(orderDetail, { order_id });
    assert.deepEqual(masked.recipient, {
      ...{ country: null, name: '王○明', phone: '09xx-xxx-678', address: '***', city: '臺北市', zip: null },
      ...{ customer_name: '陳○姐', note: '***' },
    });
    assert.deepEqual(masked.store_pickup_label_data, {
      store: { name: '***', code: '***' },
      receiver: '***',
      tags: ['***', null, '***'],
    });
    assert.deepEqual([masked.has_recipient, masked.recipient_erased_at], [true, null]);
    const scanned = await user.ask(orderScan, { number: 'MASKED' });
    assert.equal(scanned.kind === 'found' && scanned.order.note, '***');
  }
  assert.equal((await viewer.send(orderViewRecipient.path, { order_id })).status, 403);
  assert.deepEqual(await views(), []);

  const whole = {
    country: null,
    name: '王小明',
    phone: '0912-345-678',
    address: '信義路五段7號',
    city: '臺北市',
    zip: null,
  };
  const viewed = {
    kind: 'viewed',
    recipient: { ...whole, customer_name: '陳小姐', note: '請打 0912345678' },
    store_pickup_label_data: label,
    changes: [],
  };
  for (const user of [staff, staff, admin]) assert.deepEqual(await user.ask(orderViewRecipient, { order_id }), viewed);
  const line = { subject: `order ${order_id}`, details: {}, outcome: 'viewed' };
  assert.deepEqual(
    await views(),
    ['packer', 'packer', 'boss'].map((username) => ({ ...line, username })),
  );
  assert.equal((await staff.send(orderViewRecipient.path, { order_id: 999_999_999 })).status, 404);
});

test('an operator who looks at too many recipients within an hour is refused, and the others are not', async () => {
  const order_id = await ordered('VIEWS');
  await app.store.database.transaction(
    (tx) => tx`
      insert into operator_action (username, action, subject, address, trace_id, outcome)
      select 'packer', 'orders/view-recipient', 'order 0', '', gen_random_uuid(), 'viewed' from generate_series(1, ${recipientViewsPerHour})`,
  );
  const refused = await staff.send(orderViewRecipient.path, { order_id });
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '600']);
  assert.equal((await admin.ask(orderViewRecipient, { order_id })).kind, 'viewed');
  await app.store.database.transaction(
    (tx) => tx`update operator_action set at = at - interval '61 minutes' where action = 'orders/view-recipient'`,
  );
  assert.equal((await staff.ask(orderViewRecipient, { order_id })).kind, 'viewed');
});

test('a reason with another step than fail is refused; nothing changes', async () => {
  const pick = { step: 'pick', orders: [{ order_id: await ordered('REASON') }] };
  await unchanged(app, async () => {
    const refused = await staff.send(orderAdvance.path, { ...pick, reason: 'lost' });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.json.error?.mistakes, [
      { path: 'reason', message: 'must only be given with the step fail' },
    ]);
  });
});

test('an admin sends orders again that their warehouse rejected', async () => {
  const [rejected, other] = [await ordered('PUT-ASIDE'), await ordered('NOT-ASIDE')];
  await app.store.database.transaction(
    (tx) => tx`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
      select order_id, gen_random_uuid(), account_id, warehouse_no, 'rejected', 1, 'HTTP 422: no such sku' from orders where order_id = ${rejected}`,
  );
  const { rows } = await viewer.ask(orderSearch, { number: 'PUT-ASIDE' });
  assert.equal(rows[0]!.transfer_status, 'rejected');
  const ofRejected = await viewer.ask(orderSearch, { transfer_status: 'rejected' });
  assert.deepEqual(ofRejected.rows, rows);
  assert.deepEqual((await viewer.ask(orderSearch, { transfer_status: 'sending' })).rows, []);
  assert.deepEqual((await viewer.ask(orderSearch, { transfer_status: 'rejected', number: 'NOT-ASIDE' })).rows, []);
  const { can, transfer, timeline } = await viewer.ask(orderDetail, { order_id: rejected });
  assert.deepEqual(
    [can.retry_transfer, transfer?.status, transfer?.reason],
    [true, 'rejected', 'HTTP 422: no such sku'],
  );
  assert.ok(timeline.some((entry) => entry.kind === 'transfer' && entry.reason === 'HTTP 422: no such sku'));

  const { results } = await admin.ask(orderTransferRetry, { order_ids: [rejected, other, 999_999_999] });
  assert.deepEqual(column(results, 'kind'), ['waiting', 'not_rejected', 'not_found']);
  assert.equal((await viewer.ask(orderDetail, { order_id: rejected })).transfer?.status, 'waiting');
  assert.equal(
    (await actionsOf(app, 'orders/transfer-retry')).at(-1)?.outcome,
    'waiting 1, not_rejected 1, not_found 1',
  );
});
