import type { callbackRedeliverCount } from '../../../contract/console/callback-redeliver.ts';
import type { CallbackEvent } from '../../../contract/console/callback-search.ts';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import { callbackStatuses } from '../../kit/statuses.ts';
import { choicesFilter, datesFilter, type FilterValues, pickFilter, picksFilter, textFilter } from '../../kit/url-filters.ts';

export const callbackEvents = [
  'order.shipped',
  'order.cancelled',
  'inbound.received',
  'inbound.stopped',
  'inbound.cancelled',
  'return.received',
  'return.stopped',
  'return.cancelled',
] as const satisfies readonly CallbackEvent[];

export const callbackFilters = {
  number: textFilter,
  status: choicesFilter(callbackStatuses),
  event: choicesFilter(callbackEvents),
  accounts: picksFilter,
  receiver: pickFilter,
  created: datesFilter,
} as const;

export type CallbackFilterValues = FilterValues<typeof callbackFilters>;
export type CallbackSelection = BodyOf<typeof callbackRedeliverCount>;

/** What is asked for with these. */
export function selectionOf({ number, status, event, accounts, receiver, created }: CallbackFilterValues): CallbackSelection {
  return {
    ...(number !== '' && { document_no: number }),
    ...(status.length > 0 && { status }),
    ...(event.length > 0 && { event }),
    ...(accounts.length > 0 && { accounts }),
    ...(receiver !== '' && { receiver_id: receiver }),
    ...(created.from !== null && { created_from: created.from }),
    ...(created.to !== null && { created_to: created.to }),
  };
}
