import { type Static, Type } from 'typebox';
import { Clearable, Identifier, isGiven, Text, WithMeaning } from '../values.ts';
import { cancelBatchMax } from '../warehouse/inbound-cancel.ts';
import { OutboundCancelBody, OutboundCancelResult } from '../warehouse/outbound-cancel.ts';

const internalName = Identifier(30);

/** The order integration cancels orders as F-6 does, and those of the logistics webhook by their own numbers. */
export const OrdersCancelBody = Type.Refine(
  Type.Object({
    outbound_short_ids: Clearable(OutboundCancelBody.properties.outbound_short_ids),
    internal_names: WithMeaning(
      Clearable(Type.Array(internalName, { minItems: 1, maxItems: cancelBatchMax })),
      `1-${cancelBatchMax} of your own numbers of orders of the logistics webhook. One of the two is needed; both may be given.`,
    ),
  }),
  ({ outbound_short_ids, internal_names }) => isGiven(outbound_short_ids) || isGiven(internal_names),
  () => '.outbound_short_ids is missing; or name orders by internal_names',
);
export type OrdersCancelBody = Static<typeof OrdersCancelBody>;

const internal_name = WithMeaning(Text(30), 'Your `internal_name`.');

export const ShippingCancelResult = Type.Union([
  Type.Object({
    internal_name,
    status: WithMeaning(
      Type.Enum(['cancelled', 'not_found'], { examples: ['cancelled'] }),
      '`cancelled`: it is cancelled, now or since earlier. `not_found`: you have no order of that number.',
    ),
  }),
  Type.Object({
    internal_name,
    status: WithMeaning(
      Type.Literal('cannot_cancel_after_picking', { examples: ['cannot_cancel_after_picking'] }),
      'The order has reached the warehouse; it goes on unchanged.',
    ),
    code: WithMeaning(Type.Literal('LST-TPW-6001', { examples: ['LST-TPW-6001'] }), 'The order can no longer be cancelled.'),
  }),
]);
export type ShippingCancelResult = Static<typeof ShippingCancelResult>;

export const OrdersCancelRetval = WithMeaning(
  Type.Object({
    results: Type.Array(Type.Union([OutboundCancelResult, ShippingCancelResult]), {
      maxItems: 2 * cancelBatchMax,
      description: 'one per entry, in the order sent, duplicates included; those of `outbound_short_ids` before those of `internal_names`',
    }),
  }),
  'What became of each entry.',
);
export type OrdersCancelRetval = Static<typeof OrdersCancelRetval>;
