import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { gatherCrowd, openDoor } from '../support/crowd.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, type Lines, orderBody, receive, stockOf, type Units } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const [first, second] = [await openDoor(app), await openDoor(await startSecondNode(app))];
const buyers = 200;
const rounds = roundsOf({ usual: 2, full: 100 });

const places = [
  { where: 'one node', short: '1', crowd: gatherCrowd([first], buyers) },
  { where: 'two nodes', short: '2', crowd: gatherCrowd([first, second], buyers) },
];

interface Sale {
  what: string;
  short: string;
  arrives: Record<string, Units>;
  lines(buyer: number): Lines;
  accepted: number;
  /** What a buyer is told who comes too late. */
  message(buyer: number, skuOf: (name: string) => string): string;
}

const [early, late] = ['2030-01-01', '2031-01-01'];

const sales: Sale[] = [
  {
    what: '200 buyers for 10 units: 10 have one',
    short: 'UNITS',
    arrives: { TEA: [[early, 10]] },
    lines: () => [['TEA', 1]],
    accepted: 10,
    message: (_, skuOf) => `sku ${skuOf('TEA')} available=0 < requested=1`,
  },
  {
    what: '200 buyers for 10 units in two lots: 10 have one',
    short: 'LOTS',
    arrives: {
      TEA: [
        [late, 7],
        [early, 3],
      ],
    },
    lines: () => [['TEA', 1]],
    accepted: 10,
    message: (_, skuOf) => `sku ${skuOf('TEA')} available=0 < requested=1`,
  },
  {
    what: '200 buyers of one sku on two lines for 10 units: 5 have two',
    short: 'LINES',
    arrives: { TEA: [[early, 10]] },
    lines: () => [
      ['TEA', 1],
      ['TEA', 1],
    ],
    accepted: 5,
    message: (_, skuOf) => `sku ${skuOf('TEA')} available=0 < requested=2`,
  },
  {
    what: '200 buyers of two units each for 11 units: 5 have two, and the last unit is nobody’s',
    short: 'ODD',
    arrives: { TEA: [[early, 11]] },
    lines: () => [['TEA', 2]],
    accepted: 5,
    message: (_, skuOf) => `sku ${skuOf('TEA')} available=1 < requested=2`,
  },
  {
    what: '200 buyers of two skus, named in opposite orders, for 10 units of each: 10 have one of each',
    short: 'CROSS',
    arrives: { TEA: [[early, 10]], RICE: [[early, 10]] },
    lines: (buyer) => crossed(buyer).map((name) => [name, 1]),
    accepted: 10,
    message: (buyer, skuOf) => `sku ${skuOf(crossed(buyer)[0]!)} available=0 < requested=1`,
  },
];

function crossed(buyer: number): string[] {
  return buyer % 4 < 2 ? ['TEA', 'RICE'] : ['RICE', 'TEA'];
}

for (const { where, short: place, crowd } of places) {
  for (const { what, short, arrives, lines, accepted, message } of sales) {
    test(`on ${where}, ${what}`, async () => {
      for (let round = 1; round <= rounds; round++) {
        const skuOf = (name: string) => `${name}-${short}-${place}-${round}`;
        const arriving = Object.fromEntries(Object.entries(arrives).map(([name, units]) => [skuOf(name), units]));
        await receive(app, arriving);
        const answers = await crowd.call(
          Array.from({ length: buyers }, (_, buyer) => ({
            path: '/outbound/create',
            body: orderBody(
              `OUT-${short}-${place}-${round}-${buyer}`,
              lines(buyer).map(([name, qty]) => [skuOf(name), qty]),
            ),
          })),
        );

        assert.equal(answers.filter(({ status }) => status === 200).length, accepted);
        for (const [buyer, { status, json }] of answers.entries()) {
          if (status === 200) assert.equal(json.data.idempotent, false);
          else assert.deepEqual([json.code, json.message], ['PARAM_INVALID', message(buyer, skuOf)]);
        }
        const rows = await stockOf(app, Object.keys(arriving));
        const units = Object.values(arrives).flat();
        assert.equal(sum(rows.map(({ qty }) => qty)), sum(units.map(([, qty]) => qty)));
        assert.equal(sum(rows.map(({ qty_lock }) => qty_lock)), accepted * sum(lines(0).map(([, qty]) => qty)));
        const [made] = await app.store.database.read(
          (sql) => sql`select count(*)::int from orders where partner_number like ${`OUT-${short}-${place}-${round}-%`}`,
        );
        assert.equal(made!.count, accepted);
      }
    });
  }
}

test('after all of it, balances are the sums of the movements', () => assertBalancesAreSums(app));

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
