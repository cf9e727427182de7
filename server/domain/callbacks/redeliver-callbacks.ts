import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import {
  countRedelivery,
  endWaitOfBroken,
  lockForRedelivery,
  markPending,
  putInOrder,
  queueAgain,
  type RedeliveryCounts,
  wakeAllWorkers,
} from './delivery-queries.ts';
import { deliveryRules } from './retry-schedule.ts';

/** The receivers of a batch stay locked until it commits, and workers skip them meanwhile. */
const batchMax = 500;

/** Redelivers any number of callbacks in batches. */
export async function redeliverInBatches(
  database: Database,
  callbackIds: number[],
  onProgress: (count: number) => void = () => {},
): Promise<RedeliveryCounts> {
  let counts: RedeliveryCounts = { count: 0, held: 0, behind: 0 };
  for (let start = 0; start < callbackIds.length; start += batchMax) {
    const batch = callbackIds.slice(start, start + batchMax);
    const ofBatch = await database.transaction((tx) => redeliverCallbacks(tx, batch));
    counts = sumOf(counts, ofBatch);
    onProgress(counts.count);
  }
  return counts;
}

export function sumOf(one: RedeliveryCounts, other: RedeliveryCounts): RedeliveryCounts {
  return { count: one.count + other.count, held: one.held + other.held, behind: one.behind + other.behind };
}

/**
 * Sends callbacks again, whatever their status: due at once, with a full set of attempts, in the order of their
 * documents. Callbacks that a worker is sending count as well. Returns how many of the ids exist and how many of these
 * must wait.
 */
export async function redeliverCallbacks(tx: Tx, callbackIds: number[]): Promise<RedeliveryCounts> {
  await lockForRedelivery(tx, callbackIds);

  const queued = await queueAgain(tx, callbackIds);
  await putInOrder(tx, queued);
  await markPending(tx, queued);
  await endWaitOfBroken(tx, queued, deliveryRules.openAfterFailures);
  await wakeAllWorkers(tx);
  return await countRedelivery(tx, callbackIds);
}
