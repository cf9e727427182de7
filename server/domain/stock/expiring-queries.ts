import type { Sql } from '../../platform/postgres/sql.ts';

export interface NamedAccount {
  account_id: number;
  account_no: string;
}

/**
 * Accounts (one or all) that have a lot on hand that expires by this day. Offset 0 makes PostgreSQL use one look-up per
 * account.
 */
export async function accountsWithLotsUntil(sql: Sql, day: string, accountNo: string | null): Promise<NamedAccount[]> {
  return await sql<NamedAccount[]>`
    select account_id, account_no from account
    cross join lateral (
      select from lot where lot.account_id = account.account_id and on_hand > 0 and expire_date <= ${day}
      order by expire_date offset 0 limit 1
    ) any_lot
    where ${accountNo}::text is null or account_no = ${accountNo} order by account_no`;
}
