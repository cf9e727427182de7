import { contentDigest } from '../../platform/json/content-digest.ts';
import type { ArrivedUnits } from './arrived-units.ts';
import type { Overfull } from './receipts.ts';

/**
 * The content of a delivery apart from its number: the units as the warehouse found them, and whether more will come.
 */
export interface DeliveryContent {
  lines: ArrivedUnits[];
  isFinal: boolean;
}

/** Two requests with the same content have the same digest, whatever the order of their fields. */
export function deliveryDigest({ lines, isFinal }: DeliveryContent): string {
  return contentDigest([
    isFinal,
    lines.map(({ skuId, stockType, batchId, expireDate, qty }) => [skuId, stockType, batchId, expireDate, qty]),
  ]);
}

/** The announced and the received units of one product of a document. */
export interface Awaited {
  productId: number;
  announced: number;
  received: number;
}

/** Units that the warehouse reports. productId is null if the product is not registered. */
export interface ReportedUnits {
  skuId: string;
  productId: number | null;
  qty: number;
}

/** Why a delivery is not accepted as reported. */
export type DeliveryMistake =
  | ({ kind: 'not_announced' } & Counts)
  | ({ kind: 'too_many'; acceptedMax: number } & Counts)
  | ({ kind: 'overfull' } & Overfull);

interface Counts {
  skuId: string;
  announced: number;
  received: number;
  reported: number;
}

/**
 * All mistakes of a delivery: products that were not announced, and more units than the document accepts. Good and bad
 * units count alike.
 */
export function mistakesIn(
  reported: ReportedUnits[],
  awaited: Map<number, Awaited>,
  overDeliveryPercent: number,
): DeliveryMistake[] {
  return sumBySku(reported).flatMap(({ skuId, productId, qty }): DeliveryMistake[] => {
    const known = productId === null ? undefined : awaited.get(productId);
    if (!known) return [{ kind: 'not_announced', skuId, announced: 0, received: 0, reported: qty }];
    const { announced, received } = known;
    const acceptedMax = acceptedMaxOf(announced, overDeliveryPercent);
    return received + qty > acceptedMax
      ? [{ kind: 'too_many', skuId, announced, received, reported: qty, acceptedMax }]
      : [];
  });
}

function sumBySku(reported: ReportedUnits[]): ReportedUnits[] {
  const sums = new Map<string, ReportedUnits>();
  for (const units of reported) sums.set(units.skuId, { ...units, qty: units.qty + (sums.get(units.skuId)?.qty ?? 0) });
  return [...sums.values()];
}

/** Whole units, rounded down. Computed in hundreds, because the full product might be too large to be exact. */
export function acceptedMaxOf(announced: number, overDeliveryPercent: number): number {
  const rest = announced % 100;
  return announced + ((announced - rest) / 100) * overDeliveryPercent + Math.floor((rest * overDeliveryPercent) / 100);
}

/** The expected units after these units have arrived; units that were not announced make no difference. */
export function awaitedAfter(
  awaited: Map<number, Awaited>,
  units: { productId: number | null; qty: number }[],
): Map<number, Awaited> {
  const after = new Map(awaited);
  for (const { productId, qty } of units) {
    const known = productId === null ? undefined : after.get(productId);
    if (known) after.set(known.productId, { ...known, received: known.received + qty });
  }
  return after;
}

/** Whether all announced units have arrived. */
export function hasAllCome(awaited: Iterable<Awaited>): boolean {
  return [...awaited].every(({ announced, received }) => received >= announced);
}
