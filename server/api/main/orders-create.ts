import { OrdersCreateBody, type OrdersCreateRetval } from '../../../contract/main/orders-create.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone } from '../../http/done-envelope.ts';
import { orderContentOf, rejectionOfOrder } from '../order-responses.ts';
import { payloadDiffers } from '../payload-differs.ts';
import { actorOf, operation } from './main-contract.ts';

/** Creates an order by the rules of F-5; a repeated number returns the original order. */
export function ordersCreate({ submitOrder }: Pick<DomainOperations, 'submitOrder'>) {
  return operation('orders.write', {
    path: '/orders/create',
    body: OrdersCreateBody,
    documentNo: (body) => body.outbound_short_id,
    async handle(caller, body, request) {
      const outcome = await submitOrder({
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
          return done(outcome.payloadDiffers ? { ...retval, ...payloadDiffers } : retval);
        }
        default: {
          const { message, mistakes } = rejectionOfOrder(outcome, body);
          return notDone(message, 400, mistakes);
        }
      }
    },
  });
}
