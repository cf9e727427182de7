import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { type CrowdRequest, gatherCrowd, openDoor } from '../support/crowd.ts';
import { duplicateItem } from '../support/errors.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startSecondNode } from '../support/second-node.ts';
import {
  assertBalancesAreSums,
  type Caller,
  createInbound,
  emptyRow,
  goodRow,
  inboundBody,
  type Lines,
  lockedBy,
  order,
  orderBody,
  receive,
  stockOf,
  syncProducts,
  type Units,
} from '../support/warehouse.ts';
import { assertNoDeadlocks, eachRound, listOf, oneOf, roundsOf, shuffled, some, sum, upTo } from './races.ts';

// Callers take turns at two nodes, so equal requests meet inside one node, in its groups, and between the nodes.
const app = await startTestApp();
const crowdMax = 100;
const crowd = gatherCrowd([await openDoor(app), await openDoor(await startSecondNode(app))], crowdMax);
const rounds = roundsOf({ usual: 1, full: 200 });
const [early, late] = ['2030-01-01', '2031-01-01'];
const equal = 16;
const dayOf = (day: number) => new Date(Date.UTC(2040, 0, 1 + day)).toISOString().slice(0, 10);

const ordering = (number: string, lines: Lines, caller: Caller = alpha): CrowdRequest => ({
  path: '/outbound/create',
  body: orderBody(number, lines, caller),
  caller,
});
const arriving = (number: string, stock: Record<string, Units>, caller: Caller = alpha): CrowdRequest => ({
  path: '/inbound/create',
  body: inboundBody(number, stock, caller),
  caller,
});
const cancellingOrders = (numbers: string[]): CrowdRequest => ({
  path: '/outbound/cancel',
  body: { outbound_short_ids: numbers },
});
const cancellingInbounds = (numbers: string[]): CrowdRequest => ({
  path: '/inbound/cancel',
  body: { inbound_short_ids: numbers },
});

/** Asserts that one answer created the order and the others are repeats of it; returns the index of the first. */
function assertOneCreates(answers: RawAnswer[], number: string): number {
  const created = answers.findIndex(({ json }) => json.data.idempotent === false);
  const { orders_id } = answers[created]?.json.data ?? {};
  assert.match(orders_id, new RegExp(`^ow_${number}_`));
  for (const [index, { status, json }] of answers.entries()) {
    const { payload_differs: _, warnings: __, ...data } = json.data;
    assert.deepEqual([status, data], [200, { success: true, orders_id, idempotent: index !== created }]);
  }
  return created;
}

const situations: { stock: string; name: string; arrives: Record<string, Units>; lines: Lines }[] = [
  { stock: 'plenty of stock', name: 'MANY', arrives: { TEA: [[early, 100]] }, lines: [['TEA', 3]] },
  {
    stock: 'stock for one of them in several lots',
    name: 'LOTS',
    arrives: {
      TEA: [
        [early, 1],
        [late, 2],
      ],
      RICE: [[early, 1]],
    },
    lines: [
      ['TEA', 2],
      ['RICE', 1],
      ['TEA', 1],
    ],
  },
];
for (const { stock, name, arrives, lines } of situations) {
  test(`equal orders at once with ${stock}: one creates the order, the others are repeats`, () =>
    eachRound(rounds, async (round) => {
      const number = `OUT-${name}-${round}`;
      const skuOf = (sku: string) => `${sku}-${number}`;
      await receive(app, Object.fromEntries(Object.entries(arrives).map(([sku, units]) => [skuOf(sku), units])));
      const request = ordering(
        number,
        lines.map(([sku, qty]) => [skuOf(sku), qty]),
      );
      assertOneCreates(await crowd.call(Array(equal).fill(request)), number);

      const [made] = await app.store.database.read(
        (sql) => sql`
          select count(distinct order_id)::int as orders, count(*)::int as lines
          from orders join order_line using (account_id, order_id) where partner_number = ${number}`,
      );
      assert.deepEqual({ ...made }, { orders: 1, lines: lines.length });
      const ordered = sum(lines.map(([, qty]) => qty));
      const rows = await stockOf(app, Object.keys(arrives).map(skuOf));
      assert.deepEqual([await lockedBy(app, number), sum(rows.map((row) => row.qty_lock))], [ordered, ordered]);
    }));
}

test('different orders of one number at once: one creates it, and only repeats of other content differ', () =>
  eachRound(rounds, async (round) => {
    const number = `OUT-DIFFERENT-${round}`;
    await receive(app, { DIFFERENT: [[early, 3]] });
    const answers = await crowd.call(listOf(equal, (index) => ordering(number, [['DIFFERENT', 1 + (index % 3)]])));
    const winner = assertOneCreates(answers, number);
    assert.deepEqual(
      answers.map(({ json }) => json.data.payload_differs),
      answers.map((_, index) => (index % 3 === winner % 3 ? undefined : true)),
    );
    assert.equal(await lockedBy(app, number), 1 + (winner % 3));
  }));

test('two accounts send one number at once: each of them creates its own order once', () =>
  eachRound(rounds, async (round) => {
    const number = `OUT-WHOSE-${round}`;
    for (const caller of [alpha, beta]) await receive(app, { WHOSE: [[early, 1]] }, caller);
    const callers = listOf(equal, (index) => (index % 4 < 2 ? alpha : beta));
    const answers = await crowd.call(callers.map((caller) => ordering(number, [['WHOSE', 1]], caller)));
    for (const account of [alpha, beta])
      assertOneCreates(
        answers.filter((_, index) => callers[index] === account),
        number,
      );
    assert.equal(new Set(answers.map(({ json }) => json.data.orders_id)).size, 2);
  }));

test('equal inbound documents at once: one is created, the others are duplicates, and the units arrive once', async () => {
  await syncProducts(app, ['ARRIVING']);
  await eachRound(rounds, async (round) => {
    const number = `IN-EQUAL-${round}`;
    const units: Units = [
      [dayOf(round), 2],
      [early, 1],
    ];
    const answers = await crowd.call(Array(equal).fill(arriving(number, { ARRIVING: units })));
    const created = answers.filter(({ status }) => status === 200);
    assert.equal(created.length, 1);
    const { stock_in_no } = created[0]!.json.data;
    assert.match(stock_in_no, /^si_/);
    for (const { status, json } of answers.filter((answer) => answer !== created[0])) {
      const numbers = { stock_in_no, stock_in_sn: number, warehouse_no: 1 };
      const data = { success: false, ...numbers, errors: [duplicateItem] };
      assert.deepEqual([status, json.code, json.data], [400, 'LST-TPW-2001', data]);
    }
  });
  const lots = listOf(rounds, (index) => goodRow('ARRIVING', dayOf(index + 1), 2));
  assert.deepEqual(await stockOf(app, 'ARRIVING'), [goodRow('ARRIVING', early, rounds), ...lots]);
});

test('two accounts announce goods under one number at once: each of them creates its own document once', async () => {
  for (const caller of [alpha, beta]) await syncProducts(app, ['EACH'], caller);
  await eachRound(rounds, async (round) => {
    const number = `IN-EACH-${round}`;
    const callers = listOf(equal, (index) => (index % 4 < 2 ? alpha : beta));
    const answers = await crowd.call(callers.map((caller) => arriving(number, { EACH: [[early, 1]] }, caller)));
    for (const account of [alpha, beta]) {
      const own = answers.filter((_, index) => callers[index] === account);
      assert.equal(own.filter(({ status }) => status === 200).length, 1);
      assert.equal(new Set(own.map(({ json }) => json.data.stock_in_no)).size, 1);
    }
    assert.equal(new Set(answers.map(({ json }) => json.data.stock_in_no)).size, 2);
  });
  for (const caller of [alpha, beta])
    assert.deepEqual(await stockOf(app, 'EACH', caller), [goodRow('EACH', early, rounds)]);
});

test('a create and a return race for one number: one of them is the original, and only its units arrive', () =>
  eachRound(rounds, async (round) => {
    const sku = `EITHER-${round}`;
    await syncProducts(app, [sku]);
    const created = arriving(`IN-${sku}`, { [sku]: [[early, 1]] });
    const body = { ...inboundBody(`IN-${sku}`, { [sku]: [[early, 2]] }), outbound_short_id: 'OUT' };
    const answers = await crowd.call(
      listOf(equal, (index) => (index % 4 < 2 ? created : { path: '/inbound/return', body })),
    );
    const original = answers.findIndex(({ status }) => status === 200);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, early, original % 4 < 2 ? 1 : 2)]);
  }));

test('two documents bring units into the same 500 new lots, in opposite orders: both arrive, and their units add up', async () => {
  await syncProducts(app, ['NEW-LOTS']);
  const details = listOf(5, (index) => ({
    sku_id: 'NEW-LOTS',
    expires: listOf(100, (day) => ({ expire_date: dayOf(index * 100 + day), qty: 1 })),
  }));
  const answers = await crowd.call(
    [details, details.toReversed()].map((ordered, index) => ({
      path: '/inbound/create',
      body: { ...inboundBody(`IN-NEW-LOTS-${index}`, {}), details: ordered },
    })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(
    await stockOf(app, 'NEW-LOTS'),
    listOf(500, (day) => goodRow('NEW-LOTS', dayOf(day), 2)),
  );
});

interface Sale {
  what: string;
  name: string;
  arrives: Record<string, Units>;
  lines(buyer: number): Lines;
  accepted: number;
  /** The reason for the rejection of a buyer who comes too late: sku, available and requested units. */
  shortage(buyer: number): [sku: string, available: number, requested: number];
}
const buyers = 40;
const crossed = (buyer: number) => (buyer % 4 < 2 ? ['TEA', 'RICE'] : ['RICE', 'TEA']);
const sales: Sale[] = [
  {
    what: 'buyers of two units each, 11 units in two lots: 5 get two, and one unit is left',
    name: 'UNITS',
    arrives: {
      TEA: [
        [late, 8],
        [early, 3],
      ],
    },
    lines: () => [['TEA', 2]],
    accepted: 5,
    shortage: () => ['TEA', 1, 2],
  },
  {
    what: 'buyers of two skus in opposite orders, 10 units of each: 10 get one of each',
    name: 'CROSS',
    arrives: { TEA: [[early, 10]], RICE: [[early, 10]] },
    lines: (buyer) => crossed(buyer).map((sku) => [sku, 1]),
    accepted: 10,
    shortage: (buyer) => [crossed(buyer)[0]!, 0, 1],
  },
];
for (const { what, name, arrives, lines, accepted, shortage } of sales) {
  test(`${buyers} ${what}`, () =>
    eachRound(rounds, async (round) => {
      const skuOf = (sku: string) => `${sku}-${name}-${round}`;
      await receive(app, Object.fromEntries(Object.entries(arrives).map(([sku, units]) => [skuOf(sku), units])));
      const numberOf = (buyer: number) => `OUT-${name}-${round}-${buyer}`;
      const linesOf = (buyer: number): Lines => lines(buyer).map(([sku, qty]) => [skuOf(sku), qty]);
      const answers = await crowd.call(listOf(buyers, (buyer) => ordering(numberOf(buyer), linesOf(buyer))));

      assert.equal(answers.filter(({ status }) => status === 200).length, accepted);
      for (const [buyer, { status, json }] of answers.entries()) {
        const [sku, available, requested] = shortage(buyer);
        const message = `sku ${skuOf(sku)} available=${available} < requested=${requested}`;
        if (status === 200) assert.equal(json.data.idempotent, false);
        else assert.deepEqual([json.code, json.message], ['PARAM_INVALID', message]);
      }
      const rows = await stockOf(app, Object.keys(arrives).map(skuOf));
      const [arrived, sold] = [Object.values(arrives).flat(), lines(0)].map((all) => sum(all.map(([, qty]) => qty)));
      assert.deepEqual(
        [sum(rows.map(({ qty }) => qty)), sum(rows.map(({ qty_lock }) => qty_lock))],
        [arrived, accepted * sold!],
      );
      const made = await app.store.database.read(
        (sql) => sql`select from orders where partner_number like ${`OUT-${name}-${round}-%`}`,
      );
      assert.equal(made.length, accepted);
    }));
}

test('an order is cancelled by many at once: its units are released once, and other orders keep theirs', () =>
  eachRound(rounds, async (round) => {
    const [sku, number] = [`BACK-${round}`, `OUT-BACK-${round}`];
    await receive(app, { [sku]: [[early, 20]] });
    await order(app, `${number}-STAYS`, [[sku, 5]]);
    await order(app, number, [[sku, 3]]);
    for (const { json } of await crowd.call(Array(equal).fill(cancellingOrders([number]))))
      assert.deepEqual(json.data.results, [{ outbound_short_id: number, status: 'cancelled' }]);
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, early, 20, 5)]);
  }));

test('an inbound document is cancelled by many at once: its units leave once, and those of others stay', () =>
  eachRound(rounds, async (round) => {
    const [sku, number] = [`TAKEN-${round}`, `IN-TAKEN-${round}`];
    await receive(app, { [sku]: [[early, 7]] });
    await createInbound(app, number, { [sku]: [[early, 5]] });
    for (const { json } of await crowd.call(Array(equal).fill(cancellingInbounds([number]))))
      assert.deepEqual(json.data.results, [{ stock_in_sn: number, status: 'cancelled' }]);
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, early, 7)]);
  }));

test('the cancel of a document against 20 orders of its 10 units: it is cancelled, or 10 orders get one unit', () =>
  eachRound(2 * rounds, async (round) => {
    const sku = `ALL-${round}`;
    await syncProducts(app, [sku]);
    await createInbound(app, `IN-${sku}`, { [sku]: [[early, 10]] });
    const requests = listOf(20, (index) => ordering(`OUT-${sku}-${index}`, [[sku, 1]]));
    const turn = upTo(4) - 1;
    const answers = await crowd.call(requests.toSpliced(turn, 0, cancellingInbounds([`IN-${sku}`])));
    const [{ status }] = answers[turn]!.json.data.results;
    const orders = answers.toSpliced(turn, 1);
    const accepted = orders.filter((answer) => answer.status === 200).length;
    for (const { json } of orders.filter((answer) => answer.status !== 200))
      assert.equal(json.message, `sku ${sku} available=0 < requested=1`);
    assert.deepEqual(
      [status, accepted],
      status === 'cancelled' ? ['cancelled', 0] : ['cannot_cancel_after_receiving', 10],
    );
    assert.deepEqual(await stockOf(app, sku), accepted === 0 ? [emptyRow(sku)] : [goodRow(sku, early, 10, 10)]);
  }));

test('cancels of two documents of one lot against orders: no order is refused a unit that is there', () =>
  eachRound(2 * rounds, async (round) => {
    const sku = `HALF-${round}`;
    await syncProducts(app, [sku]);
    const halves = ['A', 'B'].map((half) => `IN-${sku}-${half}`);
    for (const number of halves) await createInbound(app, number, { [sku]: [[early, 5]] });
    const orders = listOf(1 + (round % 7), (index) => ordering(`OUT-${sku}-${index}`, [[sku, 1]]));
    const cancels = [...halves, ...halves].map((number) => cancellingInbounds([number]));
    const answers = await crowd.call(shuffled([...cancels, ...orders]));

    const results: { stock_in_sn: string; status: string }[] = answers.flatMap(({ json }) => json.data.results ?? []);
    const cancelled = new Set(results.filter(({ status }) => status === 'cancelled').map((one) => one.stock_in_sn));
    const accepted = answers.filter(({ json }) => json.data.orders_id !== undefined).length;
    const onHand = 10 - 5 * cancelled.size;
    assert.equal(accepted, Math.min(orders.length, onHand), `${accepted} orders, ${onHand} units`);
    assert.deepEqual(await stockOf(app, sku), onHand === 0 ? [emptyRow(sku)] : [goodRow(sku, early, onHand, accepted)]);
  }));

test('a new sku is synced by two accounts at once: each has one product, with the fields of one of its syncs', () =>
  eachRound(rounds, async (round) => {
    const sku_id = `NEW-${round}`;
    const callers = listOf(40, (index) => (index % 4 < 2 ? alpha : beta));
    const answers = await crowd.call(
      callers.map((caller, index) => ({
        path: '/product/sync',
        body: { sku_id, sku_name: `Name ${index}`, storage_type: 1 + (index % 4), weight: index, length: index },
        caller,
      })),
    );
    const rows = await app.store.database.read(
      (sql) => sql`
        select product_id, account_no, p.name, storage_type, weight_kg::int, length_cm::int
        from product p join account using (account_id) where sku_id = ${sku_id} order by account_no`,
    );
    assert.deepEqual(
      rows.map(({ account_no }) => account_no),
      ['ALPHA', 'BETA'],
    );
    for (const [index, { json }] of answers.entries()) {
      const { product_id } = rows.find(({ account_no }) => account_no === callers[index]!.accountNo)!;
      assert.deepEqual(json.data, { success: true, products_id: product_id });
    }
    for (const { account_no, name, storage_type, weight_kg, length_cm } of rows) {
      const sync = Number(name.slice('Name '.length));
      assert.equal(callers[sync]!.accountNo, account_no);
      const storageType = ['ambient', 'air_conditioned', 'frozen', 'chilled'][sync % 4];
      assert.deepEqual([storage_type, weight_kg, length_cm], [storageType, sync, sync]);
    }
  }));

test('syncs that each name one measure of a sku at once: none is lost', () =>
  eachRound(rounds, async (round) => {
    const measures = ['length', 'width', 'height', 'weight'];
    const product = { sku_id: `PARTS-${round}`, sku_name: 'Parts', storage_type: 1 };
    await crowd.call(
      listOf(40, (index) => ({
        path: '/product/sync',
        body: { ...product, [measures[index % 4]!]: 1 + (index % 4) },
      })),
    );
    const [row] = await app.store.database.read(
      (sql) =>
        sql`select length_cm::int, width_cm::int, height_cm::int, weight_kg::int from product where sku_id = ${product.sku_id}`,
    );
    assert.deepEqual({ ...row }, { length_cm: 1, width_cm: 2, height_cm: 3, weight_kg: 4 });
  }));

test('many skus synced in opposite orders at once: each is one product', () =>
  eachRound(rounds, async (round) => {
    const skuIds = listOf(30, (index) => `CROSS-${round}-${index}`);
    // Callers take turns at the nodes, so one node gets the skus forwards and the other one backwards.
    const sent = skuIds.flatMap((skuId, index) => [skuId, skuIds.at(-1 - index)!]);
    const answers = await crowd.call(
      sent.map((sku_id) => ({ path: '/product/sync', body: { sku_id, sku_name: 'Cross', storage_type: 2 } })),
    );
    const ids = new Map(sent.map((skuId, index) => [skuId, answers[index]!.json.data.products_id]));
    assert.equal(new Set(ids.values()).size, skuIds.length);
    for (const [index, skuId] of sent.entries()) assert.equal(answers[index]!.json.data.products_id, ids.get(skuId));
  }));

const stormSkus = listOf(4, (index) => `STORM-${index}`);
const stormDates = ['2030-01-01', '2031-01-01', '2032-01-01'];

/** Any request, with skus and numbers in random order; there are so few numbers that most requests collide. */
function anyRequest(numbers: string[]): CrowdRequest {
  const caller: Caller = oneOf([alpha, alpha, beta]);
  const number = () => oneOf(numbers);
  const anyLines = (): Lines => some(() => [oneOf(stormSkus), upTo(4)], 4);
  const anyUnits = () => some((): Units[number] => [oneOf(stormDates), upTo(4)], 2);
  const anyInbound = () =>
    inboundBody(number(), Object.fromEntries(some(() => [oneOf(stormSkus), anyUnits()], 3)), caller);
  const kinds: (() => CrowdRequest)[] = [
    () => ordering(number(), anyLines(), caller),
    () => ordering(number(), anyLines(), caller),
    () => cancellingOrders(some(number, 6)),
    () => ({ path: '/inbound/create', body: anyInbound() }),
    () => ({ path: '/inbound/return', body: { ...anyInbound(), outbound_short_id: number() } }),
    () => cancellingInbounds(some(number, 6)),
    () => ({ path: '/product/sync', body: { sku_id: oneOf(stormSkus), sku_name: 'Storm', storage_type: 1 } }),
    () => ({ path: '/stock/query', body: { sku_ids: some(() => oneOf(stormSkus), 4) } }),
  ];
  return { ...oneOf(kinds)(), caller };
}

test('all kinds of requests at once: each response follows the contract, and each order holds what it asked for', async () => {
  for (const caller of [alpha, beta])
    await receive(app, Object.fromEntries(stormSkus.map((sku) => [sku, [[early, 20]]])), caller);
  await eachRound(rounds, async (round) => {
    const numbers = listOf(40, (index) => `STORM-${round}-${index}`);
    for (const { json } of await crowd.call(listOf(crowdMax, () => anyRequest(numbers)))) {
      for (const { qty, qty_lock, qty_available } of json.data.stock_details ?? [])
        assert.ok(0 <= qty_lock && qty_lock <= qty && qty_available === qty - qty_lock, JSON.stringify(json));
    }
  });
});

test('after all races each balance is the sum of its movements, and each document has moved what it names', async () => {
  await assertBalancesAreSums(app);
  const wrong = await app.store.database.read(
    (sql) => sql`
      select partner_number, status, held, ordered from (
        select partner_number, status,
          (select coalesce(sum(locked_delta), 0) from movement m where m.account_id = o.account_id and m.order_id = o.order_id) as held,
          (select sum(qty) from order_line l where l.account_id = o.account_id and l.order_id = o.order_id) as ordered
        from orders o) as of_order
      where held <> case when status = 'cancelled' then 0 else ordered end
      union all
      select partner_number, status, brought, expected from (
        select partner_number, status,
          (select coalesce(sum(on_hand_delta), 0) from movement m where m.account_id = d.account_id and m.inbound_id = d.inbound_id) as brought,
          (select sum(qty) from inbound_line l where l.account_id = d.account_id and l.inbound_id = d.inbound_id) as expected
        from inbound_document d) as of_document
      where brought <> case when status = 'cancelled' then 0 else expected end`,
  );
  assert.deepEqual([...wrong], []);
  await assertNoDeadlocks(app);
});
