import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { CallbackDetail, CallbackEvent } from '../../../contract/console/callbacks.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, StatusBadge } from '../../kit/status-badge.tsx';
import classes from './attempts.module.css';
import { words } from './words.ts';

/** The callbacks of a document, in the order in which they are sent. */
export function DocumentCallbacks({ callback }: { callback: CallbackDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.sectionDocument} flush>
      <ol className={classes.attempts}>
        {callback.document_callbacks.map(({ callback_id, sequence, event, status }) => (
          <li
            key={callback_id}
            className={classes.line}
            aria-current={callback_id === callback.callback_id || undefined}
          >
            <span className={classes.number}>{formatNumber(sequence)}</span>
            {callback_id === callback.callback_id ? (
              <strong>{say.event[event as CallbackEvent]}</strong>
            ) : (
              <Anchor component={Link} to={`/callbacks/${callback_id}`} inherit>
                {say.event[event as CallbackEvent]}
              </Anchor>
            )}
            <StatusBadge tone={callbackTone[status]}>{shared.callbackStatus[status]}</StatusBadge>
          </li>
        ))}
      </ol>
    </Section>
  );
}
