import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exampleInboundForm } from '../../contract/logistics/inbound-form.ts';
import { exampleShippingOrder } from '../../contract/logistics/shipping-order.ts';
import { type InboundFormBody, LogisticsClient, type ShippingOrderBody, verifyCallback } from '../../sdk/client.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { startTestBackground, startToldPartner } from '../support/background.ts';
import { addressOf, clientsOf } from '../support/clients.ts';

// The whole of it, as it runs in production: the APIs, the background work, and a receiver over a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await app.provision({
  logistics_keys: [
    {
      name: 'later',
      key: 'later-api-key',
      account_no: alpha.accountNo,
      warehouse_no: 1,
      store_no: 10,
      receiving: 'on_confirm',
      callback_secret: alpha.callbackSecret,
    },
  ],
});
const logLines = startTestBackground(app);
const { main, logistics } = await clientsOf(app);
const { callbackUrl: callback_url, told } = await startToldPartner();

async function statusOf(internalName: string): Promise<string> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.internal_name': internalName }));
  return row!.status;
}

async function untilStatus(internalName: string, status: string): Promise<void> {
  while ((await statusOf(internalName)) !== status) await sleep(5);
}

const item = { sku: 'CAKE', quantity: 3, storage_type: 'chilled' };
const order = (internal_name: string, quantity: number): ShippingOrderBody => ({
  ...exampleShippingOrder,
  internal_name,
  callback_url,
  products: [{ ...item, quantity }],
});
const form = (form_no: string, quantity: number): InboundFormBody => ({
  ...exampleInboundForm,
  form_no,
  callback_url,
  products: [{ ...item, quantity }],
});
const patience = { timeout: 60_000 };

test('an order waits for its stock, has it when the goods come, and everybody is told what happened', patience, async () => {
  assert.equal((await logistics.shippingOrder(order('W-1', 3))).status, 'awaiting_stock');
  assert.equal((await logistics.inboundForm(form('PO-1', 10))).status, 'received');
  await untilStatus('W-1', 'pending_warehouse_transfer');
  assert.equal((await told('PO-1', 'inbound.received')).body.internal_no, 'A-77');

  assert.deepEqual(await main.ordersCancel({ internal_names: ['W-1'] }), [{ internal_name: 'W-1', status: 'cancelled' }]);
  const { headers, text, body, path } = await told('W-1', 'order.cancelled');

  assert.equal(path, '/told');
  assert.equal(headers['webhook-id'], body.event_id);
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual(verifyCallback({ headers, body: text }, { secrets: alpha.callbackSecret }), { ...body, duplicate: false });
});

test('stock that a cancel sets free goes to the order that waits', patience, async () => {
  assert.equal((await logistics.shippingOrder(order('W-2', 9))).status, 'pending_warehouse_transfer');
  assert.equal((await logistics.shippingOrder(order('W-3', 5))).status, 'awaiting_stock');

  await main.ordersCancel({ internal_names: ['W-2'] });

  await untilStatus('W-3', 'pending_warehouse_transfer');
});

test('who stops receiving is told at the address of the stop', patience, async () => {
  const later = new LogisticsClient({ url: await addressOf(app), apiKey: 'later-api-key' });
  assert.equal((await later.inboundForm(form('PO-2', 10))).status, 'expected');

  const stop: InboundFormBody = { ...form('PO-2', 10), form_type: 3, callback_url: `${callback_url}?stop=1`, products: [] };
  assert.equal((await later.inboundForm(stop)).status, 'stopped');

  assert.equal((await told('PO-2', 'inbound.stopped')).path, '/told?stop=1');
});

test('while the callback secret is being rotated, both sign; the receiver changes over when it likes', patience, async () => {
  const rotation = await rotateSecret(
    app.store.database,
    app.store.keyring,
    { kind: 'callback_secret', owner: `${alpha.accountNo}/wms` },
    { actor: 'test', overlapSeconds: 3600 },
  );
  assert.equal(rotation.kind, 'rotated');
  // A change reaches every node within 5 s.
  await sleep(3100);
  await logistics.inboundForm(form('PO-3', 1));
  const { headers, text } = await told('PO-3', 'inbound.received');

  assert.equal(String(headers['webhook-signature']).split(' ').length, 2);
  for (const secret of [alpha.callbackSecret, rotation.kind === 'rotated' ? rotation.issued.value : '']) {
    assert.equal(verifyCallback({ headers, body: text }, { secrets: secret }).document_no, 'PO-3');
  }
});

test('no log line of all this holds a body, a secret, or the query of an address', patience, () => {
  const lines = [...logLines, ...app.logLines].join('\n');
  for (const secret of [alpha.callbackSecret, alpha.apiKey, 'Lin Mei-hua', '?stop=1', '0900000000'])
    assert.equal(lines.includes(secret), false, secret);
});
