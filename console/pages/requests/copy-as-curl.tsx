import { Button, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconTerminal2 } from '@tabler/icons-react';
import type { partnersAddresses } from '../../../contract/console/partners.ts';
import type { RequestRow } from '../../../contract/console/requests.ts';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { CodeBlock } from '../callbacks/code-block.tsx';
import { curlOf } from './curl.ts';
import { words } from './words.ts';

/** The call as a command, with placeholders for the secrets and the body, which the log does not have. */
export function CopyAsCurl({ line }: { line: RequestRow }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const clipboard = useClipboard({ timeout: 1500 });
  const { answer } = useAsk<typeof partnersAddresses>('/partners/addresses', {});
  const curl = answer === undefined ? null : curlOf(line, new URL(answer.main_url).origin);
  if (curl === null) return null;
  return (
    <Section
      title={say.curl.title}
      actions={
        <Button
          variant="default"
          leftSection={clipboard.copied ? <IconCheck size={15} aria-hidden /> : <IconTerminal2 size={15} aria-hidden />}
          onClick={() => clipboard.copy(curl)}
        >
          {clipboard.copied ? shared.copied : say.curl.copy}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {say.curl.hint} {line.contract === 'warehouse' && say.curl.signHint}
      </Text>
      <CodeBlock label={say.curl.command} text={curl} />
    </Section>
  );
}
