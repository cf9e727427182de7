import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { CallbackDetail, callbackDetail, callbackRedeliver } from '../../../contract/console/callbacks.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Facts } from '../../kit/facts.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { Attempts } from './attempts.tsx';
import { formatRedelivered } from './callback-words.ts';
import classes from './callbacks.module.css';
import { NextAttempt } from './delivery-cells.tsx';
import { DocumentCallbacks } from './document-callbacks.tsx';
import { receiverTone } from './receiver-list.tsx';
import { SentContent } from './sent-content.tsx';
import { words } from './words.ts';

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayRedeliver = useMay('staff');
  const asked = useAsk<typeof callbackDetail>(
    '/callbacks/detail',
    { callback_id: Number(useParams().callbackId) },
    { topics: ['callbacks'] },
  );
  const callback = asked.answer;
  return (
    <>
      <PageHeader
        back={{ to: '/callbacks', label: say.title }}
        title={callback ? say.callbackOf(callback.document_no) : say.callbackTitle}
        aside={
          callback && (
            <StatusBadge tone={callbackTone[callback.status]}>{shared.callbackStatus[callback.status]}</StatusBadge>
          )
        }
        subtitle={callback && say.event[callback.event]}
        actions={mayRedeliver && callback?.body_erased_at === null && <RedeliverOne callback={callback} />}
      />
      <AskedContent asked={asked}>
        {(found) => (
          <>
            <AboutIt callback={found} />
            <Attempts callback={found} />
            <SentContent callback={found} />
            {found.document_callbacks.length > 1 && <DocumentCallbacks callback={found} />}
          </>
        )}
      </AskedContent>
    </>
  );
}

function AboutIt({ callback }: { callback: CallbackDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { document_type, document_id, document_no, receiver, document_callbacks } = callback;
  const documentPath = document_type === 'order' ? `/orders/${document_id}` : `/inbound/${document_id}`;
  return (
    <Section title={say.sectionFacts}>
      <Facts
        facts={[
          {
            label: shared.documentType[document_type],
            value:
              document_id < 0 ? (
                document_no
              ) : (
                <IdText value={document_no} label={shared.noun.number} to={documentPath} />
              ),
          },
          callback.test && { label: say.field.test, value: say.isTest },
          { label: shared.noun.account, value: callback.account_no },
          {
            label: say.field.receiver,
            value: (
              <span className={classes.notes}>
                <Anchor
                  component={Link}
                  to={`/callbacks?receiver=${callback.receiver_id}`}
                  inherit
                  className={classes.whole ?? ''}
                >
                  {receiver.address}
                </Anchor>
                <StatusBadge tone={receiverTone[receiver.state]}>{say.state[receiver.state]}</StatusBadge>
              </span>
            ),
          },
          callback.status === 'pending' && { label: say.field.nextAttempt, value: <NextAttempt callback={callback} /> },
          { label: say.field.attempts, value: formatNumber(callback.attempts) },
          {
            label: say.field.sequence,
            value: say.sequenceOf(formatNumber(callback.sequence), formatNumber(document_callbacks.length)),
          },
          { label: say.field.occurred, value: <Time at={callback.occurred_at} absolute /> },
          { label: shared.noun.updated, value: <Time at={callback.updated_at} absolute /> },
          { label: say.field.key, value: callback.key_name },
          { label: say.field.eventId, value: <IdText value={callback.event_id} label={say.field.eventId} /> },
        ]}
      />
    </Section>
  );
}

function RedeliverOne({ callback }: { callback: CallbackDetail }) {
  const say = useWords(words);
  const notices = useNotices();
  const [isOpen, setOpen] = useState(false);
  const redeliver = useChange<typeof callbackRedeliver>('/callbacks/redeliver', {
    onAnswer: (counts) => {
      setOpen(false);
      notices.done(formatRedelivered(counts, say));
    },
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say.redeliver}</Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={say.redeliverOneQuestion(callback.document_no)}
        confirmLabel={say.redeliver}
        isRunning={redeliver.isRunning}
        onConfirm={() => void redeliver.run({ callback_ids: [callback.callback_id] })}
      >
        <span className={classes.whole}>{say.redeliverOneEffect(callback.url)}</span>
      </ConfirmDialog>
    </>
  );
}
