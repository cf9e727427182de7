import { Button } from '@mantine/core';
import { EmptyState } from './empty-state.tsx';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';

/** Shown instead of a list in which no row matches the filters. */
export function NoMatches({ title, hint, onClear }: { title: string; hint: string; onClear(): void }) {
  const shared = useWords(sharedWords);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {shared.verb.clearAll}
    </Button>
  );
  return <EmptyState title={title} hint={hint} action={clear} />;
}
