import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';
import { ChangeResult, ChangeRetval, changeBatchMax, NamedOrder, orderNameFields } from './named-order.ts';

export const OrdersReleaseBody = Type.Object({
  orders: WithMeaning(
    Type.Array(NamedOrder(Type.Object(orderNameFields)), { minItems: 1, maxItems: changeBatchMax }),
    `1-${changeBatchMax} orders.`,
  ),
});
export type OrdersReleaseBody = Static<typeof OrdersReleaseBody>;

export const OrdersReleaseResult = ChangeResult('released', 'the order is not on hold.');
export type OrdersReleaseResult = Static<typeof OrdersReleaseResult>;
export const OrdersReleaseRetval = ChangeRetval(OrdersReleaseResult);
