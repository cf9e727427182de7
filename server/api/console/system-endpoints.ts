import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { searchFindCall } from './search-find.ts';
import { systemOverviewCall } from './system-overview.ts';
import { systemPurgePreviewCall } from './system-purge-preview.ts';
import { systemPushNowCall } from './system-push-now.ts';
import { systemRetryRejectedCall } from './system-retry-rejected.ts';

/** The system itself, and the search for any number. */
export function systemEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    searchFindCall(parts),
    systemOverviewCall(parts),
    systemPushNowCall(parts),
    systemRetryRejectedCall(parts),
    systemPurgePreviewCall(parts),
  ];
}
