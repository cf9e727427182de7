import type { ArrangedLots } from './arrange-lots.ts';
import { compareForAllocation, freeOf, type Lot } from './lot.ts';

export interface Demand {
  productId: number;
  /** Only units of this batch; missing or null: any batch. */
  batchId?: string | null;
  qty: number;
}

export interface Picked {
  lot: Lot;
  qty: number;
}

export type Shortage = { productId: number; available: number; requested: number };

export type AllocationPlan =
  | { kind: 'planned'; picks: Picked[] }
  /** The picks are the units that would be available. */
  | { kind: 'short'; picks: Picked[]; shortages: Shortage[] };

/**
 * Decides which lots an order takes from: good stock only, earliest expiry first, then the oldest lot. All or nothing.
 * Several lines with the same product are one demand, except lines that name a batch, which choose first.
 * `sellableFrom` is the first expiry date that may still be sold.
 */
export function planAllocation(arranged: ArrangedLots, demands: Demand[], sellableFrom: string | null): AllocationPlan {
  const picks: Picked[] = [];
  const shortages: Shortage[] = [];
  const taken = new Map<Lot, number>();
  for (const { productId, batchId, qty: requested } of sumUp(demands)) {
    let wanted = requested;
    for (const lot of arranged.lotsOf(productId, batchId)) {
      const free = freeOf(lot) - (taken.get(lot) ?? 0);
      if (whyNotSold(lot, free, sellableFrom) !== null) continue;
      const qty = Math.min(wanted, free);
      picks.push({ lot, qty });
      if (batchId !== null) taken.set(lot, (taken.get(lot) ?? 0) + qty);
      wanted -= qty;
      if (wanted === 0) break;
    }
    if (wanted > 0) shortages.push({ productId, available: requested - wanted, requested });
  }
  return shortages.length > 0 ? { kind: 'short', picks, shortages } : { kind: 'planned', picks };
}

function whyNotSold(
  lot: Lot,
  free: number,
  sellableFrom: string | null,
): 'not_good' | 'expires_too_soon' | 'nothing_free' | null {
  if (lot.stockType !== 'good') return 'not_good';
  if (sellableFrom !== null && lot.expireDate !== null && lot.expireDate < sellableFrom) return 'expires_too_soon';
  return free > 0 ? null : 'nothing_free';
}

export type PassedOver = { lot: Lot; why: NonNullable<ReturnType<typeof whyNotSold>> | 'another_batch' | 'not_needed' };

/** The lots that existed at planning time and from which nothing is taken, and why. */
export function explainPassedOver(
  plan: AllocationPlan,
  lots: Lot[],
  demands: Demand[],
  sellableFrom: string | null,
): PassedOver[] {
  const taken = new Set(plan.picks.map(({ lot }) => lot));
  const batchesOf = new Map<number, Set<string | null>>();
  for (const { productId, batchId } of sumUp(demands))
    batchesOf.set(productId, (batchesOf.get(productId) ?? new Set()).add(batchId));
  return lots
    .filter((lot) => batchesOf.has(lot.productId) && !taken.has(lot))
    .sort(compareForAllocation)
    .map((lot) => {
      const batches = batchesOf.get(lot.productId)!;
      const isOfBatch = batches.has(null) || batches.has(lot.batchId);
      return { lot, why: isOfBatch ? (whyNotSold(lot, freeOf(lot), sellableFrom) ?? 'not_needed') : 'another_batch' };
    });
}

/** One demand per product and batch; demands with a batch come first. */
function sumUp(demands: Demand[]): { productId: number; batchId: string | null; qty: number }[] {
  const ofAny = new Map<number, number>();
  const ofBatch = new Map<string, { productId: number; batchId: string; qty: number }>();
  for (const { productId, batchId, qty } of demands) {
    if (batchId === undefined || batchId === null) {
      ofAny.set(productId, (ofAny.get(productId) ?? 0) + qty);
      continue;
    }
    const key = `${productId}/${batchId}`;
    ofBatch.set(key, { productId, batchId, qty: (ofBatch.get(key)?.qty ?? 0) + qty });
  }
  return [...ofBatch.values(), ...[...ofAny].map(([productId, qty]) => ({ productId, batchId: null, qty }))];
}
