import { type Static, Type } from 'typebox';
import { inboundFields } from './inbound.ts';

/** F-2 `/inbound/create`. */
export const InboundCreateBody = Type.Object(inboundFields);
export type InboundCreateBody = Static<typeof InboundCreateBody>;
