import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { ConsoleCall } from '../../contract/console/console-call.ts';
import { countCreate, countEnter } from '../../contract/console/counts.ts';
import { inboundSearch } from '../../contract/console/inbound.ts';
import { operatorsChange, operatorsCreate, operatorsList } from '../../contract/console/operators.ts';
import { orderSearch } from '../../contract/console/orders.ts';
import { packingShip, shipmentWarningKinds } from '../../contract/console/packing.ts';
import { pickingBatch } from '../../contract/console/picking.ts';
import { stockSearch } from '../../contract/console/stock.ts';
import { countOrders } from '../../server/domain/trends/count-orders.ts';
import { taipeiDay } from '../../server/platform/clock.ts';
import { alpha } from '../support/app.ts';
import { type ConsoleUser, startConsole } from '../support/console.ts';
import { fingerprint } from '../support/every-field.ts';
import { exported } from '../support/exports.ts';
import { importBody, importOfFile } from '../support/imports.ts';
import { live, provisionLive } from '../support/live.ts';
import { orderIdOf } from '../support/packing.ts';
import { claimed } from '../support/picking.ts';
import { dataOf, inboundBody, order, orderBody, putLot, receive } from '../support/warehouse.ts';

// An operator who works in warehouse 1 only, and documents and stock in the warehouses 1 and 2.

const { app, admin, staff } = await startConsole();
const second = { ...alpha, warehouseTpwId: 'TPW-A-2' };
const tenant = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10, sellable_days_before_expiry: null };
const secondLive = { ...live, warehouseTpwId: 'TPW-LIVE-2' };
await provisionLive(app);
await app.provision({
  warehouses: [
    { warehouse_no: 1, name: '桃園倉', connector: { type: 'manual' } },
    { warehouse_no: 2, name: '高雄倉', connector: { type: 'manual' } },
  ],
  accounts: [
    { account_no: 'ALPHA', environment: 'uat', tenants: [tenant] },
    {
      account_no: live.accountNo,
      environment: 'production',
      tenants: [{ ...tenant, warehouse_tpw_id: secondLive.warehouseTpwId, receiving: 'on_create' }],
    },
  ],
});

const contractFolder = new URL('../../contract/console/', import.meta.url);
const isCall = (value: unknown): value is ConsoleCall =>
  typeof value === 'object' && value !== null && 'path' in value && 'body' in value;
const modules = await Promise.all(
  readdirSync(contractFolder).map((file) => import(new URL(file, contractFolder).href)),
);
const allPaths = modules.flatMap((module) => Object.values(module).filter(isCall)).map(({ path }) => path);

/** The calls of the role staff. Those of the session itself are not among them. */
async function findStaffPaths(): Promise<string[]> {
  const paths: string[] = [];
  for (const path of allPaths.filter((path) => !path.startsWith('/session/'))) {
    const { status } = await staff.send(path, {});
    if (status !== 403) paths.push(path);
  }
  return paths;
}

type Side = 'own' | 'other';
interface Ids extends FloorIds {
  order_id: number;
  inbound_id: number;
  lot_id: number;
  count_id: number;
  scan_id: string;
}

/** Ids of an order of a production account that a warehouse picks in a batch. */
interface FloorIds {
  floor_id: number;
  batch_id: number;
  batch_lot: { account_no: string; lot_id: number };
}

async function makeFloor(side: Side): Promise<FloorIds> {
  const [caller, number] = [side === 'own' ? live : secondLive, `FLOOR-${side.toUpperCase()}`];
  await receive(app, { JAR: [['2031-01-01', 50]] }, caller);
  await order(app, number, [['JAR', 1]], caller);
  const floor_id = await orderIdOf(app, number);
  const batch_id = await claimed(admin, [floor_id], warehouseOf[side]);
  const { lines } = await admin.ask(pickingBatch, { batch_id });
  await order(app, `PLAN-${number}`, [['JAR', 1]], caller);
  const shipment = { parcel_no: 1, shipment_no: `SHIPMENT-${number}` };
  const order_id = await orderIdOf(app, `PLAN-${number}`);
  await admin.ask(packingShip, { order_id, shipments: [shipment], confirmed: [...shipmentWarningKinds] });
  return { floor_id, batch_id, batch_lot: { account_no: live.accountNo, lot_id: lines[0]!.lot_id } };
}

const warehouseOf = { own: 1, other: 2 };
const person = { consignee_name: '林美華', consignee_phone: '0912345678', consignee_address: '臺北市松仁路 1 號' };

async function makeSide(side: Side): Promise<Ids> {
  const [caller, mark] = [side === 'own' ? alpha : second, side.toUpperCase()];
  await receive(app, { TEA: [['2031-01-01', 50]] }, caller);
  await putLot(app, {
    skuId: 'TEA',
    qty: 5,
    expireDate: '2020-01-01',
    batchId: `BATCH-${mark}`,
    warehouseNo: warehouseOf[side],
  });
  dataOf(
    await app.callWarehouse('/inbound/create', inboundBody(`IN-${mark}`, { TEA: [['2031-01-01', 1]] }, caller), caller),
  );
  dataOf(
    await app.callWarehouse(
      '/outbound/create',
      { ...orderBody(`ORDER-${mark}`, [['TEA', 1]], caller), ...person },
      caller,
    ),
  );
  const warehouse_no = [warehouseOf[side]];
  const [[order], [inbound], lots] = await Promise.all([
    admin.ask(orderSearch, { number: `ORDER-${mark}` }).then(({ rows }) => rows),
    admin.ask(inboundSearch, { number: `IN-${mark}` }).then(({ rows }) => rows),
    admin.ask(stockSearch, { warehouse_no, batch_id: `BATCH-${mark}` }).then(({ rows }) => rows),
  ]);
  const wanted = {
    request_id: randomUUID(),
    account_no: 'ALPHA',
    warehouse_no: warehouseOf[side],
    scope: 'warehouse' as const,
  };
  const { count_id } = (await admin.ask(countCreate, wanted)) as { count_id: number };
  const scan_id = randomUUID();
  await admin.ask(countEnter, { count_id, scan_id, lot: await lotOf(lots[0]!), units: 5 });
  const documents = { order_id: order!.order_id, inbound_id: inbound!.inbound_id, lot_id: lots[0]!.lot_id };
  const floor = await makeFloor(side);
  await makeRejected(side);
  return { ...documents, count_id, scan_id, ...floor };
}

/** An order that the system of its warehouse has rejected, with a reason of its own. */
async function makeRejected(side: Side): Promise<void> {
  const [caller, number] = [side === 'own' ? live : secondLive, `REJECTED-${side.toUpperCase()}`];
  await order(app, number, [['JAR', 1]], caller);
  const reason = `no such sku ${side.toUpperCase()}`;
  await app.store.database.transaction(
    (tx) => tx`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
      select order_id, gen_random_uuid(), account_id, warehouse_no, 'rejected', 1, ${reason} from orders where partner_number = ${number}`,
  );
}

async function lotOf({ product_id, batch_id }: { product_id: number; batch_id: string }) {
  return { product_id, stock_type: 'good' as const, batch_id, expire_date: '2020-01-01' };
}

const staffPaths = await findStaffPaths();
const ids: Record<Side, Ids> = { own: await makeSide('own'), other: await makeSide('other') };
await countOrders(app.store.service, { now: new Date(), youngestSeconds: 0, restRatio: 0 });
const product_id = (await admin.ask(stockSearch, { sku_id: 'TEA' })).rows[0]!.product_id;
assert.equal((await admin.ask(operatorsChange, { username: 'packer', warehouse_nos: [1] })).kind, 'changed');

/** Not about the documents or the stock of a warehouse. */
const anyPaths = [
  ...[
    '/exports/file',
    '/imports/columns',
    '/imports/template',
    '/sessions/list',
    '/sessions/end',
    '/operators/change-own-password',
    '/views/list',
    '/views/save',
    '/views/delete',
  ],
  ...['/second-factor/state', '/second-factor/begin', '/second-factor/confirm', '/second-factor/remove'],
  ...[
    '/accounts/list',
    '/accounts/detail',
    '/clients/list',
    '/logistics-keys/list',
    '/stores/list',
    '/partners/addresses',
  ],
  ...['/products/search', '/stock/audit-latest'],
];
/** About all warehouses, and therefore refused. */
const refusedPaths = [
  ...['/home/attention', '/home/flow', '/system/overview', '/system/purge-preview', '/stock/audit-run'],
  ...['search', 'detail', 'redeliver', 'redeliver-count', 'redeliver-filtered', 'test'].map(
    (call) => `/callbacks/${call}`,
  ),
  ...['/receivers/list', '/requests/search', '/requests/grouped', '/requests/detail'],
  ...['/accounts/progress', '/accounts/health', '/handover/links'],
  ...['/requests/trend', '/trends/callbacks', '/trends/calls'],
];
/** The body of a call about a document or lot of one warehouse. */
const namingPaths: Record<string, (ids: Ids, side: Side) => object> = {
  '/orders/detail': ({ order_id }) => ({ order_id }),
  '/orders/next-steps': ({ order_id }) => ({ order_id }),
  '/orders/scan': (_, side) => ({ number: `ORDER-${side.toUpperCase()}` }),
  '/orders/hold': ({ order_id }) => ({ order_ids: [order_id] }),
  '/orders/release': ({ order_id }) => ({ order_ids: [...new Set([ids.own.order_id, order_id])] }),
  '/orders/update': ({ order_id }) => ({ order_id, consignee_name: '陳大文' }),
  '/orders/note-add': ({ order_id }) => ({ order_id, text: 'fragile' }),
  '/orders/view-recipient': ({ order_id }) => ({ order_id }),
  '/orders/advance': ({ order_id }) => ({ step: 'pick', orders: [{ order_id }] }),
  '/orders/ship': ({ floor_id }) => ({ orders: [{ order_id: floor_id, shipment_no: 'S-1', confirmed: [] }] }),
  '/orders/cancel': ({ order_id }) => ({ order_ids: [order_id] }),
  '/inbound/detail': ({ inbound_id }) => ({ inbound_id }),
  '/inbound/find-by-scan': (_, side) => ({ text: `IN-${side.toUpperCase()}` }),
  '/inbound/note-add': ({ inbound_id }) => ({ inbound_id, text: 'late' }),
  '/inbound/receive': ({ inbound_id }) => ({
    inbound_id,
    lines: [{ sku_id: 'TEA', batch_id: '', expire_date: null, good: 1, bad: 0 }],
  }),
  '/inbound/stop': ({ inbound_id }) => ({ inbound_id }),
  '/inbound/cancel': ({ inbound_id }) => ({ inbound_ids: [inbound_id] }),
  '/stock/lot': ({ lot_id }) => ({ lot_id }),
  '/stock/correct': ({ lot_id }) => ({ lot_id, units: 1, reason: 'found' }),
  '/stock/regrade': ({ lot_id }) => ({ lot_id, units: 1, reason: 'torn' }),
  '/stock/move': ({ lot_id }, side) => ({ lot_id, to_warehouse_no: warehouseOf[side], units: 1, reason: 'nearer' }),
  '/system/push-now': (_, side) => ({ warehouse_no: warehouseOf[side] }),
  '/products/change': (_, side) => ({
    product_id,
    codes: [],
    locations: [{ warehouse_no: warehouseOf[side], location: 'A-1' }],
  }),
  '/imports/check': (_, side) => importBody('products', locationFile(side)),
  '/imports/run': (_, side) => ({ ...importBody('products', locationFile(side)), ...importOfFile() }),
  '/picking/claim': (_, side) => ({ claim_id: randomUUID(), warehouse_no: warehouseOf[side] }),
  '/picking/batch': ({ batch_id }) => ({ batch_id }),
  '/picking/confirm': ({ batch_id }) => ({ batch_id, scan_id: randomUUID(), code: 'JAR' }),
  '/picking/short': ({ batch_id, batch_lot }) => ({
    ...{ batch_id, scan_id: randomUUID(), ...batch_lot },
    ...{ reason: 'damaged', remedy: 'hold' },
  }),
  '/picking/finish': ({ batch_id }) => ({ batch_id, give_back: true }),
  '/print/orders': ({ floor_id }) => ({ document: 'shipping_label', order_ids: [floor_id], print_id: randomUUID() }),
  '/print/pick-list': ({ floor_id }) => ({ order_ids: [floor_id], print_id: randomUUID() }),
  '/packing/open': (_, side) => ({ number: `FLOOR-${side.toUpperCase()}` }),
  '/packing/scan': ({ floor_id }) => ({
    ...{ order_id: floor_id, scan_id: randomUUID(), parcel_no: 1 },
    ...{ code: 'JAR', times: 1 },
  }),
  '/packing/empty': ({ floor_id }) => ({ order_id: floor_id, parcel_no: 1 }),
  '/packing/ship': ({ floor_id }) => ({
    order_id: floor_id,
    shipments: [{ parcel_no: 1, shipment_no: '901230160509' }],
    confirmed: [...shipmentWarningKinds],
  }),
  '/packing/undo': ({ floor_id }) => ({ order_ids: [floor_id] }),
  '/counts/create': (_, side) => ({
    request_id: randomUUID(),
    account_no: 'ALPHA',
    warehouse_no: warehouseOf[side],
    scope: 'warehouse',
  }),
  '/counts/sheet': ({ count_id }) => ({ count_id }),
  '/counts/find': ({ count_id }) => ({ count_id, code: 'TEA' }),
  '/counts/enter': ({ count_id }) => ({
    count_id,
    scan_id: randomUUID(),
    lot: { product_id, stock_type: 'good', batch_id: '', expire_date: null },
    units: 1,
  }),
  '/counts/undo': ({ count_id, scan_id }) => ({ count_id, scan_id }),
  '/counts/review': ({ count_id }) => ({ count_id }),
  '/counts/recount': ({ count_id }, side) => ({
    count_id,
    lots: [
      { product_id, stock_type: 'good', batch_id: `BATCH-${side.toUpperCase()}`, expire_date: '2020-01-01', round: 1 },
    ],
  }),
  '/counts/book': ({ count_id }) => ({ count_id }),
  '/counts/discard': ({ count_id }) => ({ count_id }),
  '/stock/block-expired': (_, side) => ({ warehouse_no: [warehouseOf[side]], reason: 'expired' }),
};
const locationFile = (side: Side) => `sku_id,warehouse_no,location\nTEA,${warehouseOf[side]},A-2\n`;

/** A list: its body, and the texts that show rows of the own and of the other warehouse. */
const listPaths: Record<string, { body: object; own: RegExp; other: RegExp }> = {
  '/orders/search': { body: {}, own: /ORDER-OWN/, other: /ORDER-OTHER/ },
  '/orders/search-by-recipient': { body: { by: 'phone', text: '0912345678' }, own: /ORDER-OWN/, other: /ORDER-OTHER/ },
  '/inbound/search': { body: {}, own: /IN-OWN/, other: /IN-OTHER/ },
  '/stock/search': { body: {}, own: /BATCH-OWN/, other: /BATCH-OTHER/ },
  '/stock/skus': { body: {}, own: /"warehouses":\[1/, other: /"warehouses":\[(1,)?2/ },
  '/stock/by-sku': { body: { product_id }, own: /BATCH-OWN.*|"warehouse_no":1/, other: /BATCH-OTHER|"warehouse_no":2/ },
  '/stock/summary': { body: {}, own: /"expired":[12]/, other: /"expired":2/ },
  '/stock/expired': { body: {}, own: /BATCH-OWN/, other: /BATCH-OTHER/ },
  '/orders/rejection-reasons': { body: {}, own: /no such sku OWN/, other: /no such sku OTHER/ },
  '/stock/expiring': { body: { within_days: 1 }, own: /BATCH-OWN/, other: /BATCH-OTHER/ },
  '/products/detail': {
    body: { product_id },
    own: /"warehouse_no":1,"stock_type"/,
    other: /"warehouse_no":2,"stock_type"/,
  },
  '/warehouses/list': { body: {}, own: /"warehouse_no":1/, other: /"warehouse_no":2/ },
  '/counts/search': { body: {}, own: /"warehouse_no":1/, other: /"warehouse_no":2/ },
  '/picking/queue': { body: {}, own: /"warehouse_no":1,"created_by"/, other: /"warehouse_no":2,"created_by"/ },
  '/packing/planned': { body: {}, own: /PLAN-FLOOR-OWN/, other: /PLAN-FLOOR-OTHER/ },
  '/trends/orders': {
    body: { from: taipeiDay(new Date(), -1), to: taipeiDay(new Date(), 1), test_accounts: true },
    own: /"by_warehouse":\[.*"warehouse_no":1,"created"/,
    other: /"warehouse_no":2,"created"/,
  },
  '/trends/stock': { body: { test_accounts: true }, own: /"expired","good":(5|10),/, other: /"expired","good":10,/ },
  '/search/find': { body: { text: 'ORDER-' }, own: /ORDER-OWN/, other: /ORDER-OTHER/ },
};

test('every call of staff is in one of the tables below, so that no new call is forgotten', () => {
  const known = [...anyPaths, ...refusedPaths, ...Object.keys(namingPaths), ...Object.keys(listPaths)];
  assert.deepEqual(known.toSorted(), staffPaths.toSorted());
});

const sendTo = async (user: ConsoleUser, path: string, body: object) => {
  const { status, json } = await user.send(path, body);
  return [status, json.error?.kind, json.error?.message];
};

test('calls about all warehouses are refused to a restricted operator, and those about none are not', async () => {
  const message = 'this shows or changes all warehouses; packer is restricted to some';
  for (const path of refusedPaths) assert.deepEqual(await sendTo(staff, path, {}), [403, 'not_allowed', message], path);
  for (const path of anyPaths) {
    const [status] = await sendTo(staff, path, {});
    assert.ok(status === 200 || status === 400, `${path}: ${status}`);
  }
});

test('documents and stock of another warehouse can be neither read nor changed, and nothing of the call is done', async () => {
  const before = await fingerprint(app);
  for (const [path, bodyOf] of Object.entries(namingPaths)) {
    const refused = await sendTo(staff, path, bodyOf(ids.other, 'other'));
    assert.deepEqual(refused, [403, 'not_allowed', 'packer may not work in warehouse 2'], path);
  }
  assert.equal(await fingerprint(app), before);
});

test('lists, searches and sums have only rows of the own warehouses; a filter for another one finds nothing', async () => {
  for (const [path, { body, own, other }] of Object.entries(listPaths)) {
    const [restricted, whole] = [await staff.send(path, body), await admin.send(path, body)].map((answer) => {
      assert.equal(answer.status, 200, path);
      return JSON.stringify(answer.json);
    }) as [string, string];
    assert.match(restricted, own, path);
    assert.doesNotMatch(restricted, other, path);
    assert.match(whole, other, path);
  }
  for (const call of [orderSearch, inboundSearch, stockSearch])
    assert.deepEqual((await staff.ask(call, { warehouse_no: [2] })).rows, []);
});

test('an export has only rows of the own warehouses, and those of lists about all warehouses are refused', async () => {
  const rowsOf = {
    orders: [/ORDER-OWN/, /ORDER-OTHER/],
    inbound: [/IN-OWN/, /IN-OTHER/],
    stock: [/BATCH-OWN/, /BATCH-OTHER/],
  } as const;
  for (const [list, [own, other]] of Object.entries(rowsOf)) {
    const { payload } = await exported(app, staff, { list: list as keyof typeof rowsOf });
    assert.match(payload, own);
    assert.doesNotMatch(payload, other);
    assert.match((await exported(app, admin, { list: list as keyof typeof rowsOf })).payload, other);
  }
  const otherLot = await exported(app, staff, { list: 'movements', filters: { lot_id: ids.other.lot_id } });
  assert.equal(otherLot.statusCode, 403);
  for (const list of ['callbacks', 'requests'] as const)
    assert.equal((await exported(app, staff, { list })).statusCode, 403, list);
});

test('the same calls work in the own warehouse, and for operators of all warehouses in each', async () => {
  for (const [path, bodyOf] of Object.entries(namingPaths)) {
    const answers = [
      path === '/stock/move' ? [200] : await sendTo(staff, path, bodyOf(ids.own, 'own')),
      await sendTo(admin, path, bodyOf(ids.other, 'other')),
    ];
    for (const [status, , message] of answers) assert.equal(status, 200, `${path}: ${message}`);
  }
  const toOther = { lot_id: ids.own.lot_id, to_warehouse_no: 2, units: 1, reason: 'nearer' };
  assert.equal((await staff.send('/stock/move', toOther)).status, 403);
});

test('a restriction counts from the next call on, names warehouses that exist, and ends with an empty list; administrators have none', async () => {
  await order(app, 'ORDER-OTHER-2', [['TEA', 1]], second);
  const numbers = async () => (await staff.ask(orderSearch, {})).rows.map(({ warehouse_no }) => warehouse_no);
  assert.deepEqual([...new Set(await numbers())], [1]);
  const change = (warehouse_nos: number[]) => admin.ask(operatorsChange, { username: 'packer', warehouse_nos });
  assert.equal((await change([2, 99])).kind, 'refused');
  assert.equal((await change([2, 1, 2])).kind, 'changed');
  assert.equal((await change([1, 2])).kind, 'unchanged');
  const listed = async (username: string) =>
    (await admin.ask(operatorsList, {})).rows.find((row) => row.username === username)?.warehouse_nos;
  assert.deepEqual(await listed('packer'), [1, 2]);
  assert.equal((await change([])).kind, 'changed');
  assert.equal(await listed('packer'), null);
  assert.equal((await staff.send('/home/attention', {})).status, 200);

  assert.equal(
    (await admin.ask(operatorsCreate, { username: 'mei', role: 'staff', warehouse_nos: [2] })).kind,
    'created',
  );
  assert.deepEqual(await listed('mei'), [2]);
  assert.equal((await admin.ask(operatorsChange, { username: 'boss', warehouse_nos: [2] })).kind, 'changed');
  assert.equal((await admin.send('/home/attention', {})).status, 200);
});
