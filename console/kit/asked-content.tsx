import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Loading } from './loading.tsx';
import type { Asked } from './use-ask.ts';

export interface AskedContentProps<Answer> {
  asked: Asked<Answer>;
  /** Number of placeholder lines while loading. */
  lines?: number;
  children(answer: Answer): ReactNode;
}

/** Shows the response, or the loading or error state. */
export function AskedContent<Answer>({ asked, lines = 6, children }: AskedContentProps<Answer>) {
  if (asked.answer !== undefined) return <>{children(asked.answer)}</>;
  if (asked.error) return <ErrorState error={asked.error} onRetry={asked.askAgain} />;
  return <Loading lines={lines} />;
}
