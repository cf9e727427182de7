import { Type } from 'typebox';
import { callbackFilters } from './callback-search.ts';
import { consoleCall } from './console-call.ts';
import { listFields, RowId, record } from './console-values.ts';

export const callbackRedeliverMax = 500;
/** More at a time are for the command line, where one can wait for them. */
export const callbackRedeliverFilteredMax = 10_000;

export interface Redelivered {
  kind: 'redelivered';
  /** How many of them there are. Those that are neither held nor behind are sent at once. */
  count: number;
  /** Their receiver is paused or on hold. */
  held: number;
  /** An earlier callback of their document has to arrive first. */
  behind: number;
}

export const callbackRedeliver = consoleCall<Redelivered>()(
  '/callbacks/redeliver',
  record({ callback_ids: Type.Array(RowId, { minItems: 1, maxItems: callbackRedeliverMax, uniqueItems: true }) }),
);

/** More than that fit, or so many would have to be looked at that it takes too long: it has to be narrowed down. */
export interface TooManyCallbacks {
  kind: 'too_many';
  /** So many were found before it was given up. */
  found: number;
}

export const callbackRedeliverCount = consoleCall<{ kind: 'counted'; count: number } | TooManyCallbacks>()(
  '/callbacks/redeliver-count',
  record(callbackFilters),
);

/**
 * All that fit, if they are still as many as somebody was told. Many are sent again in several calls: the next one goes on where the last one ended,
 * with its cursor.
 */
export const callbackRedeliverFiltered = consoleCall<
  (Redelivered & { next_cursor: string | null }) | { kind: 'count_changed'; count: number } | TooManyCallbacks
>()(
  '/callbacks/redeliver-filtered',
  record({
    ...callbackFilters,
    expected_count: Type.Integer({ minimum: 1, maximum: callbackRedeliverFilteredMax }),
    cursor: listFields.cursor,
  }),
);
