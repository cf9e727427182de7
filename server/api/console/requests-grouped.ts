import { requestGrouped, requestGroupsMax } from '../../../contract/console/request-grouped.ts';
import { timeOfTraceId } from '../../platform/ids.ts';
import { groupRequests } from '../../platform/request-log-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { rangeOf, requestFilterOf } from './requests-search.ts';

export function requestsGroupedCall({ database, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestGrouped, {
    role: 'read-only',
    audit: null,
    async handle(_caller, asked) {
      const { from, to } = rangeOf(asked, clock.now());
      const { groups, next } = await groupRequests(database, { from, to }, requestFilterOf(asked));
      return {
        groups: groups.slice(0, requestGroupsMax),
        has_more: groups.length > requestGroupsMax,
        from: from.toISOString(),
        to: to.toISOString(),
        searched_to: next === null ? null : timeOfTraceId(next)!.toISOString(),
      };
    },
  });
}
