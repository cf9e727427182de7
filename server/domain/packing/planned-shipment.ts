import type { OrderStatus } from '../orders/order.ts';
import {
  isComplete,
  missingUnits,
  type NeededUnits,
  type OrderToPack,
  type PackedUnits,
  parcelNosOf,
} from './packing.ts';
import { brokenFormat } from './shipment-format.ts';

/** How long a person can undo a shipment before anything is sent. */
export const undoSeconds = 10;

/** The label of a parcel on the packing table. */
export interface PlannedParcel {
  parcelNo: number;
  shipmentNo: string;
  /** null: not given. */
  carrier: string | null;
}

/** Another order that was, or will be, shipped with the same number. */
export interface OtherUse {
  orderId: number;
  accountId: number;
  partnerNumber: string;
  warehouseNo: number;
  status: OrderStatus;
  shipmentNo: string;
  carrier: string | null;
}

/** A reason to ask before an order is shipped. */
export type ShipmentWarning =
  | { kind: 'repeated'; shipmentNo: string; others: OtherUse[] }
  | { kind: 'format'; shipmentNo: string; carrier: string; digits: number }
  /** The order is not packed. */
  | { kind: 'skipped'; status: OrderStatus }
  /** These units are in no parcel, and will not be shipped. */
  | { kind: 'short'; units: number };

export const warningKinds = ['repeated', 'format', 'skipped', 'short'] as const satisfies ShipmentWarning['kind'][];

/** Whether there is one label for each parcel that has units. Without scanned units, the order is one parcel. */
export function fitsParcels(shipments: PlannedParcel[], packed: PackedUnits[]): boolean {
  const given = shipments.map(({ parcelNo }) => parcelNo).sort((one, other) => one - other);
  const wanted = packed.length === 0 ? [1] : parcelNosOf(packed);
  return given.length === wanted.length && given.every((parcelNo, index) => parcelNo === wanted[index]);
}

/** Whether two labels have the same number. Two carriers may well use the same number. */
export function isSameLabel(
  one: Pick<PlannedParcel, 'shipmentNo' | 'carrier'>,
  other: Pick<PlannedParcel, 'shipmentNo' | 'carrier'>,
): boolean {
  const isOtherCarrier = one.carrier !== null && other.carrier !== null && one.carrier !== other.carrier;
  return one.shipmentNo === other.shipmentNo && !isOtherCarrier;
}

export function hasNumberTwice(shipments: PlannedParcel[]): boolean {
  return shipments.some((one, index) => shipments.slice(0, index).some((other) => isSameLabel(one, other)));
}

export function isSamePlan(one: PlannedParcel[], other: PlannedParcel[]): boolean {
  const textOf = (shipments: PlannedParcel[]) =>
    shipments
      .map(({ parcelNo, shipmentNo, carrier }) => JSON.stringify([parcelNo, shipmentNo, carrier]))
      .sort()
      .join();
  return textOf(one) === textOf(other);
}

/** Everything that a person has to confirm before this shipment. */
export function findWarnings(
  order: OrderToPack,
  { needed, packed }: { needed: NeededUnits[]; packed: PackedUnits[] },
  shipments: PlannedParcel[],
  uses: OtherUse[],
): ShipmentWarning[] {
  const warnings: ShipmentWarning[] = [];
  for (const shipment of shipments) {
    const { shipmentNo } = shipment;
    const others = uses.filter((use) => use.orderId !== order.orderId && isSameLabel(shipment, use));
    if (others.length > 0) warnings.push({ kind: 'repeated', shipmentNo, others });
    const carrier = shipment.carrier ?? order.carrier ?? order.expressType;
    const broken = brokenFormat(shipmentNo, carrier);
    if (broken) warnings.push({ kind: 'format', shipmentNo, carrier: carrier!, digits: broken.digits });
  }
  if (order.status !== 'packed' && order.status !== 'partially_shipped')
    warnings.push({ kind: 'skipped', status: order.status });
  // Without scanned units, everything that the order holds leaves.
  if (packed.length > 0 && !isComplete(needed, packed))
    warnings.push({ kind: 'short', units: missingUnits(needed, packed) });
  return warnings;
}
