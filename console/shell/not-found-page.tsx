import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../kit/empty-state.tsx';
import { useWords } from '../kit/language.tsx';
import { PageHeader } from '../kit/page-header.tsx';
import { words } from './words.ts';

export function NotFoundPage() {
  const say = useWords(words);
  return (
    <>
      <PageHeader title={say.notFoundTitle} />
      <EmptyState
        icon={<IconMapPinOff size={28} stroke={1.4} />}
        title={say.notFoundTitle}
        hint={say.notFoundHint}
        action={
          <Button component={Link} to="/">
            {say.toHome}
          </Button>
        }
      />
    </>
  );
}
