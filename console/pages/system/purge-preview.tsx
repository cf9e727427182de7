import { Button, Group, Modal, NumberInput, Stack, Table, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../../contract/console/console-call.ts';
import type { systemPurgePreview } from '../../../contract/console/system.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

const daysDefault = 30;
const daysMax = 36_500;

/** The same counts as `lading purge --dry-run`; nothing is deleted. */
export function PurgePreview({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say.previewTitle}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <PreviewForm />
    </Modal>
  );
}

function PreviewForm() {
  const say = useWords(words);
  const [days, setDays] = useState<number | string>(daysDefault);
  const [preview, setPreview] = useState<AnswerOf<typeof systemPurgePreview> | null>(null);
  const count = useChange<typeof systemPurgePreview>('/system/purge-preview', { onAnswer: setPreview });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof days === 'number') void count.run({ older_than_days: days });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {say.previewHint}
        </Text>
        <Group align="flex-end" gap="sm">
          <NumberInput
            data-autofocus
            label={say.previewDays}
            min={0}
            max={daysMax}
            allowDecimal={false}
            clampBehavior="strict"
            value={days}
            onChange={setDays}
            w={160}
          />
          <Button type="submit" loading={count.isRunning} disabled={typeof days !== 'number'}>
            {say.previewCount}
          </Button>
        </Group>
        <div role="status">{preview && <Previewed preview={preview} />}</div>
      </Stack>
    </form>
  );
}

function Previewed({ preview }: { preview: AnswerOf<typeof systemPurgePreview> }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  if (preview.kind === 'too_many') return <Text size="sm">{say.previewTooMany}</Text>;
  if (preview.accounts.length === 0) return <Text size="sm">{say.previewNothing}</Text>;
  const counts = ['orders', 'inbounds', 'movements', 'callbacks'] as const;
  return (
    <Table fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{shared.noun.account}</Table.Th>
          {counts.map((name) => (
            <Table.Th key={name} ta="right">
              {say[name]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {preview.accounts.map((account) => (
          <Table.Tr key={account.account_no}>
            <Table.Td>{account.account_no}</Table.Td>
            {counts.map((name) => (
              <Table.Td key={name} ta="right">
                {formatNumber(account[name])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
