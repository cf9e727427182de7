import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { atLeastOneOf, WithAlternatives } from '../alternatives.ts';
import { warnings } from '../errors/lists.ts';
import { Clearable, isGiven, Text, WithMeaning } from '../values.ts';
import { cancelBatchMax, InboundCancelBody, InboundCancelData } from '../warehouse/inbound-cancel.ts';
import { FormNo } from './inbounds-named.ts';

/**
 * Cancels documents of the warehouse API by the rules of F-4, and forms of the logistics webhook by their own numbers.
 */
export const InboundsCancelBody = Type.Refine(
  WithAlternatives(
    Type.Object({
      inbound_short_ids: Clearable(InboundCancelBody.properties.inbound_short_ids),
      form_nos: WithMeaning(
        Clearable(Type.Array(FormNo, { minItems: 1, maxItems: cancelBatchMax })),
        `1-${cancelBatchMax} of your form numbers of the logistics webhook. At least one of the two lists is required.`,
      ),
    }),
    atLeastOneOf('inbound_short_ids', 'form_nos'),
  ),
  ({ inbound_short_ids, form_nos }) => isGiven(inbound_short_ids) || isGiven(form_nos),
  (): BrokenRule => '.inbound_short_ids no_documents_named',
);
export type InboundsCancelBody = Static<typeof InboundsCancelBody>;

const { status } = InboundCancelData.properties.results.items.properties;

export const InboundsCancelRetval = WithMeaning(
  Type.Object({
    results: Type.Array(
      Type.Union([
        Type.Object({ inbound_short_id: WithMeaning(Text(125), 'Your `inbound_short_id`.'), status }),
        Type.Object({ form_no: WithMeaning(Text(255), 'Your `form_no`.'), status }),
      ]),
      {
        maxItems: 2 * cancelBatchMax,
        description:
          'one per entry, in the order sent, including duplicates; first those of `inbound_short_ids`, then those of `form_nos`',
      },
    ),
    ...warnings,
  }),
  'The result of each entry.',
);
export type InboundsCancelRetval = Static<typeof InboundsCancelRetval>;
