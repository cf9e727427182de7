import { compareForAllocation, freeOf, type Lot } from './lot.ts';

export interface Demand {
  productId: number;
  /** Only units of this batch; left out or null: of any. */
  batchId?: string | null;
  qty: number;
}

export interface Picked {
  lot: Lot;
  qty: number;
}

export type PassedOver = { lot: Lot; why: 'not_good' | 'expires_too_soon' | 'nothing_free' | 'not_needed' | 'another_batch' };
export type Shortage = { productId: number; available: number; requested: number };

export type AllocationPlan =
  /** Which lots are taken from; and of those that lay there too, why they are not. */
  | { kind: 'planned'; picks: Picked[]; passedOver: PassedOver[] }
  /** The picks are then what there would be for it. */
  | { kind: 'short'; picks: Picked[]; shortages: Shortage[]; passedOver: PassedOver[] };

/**
 * Decides which lots an order takes from: good stock only, earliest expiry first, then the oldest lot. All or nothing; the same product
 * on several lines is one demand, but for lines that name a batch, which choose first. `sellableFrom` is the first expiry date that may
 * still be sold.
 */
export function planAllocation(lots: Lot[], demands: Demand[], sellableFrom: string | null): AllocationPlan {
  const picks: Picked[] = [];
  const shortages: Shortage[] = [];
  const passedOver: PassedOver[] = [];
  const lotsOf = Map.groupBy(lots, (lot) => lot.productId);
  const taken = new Map<Lot, number>();
  for (const { productId, batchId, qty: requested } of sumUp(demands)) {
    let wanted = requested;
    let available = 0;
    for (const lot of (lotsOf.get(productId) ?? []).sort(compareForAllocation)) {
      const free = freeOf(lot) - (taken.get(lot) ?? 0);
      const why = whyNotSold(lot, free, batchId, sellableFrom);
      if (why !== null || wanted === 0) {
        passedOver.push({ lot, why: why ?? 'not_needed' });
        continue;
      }
      available += free;
      const qty = Math.min(wanted, free);
      picks.push({ lot, qty });
      if (batchId !== null) taken.set(lot, (taken.get(lot) ?? 0) + qty);
      wanted -= qty;
    }
    if (wanted > 0) shortages.push({ productId, available, requested });
  }
  return shortages.length > 0 ? { kind: 'short', picks, shortages, passedOver } : { kind: 'planned', picks, passedOver };
}

function whyNotSold(lot: Lot, free: number, batchId: string | null, sellableFrom: string | null): PassedOver['why'] | null {
  if (lot.stockType !== 'good') return 'not_good';
  if (batchId !== null && lot.batchId !== batchId) return 'another_batch';
  if (sellableFrom !== null && lot.expireDate !== null && lot.expireDate < sellableFrom) return 'expires_too_soon';
  return free > 0 ? null : 'nothing_free';
}

/** One demand for each product and batch, those of a batch before those of any. */
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
