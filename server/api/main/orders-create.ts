import { OrdersCreateBody, type OrdersCreateRetval } from '../../../contract/main/orders-create.ts';
import type { TakeOrder } from '../../domain/orders/take-order.ts';
import { done, notDone } from '../done-envelope.ts';
import { orderContentOf, refusalOfOrder } from '../order-words.ts';
import { actorOf, operation } from './main-contract.ts';

/** Creates an order by the rules of F-5; the same number again is answered with the original. */
export function ordersCreate(takeOrder: TakeOrder) {
  return operation('orders.write', {
    path: '/orders/create',
    body: OrdersCreateBody,
    documentNo: (body) => body.outbound_short_id,
    async handle(caller, body, request) {
      const outcome = await takeOrder({
        account: caller.account,
        channel: 'main',
        partnerNumber: body.outbound_short_id,
        content: orderContentOf(body),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      switch (outcome.kind) {
        case 'created': {
          const retval: OrdersCreateRetval = { orders_id: outcome.orderNo, idempotent: false };
          return done(retval);
        }
        case 'repeated': {
          const retval: OrdersCreateRetval = { orders_id: outcome.orderNo, idempotent: true };
          return done(outcome.payloadDiffers ? { ...retval, payload_differs: true } : retval);
        }
        default:
          return notDone(refusalOfOrder(outcome, body).message, 400);
      }
    },
  });
}
