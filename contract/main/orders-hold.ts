import { type Static, Type } from 'typebox';
import { Clearable, Title, WithExample, WithMeaning } from '../values.ts';
import { ChangeResult, ChangeRetval, changeBatchMax, NamedOrder, orderNameFields } from './named-order.ts';

export const HoldReason = Title(500);

export const OrdersHoldBody = Type.Object({
  orders: WithMeaning(
    Type.Array(
      NamedOrder(
        Type.Object({
          ...orderNameFields,
          reason: WithMeaning(
            WithExample(Clearable(HoldReason), 'The pickup store has closed.'),
            'The reason, for people. It is part of the history and is erased with the recipient.',
          ),
        }),
      ),
      { minItems: 1, maxItems: changeBatchMax },
    ),
    `1-${changeBatchMax} orders.`,
  ),
});
export type OrdersHoldBody = Static<typeof OrdersHoldBody>;

export const OrdersHoldResult = ChangeResult('held', 'the order is on hold, now or by an earlier request.');
export type OrdersHoldResult = Static<typeof OrdersHoldResult>;
export const OrdersHoldRetval = ChangeRetval(OrdersHoldResult);
