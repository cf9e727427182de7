import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
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
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  if (onClear) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {shared.verb.clearAll}
      </Button>
    );
    return <EmptyState title={say.empty.nothingFits} hint={say.empty.nothingFitsHint} action={clear} />;
  }
  return <EmptyState title={title} hint={mayChange ? hint : `${hint} ${say.empty.look}`} {...(mayChange && { action })} />;
}
