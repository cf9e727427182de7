import { useEffect, useState } from 'react';
import type { AskError } from '../../kit/ask-error.ts';
import { formatError } from '../../kit/notices.tsx';

export type Failure = { kind: 'refused' } | { kind: 'throttled'; untilMs: number } | { kind: 'error'; error: AskError };

type Outcome = { kind: 'signed_in' } | { kind: 'refused' } | { kind: 'throttled'; retry_after_s: number };

export function failureOf(outcome: Outcome): Failure | null {
  if (outcome.kind === 'signed_in') return null;
  if (outcome.kind === 'refused') return { kind: 'refused' };
  return { kind: 'throttled', untilMs: Date.now() + outcome.retry_after_s * 1000 };
}

export function formatFailure(
  failure: Failure,
  waitSeconds: number,
  say: { refused: string; throttled(seconds: number): string },
  kinds: Record<AskError['kind'], string>,
): string | null {
  switch (failure.kind) {
    case 'refused':
      return say.refused;
    case 'throttled':
      return waitSeconds > 0 ? say.throttled(waitSeconds) : null;
    case 'error':
      return formatError(failure.error, kinds);
    default:
      return failure satisfies never;
  }
}

export function useSecondsUntil(untilMs: number): number {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (untilMs <= Date.now()) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
}
