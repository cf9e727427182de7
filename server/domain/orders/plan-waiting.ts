import { sellableFrom, type Tenant } from '../partners/tenant.ts';
import type { ArrangedLots } from '../stock/arrange-lots.ts';
import { type Demand, type Picked, planAllocation } from '../stock/plan-allocation.ts';

/**
 * The units that an order waits for. For an order that is not served now, only the units that other orders might get
 * instead.
 */
export interface Waiting {
  orderId: number;
  toBeServed: boolean;
  /** The first expiry date that may be sold to this order; null: any date. */
  sellableFrom: string | null;
  lines: Demand[];
}

export interface Served {
  orderId: number;
  picks: Picked[];
}

/**
 * Serves waiting orders, oldest first. Units for an order that must keep waiting are reserved as they would be picked
 * today. Younger orders get only the remaining units, so they never overtake it, and orders that want other units do
 * not wait for it.
 */
export function planWaiting(waiting: Waiting[], arranged: ArrangedLots): Served[] {
  const served: Served[] = [];
  for (const { orderId, toBeServed, sellableFrom, lines } of waiting.toSorted((a, b) => a.orderId - b.orderId)) {
    const picks = keepFor(lines, arranged, sellableFrom);
    if (toBeServed && picks !== null) served.push({ orderId, picks });
  }
  return served;
}

/** Takes the wanted units out of the lots, or as many as there are; null if that is not all of them. */
export function keepFor(wanted: Demand[], arranged: ArrangedLots, sellableFrom: string | null): Picked[] | null {
  const plan = planAllocation(arranged, wanted, sellableFrom);
  for (const { lot, qty } of plan.picks) lot.locked += qty;
  return plan.kind === 'planned' ? plan.picks : null;
}

/** The same for the combined demand of several orders, each part by the shelf-life rule of its own orders. */
export function keepForAll(wanted: (Demand & ShelfLife)[], arranged: ArrangedLots, now: Date): void {
  for (const [sellableDaysBeforeExpiry, those] of Map.groupBy(wanted, (line) => line.sellableDaysBeforeExpiry)) {
    keepFor(those, arranged, sellableFrom({ sellableDaysBeforeExpiry }, now));
  }
}

type ShelfLife = Pick<Tenant, 'sellableDaysBeforeExpiry'>;
