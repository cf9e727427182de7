import { InboundReturnBody } from '../../../contract/warehouse/inbound-return.ts';
import type { TakeInbound } from '../../domain/inbound/take-inbound.ts';
import { endpoint } from '../contract.ts';
import { inboundSent, wordInboundOutcome } from './inbound.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-3: announces goods that come back. The order they come from is named by its number, and need not be known (yet). */
export function inboundReturn(takeInbound: TakeInbound) {
  return endpoint<WarehouseCaller, typeof InboundReturnBody>({
    path: '/inbound/return',
    body: InboundReturnBody,
    documentNo: (body) => body.inbound_short_id,
    async handle(account, body, request) {
      const what = { kind: 'return', originalOrderNumber: body.outbound_short_id } as const;
      const outcome = await takeInbound(inboundSent(account, body, request.id, what));
      return wordInboundOutcome(outcome, body, request.id);
    },
  });
}
