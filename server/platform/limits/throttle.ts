import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the caller may go on; null: at once. */
export type Throttle = () => Promise<void> | null;

/**
 * Lets `perSecond` callers through per second, and as many at once after a quiet second. Nobody waits longer than
 * `waitMaxMs`.
 */
export function makeThrottle(options: { perSecond: number; waitMaxMs: number }): Throttle {
  const everyMs = 1000 / options.perSecond;
  let nextMs = Number.NEGATIVE_INFINITY;

  return () => {
    const now = performance.now();
    nextMs = Math.min(Math.max(nextMs, now - 1000) + everyMs, now + options.waitMaxMs);
    return nextMs <= now ? null : sleep(nextMs - now);
  };
}
