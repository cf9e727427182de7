import type { ErrorItem } from './wire.ts';

/** An error of a rejected request: `code` for programs, `path` of the field, `message` and `doc_url` for people. */
export type FieldError = ErrorItem;

export interface Failure {
  /** The HTTP status; null if there was no response. */
  status: number | null;
  /** The code of the warehouse API, such as `PARAM_INVALID`; null in other APIs. */
  code: string | null;
  /** Quote it when you report a problem: with it, the operator can find the request and the reason for the response. */
  trace_id: string | null;
  /** The delay requested by the service; null if there is none. */
  retry_after_seconds?: number | null;
  errors?: FieldError[];
  cause?: unknown;
}

/** The base class of all errors, except that your own abort reason is thrown unchanged. */
export class LadingError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly trace_id: string | null;
  /** The message of the service. `message` also contains the trace id, so that every log includes it. */
  readonly reason: string;
  readonly retry_after_seconds: number | null;
  /** All errors that the service found; empty if there was no response. */
  readonly errors: FieldError[];

  constructor(reason: string, { status, code, trace_id, retry_after_seconds = null, errors = [], cause }: Failure) {
    super(trace_id === null ? reason : `${reason} (trace_id ${trace_id})`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.trace_id = trace_id;
    this.reason = reason;
    this.retry_after_seconds = retry_after_seconds;
    this.errors = errors;
  }
}

/** The request is invalid and nothing was changed. An identical request will be rejected again. */
export class RefusedError extends LadingError {}

/** With `throwOnPayloadDiffers`: the number was already used with a different body. The original remains unchanged. */
export class PayloadDiffersError extends RefusedError {
  /** The response about the original, such as `{ orders_id, idempotent, warnings }`. */
  readonly original: Record<string, unknown>;

  constructor(reason: string, failure: Failure, original: Record<string, unknown>) {
    super(reason, failure);
    this.original = original;
  }
}

/** Authentication failed (401, or no token was issued), or the permission is missing (403). */
export class UnauthorizedError extends LadingError {}

/** A signature was rejected, and the clock of this machine differs too much from the clock of the service. */
export class ClockSkewError extends UnauthorizedError {
  /** How far the clock of this machine is ahead of the service; negative if it is behind. */
  readonly skew_seconds: number;

  constructor(failure: Failure, skew_seconds: number) {
    const difference = `${Math.abs(skew_seconds)} s ${skew_seconds > 0 ? 'ahead of' : 'behind'} the clock of the service`;
    super(`the clock of this machine is ${difference}; set it, because signatures are valid for 300 s`, failure);
    this.skew_seconds = skew_seconds;
  }
}

/**
 * Too many requests, an error of the service, or no response, after all retries. The request may have taken effect;
 * send the same request again later.
 */
export class UnavailableError extends LadingError {}
