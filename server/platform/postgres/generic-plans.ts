import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * For reads that send the same statement for every account: it is planned once per connection instead of once per
 * account, which would take longer than all else. A plan that was made while a table was almost empty may be slow until
 * PostgreSQL has its first statistics, about a minute later.
 */
export async function readWithGenericPlans<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return await database.transaction(async (tx) => {
    const settings = [
      tx`set local plan_cache_mode = force_generic_plan`.execute(),
      tx`set local enable_seqscan = off`.execute(),
    ];
    const [result] = await Promise.all([work(tx), ...settings]);
    return result;
  });
}
