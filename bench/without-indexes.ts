import type { Sql } from '../server/platform/postgres/sql.ts';

const buildMemory = '512MB';

/**
 * Drops indexes during bulk inserts, because creating them afterwards is faster. Indexes of constraints are kept; the
 * others are restored.
 */
export async function withoutIndexes(sql: Sql, tables: string[], work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = any(${tables}::text[]) and indexname not in (select conname from pg_constraint)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await work();
  await sql.unsafe(`set maintenance_work_mem = '${buildMemory}'`);
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`reset maintenance_work_mem`;
}
