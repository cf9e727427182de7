import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for its turn; null where none is needed. */
export type Pace = () => Promise<void> | null;

/** Lets `perSecond` a second through, after a quiet second as many at once; nobody waits longer than `waitMaxMs`. */
export function makePace(options: { perSecond: number; waitMaxMs: number }): Pace {
  const everyMs = 1000 / options.perSecond;
  let nextMs = Number.NEGATIVE_INFINITY;

  return () => {
    const now = performance.now();
    nextMs = Math.min(Math.max(nextMs, now - 1000) + everyMs, now + options.waitMaxMs);
    return nextMs <= now ? null : sleep(nextMs - now);
  };
}
