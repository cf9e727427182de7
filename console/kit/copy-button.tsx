import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';

export interface CopyButtonProps {
  value: string;
  /** The accessible name: "order number". */
  label: string;
}

export function CopyButton({ value, label }: CopyButtonProps) {
  const words = useWords(sharedWords);
  const clipboard = useClipboard({ timeout: 1500 });
  const text = clipboard.copied ? words.copied : words.copyOf(label);
  return (
    <Tooltip label={text}>
      <ActionIcon
        size="sm"
        aria-label={text}
        onClick={() => clipboard.copy(value)}
        color={clipboard.copied ? 'sea' : 'gray'}
      >
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
