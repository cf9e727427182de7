import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { inboundFindByScan, ScannedDocument } from '../../../contract/console/inbound.ts';
import { ask } from '../../kit/ask.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import classes from './inbound.module.css';
import { words } from './words.ts';

/** Opens the page of a document when its label is scanned. */
export function ScanDocument() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const navigate = useNavigate();
  const notices = useNotices();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [several, setSeveral] = useState<{ text: string; documents: ScannedDocument[] } | null>(null);
  const [isAsking, setAsking] = useState(false);

  // The scanner types wherever the focus is.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const code = text.trim();
    if (code === '' || isAsking) return;
    setText('');
    setAsking(true);
    const answer = await ask<typeof inboundFindByScan>('/inbound/find-by-scan', { text: code }).catch(notices.failed);
    setAsking(false);
    if (answer?.kind === 'nothing') notices.refused(say.scan.nothing(code));
    if (answer?.kind !== 'documents') return;
    if (answer.documents.length === 1) void navigate(`/inbound/${answer.documents[0]!.inbound_id}`);
    else setSeveral({ text: code, documents: answer.documents });
  };
  return (
    <>
      <form onSubmit={submit} className={classes.scanDocument}>
        <TextInput
          ref={field}
          aria-label={say.scan.document}
          placeholder={say.scan.document}
          leftSection={<IconBarcode size={16} aria-hidden />}
          value={text}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <Modal
        opened={several !== null}
        onClose={() => setSeveral(null)}
        title={several && say.scan.several(several.text)}
        closeButtonProps={{ 'aria-label': shared.verb.close }}
      >
        <Stack gap="xs">
          <Text size="sm">{say.scan.severalHint}</Text>
          {several?.documents.map(({ inbound_id, account_no, document_no, status }) => (
            <Button
              key={inbound_id}
              component={Link}
              to={`/inbound/${inbound_id}`}
              variant="default"
              justify="flex-start"
            >
              {[account_no, document_no, shared.inboundStatus[status]].join(' · ')}
            </Button>
          ))}
        </Stack>
      </Modal>
    </>
  );
}
