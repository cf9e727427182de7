import { type Lane, laneName } from './callback.ts';
import type { CallbackCounts } from './callback-trend-queries.ts';
import { latencyClass, latencyLimitsMs } from './latency.ts';
import type { Verdict } from './retry-schedule.ts';

interface RecordedAttempt {
  finished: {
    callback: Lane & { documentId: number };
    attempted: { kind: 'answered' | 'unanswered'; durationMs: number } | { kind: 'unsigned' | 'untried' };
  };
  /** null: it was not attempted. */
  verdict: Verdict | null;
}

/** The results by receiver, without test callbacks with an example body: they belong to no document. */
export function countAttempts(
  recorded: readonly RecordedAttempt[],
  givenUp: readonly (Lane & { documentId: number })[],
): CallbackCounts[] {
  const sums = new Map<string, CallbackCounts>();
  const countsOf = ({ accountId, receiverId, documentId }: Lane & { documentId: number }) => {
    if (documentId < 0) return null;
    const name = laneName({ accountId, receiverId });
    const sum = sums.get(name) ?? {
      ...{ accountId, receiverId, attempts: 0, failed: 0, delivered: 0, givenUp: 0 },
      latency: Array.from({ length: latencyLimitsMs.length + 1 }, () => 0),
    };
    sums.set(name, sum);
    return sum;
  };
  for (const { finished, verdict } of recorded) {
    const sum = verdict === null ? null : countsOf(finished.callback);
    if (sum === null) continue;
    sum.attempts += 1;
    if (verdict!.kind === 'delivered') sum.delivered += 1;
    else sum.failed += 1;
    if (verdict!.kind === 'failed') sum.givenUp += 1;
    if (finished.attempted.kind === 'answered') sum.latency[latencyClass(finished.attempted.durationMs)]! += 1;
  }
  for (const callback of givenUp) {
    const sum = countsOf(callback);
    if (sum !== null) sum.givenUp += 1;
  }
  return [...sums.values()];
}
