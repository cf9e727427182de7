/** One API request. It never contains a secret or a personal detail. */
export interface RequestLogLine {
  at: Date;
  trace_id: string;
  contract: string;
  method: string;
  endpoint: string;
  status: number;
  duration_us: number;
  account_no: string | null;
  document_no: string | null;
  code: string | null;
  /** Includes reasons that the caller does not receive, such as which check of a signature failed. */
  reason: string | null;
  /** The mistakes in a rejected signature: stored messages, one per line. */
  diagnosis: string | null;
}

/** The result of diagnosing a refused request. */
export interface DiagnosedRequest {
  diagnosis: string;
  /** The account that must have sent the request; null: not proven. */
  provenAccountNo: string | null;
}
