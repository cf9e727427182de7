import { accountsOf, perAccount } from '../../platform/postgres/per-account.ts';
import type { Fragment, Sql } from '../../platform/postgres/sql.ts';
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

/** An account within a statement: its id and its number. */
export interface AccountWithin {
  id: Fragment;
  no: Fragment;
}

/**
 * The same as one statement, which goes through the accounts: for questions to which most accounts have no answer, because
 * then sending a statement takes longer than executing it. The statement reads the rows of one account at a time, so its
 * plan is the one for a single account. Citus finds the server of an account only if its id is a value.
 */
export async function throughEveryAccount<Row extends object>(
  sql: Sql,
  select: (own: Sql, account: AccountWithin) => Fragment,
): Promise<Row[]> {
  if (sql.isDistributed)
    return await inEveryAccount(
      sql,
      (own, accountId, accountNo) => own<Row[]>`${select(own, { id: own`${accountId}`, no: own`${accountNo}::text` })}`,
    );
  const { own, accounts } = await everyAccount(sql);
  const ids = accounts.map(({ accountId }) => accountId);
  const nos = accounts.map(({ accountNo }) => accountNo);
  const account = { id: own.unsafe('one.account_id'), no: own.unsafe('one.account_no') };
  return await own<Row[]>`
    select found.* from unnest(${ids}::bigint[], ${nos}::text[]) one (account_id, account_no)
    cross join lateral (${select(own, account)}) found`;
}
