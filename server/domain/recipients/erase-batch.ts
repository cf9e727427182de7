import type { Keyring } from '../../platform/keyring.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { endDeliveries } from '../callbacks/delivery-queries.ts';
import { keyedDigest } from '../orders/content-match.ts';
import { erasePersonalData, findQueuedCallbacks, lockCallbacks, lockQueuedCallbacks } from './erase-queries.ts';
import { type ErasureCounts, nothingErased } from './erasure-report.ts';

interface ErasedOrder {
  orderId: number;
  partnerNumber: string;
  payloadDigest: string;
}

/**
 * Erases the recipients of orders that the caller has locked. An order whose callback is being sent is left out: the
 * worker has read the body and will record the result. Other callbacks that still wait, for example for a paused
 * receiver, end as failed, because their body is erased.
 */
export async function eraseBatch(
  tx: Tx,
  keyring: Keyring,
  accountId: number,
  orders: ErasedOrder[],
): Promise<ErasureCounts> {
  const orderIds = orders.map((order) => order.orderId);
  const queued = await lockQueuedCallbacks(tx, accountId, orderIds);
  await lockCallbacks(tx, accountId, orderIds);
  const known = new Set(queued.map(({ callbackId }) => callbackId));
  const queuedNow = await findQueuedCallbacks(tx, accountId, orderIds);
  // Callbacks that were queued while this transaction waited for their lock are about to be sent again.
  const redelivered = queuedNow.filter(({ callbackId }) => !known.has(callbackId));
  const busy = new Set([...queued.filter(({ isSending }) => isSending), ...redelivered].map(({ orderId }) => orderId));

  const free = orders.filter(({ orderId }) => !busy.has(orderId));
  if (free.length === 0) return nothingErased;
  const ended = queued.filter(({ orderId }) => !busy.has(orderId));
  if (ended.length > 0)
    await endDeliveries(
      tx,
      ended.map(({ callbackId }) => ({ accountId, callbackId })),
      'failed',
    );
  const keyed = free.map((order) => ({
    orderId: order.orderId,
    payloadDigest: keyedDigest(keyring, { accountId, ...order }),
  }));
  return { orders: free.length, ...(await erasePersonalData(tx, accountId, keyed)) };
}
