import { accountsOf, perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { type AccountName, listAccounts } from './partner-queries.ts';

/** The accounts, and statements that see the rows of all of them. */
export async function everyAccount(sql: Sql): Promise<{ own: Sql; accounts: AccountName[] }> {
  return await theseAccounts(sql, null);
}

async function theseAccounts(sql: Sql, accountNo: string | null): Promise<{ own: Sql; accounts: AccountName[] }> {
  const accounts = await listAccounts(sql, accountNo);
  return { own: sql.forAccounts(accountsOf(accounts)), accounts };
}

/** `own` sees the rows of the accounts that are asked. */
type Send<Row> = (own: Sql, accountId: number, accountNo: string) => PromiseLike<readonly Row[]>;

/** For operators, who look for something without knowing its account: sends a statement for every account. */
export async function inEveryAccount<Row>(sql: Sql, send: Send<Row>): Promise<Row[]> {
  return await inAccounts(sql, null, send);
}

/** The same for one account, or for all if null. */
export async function inAccounts<Row>(sql: Sql, accountNo: string | null, send: Send<Row>): Promise<Row[]> {
  const { own, accounts } = await theseAccounts(sql, accountNo);
  return await perAccount(accounts, (accountId, [account]) => send(own, accountId, account!.accountNo));
}
