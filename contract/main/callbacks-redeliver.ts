import { type Static, Type } from 'typebox';
import { Clearable, WithMeaning } from '../values.ts';
import { callbacksSearch } from './callbacks-search.ts';
import { SearchBody } from './search-list.ts';

export const redeliverMax = 10_000;
export const eventIdsMax = 1000;

const { page_size: _, cursor: __, sort: ___, ...filters } = SearchBody(callbacksSearch).properties;

/** What may be said; `server/api/main/callbacks-redeliver.ts` reads it. */
export const CallbacksRedeliverBody = Type.Object(
  {
    event_ids: WithMeaning(
      Clearable(
        Type.Array(callbacksSearch.fields.event_id.value, {
          ...{ minItems: 1, maxItems: eventIdsMax },
          examples: [[callbacksSearch.fields.event_id.example]],
        }),
      ),
      `1-${eventIdsMax} numbers of events; those that are not yours are passed over. Instead of filters.`,
    ),
    ...filters,
    dry_run: WithMeaning(Clearable(Type.Boolean()), '`true`: only count what would be sent again.'),
  },
  { additionalProperties: false },
);

export const CallbacksRedeliverRetval = WithMeaning(
  Type.Object({ count: WithMeaning(Type.Integer({ minimum: 0, maximum: redeliverMax }), 'How many are sent again, or would be.') }),
  'What is sent again.',
);
export type CallbacksRedeliverRetval = Static<typeof CallbacksRedeliverRetval>;
