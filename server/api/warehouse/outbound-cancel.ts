import { OutboundCancelBody, type OutboundCancelData } from '../../../contract/warehouse/outbound-cancel.ts';
import type { CancelOrderOutcome, CancelOrdersRequest } from '../../domain/orders/cancel-orders.ts';
import { endpoint } from '../contract.ts';
import { wordCancelledOrder } from '../order-words.ts';
import { success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-6: cancels orders, each with its own result. */
export function outboundCancel(cancelOrders: (request: CancelOrdersRequest) => Promise<CancelOrderOutcome[]>) {
  return endpoint<WarehouseCaller, typeof OutboundCancelBody>({
    path: '/outbound/cancel',
    body: OutboundCancelBody,
    async handle({ accountId, accountNo }, { outbound_short_ids: partnerNumbers }, request) {
      const outcomes = await cancelOrders({ accountId, partnerNumbers, cause: { actor: accountNo, traceId: request.id } });
      const data: OutboundCancelData = { results: outcomes.map((outcome, index) => wordCancelledOrder(outcome, partnerNumbers[index]!)) };
      return success(request.id, data);
    },
  });
}
