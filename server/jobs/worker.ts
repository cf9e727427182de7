import { setTimeout as sleep } from 'node:timers/promises';
import { formatMessage } from '../../messages/format-message.ts';
import type { Config } from '../config.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import { auditStockJob } from './audit-stock-job.ts';
import { backUpJob, makeBackupDue } from './back-up-job.ts';
import { countTrendsJob } from './count-trends-job.ts';
import { eraseRecipientsJob } from './erase-recipients-job.ts';
import { fillSearchJob } from './fill-search-job.ts';
import { forgetEndedSecretsJob } from './forget-ended-secrets.ts';
import { forgetOldRequestsJob } from './forget-old-requests.ts';
import { forgetOldSessionsJob } from './forget-old-sessions.ts';
import type { Job, JobContext } from './job.ts';
import { judgeSecretsJob } from './judge-secrets-job.ts';
import { purgeUatJob } from './purge-uat-job.ts';
import { receiveFormsJob } from './receive-forms-job.ts';
import { renewTokenKeysJob } from './renew-token-keys.ts';
import { claimJob, failedOutcome, finishJob, giveBackJob, keepJob, makeSchedule } from './schedule-queries.ts';
import { sendAlertsJob } from './send-alerts-job.ts';
import { settleChangesJob } from './settle-changes-job.ts';
import { shipPlannedJob } from './ship-planned-job.ts';

export interface Worker {
  /** Starts no more jobs and waits for the running ones, which end early where they can. */
  close(): Promise<void>;
}

type WorkerContext = JobContext & { log: Log; metrics: Metrics };

export const jobs: Job[] = [
  forgetOldRequestsJob,
  forgetEndedSecretsJob,
  forgetOldSessionsJob,
  judgeSecretsJob,
  renewTokenKeysJob,
  auditStockJob,
  purgeUatJob,
  eraseRecipientsJob,
  receiveFormsJob,
  settleChangesJob,
  shipPlannedJob,
  fillSearchJob,
  countTrendsJob,
  sendAlertsJob,
];

/** The jobs of every node, and those that the settings ask for. */
function jobsFor({ backupEveryHours }: Config): Job[] {
  return backupEveryHours === null ? jobs : [...jobs, backUpJob(backupEveryHours)];
}

const checkEverySeconds = 5;
/** Jobs run in parallel, so that a long one does not delay the others. */
const jobsAtOnceMax = 4;

/** Runs due jobs. Any number of workers share the schedule: a worker claims a job by moving its next run. */
export function startWorker(context: WorkerContext): Worker {
  const stopping = new AbortController();
  const runner = makeRunner(context, stopping.signal);
  const running = loop();

  async function loop(): Promise<void> {
    await makeBackupDue(context).catch((error) =>
      context.log.warn(describeError(error), 'BACKUP_DIR could not be read; the backup keeps its time'),
    );
    while (!stopping.signal.aborted) {
      try {
        await runner.startDue();
      } catch (error) {
        context.log.warn(describeError(error), 'the schedule could not be read; trying again');
      }
      await sleep(checkEverySeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    async close() {
      stopping.abort();
      await running;
      await runner.allDone();
    },
  };
}

/** Runs each due job once and waits for all of them. For tests. */
export async function runDueJobs(context: WorkerContext, stopping = new AbortController().signal): Promise<void> {
  const runner = makeRunner(context, stopping);
  await runner.startDue();
  await runner.allDone();
}

function makeRunner(context: WorkerContext, stopping: AbortSignal) {
  const { database, config } = context;
  const running = new Map<string, Promise<void>>();

  async function startDue(): Promise<void> {
    const wanted = jobsFor(config);
    await database.transaction(noAccounts, (tx) => makeSchedule(tx, wanted));
    for (const job of wanted) {
      while (running.size >= jobsAtOnceMax) await Promise.race(running.values());
      if (stopping.aborted) return;
      if (!running.has(job.name) && (await claim(job))) start(job);
    }
  }

  async function claim(job: Job): Promise<boolean> {
    const claimed = await database.transaction(noAccounts, (tx) => claimJob(tx, job));
    if (!claimed || !stopping.aborted) return claimed;
    await database.transaction(noAccounts, (tx) => giveBackJob(tx, job));
    return false;
  }

  function start(job: Job): void {
    // The next run of a long job is postponed while it runs, so that no other worker starts it.
    const keeping = setInterval(
      () => void database.transaction(noAccounts, (tx) => keepJob(tx, job)).catch(() => {}),
      (job.everySeconds * 1000) / 4,
    );
    const done = runJob(job, context, stopping).finally(() => {
      clearInterval(keeping);
      running.delete(job.name);
    });
    running.set(job.name, done);
  }

  return {
    startDue,
    async allDone(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}

async function runJob(job: Job, context: WorkerContext, stopping: AbortSignal): Promise<void> {
  try {
    const outcome = await job.run({ ...context, stopping });
    await context.database.transaction(noAccounts, (tx) => finishJob(tx, job, outcome));
    context.metrics.jobRuns.inc({ job: job.name, outcome: 'done' });
    context.log.debug({ job: job.name, outcome: formatMessage(outcome) }, 'job done');
  } catch (error) {
    context.metrics.jobRuns.inc({ job: job.name, outcome: 'failed' });
    context.log.error({ job: job.name, ...describeError(error) }, 'job failed; it will run again on schedule');
    await context.database.transaction(noAccounts, (tx) => finishJob(tx, job, failedOutcome)).catch(() => {});
  }
}
