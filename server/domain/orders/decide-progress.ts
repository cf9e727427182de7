import type { NotifiedDocument } from '../callbacks/callback.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import {
  type AdvanceOrderOutcome,
  type AdvanceOrdersRequest,
  type FoundProgress,
  namesOf,
  type ReportedProgress,
  reportedEvents,
} from './advance-orders.ts';
import type { ReturnedGoods } from './expect-returns.ts';
import { type HandledOrder, isNumberOf, judgeShipment, type Shipment } from './judge-shipment.ts';
import { hasLeft, type OrderEvent, orderAfter, type UndeliveredReason } from './order.ts';
import { type LockedOrder, type OrderMove, orderNameText, type Shipment as ShipmentOfOrder } from './order-queries.ts';
import { type ParcelUnits, sumByProduct } from './parcel.ts';
import type { NewParcel, ShortUnits } from './parcel-queries.ts';

/** A change of which the partner is notified, with the order as it was right after it. */
interface Notice {
  order: LockedOrder;
  shipped: NonNullable<NotifiedDocument['shipped']>;
  undelivered: UndeliveredReason | null;
}

interface Written {
  shipments: Map<number, ShipmentOfOrder>;
  carriers: { accountId: number; orderId: number; carrier: string }[];
  reasons: { accountId: number; orderId: number; reason: UndeliveredReason }[];
  moves: OrderMove[];
  parcels: NewParcel[];
  short: (ShortUnits & { accountId: number })[];
  movements: Movement[];
  returns: ReturnedGoods[];
}

type Handled = HandledOrder & { short: Omit<ShortUnits, 'orderId'>[] };

/** Decides on each report in the given order; a report sees the effects of those before it. */
export function decideProgress(
  requests: AdvanceOrdersRequest[],
  found: Pick<FoundProgress, 'orders' | 'held' | 'parcels' | 'short' | 'used'>,
): { outcomes: AdvanceOrderOutcome[][]; written: Written; notices: Notice[] } {
  const handledOf = handledByName(found);
  const orderUsing = new Map(found.used.map((one) => [shipmentText(one), one.orderId]));
  const notices: Notice[] = [];
  const written: Written = {
    shipments: new Map(),
    ...{ carriers: [], reasons: [], moves: [], parcels: [], short: [], movements: [], returns: [] },
  };

  function isUsedByOther({ accountId, orderId }: LockedOrder, shipmentNo: string, carrier: string | null): boolean {
    const user = orderUsing.get(shipmentText({ accountId, shipmentNo, carrier: carrier ?? '' }));
    return user !== undefined && user !== orderId;
  }

  function advance(handled: Handled | undefined, entry: ReportedProgress, request: AdvanceOrdersRequest) {
    if (!handled) return { kind: 'not_found' } as const;
    if (request.isUat) return { kind: 'uat' } as const;
    const refusal = misplacedField(entry);
    if (refusal) return refusal;
    const isLeaving = entry.to === 'partially_shipped' || entry.to === 'shipped';
    return isLeaving ? ship(handled, entry, request.cause) : step(handled, entry, request.cause);
  }

  function ship(handled: Handled, entry: ReportedProgress, cause: Cause): AdvanceOrderOutcome {
    const { order } = handled;
    const shipment = judgeShipment(handled, entry, ({ shipmentNo, carrier }) =>
      isUsedByOther(order, shipmentNo, carrier),
    );
    if (shipment.kind !== 'leaves') return shipment;
    if (shipment.event === null) return correctCarrier(handled, entry) ?? { kind: 'advanced', status: order.status };
    leave(handled, shipment, cause);
    if (shipment.event === 'ship') leaveBehind(handled, shipment.rest, cause);
    move(handled, shipment.event, cause);
    return { kind: 'advanced', status: order.status };
  }

  function leave(handled: Handled, { parcels, rest }: Extract<Shipment, { kind: 'leaves' }>, cause: Cause): void {
    const { order } = handled;
    const { accountId, orderId } = order;
    if (handled.parcels.length === 0 && parcels.length > 0) {
      const { shipmentNo, carrier } = parcels[0]!;
      if (shipmentNo !== order.shipmentNo || carrier !== order.carrier) {
        [order.shipmentNo, order.carrier] = [shipmentNo, carrier];
        written.shipments.set(orderId, order);
      }
    }
    for (const { isRepeat, ...parcel } of parcels) {
      handled.parcels.push(parcel);
      written.parcels.push({ ...parcel, accountId, orderId, parcelNo: handled.parcels.length, isRepeat });
      for (const units of parcel.units) written.movements.push(shipMovement(order, units, cause));
      const { shipmentNo, carrier } = parcel;
      if (!isRepeat) orderUsing.set(shipmentText({ accountId, shipmentNo, carrier: carrier ?? '' }), orderId);
    }
    handled.held = rest;
  }

  /** The warehouse ships no more: what the order still holds is free for others. */
  function leaveBehind(handled: Handled, rest: ParcelUnits[], cause: Cause): void {
    const { accountId, orderId } = handled.order;
    handled.short = sumByProduct(rest);
    handled.held = [];
    written.short.push(...handled.short.map((units) => ({ ...units, accountId, orderId })));
    for (const units of rest) written.movements.push(unlockMovement(handled.order, units, cause));
  }

  function step(handled: Handled, entry: ReportedProgress, cause: Cause): AdvanceOrderOutcome {
    const { order } = handled;
    const refusal = refusalOf(handled, entry);
    if (refusal) return refusal;
    if (hasLeft(order.status)) {
      const repeated = correctCarrier(handled, entry);
      if (repeated) return repeated;
    } else announce(order, entry);
    if (order.status === entry.to) return { kind: 'advanced', status: order.status };
    if (entry.to === 'undelivered') comeBack(handled, entry.reason!, cause);
    move(handled, reportedEvents[entry.to], cause);
    return { kind: 'advanced', status: order.status };
  }

  /** Shipment details may be reported before the order leaves. */
  function announce(order: LockedOrder, { shipmentNo, carrier }: ReportedProgress): void {
    if ((shipmentNo ?? order.shipmentNo) === order.shipmentNo && (carrier ?? order.carrier) === order.carrier) return;
    order.shipmentNo = shipmentNo ?? order.shipmentNo;
    order.carrier = carrier ?? order.carrier;
    written.shipments.set(order.orderId, order);
  }

  function correctCarrier({ order, parcels }: Handled, entry: ReportedProgress): AdvanceOrderOutcome | null {
    const { carrier } = entry;
    if (entry.parcels || carrier === null || carrier === order.carrier) return null;
    const shipmentNo = order.shipmentNo!;
    if (isUsedByOther(order, shipmentNo, carrier)) return { kind: 'repeated_shipment_no', shipmentNo };
    order.carrier = carrier;
    if (parcels[0]) parcels[0] = { ...parcels[0], carrier };
    written.shipments.set(order.orderId, order);
    written.carriers.push({ accountId: order.accountId, orderId: order.orderId, carrier });
    return null;
  }

  function comeBack({ order, parcels }: Handled, reason: UndeliveredReason, cause: Cause): void {
    const { accountId, orderId } = order;
    order.undeliveredReason = reason;
    written.reasons.push({ accountId, orderId, reason });
    if (reason !== 'lost') written.returns.push({ order, units: parcels.flatMap(({ units }) => units), cause });
  }

  function move({ order, parcels, short }: Handled, event: OrderEvent, cause: Cause): void {
    written.moves.push({ ...order, event, cause });
    order.status = orderAfter(order.status, event)!;
    if (!hasLeft(order.status) && order.status !== 'partially_shipped') return;
    // Copies, because a later report of the same group may advance the order further.
    notices.push({
      order: { ...order },
      shipped: { parcels: parcels.map(({ units, ...parcel }) => ({ ...parcel, items: units })), short: [...short] },
      undelivered: event === 'fail' ? order.undeliveredReason : null,
    });
  }

  const outcomes = requests.map((request) =>
    namesOf(request).map((name, index) =>
      advance(handledOf.get(orderNameText(name)), request.entries[index]!, request),
    ),
  );
  return { outcomes, written, notices };
}

function handledByName({ orders, held, parcels, short }: Parameters<typeof decideProgress>[1]): Map<string, Handled> {
  const heldBy = Map.groupBy(held, ({ orderId }) => orderId);
  const parcelsOf = Map.groupBy(parcels, ({ orderId }) => orderId);
  const shortOf = Map.groupBy(short, ({ orderId }) => orderId);
  return new Map(
    orders.map((order) => [
      orderNameText(order),
      {
        order,
        held: heldBy.get(order.orderId) ?? [],
        parcels: [...(parcelsOf.get(order.orderId) ?? [])],
        short: shortOf.get(order.orderId) ?? [],
      },
    ]),
  );
}

/** Numbers are unique within an account and a carrier. */
function shipmentText({ accountId, shipmentNo, carrier }: { accountId: number; shipmentNo: string; carrier: string }) {
  return JSON.stringify([accountId, shipmentNo, carrier]);
}

function misplacedField({ to, parcels, isFinal, reason }: ReportedProgress): AdvanceOrderOutcome | null {
  if (parcels && to !== 'shipped' && to !== 'partially_shipped') return { kind: 'not_with_status', field: 'parcels' };
  if (isFinal && to !== 'shipped') return { kind: 'not_with_status', field: 'final' };
  if (reason && to !== 'undelivered') return { kind: 'not_with_status', field: 'reason' };
  return to === 'undelivered' && !reason ? { kind: 'no_reason' } : null;
}

/** Orders only move forward, and a repeated report is no step. A shipment that has left keeps its number. */
function refusalOf({ order, parcels }: Handled, { to, shipmentNo, reason }: ReportedProgress) {
  if (order.status !== to && orderAfter(order.status, reportedEvents[to]) === null)
    return { kind: 'out_of_order', status: order.status } as const;
  if (hasLeft(order.status) && shipmentNo !== null && !isNumberOf(order, parcels, shipmentNo))
    return { kind: 'other_shipment_no' } as const;
  if (to === 'undelivered' && order.undeliveredReason !== null && reason !== order.undeliveredReason)
    return { kind: 'other_reason', reason: order.undeliveredReason } as const;
  return null;
}

function shipMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: ParcelUnits, cause: Cause): Movement {
  return { accountId, lotId, kind: 'ship', onHandDelta: -qty, lockedDelta: -qty, orderId, cause };
}

function unlockMovement({ accountId, orderId }: LockedOrder, { lotId, qty }: ParcelUnits, cause: Cause): Movement {
  return { accountId, lotId, kind: 'unlock', onHandDelta: 0, lockedDelta: -qty, orderId, cause };
}
