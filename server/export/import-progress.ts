import type { Sql } from '../platform/postgres/sql.ts';
import { CannotMove, type Manifest } from './manifest.ts';

// The table import_progress exists only while an import is under way. A part of the export is in the database if and
// only if it has a row here, because both are written in one transaction. While the table exists, nodes and commands
// refuse the database.

/** Creates the table. */
export async function beginProgress(sql: Sql, { export_id }: Pick<Manifest, 'export_id'>): Promise<void> {
  await sql.unsafe('create table import_progress (file text primary key, export_id uuid not null)');
  // An export without rows has no parts, and the import is under way nevertheless.
  await sql`insert into import_progress (file, export_id) values ('manifest.json', ${export_id})`;
}

export async function isImportUnfinished(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass('import_progress') is not null as exists`;
  return row!.exists;
}

/** The files that are in the database. */
export async function importedFiles(sql: Sql, { export_id }: Pick<Manifest, 'export_id'>): Promise<Set<string>> {
  const rows = await sql<{ file: string; export_id: string }[]>`select file, export_id from import_progress`;
  const other = rows.find((row) => row.export_id !== export_id);
  if (other)
    throw new CannotMove(
      `the import of another export (${other.export_id}) has begun in this database: finish that one, or give an empty database`,
    );
  return new Set(rows.map(({ file }) => file));
}

export async function recordFile(
  sql: Sql,
  { export_id }: Pick<Manifest, 'export_id'>,
  { file }: { file: string },
): Promise<void> {
  await sql`insert into import_progress (file, export_id) values (${file}, ${export_id})`;
}

/** From now on the database can be used. */
export async function endProgress(sql: Sql): Promise<void> {
  await sql.unsafe('drop table import_progress');
}
