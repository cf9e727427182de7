import type { HeldLot } from './transfer.ts';

export interface LineWithoutLots {
  skuId: string;
  qty: number;
  /** null: any batch. */
  batchId: string | null;
}

/** Stock is held for an order as a whole, not for its lines. */
export type LotOfOrder = HeldLot & { skuId: string };

/** Assigns held lots to lines, the earliest expiry first. Lines that name a batch go first: only that batch fits. */
export function shareLots<Line extends LineWithoutLots>(
  lines: Line[],
  held: LotOfOrder[],
): (Line & { lots: HeldLot[] })[] {
  const left = held.map((lot) => ({ ...lot })).sort(byExpiry);
  const lotsOf = new Map<Line, HeldLot[]>();
  for (const line of [...lines.filter((one) => one.batchId !== null), ...lines.filter((one) => one.batchId === null)]) {
    lotsOf.set(line, takeFor(line, left));
  }
  return lines.map((line) => ({ ...line, lots: lotsOf.get(line)! }));
}

function takeFor({ skuId, qty, batchId }: LineWithoutLots, left: LotOfOrder[]): HeldLot[] {
  const taken: HeldLot[] = [];
  let wanted = qty;
  for (const lot of left) {
    const isFit = lot.skuId === skuId && (batchId === null || lot.batchId === batchId);
    const units = isFit ? Math.min(wanted, lot.qty) : 0;
    if (units === 0) continue;
    lot.qty -= units;
    wanted -= units;
    taken.push({ batchId: lot.batchId, expireDate: lot.expireDate, qty: units });
  }
  return taken;
}

const never = '9999-12-31+';

function byExpiry(one: LotOfOrder, other: LotOfOrder): number {
  const [a, b] = [one.expireDate ?? never, other.expireDate ?? never];
  return a < b ? -1 : a > b ? 1 : one.batchId < other.batchId ? -1 : 1;
}
