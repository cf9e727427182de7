import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, operationDeadlineSeconds, type Sql } from '../../platform/database.ts';

/** Keeps what is held in memory in step with the database. */
export interface Follower {
  /** So that what is in memory is recent: a change reaches every node within 5 s. */
  keepUp(): Promise<void>;
  /** As of this moment: before somebody is refused, who may have been let in just now. */
  catchUp(): Promise<void>;
  /** As of this moment too, for those who are known and few: they do not wait for their turn among strangers. */
  catchUpAtOnce(): Promise<void>;
}

/** From this age on changes are looked for, beside the request that noticed. */
const freshMs = 1000;
/** From this age on the request waits for it. */
const staleMs = 3000;
/** However many are refused, changes are looked for on their behalf so often at most. */
const lookEveryMs = 50;
/** Of the time that an operation has: a look comes before it, and both together must end within the 5 s that the contract promises. */
const lookShare = 0.37;

/** One look at a time: whoever comes while one is under way shares it, or waits for the next. */
export function followChanges(database: Database, takeIn: (sql: Sql) => Promise<void>): Follower {
  const lookWithinSeconds = lookShare * (database.deadlineSeconds ?? operationDeadlineSeconds);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  function look(everyMs: number): Promise<void> {
    looking ??= lookInTurn(everyMs).finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookInTurn(everyMs: number): Promise<void> {
    const restMs = lookedAtMs + everyMs - performance.now();
    if (restMs > 0) await sleep(restMs);
    const startedMs = performance.now();
    await database.read(takeIn, lookWithinSeconds);
    lookedAtMs = startedMs;
  }

  async function lookUntilRecent(everyMs: number): Promise<void> {
    const askedMs = performance.now();
    while (lookedAtMs < askedMs) await look(everyMs);
  }

  return {
    async keepUp() {
      const ageMs = performance.now() - lookedAtMs;
      if (ageMs > staleMs) await look(lookEveryMs);
      else if (ageMs > freshMs) look(lookEveryMs).catch(() => {});
    },
    catchUp: () => lookUntilRecent(lookEveryMs),
    catchUpAtOnce: () => lookUntilRecent(0),
  };
}
