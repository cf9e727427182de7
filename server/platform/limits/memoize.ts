import type { Clock } from '../clock.ts';

/** Shares one result of a slow query among all callers within `keptMs`. A failure is not cached. */
export function memoize<Result>(
  find: () => Promise<Result>,
  { clock, keptMs }: { clock: Clock; keptMs: number },
): () => Promise<Result> {
  let latest: Promise<Result> | null = null;
  let startedAtMs = Number.NEGATIVE_INFINITY;

  return () => {
    const ageMs = clock.now().getTime() - startedAtMs;
    if (latest !== null && ageMs >= 0 && ageMs < keptMs) return latest;
    startedAtMs = clock.now().getTime();
    const result = find();
    latest = result;
    result.catch(() => {
      if (latest === result) latest = null;
    });
    return result;
  };
}
