import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleInboundForm } from '../../contract/logistics/inbound-form.ts';
import { exampleShippingOrder } from '../../contract/logistics/shipping-order.ts';
import {
  LogisticsClient,
  MainClient,
  PayloadDiffersError,
  RefusedError,
  UnauthorizedError,
  WarehouseClient,
} from '../../sdk/client.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { addressOf } from '../support/clients.ts';
import { column, columns } from '../support/console.ts';
import { payloadDiffers } from '../support/errors.ts';
import { throughProxy } from '../support/validating-proxy.ts';
import { dump, inboundBody, orderBody } from '../support/warehouse.ts';

const app = await startTestApp();
const serviceUrl = await addressOf(app);
const url = await throughProxy(serviceUrl);

/** The paths of all calls so far, and how each was answered. */
function recorded() {
  const calls: string[] = [];
  const record: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    calls.push(`${response.status} ${new URL(String(input)).pathname}`);
    return response;
  };
  return { calls, fetch: record };
}

const warehouse = new WarehouseClient({ url, accountNo: alpha.accountNo, secret: alpha.secret });

const order = (number: string, skuId: string, qty: number) => orderBody(number, [[skuId, qty]]);
const errorOf = (call: Promise<unknown>): Promise<ReturnType<typeof JSON.parse>> => call.catch((error) => error);

test('the seven calls of the warehouse API and their results', async () => {
  const { products_id } = await warehouse.productSync({
    sku_id: 'TEA-1',
    sku_name: '烏龍茶 "é" \\ \u2028',
    storage_type: 1,
  });
  const again = await warehouse.productSync({ sku_id: 'TEA-1', sku_name: 'Oolong', storage_type: 1 });
  assert.equal(again.products_id, products_id);

  const goods = inboundBody('IN-1', { 'TEA-1': [['2030-06-30', 10]] });
  const { stock_in_no, ...created } = await warehouse.inboundCreate(goods);
  assert.deepEqual(created, { stock_in_sn: 'IN-1', warehouse_no: 1, duplicate: false });
  assert.match(stock_in_no, /^si_/);

  const { orders_id, ...accepted } = await warehouse.outboundCreate(order('OUT-1', 'TEA-1', 4));
  assert.deepEqual(accepted, { idempotent: false });
  assert.deepEqual(await warehouse.outboundCreate(order('OUT-1', 'TEA-1', 4)), { orders_id, idempotent: true });
  assert.deepEqual(await warehouse.outboundCreate(order('OUT-1', 'TEA-1', 5)), {
    orders_id,
    idempotent: true,
    ...payloadDiffers,
  });

  const returned = await warehouse.inboundReturn({
    ...inboundBody('RT-1', { 'TEA-1': [['2031-01-31', 1]] }),
    outbound_short_id: 'OUT-1',
  });
  assert.deepEqual([returned.stock_in_sn, returned.duplicate], ['RT-1', false]);

  const stock = { sku_id: 'TEA-1', status: 'ok', stock_type: 'good', batch_id: '' };
  assert.deepEqual(await warehouse.stockQuery(['TEA-1', 'TEA-404', 'TEA-1']), [
    { ...stock, expire_date: '2030-06-30', qty: 10, qty_lock: 4, qty_available: 6 },
    { ...stock, expire_date: '2031-01-31', qty: 1, qty_lock: 0, qty_available: 1 },
    { sku_id: 'TEA-404', status: 'not_found', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 },
  ]);
  const ofTenant = await warehouse.stockQuery(['TEA-1'], { warehouseTpwId: alpha.warehouseTpwId });
  assert.deepEqual(columns(ofTenant, 'warehouse_no', 'expire_date', 'qty_available'), [
    [1, '2030-06-30', 6],
    [1, '2031-01-31', 1],
  ]);
  assert.deepEqual(await warehouse.outboundCancel(['OUT-1', 'OUT-404']), [
    { outbound_short_id: 'OUT-1', status: 'cancelled' },
    { outbound_short_id: 'OUT-404', status: 'not_found' },
  ]);
  assert.deepEqual(await warehouse.inboundCancel(['RT-1']), [{ stock_in_sn: 'RT-1', status: 'cancelled' }]);
});

test('a document that is sent again is a success: a duplicate, with the numbers of the original', async () => {
  await warehouse.productSync({ sku_id: 'TEA-2', sku_name: 'Green tea', storage_type: 1 });
  const goods = inboundBody('IN-2', { 'TEA-2': [['2030-06-30', 10]] });
  const original = await warehouse.inboundCreate(goods);
  const before = await dump(app);
  assert.deepEqual(await warehouse.inboundCreate(goods), { ...original, duplicate: true });
  const differs = { ...original, duplicate: true, ...payloadDiffers };
  const others = inboundBody('IN-2', { 'TEA-2': [['2030-06-30', 11]] });
  assert.deepEqual(await warehouse.inboundCreate(others), differs);
  assert.deepEqual(await warehouse.inboundReturn({ ...goods, outbound_short_id: 'OUT-1' }), differs);
  const options = { url, accountNo: alpha.accountNo, secret: alpha.secret, throwOnPayloadDiffers: true };
  const strict = new WarehouseClient(options);
  assert.deepEqual(await strict.inboundCreate(goods), { ...original, duplicate: true });
  const refused = await errorOf(strict.inboundCreate(others));
  assert.ok(refused instanceof PayloadDiffersError);
  assert.equal(refused.original.stock_in_no, original.stock_in_no);
  assert.deepEqual(await dump(app), before);
});

test('a list longer than one request may have is sent in several, and the results keep its order', async () => {
  const { calls, fetch } = recorded();
  const client = new WarehouseClient({ url, accountNo: alpha.accountNo, secret: alpha.secret, fetch });
  await client.productSync({ sku_id: 'TEA-3', sku_name: 'Black tea', storage_type: 1 });
  calls.length = 0;

  const numbers = Array.from({ length: 250 }, (_, index) => `UNKNOWN-${index}`);
  assert.deepEqual(column(await client.inboundCancel(numbers), 'stock_in_sn'), numbers);
  assert.deepEqual(column(await client.outboundCancel(numbers), 'outbound_short_id'), numbers);
  const skus = [...Array.from({ length: 2000 }, (_, index) => `SKU-${index}`), 'TEA-3', 'SKU-0'];
  assert.deepEqual(column(await client.stockQuery(skus), 'sku_id'), skus.slice(0, -1));
  assert.deepEqual(await client.stockQuery([]), []);
  assert.deepEqual(calls, [
    ...Array(3).fill('200 /warehouse/v1/inbound/cancel'),
    ...Array(3).fill('200 /warehouse/v1/outbound/cancel'),
    ...Array(3).fill('200 /warehouse/v1/stock/query'),
  ]);
});

test('a refusal is an error with its code, its trace id, its status and every field, and is not sent again', async () => {
  const { calls, fetch } = recorded();
  // A proxy that checks requests would reject this one itself.
  const client = new WarehouseClient({ url: serviceUrl, accountNo: alpha.accountNo, secret: alpha.secret, fetch });
  const before = await dump(app);
  // @ts-expect-error: the types of the SDK would not let this pass.
  const refused = await errorOf(client.productSync({ sku_id: '', sku_name: 'No', storage_type: 9 }));
  assert.ok(refused instanceof RefusedError);
  assert.deepEqual([refused.name, refused.status, refused.code], ['RefusedError', 400, 'PARAM_INVALID']);
  assert.deepEqual(column(refused.errors, 'path'), ['sku_id', 'storage_type']);
  assert.ok(refused.message.endsWith(`(trace_id ${refused.trace_id})`));
  assert.equal((await app.requestLine(refused.trace_id!))?.status, 400);

  const short = await errorOf(client.outboundCreate(order('OUT-SHORT', 'TEA-1', 1000)));
  assert.match(short.message, /^sku TEA-1 available=\d+ < requested=1000 \(trace_id /);

  const stranger = new WarehouseClient({ url, accountNo: alpha.accountNo, secret: 'another', fetch });
  const unauthorized = await errorOf(stranger.stockQuery(['TEA-1']));
  assert.ok(unauthorized instanceof UnauthorizedError);
  assert.deepEqual([unauthorized.status, unauthorized.code], [401, 'LST-TPW-4001']);
  assert.deepEqual(calls, [
    '400 /warehouse/v1/product/sync',
    '400 /warehouse/v1/outbound/create',
    '401 /warehouse/v1/stock/query',
  ]);
  assert.deepEqual(await dump(app), before);
});

const tokenCall = '200 /api/v1/token/getToken';
const stocksPath = '/api/v2/default/getStocksData/searchList';
const cancelPath = '/api/v2/default/orders/cancel';

test('twenty calls on a token that has expired: one token request, and one retry of each', async () => {
  const { calls, fetch } = recorded();
  const main = new MainClient({ url, clientId: alpha.clientId, checkValue: alpha.checkValue, fetch });
  await Array.fromAsync(main.searchStocks());
  await Array.fromAsync(main.searchStocks());
  assert.deepEqual(calls.splice(0), [tokenCall, `200 ${stocksPath}`, `200 ${stocksPath}`]);

  app.clock.set(new Date(Date.now() + 2 * 3_600_000));
  try {
    // Not a search: an account may have only two at once, and on a slow machine the others would get 429.
    await Promise.all(Array.from({ length: 20 }, () => main.ordersCancel({ outbound_short_ids: ['UNKNOWN'] })));
  } finally {
    app.clock.set(null);
  }
  const count = (call: string) => calls.filter((one) => one === call).length;
  assert.deepEqual(
    [count(tokenCall), count(`401 ${cancelPath}`), count(`200 ${cancelPath}`), calls.length],
    [1, 20, 20, 41],
  );
});

test('twenty first calls ask for one token; a token that is about to expire is renewed before it is refused', async () => {
  const { calls, fetch } = recorded();
  const shortened: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith('/getToken')) return response;
    const answer = (await response.json()) as { retval: { expires_in: number } };
    return Response.json({ ...answer, retval: { ...answer.retval, expires_in: 0 } }, response);
  };
  const options = { url, clientId: alpha.clientId, checkValue: alpha.checkValue };
  const main = new MainClient({ ...options, fetch });
  await Promise.all(Array.from({ length: 20 }, () => Array.fromAsync(main.searchStocks())));
  assert.equal(calls.filter((call) => call === tokenCall).length, 1);

  calls.length = 0;
  const soonExpired = new MainClient({ ...options, fetch: shortened });
  await Array.fromAsync(soonExpired.searchStocks());
  await Promise.all(Array.from({ length: 20 }, () => Array.fromAsync(soonExpired.searchStocks())));
  assert.equal(calls.filter((call) => call === tokenCall).length, 2);
  assert.equal(calls.filter((call) => call.startsWith('401')).length, 0);
});

test('wrong credentials and a missing permission are errors of their own', async () => {
  const { calls, fetch } = recorded();
  const nobody = new MainClient({ url, clientId: alpha.clientId, checkValue: 'wrong', fetch });
  const refused = await errorOf(Array.fromAsync(nobody.searchOrders()));
  assert.ok(refused instanceof UnauthorizedError);
  assert.match(refused.message, /^invalid ClientId or CheckValue \(trace_id /);
  assert.deepEqual(calls, [tokenCall]);

  await app.provision({
    clients: [
      {
        client_id: 'reader',
        check_value: 'reader-value-of-thirty-two-characters-or-more',
        account_no: alpha.accountNo,
        permissions: ['stocks.read'],
      },
    ],
  });
  const reader = new MainClient({
    url,
    clientId: 'reader',
    checkValue: 'reader-value-of-thirty-two-characters-or-more',
  });
  const forbidden = await errorOf(reader.ordersCreate(order('OUT-R', 'TEA-1', 1)));
  assert.ok(forbidden instanceof UnauthorizedError);
  assert.equal(forbidden.status, 403);
  assert.match(forbidden.message, /orders\.write/);
});

test('a search list is walked page by page to its end; and the other calls of the main API', async () => {
  const { calls, fetch } = recorded();
  const main = new MainClient({ url, clientId: alpha.clientId, checkValue: alpha.checkValue, fetch });
  await warehouse.productSync({ sku_id: 'TEA-4', sku_name: 'White tea', storage_type: 1 });
  await warehouse.inboundCreate(inboundBody('IN-4', { 'TEA-4': [['2030-06-30', 100]] }));
  const numbers = Array.from({ length: 120 }, (_, index) => `M-${String(index).padStart(3, '0')}`);
  await Promise.all(numbers.slice(0, 7).map((number) => main.ordersCreate(order(number, 'TEA-4', 1))));
  assert.equal((await main.ordersCreate(order('M-000', 'TEA-4', 1))).idempotent, true);

  calls.length = 0;
  const found = await Array.fromAsync(
    main.searchOrders({ 'orders.outbound_short_id': { prefix: 'M-' }, page_size: 3 }),
  );
  assert.deepEqual(found.map(({ outbound_short_id }) => outbound_short_id).sort(), numbers.slice(0, 7));
  assert.equal(calls.length, 3);
  for await (const first of main.searchOrders({ 'orders.channel': 'main', page_size: 1 })) {
    assert.equal(first.channel, 'main');
    break;
  }
  assert.equal(calls.length, 4);

  const page = await main.searchPage('orders', { 'orders.channel': 'main', page_size: 2, total: true });
  assert.deepEqual([page.rows.length, page.total, page.total_is_more], [2, 7, false]);
  const next = await main.searchPage('orders', { 'orders.channel': 'main', page_size: 2, cursor: page.next_cursor });
  assert.deepEqual([next.rows.length, next.total], [2, undefined]);
  assert.equal((await main.searchPage('stocks', { 'products_stock.sku_id': 'TEA-4' })).next_cursor, null);

  assert.deepEqual(column(await Array.fromAsync(main.searchProducts({ 'products.sku_id': 'TEA-4' })), 'sku_name'), [
    'White tea',
  ]);
  assert.equal(
    (await Array.fromAsync(main.searchInbounds({ 'inbounds.inbound_short_id': 'IN-4' })))[0]!.status,
    'received',
  );
  assert.deepEqual(await Array.fromAsync(main.searchCallbacks()), []);
  const results = await main.ordersCancel({ outbound_short_ids: numbers, internal_names: ['NONE'] });
  assert.deepEqual(column(results, 'status'), [...Array(7).fill('cancelled'), ...Array(114).fill('not_found')]);
  assert.deepEqual(await main.inboundsCancel({ inbound_short_ids: ['IN-4'], form_nos: ['NONE'] }), [
    { inbound_short_id: 'IN-4', status: 'cancelled' },
    { form_no: 'NONE', status: 'not_found' },
  ]);
  const reports = numbers.map((outbound_short_id) => ({ outbound_short_id, status: 'picking' as const }));
  assert.equal((await main.fulfilmentAdvance(reports)).length, 120);
  assert.deepEqual(await main.callbacksRedeliver({ 'callbacks.status': 'failed', dry_run: true }), {
    count: 0,
    erased: 0,
  });
});

test('a stock adjustment and a move can be repeated; a refused line is an error with its path and its code', async () => {
  const elsewhere = { warehouse_tpw_id: 'TPW-A2', warehouse_no: 2, store_no: 10 };
  await app.provision({
    warehouses: [{ warehouse_no: 2, name: 'Tainan' }],
    accounts: [{ account_no: alpha.accountNo, tenants: [elsewhere] }],
  });
  const main = new MainClient({ url, clientId: alpha.clientId, checkValue: alpha.checkValue });
  await warehouse.productSync({ sku_id: 'TEA-5', sku_name: 'Red tea', storage_type: 1 });
  const lot = { sku_id: 'TEA-5', stock_type: 'good', expire_date: '2030-06-30' } as const;
  const found = { reference_no: 'ADJ-1', lines: [{ warehouse_no: 1, ...lot, delta: 5, reason: 'found' }] };
  const moved = { reference_no: 'MOVE-1', lines: [{ from_warehouse_no: 1, to_warehouse_no: 2, ...lot, qty: 2 }] };
  for (const idempotent of [false, true]) {
    const adjustment = await main.stocksAdjust(found);
    assert.deepEqual([adjustment.idempotent, adjustment.results[0]!.qty], [idempotent, 5]);
    const move = await main.stocksMove(moved);
    assert.deepEqual([move.idempotent, columns(move.results, 'from_qty', 'to_qty')], [idempotent, [[3, 2]]]);
  }
  const tooMany = await errorOf(main.stocksMove({ reference_no: 'MOVE-2', lines: [{ ...moved.lines[0]!, qty: 4 }] }));
  assert.ok(tooMany instanceof RefusedError);
  assert.deepEqual(columns(tooMany.errors, 'path', 'code'), [['lines[0].qty', 'insufficient_stock']]);
});

test('the logistics webhook: orders, forms, and what differs from what was sent before', async () => {
  const logistics = new LogisticsClient({ url, apiKey: alpha.apiKey });
  const body = {
    ...exampleShippingOrder,
    internal_name: 'WMS-1',
    products: [{ sku: 'CAKE-1', quantity: 2, storage_type: 'chilled' }],
  };
  const goods = { ...exampleInboundForm, form_no: 'PO-1', products: [{ sku: 'CAKE-1', quantity: 5 }] };
  assert.deepEqual(await logistics.shippingOrder(body), {
    document_no: 'WMS-1',
    status: 'awaiting_stock',
    idempotent: false,
  });
  assert.deepEqual(await logistics.inboundForm(goods), { document_no: 'PO-1', status: 'received', idempotent: false });
  assert.equal((await logistics.shippingOrder(body)).idempotent, true);
  const differs = await errorOf(logistics.shippingOrder({ ...body, note: 'another' }));
  assert.ok(differs instanceof RefusedError);
  assert.deepEqual([differs.status, differs.code], [409, null]);
  const direct = new LogisticsClient({ url: serviceUrl, apiKey: alpha.apiKey });
  const invalid = await errorOf(direct.shippingOrder({ ...body, internal_name: 'WMS-2', products: [] }));
  assert.deepEqual(column(invalid.errors as { path: string }[], 'path'), ['products']);
});

test('the trace id of a success is the one under which the operator finds the request', async () => {
  const main = new MainClient({ url, clientId: alpha.clientId, checkValue: alpha.checkValue });
  const logistics = new LogisticsClient({ url, apiKey: alpha.apiKey });
  const form = { ...exampleInboundForm, form_no: 'PO-TRACE' };
  for (const reply of [
    warehouse.productSync({ sku_id: 'TEA-T', sku_name: 'Tea', storage_type: 1 }),
    main.searchPage('orders', { page_size: 1 }),
    logistics.inboundForm(form),
  ]) {
    const { status, trace_id, headers } = await reply.withResponse();
    assert.equal((await app.requestLine(trace_id!))?.status, status);
    assert.match(headers.get('content-type')!, /^application\/json/);
  }
});
