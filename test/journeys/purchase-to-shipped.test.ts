import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrderRow, type VerifiedCallback, verifyCallback } from '../../sdk/client.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { startTestApp } from '../support/app.ts';
import { startTestBackground, startToldPartner } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { assertBooksInOrder, form, item, shippingOrder } from '../support/logistics.ts';
import { movementsOf } from '../support/warehouse.ts';

// The whole of it, as it runs in production: the APIs, the background work, a simulated warehouse, and a receiver over a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
const shop = {
  accountNo: 'SHOP',
  secret: 'shop-secret',
  clientId: 'shop-erp',
  checkValue: 'shop-check-value',
  apiKey: 'shop-api-key',
  callbackSecret: 'whsec_c2hvcC1jYWxsYmFjay1zZWNyZXQtZm9yLXRlc3Rz',
};
await app.provision({
  warehouses: [{ warehouse_no: 2, connector: { type: 'simulator', step_s: 1 }, transfer_every_s: 1 }],
  accounts: [{ account_no: shop.accountNo, environment: 'production', secret: shop.secret }],
  clients: [{ client_id: shop.clientId, check_value: shop.checkValue, account_no: shop.accountNo, permissions: [...permissions] }],
  logistics_keys: [
    {
      name: 'wms',
      key: shop.apiKey,
      account_no: shop.accountNo,
      warehouse_no: 2,
      store_no: 10,
      callback_secret: shop.callbackSecret,
    },
  ],
});

startTestBackground(app);
const { main, logistics } = await clientsOf(app, shop);
const partner = await startToldPartner();
const callback_url = partner.callbackUrl;

/** A callback, once it has come; its signature is right. */
async function told(documentNo: string, event: string): Promise<VerifiedCallback> {
  const { text, headers } = await partner.told(documentNo, event);
  return verifyCallback({ headers, body: text }, { secrets: shop.callbackSecret });
}

async function orderRow(internalName: string): Promise<OrderRow> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.internal_name': internalName }));
  return row!;
}

async function stock(): Promise<[string, string, number, number][]> {
  const rows = await Array.fromAsync(main.searchStocks({ 'products_stock.warehouse_no': 2 }));
  return rows.map(({ sku_id, stock_type, qty, qty_available }) => [sku_id, stock_type, qty, qty_available] as const).sort() as never;
}

async function receiveUnits(
  form_no: string,
  units: Partial<Record<'good' | 'bad', number>>,
  rest: { receipt_no?: string; final?: true },
): Promise<string> {
  const details = (['good', 'bad'] as const).flatMap((stock_type) => {
    const qty = units[stock_type];
    return qty === undefined ? [] : [{ sku_id: 'CAKE', expire_date: '2030-12-31', qty, stock_type }];
  });
  return (await main.inboundsReceive({ form_no, details, ...rest })).status;
}

const cakes = (quantity: number) => [item('CAKE', quantity)];

/** The state of an order that must be created. */
async function order(internalName: string, quantity: number): Promise<string> {
  const { status, ...created } = await logistics.shippingOrder(shippingOrder(internalName, cakes(quantity), { callback_url }));
  assert.deepEqual(created, { document_no: internalName, idempotent: false });
  return status;
}

test('from the purchase to the shipment and back, with everybody being told', { timeout: 60_000 }, async (journey) => {
  await journey.test('a purchase is announced, and orders wait for it', async () => {
    const announced = form('PO-1', [{ ...cakes(10)[0]!, expire_date: '2030-12-31' }], { callback_url });
    assert.equal((await logistics.inboundForm(announced)).status, 'expected');
    assert.equal(await order('SO-1', 6), 'awaiting_stock');
    assert.equal(await order('SO-2', 3), 'awaiting_stock');
    assert.deepEqual(await stock(), []);
  });

  await journey.test('the first portion is not enough for who is first in line; a repeat counts once', async () => {
    for (const repeat of [false, true]) {
      assert.equal(await receiveUnits('PO-1', { good: 4 }, { receipt_no: 'TRUCK-1' }), 'receiving', `repeat: ${repeat}`);
    }
    assert.deepEqual(await stock(), [['CAKE', 'good', 4, 4]]);
    assert.deepEqual([(await orderRow('SO-1')).status, (await orderRow('SO-2')).status], ['awaiting_stock', 'awaiting_stock']);
  });

  await journey.test('the rest comes, one of it defective: the form is received, and the shop is told what came', async () => {
    assert.equal(await receiveUnits('PO-1', { good: 5, bad: 1 }, { receipt_no: 'TRUCK-2', final: true }), 'received');
    const { status, internal_no, shipment_no, received } = await told('PO-1', 'inbound.received');
    assert.deepEqual([status, internal_no, shipment_no], ['received', 'I-PO-1', null]);
    assert.deepEqual(received?.map(({ sku, stock_type, quantity }) => `${sku} ${stock_type} ${quantity}`).sort(), [
      'CAKE bad 1',
      'CAKE good 9',
    ]);
  });

  await journey.test('both orders have their stock, go to the warehouse and are shipped, the older one first', async () => {
    const shipments = [await told('SO-1', 'order.shipped'), await told('SO-2', 'order.shipped')];
    const rows = [await orderRow('SO-1'), await orderRow('SO-2')];
    for (const [index, { status, shipment_no, carrier, timeline }] of rows.entries()) {
      const callback = shipments[index]!;
      assert.match(String(shipment_no), /^SIM-2-[0-9a-z]+$/);
      assert.deepEqual([status, callback.status], ['shipped', 'shipped']);
      assert.deepEqual([callback.shipment_no, callback.carrier], [shipment_no, carrier]);
      assert.deepEqual(
        timeline.map(({ event, from, to }) => [event, from, to]),
        [
          ['create', null, 'awaiting_stock'],
          ['allocate', 'awaiting_stock', 'pending_warehouse_transfer'],
          ['transfer', 'pending_warehouse_transfer', 'in_warehouse'],
          ['pick', 'in_warehouse', 'picking'],
          ['pack', 'picking', 'packed'],
          ['ship', 'packed', 'shipped'],
        ],
      );
    }
    const transferredAt = rows.map(({ timeline }) => timeline[2]!.at);
    assert.ok(transferredAt[0]! <= transferredAt[1]!, transferredAt.join(' '));
  });

  await journey.test('the units have left, and the defective one is all there is', async () => {
    for (const [name, quantity] of [
      ['SO-1', 6],
      ['SO-2', 3],
    ] as const) {
      const moved = Map.groupBy(await movementsOf(app, name), ({ kind }) => kind);
      const sums = [...moved].map(([kind, rows]) => [kind, rows.reduce((sum, row) => sum + row.on_hand_delta, 0)]);
      assert.deepEqual(sums, [
        ['lock', 0],
        ['ship', -quantity],
      ]);
    }
    assert.deepEqual(await stock(), [['CAKE', 'bad', 1, 0]]);
  });

  await journey.test('the carrier delivers', async () => {
    const report = { internal_name: 'SO-1', status: 'delivered' } as const;
    assert.deepEqual(await main.fulfilmentAdvance([report]), [{ internal_name: 'SO-1', status: 'delivered' }]);
    assert.equal((await orderRow('SO-1')).status, 'delivered');
  });

  await journey.test('one comes back damaged: it is graded bad, and nobody can buy it', async () => {
    const back = form('RE-1', cakes(1), { form_type: 2, callback_url });
    assert.equal((await logistics.inboundForm(back)).status, 'expected');
    assert.equal(await receiveUnits('RE-1', { bad: 1 }, {}), 'received');
    assert.equal((await told('RE-1', 'return.received')).status, 'received');
    assert.deepEqual(await stock(), [['CAKE', 'bad', 2, 0]]);
    assert.equal(await order('SO-3', 1), 'awaiting_stock');
  });

  await journey.test('everything adds up, and each callback has come once', async () => {
    await assertBooksInOrder(app);
    assert.deepEqual(partner.heard.map(({ body }) => `${body.event} ${body.document_no}`).sort(), [
      'inbound.received PO-1',
      'order.shipped SO-1',
      'order.shipped SO-2',
      'return.received RE-1',
    ]);
  });
});
