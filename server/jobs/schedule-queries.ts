import { type Message, storeMessage } from '../../messages/message.ts';
import type { Tx } from '../platform/postgres/sql.ts';
import type { Job } from './job.ts';

/** Adds new jobs. A job whose interval is shorter than before does not wait for the end of the longer one. */
export async function makeSchedule(tx: Tx, jobs: Job[]): Promise<void> {
  const names = jobs.map((job) => job.name);
  const seconds = jobs.map((job) => job.everySeconds);
  await tx`insert into schedule (name) select unnest(${names}::text[]) on conflict do nothing`;
  await tx`
    update schedule set next_run_at = now() + make_interval(secs => job.seconds)
    from unnest(${names}::text[], ${seconds}::float8[]) as job (name, seconds)
    where schedule.name = job.name and next_run_at > now() + make_interval(secs => job.seconds)`;
}

/** Returns true for exactly one of the workers that try to claim a due job. */
export async function claimJob(tx: Tx, job: Job): Promise<boolean> {
  const rows = await tx`
    update schedule set next_run_at = now() + make_interval(secs => ${job.everySeconds}), last_run_at = now()
    where name = (select name from schedule where name = ${job.name} and next_run_at <= now() for update skip locked)
    returning name`;
  return rows.length === 1;
}

/** Postpones the next run of a job that is still running by its full period. */
export async function keepJob(tx: Tx, job: Job): Promise<void> {
  await tx`update schedule set next_run_at = now() + make_interval(secs => ${job.everySeconds}) where name = ${job.name}`;
}

/** Makes a job that was claimed but not run due again. */
export async function giveBackJob(tx: Tx, job: Job): Promise<void> {
  await tx`update schedule set next_run_at = now() where name = ${job.name}`;
}

/** The schedule stores this word instead of an outcome if a job has thrown an error. */
export const failedOutcome = 'failed';

export async function finishJob(tx: Tx, job: Job, outcome: Message | typeof failedOutcome): Promise<void> {
  await tx`update schedule set last_outcome = ${storeMessage(outcome)} where name = ${job.name}`;
}
