import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { countBook, countEnter } from '../../contract/console/counts.ts';
import { startConsole } from '../support/console.ts';
import { advanceOrder, beginCount, expiry } from '../support/counting.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, textsOf } from '../support/logistics.ts';
import { assertAuditClean } from '../support/purge.ts';
import { order, receive } from '../support/warehouse.ts';
import { assertNoDeadlocks, eachRound, listOf, roundsOf, shuffled } from './races.ts';

const { app, staff, admin } = await startConsole();
await provisionLive(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
const rounds = roundsOf({ usual: 1, full: 100 });

async function balance(sku: string) {
  const [row] = await textsOf(app, 'select on_hand::text, locked::text from lot where sku_id = $1', [sku]);
  return [Number(row!.on_hand), Number(row!.locked)];
}

test('a count while orders are created, packed and shipped: its difference is booked once, and exactly', () =>
  eachRound(rounds, async (round) => {
    const sku = `BUSY-${round}`;
    await receive(app, { [sku]: [[expiry, 100]] }, live);
    const packed = listOf(4, (index) => `${sku}-PACKED-${index}`);
    for (const number of packed) {
      await order(app, number, [[sku, 2]], live);
      await advanceOrder(app, number, 'packed');
    }
    const created = listOf(4, (index) => `${sku}-NEW-${index}`);
    const count = await beginCount(app, staff, [sku]);
    const scan = { count_id: count.count_id, scan_id: randomUUID(), lot: await count.lot(sku), units: 90 };
    // Eight units are packed, and two of the others are missing. Packed units leave and new orders lock units meanwhile.
    await Promise.all(
      shuffled<() => Promise<unknown>>([
        ...packed.map((number) => () => advanceOrder(app, number, 'shipped')),
        ...created.map((number) => () => order(app, number, [[sku, 1]], live)),
        ...listOf(3, () => () => staff.ask(countEnter, scan)),
      ]).map((start) => start()),
    );
    const line = await count.line(staff, sku);
    assert.deepEqual([line.counted, line.expected, line.moved, line.difference], [90, 92, false, -2]);

    const results = await Promise.all([
      ...[staff, admin, staff].map((user) => user.ask(countBook, { count_id: count.count_id })),
      ...created.map((number) => advanceOrder(app, number, 'shipped')),
    ]);
    const kinds = results.flatMap((result) => (result ? [result.kind] : []));
    assert.deepEqual(kinds.toSorted(), ['booked', 'repeated', 'repeated']);
    assert.deepEqual(await balance(sku), [100 - 8 - 4 - 2, 0]);
    const numbers = await textsOf(
      app,
      "select m.reference_no, on_hand_delta::text as delta from movement m join lot using (account_id, lot_id) where sku_id = $1 and kind = 'adjust'",
      [sku],
    );
    assert.deepEqual(numbers, [{ reference_no: `SC-${String(count.count_id).padStart(6, '0')}`, delta: '-2' }]);
    await assertBooksInOrder(app);
  }));

test('a booking and orders for the last units at once: either the units go or the booking is refused, and never below the locks', () =>
  eachRound(rounds, async (round) => {
    const sku = `LAST-${round}`;
    await receive(app, { [sku]: [[expiry, 5]] }, live);
    const count = await beginCount(app, staff, [sku]);
    await count.enter(staff, sku, 3);
    const [booked, ...orders] = await Promise.all([
      count.book(staff),
      ...listOf(5, (index) =>
        order(app, `${sku}-${index}`, [[sku, 1]], live).then(
          () => 1,
          () => 0,
        ),
      ),
    ]);
    const locked = orders.reduce<number>((total, units) => total + Number(units), 0);
    assert.deepEqual(await balance(sku), booked.kind === 'booked' ? [3, locked] : [5, locked]);
    if (booked.kind !== 'booked') {
      assert.equal(booked.kind, 'refused');
      assert.equal((await count.line(staff, sku)).booked, null);
    }
    await assertBooksInOrder(app);
  }));

test('several people scan one lot while somebody books: each scan is in the booking, or is refused', () =>
  eachRound(rounds, async (round) => {
    const sku = `SHARED-${round}`;
    await receive(app, { [sku]: [[expiry, 10]] }, live);
    const count = await beginCount(app, staff, [sku]);
    const { count_id } = count;
    await count.enter(staff, sku, 10);
    const lot = await count.lot(sku);
    const [booked, ...scans] = await Promise.all([
      count.book(staff),
      ...listOf(8, (index) =>
        [staff, admin][index % 2]!.ask(countEnter, { count_id, scan_id: randomUUID(), lot, units: 1 }),
      ),
    ]);
    const entered = scans.filter(({ kind }) => kind === 'entered').length;
    assert.equal(scans.filter(({ kind }) => kind === 'ended').length, 8 - entered);
    assert.equal(booked.kind === 'booked' && booked.added, entered);
    assert.deepEqual(await balance(sku), [10 + entered, 0]);
    await assertAuditClean(app);
    await assertNoDeadlocks(app);
  }));
