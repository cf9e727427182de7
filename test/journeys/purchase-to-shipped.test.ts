import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OrderRow, type VerifiedCallback, verifyCallback } from '../../sdk/client.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import { startTestApp } from '../support/app.ts';
import { startNotifiedPartner, startTestBackground } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { assertBooksInOrder, form, item, shippingOrder } from '../support/logistics.ts';
import { movementsOf } from '../support/warehouse.ts';

// The set-up of production: APIs, background jobs, a simulated warehouse, and a receiver on a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
const shop = {
  accountNo: 'SHOP',
  secret: 'shop-secret-of-thirty-two-characters-or-more',
  clientId: 'shop-erp',
  checkValue: 'shop-check-value-of-thirty-two-characters-or-more',
  apiKey: 'shop-api-key-of-thirty-two-characters-or-more',
  callbackSecret: 'whsec_c2hvcC1jYWxsYmFjay1zZWNyZXQtZm9yLXRlc3Rz',
};
await app.provision({
  warehouses: [{ warehouse_no: 2, connector: { type: 'simulator', step_s: 1 }, transfer_every_s: 1 }],
  accounts: [{ account_no: shop.accountNo, environment: 'production', secret: shop.secret }],
  clients: [
    {
      client_id: shop.clientId,
      check_value: shop.checkValue,
      account_no: shop.accountNo,
      permissions: [...permissions],
    },
  ],
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

const backgroundLines = startTestBackground(app);
const { main, logistics } = await clientsOf(app, shop);
const partner = await startNotifiedPartner();
const callback_url = `${partner.callbackUrl}?shop=1`;

/** Waits for a callback and verifies its signature. */
async function notified(documentNo: string, event: string): Promise<VerifiedCallback> {
  const { text, headers } = await partner.notified(documentNo, event);
  return verifyCallback({ headers, body: text }, { secrets: shop.callbackSecret });
}

async function orderRow(internalName: string): Promise<OrderRow> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.internal_name': internalName }));
  return row!;
}

async function stock(): Promise<[string, string, number, number][]> {
  const rows = await Array.fromAsync(main.searchStocks({ 'products_stock.warehouse_no': 2 }));
  return rows
    .map(({ sku_id, stock_type, qty, qty_available }) => [sku_id, stock_type, qty, qty_available] as const)
    .sort() as never;
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

/** Creates an order and returns its status. */
async function order(internalName: string, quantity: number): Promise<string> {
  const { status, ...created } = await logistics.shippingOrder(
    shippingOrder(internalName, cakes(quantity), { callback_url }),
  );
  assert.deepEqual(created, { document_no: internalName, idempotent: false });
  return status;
}

test('from the purchase to the shipment and the return, with all callbacks', { timeout: 60_000 }, async (journey) => {
  await journey.test('a purchase is announced, and orders wait for it', async () => {
    const announced = form('PO-1', [{ ...cakes(10)[0]!, expire_date: '2030-12-31' }], { callback_url });
    assert.equal((await logistics.inboundForm(announced)).status, 'expected');
    assert.equal(await order('SO-1', 6), 'awaiting_stock');
    assert.equal(await order('SO-2', 3), 'awaiting_stock');
    assert.deepEqual(await stock(), []);
  });

  await journey.test(
    'the first portion is too small for the oldest order; a repeated receipt counts once',
    async () => {
      for (const repeat of [false, true]) {
        assert.equal(
          await receiveUnits('PO-1', { good: 4 }, { receipt_no: 'TRUCK-1' }),
          'receiving',
          `repeat: ${repeat}`,
        );
      }
      assert.deepEqual(await stock(), [['CAKE', 'good', 4, 4]]);
      assert.deepEqual(
        [(await orderRow('SO-1')).status, (await orderRow('SO-2')).status],
        ['awaiting_stock', 'awaiting_stock'],
      );
    },
  );

  await journey.test(
    'the rest arrives, one unit is defective: the form is received, and the callback names what arrived',
    async () => {
      assert.equal(await receiveUnits('PO-1', { good: 5, bad: 1 }, { receipt_no: 'TRUCK-2', final: true }), 'received');
      const { status, internal_no, shipment_no, received } = await notified('PO-1', 'inbound.received');
      assert.deepEqual([status, internal_no, shipment_no], ['received', 'I-PO-1', null]);
      assert.deepEqual(received?.map(({ sku, stock_type, quantity }) => `${sku} ${stock_type} ${quantity}`).sort(), [
        'CAKE bad 1',
        'CAKE good 9',
      ]);
    },
  );

  await journey.test(
    'both orders get their stock, go to the warehouse and are shipped, the older one first',
    async () => {
      const shipments = [await notified('SO-1', 'order.shipped'), await notified('SO-2', 'order.shipped')];
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
    },
  );

  await journey.test('the shipped units have left, and the defective unit remains', async () => {
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

  await journey.test('a unit is returned damaged: it is graded bad and cannot be sold', async () => {
    const back = form('RE-1', cakes(1), { form_type: 2, callback_url });
    assert.equal((await logistics.inboundForm(back)).status, 'expected');
    assert.equal(await receiveUnits('RE-1', { bad: 1 }, {}), 'received');
    assert.equal((await notified('RE-1', 'return.received')).status, 'received');
    assert.deepEqual(await stock(), [['CAKE', 'bad', 2, 0]]);
    assert.equal(await order('SO-3', 1), 'awaiting_stock');
  });
});

test('an order that waits is cancelled, and the shop is notified', { timeout: 60_000 }, async () => {
  const cancelled = { internal_name: 'SO-3', status: 'cancelled' };
  assert.deepEqual(await main.ordersCancel({ internal_names: ['SO-3'] }), [cancelled]);
  assert.equal((await notified('SO-3', 'order.cancelled')).status, 'cancelled');
});

test('the books are in order, and each callback arrived once', async () => {
  await assertBooksInOrder(app);
  assert.deepEqual(partner.heard.map(({ body }) => `${body.event} ${body.document_no}`).sort(), [
    'inbound.received PO-1',
    'order.cancelled SO-3',
    'order.delivered SO-1',
    'order.shipped SO-1',
    'order.shipped SO-2',
    'return.received RE-1',
  ]);
});

test('while the callback secret rotates, both secrets sign', { timeout: 60_000 }, async () => {
  const owner = { kind: 'callback_secret', owner: `${shop.accountNo}/wms` } as const;
  const { service, keyring } = app.store;
  const rotation = await rotateSecret(service, keyring, owner, { actor: 'test', overlapSeconds: 3600 });
  const fresh = rotation.kind === 'rotated' ? rotation.issued.value : '';
  // A node uses the new secret after a few seconds.
  for (let forms = 1; ; forms++) {
    await logistics.inboundForm(form(`STOP-${forms}`, cakes(1), { callback_url }));
    await main.inboundsStop({ form_no: `STOP-${forms}` });
    const { text, headers } = await partner.notified(`STOP-${forms}`, 'inbound.stopped');
    const isSignedByBoth = String(headers['webhook-signature']).includes(' ');
    for (const secrets of isSignedByBoth ? [shop.callbackSecret, fresh] : [])
      assert.equal(verifyCallback({ headers, body: text }, { secrets }).document_no, `STOP-${forms}`);
    if (isSignedByBoth) return;
    await sleep(100);
  }
});

test('no log line contains a body, a secret, or the query of an address', () => {
  const lines = [...backgroundLines, ...app.logLines].join('\n');
  for (const secret of [shop.callbackSecret, shop.apiKey, 'Lin Mei-hua', '?shop=1', '0900000000'])
    assert.equal(lines.includes(secret), false, secret);
});
