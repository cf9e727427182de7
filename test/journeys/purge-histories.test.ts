import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startTestApp } from '../support/app.ts';
import { allocateEverything, assertBooksInOrder, cancelShipping, item, ship } from '../support/logistics.ts';
import { assertHolds } from '../support/main.ts';
import { correctOldestLot, letTimePass, purge } from '../support/purge.ts';
import { cancelInbounds, cancelOrders, inboundBody, orderBody, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
const { database } = app.store;
const skuIds = ['P-1', 'P-2'];
await syncProducts(app, skuIds);

/** There are few numbers, so that they often exist already. */
const number = fc.integer({ min: 1, max: 6 }).map(String);
const skuId = fc.constantFrom(...skuIds);
const qty = fc.integer({ min: 1, max: 6 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('inbound' as const), number, skuId, qty }),
  fc.record({ kind: fc.constant('order' as const), number, skuId, qty }),
  fc.record({ kind: fc.constant('shipping' as const), number, skuId, qty }),
  fc.record({
    kind: fc.constantFrom('cancel_inbound' as const, 'cancel_order' as const, 'cancel_shipping' as const),
    number,
  }),
  fc.record({
    kind: fc.constant('correct' as const),
    skuId,
    qty: fc.integer({ min: -4, max: 4 }).filter((units) => units !== 0),
  }),
  fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 20 }) }),
  fc.record({
    kind: fc.constant('purge' as const),
    days: fc.integer({ min: 0, max: 40 }),
    documents: fc.integer({ min: 1, max: 4 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let shipped = 0;

async function take(one: Step): Promise<void> {
  switch (one.kind) {
    case 'inbound':
      await app.callWarehouse(
        '/inbound/create',
        inboundBody(`IN-${one.number}`, { [one.skuId]: [['2030-01-01', one.qty]] }),
      );
      return;
    case 'order':
      await app.callWarehouse('/outbound/create', orderBody(`OUT-${one.number}`, [[one.skuId, one.qty]]));
      return;
    case 'shipping':
      await ship(app, `SHIP-${one.number}-${++shipped}`, [item(one.skuId, one.qty)]);
      return;
    case 'cancel_inbound':
      await cancelInbounds(app, [`IN-${one.number}`]);
      return;
    case 'cancel_order':
      await cancelOrders(app, [`OUT-${one.number}`]);
      return;
    case 'cancel_shipping':
      await cancelShipping(app, [`SHIP-${one.number}-${shipped}`]);
      return;
    case 'correct':
      return await correctOldestLot(app, one.skuId, one.qty, 'counted');
    case 'days':
      return await letTimePass(app, one.days);
    case 'purge':
      return await purgeAndCheck(one.days, one.documents);
    default:
      return one satisfies never;
  }
}

/** The units that younger orders hold, by number and lot. */
async function locksSince(madeBefore: Date) {
  return await database.read(
    (sql) => sql`
      select partner_number, status, lot_id, sum(locked_delta)::bigint as held from orders left join movement using (account_id, order_id)
      where created_at >= ${madeBefore.toISOString()}::timestamptz group by partner_number, status, lot_id order by partner_number, lot_id`,
  );
}

async function lots() {
  return await database.read(
    (sql) =>
      sql<{ on_hand: number; free: number }[]>`select on_hand, on_hand - locked as free from lot order by lot_id`,
  );
}

async function purgeAndCheck(days: number, documents: number): Promise<void> {
  const madeBefore = new Date(Date.now() - days * 86_400_000);
  const before = { locks: await locksSince(madeBefore), lots: await lots() };
  for (;;) {
    const stopping = new AbortController();
    const report = await purge(app, {
      madeBefore,
      batchMax: { documents, rows: 5 },
      stopping: stopping.signal,
      onBatch: () => stopping.abort(),
    });
    await assertBooksInOrder(app);
    if (report === null) break;
  }
  assert.deepEqual(await locksSince(madeBefore), before.locks, 'younger orders keep what they hold');
  const after = await lots();
  for (const [index, { on_hand }] of before.lots.entries())
    assert.ok(after[index]!.on_hand <= on_hand, 'a purge brings no units');
  const [old] = await database.read(
    (sql) => sql`
      select (select count(*) from orders where created_at < ${madeBefore.toISOString()}::timestamptz)
        + (select count(*) from inbound_document where created_at < ${madeBefore.toISOString()}::timestamptz) as documents`,
  );
  assert.equal(old!.documents, 0);
}

test('after any history and any purge the books are in order, and younger orders keep their units', async () => {
  const histories = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
  const leavesNothing = async (steps: Step[]) => {
    await purge(app, { madeBefore: new Date() });
    for (const one of steps) await take(one);
    await allocateEverything(app);
    await purgeAndCheck(0, 3);
    await letTimePass(app, 1);
    await purgeAndCheck(0, 3);
    const [left] = await database.read(
      (sql) =>
        sql`select (select count(*) from movement) as movements, (select coalesce(sum(on_hand), 0)::bigint from lot) as units`,
    );
    assert.deepEqual({ ...left }, { movements: 0, units: 0 }, 'nothing remains');
  };
  await assertHolds(histories, 8, leavesNothing, 3000);
});
