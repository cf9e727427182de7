import { escapeIdentifier } from 'pg';
import type { Sql } from '../platform/postgres/sql.ts';

/** A table of the schema, with the columns that are stored and not computed. */
export interface Table {
  name: string;
  columns: string[];
  /** The tables that hold its rows; null if the table holds them itself. */
  partitions: string[] | null;
}

/**
 * Tables that describe the database itself: a target has its own. All others are exported, also those that a later
 * migration adds.
 */
export const ownOfDatabase = ['schema_migration', 'granted_privileges', 'import_progress'] as const;

/** All tables whose rows are exported, in the order in which they refer to each other. */
export async function listTables(sql: Sql): Promise<Table[]> {
  const tables = await sql<Table[]>`
    select c.relname::text as name,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      case when c.relkind = 'p' then array(
        select p.relname::text from pg_inherits join pg_class p on p.oid = inhrelid where inhparent = c.oid order by p.relname
      ) end as partitions
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not c.relname = any(${[...ownOfDatabase]}::text[])
    order by c.relname`;
  return inOrderOfReferences(tables, await listReferences(sql));
}

interface Reference {
  from: string;
  to: string;
}

async function listReferences(sql: Sql): Promise<Reference[]> {
  return await sql<Reference[]>`
    select distinct f.relname::text as from, t.relname::text as to from pg_constraint
    join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`;
}

/** A table comes after all tables that its foreign keys need. */
function inOrderOfReferences(tables: Table[], references: Reference[]): Table[] {
  const ordered: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const waits = new Set(references.filter(({ to }) => left.has(to)).map(({ from }) => from));
    const next = [...left.values()].filter(({ name }) => !waits.has(name));
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`);
    for (const table of next) left.delete(table.name);
    ordered.push(...next);
  }
  return ordered;
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

export async function listMigrations(sql: Sql): Promise<AppliedMigration[]> {
  const rows = await sql<AppliedMigration[]>`select name, checksum from schema_migration order by version`;
  return rows.map(({ name, checksum }) => ({ name, checksum }));
}

export interface SequenceValue {
  name: string;
  last_value: string;
  is_called: boolean;
}

export async function listSequences(sql: Sql): Promise<SequenceValue[]> {
  const names = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`;
  const values: SequenceValue[] = [];
  for (const { name } of names) {
    const [value] = await sql<
      SequenceValue[]
    >`select ${name}::text as name, last_value::text, is_called from ${sql(name)}`;
    values.push(value!);
  }
  return values;
}

export interface TableSum {
  rows: number;
  checksum: bigint;
}

/**
 * The number of rows, and the sum of their hashes. The hash of a text is the same in all versions of PostgreSQL: tables
 * that are partitioned by hash depend on it.
 */
export async function sumOf(sql: Sql, table: string): Promise<TableSum> {
  const [row] = await sql.unsafe<{ rows: number; checksum: string }[]>(
    `select count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as checksum from ${escapeIdentifier(table)} t`,
  );
  return { rows: row!.rows, checksum: BigInt(row!.checksum) };
}

/** `"orders" ("account_id", "order_id")` */
export function withColumns(table: string, columns: string[]): string {
  return `${escapeIdentifier(table)} (${columns.map(escapeIdentifier).join(', ')})`;
}
