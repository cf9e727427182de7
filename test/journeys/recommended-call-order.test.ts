import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundCreateBody, InboundReturnBody, OutboundCreateBody, ProductSyncBody } from '../../sdk/client.ts';
import { startTestApp } from '../support/app.ts';
import { clientsOf, refusalOf } from '../support/clients.ts';
import { assertBalancesAreSums, dump, goodRow, movementsOf, orderRow } from '../support/warehouse.ts';

const app = await startTestApp();
const { warehouse } = await clientsOf(app);

/** One after the other, as the partner's acceptance test would go: each step builds on the one before. */
const tea: ProductSyncBody = { sku_id: 'OOLONG', sku_name: '烏龍茶', storage_type: 1, weight: 0.15 };
const inbound: InboundCreateBody = {
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
const outbound: OutboundCreateBody = {
  outbound_short_id: 'J-OUT-1',
  warehouse_tpw_id: 'TPW-A',
  consignee_country: 'TW',
  logistics_type: 'csvs',
  express_type: 'pcsc',
  consignee_name: '王小明',
  details: [{ sku_id: 'OOLONG', qty: 12 }],
};
const returned: InboundReturnBody = {
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
      (await warehouse.stockQuery(['OOLONG'])).map(({ status }) => status),
      ['not_found'],
    );
    for (const call of [
      () => warehouse.inboundCreate(inbound),
      () => warehouse.outboundCreate(outbound),
      () => warehouse.inboundReturn(returned),
    ]) {
      assert.deepEqual(await refusalOf(call()), { status: 400, code: 'PARAM_INVALID', message: 'sku_id not found' });
    }
  });

  await journey.test('product/sync', async () => {
    assert.ok(Number.isInteger((await warehouse.productSync(tea)).products_id));
  });

  await journey.test('inbound/create', async () => {
    const { stock_in_no, ...created } = await warehouse.inboundCreate(inbound);
    stockInNo = stock_in_no;
    assert.match(stockInNo, /^si_/);
    assert.deepEqual(created, { stock_in_sn: 'J-IN-1', warehouse_no: 1, duplicate: false });
  });

  await journey.test('stock/query', async () => {
    assert.deepEqual(await warehouse.stockQuery(['OOLONG']), [goodRow('OOLONG', '2030-01-01', 10), goodRow('OOLONG', '2031-01-01', 20)]);
  });

  await journey.test('outbound/create, from the earliest expiry on', async () => {
    const { orders_id, ...created } = await warehouse.outboundCreate(outbound);
    ordersId = orders_id;
    assert.match(ordersId, /^ow_J-OUT-1_[0-9a-z]+$/);
    assert.deepEqual(created, { idempotent: false });
    assert.equal((await orderRow(app, 'J-OUT-1'))?.status, 'pending_warehouse_transfer');
    assert.deepEqual(await warehouse.stockQuery(['OOLONG']), [
      goodRow('OOLONG', '2030-01-01', 10, 10),
      goodRow('OOLONG', '2031-01-01', 20, 2),
    ]);
  });

  await journey.test('outbound/create of more than is left', async () => {
    const body = { ...outbound, outbound_short_id: 'J-OUT-2', details: [{ sku_id: 'OOLONG', qty: 19 }] };
    const message = 'sku OOLONG available=18 < requested=19';
    assert.deepEqual(await refusalOf(warehouse.outboundCreate(body)), { status: 400, code: 'PARAM_INVALID', message });
  });

  await journey.test('inbound/return', async () => {
    assert.equal((await warehouse.inboundReturn(returned)).stock_in_sn, 'J-RE-1');
    assert.deepEqual((await warehouse.stockQuery(['OOLONG']))[0], goodRow('OOLONG', '2029-06-30', 2));
    const links = await app.store.database.read(
      (sql) => sql`
        select d.partner_number as returned, o.partner_number as original
        from returned_order join inbound_document d using (inbound_id) join orders o using (order_id)`,
    );
    assert.deepEqual([...links], [{ returned: 'J-RE-1', original: 'J-OUT-1' }]);
  });

  await journey.test('the cancellations', async () => {
    assert.deepEqual(await warehouse.inboundCancel(['J-IN-1', 'J-RE-1', 'J-IN-0']), [
      { stock_in_sn: 'J-IN-1', status: 'cannot_cancel_after_receiving' },
      { stock_in_sn: 'J-RE-1', status: 'cancelled' },
      { stock_in_sn: 'J-IN-0', status: 'not_found' },
    ]);
    assert.deepEqual(await warehouse.outboundCancel(['J-OUT-1', 'J-OUT-2']), [
      { outbound_short_id: 'J-OUT-1', status: 'cancelled' },
      { outbound_short_id: 'J-OUT-2', status: 'not_found' },
    ]);
    assert.deepEqual(await warehouse.stockQuery(['OOLONG']), [goodRow('OOLONG', '2030-01-01', 10), goodRow('OOLONG', '2031-01-01', 20)]);
  });

  await journey.test('the idempotency checks: the same numbers again change nothing', async () => {
    const before = await dump(app);
    const { status, json } = await app.callWarehouse('/inbound/create', inbound);
    assert.deepEqual([status, json.code, json.success, json.data.stock_in_no], [400, 'LST-TPW-2001', false, stockInNo]);
    const numbers = { stock_in_no: stockInNo, stock_in_sn: 'J-IN-1', warehouse_no: 1 };
    assert.deepEqual(await warehouse.inboundCreate(inbound), { ...numbers, duplicate: true });
    const { stock_in_sn, duplicate } = await warehouse.inboundReturn(returned);
    assert.deepEqual([stock_in_sn, duplicate], ['J-RE-1', true]);
    assert.deepEqual(await warehouse.outboundCreate(outbound), { orders_id: ordersId, idempotent: true });
    assert.deepEqual(await warehouse.outboundCancel(['J-OUT-1']), [{ outbound_short_id: 'J-OUT-1', status: 'cancelled' }]);
    assert.deepEqual(await warehouse.inboundCancel(['J-RE-1']), [{ stock_in_sn: 'J-RE-1', status: 'cancelled' }]);
    assert.deepEqual(await dump(app), before);

    const { products_id } = await warehouse.productSync(tea);
    assert.deepEqual(await warehouse.productSync(tea), { products_id });
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
