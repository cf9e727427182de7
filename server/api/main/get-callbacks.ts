import type { CallbackRow, callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import type { CallbackInFull } from '../../domain/callbacks/callback-search-queries.ts';
import type { SearchListWording } from './search-list.ts';

export const callbacksWording: SearchListWording<typeof callbacksSearch, CallbackInFull> = {
  words: {},
  row: ({ callback_id: _, bytes: __, url, attempts, event_id, event, document_type, document_no, ...callback }) => ({
    event_id,
    event: event as CallbackRow['event'],
    document_type,
    document_no,
    sequence: callback.sequence,
    body: callback.body,
    callback_url: url,
    status: callback.status,
    attempts: attempts.map(({ callback_id: _, ...attempt }) => attempt),
    next_attempt_at: callback.next_attempt_at,
    occurred_at: callback.occurred_at,
    created_at: callback.created_at,
    updated_at: callback.updated_at,
  }),
};
