import type { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import type { FoundAttempt, FoundCallback } from '../../domain/callbacks/callback-search-queries.ts';
import type { SearchListWording } from './search-list.ts';

export const callbacksWording: SearchListWording<typeof callbacksSearch, FoundCallback & { attempts: FoundAttempt[] }> = {
  words: {},
  row: ({ callback_id: _, url, attempts, event_id, event, document_type, document_no, status, occurred_at, created_at, updated_at }) => ({
    event_id,
    event,
    document_type,
    document_no,
    callback_url: url,
    status,
    attempts: attempts.map(({ at, duration_ms, http_status, error }) => ({ at, duration_ms, http_status, error })),
    occurred_at,
    created_at,
    updated_at,
  }),
};
