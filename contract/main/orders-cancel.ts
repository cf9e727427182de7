import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { atLeastOneOf, WithAlternatives } from '../alternatives.ts';
import { warnings } from '../errors/lists.ts';
import { Clearable, Identifier, isGiven, Text, WithMeaning } from '../values.ts';
import { cancelBatchMax } from '../warehouse/inbound-cancel.ts';
import { OutboundCancelBody, OutboundCancelResult } from '../warehouse/outbound-cancel.ts';

const internalName = Identifier(30);

/** Cancels orders by the rules of F-6, and orders of the logistics webhook by their own numbers. */
export const OrdersCancelBody = Type.Refine(
  WithAlternatives(
    Type.Object({
      outbound_short_ids: Clearable(OutboundCancelBody.properties.outbound_short_ids),
      internal_names: WithMeaning(
        Clearable(Type.Array(internalName, { minItems: 1, maxItems: cancelBatchMax })),
        `1-${cancelBatchMax} of your own numbers of orders of the logistics webhook. One of the two is needed; both may be given.`,
      ),
    }),
    atLeastOneOf('outbound_short_ids', 'internal_names'),
  ),
  ({ outbound_short_ids, internal_names }) => isGiven(outbound_short_ids) || isGiven(internal_names),
  (): BrokenRule => '.outbound_short_ids no_orders_named',
);
export type OrdersCancelBody = Static<typeof OrdersCancelBody>;

const internal_name = WithMeaning(Text(30), 'Your `internal_name`.');

export const ShippingCancelResult = Type.Union([
  Type.Object({
    internal_name,
    status: WithMeaning(
      Type.Enum(['cancelled', 'not_found'], { examples: ['cancelled'] }),
      '`cancelled`: the order is cancelled, now or by an earlier request. `not_found`: you have no order with that number.',
    ),
  }),
  Type.Object({
    internal_name,
    status: WithMeaning(
      Type.Literal('cannot_cancel_after_picking', { examples: ['cannot_cancel_after_picking'] }),
      'The order has reached the warehouse and is not cancelled.',
    ),
    code: WithMeaning(
      Type.Literal('LST-TPW-6001', { examples: ['LST-TPW-6001'] }),
      'The order can no longer be cancelled.',
    ),
  }),
]);
export type ShippingCancelResult = Static<typeof ShippingCancelResult>;

export const OrdersCancelRetval = WithMeaning(
  Type.Object({
    results: Type.Array(Type.Union([OutboundCancelResult, ShippingCancelResult]), {
      maxItems: 2 * cancelBatchMax,
      description:
        'one per entry, in the order sent, including duplicates; first those of `outbound_short_ids`, then those of `internal_names`',
    }),
    ...warnings,
  }),
  'The result of each entry.',
);
export type OrdersCancelRetval = Static<typeof OrdersCancelRetval>;
