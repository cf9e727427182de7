import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { gatherCrowd, openDoor } from '../support/crowd.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startSecondNode } from '../support/second-node.ts';
import {
  assertBalancesAreSums,
  goodRow,
  inboundBody,
  type Lines,
  orderBody,
  receive,
  stockOf,
  syncProducts,
  type Units,
} from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const [first, second] = [await openDoor(app), await openDoor(await startSecondNode(app))];
const crowdSize = 50;
const rounds = roundsOf({ usual: 3, full: 200 });
const expireDate = '2030-01-01';
const laterDate = '2031-01-01';

const places = [
  { where: 'one node', short: '1', crowd: gatherCrowd([first], crowdSize) },
  { where: 'two nodes', short: '2', crowd: gatherCrowd([first, second], crowdSize) },
];

/** What lies there before each round, and what the one order takes of it. */
const situations: { stock: string; short: string; arrives: Record<string, Units>; lines: Lines }[] = [
  { stock: 'plenty of stock', short: 'MANY', arrives: { TEA: [[expireDate, 100]] }, lines: [['TEA', 3]] },
  // Whoever comes second finds an empty shelf, and is a repeat all the same.
  { stock: 'stock for one of them', short: 'LAST', arrives: { TEA: [[expireDate, 3]] }, lines: [['TEA', 3]] },
  {
    stock: 'stock for one of them in several lots',
    short: 'LOTS',
    arrives: {
      TEA: [
        [expireDate, 1],
        [laterDate, 2],
      ],
      RICE: [[expireDate, 1]],
    },
    lines: [
      ['TEA', 2],
      ['RICE', 1],
      ['TEA', 1],
    ],
  },
];

for (const { where, short: place, crowd } of places) {
  for (const { stock, short, arrives, lines } of situations) {
    test(`fifty equal orders at once on ${where}, ${stock}: one creates, the others are told of it`, async () => {
      const skuOf = (name: string) => `${name}-${short}-${place}`;
      const arriving = Object.fromEntries(Object.entries(arrives).map(([name, units]) => [skuOf(name), units]));
      for (let round = 1; round <= rounds; round++) {
        await receive(app, arriving);
        const number = `OUT-${short}-${place}-${round}`;
        const body = orderBody(
          number,
          lines.map(([name, qty]) => [skuOf(name), qty]),
        );
        const answers = await crowd.call(Array(crowdSize).fill({ path: '/outbound/create', body }));

        assertOneCreates(answers, number);
      }

      const prefix = `OUT-${short}-${place}-%`;
      const [made] = await app.store.database.read(
        (sql) => sql`
          select (select count(*)::int from orders where partner_number like ${prefix}) as orders,
            (select count(*)::int from order_line join orders using (order_id) where partner_number like ${prefix}) as lines,
            (select sum(locked_delta)::int from movement join orders using (order_id) where partner_number like ${prefix}) as locked`,
      );
      const ordered = lines.reduce((sum, [, qty]) => sum + qty, 0);
      assert.deepEqual({ ...made }, { orders: rounds, lines: rounds * lines.length, locked: rounds * ordered });
      const rows = await stockOf(app, Object.keys(arriving));
      assert.equal(
        rows.reduce((sum, row) => sum + row.qty_lock, 0),
        rounds * ordered,
      );
    });
  }

  test(`fifty equal inbound documents at once on ${where}: one creates, the others are told of it, the units come once`, async () => {
    const sku = `ARRIVING-${place}`;
    await syncProducts(app, [sku]);
    for (let round = 1; round <= rounds; round++) {
      const number = `IN-${place}-${round}`;
      // A lot that is new in every round, and one that is there from the second round on.
      const body = inboundBody(number, {
        [sku]: [
          [dayOf(round), 2],
          [expireDate, 1],
        ],
      });
      const answers = await crowd.call(Array(crowdSize).fill({ path: '/inbound/create', body }));

      const created = answers.filter(({ status }) => status === 200);
      const repeated = answers.filter(({ json }) => json.code === 'LST-TPW-2001');
      assert.deepEqual([created.length, repeated.length], [1, crowdSize - 1]);
      const { stock_in_no } = created[0]!.json.data;
      assert.match(stock_in_no, /^si_/);
      for (const { status, json } of repeated) {
        assert.equal(status, 400);
        assert.deepEqual(json.data, { success: false, stock_in_no, stock_in_sn: number, warehouse_no: 1 });
      }
    }

    const days = Array.from({ length: rounds }, (_, index) => goodRow(sku, dayOf(index + 1), 2));
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, expireDate, rounds), ...days]);
  });

  test(`fifty different orders of one number at once on ${where}: one creates, and those that say the same as it are no different`, async () => {
    const sku = `DIFFERENT-${place}`;
    for (let round = 1; round <= rounds; round++) {
      const number = `OUT-DIFFERENT-${place}-${round}`;
      await receive(app, { [sku]: [[expireDate, 3]] });
      const answers = await crowd.call(
        Array.from({ length: crowdSize }, (_, index) => ({ path: '/outbound/create', body: orderBody(number, [[sku, 1 + (index % 3)]]) })),
      );

      const winner = assertOneCreates(answers.map(withoutDifference), number);
      for (const [index, { json }] of answers.entries()) {
        assert.equal(json.data.payload_differs, index % 3 === winner % 3 ? undefined : true);
      }
      assert.equal(await lockedOf(number), 1 + (winner % 3));
    }
  });

  test(`two accounts send one number at once on ${where}: one of them has it, the other is told that it is in use`, async () => {
    const sku = `WHOSE-${place}`;
    for (let round = 1; round <= rounds; round++) {
      const number = `OUT-WHOSE-${place}-${round}`;
      for (const caller of [alpha, beta]) await receive(app, { [sku]: [[expireDate, 1]] }, caller);
      const callers = Array.from({ length: crowdSize }, (_, index) => (index % 4 < 2 ? alpha : beta));
      const answers = await crowd.call(
        callers.map((caller) => ({ path: '/outbound/create', body: orderBody(number, [[sku, 1]], caller), caller })),
      );

      const owner = callers[answers.findIndex(({ status }) => status === 200)];
      assertOneCreates(
        answers.filter((_, index) => callers[index] === owner),
        number,
      );
      for (const { json } of answers.filter((_, index) => callers[index] !== owner)) {
        assert.deepEqual([json.code, json.message], ['PARAM_INVALID', 'outbound_short_id already in use']);
      }
      assert.equal(await lockedOf(number), 1);
    }
  });
}

test('two nodes at once receive 2,500 lots that are new: both documents arrive, and their units add up', async () => {
  await syncProducts(app, ['NEW-LOTS']);
  const details = Array.from({ length: 25 }, (_, index) => ({
    sku_id: 'NEW-LOTS',
    expires: Array.from({ length: 100 }, (_, day) => ({ expire_date: dayOf(1 + index * 100 + day), qty: 1 })),
  }));
  const bodies = [details, details.toReversed()].map((ordered, index) => ({
    ...inboundBody(`IN-NEW-LOTS-${index}`, {}),
    details: ordered,
  }));
  const answers = await places[1]!.crowd.call(bodies.map((body) => ({ path: '/inbound/create', body })));

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const days = Array.from({ length: 2500 }, (_, index) => goodRow('NEW-LOTS', dayOf(1 + index), 2));
  assert.deepEqual(await stockOf(app, 'NEW-LOTS'), days);
});

test('after all of it, balances are the sums of the movements', () => assertBalancesAreSums(app));

/** Which of them it was. */
function assertOneCreates(answers: RawAnswer[], number: string): number {
  const created = answers.findIndex(({ json }) => json.data.idempotent === false);
  const { orders_id } = answers[created]?.json.data ?? {};
  assert.match(orders_id, new RegExp(`^ow_${number}_`));
  for (const [index, { status, json }] of answers.entries()) {
    assert.equal(status, 200);
    assert.deepEqual(json.data, { success: true, orders_id, idempotent: index !== created });
  }
  return created;
}

function withoutDifference({ json, ...rest }: RawAnswer): RawAnswer {
  const { payload_differs: _, ...data } = json.data;
  return { ...rest, json: { ...json, data } };
}

async function lockedOf(number: string): Promise<number> {
  const [row] = await app.store.database.read(
    (sql) => sql`select sum(locked_delta)::int as units from movement join orders using (order_id) where partner_number = ${number}`,
  );
  return row!.units;
}

function dayOf(round: number): string {
  return new Date(Date.UTC(2040, 0, round)).toISOString().slice(0, 10);
}
