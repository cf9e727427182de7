import { accountsList } from '../../../contract/console/accounts.ts';
import { listAccountRows } from '../../domain/partners/partner-list-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners } from './partner-rows.ts';

export function accountsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(accountsList, {
    role: 'read-only',
    audit: null,
    handle: () => listPartners(parts, (sql, rowsMax) => listAccountRows(sql, null, rowsMax)),
  });
}
