import type { Message } from '../../messages/message.ts';
import { outcome } from '../../messages/outcome-texts.ts';
import { type PushRules, retrySeconds } from '../domain/transfers/transfer.ts';
import type { FailedTry } from '../domain/transfers/transfer-orders.ts';
import type { Wave, WaveEnd } from '../domain/transfers/transfer-schedule-queries.ts';

/** Why a wave ended before all its orders were transferred. */
export type Stop =
  | ({ kind: 'failed' } & FailedTry)
  /** The worker shuts down, or the connector of the warehouse has changed. The next wave starts over. */
  | { kind: 'interrupted' }
  /** The wave has used up its time, and other waves are due. */
  | { kind: 'turn_over' }
  /** Another worker has taken over the wave. */
  | { kind: 'lost' };

/** The counts of a running wave. */
export interface WaveProgress {
  transferred: number;
  rejected: number;
  /** Transfers on which the warehouse fails even when they are posted alone. The next wave retries them. */
  blocked: Set<string>;
  /** The longest `Retry-After` among the responses to blocked transfers. */
  blockedRetryAfterSeconds: number;
}

export function newProgress(): WaveProgress {
  return { transferred: 0, rejected: 0, blocked: new Set(), blockedRetryAfterSeconds: 0 };
}

/** The schedule after a wave that ended without a failure. `random` is at least 0 and below 1. */
export function scheduleAfter(
  stop: { kind: 'interrupted' | 'turn_over' } | null,
  wave: Pick<Wave, 'failures'>,
  progress: WaveProgress,
  rules: PushRules,
  random: number,
): WaveEnd {
  const counts = describeProgress(progress);
  if (stop?.kind === 'interrupted')
    return { failures: wave.failures, outcome: outcome('wave_interrupted', { counts }), afterSeconds: 0 };
  const failures = failuresKept(progress, rules);
  if (stop?.kind === 'turn_over') return { failures, outcome: outcome('wave_turn_over', { counts }), afterSeconds: 0 };
  return { failures, outcome: counts, afterSeconds: blockedRetrySeconds(progress, rules, random) };
}

/** Consecutive failures before this wave failed. A wave that has transferred orders shows that the warehouse works. */
export function failuresBefore(wave: Pick<Wave, 'failures'>, progress: WaveProgress, rules: PushRules): number {
  return hasResults(progress) ? Math.max(0, failuresKept(progress, rules) - 1) : wave.failures;
}

export function hasResults({ transferred, rejected }: WaveProgress): boolean {
  return transferred + rejected > 0;
}

/** While orders are blocked, the next wave isolates them from its first post on. */
function failuresKept({ blocked }: WaveProgress, rules: PushRules): number {
  return blocked.size > 0 ? rules.isolatedAfterFailures : 0;
}

/** null: the next wave follows its schedule. */
function blockedRetrySeconds(progress: WaveProgress, rules: PushRules, random: number): number | null {
  if (progress.blocked.size === 0) return null;
  return retrySeconds(rules.isolatedAfterFailures, progress.blockedRetryAfterSeconds, rules, random);
}

function describeProgress({ transferred, rejected, blocked }: WaveProgress): Message {
  const counts = { count: transferred, rejected };
  return blocked.size === 0
    ? outcome('transferred', counts)
    : outcome('transferred_but_blocked', { ...counts, blocked: blocked.size });
}
