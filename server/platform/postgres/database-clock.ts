import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { noAccounts } from './sql.ts';

/** The time that all nodes share. */
export interface DatabaseClock extends Clock {
  close(): void;
}

const lookEveryMs = 10_000;
/** A slower response says too little about the time at which it was made. */
const roundTripMaxMs = 1000;
/** Clocks that differ by less count as equal, and the local clock is used. */
const differenceMaxMs = 2000;

/**
 * The local clock as long as it agrees with the database's clock, otherwise the database's. A node whose clock is a day
 * off would purge, sign, issue or expire things wrongly for all nodes.
 */
export async function followDatabaseClock(database: Database, own: Clock, log: Log): Promise<DatabaseClock> {
  let theirs: { timeMs: number; atMs: number } | null = null;

  async function look(): Promise<void> {
    const askedMs = performance.now();
    const time = await readDatabaseTime(database);
    const atMs = performance.now();
    if (atMs - askedMs > roundTripMaxMs) return;
    const timeMs = time.getTime() + (atMs - askedMs) / 2;
    const aheadMs = own.now().getTime() - timeMs;
    const differs = Math.abs(aheadMs) > differenceMaxMs;
    if (differs && !theirs) log.warn({ ahead_s: Math.round(aheadMs / 1000) }, wrongClock);
    if (!differs && theirs) log.info('the clock of this node agrees with that of the database again');
    theirs = differs ? { timeMs, atMs } : null;
  }

  // If the database is unavailable, the last known difference remains in use.
  const tryToLook = () => look().catch(() => {});
  await tryToLook();
  const timer = setInterval(() => void tryToLook(), lookEveryMs);
  timer.unref();
  return {
    now: () => (theirs ? new Date(theirs.timeMs + performance.now() - theirs.atMs) : own.now()),
    close: () => clearInterval(timer),
  };
}

const wrongClock =
  'the clock of this node differs from that of the database, whose time is used instead; but signed requests are checked by ours: set it (NTP)';

export async function readDatabaseTime(database: Database): Promise<Date> {
  const [row] = await database.read(noAccounts, (sql) => sql<[{ time: Date }]>`select clock_timestamp() as time`);
  return row.time;
}
