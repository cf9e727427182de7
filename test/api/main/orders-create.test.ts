import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp, type TestAnswer } from '../../support/app.ts';
import { assertNotDone, dumpAll, lists, madeOnly, retvalOf, searchAll } from '../../support/main.ts';
import { startSecondNode } from '../../support/second-node.ts';
import {
  assertBalancesAreSums,
  cancelOrders,
  createInbound,
  dataOf,
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
const secondNode = await startSecondNode(app);
const path = '/orders/create';
const warehousePath = '/outbound/create';

const reader = { clientId: 'alpha-reader', checkValue: 'alpha-reader-check-value' };
const writer = { clientId: 'alpha-writer', checkValue: 'alpha-writer-check-value' };
const throughExpiry = { ...alpha, warehouseTpwId: 'TPW-FRESH' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  stores: [{ store_no: 20, name: 'Second' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [
        { warehouse_tpw_id: throughExpiry.warehouseTpwId, warehouse_no: 2, store_no: 20, sellable_days_before_expiry: 0 },
        { warehouse_tpw_id: 'TPW-DISABLED', warehouse_no: 1, store_no: 10, enabled: false },
      ],
    },
  ],
  clients: [
    {
      client_id: reader.clientId,
      check_value: reader.checkValue,
      account_no: alpha.accountNo,
      permissions: ['orders.read', 'stocks.read', 'inbounds.write', 'fulfilment.write'],
    },
    { client_id: writer.clientId, check_value: writer.checkValue, account_no: alpha.accountNo, permissions: ['orders.write'] },
  ],
});
await receive(app, { TEA: [['2030-01-01', 100_000]] });
await receive(app, { TEA: [['2030-01-01', 100_000]] }, beta);

const create = (body: unknown, as = alpha) => app.callMain(path, body, { as });

async function assertRefusedUnchanged(body: unknown, msg: string | RegExp, as = alpha): Promise<TestAnswer> {
  const before = await dumpAll(app);
  const answer = await create(body, as);
  const said = assertNotDone(answer, typeof msg === 'string' ? { msg } : {});
  if (typeof msg !== 'string') assert.match(said, msg);
  assert.deepEqual(await dumpAll(app), before);
  return answer;
}

test('a new order is answered with orders_id and idempotent:false, is of channel main, and waits for its transfer', async () => {
  const answer = await create(orderBody('OUT-NEW', [['TEA', 1]]));

  const retval = retvalOf(answer);
  assert.deepEqual(Object.keys(retval), ['orders_id', 'idempotent']);
  assert.match(retval.orders_id, /^ow_OUT-NEW_[0-9a-f]{10}$/);
  assert.equal(retval.idempotent, false);
  const row = await orderRow(app, 'OUT-NEW');
  assert.deepEqual(
    [row?.account_no, row?.channel, row?.order_no, row?.warehouse_no, row?.store_no, row?.status, row?.trace_id],
    ['ALPHA', 'main', retval.orders_id, 1, 10, 'pending_warehouse_transfer', answer.headers['trace-id']],
  );
});

test('a refusal is in the request log with its reason, so that the operator can tell why', async () => {
  const answer = await create(orderBody('OUT-REASON', [['TEA', 1_000_000]]));
  const msg = assertNotDone(answer);
  const line = await app.requestLine(String(answer.headers['trace-id']));
  assert.deepEqual([line?.status, line?.reason], [400, msg]);
});

test('the order is found in the list of orders at once, with all that was sent', async () => {
  const consignee = {
    consignee_name: '王小明',
    consignee_phone: '+886 912-345-678',
    consignee_address: '臺北市信義區市府路1號 📦',
    consignee_zip: '110',
  };
  const body = { ...orderBody('OUT-FOUND', [['TEA', 2]]), ...consignee, logistics_type: 'csvs', express_type: 'hilife' };
  const answer = await create(body);
  const { orders_id } = retvalOf(answer);

  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': 'OUT-FOUND' });
  const { created_at, updated_at: _, ...rest } = row!;
  assert.deepEqual(rest, {
    orders_id,
    outbound_short_id: 'OUT-FOUND',
    internal_name: null,
    name: null,
    status: 'pending_warehouse_transfer',
    channel: 'main',
    warehouse_no: 1,
    store_no: 10,
    shipment_no: null,
    carrier: null,
    logistics_type: 'csvs',
    express_type: 'hilife',
    consignee_country: 'TW',
    ...consignee,
    details: [{ sku_id: 'TEA', qty: 2, item: null }],
    shipping: null,
    timeline: madeOnly({ status: 'pending_warehouse_transfer', created_at }, 'ALPHA/alpha-erp', answer.headers['trace-id']),
  });
});

test('the earliest expiry is locked first, by the client of the account, under the trace id of the answer', async () => {
  await syncProducts(app, ['FEFO']);
  await createInbound(app, 'IN-FEFO', {
    FEFO: [
      ['2032-01-01', 5],
      ['2030-01-01', 2],
      ['2031-01-01', 3],
    ],
  });
  await putLot(app, { skuId: 'FEFO', expireDate: null, qty: 5 });
  await putLot(app, { skuId: 'FEFO', expireDate: '2029-01-01', qty: 5, stockType: 'bad' });
  const answer = await create(orderBody('OUT-FEFO', [['FEFO', 7]]));

  retvalOf(answer);
  const taken = (await movementsOf(app, 'OUT-FEFO')).map(({ kind, expire_date, locked_delta }) => [kind, expire_date, locked_delta]);
  assert.deepEqual(taken.sort(), [
    ['lock', '2030-01-01', 2],
    ['lock', '2031-01-01', 3],
    ['lock', '2032-01-01', 2],
  ]);
  const causes = await app.store.database.read(
    (sql) => sql`select distinct m.actor, m.trace_id from movement m join orders using (order_id) where partner_number = 'OUT-FEFO'`,
  );
  assert.deepEqual([...causes], [{ actor: 'ALPHA/alpha-erp', trace_id: answer.headers['trace-id'] }]);
});

test('the same number again is the original with idempotent:true, and nothing is rebuilt', async () => {
  const body = orderBody('OUT-TWICE', [['TEA', 5]]);
  const { orders_id } = retvalOf(await create(body));
  const before = await dumpAll(app);

  assert.deepEqual(retvalOf(await create(body)), { orders_id, idempotent: true });
  assert.deepEqual(retvalOf(await create({ ...body, details: [{ sku_id: 'TEA', qty: 6 }] })), {
    orders_id,
    idempotent: true,
    payload_differs: true,
  });
  assert.deepEqual(await dumpAll(app), before);
});

const otherBodies: [string, object][] = [
  ['another recipient', { consignee_name: '王小明' }],
  ['another tenant', { warehouse_tpw_id: throughExpiry.warehouseTpwId }],
  ['a tenant that is not known', { warehouse_tpw_id: 'NOWHERE' }],
  ['a sku that is not known', { details: [{ sku_id: 'UNKNOWN', qty: 5 }] }],
  ['a ship method that is not known', { logistics_type: 'locker' }],
  ['more than there is', { details: [{ sku_id: 'TEA', qty: 1_000_000_000 }] }],
];
for (const [name, change] of otherBodies) {
  test(`a repeat with ${name} is the original with payload_differs, and changes nothing`, async () => {
    const body = orderBody(`OUT-DIFFERS ${name}`, [['TEA', 5]]);
    const { orders_id } = retvalOf(await create(body));
    const before = await dumpAll(app);
    assert.deepEqual(retvalOf(await create({ ...body, ...change })), { orders_id, idempotent: true, payload_differs: true });
    assert.deepEqual(await dumpAll(app), before);
  });
}

test('a repeat by another client of the account is a repeat', async () => {
  const body = orderBody('OUT-COLLEAGUE', [['TEA', 1]]);
  const { orders_id } = retvalOf(await create(body));
  assert.deepEqual(retvalOf(await app.callMain(path, body, { as: writer })), { orders_id, idempotent: true });
});

test('a repeat after a cancel returns the original, and locks nothing again', async () => {
  await receive(app, { UNDONE: [['2030-01-01', 5]] });
  const body = orderBody('OUT-UNDONE', [['UNDONE', 5]]);
  const { orders_id } = retvalOf(await create(body));
  await cancelOrders(app, ['OUT-UNDONE']);

  assert.deepEqual(retvalOf(await create(body)), { orders_id, idempotent: true });
  assert.deepEqual(await stockOf(app, 'UNDONE'), [goodRow('UNDONE', '2030-01-01', 5)]);
  assert.equal((await orderRow(app, 'OUT-UNDONE'))?.status, 'cancelled');
});

test('a repeat finds its order when the stock has since gone, and after each later step of it', async () => {
  await receive(app, { GONE: [['2030-01-01', 1]] });
  const body = orderBody('OUT-GONE', [['GONE', 1]]);
  const { orders_id } = retvalOf(await create(body));
  for (const status of ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered']) {
    await moveOrder(app, 'OUT-GONE', status);
    assert.deepEqual(retvalOf(await create(body)), { orders_id, idempotent: true });
  }
});

test('a number that came through the warehouse API is a repeat here, and the other way round: one order either way', async () => {
  const there = orderBody('OUT-THERE', [['TEA', 3]]);
  const { orders_id: idThere } = dataOf(await app.callWarehouse(warehousePath, there));
  const here = orderBody('OUT-HERE', [['TEA', 4]]);
  const { orders_id: idHere } = retvalOf(await create(here));
  const before = await dumpAll(app);

  assert.deepEqual(retvalOf(await create(there)), { orders_id: idThere, idempotent: true });
  assert.deepEqual(dataOf(await app.callWarehouse(warehousePath, here)), { success: true, orders_id: idHere, idempotent: true });
  assert.deepEqual(await dumpAll(app), before);
  assert.deepEqual([(await orderRow(app, 'OUT-THERE'))?.channel, (await orderRow(app, 'OUT-HERE'))?.channel], ['warehouse', 'main']);
  assert.deepEqual([await lockedBy(app, 'OUT-THERE'), await lockedBy(app, 'OUT-HERE')], [3, 4]);
});

test("a number of another account is in use, and nothing of that account's order is shown", async () => {
  const body = orderBody('OUT-THEIRS', [['TEA', 5]], beta);
  const { orders_id } = retvalOf(await create(body, beta));
  await order(app, 'OUT-THEIRS-TOO', [['TEA', 5]], beta);
  for (const number of ['OUT-THEIRS', 'OUT-THEIRS-TOO']) {
    for (const change of [{}, { warehouse_tpw_id: alpha.warehouseTpwId }, { details: [{ sku_id: 'NONE', qty: 1 }] }]) {
      const { text } = await assertRefusedUnchanged({ ...body, ...change, outbound_short_id: number }, 'outbound_short_id already in use');
      assert.ok(!text.includes(orders_id));
    }
  }
});

const refusals: [string, object, string][] = [
  ['a tenant that does not exist', { warehouse_tpw_id: 'NOWHERE' }, 'unknown tenant'],
  ['a tenant in another case', { warehouse_tpw_id: 'tpw-a' }, 'unknown tenant'],
  ["another account's tenant", { warehouse_tpw_id: beta.warehouseTpwId }, 'unknown tenant'],
  ['a disabled tenant', { warehouse_tpw_id: 'TPW-DISABLED' }, 'unknown tenant'],
  [
    'a sku that was not synced',
    {
      details: [
        { sku_id: 'TEA', qty: 1 },
        { sku_id: 'NO-1', qty: 1 },
      ],
    },
    'sku_id not found',
  ],
  ['a ship method of the other type', { logistics_type: 'home', express_type: 'family' }, 'unknown ship_method mapping'],
  ['a ship method in capitals', { express_type: 'TCAT' }, 'unknown ship_method mapping'],
  ['a ship method that JavaScript knows', { logistics_type: 'toString', express_type: 'length' }, 'unknown ship_method mapping'],
  ['another country', { consignee_country: 'JP' }, 'consignee_country must be one of TW'],
  ['no details', { details: [] }, 'details must not have fewer than 1 items'],
];
for (const [name, change, msg] of refusals) {
  test(`refused with 400, "${msg}", and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged({ ...orderBody('OUT-REFUSED', [['TEA', 1]]), ...change }, msg);
  });
}

test('short stock is told to the letter: the sum of all details with that sku, and what is sellable to this tenant', async () => {
  await receive(app, { SHORT: [['2030-01-01', 10]], OTHER: [['2030-01-01', 10]] });
  await order(app, 'OUT-SHORT-LOCKED', [['SHORT', 3]]);
  const lines: Lines = [
    ['SHORT', 4],
    ['OTHER', 1],
    ['SHORT', 4],
  ];
  await assertRefusedUnchanged(orderBody('OUT-SHORT', lines), 'sku SHORT available=7 < requested=8');
  await assertRefusedUnchanged(orderBody('OUT-SHORT', [['SHORT', 1]], throughExpiry), 'sku SHORT available=0 < requested=1');
  lines[2] = ['SHORT', 3];
  assert.equal(retvalOf(await create(orderBody('OUT-SHORT', lines))).idempotent, false);
});

test('with several skus short the message names the first', async () => {
  await receive(app, { 'FEW-1': [['2030-01-01', 1]], 'FEW-2': [['2030-01-01', 2]] });
  const lines: Lines = [
    ['FEW-2', 3],
    ['FEW-1', 4],
  ];
  await assertRefusedUnchanged(orderBody('OUT-FEW', lines), 'sku FEW-2 available=2 < requested=3');
});

test('what may no longer be sold today is not available to this tenant', async () => {
  await receive(app, { DAY: [['2030-05-10', 5]] }, throughExpiry);
  try {
    app.clock.set(new Date('2030-05-10T15:59:59.999Z'));
    retvalOf(await create(orderBody('OUT-DAY-1', [['DAY', 1]], throughExpiry)));
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    await assertRefusedUnchanged(orderBody('OUT-DAY-2', [['DAY', 1]], throughExpiry), 'sku DAY available=0 < requested=1');
  } finally {
    app.clock.set(null);
  }
});

test('checks come in their order: fields, then number, tenant, sku, ship method, stock', async () => {
  await order(app, 'OUT-ORDER-THEIRS', [['TEA', 1]], beta);
  await receive(app, { ORDERED: [['2030-01-01', 2]] });
  const body = {
    ...orderBody('OUT-ORDER-THEIRS', [
      ['ORDERED', 3],
      ['UNKNOWN', 1],
    ]),
    warehouse_tpw_id: 'NOWHERE',
    logistics_type: 'locker',
    consignee_country: 'JP',
  };
  const steps: [object, string][] = [
    [{}, 'consignee_country must be one of TW'],
    [{ consignee_country: 'TW' }, 'outbound_short_id already in use'],
    [{ outbound_short_id: 'OUT-ORDER-OURS' }, 'unknown tenant'],
    [{ warehouse_tpw_id: alpha.warehouseTpwId }, 'sku_id not found'],
    [{ details: [{ sku_id: 'ORDERED', qty: 3 }] }, 'unknown ship_method mapping'],
    [{ logistics_type: 'home' }, 'sku ORDERED available=2 < requested=3'],
  ];
  for (const [mended, msg] of steps) {
    Object.assign(body, mended);
    await assertRefusedUnchanged(body, msg);
  }
  retvalOf(await create({ ...body, details: [{ sku_id: 'ORDERED', qty: 2 }] }));
});

const wrongFields: [string, object, RegExp][] = [
  ...wrongIdentifiers.map(([name, value]): [string, object, RegExp] => [
    `outbound_short_id ${name}`,
    { outbound_short_id: value },
    /outbound_short_id/,
  ]),
  ...wrongIdentifiers.map(([name, value]): [string, object, RegExp] => [
    `sku_id ${name}`,
    { details: [{ sku_id: value, qty: 1 }] },
    /details\[0\]\.sku_id/,
  ]),
  ...wrongQuantities.map(([name, qty]): [string, object, RegExp] => [
    `qty ${name}`,
    { details: [{ sku_id: 'TEA', qty }] },
    /details\[0\]\.qty/,
  ]),
  ['warehouse_tpw_id missing', { warehouse_tpw_id: undefined }, /warehouse_tpw_id is missing/],
  ['logistics_type null', { logistics_type: null }, /logistics_type/],
  ['express_type a list', { express_type: ['tcat'] }, /express_type/],
  ['details no array', { details: { sku_id: 'TEA', qty: 1 } }, /details/],
  ['details more than 500', { details: Array(501).fill({ sku_id: 'TEA', qty: 1 }) }, /details/],
  ['consignee_name of 256 characters', { consignee_name: '王'.repeat(256) }, /consignee_name/],
  [
    'two mistakes, both named',
    { consignee_country: 'US', details: [{ sku_id: 'TEA', qty: 0 }] },
    /consignee_country.*details\[0\]\.qty|details\[0\]\.qty.*consignee_country/,
  ],
];
for (const [name, change, msg] of wrongFields) {
  test(`refused with 400, the field named, and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged({ ...orderBody('OUT-WRONG', [['TEA', 1]]), ...change }, msg);
  });
}

test('a number that was refused is still free', async () => {
  await syncProducts(app, ['SOON']);
  await assertRefusedUnchanged(orderBody('OUT-SOON', [['SOON', 1]]), 'sku SOON available=0 < requested=1');
  await createInbound(app, 'IN-SOON', { SOON: [['2030-01-01', 1]] });
  assert.equal(retvalOf(await create(orderBody('OUT-SOON', [['SOON', 1]]))).idempotent, false);
});

test('without orders.write it is 403, the permission is named, and nothing changes; with it alone it is done', async () => {
  const body = orderBody('OUT-PERMISSION', [['TEA', 1]]);
  const before = await dumpAll(app);
  for (const sent of [body, {}, 'no JSON']) {
    const answer = await app.callMain(path, sent, { as: reader });
    assertNotDone(answer, { status: 403, msg: 'this client lacks the permission orders.write' });
  }
  assert.deepEqual(await dumpAll(app), before);
  assert.equal(retvalOf(await app.callMain(path, body, { as: writer })).idempotent, false);
});

test('the account follows from the token, whatever the body says', async () => {
  retvalOf(await create({ ...orderBody('OUT-TOKEN', [['TEA', 1]]), account_no: beta.accountNo, warehouse_no: 2, store_no: 20 }));
  const row = await orderRow(app, 'OUT-TOKEN');
  assert.deepEqual([row?.account_no, row?.warehouse_no, row?.store_no], ['ALPHA', 1, 10]);
});

test('the number of a call is in the request log, accepted or refused', async () => {
  const accepted = await create(orderBody('OUT-LOGGED', [['TEA', 1]]));
  const refused = await create(orderBody('OUT-LOGGED-2', [['NONE', 1]]));
  const lines = [await app.requestLine(String(accepted.headers['trace-id'])), await app.requestLine(String(refused.headers['trace-id']))];
  assert.deepEqual(
    lines.map((line) => [line?.account_no, line?.document_no, line?.status]),
    [
      ['ALPHA', 'OUT-LOGGED', 200],
      ['ALPHA', 'OUT-LOGGED-2', 400],
    ],
  );
});

for (const [title, nodes] of [
  ['one node', [app]],
  ['two nodes', [app, secondNode]],
] as const) {
  test(`fifty equal creates at once on ${title}, half through each API: exactly one order, which all others are told of`, async () => {
    const sku = `RACE-${nodes.length}`;
    for (let round = 1; round <= 4; round++) {
      // The second one would find an empty shelf, and is a repeat all the same.
      await receive(app, { [sku]: [['2030-01-01', 3]] });
      const number = `OUT-${sku}-${round}`;
      const body = orderBody(number, [[sku, 3]]);
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const node = nodes[(index >> 1) % nodes.length]!;
          if (index % 2 === 0) return retvalOf<{ orders_id: string; idempotent: boolean }>(await node.callMain(path, body));
          const { success, ...data } = dataOf(await node.callWarehouse(warehousePath, body));
          assert.equal(success, true);
          return data;
        }),
      );

      const orderNo = (await orderRow(app, number))?.order_no;
      assert.equal(answers.filter(({ idempotent }) => !idempotent).length, 1);
      for (const answer of answers) assert.deepEqual(answer, { orders_id: orderNo, idempotent: answer.idempotent });
      assert.equal((await searchAll(app, lists.orders, { 'orders.outbound_short_id': number })).length, 1);
      assert.equal(await lockedBy(app, number), 3);
    }
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, '2030-01-01', 12, 12)]);
  });
}

test('balances are the sums of the movements, after all of this', () => assertBalancesAreSums(app));
