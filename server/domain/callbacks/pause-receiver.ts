import type { Tx } from '../../platform/postgres/sql.ts';
import type { Lane } from './callback.ts';
import { wakeWorkers } from './owed-callback-queries.ts';
import { lockReceiver, markPaused, markResumed } from './receiver-queries.ts';
import { deliveryRules } from './retry-schedule.ts';

export type PauseOutcome = 'paused' | 'already' | 'not_found';
export type ResumeOutcome = 'resumed' | 'already' | 'not_found';

/**
 * After this commit no worker claims callbacks for the receiver, because each worker locks it before claiming.
 * Callbacks that are being sent still arrive.
 */
export async function pauseReceiver(tx: Tx, lane: Lane, actor: string): Promise<PauseOutcome> {
  const receiver = await lockReceiver(tx, lane);
  if (receiver === null) return 'not_found';
  if (receiver.paused) return 'already';

  await markPaused(tx, lane, actor);
  return 'paused';
}

/** Callbacks that became due meanwhile are sent at once; those scheduled for later keep their time. */
export async function resumeReceiver(tx: Tx, lane: Lane): Promise<ResumeOutcome> {
  const receiver = await lockReceiver(tx, lane);
  if (receiver === null) return 'not_found';
  if (!receiver.paused) return 'already';

  await markResumed(tx, lane, deliveryRules.openAfterFailures);
  await wakeWorkers(tx, [lane]);
  return 'resumed';
}
