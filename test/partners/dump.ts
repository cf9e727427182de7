import type { OwnerDatabase } from '../support/database.ts';

/** Every row of every table as text (bytea as hex), with the transaction that wrote it: equal dumps mean that nothing was written. */
export async function dumpTables(database: OwnerDatabase): Promise<Record<string, string[]>> {
  return await database.read(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`;
    const dump: Record<string, string[]> = {};
    for (const { name } of tables) {
      const rows = await sql<
        { row: string }[]
      >`select xmin::text || ' ' || t::text as row from ${sql(name)} t order by 1`;
      dump[name] = rows.map(({ row }) => row);
    }
    return dump;
  });
}
