import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, operationDeadlineSeconds } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { newestPartnerChange } from './partner-queries.ts';

/** Keeps data in memory in step with the database. */
export interface Follower {
  /** Keeps the data recent: a change reaches every node within 5 s. */
  keepUp(): Promise<void>;
  /** Reads the current state: used before a caller is refused that may have been enabled just now. */
  catchUp(): Promise<void>;
  /** The same for callers that are known and few: they do not queue behind unknown callers. */
  catchUpAtOnce(): Promise<void>;
}

/** Beyond this age changes are read in the background of the request. */
const freshMs = 1000;
/** Beyond this age the request waits for the changes. */
const staleMs = 3000;
/** However many callers are refused, changes are read on their behalf at most this often. */
const lookEveryMs = 50;
/**
 * Share of the time that an operation has: reading changes comes before it, and both must end within the 5 s that the
 * contract promises.
 */
const lookShare = 0.37;

/** Follows the changes of partners: `takeIn` reads those that are newer than the newest one that it has seen. */
export function followPartnerChanges(
  database: Database,
  { takeIn, forget }: { takeIn(sql: Sql, newestSeen: number): Promise<void>; forget(): void },
): Follower {
  let newestSeen = 0;

  async function takeInNewer(sql: Sql): Promise<void> {
    const newest = await newestPartnerChange(sql);
    if (newest !== newestSeen) await takeIn(sql, newestSeen);
    newestSeen = newest;
  }

  return followChanges(database, takeInNewer, () => {
    newestSeen = 0;
    forget();
  });
}

/**
 * One read at a time: a caller that arrives during a read shares it or waits for the next one. `forget` is called before
 * the first read from a new primary, which may have lost changes of the former one.
 */
export function followChanges(
  database: Database,
  takeIn: (sql: Sql) => Promise<void>,
  forget: () => void = () => {},
): Follower {
  const lookWithinSeconds = lookShare * (database.deadlineSeconds ?? operationDeadlineSeconds);
  let { generation } = database.record;
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
    await database.read(noAccounts, takeInFresh, lookWithinSeconds);
    lookedAtMs = startedMs;
  }

  async function takeInFresh(sql: Sql): Promise<void> {
    const current = database.record.generation;
    if (generation !== current) forget();
    await takeIn(sql);
    generation = current;
  }

  async function lookUntilRecent(everyMs: number): Promise<void> {
    const askedMs = performance.now();
    while (lookedAtMs < askedMs) await look(everyMs);
  }

  return {
    async keepUp() {
      const ageMs = performance.now() - lookedAtMs;
      if (ageMs > staleMs || generation !== database.record.generation) await look(lookEveryMs);
      else if (ageMs > freshMs) look(lookEveryMs).catch(() => {});
    },
    catchUp: () => lookUntilRecent(lookEveryMs),
    catchUpAtOnce: () => lookUntilRecent(0),
  };
}
