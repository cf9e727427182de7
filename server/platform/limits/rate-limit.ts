import { makeDecayingCounts } from './decaying-counts.ts';
import { type SharedCounts, unshared } from './shared-counts.ts';

/** Takes one unit, or returns after how many seconds one will be available. */
export type RateLimit = (key: string) => { kind: 'allowed' } | { kind: 'limited'; retryAfterSeconds: number };

const allowed = { kind: 'allowed' } as const;
/** Units of a second that is divided by 3 or 7 do not add up to exactly one second. */
const roundingMs = 0.001;

interface RateLimitOptions {
  /** The same in all processes of a node, which share the counts. */
  name?: string;
  /** The bucket holds the units of so much time. */
  windowSeconds?: number;
  nowMs?: () => number;
  counts?: SharedCounts;
}

/**
 * A token bucket per key that holds the units of one second, or of the given time, and refills steadily. It is kept as the time that the units
 * in use need to refill. Keys are registered accounts, so their number is bounded.
 */
export function makeRateLimit(
  perSecond: number | null,
  { name = 'rate', windowSeconds = 1, nowMs = () => performance.now(), counts = unshared }: RateLimitOptions = {},
): RateLimit {
  if (perSecond === null) return () => allowed;
  const unitMs = 1000 / perSecond;
  const inUse = makeDecayingCounts({ name, counts, zeroAtMs: new Map<string, number>(), nowMs });

  return (key) => {
    const now = nowMs();
    const missingMs = inUse.leftMs(key, now) + unitMs - windowSeconds * 1000;
    if (missingMs > roundingMs) return { kind: 'limited', retryAfterSeconds: Math.max(1, Math.ceil(missingMs / 1000)) };
    inUse.add(key, unitMs, now);
    return allowed;
  };
}
