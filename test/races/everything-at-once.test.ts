import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { type CrowdRequest, gatherCrowd, openDoor } from '../support/crowd.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, type Caller, inboundBody, type Lines, orderBody, receive, type Units } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const callersMax = 150;
const crowd = gatherCrowd([await openDoor(app), await openDoor(await startSecondNode(app))], callersMax);
const rounds = roundsOf({ usual: 4, full: 200 });
const skuIds = ['STORM-1', 'STORM-2', 'STORM-3', 'STORM-4'];
const dates = ['2030-01-01', '2031-01-01', '2032-01-01'];

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

function some<T>(make: () => T, max: number): T[] {
  return Array.from({ length: 1 + Math.floor(Math.random() * max) }, make);
}

const anyQty = () => 1 + Math.floor(Math.random() * 4);
const anyLines = (): Lines => some(() => [oneOf(skuIds), anyQty()], 4);
const anyStock = () => Object.fromEntries(some(() => [oneOf(skuIds), some((): Units[number] => [oneOf(dates), anyQty()], 2)], 3));

/** Any call, in no order of its skus and numbers; `numbers` are so few that most of them meet. */
function anyRequest(numbers: string[]): CrowdRequest {
  const caller: Caller = oneOf([alpha, alpha, beta]);
  const number = () => oneOf(numbers);
  const kinds: (() => Omit<CrowdRequest, 'caller'>)[] = [
    () => ({ path: '/outbound/create', body: orderBody(number(), anyLines(), caller) }),
    () => ({ path: '/outbound/create', body: orderBody(number(), anyLines(), caller) }),
    () => ({ path: '/outbound/cancel', body: { outbound_short_ids: some(number, 6) } }),
    () => ({ path: '/inbound/create', body: inboundBody(number(), anyStock(), caller) }),
    () => ({ path: '/inbound/return', body: { ...inboundBody(number(), anyStock(), caller), outbound_short_id: number() } }),
    () => ({ path: '/inbound/cancel', body: { inbound_short_ids: some(number, 6) } }),
    () => ({ path: '/product/sync', body: { sku_id: oneOf(skuIds), sku_name: 'Storm', storage_type: 1, weight: anyQty() } }),
    () => ({ path: '/stock/query', body: { sku_ids: some(() => oneOf(skuIds), 4) } }),
  ];
  return { ...oneOf(kinds)(), caller };
}

test('all kinds of calls at once on two nodes: each is answered by its contract, each order holds what it asked for, the books balance', async () => {
  for (const caller of [alpha, beta]) await receive(app, Object.fromEntries(skuIds.map((skuId) => [skuId, [[dates[0]!, 20]]])), caller);
  for (let round = 1; round <= rounds; round++) {
    const numbers = Array.from({ length: 40 }, (_, index) => `STORM-${round}-${index}`);
    const answers = await crowd.call(Array.from({ length: callersMax }, () => anyRequest(numbers)));

    for (const { json } of answers.filter((answer) => answer.json.data.stock_details)) {
      for (const { qty, qty_lock, qty_available } of json.data.stock_details) {
        assert.ok(0 <= qty_lock && qty_lock <= qty && qty_available === qty - qty_lock, JSON.stringify(json));
      }
    }
  }

  const [{ deadlocks }] = await app.store.database.read(
    (sql) => sql<[{ deadlocks: number }]>`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(deadlocks, 0, 'everybody locks in one order');
  await assertBalancesAreSums(app);
  const wrong = await app.store.database.read(
    (sql) => sql`
      select partner_number, status, held, ordered from (
        select partner_number, status,
          (select coalesce(sum(locked_delta), 0) from movement m where m.order_id = o.order_id) as held,
          (select sum(qty) from order_line l where l.order_id = o.order_id) as ordered
        from orders o) as of_order
      where held <> case when status = 'cancelled' then 0 else ordered end
      union all
      select partner_number, status, brought, expected from (
        select partner_number, status,
          (select coalesce(sum(on_hand_delta), 0) from movement m where m.inbound_id = d.inbound_id) as brought,
          (select sum(qty) from inbound_line l where l.inbound_id = d.inbound_id) as expected
        from inbound_document d) as of_document
      where brought <> case when status = 'cancelled' then 0 else expected end`,
  );
  assert.deepEqual([...wrong], []);
});
