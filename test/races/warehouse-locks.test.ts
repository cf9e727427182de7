import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { moveOrders } from '../../server/domain/orders/order-queries.ts';
import { startTestApp } from '../support/app.ts';
import { type CrowdRequest, gatherCrowd, openDoor } from '../support/crowd.ts';
import { lockIsAwaited, openOwnerDatabase } from '../support/database.ts';
import { live, provisionLive } from '../support/live.ts';
import { accountIdOf } from '../support/main.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startSecondNode } from '../support/second-node.ts';
import {
  assertBalancesAreSums,
  cancelInbounds,
  cancelOrders,
  dataOf,
  goodRow,
  inboundBody,
  type Lines,
  order,
  orderBody,
  receive,
  stockOf,
} from '../support/warehouse.ts';
import { eachRound, listOf, roundsOf, shuffled, sum } from './races.ts';

const app = await startTestApp();
const crowd = gatherCrowd([await openDoor(app), await openDoor(await startSecondNode(app))], 80);
await provisionLive(app);
const liveId = await accountIdOf(app, live.accountNo);
const { database } = app.store;
/** A client that locks lots against the order of all operations, and has no deadline. */
const stranger = openOwnerDatabase(app.store.connection, { max: 2, deadlineSeconds: null });
after(() => stranger.close());
const rounds = roundsOf({ usual: 1, full: 50 });
const expireDate = '2030-01-01';

interface DeadlockCase {
  what: string;
  /** `lines` are one unit of each of two skus; an order and a return of them have the number. */
  call(number: string, lines: Lines): Promise<unknown>;
  answer(number: string): unknown;
  /** The stock of each sku afterwards; before there were 10 units, one of them locked. */
  left: [onHand: number, locked: number];
}

const deadlockCases: DeadlockCase[] = [
  {
    what: 'an order',
    call: async (number, lines) => (await order(app, `${number}-NEW`, lines)).idempotent,
    answer: () => false,
    left: [10, 2],
  },
  {
    what: 'the cancel of an order',
    call: (number) => cancelOrders(app, [number]),
    answer: (number) => [{ outbound_short_id: number, status: 'cancelled' }],
    left: [10, 0],
  },
  {
    what: 'the cancel of an inbound document',
    call: (number) => cancelInbounds(app, [number]),
    answer: (number) => [{ stock_in_sn: number, status: 'cancelled' }],
    left: [9, 1],
  },
];

for (const [index, { what, call, answer, left }] of deadlockCases.entries()) {
  test(`${what} that ends in a deadlock is retried, and takes effect once`, () =>
    eachRound(rounds, async (round) => {
      const number = `MET-${index}-${round}`;
      const skus = [`ONE-${index}-${round}`, `OTHER-${index}-${round}`] as const;
      const lines: Lines = skus.map((sku) => [sku, 1]);
      for (const sku of skus) await receive(app, { [sku]: [[expireDate, 9]] });
      const returned = inboundBody(number, Object.fromEntries(skus.map((sku) => [sku, [[expireDate, 1]]])));
      dataOf(await app.callWarehouse('/inbound/return', { ...returned, outbound_short_id: number }));
      await order(app, number, lines);

      assert.deepEqual(await inDeadlock(skus, () => call(number, lines)), answer(number));
      assert.deepEqual(
        await stockOf(app, [...skus]),
        skus.map((sku) => goodRow(sku, expireDate, ...left)),
      );
    }));
}

/** The call locks the first lot and waits for the second one; the stranger holds that and then asks for the first. */
async function inDeadlock<T>([first, second]: readonly [string, string], call: () => Promise<T>): Promise<T> {
  let calling: Promise<T> | null = null;
  await stranger.transaction(async (tx) => {
    const lock = async (sku: string) => {
      const [lot] = await tx`select account_id from lot where sku_id = ${sku}`;
      await tx`select from lot where account_id = ${lot!.account_id} and sku_id = ${sku} for update`;
    };
    await lock(second);
    calling ??= call();
    calling.catch(() => {});
    // If PostgreSQL aborted the stranger, the call has finished when the stranger tries again.
    await Promise.race([calling, lockIsAwaited(database)]);
    await lock(first);
  });
  return await calling!;
}

/** Sends an order while another transaction takes the whole lot that expires first; `meanwhile` runs before its commit. */
async function orderWhileLotIsTaken(sku: string, qty: number, meanwhile: () => Promise<unknown> = async () => {}) {
  const [ordering] = await stranger.transaction(async (tx) => {
    const [lot] = await tx`
      select lot_id, account_id, on_hand from lot where sku_id = ${sku} order by expire_date limit 1`;
    await tx`update lot set locked = on_hand where account_id = ${lot!.account_id} and lot_id = ${lot!.lot_id}`;
    await tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      values (${lot!.account_id}, ${lot!.lot_id}, 'adjust', 0, ${lot!.on_hand}, 'test', 'taken by another node')`;
    const ordering = app.callWarehouse('/outbound/create', orderBody(`${sku}-WAITING`, [[sku, qty]]));
    await lockIsAwaited(database);
    await meanwhile();
    return [ordering];
  });
  const { status, json } = await ordering!;
  return [status, json.message];
}

test('an order that waits in vain for a lot takes units that were released meanwhile', async () => {
  await receive(app, {
    FREED: [
      [expireDate, 5],
      ['2031-01-01', 5],
    ],
  });
  await order(app, 'FREED-FIRST', [['FREED', 5]]);
  await order(app, 'FREED-SECOND', [['FREED', 5]]);
  await cancelOrders(app, ['FREED-FIRST']);
  const meanwhile = () => cancelOrders(app, ['FREED-SECOND']);
  assert.deepEqual(await orderWhileLotIsTaken('FREED', 5, meanwhile), [200, 'success']);
});

test('an order that waits in vain for a lot is refused with what is left', async () => {
  await receive(app, {
    GONE: [
      [expireDate, 5],
      ['2031-01-01', 2],
    ],
  });
  assert.deepEqual(await orderWhileLotIsTaken('GONE', 3), [400, 'sku GONE available=2 < requested=3']);
});

/** The push to the warehouse may lock its orders first, or rely on the guard of the state change alone. */
async function transferSome(prefix: string, isLocking: boolean, max: number): Promise<number> {
  return await database.transaction(async (tx) => {
    const rows = await tx<{ account_id: number; order_id: number }[]>`
      select account_id, order_id from orders
      where account_id = ${liveId} and partner_number like ${`${prefix}%`} and status = 'pending_warehouse_transfer'
      order by order_id limit ${max} ${isLocking ? tx`for no key update skip locked` : tx``}`;
    const move = {
      status: 'pending_warehouse_transfer',
      event: 'transfer',
      cause: { actor: 'test', traceId: null },
    } as const;
    return await moveOrders(
      tx,
      rows.map((row) => ({ accountId: row.account_id, orderId: row.order_id, ...move })),
    );
  });
}

/** The responses about an order. */
interface Responses {
  created: RawAnswer | null;
  cancels: string[];
}
type Sending = CrowdRequest & { note(answer: RawAnswer): void };

test('orders are created, cancelled and transferred at once: an order whose cancel succeeded is never sent', async () => {
  const [ordersPerWave, waves, units] = [20, 3, 40];
  await eachRound(2 * rounds, async (round) => {
    const [sku, prefix] = [`TEA-${round}`, `OUT-${round}-`];
    await receive(app, { [sku]: [[expireDate, units]] }, live);
    const numbers = listOf(waves * ordersPerWave, (index) => `${prefix}${index}`);
    const responses = new Map(numbers.map((number): [string, Responses] => [number, { created: null, cancels: [] }]));

    let over = false;
    const pushes = [true, false].map(async (isLocking) => {
      while (!over) await transferSome(prefix, isLocking, 3);
    });
    for (let wave = 0; wave < waves; wave++) {
      const fresh = numbers.slice(wave * ordersPerWave, (wave + 1) * ordersPerWave);
      const earlier = numbers.slice(Math.max(0, wave - 1) * ordersPerWave, wave * ordersPerWave);
      await sendShuffled([
        ...fresh.map((number) => creating(number, sku, responses.get(number)!)),
        // Some are cancelled together with their neighbours, some before they exist, some twice.
        ...fresh.filter((_, index) => index % 2 === 0).map((number) => cancelling([number], responses)),
        ...earlier
          .filter((_, index) => index % 3 === 0)
          .map((number) => cancelling([number, numbers.at(numbers.indexOf(number) - 1)!], responses)),
      ]);
    }
    over = true;
    await Promise.all(pushes);
    await transferSome(prefix, false, numbers.length);

    const held = await assertEnded(prefix, responses);
    const [row] = await stockOf(app, sku, live);
    assert.deepEqual([row!.qty, row!.qty_lock, row!.qty_available], [units, held, units - held]);
  });
  await assertBalancesAreSums(app);
});

function creating(number: string, sku: string, responses: Responses): Sending {
  return {
    path: '/outbound/create',
    body: orderBody(number, [[sku, 1]], live),
    caller: live,
    note(answer) {
      responses.created = answer;
    },
  };
}

function cancelling(numbers: string[], responses: Map<string, Responses>): Sending {
  return {
    path: '/outbound/cancel',
    body: { outbound_short_ids: numbers },
    caller: live,
    note({ json }) {
      for (const { outbound_short_id, status } of json.data.results)
        responses.get(outbound_short_id)!.cancels.push(status);
    },
  };
}

async function sendShuffled(sendings: Sending[]): Promise<void> {
  const inOrder = shuffled(sendings);
  const answers = await crowd.call(inOrder);
  for (const [index, answer] of answers.entries()) inOrder[index]!.note(answer);
}

/** Asserts that each order ended as its responses say; returns the units that are still held. */
async function assertEnded(prefix: string, responses: Map<string, Responses>): Promise<number> {
  const rows = await database.read(
    (sql) => sql<{ partner_number: string; status: string; held: number }[]>`
      select partner_number, status, (select coalesce(sum(locked_delta), 0)::int from movement m where m.account_id = o.account_id and m.order_id = o.order_id) as held
      from orders o where partner_number like ${`${prefix}%`}`,
  );
  const found = new Map(rows.map((row) => [row.partner_number, row]));
  for (const [number, { created, cancels }] of responses) {
    const row = found.get(number);
    assert.equal(row !== undefined, created!.status === 200, `${number}: ${created!.text}`);
    const isCancelled = cancels.includes('cancelled');
    const cameTooLate = cancels.includes('cannot_cancel_after_picking');
    const state = `${number} is ${row?.status} and holds ${row?.held}; its cancels: ${cancels.join()}`;
    if (!row) assert.ok(!isCancelled && !cameTooLate, state);
    else if (isCancelled) assert.ok(row.status === 'cancelled' && row.held === 0 && !cameTooLate, state);
    else assert.ok(row.status === 'in_warehouse' && row.held === 1, state);
  }
  return sum(rows.map((row) => row.held));
}
