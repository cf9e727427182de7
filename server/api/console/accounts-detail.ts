import { type AccountDetail, accountHistoryMax, accountsDetail } from '../../../contract/console/accounts.ts';
import { partnersListedMax } from '../../../contract/console/partner-values.ts';
import {
  listAccountChanges,
  listAccountRows,
  listClientRows,
  listLogisticsKeyRows,
  listTenantRows,
} from '../../domain/partners/partner-list-queries.ts';
import type { Sql } from '../../platform/database.ts';
import { ProblemError } from '../problem.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { wordPartnerChange } from './partner-differences.ts';
import { secretsOf, withCheckValues, withKeySecrets } from './partner-rows.ts';

export function accountsDetailCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(accountsDetail, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { account_no }) {
      const detail = await database.read((sql) => readAccount(sql, account_no));
      if (detail === null) throw new ProblemError({ kind: 'not_found', message: 'there is no such account' });
      return detail;
    },
  });
}

async function readAccount(sql: Sql, accountNo: string): Promise<AccountDetail | null> {
  const [account] = await listAccountRows(sql, accountNo, 1);
  if (!account) return null;
  const secrets = await secretsOf(sql, ['account_secret'], [accountNo]);
  return {
    ...account,
    secret: secrets('account_secret', accountNo),
    tenant_rows: await listTenantRows(sql, accountNo, partnersListedMax),
    client_rows: await withCheckValues(sql, await listClientRows(sql, accountNo, partnersListedMax)),
    key_rows: await withKeySecrets(sql, await listLogisticsKeyRows(sql, accountNo, partnersListedMax)),
    history: (await listAccountChanges(sql, accountNo, accountHistoryMax)).map(wordPartnerChange),
  };
}
