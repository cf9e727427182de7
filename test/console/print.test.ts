import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { orderCancel, orderForget } from '../../contract/console/orders.ts';
import {
  type OrderDocument,
  orderDocuments,
  printedOrdersPerHour,
  printOrders,
  printPickList,
} from '../../contract/console/print.ts';
import { actionsOf, column, columns, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship, unchanged } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { assertAuditClean, letTimePass, purge } from '../support/purge.ts';
import { dataOf, order, orderBody, orderRow, receive } from '../support/warehouse.ts';

const { app, database, admin, staff, viewer } = await startConsole();
await provisionLive(app);
const tainan = { ...live, warehouseTpwId: 'TPW-TAINAN' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Tainan', connector: { type: 'manual' }, transfer_every_s: 60 }],
  accounts: [
    {
      account_no: live.accountNo,
      environment: 'production',
      tenants: [{ warehouse_tpw_id: tainan.warehouseTpwId, warehouse_no: 2, store_no: 10, receiving: 'on_create' }],
    },
  ],
});
await receive(
  app,
  {
    TEA: [
      ['2030-01-01', 3],
      ['2031-01-01', 100],
    ],
    CUP: [[null, 100]],
    BOX: [[null, 10]],
  },
  live,
);
await receive(app, { TEA: [['2030-01-01', 10]] }, tainan);
await receive(app, { TEA: [['2030-01-01', 10]] });
const locations = (location: string) => [
  { warehouse_no: 1, location },
  { warehouse_no: 2, location: 'Z-9' },
];
const products = [
  { sku_id: 'TEA', locations: locations('A-10') },
  { sku_id: 'CUP', locations: locations('A-2') },
];
retvalOf(await app.callMain('/products/update', { products }, { as: live }));

const person = {
  consignee_name: '林美華',
  consignee_phone: '0912-345-678',
  consignee_address: '臺北市信義區松仁路 1 號',
  consignee_zip: '110',
};

async function ordered(number: string, lines: [string, number][], method: object = {}): Promise<number> {
  dataOf(
    await app.callWarehouse('/outbound/create', { ...orderBody(number, lines, live), ...person, ...method }, live),
  );
  return await idOf(number);
}

async function idOf(number: string): Promise<number> {
  return Number((await orderRow(app, number))!.order_id);
}

async function print(document: OrderDocument, order_ids: number[], print_id: string = randomUUID(), as = staff) {
  return await as.ask(printOrders, { document, order_ids, print_id });
}

const pickup = { store_pickup_label_data: { store_id: '991182', barcode: 'F0012345', route: { area: 'N3' } } };
const one = await ordered('P-1', [
  ['TEA', 5],
  ['CUP', 2],
]);
const two = await ordered('P-2', [
  ['TEA', 1],
  ['BOX', 1],
]);
await bring(app, [{ sku: 'LAMP', quantity: 50 }], live.apiKey);
await ship(
  app,
  'P-STORE',
  [item('LAMP', 2)],
  { delivery_name: '陳大文', phone: '0987654321', note: '易碎', ...pickup },
  live.apiKey,
);
const store = await idOf('P-STORE');

test('each print-out has the fields of the recipient that it shows, and no others', async () => {
  const shown = { packing_slip: ['name'], shipping_label: ['name', 'phone', 'zip', 'address'], store_label: null };
  for (const document of orderDocuments) {
    const { printed, left_out } = await print(document, [one]);
    const names = (shown as Record<string, string[] | null>)[document];
    if (names === null) {
      assert.deepEqual([printed, left_out], [[], [{ kind: 'no_label_data', order_id: one, partner_number: 'P-1' }]]);
      continue;
    }
    const { recipient } = printed[0]!;
    const given = Object.entries(recipient ?? {}).filter(([, value]) => value !== null);
    assert.deepEqual(
      given,
      (names ?? []).map((name) => [name, person[`consignee_${name}` as keyof typeof person]]),
      document,
    );
    assert.equal(printed[0]!.store_pickup_label_data, null);
  }
  const [label] = (await print('store_label', [store])).printed;
  assert.deepEqual(label!.store_pickup_label_data, pickup.store_pickup_label_data);
  assert.deepEqual(
    [label!.recipient!.name, label!.recipient!.phone, label!.recipient!.note],
    ['陳大文', '0987654321', null],
  );
  assert.equal((await print('packing_slip', [store])).printed[0]!.recipient!.note, '易碎');
});

test('a packing slip lists the lines with their lots; a label has units and temperatures, and no lines', async () => {
  const [slip] = (await print('packing_slip', [one])).printed;
  assert.deepEqual(slip!.lines, [
    {
      ...{ line_no: 1, sku_id: 'TEA', name: 'Name of TEA', qty: 5 },
      lots: [
        { batch_id: '', expire_date: '2030-01-01', qty: 3 },
        { batch_id: '', expire_date: '2031-01-01', qty: 2 },
      ],
    },
    { line_no: 2, sku_id: 'CUP', name: 'Name of CUP', qty: 2, lots: [{ batch_id: '', expire_date: null, qty: 2 }] },
  ]);
  const [label] = (await print('shipping_label', [one])).printed;
  assert.deepEqual([label!.lines, label!.units, label!.storage_types, label!.parcels], [[], 7, ['ambient'], []]);
  assert.match(label!.order_no, /^ow_P-1_[0-9a-f]{10}$/);
});

test('the first print and each reprint are counted and in the audit log; a repeated request is not another print', async () => {
  const before = (await actionsOf(app, 'print/orders')).length;
  const first = randomUUID();
  const counts = async (ids: number[], printId?: string, as = staff) =>
    column((await print('order_codes', ids, printId, as)).printed, 'prints');
  assert.deepEqual(await counts([two], first), [1]);
  assert.deepEqual(await counts([two], first), [1]);
  assert.deepEqual(await counts([two, store], randomUUID(), admin), [2, 1]);
  // Another print-out of the same order has its own count.
  assert.deepEqual(column((await print('return_slip', [two])).printed, 'prints'), [1]);
  const logged = (await actionsOf(app, 'print/orders')).slice(before);
  const codes = { document: 'order_codes' };
  assert.deepEqual(
    logged.map(({ username, subject, details, outcome }) => [username, subject, details, outcome]),
    [
      ['packer', `order ${two}`, { order_ids: [two], ...codes }, 'printed 1'],
      ['packer', `order ${two}`, { order_ids: [two], ...codes }, 'printed 1'],
      ['boss', null, { order_ids: [two, store], ...codes }, 'reprinted 1, printed 1'],
      ['packer', `order ${two}`, { order_ids: [two], document: 'return_slip' }, 'printed 1'],
    ],
  );
  const rows = await database.read(
    (sql) => sql`select printed_by, prints from order_print where order_id = ${two} and document = 'order_codes'`,
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ printed_by: 'boss', prints: 2 }],
  );
});

test('twenty prints of one order at once are twenty prints', async () => {
  const id = await ordered('P-RACE', [['CUP', 1]]);
  const all = await Promise.all(Array.from({ length: 20 }, () => print('packing_slip', [id, two])));
  const prints = all.map(({ printed }) => printed[0]!.prints);
  assert.deepEqual(
    prints.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

test('a pick list merges the units of all orders by location, sku and lot, in walking order, with one slot per order', async () => {
  const { lists, left_out } = await staff.ask(printPickList, { order_ids: [two, one], print_id: randomUUID() });
  assert.equal(lists.length, 1);
  const [{ warehouse_no, slots, lines }] = lists as [(typeof lists)[0]];
  assert.deepEqual([warehouse_no, left_out], [1, []]);
  assert.deepEqual(columns(slots, 'slot', 'partner_number', 'units', 'prints'), [
    [1, 'P-2', 2, 1],
    [2, 'P-1', 7, 1],
  ]);
  assert.deepEqual(columns(lines, 'location', 'sku_id', 'expire_date', 'qty', 'slots'), [
    ['A-2', 'CUP', null, 2, [{ slot: 2, qty: 2 }]],
    ['A-10', 'TEA', '2030-01-01', 3, [{ slot: 2, qty: 3 }]],
    [
      'A-10',
      'TEA',
      '2031-01-01',
      3,
      [
        { slot: 1, qty: 1 },
        { slot: 2, qty: 2 },
      ],
    ],
    [null, 'BOX', null, 1, [{ slot: 1, qty: 1 }]],
  ]);
  assert.deepEqual((await actionsOf(app, 'print/pick-list')).at(-1)!.outcome, 'printed 2');
  assert.ok(!JSON.stringify(lists).includes('林'));
});

test('orders of two warehouses have a pick list each, with the locations of its own warehouse', async () => {
  await order(app, 'P-TAINAN', [['TEA', 2]], tainan);
  const order_ids = [await idOf('P-TAINAN'), two];
  const { lists } = await staff.ask(printPickList, { order_ids, print_id: randomUUID() });
  assert.deepEqual(
    lists.map(({ warehouse_name, slots, lines }) => [warehouse_name, column(slots, 'slot'), lines[0]!.location]),
    [
      ['Tainan', [1], 'Z-9'],
      ['Taoyuan', [1], 'A-10'],
    ],
  );
  assert.deepEqual(column(lists[1]!.slots, 'prints'), [2]);
});

test('the orders of a batch keep their slots; a list with too few slots is refused and not counted', async () => {
  const body = { order_ids: [999_999_999, one, two], slots: [1, 4, 7], print_id: randomUUID() };
  const { lists } = await staff.ask(printPickList, body);
  assert.deepEqual(columns(lists[0]!.slots, 'slot', 'partner_number'), [
    [4, 'P-1'],
    [7, 'P-2'],
  ]);
  assert.deepEqual(lists[0]!.lines[0]!.slots, [{ slot: 4, qty: 2 }]);
  const counted = () =>
    database.read((sql) => sql`select prints from order_print where order_id = ${one} and document = 'pick_list'`);
  const before = await counted();
  const wrong = await staff.send(printPickList.path, { ...body, slots: [1, 4], print_id: randomUUID() });
  assert.deepEqual([wrong.status, wrong.json.error?.mistakes?.[0]?.path], [400, 'slots']);
  assert.deepEqual(await counted(), before);
});

test('orders that must not move are left out with the reason; the others are printed', async () => {
  const [held, gone, sent] = [
    await ordered('P-HELD', [['CUP', 1]]),
    await ordered('P-GONE', [['CUP', 1]]),
    await ordered('P-SENT', [['CUP', 1]]),
  ];
  retvalOf(await app.callMain('/orders/hold', { orders: [{ outbound_short_id: 'P-HELD' }] }, { as: live }));
  await staff.ask(orderCancel, { order_ids: [gone] });
  const report = { outbound_short_id: 'P-SENT', status: 'shipped', shipment_no: 'S-77', carrier: '黑貓' };
  retvalOf(await app.callMain('/fulfilment/advance', { orders: [report] }, { as: live }));
  const ids = [held, gone, sent, 999_999_999, one];
  const kinds = (left: { kind: string; order_id: number }[]) => columns(left, 'kind', 'order_id');
  const label = await print('shipping_label', ids);
  assert.deepEqual(column(label.printed, 'partner_number'), ['P-SENT', 'P-1']);
  assert.deepEqual(label.printed[0]!.parcels, [{ shipment_no: 'S-77', carrier: '黑貓' }]);
  const missing = ['not_found', 999_999_999];
  assert.deepEqual(kinds(label.left_out), [['on_hold', held], ['order_cancelled', gone], missing]);
  const list = await staff.ask(printPickList, { order_ids: ids, print_id: randomUUID() });
  assert.deepEqual(kinds(list.left_out), [
    ['on_hold', held],
    ['order_cancelled', gone],
    ['nothing_to_pick', sent],
    missing,
  ]);
  assert.deepEqual(column(list.lists[0]!.slots, 'partner_number'), ['P-1']);
  // A slip moves nothing.
  assert.deepEqual(kinds((await print('packing_slip', ids)).left_out), [['order_cancelled', gone], missing]);

  assert.equal((await admin.ask(orderForget, { order_id: sent })).kind, 'erased');
  assert.deepEqual(kinds((await print('shipping_label', [sent])).left_out), [['recipient_erased', sent]]);
  assert.equal((await print('packing_slip', [sent])).printed[0]!.recipient, null);
});

test('a return slip has the numbers of the returns that are still expected', async () => {
  const id = await ordered('P-BACK', [['CUP', 1]]);
  for (const report of [
    { status: 'shipped', shipment_no: 'S-78' },
    { status: 'undelivered', reason: 'refused' },
  ])
    retvalOf(
      await app.callMain('/fulfilment/advance', { orders: [{ outbound_short_id: 'P-BACK', ...report }] }, { as: live }),
    );
  const [slip] = (await print('return_slip', [id])).printed;
  assert.equal(slip!.return_nos.length, 1);
  assert.match(slip!.return_nos[0]!, /^si_/);
  assert.deepEqual((await print('packing_slip', [id])).printed[0]!.return_nos, []);
});

test('without the role nothing is printed, counted or in the audit log', async () => {
  const before = await actionsOf(app, 'print/orders');
  await unchanged(app, async () => {
    const body = { document: 'shipping_label', order_ids: [one], print_id: randomUUID() };
    const refused = await viewer.send(printOrders.path, body);
    assert.deepEqual(
      [refused.status, refused.json.error?.kind, 'printed' in refused.json],
      [403, 'not_allowed', false],
    );
  });
  assert.deepEqual(await actionsOf(app, 'print/orders'), before);
});

test('prints of UAT orders are purged with their orders', async () => {
  await order(app, 'P-UAT', [['TEA', 1]]);
  const id = await idOf('P-UAT');
  assert.equal((await print('shipping_label', [id])).printed[0]!.environment, 'uat');
  await letTimePass(app, 40);
  assert.ok((await purge(app))!.orders >= 1);
  const rows = await database.read((sql) => sql`select from order_print where order_id = ${id}`);
  assert.equal(rows.length, 0);
  await assertAuditClean(app);
});

test('an operator who prints too many orders within an hour is refused, which the audit log records; others are not', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  await database.transaction(
    (tx) => tx`
      insert into operator_action (username, action, details, address, trace_id, outcome)
      select 'packer', 'print/orders', ${tx.json({ order_ids: ids })}, '', gen_random_uuid(), 'printed 100'
      from generate_series(1, ${printedOrdersPerHour / 100})`,
  );
  const body = { document: 'shipping_label', order_ids: [one], print_id: randomUUID() };
  const refused = await staff.send(printOrders.path, body);
  assert.deepEqual([refused.status, refused.headers['retry-after'], 'printed' in refused.json], [429, '600', false]);
  assert.equal((await actionsOf(app, 'print/orders')).at(-1)!.outcome, 'rate_limited');
  assert.equal((await print('shipping_label', [one], randomUUID(), admin)).printed.length, 1);
});
