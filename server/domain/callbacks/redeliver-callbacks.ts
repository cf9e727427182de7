import type { Tx } from '../../platform/database.ts';
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

export const redeliveryBatchMax = 10_000;

/**
 * Sends callbacks once more, whatever became of them: due at once, with all their tries before them, in the order of their documents. Those
 * that a worker has in hand are being sent, and count. Returns how many of the ids there are.
 */
export async function redeliverCallbacks(tx: Tx, callbackIds: number[]): Promise<number> {
  if (callbackIds.length > redeliveryBatchMax) throw new RangeError(`at most ${redeliveryBatchMax} callbacks at a time`);
  await lockForRedelivery(tx, callbackIds);

  const queued = await queueAgain(tx, callbackIds);
  await putInOrder(tx, queued);
  await markPending(tx, queued);
  await endWaitOfBroken(tx, queued, deliveryRules.openAfterFailures);
  await wakeAllWorkers(tx);
  return await countCallbacks(tx, callbackIds);
}
