import type { LruCache } from './lru-cache.ts';
import type { SharedCounts } from './shared-counts.ts';

/** Counts in milliseconds that decay by themselves: after that time without an addition, a key is back at zero. */
export interface DecayingCounts {
  /** Milliseconds until the key is back at zero. */
  leftMs(key: string, nowMs: number): number;
  /** A negative number takes an addition back. */
  add(key: string, milliseconds: number, nowMs: number): void;
}

/** `name` is the same in all processes of the node, which share these counts. */
export function makeDecayingCounts(options: {
  name: string;
  counts: SharedCounts;
  zeroAtMs: Pick<LruCache<number>, 'get' | 'set'>;
  leftMaxMs?: number;
  nowMs?: () => number;
}): DecayingCounts {
  const { name, counts, zeroAtMs, leftMaxMs = Number.POSITIVE_INFINITY, nowMs = () => performance.now() } = options;
  const report = counts.additions(
    name,
    (key, milliseconds, ageMs) => apply(key, milliseconds, nowMs(), ageMs),
    leftMaxMs,
  );

  function apply(key: string, milliseconds: number, now: number, ageMs: number): void {
    const atZeroMs = Math.max(zeroAtMs.get(key) ?? Number.NEGATIVE_INFINITY, now - ageMs) + milliseconds;
    zeroAtMs.set(key, Math.min(atZeroMs, now + leftMaxMs));
  }

  return {
    leftMs: (key, now) => Math.max(0, (zeroAtMs.get(key) ?? Number.NEGATIVE_INFINITY) - now),
    add(key, milliseconds, now) {
      apply(key, milliseconds, now, 0);
      report(key, milliseconds);
    },
  };
}
