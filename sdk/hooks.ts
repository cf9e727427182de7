/** What hooks learn about an attempt. Neither body nor credentials, so that they can be logged. */
export interface AttemptEvent {
  /** The path of the endpoint; the client also requests its token, from `/api/v1/token/getToken`. */
  path: string;
  url: string;
  /** 1 for the first attempt of a request. */
  attempt: number;
}

export interface ResponseEvent extends AttemptEvent {
  status: number;
  trace_id: string | null;
  headers: Headers;
  /** The time from sending the request to the end of the response. */
  seconds: number;
}

export interface RetryEvent extends AttemptEvent {
  /** The status of the failed attempt; null if there was no response. */
  status: number | null;
  /** Why there will be another attempt, such as `HTTP 503` or `ECONNREFUSED`. */
  reason: string;
  /** The delay before the next attempt. */
  wait_seconds: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function that only logs returns nothing.
export type AddedHeaders = Record<string, string> | void;

/** Functions that observe the requests of a client. An exception in one of them ends the call. */
export interface Hooks {
  /** Called before each attempt. It may return headers to add, such as `traceparent`, but cannot replace credentials. */
  onRequest?: (request: AttemptEvent) => AddedHeaders | Promise<AddedHeaders>;
  /** Called after each response, also after those that are retried or rejected. */
  onResponse?: (response: ResponseEvent) => void;
  /** Called before the delay of each retry. */
  onRetry?: (retry: RetryEvent) => void;
}
