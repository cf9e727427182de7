import type { CallbackListRow, CallbackStatus } from './callback-search.ts';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { ReceiverState } from './receiver-list.ts';

export interface CallbackAttempt {
  attempt_no: number;
  at: string;
  duration_ms: number;
  /** null: nothing was answered, and the error says why. */
  http_status: number | null;
  error: string | null;
  /** What was dialled; null: it did not come to that. */
  address: string | null;
  /** The first 16 KiB of what was answered. */
  response: string | null;
}

export interface CallbackDetail extends CallbackListRow {
  occurred_at: string;
  /** Whose callback secret signs it. */
  key_name: string;
  /** As they go along; null: made anew for each try, so that there is nothing to show. */
  headers: { name: string; value: string | null }[];
  /** What is sent, to the byte; for who only looks, with the partner's note masked. */
  body: string;
  receiver: { state: ReceiverState; address: string; left_alone_until: string | null };
  /** The newest first; of very many the newest ones. */
  attempt_list: CallbackAttempt[];
  /** All callbacks of the same document, this one included, in the order in which they go out. */
  document_callbacks: { callback_id: number; sequence: number; event: string; status: CallbackStatus }[];
}

export const callbackDetail = consoleCall<CallbackDetail>()('/callbacks/detail', record({ callback_id: RowId }));
