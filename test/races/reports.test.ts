import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, bring, cancelShipping, item, owedFor, ship } from '../support/logistics.ts';
import { lists, type Row, retvalOf, searchAll } from '../support/main.ts';
import { startSecondNode } from '../support/second-node.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
await provisionLive(app);
const nodes = [app, await startSecondNode(app)];
const rounds = roundsOf({ usual: 2, full: 100 });
const ordersPerRound = 12;

interface Story {
  shipped: string[];
  cancelled: number;
  tooLate: number;
}

test('reports, repeats and cancels of the same orders at once: each is shipped once under one number, or cancelled, and never both', async () => {
  for (let round = 1; round <= rounds; round++) {
    const names = Array.from({ length: ordersPerRound }, (_, index) => `R${round}-${index}`);
    await bring(app, [{ sku: `SKU-${round}`, quantity: ordersPerRound * 2 }], live.apiKey);
    for (const name of names) await ship(app, name, [item(`SKU-${round}`, 2)], { callback_url: 'https://partner.example/' }, live.apiKey);
    const stories = new Map(names.map((name): [string, Story] => [name, { shipped: [], cancelled: 0, tooLate: 0 }]));

    const deeds = names.flatMap((name) => [
      () => report([{ internal_name: name, status: 'picking' }], stories),
      () =>
        report(
          [name, neighbourOf(name, names)].map((one) => ({ internal_name: one, status: 'shipped', shipment_no: `A-${one}` })),
          stories,
        ),
      () => report([{ internal_name: name, status: 'shipped', shipment_no: `B-${name}` }], stories),
      () => cancel([neighbourOf(name, names), name], stories),
    ]);
    await Promise.all(shuffled(deeds).map((deed) => deed()));

    for (const row of await searchAll(app, lists.orders, { 'orders.internal_name': names }, live)) await assertOneEnd(row, stories);
  }
  await assertBooksInOrder(app);
});

function neighbourOf(name: string, names: string[]): string {
  return names[(names.indexOf(name) + 1) % names.length]!;
}

function shuffled<T>(all: T[]): T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

let calls = 0;
const nextNode = () => nodes[calls++ % nodes.length]!;

async function report(
  orders: { internal_name: string; status: string; shipment_no?: string }[],
  stories: Map<string, Story>,
): Promise<void> {
  const answer = await nextNode().callMain('/fulfilment/advance', { orders }, { as: live });
  const { results } = retvalOf<{ results: { status: string }[] }>(answer);
  for (const [index, { status }] of results.entries()) {
    const { internal_name, shipment_no } = orders[index]!;
    if (status === 'shipped') stories.get(internal_name)!.shipped.push(shipment_no!);
  }
}

async function cancel(names: string[], stories: Map<string, Story>): Promise<void> {
  const results = (await cancelShipping(nextNode(), names, live)) as { internal_name: string; status: string }[];
  for (const { internal_name, status } of results) stories.get(internal_name)![status === 'cancelled' ? 'cancelled' : 'tooLate'] += 1;
}

async function assertOneEnd(row: Row, stories: Map<string, Story>): Promise<void> {
  const name = row.internal_name as string;
  const { shipped, cancelled, tooLate } = stories.get(name)!;
  const timeline = row.timeline as { from: string | null; to: string }[];
  for (const [index, { from }] of timeline.entries()) assert.equal(from, index === 0 ? null : timeline[index - 1]!.to, name);
  assert.equal(timeline.at(-1)!.to, row.status);
  const owed = await owedFor(app, name);
  const movements = await app.store.database.read(
    (sql) => sql`
      select sum(on_hand_delta)::int as on_hand, sum(locked_delta)::int as locked from movement
      where order_id = (select order_id from orders where partner_number = ${name})`,
  );

  if (cancelled > 0) {
    assert.deepEqual([row.status, shipped, tooLate, owed.map(({ event }) => event)], ['cancelled', [], 0, ['order.cancelled']], name);
    assert.deepEqual({ ...movements[0] }, { on_hand: 0, locked: 0 });
  } else {
    assert.equal(row.status, 'shipped', name);
    assert.ok(
      shipped.every((number) => number === row.shipment_no),
      `${name}: ${shipped.join()}`,
    );
    assert.deepEqual([owed.map(({ event }) => event), JSON.parse(owed[0]!.body).shipment_no], [['order.shipped'], row.shipment_no]);
    assert.deepEqual({ ...movements[0] }, { on_hand: -2, locked: 0 });
  }
}
