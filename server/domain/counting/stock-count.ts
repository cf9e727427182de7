import { compareLocations } from '../products/product-code.ts';
import type { AdjustmentLine } from '../stock/adjust-stock.ts';
import type { StockType } from '../stock/lot.ts';
import type { RefusedChange } from '../stock/stock-change.ts';

/** The products that a count covers. */
export const countScopes = ['location', 'skus', 'warehouse'] as const;
export type CountScope = (typeof countScopes)[number];
export const countStates = ['open', 'booked', 'discarded'] as const;
export type CountState = (typeof countStates)[number];

/** A sheet with more lots is hard to review. Larger warehouses are counted location by location. */
export const countLotsMax = 2000;

export interface CountKey {
  accountId: number;
  countId: number;
}

export interface StockCount extends CountKey {
  warehouseNo: number;
  scope: CountScope;
  location: string | null;
  /** null: all products that the account has in the warehouse. */
  productIds: number[] | null;
  state: CountState;
  referenceNo: string | null;
}

/** The number of a count, which its adjustment has too. */
export function countNoOf(countId: number): string {
  return `SC-${String(countId).padStart(6, '0')}`;
}

/** A lot of a product within a count. */
export interface CountedLot {
  productId: number;
  stockType: StockType;
  batchId: string;
  /** null: the lot does not expire. */
  expireDate: string | null;
}

export function countedLotText({ productId, stockType, batchId, expireDate }: CountedLot): string {
  return `${productId}/${stockType}/${expireDate ?? ''}/${batchId}`;
}

/** A lot as it was counted in its latest round. */
export interface CountLine extends CountedLot {
  round: number;
  /** 0: not counted in this round. */
  entries: number;
  counted: number;
  /** The units on the shelf, and those that had left it, when the first unit was counted; null: not counted. */
  expected: number | null;
  offShelf: number | null;
  /** Units left or reached the shelf during the count, so nobody knows whether they were counted. */
  moved: boolean;
  countedBy: string | null;
  countedAt: string | null;
  /** The difference that was booked; null: none. */
  booked: number | null;
}

/** A lot with units in the warehouse. */
export interface ShelvedLot extends CountedLot {
  onHand: number;
  locked: number;
}

export interface CountedProduct {
  productId: number;
  skuId: string;
  name: string;
  location: string | null;
}

/** A line of the sheet: a lot in stock, a lot that was counted, or both. */
export interface SheetLine extends CountedLot {
  line: CountLine | null;
  /** The balance now; zeros if the lot does not exist or is empty. */
  onHand: number;
  locked: number;
}

/** All lots of a count, in walking order. */
export function sheetLines(products: CountedProduct[], lots: ShelvedLot[], lines: CountLine[]): SheetLine[] {
  const lineOf = new Map(lines.map((line) => [countedLotText(line), line]));
  const inStock = new Set(lots.map(countedLotText));
  const productOf = new Map(products.map((product) => [product.productId, product]));
  const nowhere = { location: null, skuId: '' };
  const all: SheetLine[] = [
    ...lots.map(({ onHand, locked, ...lot }) => ({
      ...lot,
      onHand,
      locked,
      line: lineOf.get(countedLotText(lot)) ?? null,
    })),
    ...lines
      .filter((line) => !inStock.has(countedLotText(line)))
      .map((line) => ({ ...lotOf(line), line, onHand: 0, locked: 0 })),
  ];
  return all.toSorted((one, other) => {
    const [a, b] = [productOf.get(one.productId) ?? nowhere, productOf.get(other.productId) ?? nowhere];
    return compareLocations(a.location, b.location) || compareTexts(a.skuId, b.skuId) || compareLots(one, other);
  });
}

function lotOf({ productId, stockType, batchId, expireDate }: CountedLot): CountedLot {
  return { productId, stockType, batchId, expireDate };
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Good before bad, then the earliest expiry. */
function compareLots(one: CountedLot, other: CountedLot): number {
  const key = ({ stockType, expireDate, batchId }: CountedLot) =>
    `${stockType === 'good' ? 0 : 1}/${expireDate ?? '9999-99-99'}/${batchId}`;
  return compareTexts(key(one), key(other));
}

/** The units that were counted minus those that were on the shelf; null: not counted. */
export function differenceOf(line: Pick<CountLine, 'entries' | 'counted' | 'expected'> | null): number | null {
  return line === null || line.entries === 0 ? null : line.counted - line.expected!;
}

export type BookingMistake = { lot: CountedLot; refused: RefusedChange | { kind: 'moved' } };

export type BookingPlan =
  | { kind: 'refused'; mistakes: BookingMistake[] }
  | { kind: 'planned'; booked: CountLine[]; adjustments: AdjustmentLine[] };

/**
 * The differences as changes of lots. A difference is added to the balance of the day of booking, so that units which
 * were ordered, shipped or received since the count stay as they are.
 */
export function planBooking(
  { countId, warehouseNo }: StockCount,
  lines: CountLine[],
  skuOf: ReadonlyMap<number, string>,
  leftOut: ReadonlySet<string>,
): BookingPlan {
  const taken = lines.filter((line) => line.entries > 0 && !leftOut.has(countedLotText(line)));
  const moved = taken.filter((line) => line.moved);
  if (moved.length > 0)
    return { kind: 'refused', mistakes: moved.map((line) => ({ lot: lotOf(line), refused: { kind: 'moved' } })) };
  const booked = taken.filter((line) => differenceOf(line) !== 0);
  const adjustments = booked.map((line) => {
    const { productId, stockType, batchId, expireDate } = line;
    return {
      lot: { warehouseNo, skuId: skuOf.get(productId)!, stockType, batchId, expireDate },
      units: { delta: differenceOf(line)! },
      reason: `stock count ${countNoOf(countId)}`,
    };
  });
  return { kind: 'planned', booked, adjustments };
}
