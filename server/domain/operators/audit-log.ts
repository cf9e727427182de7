import type { Database } from '../../platform/database.ts';
import { scanActions, scanChanges, sourceRank } from './audit-queries.ts';

export interface AuditQuestion {
  who?: string;
  action?: string;
  subject?: string;
  account?: string;
  from?: string;
  until?: string;
  pageSize: number;
  after: AuditPlace | null;
}

/** Where a row stands in the log. */
export interface AuditPlace {
  at: string;
  source: 'action' | 'change';
  id: number;
}

export interface FoundAction extends AuditPlace {
  source: 'action';
  username: string;
  role: string | null;
  action: string;
  subject: string | null;
  account_no: string | null;
  details: Record<string, unknown>;
  address: string;
  trace_id: string;
  outcome: string | null;
}

export interface FoundChange extends AuditPlace {
  source: 'change';
  actor: string;
  subject_kind: string;
  subject: string;
  account_no: string | null;
  change: string;
  fields: Record<string, unknown>;
  before: Record<string, unknown> | null;
}

export interface AuditScan<Row> {
  rows: Row[];
  /** Behind it nothing was looked at; null: all was. */
  endsAt: AuditPlace | null;
}

export interface AuditPage<Row> {
  rows: Row[];
  next: AuditPlace | null;
}

/** What operators did and what was changed of partners, as one list with the newest first. */
export async function searchAuditLog(database: Database, question: AuditQuestion): Promise<AuditPage<FoundAction | FoundChange>> {
  const [actions, changes] = await database.read(
    async (sql) => [await scanActions(sql, question), await scanChanges(sql, question)] as const,
  );
  return mergeScans<FoundAction | FoundChange>([actions, changes], question.pageSize);
}

/** Where one table was looked at less far than another, what is older than that must wait for the next page. */
export function mergeScans<Row extends AuditPlace>(scans: AuditScan<Row>[], pageSize: number): AuditPage<Row> {
  const [horizon = null] = scans.flatMap(({ endsAt }) => endsAt ?? []).toSorted(newestFirst);
  const merged = scans.flatMap(({ rows }) => rows).toSorted(newestFirst);
  const certain = horizon === null ? merged : merged.filter((row) => newestFirst(row, horizon) <= 0);
  const rows = certain.slice(0, pageSize);
  return { rows, next: certain.length > pageSize ? placeOf(rows.at(-1)!) : horizon && placeOf(horizon) };
}

function newestFirst(one: AuditPlace, other: AuditPlace): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return sourceRank[other.source] - sourceRank[one.source] || other.id - one.id;
}

function placeOf({ at, source, id }: AuditPlace): AuditPlace {
  return { at, source, id };
}
