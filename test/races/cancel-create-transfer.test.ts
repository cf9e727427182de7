import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveOrders } from '../../server/domain/orders/order-queries.ts';
import { startTestApp } from '../support/app.ts';
import { type CrowdRequest, gatherCrowd, openDoor } from '../support/crowd.ts';
import { live, provisionLive } from '../support/live.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, orderBody, receive, stockOf } from '../support/warehouse.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const doors = [await openDoor(app), await openDoor(await startSecondNode(app))];
await provisionLive(app);
const caller = live;

const ordersPerWave = 20;
const waves = 4;
const rounds = roundsOf({ usual: 2, full: 100 });
const crowd = gatherCrowd(doors, 4 * ordersPerWave);
const units = 50;
const qty = 1;

/** How the push to the warehouse may take orders: with their rows locked, or trusting that an order moves only from where it may. */
const ways = ['claims its orders', 'just moves them'] as const;
type Way = (typeof ways)[number];

async function transferSome(prefix: string, way: Way, max: number): Promise<number> {
  return await app.store.database.transaction(async (tx) => {
    const claim = way === 'claims its orders' ? tx`for no key update skip locked` : tx``;
    const rows = await tx<{ order_id: number }[]>`
      select order_id from orders where partner_number like ${`${prefix}%`} and status = 'pending_warehouse_transfer'
      order by order_id limit ${max} ${claim}`;
    const cause = { actor: 'test', traceId: null };
    return await moveOrders(
      tx,
      rows.map((row) => ({ orderId: row.order_id, status: 'pending_warehouse_transfer', event: 'transfer', cause })),
    );
  });
}

test('orders are created, cancelled and transferred at once: each ends as one or the other, and what was called cancelled is never sent', async () => {
  for (let round = 1; round <= rounds; round++) {
    const sku = `TEA-${round}`;
    const prefix = `OUT-${round}-`;
    await receive(app, { [sku]: [['2030-01-01', units]] }, caller);
    const stories = new Map(Array.from({ length: waves * ordersPerWave }, (_, index) => [`${prefix}${index}`, newStory()]));
    const numbers = [...stories.keys()];

    let over = false;
    const pushes = ways.map(async (way) => {
      while (!over) await transferSome(prefix, way, 3);
    });
    for (let wave = 0; wave < waves; wave++) {
      const fresh = numbers.slice(wave * ordersPerWave, (wave + 1) * ordersPerWave);
      const earlier = numbers.slice(Math.max(0, wave - 1) * ordersPerWave, wave * ordersPerWave);
      await sendShuffled([
        ...fresh.map((number) => creating(number, sku, stories.get(number)!)),
        // Some are cancelled together with their neighbours, some before they are there, some twice.
        ...fresh.filter((_, index) => index % 2 === 0).map((number) => cancelling([number], stories)),
        ...earlier.filter((_, index) => index % 3 === 0).map((number) => cancelling([number, neighbourOf(number, numbers)], stories)),
      ]);
    }
    over = true;
    await Promise.all(pushes);
    await transferSome(prefix, 'just moves them', numbers.length);

    const held = await assertEnded(prefix, stories);
    const [row] = await stockOf(app, sku, caller);
    assert.deepEqual([row!.qty, row!.qty_lock, row!.qty_available], [units, held, units - held]);
  }
  await assertBalancesAreSums(app);
});

/** What was answered about an order. */
interface Story {
  created: RawAnswer | null;
  cancels: string[];
}

function newStory(): Story {
  return { created: null, cancels: [] };
}

type Sending = CrowdRequest & { note(answer: RawAnswer): void };

function creating(number: string, sku: string, story: Story): Sending {
  return {
    path: '/outbound/create',
    body: orderBody(number, [[sku, qty]], caller),
    caller,
    note(answer) {
      story.created = answer;
    },
  };
}

function cancelling(numbers: string[], stories: Map<string, Story>): Sending {
  return {
    path: '/outbound/cancel',
    body: { outbound_short_ids: numbers },
    caller,
    note({ json }) {
      for (const { outbound_short_id, status } of json.data.results) stories.get(outbound_short_id)!.cancels.push(status);
    },
  };
}

function neighbourOf(number: string, numbers: string[]): string {
  return numbers[(numbers.indexOf(number) + numbers.length - 1) % numbers.length]!;
}

async function sendShuffled(sendings: Sending[]): Promise<void> {
  const shuffled = sendings
    .map((sending) => ({ sending, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ sending }) => sending);
  const answers = await crowd.call(shuffled);
  for (const [index, answer] of answers.entries()) shuffled[index]!.note(answer);
}

/** Units that are still held when all is over. */
async function assertEnded(prefix: string, stories: Map<string, Story>): Promise<number> {
  const rows = await app.store.database.read(
    (sql) => sql<{ partner_number: string; status: string; held: number }[]>`
      select partner_number, status, (select coalesce(sum(locked_delta), 0)::int from movement m where m.order_id = o.order_id) as held
      from orders o where partner_number like ${`${prefix}%`}`,
  );
  const found = new Map(rows.map((row) => [row.partner_number, row]));
  for (const [number, { created, cancels }] of stories) {
    const row = found.get(number);
    assert.equal(row !== undefined, created!.status === 200, `${number}: ${created!.text}`);
    const isCancelled = cancels.includes('cancelled');
    const story = `${number} ended as ${row?.status} holding ${row?.held}; its cancels: ${cancels.join()}`;
    if (!row) assert.ok(!isCancelled && !cancels.includes('cannot_cancel_after_picking'), story);
    else if (isCancelled)
      assert.ok(row.status === 'cancelled' && row.held === 0 && !cancels.includes('cannot_cancel_after_picking'), story);
    else assert.ok(row.status === 'in_warehouse' && row.held === qty, story);
  }
  return rows.reduce((sum, row) => sum + row.held, 0);
}
