import { OutboundCreateBody, type OutboundCreateData } from '../../../contract/warehouse/outbound-create.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { CreateOrderOutcome } from '../../domain/orders/create-orders.ts';
import { type EndpointResponse, endpoint } from '../../http/endpoint.ts';
import { orderContentOf, rejectionOfOrder } from '../order-responses.ts';
import { payloadDiffers } from '../payload-differs.ts';
import { rejected, success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-5: creates an order and allocates its units; a repeated number returns the original order. */
export function outboundCreate({ submitOrder }: Pick<DomainOperations, 'submitOrder'>) {
  return endpoint<WarehouseCaller, typeof OutboundCreateBody>({
    path: '/outbound/create',
    body: OutboundCreateBody,
    documentNo: (body) => body.outbound_short_id,
    async handle(account, body, request) {
      const outcome = await submitOrder({
        account,
        channel: 'warehouse',
        partnerNumber: body.outbound_short_id,
        content: orderContentOf(body),
        cause: { actor: account.accountNo, traceId: request.id },
      });
      return formatOutcome(outcome, body, request.id);
    },
  });
}

function formatOutcome(outcome: CreateOrderOutcome, body: OutboundCreateBody, traceId: string): EndpointResponse {
  switch (outcome.kind) {
    case 'created': {
      const data: OutboundCreateData = { success: true, orders_id: outcome.orderNo, idempotent: false };
      return success(traceId, data);
    }
    case 'repeated': {
      const data: OutboundCreateData = { success: true, orders_id: outcome.orderNo, idempotent: true };
      return success(traceId, outcome.payloadDiffers ? { ...data, ...payloadDiffers } : data);
    }
    default:
      return rejected(traceId, rejectionOfOrder(outcome, body));
  }
}
