import type { StockType } from '../stock/lot.ts';
import { acceptedMaxOf } from './delivery.ts';

/** A line as it was announced. */
export interface AnnouncedLine {
  skuId: string;
  batchId: string;
  expireDate: string | null;
  qty: number;
}

/** The units of a document in one lot. */
export interface ArrivedLot {
  skuId: string;
  stockType: StockType;
  batchId: string;
  expireDate: string | null;
  units: number;
}

export interface LineProgress {
  good: number;
  bad: number;
  missing: number;
}

/**
 * The received units of each line, in the order of the lines. Documents count units by product, not by line: units
 * count for the line with the same batch and expiry first, then for any line of the product that still expects units.
 * Excess units count for the product's last line.
 */
export function progressOfLines(lines: AnnouncedLine[], lots: ArrivedLot[]): LineProgress[] {
  const progress = lines.map(({ qty }): LineProgress => ({ good: 0, bad: 0, missing: qty }));
  const linesOf = Map.groupBy(
    lines.map((line, index) => ({ ...line, index })),
    ({ skuId }) => skuId,
  );

  function count(index: number, stockType: StockType, units: number): void {
    const line = progress[index]!;
    line[stockType] += units;
    line.missing = Math.max(0, line.missing - units);
  }

  function fill(wanted: { index: number }[], stockType: StockType, units: number): number {
    let left = units;
    for (const { index } of wanted) {
      const taken = Math.min(left, progress[index]!.missing);
      count(index, stockType, taken);
      left -= taken;
    }
    return left;
  }

  const strays = lots.map((lot) => {
    const own = (linesOf.get(lot.skuId) ?? []).filter(
      (line) => line.batchId === lot.batchId && line.expireDate === lot.expireDate,
    );
    return { ...lot, units: fill(own, lot.stockType, lot.units) };
  });
  for (const { skuId, stockType, units } of strays) {
    const all = linesOf.get(skuId) ?? [];
    const left = fill(all, stockType, units);
    if (left > 0 && all.length > 0) count(all.at(-1)!.index, stockType, left);
  }
  return progress;
}

/** How many units of a product a document accepts. */
export interface ProductProgress {
  skuId: string;
  announced: number;
  arrived: number;
  acceptedMax: number;
  stillAccepted: number;
}

/** Each product once, in the order announced. */
export function progressOfProducts(
  lines: AnnouncedLine[],
  lots: ArrivedLot[],
  overDeliveryPercent: number,
): ProductProgress[] {
  const arrivedOf = Map.groupBy(lots, ({ skuId }) => skuId);
  return [...Map.groupBy(lines, ({ skuId }) => skuId)].map(([skuId, those]) => {
    const announced = those.reduce((sum, { qty }) => sum + qty, 0);
    const arrived = (arrivedOf.get(skuId) ?? []).reduce((sum, { units }) => sum + units, 0);
    const acceptedMax = acceptedMaxOf(announced, overDeliveryPercent);
    return { skuId, announced, arrived, acceptedMax, stillAccepted: Math.max(0, acceptedMax - arrived) };
  });
}
