import type { Sql } from '../../server/platform/postgres/sql.ts';
import type { Figures } from '../figures.ts';

/** The settings that make a committed order durable. They are the same for every contestant. */
export async function readDurability(sql: Sql): Promise<Figures> {
  const names = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers'];
  const rows = await sql<{ name: string; value: string }[]>`
    select name, current_setting(name) as value from unnest(${names}::text[]) as name`;
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
