import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  countBook,
  countCreate,
  countDiscard,
  countEnter,
  countFind,
  countRecount,
  countReview,
  countSearch,
  countSheet,
  countUndo,
} from '../../contract/console/counts.ts';
import { stockLot, stockSearch } from '../../contract/console/stock.ts';
import { actionsOf, columns, startConsole } from '../support/console.ts';
import { advanceOrder, beginCount, expiry } from '../support/counting.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, unchanged } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { order, putLot, receive, syncProducts } from '../support/warehouse.ts';

const { app, admin, staff } = await startConsole();
await provisionLive(app);
await app.provision({
  warehouses: [
    { warehouse_no: 1, name: '桃園', connector: { type: 'manual' } },
    { warehouse_no: 3, name: 'simulated', connector: { type: 'simulator' } },
  ],
});

/** The units on hand and locked of the good lots of a sku. */
async function balance(sku_id: string): Promise<[number, number][]> {
  const { rows } = await staff.ask(stockSearch, { accounts: [live.accountNo], sku_id });
  return rows.map(({ on_hand, locked }) => [on_hand, locked]);
}

const wanted = (other: object) => ({
  request_id: randomUUID(),
  account_no: live.accountNo,
  warehouse_no: 1,
  scope: 'skus' as const,
  ...other,
});

test('a count is of a location, of skus or of a warehouse; a repeat of the request finds it', async () => {
  await receive(app, { 'A-1': [[expiry, 4]], 'A-2': [[expiry, 4]], 'B-1': [[expiry, 4]] }, live);
  const at = (sku_id: string, location: string) => ({ sku_id, locations: [{ warehouse_no: 1, location }] });
  const products = [at('A-1', 'A-10'), at('A-2', 'A-10'), at('B-1', 'A-2')];
  retvalOf(await app.callMain('/products/update', { products }, { as: live }));

  const location = wanted({ scope: 'location', location: 'A-10' });
  const created = await staff.ask(countCreate, location);
  assert.equal(created.kind, 'created');
  assert.deepEqual(await admin.ask(countCreate, location), created);
  const sheetOf = async (body: object) => {
    const { count_id } = (await staff.ask(countCreate, wanted(body))) as { count_id: number };
    const { products, lines, count } = await staff.ask(countSheet, { count_id });
    const skuOf = new Map(products.map(({ product_id, sku_id }) => [product_id, sku_id]));
    return [count.scope, count.sku_count, ...lines.map(({ product_id }) => skuOf.get(product_id))];
  };
  assert.deepEqual(await sheetOf({ scope: 'location', location: 'A-10' }), ['location', 2, 'A-1', 'A-2']);
  assert.deepEqual(await sheetOf({ sku_ids: ['B-1', 'A-1', 'B-1'] }), ['skus', 2, 'B-1', 'A-1']);
  assert.deepEqual((await sheetOf({ scope: 'warehouse' })).slice(0, 5), ['warehouse', null, 'B-1', 'A-1', 'A-2']);

  const { rows } = await staff.ask(countSearch, { state: ['open'], page_size: 1 });
  assert.deepEqual(columns(rows, 'scope', 'account_no', 'created_by', 'lots_counted'), [
    ['warehouse', 'LIVE', 'packer', 0],
  ]);
});

test('a count that cannot be is refused, and none is created', async () => {
  const refusals: [object, object][] = [
    [{ scope: 'location', location: 'NOWHERE' }, { kind: 'nothing_to_count' }],
    [{ sku_ids: ['NO-1', 'NO-2'] }, { kind: 'unknown_skus', sku_ids: ['NO-1', 'NO-2'] }],
    [{ warehouse_no: 3, scope: 'warehouse' }, { kind: 'not_manual' }],
    [{ warehouse_no: 99, scope: 'warehouse' }, { kind: 'not_manual' }],
  ];
  const counts = async () => (await staff.ask(countSearch, {})).rows.length;
  const before = await counts();
  for (const [body, refusal] of refusals) assert.deepEqual(await staff.ask(countCreate, wanted(body)), refusal);
  for (const body of [
    {},
    { scope: 'location' },
    { sku_ids: ['A-1'], location: 'A-10' },
    { account_no: 'NOBODY', scope: 'warehouse' },
  ])
    assert.equal((await staff.send(countCreate.path, wanted(body))).status, 400);
  for (const { path } of [countSheet, countReview, countBook, countDiscard])
    assert.equal((await staff.send(path, { count_id: 999_999 })).status, 404);
  assert.equal(await counts(), before);
});

test('the sheet is blind: neither it nor the scans say how many units there should be', async () => {
  await receive(app, { BLIND: [[expiry, 77_777]] }, live);
  const count = await beginCount(app, staff, ['BLIND']);
  const { count_id } = count;
  const answers = [
    await staff.send(countSheet.path, { count_id }),
    await staff.send(countFind.path, { count_id, code: 'BLIND' }),
    await staff.send(countEnter.path, { count_id, scan_id: randomUUID(), lot: await count.lot('BLIND'), units: 5 }),
  ];
  for (const { status, json } of answers) {
    assert.equal(status, 200);
    assert.doesNotMatch(JSON.stringify(json), /77777|77772|expected|difference|on_hand|locked/);
  }
  assert.equal((await count.line(staff, 'BLIND')).difference, 5 - 77_777);
});

test('a scan is a unit or a carton, by code or sku; products of other sheets are named, unknown codes are not', async () => {
  await receive(app, { CARTON: [[expiry, 24]], ELSEWHERE: [[expiry, 1]] }, live);
  const codes = [{ code: '4710000000123', units: 12 }];
  const locations = [{ warehouse_no: 1, location: 'Z-9' }];
  const products = [
    { sku_id: 'CARTON', codes },
    { sku_id: 'ELSEWHERE', locations },
  ];
  retvalOf(await app.callMain('/products/update', { products }, { as: live }));
  const { count_id, productOf } = await beginCount(app, staff, ['CARTON']);
  const find = (code: string) => staff.ask(countFind, { count_id, code });

  const product = { product_id: await productOf('CARTON'), sku_id: 'CARTON', name: 'Name of CARTON', location: null };
  const lot = { product_id: product.product_id, stock_type: 'good', batch_id: '', expire_date: expiry };
  const lines = [{ ...lot, counted: null, round: 1, counted_by: null }];
  assert.deepEqual(await find('4710000000123'), { kind: 'found', product, units: 12, lines });
  assert.deepEqual(await find('CARTON'), { kind: 'found', product, units: 1, lines });
  assert.deepEqual(await find('4719999999999'), { kind: 'unknown' });
  const other = await find('ELSEWHERE');
  assert.deepEqual([other.kind, other.kind === 'not_on_sheet' && other.product.location], ['not_on_sheet', 'Z-9']);
  const elsewhere = { ...lot, product_id: await productOf('ELSEWHERE'), stock_type: 'good' as const };
  const refused = await staff.ask(countEnter, { count_id, scan_id: randomUUID(), lot: elsewhere, units: 1 });
  assert.deepEqual(refused, { kind: 'not_on_sheet' });
});

test('several people count one lot; a repeated scan counts once, and a scan can be taken back', async () => {
  await receive(app, { SHARED: [[expiry, 10]] }, live);
  const count = await beginCount(app, staff, ['SHARED']);
  const { count_id } = count;
  const body = { count_id, scan_id: randomUUID(), lot: await count.lot('SHARED'), units: 6 };
  const kinds = [await staff.ask(countEnter, body), await staff.ask(countEnter, body)].map(({ kind }) => kind);
  assert.deepEqual(kinds, ['entered', 'repeated']);
  await count.enter(admin, 'SHARED', 3);
  const line = await count.line(staff, 'SHARED');
  assert.deepEqual([line.counted, line.difference, line.counted_by], [9, -1, 'boss']);

  for (const _ of [1, 2]) {
    const undone = await admin.ask(countUndo, { count_id, scan_id: body.scan_id });
    assert.deepEqual([undone.kind, undone.kind === 'undone' && undone.line.counted], ['undone', 3]);
  }
  assert.deepEqual(await staff.ask(countUndo, { count_id, scan_id: randomUUID() }), { kind: 'no_such_scan' });
});

test('differences are booked as one adjustment with the number of the count; new lots appear, and a repeat changes nothing', async () => {
  await receive(
    app,
    { MORE: [[expiry, 10]], LESS: [[expiry, 10]], SAME: [[expiry, 10]], NONE: [[expiry, 3]], FOUND: [[expiry, 1]] },
    live,
  );
  const count = await beginCount(app, staff, ['MORE', 'LESS', 'SAME', 'NONE', 'FOUND']);
  const { count_id } = count;
  await count.enter(staff, 'MORE', 12);
  await count.enter(staff, 'LESS', 9);
  await count.enter(staff, 'SAME', 10);
  await count.enter(staff, 'NONE', 0);
  await count.enter(staff, 'FOUND', 5, { batch_id: 'B-7', expire_date: '2032-02-29' });
  assert.deepEqual(await balance('MORE'), [[10, 0]]);

  const reference_no = `SC-${String(count_id).padStart(6, '0')}`;
  const result = { reference_no, lots: 4, added: 7, removed: 4 };
  assert.deepEqual(await count.book(staff), { kind: 'booked', ...result });
  await unchanged(app, async () => assert.deepEqual(await count.book(admin), { kind: 'repeated', ...result }));
  const after = await Promise.all(['MORE', 'LESS', 'SAME', 'NONE', 'FOUND'].map(balance));
  assert.deepEqual(after, [
    [[12, 0]],
    [[9, 0]],
    [[10, 0]],
    [],
    [
      [1, 0],
      [5, 0],
    ],
  ]);

  const { rows: lots } = await staff.ask(stockSearch, { accounts: ['LIVE'], sku_id: 'LESS' });
  const { rows } = await staff.ask(stockLot, { lot_id: lots[0]!.lot_id });
  const { kind, on_hand_delta, actor, reason, reference_no: number } = rows[0]!;
  assert.deepEqual(
    [kind, on_hand_delta, actor, reason, number],
    ['adjust', -1, 'operator packer', `stock count ${reference_no}`, reference_no],
  );
  const stored = await app.store.database.read(
    (sql) => sql`select count(*) as n from stock_change where reference_no = ${reference_no}`,
  );
  assert.equal(stored[0]!.n, 1);
  assert.deepEqual((await actionsOf(app, 'counts/book')).at(-2), {
    username: 'packer',
    subject: `count ${count_id}`,
    details: { left_out: 0 },
    outcome: 'booked',
  });
  const late = { count_id, scan_id: randomUUID(), lot: await count.lot('MORE'), units: 1 };
  assert.deepEqual(await staff.ask(countEnter, late), { kind: 'ended', state: 'booked' });
  assert.deepEqual(await staff.ask(countDiscard, { count_id }), { kind: 'ended', state: 'booked' });
  await assertBooksInOrder(app);
});

test('lots that nobody counted stay as they are; a count without differences is booked without an adjustment', async () => {
  await receive(app, { SKIPPED: [[expiry, 5]], RIGHT: [[expiry, 5]] }, live);
  const count = await beginCount(app, staff, ['SKIPPED', 'RIGHT']);
  await count.enter(staff, 'RIGHT', 5);
  const result = { reference_no: null, lots: 0, added: 0, removed: 0 };
  await unchanged(app, async () => assert.deepEqual(await count.book(staff), { kind: 'booked', ...result }));
  assert.deepEqual(await count.book(staff), { kind: 'repeated', ...result });
});

test('orders that are created, packed and shipped during a count do not change its differences', async () => {
  await receive(app, { BUSY: [[expiry, 20]] }, live);
  await order(app, 'BUSY-PACKED', [['BUSY', 3]], live);
  await advanceOrder(app, 'BUSY-PACKED', 'packed');
  const count = await beginCount(app, staff, ['BUSY']);
  // Three units are packed; one of the other seventeen is missing.
  await count.enter(staff, 'BUSY', 16);
  const seen = await count.line(staff, 'BUSY');
  assert.deepEqual([seen.expected, seen.off_shelf, seen.difference, seen.on_hand, seen.locked], [17, 3, -1, 20, 3]);

  await order(app, 'BUSY-LATER', [['BUSY', 5]], live);
  await advanceOrder(app, 'BUSY-PACKED', 'shipped');
  await advanceOrder(app, 'BUSY-LATER', 'shipped');
  await order(app, 'BUSY-OPEN', [['BUSY', 2]], live);
  assert.equal((await count.line(staff, 'BUSY')).difference, -1);
  assert.equal((await count.book(staff)).kind, 'booked');
  assert.deepEqual(await balance('BUSY'), [[11, 2]]);
  await assertBooksInOrder(app);
});

test('a shipment of packed units between two scans of a lot changes nothing; other units that leave then need a recount', async () => {
  await receive(app, { MOVING: [[expiry, 20]] }, live);
  await order(app, 'MOVING-1', [['MOVING', 3]], live);
  await order(app, 'MOVING-2', [['MOVING', 2]], live);
  await advanceOrder(app, 'MOVING-1', 'packed');
  const count = await beginCount(app, staff, ['MOVING']);
  const { count_id } = count;
  await count.enter(staff, 'MOVING', 10);
  await advanceOrder(app, 'MOVING-1', 'shipped');
  await count.enter(staff, 'MOVING', 6);
  assert.deepEqual(
    [(await count.line(staff, 'MOVING')).moved, (await count.line(staff, 'MOVING')).difference],
    [false, -1],
  );

  await advanceOrder(app, 'MOVING-2', 'packed');
  await count.enter(staff, 'MOVING', 1);
  const lot = await count.lot('MOVING');
  const refused = await unchanged(app, () => count.book(staff));
  assert.deepEqual(refused, { kind: 'refused', mistakes: [{ ...lot, refused: { kind: 'moved' } }] });

  const again = { count_id, lots: [{ ...lot, round: 1 }] };
  assert.deepEqual(await staff.ask(countRecount, again), { kind: 'begun', lots: 1 });
  assert.deepEqual(await staff.ask(countRecount, again), { kind: 'begun', lots: 0 });
  const { lines } = await staff.ask(countSheet, { count_id });
  assert.deepEqual(columns(lines, 'counted', 'round'), [[null, 2]]);
  await count.enter(staff, 'MOVING', 15);
  const result = await count.book(staff);
  assert.deepEqual([result.kind, result.kind === 'booked' && result.lots], ['booked', 0]);
  assert.deepEqual(await balance('MOVING'), [[17, 2]]);
});

test('a lot that would have fewer units than orders have locked is reported, and nothing is booked until it is left out', async () => {
  await receive(app, { SOLD: [[expiry, 4]], FREE: [[expiry, 4]] }, live);
  const count = await beginCount(app, staff, ['SOLD', 'FREE']);
  await count.enter(staff, 'SOLD', 1);
  await count.enter(staff, 'FREE', 3);
  await order(app, 'SOLD-OUT', [['SOLD', 4]], live);
  const lot = await count.lot('SOLD');
  const refused = await unchanged(app, () => count.book(staff));
  assert.deepEqual(refused, {
    kind: 'refused',
    mistakes: [{ ...lot, refused: { kind: 'too_few_free', free: 0, locked: 4 } }],
  });
  assert.equal((await count.line(staff, 'FREE')).booked, null);

  const booked = await count.book(staff, [lot]);
  assert.deepEqual([booked.kind, booked.kind === 'booked' && booked.removed], ['booked', 1]);
  assert.deepEqual([await balance('SOLD'), await balance('FREE')], [[[4, 4]], [[3, 0]]]);
  assert.deepEqual([(await count.line(staff, 'SOLD')).booked, (await count.line(staff, 'FREE')).booked], [null, -1]);
});

test('if a partner has used the number of a count, its adjustment has a number that nobody can guess', async () => {
  await receive(app, { TAKEN: [[expiry, 4]] }, live);
  const count = await beginCount(app, staff, ['TAKEN']);
  await count.enter(staff, 'TAKEN', 6);
  const number = `SC-${String(count.count_id).padStart(6, '0')}`;
  const line = { warehouse_no: 1, sku_id: 'TAKEN', stock_type: 'good', expire_date: expiry, reason: 'ours', delta: 1 };
  retvalOf(await app.callMain('/stocks/adjust', { reference_no: number, lines: [line] }, { as: live }));
  const booked = await count.book(staff);
  assert.match(String(booked.kind === 'booked' && booked.reference_no), new RegExp(`^${number}-[0-9a-f]{8}$`));
  assert.deepEqual(await balance('TAKEN'), [[7, 0]]);
});

test('a discarded count books nothing and takes no more scans; defective lots are counted apart', async () => {
  await syncProducts(app, ['GRADES'], live);
  await putLot(app, { skuId: 'GRADES', qty: 5, expireDate: expiry }, live);
  await putLot(app, { skuId: 'GRADES', qty: 2, expireDate: expiry, stockType: 'bad' }, live);
  const count = await beginCount(app, staff, ['GRADES']);
  const { count_id } = count;
  await count.enter(staff, 'GRADES', 1, { stock_type: 'bad' });
  const { lines } = await staff.ask(countReview, { count_id });
  assert.deepEqual(columns(lines, 'stock_type', 'expected', 'difference'), [
    ['good', null, null],
    ['bad', 2, -1],
  ]);
  await unchanged(app, async () => {
    for (const _ of [1, 2]) assert.deepEqual(await staff.ask(countDiscard, { count_id }), { kind: 'discarded' });
    assert.deepEqual(await count.book(staff), { kind: 'ended', state: 'discarded' });
  });
});
