import { makeDecayingCounts } from './decaying-counts.ts';
import { type SharedCounts, unshared } from './shared-counts.ts';

/** Takes one unit, or returns after how many seconds one will be available. */
export type RateLimit = (key: string) => { kind: 'allowed' } | { kind: 'limited'; retryAfterSeconds: number };

const allowed = { kind: 'allowed' } as const;
/** Units of a second that is divided by 3 or 7 do not add up to exactly one second. */
const roundingMs = 0.001;

/**
 * A token bucket per key that holds the units of one second and refills steadily. It is kept as the time that the units
 * in use need to refill. Keys are authenticated accounts, so their number is bounded.
 */
export function makeRateLimit(
  perSecond: number | null,
  { nowMs = () => performance.now(), counts = unshared }: { nowMs?: () => number; counts?: SharedCounts } = {},
): RateLimit {
  if (perSecond === null) return () => allowed;
  const unitMs = 1000 / perSecond;
  const inUse = makeDecayingCounts({ name: 'rate', counts, zeroAtMs: new Map<string, number>(), nowMs });

  return (key) => {
    const now = nowMs();
    const missingMs = inUse.leftMs(key, now) + unitMs - 1000;
    if (missingMs > roundingMs) return { kind: 'limited', retryAfterSeconds: Math.max(1, Math.ceil(missingMs / 1000)) };
    inUse.add(key, unitMs, now);
    return allowed;
  };
}
