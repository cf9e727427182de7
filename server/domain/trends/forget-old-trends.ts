import { taipeiDay } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { listAccounts } from '../partners/partner-queries.ts';
import { deleteOldTrends, trendTables } from './forget-old-trends-queries.ts';
import { type Pace, paced } from './pace.ts';

/** More than two years, so that a year can be compared with the one before. */
export const trendDaysKept = 800;
const deletedAtOnce = 1000;

const dayMs = 86_400_000;

/** Orders are not counted on earlier days. */
export function firstTrendDay(now: Date): string {
  return taipeiDay(beginOfTrends(now));
}

function beginOfTrends(now: Date): Date {
  return new Date(now.getTime() - trendDaysKept * dayMs);
}

/** Deletes the counts that are past their retention. */
export async function forgetOldTrends(database: Database, now: Date, pace: Pace): Promise<void> {
  const before = beginOfTrends(now);
  for (const { accountId } of await database.read(noAccounts, (sql) => listAccounts(sql)))
    for (const table of trendTables) {
      let hasMore = true;
      while (hasMore && !pace.stopping?.aborted)
        hasMore = await paced(pace, () =>
          database.transaction([accountId], (tx) => deleteOldTrends(tx, { table, accountId, before }, deletedAtOnce)),
        );
    }
}
