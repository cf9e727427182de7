import type { Sql } from '../../platform/postgres/sql.ts';
import { inAccounts } from '../partners/every-account.ts';

export interface NamedAccount {
  account_id: number;
  account_no: string;
}

/** Accounts (one or all) that have a lot on hand that expires by this day. */
export async function accountsWithLotsUntil(sql: Sql, day: string, accountNo: string | null): Promise<NamedAccount[]> {
  const accounts = await inAccounts(
    sql,
    accountNo,
    (own, accountId) => own<NamedAccount[]>`
      select account_id, account_no from lot join account using (account_id)
      where account_id = ${accountId} and on_hand > 0 and expire_date <= ${day} order by expire_date limit 1`,
  );
  return accounts.toSorted((a, b) => (a.account_no < b.account_no ? -1 : 1));
}
