import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { callbackEvents } from '../../contract/logistics/callback.ts';
import { testsPerMinuteMax } from '../../contract/logistics/callback-test.ts';
import { type AdvanceReport, type CallbackTestBody, type VerifiedCallback, verifyCallback } from '../../sdk/client.ts';
import { blockNamed, readGuide } from '../docs/guide.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { startNotifiedPartner, startTestBackground } from '../support/background.ts';
import { clientsOf, refusalOf } from '../support/clients.ts';
import { assertBooksInOrder, form, item, shippingOrder } from '../support/logistics.ts';
import { prod, prodAtOnce, provisionReceiving } from '../support/receiving.ts';
import { order, receive } from '../support/warehouse.ts';

// A UAT partner never ships anything. It sees every event with test callbacks, on a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionReceiving(app);
const partner = await startNotifiedPartner();
const accountSecret = 'whsec_YWxwaGEtYWNjb3VudC1jYWxsYmFjay1zZWNyZXQ=';
await app.provision({
  accounts: [{ account_no: alpha.accountNo, callback_url: partner.callbackUrl, callback_secret: accountSecret }],
});
startTestBackground(app);
const { main, logistics } = await clientsOf(app);
const timeout = 60_000;

async function arrived(eventId: string, secrets: string): Promise<VerifiedCallback> {
  const { text, headers } = await partner.heardOf(eventId);
  return verifyCallback({ headers, body: text }, { secrets });
}

test('a UAT partner sees every event, signed with the secret of its account', { timeout }, async () => {
  for (const event of callbackEvents) {
    const { event_id, callback_url } = await main.callbacksTest({ event });
    assert.equal(callback_url, partner.callbackUrl);
    const callback = await arrived(event_id, accountSecret);
    assert.deepEqual([callback.event, callback.test, callback.event_id], [event, true, event_id]);
  }
  const found = await Array.fromAsync(main.searchCallbacks());
  assert.deepEqual(
    found.map((row) => [row.event, row.test]).toReversed(),
    callbackEvents.map((event) => [event, true]),
  );
});

test('the command of the guide sends a test callback to a receiver', { timeout }, async () => {
  const { port } = app.http.server.address() as AddressInfo;
  const command = blockNamed(readGuide('callbacks.md'), 'send-test')
    .replace('http://127.0.0.1:8080', `http://127.0.0.1:${port}`)
    .replace('http://127.0.0.1:9090/', partner.callbackUrl);
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, LADING_API_KEY: alpha.apiKey },
  });
  const { done, retval } = JSON.parse(stdout);
  assert.deepEqual([done, retval.callback_url], [true, partner.callbackUrl]);
  const callback = await arrived(retval.event_id, alpha.callbackSecret);
  assert.deepEqual(
    [callback.event, callback.document_no, callback.status],
    ['order.shipped', 'WMS-2026-0001', 'shipped'],
  );
});

test('a test has the body of the named document, which stays as it is', { timeout }, async () => {
  await receive(app, { CAKE: [['2030-12-31', 5]] });
  await order(app, 'SO-1', [['CAKE', 2]]);
  await logistics.shippingOrder(
    shippingOrder('WMS-1', [item('CAKE', 1)], { note: 'Ring twice', callback_url: `${partner.callbackUrl}?wms` }),
  );
  const [order1, order2] = await unchangedDocuments(async () => [
    await main.callbacksTest({ event: 'order.shipped', document_no: 'SO-1' }),
    await main.callbacksTest({ event: 'order.undelivered', document_no: 'WMS-1' }),
  ]);
  const shipped = await arrived(order1!.event_id, accountSecret);
  assert.deepEqual([shipped.document_no, shipped.status, shipped.shipment_no], ['SO-1', 'shipped', 'TEST-SHIPMENT']);
  assert.deepEqual(
    shipped.products.map(({ sku, quantity }) => [sku, quantity]),
    [['CAKE', 2]],
  );
  const undelivered = await arrived(order2!.event_id, alpha.callbackSecret);
  assert.deepEqual([undelivered.name, undelivered.note, undelivered.test], ['SHOP-WMS-1', 'Ring twice', true]);
  assert.equal(order2!.callback_url, `${partner.callbackUrl}?wms`);

  await main.ordersCancel({ outbound_short_ids: ['SO-1'] });
  const { body } = await partner.notified('SO-1', 'order.cancelled');
  assert.deepEqual([body.sequence, body.test], [1, false]);
});

test('a test about an order that has left has its real parcels, missing units, reason and return', {
  timeout,
}, async () => {
  const own = await clientsOf(app, prod);
  await receive(app, { CAKE: [['2030-12-31', 9]] }, prodAtOnce);
  await app.provision({
    accounts: [{ account_no: prod.accountNo, callback_url: partner.callbackUrl, callback_secret: accountSecret }],
  });
  await order(app, 'SO-LEFT', [['CAKE', 5]], prod);
  const parcel = (shipment_no: string, qty: number) => ({ shipment_no, items: [{ sku_id: 'CAKE', qty }] });
  const report = (what: Partial<AdvanceReport>) =>
    own.main.fulfilmentAdvance([{ outbound_short_id: 'SO-LEFT', status: 'shipped', ...what }]);
  const tested = async (event: CallbackTestBody['event']) => {
    const { event_id } = await own.main.callbacksTest({ event, document_no: 'SO-LEFT' });
    const body = await arrived(event_id, accountSecret);
    if (!('parcels' in body)) return assert.fail(JSON.stringify(body));
    const sent = body.parcels.map(({ shipment_no, items }) => [shipment_no, items.map((one) => one.quantity)]);
    return { ...body, sent };
  };

  await report({ status: 'partially_shipped', parcels: [parcel('REAL-1', 2)] });
  assert.deepEqual((await tested('order.partially_shipped')).sent, [['REAL-1', [2]]]);
  assert.deepEqual((await tested('order.shipped')).sent, [
    ['REAL-1', [2]],
    ['TEST-SHIPMENT', [3]],
  ]);

  await report({ parcels: [parcel('REAL-2', 1)], final: true });
  const shipped = await tested('order.shipped');
  assert.deepEqual(shipped.sent, [
    ['REAL-1', [2]],
    ['REAL-2', [1]],
  ]);
  assert.deepEqual('short' in shipped && shipped.short, [{ sku: 'CAKE', quantity: 2 }]);

  await report({ status: 'undelivered', reason: 'refused' });
  const { body: real } = await partner.notified('SO-LEFT', 'order.undelivered');
  const { event_id, occurred_at, sequence, sent: _, duplicate: __, ...again } = await tested('order.undelivered');
  assert.notEqual(event_id, real.event_id);
  assert.deepEqual(
    { ...again, event_id: real.event_id, occurred_at: real.occurred_at, sequence: real.sequence },
    { ...real, test: true },
  );
  assert.deepEqual([typeof occurred_at, typeof sequence], ['string', 'number']);
});

/** Documents, stock and targets of callbacks are the same after the call. */
async function unchangedDocuments<Result>(call: () => Promise<Result>): Promise<Result> {
  const tables = ['orders', 'order_line', 'inbound_document', 'lot', 'movement', 'state_change', 'callback_target'];
  const read = () =>
    Promise.all(
      tables.map((table) => app.store.database.read((sql) => sql`select * from ${sql(table)} order by 1, 2`)),
    );
  const before = await read();
  const result = await call();
  assert.deepEqual(await read(), before);
  return result;
}

test('with an API key, its own secret signs, and a form is received as announced', { timeout }, async () => {
  await logistics.inboundForm(form('PO-1', [{ sku: 'TEA', quantity: 7 }], { callback_url: partner.callbackUrl }));
  const test1 = await logistics.testCallback({ event: 'inbound.stopped', document_no: 'PO-1' });
  const stopped = await arrived(test1.event_id, alpha.callbackSecret);
  assert.deepEqual([stopped.document_no, stopped.internal_no, stopped.test], ['PO-1', 'I-PO-1', true]);
  assert.equal(stopped.received?.[0]?.quantity, 7);
  const elsewhere = `${partner.callbackUrl}/elsewhere`;
  const test2 = await logistics.testCallback({ event: 'return.received', callback_url: elsewhere });
  assert.equal((await arrived(test2.event_id, alpha.callbackSecret)).event, 'return.received');
  assert.equal((await partner.heardOf(test2.event_id)).path, '/callbacks/elsewhere');
});

test('a test of a production account goes to the address of its account', { timeout }, async () => {
  const callback_url = `${partner.callbackUrl}/production`;
  const address = { callback_url, callback_secret: accountSecret };
  await app.provision({ accounts: [{ account_no: prod.accountNo, ...address }] });
  const { main: ofProduction } = await clientsOf(app, prod);
  const sent = await ofProduction.callbacksTest({ event: 'order.shipped' });
  assert.equal(sent.callback_url, callback_url);
  assert.equal((await arrived(sent.event_id, accountSecret)).test, true);
});

test('tests that go nowhere, to forbidden addresses or about other documents are rejected', { timeout }, async () => {
  const other = await clientsOf(app, { ...prod, apiKey: prod.apiKey });
  const betas = await clientsOf(app, beta);
  const event = 'order.shipped';
  const refusals: [call: (body: CallbackTestBody) => Promise<unknown>, body: CallbackTestBody, message: string][] = [
    [(body) => main.callbacksTest(body), { event, document_no: 'NONE' }, 'document_no not found'],
    // The type of the event must be that of the document, and the document must be the caller's own.
    [(body) => main.callbacksTest(body), { event: 'inbound.received', document_no: 'SO-1' }, 'document_no not found'],
    [(body) => betas.main.callbacksTest(body), { event, document_no: 'SO-1' }, 'document_no not found'],
    [(body) => logistics.testCallback(body), { event, document_no: 'SO-1' }, 'document_no not found'],
    [
      (body) => main.callbacksTest(body),
      { event, callback_url: 'http://192.168.0.10/' },
      'callback_url must not point to a private or reserved address',
    ],
    [
      (body) => other.main.callbacksTest(body),
      { event, callback_url: 'https://other.example/' },
      'callback_url must be omitted: only a UAT account chooses where a test goes',
    ],
    [(body) => betas.main.callbacksTest(body), { event }, 'callback_url is missing, and no callback URL is set'],
    [(body) => logistics.testCallback(body), { event }, 'callback_url is missing, and no callback URL is set'],
  ];
  const countCallbacks = () => app.store.database.read((sql) => sql`select count(*) from callback`);
  const before = await countCallbacks();
  for (const [call, body, message] of refusals) {
    assert.deepEqual(await refusalOf(call(body)), { status: 400, code: null, message });
  }
  assert.deepEqual(await countCallbacks(), before);
});

test('an account that sends too many tests has to wait; others do not', { timeout }, async () => {
  const { main: betasMain } = await clientsOf(app, beta);
  const body = { event: 'order.cancelled', callback_url: `${partner.callbackUrl}/beta` } as const;
  let accepted = 0;
  for (;;) {
    const outcome = await betasMain.callbacksTest(body).catch((error) => error as Error & { status: number });
    if (outcome instanceof Error) {
      assert.equal(outcome.status, 429);
      break;
    }
    accepted++;
  }
  assert.ok(accepted >= testsPerMinuteMax, String(accepted));
  await logistics.testCallback({ event: 'order.shipped', document_no: 'WMS-1' });
});

test('the books are in order', { timeout }, () => assertBooksInOrder(app));
