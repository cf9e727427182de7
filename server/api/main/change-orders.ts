import { publicCodeOf } from '../../../contract/errors/codes.ts';
import type { ChangeResult } from '../../../contract/main/named-order.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import type { ChangeOrderOutcome } from '../../domain/orders/change-orders.ts';
import { fieldOfPart, shipMethodMessage, wireNameOf } from '../order-changes.ts';

// The parts that orders/update, orders/hold and orders/release have in common.

interface Entry {
  outbound_short_id?: string | null;
  internal_name?: string | null;
}

export function nameOf({ outbound_short_id, internal_name }: Entry) {
  return internal_name
    ? { partnerNumber: internal_name, isLogistics: true }
    : { partnerNumber: outbound_short_id!, isLogistics: false };
}

/** `done`: the status of a change that was made. */
export function formatChange<Done extends string>(
  outcome: ChangeOrderOutcome,
  { outbound_short_id, internal_name }: Entry,
  done: Done,
): Omit<ChangeResult, 'status'> & { status: Done | 'requested' | 'too_late' | 'refused' | 'not_found' } {
  const name = internal_name ? { internal_name } : { outbound_short_id: outbound_short_id! };
  const refused = (message: Message, fields?: string[]) => ({
    ...name,
    status: 'refused' as const,
    code: publicCodeOf(message),
    message: formatMessage(message),
    ...(fields && { fields }),
  });
  switch (outcome.kind) {
    case 'changed':
      return { ...name, status: done };
    case 'requested':
    case 'not_found':
      return { ...name, status: outcome.kind };
    case 'too_late': {
      const { status, isBeingSent } = outcome;
      const message = isBeingSent
        ? errorMessage('order_being_handed_over')
        : errorMessage('order_past_changes', { status });
      return { ...name, status: 'too_late', code: publicCodeOf(message), message: formatMessage(message) };
    }
    case 'not_applicable': {
      const fields = outcome.fields.map((field) => wireNameOf[field]);
      const code = outcome.isLogistics ? 'fields_of_direct_orders' : 'fields_of_logistics_orders';
      return refused(errorMessage(code, { fields: fields.join(', ') }), fields);
    }
    case 'unknown_ship_method':
      return refused(
        shipMethodMessage(outcome.wrongParts),
        outcome.wrongParts.map(({ part }) => fieldOfPart[part]),
      );
    case 'too_many':
      return refused(errorMessage('too_many_changes', { max: outcome.max }));
    default:
      return outcome satisfies never;
  }
}
