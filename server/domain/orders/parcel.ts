import type { HeldLot } from './order-queries.ts';

/** How many parcels an order may have. */
export const parcelsOfOrderMax = 100;

/** Units of a product that a warehouse reports; null: any batch, or any expiry date. */
export interface ReportedItem {
  skuId: string;
  qty: number;
  batchId: string | null;
  expireDate: string | null;
  /** The lot in which staff found the units. Partners do not know lots. */
  lotId?: number;
}

export interface ReportedParcel {
  shipmentNo: string;
  carrier: string | null;
  /** null: all units that the order still holds. */
  items: ReportedItem[] | null;
}

/** Units of a lot in a parcel. */
export type ParcelUnits = Omit<HeldLot, 'orderId'>;

/** A parcel of an order that has left the warehouse. */
export interface Parcel {
  shipmentNo: string;
  carrier: string | null;
  units: ParcelUnits[];
}

export type Packed =
  | { kind: 'packed'; units: ParcelUnits[]; rest: ParcelUnits[] }
  /** The order holds fewer units that fit the item. */
  | { kind: 'not_held'; item: ReportedItem; held: number };

/**
 * Chooses the units of a parcel among those that its order holds: the earliest expiry first. Items that name their lot,
 * batch or expiry date choose before those that do not.
 */
export function packParcel(held: ParcelUnits[], items: ReportedItem[] | null): Packed {
  if (items === null) return { kind: 'packed', units: held, rest: [] };
  const left = new Map(held.map((units) => [units.lotId, units.qty]));
  // A report may have 50,000 items, and an order a thousand lots.
  const heldOf = Map.groupBy(held, ({ skuId }) => skuId);
  for (const item of items.toSorted((a, b) => choicesOf(b) - choicesOf(a))) {
    const fitting = (heldOf.get(item.skuId) ?? []).filter((units) => fits(units, item));
    let missing = item.qty;
    for (const { lotId } of fitting) {
      const taken = Math.min(missing, left.get(lotId)!);
      left.set(lotId, left.get(lotId)! - taken);
      missing -= taken;
    }
    if (missing > 0) return { kind: 'not_held', item, held: item.qty - missing };
  }
  const part = (qtyOf: (units: ParcelUnits) => number) =>
    held.flatMap((units) => (qtyOf(units) > 0 ? [{ ...units, qty: qtyOf(units) }] : []));
  return {
    kind: 'packed',
    units: part(({ lotId, qty }) => qty - left.get(lotId)!),
    rest: part(({ lotId }) => left.get(lotId)!),
  };
}

function choicesOf({ lotId, batchId, expireDate }: ReportedItem): number {
  return (lotId === undefined ? 0 : 3) + (batchId === null ? 0 : 1) + (expireDate === null ? 0 : 1);
}

function fits({ lotId, batchId, expireDate }: ParcelUnits, item: ReportedItem): boolean {
  return (
    (item.lotId === undefined || item.lotId === lotId) &&
    (item.batchId === null || item.batchId === batchId) &&
    (item.expireDate === null || item.expireDate === expireDate)
  );
}

/** Two carriers may use the same number; a report may leave the carrier out. */
export function hasNumberOf(known: Pick<Parcel, 'shipmentNo' | 'carrier'>, reported: ReportedParcel): boolean {
  const isOtherCarrier = known.carrier !== null && reported.carrier !== null && known.carrier !== reported.carrier;
  return known.shipmentNo === reported.shipmentNo && !isOtherCarrier;
}

/** Whether the reported items are exactly the units of a parcel that has left. */
export function hasContentOf(known: Parcel, items: ReportedItem[]): boolean {
  const packed = packParcel(known.units, items);
  return packed.kind === 'packed' && packed.rest.length === 0;
}

/** Units by product, in the order of their first appearance. */
export function sumByProduct(units: ParcelUnits[]): { productId: number; skuId: string; qty: number }[] {
  return [...Map.groupBy(units, ({ productId }) => productId)].map(([productId, own]) => ({
    productId,
    skuId: own[0]!.skuId,
    qty: own.reduce((sum, { qty }) => sum + qty, 0),
  }));
}
