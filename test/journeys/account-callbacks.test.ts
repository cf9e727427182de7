import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type VerifiedCallback, verifyCallback } from '../../sdk/client.ts';
import { findKeysOfEvents } from '../../server/domain/callbacks/callback-search-queries.ts';
import { redeliverInBatches } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import { startTestApp } from '../support/app.ts';
import { type NotifiedPartner, startNotifiedPartner, startTestBackground } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { assertBooksInOrder } from '../support/logistics.ts';
import { inboundBody, orderBody } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

// The set-up of production: APIs, background jobs, and receivers on real sockets.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
const shop = {
  accountNo: 'SHOP/TW',
  secret: 'shop-secret-of-thirty-two-characters-or-more',
  clientId: 'shop-erp',
  checkValue: 'shop-check-value-of-thirty-two-characters-or-more',
  apiKey: 'shop-api-key-of-thirty-two-characters-or-more',
};
const accountSecret = 'whsec_c2hvcC1hY2NvdW50LWNhbGxiYWNrLXNlY3JldA==';
const tenantSecret = 'whsec_c2hvcC10ZW5hbnQtY2FsbGJhY2stc2VjcmV0ISE=';
const [ofAccount, ofTenant] = [await startNotifiedPartner(), await startNotifiedPartner()];
const place = { warehouse_no: 1, store_no: 10 };
const account = { account_no: shop.accountNo };
await app.provision({
  accounts: [
    {
      ...account,
      environment: 'production',
      secret: shop.secret,
      callback_url: `${ofAccount.callbackUrl}?shop=1`,
      callback_secret: accountSecret,
      tenants: [
        { warehouse_tpw_id: 'TPW-S', ...place },
        { warehouse_tpw_id: 'TPW-NOW', ...place, receiving: 'on_create' },
        {
          warehouse_tpw_id: 'TPW 東',
          ...place,
          callback_url: ofTenant.callbackUrl,
          callback_secret: tenantSecret,
        },
      ],
    },
  ],
  clients: [{ client_id: shop.clientId, check_value: shop.checkValue, ...account, permissions: [...permissions] }],
  logistics_keys: [{ name: 'wms', key: shop.apiKey, ...account, ...place }],
});
const backgroundLines = startTestBackground(app);
const { main, warehouse } = await clientsOf(app, shop);
const tenant = (warehouseTpwId: string) => ({ warehouseTpwId });

async function notified(
  documentNo: string,
  event: string,
  { by = ofAccount, secrets = accountSecret }: { by?: NotifiedPartner; secrets?: string } = {},
): Promise<VerifiedCallback> {
  const { text, headers } = await by.notified(documentNo, event);
  return verifyCallback({ headers, body: text }, { secrets });
}

async function ship(number: string): Promise<void> {
  const report = {
    outbound_short_id: number,
    status: 'shipped',
    shipment_no: `SF-${number}`,
    carrier: 'tcat',
  } as const;
  assert.deepEqual(await main.fulfilmentAdvance([report]), [{ outbound_short_id: number, status: 'shipped' }]);
}

const line = (quantity: number) => ({
  ...{ sku: 'CAKE', quantity, name: null, storage_type: null, price: null, batch: null, identifier: null },
});

test('goods that the warehouse API announces: the account is notified when they are received', {
  timeout: 60_000,
}, async () => {
  await warehouse.productSync({ sku_id: 'CAKE', sku_name: 'Cake', storage_type: 1 });
  await warehouse.inboundCreate(inboundBody('IN-1', { CAKE: [['2030-12-31', 10]] }, tenant('TPW-S')));
  await main.inboundsReceive({
    inbound_short_id: 'IN-1',
    details: [{ sku_id: 'CAKE', expire_date: '2030-12-31', qty: 9, stock_type: 'good' }],
    final: true,
  });
  const { event_id, occurred_at, lading_no, ...body } = await notified('IN-1', 'inbound.received');
  assert.match(lading_no, /^si_/);
  assert.deepEqual(body, {
    ...{ event: 'inbound.received', sequence: 1, test: false, document_type: 'inbound' },
    ...{ document_no: 'IN-1', internal_no: 'IN-1' },
    ...{ name: null, status: 'received', shipment_no: null, carrier: null, note: null, duplicate: false },
    products: [{ ...line(10), expire_date: '2030-12-31' }],
    received: [{ sku: 'CAKE', quantity: 9, stock_type: 'good', batch: null, expire_date: '2030-12-31' }],
  });
  assert.equal(ofAccount.heard[0]!.path, '/callbacks?shop=1');
});

test('a document that is received on creation is notified with it', { timeout: 60_000 }, async () => {
  await warehouse.inboundCreate(inboundBody('IN-NOW', { CAKE: [['2030-12-31', 5]] }, tenant('TPW-NOW')));
  const { sequence, received } = await notified('IN-NOW', 'inbound.received');
  const arrived = { sku: 'CAKE', quantity: 5, stock_type: 'good', batch: null, expire_date: '2030-12-31' };
  assert.deepEqual([sequence, received], [1, [arrived]]);
  assert.deepEqual(await warehouse.inboundCancel(['IN-NOW']), [{ stock_in_sn: 'IN-NOW', status: 'cancelled' }]);
  const cancelled = await notified('IN-NOW', 'inbound.cancelled');
  assert.deepEqual([cancelled.sequence, cancelled.received], [2, []]);
});

test('an order of the warehouse API, from its creation to the shipment', { timeout: 60_000 }, async () => {
  const created = await warehouse.outboundCreate(orderBody('SO-1', [['CAKE', 2]], tenant('TPW-S')));
  await ship('SO-1');
  const { event_id, occurred_at, ...body } = await notified('SO-1', 'order.shipped');
  const items = [{ sku: 'CAKE', quantity: 2, batch: null, expire_date: '2030-12-31' }];
  assert.deepEqual(body, {
    ...{ event: 'order.shipped', sequence: 1, test: false, document_type: 'order' },
    ...{ document_no: 'SO-1', internal_no: 'SO-1' },
    ...{ name: null, lading_no: created.orders_id, status: 'shipped', shipment_no: 'SF-SO-1', carrier: 'tcat' },
    parcels: [{ shipment_no: 'SF-SO-1', carrier: 'tcat', items }],
    short: [],
    products: [{ ...line(2), combo_sku: null }],
    ...{ received: null, note: null, duplicate: false },
  });
});

test('orders of the main API, cancelled orders, stopped and cancelled documents are notified too', {
  timeout: 60_000,
}, async () => {
  await main.ordersCreate(orderBody('SO-2', [['CAKE', 1]], tenant('TPW-S')));
  await warehouse.outboundCreate(orderBody('SO-3', [['CAKE', 1]], tenant('TPW-S')));
  await warehouse.outboundCancel(['SO-2', 'SO-3']);
  assert.equal((await notified('SO-2', 'order.cancelled')).status, 'cancelled');
  assert.equal((await notified('SO-3', 'order.cancelled')).status, 'cancelled');

  const back = inboundBody('RE-1', { CAKE: [['2030-12-31', 1]] }, tenant('TPW-S'));
  await warehouse.inboundReturn({ ...back, outbound_short_id: 'SO-1' });
  await main.inboundsStop({ inbound_short_id: 'RE-1' });
  const { document_type, received } = await notified('RE-1', 'return.stopped');
  assert.deepEqual([document_type, received], ['return', []]);

  await warehouse.inboundCreate(inboundBody('IN-2', { CAKE: [['2030-12-31', 1]] }, tenant('TPW-S')));
  await warehouse.inboundCancel(['IN-2']);
  assert.equal((await notified('IN-2', 'inbound.cancelled')).sequence, 1);
});

test('returns are notified: received, cancelled, and the one that the service expects after a failed delivery', {
  timeout: 60_000,
}, async () => {
  const back = (number: string) => ({
    ...inboundBody(number, { CAKE: [['2030-12-31', 1]] }, tenant('TPW-S')),
    outbound_short_id: 'SO-1',
  });
  await warehouse.inboundReturn(back('RE-2'));
  await warehouse.inboundReturn(back('RE-3'));
  const details = [{ sku_id: 'CAKE', expire_date: '2030-12-31', qty: 1, stock_type: 'bad' as const }];
  await main.inboundsReceive({ inbound_short_id: 'RE-2', details, final: true });
  await warehouse.inboundCancel(['RE-3']);
  const received = await notified('RE-2', 'return.received');
  const unit = { sku: 'CAKE', quantity: 1, stock_type: 'bad', batch: null, expire_date: '2030-12-31' };
  assert.deepEqual([received.document_type, received.received], ['return', [unit]]);
  assert.equal((await notified('RE-3', 'return.cancelled')).sequence, 1);

  await warehouse.outboundCreate(orderBody('SO-BACK', [['CAKE', 1]], tenant('TPW-S')));
  await ship('SO-BACK');
  await main.fulfilmentAdvance([{ outbound_short_id: 'SO-BACK', status: 'undelivered', reason: 'refused' }]);
  const undelivered = await notified('SO-BACK', 'order.undelivered');
  assert.equal(undelivered.sequence, 2);
  const returnNo = undelivered.event === 'order.undelivered' ? undelivered.return_no! : '';
  const [expected] = await Array.fromAsync(main.searchInbounds({ 'inbounds.stock_in_no': returnNo }));
  await main.inboundsStop({ inbound_short_id: expected!.inbound_short_id! });
  const stopped = await notified(expected!.inbound_short_id!, 'return.stopped');
  assert.deepEqual([stopped.lading_no, stopped.received], [returnNo, []]);
});

test('a callback of an account that was disabled meanwhile is still delivered, with its signature', {
  timeout: 60_000,
}, async () => {
  const [row] = await Array.fromAsync(main.searchCallbacks({ 'callbacks.document_no': 'SO-BACK' }));
  await app.provision({ accounts: [{ ...account, enabled: false }] });
  const before = ofAccount.heard.length;
  await redeliverEvent(row!.event_id);
  await until('it arrives again', () => ofAccount.heard.length > before);
  const { headers, text } = ofAccount.heard.at(-1)!;
  assert.equal(verifyCallback({ headers, body: text }, { secrets: accountSecret }).event_id, row!.event_id);
  // It must not count as a second callback in the tests below.
  ofAccount.heard.pop();
  await app.provision({ accounts: [{ ...account, enabled: true }] });
});

/** The operator does this; the account's own client is disabled with it. */
async function redeliverEvent(eventId: string): Promise<void> {
  const keys = await app.store.database.read((sql) => findKeysOfEvents(sql, [eventId]));
  assert.equal((await redeliverInBatches(app.store.service, keys)).count, 1);
}

test('the address of a tenant wins over that of the account, and its own secret signs', {
  timeout: 60_000,
}, async () => {
  await warehouse.outboundCreate(orderBody('SO-T', [['CAKE', 1]], tenant('TPW 東')));
  await warehouse.inboundCreate(inboundBody('IN-T', { CAKE: [['2030-12-31', 1]] }, tenant('TPW 東')));
  await ship('SO-T');
  await warehouse.inboundCancel(['IN-T']);
  const own = { by: ofTenant, secrets: tenantSecret };
  assert.equal((await notified('SO-T', 'order.shipped', own)).sequence, 1);
  assert.equal((await notified('IN-T', 'inbound.cancelled', own)).sequence, 1);
});

test('a new address is used for documents that exist already; without an address there are no callbacks', {
  timeout: 60_000,
}, async () => {
  for (const number of ['SO-4', 'SO-5'])
    await warehouse.outboundCreate(orderBody(number, [['CAKE', 1]], tenant('TPW-S')));
  await warehouse.outboundCreate(orderBody('SO-T2', [['CAKE', 1]], tenant('TPW 東')));
  await app.provision({
    accounts: [
      {
        ...account,
        callback_url: ofTenant.callbackUrl,
        tenants: [{ warehouse_tpw_id: 'TPW 東', callback_url: null }],
      },
    ],
  });
  await ship('SO-4');
  await ship('SO-T2');
  assert.equal((await notified('SO-4', 'order.shipped', { by: ofTenant })).sequence, 1);
  assert.equal((await notified('SO-T2', 'order.shipped', { by: ofTenant })).sequence, 1);

  await app.provision({ accounts: [{ ...account, callback_url: null }] });
  await ship('SO-5');
  const found = await Array.fromAsync(main.searchCallbacks({ 'callbacks.document_no': 'SO-5' }));
  assert.deepEqual(found, []);
  await app.provision({ accounts: [{ ...account, callback_url: ofAccount.callbackUrl }] });
});

test('while the secret of an account rotates, both secrets sign', { timeout: 60_000 }, async () => {
  const owner = { kind: 'account_callback_secret', owner: shop.accountNo } as const;
  const { service, keyring } = app.store;
  const rotation = await rotateSecret(service, keyring, owner, { actor: 'test', overlapSeconds: 3600 });
  const fresh = rotation.kind === 'rotated' ? rotation.issued.value : '';
  // A node uses the new secret after a few seconds.
  for (let orders = 1; ; orders++) {
    const number = `ROTATE-${orders}`;
    await warehouse.outboundCreate(orderBody(number, [['CAKE', 1]], tenant('TPW-S')));
    await warehouse.outboundCancel([number]);
    const { text, headers } = await ofAccount.notified(number, 'order.cancelled');
    const isSignedByBoth = String(headers['webhook-signature']).includes(' ');
    for (const secrets of isSignedByBoth ? [accountSecret, fresh] : [])
      assert.equal(verifyCallback({ headers, body: text }, { secrets }).document_no, number);
    if (isSignedByBoth) return;
    await sleep(100);
  }
});

test('the books are in order, each callback arrived once, and a redelivery reaches the same address', {
  timeout: 60_000,
}, async () => {
  await assertBooksInOrder(app);
  const names = [...ofAccount.heard, ...ofTenant.heard].map(({ body }) => `${body.event} ${body.document_no}`);
  assert.equal(new Set(names).size, names.length, names.join(', '));
  const before = ofAccount.heard.length;
  const [row] = await Array.fromAsync(main.searchCallbacks({ 'callbacks.document_no': 'SO-1' }));
  assert.deepEqual(
    [row!.status, row!.test, row!.callback_url],
    ['delivered', false, `${ofAccount.callbackUrl}?shop=1`],
  );
  assert.deepEqual(await main.callbacksRedeliver({ event_ids: [row!.event_id] }), { count: 1, erased: 0 });
  while (ofAccount.heard.length === before) await sleep(5);
  assert.equal(ofAccount.heard.at(-1)!.body.event_id, row!.event_id);
});

test('an order of an account without callbacks stores no target', { timeout: 60_000 }, async () => {
  const rows = await app.store.database.read(
    (sql) => sql`select distinct key_name from callback_target order by key_name`,
  );
  assert.deepEqual(
    rows.map((row) => row.key_name),
    ['tenant TPW 東', 'the account'],
  );
});

test('no log line contains a secret or the query of an address', () => {
  const lines = [...backgroundLines, ...app.logLines].join('\n');
  for (const secret of [accountSecret, tenantSecret, '?shop=1']) assert.equal(lines.includes(secret), false, secret);
});
