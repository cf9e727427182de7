/** The upper limits of the classes of response times, in milliseconds; slower responses are in one more class. */
export const latencyLimitsMs = [
  5, 10, 20, 35, 50, 75, 100, 150, 200, 350, 500, 750, 1000, 1500, 2000, 3500, 5000, 10_000,
];

export function latencyClass(durationMs: number): number {
  const found = latencyLimitsMs.findIndex((limit) => durationMs < limit);
  return found === -1 ? latencyLimitsMs.length : found;
}

/**
 * The time within which this part of the responses came, between the limits of its class. Of the slowest class only the
 * lower limit is known. null: there were none.
 */
export function latencyWithin(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = part * total;
  const place = counts.findIndex((count) => {
    if (count >= left && count > 0) return true;
    left -= count;
    return false;
  });
  const lowest = place === 0 ? 0 : latencyLimitsMs[place - 1]!;
  const highest = latencyLimitsMs[place] ?? lowest;
  return Math.round(lowest + ((highest - lowest) * left) / counts[place]!);
}
