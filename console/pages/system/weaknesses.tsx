import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { SystemOverview } from '../../../contract/console/system.ts';
import { useWords } from '../../kit/language.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { words } from './words.ts';

/** The title's own colour, dark yellow on light yellow, has too little contrast. */
const readableTitle = { title: { color: 'var(--mantine-color-text)' } };

export function Weaknesses({ weaknesses }: Pick<SystemOverview, 'weaknesses'>) {
  const say = useWords(words);
  if (weaknesses.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={16} />} title={say.weaknesses} styles={readableTitle}>
      <List size="sm" spacing="xs">
        {weaknesses.map((weakness) => (
          <List.Item key={weakness.code}>
            <ServerText text={weakness} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
