import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { errorItem, pathsOf, payloadDiffers } from '../../support/errors.ts';
import {
  assertBalancesAreSums,
  assertRefusedUnchanged,
  cancelOrders,
  createInbound,
  dataOf,
  dump,
  goodRow,
  inboundBody,
  type Lines,
  movementsOf,
  moveOrder,
  order,
  orderBody,
  orderRow,
  putLot,
  receive,
  stockOf,
  syncProducts,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const createPath = '/outbound/create';
const cancelPath = '/outbound/cancel';

const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
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
  ],
});
await receive(app, { TEA: [['2030-01-01', 100_000]] });
await receive(app, { TEA: [['2030-01-01', 100_000]] }, beta);

async function linesOf(number: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select sku_id, qty from order_line join orders using (account_id, order_id) join product using (account_id, product_id)
      where partner_number = ${number} order by line_no`,
  );
  return rows.map(({ sku_id, qty }) => [sku_id, qty]);
}

/** The request and whether somebody is named, of the movements of an order. */
async function causesOf(number: string, kind: 'lock' | 'unlock') {
  const rows = await app.store.database.read(
    (sql) => sql`
      select distinct m.trace_id, m.actor <> '' as has_actor from movement m join orders using (account_id, order_id)
      where partner_number = ${number} and m.kind = ${kind}`,
  );
  return [...rows];
}

async function logged(traceId: string) {
  const line = await app.requestLine(traceId);
  return [line?.document_no, line?.account_no, line?.status, line?.code];
}

test('a new order is answered with an orders_id that carries its number, kept as it was sent, and waits for its transfer', async () => {
  await receive(app, { 'KEPT-1': [['2030-01-01', 9]], 'KEPT-2': [['2030-01-01', 9]] });
  const lines: Lines = [
    ['KEPT-2', 4],
    ['KEPT-1', 3],
  ];
  const sent = {
    consignee_country: 'TW',
    logistics_type: 'csvs',
    express_type: 'family',
    consignee_name: '王小明',
    consignee_phone: '+886 912-345-678',
    consignee_zip: '110',
    consignee_address: '臺北市信義區市府路1號 📦',
  };
  // These fields are unknown: the account follows from the header, the place from the tenant.
  const unknown = { account_no: beta.accountNo, warehouse_no: 2, store_no: 20 };
  const answer = await app.callWarehouse(createPath, { ...orderBody('OUT-NEW', lines), ...sent, ...unknown });

  const { orders_id, warnings, ...data } = dataOf(answer);
  assert.deepEqual(pathsOf(warnings), Object.keys(unknown));
  assert.match(orders_id, /^ow_OUT-NEW_[0-9a-z]+$/);
  assert.deepEqual(data, { success: true, idempotent: false });
  const { account_no, channel, order_no, warehouse_no, store_no, status, trace_id, ...row } = (await orderRow(
    app,
    'OUT-NEW',
  ))!;
  assert.deepEqual(
    [account_no, channel, order_no, warehouse_no, store_no, status, trace_id],
    ['ALPHA', 'warehouse', orders_id, 1, 10, 'pending_warehouse_transfer', answer.json.trace_id],
  );
  assert.deepEqual(Object.fromEntries(Object.keys(sent).map((field) => [field, row[field]])), sent);
  assert.deepEqual(await linesOf('OUT-NEW'), lines);
  assert.deepEqual(await logged(answer.json.trace_id), ['OUT-NEW', 'ALPHA', 200, 'LST-TPW-2000']);
});

test('units are locked, not taken, to the last one; units that other orders have locked are not available', async () => {
  await receive(app, { LAST: [['2030-01-01', 10]] });
  await order(app, 'OUT-LAST-1', [['LAST', 7]]);
  assert.deepEqual(await stockOf(app, 'LAST'), [goodRow('LAST', '2030-01-01', 10, 7)]);
  await assertRefusedUnchanged(app, createPath, orderBody('OUT-LAST-2', [['LAST', 4]]), {
    message: 'sku LAST available=3 < requested=4',
  });
  await order(app, 'OUT-LAST-2', [['LAST', 3]]);
  assert.deepEqual(await stockOf(app, 'LAST'), [goodRow('LAST', '2030-01-01', 10, 10)]);
});

test('the earliest expiry goes first, then the oldest lot, and units without expiry go last: one movement per lot', async () => {
  await syncProducts(app, ['FEFO']);
  const put = (batchId: string, expireDate: string | null, qty: number) =>
    putLot(app, { skuId: 'FEFO', batchId, expireDate, qty });
  await put('', null, 5);
  await put('', '9999-12-31', 3);
  await put('Z', '2030-01-01', 2);
  await put('A', '2030-01-01', 2);
  const answer = await app.callWarehouse(createPath, orderBody('OUT-FEFO', [['FEFO', 3]]));
  dataOf(answer);
  await order(app, 'OUT-FEFO-2', [['FEFO', 5]]);

  const lock = { kind: 'lock', sku_id: 'FEFO', on_hand_delta: 0 };
  const byBatch = (a: { batch_id: string }, b: { batch_id: string }) => b.batch_id.localeCompare(a.batch_id);
  assert.deepEqual((await movementsOf(app, 'OUT-FEFO')).toSorted(byBatch), [
    { ...lock, batch_id: 'Z', expire_date: '2030-01-01', locked_delta: 2 },
    { ...lock, batch_id: 'A', expire_date: '2030-01-01', locked_delta: 1 },
  ]);
  assert.deepEqual(await stockOf(app, 'FEFO'), [
    { ...goodRow('FEFO', '2030-01-01', 2, 2), batch_id: 'A' },
    { ...goodRow('FEFO', '2030-01-01', 2, 2), batch_id: 'Z' },
    goodRow('FEFO', '9999-12-31', 3, 3),
    goodRow('FEFO', null, 5, 1),
  ]);
  assert.deepEqual(await causesOf('OUT-FEFO', 'lock'), [{ trace_id: answer.json.trace_id, has_actor: true }]);
});

test('only good stock of the own account in the warehouse of the tenant is sold', async () => {
  await receive(app, { LOCAL: [['2031-01-01', 2]] });
  await receive(app, { LOCAL: [['2030-01-01', 5]] }, beta);
  await putLot(app, { skuId: 'LOCAL', expireDate: '2030-01-01', qty: 50, stockType: 'bad' });
  const body = (qty: number, tenant = alpha) => orderBody('OUT-LOCAL', [['LOCAL', qty]], tenant);
  const short = (available: number, requested: number) => ({
    message: `sku LOCAL available=${available} < requested=${requested}`,
    paths: ['details[0].qty'],
  });
  await assertRefusedUnchanged(app, createPath, body(3), short(2, 3));
  await assertRefusedUnchanged(app, createPath, body(1, secondTenant), short(0, 1));
  await createInbound(app, 'IN-LOCAL', { LOCAL: [['2032-01-01', 5]] }, secondTenant);
  assert.equal((await order(app, 'OUT-LOCAL', [['LOCAL', 1]], secondTenant)).idempotent, false);

  const [{ expire_date } = {}, ...others] = await movementsOf(app, 'OUT-LOCAL');
  assert.deepEqual([expire_date, others], ['2032-01-01', []]);
  const row = await orderRow(app, 'OUT-LOCAL');
  assert.deepEqual([row?.warehouse_no, row?.store_no], [2, 20]);
});

test('details of one sku are one demand; the message names the first sku that is short, the errors name all, and nothing is locked', async () => {
  await receive(app, { 'SHORT-1': [['2030-01-01', 1]], 'SHORT-2': [['2030-01-01', 2]], ENOUGH: [['2030-01-01', 3]] });
  const lines: Lines = [
    ['ENOUGH', 3],
    ['SHORT-2', 2],
    ['SHORT-1', 4],
    ['SHORT-2', 3],
  ];
  const first = 'sku SHORT-2 available=2 < requested=5';
  const { json } = await assertRefusedUnchanged(app, createPath, orderBody('OUT-SHORT', lines), { message: first });
  assert.deepEqual(json.data.errors, [
    errorItem('insufficient_stock', 'details[1].qty', first),
    errorItem('insufficient_stock', 'details[2].qty', 'sku SHORT-1 available=1 < requested=4'),
  ]);
});

const expressTypes = { home: ['tcat', 'hct', 'post'], csvs: ['pcsc', 'family', 'hilife'] };

test('each ship method of the contract is accepted and kept', async () => {
  for (const [logistics_type, ofType] of Object.entries(expressTypes))
    for (const express_type of ofType) {
      const number = `OUT-${logistics_type}-${express_type}`;
      dataOf(await app.callWarehouse(createPath, { ...orderBody(number, [['TEA', 1]]), logistics_type, express_type }));
      const row = await orderRow(app, number);
      assert.deepEqual([row?.logistics_type, row?.express_type], [logistics_type, express_type]);
    }
});

test('an unknown ship method is refused, and the field that is wrong is named', async () => {
  const both = ['logistics_type', 'express_type'];
  for (const [logistics_type, express_type, paths] of [
    ['home', 'pcsc', ['express_type']],
    ['home', 'TCAT', ['express_type']],
    ['csvs', 'tcat', ['express_type']],
    ['locker', 'tcat', ['logistics_type']],
    ['', '', both],
    ['__proto__', 'toString', both],
  ] as [string, string, string[]][]) {
    const body = { ...orderBody('OUT-NO-METHOD', [['TEA', 1]]), logistics_type, express_type };
    await assertRefusedUnchanged(app, createPath, body, { message: 'unknown ship_method mapping', paths });
  }
});

test('a tenant that is unknown, disabled or of another account is refused by every endpoint, before the skus are looked up', async () => {
  const inbound = inboundBody('NO-TENANT', { UNKNOWN: [['2030-01-01', 1]] });
  const bodies: [path: string, body: object][] = [
    [createPath, orderBody('NO-TENANT', [['UNKNOWN', 1]])],
    ['/inbound/create', inbound],
    ['/inbound/return', { ...inbound, outbound_short_id: 'NONE' }],
    ['/stock/query', { sku_ids: ['TEA', 'UNKNOWN'] }],
  ];
  for (const [path, body] of bodies)
    for (const warehouse_tpw_id of ['NOWHERE', 'tpw-a', beta.warehouseTpwId, 'TPW-DISABLED']) {
      const refusal = { message: 'unknown tenant', paths: ['warehouse_tpw_id'] };
      await assertRefusedUnchanged(app, path, { ...body, warehouse_tpw_id }, refusal);
    }
});

test('a new tenant, product or unit is known in the first call after it was created, and refused numbers are still free', async () => {
  const made = { ...alpha, warehouseTpwId: 'TPW-MADE' };
  const body = orderBody('OUT-MADE', [['MADE', 1]], made);
  await assertRefusedUnchanged(app, createPath, body, { message: 'unknown tenant' });
  const tenants = [{ warehouse_tpw_id: made.warehouseTpwId, warehouse_no: 1, store_no: 20 }];
  await app.provision({ accounts: [{ account_no: alpha.accountNo, tenants }] });
  await assertRefusedUnchanged(app, createPath, body, { message: 'sku_id not found' });
  await syncProducts(app, ['MADE']);
  await assertRefusedUnchanged(app, createPath, body, { message: 'sku MADE available=0 < requested=1' });
  await receive(app, { MADE: [['2030-01-01', 1]] }, made);
  assert.equal(dataOf(await app.callWarehouse(createPath, body)).idempotent, false);
  assert.equal((await orderRow(app, 'OUT-MADE'))?.store_no, 20);
});

test('every detail whose product this account has not synced is named, and nothing is locked', async () => {
  await syncProducts(app, ['BETA-ONLY'], beta);
  const skus = ['NO-1', 'TEA', 'BETA-ONLY', 'tea', 'NO-1'];
  const body = orderBody(
    'OUT-NO-SKU',
    skus.map((sku) => [sku, 1]),
  );
  const paths = [0, 2, 3, 4].map((index) => `details[${index}].sku_id`);
  const { json } = await assertRefusedUnchanged(app, createPath, body, { message: 'sku_id not found', paths });
  assert.deepEqual(await logged(json.trace_id), ['OUT-NO-SKU', 'ALPHA', 400, 'PARAM_INVALID']);
});

test('the same number again is 200 with the original orders_id and idempotent:true, also if the body is written otherwise', async () => {
  const body = orderBody('OUT-TWICE', [['TEA', 5]]);
  const { orders_id } = dataOf(await app.callWarehouse(createPath, body));
  const before = await dump(app);
  const rewritten =
    '{ "express_type":"tcat", "logistics_type" : "home", "details": [ {"qty": 5.0,\n"sku_id": "T\\u0045A"} ],' +
    ' "consignee_country":"TW", "warehouse_tpw_id":"TPW-A", "outbound_short_id":"OUT-TWICE" }';
  for (const repeat of [body, rewritten])
    assert.deepEqual(dataOf(await app.callWarehouse(createPath, repeat)), {
      success: true,
      orders_id,
      idempotent: true,
    });
  assert.deepEqual(await dump(app), before);
});

const otherBodies: [string, object][] = [
  ['another qty', { details: [{ sku_id: 'TEA', qty: 6 }] }],
  ['another recipient', { consignee_name: '王小明' }],
  ['another ship method', { express_type: 'post' }],
  ['another tenant', { warehouse_tpw_id: secondTenant.warehouseTpwId }],
  ['an unknown tenant', { warehouse_tpw_id: 'NOWHERE' }],
  ['an unknown sku', { details: [{ sku_id: 'UNKNOWN', qty: 5 }] }],
  ['an unknown ship method', { logistics_type: 'locker' }],
  ['more than there is', { details: [{ sku_id: 'TEA', qty: 1_000_000_000 }] }],
];
test('a repeat with another valid body returns the original with payload_differs, and changes nothing', async () => {
  const body = orderBody('OUT-DIFFERS', [['TEA', 5]]);
  const { orders_id } = dataOf(await app.callWarehouse(createPath, body));
  const before = await dump(app);
  for (const [name, change] of otherBodies) {
    const data = dataOf(await app.callWarehouse(createPath, { ...body, ...change }));
    assert.deepEqual(data, { success: true, orders_id, idempotent: true, ...payloadDiffers }, name);
  }
  await assertRefusedUnchanged(app, createPath, { ...body, consignee_country: 'JP' }, { paths: ['consignee_country'] });
  assert.deepEqual(await dump(app), before);
});

test('a repeat finds its order in every later state, and locks nothing again after a cancel', async () => {
  await receive(app, { GONE: [['2030-01-01', 1]] });
  const repeatOf = async (number: string) => await order(app, number, [['GONE', 1]]);
  const { orders_id } = await repeatOf('OUT-UNDONE');
  await cancelOrders(app, ['OUT-UNDONE']);
  assert.deepEqual(await repeatOf('OUT-UNDONE'), { success: true, orders_id, idempotent: true });
  assert.deepEqual(await stockOf(app, 'GONE'), [goodRow('GONE', '2030-01-01', 1)]);
  assert.equal((await orderRow(app, 'OUT-UNDONE'))?.status, 'cancelled');

  const later = await repeatOf('OUT-GONE');
  for (const status of ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered']) {
    await moveOrder(app, 'OUT-GONE', status);
    assert.deepEqual(await repeatOf('OUT-GONE'), { success: true, orders_id: later.orders_id, idempotent: true });
  }
});

test('two accounts use one number side by side, each with its own order, repeats and cancel', async () => {
  await receive(app, { TEA: [['2030-01-01', 2]] }, beta);
  const first = await order(app, 'OUT-SHARED', [['TEA', 5]]);
  const second = await order(app, 'OUT-SHARED', [['TEA', 2]], beta);
  assert.deepEqual([first.idempotent, second.idempotent], [false, false]);
  assert.notEqual(first.orders_id, second.orders_id);

  assert.deepEqual(await order(app, 'OUT-SHARED', [['TEA', 5]]), { ...first, idempotent: true });
  assert.deepEqual(await order(app, 'OUT-SHARED', [['TEA', 2]], beta), { ...second, idempotent: true });
  assert.deepEqual(await cancelOrders(app, ['OUT-SHARED'], beta), [
    { outbound_short_id: 'OUT-SHARED', status: 'cancelled' },
  ]);
  assert.deepEqual(await statusesOf('OUT-SHARED'), ['pending_warehouse_transfer', 'cancelled']);
});

/** Of all accounts, in the order in which the orders were created. */
async function statusesOf(number: string): Promise<string[]> {
  const rows = await app.store.database.read(
    (sql) => sql<{ status: string }[]>`select status from orders where partner_number = ${number} order by order_id`,
  );
  return rows.map((row) => row.status);
}

test('numbers are compared exactly, are not those of inbound documents, and the orders_id carries them whole', async () => {
  await createInbound(app, 'out-exact', { TEA: [['2030-01-01', 1]] });
  const numbers = ['out-exact', 'OUT-exact', 'caf\u00e9', 'cafe\u0301', '號', '号', '1', '01'];
  numbers.push('號'.repeat(125), '📦'.repeat(125), `"\\'%_{}<&> ${'x'.repeat(114)}`);
  for (const number of numbers) {
    const { orders_id, idempotent } = await order(app, number, [['TEA', 1]]);
    assert.equal(idempotent, false);
    assert.ok(orders_id.startsWith(`ow_${number}_`));
    assert.match(orders_id.slice(`ow_${number}_`.length), /^[0-9a-z]+$/);
  }
});

test('recipient data is in no log line and no refusal', async () => {
  const consignee = { consignee_name: 'PERSONAL-N', consignee_phone: 'PERSONAL-P', consignee_address: 'PERSONAL-A' };
  const bodies = [
    orderBody('OUT-PERSONAL', [['TEA', 1]]),
    orderBody('OUT-PERSONAL', [['TEA', 2]]),
    orderBody('OUT-PERSONAL-2', [['NONE', 1]]),
    { ...orderBody('OUT-PERSONAL-3', []), consignee_zip: 'PERSONAL-Z'.repeat(9) },
  ];
  for (const body of bodies) {
    const { text } = await app.callWarehouse(createPath, { ...body, ...consignee });
    assert.ok(!/PERSONAL-[NPAZ]/.test(text), text);
  }
  assert.deepEqual(
    app.logLines.filter((line) => /PERSONAL-[NPAZ]/.test(line)),
    [],
  );
});

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

// Cancels.

const cancelled = (number: string) => ({ outbound_short_id: number, status: 'cancelled' });
const notFound = (number: string) => ({ outbound_short_id: number, status: 'not_found' });

test('a cancelled order releases each unit to its lot, by movements of its own, for others to order; a second cancel releases nothing', async () => {
  await receive(app, {
    BACK: [
      ['2030-01-01', 2],
      ['2031-01-01', 8],
    ],
  });
  await order(app, 'OUT-BACK', [['BACK', 5]]);
  await order(app, 'OUT-STAYS', [['BACK', 5]]);
  const locked = await movementsOf(app, 'OUT-BACK');
  const answer = await app.callWarehouse(cancelPath, { outbound_short_ids: ['OUT-BACK'] });

  assert.deepEqual(dataOf(answer), { results: [cancelled('OUT-BACK')] });
  assert.equal((await orderRow(app, 'OUT-BACK'))?.status, 'cancelled');
  const stock = [goodRow('BACK', '2030-01-01', 2), goodRow('BACK', '2031-01-01', 8, 5)];
  assert.deepEqual(await stockOf(app, 'BACK'), stock);
  const movements = await movementsOf(app, 'OUT-BACK');
  assert.deepEqual(movements.slice(0, locked.length), locked);
  const unlocked = { kind: 'unlock', sku_id: 'BACK', batch_id: '', on_hand_delta: 0 };
  assert.deepEqual(
    movements.slice(locked.length).toSorted((a, b) => a.expire_date!.localeCompare(b.expire_date!)),
    [
      { ...unlocked, expire_date: '2030-01-01', locked_delta: -2 },
      { ...unlocked, expire_date: '2031-01-01', locked_delta: -3 },
    ],
  );
  assert.deepEqual(await causesOf('OUT-BACK', 'unlock'), [{ trace_id: answer.json.trace_id, has_actor: true }]);
  const before = await dump(app);
  assert.deepEqual(await cancelOrders(app, ['OUT-BACK']), [cancelled('OUT-BACK')]);
  assert.deepEqual(await dump(app), before);
  await order(app, 'OUT-BACK-2', [['BACK', 5]]);
});

test('100 entries are accepted; numbers are compared exactly, and an orders_id, inbound numbers and numbers of another account are not found', async () => {
  await createInbound(app, 'IN-DOCUMENT', { TEA: [['2030-01-01', 1]] });
  const { orders_id } = await order(app, 'OUT-as-sent', [['TEA', 1]]);
  await order(app, 'OUT-BETA', [['TEA', 1]], beta);
  await order(app, 'OUT-BETA-PICKED', [['TEA', 1]], beta);
  await moveOrder(app, 'OUT-BETA-PICKED', 'picking');
  const others = ['out-as-sent', 'OUT-AS-SENT', 'IN-DOCUMENT', orders_id, 'OUT-BETA', 'OUT-BETA-PICKED'];
  const numbers = [...others, ...Array.from({ length: 94 }, (_, index) => `NOBODY-${index}`)];
  const before = await dump(app);
  const answer = await app.callWarehouse(cancelPath, { outbound_short_ids: numbers, account_no: beta.accountNo });

  assert.deepEqual(dataOf(answer).results, numbers.map(notFound));
  assert.deepEqual(await dump(app), before);
});

test('balances are the sums of the movements, after all of this', () => assertBalancesAreSums(app));
