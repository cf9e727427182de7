import type { NotificationEntry } from '../../../contract/console/timeline.ts';
import { readMessage } from '../../../messages/message.ts';
import type { NotifiedAttempt, NotifiedCallback } from '../../domain/callbacks/document-callback-queries.ts';
import type { LoggedRequest } from '../../domain/requests/document-request-queries.ts';

/** Requests, callbacks and attempts as timeline entries. */
export function toTimelineEntries({
  calls,
  callbacks,
  attempts,
}: {
  calls: LoggedRequest[];
  callbacks: NotifiedCallback[];
  attempts: NotifiedAttempt[];
}): NotificationEntry[] {
  const eventOf = new Map(callbacks.map(({ callback_id, event }) => [callback_id, event]));
  return [
    ...calls.map((call) => ({ kind: 'request' as const, ...call, reason: readMessage(call.reason) })),
    ...callbacks.map(({ created_at, ...callback }) => ({ kind: 'callback' as const, at: created_at, ...callback })),
    ...attempts.map((attempt) => ({
      kind: 'attempt' as const,
      event: eventOf.get(attempt.callback_id)!,
      ...attempt,
      error: readMessage(attempt.error),
    })),
  ];
}

/** All times have the same format and offset, so that comparing the texts compares the instants. */
export function oldestFirst<Entry extends { at: string }>(entries: Entry[]): Entry[] {
  return entries.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
