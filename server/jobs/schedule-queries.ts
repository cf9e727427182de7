import type { Tx } from '../platform/database.ts';
import type { Job } from './job.ts';

export async function makeSchedule(tx: Tx, jobs: Job[]): Promise<void> {
  const names = jobs.map((job) => job.name);
  await tx`insert into schedule (name) select unnest(${names}::text[]) on conflict do nothing`;
}

/** True for exactly one of the workers that ask for a due job. */
export async function claimJob(tx: Tx, job: Job): Promise<boolean> {
  const rows = await tx`
    update schedule set next_run_at = now() + make_interval(secs => ${job.everySeconds}), last_run_at = now()
    where name = (select name from schedule where name = ${job.name} and next_run_at <= now() for update skip locked)
    returning name`;
  return rows.length === 1;
}

/** For a job that is still running: it is not due before its whole period has passed from now on. */
export async function keepJob(tx: Tx, job: Job): Promise<void> {
  await tx`update schedule set next_run_at = now() + make_interval(secs => ${job.everySeconds}) where name = ${job.name}`;
}

/** Claimed, but not run after all: it is due again at once. */
export async function giveBackJob(tx: Tx, job: Job): Promise<void> {
  await tx`update schedule set next_run_at = now() where name = ${job.name}`;
}

export async function finishJob(tx: Tx, job: Job, outcome: string): Promise<void> {
  await tx`update schedule set last_outcome = ${outcome} where name = ${job.name}`;
}
