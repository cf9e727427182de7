import { setTimeout as sleep } from 'node:timers/promises';
import { makeDecayingCounts } from './decaying-counts.ts';
import { type SharedCounts, unshared } from './shared-counts.ts';

/** Resolves when the caller may go on; null: at once. */
export type Throttle = () => Promise<void> | null;

/** The sum of many parts of a second is not exactly a second. */
const roundingMs = 0.001;
/** A throttle has one key. */
const all = '';

/**
 * Lets `perSecond` callers through per second, and as many at once after a quiet second. Nobody waits longer than
 * `waitMaxMs`.
 */
export function makeThrottle(options: {
  name?: string;
  perSecond: number;
  waitMaxMs: number;
  counts?: SharedCounts;
}): Throttle {
  const { name = 'throttle', perSecond, waitMaxMs, counts = unshared } = options;
  const zeroAtMs = new Map<string, number>();
  const admitted = makeDecayingCounts({ name, counts, zeroAtMs, leftMaxMs: 1000 + waitMaxMs });

  return () => {
    const now = performance.now();
    admitted.add(all, 1000 / perSecond, now);
    const waitMs = admitted.leftMs(all, now) - 1000;
    return waitMs <= roundingMs ? null : sleep(waitMs);
  };
}
