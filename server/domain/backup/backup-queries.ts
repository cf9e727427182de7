import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { everyAccount } from '../partners/every-account.ts';

export interface DocumentCounts {
  orders: number;
  inbounds: number;
}

export async function countDocuments(database: Database): Promise<DocumentCounts> {
  return await database.read(noAccounts, async (sql) => {
    const { own } = await everyAccount(sql);
    const [row] = await own<DocumentCounts[]>`
      select (select count(*) from orders)::int as orders, (select count(*) from inbound_document)::int as inbounds`;
    return row!;
  });
}

/** The end of a recovery, as the server that made it remembers it until it stops. */
export async function readRecovery(sql: Sql): Promise<{ lastTransactionAt: Date | null; timeline: number }> {
  const [row] = await sql<{ lastTransactionAt: Date | null; timeline: number }[]>`
    select pg_last_xact_replay_timestamp() as "lastTransactionAt",
      ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline`;
  return row!;
}
