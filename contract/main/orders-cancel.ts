import { OutboundCancelBody, OutboundCancelData } from '../warehouse/outbound-cancel.ts';

/** The order integration cancels orders as F-6 does. */
export const OrdersCancelBody = OutboundCancelBody;
export type OrdersCancelBody = OutboundCancelBody;

export const OrdersCancelRetval = OutboundCancelData;
export type OrdersCancelRetval = OutboundCancelData;
