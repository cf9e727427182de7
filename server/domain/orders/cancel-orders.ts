import type { Tx } from '../../platform/database.ts';
import type { GroupOperation } from '../../platform/group-commit.ts';
import type { Decision } from '../../platform/session.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { type OrderStatus, statesBefore } from './order.ts';
import { type HeldUnits, type LockedOrder, lockLotsOfOrders, lockOrdersByNumber, moveOrders, unitsHeldByOrders } from './order-queries.ts';

export interface CancelOrdersRequest {
  accountId: number;
  partnerNumbers: string[];
  cause: Cause;
}

export type CancelOrderOutcome = { kind: 'cancelled' } | { kind: 'not_found' } | { kind: 'too_late'; status: OrderStatus };

/** Cancels orders and frees their units; each number has its own outcome, in the order given. */
export const cancelOrders: GroupOperation<CancelOrdersRequest, CancelOrderOutcome[]> = {
  name: 'cancel_orders',
  run,
  weightOf: ({ partnerNumbers }) => partnerNumbers.length,
};

async function run(tx: Tx, requests: CancelOrdersRequest[]): Promise<Decision<CancelOrderOutcome[][]>> {
  const names = requests.flatMap(({ accountId, partnerNumbers }) => partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber })));
  const [orders, held] = await Promise.all([lockOrdersByNumber(tx, names), unitsHeldByOrders(tx, names), lockLotsOfOrders(tx, names)]);

  const { outcomes, cancelled, unlocks } = decide(requests, orders, held);

  const writes: Promise<unknown>[] = [];
  if (cancelled.length > 0) writes.push(moveOrders(tx, cancelled, 'cancelled'));
  if (unlocks.length > 0) writes.push(recordMovements(tx, unlocks));
  return { answer: outcomes, writes };
}

function decide(requests: CancelOrdersRequest[], found: LockedOrder[], held: HeldUnits[]) {
  const nameOf = (accountId: number, partnerNumber: string) => `${accountId}/${partnerNumber}`;
  const orders = new Map(found.map((order) => [nameOf(order.accountId, order.partnerNumber), order]));
  const unitsOf = Map.groupBy(held, (units) => units.orderId);
  const cancellable = new Set<OrderStatus>(statesBefore('cancelled'));
  const cancelled: number[] = [];
  const unlocks: Movement[] = [];

  function cancel(order: LockedOrder | undefined, cause: Cause): CancelOrderOutcome {
    if (!order) return { kind: 'not_found' };
    if (order.status === 'cancelled') return { kind: 'cancelled' };
    if (!cancellable.has(order.status)) return { kind: 'too_late', status: order.status };
    order.status = 'cancelled';
    cancelled.push(order.orderId);
    for (const units of unitsOf.get(order.orderId) ?? []) unlocks.push(unlockMovement(order, units, cause));
    return { kind: 'cancelled' };
  }

  const outcomes = requests.map(({ accountId, partnerNumbers, cause }) =>
    partnerNumbers.map((partnerNumber) => cancel(orders.get(nameOf(accountId, partnerNumber)), cause)),
  );
  return { outcomes, cancelled, unlocks };
}

function unlockMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: HeldUnits, cause: Cause): Movement {
  return { accountId, lotId, kind: 'unlock', onHandDelta: 0, lockedDelta: -qty, orderId, cause };
}
