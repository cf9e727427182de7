import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from './empty-state.tsx';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';
import type { Tone } from './status-badge.tsx';
import { Time } from './time.tsx';
import classes from './timeline.module.css';
import { useActorName } from './use-actor-name.ts';
import { words } from './words.ts';

export interface TimelineEntry {
  key: string;
  at: string;
  tone: Tone;
  title: ReactNode;
  /** Who did it. */
  actor?: string | null;
  /** Links to the request that caused the event. */
  traceId?: string | null;
  details?: ReactNode;
}

interface TimelineProps {
  entries: TimelineEntry[];
  empty?: { title: string; hint: string };
  /** Older API calls and delivery attempts are not included. */
  hasMore?: boolean;
}

/** A list of events in the given order. */
export function Timeline({ entries, empty, hasMore = false }: TimelineProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const nameOf = useActorName();
  if (entries.length === 0 && empty) return <EmptyState {...empty} />;
  return (
    <ol className={classes.timeline}>
      {entries.map(({ key, at, tone, title, actor, traceId, details }) => (
        <li key={key} className={classes.entry} data-tone={tone}>
          <div className={classes.line}>
            <span className={classes.title}>{title}</span>
            <span className={classes.meta}>
              <Time at={at} />
              {actor && <span>{say.by(nameOf(actor))}</span>}
              {traceId && (
                <Anchor component={Link} to={`/requests/${traceId}`} inherit>
                  {shared.noun.traceId}
                </Anchor>
              )}
            </span>
          </div>
          {details && <div className={classes.details}>{details}</div>}
        </li>
      ))}
      {hasMore && <li className={classes.details}>{say.olderHidden}</li>}
    </ol>
  );
}
