import { Text } from '@mantine/core';
import type { CallbackListRow } from '../../../contract/console/callback-search.ts';
import { useWords } from '../../kit/language.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { Time, useNow } from '../../kit/time.tsx';
import { wordHttpStatus } from './callback-words.ts';
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
  const text = last.http_status === null ? (last.error ?? '') : wordHttpStatus(last.http_status);
  return <ServerText text={text} className={classes.result} isCut />;
}

type Upcoming = Pick<CallbackListRow, 'status' | 'next_attempt_at' | 'waits_for_earlier' | 'receiver_paused'>;

/** When it goes out next, or what it waits for. */
export function NextAttempt({ callback }: { callback: Upcoming }) {
  const say = useWords(words);
  const now = useNow();
  if (callback.status !== 'pending') return null;
  if (callback.waits_for_earlier) return <span>{say.waitsForEarlier}</span>;
  if (callback.receiver_paused) return <span>{say.receiverPaused}</span>;
  if (callback.next_attempt_at === null || Date.parse(callback.next_attempt_at) <= now.getTime()) return <span>{say.due}</span>;
  return <Time at={callback.next_attempt_at} />;
}
