import { OrdersCancelBody, type OrdersCancelRetval } from '../../../contract/main/orders-cancel.ts';
import type { CancelOrderOutcome, CancelOrdersRequest } from '../../domain/orders/cancel-orders.ts';
import { done } from '../done-envelope.ts';
import { wordCancelledOrder } from '../order-words.ts';
import { actorOf, operation } from './main-contract.ts';

/** Cancels orders by the rules of F-6, each with its own result. */
export function ordersCancel(cancelOrders: (request: CancelOrdersRequest) => Promise<CancelOrderOutcome[]>) {
  return operation('orders.write', {
    path: '/orders/cancel',
    body: OrdersCancelBody,
    async handle(caller, { outbound_short_ids: partnerNumbers }, request) {
      const { accountId } = caller.account;
      const outcomes = await cancelOrders({ accountId, partnerNumbers, cause: { actor: actorOf(caller), traceId: request.id } });
      const retval: OrdersCancelRetval = { results: outcomes.map((outcome, index) => wordCancelledOrder(outcome, partnerNumbers[index]!)) };
      return done(retval);
    },
  });
}
