import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import { assertHolds } from '../support/main.ts';
import { startSecondNode } from '../support/second-node.ts';
import { beginning, type Command, callOf, command, givingCommand, skuIds, takingCommand } from './stock-commands.ts';
import {
  type AccountNo,
  type Call,
  carryOut,
  type Expected,
  emptyWorld,
  Made,
  modelTenants,
  type World,
} from './stock-model.ts';

const app = await startTestApp();
const nodes = [app, await startSecondNode(app)];
const accountNos = Object.keys(modelTenants) as AccountNo[];
const secretOf = (accountNo: AccountNo) => `the secret that the account ${accountNo} was given`;

await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  accounts: accountNos.map((accountNo) => ({
    account_no: accountNo,
    environment: 'uat',
    secret: secretOf(accountNo),
    tenants: Object.entries(modelTenants[accountNo]).map(
      ([warehouse_tpw_id, { warehouseNo, receiving, sellsExpired }]) => ({
        warehouse_tpw_id,
        warehouse_no: warehouseNo,
        store_no: 10,
        receiving,
        sellable_days_before_expiry: sellsExpired ? null : 0,
      }),
    ),
  })),
});

/** Commands that are sent at once, each to one of the nodes. */
type Batch = { command: Command; node: number }[];

const anyNode = fc.constantFrom(0, 1);
const lone = fc.record({ command, node: anyNode }).map((one): Batch => [one]);
const atOnce = (command: fc.Arbitrary<Command>) =>
  fc.array(fc.record({ command, node: anyNode }), { minLength: 1, maxLength: 3 });

test('any sequence of calls to either node is answered as the contract says, and leaves the stock it says', async () => {
  await assertHolds(fc.array(lone, { maxLength: 40, size: 'max' }), usualRuns, holds, usualMs);
});

// Calls that take units and calls that release units at once may each miss the effect of the other: an order may be
// refused while units are being released. So a batch has one sort; test/races tests all sorts at once.
test('calls that come at once are answered as if they had come one after the other, in some order', async () => {
  const batches = fc.array(fc.oneof(atOnce(takingCommand), atOnce(givingCommand)), { maxLength: 16, size: 'max' });
  await assertHolds(batches, usualRuns, holds, usualMs);
});

const usualRuns = 30;
const usualMs = 3000;

let runsSoFar = 0;

async function holds(batches: Batch[]): Promise<void> {
  const run = `R${++runsSoFar}`;
  const named = skuIds.map((skuId) => `${run}-${skuId}`);
  const worlds = makeWorlds();
  const send = async (batch: { call: Call; node: number }[]) => {
    const answers = await Promise.all(batch.map(({ call, node }) => callNode(call, node)));
    worlds.keepThoseThatAnswer(
      batch.map(({ call }) => call),
      answers,
    );
  };

  for (const command of beginning) await send([{ call: callOf(command, run), node: 0 }]);
  for (const batch of batches) await send(batch.map(({ command, node }) => ({ call: callOf(command, run), node })));
  for (const by of accountNos) await send([{ call: { by, path: '/stock/query', body: { sku_ids: named } }, node: 0 }]);

  worlds.assertKept(await booksOf(run));
  await assertBalanced(run);
}

async function callNode({ by, path, body }: Call, node: number): Promise<Expected> {
  const answer = await nodes[node]!.callWarehouse(path, body, { accountNo: by, secret: secretOf(by) });
  assertTraced(answer);
  const { trace_id: _, ...rest } = answer.json;
  return { status: answer.status, ...rest };
}

function assertTraced({ headers, json }: TestAnswer): void {
  assert.match(json.trace_id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(json.trace_id, headers['trace-id']);
}

/**
 * The worlds that agree with all answers: after calls that came at once there can be several, because their order is
 * not known. If no world is left, the service has broken its contract.
 */
function makeWorlds() {
  let possible = [emptyWorld()];

  return {
    keepThoseThatAnswer(calls: Call[], answers: Expected[]): void {
      const tries = possible.flatMap((world) =>
        permutations([...calls.keys()]).map((order) => tryOut(world, calls, answers, order)),
      );
      const fitting = tries.filter(({ expected }) => isDeepStrictEqual(answers, expected)).map(({ world }) => world);
      if (fitting.length === 0)
        assert.deepEqual(
          { calls, answers },
          { calls, answers: tries[0]!.expected },
          describeMisfit(calls, answers, tries),
        );
      possible = fitting.filter(
        (world, index) => !fitting.slice(0, index).some((other) => isDeepStrictEqual(world, other)),
      );
    },
    assertKept(books: Books): void {
      const expected = possible.map(expectedBooks);
      if (!expected.some((one) => isDeepStrictEqual(one, books))) assert.deepEqual(books, expected[0]);
    },
  };
}

function tryOut(
  before: World,
  calls: Call[],
  answers: Expected[],
  order: number[],
): { world: World; expected: Expected[] } {
  const world = structuredClone(before);
  const expected: Expected[] = [];
  for (const index of order)
    expected[index] = fillIn(carryOut(world, calls[index]!), answers[index], world.made) as Expected;
  return { world, expected };
}

function permutations<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Fills in what only the service knows, if its answer is possible: free texts and generated ids. */
function fillIn(expected: unknown, answered: unknown, made: Map<string, unknown>): unknown {
  if (expected instanceof RegExp) return typeof answered === 'string' && expected.test(answered) ? answered : expected;
  if (expected instanceof Made) {
    const { of, form } = expected;
    if (!made.has(of) && form.test(String(answered)) && ![...made.values()].includes(answered)) made.set(of, answered);
    return made.get(of) ?? expected;
  }
  if (typeof expected !== 'object' || expected === null) return expected;
  const filled = Object.entries(expected).map(([key, value]) => [
    key,
    fillIn(value, (answered as Record<string, unknown>)?.[key], made),
  ]);
  return Array.isArray(expected) ? filled.map(([, value]) => value) : Object.fromEntries(filled);
}

function describeMisfit(calls: Call[], answers: Expected[], tries: { expected: Expected[] }[]): string {
  const wordings = [...new Set(tries.map(({ expected }) => JSON.stringify(expected)))];
  return [
    'calls:',
    ...calls.map((call) => JSON.stringify(call)),
    'were answered:',
    ...answers.map((answer) => JSON.stringify(answer)),
    'and must be answered:',
    ...wordings,
  ].join('\n');
}

interface Books {
  lots: unknown[];
  inbounds: unknown[];
  orders: unknown[];
}

function expectedBooks({ lots, inbounds, orders }: World): Books {
  const sorted = (rows: string[][]) => rows.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
  return {
    lots: sorted(
      [...lots.values()].map((lot) => [
        lot.by,
        lot.skuId,
        lot.expireDate,
        `${lot.warehouseNo}`,
        'good',
        '',
        `${lot.onHand}`,
        `${lot.locked}`,
      ]),
    ),
    inbounds: sorted(
      [...inbounds.values()].map(({ number, by, status, warehouseNo }) => [number, by, status, `${warehouseNo}`]),
    ),
    orders: sorted([...orders.values()].map(({ number, by, status }) => [number, by, status])),
  };
}

async function booksOf(run: string): Promise<Books> {
  const [row] = await app.store.database.read(
    (sql) => sql<[Books]>`
      select
        (select coalesce(jsonb_agg(jsonb_build_array(account_no, sku_id, expire_date::text, l.warehouse_no::text, stock_type, batch_id,
            on_hand::text, locked::text) order by account_no, sku_id, expire_date, l.warehouse_no), '[]')
          from lot l join account a on a.account_id = l.account_id where sku_id like ${`${run}-%`}) as lots,
        (select coalesce(jsonb_agg(jsonb_build_array(partner_number, account_no, status, warehouse_no::text) order by partner_number, account_no), '[]')
          from inbound_document join account using (account_id) where partner_number like ${`${run}-%`}) as inbounds,
        (select coalesce(jsonb_agg(jsonb_build_array(partner_number, account_no, status) order by partner_number, account_no), '[]')
          from orders join account using (account_id) where partner_number like ${`${run}-%`}) as orders`,
  );
  const { lots, inbounds, orders } = row;
  return { lots, inbounds, orders };
}

/** For every lot: the balance is the sum of its movements, and what is locked is what live orders hold; each order holds what it asked for. */
async function assertBalanced(run: string): Promise<void> {
  const accounts = await app.store.database.read(
    (sql) => sql<{ account_id: number }[]>`select account_id from account`,
  );
  for (const { account_id } of accounts) await assertBalancedIn(account_id, run);
}

async function assertBalancedIn(accountId: number, run: string): Promise<void> {
  const wrong = await app.store.database.read(
    (sql) => sql`
      with mine as (select l.* from lot l where l.account_id = ${accountId} and sku_id like ${`${run}-%`})
      select 'balance' as what, lot_id::text as name from mine left join (select * from movement where account_id = ${accountId}) as m using (account_id, lot_id) group by lot_id, on_hand, locked
      having on_hand <> coalesce(sum(on_hand_delta), 0) or locked <> coalesce(sum(locked_delta), 0)
      union all
      select 'locked', lot_id::text from mine
      where locked <> (select coalesce(sum(locked_delta), 0) from movement m join orders o using (account_id, order_id)
        where m.account_id = ${accountId} and m.lot_id = mine.lot_id and o.status <> 'cancelled')
      union all
      select 'held', partner_number from orders o where o.account_id = ${accountId} and partner_number like ${`${run}-%`} and exists (
        (select product_id, sum(qty) from order_line l where l.account_id = ${accountId} and l.order_id = o.order_id and o.status <> 'cancelled' group by product_id
          except select product_id, sum(locked_delta) from movement m join lot using (account_id, lot_id) where m.account_id = ${accountId} and m.order_id = o.order_id group by product_id)
        union all
        (select product_id, sum(locked_delta) from movement m join lot using (account_id, lot_id) where m.account_id = ${accountId} and m.order_id = o.order_id
          group by product_id having sum(locked_delta) <> 0
          except select product_id, sum(qty) from order_line l where l.account_id = ${accountId} and l.order_id = o.order_id and o.status <> 'cancelled' group by product_id))`,
  );
  assert.deepEqual([...wrong], []);
}
