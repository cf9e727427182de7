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
export function TestCallback({ account }: { account: Pick<ListedAccount, 'account_no' | 'environment'> }) {
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

function TestDialog({
  account: { account_no, environment },
  onClose,
}: {
  account: Pick<ListedAccount, 'account_no' | 'environment'>;
  onClose(): void;
}) {
  const { test, mistake } = useWords(words);
  const shared = useWords(sharedWords);
  const events = useWords(callbackWords).event;
  const notices = useNotices();
  const [event, setEvent] = useState<CallbackEvent>('order.shipped');
  const [documentNo, setDocumentNo] = useState('');
  const [url, setUrl] = useState('');
  const wrongUrl = checkOptionalUrl(url.trim());
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
  return (
    <Modal
      opened
      onClose={onClose}
      title={test.title(account_no)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <Stack gap="md">
        <Text size="sm">{test.effect}</Text>
        <Select
          label={test.event}
          data={Object.entries(events).map(([value, label]) => ({ value, label }))}
          value={event}
          onChange={(picked) => setEvent(picked as CallbackEvent)}
          allowDeselect={false}
        />
        <TextInput
          label={test.document}
          description={test.documentHint}
          value={documentNo}
          maxLength={255}
          onChange={(typed) => setDocumentNo(typed.currentTarget.value)}
        />
        {environment === 'uat' && (
          <TextInput
            label={test.url}
            description={test.urlHint}
            value={url}
            maxLength={2048}
            error={wrongUrl && mistake[wrongUrl]}
            onChange={(typed) => setUrl(typed.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {shared.verb.close}
          </Button>
          <Button loading={send.isRunning} disabled={wrongUrl !== null} onClick={submit}>
            {test.send}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
