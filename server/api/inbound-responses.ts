import type { InboundCancelData } from '../../contract/warehouse/inbound-cancel.ts';
import type { CancelInboundOutcome } from '../domain/inbound/cancel-inbounds.ts';

/** Responses to cancelled inbound documents, shared by the warehouse API and the main API. */
export function cancelStatusOf(outcome: CancelInboundOutcome): InboundCancelData['results'][number]['status'] {
  switch (outcome.kind) {
    case 'cancelled':
    case 'not_found':
      return outcome.kind;
    case 'too_late':
      return 'cannot_cancel_after_receiving';
    default:
      return outcome satisfies never;
  }
}
