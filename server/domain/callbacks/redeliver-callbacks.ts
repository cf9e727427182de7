import type { Database } from '../../platform/postgres/database.ts';
import { groupByAccount } from '../../platform/postgres/per-account.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackKey } from './callback.ts';
import { wakeWorkersFor } from './owed-callback-queries.ts';
import {
  countRedelivery,
  endWaitOfBroken,
  lockForRedelivery,
  markPending,
  putInOrder,
  queueAgain,
  type RedeliveryCounts,
} from './redelivery-queries.ts';
import { deliveryRules } from './retry-schedule.ts';

/** The receivers of a batch stay locked until it commits, and workers skip them meanwhile. */
const batchMax = 500;

export const noneRedelivered: RedeliveryCounts = { count: 0, held: 0, behind: 0, erased: 0 };

/** Redelivers any number of callbacks in batches, account by account. */
export async function redeliverInBatches(
  database: Database,
  callbacks: CallbackKey[],
  onProgress: (count: number) => void = () => {},
): Promise<RedeliveryCounts> {
  let counts = noneRedelivered;
  for (const [accountId, own] of groupByAccount(callbacks)) {
    for (let start = 0; start < own.length; start += batchMax) {
      const batch = own.slice(start, start + batchMax).map(({ callbackId }) => callbackId);
      const ofBatch = await database.transaction([accountId], (tx) => redeliverCallbacks(tx, accountId, batch));
      counts = sumOf(counts, ofBatch);
      onProgress(counts.count);
    }
  }
  return counts;
}

export function sumOf(one: RedeliveryCounts, other: RedeliveryCounts): RedeliveryCounts {
  return {
    count: one.count + other.count,
    held: one.held + other.held,
    behind: one.behind + other.behind,
    erased: one.erased + other.erased,
  };
}

/**
 * Sends callbacks of an account again, whatever their status: due at once, with a full set of attempts, in the order of
 * their documents. Callbacks that a worker is sending count as well. Returns how many of the ids exist, how many of
 * these must wait, and how many cannot be sent any more.
 */
export async function redeliverCallbacks(tx: Tx, accountId: number, callbackIds: number[]): Promise<RedeliveryCounts> {
  await lockForRedelivery(tx, accountId, callbackIds);

  const queued = await queueAgain(tx, accountId, callbackIds);
  await putInOrder(tx, accountId, queued);
  await markPending(tx, accountId, queued);
  await endWaitOfBroken(tx, accountId, queued, deliveryRules.openAfterFailures);
  await wakeWorkersFor(tx, accountId);
  return await countRedelivery(tx, accountId, callbackIds);
}
