import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { masterKeysInUse } from '../domain/master-key/sealed-queries.ts';
import type { Connection } from '../platform/postgres/connection.ts';
import type { ConnectionTarget } from '../platform/postgres/connection-target.ts';
import { copyOut } from '../platform/postgres/copy.ts';
import type { Sql } from '../platform/postgres/sql.ts';
import { syncFolder } from '../platform/secret-file.ts';
import { version } from '../version.ts';
import { listMigrations, listSequences, listTables, sumOf, type Table, withColumns } from './catalogue.ts';
import { CannotMove, type ExportedTable, type Manifest, manifestFormat, type Part, writeManifest } from './manifest.ts';
import { inTransaction, refuseUnusable, withMoveConnection } from './move-connection.ts';
import { type PartWriter, writePart } from './part-file.ts';

export interface ExportOptions {
  folder: string;
  rowsPerPart: number;
  onProgress(line: string): void;
}

const whenDistributed =
  'the tables are distributed over several servers (Citus), which have no common moment to export: back up all servers ' +
  'together at a restore point (citus_create_restore_point)';

/**
 * Writes all tables as of one moment into a new folder. The service may run meanwhile. The folder gets its name when
 * everything is in it.
 */
export async function exportTables(owner: ConnectionTarget, options: ExportOptions): Promise<Manifest> {
  const folder = resolve(options.folder);
  const unfinished = await makeFolder(folder);
  try {
    const manifest = await withMoveConnection(owner, 'export: snapshot', async ({ sql }) => {
      await refuseUnusable(sql, whenDistributed);
      return await inTransaction(sql, beginReading, async () => {
        const [row] = await sql<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`;
        return await withMoveConnection(owner, 'export', (reader) =>
          exportMoment(reader, row!.snapshot, { ...options, folder: unfinished }),
        );
      });
    });
    await writeManifest(unfinished, manifest);
    await rename(unfinished, folder);
    syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

const beginReading = 'begin isolation level repeatable read, read only';

async function makeFolder(folder: string): Promise<string> {
  if (existsSync(folder)) throw new CannotMove(`${folder} exists already: give the name of a new folder`);
  try {
    await mkdir(dirname(folder), { recursive: true });
    return await mkdtemp(`${folder}.unfinished-`);
  } catch (error) {
    throw new CannotMove(`${folder} cannot be created (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function exportMoment(reader: Connection, snapshot: string, options: ExportOptions): Promise<Manifest> {
  const { sql } = reader;
  const asOfThen = <T>(work: () => Promise<T>) =>
    inTransaction(sql, `${beginReading}; set transaction snapshot '${snapshot}'`, work);
  const described = await asOfThen(() => describe(sql));
  const tables: ExportedTable[] = [];
  // Each table has its own transaction, so a migration or a new day of the request log waits for one table at most.
  for (const table of await listTables(sql)) tables.push(await exportTable(reader, table, asOfThen, options));
  // A table that a migration has rewritten would have lost its rows.
  if (!isDeepStrictEqual(await listMigrations(sql), described.migrations))
    throw new CannotMove('a migration has changed the tables during the export: export again');
  // Read last: sequences show no earlier moment, and a value that is too high does no harm.
  return { ...described, tables, sequences: await listSequences(sql) };
}

async function describe(sql: Sql): Promise<Omit<Manifest, 'tables' | 'sequences'>> {
  const [now] = await sql<{ at: Date; version: string }[]>`
    select now() as at, current_setting('server_version') as version`;
  return {
    format: manifestFormat,
    export_id: randomUUID(),
    exported_at: now!.at.toISOString(),
    lading_version: version,
    postgres_version: now!.version,
    migrations: await listMigrations(sql),
    master_key_ids: await masterKeysInUse(sql),
  };
}

async function exportTable(
  reader: Connection,
  { name, columns, partitions }: Table,
  asOfThen: <T>(work: () => Promise<T>) => Promise<T>,
  options: ExportOptions,
): Promise<ExportedTable> {
  const exported: ExportedTable = { name, columns, rows: 0, checksum: '0', parts: [] };
  for (const source of partitions ?? [name]) {
    const isPartition = partitions !== null;
    await asOfThen(async () => {
      // The day may have been deleted meanwhile.
      if (isPartition && !(await exists(reader.sql, source))) return;
      const rowsBefore = exported.rows;
      const onRows = (rows: number) => options.onProgress(`${name}: ${rowsBefore + rows} rows exported`);
      const place = {
        source,
        columns,
        partition: isPartition ? source : null,
        partsBefore: exported.parts.length,
        name,
      };
      exported.parts.push(...(await copyToParts(reader, place, options, onRows)));
      const sum = await sumOf(reader.sql, source);
      exported.rows += sum.rows;
      exported.checksum = String(BigInt(exported.checksum) + sum.checksum);
    });
  }
  const copied = exported.parts.reduce((rows, part) => rows + part.rows, 0);
  if (copied !== exported.rows) throw new Error(`${name} has ${exported.rows} rows, but ${copied} were copied`);
  return exported;
}

async function exists(sql: Sql, table: string): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass(quote_ident(${table})) is not null as exists`;
  return row!.exists;
}

interface CopiedTable {
  name: string;
  source: string;
  columns: string[];
  partition: string | null;
  partsBefore: number;
}

/** A new part begins when the last one has enough rows. A table without rows has no parts. */
async function copyToParts(
  reader: Connection,
  { name, source, columns, partition, partsBefore }: CopiedTable,
  { folder, rowsPerPart }: ExportOptions,
  onRows: (rows: number) => void,
): Promise<Part[]> {
  const parts: Part[] = [];
  let rows = 0;
  let current: PartWriter | null = null;
  try {
    await copyOut(reader, `copy ${withColumns(source, columns)} to stdout`, async (batch) => {
      const number = String(partsBefore + parts.length + 1).padStart(4, '0');
      current ??= writePart(folder, `${name}.${number}.gz`, partition);
      await current.write(batch);
      rows += batch.rows;
      onRows(rows);
      if (current.rows < rowsPerPart) return;
      parts.push(await current.end());
      current = null;
    });
    return current === null ? parts : [...parts, await (current as PartWriter).end()];
  } catch (error) {
    await (current as PartWriter | null)?.abandon();
    throw error;
  }
}
