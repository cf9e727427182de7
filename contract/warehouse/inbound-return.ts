import { type Static, Type } from 'typebox';
import { CallerIdentifier, WithMeaning } from '../values.ts';
import { inboundFields } from './inbound.ts';

/** F-3 `/inbound/return`: `outbound_short_id` names the original order, which need not be known (yet). */
export const InboundReturnBody = Type.Object({
  ...inboundFields,
  outbound_short_id: WithMeaning(CallerIdentifier, 'Number of the original outbound order, which need not be known (yet).'),
});
export type InboundReturnBody = Static<typeof InboundReturnBody>;
