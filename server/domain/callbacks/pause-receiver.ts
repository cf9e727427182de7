import type { Tx } from '../../platform/database.ts';
import { wakeWorkers } from './owed-callback-queries.ts';
import { lockReceiver, markPaused, markResumed } from './receiver-queries.ts';
import { deliveryRules } from './retry-schedule.ts';

export type PauseOutcome = 'paused' | 'already' | 'not_found';
export type ResumeOutcome = 'resumed' | 'already' | 'not_found';

/** From its commit on no worker takes anything in hand for it: each has it locked when it asks. What is on its way still arrives. */
export async function pauseReceiver(tx: Tx, receiverId: string, actor: string): Promise<PauseOutcome> {
  const receiver = await lockReceiver(tx, receiverId);
  if (receiver === null) return 'not_found';
  if (receiver.paused) return 'already';

  await markPaused(tx, receiverId, actor);
  return 'paused';
}

/** What has become due meanwhile is sent at once; what is to be tried later keeps its time. */
export async function resumeReceiver(tx: Tx, receiverId: string): Promise<ResumeOutcome> {
  const receiver = await lockReceiver(tx, receiverId);
  if (receiver === null) return 'not_found';
  if (!receiver.paused) return 'already';

  await markResumed(tx, receiverId, deliveryRules.openAfterFailures);
  await wakeWorkers(tx, [receiverId]);
  return 'resumed';
}
