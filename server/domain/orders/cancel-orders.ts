import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { ordersBeingSent } from '../transfers/transfer-queries.ts';
import { movedOrderWeight, type OrderStatus, orderAfter } from './order.ts';
import { alsoOfAccounts, findOrderNotifications } from './order-notifications.ts';
import {
  findOrderSizes,
  type HeldUnits,
  type LockedOrder,
  lockLotsOfOrders,
  lockOrdersByNumber,
  moveOrders,
  type OrderMove,
  type OrderName,
  orderNameText,
  unitsHeldByOrders,
} from './order-queries.ts';
import { forgetWaiting } from './shipping-order-queries.ts';

export interface CancelOrdersRequest {
  accountId: number;
  /** The numbers are those of shipping orders. */
  isLogistics?: boolean;
  partnerNumbers: string[];
  cause: Cause;
}

export type CancelOrderOutcome =
  | { kind: 'cancelled' }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: OrderStatus };

export type CancelOrders = GroupOperation<CancelOrdersRequest, CancelOrderOutcome[]>;

/**
 * Cancels orders, releases their units and queues their callbacks. Each number has its own outcome, in the given order.
 */
export function makeCancelOrders({
  clock,
  formatCallback,
}: {
  clock: Clock;
  formatCallback: FormatCallback;
}): CancelOrders {
  async function run(tx: Tx, requests: CancelOrdersRequest[]): Promise<Decision<CancelOrderOutcome[][]>> {
    const names = requests.flatMap(namesOf);
    const [orders, ofLogistics, held, beingSent] = await Promise.all([
      lockOrdersByNumber(tx, names),
      findOrderNotifications(tx, names, 'cancel'),
      unitsHeldByOrders(tx, names, 'cancel'),
      ordersBeingSent(tx, names),
      lockLotsOfOrders(tx, names, 'cancel'),
    ]);

    const { outcomes, cancelled, unlocks } = decide(requests, orders, { held, beingSent });
    const notifications = await alsoOfAccounts(tx, ofLogistics, cancelled);
    const owed = cancelled.flatMap((order) =>
      notifications.callbackFor({ ...order, status: 'cancelled' }, { now: clock.now(), format: formatCallback }),
    );
    const noLongerWaiting = cancelled.filter((order) => order.status === 'awaiting_stock');

    const writes: Promise<unknown>[] = [];
    if (cancelled.length > 0) writes.push(moveOrders(tx, cancelled));
    if (unlocks.length > 0) writes.push(recordMovements(tx, unlocks));
    if (noLongerWaiting.length > 0) writes.push(forgetWaiting(tx, noLongerWaiting));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'cancel_orders', run, weightOf: ({ partnerNumbers }) => partnerNumbers.length * movedOrderWeight };
}

export function findSizesOfOrders(database: Database) {
  return (request: CancelOrdersRequest, countMax: number) =>
    database.read([request.accountId], (sql) => findOrderSizes(sql, request.accountId, namesOf(request), countMax));
}

function namesOf({ accountId, partnerNumbers, isLogistics = false }: CancelOrdersRequest): OrderName[] {
  return partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber, isLogistics }));
}

/** The order before the change. */
type CancelledOrder = LockedOrder & OrderMove;

function decide(
  requests: CancelOrdersRequest[],
  found: LockedOrder[],
  { held, beingSent }: { held: HeldUnits[]; beingSent: number[] },
) {
  const orders = new Map(found.map((order) => [orderNameText(order), order]));
  const unitsOf = Map.groupBy(held, (units) => units.orderId);
  // The warehouse may already have these orders.
  const isBeingSent = new Set(beingSent);
  const cancelled: CancelledOrder[] = [];
  const unlocks: Movement[] = [];

  function cancel(order: LockedOrder | undefined, cause: Cause): CancelOrderOutcome {
    if (!order) return { kind: 'not_found' };
    if (order.status === 'cancelled') return { kind: 'cancelled' };
    if (orderAfter(order.status, 'cancel') === null || isBeingSent.has(order.orderId))
      return { kind: 'too_late', status: order.status };
    cancelled.push({ ...order, event: 'cancel', cause });
    order.status = 'cancelled';
    for (const units of unitsOf.get(order.orderId) ?? []) unlocks.push(unlockMovement(order, units, cause));
    return { kind: 'cancelled' };
  }

  const outcomes = requests.map((request) =>
    namesOf(request).map((name) => cancel(orders.get(orderNameText(name)), request.cause)),
  );
  return { outcomes, cancelled, unlocks };
}

function unlockMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: HeldUnits, cause: Cause): Movement {
  return { accountId, lotId, kind: 'unlock', onHandDelta: 0, lockedDelta: -qty, orderId, cause };
}
