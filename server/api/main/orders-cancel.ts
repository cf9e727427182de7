import {
  OrdersCancelBody,
  type OrdersCancelRetval,
  type ShippingCancelResult,
} from '../../../contract/main/orders-cancel.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { CancelOrderOutcome } from '../../domain/orders/cancel-orders.ts';
import { done } from '../../http/done-envelope.ts';
import { formatCancelledOrder } from '../order-responses.ts';
import { actorOf, operation } from './main-contract.ts';

/** Cancels orders by the rules of F-6, each with its own result. */
export function ordersCancel({ cancelOrders }: Pick<DomainOperations, 'cancelOrders'>) {
  return operation('orders.write', {
    path: '/orders/cancel',
    body: OrdersCancelBody,
    async handle(caller, body, request) {
      const direct = body.outbound_short_ids ?? [];
      const logistics = body.internal_names ?? [];
      const { accountId } = caller.account;
      const cause = { actor: actorOf(caller), traceId: request.id };
      const [ofDirect, ofLogistics] = await Promise.all([
        direct.length > 0 ? cancelOrders({ accountId, partnerNumbers: direct, cause }) : [],
        logistics.length > 0 ? cancelOrders({ accountId, partnerNumbers: logistics, isLogistics: true, cause }) : [],
      ]);
      const retval: OrdersCancelRetval = {
        results: [
          ...ofDirect.map((outcome, index) => formatCancelledOrder(outcome, direct[index]!)),
          ...ofLogistics.map((outcome, index) => formatCancelledShippingOrder(outcome, logistics[index]!)),
        ],
      };
      return done(retval);
    },
  });
}

function formatCancelledShippingOrder(outcome: CancelOrderOutcome, internal_name: string): ShippingCancelResult {
  const { outbound_short_id: _, ...result } = formatCancelledOrder(outcome, internal_name);
  return { internal_name, ...result };
}
