import { taipeiDay } from '../../platform/clock.ts';
import type { Tx } from '../../platform/postgres/sql.ts';

/** The tables of counts, and the column with the time that each row is about. */
const timeColumns = { call_trend: 'hour', callback_trend: 'hour', order_trend: 'day', backlog_trend: 'day' } as const;
export const trendTables = ['call_trend', 'callback_trend', 'order_trend', 'backlog_trend'] as const;

interface OldTrends {
  table: keyof typeof timeColumns;
  accountId: number;
  before: Date;
}

function isBefore(tx: Tx, { table, before }: Omit<OldTrends, 'accountId'>) {
  return timeColumns[table] === 'day' ? tx`day < ${taipeiDay(before)}::date` : tx`hour < ${before}`;
}

/** Deletes the oldest counts, the rows of at most so many days or hours; returns whether there may be more. */
export async function deleteOldTrends(
  tx: Tx,
  { table, accountId, before }: OldTrends,
  limit: number,
): Promise<boolean> {
  const time = tx(timeColumns[table]);
  const { count } = await tx`
    delete from ${tx(table)} where account_id = ${accountId} and ${time} = any(array(
      select ${time} from ${tx(table)} where account_id = ${accountId} and ${isBefore(tx, { table, before })} order by ${time} limit ${limit}))`;
  return count >= limit;
}

/** Deletes all earlier counts of an account. */
export async function deleteTrendsBefore(tx: Tx, accountId: number, before: Date): Promise<void> {
  for (const table of trendTables)
    await tx`delete from ${tx(table)} where account_id = ${accountId} and ${isBefore(tx, { table, before })}`;
}
