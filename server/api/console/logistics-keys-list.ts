import { logisticsKeysList } from '../../../contract/console/partner-keys.ts';
import { listLogisticsKeyRows } from '../../domain/partners/partner-list-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners, withKeySecrets } from './partner-rows.ts';

export function logisticsKeysListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(logisticsKeysList, {
    role: 'read-only',
    audit: null,
    handle: () => listPartners(parts, async (sql, rowsMax) => withKeySecrets(sql, await listLogisticsKeyRows(sql, null, rowsMax))),
  });
}
