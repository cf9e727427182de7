import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database.ts';
import type { GroupOperation } from '../../platform/group-commit.ts';
import type { Decision } from '../../platform/session.ts';
import { type OwedCallback, owedCallback, type ToldItem, type WordCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { type OrderStatus, orderAfter } from './order.ts';
import {
  type HeldUnits,
  type LockedOrder,
  lockLotsOfOrders,
  lockOrdersByNumber,
  moveOrders,
  type OrderName,
  unitsHeldByOrders,
} from './order-queries.ts';
import { findToldItems, findToldOrders, forgetWaiting, type ToldOrder } from './shipping-order-queries.ts';

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
    const logisticsNames = names.filter((name) => name.isLogistics);
    const [orders, told, items, held] = await Promise.all([
      lockOrdersByNumber(tx, names),
      logisticsNames.length > 0 ? findToldOrders(tx, logisticsNames) : [],
      logisticsNames.length > 0 ? findToldItems(tx, logisticsNames) : [],
      unitsHeldByOrders(tx, names),
      lockLotsOfOrders(tx, names),
    ]);

    const { outcomes, cancelled, unlocks } = decide(requests, orders, held);
    const owed = callbacksFor(cancelled, told, items);
    const noLongerWaiting = cancelled.filter((order) => order.status === 'awaiting_stock').map((order) => order.orderId);

    const writes: Promise<unknown>[] = [];
    if (cancelled.length > 0) writes.push(moveOrders(tx, 'cancel', cancelled));
    if (unlocks.length > 0) writes.push(recordMovements(tx, unlocks));
    if (noLongerWaiting.length > 0) writes.push(forgetWaiting(tx, noLongerWaiting));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  function callbacksFor(cancelled: CancelledOrder[], told: ToldOrder[], items: (ToldItem & { orderId: number })[]): OwedCallback[] {
    const itemsOf = Map.groupBy(items, (item) => item.orderId);
    const toldOf = new Map(told.map((one) => [one.orderId, one]));
    const now = clock.now();
    return cancelled.flatMap(({ orderId, accountId, partnerNumber }) => {
      const target = toldOf.get(orderId);
      if (!target) return [];
      const document = {
        ...{ accountId, type: 'order' as const, documentId: orderId, partnerNumber, internalNo: partnerNumber, ourNo: target.orderNo },
        ...{ status: 'cancelled', shipmentNo: null, carrier: null, items: itemsOf.get(orderId) ?? [], note: target.note },
      };
      return [owedCallback(document, target, { sequence: target.callbackCount + 1, now, word: wordCallback })];
    });
  }

  return { name: 'cancel_orders', run, weightOf: ({ partnerNumbers }) => partnerNumbers.length };
}

function namesOf({ accountId, partnerNumbers, isLogistics = false }: CancelOrdersRequest): OrderName[] {
  return partnerNumbers.map((partnerNumber) => ({ accountId, partnerNumber, isLogistics }));
}

/** As it was before. */
type CancelledOrder = LockedOrder & { cause: Cause };

function decide(requests: CancelOrdersRequest[], found: LockedOrder[], held: HeldUnits[]) {
  const nameOf = ({ accountId, partnerNumber, isLogistics }: OrderName) => `${accountId}/${isLogistics}/${partnerNumber}`;
  const orders = new Map(found.map((order) => [nameOf(order), order]));
  const unitsOf = Map.groupBy(held, (units) => units.orderId);
  const cancelled: CancelledOrder[] = [];
  const unlocks: Movement[] = [];

  function cancel(order: LockedOrder | undefined, cause: Cause): CancelOrderOutcome {
    if (!order) return { kind: 'not_found' };
    if (order.status === 'cancelled') return { kind: 'cancelled' };
    if (orderAfter(order.status, 'cancel') === null) return { kind: 'too_late', status: order.status };
    cancelled.push({ ...order, cause });
    order.status = 'cancelled';
    for (const units of unitsOf.get(order.orderId) ?? []) unlocks.push(unlockMovement(order, units, cause));
    return { kind: 'cancelled' };
  }

  const outcomes = requests.map((request) => namesOf(request).map((name) => cancel(orders.get(nameOf(name)), request.cause)));
  return { outcomes, cancelled, unlocks };
}

function unlockMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: HeldUnits, cause: Cause): Movement {
  return { accountId, lotId, kind: 'unlock', onHandDelta: 0, lockedDelta: -qty, orderId, cause };
}
