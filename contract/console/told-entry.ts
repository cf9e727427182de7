/** What partners asked about a document and were told of it, as its timeline shows it. */
export type ToldEntry =
  /** A call that named the document and changed nothing: a repeat, a refusal. */
  | {
      kind: 'request';
      at: string;
      trace_id: string;
      contract: string;
      endpoint: string;
      http_status: number;
      code: string | null;
      reason: string | null;
    }
  | { kind: 'callback'; at: string; callback_id: number; event: string; status: 'pending' | 'delivered' | 'failed'; url: string }
  | {
      kind: 'attempt';
      at: string;
      callback_id: number;
      event: string;
      attempt_no: number;
      http_status: number | null;
      error: string | null;
      duration_ms: number;
    };
