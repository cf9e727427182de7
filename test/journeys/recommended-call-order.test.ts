import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import {
  assertBalancesAreSums,
  cancelInbounds,
  cancelOrders,
  dataOf,
  dump,
  goodRow,
  movementsOf,
  orderRow,
  stockOf,
} from '../support/warehouse.ts';

const app = await startTestApp();

/** One after the other, as the partner's acceptance test would go: each step builds on the one before. */
const tea = { sku_id: 'OOLONG', sku_name: '烏龍茶', storage_type: 1, weight: 0.15 };
const inbound = {
  inbound_short_id: 'J-IN-1',
  warehouse_tpw_id: 'TPW-A',
  estimated_arrival_time: 1_772_337_906_789,
  details: [
    {
      sku_id: 'OOLONG',
      qty: 30,
      expires: [
        { expire_date: '2031-01-01', qty: 20 },
        { expire_date: '2030-01-01', qty: 10 },
      ],
    },
  ],
};
const outbound = {
  outbound_short_id: 'J-OUT-1',
  warehouse_tpw_id: 'TPW-A',
  consignee_country: 'TW',
  logistics_type: 'csvs',
  express_type: 'pcsc',
  consignee_name: '王小明',
  details: [{ sku_id: 'OOLONG', qty: 12 }],
};
const returned = {
  inbound_short_id: 'J-RE-1',
  warehouse_tpw_id: 'TPW-A',
  outbound_short_id: 'J-OUT-1',
  details: [{ sku_id: 'OOLONG', expires: [{ expire_date: '2029-06-30', qty: 2 }] }],
};

test('the recommended call order works by itself in uat, from the first product to the repeats', async (journey) => {
  let stockInNo = '';
  let ordersId = '';

  await journey.test('before product/sync the sku is unknown everywhere', async () => {
    assert.deepEqual(
      (await stockOf(app, 'OOLONG')).map(({ status }) => status),
      ['not_found'],
    );
    for (const [path, body] of [
      ['/inbound/create', inbound],
      ['/outbound/create', outbound],
      ['/inbound/return', returned],
    ] as const) {
      assert.equal((await app.callWarehouse(path, body)).json.message, 'sku_id not found');
    }
  });

  await journey.test('product/sync', async () => {
    assert.ok(Number.isInteger(dataOf(await app.callWarehouse('/product/sync', tea)).products_id));
  });

  await journey.test('inbound/create', async () => {
    const data = dataOf(await app.callWarehouse('/inbound/create', inbound));
    stockInNo = data.stock_in_no;
    assert.match(stockInNo, /^si_/);
    assert.deepEqual([data.stock_in_sn, data.warehouse_no], ['J-IN-1', 1]);
  });

  await journey.test('stock/query', async () => {
    assert.deepEqual(await stockOf(app, 'OOLONG'), [goodRow('OOLONG', '2030-01-01', 10), goodRow('OOLONG', '2031-01-01', 20)]);
  });

  await journey.test('outbound/create, from the earliest expiry on', async () => {
    const data = dataOf(await app.callWarehouse('/outbound/create', outbound));
    ordersId = data.orders_id;
    assert.match(ordersId, /^ow_J-OUT-1_[0-9a-z]+$/);
    assert.equal(data.idempotent, false);
    assert.equal((await orderRow(app, 'J-OUT-1'))?.status, 'pending_warehouse_transfer');
    assert.deepEqual(await stockOf(app, 'OOLONG'), [goodRow('OOLONG', '2030-01-01', 10, 10), goodRow('OOLONG', '2031-01-01', 20, 2)]);
  });

  await journey.test('outbound/create of more than is left', async () => {
    const body = { ...outbound, outbound_short_id: 'J-OUT-2', details: [{ sku_id: 'OOLONG', qty: 19 }] };
    assert.equal((await app.callWarehouse('/outbound/create', body)).json.message, 'sku OOLONG available=18 < requested=19');
  });

  await journey.test('inbound/return', async () => {
    assert.equal(dataOf(await app.callWarehouse('/inbound/return', returned)).stock_in_sn, 'J-RE-1');
    assert.deepEqual((await stockOf(app, 'OOLONG'))[0], goodRow('OOLONG', '2029-06-30', 2));
    const links = await app.store.database.read(
      (sql) => sql`
        select d.partner_number as returned, o.partner_number as original
        from returned_order join inbound_document d using (inbound_id) join orders o using (order_id)`,
    );
    assert.deepEqual([...links], [{ returned: 'J-RE-1', original: 'J-OUT-1' }]);
  });

  await journey.test('the cancellations', async () => {
    assert.deepEqual(await cancelInbounds(app, ['J-IN-1', 'J-RE-1', 'J-IN-0']), [
      { stock_in_sn: 'J-IN-1', status: 'cannot_cancel_after_receiving' },
      { stock_in_sn: 'J-RE-1', status: 'cancelled' },
      { stock_in_sn: 'J-IN-0', status: 'not_found' },
    ]);
    assert.deepEqual(await cancelOrders(app, ['J-OUT-1', 'J-OUT-2']), [
      { outbound_short_id: 'J-OUT-1', status: 'cancelled' },
      { outbound_short_id: 'J-OUT-2', status: 'not_found' },
    ]);
    assert.deepEqual(await stockOf(app, 'OOLONG'), [goodRow('OOLONG', '2030-01-01', 10), goodRow('OOLONG', '2031-01-01', 20)]);
  });

  await journey.test('the idempotency checks: the same numbers again change nothing', async () => {
    const before = await dump(app);
    for (const [path, body, number] of [
      ['/inbound/create', inbound, 'J-IN-1'],
      ['/inbound/return', returned, 'J-RE-1'],
    ] as const) {
      const { status, json } = await app.callWarehouse(path, body);
      assert.deepEqual([status, json.code, json.success, json.data.stock_in_sn], [400, 'LST-TPW-2001', false, number]);
      if (path === '/inbound/create') assert.equal(json.data.stock_in_no, stockInNo);
    }
    assert.deepEqual(dataOf(await app.callWarehouse('/outbound/create', outbound)), {
      success: true,
      orders_id: ordersId,
      idempotent: true,
    });
    assert.deepEqual(await cancelOrders(app, ['J-OUT-1']), [{ outbound_short_id: 'J-OUT-1', status: 'cancelled' }]);
    assert.deepEqual(await cancelInbounds(app, ['J-RE-1']), [{ stock_in_sn: 'J-RE-1', status: 'cancelled' }]);
    assert.deepEqual(await dump(app), before);

    const { products_id } = dataOf(await app.callWarehouse('/product/sync', tea));
    assert.equal(dataOf(await app.callWarehouse('/product/sync', tea)).products_id, products_id);
  });

  await journey.test('the order tells its whole story in movements, and every balance is their sum', async () => {
    assert.deepEqual(
      (await movementsOf(app, 'J-OUT-1')).map(({ kind, expire_date, locked_delta }) => [kind, expire_date, locked_delta]).sort(),
      [
        ['lock', '2030-01-01', 10],
        ['lock', '2031-01-01', 2],
        ['unlock', '2030-01-01', -10],
        ['unlock', '2031-01-01', -2],
      ],
    );
    await assertBalancesAreSums(app);
  });
});
