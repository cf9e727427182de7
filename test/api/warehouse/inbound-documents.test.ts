import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { duplicateItem, errorItem, pathsOf, payloadDiffers } from '../../support/errors.ts';
import { lists, madeOnly, type Row, searchAll } from '../../support/main.ts';
import {
  assertBalancesAreSums,
  assertRefusedUnchanged,
  cancelInbounds,
  cancelOrders,
  createInbound,
  dataOf,
  dump,
  emptyRow,
  goodRow,
  inboundBody,
  inboundRow,
  movementsOf,
  order,
  receive,
  stockOf,
  syncProducts,
  type Units,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const createPath = '/inbound/create';
const returnPath = '/inbound/return';

const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
const throughExpiry = { ...alpha, warehouseTpwId: 'TPW-EXPIRY' };
const confirming = { ...alpha, warehouseTpwId: 'TPW-CONFIRM' };
const production = {
  accountNo: 'LIVE',
  secret: 'live-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-LIVE',
};
const place = { warehouse_no: 1, store_no: 10 };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  stores: [{ store_no: 20, name: 'Second' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [
        { warehouse_tpw_id: secondTenant.warehouseTpwId, warehouse_no: 2, store_no: 20 },
        { warehouse_tpw_id: throughExpiry.warehouseTpwId, ...place, sellable_days_before_expiry: 0 },
        { warehouse_tpw_id: confirming.warehouseTpwId, warehouse_no: 2, store_no: 10, receiving: 'on_confirm' },
        { warehouse_tpw_id: 'TPW-DISABLED', ...place, enabled: false },
      ],
    },
    {
      account_no: production.accountNo,
      environment: 'production',
      secret: production.secret,
      tenants: [{ warehouse_tpw_id: production.warehouseTpwId, ...place }],
    },
  ],
});
await syncProducts(app, ['RICE']);
await receive(app, { TEA: [['2030-01-01', 1000]] });
await receive(app, { TEA: [['2030-01-01', 1000]] }, beta);
await order(app, 'OUT-BACK', [['TEA', 3]]);

const cancelled = (number: string) => ({ stock_in_sn: number, status: 'cancelled' });
const notFound = (number: string) => ({ stock_in_sn: number, status: 'not_found' });
const tooLate = (number: string) => ({ stock_in_sn: number, status: 'cannot_cancel_after_receiving' });

type Stock = Record<string, Units>;
type Tenanted = Pick<typeof alpha, 'warehouseTpwId'>;

const one = (sku: string, qty = 1): Stock => ({ [sku]: [['2030-01-01', qty]] });

function returnBody(number: string, orderNumber: string, stock: Stock, caller: Tenanted = alpha) {
  return { ...inboundBody(number, stock, caller), outbound_short_id: orderNumber };
}

async function createReturn(number: string, orderNumber: string, stock: Stock, caller = alpha) {
  return dataOf(await app.callWarehouse(returnPath, returnBody(number, orderNumber, stock, caller)));
}

/** Of all accounts, in the order in which the documents were created. */
async function statusesOf(number: string): Promise<string[]> {
  const rows = await app.store.database.read(
    (sql) => sql<{ status: string }[]>`
      select status from inbound_document where partner_number = ${number} order by inbound_id`,
  );
  return rows.map((row) => row.status);
}

/** Both operations make a document; a return names its order too. */
const operations = [
  { path: createPath, prefix: 'IN', kind: 'inbound', original: null, bodyOf: inboundBody },
  {
    path: returnPath,
    prefix: 'RE',
    kind: 'return',
    original: 'OUT-BACK',
    bodyOf: (number: string, stock: Stock, caller: Tenanted = alpha) => returnBody(number, 'OUT-BACK', stock, caller),
  },
];

/** A document as the list of the main API shows it. */
async function listed(number: string): Promise<Row> {
  const [row] = await searchAll(app, lists.inbounds, { 'inbounds.inbound_short_id': number });
  return row!;
}

async function linesOf(number: string) {
  const details = (await listed(number)).details as Row[];
  return details.map(({ sku_id, batch_id, expire_date, qty }) => [sku_id, batch_id, expire_date, qty]);
}

for (const { path, prefix, kind, original, bodyOf } of operations) {
  test(`${path}: a new document is answered with its numbers, kept as it was sent, and in uat received at once`, async () => {
    const [first, second, number] = [`${prefix}-KEPT-1`, `${prefix}-KEPT-2`, `${prefix}-KEPT`];
    await syncProducts(app, [first, second]);
    const stock: Stock = {
      [first]: [
        ['2030-02-28', 2],
        ['2028-02-29', 3],
      ],
      [second]: [['9999-12-31', 1]],
    };
    const body = { ...bodyOf(number, stock), estimated_arrival_time: 1_772_337_906_789 };
    // These fields are unknown: the account follows from the header, the place from the tenant.
    const answer = await app.callWarehouse(path, { ...body, account_no: 'BETA', warehouse_no: 2, store_no: 20 });

    const { stock_in_no, warnings, ...data } = dataOf(answer);
    assert.deepEqual(pathsOf(warnings), ['account_no', 'warehouse_no', 'store_no']);
    assert.match(stock_in_no, /^si_\S+$/);
    assert.deepEqual(data, { success: true, stock_in_sn: number, warehouse_no: 1 });
    const lines = [
      { sku_id: first, expire_date: '2030-02-28', batch_id: '', qty: 2 },
      { sku_id: first, expire_date: '2028-02-29', batch_id: '', qty: 3 },
      { sku_id: second, expire_date: '9999-12-31', batch_id: '', qty: 1 },
    ];
    const inLots = [lines[1], lines[0], lines[2]];
    const { created_at, orders_id, ...row } = await listed(number);
    assert.match(String(orders_id), original === null ? /^null$/ : new RegExp(`^ow_${original}_[0-9a-f]{10}$`));
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00$/);
    assert.deepEqual(row, {
      stock_in_no,
      inbound_short_id: number,
      form_no: null,
      kind,
      status: 'received',
      channel: 'warehouse',
      warehouse_no: 1,
      store_no: 10,
      outbound_short_id: original,
      estimated_arrival_at: '2026-03-01T12:05:06.789000+08:00',
      details: lines.map((line) => ({ ...line, item: null })),
      received: inLots.map((line) => ({ ...line, stock_type: 'good' })),
      differences: [],
      form: null,
      timeline: madeOnly({ status: 'received', created_at }, 'ALPHA', answer.json.trace_id),
      updated_at: created_at,
    });
    assert.deepEqual(
      await stockOf(app, [first, second]),
      inLots.map((line) => goodRow(line!.sku_id, line!.expire_date, line!.qty)),
    );
    const moved = await app.store.database.read(
      (sql) => sql`
        select distinct m.kind, m.actor, m.trace_id from movement m join inbound_document using (account_id, inbound_id)
        where partner_number = ${number}`,
    );
    assert.deepEqual([...moved], [{ kind: 'receive', actor: 'ALPHA', trace_id: answer.json.trace_id }]);
  });

  test(`${path}: the same number again is 400 LST-TPW-2001 with the numbers of the original, and changes nothing`, async () => {
    const number = `${prefix}-TWICE`;
    const body = bodyOf(number, one('TEA', 5));
    const { success: _, ...first } = dataOf(await app.callWarehouse(path, body));
    const before = await dump(app);
    const details = '[ { "expires": [ { "qty": 5.0, "expire_date": "2030-01-01" } ], "sku_id": "\\u0054EA" } ]';
    const { details: __, ...others } = body;
    const rewritten = `{ "details": ${details},\n ${JSON.stringify(others).slice(1)}`;
    for (const repeat of [body, rewritten]) {
      const { status, headers, json } = await app.callWarehouse(path, repeat);
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(json), ['code', 'trace_id', 'message', 'success', 'data']);
      assert.deepEqual([json.code, json.success, json.trace_id], ['LST-TPW-2001', false, headers['trace-id']]);
      assert.ok(json.message.length > 0);
      assert.deepEqual(json.data, { success: false, ...first, errors: [duplicateItem] });
      const line = await app.requestLine(json.trace_id);
      assert.deepEqual(
        [line?.document_no, line?.account_no, line?.status, line?.code],
        [number, 'ALPHA', 400, 'LST-TPW-2001'],
      );
    }
    assert.deepEqual(await dump(app), before);
  });

  const otherDetails = (sku_id: string, expiry: object) => ({ details: [{ sku_id, expires: [expiry] }] });
  const otherBodies: [string, object][] = [
    ['another qty', otherDetails('TEA', { expire_date: '2030-01-01', qty: 6 })],
    ['another date', otherDetails('TEA', { expire_date: '2030-01-02', qty: 5 })],
    ['no date', otherDetails('TEA', { qty: 5 })],
    ['another sku', otherDetails('RICE', { expire_date: '2030-01-01', qty: 5 })],
    ['an unknown sku', otherDetails('UNKNOWN', { expire_date: '2030-01-01', qty: 5 })],
    ['another tenant', { warehouse_tpw_id: 'TPW-A2' }],
    ['an unknown tenant', { warehouse_tpw_id: 'NOWHERE' }],
    ['an arrival time', { estimated_arrival_time: 1_772_337_906_789 }],
    ...(path === returnPath ? ([['another order', { outbound_short_id: 'OUT-OTHER' }]] as [string, object][]) : []),
  ];
  test(`${path}: a repeat with another body is a duplicate with payload_differs, and changes nothing`, async () => {
    const body = bodyOf(`${prefix}-DIFFERS`, one('TEA', 5));
    const { success: _, ...first } = dataOf(await app.callWarehouse(path, body));
    const before = await dump(app);
    for (const [name, change] of otherBodies) {
      const { status, json } = await app.callWarehouse(path, { ...body, ...change });
      assert.deepEqual([status, json.code, json.success], [400, 'LST-TPW-2001', false], name);
      assert.deepEqual(json.data, { success: false, ...first, ...payloadDiffers, errors: [duplicateItem] }, name);
    }
    await assertRefusedUnchanged(app, path, { ...body, details: [] }, { paths: ['details'] });
    assert.deepEqual(await dump(app), before);
  });

  test(`${path}: accounts use one number side by side, each with its own document, repeats and cancel`, async () => {
    const number = `${prefix}-SHARED`;
    await syncProducts(app, ['TEA'], production);
    const bodies = [
      { caller: alpha, body: bodyOf(number, one('TEA', 5)) },
      { caller: beta, body: bodyOf(number, one('TEA', 2), beta) },
      { caller: production, body: bodyOf(number, one('TEA', 3), production) },
    ];
    const documentNos: string[] = [];
    for (const { caller, body } of bodies) {
      const created = dataOf(await app.callWarehouse(path, body, caller));
      assert.deepEqual([created.success, created.stock_in_sn], [true, number]);
      documentNos.push(created.stock_in_no);
    }
    assert.equal(new Set(documentNos).size, bodies.length);

    for (const [index, { caller, body }] of bodies.entries()) {
      const { json } = await app.callWarehouse(path, body, caller);
      assert.deepEqual([json.code, json.data.stock_in_no], ['LST-TPW-2001', documentNos[index]]);
      assert.equal('payload_differs' in json.data, false);
    }
    assert.deepEqual(await statusesOf(number), ['received', 'received', 'expected']);
    assert.deepEqual(await cancelInbounds(app, [number], beta), [cancelled(number)]);
    assert.deepEqual(await statusesOf(number), ['received', 'cancelled', 'expected']);
  });

  test(`${path}: every detail whose product this account has not synced is named, nothing arrives, and the number stays free`, async () => {
    await syncProducts(app, [`${prefix}-BETA-ONLY`], beta);
    const unknown = [`${prefix}-NO`, `${prefix}-BETA-ONLY`, 'tea', 'TEA\u0301'];
    const stock = { ...one('TEA'), ...Object.assign({}, ...unknown.map((sku) => one(sku))) };
    const body = bodyOf(`${prefix}-NO-SKU`, stock);
    const details = [...body.details, body.details[1]];
    const paths = [1, 2, 3, 4, 5].map((index) => `details[${index}].sku_id`);
    await assertRefusedUnchanged(app, path, { ...body, details }, { message: 'sku_id not found', paths });

    await syncProducts(app, [unknown[0]!]);
    dataOf(await app.callWarehouse(path, bodyOf(`${prefix}-NO-SKU`, one(unknown[0]!))));
  });
}

test('no units are on hand until the warehouse confirms them, under on_confirm and by default in production', async () => {
  for (const caller of [confirming, production]) {
    const sku = `LATER-${caller.warehouseTpwId}`;
    await syncProducts(app, [sku], caller);
    await createInbound(app, `IN-${sku}`, one(sku, 5), caller);

    const row = await inboundRow(app, `IN-${sku}`);
    assert.deepEqual([row?.receiving, row?.status], ['on_confirm', 'expected']);
    assert.deepEqual(await stockOf(app, sku, caller), [emptyRow(sku)]);
    assert.deepEqual(await movementsOf(app, `IN-${sku}`), []);
  }
});

test('details and expires of one sku and date add up, and join the units that are there, also of a past date', async () => {
  await syncProducts(app, ['SUM']);
  await createInbound(app, 'IN-SUM-1', { SUM: [['2001-02-03', 1]] });
  const expires = [1, 2].map((qty) => ({ expire_date: '2001-02-03', qty }));
  const details = [
    { sku_id: 'SUM', qty: 3, expires },
    { sku_id: 'SUM', expires: [{ expire_date: '2001-02-03', qty: 10 }] },
  ];
  dataOf(await app.callWarehouse(createPath, { ...inboundBody('IN-SUM-2', {}), details }));
  assert.deepEqual(await stockOf(app, 'SUM'), [goodRow('SUM', '2001-02-03', 14)]);
});

test('goods whose expire_date is left out, null or empty do not expire: they join one lot, are sold last, and never expire', async () => {
  const sku = 'NEVER';
  await syncProducts(app, [sku], throughExpiry);
  await createInbound(app, 'IN-NEVER-1', { [sku]: [['2030-06-30', 1]] }, throughExpiry);
  const expires = [{ qty: 1 }, { expire_date: null, qty: 1 }, { expire_date: '', qty: 2 }];
  const body = { ...inboundBody('IN-NEVER-2', {}, throughExpiry), details: [{ sku_id: sku, qty: 4, expires }] };
  dataOf(await app.callWarehouse(createPath, body));
  const returned = { ...returnBody('RE-NEVER', 'OUT-NOBODY', {}), details: [{ sku_id: sku, expires: [{ qty: 1 }] }] };
  dataOf(await app.callWarehouse(returnPath, returned));

  assert.deepEqual(await stockOf(app, sku), [goodRow(sku, '2030-06-30', 1), goodRow(sku, null, 5)]);
  await order(app, 'OUT-NEVER-1', [[sku, 2]], throughExpiry);
  assert.deepEqual(
    (await movementsOf(app, 'OUT-NEVER-1')).map(({ expire_date, locked_delta }) => [expire_date, locked_delta]),
    [
      ['2030-06-30', 1],
      [null, 1],
    ],
  );
  try {
    app.clock.set(new Date('2200-12-31T00:00:00Z'));
    await order(app, 'OUT-NEVER-2', [[sku, 4]], throughExpiry);
  } finally {
    app.clock.set(null);
  }
});

test('the tenant decides the warehouse and the store, whatever else the body names', async () => {
  await syncProducts(app, ['ELSEWHERE']);
  const body = { ...inboundBody('IN-SECOND', one('ELSEWHERE', 7), secondTenant), ...place };
  assert.equal(dataOf(await app.callWarehouse(createPath, body)).warehouse_no, 2);
  const { warehouse_no, store_no } = await listed('IN-SECOND');
  assert.deepEqual([warehouse_no, store_no], [2, 20]);
  const [lot, ...more] = await searchAll(app, lists.stocks, { 'products_stock.sku_id': 'ELSEWHERE' });
  assert.deepEqual([lot!.warehouse_no, lot!.qty, more], [2, 7, []]);
});

test('a cancelled document keeps its number: the same again is a duplicate and brings nothing', async () => {
  await syncProducts(app, ['CANCELLED']);
  const { stock_in_no } = await createInbound(app, 'IN-CANCELLED', one('CANCELLED', 5));
  assert.deepEqual(await cancelInbounds(app, ['IN-CANCELLED']), [cancelled('IN-CANCELLED')]);
  const { status, json } = await app.callWarehouse(createPath, inboundBody('IN-CANCELLED', one('CANCELLED', 5)));

  const numbers = { stock_in_no, stock_in_sn: 'IN-CANCELLED', warehouse_no: 1 };
  const data = { success: false, ...numbers, errors: [duplicateItem] };
  assert.deepEqual([status, json.code, json.data], [400, 'LST-TPW-2001', data]);
  assert.deepEqual(await stockOf(app, 'CANCELLED'), [emptyRow('CANCELLED')]);
});

test('numbers are compared exactly and echoed: another case, another form of the same letter is another document', async () => {
  const numbers = ['in-exact', 'IN-exact', 'caf\u00e9', 'cafe\u0301', '號', '号', '1', '01'];
  numbers.push('號'.repeat(125), '📦'.repeat(125), `"\\'%_{}<&> ${'x'.repeat(114)}`);
  const made = [];
  for (const number of numbers) made.push(await createInbound(app, number, one('TEA')));

  assert.deepEqual(
    made.map(({ stock_in_sn }) => stock_in_sn),
    numbers,
  );
  assert.equal(new Set(made.map(({ stock_in_no }) => stock_in_no)).size, numbers.length);
});

test('all mistakes in fields are reported at once, before those of the tenant and the sku', async () => {
  const expiry = { expire_date: '2030-01-01', qty: 1 };
  const details = [
    { sku_id: 'UNKNOWN', expires: [expiry, { expire_date: '2030-02-30', qty: 0 }] },
    { sku_id: ' ', expires: [] },
    { sku_id: 'TEA', expires: [expiry], qty: 9 },
  ];
  const paths = ['details[0].expires[1].expire_date', 'details[0].expires[1].qty', 'details[1].sku_id'];
  const body = { inbound_short_id: '', warehouse_tpw_id: 'NOWHERE', details };
  await assertRefusedUnchanged(app, createPath, body, {
    paths: ['inbound_short_id', ...paths, 'details[1].expires', 'details[2].qty'],
  });
});

test('an arrival time is kept to the millisecond, in any year', async () => {
  for (const [index, ms] of [0, 1, 138_118_726_740_990, 253_402_300_799_999].entries()) {
    const number = `IN-ARRIVES-${index}`;
    dataOf(await app.callWarehouse(createPath, { ...inboundBody(number, one('TEA')), estimated_arrival_time: ms }));
    assert.deepEqual((await inboundRow(app, number))?.estimated_arrival_at, new Date(ms));
  }
});

test('a document that brings more units than a lot can hold is refused, and nothing arrives', async () => {
  await syncProducts(app, ['TOO-MUCH']);
  const most = { sku_id: 'TOO-MUCH', expires: Array(100).fill({ expire_date: '2030-01-01', qty: 1_000_000_000 }) };
  const body = { ...inboundBody('IN-TOO-MUCH', {}), details: Array(11).fill(most) };
  await assertRefusedUnchanged(app, createPath, body, {});
  assert.deepEqual(await stockOf(app, 'TOO-MUCH'), [emptyRow('TOO-MUCH')]);
});

/** The given number of details of one sku, with the given number of expires in total, each on its own day. */
function manyDetails(sku: string, detailsCount: number, expiresCount: number) {
  const expires = Array.from({ length: expiresCount }, (_, index) => ({
    expire_date: new Date(Date.UTC(2030, 0, 1 + index)).toISOString().slice(0, 10),
    qty: 1 + (index % 7),
  }));
  const perDetail = Math.ceil(expiresCount / detailsCount);
  return Array.from({ length: detailsCount }, (_, index) => ({
    sku_id: sku,
    expires: expires.slice(index * perDetail, (index + 1) * perDetail),
  }));
}

test('a document of more than 5,000 expires is refused, however few a detail has, and nothing changes', async () => {
  const message = 'must not have more than 5000 expires in all';
  const body = { ...inboundBody('IN-LARGE', {}), details: manyDetails('RICE', 51, 5001) };
  const { json } = await assertRefusedUnchanged(app, createPath, body, { message: `details ${message}` });
  assert.deepEqual(json.data.errors, [errorItem('field_invalid', 'details', message)]);
});

test('500 details of 5,000 expires are received whole, each into a lot of its own', async () => {
  await syncProducts(app, ['MANY']);
  const details = manyDetails('MANY', 500, 5000);
  dataOf(await app.callWarehouse(createPath, { ...inboundBody('IN-MANY', {}), details }));

  const expires = details.flatMap((detail) => detail.expires);
  assert.deepEqual(
    await linesOf('IN-MANY'),
    expires.map(({ expire_date, qty }) => ['MANY', '', expire_date, qty]),
  );
  assert.deepEqual(
    await stockOf(app, 'MANY'),
    expires.map(({ expire_date, qty }) => goodRow('MANY', expire_date, qty)),
  );
});

// Returns.

/** The orders that a return is linked with. */
async function ordersReturnedBy(number: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select o.partner_number, account_no
      from returned_order r join inbound_document d using (account_id, inbound_id) join orders o using (account_id, order_id)
        join account a on a.account_id = o.account_id
      where d.partner_number = ${number}`,
  );
  return rows.map(({ partner_number, account_no }) => [partner_number, account_no]);
}

test('returned units can be sold again at once; under on_confirm they are expected', async () => {
  await receive(app, one('AGAIN', 2));
  await order(app, 'OUT-AGAIN', [['AGAIN', 2]]);
  await createReturn('RE-AGAIN', 'OUT-AGAIN', { AGAIN: [['2030-05-05', 2]] });
  await order(app, 'OUT-AGAIN-2', [['AGAIN', 2]]);

  const stock = [goodRow('AGAIN', '2030-01-01', 2, 2), goodRow('AGAIN', '2030-05-05', 2, 2)];
  assert.deepEqual(await stockOf(app, 'AGAIN'), stock);
  await createReturn('RE-LATER', 'OUT-AGAIN', one('AGAIN', 2), confirming);
  const { status, warehouse_no, store_no } = await listed('RE-LATER');
  assert.deepEqual([status, warehouse_no, store_no], ['expected', 2, 10]);
  assert.deepEqual(await stockOf(app, 'AGAIN'), stock);
});

test('a return is linked with its order, known or created later; several returns, also cancelled ones, may name one order, also a cancelled one', async () => {
  await createReturn('RE-EARLY', 'OUT-EARLY', one('TEA'));
  assert.deepEqual(await ordersReturnedBy('RE-EARLY'), []);
  await order(app, 'OUT-EARLY', [['TEA', 1]]);
  await cancelOrders(app, ['OUT-EARLY']);
  // A return may have the number of its order.
  for (const number of ['RE-PART', 'OUT-EARLY']) await createReturn(number, 'OUT-EARLY', one('TEA'));
  assert.deepEqual(await cancelInbounds(app, ['RE-PART']), [cancelled('RE-PART')]);

  for (const number of ['RE-EARLY', 'RE-PART', 'OUT-EARLY'])
    assert.deepEqual(await ordersReturnedBy(number), [['OUT-EARLY', 'ALPHA']]);
});

test("a return is never linked with another account's order, earlier or later, and its answer does not reveal that order", async () => {
  await order(app, 'OUT-BETA', [['TEA', 1]], beta);
  const existing = await createReturn('RE-BETA', 'OUT-BETA', one('TEA'));
  const missing = await createReturn('RE-BETA-LATER', 'OUT-BETA-LATER', one('TEA'));
  await order(app, 'OUT-BETA-LATER', [['TEA', 1]], beta);

  assert.deepEqual(Object.keys(existing), Object.keys(missing));
  for (const number of ['RE-BETA', 'RE-BETA-LATER']) assert.deepEqual(await ordersReturnedBy(number), []);
});

test('inbound/create and inbound/return share their numbers: the first document of a number is the original', async () => {
  const created = await createInbound(app, 'SHARED-1', one('TEA'));
  const returned = await createReturn('SHARED-2', 'OUT-BACK', one('TEA'));
  const before = await dump(app);
  const repeats = [
    [await app.callWarehouse(returnPath, returnBody('SHARED-1', 'OUT-BACK', one('TEA'))), created],
    [await app.callWarehouse(createPath, inboundBody('SHARED-2', one('TEA'))), returned],
    [await app.callWarehouse(createPath, returnBody('SHARED-2', 'OUT-BACK', one('TEA'))), returned],
  ] as const;

  for (const [{ status, json }, { stock_in_no }] of repeats) {
    assert.deepEqual([status, json.code, json.data.stock_in_no], [400, 'LST-TPW-2001', stock_in_no]);
    assert.equal(json.data.payload_differs, true);
  }
  assert.deepEqual(await dump(app), before);
});

// Cancels.

test('a document whose units are untouched is cancelled, and the units are taken back by movements of their own', async () => {
  await syncProducts(app, ['UNTOUCHED']);
  await createInbound(app, 'IN-UNTOUCHED', {
    UNTOUCHED: [
      ['2030-01-01', 2],
      ['2031-01-01', 3],
    ],
  });
  const received = await movementsOf(app, 'IN-UNTOUCHED');
  const answer = await app.callWarehouse('/inbound/cancel', { inbound_short_ids: ['IN-UNTOUCHED'] });

  assert.deepEqual(dataOf(answer), { results: [cancelled('IN-UNTOUCHED')] });
  assert.equal((await inboundRow(app, 'IN-UNTOUCHED'))?.status, 'cancelled');
  assert.deepEqual(await stockOf(app, 'UNTOUCHED'), [emptyRow('UNTOUCHED')]);
  const movements = await movementsOf(app, 'IN-UNTOUCHED');
  assert.deepEqual(movements.slice(0, received.length), received);
  const retracted = { kind: 'retract', sku_id: 'UNTOUCHED', batch_id: '', locked_delta: 0 };
  assert.deepEqual(
    movements.slice(received.length).toSorted((a, b) => b.on_hand_delta - a.on_hand_delta),
    [
      { ...retracted, expire_date: '2030-01-01', on_hand_delta: -2 },
      { ...retracted, expire_date: '2031-01-01', on_hand_delta: -3 },
    ],
  );
});

test('units of other documents stay; one batch cancels in all warehouses, and a second cancel takes nothing more', async () => {
  await receive(app, { OTHERS: [['2030-01-01', 2]] });
  await createInbound(app, 'IN-OTHERS-1', { OTHERS: [['2030-01-01', 5]] });
  await createInbound(app, 'IN-OTHERS-2', { OTHERS: [['2030-01-01', 11]] }, secondTenant);
  const numbers = ['IN-OTHERS-2', 'IN-OTHERS-1'];
  assert.deepEqual(await cancelInbounds(app, numbers), numbers.map(cancelled));
  assert.deepEqual(await stockOf(app, 'OTHERS'), [goodRow('OTHERS', '2030-01-01', 2)]);

  const before = await dump(app);
  assert.deepEqual(await cancelInbounds(app, numbers), numbers.map(cancelled));
  assert.deepEqual(await dump(app), before);
});

test('a document can no longer be cancelled if one unit is promised to an order: its other lots stay too', async () => {
  const number = await receive(app, {
    'HELD-1': [['2030-01-01', 5]],
    'HELD-2': [['2030-01-01', 5]],
    'HELD-3': [['2030-01-01', 5]],
  });
  await order(app, 'OUT-HELD', [['HELD-2', 1]]);
  const before = await dump(app);

  assert.deepEqual(await cancelInbounds(app, [number]), [tooLate(number)]);
  assert.deepEqual(await dump(app), before);
  await cancelOrders(app, ['OUT-HELD']);
  assert.deepEqual(await cancelInbounds(app, [number]), [cancelled(number)]);
  assert.deepEqual(await stockOf(app, ['HELD-1', 'HELD-2', 'HELD-3']), ['HELD-1', 'HELD-2', 'HELD-3'].map(emptyRow));
});

test('a document is cancelled while as many units as it brought are free in their lot, whichever document brought them', async () => {
  const first = await receive(app, { ALIKE: [['2030-01-01', 10]] });
  const second = await receive(app, { ALIKE: [['2030-01-01', 10]] });
  await order(app, 'OUT-ALIKE', [['ALIKE', 10]]);

  assert.deepEqual(await cancelInbounds(app, [first]), [cancelled(first)]);
  assert.deepEqual(await cancelInbounds(app, [second]), [tooLate(second)]);
  assert.deepEqual(await stockOf(app, 'ALIKE'), [goodRow('ALIKE', '2030-01-01', 10, 10)]);
});

test('two documents in one batch cannot both take back what is free for one only', async () => {
  const numbers = [
    await receive(app, { SCARCE: [['2030-01-01', 10]] }),
    await receive(app, { SCARCE: [['2030-01-01', 10]] }),
  ];
  await order(app, 'OUT-SCARCE', [['SCARCE', 5]]);
  const results = (await cancelInbounds(app, numbers)) as { stock_in_sn: string; status: string }[];

  assert.deepEqual(
    results.map(({ stock_in_sn }) => stock_in_sn),
    numbers,
  );
  assert.deepEqual(results.map(({ status }) => status).sort(), ['cancelled', 'cannot_cancel_after_receiving']);
  assert.deepEqual(await stockOf(app, 'SCARCE'), [goodRow('SCARCE', '2030-01-01', 10, 5)]);
});

test('free units of another date or another warehouse do not replace promised ones', async () => {
  const number = await receive(app, { APART: [['2030-01-01', 5]] });
  await createInbound(app, 'IN-APART-DATE', { APART: [['2031-01-01', 5]] });
  await createInbound(app, 'IN-APART-WAREHOUSE', { APART: [['2030-01-01', 5]] }, secondTenant);
  await order(app, 'OUT-APART', [['APART', 5]]);

  assert.deepEqual(await cancelInbounds(app, [number]), [tooLate(number)]);
});

test('inbound/cancel: each entry has its own status, in the order sent, duplicates included; one does not fail the others', async () => {
  const promised = await receive(app, { BATCH: [['2030-01-01', 5]] });
  await order(app, 'OUT-BATCH', [['BATCH', 5]]);
  const free = await receive(app, { 'BATCH-FREE': [['2030-01-01', 5]] });
  const once = [notFound('NOBODY'), cancelled(free), tooLate(promised)];
  assert.deepEqual(await cancelInbounds(app, ['NOBODY', free, promised, 'NOBODY', free, promised]), [...once, ...once]);
  assert.deepEqual(await stockOf(app, ['BATCH', 'BATCH-FREE']), [
    goodRow('BATCH', '2030-01-01', 5, 5),
    emptyRow('BATCH-FREE'),
  ]);
});

test('100 entries are accepted; numbers are compared exactly, and numbers of another account or of orders are not found', async () => {
  await receive(app, { EXACT: [['2030-01-01', 5]] });
  await createInbound(app, 'IN-Cased', { EXACT: [['2030-01-01', 5]] });
  await order(app, 'OUT-ORDER', [['EXACT', 1]]);
  const theirs = await receive(app, { THEIRS: [['2030-01-01', 5]] }, beta);
  const unknown = Array.from({ length: 95 }, (_, index) => `NOBODY-${index}`);
  const numbers = [...unknown, 'in-cased', 'IN-CASED', 'OUT-ORDER', theirs, '號'.repeat(124)];
  const before = await dump(app);
  const answer = await app.callWarehouse('/inbound/cancel', { inbound_short_ids: numbers, account_no: beta.accountNo });

  assert.deepEqual(dataOf(answer).results, numbers.map(notFound));
  assert.deepEqual(await dump(app), before);
});

test('documents with too many lots for one transaction are cancelled in several, in one request', async () => {
  const dates = Array.from({ length: 100 }, (_, day) =>
    new Date(Date.UTC(2040, 0, 1 + day)).toISOString().slice(0, 10),
  );
  const skuIds = Array.from({ length: 20 }, (_, index) => `TURN-${index}`);
  const numbers = Array.from({ length: 6 }, (_, index) => `TURNS-${index}`);
  await syncProducts(app, skuIds);
  for (const number of numbers)
    await createInbound(
      app,
      number,
      Object.fromEntries(skuIds.map((skuId) => [skuId, dates.map((date): Units[number] => [date, 2])])),
    );
  const asked = [...numbers, 'TURNS-NONE', 'TURNS-1'];
  assert.deepEqual(
    await cancelInbounds(app, asked),
    asked.map((stock_in_sn) => ({ stock_in_sn, status: stock_in_sn === 'TURNS-NONE' ? 'not_found' : 'cancelled' })),
  );
  const [taken] = await app.store.database.read(
    (sql) => sql`
      select count(*)::integer, count(distinct movement.at)::integer as turns from movement
      join inbound_document using (account_id, inbound_id) where partner_number = any(${numbers}) and movement.kind = 'retract'`,
  );
  assert.deepEqual({ ...taken }, { count: 12_000, turns: 2 });
  assert.deepEqual(
    (await stockOf(app, skuIds)).map(({ qty }) => qty),
    skuIds.map(() => 0),
  );
});

test('balances are the sums of the movements, after all of this', () => assertBalancesAreSums(app));
