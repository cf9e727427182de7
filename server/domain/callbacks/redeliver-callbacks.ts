import type { Database, Tx } from '../../platform/database.ts';
import {
  countCallbacks,
  endWaitOfBroken,
  lockForRedelivery,
  markPending,
  putInOrder,
  queueAgain,
  wakeAllWorkers,
} from './delivery-queries.ts';
import { deliveryRules } from './retry-schedule.ts';

/** The receivers of a batch are locked for as long as it takes, and workers pass them by meanwhile. */
const batchMax = 500;

/** Any number of callbacks, batch by batch. */
export async function redeliverInBatches(
  database: Database,
  callbackIds: number[],
  onProgress: (count: number) => void = () => {},
): Promise<number> {
  let count = 0;
  for (let start = 0; start < callbackIds.length; start += batchMax) {
    const batch = callbackIds.slice(start, start + batchMax);
    count += await database.transaction((tx) => redeliverCallbacks(tx, batch));
    onProgress(count);
  }
  return count;
}

/**
 * Sends callbacks once more, whatever became of them: due at once, with all their tries before them, in the order of their documents. Those
 * that a worker has in hand are being sent, and count. Returns how many of the ids there are.
 */
export async function redeliverCallbacks(tx: Tx, callbackIds: number[]): Promise<number> {
  await lockForRedelivery(tx, callbackIds);

  const queued = await queueAgain(tx, callbackIds);
  await putInOrder(tx, queued);
  await markPending(tx, queued);
  await endWaitOfBroken(tx, queued, deliveryRules.openAfterFailures);
  await wakeAllWorkers(tx);
  return await countCallbacks(tx, callbackIds);
}
