import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ordersSearch } from '../../../contract/main/orders-search.ts';
import { allocateWaiting } from '../../../server/domain/orders/allocate-waiting.ts';
import { waitedForAtLots, waitedForByOrders } from '../../../server/domain/orders/waiting-queries.ts';
import { connect } from '../../../server/platform/database.ts';
import { beta, startTestApp } from '../../support/app.ts';
import {
  allocate,
  allocateEverything,
  assertBooksInOrder,
  bring,
  cancelShipping,
  item,
  orderPath,
  orderStatus,
  placeOf,
  ship,
  shippingOrder,
  statusesOf,
  take,
  textsOf,
  unchanged,
  waitingLines,
} from '../../support/logistics.ts';
import { search } from '../../support/main.ts';
import {
  assertRefusedUnchanged,
  cancelInbounds,
  cancelOrders,
  createInbound,
  lockedBy,
  movementsOf,
  order,
  orderBody,
  putLot,
  receive,
  stockOf,
} from '../../support/warehouse.ts';

const app = await startTestApp();
await app.provision({
  warehouses: [{ warehouse_no: 2 }],
  logistics_keys: [{ name: 'south', key: 'alpha-south', account_no: 'ALPHA', warehouse_no: 2, store_no: 10 }],
});
const [waits, allocated] = ['awaiting_stock', 'pending_warehouse_transfer'];

test('an order finds its stock: it is allocated at once, earliest expiry first, then the oldest lot', async () => {
  await bring(app, [
    { sku: 'FEFO', quantity: 5 },
    { sku: 'FEFO', quantity: 2, expire_date: '2031-01-01', batch: 'B1' },
    { sku: 'FEFO', quantity: 2, expire_date: '2030-01-01', batch: 'B2' },
    { sku: 'FEFO', quantity: 2, expire_date: '2030-01-01', batch: 'B1' },
  ]);
  assert.equal(await ship(app, 'FEFO', [item('FEFO', 3), item('FEFO', 4)]), allocated);
  const lock = (locked_delta: number, batch_id: string, expire_date: string | null) => ({
    ...{ kind: 'lock', sku_id: 'FEFO', expire_date, batch_id, on_hand_delta: 0, locked_delta },
  });
  assert.deepEqual(await movementsOf(app, 'FEFO'), [
    lock(2, 'B2', '2030-01-01'),
    lock(2, 'B1', '2030-01-01'),
    lock(2, 'B1', '2031-01-01'),
    lock(1, '', null),
  ]);
  const actors = await textsOf(app, "select distinct actor from movement join orders using (order_id) where partner_number = 'FEFO'", []);
  assert.deepEqual(actors, [{ actor: 'ALPHA/wms' }]);
  assert.deepEqual(await waitingLines(app), []);
});

test('an order that finds no stock, or too little, or not all of it, waits and locks nothing', async () => {
  await bring(app, [{ sku: 'SOME', quantity: 2 }]);
  assert.equal(await ship(app, 'WAIT-NONE', [item('NONE', 1)]), waits);
  assert.equal(await ship(app, 'WAIT-SUM', [item('SOME', 2), item('SOME', 1, { batch: 'B' })]), waits);
  assert.deepEqual(await movementsOf(app, 'WAIT-SUM'), []);
  assert.equal((await stockOf(app, 'SOME'))[0]!.qty_lock, 0);
  assert.deepEqual(await waitingLines(app), [
    ['WAIT-NONE', 'NONE', 1, null],
    ['WAIT-SUM', 'SOME', 2, null],
    ['WAIT-SUM', 'SOME', 1, 'B'],
  ]);
  const { rows } = await search(app, ordersSearch, { 'orders.status': waits });
  assert.deepEqual(rows.map(({ internal_name }) => internal_name).sort(), ['WAIT-NONE', 'WAIT-SUM']);
  assert.equal(await allocateEverything(app), 0);
  await cancelShipping(app, ['WAIT-NONE', 'WAIT-SUM']);
  assert.deepEqual(await waitingLines(app), []);
});

const comes: [string, (sku: string) => Promise<unknown>][] = [
  ['by an inbound form', (sku) => bring(app, [{ sku, quantity: 3 }])],
  ['by inbound/create of the warehouse API', (sku) => createInbound(app, `IN-${sku}`, { [sku]: [['2030-01-01', 3]] })],
  [
    'by the cancel of an order of the warehouse API',
    async (sku) => {
      await receive(app, { [sku]: [['2030-01-01', 3]] });
      await order(app, `OUT-${sku}`, [[sku, 3]]);
      assert.equal(await allocate(app, sku), 0);
      await cancelOrders(app, [`OUT-${sku}`]);
    },
  ],
];
for (const [index, [how, come]] of comes.entries()) {
  test(`stock comes ${how}: whoever waits for it has it`, async () => {
    const sku = `COMES-${index}`;
    assert.equal(await ship(app, sku, [item(sku, 2), item(sku, 1)]), waits);
    await come(sku);
    assert.equal(await orderStatus(app, sku), waits);
    assert.equal(await allocate(app, sku), 1);
    assert.equal(await orderStatus(app, sku), allocated);
    assert.equal(await lockedBy(app, sku), 3);
    const actors = await textsOf(
      app,
      'select distinct actor, movement.trace_id from movement join orders using (order_id) where partner_number = $1 and actor like $2',
      [sku, 'w%'],
    );
    assert.deepEqual(actors, [{ actor: 'waiting orders', trace_id: null }]);
    assert.deepEqual(await waitingLines(app), []);
    assert.equal(await allocate(app, sku), 0);
    assert.deepEqual(await take(app, orderPath, shippingOrder(sku, [item(sku, 2), item(sku, 1)])), {
      ...{ document_no: sku, status: allocated, idempotent: true },
    });
    const { rows } = await search(app, ordersSearch, { 'orders.internal_name': sku });
    assert.ok(String(rows[0]!.updated_at) > String(rows[0]!.created_at));
  });
}

test('stock comes by the cancel of another shipping order: the next in line has it', async () => {
  await bring(app, [{ sku: 'FREED', quantity: 3 }]);
  assert.equal(await ship(app, 'FREED-1', [item('FREED', 3)]), allocated);
  assert.equal(await ship(app, 'FREED-2', [item('FREED', 2)]), waits);
  await cancelShipping(app, ['FREED-1']);
  assert.equal(await allocate(app, 'FREED'), 1);
  assert.deepEqual(await statusesOf(app, ['FREED-1', 'FREED-2']), ['cancelled', allocated]);
  assert.equal((await stockOf(app, 'FREED'))[0]!.qty_lock, 2);
});

test('the oldest is served first, and nobody gets more than there is', async () => {
  const names = [1, 2, 3, 4, 5].map((n) => `OLDEST-${n}`);
  for (const name of names) assert.equal(await ship(app, name, [item('OLDEST', 2)]), waits);
  await bring(app, [{ sku: 'OLDEST', quantity: 5 }]);
  assert.equal(await allocate(app, 'OLDEST'), 2);
  assert.deepEqual(await statusesOf(app, names), [allocated, allocated, waits, waits, waits]);
  await bring(app, [{ sku: 'OLDEST', quantity: 3 }]);
  assert.equal(await allocate(app, 'OLDEST'), 2);
  assert.deepEqual(await statusesOf(app, names), [allocated, allocated, allocated, allocated, waits]);
  assert.deepEqual(
    (await stockOf(app, 'OLDEST')).map(({ qty, qty_lock }) => [qty, qty_lock]),
    [[8, 8]],
  );
});

test('a big order at the head keeps what there is from younger ones of the same sku, not from those of others', async () => {
  await ship(app, 'BIG', [item('BIG', 10)]);
  await ship(app, 'SMALL', [item('BIG', 1)]);
  await ship(app, 'MIXED', [item('BIG', 1), item('BIG-OTHER', 1)]);
  await ship(app, 'OTHER', [item('BIG-OTHER', 1)]);
  await bring(app, [
    { sku: 'BIG', quantity: 9 },
    { sku: 'BIG-OTHER', quantity: 2 },
  ]);
  assert.equal(await allocateEverything(app), 1);
  assert.deepEqual(await statusesOf(app, ['BIG', 'SMALL', 'MIXED', 'OTHER']), [waits, waits, waits, allocated]);
  await bring(app, [{ sku: 'BIG', quantity: 1 }]);
  assert.equal(await allocateEverything(app), 1);
  assert.deepEqual(await statusesOf(app, ['BIG', 'SMALL', 'MIXED', 'OTHER']), [allocated, waits, waits, allocated]);
  await bring(app, [{ sku: 'BIG', quantity: 2 }]);
  assert.equal(await allocateEverything(app), 2);
});

test('an order that waits for X and Y, of which Y is missing, does not hold up a younger one where there is enough X for both', async () => {
  await ship(app, 'XY', [item('XY-X', 3), item('XY-Y', 1)]);
  await ship(app, 'X-1', [item('XY-X', 2)]);
  await ship(app, 'X-2', [item('XY-X', 1)]);
  await bring(app, [{ sku: 'XY-X', quantity: 5 }]);
  assert.equal(await allocate(app, 'XY-X'), 1);
  assert.deepEqual(await statusesOf(app, ['XY', 'X-1', 'X-2']), [waits, allocated, waits]);
  assert.equal((await stockOf(app, 'XY-X'))[0]!.qty_available, 3, 'what is kept is not locked');
  await bring(app, [{ sku: 'XY-Y', quantity: 1 }]);
  assert.equal(await allocate(app, 'XY-Y'), 1);
  assert.deepEqual(await statusesOf(app, ['XY', 'X-1', 'X-2']), [allocated, allocated, waits]);
});

test('new orders do not overtake those that wait, though there would be enough for them', async () => {
  await ship(app, 'HEAD', [item('LINE', 5)]);
  await bring(app, [{ sku: 'LINE', quantity: 4 }]);
  assert.equal(await ship(app, 'BEHIND', [item('LINE', 1)]), waits);
  assert.equal(await allocate(app, 'LINE'), 0);
  assert.deepEqual(await statusesOf(app, ['HEAD', 'BEHIND']), [waits, waits]);
  await bring(app, [{ sku: 'LINE', quantity: 2 }]);
  assert.equal(await allocate(app, 'LINE'), 2);
});

test('a new order of another sku, of another warehouse or of another account is not held up', async () => {
  await ship(app, 'LOCAL', [item('LOCAL', 5)]);
  await bring(app, [{ sku: 'LOCAL-OTHER', quantity: 1 }]);
  await bring(app, [{ sku: 'LOCAL', quantity: 1 }], 'alpha-south');
  await bring(app, [{ sku: 'LOCAL', quantity: 1 }], beta.apiKey);
  assert.equal(await ship(app, 'LOCAL-1', [item('LOCAL-OTHER', 1)]), allocated);
  assert.equal(await ship(app, 'LOCAL-2', [item('LOCAL', 1)], {}, 'alpha-south'), allocated);
  assert.equal(await ship(app, 'LOCAL-3', [item('LOCAL', 1)], {}, beta.apiKey), allocated);
});

test('stock of another warehouse or account serves nobody here', async () => {
  await ship(app, 'HERE', [item('HERE', 1)]);
  await bring(app, [{ sku: 'HERE', quantity: 9 }], 'alpha-south');
  await bring(app, [{ sku: 'HERE', quantity: 9 }], beta.apiKey);
  assert.equal(await allocateEverything(app), 0);
  assert.equal(await allocateWaiting(app.store.database, await placeOf(app, 'HERE', { warehouseNo: 2 }), app.clock.now()), 0);
  assert.equal(await orderStatus(app, 'HERE'), waits);
});

test('defective stock serves nobody', async () => {
  await ship(app, 'BAD', [item('BAD', 1)]);
  await putLot(app, { skuId: 'BAD', qty: 5, expireDate: null, stockType: 'bad' });
  assert.equal(await allocateEverything(app), 0);
  assert.equal(await ship(app, 'BAD-2', [item('BAD', 1)]), waits);
});

test('an item that names a batch takes that batch only, at once or later', async () => {
  await bring(app, [
    { sku: 'BATCH', quantity: 5, batch: 'B1', expire_date: '2030-01-01' },
    { sku: 'BATCH', quantity: 5, batch: 'B2', expire_date: '2031-01-01' },
    { sku: 'BATCH', quantity: 5, expire_date: '2029-01-01' },
  ]);
  assert.equal(await ship(app, 'BATCH-1', [item('BATCH', 3, { batch: 'B2' })]), allocated);
  assert.deepEqual(
    (await movementsOf(app, 'BATCH-1')).map(({ batch_id, locked_delta }) => [batch_id, locked_delta]),
    [['B2', 3]],
  );
  assert.equal(await ship(app, 'BATCH-2', [item('BATCH', 3, { batch: 'B2' })]), waits);
  await bring(app, [{ sku: 'BATCH', quantity: 5, batch: 'b2' }]);
  assert.equal(await allocate(app, 'BATCH'), 0);
  await bring(app, [{ sku: 'BATCH', quantity: 1, batch: 'B2' }]);
  assert.equal(await allocate(app, 'BATCH'), 1);
  assert.deepEqual(
    (await movementsOf(app, 'BATCH-2')).map(({ batch_id, expire_date, locked_delta }) => [batch_id, expire_date, locked_delta]),
    [
      ['B2', '2031-01-01', 2],
      ['B2', null, 1],
    ],
  );
});

test('a line of a batch chooses before a line of any batch, whatever their order', async () => {
  await bring(app, [
    { sku: 'CHOOSE', quantity: 2, batch: 'B1', expire_date: '2030-01-01' },
    { sku: 'CHOOSE', quantity: 2, batch: 'B2', expire_date: '2031-01-01' },
  ]);
  assert.equal(await ship(app, 'CHOOSE', [item('CHOOSE', 2), item('CHOOSE', 2, { batch: 'B1' })]), allocated);
  assert.equal(await lockedBy(app, 'CHOOSE'), 4);
});

test('whoever waits for one batch does not hold up those who want another', async () => {
  await ship(app, 'LOT-1', [item('LOTS', 1, { batch: 'MISSING' })]);
  await bring(app, [{ sku: 'LOTS', quantity: 2, batch: 'HERE' }]);
  await ship(app, 'LOT-2', [item('LOTS', 1, { batch: 'HERE' })]);
  await ship(app, 'LOT-3', [item('LOTS', 1)]);
  assert.deepEqual(await statusesOf(app, ['LOT-1', 'LOT-2', 'LOT-3']), [waits, allocated, allocated]);
  assert.equal(await allocateEverything(app), 0);
});

test('the cancel of an order that waits lets those behind it go, and unlocks nothing', async () => {
  await ship(app, 'GONE', [item('GONE', 10), item('GONE-2', 1)]);
  await ship(app, 'NEXT', [item('GONE', 2)]);
  await bring(app, [{ sku: 'GONE', quantity: 2 }]);
  assert.equal(await allocate(app, 'GONE'), 0);
  assert.deepEqual(await cancelShipping(app, ['GONE']), [{ internal_name: 'GONE', status: 'cancelled' }]);
  assert.deepEqual(await movementsOf(app, 'GONE'), []);
  assert.equal(await allocate(app, 'GONE'), 1);
  assert.deepEqual(await statusesOf(app, ['GONE', 'NEXT']), ['cancelled', allocated]);
  await bring(app, [{ sku: 'GONE', quantity: 50 }]);
  assert.equal(await allocateEverything(app), 0, 'what is cancelled is not served');
});

test('orders of the warehouse and the main API are still refused when short, and may take what is free before those that wait', async () => {
  await ship(app, 'PATIENT', [item('FREE', 5)]);
  await bring(app, [{ sku: 'FREE', quantity: 4 }]);
  await assertRefusedUnchanged(app, '/outbound/create', orderBody('GREEDY', [['FREE', 5]]), {
    message: 'sku FREE available=4 < requested=5',
  });
  const main = await unchanged(app, () => app.callMain('/orders/create', orderBody('GREEDY-2', [['FREE', 5]])));
  assert.deepEqual([main.status, main.json.msg], [400, 'sku FREE available=4 < requested=5']);
  await order(app, 'MODEST', [['FREE', 3]]);
  assert.equal((await app.callMain('/orders/create', orderBody('MODEST-2', [['FREE', 1]]))).status, 200);
  assert.equal(await allocate(app, 'FREE'), 0);
  await cancelOrders(app, ['MODEST', 'MODEST-2']);
  await bring(app, [{ sku: 'FREE', quantity: 1 }]);
  assert.equal(await allocate(app, 'FREE'), 1);
});

test('stock that was promised to an order that waited is not to be taken back by the cancel of its inbound', async () => {
  await ship(app, 'PROMISED', [item('PROMISED', 1)]);
  await createInbound(app, 'IN-PROMISED', { PROMISED: [['2030-01-01', 1]] });
  assert.equal(await allocate(app, 'PROMISED'), 1);
  assert.deepEqual(await cancelInbounds(app, ['IN-PROMISED']), [{ stock_in_sn: 'IN-PROMISED', status: 'cannot_cancel_after_receiving' }]);
});

// Who allocates is told of what is new: by the lots that have more, and by the orders that began to wait.

const listener = connect(app.store.connection, 1);
after(() => listener.end());
const heard: string[] = [];
let marks = 0;
await listener.listen('lading_stock', (text) => void heard.push(text));

/** What was told until now has arrived. */
async function hearAll(): Promise<void> {
  const mark = `mark ${++marks}`;
  await app.store.database.transaction((tx) => tx`select pg_notify('lading_stock', ${mark})`);
  while (heard.at(-1) !== mark) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function hearing(work: () => Promise<unknown>): Promise<string[]> {
  await hearAll();
  heard.length = 0;
  await work();
  await hearAll();
  return heard.slice(0, -1);
}

const idsIn = (text = '', what: 'lots' | 'orders'): number[] => {
  assert.ok(text.startsWith(`${what}:`), text);
  return text
    .slice(what.length + 1)
    .split(',')
    .map(Number);
};

test('what is told leads to those who wait', async () => {
  const { database } = app.store;
  const began = await hearing(() => ship(app, 'TOLD', [item('TOLD', 2), item('TOLD-2', 1)]));
  assert.equal(began.length, 1);
  const orderIds = idsIn(began[0], 'orders');
  const places = await database.read((sql) => waitedForByOrders(sql, orderIds));
  const [tea, other] = [await placeOf(app, 'TOLD'), await placeOf(app, 'TOLD-2')];
  assert.deepEqual(
    places.map((place) => ({ ...place })).sort((a, b) => a.productId - b.productId),
    [tea, other],
  );

  const came = await hearing(() =>
    bring(app, [
      { sku: 'TOLD', quantity: 5 },
      { sku: 'TOLD-UNWANTED', quantity: 1 },
    ]),
  );
  assert.equal(came.length, 1);
  const lotIds = idsIn(came[0], 'lots');
  assert.equal(lotIds.length, 2);
  const waitedFor = await database.read((sql) => waitedForAtLots(sql, lotIds));
  assert.deepEqual(
    waitedFor.map((place) => ({ ...place })),
    [tea],
  );

  const gone = await hearing(() => cancelShipping(app, ['TOLD']));
  const named = [tea, other].map(({ productId, warehouseNo }) => `${productId}/${warehouseNo}`);
  assert.deepEqual(
    gone.map((payload) => payload.replace('places:', '').split(',').sort()),
    [named.sort()],
    'no lot has more, but those behind it may go',
  );
  assert.deepEqual([...(await database.read((sql) => waitedForAtLots(sql, lotIds)))], []);
});

test('an order that locks, a repeat and a refusal tell nothing; a cancel tells of its lots', async () => {
  await bring(app, [{ sku: 'QUIET', quantity: 2 }]);
  assert.deepEqual(await hearing(() => ship(app, 'QUIET', [item('QUIET', 2)])), []);
  assert.deepEqual(await hearing(() => take(app, orderPath, shippingOrder('QUIET', [item('QUIET', 2)]))), []);
  assert.deepEqual(await hearing(() => app.callLogistics(orderPath, shippingOrder('QUIET', [item('QUIET', 1)]))), []);
  const told = await hearing(() => cancelShipping(app, ['QUIET']));
  assert.equal(told.length, 1);
  assert.equal(idsIn(told[0], 'lots').length, 1);
});

// Long lines.

/** Orders that wait for so many units on so many lines, as if they had been sent; the first one first. */
async function putWaiting(prefix: string, options: { orders: number; lines: number; skus: string[] }): Promise<void> {
  const { orders, lines, skus } = options;
  const places = await Promise.all(skus.map((sku) => placeOf(app, sku)));
  const productIds = places.map(({ productId }) => productId);
  await app.store.database.transaction(async (tx) => {
    await tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status)
      select (select account_id from account where account_no = 'ALPHA'), 'logistics', ${prefix} || '-' || n, 'ow_' || ${prefix} || '!' || n, '\\x00', 1, 10,
        'awaiting_stock' from generate_series(1, ${orders}::int) n`;
    for (const table of ['order_line', 'waiting_line']) {
      await tx`
        insert into ${tx.unsafe(table)} (order_id, line_no, account_id, product_id, qty ${tx.unsafe(table === 'waiting_line' ? ', warehouse_no' : '')})
        select order_id, line, account_id, (${productIds}::bigint[])[1 + (line - 1) % ${productIds.length}], 1 ${tx.unsafe(table === 'waiting_line' ? ', 1' : '')}
        from orders cross join generate_series(1, ${lines}::int) line where order_no like ${`ow_${prefix}!%`}`;
    }
  });
}

const waitingOf = async (prefix: string): Promise<number> => {
  const [row] = await app.store.database.read(
    (sql) => sql`select count(*)::int as orders from orders where status = 'awaiting_stock' and partner_number like ${`${prefix}-%`}`,
  );
  return row!.orders;
};

test('1,200 orders wait in one line: all are served by one call as far as the stock goes, the oldest first', async () => {
  await bring(app, [{ sku: 'CROWD', quantity: 1000 }]);
  await putWaiting('CROWD', { orders: 1200, lines: 1, skus: ['CROWD'] });
  assert.equal(await allocate(app, 'CROWD'), 1000);
  const [row] = await app.store.database.read(
    (sql) => sql`select array_agg(distinct status) as statuses from (
      select status from orders where partner_number like 'CROWD-%' order by order_id limit 1000) oldest`,
  );
  assert.deepEqual([row!.statuses, await waitingOf('CROWD')], [[allocated], 200]);
});

test('700 orders that wait for something else too do not hold up the one behind them, where there is enough for all', async () => {
  await bring(app, [{ sku: 'PAIR-X', quantity: 700 }]);
  await ship(app, 'PAIR-MISSING', [item('PAIR-Y', 1)]);
  await putWaiting('PAIR', { orders: 700, lines: 2, skus: ['PAIR-X', 'PAIR-Y'] });
  await ship(app, 'BEHIND-PAIRS', [item('PAIR-X', 1)]);
  assert.equal(await allocate(app, 'PAIR-X'), 0);
  await bring(app, [{ sku: 'PAIR-X', quantity: 1 }]);
  assert.equal(await allocate(app, 'PAIR-X'), 1);
  assert.equal(await orderStatus(app, 'BEHIND-PAIRS'), allocated);
});

test('45 orders of 500 lines: one call serves them all', async () => {
  await bring(app, [{ sku: 'LINES', quantity: 22_500 }]);
  await putWaiting('LINES', { orders: 45, lines: 500, skus: ['LINES'] });
  assert.equal(await allocate(app, 'LINES'), 45);
});

test('20,500 lines that wait for something else too do not hold up the one behind them for ever', async () => {
  await bring(app, [{ sku: 'STUCK-X', quantity: 100_000 }]);
  await ship(app, 'STUCK-MISSING', [item('STUCK-Y', 1)]);
  await putWaiting('STUCK', { orders: 41, lines: 500, skus: [...Array(499).fill('STUCK-X'), 'STUCK-Y'] });
  await ship(app, 'BEHIND-STUCK', [item('STUCK-X', 1)]);
  for (let turn = 0; turn < 2; turn++) await allocate(app, 'STUCK-X');
  assert.equal(await orderStatus(app, 'BEHIND-STUCK'), allocated);
});

test('after all of it the books are in order', () => assertBooksInOrder(app));
