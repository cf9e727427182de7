/** A field of the body that was refused, and why. */
export interface FieldError {
  path: string;
  message: string;
}

export interface Failure {
  /** Of HTTP; null where no answer came. */
  status: number | null;
  /** Of the warehouse API, such as `PARAM_INVALID`; null elsewhere. */
  code: string | null;
  /** Quote it when you report a problem: with it the operator finds the call, and why it was answered so. */
  trace_id: string | null;
  /** How long the service asks to wait; null where it does not. */
  retry_after_seconds?: number | null;
  errors?: FieldError[];
  cause?: unknown;
}

/** Whatever a call can fail with, but for an abort of your own, which comes back as it was given. */
export class LadingError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly trace_id: string | null;
  /** In the words of the service; `message` tells the trace id too, so that it stands in every log. */
  readonly reason: string;
  readonly retry_after_seconds: number | null;
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

/** The request is wrong as it is: sent again, it would be refused again. Nothing was changed. */
export class RefusedError extends LadingError {}

/** Who is calling was not believed (401, or no token), or may not do this (403). */
export class UnauthorizedError extends LadingError {}

/** Too many requests, a trouble of the service, or no answer at all, after all retries. What came of it is not certain: send the same again later. */
export class UnavailableError extends LadingError {}
