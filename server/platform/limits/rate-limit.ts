/** Takes one unit, or returns after how many seconds one will be available. */
export type RateLimit = (key: string) => { kind: 'allowed' } | { kind: 'limited'; retryAfterSeconds: number };

const allowed = { kind: 'allowed' } as const;

/**
 * A token bucket per key that holds the units of one second and refills steadily. Keys are authenticated accounts, so
 * their number is bounded.
 */
export function makeRateLimit(perSecond: number | null, nowMs: () => number = () => performance.now()): RateLimit {
  if (perSecond === null) return () => allowed;
  const buckets = new Map<string, { level: number; atMs: number }>();

  return (key) => {
    const now = nowMs();
    const bucket = buckets.get(key) ?? { level: perSecond, atMs: now };
    bucket.level = Math.min(perSecond, bucket.level + ((now - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = now;
    buckets.set(key, bucket);
    if (bucket.level >= 1) {
      bucket.level -= 1;
      return allowed;
    }
    return { kind: 'limited', retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.level) / perSecond)) };
  };
}
