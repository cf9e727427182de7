import { InboundCreateBody } from '../../../contract/warehouse/inbound-create.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatInboundOutcome, inboundSent } from './inbound.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-2: announces goods; a repeated number is reported as a duplicate. */
export function inboundCreate({ submitInbound }: Pick<DomainOperations, 'submitInbound'>) {
  return endpoint<WarehouseCaller, typeof InboundCreateBody>({
    path: '/inbound/create',
    body: InboundCreateBody,
    documentNo: (body) => body.inbound_short_id,
    async handle(account, body, request) {
      const outcome = await submitInbound(
        inboundSent(account, body, request.id, { kind: 'inbound', originalOrderNumber: null }),
      );
      return formatInboundOutcome(outcome, body, request.id);
    },
  });
}
