import { compareForAllocation, freeOf, type Lot } from './lot.ts';

export interface Demand {
  productId: number;
  qty: number;
}

export interface Picked {
  lot: Lot;
  qty: number;
}

export type PassedOver = { lot: Lot; why: 'not_good' | 'expires_too_soon' | 'nothing_free' | 'not_needed' };
export type Shortage = { productId: number; available: number; requested: number };

export type AllocationPlan =
  /** Which lots are taken from; and of those that lay there too, why they are not. */
  { kind: 'planned'; picks: Picked[]; passedOver: PassedOver[] } | { kind: 'short'; shortages: Shortage[]; passedOver: PassedOver[] };

/**
 * Decides which lots an order takes from: good stock only, earliest expiry first, then the oldest lot. All or nothing; the same product
 * on several lines is one demand. `sellableFrom` is the first expiry date that may still be sold.
 */
export function planAllocation(lots: Lot[], demands: Demand[], sellableFrom: string | null): AllocationPlan {
  const picks: Picked[] = [];
  const shortages: Shortage[] = [];
  const passedOver: PassedOver[] = [];
  const lotsOf = Map.groupBy(lots, (lot) => lot.productId);
  for (const { productId, qty: requested } of sumByProduct(demands)) {
    let wanted = requested;
    let available = 0;
    for (const lot of (lotsOf.get(productId) ?? []).sort(compareForAllocation)) {
      const why = whyNotSold(lot, sellableFrom);
      if (why !== null || wanted === 0) {
        passedOver.push({ lot, why: why ?? 'not_needed' });
        continue;
      }
      available += freeOf(lot);
      const qty = Math.min(wanted, freeOf(lot));
      picks.push({ lot, qty });
      wanted -= qty;
    }
    if (wanted > 0) shortages.push({ productId, available, requested });
  }
  return shortages.length > 0 ? { kind: 'short', shortages, passedOver } : { kind: 'planned', picks, passedOver };
}

function whyNotSold(lot: Lot, sellableFrom: string | null): PassedOver['why'] | null {
  if (lot.stockType !== 'good') return 'not_good';
  if (sellableFrom !== null && lot.expireDate !== null && lot.expireDate < sellableFrom) return 'expires_too_soon';
  return freeOf(lot) > 0 ? null : 'nothing_free';
}

function sumByProduct(demands: Demand[]): Demand[] {
  const sums = new Map<number, number>();
  for (const { productId, qty } of demands) sums.set(productId, (sums.get(productId) ?? 0) + qty);
  return [...sums].map(([productId, qty]) => ({ productId, qty }));
}
