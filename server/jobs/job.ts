import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Metrics } from '../platform/metrics.ts';

export interface JobContext {
  database: Database;
  keyring: Keyring;
  clock: Clock;
  config: Config;
}

/** What a job has for one run. */
export interface JobRun extends JobContext {
  metrics: Metrics;
  /** The worker is closing and waits for the job: one that takes long should end early, its next run goes on. */
  stopping: AbortSignal;
}

/** Something that happens again and again, on whichever worker comes first. */
export interface Job {
  name: string;
  everySeconds: number;
  /** Returns what to remember of this run. */
  run(run: JobRun): Promise<string>;
}
