import type { ReactNode } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { NoMatches } from '../../kit/no-matches.tsx';
import { useMay } from '../../kit/session.tsx';
import { words } from './words.ts';

/** Shown when there are no partners yet, or when none match the filters. */
export function PartnerEmpty({
  title,
  hint,
  action,
  onClear,
}: {
  title: string;
  hint: string;
  action?: ReactNode;
  onClear?: (() => void) | undefined;
}) {
  const say = useWords(words);
  const mayChange = useMay('admin');
  if (onClear) return <NoMatches title={say.empty.noMatches} hint={say.empty.nothingFitsHint} onClear={onClear} />;
  return (
    <EmptyState title={title} hint={mayChange ? hint : `${hint} ${say.empty.look}`} {...(mayChange && { action })} />
  );
}
