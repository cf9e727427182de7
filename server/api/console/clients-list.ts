import { clientsList } from '../../../contract/console/partner-clients.ts';
import { listClientRows } from '../../domain/partners/partner-list-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners, withCheckValues } from './partner-rows.ts';

export function clientsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(clientsList, {
    role: 'read-only',
    audit: null,
    handle: () => listPartners(parts, async (sql, rowsMax) => withCheckValues(sql, await listClientRows(sql, null, rowsMax))),
  });
}
