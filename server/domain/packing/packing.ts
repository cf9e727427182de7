import { hasLeft, type OrderStatus, orderAfter } from '../orders/order.ts';

/** An order on the packing table, locked or as it was read. */
export interface OrderToPack {
  accountId: number;
  orderId: number;
  partnerNumber: string;
  isLogistics: boolean;
  status: OrderStatus;
  isHeld: boolean;
  isUat: boolean;
  /** The warehouse has no system of its own. */
  isManual: boolean;
  /** A shipment is planned, and the job has not tried it yet. */
  isPlanned: boolean;
  carrier: string | null;
  expressType: string | null;
}

/** Units of a product that an order holds. */
export interface NeededUnits {
  productId: number;
  skuId: string;
  qty: number;
}

/** Units of one product in one parcel. */
export interface PackedUnits {
  parcelNo: number;
  productId: number;
  skuId: string;
  qty: number;
}

export type NotWorkable =
  /** Orders of a UAT account never reach a warehouse. */
  | 'uat'
  /** The warehouse has a system of its own. */
  | 'other_warehouse'
  | 'held'
  | 'cancelled'
  | 'shipped'
  | 'awaiting_stock'
  /** A shipment is planned: it has to be undone first. */
  | 'planned';

/** Why nobody may pack or ship the order now; null: it can be packed. */
export function whyNotWorkable(order: OrderToPack): NotWorkable | null {
  if (order.isUat) return 'uat';
  if (order.status === 'cancelled' || order.status === 'awaiting_stock') return order.status;
  if (hasLeft(order.status)) return 'shipped';
  if (!order.isManual) return 'other_warehouse';
  if (order.isHeld) return 'held';
  return order.isPlanned ? 'planned' : null;
}

export type ScanJudgement =
  | { kind: 'packed' }
  /** The order does not have this product. */
  | { kind: 'wrong' }
  /** The order has the product, but needs fewer units; `left` are still missing. */
  | { kind: 'surplus'; left: number };

export function judgeScan(needed: NeededUnits[], packed: PackedUnits[], productId: number, qty: number): ScanJudgement {
  const wanted = needed.find((units) => units.productId === productId);
  if (!wanted) return { kind: 'wrong' };
  const left = Math.max(0, wanted.qty - packedOf(packed, productId));
  return qty > left ? { kind: 'surplus', left } : { kind: 'packed' };
}

export function packedOf(packed: PackedUnits[], productId: number): number {
  return sumOf(packed.filter((units) => units.productId === productId));
}

/** The units of the order that nobody has packed. */
export function missingUnits(needed: NeededUnits[], packed: PackedUnits[]): number {
  return needed.reduce((sum, { productId, qty }) => sum + Math.max(0, qty - packedOf(packed, productId)), 0);
}

/** Whether the parcels have exactly the units of the order: an update of the order may have left too many in them. */
export function isComplete(needed: NeededUnits[], packed: PackedUnits[]): boolean {
  return missingUnits(needed, packed) === 0 && sumOf(packed) === sumOf(needed);
}

/** Units in a parcel, of the lot in which staff found them; null: of any lot that the order holds. */
export interface ParcelPart {
  parcelNo: number;
  skuId: string;
  lotId: number | null;
  qty: number;
}

/**
 * Divides packed units among the lots in which staff found them. Only orders with missing units need it: for the others,
 * the lots follow from the units that the order holds.
 */
export function inFoundLots(
  packed: PackedUnits[],
  found: { skuId: string; lotId: number; qty: number }[],
): ParcelPart[] {
  const left = found.map((units) => ({ ...units }));
  return packed.flatMap(({ parcelNo, skuId, qty }) => {
    let missing = qty;
    const parts: ParcelPart[] = [];
    for (const units of left.filter((one) => one.skuId === skuId)) {
      const taken = Math.min(missing, units.qty);
      if (taken > 0) parts.push({ parcelNo, skuId, lotId: units.lotId, qty: taken });
      units.qty -= taken;
      missing -= taken;
    }
    return missing > 0 ? [...parts, { parcelNo, skuId, lotId: null, qty: missing }] : parts;
  });
}

/** Whether the last unit makes this a step; a packed order may be packed again after its parcels were emptied. */
export function becomesPacked({ status }: OrderToPack): boolean {
  return orderAfter(status, 'pack') !== null;
}

/** The numbers of the parcels that have units. */
export function parcelNosOf(packed: PackedUnits[]): number[] {
  return [...new Set(packed.map(({ parcelNo }) => parcelNo))].sort((one, other) => one - other);
}

function sumOf(units: { qty: number }[]): number {
  return units.reduce((sum, { qty }) => sum + qty, 0);
}
