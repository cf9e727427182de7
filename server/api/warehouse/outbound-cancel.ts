import { OutboundCancelBody, type OutboundCancelData } from '../../../contract/warehouse/outbound-cancel.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatCancelledOrder } from '../order-responses.ts';
import { success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-6: cancels orders, each with its own result. */
export function outboundCancel({ cancelOrders }: Pick<DomainOperations, 'cancelOrders'>) {
  return endpoint<WarehouseCaller, typeof OutboundCancelBody>({
    path: '/outbound/cancel',
    body: OutboundCancelBody,
    async handle({ accountId, accountNo }, { outbound_short_ids: partnerNumbers }, request) {
      const outcomes = await cancelOrders({
        accountId,
        partnerNumbers,
        cause: { actor: accountNo, traceId: request.id },
      });
      const data: OutboundCancelData = {
        results: outcomes.map((outcome, index) => formatCancelledOrder(outcome, partnerNumbers[index]!)),
      };
      return success(request.id, data);
    },
  });
}
