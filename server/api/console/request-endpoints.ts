import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { requestsDetailCall } from './requests-detail.ts';
import { requestsGroupedCall } from './requests-grouped.ts';
import { requestsSearchCall } from './requests-search.ts';

/** The request log. */
export function requestEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [requestsSearchCall(parts), requestsGroupedCall(parts), requestsDetailCall(parts)];
}
