import type { CallbackRow, callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { formatStored } from '../../../messages/format-message.ts';
import type { CallbackInFull } from '../../domain/callbacks/callback-search-queries.ts';
import { revealsNetwork } from '../../platform/outgoing/receiver-response.ts';
import type { SearchListFormat } from './search-list.ts';

export const callbacksFormat: SearchListFormat<typeof callbacksSearch, CallbackInFull> = {
  domainNames: {},
  row: ({ callback_id: _, bytes: __, url, attempts, event_id, event, document_type, document_no, ...callback }) => ({
    event_id,
    event: event as CallbackRow['event'],
    document_type,
    document_no,
    test: callback.test,
    sequence: callback.sequence,
    body: callback.body,
    body_erased_at: callback.body_erased_at,
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

/**
 * Hides details: partners choose the host, so a reason, an address or a duration would let them explore the internal
 * network.
 */
function attemptForPartner({
  callback_id: _,
  ...attempt
}: CallbackInFull['attempts'][number]): CallbackRow['attempts'][number] {
  const error = attempt.error === null ? null : formatStored(attempt.error);
  if (error === null || !revealsNetwork(error, attempt.address)) return { ...attempt, error };
  return { ...attempt, duration_ms: 0, error: unusableAddress, address: null };
}
