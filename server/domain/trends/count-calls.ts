import type { Database } from '../../platform/postgres/database.ts';
import { accountsOf } from '../../platform/postgres/per-account.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { listAccounts } from '../partners/partner-queries.ts';
import {
  type CallCounts,
  countLoggedCalls,
  findFirstCall,
  readProgress,
  saveCallHour,
  saveProgress,
} from './call-trend-queries.ts';
import { type Pace, paced } from './pace.ts';

const hourMs = 3_600_000;
/** Lines are counted in short statements, also when a busy hour has millions of them. */
const sliceMs = hourMs / 12;
/** Lines wait in memory while the database is away or a signature is diagnosed. An hour is counted until then. */
const settledAfterMs = 15 * 60_000;
const progressName = 'calls';
/** Until when the last run counted. Later lines are read from the log. */
export const callsCounted = 'calls_counted';

/**
 * Counts the calls of every account by hour. Each run counts the hours again that are not settled, so that late lines are
 * included and a repeat changes nothing. Returns the number of hours that had calls.
 */
export async function countCalls(
  database: Database,
  { now, exceptContract, ...pace }: { now: Date; exceptContract: string } & Pace,
): Promise<number> {
  const settledUntil = beginOfHour(new Date(now.getTime() - settledAfterMs));
  const since = (await database.read(noAccounts, (sql) => readProgress(sql, progressName))) ?? new Date(0);
  const end = later(now, 1);
  let hours = 0;
  for (let from = since; from <= now; hours++) {
    const span = { from, to: end };
    const first = await database.read(noAccounts, (sql) => findFirstCall(sql, span));
    if (first === null) break;
    const hour = beginOfHour(first);
    if (!(await countHour(database, { hour, end }, exceptContract, pace))) return hours;
    from = later(hour, hourMs);
    if (from <= settledUntil) await database.transaction(noAccounts, (tx) => saveProgress(tx, progressName, from));
  }
  if (settledUntil > since)
    await database.transaction(noAccounts, (tx) => saveProgress(tx, progressName, settledUntil));
  await database.transaction(noAccounts, (tx) => saveProgress(tx, callsCounted, end));
  return hours;
}

function beginOfHour(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / hourMs) * hourMs);
}

function later(instant: Date, byMs: number): Date {
  return new Date(instant.getTime() + byMs);
}

function earlierOf(one: Date, other: Date): Date {
  return one < other ? one : other;
}

/** Returns false if it was stopped; nothing is saved then. */
async function countHour(
  database: Database,
  { hour, end }: { hour: Date; end: Date },
  exceptContract: string,
  pace: Pace,
): Promise<boolean> {
  const sums = new Map<string, CallCounts>();
  for (let from = hour; from < later(hour, hourMs); from = later(from, sliceMs)) {
    if (from >= end) break;
    const span = { from, to: earlierOf(later(from, sliceMs), end) };
    const counted = await paced(pace, () =>
      database.read(noAccounts, (sql) => countLoggedCalls(sql, span, exceptContract)),
    );
    for (const { accountNo, ...counts } of counted) sums.set(accountNo, sumOf(sums.get(accountNo), counts));
    if (pace.stopping?.aborted) return false;
  }
  const accounts = await database.read(noAccounts, (sql) => listAccounts(sql));
  const known = accounts.flatMap(({ accountId, accountNo }) => {
    const counts = sums.get(accountNo);
    return counts === undefined ? [] : [{ accountId, ...counts }];
  });
  if (known.length > 0) await database.transaction(accountsOf(known), (tx) => saveCallHour(tx, hour, known));
  return true;
}

/** The second span is later than the first. */
function sumOf(one: CallCounts | undefined, other: CallCounts): CallCounts {
  if (one === undefined) return other;
  return {
    calls: one.calls + other.calls,
    refused: one.refused + other.refused,
    failed: one.failed + other.failed,
    durationMs: one.durationMs + other.durationMs,
    lastCallAt: other.lastCallAt ?? one.lastCallAt,
  };
}
