import type { ReactNode } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { useMay } from '../../kit/session.tsx';
import { words } from './words.ts';

/** Nothing there yet, or nothing that fits the filters. */
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
  if (onClear) return <NothingFits title={say.empty.nothingFits} hint={say.empty.nothingFitsHint} onClear={onClear} />;
  return <EmptyState title={title} hint={mayChange ? hint : `${hint} ${say.empty.look}`} {...(mayChange && { action })} />;
}
