import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Fragment, Sql } from '../../platform/postgres/sql.ts';

/** Good lots with units on hand that expired before this day. */
export interface ExpiredSelection {
  /** `YYYY-MM-DD` in Taipei. */
  today: string;
  /** null: in all. */
  warehouseNos: number[] | null;
}

export interface ExpiredLot {
  accountId: number;
  lotId: number;
  skuId: string;
  warehouseNo: number;
  batchId: string;
  expireDate: string;
  onHand: number;
  locked: number;
}

/** Expired lots with free units, of each account the earliest first, up to a limit. */
export async function findBlockable(
  sql: Sql,
  accountIds: number[],
  selection: ExpiredSelection,
  limit: number,
): Promise<ExpiredLot[]> {
  return await findExpired(sql, accountIds, selection, sql`on_hand > locked`, limit);
}

/** Expired lots with units that orders have locked. */
export async function findExpiredLocked(
  sql: Sql,
  accountIds: number[],
  selection: ExpiredSelection,
  limit: number,
): Promise<ExpiredLot[]> {
  return await findExpired(sql, accountIds, selection, sql`locked > 0`, limit);
}

async function findExpired(
  sql: Sql,
  accountIds: number[],
  { today, warehouseNos }: ExpiredSelection,
  which: Fragment,
  limit: number,
): Promise<ExpiredLot[]> {
  const there = warehouseNos === null ? sql`` : sql`and warehouse_no = any(${warehouseNos}::integer[])`;
  return await perAccount(
    accountIds.map((accountId) => ({ accountId })),
    (accountId) => sql<ExpiredLot[]>`
      select ${camelColumns('account_id, lot_id, sku_id, warehouse_no, batch_id, expire_date, on_hand, locked')} from lot
      where account_id = ${accountId} and on_hand > 0 and expire_date < ${today}::date and stock_type = 'good' and ${which} ${there}
      order by expire_date, sku_id, lot_id limit ${limit}`,
  );
}

/** The changes with this number, one of each account at most. */
export async function findNumberedChanges(
  sql: Sql,
  accountIds: number[],
  referenceNo: string,
): Promise<{ accountId: number; payloadDigest: string }[]> {
  return await perAccount(
    accountIds.map((accountId) => ({ accountId })),
    (accountId) => sql<{ accountId: number; payloadDigest: string }[]>`
      select ${camelColumns('account_id, payload_digest')} from stock_change
      where account_id = ${accountId} and reference_no = ${referenceNo}`,
  );
}
