import { type Static, Type } from 'typebox';
import { CallerIdentifier, WithMeaning } from '../values.ts';
import { inboundFields } from './inbound.ts';

/** F-3 `/inbound/return`: `outbound_short_id` names the original order, which does not have to exist yet. */
export const InboundReturnBody = Type.Object({
  ...inboundFields,
  outbound_short_id: WithMeaning(
    CallerIdentifier,
    'Number of the original outbound order, which does not have to exist yet.',
  ),
});
export type InboundReturnBody = Static<typeof InboundReturnBody>;
