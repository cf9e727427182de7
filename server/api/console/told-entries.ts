import type { ToldEntry } from '../../../contract/console/told-entry.ts';
import type { CallbackTry, LoggedCall, TriedCallback } from '../../domain/timeline/told-queries.ts';

/** What partners asked about a document and were told of it, as entries of its timeline. */
export function wordTold({
  calls,
  callbacks,
  tries,
}: {
  calls: LoggedCall[];
  callbacks: TriedCallback[];
  tries: CallbackTry[];
}): ToldEntry[] {
  const eventOf = new Map(callbacks.map(({ callback_id, event }) => [callback_id, event]));
  return [
    ...calls.map((call) => ({ kind: 'request' as const, ...call })),
    ...callbacks.map(({ created_at, ...callback }) => ({ kind: 'callback' as const, at: created_at, ...callback })),
    ...tries.map((attempt) => ({ kind: 'attempt' as const, event: eventOf.get(attempt.callback_id)!, ...attempt })),
  ];
}

/** All times are written in the same way and with the same offset, so that their texts compare as the instants do. */
export function oldestFirst<Entry extends { at: string }>(entries: Entry[]): Entry[] {
  return entries.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
