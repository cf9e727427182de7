import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database.ts';
import type { GroupOperation } from '../../platform/group-commit.ts';
import type { Decision } from '../../platform/session.ts';
import type { WordCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { movedOrderWeight, type OrderStatus, orderAfter } from './order.ts';
import {
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
import { findTold } from './told-orders.ts';
import { ordersBeingSent } from './transfer-queries.ts';

export interface CancelOrdersRequest {
  accountId: number;
  /** The numbers are those of shipping orders. */
  isLogistics?: boolean;
  partnerNumbers: string[];
  cause: Cause;
}

export type CancelOrderOutcome = { kind: 'cancelled' } | { kind: 'not_found' } | { kind: 'too_late'; status: OrderStatus };

export type CancelOrders = GroupOperation<CancelOrdersRequest, CancelOrderOutcome[]>;

/** Cancels orders and frees their units, and owes their callbacks; each number has its own outcome, in the order given. */
export function makeCancelOrders({ clock, wordCallback }: { clock: Clock; wordCallback: WordCallback }): CancelOrders {
  async function run(tx: Tx, requests: CancelOrdersRequest[]): Promise<Decision<CancelOrderOutcome[][]>> {
    const names = requests.flatMap(namesOf);
    const [orders, told, held, beingSent] = await Promise.all([
      lockOrdersByNumber(tx, names),
      findTold(tx, names, 'cancel'),
      unitsHeldByOrders(tx, names, 'cancel'),
      ordersBeingSent(tx, names),
      lockLotsOfOrders(tx, names, 'cancel'),
    ]);

    const { outcomes, cancelled, unlocks } = decide(requests, orders, { held, beingSent });
    const owed = cancelled.flatMap((order) =>
      told.callbackFor({ ...order, status: 'cancelled' }, { now: clock.now(), word: wordCallback }),
    );
    const noLongerWaiting = cancelled.filter((order) => order.status === 'awaiting_stock').map((order) => order.orderId);

    const writes: Promise<unknown>[] = [];
    if (cancelled.length > 0) writes.push(moveOrders(tx, cancelled));
    if (unlocks.length > 0) writes.push(recordMovements(tx, unlocks));
    if (noLongerWaiting.length > 0) writes.push(forgetWaiting(tx, noLongerWaiting));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'cancel_orders', run, weightOf: ({ partnerNumbers }) => partnerNumbers.length * movedOrderWeight };
}

function namesOf({ accountId, partnerNumbers, isLogistics = false }: CancelOrdersRequest): OrderName[] {
  return partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber, isLogistics }));
}

/** As it was before. */
type CancelledOrder = LockedOrder & OrderMove;

function decide(requests: CancelOrdersRequest[], found: LockedOrder[], { held, beingSent }: { held: HeldUnits[]; beingSent: number[] }) {
  const orders = new Map(found.map((order) => [orderNameText(order), order]));
  const unitsOf = Map.groupBy(held, (units) => units.orderId);
  // Their warehouse may have them already.
  const isBeingSent = new Set(beingSent);
  const cancelled: CancelledOrder[] = [];
  const unlocks: Movement[] = [];

  function cancel(order: LockedOrder | undefined, cause: Cause): CancelOrderOutcome {
    if (!order) return { kind: 'not_found' };
    if (order.status === 'cancelled') return { kind: 'cancelled' };
    if (orderAfter(order.status, 'cancel') === null || isBeingSent.has(order.orderId)) return { kind: 'too_late', status: order.status };
    cancelled.push({ ...order, event: 'cancel', cause });
    order.status = 'cancelled';
    for (const units of unitsOf.get(order.orderId) ?? []) unlocks.push(unlockMovement(order, units, cause));
    return { kind: 'cancelled' };
  }

  const outcomes = requests.map((request) => namesOf(request).map((name) => cancel(orders.get(orderNameText(name)), request.cause)));
  return { outcomes, cancelled, unlocks };
}

function unlockMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: HeldUnits, cause: Cause): Movement {
  return { accountId, lotId, kind: 'unlock', onHandDelta: 0, lockedDelta: -qty, orderId, cause };
}
