import type { CallbackRow, callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import type { CallbackInFull } from '../../domain/callbacks/callback-search-queries.ts';
import { revealsNetwork } from '../../platform/outgoing-answer.ts';
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
    attempts: attempts.map(attemptForPartner),
    next_attempt_at: callback.next_attempt_at,
    occurred_at: callback.occurred_at,
    created_at: callback.created_at,
    updated_at: callback.updated_at,
  }),
};

const unusableAddress = 'the host of callback_url has no usable address';

/** Partners choose the host, so a reason, an address or a duration would let them explore the network that the service runs in. */
function attemptForPartner({ callback_id: _, ...attempt }: CallbackInFull['attempts'][number]): CallbackRow['attempts'][number] {
  const { error, address } = attempt;
  if (error === null || !revealsNetwork({ error, address })) return attempt;
  return { ...attempt, duration_ms: 0, error: unusableAddress, address: null };
}
