import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { ErasureCounts, ErasureReport } from './erasure-report.ts';

export async function beginErasure(tx: Tx, run: { actor: string; endedBefore: Date }): Promise<number> {
  const [row] = await tx<[{ id: number }]>`
    insert into recipient_erasure (actor, ended_before) values (${run.actor}, ${run.endedBefore.toISOString()}::timestamptz)
    returning recipient_erasure_id as id`;
  return row.id;
}

/** Runs in the transaction of the batch, so that an interrupted run has counted exactly what it erased. */
export async function addToErasure(tx: Tx, erasureId: number, counts: ErasureCounts): Promise<void> {
  await tx`
    update recipient_erasure set orders = orders + ${counts.orders}, callbacks = callbacks + ${counts.callbacks},
      notes = notes + ${counts.notes}
    where recipient_erasure_id = ${erasureId}`;
}

export async function finishErasure(tx: Tx, erasureId: number): Promise<void> {
  await tx`update recipient_erasure set finished_at = clock_timestamp() where recipient_erasure_id = ${erasureId}`;
}

export async function readErasure(sql: Sql, erasureId: number): Promise<ErasureReport> {
  const [row] = await sql<[ErasureReport]>`
    select ${reportColumns(sql)} from recipient_erasure where recipient_erasure_id = ${erasureId}`;
  return row;
}

/** Newest first. */
export async function lastErasures(sql: Sql, limit: number): Promise<ErasureReport[]> {
  return await sql<ErasureReport[]>`
    select ${reportColumns(sql)} from recipient_erasure order by recipient_erasure_id desc limit ${limit}`;
}

function reportColumns(sql: Sql) {
  return sql`${camelColumns('recipient_erasure_id, started_at, finished_at, actor, ended_before, orders, callbacks, notes')}`;
}
