import { InboundReturnBody } from '../../../contract/warehouse/inbound-return.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatInboundOutcome, inboundSent } from './inbound.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-3: announces returned goods. The original order is named by its number and does not have to exist yet. */
export function inboundReturn({ submitInbound }: Pick<DomainOperations, 'submitInbound'>) {
  return endpoint<WarehouseCaller, typeof InboundReturnBody>({
    path: '/inbound/return',
    body: InboundReturnBody,
    documentNo: (body) => body.inbound_short_id,
    async handle(account, body, request) {
      const what = { kind: 'return', originalOrderNumber: body.outbound_short_id } as const;
      const outcome = await submitInbound(inboundSent(account, body, request.id, what));
      return formatInboundOutcome(outcome, body, request.id);
    },
  });
}
