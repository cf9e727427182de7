import assert from 'node:assert/strict';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { madeBeforeOf, type PurgeCounts, type PurgeReport } from '../../server/domain/purge/purge-report.ts';
import { type PurgeRun, purgeUat } from '../../server/domain/purge/purge-uat.ts';
import type { Tx } from '../../server/platform/postgres/sql.ts';
import type { TestApp } from './app.ts';

/** Makes all documents and movements older. */
export async function letTimePass(app: TestApp, days: number): Promise<void> {
  await app.store.database.transaction(async (tx) => {
    await tx`update orders set created_at = ${earlier(tx, 'created_at', days)}`;
    await tx`update inbound_document set created_at = ${earlier(tx, 'created_at', days)}`;
    await tx`update movement set at = ${earlier(tx, 'at', days)}`;
    await tx`update stock_change set created_at = ${earlier(tx, 'created_at', days)}`;
    await tx`update stock_count set created_at = ${earlier(tx, 'created_at', days)}`;
    await tx`update callback set created_at = ${earlier(tx, 'created_at', days)}`;
  });
}

/** Without a time zone: Citus computes new values of columns only with functions that depend on no setting. */
function earlier(tx: Tx, column: string, days: number) {
  return tx`(${tx(column)} at time zone 'UTC' - make_interval(days => ${days})) at time zone 'UTC'`;
}

export const retentionDays = 30;

/** Purges documents past their retention, without pauses. */
export async function purge(app: TestApp, run: Partial<PurgeRun> = {}): Promise<PurgeReport | null> {
  const madeBefore = madeBeforeOf(new Date(), retentionDays);
  return await purgeUat(app.store.service, { madeBefore, actor: 'test', restRatio: 0, ...run });
}

export function countsOf(report: PurgeReport | null): PurgeCounts | null {
  if (report === null) return null;
  const { orders, inbounds, movements, callbacks, unitsKept } = report;
  return { orders, inbounds, movements, callbacks, unitsKept };
}

export async function assertAuditClean(app: TestApp): Promise<void> {
  assert.deepEqual((await auditStock(app.store.service)).findings, []);
}

/** The units of a sku in all its lots. */
export async function balanceOf(app: TestApp, skuId: string): Promise<[onHand: number, locked: number]> {
  const [row] = await app.store.database.read(
    (sql) =>
      sql`select sum(on_hand)::bigint as on_hand, sum(locked)::bigint as locked from lot where sku_id = ${skuId}`,
  );
  return [row!.on_hand, row!.locked];
}

/** The movements of a sku without a document, the oldest first. */
export async function correctionsOf(app: TestApp, skuId: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select m.kind, m.on_hand_delta, m.locked_delta, m.actor, m.reason from movement m join lot using (account_id, lot_id)
      where sku_id = ${skuId} and order_id is null and inbound_id is null order by movement_id`,
  );
  return rows.map((row) => ({ ...row }));
}

/** All columns that refer to a document or a callback. */
export async function documentReferences(app: TestApp): Promise<{ table: string; column: string }[]> {
  return await app.store.database.read(
    (sql) => sql<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('order_id', 'inbound_id', 'document_id', 'callback_id')
      order by table_name, column_name`,
  );
}

/** The rows of an account in every table with accounts, as text. */
export async function rowsOfAccount(app: TestApp, accountNo: string): Promise<Record<string, string[]>> {
  const { database } = app.store;
  const tables = await database.read(
    (sql) => sql<{ name: string }[]>`
      select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'account_id' order by table_name`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await database.read(
      (sql) => sql`
        select t::text as row from ${sql(name)} t where account_id = (select account_id from account where account_no = ${accountNo}) order by t::text`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** Corrects the oldest lot of a sku as an operator does, unless that would remove locked units. */
export async function correctOldestLot(app: TestApp, skuId: string, units: number, reason: string): Promise<void> {
  await app.store.database.transaction(async (tx) => {
    const [lot] = await tx`
      update lot set on_hand = on_hand + ${units} where lot_id = (select min(lot_id) from lot where sku_id = ${skuId}) and on_hand + ${units} >= locked
      returning lot_id, account_id`;
    if (!lot) return;
    await tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      values (${lot.account_id}, ${lot.lot_id}, 'adjust', ${units}, 0, 'test', ${reason})`;
  });
}
