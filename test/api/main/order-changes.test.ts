import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderUpdate } from '../../../sdk/wire.ts';
import { changesMax } from '../../../server/domain/orders/order-change.ts';
import { pushManually } from '../../../server/domain/transfers/transfer-orders.ts';
import { startTestApp } from '../../support/app.ts';
import { clientsOf, refusalOf } from '../../support/clients.ts';
import { live, provisionLive } from '../../support/live.ts';
import { allocateEverything, assertBooksInOrder, bring, item, ship, shippingOrder } from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';
import { dump, order, orderBody, receive } from '../../support/warehouse.ts';

const app = await startTestApp();
await provisionLive(app);
const { main, warehouse, logistics } = await clientsOf(app, live);
await receive(app, { TEA: [['2030-01-01', 1000]] }, live);
const cause = { actor: 'test', traceId: null };

const recipient = {
  consignee_name: '王小明',
  consignee_phone: '0912-345-678',
  consignee_address: '臺北市信義區市府路1號',
  consignee_zip: '110',
};

async function rowOf(filter: object) {
  const rows = await Array.fromAsync(main.searchOrders(filter));
  assert.equal(rows.length, 1);
  return rows[0]!;
}
const direct = (number: string) => rowOf({ 'orders.outbound_short_id': number });
const shipping = (number: string) => rowOf({ 'orders.internal_name': number });

async function createDirect(number: string): Promise<void> {
  await main.ordersCreate({ ...orderBody(number, [['TEA', 1]], live), ...recipient });
}

/** Nothing may change: neither orders nor their history. */
async function nothingChanges<T>(work: () => Promise<T>): Promise<T> {
  const before = await dump(app);
  const result = await work();
  assert.deepEqual(await dump(app), before);
  return result;
}

test('an update changes the given fields, and the history has their old and new values', async () => {
  await createDirect('U-1');
  const before = await direct('U-1');
  assert.deepEqual([before.held, before.held_at, before.changes], [false, null, []]);
  const changed = { logistics_type: 'csvs', express_type: 'family', consignee_address: 'Store 991182' } as const;
  assert.deepEqual(await main.ordersUpdate([{ outbound_short_id: 'U-1', ...changed, consignee_zip: '110' }]), [
    { outbound_short_id: 'U-1', status: 'updated' },
  ]);

  const { changes, updated_at, ...after } = await direct('U-1');
  const { changes: _, updated_at: updatedBefore, ...expected } = { ...before, ...changed };
  assert.deepEqual(after, expected);
  assert.ok(updated_at > updatedBefore);
  assert.equal(changes.length, 1);
  const { at, trace_id, ...change } = changes[0]!;
  assert.deepEqual(change, {
    kind: 'update',
    status: 'made',
    by: `${live.accountNo}/${live.clientId}`,
    fields: ['consignee_address', 'logistics_type', 'express_type'],
    old_values: { consignee_address: recipient.consignee_address, logistics_type: 'home', express_type: 'tcat' },
    new_values: changed,
    reason: null,
    answered_at: null,
    message: null,
  });
  assert.match(trace_id!, /^[0-9a-f-]{36}$/);
  assert.ok(at >= updatedBefore);
});

test('an order of the logistics webhook has other fields; each channel refuses the fields of the other one', async () => {
  const label = { store_id: '1', barcode: 'OLD' };
  const original = shippingOrder('L-1', [item('NONE', 1)], { note: 'old note', store_pickup_label_data: label });
  await logistics.shippingOrder(original);
  const newLabel = { store_id: '2', barcode: 'NEW', nested: { z: 1, a: [2] } };
  const update: OrderUpdate = {
    internal_name: 'L-1',
    consignee_name: 'Wu Ming',
    consignee_phone: '0911111111',
    consignee_address: 'No. 2',
    consignee_city: 'Tainan City',
    note: 'new\nnote',
    store_pickup_label_data: newLabel,
  };
  assert.deepEqual(await main.ordersUpdate([update]), [{ internal_name: 'L-1', status: 'updated' }]);
  const row = await shipping('L-1');
  assert.deepEqual(
    [row.status, row.consignee_name, row.consignee_phone, row.consignee_address],
    ['awaiting_stock', 'Wu Ming', '0911111111', 'No. 2'],
  );
  assert.deepEqual(
    [row.shipping!.city, row.shipping!.note, row.shipping!.store_pickup_label_data, row.shipping!.customer_name],
    ['Tainan City', 'new\nnote', newLabel, 'Lin Mei-hua'],
  );
  assert.deepEqual(row.changes[0]!.old_values, {
    consignee_name: 'Chen Wei',
    consignee_phone: '0900000000',
    consignee_address: null,
    consignee_city: null,
    note: 'old note',
    store_pickup_label_data: label,
  });

  await createDirect('L-2');
  const refusals = await nothingChanges(() =>
    main.ordersUpdate([
      { internal_name: 'L-1', consignee_zip: '100', express_type: 'tcat', consignee_name: 'Nobody' },
      { outbound_short_id: 'L-2', note: 'n', consignee_city: 'c', store_pickup_label_data: {}, consignee_zip: '1' },
    ]),
  );
  assert.deepEqual(refusals, [
    {
      internal_name: 'L-1',
      status: 'refused',
      code: 'field_invalid',
      message: 'orders of the logistics webhook do not have consignee_zip, express_type',
      fields: ['consignee_zip', 'express_type'],
    },
    {
      outbound_short_id: 'L-2',
      status: 'refused',
      code: 'field_invalid',
      message: 'only orders of the logistics webhook have consignee_city, note, store_pickup_label_data',
      fields: ['consignee_city', 'note', 'store_pickup_label_data'],
    },
  ]);
});

test('half of a ship method must fit the other half that the order has', async () => {
  await createDirect('S-1');
  const refused = (field: string, allowed: string) => {
    const message = `unknown ship_method mapping: must be one of ${allowed}`;
    return [{ outbound_short_id: 'S-1', status: 'refused', code: 'unknown_ship_method', message, fields: [field] }];
  };
  const update = (change: object) => main.ordersUpdate([{ outbound_short_id: 'S-1', ...change }]);
  await nothingChanges(async () => {
    assert.deepEqual(await update({ logistics_type: 'csvs' }), refused('express_type', 'pcsc, family, hilife'));
    assert.deepEqual(await update({ express_type: 'family' }), refused('express_type', 'tcat, hct, post'));
    assert.deepEqual(await update({ logistics_type: 'ship', express_type: 'hct' }), refused('logistics_type', 'home'));
  });
  assert.deepEqual(await update({ express_type: 'hct' }), [{ outbound_short_id: 'S-1', status: 'updated' }]);
  assert.equal((await direct('S-1')).express_type, 'hct');
});

test('a repeat of the original request is still the same request after updates, and its other content still differs', async () => {
  const original = { ...orderBody('R-1', [['TEA', 1]], live), ...recipient };
  await warehouse.outboundCreate(original);
  await main.ordersUpdate([{ outbound_short_id: 'R-1', consignee_name: 'Somebody Else' }]);
  const changed = { ...original, consignee_name: 'Somebody Else' };
  const { payload_differs, idempotent } = await warehouse.outboundCreate(original);
  assert.deepEqual([idempotent, payload_differs], [true, undefined]);
  assert.equal((await main.ordersCreate(original)).payload_differs, undefined);
  assert.equal((await main.ordersCreate(changed)).payload_differs, true);

  const form = shippingOrder('R-2', [item('NONE', 1)]);
  await logistics.shippingOrder(form);
  await main.ordersUpdate([{ internal_name: 'R-2', note: 'a note' }]);
  assert.equal((await logistics.shippingOrder(form)).idempotent, true);
  assert.equal((await refusalOf(logistics.shippingOrder({ ...form, note: 'a note' }))).status, 409);
  assert.equal((await direct('R-1')).consignee_name, 'Somebody Else');
});

test('an order on hold is not handed over until it is released; it keeps its stock, and gets stock in turn', async () => {
  for (const number of ['H-1', 'H-2']) await createDirect(number);
  assert.equal(await ship(app, 'H-3', [item('LATE', 2)], {}, live.apiKey), 'awaiting_stock');
  const hold = [
    { outbound_short_id: 'H-1', reason: 'the store has closed' },
    { internal_name: 'H-3' },
    { outbound_short_id: 'H-404' },
  ];
  const held = [
    { outbound_short_id: 'H-1', status: 'held' },
    { internal_name: 'H-3', status: 'held' },
    { outbound_short_id: 'H-404', status: 'not_found' },
  ];
  assert.deepEqual(await main.ordersHold(hold), held);
  assert.deepEqual(await nothingChanges(() => main.ordersHold(hold)), held);
  await bring(app, [{ sku: 'LATE', quantity: 2, storage_type: 'ambient' }], live.apiKey);

  await allocateEverything(app);
  await pushManually(app.store.service, 1, cause);
  const late = await shipping('H-3');
  const states = [await direct('H-1'), await direct('H-2'), late].map(({ status, held }) => [status, held]);
  assert.deepEqual(states, [
    ['pending_warehouse_transfer', true],
    ['in_warehouse', false],
    ['pending_warehouse_transfer', true],
  ]);
  const found = await Array.fromAsync(main.searchOrders({ 'orders.held_at': { gte: late.held_at! } }));
  assert.deepEqual(
    found.map(({ internal_name, outbound_short_id }) => internal_name ?? outbound_short_id).toSorted(),
    [late.held_at! === (await direct('H-1')).held_at ? 'H-1' : null, 'H-3'].filter(Boolean),
  );

  assert.deepEqual(await main.ordersRelease([{ outbound_short_id: 'H-1' }, { outbound_short_id: 'H-1' }]), [
    { outbound_short_id: 'H-1', status: 'released' },
    { outbound_short_id: 'H-1', status: 'released' },
  ]);
  await pushManually(app.store.service, 1, cause);
  const { status, held: isHeld, held_at, changes } = await direct('H-1');
  assert.deepEqual([status, isHeld, held_at], ['in_warehouse', false, null]);
  assert.deepEqual(
    changes.map(({ kind, reason, fields, old_values }) => [kind, reason, fields, old_values]),
    [
      ['hold', 'the store has closed', [], null],
      ['release', null, [], null],
    ],
  );
});

test('an order that its warehouse has, or that is cancelled, can no longer be changed', async () => {
  for (const number of ['T-1', 'T-2', 'T-3']) await createDirect(number);
  await main.ordersCancel({ outbound_short_ids: ['T-2'] });
  await main.fulfilmentAdvance([{ outbound_short_id: 'T-1', status: 'in_warehouse' }]);
  await app.store.database.transaction(
    (tx) => tx`
      insert into transfer (account_id, order_id, transfer_id, warehouse_no, status)
      select account_id, order_id, gen_random_uuid(), warehouse_no, 'sending' from orders where partner_number = 'T-3'`,
  );
  const past = (number: string, status: string) => ({
    outbound_short_id: number,
    status: 'too_late',
    code: 'too_late',
    message: `the order is ${status}; it can be changed only before its warehouse has it`,
  });
  const sent = {
    outbound_short_id: 'T-3',
    status: 'too_late',
    code: 'too_late',
    message: 'the order is being handed over to its warehouse',
  };
  const names = ['T-1', 'T-2', 'T-3'].map((outbound_short_id) => ({ outbound_short_id }));
  const expected = [past('T-1', 'in_warehouse'), past('T-2', 'cancelled'), sent];
  await nothingChanges(async () => {
    assert.deepEqual(await main.ordersUpdate(names.map((name) => ({ ...name, consignee_name: 'X' }))), expected);
    assert.deepEqual(await main.ordersHold(names), expected);
    assert.deepEqual(await main.ordersRelease(names), expected);
  });
});

test('entries of one request apply one after the other, and a field that is null or empty stays as it is', async () => {
  await createDirect('E-1');
  const name = { outbound_short_id: 'E-1' };
  const results = await main.ordersUpdate([
    { ...name, consignee_name: 'First', consignee_phone: null, consignee_zip: '' },
    { ...name, consignee_name: 'Second' },
    { ...name, consignee_name: 'Second' },
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['updated', 'updated', 'updated'],
  );
  const row = await direct('E-1');
  assert.deepEqual([row.consignee_name, row.consignee_phone, row.consignee_zip], ['Second', '0912-345-678', '110']);
  assert.deepEqual(
    row.changes.map(({ old_values, new_values }) => [old_values, new_values]),
    [
      [{ consignee_name: '王小明' }, { consignee_name: 'First' }],
      [{ consignee_name: 'First' }, { consignee_name: 'Second' }],
    ],
  );
});

test('an order can be changed so many times and no more', async () => {
  await createDirect('M-1');
  const names = Array.from({ length: changesMax + 1 }, (_, index) => `Name ${index}`);
  const results = await main.ordersUpdate(
    names.map((consignee_name) => ({ outbound_short_id: 'M-1', consignee_name })),
  );
  assert.deepEqual(results.at(-2), { outbound_short_id: 'M-1', status: 'updated' });
  assert.deepEqual(results.at(-1), {
    outbound_short_id: 'M-1',
    status: 'refused',
    code: 'limit_reached',
    message: `the order has been changed ${changesMax} times already`,
  });
  const { consignee_name, changes } = await direct('M-1');
  assert.deepEqual([consignee_name, changes.length], [`Name ${changesMax - 1}`, changesMax]);
});

test('a body with a mistake is rejected as a whole, and a client needs the permission orders.write', async () => {
  await createDirect('B-1');
  const good = { outbound_short_id: 'B-1', consignee_name: 'X' };
  const bodies: [path: string, entry: object, msg: string][] = [
    ['update', { outbound_short_id: 'B-1' }, 'consignee_name is missing; send at least one field to change'],
    ['update', { consignee_name: 'X' }, 'outbound_short_id is missing, or internal_name'],
    ['update', { ...good, internal_name: 'B-1' }, 'internal_name must not be given as well'],
    ['update', { ...good, consignee_country: 'US' }, 'consignee_country must be one of TW'],
    ['update', { ...good, store_pickup_label_data: { x: 'x'.repeat(70_000) } }, 'store_pickup_label_data'],
    ['hold', { outbound_short_id: 'B-1', reason: 'x'.repeat(501) }, 'reason must be'],
    ['release', {}, 'outbound_short_id is missing, or internal_name'],
  ];
  await nothingChanges(async () => {
    for (const [path, entry, msg] of bodies) {
      const answer = await app.callMain(`/orders/${path}`, { orders: [good, entry] }, { as: live });
      const said = assertNotDone(answer);
      assert.ok(said.includes(`orders[1].${msg}`), `${path}: ${said}`);
    }
    const tooMany = Array.from({ length: 101 }, () => good);
    assertNotDone(await app.callMain('/orders/update', { orders: tooMany }, { as: live }));
  });
  const reader = { clientId: 'reader', checkValue: 'reader-check-value-of-thirty-two-characters-or-more' };
  await app.provision({
    clients: [
      {
        client_id: reader.clientId,
        check_value: reader.checkValue,
        account_no: live.accountNo,
        permissions: ['orders.read'],
      },
    ],
  });
  for (const path of ['update', 'hold', 'release'])
    assertNotDone(await app.callMain(`/orders/${path}`, { orders: [good] }, { as: reader }), { status: 403 });
});

test('orders of a UAT account, which wait for ever, can be changed and held too', async () => {
  await receive(app, { TEA: [['2030-01-01', 10]] });
  await order(app, 'UAT-1', [['TEA', 1]]);
  const update = { orders: [{ outbound_short_id: 'UAT-1', consignee_name: 'Test' }] };
  assert.deepEqual(retvalOf(await app.callMain('/orders/update', update)).results[0].status, 'updated');
  const hold = { orders: [{ outbound_short_id: 'UAT-1' }] };
  assert.deepEqual(retvalOf(await app.callMain('/orders/hold', hold)).results[0].status, 'held');
});

test('no change moves units: balances equal their movements', () => assertBooksInOrder(app));
