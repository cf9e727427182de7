import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { listAccounts } from './partner-queries.ts';

type Send<Row> = (accountId: number, accountNo: string) => PromiseLike<readonly Row[]>;

/** For operators, who look for something without knowing its account: sends a statement for every account. */
export async function inEveryAccount<Row>(sql: Sql, send: Send<Row>): Promise<Row[]> {
  return await inAccounts(sql, null, send);
}

/** The same for one account, or for all if null. */
export async function inAccounts<Row>(sql: Sql, accountNo: string | null, send: Send<Row>): Promise<Row[]> {
  const accounts = await listAccounts(sql, accountNo);
  return await perAccount(accounts, (accountId, [account]) => send(accountId, account!.accountNo));
}
