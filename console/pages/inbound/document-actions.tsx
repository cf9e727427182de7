import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { InboundDetail, inboundCancel, inboundStop } from '../../../contract/console/inbound.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatResult } from './cancel-documents.tsx';
import { readDraft, sumOf } from './receipt-draft.ts';
import { words } from './words.ts';

/** The actions that end a document, if its status allows them. */
export function DocumentActions({ document: shown }: { document: InboundDetail }) {
  return (
    <>
      {shown.can.cancel && <CancelAction document={shown} />}
      {shown.can.stop && <StopAction document={shown} />}
    </>
  );
}

function CancelAction({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const [isAsking, setAsking] = useState(false);
  const { inbound_id, partner_number, receiving, status } = shown;
  const cancel = useChange<typeof inboundCancel>('/inbound/cancel', {
    onAnswer: ({ results }) => {
      setAsking(false);
      const result = results[0]!;
      if (result.kind === 'cancelled') notices.done(say.cancel.done(partner_number));
      else notices.refused(formatResult(result, say.cancel, shared.inboundStatus));
    },
  });
  const takesBack = receiving === 'on_create' && status === 'received';
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setAsking(true)}>
        {say.cancel.button}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        danger
        title={say.cancel.one(partner_number)}
        confirmLabel={say.cancel.button}
        isRunning={cancel.isRunning}
        onConfirm={() => void cancel.run({ inbound_ids: [inbound_id] })}
      >
        {takesBack ? say.cancel.effectOnCreate(formatNumber(shown.arrived_good_units)) : say.cancel.effect}
      </ConfirmDialog>
    </>
  );
}

function StopAction({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const [isAsking, setAsking] = useState(false);
  const { inbound_id, partner_number, missing_units, announced_units } = shown;
  const stop = useChange<typeof inboundStop>('/inbound/stop', {
    onAnswer: (answer) => {
      setAsking(false);
      if (answer.kind === 'too_late') notices.refused(say.stop.tooLate(shared.inboundStatus[answer.status]));
      else notices.done(answer.kind === 'stopped' ? say.stop.done(partner_number) : say.stop.repeated(partner_number));
    },
  });
  const drafted = isAsking ? sumOf(readDraft(inbound_id).entries).units : 0;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {say.stop.button}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        danger
        title={say.stop.question(partner_number)}
        confirmLabel={say.stop.button}
        isRunning={stop.isRunning}
        onConfirm={() => void stop.run({ inbound_id })}
      >
        <Stack gap="xs">
          <span>{say.stop.effect(formatNumber(missing_units), formatNumber(announced_units))}</span>
          {drafted > 0 && <strong>{say.stop.draftLost(formatNumber(drafted))}</strong>}
        </Stack>
      </ConfirmDialog>
    </>
  );
}
