import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';
import { OutboundCreateBody, OutboundCreateData } from '../warehouse/outbound-create.ts';

/** Creates orders by the rules of F-5. */
export const OrdersCreateBody = OutboundCreateBody;
export type OrdersCreateBody = OutboundCreateBody;

export const OrdersCreateRetval = WithMeaning(
  Type.Omit(OutboundCreateData, ['success']),
  'The order, created now or by an earlier request.',
);
export type OrdersCreateRetval = Static<typeof OrdersCreateRetval>;
