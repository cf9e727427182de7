import { isDeepStrictEqual } from 'node:util';
import { escapeIdentifier } from 'pg';
import type { Connection } from '../platform/postgres/connection.ts';
import type { ConnectionTarget } from '../platform/postgres/connection-target.ts';
import { copyIn } from '../platform/postgres/copy.ts';
import { isContention } from '../platform/postgres/errors.ts';
import type { Sql } from '../platform/postgres/sql.ts';
import { listMigrations, listSequences, listTables, sumOf, type Table, withColumns } from './catalogue.ts';
import { beginProgress, endProgress, importedFiles, isImportUnfinished, recordFile } from './import-progress.ts';
import { bytesIn, CannotMove, type ExportedTable, type Manifest, type Part, rowsIn } from './manifest.ts';
import { inTransaction, refuseUnusable, withMoveConnection } from './move-connection.ts';
import { readPart, verifyPart } from './part-file.ts';

export interface ImportOptions {
  folder: string;
  manifest: Manifest;
  /** Reads the secrets of the database with the keys of this installation; fails if one does not open. */
  verifySecrets(): Promise<void>;
  onProgress(line: string): void;
}

/** How many parts this run has imported; the others were there from an earlier run. */
export interface ImportedParts {
  imported: number;
  earlier: number;
}

const whenDistributed =
  'the tables are distributed over several servers (Citus): import into a database that is not distributed yet, then run "lading distribute"';

/**
 * Imports into an empty, migrated database. A run that was interrupted is continued by the next one with the same
 * export.
 */
export async function importTables(owner: ConnectionTarget, options: ImportOptions): Promise<ImportedParts> {
  const { manifest } = options;
  return await withMoveConnection(owner, 'import', async (connection) => {
    const { sql } = connection;
    await refuseUnusable(sql, whenDistributed);
    await refuseOtherSchema(sql, manifest);
    const tables = await matchTables(sql, manifest);
    await verifyParts(options);
    await refuseOtherImport(sql);
    await refuseRunningNodes(sql);
    await begin(sql, tables, manifest);
    // A node may have started in between; a later one finds the table that this import has created, and refuses.
    await refuseRunningNodes(sql);

    const parts = await importParts(connection, tables, options);
    await setSequences(sql, manifest);
    await compareTables(sql, tables, options);
    await options.verifySecrets();
    await refuseRunningNodes(sql);
    await endProgress(sql);
    return parts;
  });
}

async function refuseOtherSchema(sql: Sql, { migrations, lading_version }: Manifest): Promise<void> {
  const own = await listMigrations(sql);
  if (isDeepStrictEqual(own, migrations)) return;
  const last = (list: { name: string }[]) => list.at(-1)?.name ?? 'no migration';
  throw new CannotMove(
    `the export has another schema (${migrations.length} migrations, the last one is ${last(migrations)}) than this version of Lading ` +
      `(${own.length}, ${last(own)}): import with the version that made the export (${lading_version}), then upgrade`,
  );
}

interface TableToImport {
  table: Table;
  exported: ExportedTable;
}

/** The tables of the database, each with its export. With the same migrations, they differ only if a file was changed. */
async function matchTables(sql: Sql, manifest: Manifest): Promise<TableToImport[]> {
  const tables = await listTables(sql);
  const known = new Set(tables.map(({ name }) => name));
  const unknown = manifest.tables.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) throw new CannotMove(`the export has tables that the database lacks: ${unknown.join(', ')}`);
  return tables.map((table) => {
    const exported = manifest.tables.find(({ name }) => name === table.name);
    if (!exported || !isDeepStrictEqual(exported.columns, table.columns))
      throw new CannotMove(`the export lacks the table ${table.name}, or has other columns of it`);
    return { table, exported };
  });
}

async function verifyParts({ folder, manifest, onProgress }: ImportOptions): Promise<void> {
  const all = bytesIn(manifest);
  let verified = 0;
  for (const part of manifest.tables.flatMap(({ parts }) => parts)) {
    await verifyPart(folder, part);
    verified += part.bytes;
    onProgress(`${Math.floor((100 * verified) / all)} % of the files verified`);
  }
}

/** Begins, or finds out that an earlier run of the same import was interrupted. */
async function begin(sql: Sql, tables: TableToImport[], manifest: Manifest): Promise<void> {
  await inTransaction(sql, 'begin', async () => {
    if (await isImportUnfinished(sql)) return void (await importedFiles(sql, manifest));
    await refuseRows(sql, tables);
    await beginProgress(sql, manifest);
  });
}

/** The lock ends with the connection. The server may need a moment to notice that an earlier run was killed. */
async function refuseOtherImport(sql: Sql): Promise<void> {
  await sql.unsafe(`set lock_timeout = ${otherImportWaitMs}`);
  await sql`select pg_advisory_lock(${importLock})`.catch((error) => {
    throw isContention(error) ? new CannotMove('another import into this database is under way') : error;
  });
  await sql.unsafe('set lock_timeout = 0');
}

/** Any number, as long as every version of Lading uses the same. */
const importLock = 7_215_004;
const otherImportWaitMs = 10_000;

async function refuseRows(sql: Sql, tables: TableToImport[]): Promise<void> {
  const filled: string[] = [];
  for (const { table } of tables) {
    const rows = await sql.unsafe(`select from ${escapeIdentifier(table.name)} limit 1`);
    if (rows.length > 0) filled.push(table.name);
  }
  if (filled.length > 0)
    throw new CannotMove(
      `the database is not empty (there are rows in ${filled.join(', ')}): give an empty one, with another DATABASE_URL or DATA_DIR`,
    );
}

/**
 * A node that started before the import began has looked for it too early. It shows itself by its connections, which
 * carry its role.
 */
async function refuseRunningNodes(sql: Sql): Promise<void> {
  const nodes = await sql<{ name: string }[]>`
    select distinct substring(application_name from '^lading (?:api|worker|both) (\\S+)') as name from pg_stat_activity
    where datname = current_database() and application_name ~ '^lading (api|worker|both) ' order by 1`;
  if (nodes.length > 0)
    throw new CannotMove(
      `a service runs on this database (${nodes.map(({ name }) => name).join(', ')}): stop it, then import again`,
    );
}

async function importParts(
  connection: Connection,
  tables: TableToImport[],
  { folder, manifest, onProgress }: ImportOptions,
): Promise<ImportedParts> {
  const earlier = await importedFiles(connection.sql, manifest);
  const all = rowsIn(manifest);
  const counts = { imported: 0, earlier: 0 };
  let rows = 0;
  for (const { table, exported } of tables) {
    const left = exported.parts.filter(({ file }) => !earlier.has(file));
    for (const part of left) {
      const onRows = (inPart: number) => onProgress(`${exported.name}: ${rows + inPart} of ${all} rows imported`);
      await importPart(connection, table, part, { folder, manifest, onRows });
      rows += part.rows;
    }
    counts.imported += left.length;
    counts.earlier += exported.parts.length - left.length;
    rows += exported.parts.filter(({ file }) => earlier.has(file)).reduce((sum, part) => sum + part.rows, 0);
    // Statistics of a table without rows would replace those that its migration gave it.
    if (exported.rows > 0) await connection.sql.unsafe(`analyze ${escapeIdentifier(exported.name)}`);
  }
  return counts;
}

/** The rows, and the record that they are there, in one transaction. */
async function importPart(
  connection: Connection,
  { name, columns }: Table,
  part: Part,
  { folder, manifest, onRows }: Pick<ImportOptions, 'folder' | 'manifest'> & { onRows(rows: number): void },
): Promise<void> {
  const { sql } = connection;
  await refuseRunningNodes(sql);
  await inTransaction(sql, 'begin', async () => {
    if (part.partition !== null) await createDay(sql, part.partition);
    const statement = `copy ${withColumns(name, columns)} from stdin`;
    const rows = await copyIn(connection, statement, readPart(folder, part, onRows));
    if (rows !== part.rows) throw new CannotMove(`${part.file} has ${rows} rows instead of ${part.rows}`);
    await recordFile(sql, manifest, part);
  });
}

/** Only the request log has partitions, one for each day. */
async function createDay(sql: Sql, partition: string): Promise<void> {
  const [, year, month, day] = /^request_log_(\d{4})(\d{2})(\d{2})$/.exec(partition) ?? [];
  if (!day) throw new CannotMove(`the export has a partition of an unknown kind: ${partition}`);
  await sql`select create_request_log_day(${`${year}-${month}-${day}`}::date)`;
}

async function setSequences(sql: Sql, { sequences }: Manifest): Promise<void> {
  const known = new Set((await listSequences(sql)).map(({ name }) => name));
  for (const { name, last_value, is_called } of sequences) {
    if (!known.has(name)) throw new CannotMove(`the export has a sequence that the database lacks: ${name}`);
    await sql`select setval(quote_ident(${name}::text)::regclass, ${last_value}::bigint, ${is_called}::boolean)`;
  }
}

async function compareTables(sql: Sql, tables: TableToImport[], { onProgress }: ImportOptions): Promise<void> {
  for (const { exported } of tables) {
    const { rows, checksum } = await sumOf(sql, exported.name);
    if (rows !== exported.rows || String(checksum) !== exported.checksum)
      throw new CannotMove(
        `${exported.name} differs from the export: it has ${rows} rows with the checksum ${checksum}, the export has ` +
          `${exported.rows} with ${exported.checksum}. Begin again with an empty database`,
      );
    onProgress(`${exported.name}: ${rows} rows compared with the export`);
  }
}
