import type { Sql } from '../server/platform/postgres/sql.ts';
import { type Output, rounded } from './figures.ts';

/** The bytes of each table on disk. */
export type TableSizes = Map<string, Bytes>;

interface Bytes {
  rows: number;
  indexes: number;
}

/** Smaller tables are not growing with the number of orders. */
const shownFrom = 0.5;

/** PostgreSQL would do this automatically a little later. */
export async function settle(sql: Sql): Promise<void> {
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}

export async function sizesOf(sql: Sql): Promise<TableSizes> {
  const tables = await sql<{ name: string; rows: number; indexes: number }[]>`
    select relname as name, pg_table_size(oid) as rows, pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
  return new Map(tables.map(({ name, ...sizes }) => [name, sizes]));
}

/** The bytes per order by which each table has grown. The name of a day of the request log varies, so it is left out. */
export function reportSizes(
  which: string,
  before: TableSizes,
  after: TableSizes,
  orders: number,
  output: Output,
): number {
  const total: Bytes = { rows: 0, indexes: 0 };
  const report = (table: string, { rows, indexes }: Bytes) =>
    output.row('bytes of an order on disk', {
      orders: which,
      table,
      rows: rounded(rows, 0),
      indexes: rounded(indexes, 0),
      both: rounded(rows + indexes, 0),
    });
  for (const [table, { rows, indexes }] of after) {
    const known = before.get(table) ?? { rows: 0, indexes: 0 };
    const grown = { rows: (rows - known.rows) / orders, indexes: (indexes - known.indexes) / orders };
    if (grown.rows + grown.indexes < shownFrom) continue;
    total.rows += grown.rows;
    total.indexes += grown.indexes;
    report(table.replace(/^request_log_.*/, 'request_log'), grown);
  }
  report('all', total);
  return total.rows + total.indexes;
}
