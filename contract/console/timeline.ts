import type { Message } from '../../messages/message.ts';

/** An entry in a document's history: a request that mentioned the document, or a callback to the partner. */
export type NotificationEntry =
  /** A call that mentioned the document but changed nothing, such as a repeated or rejected request. */
  | {
      kind: 'request';
      at: string;
      trace_id: string;
      contract: string;
      endpoint: string;
      http_status: number;
      code: string | null;
      reason: Message | string | null;
    }
  | {
      kind: 'callback';
      at: string;
      callback_id: number;
      event: string;
      status: 'pending' | 'delivered' | 'failed';
      url: string;
    }
  | {
      kind: 'attempt';
      at: string;
      callback_id: number;
      event: string;
      attempt_no: number;
      http_status: number | null;
      error: Message | string | null;
      duration_ms: number;
    };
