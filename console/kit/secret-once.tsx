import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';
import { words } from './words.ts';

export interface SecretOnceProps {
  /** null closes the dialog. */
  secret: string | null;
  /** The title: "New secret of account 10001". */
  title: string;
  /** The name for the copy button: "secret". */
  label: string;
  /** What to do with it. */
  children?: ReactNode;
  onClose(): void;
}

/** Shows a secret once. Escape and clicks outside do not close it, so that it is not lost by mistake. */
export function SecretOnce({ secret, title, label, children, onClose }: SecretOnceProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnEscape={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <Stack gap="md">
        {children}
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Code block style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {secret}
          </Code>
          <CopyButton value={secret ?? ''} label={label} />
        </Group>
        <Alert color="yellow" icon={<IconAlertTriangle size={16} />} p="sm">
          {say.notShownAgain}
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {say.secretCopied}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
