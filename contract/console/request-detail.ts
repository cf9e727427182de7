import type { CallbackStatus } from './callback-search.ts';
import { consoleCall } from './console-call.ts';
import { record, Uuid } from './console-values.ts';
import type { RequestRow } from './request-search.ts';

export interface RequestDocument {
  type: 'order' | 'inbound';
  document_id: number;
  account_no: string;
  /** The partner's. */
  partner_number: string;
  /** Ours. */
  document_no: string;
  status: string;
  /** What this call did with it: made it, changed its state, or only named it. */
  done: { event: string; to: string }[];
}

export interface RequestDetail {
  kind: 'found';
  line: RequestRow;
  /** Of a refused signature: the mistakes that were found. */
  diagnosis: string[] | null;
  /** Of another refusal: why it was given and what helps. */
  explanation: { cause: string; cure: string } | null;
  documents: RequestDocument[];
  /** Of these documents. */
  callbacks: { callback_id: number; event: string; document_no: string; status: CallbackStatus; created_at: string }[];
  actions: { at: string; username: string; action: string; subject: string | null; outcome: string | null }[];
}

/** `young`: it may still be written. */
export const requestDetail = consoleCall<RequestDetail | { kind: 'not_ours' } | { kind: 'missing'; is_young: boolean }>()(
  '/requests/detail',
  record({ trace_id: Uuid }),
);
