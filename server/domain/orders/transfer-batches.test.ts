import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesByCreation, type FindPending } from './transfer-batches.ts';

/** As many orders of each account as it has a length, made in turn; whoever looks is given what it asks for, and its looks are kept. */
function orders(lengths: number[]): {
  findPending: FindPending;
  looks: { accounts: number; limit: number; found: number }[];
  ids: number[];
} {
  const looks: { accounts: number; limit: number; found: number }[] = [];
  const idOf = (accountId: number, nth: number) => nth * lengths.length + accountId;
  const instantOf = (orderId: number) => `2026-01-01 00:00:00.${String(orderId).padStart(9, '0')}+00`;
  const findPending: FindPending = async (beyond, limit) => {
    const found = beyond.flatMap(({ accountId, orderId }) => {
      const from = orderId === 0 ? 0 : (orderId - accountId) / lengths.length + 1;
      const count = Math.max(0, Math.min(limit, lengths[accountId - 1]! - from));
      return Array.from({ length: count }, (_, index) => {
        const id = idOf(accountId, from + index);
        return { accountId, orderId: id, createdAt: instantOf(id) };
      });
    });
    looks.push({ accounts: beyond.length, limit, found: found.length });
    return found;
  };
  const ids = lengths
    .flatMap((length, index) => Array.from({ length }, (_, nth) => idOf(index + 1, nth)))
    .sort((one, other) => one - other);
  return { findPending, looks, ids };
}

test('orders of accounts that have few and many of them come in the order of their creation', async () => {
  const { findPending, ids } = orders([0, 1, 3, 40, 7, 3]);
  for (const pageMax of [1, 3, 100]) {
    const batches = await Array.fromAsync(batchesByCreation([1, 2, 3, 4, 5, 6], findPending, { pageMax, batchMax: 4 }));
    assert.deepEqual(batches.flat(), ids);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [...Array(13).fill(4), 2],
    );
  }
});

test('three hundred accounts of which five hundred orders each wait are served, and no look finds more than fifty thousand', async () => {
  const { findPending, looks, ids } = orders(Array(300).fill(500));
  const accountIds = Array.from({ length: 300 }, (_, index) => index + 1);
  const batches = await Array.fromAsync(batchesByCreation(accountIds, findPending, { pageMax: 1000, batchMax: 100 }));

  assert.deepEqual(batches.flat(), ids);
  assert.equal(batches.length, 1500);
  assert.equal(looks[0]!.limit, 166);
  assert.ok(looks.every((look) => look.found <= 50_000));
});

test('however many accounts there are, a look finds some of each', async () => {
  const { findPending, looks, ids } = orders(Array(6000).fill(12));
  const accountIds = Array.from({ length: 6000 }, (_, index) => index + 1);
  const batches = await Array.fromAsync(batchesByCreation(accountIds, findPending, { pageMax: 1000, batchMax: 500 }));

  assert.deepEqual(batches.flat(), ids);
  assert.deepEqual(looks[0], { accounts: 6000, limit: 10, found: 60_000 });
});
