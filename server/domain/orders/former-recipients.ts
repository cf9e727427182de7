import { readMessage, storeMessage } from '../../../messages/message.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { maskRecipient } from './mask-recipient.ts';
import type { OrderKey } from './order.ts';
import type { OrderFields } from './order-change.ts';
import { findChangesOfOrders, type OrderChange } from './order-change-queries.ts';
import { findRecipients } from './order-history-queries.ts';
import { nobody, type Recipient } from './recipient.ts';
import { redactMessage } from './redact-recipient.ts';

// A change of the recipient keeps the old and new values. They are as personal as the recipient itself.

/** A change for display. The reason and the answer have free text, in which `redact` masks the recipients of the order. */
export function maskChange(change: OrderChange, redact: (text: string) => string): OrderChange {
  const { oldValues, newValues, reason, answer } = change;
  return {
    ...change,
    oldValues: oldValues && maskValues(oldValues),
    newValues: newValues && maskValues(newValues),
    reason: reason && redact(reason),
    answer: answer && storeMessage(redactMessage(readMessage(answer), redact)),
  };
}

function maskValues(values: Partial<OrderFields>): Partial<OrderFields> {
  const masked = { ...values, ...maskRecipient(recipientIn(values)) };
  return Object.fromEntries(Object.keys(values).map((field) => [field, masked[field as keyof OrderFields]]));
}

/** Everybody who was, or was to be, the recipient of the order before or after one of these changes. */
export function recipientsIn(changes: Pick<OrderChange, 'oldValues' | 'newValues'>[]): Recipient[] {
  return changes
    .flatMap(({ oldValues, newValues }) => [oldValues, newValues])
    .flatMap((values) => (values ? [recipientIn(values)] : []));
}

function recipientIn({ logistics_type: _, express_type: __, ...values }: Partial<OrderFields>): Recipient {
  return { ...nobody, ...values };
}

/** The current and former recipients of these orders. */
export async function findAllRecipients(sql: Sql, orders: OrderKey[]): Promise<Map<number, Recipient[]>> {
  const [current, changes] = await Promise.all([findRecipients(sql, orders), findChangesOfOrders(sql, orders)]);
  const changesOf = Map.groupBy(changes, ({ orderId }) => orderId);
  return new Map(
    current.map(({ order_id, ...recipient }) => [
      order_id,
      [recipient, ...recipientsIn(changesOf.get(order_id) ?? [])],
    ]),
  );
}
