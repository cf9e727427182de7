import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * For reads that send the same statement for every account: it is planned once per connection instead of once per
 * account, which would take longer than all else. As in `pipelined-connection.ts`, a plan made while a table was empty
 * also suits a full one.
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
