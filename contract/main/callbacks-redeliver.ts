import { type Static, Type } from 'typebox';
import { atLeastOneOf, bothOf, WithAlternatives } from '../alternatives.ts';
import { Clearable, WithMeaning } from '../values.ts';
import { callbacksSearch } from './callbacks-search.ts';
import { SearchBody } from './search-list.ts';

export const redeliverMax = 10_000;
export const eventIdsMax = 1000;

const { page_size: _, cursor: __, sort: ___, total: ____, ...filters } = SearchBody(callbacksSearch).properties;

/** For the reference only; `server/api/main/callbacks-redeliver.ts` parses the request. */
export const CallbacksRedeliverBody = WithAlternatives(
  Type.Object(
    {
      event_ids: WithMeaning(
        Clearable(
          Type.Array(callbacksSearch.fields.event_id.value, {
            minItems: 1,
            maxItems: eventIdsMax,
            examples: [[callbacksSearch.fields.event_id.example]],
          }),
        ),
        `1-${eventIdsMax} event IDs, as an alternative to filters. IDs that do not belong to your account are ignored.`,
      ),
      ...filters,
      dry_run: WithMeaning(Clearable(Type.Boolean()), '`true`: only count the callbacks that would be redelivered.'),
    },
    { additionalProperties: false },
  ),
  [
    { given: ['event_ids'], absent: Object.keys(filters) },
    ...bothOf([{ absent: ['event_ids'] }], atLeastOneOf(...Object.keys(filters))),
  ],
);

export const CallbacksRedeliverRetval = WithMeaning(
  Type.Object({
    count: WithMeaning(
      Type.Integer({ minimum: 0, maximum: redeliverMax }),
      'Number of callbacks that are (or would be) redelivered.',
    ),
    erased: WithMeaning(
      Type.Integer({ minimum: 0, maximum: redeliverMax }),
      'Number of selected callbacks that cannot be redelivered, because their body was erased together with the recipient of their order.',
    ),
  }),
  'The result of the redelivery.',
);
export type CallbacksRedeliverRetval = Static<typeof CallbacksRedeliverRetval>;
