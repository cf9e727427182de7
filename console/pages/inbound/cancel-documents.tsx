import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { InboundCancelResult, InboundListRow, inboundCancel } from '../../../contract/console/inbound.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { DangerButton } from '../../kit/danger-button.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { ResultList } from '../../kit/result-list.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import classes from './inbound.module.css';
import { words } from './words.ts';

const cancelMax = 100;
const namedMax = 8;

export interface CancelDocumentsProps {
  /** The selected documents that can be cancelled. */
  documents: InboundListRow[];
  onDone(): void;
}

/** Cancels documents and shows one result for each. */
export function CancelDocuments({ documents, onDone }: CancelDocumentsProps) {
  const say = useWords(words);
  const [isAsking, setAsking] = useState(false);
  const [results, setResults] = useState<InboundCancelResult[] | null>(null);
  const cancel = useChange<typeof inboundCancel>('/inbound/cancel', {
    onAnswer: (answer) => {
      setAsking(false);
      setResults(answer.results);
    },
  });
  const count = formatNumber(documents.length);
  const close = () => {
    setResults(null);
    onDone();
  };

  return (
    <>
      {documents.length > 0 && (
        <DangerButton disabled={documents.length > cancelMax} onClick={() => setAsking(true)}>
          {say.cancel.bulk(count)}
        </DangerButton>
      )}
      {documents.length > cancelMax && <Text size="sm">{say.cancel.tooMany(formatNumber(cancelMax))}</Text>}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        danger
        title={documents.length === 1 ? say.cancel.one(documents[0]!.partner_number) : say.cancel.many(count)}
        confirmLabel={say.cancel.bulk(count)}
        isRunning={cancel.isRunning}
        onConfirm={() => void cancel.run({ inbound_ids: documents.map(({ inbound_id }) => inbound_id) })}
      >
        <Stack gap="xs">
          <span>{say.cancel.effectMany}</span>
          <NamedDocuments documents={documents} />
        </Stack>
      </ConfirmDialog>
      <CancelResults results={results} onClose={close} />
    </>
  );
}

function NamedDocuments({ documents }: { documents: InboundListRow[] }) {
  const shared = useWords(sharedWords);
  const named = documents.slice(0, namedMax);
  const others = documents.length - named.length;
  return (
    <ul className={classes.summary}>
      {named.map(({ inbound_id, partner_number, status }) => (
        <li key={inbound_id}>
          <span>{partner_number}</span>
          <span className={classes.small}>{shared.inboundStatus[status]}</span>
        </li>
      ))}
      {others > 0 && <li className={classes.small}>{`+ ${formatNumber(others)}`}</li>}
    </ul>
  );
}

function CancelResults({ results, onClose }: { results: InboundCancelResult[] | null; onClose(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened={results !== null}
      onClose={onClose}
      title={say.cancel.results}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      {results && (
        <ResultList
          results={results.map((result) => ({
            key: String(result.inbound_id),
            name: result.partner_number ?? String(result.inbound_id),
            ok: result.kind === 'cancelled',
            text: formatResult(result, say.cancel, shared.inboundStatus),
          }))}
        />
      )}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose} data-autofocus>
          {shared.verb.close}
        </Button>
      </Group>
    </Modal>
  );
}

interface CancelWords {
  cancelled: string;
  notFound: string;
  tooLate(status: string): string;
}

export function formatResult(
  result: InboundCancelResult,
  say: CancelWords,
  statusWords: Record<InboundListRow['status'], string>,
): string {
  switch (result.kind) {
    case 'cancelled':
      return say.cancelled;
    case 'not_found':
      return say.notFound;
    case 'too_late':
      return say.tooLate(statusWords[result.status]);
    default:
      return result satisfies never;
  }
}
