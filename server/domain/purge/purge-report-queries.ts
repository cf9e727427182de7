import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { PurgeCounts, PurgeReport } from './purge-report.ts';

export async function beginReport(tx: Tx, run: { actor: string; madeBefore: Date }): Promise<number> {
  const [row] = await tx<[{ purgeId: number }]>`
    insert into purge_report (actor, made_before) values (${run.actor}, ${run.madeBefore.toISOString()}::timestamptz)
    returning purge_id as "purgeId"`;
  return row.purgeId;
}

/** Runs in the transaction of the batch, so that an interrupted purge has counted exactly what it deleted. */
export async function addToReport(tx: Tx, purgeId: number, counts: PurgeCounts): Promise<void> {
  await tx`
    update purge_report set orders = orders + ${counts.orders}, inbounds = inbounds + ${counts.inbounds},
      movements = movements + ${counts.movements}, callbacks = callbacks + ${counts.callbacks}, units_kept = units_kept + ${counts.unitsKept}
    where purge_id = ${purgeId}`;
}

export async function finishReport(tx: Tx, purgeId: number): Promise<void> {
  await tx`update purge_report set finished_at = clock_timestamp() where purge_id = ${purgeId}`;
}

export async function readReport(sql: Sql, purgeId: number): Promise<PurgeReport> {
  const [row] = await sql<[PurgeReport]>`select ${reportColumns(sql)} from purge_report where purge_id = ${purgeId}`;
  return row;
}

/** Newest first. */
export async function lastReports(sql: Sql, limit: number): Promise<PurgeReport[]> {
  return await sql<PurgeReport[]>`select ${reportColumns(sql)} from purge_report order by purge_id desc limit ${limit}`;
}

export async function lastPurgeAt(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ at: Date }[]>`
    select finished_at as at from purge_report where finished_at is not null order by purge_id desc limit 1`;
  return row?.at ?? null;
}

function reportColumns(sql: Sql) {
  return sql`${camelColumns('purge_id, started_at, finished_at, actor, made_before, orders, inbounds, movements, callbacks, units_kept')}`;
}
