import type { Database } from '../../platform/postgres/database.ts';
import type { CursorPosition, Search } from '../../platform/postgres/keyset-search.ts';
import { findSelectedKeys } from './callback-list-queries.ts';
import { noneRedelivered, redeliverInBatches, sumOf } from './redeliver-callbacks.ts';
import type { RedeliveryCounts } from './redelivery-queries.ts';

export type SelectionCount = { kind: 'counted'; count: number } | { kind: 'too_many'; found: number };

export type RedeliverOutcome =
  | ({ kind: 'redelivered'; next: CursorPosition | null } & RedeliveryCounts)
  | { kind: 'count_changed'; count: number }
  | { kind: 'too_many'; found: number };

export interface Selection extends Pick<Search, 'accountIds' | 'filters'> {
  /** A larger selection is rejected. */
  countMax: number;
}

const countingMaxMs = 1500;
const redeliveringMaxMs = 1500;
const batchMax = 250;

export async function countSelection(
  database: Database,
  { accountIds, filters, countMax }: Selection,
): Promise<SelectionCount> {
  const limits = { limit: countMax + 1, untilMs: performance.now() + countingMaxMs };
  const { callbacks, next } = await database.read(accountIds, (sql) =>
    findSelectedKeys(sql, { accountIds, filters, after: null }, limits),
  );
  return next !== null || callbacks.length > countMax
    ? { kind: 'too_many', found: callbacks.length }
    : { kind: 'counted', count: callbacks.length };
}

/**
 * Sends a selection again, as much as one run allows, starting after a position. At the start the selection must still
 * have the size that the caller expects. A callback keeps its position when it is sent again, and new callbacks come
 * before all others, so none is sent twice.
 */
export async function redeliverSelection(
  database: Database,
  { accountIds, filters, countMax }: Selection,
  {
    expectedCount,
    after,
    workMaxMs = redeliveringMaxMs,
  }: { expectedCount: number; after: CursorPosition | null; workMaxMs?: number },
): Promise<RedeliverOutcome> {
  const limits = { limit: countMax + 1, untilMs: performance.now() + countingMaxMs };
  const { callbacks, next } = await database.read(accountIds, (sql) =>
    findSelectedKeys(sql, { accountIds, filters, after }, limits),
  );
  if (after === null && (next !== null || callbacks.length > countMax))
    return { kind: 'too_many', found: callbacks.length };
  if (after === null && callbacks.length !== expectedCount) return { kind: 'count_changed', count: callbacks.length };

  const untilMs = performance.now() + workMaxMs;
  let done = 0;
  let counts = noneRedelivered;
  while (done < callbacks.length && (done === 0 || performance.now() < untilMs)) {
    const batch = callbacks.slice(done, done + batchMax);
    counts = sumOf(counts, await redeliverInBatches(database, batch));
    done += batch.length;
  }
  return { kind: 'redelivered', ...counts, next: done === callbacks.length ? next : callbacks[done - 1]!.position };
}
