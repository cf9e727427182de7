import type { ChangeBody } from '../../../contract/connector/change.ts';
import type { ChangeBatch, RequestedChange } from '../../domain/transfers/requested-change.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { toWireValues } from '../order-changes.ts';

const eventOf = { update: 'order.updated', hold: 'order.held', release: 'order.released' } as const;

/** Formats the body of a request for changes of orders that a warehouse has accepted. */
export function formatChanges({ batchId, warehouseNo, sentAt, changes }: ChangeBatch): string {
  const body: ChangeBody = {
    batch_id: batchId,
    warehouse_no: warehouseNo,
    sent_at: taipeiInstant(sentAt),
    changes: changes.map(formatChange),
  };
  return JSON.stringify(body);
}

function formatChange(change: RequestedChange): ChangeBody['changes'][number] {
  const { isLogistics, partnerNumber } = change;
  return {
    change_id: change.requestId,
    event: eventOf[change.kind],
    transfer_id: change.transferId,
    orders_id: change.orderNo,
    account_no: change.accountNo,
    outbound_short_id: isLogistics ? null : partnerNumber,
    internal_name: isLogistics ? partnerNumber : null,
    requested_at: change.requestedAt,
    fields: change.kind === 'update' ? toWireValues(change.newValues ?? {}) : null,
    reason: change.reason,
  };
}
