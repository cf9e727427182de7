import { type Static, Type } from 'typebox';
import { Clearable, isGiven, Text, WithMeaning } from '../values.ts';
import { cancelBatchMax, InboundCancelBody, InboundCancelData } from '../warehouse/inbound-cancel.ts';
import { FormNo } from './inbounds-named.ts';

/** Documents of the warehouse API are cancelled as F-4 does, forms of the logistics webhook by their own numbers. */
export const InboundsCancelBody = Type.Refine(
  Type.Object({
    inbound_short_ids: Clearable(InboundCancelBody.properties.inbound_short_ids),
    form_nos: WithMeaning(
      Clearable(Type.Array(FormNo, { minItems: 1, maxItems: cancelBatchMax })),
      `1-${cancelBatchMax} of your own numbers of forms of the logistics webhook. One of the two is needed; both may be given.`,
    ),
  }),
  ({ inbound_short_ids, form_nos }) => isGiven(inbound_short_ids) || isGiven(form_nos),
  () => '.inbound_short_ids is missing; or name documents by form_nos',
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
        description: 'one per entry, in the order sent, duplicates included; those of `inbound_short_ids` before those of `form_nos`',
      },
    ),
  }),
  'What became of each entry.',
);
export type InboundsCancelRetval = Static<typeof InboundsCancelRetval>;
