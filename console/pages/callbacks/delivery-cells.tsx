import { Text } from '@mantine/core';
import type { CallbackListRow } from '../../../contract/console/callbacks.ts';
import { useWords } from '../../kit/language.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { UpcomingTime } from '../../kit/time.tsx';
import { formatHttpStatus } from './callback-words.ts';
import classes from './callbacks.module.css';
import { words } from './words.ts';

export function LastResult({ callback: { last_attempt: last } }: { callback: Pick<CallbackListRow, 'last_attempt'> }) {
  const say = useWords(words);
  if (last === null)
    return (
      <Text span inherit c="dimmed">
        {say.notTried}
      </Text>
    );
  const text = last.http_status === null ? (last.error ?? '') : formatHttpStatus(last.http_status);
  return <ServerText text={text} className={classes.result} isCut />;
}

type Upcoming = Pick<CallbackListRow, 'waits_for' | 'next_attempt_at'>;

/** The next attempt, or the reason for waiting. */
export function NextAttempt({ callback: { waits_for, next_attempt_at } }: { callback: Upcoming }) {
  const say = useWords(words);
  if (waits_for === null) return null;
  const time = next_attempt_at !== null && <UpcomingTime at={next_attempt_at} due={say.waitsFor.its_turn} />;
  if (waits_for === 'its_time') return time;
  return (
    <span className={classes.notes}>
      <span>{say.waitsFor[waits_for]}</span>
      {time && (
        <span className={classes.note}>
          {say.onHoldUntil} {time}
        </span>
      )}
    </span>
  );
}
