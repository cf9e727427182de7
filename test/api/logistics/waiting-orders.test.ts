import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordersSearch } from '../../../contract/main/orders-search.ts';
import { allocateWaiting } from '../../../server/domain/orders/allocate-waiting.ts';
import { waitedForAtLots, waitedForByOrders } from '../../../server/domain/orders/waiting-queries.ts';
import { accountIdsOf } from '../../../server/domain/partners/partner-queries.ts';
import { beta, startTestApp } from '../../support/app.ts';
import { onCitus } from '../../support/database.ts';
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
import { listenTo } from '../../support/notifications.ts';
import {
  assertRefusedUnchanged,
  cancelOrders,
  createInbound,
  lockedBy,
  movementsOf,
  order,
  orderBody,
  putLot,
  receive,
  stockOf,
  type Units,
} from '../../support/warehouse.ts';

const app = await startTestApp();
await app.provision({
  warehouses: [{ warehouse_no: 2 }],
  logistics_keys: [
    {
      name: 'south',
      key: 'alpha-south-of-thirty-two-characters-or-more',
      account_no: 'ALPHA',
      warehouse_no: 2,
      store_no: 10,
      receive_after_s: 0,
    },
  ],
});
const [waits, allocated] = ['awaiting_stock', 'pending_warehouse_transfer'];

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

const arrivals: ((sku: string) => Promise<unknown>)[] = [
  (sku) => bring(app, [{ sku, quantity: 3 }]),
  (sku) => createInbound(app, `IN-${sku}`, { [sku]: [['2030-01-01', 3]] }),
  async (sku) => {
    await receive(app, { [sku]: [['2030-01-01', 3]] });
    await order(app, `OUT-${sku}`, [[sku, 3]]);
    assert.equal(await allocate(app, sku), 0);
    await cancelOrders(app, [`OUT-${sku}`]);
  },
];
test('a waiting order gets stock that arrives by a form, by inbound/create or by the cancel of another order', async () => {
  for (const [index, arrive] of arrivals.entries()) {
    const sku = `COMES-${index}`;
    const products = [item(sku, 2), item(sku, 1)];
    assert.equal(await ship(app, sku, products), waits);
    await arrive(sku);
    assert.equal(await orderStatus(app, sku), waits);
    assert.equal(await allocate(app, sku), 1);
    assert.equal(await lockedBy(app, sku), 3);
    const causes = await textsOf(
      app,
      'select distinct actor, movement.trace_id from movement join orders using (account_id, order_id) where partner_number = $1 and actor like $2',
      [sku, 'w%'],
    );
    assert.deepEqual(causes, [{ actor: 'waiting orders', trace_id: null }]);
    assert.deepEqual(await waitingLines(app), []);
    assert.equal(await allocate(app, sku), 0);
    const repeat = { document_no: sku, status: allocated, idempotent: true };
    assert.deepEqual(await take(app, orderPath, shippingOrder(sku, products)), repeat);
  }
});

test('a new order does not overtake a waiting one, even if there is enough for the new one', async () => {
  await ship(app, 'HEAD', [item('LINE', 5)]);
  await bring(app, [{ sku: 'LINE', quantity: 4 }]);
  assert.equal(await ship(app, 'BEHIND', [item('LINE', 1)]), waits);
  assert.equal(await allocate(app, 'LINE'), 0);
  assert.deepEqual(await statusesOf(app, ['HEAD', 'BEHIND']), [waits, waits]);
  await bring(app, [{ sku: 'LINE', quantity: 2 }]);
  assert.equal(await allocate(app, 'LINE'), 2);
});

test('a waiting order neither delays orders of another sku, warehouse or account nor gets their stock, nor defective stock', async () => {
  await ship(app, 'LOCAL', [item('LOCAL', 1)]);
  await bring(app, [{ sku: 'LOCAL-OTHER', quantity: 1 }]);
  await bring(app, [{ sku: 'LOCAL', quantity: 9 }], 'alpha-south-of-thirty-two-characters-or-more');
  await bring(app, [{ sku: 'LOCAL', quantity: 9 }], beta.apiKey);
  await putLot(app, { skuId: 'LOCAL', qty: 5, expireDate: null, stockType: 'bad' });
  assert.equal(await ship(app, 'LOCAL-1', [item('LOCAL-OTHER', 1)]), allocated);
  assert.equal(
    await ship(app, 'LOCAL-2', [item('LOCAL', 1)], {}, 'alpha-south-of-thirty-two-characters-or-more'),
    allocated,
  );
  assert.equal(await ship(app, 'LOCAL-3', [item('LOCAL', 1)], {}, beta.apiKey), allocated);

  assert.equal(await allocateEverything(app), 0);
  const inSouth = await placeOf(app, 'LOCAL', { warehouseNo: 2 });
  assert.equal(await allocateWaiting(app.store.service, inSouth, app.clock.now()), 0);
  assert.equal(await orderStatus(app, 'LOCAL'), waits);
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
  const query =
    "select distinct actor from movement join orders using (account_id, order_id) where partner_number = 'BATCH-1'";
  assert.deepEqual(await textsOf(app, query, []), [{ actor: 'ALPHA/wms' }]);
  assert.equal(await ship(app, 'BATCH-2', [item('BATCH', 3, { batch: 'B2' })]), waits);
  await bring(app, [{ sku: 'BATCH', quantity: 5, batch: 'b2' }]);
  assert.equal(await allocate(app, 'BATCH'), 0);
  await bring(app, [{ sku: 'BATCH', quantity: 1, batch: 'B2' }]);
  assert.equal(await allocate(app, 'BATCH'), 1);
  assert.deepEqual(
    (await movementsOf(app, 'BATCH-2')).map(({ batch_id, expire_date, locked_delta }) => [
      batch_id,
      expire_date,
      locked_delta,
    ]),
    [
      ['B2', '2031-01-01', 2],
      ['B2', null, 1],
    ],
  );
});

test('the cancel of a waiting order unlocks nothing, and the orders behind it are served', async () => {
  await ship(app, 'GONE', [item('GONE', 10), item('GONE-2', 1)]);
  await ship(app, 'NEXT', [item('GONE', 2)]);
  await bring(app, [{ sku: 'GONE', quantity: 2 }]);
  assert.equal(await allocate(app, 'GONE'), 0);
  assert.deepEqual(await cancelShipping(app, ['GONE']), [{ internal_name: 'GONE', status: 'cancelled' }]);
  assert.deepEqual(await movementsOf(app, 'GONE'), []);
  assert.equal(await allocate(app, 'GONE'), 1);
  assert.deepEqual(await statusesOf(app, ['GONE', 'NEXT']), ['cancelled', allocated]);
  await bring(app, [{ sku: 'GONE', quantity: 50 }]);
  assert.equal(await allocateEverything(app), 0, 'a cancelled order is not served');
});

test('orders of the warehouse and the main API are refused when short, and may take free units before waiting orders', async () => {
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

// The job that allocates is notified of lots that have more units, and of orders that begin to wait.

const listen = await listenTo(app, 'lading_stock');
const hearing = async (work: () => Promise<unknown>) => (await listen(work)).heard;

/** The ids in a payload, which names ALPHA as their account. */
async function idsIn(text = '', what: 'lots' | 'orders'): Promise<number[]> {
  const [accountId] = await app.store.database.read((sql) => accountIdsOf(sql, 'ALPHA'));
  const beginning = `${what}:${accountId}:`;
  assert.ok(text.startsWith(beginning), text);
  return text.slice(beginning.length).split(',').map(Number);
}

test('a notification names the lots, the orders or the places where orders may be served', async () => {
  const { database } = app.store;
  const began = await hearing(() => ship(app, 'TOLD', [item('TOLD', 2), item('TOLD-2', 1)]));
  assert.equal(began.length, 1);
  const orderIds = await idsIn(began[0], 'orders');
  const [tea, other] = [await placeOf(app, 'TOLD'), await placeOf(app, 'TOLD-2')];
  const { accountId } = tea;
  const places = await database.read((sql) => waitedForByOrders(sql, accountId, orderIds));
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
  const lotIds = await idsIn(came[0], 'lots');
  assert.equal(lotIds.length, 2);
  const waitedFor = await database.read((sql) => waitedForAtLots(sql, accountId, lotIds));
  assert.deepEqual(
    waitedFor.map((place) => ({ ...place })),
    [tea],
  );

  const gone = await hearing(() => cancelShipping(app, ['TOLD']));
  const named = [tea, other].map(({ productId, warehouseNo }) => `${productId}/${warehouseNo}`);
  assert.deepEqual(
    gone.map((payload) => payload.replace(`places:${accountId}:`, '').split(',').sort()),
    // On Citus the places are known to a worker only, so an empty notification lets the job look at all.
    onCitus ? [['']] : [named.sort()],
    'no lot has more units, but the orders behind it may be served',
  );
  assert.deepEqual([...(await database.read((sql) => waitedForAtLots(sql, accountId, lotIds)))], []);
});

test('an order that locks, a repeat and a refusal notify nobody; a cancel notifies of its lots', async () => {
  await bring(app, [{ sku: 'QUIET', quantity: 2 }]);
  assert.deepEqual(await hearing(() => ship(app, 'QUIET', [item('QUIET', 2)])), []);
  assert.deepEqual(await hearing(() => take(app, orderPath, shippingOrder('QUIET', [item('QUIET', 2)]))), []);
  assert.deepEqual(await hearing(() => app.callLogistics(orderPath, shippingOrder('QUIET', [item('QUIET', 1)]))), []);
  const released = await hearing(() => cancelShipping(app, ['QUIET']));
  assert.equal(released.length, 1);
  assert.equal((await idsIn(released[0], 'lots')).length, 1);
});

// Long queues.

/** Inserts orders that wait for one unit on each of so many lines. */
async function putWaiting(prefix: string, options: { orders: number; lines: number; skus: string[] }): Promise<void> {
  const { orders, lines, skus } = options;
  const places = await Promise.all(skus.map((sku) => placeOf(app, sku)));
  const productIds = places.map(({ productId }) => productId);
  await app.store.database.transaction(async (tx) => {
    await tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment)
      select (select account_id from account where account_no = 'ALPHA'), 'logistics', ${prefix} || '-' || n, 'ow_' || ${prefix} || '!' || n, '\\x00', 1, 10,
        'awaiting_stock', 'uat' from generate_series(1, ${orders}::int) n`;
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
    (sql) =>
      sql`select count(*)::int as orders from orders where status = 'awaiting_stock' and partner_number like ${`${prefix}-%`}`,
  );
  return row!.orders;
};

test('one call serves 1,200 waiting orders as far as the stock goes, the oldest first', async () => {
  await bring(app, [{ sku: 'CROWD', quantity: 1000 }]);
  await putWaiting('CROWD', { orders: 1200, lines: 1, skus: ['CROWD'] });
  assert.equal(await allocate(app, 'CROWD'), 1000);
  const [row] = await app.store.database.read(
    (sql) => sql`select array_agg(distinct status::text) as statuses from (
      select status from orders where partner_number like 'CROWD-%' order by order_id limit 1000) oldest`,
  );
  assert.deepEqual([row!.statuses, await waitingOf('CROWD')], [[allocated], 200]);
});

test('700 orders that also wait for another sku do not delay the one behind them if there is enough for all', async () => {
  await bring(app, [{ sku: 'PAIR-X', quantity: 700 }]);
  await ship(app, 'PAIR-MISSING', [item('PAIR-Y', 1)]);
  await putWaiting('PAIR', { orders: 700, lines: 2, skus: ['PAIR-X', 'PAIR-Y'] });
  await ship(app, 'BEHIND-PAIRS', [item('PAIR-X', 1)]);
  assert.equal(await allocate(app, 'PAIR-X'), 0);
  await bring(app, [{ sku: 'PAIR-X', quantity: 1 }]);
  assert.equal(await allocate(app, 'PAIR-X'), 1);
  assert.equal(await orderStatus(app, 'BEHIND-PAIRS'), allocated);
});

test('20,500 lines that also wait for another sku do not block the order behind them', async () => {
  await bring(app, [{ sku: 'STUCK-X', quantity: 100_000 }]);
  await ship(app, 'STUCK-MISSING', [item('STUCK-Y', 1)]);
  await putWaiting('STUCK', { orders: 41, lines: 500, skus: [...Array(499).fill('STUCK-X'), 'STUCK-Y'] });
  await ship(app, 'BEHIND-STUCK', [item('STUCK-X', 1)]);
  for (let turn = 0; turn < 2; turn++) await allocate(app, 'STUCK-X');
  assert.equal(await orderStatus(app, 'BEHIND-STUCK'), allocated);
});

// Keys with a shelf-life rule.

/** Orders of one account and warehouse, through keys that differ in their shelf-life rule only. */
const rules = {
  accountNo: 'RULES',
  secret: 'rules-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-RULES',
};
const ruledKeys = {
  default: {},
  'no-limit': { sellable_days_before_expiry: null },
  'two-days': { sellable_days_before_expiry: 2 },
};
await app.provision({
  accounts: [
    {
      account_no: 'RULES',
      environment: 'uat',
      secret: rules.secret,
      tenants: [{ warehouse_tpw_id: 'TPW-RULES', warehouse_no: 1, store_no: 10 }],
    },
  ],
  logistics_keys: Object.entries(ruledKeys).map(([name, rule]) => {
    return {
      name,
      key: `rules-${name}-of-thirty-two-characters-or-more`,
      account_no: 'RULES',
      warehouse_no: 1,
      store_no: 10,
      ...rule,
    };
  }),
});

async function shipBy(key: keyof typeof ruledKeys, number: string, sku: string, quantity = 1): Promise<string> {
  return (
    await take(
      app,
      orderPath,
      shippingOrder(number, [item(sku, quantity)]),
      `rules-${key}-of-thirty-two-characters-or-more`,
    )
  ).status;
}

const expiriesTakenBy = async (number: string) =>
  (await movementsOf(app, number)).map(({ expire_date, locked_delta }) => [expire_date, locked_delta]);

test('a key sells through the expiry date in Taipei unless it has another rule; a tenant does so too', async () => {
  const lots: Units = [
    ['2030-05-09', 10],
    ['2030-05-10', 10],
    ['2030-05-12', 10],
    [null, 2],
  ];
  await receive(app, { RULED: lots }, rules);
  try {
    app.clock.set(new Date('2030-05-10T15:59:59.999Z'));
    assert.equal(await shipBy('default', 'RULED-1', 'RULED'), allocated);
    assert.equal(await shipBy('no-limit', 'RULED-2', 'RULED'), allocated);
    assert.equal(await shipBy('two-days', 'RULED-3', 'RULED'), allocated);
    await order(app, 'RULED-4', [['RULED', 1]], rules);
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    assert.equal(await shipBy('default', 'RULED-5', 'RULED'), allocated);
    assert.equal(await shipBy('two-days', 'RULED-6', 'RULED'), allocated);
    await order(app, 'RULED-7', [['RULED', 1]], rules);
    assert.equal(await shipBy('two-days', 'RULED-8', 'RULED', 2), waits);
  } finally {
    app.clock.set(null);
  }
  assert.deepEqual(
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => expiriesTakenBy(`RULED-${n}`))),
    [
      ['2030-05-10', 1],
      ['2030-05-09', 1],
      ['2030-05-12', 1],
      ['2030-05-10', 1],
      ['2030-05-12', 1],
      [null, 1],
      ['2030-05-12', 1],
      null,
    ].map((taken) => (taken === null ? [] : [taken])),
  );
});

test('waiting orders get stock by the rule of their keys, and units that an order may not have are not kept for it', async () => {
  assert.equal(await shipBy('default', 'LATER-1', 'LATER'), waits);
  assert.equal(await shipBy('two-days', 'LATER-2', 'LATER'), waits);
  assert.equal(await shipBy('no-limit', 'LATER-3', 'LATER'), waits);
  const here = () => placeOf(app, 'LATER', { accountNo: 'RULES' });
  try {
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    await receive(app, { LATER: [['2030-05-10', 5]] }, rules);
    assert.equal(await allocateWaiting(app.store.service, await here(), app.clock.now()), 1);
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => orderStatus(app, `LATER-${n}`, 'RULES'))), [
      waits,
      waits,
      allocated,
    ]);
    // Orders that may not have these units do not delay a younger one that may.
    assert.equal(await shipBy('no-limit', 'LATER-4', 'LATER', 4), allocated);
    assert.equal(await shipBy('default', 'LATER-5', 'LATER'), waits);

    await receive(app, { LATER: [['2030-05-11', 1]] }, rules);
    assert.equal(await allocateWaiting(app.store.service, await here(), app.clock.now()), 1);
    await receive(app, { LATER: [[null, 2]] }, rules);
    assert.equal(await allocateWaiting(app.store.service, await here(), app.clock.now()), 2);
  } finally {
    app.clock.set(null);
  }
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map((n) => expiriesTakenBy(`LATER-${n}`))), [
    [['2030-05-11', 1]],
    [[null, 1]],
    [['2030-05-10', 1]],
    [['2030-05-10', 4]],
    [[null, 1]],
  ]);
});

test('the books are in order, after all of this', () => assertBooksInOrder(app));
