import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  assertBalancesAreSums,
  assertRefusedUnchanged,
  type Caller,
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
  waysToSayNoExpiry,
  wrongIdentifiers,
  wrongQuantities,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/inbound/return';

const confirming = { ...alpha, warehouseTpwId: 'TPW-CONFIRM' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  stores: [{ store_no: 20, name: 'Second' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [
        { warehouse_tpw_id: confirming.warehouseTpwId, warehouse_no: 2, store_no: 20, receiving: 'on_confirm' },
        { warehouse_tpw_id: 'TPW-DISABLED', warehouse_no: 1, store_no: 10, enabled: false },
      ],
    },
  ],
});
await receive(app, { TEA: [['2030-01-01', 1000]] });
await receive(app, { TEA: [['2030-01-01', 1000]] }, beta);

function returnBody(number: string, orderNumber: string, stock: Record<string, Units>, caller: Caller = alpha) {
  return { ...inboundBody(number, stock, caller), outbound_short_id: orderNumber };
}

/** The orders that a return is linked with. */
async function ordersReturnedBy(number: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select o.partner_number, account_no
      from returned_order r join inbound_document d using (inbound_id) join orders o using (order_id)
        join account a on a.account_id = o.account_id
      where d.partner_number = ${number}`,
  );
  return rows.map(({ partner_number, account_no }) => [partner_number, account_no]);
}

test('a return is answered like an inbound document, and is linked with its order', async () => {
  await order(app, 'OUT-BACK', [['TEA', 3]]);
  const answer = await app.callWarehouse(path, returnBody('RE-BACK', 'OUT-BACK', { TEA: [['2030-01-01', 3]] }));

  const data = dataOf(answer);
  assert.deepEqual(Object.keys(data), ['success', 'stock_in_no', 'stock_in_sn', 'warehouse_no']);
  assert.match(data.stock_in_no, /^si_\S+$/);
  assert.deepEqual([data.success, data.stock_in_sn, data.warehouse_no], [true, 'RE-BACK', 1]);
  assert.deepEqual(await ordersReturnedBy('RE-BACK'), [['OUT-BACK', 'ALPHA']]);
  const row = await inboundRow(app, 'RE-BACK');
  assert.deepEqual(
    [row?.account_no, row?.channel, row?.kind, row?.warehouse_no, row?.store_no, row?.status, row?.original_order_number],
    ['ALPHA', 'warehouse', 'return', 1, 10, 'received', 'OUT-BACK'],
  );
  assert.equal(row?.document_no, data.stock_in_no);
  assert.equal(row?.trace_id, answer.json.trace_id);
});

test('in uat the returned units are on hand as good stock at once, and can be sold again', async () => {
  await receive(app, { AGAIN: [['2030-01-01', 2]] });
  await order(app, 'OUT-AGAIN', [['AGAIN', 2]]);
  dataOf(await app.callWarehouse(path, returnBody('RE-AGAIN', 'OUT-AGAIN', { AGAIN: [['2030-05-05', 2]] })));

  assert.deepEqual(await stockOf(app, 'AGAIN'), [goodRow('AGAIN', '2030-01-01', 2, 2), goodRow('AGAIN', '2030-05-05', 2)]);
  assert.deepEqual(await movementsOf(app, 'RE-AGAIN'), [
    { kind: 'receive', sku_id: 'AGAIN', expire_date: '2030-05-05', batch_id: '', on_hand_delta: 2, locked_delta: 0 },
  ]);
  await order(app, 'OUT-AGAIN-2', [['AGAIN', 2]]);
});

for (const [name, withoutExpiry] of waysToSayNoExpiry) {
  test(`returned goods whose expire_date is ${name} do not expire, and join the lot without expiry`, async () => {
    const sku = `NEVER-${name}`;
    await receive(app, { [sku]: [[null, 2]] });
    const details = [{ sku_id: sku, expires: [{ ...withoutExpiry, qty: 1 }] }];
    dataOf(await app.callWarehouse(path, { ...returnBody(`RE-${sku}`, 'OUT-NOBODY', {}), details }));

    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, null, 3)]);
  });
}

test('under on_confirm a return is expected and brings nothing yet', async () => {
  await syncProducts(app, ['LATER']);
  dataOf(await app.callWarehouse(path, returnBody('RE-LATER', 'OUT-BACK', { LATER: [['2030-01-01', 2]] }, confirming)));

  const row = await inboundRow(app, 'RE-LATER');
  assert.deepEqual([row?.status, row?.warehouse_no, row?.store_no], ['expected', 2, 20]);
  assert.deepEqual(await stockOf(app, 'LATER'), [emptyRow('LATER')]);
});

test('a return of an order that is not known is accepted, and the link is skipped without a word', async () => {
  const { json } = await app.callWarehouse(path, returnBody('RE-NOBODY', 'OUT-NOBODY', { TEA: [['2030-01-01', 1]] }));

  assert.deepEqual([json.code, json.message], ['LST-TPW-2000', 'success']);
  assert.deepEqual(Object.keys(json.data), ['success', 'stock_in_no', 'stock_in_sn', 'warehouse_no']);
  assert.deepEqual(await ordersReturnedBy('RE-NOBODY'), []);
});

test('the link is completed when the order appears later', async () => {
  dataOf(await app.callWarehouse(path, returnBody('RE-EARLY', 'OUT-EARLY', { TEA: [['2030-01-01', 1]] })));
  await order(app, 'OUT-EARLY', [['TEA', 1]]);
  assert.deepEqual(await ordersReturnedBy('RE-EARLY'), [['OUT-EARLY', 'ALPHA']]);
});

test("a return is never linked with another account's order, and its answer does not tell whether there is one", async () => {
  await order(app, 'OUT-BETA', [['TEA', 1]], beta);
  const existing = await app.callWarehouse(path, returnBody('RE-BETA', 'OUT-BETA', { TEA: [['2030-01-01', 1]] }));
  const missing = await app.callWarehouse(path, returnBody('RE-NONE', 'OUT-NONE', { TEA: [['2030-01-01', 1]] }));

  assert.deepEqual(Object.keys(dataOf(existing)), Object.keys(dataOf(missing)));
  assert.deepEqual(await ordersReturnedBy('RE-BETA'), []);
});

test("a return that came first is not linked when another account's order of that number appears", async () => {
  dataOf(await app.callWarehouse(path, returnBody('RE-BETA-LATER', 'OUT-BETA-LATER', { TEA: [['2030-01-01', 1]] })));
  await order(app, 'OUT-BETA-LATER', [['TEA', 1]], beta);
  assert.deepEqual(await ordersReturnedBy('RE-BETA-LATER'), []);
});

test('several returns may name one order, also one that was cancelled', async () => {
  await order(app, 'OUT-PARTS', [['TEA', 2]]);
  await cancelOrders(app, ['OUT-PARTS']);
  for (const number of ['RE-PART-1', 'RE-PART-2']) {
    dataOf(await app.callWarehouse(path, returnBody(number, 'OUT-PARTS', { TEA: [['2030-01-01', 1]] })));
    assert.deepEqual(await ordersReturnedBy(number), [['OUT-PARTS', 'ALPHA']]);
  }
});

test('the same document again is 400 LST-TPW-2001 with the numbers of the original, and changes nothing', async () => {
  const body = returnBody('RE-TWICE', 'OUT-BACK', { TEA: [['2030-01-01', 5]] });
  const { success: _success, ...original } = dataOf(await app.callWarehouse(path, body));
  const before = await dump(app);
  const { status, headers, json } = await app.callWarehouse(path, body);

  assert.equal(status, 400);
  assert.deepEqual(Object.keys(json), ['code', 'trace_id', 'message', 'success', 'data']);
  assert.deepEqual([json.code, json.success, json.trace_id], ['LST-TPW-2001', false, headers['trace-id']]);
  assert.ok(json.message.length > 0);
  const { stock_in_no, stock_in_sn, warehouse_no } = json.data;
  assert.deepEqual({ stock_in_no, stock_in_sn, warehouse_no }, original);
  assert.ok(!('payload_differs' in json.data));
  assert.deepEqual(await dump(app), before);
});

const otherBodies: [string, object][] = [
  ['another order', { outbound_short_id: 'OUT-OTHER' }],
  ['another qty', { details: [{ sku_id: 'TEA', expires: [{ expire_date: '2030-01-01', qty: 6 }] }] }],
  ['a tenant that is not known', { warehouse_tpw_id: 'NOWHERE' }],
  ['a sku that is not known', { details: [{ sku_id: 'UNKNOWN', expires: [{ expire_date: '2030-01-01', qty: 5 }] }] }],
];
for (const [name, change] of otherBodies) {
  test(`a repeat with ${name} is still a duplicate, says that the body differs, and changes nothing`, async () => {
    const body = returnBody(`RE-DIFFERS ${name}`, 'OUT-BACK', { TEA: [['2030-01-01', 5]] });
    const original = dataOf(await app.callWarehouse(path, body));
    const before = await dump(app);
    const { status, json } = await app.callWarehouse(path, { ...body, ...change });

    assert.deepEqual([status, json.code, json.success], [400, 'LST-TPW-2001', false]);
    assert.deepEqual([json.data.stock_in_no, json.data.payload_differs], [original.stock_in_no, true]);
    assert.deepEqual(await dump(app), before);
  });
}

test('inbound/create and inbound/return share their numbers: the first document of a number is the original', async () => {
  const stock: Record<string, Units> = { TEA: [['2030-01-01', 1]] };
  const created = await createInbound(app, 'SHARED-1', stock);
  const returned = dataOf(await app.callWarehouse(path, returnBody('SHARED-2', 'OUT-BACK', stock)));
  const before = await dump(app);
  const repeats = [
    [await app.callWarehouse(path, returnBody('SHARED-1', 'OUT-BACK', stock)), created],
    [await app.callWarehouse('/inbound/create', inboundBody('SHARED-2', stock)), returned],
    [await app.callWarehouse('/inbound/create', returnBody('SHARED-2', 'OUT-BACK', stock)), returned],
  ] as const;

  for (const [{ status, json }, original] of repeats) {
    assert.deepEqual([status, json.code, json.data.stock_in_no], [400, 'LST-TPW-2001', original.stock_in_no]);
    assert.equal(json.data.payload_differs, true);
  }
  assert.deepEqual(await dump(app), before);
});

test('inbound and outbound numbers are apart: a return may carry the number of its order', async () => {
  await order(app, 'SAME-NUMBER', [['TEA', 1]]);
  dataOf(await app.callWarehouse(path, returnBody('SAME-NUMBER', 'SAME-NUMBER', { TEA: [['2030-01-01', 1]] })));
  assert.deepEqual(await ordersReturnedBy('SAME-NUMBER'), [['SAME-NUMBER', 'ALPHA']]);
});

test("a number of another account is in use, and nothing of that account's document is shown", async () => {
  const body = returnBody('RE-THEIRS', 'OUT-BACK', { TEA: [['2030-01-01', 5]] });
  const original = dataOf(await app.callWarehouse(path, body));
  for (const change of [{}, { warehouse_tpw_id: beta.warehouseTpwId }]) {
    const refusal = { message: 'inbound_short_id already in use' };
    const { text } = await assertRefusedUnchanged(app, path, { ...body, ...change }, refusal, beta);
    assert.ok(!text.includes(original.stock_in_no));
    assert.ok(!text.includes('payload_differs'));
  }
});

test('fifty simultaneous returns of one number: exactly one creates, the others are told of it', async () => {
  await syncProducts(app, ['RACE']);
  const body = returnBody('RE-RACE', 'OUT-BACK', { RACE: [['2030-01-01', 5]] });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.callWarehouse(path, body)));

  const [created, ...others] = answers.toSorted((a, b) => a.status - b.status);
  const { stock_in_no } = dataOf(created!);
  for (const { status, json } of others) {
    assert.deepEqual([status, json.code, json.data.stock_in_no], [400, 'LST-TPW-2001', stock_in_no]);
  }
  assert.deepEqual(await stockOf(app, 'RACE'), [goodRow('RACE', '2030-01-01', 5)]);
});

test('a create and a return race for one number: one of them is the original, and its units alone arrive', async () => {
  await syncProducts(app, ['MIXED']);
  for (let round = 1; round <= 5; round++) {
    const stock: Record<string, Units> = { MIXED: [['2030-01-01', 1]] };
    const answers = await Promise.all([
      app.callWarehouse('/inbound/create', inboundBody(`MIXED-${round}`, stock)),
      app.callWarehouse(path, returnBody(`MIXED-${round}`, 'OUT-BACK', stock)),
    ]);
    const [original, duplicate] = answers.toSorted((a, b) => a.status - b.status);
    assert.equal(duplicate!.json.code, 'LST-TPW-2001');
    assert.equal(duplicate!.json.data.stock_in_no, dataOf(original!).stock_in_no);
  }
  assert.deepEqual(await stockOf(app, 'MIXED'), [goodRow('MIXED', '2030-01-01', 5)]);
});

test('a return is cancelled like an inbound document, and stays linked', async () => {
  await syncProducts(app, ['UNDONE']);
  dataOf(await app.callWarehouse(path, returnBody('RE-UNDONE', 'OUT-BACK', { UNDONE: [['2030-01-01', 2]] })));
  assert.deepEqual(await cancelInbounds(app, ['RE-UNDONE']), [{ stock_in_sn: 'RE-UNDONE', status: 'cancelled' }]);

  assert.deepEqual(await stockOf(app, 'UNDONE'), [emptyRow('UNDONE')]);
  assert.equal((await inboundRow(app, 'RE-UNDONE'))?.status, 'cancelled');
});

test('an account_no in the body has no effect: the document is that of the header', async () => {
  const body = { ...returnBody('RE-HEADER', 'OUT-BETA', { TEA: [['2030-01-01', 1]] }), account_no: beta.accountNo };
  dataOf(await app.callWarehouse(path, body));
  assert.equal((await inboundRow(app, 'RE-HEADER'))?.account_no, 'ALPHA');
  assert.deepEqual(await ordersReturnedBy('RE-HEADER'), []);
});

for (const [name, warehouseTpwId] of [
  ['one that does not exist', 'NOWHERE'],
  ["another account's", beta.warehouseTpwId],
  ['a disabled one', 'TPW-DISABLED'],
] as const) {
  test(`unknown tenant, before the skus are looked at: ${name}`, async () => {
    const body = { ...returnBody('RE-NO-TENANT', 'OUT-BACK', { UNKNOWN: [['2030-01-01', 1]] }), warehouse_tpw_id: warehouseTpwId };
    await assertRefusedUnchanged(app, path, body, { message: 'unknown tenant', paths: ['warehouse_tpw_id'] });
  });
}

test('sku_id not found: every detail whose product was not synced is named, and nothing arrives', async () => {
  const body = returnBody('RE-NO-SKU', 'OUT-BACK', { 'NO-1': [['2030-01-01', 1]], TEA: [['2030-01-01', 1]], 'NO-2': [['2030-01-01', 1]] });
  await assertRefusedUnchanged(app, path, body, { message: 'sku_id not found', paths: ['details[0].sku_id', 'details[2].sku_id'] });
});

const expiry = { expire_date: '2030-01-01', qty: 1 };
const withDetail = (change: object) => ({ details: [{ sku_id: 'TEA', expires: [expiry], ...change }] });
const wrong: [string, object, string[]][] = [
  ...wrongIdentifiers.flatMap(([name, value]): [string, object, string[]][] => [
    [`outbound_short_id ${name}`, { outbound_short_id: value }, ['outbound_short_id']],
    [`inbound_short_id ${name}`, { inbound_short_id: value }, ['inbound_short_id']],
    [`warehouse_tpw_id ${name}`, { warehouse_tpw_id: value }, ['warehouse_tpw_id']],
    [`sku_id ${name}`, withDetail({ sku_id: value }), ['details[0].sku_id']],
  ]),
  ...wrongQuantities.map(([name, value]): [string, object, string[]] => [
    `qty of an expiry ${name}`,
    withDetail({ expires: [{ ...expiry, qty: value }] }),
    ['details[0].expires[0].qty'],
  ]),
  ['qty of a detail that differs from the sum of its expires', withDetail({ qty: 2 }), ['details[0].qty']],
  ['details missing', { details: undefined }, ['details']],
  ['details empty', { details: [] }, ['details']],
  ['details more than 500', { details: Array(501).fill({ sku_id: 'TEA', expires: [expiry] }) }, ['details']],
  ['expires missing', withDetail({ expires: undefined }), ['details[0].expires']],
  ['expires empty', withDetail({ expires: [] }), ['details[0].expires']],
  ['expires more than 100', withDetail({ expires: Array(101).fill(expiry) }), ['details[0].expires']],
  [
    'expires more than 5,000 in all',
    { details: [...Array(50).fill({ sku_id: 'TEA', expires: Array(100).fill(expiry) }), { sku_id: 'TEA', expires: [expiry] }] },
    ['details'],
  ],
  ['expire_date 30 February', withDetail({ expires: [{ ...expiry, expire_date: '2030-02-30' }] }), ['details[0].expires[0].expire_date']],
  [
    'several mistakes at once',
    { outbound_short_id: '', inbound_short_id: undefined, details: [{ sku_id: 'TEA', expires: [{ expire_date: 'soon', qty: -1 }] }] },
    ['outbound_short_id', 'inbound_short_id', 'details[0].expires[0].expire_date', 'details[0].expires[0].qty'],
  ],
];
for (const [name, change, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    await assertRefusedUnchanged(app, path, { ...returnBody('RE-WRONG', 'OUT-BACK', { TEA: [['2030-01-01', 1]] }), ...change }, { paths });
  });
}

test('balances are the sums of the movements, after all of this', async () => {
  await assertBalancesAreSums(app);
});
