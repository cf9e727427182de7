import { Button, Code, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { EmptyState } from '../kit/empty-state.tsx';
import { useWords } from '../kit/language.tsx';
import { words } from './words.ts';

/** Shown for a bug in a page, or when a chunk no longer exists because a new version was installed. */
export function ErrorPage() {
  const say = useWords(words);
  const error = useRouteError();
  return (
    <div role="alert">
      <EmptyState
        icon={<IconAlertTriangle size={28} stroke={1.4} />}
        title={say.brokenTitle}
        hint={say.brokenHint}
        action={<Button onClick={() => window.location.reload()}>{say.reload}</Button>}
      />
      <Group justify="center">
        <Code>{error instanceof Error ? error.message : String(error)}</Code>
      </Group>
    </div>
  );
}
