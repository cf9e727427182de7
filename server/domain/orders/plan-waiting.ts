import type { ArrangedLots } from '../stock/arrange-lots.ts';
import { type Demand, type Picked, planAllocation } from '../stock/plan-allocation.ts';

/** What an order waits for; where it is not to be served now, only that part of it for which others might be served. */
export interface Waiting {
  orderId: number;
  toBeServed: boolean;
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
  for (const { orderId, toBeServed, lines } of waiting.toSorted((a, b) => a.orderId - b.orderId)) {
    const picks = keepFor(lines, arranged);
    if (toBeServed && picks !== null) served.push({ orderId, picks });
  }
  return served;
}

/** Takes what is wanted out of the lots, or as much of it as there is; null where that is not all. */
export function keepFor(wanted: Demand[], arranged: ArrangedLots): Picked[] | null {
  const plan = planAllocation(arranged, wanted, null);
  for (const { lot, qty } of plan.picks) lot.locked += qty;
  return plan.kind === 'planned' ? plan.picks : null;
}
