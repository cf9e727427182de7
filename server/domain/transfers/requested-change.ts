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
  /** The address at which the change was requested. Another one belongs to another system. */
  changesUrl: string | null;
  /** How often the changes of the order have been posted without an answer. */
  attempts: number;
  transferId: string;
  orderNo: string;
  accountNo: string;
  isLogistics: boolean;
  partnerNumber: string;
}

/** The part of a change that its answer needs. */
export type AnsweredRequest = Pick<RequestedChange, 'orderId' | 'orderChangeId' | 'requestId' | 'kind' | 'newValues'>;

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
 * The next changes to post, of one account. `found` has the orders with the fewest failures first, so that orders on
 * which a warehouse always fails do not hold up the others. Such an order is posted alone. Changes of an order stay in
 * their order.
 */
export function nextToPost(
  found: RequestedChange[],
  { postedMax, aloneAfter }: { postedMax: number; aloneAfter: number },
): RequestedChange[] {
  const [first] = found.toSorted(byTurn);
  if (!first) return [];
  if (first.attempts >= aloneAfter) return [first];
  return found
    .filter(({ accountId, attempts }) => accountId === first.accountId && attempts < aloneAfter)
    .slice(0, postedMax)
    .toSorted((one, other) => one.orderChangeId - other.orderChangeId);
}

function byTurn(one: RequestedChange, other: RequestedChange): number {
  return one.attempts - other.attempts || one.orderChangeId - other.orderChangeId;
}
