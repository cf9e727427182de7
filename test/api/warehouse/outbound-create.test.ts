import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  assertBalancesAreSums,
  assertRefused,
  assertRefusedUnchanged,
  cancelOrders,
  createInbound,
  dataOf,
  dump,
  emptyRow,
  goodRow,
  type Lines,
  lockedBy,
  movementsOf,
  moveOrder,
  order,
  orderBody,
  orderRow,
  putLot,
  receive,
  stockOf,
  syncProducts,
  wrongIdentifiers,
  wrongQuantities,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/outbound/create';

const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
const throughExpiry = { accountNo: 'FRESH', secret: 'fresh-secret', warehouseTpwId: 'TPW-0' };
const twoDaysBefore = { ...throughExpiry, warehouseTpwId: 'TPW-2' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  stores: [{ store_no: 20, name: 'Second' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [
        { warehouse_tpw_id: secondTenant.warehouseTpwId, warehouse_no: 2, store_no: 20 },
        { warehouse_tpw_id: 'TPW-DISABLED', warehouse_no: 1, store_no: 10, enabled: false },
      ],
    },
    {
      account_no: throughExpiry.accountNo,
      environment: 'uat',
      secret: throughExpiry.secret,
      tenants: [
        { warehouse_tpw_id: throughExpiry.warehouseTpwId, warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 0 },
        { warehouse_tpw_id: twoDaysBefore.warehouseTpwId, warehouse_no: 2, store_no: 10, sellable_days_before_expiry: 2 },
      ],
    },
  ],
});
await receive(app, { TEA: [['2030-01-01', 100_000]] });
await receive(app, { TEA: [['2030-01-01', 100_000]] }, beta);

const lock = { kind: 'lock', batch_id: '', on_hand_delta: 0 };

async function linesOf(number: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select sku_id, qty from order_line join orders using (order_id) join product using (product_id)
      where partner_number = ${number} order by line_no`,
  );
  return rows.map(({ sku_id, qty }) => [sku_id, qty]);
}

test('a new order is answered with an orders_id that carries its number, and waits for its transfer', async () => {
  const answer = await app.callWarehouse(path, orderBody('OUT-NEW', [['TEA', 1]]));

  const data = dataOf(answer);
  assert.deepEqual(Object.keys(data), ['success', 'orders_id', 'idempotent']);
  assert.match(data.orders_id, /^ow_OUT-NEW_[0-9a-z]+$/);
  assert.deepEqual([data.success, data.idempotent], [true, false]);
  const row = await orderRow(app, 'OUT-NEW');
  assert.deepEqual(
    [row?.account_no, row?.channel, row?.order_no, row?.warehouse_no, row?.store_no, row?.status, row?.trace_id],
    ['ALPHA', 'warehouse', data.orders_id, 1, 10, 'pending_warehouse_transfer', answer.json.trace_id],
  );
});

test('the order is kept as it was sent: lines, ship method and recipient', async () => {
  await receive(app, { 'KEPT-1': [['2030-01-01', 9]], 'KEPT-2': [['2030-01-01', 9]] });
  const lines: Lines = [
    ['KEPT-2', 4],
    ['KEPT-1', 3],
  ];
  const consignee = {
    consignee_name: '王小明',
    consignee_phone: '+886 912-345-678',
    consignee_address: '臺北市信義區市府路1號 📦',
    consignee_zip: '110',
  };
  dataOf(await app.callWarehouse(path, { ...orderBody('OUT-KEPT', lines), logistics_type: 'csvs', express_type: 'family', ...consignee }));

  assert.deepEqual(await linesOf('OUT-KEPT'), lines);
  const row = await orderRow(app, 'OUT-KEPT');
  assert.deepEqual([row?.consignee_country, row?.logistics_type, row?.express_type], ['TW', 'csvs', 'family']);
  assert.deepEqual([row?.consignee_name, row?.consignee_phone, row?.consignee_address, row?.consignee_zip], Object.values(consignee));
});

for (const value of [undefined, null, '']) {
  test(`recipient data may be left out, null or empty: ${JSON.stringify(value) ?? 'left out'}`, async () => {
    const consignee = { consignee_name: value, consignee_phone: value, consignee_address: value, consignee_zip: value };
    dataOf(await app.callWarehouse(path, { ...orderBody(`OUT-EMPTY-${value}`, [['TEA', 1]]), ...consignee }));
  });
}

test('recipient data is as long as it may be in characters, not in bytes or UTF-16 units', async () => {
  const consignee = {
    consignee_name: '王'.repeat(255),
    consignee_phone: '📞'.repeat(50),
    consignee_address: '🏠'.repeat(500),
    consignee_zip: '📮'.repeat(20),
  };
  dataOf(await app.callWarehouse(path, { ...orderBody('OUT-LONG', [['TEA', 1]]), ...consignee }));
  const row = await orderRow(app, 'OUT-LONG');
  assert.deepEqual([row?.consignee_name, row?.consignee_phone, row?.consignee_address, row?.consignee_zip], Object.values(consignee));
});

test('units are locked, not taken: on hand stays, available falls', async () => {
  await receive(app, { LOCKED: [['2030-01-01', 10]] });
  await order(app, 'OUT-LOCKED', [['LOCKED', 4]]);
  assert.deepEqual(await stockOf(app, 'LOCKED'), [goodRow('LOCKED', '2030-01-01', 10, 4)]);
});

test('all that is available can be ordered, to the last unit', async () => {
  await receive(app, { LAST: [['2030-01-01', 10]] });
  await order(app, 'OUT-LAST-1', [['LAST', 9]]);
  await order(app, 'OUT-LAST-2', [['LAST', 1]]);
  await assertRefusedUnchanged(app, path, orderBody('OUT-LAST-3', [['LAST', 1]]), { message: 'sku LAST available=0 < requested=1' });
});

test('the earliest expiry goes first, one movement per lot, each with who, what and by which request', async () => {
  await syncProducts(app, ['FEFO']);
  await createInbound(app, 'IN-FEFO-1', { FEFO: [['2032-01-01', 5]] });
  await createInbound(app, 'IN-FEFO-2', {
    FEFO: [
      ['2030-01-01', 2],
      ['2031-01-01', 3],
    ],
  });
  const answer = await app.callWarehouse(path, orderBody('OUT-FEFO', [['FEFO', 7]]));

  dataOf(answer);
  assert.deepEqual(
    (await movementsOf(app, 'OUT-FEFO')).toSorted((a, b) => a.expire_date!.localeCompare(b.expire_date!)),
    [
      { ...lock, sku_id: 'FEFO', expire_date: '2030-01-01', locked_delta: 2 },
      { ...lock, sku_id: 'FEFO', expire_date: '2031-01-01', locked_delta: 3 },
      { ...lock, sku_id: 'FEFO', expire_date: '2032-01-01', locked_delta: 2 },
    ],
  );
  assert.deepEqual(await stockOf(app, 'FEFO'), [
    goodRow('FEFO', '2030-01-01', 2, 2),
    goodRow('FEFO', '2031-01-01', 3, 3),
    goodRow('FEFO', '2032-01-01', 5, 2),
  ]);
  const [written] = await app.store.database.read(
    (sql) => sql`select distinct m.trace_id, m.actor from movement m join orders using (order_id) where partner_number = 'OUT-FEFO'`,
  );
  assert.equal(written?.trace_id, answer.json.trace_id);
  assert.ok(written?.actor);
});

test('among lots of one expiry the oldest goes first', async () => {
  await syncProducts(app, ['OLDEST']);
  for (const batchId of ['Z', 'A', 'M']) await putLot(app, { skuId: 'OLDEST', batchId, expireDate: '2030-01-01', qty: 2 });
  await order(app, 'OUT-OLDEST', [['OLDEST', 3]]);

  const taken = (await movementsOf(app, 'OUT-OLDEST')).map(({ batch_id, locked_delta }) => [batch_id, locked_delta]);
  assert.deepEqual(taken.sort(), [
    ['A', 1],
    ['Z', 2],
  ]);
});

test('what does not expire goes last, whichever came first', async () => {
  const dates = [null, '9999-12-31'];
  for (const [sku, ordered] of [
    ['FOREVER-1', dates],
    ['FOREVER-2', dates.toReversed()],
  ] as const) {
    await syncProducts(app, [sku]);
    for (const expireDate of ordered) await putLot(app, { skuId: sku, expireDate, qty: 5 });
    await order(app, `OUT-${sku}`, [[sku, 6]]);

    const taken = (await movementsOf(app, `OUT-${sku}`)).map(({ expire_date, locked_delta }) => [expire_date, locked_delta]);
    assert.deepEqual(
      new Map(taken as [string | null, number][]),
      new Map<string | null, number>([
        ['9999-12-31', 5],
        [null, 1],
      ]),
    );
  }
});

test('even what has expired sells, where the tenant sets no limit', async () => {
  await receive(app, { EXPIRED: [['2001-01-01', 1]] });
  await order(app, 'OUT-EXPIRED', [['EXPIRED', 1]]);
});

test('defective stock is never sold', async () => {
  await receive(app, { BAD: [['2031-01-01', 2]] });
  await putLot(app, { skuId: 'BAD', expireDate: '2030-01-01', qty: 50, stockType: 'bad' });
  await assertRefusedUnchanged(app, path, orderBody('OUT-BAD', [['BAD', 3]]), { message: 'sku BAD available=2 < requested=3' });
  await order(app, 'OUT-BAD', [['BAD', 2]]);
  assert.deepEqual(
    (await movementsOf(app, 'OUT-BAD')).map(({ expire_date }) => expire_date),
    ['2031-01-01'],
  );
});

test('the same sku in several details is compared as a sum, and requested is that sum', async () => {
  await receive(app, { SUM: [['2030-01-01', 10]], OTHER: [['2030-01-01', 10]] });
  const lines: Lines = [
    ['SUM', 6],
    ['OTHER', 1],
    ['SUM', 5],
  ];
  const refusal = { message: 'sku SUM available=10 < requested=11', paths: ['details[0].qty'] };
  await assertRefusedUnchanged(app, path, orderBody('OUT-SUM', lines), refusal);

  lines[2] = ['SUM', 4];
  await order(app, 'OUT-SUM', lines);
  assert.deepEqual(await linesOf('OUT-SUM'), lines);
  assert.deepEqual(await stockOf(app, ['SUM', 'OTHER']), [goodRow('SUM', '2030-01-01', 10, 10), goodRow('OTHER', '2030-01-01', 10, 1)]);
});

test('a product without any stock is available=0', async () => {
  await syncProducts(app, ['NOTHING']);
  const refusal = { message: 'sku NOTHING available=0 < requested=1', paths: ['details[0].qty'] };
  await assertRefusedUnchanged(app, path, orderBody('OUT-NOTHING', [['NOTHING', 1]]), refusal);
});

test('with several skus short the message names the first, the errors all of them, and nothing is locked for the others', async () => {
  await receive(app, { 'SHORT-1': [['2030-01-01', 1]], 'SHORT-2': [['2030-01-01', 2]], ENOUGH: [['2030-01-01', 3]] });
  const lines: Lines = [
    ['ENOUGH', 3],
    ['SHORT-2', 2],
    ['SHORT-1', 4],
    ['SHORT-2', 3],
  ];
  const { json } = await assertRefusedUnchanged(app, path, orderBody('OUT-SHORT', lines), {
    message: 'sku SHORT-2 available=2 < requested=5',
    paths: ['details[1].qty', 'details[2].qty'],
  });
  assert.deepEqual(json.data.errors.map((error: { path: string; message: string }) => [error.path, error.message]).sort(), [
    ['details[1].qty', 'sku SHORT-2 available=2 < requested=5'],
    ['details[2].qty', 'sku SHORT-1 available=1 < requested=4'],
  ]);
});

test('what other orders have locked is not available', async () => {
  await receive(app, { TAKEN: [['2030-01-01', 10]] });
  await order(app, 'OUT-TAKEN-1', [['TAKEN', 7]]);
  await assertRefusedUnchanged(app, path, orderBody('OUT-TAKEN-2', [['TAKEN', 4]]), { message: 'sku TAKEN available=3 < requested=4' });
});

test("only the stock of the tenant's own warehouse is sold", async () => {
  await receive(app, { LOCAL: [['2030-01-01', 5]] });
  const refusal = { message: 'sku LOCAL available=0 < requested=1' };
  await assertRefusedUnchanged(app, path, orderBody('OUT-LOCAL', [['LOCAL', 1]], secondTenant), refusal);
  await createInbound(app, 'IN-LOCAL', { LOCAL: [['2031-01-01', 5]] }, secondTenant);
  await order(app, 'OUT-LOCAL', [['LOCAL', 1]], secondTenant);

  assert.deepEqual(
    (await movementsOf(app, 'OUT-LOCAL')).map(({ expire_date }) => expire_date),
    ['2031-01-01'],
  );
  const row = await orderRow(app, 'OUT-LOCAL');
  assert.deepEqual([row?.warehouse_no, row?.store_no], [2, 20]);
});

test("another account's stock of the same sku in the same warehouse is not ours", async () => {
  await receive(app, { OURS: [['2030-01-01', 5]] }, beta);
  await syncProducts(app, ['OURS']);
  await assertRefusedUnchanged(app, path, orderBody('OUT-OURS', [['OURS', 1]]), { message: 'sku OURS available=0 < requested=1' });
});

test('sellable_days_before_expiry 0: through the expiry day in Taipei, and not a second longer', async () => {
  await receive(app, { DAY: [['2030-05-10', 5]] }, throughExpiry);
  try {
    app.clock.set(new Date('2030-05-10T15:59:59.999Z'));
    await order(app, 'OUT-DAY-1', [['DAY', 1]], throughExpiry);
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    const refusal = { message: 'sku DAY available=0 < requested=1', paths: ['details[0].qty'] };
    await assertRefusedUnchanged(app, path, orderBody('OUT-DAY-2', [['DAY', 1]], throughExpiry), refusal, throughExpiry);
  } finally {
    app.clock.set(null);
  }
});

test('sellable_days_before_expiry 2: through the day two days before, later lots go on', async () => {
  await receive(
    app,
    {
      DAYS: [
        ['2030-05-12', 5],
        ['2030-05-13', 2],
      ],
    },
    twoDaysBefore,
  );
  try {
    app.clock.set(new Date('2030-05-10T15:59:59.999Z'));
    await order(app, 'OUT-DAYS-1', [['DAYS', 1]], twoDaysBefore);
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    const refusal = { message: 'sku DAYS available=2 < requested=3' };
    await assertRefusedUnchanged(app, path, orderBody('OUT-DAYS-2', [['DAYS', 3]], twoDaysBefore), refusal, twoDaysBefore);
    await order(app, 'OUT-DAYS-2', [['DAYS', 2]], twoDaysBefore);
  } finally {
    app.clock.set(null);
  }
  assert.deepEqual(
    (await movementsOf(app, 'OUT-DAYS-2')).map(({ expire_date, locked_delta }) => [expire_date, locked_delta]),
    [['2030-05-13', 2]],
  );
});

test('what does not expire is sellable under every rule', async () => {
  await syncProducts(app, ['STONE'], throughExpiry);
  await putLot(app, { skuId: 'STONE', expireDate: null, qty: 1 }, throughExpiry);
  await order(app, 'OUT-STONE', [['STONE', 1]], throughExpiry);
});

const shipMethods = [
  ['home', 'tcat'],
  ['home', 'hct'],
  ['home', 'post'],
  ['csvs', 'pcsc'],
  ['csvs', 'family'],
  ['csvs', 'hilife'],
] as const;
for (const [logistics_type, express_type] of shipMethods) {
  test(`ship method ${logistics_type} with ${express_type} is accepted`, async () => {
    const number = `OUT-${logistics_type}-${express_type}`;
    dataOf(await app.callWarehouse(path, { ...orderBody(number, [['TEA', 1]]), logistics_type, express_type }));
    const row = await orderRow(app, number);
    assert.deepEqual([row?.logistics_type, row?.express_type], [logistics_type, express_type]);
  });
}

const both = ['logistics_type', 'express_type'];
const unknownShipMethods: [logisticsType: string, expressType: string, paths: string[]][] = [
  ...['pcsc', 'family', 'hilife'].map((other): [string, string, string[]] => ['home', other, ['express_type']]),
  ...['tcat', 'hct', 'post'].map((other): [string, string, string[]] => ['csvs', other, ['express_type']]),
  ['home', 'seven', ['express_type']],
  ['home', 'TCAT', ['express_type']],
  ['home', '', ['express_type']],
  ['locker', 'tcat', ['logistics_type']],
  ['Home', 'tcat', ['logistics_type']],
  ['home ', 'tcat', ['logistics_type']],
  ['locker', 'seven', both],
  ['', '', both],
  ['toString', 'constructor', both],
  ['__proto__', 'toString', both],
];
for (const [logistics_type, express_type, paths] of unknownShipMethods) {
  test(`unknown ship_method mapping: '${logistics_type}' with '${express_type}' names ${paths.join(' and ')}`, async () => {
    const body = { ...orderBody('OUT-NO-METHOD', [['TEA', 1]]), logistics_type, express_type };
    await assertRefusedUnchanged(app, path, body, { message: 'unknown ship_method mapping', paths });
  });
}

for (const [name, warehouseTpwId] of [
  ['one that does not exist', 'NOWHERE'],
  ['one in another case', 'tpw-a'],
  ["another account's", beta.warehouseTpwId],
  ['a disabled one', 'TPW-DISABLED'],
] as const) {
  test(`unknown tenant: ${name}`, async () => {
    const body = { ...orderBody('OUT-NO-TENANT', [['TEA', 1]]), warehouse_tpw_id: warehouseTpwId };
    await assertRefusedUnchanged(app, path, body, { message: 'unknown tenant', paths: ['warehouse_tpw_id'] });
  });
}

test('a tenant and a product are known from the first call after they were made', async () => {
  const made = { ...alpha, warehouseTpwId: 'TPW-MADE' };
  const body = orderBody('OUT-MADE', [['MADE', 1]], made);
  await assertRefusedUnchanged(app, path, body, { message: 'unknown tenant' });
  await app.provision({
    accounts: [{ account_no: alpha.accountNo, tenants: [{ warehouse_tpw_id: made.warehouseTpwId, warehouse_no: 1, store_no: 20 }] }],
  });
  await assertRefusedUnchanged(app, path, body, { message: 'sku_id not found' });
  await receive(app, { MADE: [['2030-01-01', 1]] }, made);
  dataOf(await app.callWarehouse(path, body));
  assert.equal((await orderRow(app, 'OUT-MADE'))?.store_no, 20);
});

test('sku_id not found: every detail whose product was not synced by this account is named, and nothing is locked', async () => {
  await syncProducts(app, ['BETA-ONLY'], beta);
  const lines: Lines = [
    ['NO-1', 1],
    ['TEA', 1],
    ['BETA-ONLY', 1],
    ['tea', 1],
    ['NO-1', 1],
  ];
  const paths = ['details[0].sku_id', 'details[2].sku_id', 'details[3].sku_id', 'details[4].sku_id'];
  await assertRefusedUnchanged(app, path, orderBody('OUT-NO-SKU', lines), { message: 'sku_id not found', paths });
});

test('checks come in their order: fields, then number, tenant, sku, ship method, stock', async () => {
  await order(app, 'OUT-ORDER-THEIRS', [['TEA', 1]], beta);
  await receive(app, { FEW: [['2030-01-01', 2]] });
  const body = {
    ...orderBody('OUT-ORDER-THEIRS', [
      ['FEW', 3],
      ['UNKNOWN', 1],
    ]),
    warehouse_tpw_id: 'NOWHERE',
    logistics_type: 'locker',
    consignee_country: 'JP',
  };
  const steps: [object, { message?: string; paths?: string[] }][] = [
    [{}, { paths: ['consignee_country'] }],
    [{ consignee_country: 'TW' }, { message: 'outbound_short_id already in use' }],
    [{ outbound_short_id: 'OUT-ORDER-OURS' }, { message: 'unknown tenant', paths: ['warehouse_tpw_id'] }],
    [{ warehouse_tpw_id: alpha.warehouseTpwId }, { message: 'sku_id not found', paths: ['details[1].sku_id'] }],
    [{ details: [{ sku_id: 'FEW', qty: 3 }] }, { message: 'unknown ship_method mapping', paths: ['logistics_type'] }],
    [{ logistics_type: 'home' }, { message: 'sku FEW available=2 < requested=3', paths: ['details[0].qty'] }],
  ];
  for (const [mended, refusal] of steps) {
    Object.assign(body, mended);
    await assertRefusedUnchanged(app, path, body, refusal);
  }
  dataOf(await app.callWarehouse(path, { ...body, details: [{ sku_id: 'FEW', qty: 2 }] }));
});

test('a number that was refused is still free', async () => {
  await syncProducts(app, ['SOON']);
  await assertRefusedUnchanged(app, path, orderBody('OUT-SOON', [['SOON', 1]]), { message: 'sku SOON available=0 < requested=1' });
  await createInbound(app, 'IN-SOON', { SOON: [['2030-01-01', 1]] });
  assert.equal((await order(app, 'OUT-SOON', [['SOON', 1]])).idempotent, false);
});

test('the same number again is 200 with the original orders_id and idempotent:true; nothing is rebuilt', async () => {
  const body = orderBody('OUT-TWICE', [['TEA', 5]]);
  const original = dataOf(await app.callWarehouse(path, body));
  const before = await dump(app);
  const repeat = await app.callWarehouse(path, body);

  assert.deepEqual(dataOf(repeat), { success: true, orders_id: original.orders_id, idempotent: true });
  assert.deepEqual(await dump(app), before);
});

test('a repeat is the same body also with its keys in another order, other white space and 5.0 for 5', async () => {
  const original = await order(app, 'OUT-WRITTEN', [['TEA', 5]]);
  const written =
    '{ "express_type":"tcat", "logistics_type" : "home", "details": [ {"qty": 5.0,\n"sku_id": "T\\u0045A"} ],' +
    ' "consignee_country":"TW", "warehouse_tpw_id":"TPW-A", "outbound_short_id":"OUT-WRITTEN" }';
  const data = dataOf(await app.callWarehouse(path, written));
  assert.deepEqual(data, { success: true, orders_id: original.orders_id, idempotent: true });
});

const otherBodies: [string, object][] = [
  ['another qty', { details: [{ sku_id: 'TEA', qty: 6 }] }],
  ['another recipient', { consignee_name: '王小明' }],
  ['another ship method', { express_type: 'post' }],
  ['another tenant', { warehouse_tpw_id: secondTenant.warehouseTpwId }],
  ['a tenant that is not known', { warehouse_tpw_id: 'NOWHERE' }],
  ['a sku that is not known', { details: [{ sku_id: 'UNKNOWN', qty: 5 }] }],
  ['a ship method that is not known', { logistics_type: 'locker' }],
  ['more than there is', { details: [{ sku_id: 'TEA', qty: 1_000_000_000 }] }],
];
for (const [name, change] of otherBodies) {
  test(`a repeat with ${name} returns the original all the same, says that the body differs, and changes nothing`, async () => {
    const body = orderBody(`OUT-DIFFERS ${name}`, [['TEA', 5]]);
    const original = dataOf(await app.callWarehouse(path, body));
    const before = await dump(app);
    const data = dataOf(await app.callWarehouse(path, { ...body, ...change }));

    assert.deepEqual(data, { success: true, orders_id: original.orders_id, idempotent: true, payload_differs: true });
    assert.deepEqual(await dump(app), before);
  });
}

test('a repeat finds its order when the stock has since gone, and after each later step of it', async () => {
  await receive(app, { GONE: [['2030-01-01', 1]] });
  const { orders_id } = await order(app, 'OUT-GONE', [['GONE', 1]]);
  for (const status of ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered']) {
    await moveOrder(app, 'OUT-GONE', status);
    assert.deepEqual(await order(app, 'OUT-GONE', [['GONE', 1]]), { success: true, orders_id, idempotent: true });
  }
});

test('a repeat after a cancel returns the original and locks nothing again', async () => {
  await receive(app, { UNDONE: [['2030-01-01', 5]] });
  const { orders_id } = await order(app, 'OUT-UNDONE', [['UNDONE', 5]]);
  await cancelOrders(app, ['OUT-UNDONE']);

  assert.deepEqual(await order(app, 'OUT-UNDONE', [['UNDONE', 5]]), { success: true, orders_id, idempotent: true });
  assert.deepEqual(await stockOf(app, 'UNDONE'), [goodRow('UNDONE', '2030-01-01', 5)]);
  assert.equal((await orderRow(app, 'OUT-UNDONE'))?.status, 'cancelled');
});

test('a repeat must have valid fields all the same', async () => {
  const body = orderBody('OUT-REPEAT-WRONG', [['TEA', 5]]);
  dataOf(await app.callWarehouse(path, body));
  await assertRefusedUnchanged(app, path, { ...body, consignee_country: 'JP' }, { paths: ['consignee_country'] });
});

test("a number of another account is in use, and nothing of that account's order is shown", async () => {
  const body = orderBody('OUT-THEIRS', [['TEA', 5]]);
  const { orders_id } = dataOf(await app.callWarehouse(path, body));
  for (const change of [{}, { warehouse_tpw_id: beta.warehouseTpwId }, { details: [{ sku_id: 'NONE', qty: 1 }] }]) {
    const refusal = { message: 'outbound_short_id already in use' };
    const { text } = await assertRefusedUnchanged(app, path, { ...body, ...change }, refusal, beta);
    assert.ok(!text.includes(orders_id));
    assert.ok(!text.includes('idempotent'));
    assert.ok(!text.includes('payload_differs'));
  }
});

test('numbers are compared exactly, and those of inbound documents are others', async () => {
  await createInbound(app, 'out-exact', { TEA: [['2030-01-01', 1]] });
  for (const number of ['out-exact', 'OUT-exact', 'caf\u00e9', 'cafe\u0301', '號', '号', '1', '01']) {
    assert.equal((await order(app, number, [['TEA', 1]])).idempotent, false);
  }
});

test('a number of 125 characters is accepted, and its orders_id carries it whole', async () => {
  for (const number of ['號'.repeat(125), '📦'.repeat(125), `"\\'%_{}<&> ${'x'.repeat(114)}`]) {
    const { orders_id } = await order(app, number, [['TEA', 1]]);
    assert.ok(orders_id.startsWith(`ow_${number}_`));
    assert.match(orders_id.slice(`ow_${number}_`.length), /^[0-9a-z]+$/);
  }
});

test('1.0 is 1, and 1,000,000,000 is the most', async () => {
  await receive(app, {
    EXACT: [
      ['2030-01-01', 1_000_000_000],
      ['2030-01-02', 1],
    ],
  });
  const text = (number: string, qty: string) =>
    `{"outbound_short_id":"${number}","warehouse_tpw_id":"TPW-A","consignee_country":"TW","logistics_type":"home",` +
    `"express_type":"tcat","details":[{"sku_id":"EXACT","qty":${qty}}]}`;
  dataOf(await app.callWarehouse(path, text('OUT-EXACT-1', '1.0')));
  dataOf(await app.callWarehouse(path, text('OUT-EXACT-2', '1e9')));

  assert.deepEqual(await linesOf('OUT-EXACT-1'), [['EXACT', 1]]);
  assert.deepEqual(await linesOf('OUT-EXACT-2'), [['EXACT', 1_000_000_000]]);
});

test('an account_no, a warehouse_no or a store_no in the body has no effect', async () => {
  const body = { ...orderBody('OUT-HEADER', [['TEA', 1]]), account_no: beta.accountNo, warehouse_no: 2, store_no: 20 };
  dataOf(await app.callWarehouse(path, body));
  const row = await orderRow(app, 'OUT-HEADER');
  assert.deepEqual([row?.account_no, row?.warehouse_no, row?.store_no], ['ALPHA', 1, 10]);
});

test('the number and the code of a call are in the request log, accepted or refused', async () => {
  const accepted = await app.callWarehouse(path, orderBody('OUT-LOGGED', [['TEA', 1]]));
  const refused = await app.callWarehouse(path, orderBody('OUT-LOGGED-2', [['NONE', 1]]));
  const lineOf = async (traceId: string) => {
    const line = await app.requestLine(traceId);
    return [line?.document_no, line?.account_no, line?.status, line?.code];
  };

  assert.deepEqual(await lineOf(accepted.json.trace_id), ['OUT-LOGGED', 'ALPHA', 200, 'LST-TPW-2000']);
  assert.deepEqual(await lineOf(refused.json.trace_id), ['OUT-LOGGED-2', 'ALPHA', 400, 'PARAM_INVALID']);
});

test('recipient data is in no log line and no refusal', async () => {
  const consignee = { consignee_name: 'PERSONAL-NAME', consignee_phone: 'PERSONAL-PHONE', consignee_address: 'PERSONAL-ADDRESS' };
  const answers = [
    await app.callWarehouse(path, { ...orderBody('OUT-PERSONAL', [['TEA', 1]]), ...consignee }),
    await app.callWarehouse(path, { ...orderBody('OUT-PERSONAL', [['TEA', 2]]), ...consignee }),
    await app.callWarehouse(path, { ...orderBody('OUT-PERSONAL-2', [['NONE', 1]]), ...consignee }),
    await app.callWarehouse(path, { ...orderBody('OUT-PERSONAL-3', []), ...consignee, consignee_zip: 'PERSONAL-ZIP'.repeat(9) }),
  ];
  for (const { text } of answers) assert.ok(!text.includes('PERSONAL-N') && !text.includes('PERSONAL-Z'));
  for (const secret of ['PERSONAL-NAME', 'PERSONAL-PHONE', 'PERSONAL-ADDRESS', 'PERSONAL-ZIP']) {
    assert.ok(!app.logLines.some((line) => line.includes(secret)));
  }
});

test('fifty simultaneous repeats give one order', async () => {
  await receive(app, { RACE: [['2030-01-01', 100]] });
  const answers = await Promise.all(Array.from({ length: 50 }, () => order(app, 'OUT-RACE', [['RACE', 2]])));

  assert.equal(answers.filter(({ idempotent }) => !idempotent).length, 1);
  assert.equal(new Set(answers.map(({ orders_id }) => orders_id)).size, 1);
  assert.deepEqual(await stockOf(app, 'RACE'), [goodRow('RACE', '2030-01-01', 100, 2)]);
});

test('simultaneous creates of one number with different bodies: one is built, the others are told that theirs differs', async () => {
  await receive(app, { DIFFERENT: [['2030-01-01', 1000]] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => ({
      qty: index + 1,
      data: await order(app, 'OUT-DIFFERENT', [['DIFFERENT', index + 1]]),
    })),
  );

  const built = answers.filter(({ data }) => !data.idempotent);
  assert.equal(built.length, 1);
  assert.ok(!('payload_differs' in built[0]!.data));
  for (const { data } of answers.filter((answer) => answer !== built[0])) {
    assert.deepEqual(data, { success: true, orders_id: built[0]!.data.orders_id, idempotent: true, payload_differs: true });
  }
  assert.deepEqual(await stockOf(app, 'DIFFERENT'), [goodRow('DIFFERENT', '2030-01-01', 1000, built[0]!.qty)]);
});

test('two accounts race for one number: one has it, the other learns nothing of it', async () => {
  for (let round = 1; round <= 5; round++) {
    const answers = await Promise.all(
      [alpha, beta].map((caller) => app.callWarehouse(path, orderBody(`OUT-TWO-RACE-${round}`, [['TEA', 1]], caller), caller)),
    );
    const [created, refused] = answers.toSorted((a, b) => a.status - b.status);
    assertRefused(refused!, { message: 'outbound_short_id already in use' });
    assert.ok(!refused!.text.includes(dataOf(created!).orders_id));
  }
});

test('fifty simultaneous orders for ten units: ten have one each, forty are told that there is none', async () => {
  await receive(app, {
    SCARCE: [
      ['2030-01-01', 4],
      ['2031-01-01', 6],
    ],
  });
  const numbers = Array.from({ length: 50 }, (_, index) => `OUT-SCARCE-${index}`);
  const answers = await Promise.all(numbers.map((number) => app.callWarehouse(path, orderBody(number, [['SCARCE', 1]]))));

  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertRefused(answer, { message: 'sku SCARCE available=0 < requested=1', paths: ['details[0].qty'] });
  }
  assert.deepEqual(await stockOf(app, 'SCARCE'), [goodRow('SCARCE', '2030-01-01', 4, 4), goodRow('SCARCE', '2031-01-01', 6, 6)]);
  for (const [index, { status }] of answers.entries()) assert.equal(await lockedBy(app, numbers[index]!), status === 200 ? 1 : 0);
});

test('thirty simultaneous orders that all ask for too much are all told the true quantity', async () => {
  await receive(app, { TRUE: [['2030-01-01', 3]] });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => app.callWarehouse(path, orderBody(`OUT-TRUE-${index}`, [['TRUE', 4 + index]]))),
  );
  for (const [index, answer] of answers.entries()) {
    assertRefused(answer, { message: `sku TRUE available=3 < requested=${4 + index}`, paths: ['details[0].qty'] });
  }
  assert.deepEqual(await stockOf(app, 'TRUE'), [goodRow('TRUE', '2030-01-01', 3)]);
});

test('a refused order does not take its neighbours with it, nor they it', async () => {
  await receive(app, { NEIGHBOUR: [['2030-01-01', 30]] });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const lines: Lines = index % 2 === 0 ? [['NEIGHBOUR', 1]] : [['NEIGHBOUR', 31]];
      return app.callWarehouse(path, orderBody(`OUT-NEIGHBOUR-${index}`, lines));
    }),
  );
  for (const [index, answer] of answers.entries()) {
    if (index % 2 === 0) dataOf(answer);
    else assert.match(answer.json.message, /^sku NEIGHBOUR available=([12]?\d|30) < requested=31$/);
  }
  assert.deepEqual(await stockOf(app, 'NEIGHBOUR'), [goodRow('NEIGHBOUR', '2030-01-01', 30, 30)]);
});

test('forty simultaneous orders of two skus in opposite orders are all accepted', async () => {
  await receive(app, { 'CROSS-1': [['2030-01-01', 40]], 'CROSS-2': [['2030-01-01', 40]] });
  const lines: Lines = [
    ['CROSS-1', 1],
    ['CROSS-2', 1],
  ];
  await Promise.all(Array.from({ length: 40 }, (_, index) => order(app, `OUT-CROSS-${index}`, index % 2 ? lines : lines.toReversed())));
  assert.deepEqual(await stockOf(app, ['CROSS-1', 'CROSS-2']), [
    goodRow('CROSS-1', '2030-01-01', 40, 40),
    goodRow('CROSS-2', '2030-01-01', 40, 40),
  ]);
});

const wrong: [string, object, string[]][] = [
  ...wrongIdentifiers.flatMap(([name, value]): [string, object, string[]][] => [
    [`outbound_short_id ${name}`, { outbound_short_id: value }, ['outbound_short_id']],
    [`warehouse_tpw_id ${name}`, { warehouse_tpw_id: value }, ['warehouse_tpw_id']],
    [`sku_id ${name}`, { details: [{ sku_id: value, qty: 1 }] }, ['details[0].sku_id']],
  ]),
  ...wrongQuantities.map(([name, value]): [string, object, string[]] => [
    `qty ${name}`,
    { details: [{ sku_id: 'TEA', qty: value }] },
    ['details[0].qty'],
  ]),
  ['qty missing', { details: [{ sku_id: 'TEA' }] }, ['details[0].qty']],
  ['qty null', { details: [{ sku_id: 'TEA', qty: null }] }, ['details[0].qty']],
  ['consignee_country missing', { consignee_country: undefined }, ['consignee_country']],
  ['consignee_country null', { consignee_country: null }, ['consignee_country']],
  ['consignee_country JP', { consignee_country: 'JP' }, ['consignee_country']],
  ['consignee_country in lower case', { consignee_country: 'tw' }, ['consignee_country']],
  ['logistics_type missing', { logistics_type: undefined }, ['logistics_type']],
  ['logistics_type null', { logistics_type: null }, ['logistics_type']],
  ['logistics_type a number', { logistics_type: 1 }, ['logistics_type']],
  ['express_type missing', { express_type: undefined }, ['express_type']],
  ['express_type null', { express_type: null }, ['express_type']],
  ['express_type a list', { express_type: ['tcat'] }, ['express_type']],
  ['details missing', { details: undefined }, ['details']],
  ['details null', { details: null }, ['details']],
  ['details empty', { details: [] }, ['details']],
  ['details no array', { details: { sku_id: 'TEA', qty: 1 } }, ['details']],
  ['details more than 500', { details: Array(501).fill({ sku_id: 'TEA', qty: 1 }) }, ['details']],
  ['a detail no object', { details: [{ sku_id: 'TEA', qty: 1 }, 'TEA'] }, ['details[1]']],
  ['consignee_name of 256 characters', { consignee_name: '王'.repeat(256) }, ['consignee_name']],
  ['consignee_phone of 51 characters', { consignee_phone: '0'.repeat(51) }, ['consignee_phone']],
  ['consignee_address of 501 characters', { consignee_address: '路'.repeat(501) }, ['consignee_address']],
  ['consignee_zip of 21 characters', { consignee_zip: '1'.repeat(21) }, ['consignee_zip']],
  ['consignee_zip a number', { consignee_zip: 110 }, ['consignee_zip']],
  ['consignee_name with a control character', { consignee_name: 'A\u001bB' }, ['consignee_name']],
  [
    'several mistakes at once, and those of the tenant, the sku and the stock not yet',
    {
      outbound_short_id: undefined,
      warehouse_tpw_id: 'NOWHERE',
      consignee_country: 'US',
      details: [
        { sku_id: 'UNKNOWN', qty: 0 },
        { sku_id: '', qty: 1.5 },
      ],
    },
    ['outbound_short_id', 'consignee_country', 'details[0].qty', 'details[1].sku_id', 'details[1].qty'],
  ],
];
for (const [name, change, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged(app, path, { ...orderBody('OUT-WRONG', [['TEA', 1]]), ...change }, { paths });
  });
}

test('500 details of 500 skus are accepted', async () => {
  const skus = Array.from({ length: 500 }, (_, index) => `MANY-${index}`);
  await app.store.database.transaction(
    (tx) => tx`
      insert into product (account_id, sku_id, name, storage_type)
      select account_id, sku_id, sku_id, 'ambient' from account, unnest(${skus}::text[]) as sku_id where account_no = 'ALPHA'`,
  );
  await createInbound(app, 'IN-MANY', Object.fromEntries(skus.map((sku) => [sku, [['2030-01-01', 2]]])));
  await order(
    app,
    'OUT-MANY',
    skus.map((sku) => [sku, 1]),
  );

  assert.deepEqual(
    await stockOf(app, skus),
    skus.map((sku) => goodRow(sku, '2030-01-01', 2, 1)),
  );
});

test('no stock is left for a sku that was never received, after all of this', async () => {
  assert.deepEqual(await stockOf(app, 'NOTHING'), [emptyRow('NOTHING')]);
});

test('balances are the sums of the movements, after all of this', async () => {
  await assertBalancesAreSums(app);
});
