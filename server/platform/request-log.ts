import type { Database, Sql, Tx } from './database.ts';
import { timeOfTraceId } from './ids.ts';
import { describeError, type Log } from './log.ts';

/** One API call, as it can be asked about afterwards. Never a secret, never a personal detail. */
export interface RequestLogLine {
  at: Date;
  trace_id: string;
  contract: string;
  method: string;
  endpoint: string;
  status: number;
  duration_us: number;
  account_no: string | null;
  document_no: string | null;
  code: string | null;
  /** Also what the caller is not told, such as which check of a signature failed. */
  reason: string | null;
  /** Of a refused signature: the mistakes that were found, a line each. */
  diagnosis: string | null;
}

/** What the diagnosis of a refused call found. */
export interface DiagnosedCall {
  diagnosis: string;
  /** The account that must have sent the call; null: that is not proven. */
  provenAccountNo: string | null;
}

export interface RequestLog {
  /** A line whose diagnosis is under way waits for it. */
  add(line: RequestLogLine, diagnosis?: Promise<DiagnosedCall>): void;
  /** Writes every line added so far. */
  flush(): Promise<void>;
  /** Writes what is waiting; at the end of the service. */
  close(): Promise<void>;
}

const waitingMax = 20_000;
const groupMax = 1_000;
const flushEveryMs = 500;
const measureEveryMs = 60_000;
/** Days are dropped a little before the log is full, so that writing does not have to stop. */
const sizeKept = 0.9;

/** Lines wait in memory and are written in groups; when the database is away for long, the oldest are dropped and counted. */
export function makeRequestLog(
  database: Database,
  options: { log: Log; onDropped: (count: number) => void; maxBytes?: number },
): RequestLog {
  const waiting: RequestLogLine[] = [];
  let writing: Promise<void> | null = null;
  const underDiagnosis = new Set<Promise<void>>();
  const daysPrepared = new Set<string>();
  let isFull = false;
  let measuredMs = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => void write(), flushEveryMs);
  timer.unref();

  async function flush(): Promise<void> {
    await Promise.all(underDiagnosis);
    await write();
  }

  function write(): Promise<void> {
    writing ??= writeWaiting().finally(() => {
      writing = null;
    });
    return writing;
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, groupMax);
      try {
        // A new day first: only then can a day before it that fills the log be dropped.
        await prepareDays(database, group, daysPrepared);
        await keepWithinSize();
        if (isFull) {
          options.onDropped(group.length);
          continue;
        }
        await database.read((sql) => insertLines(sql, group));
      } catch (error) {
        waiting.unshift(...group);
        options.log.warn(describeError(error), 'the request log could not be written; its lines wait');
        return;
      }
    }
  }

  /** By each node that writes, because the jobs that tidy up come only once an hour. */
  async function keepWithinSize(): Promise<void> {
    if (options.maxBytes === undefined || performance.now() - measuredMs < measureEveryMs) return;
    const { dropped, bytes } = await dropDaysBeyond(database, options.maxBytes);
    for (const name of dropped) daysPrepared.delete(name);
    measuredMs = performance.now();
    if (dropped.length > 0) options.log.warn({ dropped }, 'the request log was too large; its oldest days were dropped');
    if (bytes > options.maxBytes && !isFull)
      options.log.error({ bytes }, 'the lines of today alone fill the request log; none are written');
    isFull = bytes > options.maxBytes;
  }

  function enqueue(line: RequestLogLine): void {
    waiting.push(line);
    if (waiting.length > waitingMax) options.onDropped(waiting.splice(0, groupMax).length);
  }

  function enqueueDiagnosed(line: RequestLogLine, diagnosing: Promise<DiagnosedCall>): void {
    const done = diagnosing
      .then(({ diagnosis, provenAccountNo }) => enqueue({ ...line, account_no: line.account_no ?? provenAccountNo, diagnosis }))
      .finally(() => underDiagnosis.delete(done));
    underDiagnosis.add(done);
  }

  return {
    flush,
    add(line, diagnosis) {
      if (diagnosis) enqueueDiagnosed(line, diagnosis);
      else enqueue(line);
    },
    async close() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}

export async function findRequest(database: Database, traceId: string): Promise<RequestLogLine | null> {
  const at = timeOfTraceId(traceId);
  if (!at) return null;
  // The line's time is that of its trace id, so that one partition is enough.
  const [row] = await database.read(
    (sql) => sql<RequestLogLine[]>`
      select at, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, code, reason, diagnosis
      from request_log where trace_id = ${traceId} and at = ${at}`,
  );
  return row ?? null;
}

/** Drops the days that are over; returns their names. */
export async function forgetOldRequests(database: Database, keptDays: number, now: Date): Promise<string[]> {
  const oldest = partitionOf(new Date(now.getTime() - keptDays * dayMs));
  const partitions = await database.read(
    (sql) => sql<{ name: string }[]>`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass`,
  );
  const expired = partitions.map((partition) => partition.name).filter((name) => name < oldest);
  for (const name of expired) await database.transaction((tx) => tx`drop table if exists ${tx(name)}`);
  return expired;
}

/** Drops the oldest days of a log that is too large, and keeps the newest in any case; returns their names, and what is left. */
export async function dropDaysBeyond(database: Database, maxBytes: number): Promise<{ dropped: string[]; bytes: number }> {
  const partitions = await database.read(
    (sql) => sql<{ name: string; bytes: number }[]>`
      select inhrelid::regclass::text as name, coalesce(pg_total_relation_size(inhrelid), 0)::float8 as bytes
      from pg_inherits where inhparent = 'request_log'::regclass order by 1`,
  );
  let bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  const dropped: string[] = [];
  for (const partition of partitions.slice(0, -1)) {
    if (bytes <= maxBytes * sizeKept) break;
    await database.transaction((tx) => tx`drop table if exists ${tx(partition.name)}`);
    dropped.push(partition.name);
    bytes -= partition.bytes;
  }
  return { dropped, bytes };
}

const dayMs = 86_400_000;

function partitionOf(day: Date): string {
  return `request_log_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

async function prepareDays(database: Database, lines: RequestLogLine[], prepared: Set<string>): Promise<void> {
  for (const day of new Set(lines.map((line) => Math.floor(line.at.getTime() / dayMs)))) {
    const from = new Date(day * dayMs);
    const name = partitionOf(from);
    if (prepared.has(name)) continue;
    await database.transaction((tx) => createPartition(tx, name, from, new Date(from.getTime() + dayMs)));
    prepared.add(name);
  }
}

async function createPartition(tx: Tx, name: string, from: Date, until: Date): Promise<void> {
  await tx`select pg_advisory_xact_lock(7215003)`;
  const bounds = `from ('${from.toISOString()}') to ('${until.toISOString()}')`;
  await tx.unsafe(`create table if not exists ${name} partition of request_log for values ${bounds}`);
}

async function insertLines(sql: Sql, lines: RequestLogLine[]): Promise<void> {
  const column = <Name extends keyof RequestLogLine>(name: Name) => lines.map((line) => line[name]);
  await sql`
    insert into request_log (at, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, code, reason, diagnosis)
    select * from unnest(
      ${column('at').map((at) => at.toISOString())}::timestamptz[], ${column('trace_id')}::uuid[], ${column('contract')}::text[], ${column('method')}::text[],
      ${column('endpoint')}::text[], ${column('status')}::smallint[], ${column('duration_us')}::integer[], ${column('account_no')}::text[],
      ${column('document_no')}::text[], ${column('code')}::text[], ${column('reason')}::text[], ${column('diagnosis')}::text[])`;
}
