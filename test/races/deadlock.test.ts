import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../server/platform/database.ts';
import { startTestApp } from '../support/app.ts';
import { cancelInbounds, cancelOrders, dataOf, goodRow, inboundBody, type Lines, order, receive, stockOf } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
/** Somebody who locks lots in the wrong order, and has time. */
const stranger = openDatabase(app.store.connection, { max: 2, deadlineSeconds: null });
after(() => stranger.close());
const rounds = roundsOf({ usual: 1, full: 10 });
const expireDate = '2030-01-01';

interface Case {
  what: string;
  /** `lines` are one unit of each of the two skus, and `number` is of an order and of a return of the same. */
  call(number: string, lines: Lines): Promise<unknown>;
  answer(number: string): unknown;
  /** Of each sku, where there were 10, and one of them locked. */
  after: { onHand: number; locked: number };
}

const cases: Case[] = [
  {
    what: 'an order',
    call: async (number, lines) => (await order(app, `${number}-NEW`, lines)).idempotent,
    answer: () => false,
    after: { onHand: 10, locked: 2 },
  },
  {
    what: 'the cancel of an order',
    call: (number) => cancelOrders(app, [number]),
    answer: (number) => [{ outbound_short_id: number, status: 'cancelled' }],
    after: { onHand: 10, locked: 0 },
  },
  {
    what: 'the cancel of an inbound document',
    call: (number) => cancelInbounds(app, [number]),
    answer: (number) => [{ stock_in_sn: number, status: 'cancelled' }],
    after: { onHand: 9, locked: 1 },
  },
];

for (const [index, { what, call, answer, after: left }] of cases.entries()) {
  test(`${what} that meets a deadlock is tried again, and done once`, async () => {
    for (let round = 1; round <= rounds; round++) {
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
        skus.map((sku) => goodRow(sku, expireDate, left.onHand, left.locked)),
      );
    }
  });
}

/** The call has the lot of the first sku and waits for that of the second, which the stranger has, who then wants the first one too. */
async function inDeadlock<T>([first, second]: readonly [string, string], call: () => Promise<T>): Promise<T> {
  let calling: Promise<T> | null = null;
  await stranger.transaction(async (tx) => {
    const lock = (sku: string) => tx`select from lot where product_id = (select product_id from product where sku_id = ${sku}) for update`;
    await lock(second);
    calling ??= call();
    calling.catch(() => {});
    // Where it was the stranger who had to give way, the call is over when the stranger tries again.
    await Promise.race([calling, somebodyWaits()]);
    await lock(first);
  });
  return await calling!;
}

async function somebodyWaits(): Promise<void> {
  const waiters = () =>
    app.store.database.read((sql) => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  while ((await waiters()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
