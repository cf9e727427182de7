import { OutboundCreateBody, type OutboundCreateData } from '../../../contract/warehouse/outbound-create.ts';
import type { CreateOrderOutcome } from '../../domain/orders/create-orders.ts';
import type { TakeOrder } from '../../domain/orders/take-order.ts';
import { type Answer, endpoint } from '../contract.ts';
import { orderContentOf, refusalOfOrder } from '../order-words.ts';
import { refused, success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-5: creates an order, and locks its units; the same number again is answered with the original. */
export function outboundCreate(takeOrder: TakeOrder) {
  return endpoint<WarehouseCaller, typeof OutboundCreateBody>({
    path: '/outbound/create',
    body: OutboundCreateBody,
    documentNo: (body) => body.outbound_short_id,
    async handle(account, body, request) {
      const outcome = await takeOrder({
        account,
        channel: 'warehouse',
        partnerNumber: body.outbound_short_id,
        content: orderContentOf(body),
        cause: { actor: account.accountNo, traceId: request.id },
      });
      return wordOutcome(outcome, body, request.id);
    },
  });
}

function wordOutcome(outcome: CreateOrderOutcome, body: OutboundCreateBody, traceId: string): Answer {
  switch (outcome.kind) {
    case 'created': {
      const data: OutboundCreateData = { success: true, orders_id: outcome.orderNo, idempotent: false };
      return success(traceId, data);
    }
    case 'repeated': {
      const data: OutboundCreateData = { success: true, orders_id: outcome.orderNo, idempotent: true };
      return success(traceId, outcome.payloadDiffers ? { ...data, payload_differs: true } : data);
    }
    default:
      return refused(traceId, refusalOfOrder(outcome, body));
  }
}
