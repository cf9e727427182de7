import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BodyOf } from '../../contract/console/console-call.ts';
import { stockAuditLatest, stockAuditRepair, stockAuditRun } from '../../contract/console/stock-audit.ts';
import { stockBySku } from '../../contract/console/stock-by-sku.ts';
import { stockCorrect } from '../../contract/console/stock-correct.ts';
import { stockExpiring } from '../../contract/console/stock-expiring.ts';
import { type LedgerEntry, stockLot } from '../../contract/console/stock-lot.ts';
import { stockRegrade } from '../../contract/console/stock-regrade.ts';
import { stockSearch } from '../../contract/console/stock-search.ts';
import { stockSkus } from '../../contract/console/stock-skus.ts';
import { stockSummary } from '../../contract/console/stock-summary.ts';
import type { LotRow } from '../../contract/console/stock-values.ts';
import { type ExpiryBand, expiryBand } from '../../server/domain/stock/expiry-band.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { assertBooksInOrder, unchanged } from '../support/logistics.ts';
import { cancelOrders, order, putLot, receive, syncProducts, withoutTriggers } from '../support/warehouse.ts';

const app = await startTestApp();
const { database } = app.store;
await provisionOperators(app);
const tenant = (caller: typeof alpha, warehouse_no: number, sellable_days_before_expiry: number | null, suffix = '') => ({
  ...{ warehouse_tpw_id: `${caller.warehouseTpwId}${suffix}`, warehouse_no, store_no: 10, sellable_days_before_expiry },
});
await app.provision({
  warehouses: [{ warehouse_no: 2, name: '高雄倉' }],
  accounts: [
    { account_no: 'ALPHA', environment: 'uat', tenants: [tenant(alpha, 1, 10), tenant(alpha, 2, null, '-2')] },
    { account_no: 'BETA', environment: 'uat', tenants: [tenant(beta, 1, 60)] },
  ],
});
const [viewer, staff, admin] = [await signIn(app, 'viewer'), await signIn(app, 'staff'), await signIn(app, 'admin')];
afterEach(() => app.clock.set(null));

/** All pages of a search. */
async function lots(body: BodyOf<typeof stockSearch> = {}): Promise<LotRow[]> {
  const rows: LotRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: LotRow[]; next_cursor: string | null } = await viewer.ask(stockSearch, {
      ...body,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...page.rows);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

async function lotOf(skuId: string, stockType: 'good' | 'bad' = 'good'): Promise<LotRow> {
  const [lot] = await lots({ sku_id: skuId, stock_type: stockType });
  return lot!;
}

async function actions(subject: string) {
  const rows = await database.read(
    (sql) => sql`select username, action, details, outcome from operator_action where subject = ${subject} order by operator_action_id`,
  );
  return rows.map((row) => ({ ...row }));
}

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
for (const [expireDate, sellableFrom, band] of bandRows) {
  test(`on 2030-05-10, ${expireDate ?? 'no expiry'} where ${sellableFrom ?? 'everything'} is sold from, is ${band}`, () => {
    assert.equal(expiryBand(expireDate, sellableFrom, { today: '2030-05-10', in30Days: '2030-06-09', in90Days: '2030-08-08' }), band);
  });
}

test('each lot is in its band by the rule of its own account and warehouse; bands, dates and counts agree', async () => {
  const days = ['2030-05-09', '2030-05-10', '2030-05-20', '2030-07-08', '2030-07-09', '2030-08-09'];
  await receive(app, { 'BAND-1': days.map((day) => [day, 2]) });
  await receive(app, { 'BAND-1': days.map((day) => [day, 3]) }, beta);
  await syncProducts(app, ['BAND-2']);
  await putLot(app, { skuId: 'BAND-2', qty: 4, expireDate: '2030-05-11', warehouseNo: 2 });
  await putLot(app, { skuId: 'BAND-2', qty: 5, expireDate: null, stockType: 'bad', batchId: 'L-1' });

  const bandsOf = async (accountNo: string) =>
    (await lots({ accounts: [accountNo], sku_prefix: 'BAND-', page_size: 3 })).map((lot) => [
      ...[lot.sku_id, lot.warehouse_no, lot.expire_date, lot.expiry_band, lot.sellable],
    ]);
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
  assert.deepEqual(
    (await bandsOf('BETA')).map(([, , , band, sellable]) => [band, sellable]),
    [
      ['expired', 0],
      ['unsellable', 0],
      ['unsellable', 0],
      ['unsellable', 0],
      ['within_90_days', 3],
      ['later', 3],
    ],
  );
  for (const band of ['expired', 'unsellable', 'within_30_days', 'within_90_days', 'later', 'none'] as const) {
    const all = (await lots({ sku_prefix: 'BAND-' })).filter((lot) => lot.expiry_band === band).map((lot) => lot.lot_id);
    const found = (await lots({ expiry_band: band, sku_prefix: 'BAND-', page_size: 2 })).map((lot) => lot.lot_id);
    assert.deepEqual(found.toSorted(), all.toSorted(), band);
  }
  assert.deepEqual(await viewer.ask(stockSummary, {}), {
    ...{ bands: { expired: 2, unsellable: 4, within_30_days: 2, within_90_days: 3 }, bad: 1 },
  });
  assert.deepEqual((await viewer.ask(stockSummary, { accounts: ['BETA'] })).bands, {
    ...{ expired: 1, unsellable: 3, within_30_days: 0, within_90_days: 1 },
  });
  const { lots: expiring, is_more } = await viewer.ask(stockExpiring, { within_days: 0, account_no: 'BETA', limit: 1 });
  assert.deepEqual(
    [expiring.map((lot) => [lot.expire_date, lot.days_left, lot.is_sellable]), is_more],
    [[['2030-05-09', -1, false]], true],
  );

  app.clock.set(nextDay);
  assert.deepEqual(
    (await bandsOf('ALPHA')).map(([, , , band]) => band),
    ['expired', 'expired', 'unsellable', 'within_90_days', 'within_90_days', 'within_90_days', 'within_30_days', 'none'],
  );
});

test('lots of all accounts are searched by each filter, and by several; a page goes on where the last one ended', async () => {
  await receive(app, { 'FIND-A': [['2031-01-01', 5]], 'FIND-B': [['2031-02-01', 6]] });
  await receive(app, { 'FIND-A': [['2031-03-01', 7]] }, beta);
  await putLot(app, { skuId: 'FIND-B', qty: 2, expireDate: '2031-02-01', warehouseNo: 2, stockType: 'bad', batchId: '批-7' });
  await order(app, 'FIND-1', [['FIND-A', 5]]);
  const found = async (body: BodyOf<typeof stockSearch>) =>
    (await lots({ page_size: 1, ...body })).map((lot) => `${lot.account_no} ${lot.sku_id} ${lot.stock_type} ${lot.free}`);
  const [a, ofBeta, b, bad] = ['ALPHA FIND-A good 0', 'BETA FIND-A good 7', 'ALPHA FIND-B good 6', 'ALPHA FIND-B bad 2'];
  assert.deepEqual(await found({ sku_prefix: 'FIND-' }), [a, ofBeta, b, bad]);
  assert.deepEqual(await found({ sku_id: 'FIND-A' }), [a, ofBeta]);
  assert.deepEqual(await found({ accounts: ['ALPHA'], sku_prefix: 'FIND-' }), [a, b, bad]);
  assert.deepEqual(await found({ sku_prefix: 'FIND-', only_free: true }), [ofBeta, b, bad]);
  assert.deepEqual(await found({ sku_prefix: 'FIND-', stock_type: 'bad' }), [bad]);
  assert.deepEqual(await found({ batch_id: '批-7' }), [bad]);
  assert.deepEqual(await found({ warehouse_no: [2], sku_prefix: 'FIND-' }), [bad]);
  assert.deepEqual(await found({ expires_from: '2031-01-01', expires_to: '2031-02-01' }), [a, b, bad]);
  assert.deepEqual(await found({ expires_from: '2031-03-01' }), [ofBeta]);
  assert.deepEqual(await found({ sku_id: 'NONE' }), []);

  const [row] = (await lots({ sku_id: 'FIND-B', stock_type: 'bad' })) as [LotRow];
  const { lot_id, product_id, ...rest } = row;
  assert.ok(lot_id > 0 && product_id > 0);
  assert.deepEqual(rest, {
    ...{ account_no: 'ALPHA', warehouse_no: 2, sku_id: 'FIND-B', product_name: 'Name of FIND-B', stock_type: 'bad', batch_id: '批-7' },
    ...{ expire_date: '2031-02-01', expiry_band: 'later', on_hand: 2, locked: 0, free: 2, sellable: 0 },
  });
  const wrong = await viewer.send('/stock/search', { accounts: ['NOBODY'] });
  assert.deepEqual([wrong.status, wrong.json.error?.mistakes?.[0]?.path], [400, 'accounts']);
  const page = await viewer.ask(stockSearch, { sku_prefix: 'FIND-', page_size: 1 });
  const other = await viewer.send('/stock/search', { sku_prefix: 'FIND-A', page_size: 1, cursor: page.next_cursor });
  assert.deepEqual([other.status, other.json.error?.mistakes?.[0]?.path], [400, 'cursor']);
});

test('by sku: each product with its sums, also those of which nothing is left; of one product, each warehouse and each lot', async () => {
  await receive(app, {
    'SUM-1': [
      ['2031-01-01', 5],
      ['2031-02-01', 6],
    ],
    'SUM-2': [['2031-01-01', 1]],
  });
  await receive(app, { 'SUM-1': [['2031-03-01', 9]] }, beta);
  await syncProducts(app, ['SUM-3']);
  await putLot(app, { skuId: 'SUM-1', qty: 4, expireDate: null, warehouseNo: 2, stockType: 'bad' });
  await order(app, 'SUM-1', [['SUM-1', 2]]);
  const sums = async (body: BodyOf<typeof stockSkus>) => {
    const { rows } = await viewer.ask(stockSkus, { sku_prefix: 'SUM-', ...body });
    return rows.map((row) => [
      row.account_no,
      row.sku_id,
      row.warehouses.join(),
      row.lots,
      row.on_hand,
      row.locked,
      row.free,
      row.sellable,
      row.bad,
    ]);
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
  const first = await viewer.ask(stockSkus, { sku_prefix: 'SUM-', page_size: 1 });
  const second = await viewer.ask(stockSkus, { sku_prefix: 'SUM-', page_size: 1, cursor: first.next_cursor! });
  assert.deepEqual(
    [first, second].map(({ rows }) => rows[0]!.account_no),
    ['ALPHA', 'BETA'],
  );

  const { product_id, shelves, lots: below, is_more } = await viewer.ask(stockBySku, { product_id: first.rows[0]!.product_id });
  assert.equal(product_id, first.rows[0]!.product_id);
  assert.deepEqual(shelves, [
    { warehouse_no: 1, stock_type: 'good', lots: 2, on_hand: 11, locked: 2, free: 9, sellable: 9, earliest_expiry: '2031-01-01' },
    { warehouse_no: 2, stock_type: 'bad', lots: 1, on_hand: 4, locked: 0, free: 4, sellable: 0, earliest_expiry: null },
  ]);
  assert.deepEqual([below.map((lot) => lot.expire_date), is_more], [['2031-01-01', '2031-02-01', null], false]);
  assert.equal((await viewer.send('/stock/by-sku', { product_id: 999_999 })).status, 404);
});

test('a lot tells its movements newest first, with the balance after each, on every page and whatever happens meanwhile', async () => {
  await receive(app, { LEDGER: [['2031-01-01', 10]], 'LEDGER-OTHER': [['2031-01-01', 1]] });
  await order(app, 'LEDGER-1', [['LEDGER', 4]]);
  await order(app, 'LEDGER-2', [['LEDGER', 1]]);
  await cancelOrders(app, ['LEDGER-1']);
  const { lot_id } = await lotOf('LEDGER');
  await staff.ask(stockCorrect, { lot_id, units: -2, reason: '盤點少兩件' });
  await receive(app, { LEDGER: [['2031-01-01', 3]] });

  const rows: LedgerEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof viewer.ask<typeof stockLot>>> = await viewer.ask(stockLot, {
      ...{ lot_id, page_size: 2, ...(cursor === null ? {} : { cursor }) },
    });
    rows.push(...page.rows);
    cursor = page.next_cursor;
    assert.deepEqual(page.unexplained, cursor === null ? { on_hand: 0, locked: 0 } : null);
    await staff.ask(stockCorrect, { lot_id, units: 1, reason: 'meanwhile' });
  } while (cursor !== null);
  assert.deepEqual(
    rows.map((row) => [row.kind, row.on_hand_delta, row.locked_delta, row.on_hand_after, row.locked_after, row.document_no]),
    [
      ['receive', 3, 0, 11, 1, rows[0]!.document_no],
      ['adjust', -2, 0, 8, 1, null],
      ['unlock', 0, -4, 10, 1, 'LEDGER-1'],
      ['lock', 0, 1, 10, 5, 'LEDGER-2'],
      ['lock', 0, 4, 10, 4, 'LEDGER-1'],
      ['receive', 10, 0, 10, 0, rows[5]!.document_no],
    ],
  );
  const [received, correction, unlocked] = rows as [LedgerEntry, LedgerEntry, LedgerEntry];
  assert.deepEqual([correction.actor, correction.reason], ['operator packer', '盤點少兩件']);
  assert.ok(correction.trace_id !== null && received.inbound_id !== null && received.order_id === null && unlocked.order_id !== null);

  const { lot, counterpart } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual([lot.on_hand, lot.locked, lot.free, lot.sellable, lot.warehouse_name, counterpart], [14, 1, 13, 13, 'Taoyuan', null]);
  assert.equal((await viewer.send('/stock/lot', { lot_id: 999_999 })).status, 404);
  const other = await lotOf('LEDGER-OTHER');
  const { next_cursor } = await viewer.ask(stockLot, { lot_id, page_size: 1 });
  assert.equal((await viewer.send('/stock/lot', { lot_id: other.lot_id, cursor: next_cursor })).status, 400);
});

test('a correction and a regrade are made with a reason, in the ledger and in the audit log with who made them', async () => {
  await receive(app, { HAND: [['2031-01-01', 10]] });
  await order(app, 'HAND-1', [['HAND', 4]]);
  const { lot_id } = await lotOf('HAND');
  assert.deepEqual(await staff.ask(stockCorrect, { lot_id, units: 3, reason: 'found behind the shelf' }), {
    ...{ kind: 'corrected', on_hand_before: 10, on_hand: 13, locked: 4 },
  });
  assert.deepEqual(await admin.ask(stockRegrade, { lot_id, units: 2, reason: 'wet' }), {
    kind: 'regraded',
    to: 'bad',
    free_good: 7,
    free_bad: 2,
  });
  const bad = await lotOf('HAND', 'bad');
  assert.deepEqual(await staff.ask(stockRegrade, { lot_id: bad.lot_id, units: 1, reason: 'dry again' }), {
    ...{ kind: 'regraded', to: 'good', free_good: 8, free_bad: 1 },
  });
  const { lot, counterpart, rows } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual([lot.on_hand, lot.free, counterpart], [12, 8, { lot_id: bad.lot_id, on_hand: 1, locked: 0 }]);
  assert.deepEqual(
    rows.slice(0, 3).map((row) => [row.on_hand_delta, row.actor, row.reason]),
    [
      [1, 'operator packer', 'dry again'],
      [-2, 'operator boss', 'wet'],
      [3, 'operator packer', 'found behind the shelf'],
    ],
  );
  assert.deepEqual(await actions(`lot ${lot_id}`), [
    { username: 'packer', action: 'stock/correct', details: { units: 3, reason: 'found behind the shelf' }, outcome: 'corrected' },
    { username: 'boss', action: 'stock/regrade', details: { units: 2, reason: 'wet' }, outcome: 'regraded' },
  ]);
  await assertBooksInOrder(app);
});

test('what orders hold cannot be taken, a change needs a reason, read-only may not: nothing changes, and refusals are in the audit log', async () => {
  await receive(app, { HELD: [['2031-01-01', 5]] });
  await order(app, 'HELD-1', [['HELD', 4]]);
  const { lot_id } = await lotOf('HELD');
  const tooFew = { kind: 'too_few_free', free: 1, locked: 4 };
  assert.deepEqual(await unchanged(app, () => staff.ask(stockCorrect, { lot_id, units: -2, reason: 'lost' })), tooFew);
  assert.deepEqual(await unchanged(app, () => staff.ask(stockRegrade, { lot_id, units: 2, reason: 'wet' })), tooFew);
  const none = { kind: 'not_found', what: 'lot' };
  assert.deepEqual(await unchanged(app, () => staff.ask(stockCorrect, { lot_id: 999_999, units: 1, reason: 'lost' })), none);
  assert.deepEqual(await unchanged(app, () => staff.ask(stockRegrade, { lot_id: 999_999, units: 1, reason: 'lost' })), none);
  for (const wrong of [{ units: 0, reason: 'a' }, { units: 1.5, reason: 'a' }, { units: 1, reason: ' ' }, { units: 1 }]) {
    assert.equal((await unchanged(app, () => staff.send('/stock/correct', { lot_id, ...wrong }))).status, 400);
    assert.equal((await unchanged(app, () => staff.send('/stock/regrade', { lot_id, ...wrong }))).status, 400);
  }
  for (const path of ['/stock/correct', '/stock/regrade']) {
    assert.equal((await unchanged(app, () => viewer.send(path, { lot_id, units: 1, reason: 'a' }))).status, 403);
  }
  assert.deepEqual(
    (await actions(`lot ${lot_id}`)).map(({ action, outcome }) => [action, outcome]),
    [
      ['stock/correct', 'too_few_free'],
      ['stock/regrade', 'too_few_free'],
    ],
  );
});

test('two operators correct the last free unit away at once: one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const sku = `RACE-${round}`;
    await receive(app, { [sku]: [['2031-01-01', 3]] });
    await order(app, sku, [[sku, 2]]);
    const { lot_id } = await lotOf(sku);
    const outcomes = await Promise.all([staff, admin].map((user) => user.ask(stockCorrect, { lot_id, units: -1, reason: 'lost' })));
    assert.deepEqual(
      outcomes.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      [
        { kind: 'corrected', on_hand_before: 3, on_hand: 2, locked: 2 },
        { kind: 'too_few_free', free: 0, locked: 2 },
      ],
    );
    const { lot } = await viewer.ask(stockLot, { lot_id });
    assert.deepEqual([lot.on_hand, lot.locked], [2, 2]);
  }
  await assertBooksInOrder(app);
});

test('an audit is made and kept; what does not add up is told, and brought in order by an admin only', async () => {
  const clean = await staff.ask(stockAuditRun, {});
  assert.deepEqual([clean.kind, 'findings' in clean && clean.findings], ['audited', []]);
  await receive(app, { TAMPER: [['2031-01-01', 10]], GHOST: [['2031-01-01', 5]] });
  await order(app, 'GHOST-1', [['GHOST', 2]]);
  const [{ lot_id }] = (await lots({ sku_id: 'TAMPER' })) as [LotRow];
  await database.read((sql) => sql`update lot set on_hand = on_hand + 5 where lot_id = ${lot_id}`);
  await withoutTriggers(app, (tx) => tx`update orders set status = 'cancelled' where partner_number = 'GHOST-1'`);

  const found = await staff.ask(stockAuditRun, {});
  assert.ok(found.kind === 'audited');
  assert.deepEqual(found.findings[0], {
    ...{ kind: 'balance', lot_id, account_no: 'ALPHA', sku_id: 'TAMPER', warehouse_no: 1 },
    ...{ on_hand: 15, on_hand_moved: 10, locked: 0, locked_moved: 0 },
  });
  const [, ghost] = found.findings;
  assert.ok(ghost?.kind === 'lock' && ghost.order_id !== null);
  assert.deepEqual([ghost.partner_number, ghost.status, ghost.held, ghost.owed, found.findings_count], ['GHOST-1', 'cancelled', 2, 0, 2]);
  assert.deepEqual((await viewer.ask(stockLot, { lot_id })).unexplained, { on_hand: 5, locked: 0 });
  const { audits } = await viewer.ask(stockAuditLatest, {});
  assert.deepEqual(
    audits.slice(0, 2).map(({ findings }) => findings),
    [2, 0],
  );
  assert.match(audits[0]!.at, /\+08:00$/);

  assert.equal((await viewer.send('/stock/audit-run', {})).status, 403);
  assert.equal((await unchanged(app, () => staff.send('/stock/audit-repair', {}))).status, 403);
  const repaired = await admin.ask(stockAuditRepair, {});
  assert.ok(repaired.kind === 'repaired');
  assert.deepEqual(
    [repaired.repairs.map(({ finding, outcome }) => [finding.kind, outcome]), repaired.findings_count],
    [
      [
        ['balance', 'repaired'],
        ['lock', 'repaired'],
      ],
      0,
    ],
  );
  const { lot, rows, unexplained } = await viewer.ask(stockLot, { lot_id });
  assert.deepEqual([lot.on_hand, rows[0]!.on_hand_delta, rows[0]!.actor, unexplained], [15, 5, 'operator boss', { on_hand: 0, locked: 0 }]);
  await assertBooksInOrder(app);
  const ran = await database.read(
    (sql) => sql`select username, action, outcome from operator_action where action like 'stock/audit%' order by operator_action_id`,
  );
  assert.deepEqual(
    ran.map((row) => [row.username, row.action, row.outcome]),
    [
      ['packer', 'stock/audit-run', 'audited'],
      ['packer', 'stock/audit-run', 'audited'],
      ['boss', 'stock/audit-repair', 'repaired'],
    ],
  );
});
