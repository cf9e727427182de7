import { sellableFrom, type Tenant } from '../partners/tenant.ts';
import type { ArrangedLots } from '../stock/arrange-lots.ts';
import { type Demand, type Picked, planAllocation } from '../stock/plan-allocation.ts';

/** What an order waits for; where it is not to be served now, only that part of it for which others might be served. */
export interface Waiting {
  orderId: number;
  toBeServed: boolean;
  /** The first expiry date that may be sold to it; null: every date. */
  sellableFrom: string | null;
  lines: Demand[];
}

export interface Served {
  orderId: number;
  picks: Picked[];
}

/**
 * Serves waiting orders, the oldest first. What there is for an order that must wait on is kept for it, as it would be picked today: younger
 * ones have what is beyond that, so that it is never overtaken, and others do not wait for its sake.
 */
export function planWaiting(waiting: Waiting[], arranged: ArrangedLots): Served[] {
  const served: Served[] = [];
  for (const { orderId, toBeServed, sellableFrom, lines } of waiting.toSorted((a, b) => a.orderId - b.orderId)) {
    const picks = keepFor(lines, arranged, sellableFrom);
    if (toBeServed && picks !== null) served.push({ orderId, picks });
  }
  return served;
}

/** Takes what is wanted out of the lots, or as much of it as there is; null where that is not all. */
export function keepFor(wanted: Demand[], arranged: ArrangedLots, sellableFrom: string | null): Picked[] | null {
  const plan = planAllocation(arranged, wanted, sellableFrom);
  for (const { lot, qty } of plan.picks) lot.locked += qty;
  return plan.kind === 'planned' ? plan.picks : null;
}

/** The same for what several orders want together, each part by the rule of its own orders. */
export function keepForAll(wanted: (Demand & ShelfLife)[], arranged: ArrangedLots, now: Date): void {
  for (const [sellableDaysBeforeExpiry, those] of Map.groupBy(wanted, (line) => line.sellableDaysBeforeExpiry)) {
    keepFor(those, arranged, sellableFrom({ sellableDaysBeforeExpiry }, now));
  }
}

type ShelfLife = Pick<Tenant, 'sellableDaysBeforeExpiry'>;
