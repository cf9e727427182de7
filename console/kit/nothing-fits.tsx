import { Button } from '@mantine/core';
import { EmptyState } from './empty-state.tsx';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';

/** In the place of a list that is empty because of its filters. */
export function NothingFits({ title, hint, onClear }: { title: string; hint: string; onClear(): void }) {
  const shared = useWords(sharedWords);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {shared.verb.clearAll}
    </Button>
  );
  return <EmptyState title={title} hint={hint} action={clear} />;
}
