import type { Keyring } from '../../platform/keyring.ts';
import { becomePurgeRole } from '../../platform/postgres/roles.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { type OrderKey, type OrderStatus, orderHasEnded } from '../orders/order.ts';
import { eraseBatch } from './erase-batch.ts';
import { lockOrderById, lockQueuedCallbacks } from './erase-queries.ts';

export type ForgetOrderOutcome =
  | { kind: 'erased' }
  /** The recipient was erased before; nothing is changed. */
  | { kind: 'already'; erasedAt: Date }
  | { kind: 'not_found' }
  /** The warehouse or the carrier still needs the recipient. */
  | { kind: 'not_ended'; status: OrderStatus }
  /** The partner has not received these callbacks yet; without their body, they could not be sent. */
  | { kind: 'callbacks_pending'; count: number };

/** Erases the recipient of one order, whatever the retention. */
export async function forgetOrder(
  tx: Tx,
  keyring: Keyring,
  { accountId, orderId }: OrderKey,
): Promise<ForgetOrderOutcome> {
  await becomePurgeRole(tx);
  const order = await lockOrderById(tx, accountId, orderId);
  if (order === null) return { kind: 'not_found' };
  if (order.erasedAt !== null) return { kind: 'already', erasedAt: order.erasedAt };
  if (!orderHasEnded(order.status)) return { kind: 'not_ended', status: order.status };
  const queued = await lockQueuedCallbacks(tx, accountId, [orderId]);
  if (queued.length > 0) return { kind: 'callbacks_pending', count: queued.length };

  const { orders } = await eraseBatch(tx, keyring, accountId, [order]);
  // A redelivery was faster.
  return orders === 0 ? { kind: 'callbacks_pending', count: 1 } : { kind: 'erased' };
}
