import { InboundCreateBody } from '../../../contract/warehouse/inbound-create.ts';
import type { TakeInbound } from '../../domain/inbound/take-inbound.ts';
import { endpoint } from '../contract.ts';
import { inboundSent, wordInboundOutcome } from './inbound.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-2: announces goods; the same number again is answered as a duplicate. */
export function inboundCreate(takeInbound: TakeInbound) {
  return endpoint<WarehouseCaller, typeof InboundCreateBody>({
    path: '/inbound/create',
    body: InboundCreateBody,
    documentNo: (body) => body.inbound_short_id,
    async handle(account, body, request) {
      const outcome = await takeInbound(inboundSent(account, body, request.id, { kind: 'inbound', originalOrderNumber: null }));
      return wordInboundOutcome(outcome, body, request.id);
    },
  });
}
