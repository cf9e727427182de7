import { storesList } from '../../../contract/console/partner-places.ts';
import { listStoreRows } from '../../domain/partners/partner-list-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners } from './partner-rows.ts';

export function storesListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(storesList, { role: 'read-only', audit: null, handle: () => listPartners(parts, listStoreRows) });
}
