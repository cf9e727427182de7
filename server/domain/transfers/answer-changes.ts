import type { Message } from '../../../messages/message.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { differenceOf, namesIn, type OrderFields } from '../orders/order-change.ts';
import {
  findShippingFieldsById,
  lockOrderFieldsById,
  type OrderToChange,
  toOrdersToChange,
  writeOrderFields,
} from '../orders/order-change-queries.ts';
import type { AnsweredRequest, RequestedChange } from './requested-change.ts';
import {
  type AnsweredChange,
  findStillRequested,
  noteFailedRequest,
  writeAnswers,
} from './requested-change-queries.ts';
import type { PushRules } from './transfer.ts';
import { holdWave, type Wave } from './transfer-schedule-queries.ts';

/** Changes of one account that were posted together. */
export interface PostedChanges {
  accountId: number;
  changes: RequestedChange[];
}

/**
 * Makes the changes that the warehouse accepts, whatever has happened to the orders meanwhile: the warehouse has them so.
 * Refused changes are recorded with their reason, and the orders stay as they are.
 */
export async function recordAnswers(
  tx: Tx,
  wave: Wave,
  { accountId, changes }: PostedChanges,
  refused: ReadonlyMap<string, Message>,
  rules: PushRules,
): Promise<{ kind: 'recorded'; made: number; refused: number } | { kind: 'lost' }> {
  if ((await holdWave(tx, wave, rules.leaseSeconds)) === null) return { kind: 'lost' };
  return { kind: 'recorded', ...(await settleChanges(tx, { accountId, changes }, refused)) };
}

/** Applies the answers to those of the changes that are still open. */
export async function settleChanges(
  tx: Tx,
  { accountId, changes }: { accountId: number; changes: AnsweredRequest[] },
  refused: ReadonlyMap<string, Message>,
): Promise<{ made: number; refused: number }> {
  const orderIds = [...new Set(changes.map(({ orderId }) => orderId))];
  const locked = await lockOrderFieldsById(tx, accountId, orderIds);
  const shippings = await findShippingFieldsById(tx, accountId, orderIds);
  const requested = await findStillRequested(tx, accountId, changes);
  const orders = new Map(toOrdersToChange(locked, { shippings, transfers: [] }).map((one) => [one.orderId, one]));

  const open = changes.filter(({ orderChangeId, orderId }) => requested.has(orderChangeId) && orders.has(orderId));
  const answers = open.map((change): AnsweredChange => {
    const { orderId, orderChangeId, requestId } = change;
    const refusal = refused.get(requestId) ?? null;
    const oldValues = refusal ? null : applyTo(orders.get(orderId)!, change);
    return { orderId, orderChangeId, oldValues, refusal };
  });
  const accepted = answers.filter(({ refusal }) => refusal === null);

  if (answers.length > 0) {
    await writeAnswers(tx, accountId, answers);
    // Also the orders of refused changes, so that a partner who reads what changed last sees the refusal.
    const answered = [...new Set(answers.map(({ orderId }) => orderId))];
    await Promise.all(
      writeOrderFields(
        tx,
        answered.map((orderId) => orders.get(orderId)!),
      ),
    );
  }
  return { made: accepted.length, refused: answers.length - accepted.length };
}

/** Returns the values before the change. */
function applyTo(order: OrderToChange, { kind, newValues }: AnsweredRequest): Partial<OrderFields> {
  if (kind !== 'update') {
    order.isHeld = kind === 'hold';
    return {};
  }
  const change = newValues ?? {};
  const before = Object.fromEntries(namesIn(change).map((field) => [field, order.fields[field]]));
  order.fields = { ...order.fields, ...differenceOf(order.fields, change).newValues };
  return before;
}

/** The warehouse may or may not have made the changes. A later wave asks again, under the same ids. */
export async function recordUnanswered(
  tx: Tx,
  wave: Wave,
  { accountId, changes }: PostedChanges,
  why: Message,
  rules: PushRules,
): Promise<{ kind: 'recorded' } | { kind: 'lost' }> {
  if ((await holdWave(tx, wave, rules.leaseSeconds)) === null) return { kind: 'lost' };
  await noteFailedRequest(tx, accountId, changes, why);
  return { kind: 'recorded' };
}
