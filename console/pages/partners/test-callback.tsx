import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CallbackEvent, callbackTest } from '../../../contract/console/callbacks.ts';
import type { ListedAccount } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { words as callbackWords } from '../callbacks/words.ts';
import { checkOptionalUrl } from './field-checks.ts';
import { words } from './words.ts';

/** Sends a callback for an event that has not happened, so that the partner can try its receiver. */
export function TestCallback({ account }: { account: TestedAccount }) {
  const { test } = useWords(words);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {test.button}
      </Button>
      {isOpen && <TestDialog account={account} onClose={() => setOpen(false)} />}
    </>
  );
}

type TestedAccount = Pick<ListedAccount, 'account_no' | 'environment'>;

function TestDialog({ account, onClose }: { account: TestedAccount; onClose(): void }) {
  const { test, mistake } = useWords(words);
  const shared = useWords(sharedWords);
  const form = useTestForm(account, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={test.title(account.account_no)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <Stack gap="md">
        <Text size="sm">{test.effect}</Text>
        <EventSelect value={form.event} onChange={form.setEvent} />
        <TextInput
          label={test.document}
          description={test.documentHint}
          value={form.documentNo}
          maxLength={255}
          onChange={(typed) => form.setDocumentNo(typed.currentTarget.value)}
        />
        {account.environment === 'uat' && (
          <TextInput
            label={test.url}
            description={test.urlHint}
            value={form.url}
            maxLength={2048}
            error={form.wrongUrl && mistake[form.wrongUrl]}
            onChange={(typed) => form.setUrl(typed.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {shared.verb.close}
          </Button>
          <Button loading={form.isRunning} disabled={form.wrongUrl !== null} onClick={form.submit}>
            {test.send}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function EventSelect({ value, onChange }: { value: CallbackEvent; onChange(event: CallbackEvent): void }) {
  const { test } = useWords(words);
  const events = useWords(callbackWords).event;
  return (
    <Select
      label={test.event}
      data={Object.entries(events).map(([event, label]) => ({ value: event, label }))}
      value={value}
      onChange={(picked) => onChange(picked as CallbackEvent)}
      allowDeselect={false}
    />
  );
}

function useTestForm({ account_no }: TestedAccount, onClose: () => void) {
  const { test } = useWords(words);
  const notices = useNotices();
  const [event, setEvent] = useState<CallbackEvent>('order.shipped');
  const [documentNo, setDocumentNo] = useState('');
  const [url, setUrl] = useState('');
  const send = useChange<typeof callbackTest>('/callbacks/test', {
    onAnswer: (answer) => {
      if (answer.kind === 'refused') return notices.refused(test.refused[answer.reason]);
      notices.done(test.sent(answer.url));
      onClose();
    },
  });
  const submit = () =>
    void send.run({
      account_no,
      event,
      ...(documentNo.trim() !== '' && { document_no: documentNo.trim() }),
      ...(url.trim() !== '' && { callback_url: url.trim() }),
    });
  const wrongUrl = checkOptionalUrl(url.trim());
  return { event, setEvent, documentNo, setDocumentNo, url, setUrl, wrongUrl, submit, isRunning: send.isRunning };
}
