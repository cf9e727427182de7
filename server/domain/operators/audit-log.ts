import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { AuditPage, AuditPosition, AuditQuestion, AuditScan, FoundAction, FoundChange } from './audit-entry.ts';
import { scanActions, scanChanges, sourceRank } from './audit-queries.ts';

/** The actions of operators and the changes of partners as one list, newest first. */
export async function searchAuditLog(
  database: Reader,
  question: AuditQuestion,
): Promise<AuditPage<FoundAction | FoundChange>> {
  const [actions, changes] = await database.read(
    noAccounts,
    async (sql) => [await scanActions(sql, question), await scanChanges(sql, question)] as const,
  );
  return mergeScans<FoundAction | FoundChange>([actions, changes], question.pageSize);
}

/** If one table was scanned less far than the other, older rows must wait for the next page. */
export function mergeScans<Row extends AuditPosition>(scans: AuditScan<Row>[], pageSize: number): AuditPage<Row> {
  const [horizon = null] = scans.flatMap(({ endsAt }) => endsAt ?? []).toSorted(newestFirst);
  const merged = scans.flatMap(({ rows }) => rows).toSorted(newestFirst);
  const certain = horizon === null ? merged : merged.filter((row) => newestFirst(row, horizon) <= 0);
  const rows = certain.slice(0, pageSize);
  return { rows, next: certain.length > pageSize ? placeOf(rows.at(-1)!) : horizon && placeOf(horizon) };
}

function newestFirst(one: AuditPosition, other: AuditPosition): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return sourceRank[other.source] - sourceRank[one.source] || other.id - one.id;
}

function placeOf({ at, source, id }: AuditPosition): AuditPosition {
  return { at, source, id };
}
