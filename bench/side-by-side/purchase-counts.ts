import type { BuyersReport } from './buyers.ts';
import type { Purchase } from './purchase.ts';

/** One order of a buyer. */
export interface Attempt {
  purchase: Purchase;
  ms: number;
  requests: number;
  /** From the start of the measurement to the end of this attempt. */
  endedMs: number;
  buyer: number;
}

export function countPurchases(attempts: Attempt[]): Omit<BuyersReport, 'seconds' | 'cpuShare'> {
  const accepted = attempts.filter(({ purchase }) => purchase.kind === 'accepted');
  const reasons = attempts.flatMap(({ purchase }) => (purchase.kind === 'failed' ? [purchase.reason] : []));
  return {
    accepted: accepted.length,
    refused: attempts.length - accepted.length - reasons.length,
    failed: reasons.length,
    example: reasons[0] ?? '',
    perSecond: sumOfRates(attempts),
    latenciesMs: Float64Array.from(accepted, ({ ms }) => ms).sort(),
    requestsPerOrder: accepted.reduce((sum, { requests }) => sum + requests, 0) / accepted.length,
  };
}

/**
 * The rate of each buyer until the end of its own last order, added up: an order of a slow service may take a large
 * part of a turn, and none is cut off.
 */
function sumOfRates(attempts: Attempt[]): number {
  const byBuyer = Map.groupBy(attempts, ({ buyer }) => buyer);
  return [...byBuyer.values()].reduce((sum, own) => {
    const accepted = own.filter(({ purchase }) => purchase.kind === 'accepted').length;
    return sum + (1000 * accepted) / own.at(-1)!.endedMs;
  }, 0);
}
