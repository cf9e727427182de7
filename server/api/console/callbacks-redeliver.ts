import {
  callbackRedeliver,
  callbackRedeliverCount,
  callbackRedeliverFiltered,
  callbackRedeliverFilteredMax,
} from '../../../contract/console/callback-redeliver.ts';
import { countSelection, redeliverSelection } from '../../domain/callbacks/redeliver-selection.ts';
import { filtersOf } from './callbacks-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

const countMax = callbackRedeliverFilteredMax;

export function callbacksRedeliverCall({ operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackRedeliver, {
    role: 'staff',
    audit: ({ callback_ids }) => ({
      ...(callback_ids.length === 1 && { subject: String(callback_ids[0]) }),
      details: { callback_ids },
    }),
    async handle(_caller, { callback_ids }) {
      return { kind: 'redelivered' as const, ...(await operations.redeliver(callback_ids)) };
    },
  });
}

export function callbacksRedeliverCountCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackRedeliverCount, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { accounts, ...selection }) {
      return await countSelection(database, {
        accountIds: await accountIdsOf(directory, accounts),
        filters: filtersOf(selection),
        countMax,
      });
    },
  });
}

export function callbacksRedeliverFilteredCall({ database, directory, cursors }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackRedeliverFiltered, {
    role: 'staff',
    audit: ({ cursor, ...details }) => ({ details: { ...details, goes_on: cursor !== undefined } }),
    async handle(_caller, { accounts, expected_count: expectedCount, cursor, ...selection }) {
      const accountIds = await accountIdsOf(directory, accounts);
      const filters = filtersOf(selection);
      const scope = { list: 'console/callbacks/redeliver', accountIds, search: { filters, sort: null } };
      const after = cursor === undefined ? null : cursors.read(scope, cursor);
      if (cursor !== undefined && after === null) throw mistakeAt('cursor', 'is not of this selection');
      const outcome = await redeliverSelection(database, { accountIds, filters, countMax }, { expectedCount, after });
      if (outcome.kind !== 'redelivered') return outcome;
      const { next, ...redelivered } = outcome;
      return { ...redelivered, next_cursor: next === null ? null : cursors.write(scope, next) };
    },
  });
}
