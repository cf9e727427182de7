import type { Sql } from '../server/platform/postgres/sql.ts';

/** The row count and a checksum of each table, without those that change with every request or with time alone. */
export async function tableFingerprints(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'request_log%'
      and relname not in ('node', 'partner_use', 'client_network')`;
  const fingerprints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as print from ${sql(name)} t`;
    fingerprints[name] = row!.print;
  }
  return fingerprints;
}
