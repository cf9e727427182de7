import { type Static, Type } from 'typebox';
import { OutboundCreateBody, OutboundCreateData } from '../warehouse/outbound-create.ts';

/** The order integration takes orders as F-5 does. */
export const OrdersCreateBody = OutboundCreateBody;
export type OrdersCreateBody = OutboundCreateBody;

export const OrdersCreateRetval = Type.Omit(OutboundCreateData, ['success']);
export type OrdersCreateRetval = Static<typeof OrdersCreateRetval>;
