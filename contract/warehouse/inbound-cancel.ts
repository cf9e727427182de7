import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { CallerIdentifier, Text, WithMeaning } from '../values.ts';

export const cancelBatchMax = 100;

/** F-4 `/inbound/cancel`. */
export const InboundCancelBody = Type.Object({
  inbound_short_ids: WithMeaning(
    Type.Array(CallerIdentifier, { minItems: 1, maxItems: cancelBatchMax }),
    `1-${cancelBatchMax} of your document numbers, for both inbound documents and returns.`,
  ),
});
export type InboundCancelBody = Static<typeof InboundCancelBody>;

export const InboundCancelData = WithMeaning(
  Type.Object({
    results: Type.Array(
      Type.Object({
        stock_in_sn: WithMeaning(Text(125), 'Your `inbound_short_id`.'),
        status: WithMeaning(
          Type.Enum(['cancelled', 'not_found', 'cannot_cancel_after_receiving']),
          '`cancelled`: the document is cancelled, now or by an earlier request. `not_found`: you have no document with that number. `cannot_cancel_after_receiving`: too late.',
        ),
      }),
      { maxItems: cancelBatchMax, description: 'one per entry, in the order sent, including duplicates' },
    ),
    ...warnings,
  }),
  'The result of each entry.',
);
export type InboundCancelData = Static<typeof InboundCancelData>;
