import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';
import { OutboundCreateBody, OutboundCreateData } from '../warehouse/outbound-create.ts';

/** The order integration takes orders as F-5 does. */
export const OrdersCreateBody = OutboundCreateBody;
export type OrdersCreateBody = OutboundCreateBody;

export const OrdersCreateRetval = WithMeaning(Type.Omit(OutboundCreateData, ['success']), 'The order that was created, now or before.');
export type OrdersCreateRetval = Static<typeof OrdersCreateRetval>;
