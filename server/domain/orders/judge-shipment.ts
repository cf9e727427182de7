import { hasLeft, orderAfter } from './order.ts';
import type { LockedOrder } from './order-queries.ts';
import {
  hasContentOf,
  hasNumberOf,
  type Parcel,
  type ParcelUnits,
  packParcel,
  parcelsOfOrderMax,
  type ReportedParcel,
} from './parcel.ts';
import type { AdvanceOrderOutcome, ReportedProgress } from './progress.ts';

/** An order, the units that it still holds, and the parcels that have left. */
export interface HandledOrder {
  order: LockedOrder;
  held: ParcelUnits[];
  parcels: Parcel[];
}

export type LeavingParcel = Parcel & { isRepeat: boolean };

export type Shipment =
  | {
      kind: 'leaves';
      parcels: LeavingParcel[];
      /** The units that stay behind. */
      rest: ParcelUnits[];
      /** null: a repeated report, which is no step. */
      event: 'ship' | 'ship_part' | null;
    }
  | Exclude<AdvanceOrderOutcome, { kind: 'advanced' }>;

/**
 * Decides what leaves the warehouse with a report of `partially_shipped` or `shipped`. A report of a parcel that has left
 * is no step. `isUsed` tells whether another order has left with this number and carrier.
 */
export function judgeShipment(
  handled: HandledOrder,
  report: ReportedProgress,
  isUsed: (parcel: ReportedParcel) => boolean,
): Shipment {
  const { order, held } = handled;
  const reported = reportedParcels(handled, report);
  if (!Array.isArray(reported)) return reported;

  const parcels: LeavingParcel[] = [];
  let rest = held;
  for (const parcel of reported) {
    const known = [...handled.parcels, ...parcels].find((one) => hasNumberOf(one, parcel));
    if (known) {
      const isSame = parcel.items === null ? hasLeft(order.status) : hasContentOf(known, parcel.items);
      if (!isSame) return { kind: 'other_content', shipmentNo: parcel.shipmentNo };
      continue;
    }
    const packed = pack({ ...handled, held: rest, parcels: [...handled.parcels, ...parcels] }, parcel);
    if (packed.kind !== 'packed') return packed;
    const isRepeat = isUsed(parcel);
    if (isRepeat && !report.allowRepeat) return { kind: 'repeated_shipment_no', shipmentNo: parcel.shipmentNo };
    parcels.push({ shipmentNo: parcel.shipmentNo, carrier: parcel.carrier, units: packed.units, isRepeat });
    rest = packed.rest;
  }
  if (hasLeft(order.status)) return { kind: 'leaves', parcels: [], rest: [], event: null };
  if (orderAfter(order.status, 'ship') === null) return { kind: 'out_of_order', status: order.status };
  return closeShipment(report, parcels, rest);
}

function closeShipment({ to, isFinal }: ReportedProgress, parcels: LeavingParcel[], rest: ParcelUnits[]): Shipment {
  const units = rest.reduce((sum, { qty }) => sum + qty, 0);
  if (to === 'shipped' && units > 0 && !isFinal) return { kind: 'units_remain', units };
  const isLast = to === 'shipped' || units === 0;
  return { kind: 'leaves', parcels, rest, event: isLast ? 'ship' : parcels.length > 0 ? 'ship_part' : null };
}

/** The parcels of a report. Without `parcels`, a shipment number means one parcel with all units that are still held. */
function reportedParcels(
  { order, parcels: known }: HandledOrder,
  { to, parcels, shipmentNo, carrier, isFinal }: ReportedProgress,
): ReportedParcel[] | Exclude<Shipment, { kind: 'leaves' }> {
  if (parcels) {
    if (shipmentNo !== null) return { kind: 'two_shipment_nos' };
    return parcels.map((parcel) => ({ ...parcel, carrier: parcel.carrier ?? carrier }));
  }
  if (to === 'partially_shipped') return { kind: 'no_parcels' };
  if (hasLeft(order.status)) {
    if (order.status !== to) return { kind: 'out_of_order', status: order.status };
    return shipmentNo === null || isNumberOf(order, known, shipmentNo) ? [] : { kind: 'other_shipment_no' };
  }
  const isBegun = order.status === 'partially_shipped';
  const number = shipmentNo ?? (isBegun ? null : order.shipmentNo);
  if (number !== null)
    return [{ shipmentNo: number, carrier: carrier ?? (isBegun ? null : order.carrier), items: null }];
  return isBegun && isFinal ? [] : { kind: 'no_shipment_no' };
}

/** Whether the order left with this number. */
export function isNumberOf(order: LockedOrder, parcels: Parcel[], shipmentNo: string): boolean {
  return shipmentNo === order.shipmentNo || parcels.some((parcel) => parcel.shipmentNo === shipmentNo);
}

function pack(
  { order, held, parcels }: HandledOrder,
  { shipmentNo, items }: ReportedParcel,
): { kind: 'packed'; units: ParcelUnits[]; rest: ParcelUnits[] } | Exclude<Shipment, { kind: 'leaves' }> {
  if (hasLeft(order.status)) return { kind: 'no_more_parcels', status: order.status };
  if (orderAfter(order.status, 'ship') === null) return { kind: 'out_of_order', status: order.status };
  if (parcels.length >= parcelsOfOrderMax) return { kind: 'too_many_parcels' };
  const packed = packParcel(held, items);
  if (packed.kind === 'not_held') {
    const { item, held: units } = packed;
    return { kind: 'not_held', shipmentNo, skuId: item.skuId, qty: item.qty, held: units };
  }
  return packed.units.length === 0 && parcels.length > 0 ? { kind: 'nothing_left', shipmentNo } : packed;
}
