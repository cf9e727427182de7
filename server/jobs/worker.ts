import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { auditStockJob } from './audit-stock.ts';
import { forgetEndedSecretsJob } from './forget-ended-secrets.ts';
import { forgetOldRequestsJob } from './forget-old-requests.ts';
import type { Job, JobContext } from './job.ts';
import { renewTokenKeysJob } from './renew-token-keys.ts';
import { claimJob, finishJob, makeSchedule } from './schedule-queries.ts';

export interface Worker {
  /** The job in work finishes; no other begins. */
  close(): Promise<void>;
}

export const jobs: Job[] = [forgetOldRequestsJob, forgetEndedSecretsJob, renewTokenKeysJob, auditStockJob];
const lookEverySeconds = 5;

/** Runs what is due. Any number of workers share the schedule: a job is claimed by the one that moves its next time. */
export function startWorker(context: JobContext & { log: Log; metrics: Metrics }): Worker {
  const stopping = new AbortController();
  const running = loop();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await runDueJobs(context, stopping.signal);
      } catch (error) {
        context.log.warn(describeError(error), 'the schedule could not be read; trying again');
      }
      await sleep(lookEverySeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Each due job once; for the worker, and for tests. */
export async function runDueJobs(context: JobContext & { log: Log; metrics: Metrics }, stopping?: AbortSignal): Promise<void> {
  await context.database.transaction((tx) => makeSchedule(tx, jobs));
  for (const job of jobs) {
    if (stopping?.aborted) return;
    const claimed = await context.database.transaction((tx) => claimJob(tx, job));
    if (claimed) await runJob(job, context);
  }
}

async function runJob(job: Job, context: JobContext & { log: Log; metrics: Metrics }): Promise<void> {
  try {
    const outcome = await job.run(context);
    await context.database.transaction((tx) => finishJob(tx, job, outcome));
    context.metrics.jobRuns.inc({ job: job.name, outcome: 'done' });
    context.log.debug({ job: job.name, outcome }, 'job done');
  } catch (error) {
    context.metrics.jobRuns.inc({ job: job.name, outcome: 'failed' });
    context.log.error({ job: job.name, ...describeError(error) }, 'job failed; it will run again at its next time');
    await context.database.transaction((tx) => finishJob(tx, job, 'failed')).catch(() => {});
  }
}
