import { perAccount } from '../../platform/postgres/per-account.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import type { CallbackAddresses } from './account-callbacks.ts';

/**
 * Whether the account or one of its tenants has an address for callbacks: a column of a statement that is sent anyway, so
 * that accounts without callbacks need no statement of their own.
 */
export function usesCallbacks(accountId: number): Fragment {
  return fragment`coalesce((select a.callback_url is not null from account a where a.account_id = ${accountId}::bigint), false)
    or exists (select from tenant t where t.account_id = ${accountId}::bigint and t.callback_url is not null)`;
}

export async function findCallbackAddresses(
  sql: Sql | Tx,
  accountIds: number[],
): Promise<(accountId: number) => CallbackAddresses> {
  const accounts = accountIds.map((accountId) => ({ accountId }));
  const rows = await perAccount(
    accounts,
    (accountId) => sql<{ accountId: number; tenant: string | null; url: string }[]>`
      select account_id as "accountId", null as tenant, callback_url as url from account
      where account_id = ${accountId} and callback_url is not null
      union all
      select account_id, warehouse_tpw_id, callback_url from tenant where account_id = ${accountId} and callback_url is not null`,
  );
  const rowsOf = Map.groupBy(rows, (row) => row.accountId);
  return (accountId) => {
    const own = rowsOf.get(accountId) ?? [];
    return {
      ofAccount: own.find(({ tenant }) => tenant === null)?.url ?? null,
      ofTenants: new Map(own.flatMap(({ tenant, url }) => (tenant === null ? [] : [[tenant, url]]))),
    };
  };
}
