import type { CallbackEvent, callbackRedeliverCount } from '../../../contract/console/callbacks.ts';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import { callbackSorts, callbackStatuses } from '../../kit/statuses.ts';
import {
  bodyOf,
  choicesFilter,
  datesFilter,
  type FilterValues,
  flagFilter,
  pickFilter,
  picksFilter,
  textFilter,
} from '../../kit/url-filters.ts';

export const callbackEvents = [
  'order.partially_shipped',
  'order.shipped',
  'order.arrived',
  'order.delivered',
  'order.undelivered',
  'order.cancelled',
  'inbound.received',
  'inbound.stopped',
  'inbound.cancelled',
  'return.received',
  'return.stopped',
  'return.cancelled',
] as const satisfies readonly CallbackEvent[];

export const callbackFilters = {
  number: { ...textFilter, field: 'document_no' },
  status: choicesFilter(callbackStatuses),
  event: choicesFilter(callbackEvents),
  accounts: picksFilter,
  receiver: { ...pickFilter, field: 'receiver_id' },
  created: datesFilter,
  sort: { ...pickFilter, choices: callbackSorts },
  reversed: flagFilter,
} as const;

export type CallbackFilterValues = FilterValues<typeof callbackFilters>;
export type CallbackSelection = BodyOf<typeof callbackRedeliverCount>;

export function selectionOf(values: CallbackFilterValues): CallbackSelection {
  const { sort: _sort, reversed: _reversed, ...description } = callbackFilters;
  return bodyOf<typeof callbackRedeliverCount>({ description, values });
}
