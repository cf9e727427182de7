import type { OrderRow } from '../../../contract/main/orders-search.ts';
import { formatStored } from '../../../messages/format-message.ts';
import type { OrderChange } from '../../domain/orders/order-change-queries.ts';
import { toWireValues, wireNameOf } from '../order-changes.ts';

export function formatOrderChange(change: OrderChange): OrderRow['changes'][number] {
  const { kind, state, at, actor, traceId, fields, oldValues, newValues, reason, answeredAt, answer } = change;
  return {
    kind,
    status: state,
    at,
    by: actor,
    trace_id: traceId,
    fields: fields.map((field) => wireNameOf[field]),
    old_values: toWireValues(oldValues),
    new_values: toWireValues(newValues),
    reason,
    answered_at: answeredAt,
    message: formatStored(answer),
  };
}
