import { lowestTraceIdAt, timeOfTraceId } from '../../platform/ids.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';

/** A time range of the log, and the line after which to continue. */
export interface RequestStretch {
  from: Date;
  to: Date;
  /** null: start at the newest. */
  after: string | null;
}

export interface RequestFilter {
  /** null: unknown callers. */
  accountNo?: string | null;
  contracts?: string[];
  /** A part of the endpoint. */
  endpoint?: string;
  /** Any of these ranges. */
  statuses?: { from: number; to: number }[];
  code?: string;
  documentNo?: string;
}

export interface FoundRequest {
  at: string;
  trace_id: string;
  contract: string;
  method: string;
  endpoint: string;
  status: number;
  duration_us: number;
  account_no: string | null;
  document_no: string | null;
  code: string | null;
  reason: string | null;
}

/** null: there is no such request. */
export async function findRequestRow(sql: Sql, traceId: string): Promise<FoundRequest | null> {
  const at = timeOfTraceId(traceId);
  if (at === null) return null;
  const [row] = await sql<FoundRequest[]>`
    select ${sql.unsafe(taipeiTime('at'))}, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, code, reason
    from request_log where trace_id = ${traceId} and request_log.at = ${at}`;
  return row ?? null;
}

export interface RequestsFound {
  rows: FoundRequest[];
  /** More lines may follow after this one; null: there are no more. */
  next: string | null;
}

/** Most pages are full after the first step; rare lines are searched in larger steps. */
const firstStep = 1000;
const largestStep = 25_000;
const searchingMaxMs = 1200;

/**
 * One page, newest first. A trace id begins with its time, so its index is in time order and the log needs no other.
 * Lines are scanned in steps, until the page is full or the time is up.
 */
export async function searchRequests(
  database: Reader,
  { from, to, after }: RequestStretch,
  filter: RequestFilter,
  pageSize: number,
): Promise<RequestsFound> {
  const untilMs = performance.now() + searchingMaxMs;
  const rows: FoundRequest[] = [];
  let next = after;
  let step = firstStep;
  do {
    const wanted = pageSize - rows.length;
    const found = await database.read(noAccounts, (sql) =>
      scan(sql, { from, to, after: next }, filter, { step, limit: wanted + 1 }),
    );
    step = Math.min(5 * step, largestStep);
    const fitting = found.filter((row) => row.fits);
    rows.push(...fitting.slice(0, wanted).map(({ fits: _, ends: __, ...row }) => row));
    next = fitting.length > wanted ? rows.at(-1)!.trace_id : (found.find((row) => row.ends)?.trace_id ?? null);
  } while (next !== null && rows.length < pageSize && performance.now() < untilMs);
  return { rows, next };
}

async function scan(
  sql: Sql,
  stretch: RequestStretch,
  filter: RequestFilter,
  { step, limit }: { step: number; limit: number },
): Promise<(FoundRequest & { fits: boolean; ends: boolean })[]> {
  return await sql`
    select ${sql.unsafe(taipeiTime('at'))}, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, code, reason, fits, ends
    from (
      select *, ${fits(sql, filter)} as fits, row_number() over (order by trace_id desc) = ${step} as ends
      from (${newest(sql, stretch, step)}) line
    ) looked_at
    where fits or ends order by trace_id desc limit ${limit}`;
}

function newest(sql: Sql, { from, to, after }: RequestStretch, limit: number) {
  return sql`
    select * from request_log
    where at >= ${from} and at < ${to} and trace_id >= ${lowestTraceIdAt(from)}::uuid and trace_id < ${after ?? lowestTraceIdAt(to)}::uuid
    order by trace_id desc limit ${limit}`;
}

function fits(sql: Sql, { accountNo, contracts, endpoint, statuses, code, documentNo }: RequestFilter) {
  const all = sql`true`;
  return sql`(
    ${accountNo === undefined ? all : sql`account_no is not distinct from ${accountNo}::text`}
    and ${contracts === undefined ? all : sql`contract = any(${contracts}::text[])`}
    and ${endpoint === undefined ? all : sql`strpos(endpoint, ${endpoint}) > 0`}
    and ${
      statuses === undefined
        ? all
        : sql`exists (
      select from unnest(${statuses.map((one) => one.from)}::integer[], ${statuses.map((one) => one.to)}::integer[]) as wanted(lowest, highest)
      where status between lowest and highest)`
    }
    and ${code === undefined ? all : sql`coalesce(code = ${code}, false)`}
    and ${documentNo === undefined ? all : sql`coalesce(document_no = ${documentNo}, false)`})`;
}

export interface RequestGroup {
  contract: string;
  endpoint: string;
  status: number;
  code: string | null;
  account_no: string | null;
  count: number;
  last_at: string;
  trace_id: string;
  reason: string | null;
}

export interface RequestsGrouped {
  groups: RequestGroup[];
  /** The search covered everything newer than this; null: it covered everything. */
  next: string | null;
}

const groupedAtOnce = 50_000;
const groupingMaxMs = 1500;
const lowestRefusal = 400;

/** Counts errors that differ only in document and time, most frequent first. */
export async function groupRequests(
  database: Reader,
  { from, to }: Omit<RequestStretch, 'after'>,
  filter: RequestFilter,
): Promise<RequestsGrouped> {
  const untilMs = performance.now() + groupingMaxMs;
  const known = new Map<string, RequestGroup>();
  let next: string | null = null;
  do {
    const found = await database.read(noAccounts, (sql) => groupStep(sql, { from, to, after: next }, filter));
    for (const group of found.groups) addTo(known, group);
    next = found.next;
  } while (next !== null && performance.now() < untilMs);
  const groups = [...known.values()].toSorted(
    (one, other) => other.count - one.count || (one.trace_id < other.trace_id ? 1 : -1),
  );
  return { groups, next };
}

/** Steps go back in time, so groups that are already known are newer. */
function addTo(known: Map<string, RequestGroup>, group: RequestGroup): void {
  const { contract, endpoint, status, code, account_no } = group;
  const key = JSON.stringify([contract, endpoint, status, code, account_no]);
  const younger = known.get(key);
  known.set(key, younger ? { ...younger, count: younger.count + group.count } : group);
}

async function groupStep(sql: Sql, stretch: RequestStretch, filter: RequestFilter): Promise<RequestsGrouped> {
  const [row] = await sql<{ groups: RequestGroup[] | null; next: string | null }[]>`
    with line as materialized (${newest(sql, stretch, groupedAtOnce)})
    select (select trace_id from line order by trace_id desc offset ${groupedAtOnce - 1} limit 1) as next,
      (select json_agg(alike) from (
        select contract, endpoint, status, code, account_no, count(*)::integer as count, ${sql.unsafe(taipeiTime('max(at)', 'last_at'))},
          (array_agg(trace_id order by trace_id desc))[1] as trace_id, (array_agg(reason order by trace_id desc))[1] as reason
        from line where status >= ${lowestRefusal} and ${fits(sql, filter)}
        group by contract, endpoint, status, code, account_no) alike) as groups`;
  return { groups: row!.groups ?? [], next: row!.next };
}
