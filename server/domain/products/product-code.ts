/** A barcode of a product. */
export interface ProductCode {
  code: string;
  /** The units that one scan means: 1 for a unit, 12 for a carton of twelve. */
  units: number;
}

export const codesPerProductMax = 20;

/** The place of a product in a warehouse. */
export interface ProductLocation {
  warehouseNo: number;
  location: string;
}

const inWalkingOrder = new Intl.Collator('en', { numeric: true });

/** The order in which people walk: A-2 comes before A-10. Products without a location come last. */
export function compareLocations(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return inWalkingOrder.compare(one, other) || (one < other ? -1 : Number(one > other));
}
