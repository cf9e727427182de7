import type { Message } from '../../messages/message.ts';
import type { Config } from '../config.ts';
import type { FormatCallback } from '../domain/callbacks/callback.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Reads } from '../platform/postgres/reads.ts';

export interface JobContext {
  database: Database;
  /** For jobs that only read; null: they use the database. */
  reads?: Reads | null;
  /** The embedded PostgreSQL, if there is one to back up. */
  backupSource?: { dataDir: string; ladingVersion: string } | null;
  keyring: Keyring;
  clock: Clock;
  config: Config;
  formatCallback: FormatCallback;
}

export interface JobRun extends JobContext {
  metrics: Metrics;
  /** Aborted when the worker shuts down and waits for the job. A long job should end early; its next run continues. */
  stopping: AbortSignal;
}

/** A task on a schedule. Each run is claimed by one worker. */
export interface Job {
  name: string;
  everySeconds: number;
  /** Returns the outcome of this run, which the schedule stores. */
  run(run: JobRun): Promise<Message>;
}
