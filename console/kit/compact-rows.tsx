import { ActionIcon } from '@mantine/core';
import { IconBaselineDensitySmall } from '@tabler/icons-react';
import { useState } from 'react';
import { useWords } from './language.tsx';
import { readStored, writeStored } from './stored.ts';
import { words } from './words.ts';

const storageName = 'compact-rows';

/** Whether rows are low, on all pages of this browser. */
export function useCompactRows(): [boolean, (isCompact: boolean) => void] {
  const [isCompact, setCompact] = useState(() => readStored(storageName) === '1');
  const change = (next: boolean) => {
    writeStored(storageName, next ? '1' : '0');
    setCompact(next);
  };
  return [isCompact, change];
}

export function CompactSwitch({ isCompact, onChange }: { isCompact: boolean; onChange(isCompact: boolean): void }) {
  const say = useWords(words);
  return (
    <ActionIcon
      size="lg"
      title={say.compactRows}
      aria-label={say.compactRows}
      aria-pressed={isCompact}
      variant={isCompact ? 'light' : 'subtle'}
      onClick={() => onChange(!isCompact)}
    >
      <IconBaselineDensitySmall size={16} />
    </ActionIcon>
  );
}
