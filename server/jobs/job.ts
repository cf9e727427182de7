import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Keyring } from '../platform/keyring.ts';

export interface JobContext {
  database: Database;
  keyring: Keyring;
  clock: Clock;
  config: Config;
}

/** Something that happens again and again, on whichever worker comes first. */
export interface Job {
  name: string;
  everySeconds: number;
  /** Returns what to remember of this run. */
  run(context: JobContext): Promise<string>;
}
