import { timeOfTraceId } from '../../platform/ids.ts';
import type { Database, Reader } from '../../platform/postgres/database.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import type { RequestLogLine } from './request-log-line.ts';

/** Days are dropped before the log is full, so that writing never has to stop. */
const sizeKept = 0.9;

export async function findRequest(database: Reader, traceId: string): Promise<RequestLogLine | null> {
  const at = timeOfTraceId(traceId);
  if (!at) return null;
  // The line has the time of its trace id, so one partition is enough.
  const [row] = await database.read(
    noAccounts,
    (sql) => sql<RequestLogLine[]>`
      select at, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, code, reason, diagnosis
      from request_log where trace_id = ${traceId} and at = ${at}`,
  );
  return row ?? null;
}

/** Drops the days that are past their retention; returns their names. */
export async function forgetOldRequests(database: Database, keptDays: number, now: Date): Promise<string[]> {
  const oldest = partitionOf(new Date(now.getTime() - keptDays * dayMs));
  const partitions = await database.read(
    noAccounts,
    (sql) =>
      sql<
        { name: string }[]
      >`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass`,
  );
  const expired = partitions.map((partition) => partition.name).filter((name) => name < oldest);
  for (const name of expired) await dropDay(database, name);
  return expired;
}

/**
 * Drops the oldest days of a log that is too large, but never the newest; returns their names and the remaining size.
 */
export async function dropDaysBeyond(
  database: Database,
  maxBytes: number,
): Promise<{ dropped: string[]; bytes: number }> {
  const partitions = await database.read(
    noAccounts,
    (sql) => sql<{ name: string; bytes: number }[]>`
      select inhrelid::regclass::text as name, coalesce(pg_total_relation_size(inhrelid), 0)::float8 as bytes
      from pg_inherits where inhparent = 'request_log'::regclass order by 1`,
  );
  let bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  const dropped: string[] = [];
  for (const partition of partitions.slice(0, -1)) {
    if (bytes <= maxBytes * sizeKept) break;
    await dropDay(database, partition.name);
    dropped.push(partition.name);
    bytes -= partition.bytes;
  }
  return { dropped, bytes };
}

async function dropDay(database: Database, partition: string): Promise<void> {
  const day = /\d{8}$/.exec(partition)![0];
  await database.transaction(noAccounts, (tx) => tx`select drop_request_log_day(${day}::date)`);
}

const dayMs = 86_400_000;

function partitionOf(day: Date): string {
  return `request_log_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

export async function prepareDays(database: Database, lines: RequestLogLine[], prepared: Set<string>): Promise<void> {
  for (const day of new Set(lines.map((line) => Math.floor(line.at.getTime() / dayMs)))) {
    const from = new Date(day * dayMs);
    const name = partitionOf(from);
    if (prepared.has(name)) continue;
    await database.transaction(
      noAccounts,
      (tx) => tx`select create_request_log_day(${from.toISOString().slice(0, 10)}::date)`,
    );
    prepared.add(name);
  }
}

const lineRows = rowParameters<RequestLogLine>({
  at: ['timestamptz', (line) => line.at.toISOString()],
  trace_id: ['uuid', (line) => line.trace_id],
  contract: ['text', (line) => line.contract],
  method: ['text', (line) => line.method],
  endpoint: ['text', (line) => line.endpoint],
  status: ['smallint', (line) => line.status],
  duration_us: ['integer', (line) => line.duration_us],
  account_no: ['text', (line) => line.account_no],
  document_no: ['text', (line) => line.document_no],
  code: ['text', (line) => line.code],
  reason: ['text', (line) => line.reason],
  diagnosis: ['text', (line) => line.diagnosis],
});

export async function insertLines(sql: Sql, lines: RequestLogLine[]): Promise<void> {
  await sql`
    insert into request_log (at, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, code, reason, diagnosis)
    select * from ${lineRows.unnest(lines)}`;
}
