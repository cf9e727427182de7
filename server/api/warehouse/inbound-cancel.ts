import { InboundCancelBody, type InboundCancelData } from '../../../contract/warehouse/inbound-cancel.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { endpoint } from '../../http/endpoint.ts';
import { cancelStatusOf } from '../inbound-responses.ts';
import { success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-4: cancels inbound documents and returns, each with its own result. */
export function inboundCancel({ cancelInbounds }: Pick<DomainOperations, 'cancelInbounds'>) {
  return endpoint<WarehouseCaller, typeof InboundCancelBody>({
    path: '/inbound/cancel',
    body: InboundCancelBody,
    async handle({ accountId, accountNo }, { inbound_short_ids: partnerNumbers }, request) {
      const outcomes = await cancelInbounds({
        accountId,
        partnerNumbers,
        cause: { actor: accountNo, traceId: request.id },
      });
      const data: InboundCancelData = {
        results: outcomes.map((outcome, index) => ({
          stock_in_sn: partnerNumbers[index]!,
          status: cancelStatusOf(outcome),
        })),
      };
      return success(request.id, data);
    },
  });
}
