import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stocksSearch } from '../../../contract/main/stocks-search.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import { auditStock } from '../../../server/domain/audit/audit-stock.ts';
import { describeFinding } from '../../../server/domain/audit/finding.ts';
import { repairAll } from '../../../server/domain/audit/repair-stock.ts';
import { beta, startTestApp } from '../../support/app.ts';
import { clientsOf, refusalOf } from '../../support/clients.ts';
import { columns } from '../../support/console.ts';
import {
  allocateEverything,
  assertBooksInOrder,
  item,
  orderStatus,
  ship,
  textsOf,
  unchanged,
} from '../../support/logistics.ts';
import { searchAll } from '../../support/main.ts';
import { assertAuditClean, letTimePass, purge } from '../../support/purge.ts';
import { order, putLot, receive, syncProducts } from '../../support/warehouse.ts';

const app = await startTestApp();
const second = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10, sellable_days_before_expiry: null };
await app.provision({
  warehouses: [{ warehouse_no: 2 }, { warehouse_no: 3 }],
  accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [second] }],
  logistics_keys: [
    {
      ...{ name: 'wms-2', key: 'alpha-second-key-of-thirty-two-characters-or-more', account_no: 'ALPHA' },
      ...{ warehouse_no: 2, store_no: 10, sellable_days_before_expiry: null },
    },
  ],
});
const { main } = await clientsOf(app);

const expire_date = '2030-01-01';
const lotOf = (sku_id: string, other: object = {}) => ({
  warehouse_no: 1,
  sku_id,
  stock_type: 'good' as const,
  batch_id: '',
  expire_date,
  ...other,
});
type Line = Parameters<typeof main.stocksAdjust>[0]['lines'][number];
const adjustLine = (sku: string, units: Pick<Line, 'delta' | 'counted'>, other: Partial<Line> = {}): Line => ({
  ...lotOf(sku),
  reason: 'cycle count',
  ...units,
  ...other,
});
const moveLine = (sku: string, qty: number, other: object = {}) => {
  const { warehouse_no: from_warehouse_no, ...lot } = lotOf(sku);
  return { from_warehouse_no, to_warehouse_no: 2, ...lot, qty, ...other };
};
let numbers = 0;
const newNumber = () => `REF-${++numbers}`;

const adjust = (lines: Line[], reference_no = newNumber()) => main.stocksAdjust({ reference_no, lines });
const move = (lines: ReturnType<typeof moveLine>[], reference_no = newNumber()) =>
  main.stocksMove({ reference_no, lines });

/** A call that must be refused, and after which everything is as it was. */
async function refused(call: () => Promise<unknown>, message: string, status = 400): Promise<void> {
  const refusal = await unchanged(app, () => refusalOf(call()));
  assert.deepEqual([refusal.status, refusal.message], [status, message]);
}

/** The lots of a sku: warehouse, grade, batch, units on hand and locked. */
async function lots(sku: string) {
  const rows = await searchAll(app, stocksSearch, { 'products_stock.sku_id': sku, sort: 'warehouse_no' });
  return columns(rows, 'warehouse_no', 'stock_type', 'batch_id', 'qty', 'qty_lock');
}

async function adjustments(sku: string) {
  return await textsOf(
    app,
    `select warehouse_no::text as warehouse, on_hand_delta::text as units, locked_delta::text as locked, actor, m.reason, reference_no as reference,
       other_warehouse_no::text as other, trace_id is not null as traced
     from movement m join lot using (account_id, lot_id) where sku_id = $1 and kind = 'adjust' order by movement_id`,
    [sku],
  );
}

const movement = (warehouse: string, units: string, reference: string, other: object = {}) => ({
  ...{ warehouse, units, locked: '0', actor: 'ALPHA/alpha-erp', reason: 'cycle count' },
  ...{ reference, other: null, traced: true, ...other },
});

test('an adjustment adds, removes and counts units, by movements with actor, number and reason; locked units are part of the count', async () => {
  await receive(app, { TEA: [[expire_date, 10]] });
  await order(app, 'TEA-1', [['TEA', 4]]);
  const first = await adjust(
    [adjustLine('TEA', { delta: -3 }), adjustLine('TEA', { delta: 2 }, { reason: 'found' })],
    'TEA-A',
  );
  assert.deepEqual(first, {
    reference_no: 'TEA-A',
    idempotent: false,
    results: [
      { ...lotOf('TEA'), delta: -3, qty: 7, qty_lock: 4 },
      { ...lotOf('TEA'), delta: 2, qty: 9, qty_lock: 4 },
    ],
  });
  const counted = await adjust([adjustLine('TEA', { counted: 4 })], 'TEA-B');
  assert.deepEqual(counted.results, [{ ...lotOf('TEA'), delta: -5, qty: 4, qty_lock: 4 }]);
  assert.deepEqual(await lots('TEA'), [[1, 'good', '', 4, 4]]);
  assert.deepEqual(await adjustments('TEA'), [
    movement('1', '-3', 'TEA-A'),
    movement('1', '2', 'TEA-A', { reason: 'found' }),
    movement('1', '-5', 'TEA-B'),
  ]);
  await assertBooksInOrder(app);
});

test('units of a lot that does not exist create it; a count that is right, and a difference of 0, move nothing', async () => {
  await syncProducts(app, ['NEW']);
  const { results } = await adjust([
    adjustLine('NEW', { delta: 2 }, { batch_id: 'B-1', expire_date: null }),
    adjustLine('NEW', { counted: 3 }, { stock_type: 'bad' }),
    adjustLine('NEW', { counted: 0 }),
    adjustLine('NEW', { delta: 0 }, { warehouse_no: 2 }),
  ]);
  assert.deepEqual(columns(results, 'delta', 'qty', 'qty_lock'), [
    [2, 2, 0],
    [3, 3, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  assert.deepEqual(await lots('NEW'), [
    [1, 'good', 'B-1', 2, 0],
    [1, 'bad', '', 3, 0],
  ]);
  const again = await adjust([adjustLine('NEW', { counted: 3 }, { stock_type: 'bad' })], 'RIGHT');
  assert.equal(again.results[0]!.delta, 0);
  assert.equal((await adjustments('NEW')).length, 2);
  assert.equal((await adjust([adjustLine('NEW', { counted: 3 }, { stock_type: 'bad' })], 'RIGHT')).idempotent, true);
  await assertBooksInOrder(app);
});

test('one line that is refused stops all; each refusal names its line, and nothing changes', async () => {
  await receive(app, { HELD: [[expire_date, 10]] });
  await order(app, 'HELD-1', [['HELD', 7]]);
  const good = adjustLine('HELD', { delta: 5 }, { batch_id: 'NEW' });
  const cases: [Line, string][] = [
    [
      adjustLine('HELD', { delta: -4 }),
      'lines[1].delta would remove 4 units, but only 3 are free and 7 are locked by orders',
    ],
    [adjustLine('HELD', { counted: 6 }), 'lines[1].counted is less than the 7 units that orders have locked'],
    [
      adjustLine('HELD', { delta: -1 }, { batch_id: 'NO' }),
      'lines[1] names a lot that does not exist, so it has no units to remove',
    ],
    [
      adjustLine('HELD', { delta: 1_000_000_000_000 }),
      'lines[1].delta would bring the lot to more than 1000000000000 units',
    ],
    [adjustLine('NEVER', { delta: 1 }), 'lines[1].sku_id is not a product of your account'],
    [adjustLine('HELD', { delta: 1 }, { warehouse_no: 3 }), 'lines[1].warehouse_no is not a warehouse of your account'],
    [adjustLine('HELD', { delta: 1 }, { warehouse_no: 9 }), 'lines[1].warehouse_no is not a warehouse of your account'],
    [
      adjustLine('HELD', { counted: 5 }, { batch_id: 'NEW' }),
      'lines[1] names a lot that an earlier line names too, and one of the two is a count',
    ],
  ];
  for (const [line, message] of cases) await refused(() => adjust([good, line]), message);
  await refused(
    () =>
      adjust([adjustLine('HELD', { delta: -2 }), adjustLine('HELD', { delta: -2 }), adjustLine('NEVER', { delta: 1 })]),
    'lines[1].delta would remove 2 units, but only 1 are free and 7 are locked by orders; lines[2].sku_id is not a product of your account',
  );
});

test('the message lists 20 refused lines, and errors lists all of them', async () => {
  const skus = Array.from({ length: 25 }, (_, index) => `NEVER-${index}`);
  const paths = skus.map((_, index) => `lines[${index}].sku_id`);
  const calls: [path: string, lines: object[]][] = [
    ['/stocks/adjust', skus.map((sku) => adjustLine(sku, { delta: 1 }))],
    ['/stocks/move', skus.map((sku) => moveLine(sku, 1))],
  ];
  for (const [path, lines] of calls) {
    const body = { reference_no: newNumber(), lines };
    const { status, json } = await unchanged(app, () => app.callMain(path, body));
    const { msg, errors } = json as { msg: string; errors: { path: string }[] };
    assert.equal(status, 400);
    assert.ok(msg.endsWith('; lines[19].sku_id is not a product of your account (and 5 more)'), msg);
    assert.deepEqual(columns(errors, 'path').flat(), paths);
  }
});

test('a repeated number returns the first result, even if the stock has changed; with other content it is a conflict', async () => {
  await receive(app, { ONCE: [[expire_date, 5]] });
  const lines = [adjustLine('ONCE', { delta: -5 })];
  const first = await adjust(lines, 'ONCE-1');
  await adjust([adjustLine('ONCE', { delta: 9 })], 'ONCE-2');
  const repeated = await unchanged(app, () => adjust(lines, 'ONCE-1'));
  assert.deepEqual(repeated, { ...first, idempotent: true });

  const conflict = 'reference_no was used before with another body';
  for (const other of [{ delta: -4 }, { counted: 0 }])
    await refused(() => adjust([adjustLine('ONCE', other)], 'ONCE-1'), conflict, 409);
  await refused(() => adjust([adjustLine('ONCE', { delta: -5 }, { reason: 'other' })], 'ONCE-1'), conflict, 409);
  await refused(() => move([moveLine('ONCE', 1)], 'ONCE-1'), conflict, 409);

  // Numbers of another account are its own, and a refused request leaves its number free.
  await syncProducts(app, ['ONCE'], beta);
  const { main: other } = await clientsOf(app, beta);
  const own = await other.stocksAdjust({ reference_no: 'ONCE-1', lines: [adjustLine('ONCE', { delta: 3 })] });
  assert.deepEqual([own.idempotent, own.results[0]!.qty], [false, 3]);
  await refusalOf(adjust([adjustLine('ONCE', { delta: -99 })], 'ONCE-3'));
  assert.equal((await adjust([adjustLine('ONCE', { delta: -9 })], 'ONCE-3')).results[0]!.qty, 0);
});

test('a move takes free units to the same lot of another warehouse by two movements, once for each number', async () => {
  await syncProducts(app, ['MOVED']);
  await putLot(app, { skuId: 'MOVED', qty: 10, expireDate: expire_date, batchId: 'B' });
  await putLot(app, { skuId: 'MOVED', qty: 2, expireDate: null, stockType: 'bad' });
  await order(app, 'MOVED-1', [['MOVED', 4]]);
  const body = {
    reference_no: 'MV-1',
    lines: [moveLine('MOVED', 6, { batch_id: 'B' }), moveLine('MOVED', 1, { stock_type: 'bad', expire_date: null })],
  };
  const first = await main.stocksMove(body);
  const { batch_id: _, ...lot } = moveLine('MOVED', 6);
  assert.deepEqual(first, {
    reference_no: 'MV-1',
    idempotent: false,
    results: [
      { ...lot, batch_id: 'B', from_qty: 4, to_qty: 6 },
      { ...moveLine('MOVED', 1), stock_type: 'bad', expire_date: null, from_qty: 1, to_qty: 1 },
    ],
  });
  assert.deepEqual(await unchanged(app, () => main.stocksMove(body)), { ...first, idempotent: true });
  assert.deepEqual((await lots('MOVED')).toSorted(), [
    [1, 'bad', '', 1, 0],
    [1, 'good', 'B', 4, 4],
    [2, 'bad', '', 1, 0],
    [2, 'good', 'B', 6, 0],
  ]);
  const reason = 'moved between warehouses';
  assert.deepEqual((await adjustments('MOVED')).slice(2), [
    movement('1', '-6', 'MV-1', { other: '2', reason }),
    movement('2', '6', 'MV-1', { other: '1', reason }),
    movement('1', '-1', 'MV-1', { other: '2', reason }),
    movement('2', '1', 'MV-1', { other: '1', reason }),
  ]);
  await main.stocksMove({
    ...body,
    reference_no: 'MV-2',
    reason: 'back',
    lines: [{ ...moveLine('MOVED', 6, { batch_id: 'B' }), from_warehouse_no: 2, to_warehouse_no: 1 }],
  });
  assert.equal((await adjustments('MOVED')).at(-1)!.reason, 'back');
  await assertBooksInOrder(app);
});

test('locked units, unknown lots and warehouses of others do not move; each refusal names its line, and nothing changes', async () => {
  await receive(app, { STAYS: [[expire_date, 5]] });
  await order(app, 'STAYS-1', [['STAYS', 3]]);
  const good = moveLine('STAYS', 1);
  const cases: [ReturnType<typeof moveLine>, string][] = [
    [moveLine('STAYS', 2), 'lines[1].qty would remove 2 units, but only 1 are free and 3 are locked by orders'],
    [
      moveLine('STAYS', 1, { batch_id: 'NO' }),
      'lines[1] names a lot that does not exist, so it has no units to remove',
    ],
    [moveLine('STAYS', 1, { to_warehouse_no: 3 }), 'lines[1].to_warehouse_no is not a warehouse of your account'],
    [moveLine('STAYS', 1, { from_warehouse_no: 9 }), 'lines[1].from_warehouse_no is not a warehouse of your account'],
    [
      moveLine('STAYS', 1, { to_warehouse_no: 1 }),
      'lines[1].to_warehouse_no must be another warehouse than from_warehouse_no',
    ],
    [moveLine('NEVER', 1), 'lines[1].sku_id is not a product of your account'],
  ];
  for (const [line, message] of cases) await refused(() => move([good, line]), message);

  // Units that are in a warehouse which the account no longer uses can leave it.
  await putLot(app, { skuId: 'STAYS', qty: 2, expireDate: expire_date, warehouseNo: 3 });
  await refused(
    () => move([moveLine('STAYS', 1, { to_warehouse_no: 3 })]),
    'lines[0].to_warehouse_no is not a warehouse of your account',
  );
  assert.equal((await move([moveLine('STAYS', 2, { from_warehouse_no: 3 })])).results[0]!.to_qty, 2);
});

test('orders that wait get units of an adjustment, and units of a move at their destination', async () => {
  const key = 'alpha-second-key-of-thirty-two-characters-or-more';
  await syncProducts(app, ['WAITED']);
  assert.equal(await ship(app, 'WAIT-1', [item('WAITED', 2)]), 'awaiting_stock');
  assert.equal(await ship(app, 'WAIT-2', [item('WAITED', 2)], {}, key), 'awaiting_stock');
  await adjust([adjustLine('WAITED', { delta: 4 })]);
  assert.equal(await allocateEverything(app), 1);
  await move([moveLine('WAITED', 2)]);
  assert.equal(await allocateEverything(app), 1);
  for (const name of ['WAIT-1', 'WAIT-2']) assert.equal(await orderStatus(app, name), 'pending_warehouse_transfer');
  await assertBooksInOrder(app);
});

test('both operations need stocks.write', async () => {
  const [clientId, checkValue] = ['reader', 'reader-check-value-of-thirty-two-characters-or-more'];
  await app.provision({
    clients: [{ client_id: clientId, check_value: checkValue, account_no: 'ALPHA', permissions: ['stocks.read'] }],
  });
  for (const path of ['/stocks/adjust', '/stocks/move']) {
    const answer = await app.callMain(path, {}, { as: { clientId, checkValue } });
    assert.equal(answer.status, 403);
    assert.match(answer.json.msg, /stocks\.write/);
  }
});

test('the audit finds a move of which one side is missing, and leaves it to a person', async () => {
  await receive(app, { LOST: [[expire_date, 5]] });
  await move([moveLine('LOST', 5)], 'LOST-1');
  await assertBooksInOrder(app);
  const taken = await app.store.database.transaction(async (tx) => {
    const rows = await tx`delete from movement where reference_no = 'LOST-1' and on_hand_delta > 0 returning *`;
    await tx`update lot set on_hand = 0 where sku_id = 'LOST' and warehouse_no = 2`;
    return rows;
  });
  const { findings } = await auditStock(app.store.service);
  assert.deepEqual(
    findings.map((finding) => formatMessage(describeFinding(finding))),
    ['move LOST-1 of ALPHA: 5 of sku LOST have left, and 0 have arrived'],
  );
  const repairs = await repairAll(app.store.service, findings, 'test');
  assert.deepEqual(
    repairs.map(({ outcome }) => outcome.kind),
    ['needs_a_person'],
  );
  await app.store.database.transaction(async (tx) => {
    await tx`insert into movement select * from jsonb_populate_recordset(null::movement, ${JSON.stringify(taken)}::text::jsonb)`;
    await tx`update lot set on_hand = 5 where sku_id = 'LOST' and warehouse_no = 2`;
  });
  await assertBooksInOrder(app);
});

// The last test, because it purges all others.
test('a purge of UAT data deletes numbers before their movements, so that the audit stays clean, and frees them', async () => {
  await receive(app, { OLD: [[expire_date, 5]] });
  await move([moveLine('OLD', 2)], 'OLD-1');
  await letTimePass(app, 31);
  await move([moveLine('OLD', 1)], 'YOUNG-1');
  await purge(app);
  await assertAuditClean(app);
  const left = await textsOf(app, 'select reference_no from stock_change order by reference_no', []);
  assert.deepEqual(left, [{ reference_no: 'YOUNG-1' }]);
  assert.equal((await adjust([adjustLine('OLD', { delta: 1 })], 'OLD-1')).idempotent, false);
  await assertBooksInOrder(app);
});
