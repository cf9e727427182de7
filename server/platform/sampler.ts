/** Decides which of many similar events are written down one by one. */
export interface Sampler<Item> {
  /** Whether to write this one; otherwise it is counted under its cause. */
  admits(cause: string, item: Item): boolean;
  /** For each cause: how many were not admitted since the last time, and the last of them. Each takes one from the budget of the day, or waits for it. */
  takeSuppressed(): { item: Item; count: number }[];
}

export interface SamplingRules {
  /** For each cause: so many at once, then so many a second. */
  burst: number;
  perSecond: number;
  /** Of all causes together. */
  perDay: number;
}

const daySeconds = 86_400;

/** The number of causes must be bounded by the caller. */
export function makeSampler<Item>(
  { burst, perSecond, perDay }: SamplingRules,
  nowMs: () => number = () => performance.now(),
): Sampler<Item> {
  const day = makeBucket(perDay, perDay / daySeconds, nowMs);
  const causes = new Map<string, { bucket: Bucket; suppressed: { item: Item; count: number } | null }>();

  return {
    admits(cause, item) {
      const known = causes.get(cause) ?? { bucket: makeBucket(burst, perSecond, nowMs), suppressed: null };
      causes.set(cause, known);
      if (known.bucket.has() && day.has()) {
        known.bucket.take();
        day.take();
        return true;
      }
      known.suppressed = { item, count: (known.suppressed?.count ?? 0) + 1 };
      return false;
    },
    takeSuppressed() {
      const taken: { item: Item; count: number }[] = [];
      for (const [cause, known] of causes) {
        if (known.suppressed !== null && day.has()) {
          day.take();
          taken.push(known.suppressed);
          known.suppressed = null;
        }
        if (known.suppressed === null && known.bucket.isFull()) causes.delete(cause);
      }
      return taken;
    },
  };
}

type Bucket = ReturnType<typeof makeBucket>;

function makeBucket(max: number, perSecond: number, nowMs: () => number) {
  let level = max;
  let atMs = nowMs();
  function refilled(): number {
    const now = nowMs();
    level = Math.min(max, level + ((now - atMs) / 1000) * perSecond);
    atMs = now;
    return level;
  }
  return {
    has: () => refilled() >= 1,
    isFull: () => refilled() >= max,
    take() {
      level--;
    },
  };
}
