import type { NotifiedDocument } from '../callbacks/callback.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import type { ReturnedGoods } from './expect-returns.ts';
import { type HandledOrder, isNumberOf, judgeShipment, type Shipment } from './judge-shipment.ts';
import { hasLeft, type OrderEvent, orderAfter, type UndeliveredReason } from './order.ts';
import {
  type HeldLot,
  type LockedOrder,
  type OrderMove,
  orderNameText,
  type Shipment as ShipmentOfOrder,
} from './order-queries.ts';
import { type ParcelUnits, sumByProduct } from './parcel.ts';
import type { CorrectedCarrier, NewParcel, ParcelOfOrder, ShortUnits, UsedShipment } from './parcel-queries.ts';
import {
  type AdvanceOrderOutcome,
  type AdvanceOrdersRequest,
  namesOf,
  type ReportedProgress,
  reportedEvents,
} from './progress.ts';

/** A change of which the partner is notified, with the order as it was right after it. */
interface Notice {
  order: LockedOrder;
  shipped: NonNullable<NotifiedDocument['shipped']>;
  undelivered: UndeliveredReason | null;
}

interface Written {
  shipments: Map<number, ShipmentOfOrder>;
  carriers: CorrectedCarrier[];
  reasons: { accountId: number; orderId: number; reason: UndeliveredReason }[];
  moves: OrderMove[];
  parcels: NewParcel[];
  short: (ShortUnits & { accountId: number })[];
  movements: Movement[];
  returns: ReturnedGoods[];
}

type Handled = HandledOrder & { short: Omit<ShortUnits, 'orderId'>[] };

interface Found {
  orders: LockedOrder[];
  held: HeldLot[];
  parcels: ParcelOfOrder[];
  short: ShortUnits[];
  used: UsedShipment[];
}

/** The effects of the reports so far. */
interface Progress {
  written: Written;
  notices: Notice[];
  /** The order that has left with a shipment number. */
  orderUsing: Map<string, number>;
}

/** Decides on each report in the given order; a report sees the effects of those before it. */
export function decideProgress(
  requests: AdvanceOrdersRequest[],
  found: Found,
): { outcomes: AdvanceOrderOutcome[][]; written: Written; notices: Notice[] } {
  const handledOf = handledByName(found);
  const progress: Progress = {
    notices: [],
    orderUsing: new Map(found.used.map((one) => [shipmentText(one), one.orderId])),
    written: {
      shipments: new Map(),
      ...{ carriers: [], reasons: [], moves: [], parcels: [], short: [], movements: [], returns: [] },
    },
  };
  const outcomes = requests.map((request) =>
    namesOf(request).map((name, index) =>
      advance(progress, handledOf.get(orderNameText(name)), request.entries[index]!, request),
    ),
  );
  return { outcomes, ...progress };
}

function advance(
  progress: Progress,
  handled: Handled | undefined,
  entry: ReportedProgress,
  { isUat, cause }: AdvanceOrdersRequest,
): AdvanceOrderOutcome {
  if (!handled) return { kind: 'not_found' };
  if (isUat) return { kind: 'uat' };
  const refusal = misplacedField(entry);
  if (refusal) return refusal;
  const isLeaving = entry.to === 'partially_shipped' || entry.to === 'shipped';
  return isLeaving ? ship(progress, handled, entry, cause) : step(progress, handled, entry, cause);
}

function ship(progress: Progress, handled: Handled, entry: ReportedProgress, cause: Cause): AdvanceOrderOutcome {
  const { order } = handled;
  const shipment = judgeShipment(handled, entry, ({ shipmentNo, carrier }) =>
    isUsedByOther(progress, order, shipmentNo, carrier),
  );
  if (shipment.kind !== 'leaves') return shipment;
  if (shipment.event === null)
    return correctCarrier(progress, handled, entry) ?? { kind: 'advanced', status: order.status };
  leave(progress, handled, shipment, cause);
  if (shipment.event === 'ship') leaveBehind(progress, handled, shipment.rest, cause);
  move(progress, handled, shipment.event, cause);
  return { kind: 'advanced', status: order.status };
}

function isUsedByOther(
  { orderUsing }: Progress,
  { accountId, orderId }: LockedOrder,
  shipmentNo: string,
  carrier: string | null,
): boolean {
  const user = orderUsing.get(shipmentText({ accountId, shipmentNo, carrier: carrier ?? '' }));
  return user !== undefined && user !== orderId;
}

function leave(
  { written, orderUsing }: Progress,
  handled: Handled,
  { parcels, rest }: Extract<Shipment, { kind: 'leaves' }>,
  cause: Cause,
): void {
  const { order } = handled;
  const { accountId, orderId } = order;
  // The order has the number of its first parcel.
  const [first] = handled.parcels.length === 0 ? parcels : [];
  if (first && (first.shipmentNo !== order.shipmentNo || first.carrier !== order.carrier)) {
    [order.shipmentNo, order.carrier] = [first.shipmentNo, first.carrier];
    written.shipments.set(orderId, order);
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

/** The warehouse ships no more: units that the order still holds are free for others. */
function leaveBehind({ written }: Progress, handled: Handled, rest: ParcelUnits[], cause: Cause): void {
  const { accountId, orderId } = handled.order;
  handled.short = sumByProduct(rest);
  handled.held = [];
  written.short.push(...handled.short.map((units) => ({ ...units, accountId, orderId })));
  for (const units of rest) written.movements.push(unlockMovement(handled.order, units, cause));
}

function step(progress: Progress, handled: Handled, entry: ReportedProgress, cause: Cause): AdvanceOrderOutcome {
  const { order } = handled;
  const refusal = refusalOf(handled, entry);
  if (refusal) return refusal;
  if (hasLeft(order.status)) correctCarrier(progress, handled, entry);
  else announce(progress, order, entry);
  if (order.status === entry.to) return { kind: 'advanced', status: order.status };
  if (entry.to === 'undelivered') comeBack(progress, handled, entry.reason!, cause);
  move(progress, handled, reportedEvents[entry.to], cause);
  return { kind: 'advanced', status: order.status };
}

/** Shipment details may be reported before the order leaves. */
function announce({ written }: Progress, order: LockedOrder, { shipmentNo, carrier }: ReportedProgress): void {
  if ((shipmentNo ?? order.shipmentNo) === order.shipmentNo && (carrier ?? order.carrier) === order.carrier) return;
  order.shipmentNo = shipmentNo ?? order.shipmentNo;
  order.carrier = carrier ?? order.carrier;
  written.shipments.set(order.orderId, order);
}

/**
 * A later report may correct the carrier of the first parcel. If another parcel has that number and carrier,
 * the carrier stays unless the report allows the repeat. The report counts in any case: the parcel has left long ago.
 */
function correctCarrier(progress: Progress, handled: Handled, entry: ReportedProgress): void {
  const { order, parcels } = handled;
  const { accountId, orderId } = order;
  const { carrier } = entry;
  if (entry.parcels || carrier === null || carrier === order.carrier) return;
  const shipmentNo = order.shipmentNo!;
  // The report may name another parcel.
  if ((entry.shipmentNo ?? shipmentNo) !== shipmentNo) return;
  const isRepeat = isUsedByOther(progress, order, shipmentNo, carrier);
  if (isRepeat && !entry.allowRepeat) return;
  if (parcels.some((parcel) => parcel.shipmentNo === shipmentNo && parcel.carrier === carrier)) return;
  order.carrier = carrier;
  if (parcels[0]) parcels[0] = { ...parcels[0], carrier };
  progress.written.shipments.set(orderId, order);
  progress.written.carriers.push({ accountId, orderId, carrier, isRepeat });
  if (!isRepeat) progress.orderUsing.set(shipmentText({ accountId, shipmentNo, carrier }), orderId);
}

function comeBack({ written }: Progress, { order, parcels }: Handled, reason: UndeliveredReason, cause: Cause): void {
  const { accountId, orderId } = order;
  order.undeliveredReason = reason;
  written.reasons.push({ accountId, orderId, reason });
  if (reason !== 'lost') written.returns.push({ order, units: parcels.flatMap(({ units }) => units), cause });
}

function move({ written, notices }: Progress, handled: Handled, event: OrderEvent, cause: Cause): void {
  const { order, parcels, short } = handled;
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

function handledByName({ orders, held, parcels, short }: Found): Map<string, Handled> {
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
