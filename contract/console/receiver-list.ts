import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { listFields, record, Uuid } from './console-values.ts';

/** Those that need somebody first. */
export const receiverStates = ['paused', 'left_alone', 'failing', 'unproven', 'healthy'] as const;
export type ReceiverState = (typeof receiverStates)[number];

/** As far as it was counted. */
export interface CappedCount {
  count: number;
  /** There may be more. */
  is_capped: boolean;
}

export interface ReceiverRow {
  receiver_id: string;
  account_no: string;
  /** Without the query, which may differ from document to document. */
  address: string;
  state: ReceiverState;
  /** Tries in a row that did not succeed. */
  failures: number;
  /** It answers, but accepts nothing: the last answers were rejections, such as 401. */
  rejects: boolean;
  left_alone_until: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  /** null: it is not paused, or nobody knows. */
  paused_at: string | null;
  paused_by: string | null;
  waiting: CappedCount;
  oldest_waiting_at: string | null;
  failed: CappedCount;
}

export const receiversListedMax = 200;

/** Those that need somebody first; where there are more than can be shown, the filters find the others. */
export const receiverList = consoleCall<{ receivers: ReceiverRow[]; has_more: boolean }>()(
  '/receivers/list',
  record({
    accounts: listFields.accounts,
    state: Type.Optional(Type.Array(Type.Enum([...receiverStates]), { minItems: 1, maxItems: receiverStates.length })),
    /** A part of the address. */
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receiver_id: Type.Optional(Uuid),
  }),
);
