import { Text } from '@mantine/core';
import type { CallbackAttempt, CallbackDetail } from '../../../contract/console/callbacks.ts';
import { useWords } from '../../kit/language.tsx';
import { formatDurationMs, formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import classes from './attempts.module.css';
import { formatHttpStatus } from './callback-words.ts';
import { CodeBlock } from './code-block.tsx';
import { words } from './words.ts';

/** All attempts, newest first, with expandable responses. */
export function Attempts({ callback }: { callback: CallbackDetail }) {
  const say = useWords(words);
  const { attempt_list: attempts, waits_for } = callback;
  return (
    <Section title={say.sectionAttempts} flush>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed" px={14} py={10}>
          {say.noAttempts[waits_for ?? 'its_turn']}
        </Text>
      ) : (
        <ol className={classes.attempts}>
          {attempts.map((attempt) => (
            <li key={attempt.attempt_no}>
              {attempt.response === null ? (
                <div className={classes.line}>
                  <AttemptLine attempt={attempt} />
                </div>
              ) : (
                <details>
                  <summary className={classes.line}>
                    <AttemptLine attempt={attempt} />
                  </summary>
                  <Answer response={attempt.response} />
                </details>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function AttemptLine({ attempt }: { attempt: CallbackAttempt }) {
  const say = useWords(words);
  const { attempt_no, at, duration_ms, http_status, error, address } = attempt;
  const isDelivered = http_status !== null && http_status >= 200 && http_status <= 299;
  return (
    <>
      <span className={classes.number}>{say.attemptNo(formatNumber(attempt_no))}</span>
      <StatusBadge tone={isDelivered ? 'done' : 'failed'}>
        {http_status === null ? <ServerText text={error ?? ''} /> : formatHttpStatus(http_status)}
      </StatusBadge>
      <span className={classes.meta}>
        <Time at={at} absolute />
        <span>{formatDurationMs(duration_ms)}</span>
        <span>{address ?? say.notDialled}</span>
      </span>
    </>
  );
}

function Answer({ response }: { response: string }) {
  const say = useWords(words);
  return (
    <div className={classes.answer}>
      {response === '' ? (
        <span className={classes.meta}>{say.emptyAnswer}</span>
      ) : (
        <CodeBlock label={say.answer} text={response} />
      )}
    </div>
  );
}
