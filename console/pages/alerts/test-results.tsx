import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { AlertTestResult, ListedAlertRule } from '../../../contract/console/alerts.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { words } from './words.ts';

interface TestResultsProps {
  rule: ListedAlertRule;
  results: AlertTestResult[];
  onClose(): void;
}

/** The responses of the mail server and of the webhook's receiver. */
export function TestResults({ rule, results, onClose }: TestResultsProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={say.testResult(rule.name)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <Stack gap="md">
        <Text size="sm">{say.testHint}</Text>
        {results.map(({ channel, is_sent, result }) => (
          <div key={channel}>
            <Group gap="sm">
              <Text fw={600} size="sm">
                {say.channel[channel]}
              </Text>
              <StatusBadge tone={is_sent ? 'done' : 'failed'}>
                {is_sent ? say.sentState.sent : say.sentState.failed}
              </StatusBadge>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <ServerText text={result} />
            </Text>
          </div>
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {shared.verb.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
