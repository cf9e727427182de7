import { contentDigest } from '../../platform/content-digest.ts';
import type { ArrivedUnits } from './arrived-units.ts';
import type { Overfull } from './receipts.ts';

/** What the warehouse says of a delivery, beside its number: units as it found them, and whether more is to come. */
export interface DeliveryContent {
  lines: ArrivedUnits[];
  isFinal: boolean;
}

/** Tells whether a repeat says the same as the original, whatever the order of its fields. */
export function deliveryDigest({ lines, isFinal }: DeliveryContent): string {
  return contentDigest([
    isFinal,
    lines.map(({ skuId, stockType, batchId, expireDate, qty }) => [skuId, stockType, batchId, expireDate, qty]),
  ]);
}

/** What a document says of one of its products, and what has come of it. */
export interface Awaited {
  productId: number;
  announced: number;
  received: number;
}

/** Units that the warehouse reports. A productId of null: not registered. */
export interface ReportedUnits {
  skuId: string;
  productId: number | null;
  qty: number;
}

/** Why a delivery is not accepted as it was reported. */
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

/** All that is wrong with a delivery: products that nobody announced, and more units than the document allows. Good and bad count alike. */
export function mistakesIn(reported: ReportedUnits[], awaited: Map<number, Awaited>, overDeliveryPercent: number): DeliveryMistake[] {
  return sumBySku(reported).flatMap(({ skuId, productId, qty }): DeliveryMistake[] => {
    const known = productId === null ? undefined : awaited.get(productId);
    if (!known) return [{ kind: 'not_announced', skuId, announced: 0, received: 0, reported: qty }];
    const { announced, received } = known;
    const acceptedMax = acceptedMaxOf(announced, overDeliveryPercent);
    return received + qty > acceptedMax ? [{ kind: 'too_many', skuId, announced, received, reported: qty, acceptedMax }] : [];
  });
}

function sumBySku(reported: ReportedUnits[]): ReportedUnits[] {
  const sums = new Map<string, ReportedUnits>();
  for (const units of reported) sums.set(units.skuId, { ...units, qty: units.qty + (sums.get(units.skuId)?.qty ?? 0) });
  return [...sums.values()];
}

/** Whole units, rounded down; by hundreds, since the product of both might be too large to be exact. */
export function acceptedMaxOf(announced: number, overDeliveryPercent: number): number {
  const rest = announced % 100;
  return announced + ((announced - rest) / 100) * overDeliveryPercent + Math.floor((rest * overDeliveryPercent) / 100);
}

/** What is awaited once these units have come too; those that nobody announced make no difference. */
export function awaitedAfter(awaited: Map<number, Awaited>, units: { productId: number | null; qty: number }[]): Map<number, Awaited> {
  const after = new Map(awaited);
  for (const { productId, qty } of units) {
    const known = productId === null ? undefined : after.get(productId);
    if (known) after.set(known.productId, { ...known, received: known.received + qty });
  }
  return after;
}

/** Nothing of what was announced is still to come. */
export function hasAllCome(awaited: Iterable<Awaited>): boolean {
  return [...awaited].every(({ announced, received }) => received >= announced);
}
