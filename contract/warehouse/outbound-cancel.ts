import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { CallerIdentifier, Text, WithMeaning } from '../values.ts';
import { cancelBatchMax } from './inbound-cancel.ts';

/** F-6 `/outbound/cancel`. */
export const OutboundCancelBody = Type.Object({
  outbound_short_ids: WithMeaning(
    Type.Array(CallerIdentifier, { minItems: 1, maxItems: cancelBatchMax }),
    `1-${cancelBatchMax} of your order numbers.`,
  ),
});
export type OutboundCancelBody = Static<typeof OutboundCancelBody>;

const outboundShortId = WithMeaning(Text(125), 'Your `outbound_short_id`.');

export const OutboundCancelResult = Type.Union([
  Type.Object({
    outbound_short_id: outboundShortId,
    status: WithMeaning(
      Type.Enum(['cancelled', 'not_found']),
      '`cancelled`: the order is cancelled, now or by an earlier request. `not_found`: you have no order with that number.',
    ),
  }),
  Type.Object({
    outbound_short_id: outboundShortId,
    status: WithMeaning(
      Type.Literal('cannot_cancel_after_picking'),
      'The order has reached the warehouse and is not cancelled.',
    ),
    code: WithMeaning(Type.Literal('LST-TPW-6001'), 'The order can no longer be cancelled.'),
  }),
]);
export type OutboundCancelResult = Static<typeof OutboundCancelResult>;

export const OutboundCancelData = WithMeaning(
  Type.Object({
    results: Type.Array(OutboundCancelResult, {
      maxItems: cancelBatchMax,
      description: 'one per entry, in the order sent, including duplicates',
    }),
    ...warnings,
  }),
  'The result of each entry.',
);
export type OutboundCancelData = Static<typeof OutboundCancelData>;
