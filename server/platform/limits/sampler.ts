/** Decides which of many similar events are recorded individually. */
export interface Sampler<Item> {
  /** Whether to record this event; otherwise it is counted under its cause. */
  admits(cause: string, item: Item): boolean;
  /**
   * Returns the number of suppressed events per cause since the last time, each with the latest event. Each result uses
   * one unit of the daily budget, or waits for it.
   */
  takeSuppressed(): { item: Item; count: number }[];
}

export interface SamplingRules {
  /** Per cause: a burst, then a steady rate. */
  burst: number;
  perSecond: number;
  /** For all causes together. */
  perDay: number;
}

const daySeconds = 86_400;

/** The caller has to limit the number of causes. */
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
