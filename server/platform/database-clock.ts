import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Log } from './log.ts';

/** The time on which all nodes agree. */
export interface DatabaseClock extends Clock {
  close(): void;
}

const lookEveryMs = 10_000;
/** A slower answer says too little about the time at which it was made. */
const roundTripMaxMs = 1000;
/** Closer than this two clocks are the same, and our own is read. */
const differenceMaxMs = 2000;

/**
 * Our own clock as long as it agrees with the database's, and otherwise the database's: what a node purges, signs, issues or ends by a clock that
 * is a day off would be wrong for all nodes.
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

  // A database that is away has told its time before, or will.
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
  const [row] = await database.read((sql) => sql<[{ time: Date }]>`select clock_timestamp() as time`);
  return row.time;
}
