import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BodyOf } from '../../contract/console/console-call.ts';
import { productDetail, productsSearch } from '../../contract/console/products.ts';
import {
  type LedgerEntry,
  type LotRow,
  stockAuditLatest,
  stockAuditRepair,
  stockAuditRun,
  stockBySku,
  stockCorrect,
  stockExpiring,
  stockLot,
  stockMove,
  stockRegrade,
  stockSearch,
  stockSkus,
  stockSummary,
} from '../../contract/console/stock.ts';
import { type ExpiryBand, expiryBand } from '../../server/domain/stock/expiry-band.ts';
import { beta } from '../support/app.ts';
import { actionsOf, allRows, column, columns, startConsole } from '../support/console.ts';
import { assertBooksInOrder, unchanged } from '../support/logistics.ts';
import { cancelOrders, dataOf, order, putLot, receive, syncProducts } from '../support/warehouse.ts';

const { app, database, admin, staff, viewer } = await startConsole();
const tenant = (warehouse_tpw_id: string, warehouse_no: number, sellable_days_before_expiry: number | null) => ({
  warehouse_tpw_id,
  warehouse_no,
  store_no: 10,
  sellable_days_before_expiry,
});
await app.provision({
  warehouses: [{ warehouse_no: 2, name: '高雄倉' }],
  accounts: [
    { account_no: 'ALPHA', environment: 'uat', tenants: [tenant('TPW-A', 1, 10), tenant('TPW-A-2', 2, null)] },
    { account_no: 'BETA', environment: 'uat', tenants: [tenant('TPW-B', 1, 60)] },
  ],
});
afterEach(() => app.clock.set(null));

const lots = (body: BodyOf<typeof stockSearch> = {}) => allRows(viewer, stockSearch, body);

async function lotOf(skuId: string, stockType: 'good' | 'bad' = 'good'): Promise<LotRow> {
  const [lot] = await lots({ sku_id: skuId, stock_type: stockType });
  return lot!;
}

async function actions(subject: string) {
  const rows = await database.read(
    (sql) =>
      sql`select username, action, details, outcome from operator_action where subject = ${subject} order by operator_action_id`,
  );
  return rows.map((row) => ({ ...row }));
}

const measures = { length: 30.5, width: 20, height: 8, weight: 2.013 };
const rice = { sku_id: 'RICE', sku_name: '池上米 2kg', storage_type: 3, ...measures };

/** The sums of a product in one warehouse, without locked units unless stated. */
const shelf = (warehouse_no: number, stock_type: string, lotCount: number, on_hand: number, other: object = {}) => ({
  warehouse_no,
  stock_type,
  lots: lotCount,
  on_hand,
  locked: 0,
  free: on_hand,
  sellable: on_hand,
  earliest_expiry: '2031-01-01',
  ...other,
});

test('products of all accounts are found by each filter; a sku of two accounts is listed twice, also across pages', async () => {
  await syncProducts(app, ['TEA-1', 'TEA-2']);
  await syncProducts(app, ['TEA-1'], beta);
  dataOf(await app.callWarehouse('/product/sync', rice));
  await database.read((sql) => sql`update product set updated_at = '2026-10-01T00:00:00+08:00' where sku_id = 'TEA-2'`);
  const products = async (body: BodyOf<typeof productsSearch> = {}) =>
    (await allRows(viewer, productsSearch, { page_size: 1, ...body })).map((row) => `${row.account_no} ${row.sku_id}`);
  const [riceOfAlpha, one, ofBeta, two] = ['ALPHA RICE', 'ALPHA TEA-1', 'BETA TEA-1', 'ALPHA TEA-2'];
  assert.deepEqual(await products(), [riceOfAlpha, one, ofBeta, two]);
  assert.deepEqual(await products({ accounts: ['BETA'] }), [ofBeta]);
  assert.deepEqual(await products({ sku_id: 'TEA-1' }), [one, ofBeta]);
  assert.deepEqual(await products({ sku_prefix: 'TEA' }), [one, ofBeta, two]);
  assert.deepEqual(await products({ name_prefix: '池上' }), [riceOfAlpha]);
  assert.deepEqual(await products({ storage_type: 'frozen' }), [riceOfAlpha]);
  assert.deepEqual(await products({ updated_from: '2026-10-01', updated_to: '2026-10-01' }), [two]);
  assert.deepEqual(await products({ updated_to: '2026-09-30' }), []);
  assert.deepEqual(await products({ sku_prefix: 'TEA', name_prefix: 'Name of TEA-2' }), [two]);
});

test('a product shows its exact measures, and its stock in each warehouse', async () => {
  await receive(app, { RICE: [['2031-01-01', 7]] });
  dataOf(await app.callWarehouse('/product/sync', rice));
  await order(app, 'RICE-1', [['RICE', 2]]);
  const { rows } = await viewer.ask(productsSearch, { sku_id: 'RICE' });
  const { product, shelves } = await viewer.ask(productDetail, { product_id: rows[0]!.product_id });
  assert.deepEqual(product, rows[0]);
  const { product_id: _, created_at, updated_at, ...facts } = product;
  assert.deepEqual(facts, {
    account_no: 'ALPHA',
    sku_id: 'RICE',
    name: '池上米 2kg',
    storage_type: 'frozen',
    length_cm: '30.500',
    width_cm: '20.000',
    height_cm: '8.000',
    weight_kg: '2.013',
    codes: [],
    locations: [],
  });
  assert.ok(created_at.endsWith('+08:00') && updated_at.endsWith('+08:00'));
  assert.deepEqual(shelves, [shelf(1, 'good', 1, 7, { locked: 2, free: 5, sellable: 5 })]);
  assert.equal((await viewer.send('/products/detail', { product_id: 999_999 })).status, 404);
});

// 2030-05-10 in Taipei, a millisecond before it ends; and when it has ended.
const lastInstant = new Date('2030-05-10T15:59:59.999Z');
const nextDay = new Date('2030-05-10T16:00:00.000Z');

const bandRows: [expireDate: string | null, sellableFrom: string | null, band: ExpiryBand][] = [
  ['2030-05-09', null, 'expired'],
  ['2030-05-09', '2030-05-01', 'expired'],
  ['2030-05-10', null, 'within_30_days'],
  ['2030-05-10', '2030-05-11', 'unsellable'],
  ['2030-05-20', '2030-05-20', 'within_30_days'],
  ['2030-06-09', null, 'within_30_days'],
  ['2030-06-10', null, 'within_90_days'],
  ['2030-08-08', null, 'within_90_days'],
  ['2030-08-09', null, 'later'],
  ['2030-08-09', '2030-09-01', 'unsellable'],
  [null, '2030-09-01', 'none'],
];
test('the band of a lot follows from its expiry date, the day, and the day from which it is sold', () => {
  const days = { today: '2030-05-10', in30Days: '2030-06-09', in90Days: '2030-08-08' };
  for (const [expireDate, sellableFrom, band] of bandRows)
    assert.equal(expiryBand(expireDate, sellableFrom, days), band, `${expireDate} ${sellableFrom}`);
});

test('each lot is in its band by the rule of its own account and warehouse; bands, dates and counts agree', async () => {
  const days = ['2030-05-09', '2030-05-10', '2030-05-20', '2030-07-08', '2030-07-09', '2030-08-09'];
  await receive(app, { 'BAND-1': days.map((day) => [day, 2]) });
  await receive(app, { 'BAND-1': days.map((day) => [day, 3]) }, beta);
  await syncProducts(app, ['BAND-2']);
  await putLot(app, { skuId: 'BAND-2', qty: 4, expireDate: '2030-05-11', warehouseNo: 2 });
  await putLot(app, { skuId: 'BAND-2', qty: 5, expireDate: null, stockType: 'bad', batchId: 'L-1' });

  const bandsOf = async (accountNo: string) => {
    const found = await lots({ accounts: [accountNo], sku_prefix: 'BAND-', page_size: 3 });
    return columns(found, 'sku_id', 'warehouse_no', 'expire_date', 'expiry_band', 'sellable');
  };
  app.clock.set(lastInstant);
  assert.deepEqual(await bandsOf('ALPHA'), [
    ['BAND-1', 1, '2030-05-09', 'expired', 0],
    ['BAND-1', 1, '2030-05-10', 'unsellable', 0],
    ['BAND-1', 1, '2030-05-20', 'within_30_days', 2],
    ['BAND-1', 1, '2030-07-08', 'within_90_days', 2],
    ['BAND-1', 1, '2030-07-09', 'within_90_days', 2],
    ['BAND-1', 1, '2030-08-09', 'later', 2],
    ['BAND-2', 2, '2030-05-11', 'within_30_days', 4],
    ['BAND-2', 1, null, 'none', 0],
  ]);
  const ofBeta = (await bandsOf('BETA')).map(([, , , band, sellable]) => `${band} ${sellable}`);
  const unsellable = Array(3).fill('unsellable 0');
  assert.deepEqual(ofBeta, ['expired 0', ...unsellable, 'within_90_days 3', 'later 3']);
  for (const band of ['expired', 'unsellable', 'within_30_days', 'within_90_days', 'later', 'none'] as const) {
    const all = (await lots({ sku_prefix: 'BAND-' })).filter((lot) => lot.expiry_band === band);
    const found = await lots({ expiry_band: band, sku_prefix: 'BAND-', page_size: 2 });
    assert.deepEqual(column(found, 'lot_id').toSorted(), column(all, 'lot_id').toSorted(), band);
  }
  assert.deepEqual(await viewer.ask(stockSummary, {}), {
    bands: { expired: 2, unsellable: 4, within_30_days: 2, within_90_days: 3 },
    bad: 1,
  });
  assert.deepEqual((await viewer.ask(stockSummary, { accounts: ['BETA'] })).bands, {
    expired: 1,
    unsellable: 3,
    within_30_days: 0,
    within_90_days: 1,
  });
  const { lots: expiring, is_more } = await viewer.ask(stockExpiring, { within_days: 0, account_no: 'BETA', limit: 1 });
  assert.deepEqual(
    [expiring.map((lot) => [lot.expire_date, lot.days_left, lot.is_sellable]), is_more],
    [[['2030-05-09', -1, false]], true],
  );

  app.clock.set(nextDay);
  const bands = (await bandsOf('ALPHA')).map(([, , , band]) => band).join(' ');
  const laterBands = 'within_90_days within_90_days within_90_days within_30_days none';
  assert.equal(bands, `expired expired unsellable ${laterBands}`);
});

test('lots of all accounts are searched by each filter, and by several; a page goes on where the last one ended', async () => {
  await receive(app, { 'FIND-A': [['2031-01-01', 5]], 'FIND-B': [['2031-02-01', 6]] });
  await receive(app, { 'FIND-A': [['2031-03-01', 7]] }, beta);
  const inTwo = { warehouseNo: 2, stockType: 'bad', batchId: '批-7' } as const;
  await putLot(app, { skuId: 'FIND-B', qty: 2, expireDate: '2031-02-01', ...inTwo });
  await order(app, 'FIND-1', [['FIND-A', 5]]);
  const found = async (body: BodyOf<typeof stockSearch>) =>
    (await lots({ page_size: 1, ...body })).map(
      (lot) => `${lot.account_no} ${lot.sku_id} ${lot.stock_type} ${lot.free}`,
    );
  const [a, ofBeta] = ['ALPHA FIND-A good 0', 'BETA FIND-A good 7'];
  const [b, bad] = ['ALPHA FIND-B good 6', 'ALPHA FIND-B bad 2'];
  assert.deepEqual(await found({ sku_prefix: 'FIND-' }), [a, ofBeta, b, bad]);
  assert.deepEqual(await found({ sku_id: 'FIND-A' }), [a, ofBeta]);
  assert.deepEqual(await found({ accounts: ['ALPHA'], sku_prefix: 'FIND-' }), [a, b, bad]);
  assert.deepEqual(await found({ sku_prefix: 'FIND-', only_free: true }), [ofBeta, b, bad]);
  assert.deepEqual(await found({ sku_prefix: 'FIND-', stock_type: 'bad' }), [bad]);
  assert.deepEqual(await found({ batch_id: '批-7' }), [bad]);
  assert.deepEqual(await found({ warehouse_no: [2], sku_prefix: 'FIND-' }), [bad]);
  assert.deepEqual(await found({ sku_prefix: 'FIND-', expires_from: '2031-01-01', expires_to: '2031-02-01' }), [
    a,
    b,
    bad,
  ]);
  assert.deepEqual(await found({ sku_prefix: 'FIND-', expires_from: '2031-03-01' }), [ofBeta]);
  assert.deepEqual(await found({ sku_id: 'NONE' }), []);

  const [row] = (await lots({ sku_id: 'FIND-B', stock_type: 'bad' })) as [LotRow];
  const { lot_id, product_id, ...rest } = row;
  assert.ok(lot_id > 0 && product_id > 0);
  assert.deepEqual(rest, {
    account_no: 'ALPHA',
    warehouse_no: 2,
    sku_id: 'FIND-B',
    product_name: 'Name of FIND-B',
    stock_type: 'bad',
    batch_id: '批-7',
    expire_date: '2031-02-01',
    expiry_band: 'later',
    on_hand: 2,
    locked: 0,
    free: 2,
    sellable: 0,
  });
  const wrong = await viewer.send('/stock/search', { accounts: ['NOBODY'] });
  assert.deepEqual([wrong.status, wrong.json.error?.mistakes?.[0]?.path], [400, 'accounts']);
  const page = await viewer.ask(stockSearch, { sku_prefix: 'FIND-', page_size: 1 });
  const other = await viewer.send('/stock/search', { sku_prefix: 'FIND-A', page_size: 1, cursor: page.next_cursor });
  assert.deepEqual([other.status, other.json.error?.mistakes?.[0]?.path], [400, 'cursor']);
});

test('by sku: each product with its sums, also those of which nothing is left; of one product, each warehouse and each lot', async () => {
  await receive(app, { 'SUM-1': [['2031-01-01', 5]], 'SUM-2': [['2031-01-01', 1]] });
  await receive(app, { 'SUM-1': [['2031-02-01', 6]] });
  await receive(app, { 'SUM-1': [['2031-03-01', 9]] }, beta);
  await syncProducts(app, ['SUM-3']);
  await putLot(app, { skuId: 'SUM-1', qty: 4, expireDate: null, warehouseNo: 2, stockType: 'bad' });
  await order(app, 'SUM-1', [['SUM-1', 2]]);
  const sums = async (body: BodyOf<typeof stockSkus>) => {
    const rows = await allRows(viewer, stockSkus, { sku_prefix: 'SUM-', page_size: 1, ...body });
    const joined = rows.map((row) => ({ ...row, warehouses: row.warehouses.join() }));
    const units = ['lots', 'on_hand', 'locked', 'free', 'sellable', 'bad'] as const;
    return columns(joined, 'account_no', 'sku_id', 'warehouses', ...units);
  };
  const [one, ofBeta, two, three] = [
    ['ALPHA', 'SUM-1', '1,2', 3, 15, 2, 13, 9, 4],
    ['BETA', 'SUM-1', '1', 1, 9, 0, 9, 9, 0],
    ['ALPHA', 'SUM-2', '1', 1, 1, 0, 1, 1, 0],
    ['ALPHA', 'SUM-3', '', 0, 0, 0, 0, 0, 0],
  ];
  assert.deepEqual(await sums({}), [one, ofBeta, two, three]);
  assert.deepEqual(await sums({ only_stocked: true }), [one, ofBeta, two]);
  assert.deepEqual(await sums({ warehouse_no: [2], only_stocked: true }), [['ALPHA', 'SUM-1', '2', 1, 4, 0, 4, 0, 4]]);
  assert.deepEqual(await sums({ accounts: ['BETA'] }), [ofBeta]);

  const { product_id } = await lotOf('SUM-1');
  const { shelves, lots: below, is_more, ...product } = await viewer.ask(stockBySku, { product_id });
  assert.equal(product.product_id, product_id);
  assert.deepEqual(shelves, [
    shelf(1, 'good', 2, 11, { locked: 2, free: 9, sellable: 9 }),
    shelf(2, 'bad', 1, 4, { sellable: 0, earliest_expiry: null }),
  ]);
  assert.deepEqual([column(below, 'expire_date'), is_more], [['2031-01-01', '2031-02-01', null], false]);
  assert.equal((await viewer.send('/stock/by-sku', { product_id: 999_999 })).status, 404);
});

test('a lot shows its movements newest first, with the balance after each, on every page and whatever happens meanwhile', async () => {
  const first = await receive(app, { LEDGER: [['2031-01-01', 10]], 'LEDGER-OTHER': [['2031-01-01', 1]] });
  await order(app, 'LEDGER-1', [['LEDGER', 4]]);
  await order(app, 'LEDGER-2', [['LEDGER', 1]]);
  await cancelOrders(app, ['LEDGER-1']);
  const { lot_id } = await lotOf('LEDGER');
  await staff.ask(stockCorrect, { lot_id, units: -2, reason: '盤點少兩件' });
  const again = await receive(app, { LEDGER: [['2031-01-01', 3]] });

  const rows: LedgerEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof viewer.ask<typeof stockLot>>> = await viewer.ask(stockLot, {
      lot_id,
      page_size: 2,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...page.rows);
    cursor = page.next_cursor;
    assert.deepEqual(page.unexplained, cursor === null ? { on_hand: 0, locked: 0 } : null);
    await staff.ask(stockCorrect, { lot_id, units: 1, reason: 'meanwhile' });
  } while (cursor !== null);
  const shown = columns(rows, 'kind', 'on_hand_delta', 'locked_delta', 'on_hand_after', 'locked_after', 'document_no');
  assert.deepEqual(shown, [
    ['receive', 3, 0, 11, 1, again],
    ['adjust', -2, 0, 8, 1, null],
    ['unlock', 0, -4, 10, 1, 'LEDGER-1'],
    ['lock', 0, 1, 10, 5, 'LEDGER-2'],
    ['lock', 0, 4, 10, 4, 'LEDGER-1'],
    ['receive', 10, 0, 10, 0, first],
  ]);
  const [received, correction, unlocked] = rows as [LedgerEntry, LedgerEntry, LedgerEntry];
  assert.deepEqual([correction.actor, correction.reason], ['operator packer', '盤點少兩件']);
  assert.ok(correction.trace_id !== null && received.inbound_id !== null && unlocked.order_id !== null);
  assert.equal(received.order_id, null);

  const { lot, counterpart } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual(
    [lot.on_hand, lot.locked, lot.free, lot.sellable, lot.warehouse_name, counterpart],
    [14, 1, 13, 13, 'Taoyuan', null],
  );
  assert.equal((await viewer.send('/stock/lot', { lot_id: 999_999 })).status, 404);
  const other = await lotOf('LEDGER-OTHER');
  const { next_cursor } = await viewer.ask(stockLot, { lot_id, page_size: 1 });
  assert.equal((await viewer.send('/stock/lot', { lot_id: other.lot_id, cursor: next_cursor })).status, 400);
});

test('a correction and a regrade are made with a reason, in the ledger and in the audit log with who made them', async () => {
  await receive(app, { HAND: [['2031-01-01', 10]] });
  await order(app, 'HAND-1', [['HAND', 4]]);
  const { lot_id } = await lotOf('HAND');
  assert.deepEqual(await staff.ask(stockCorrect, { lot_id, units: 3, reason: 'found' }), {
    kind: 'corrected',
    on_hand_before: 10,
    on_hand: 13,
    locked: 4,
  });
  assert.deepEqual(await admin.ask(stockRegrade, { lot_id, units: 2, reason: 'wet' }), {
    kind: 'regraded',
    to: 'bad',
    free_good: 7,
    free_bad: 2,
  });
  const bad = await lotOf('HAND', 'bad');
  assert.deepEqual(await staff.ask(stockRegrade, { lot_id: bad.lot_id, units: 1, reason: 'dry again' }), {
    kind: 'regraded',
    to: 'good',
    free_good: 8,
    free_bad: 1,
  });
  const { lot, counterpart, rows } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual([lot.on_hand, lot.free, counterpart], [12, 8, { lot_id: bad.lot_id, on_hand: 1, locked: 0 }]);
  assert.deepEqual(columns(rows.slice(0, 3), 'on_hand_delta', 'actor', 'reason'), [
    [1, 'operator packer', 'dry again'],
    [-2, 'operator boss', 'wet'],
    [3, 'operator packer', 'found'],
  ]);
  assert.deepEqual(columns(await actions(`lot ${lot_id}`), 'username', 'action', 'details', 'outcome'), [
    ['packer', 'stock/correct', { units: 3, reason: 'found' }, 'corrected'],
    ['boss', 'stock/regrade', { units: 2, reason: 'wet' }, 'regraded'],
  ]);
  await assertBooksInOrder(app);
});

test('units move to another warehouse of the account; both ledgers name the other warehouse, the number and the reason', async () => {
  await receive(app, { MOVED: [['2031-01-01', 10]] });
  await order(app, 'MOVED-1', [['MOVED', 4]]);
  const { lot_id } = await lotOf('MOVED');
  const { destinations } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual(destinations, [{ warehouse_no: 2, name: '高雄倉' }]);

  const body = { lot_id, to_warehouse_no: 2, units: 5, reason: '補貨', reference_no: 'MV-1' };
  const moved = { on_hand_from: 5, on_hand_to: 5 };
  assert.deepEqual(await staff.ask(stockMove, body), { kind: 'moved', ...moved });
  assert.deepEqual(await unchanged(app, () => staff.ask(stockMove, body)), { kind: 'repeated', ...moved });
  const refusals: [object, object][] = [
    [{ units: 4 }, { kind: 'conflict' }],
    [{ reference_no: 'MV-2' }, { kind: 'too_few_free', free: 1, locked: 4 }],
    [{ reference_no: 'MV-2', to_warehouse_no: 1 }, { kind: 'same_warehouse' }],
    [
      { reference_no: 'MV-2', to_warehouse_no: 9, units: 1 },
      { kind: 'not_found', what: 'warehouse' },
    ],
    [{ lot_id: 999_999 }, { kind: 'not_found', what: 'lot' }],
  ];
  for (const [other, refused] of refusals)
    assert.deepEqual(await unchanged(app, () => staff.ask(stockMove, { ...body, ...other })), refused);

  const there = (await lots({ sku_id: 'MOVED', warehouse_no: [2] }))[0]!;
  const entryOf = async (id: number) => {
    const { rows } = await viewer.ask(stockLot, { lot_id: id });
    return columns(rows.slice(0, 1), 'on_hand_delta', 'other_warehouse_no', 'reference_no', 'reason', 'actor')[0];
  };
  assert.deepEqual(await entryOf(lot_id), [-5, 2, 'MV-1', '補貨', 'operator packer']);
  assert.deepEqual(await entryOf(there.lot_id), [5, 1, 'MV-1', '補貨', 'operator packer']);

  // Without a number of the operator's own, each call moves units.
  const { reference_no: _, ...unnumbered } = { ...body, lot_id: there.lot_id, to_warehouse_no: 1, units: 1 };
  for (const on_hand_to of [6, 7])
    assert.deepEqual(await staff.ask(stockMove, unnumbered), {
      kind: 'moved',
      on_hand_from: 10 - on_hand_to,
      on_hand_to,
    });
  assert.deepEqual((await actions(`lot ${lot_id}`))[0], {
    username: 'packer',
    action: 'stock/move',
    details: { to_warehouse_no: 2, units: 5, reason: '補貨', reference_no: 'MV-1' },
    outcome: 'moved',
  });
  await assertBooksInOrder(app);
});

test('units held for orders cannot be taken, and a change needs a reason; refusals change nothing and are in the audit log', async () => {
  await receive(app, { HELD: [['2031-01-01', 5]] });
  await order(app, 'HELD-1', [['HELD', 4]]);
  const { lot_id } = await lotOf('HELD');
  const tooFew = { kind: 'too_few_free', free: 1, locked: 4 };
  const none = { kind: 'not_found', what: 'lot' };
  for (const [call, units] of [
    [stockCorrect, -2],
    [stockRegrade, 2],
  ] as const) {
    const ask = (body: object) =>
      unchanged(app, () => staff.send(call.path, { lot_id, units, reason: 'wet', ...body }));
    assert.deepEqual((await ask({})).json, tooFew);
    assert.deepEqual((await ask({ lot_id: 999_999 })).json, none);
    for (const wrong of [{ units: 0 }, { reason: ' ' }, { reason: undefined }])
      assert.equal((await ask(wrong)).status, 400);
  }
  assert.deepEqual(columns(await actions(`lot ${lot_id}`), 'action', 'outcome'), [
    ['stock/correct', 'too_few_free'],
    ['stock/regrade', 'too_few_free'],
  ]);
});

test('an audit is stored with its findings, which only an admin repairs', async () => {
  const clean = await staff.ask(stockAuditRun, {});
  assert.deepEqual([clean.kind, 'findings' in clean && clean.findings], ['audited', []]);
  await receive(app, { TAMPER: [['2031-01-01', 10]], GHOST: [['2031-01-01', 5]] });
  await order(app, 'GHOST-1', [['GHOST', 2]]);
  const [{ lot_id }] = (await lots({ sku_id: 'TAMPER' })) as [LotRow];
  await database.read((sql) => sql`update lot set on_hand = on_hand + 5 where lot_id = ${lot_id}`);
  await app.store.database.transaction(
    (tx) => tx`update orders set status = 'cancelled' where partner_number = 'GHOST-1'`,
  );

  const found = await staff.ask(stockAuditRun, {});
  assert.ok(found.kind === 'audited');
  assert.deepEqual(found.findings[0], {
    kind: 'balance',
    lot_id,
    account_no: 'ALPHA',
    sku_id: 'TAMPER',
    warehouse_no: 1,
    on_hand: 15,
    on_hand_moved: 10,
    locked: 0,
    locked_moved: 0,
  });
  const [, ghost] = found.findings;
  assert.ok(ghost?.kind === 'lock' && ghost.order_id !== null);
  assert.deepEqual(
    [ghost.partner_number, ghost.status, ghost.held, ghost.owed, found.findings_count],
    ['GHOST-1', 'cancelled', 2, 0, 2],
  );
  assert.deepEqual((await viewer.ask(stockLot, { lot_id })).unexplained, { on_hand: 5, locked: 0 });
  const { audits } = await viewer.ask(stockAuditLatest, {});
  assert.deepEqual(column(audits.slice(0, 2), 'findings'), [2, 0]);
  assert.match(audits[0]!.at, /\+08:00$/);

  const repaired = await admin.ask(stockAuditRepair, {});
  assert.ok(repaired.kind === 'repaired');
  const repairs = repaired.repairs.map(({ finding, outcome }) => `${finding.kind} ${outcome}`);
  assert.deepEqual([repairs, repaired.findings_count], [['balance repaired', 'lock repaired'], 0]);
  const { lot, rows, unexplained } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual(
    [lot.on_hand, rows[0]!.on_hand_delta, rows[0]!.actor, unexplained],
    [15, 5, 'operator boss', { on_hand: 0, locked: 0 }],
  );
  await assertBooksInOrder(app);
  const ran = [...(await actionsOf(app, 'stock/audit-run')), ...(await actionsOf(app, 'stock/audit-repair'))];
  assert.deepEqual(columns(ran, 'username', 'outcome'), [
    ['packer', 'audited'],
    ['packer', 'audited'],
    ['boss', 'repaired'],
  ]);
});
