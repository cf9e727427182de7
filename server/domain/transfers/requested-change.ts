import type { OrderKey } from '../orders/order.ts';
import type { OrderChangeKind, OrderFieldName, OrderFields } from '../orders/order-change.ts';

/** A change of an order that the system of its warehouse has accepted. The system decides whether it is too late. */
export interface RequestedChange extends OrderKey {
  orderChangeId: number;
  /** Repeated requests have the same id. */
  requestId: string;
  kind: OrderChangeKind;
  fields: OrderFieldName[];
  oldValues: Partial<OrderFields> | null;
  newValues: Partial<OrderFields> | null;
  reason: string | null;
  requestedAt: string;
  attempts: number;
  transferId: string;
  orderNo: string;
  accountNo: string;
  isLogistics: boolean;
  partnerNumber: string;
}

/** Changes that are posted together. */
export interface ChangeBatch {
  batchId: string;
  warehouseNo: number;
  sentAt: Date;
  changes: RequestedChange[];
}

/** The wire format belongs to the API, not to the domain. */
export type FormatChanges = (batch: ChangeBatch) => string;

/**
 * The next changes to post, of one account, oldest first. Changes of an order stay in their order: an order whose change
 * has failed often is posted alone, and one that has failed in this wave waits for the next.
 */
export function nextToPost(
  found: RequestedChange[],
  failedOrders: ReadonlySet<number>,
  { postedMax, aloneAfter }: { postedMax: number; aloneAfter: number },
): RequestedChange[] {
  const open = found
    .filter(({ orderId }) => !failedOrders.has(orderId))
    .toSorted((one, other) => one.orderChangeId - other.orderChangeId);
  const stubborn = new Set(open.filter(({ attempts }) => attempts >= aloneAfter).map(({ orderId }) => orderId));
  const easy = open.filter(({ orderId }) => !stubborn.has(orderId));
  const [first] = easy;
  if (!first) return open.slice(0, 1);
  return easy.filter(({ accountId }) => accountId === first.accountId).slice(0, postedMax);
}
