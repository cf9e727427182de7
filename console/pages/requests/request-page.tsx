import { Anchor, Button } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { CallbackEvent } from '../../../contract/console/callbacks.ts';
import type { RequestContract, RequestDetail, requestDetail } from '../../../contract/console/requests.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Facts } from '../../kit/facts.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { OutcomeNames } from '../audit-log/outcome.tsx';
import { Subject } from '../audit-log/subject.tsx';
import { words as auditWords } from '../audit-log/words.ts';
import { words as callbackWords } from '../callbacks/words.ts';
import { CopyAsCurl } from './copy-as-curl.tsx';
import { Diagnosis } from './diagnosis.tsx';
import { answerTone } from './request-list.tsx';
import { endpointName, formatAnswer, formatDuration } from './request-words.ts';
import classes from './requests.module.css';
import { TouchedDocuments } from './touched-documents.tsx';
import { words } from './words.ts';

/** A request that could not be read has neither method nor path. */
function titleOf({ method, endpoint }: RequestDetail['line'], unknown: string): string {
  const name = endpointName(endpoint, unknown);
  return name === unknown ? unknown : `${method} ${name}`;
}

export function Component() {
  const say = useWords(words);
  const traceId = useParams().traceId ?? '';
  const asked = useAsk<typeof requestDetail>('/requests/detail', { trace_id: traceId });
  const found = asked.answer?.kind === 'found' ? asked.answer : null;
  return (
    <>
      <PageHeader
        back={{ to: '/requests', label: say.title }}
        title={found ? titleOf(found.line, say.requestTitle) : say.requestTitle}
        aside={found && <StatusBadge tone={answerTone(found.line.status)}>{formatAnswer(found.line)}</StatusBadge>}
        subtitle={<IdText value={traceId} label={say.findTrace} />}
      />
      <AskedContent asked={asked}>
        {(answer) =>
          answer.kind === 'found' ? <Details detail={answer} /> : <Unknown answer={answer} onRetry={asked.askAgain} />
        }
      </AskedContent>
    </>
  );
}

function Details({ detail }: { detail: RequestDetail }) {
  const { documents, callbacks, actions } = detail;
  return (
    <>
      <Diagnosis detail={detail} />
      <TheCall line={detail.line} />
      <CopyAsCurl line={detail.line} />
      {documents.length > 0 && <TouchedDocuments documents={documents} />}
      {callbacks.length > 0 && <Callbacks callbacks={callbacks} />}
      {actions.length > 0 && <Actions actions={actions} />}
    </>
  );
}

function Unknown({
  answer,
  onRetry,
}: {
  answer: { kind: 'not_ours' } | { kind: 'missing'; is_young: boolean };
  onRetry(): void;
}) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  if (answer.kind === 'not_ours') return <EmptyState {...say.notOurs} action={<ToAll />} />;
  if (!answer.is_young) return <EmptyState {...say.missing} action={<ToAll />} />;
  return (
    <EmptyState
      {...say.young}
      action={
        <Button variant="default" onClick={onRetry}>
          {shared.verb.retry}
        </Button>
      }
    />
  );
}

function ToAll() {
  const say = useWords(words);
  return (
    <Button component={Link} to="/requests" variant="default">
      {say.allRequests}
    </Button>
  );
}

function TheCall({ line }: { line: RequestDetail['line'] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.sectionFacts}>
      <Facts
        facts={[
          { label: say.field.time, value: <Time at={line.at} absolute /> },
          { label: say.field.contract, value: say.contract[line.contract as RequestContract] ?? line.contract },
          {
            label: shared.noun.account,
            value:
              line.account_no === null ? (
                say.unknownAccount
              ) : (
                <Anchor component={Link} to={`/partners/accounts/${encodeURIComponent(line.account_no)}`} inherit>
                  {line.account_no}
                </Anchor>
              ),
          },
          {
            label: say.field.document,
            value: line.document_no && <IdText value={line.document_no} label={say.field.document} />,
          },
          { label: say.field.answer, value: formatAnswer(line) },
          { label: say.field.duration, value: formatDuration(line.duration_ms, say.milliseconds) },
          line.reason !== null && {
            label: say.field.why,
            value: <ServerText text={line.reason} className={classes.whole} />,
            wide: true,
          },
        ]}
      />
    </Section>
  );
}

function Callbacks({ callbacks }: Pick<RequestDetail, 'callbacks'>) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const sayCallback = useWords(callbackWords);
  return (
    <Section title={say.sectionCallbacks} flush>
      <ul className={classes.rows}>
        {callbacks.map(({ callback_id, event, document_no, status, created_at }) => (
          <li key={callback_id}>
            <Anchor component={Link} to={`/callbacks/${callback_id}`} inherit>
              {sayCallback.event[event as CallbackEvent]}
            </Anchor>
            <IdText value={document_no} label={say.field.document} copy={false} />
            <StatusBadge tone={callbackTone[status]}>{shared.callbackStatus[status]}</StatusBadge>
            <span className={classes.meta}>
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Actions({ actions }: Pick<RequestDetail, 'actions'>) {
  const say = useWords(words);
  const names: Record<string, string> = useWords(auditWords).name;
  return (
    <Section title={say.sectionActions} flush>
      <ul className={classes.rows}>
        {actions.map(({ at, username, action, subject, outcome }) => (
          <li key={at}>
            <strong>{username}</strong>
            <span>{names[action] ?? action}</span>
            {subject !== null && (
              <span className={classes.whole}>
                <Subject subject={subject} />
              </span>
            )}
            <span className={classes.meta}>
              {outcome !== null && <OutcomeNames outcome={outcome} />} <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
