import type { Clock } from '../../platform/clock.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import { movedOrderWeight, type OrderEvent, type OrderStatus, orderAfter } from './order.ts';
import { alsoOfAccounts, findOrderNotifications } from './order-notifications.ts';
import {
  type HeldLot,
  keepShipments,
  type LockedOrder,
  lockLotsOfOrders,
  lockOrdersByNumber,
  lotsHeldByOrders,
  moveOrders,
  type OrderMove,
  type OrderName,
  orderNameText,
  type Shipment,
} from './order-queries.ts';

/** How far a warehouse may report an order, and the event that leads there. */
export const reportedEvents = {
  in_warehouse: 'transfer',
  picking: 'pick',
  packed: 'pack',
  shipped: 'ship',
  delivered: 'deliver',
} as const satisfies Partial<Record<OrderStatus, OrderEvent>>;
export type ReportedStatus = keyof typeof reportedEvents;

export interface ReportedProgress {
  partnerNumber: string;
  /** The number is that of a shipping order. */
  isLogistics: boolean;
  to: ReportedStatus;
  /** null: not reported. */
  shipmentNo: string | null;
  carrier: string | null;
}

export interface AdvanceOrdersRequest {
  accountId: number;
  /** An order of a UAT account goes no further than the hand-over. */
  isUat: boolean;
  entries: ReportedProgress[];
  cause: Cause;
}

export type AdvanceOrderOutcome =
  /** The order is in this state now, or was before. */
  | { kind: 'advanced'; status: OrderStatus }
  | { kind: 'not_found' }
  | { kind: 'uat' }
  /** The order is in another state: too far, not far enough, or cancelled. */
  | { kind: 'out_of_order'; status: OrderStatus }
  /** A shipped order needs a shipment number. */
  | { kind: 'no_shipment_no' }
  /** The order was shipped with a different number. */
  | { kind: 'other_shipment_no' };

export type AdvanceOrders = GroupOperation<AdvanceOrdersRequest, AdvanceOrderOutcome[]>;

/**
 * Applies a warehouse's reports on the progress of orders. Shipped units leave the stock, and the partner is notified.
 */
export function makeAdvanceOrders({
  clock,
  formatCallback,
}: {
  clock: Clock;
  formatCallback: FormatCallback;
}): AdvanceOrders {
  async function run(tx: Tx, requests: AdvanceOrdersRequest[]): Promise<Decision<AdvanceOrderOutcome[][]>> {
    const names = requests.flatMap(namesOf);
    const shipped = requests.flatMap((request) =>
      namesOf(request).filter((_, index) => request.entries[index]!.to === 'shipped'),
    );
    const [orders, ofLogistics, held] = await Promise.all([
      lockOrdersByNumber(tx, names),
      findOrderNotifications(tx, shipped, 'ship'),
      shipped.length > 0 ? lotsHeldByOrders(tx, shipped, 'ship') : [],
      shipped.length > 0 ? lockLotsOfOrders(tx, shipped, 'ship') : null,
    ]);

    const { outcomes, moves, shipments, departures, left } = decide(requests, orders, held);
    const notifications = await alsoOfAccounts(
      tx,
      ofLogistics,
      left.map(({ order }) => order),
    );
    const owed = left.flatMap(({ order, units }) =>
      notifications.callbackFor(
        order,
        { now: clock.now(), format: formatCallback },
        { shipped: { parcels: [{ shipmentNo: order.shipmentNo!, carrier: order.carrier, items: units }], short: [] } },
      ),
    );

    const writes: Promise<unknown>[] = [];
    if (shipments.size > 0) writes.push(keepShipments(tx, [...shipments.values()]));
    if (moves.length > 0) writes.push(moveOrders(tx, moves));
    if (departures.length > 0) writes.push(recordMovements(tx, departures));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'advance_orders', run, weightOf: ({ entries }) => entries.length * movedOrderWeight };
}

function namesOf({ accountId, entries }: AdvanceOrdersRequest): OrderName[] {
  return entries.map(({ partnerNumber, isLogistics }) => ({ accountId, partnerNumber, isLogistics }));
}

function decide(requests: AdvanceOrdersRequest[], found: LockedOrder[], held: HeldLot[]) {
  const orders = new Map(found.map((order) => [orderNameText(order), order]));
  const unitsOf = Map.groupBy(held, (units) => units.orderId);
  const moves: OrderMove[] = [];
  const shipments = new Map<number, Shipment>();
  const departures: Movement[] = [];
  const left: { order: LockedOrder; units: HeldLot[] }[] = [];

  function advance(
    order: LockedOrder | undefined,
    entry: ReportedProgress,
    { isUat, cause }: AdvanceOrdersRequest,
  ): AdvanceOrderOutcome {
    if (!order) return { kind: 'not_found' };
    const refusal = isUat ? { kind: 'uat' as const } : refusalOf(order, entry);
    if (refusal) return refusal;

    const { shipmentNo, carrier } = entry;
    if ((shipmentNo ?? order.shipmentNo) !== order.shipmentNo || (carrier ?? order.carrier) !== order.carrier) {
      order.shipmentNo = shipmentNo ?? order.shipmentNo;
      order.carrier = carrier ?? order.carrier;
      shipments.set(order.orderId, order);
    }
    if (order.status !== entry.to) move(order, reportedEvents[entry.to], cause);
    return { kind: 'advanced', status: order.status };
  }

  function move(order: LockedOrder, event: OrderEvent, cause: Cause): void {
    moves.push({ ...order, event, cause });
    order.status = orderAfter(order.status, event)!;
    if (event !== 'ship') return;
    // A copy of the current state, because a later report of the same group may advance the order further.
    const held = unitsOf.get(order.orderId) ?? [];
    left.push({ order: { ...order }, units: held });
    for (const units of held) departures.push(shipMovement(order, units, cause));
  }

  const outcomes = requests.map((request) =>
    namesOf(request).map((name, index) => advance(orders.get(orderNameText(name)), request.entries[index]!, request)),
  );
  return { outcomes, moves, shipments, departures, left };
}

/** Orders only move forward, and a repeated report is no step. A shipment that has left keeps its number. */
function refusalOf(order: LockedOrder, { to, shipmentNo }: ReportedProgress): AdvanceOrderOutcome | null {
  if (order.status !== to && orderAfter(order.status, reportedEvents[to]) === null)
    return { kind: 'out_of_order', status: order.status };
  if (to === 'shipped' && shipmentNo === null && order.shipmentNo === null) return { kind: 'no_shipment_no' };
  const isUnderWay = order.status === 'shipped' || order.status === 'delivered';
  if (isUnderWay && shipmentNo !== null && shipmentNo !== order.shipmentNo) return { kind: 'other_shipment_no' };
  return null;
}

function shipMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: HeldLot, cause: Cause): Movement {
  return { accountId, lotId, kind: 'ship', onHandDelta: -qty, lockedDelta: -qty, orderId, cause };
}
