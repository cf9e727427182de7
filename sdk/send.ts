import { type FieldError, type LadingError, RefusedError, UnauthorizedError, UnavailableError } from './errors.ts';
import type { Warning } from './wire.ts';

export interface ClientOptions {
  /** The URL of the service, such as `https://lading.example`. */
  url: string;
  /** The timeout of each attempt; 15 by default. */
  timeoutSeconds?: number;
  /** The maximum number of retries of a repeatable request; 4 by default. */
  retriesMax?: number;
  /** A custom `fetch`, for a proxy or a test. */
  fetch?: typeof fetch;
  /**
   * Called with the warnings of a response: fields that the service does not know (UAT accounts only), or a repeated
   * number with a different body.
   */
  onWarnings?: (warnings: Warning[], path: string) => void;
}

export interface CallOptions {
  /** Aborts the request, or the delay before its next attempt. */
  signal?: AbortSignal;
}

export interface Call extends CallOptions {
  path: string;
  /** Sent as JSON, unless there is a `rawBody`, which is sent as it is. */
  body?: unknown;
  rawBody?: string | Uint8Array<ArrayBuffer>;
  /** Created for every attempt, because a signature contains its time. */
  headers(body: string): Record<string, string> | Promise<Record<string, string>>;
  /** Whether the request may be repeated even if it may already have taken effect. */
  repeatable: boolean;
}

export interface Answer {
  url: string;
  status: number;
  trace_id: string | null;
  retry_after_seconds: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: each client knows the type of its envelope.
  json: any;
}

const timeoutSecondsDefault = 15;
const retriesMaxDefault = 4;
const firstWaitSeconds = 0.25;
const waitMaxSeconds = 20;

/** Sends a request with a timeout for each attempt, and retries it if that is safe. */
export async function send(client: ClientOptions, call: Call): Promise<Answer> {
  const retriesMax = client.retriesMax ?? retriesMaxDefault;
  for (let tries = 1; ; tries++) {
    call.signal?.throwIfAborted();
    const outcome = await attempt(client, call);
    const mayRepeat =
      outcome.kind === 'answered' ? isWorthRepeating(outcome.answer, call) : outcome.neverSent || call.repeatable;
    const askedToWait = outcome.kind === 'answered' ? (outcome.answer.retry_after_seconds ?? 0) : 0;
    if (mayRepeat && tries <= retriesMax && askedToWait <= waitMaxSeconds) {
      await sleep(waitSeconds(tries, askedToWait), call.signal);
      continue;
    }
    if (outcome.kind === 'answered') {
      reportWarnings(client, call, outcome.answer);
      return outcome.answer;
    }
    const message = `no answer from ${addressOf(client, call.path)}: ${outcome.reason}`;
    throw new UnavailableError(message, { status: null, code: null, trace_id: null, cause: outcome.cause });
  }
}

function reportWarnings({ onWarnings }: ClientOptions, { path }: Call, { json }: Answer): void {
  const { warnings } = json?.data ?? json?.retval ?? {};
  if (warnings) onWarnings?.(warnings, path);
}

type Outcome =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'no_answer'; reason: string; cause: unknown; neverSent: boolean };

async function attempt(client: ClientOptions, { path, body, rawBody, headers, signal }: Call): Promise<Outcome> {
  const timeoutSeconds = client.timeoutSeconds ?? timeoutSecondsDefault;
  const text = rawBody === undefined ? JSON.stringify(body) : '';
  const given = { 'content-type': 'application/json', ...(await headers(text)) };
  // An invalid header is an error of the caller and not a missing response.
  new Headers(given);
  const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  const url = addressOf(client, path);
  try {
    const response = await (client.fetch ?? fetch)(url, {
      method: 'POST',
      headers: given,
      body: rawBody ?? text,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const trace_id = response.headers.get('trace-id');
    const retry_after_seconds = secondsOf(response.headers.get('retry-after'));
    return {
      kind: 'answered',
      answer: { url, status: response.status, trace_id, retry_after_seconds, json: parsed(await response.text()) },
    };
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? `none within ${timeoutSeconds} s` : reasonOf(cause);
    return { kind: 'no_answer', reason, cause, neverSent: neverSentReasons.has(reason) };
  }
}

function addressOf({ url }: ClientOptions, path: string): string {
  return `${url.replace(/\/+$/, '')}${path}`;
}

/** Parses Retry-After, which is a number of seconds or a date. */
function secondsOf(retryAfter: string | null): number | null {
  if (!retryAfter) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Math.max(0, seconds || 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Errors without a connection, after which the request cannot have taken effect. */
const neverSentReasons = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string };
  return code ?? message;
}

/**
 * A 429 means that the request was not processed; a 5xx may mean that it was. "Not enabled" is not retried, because it
 * would not change.
 */
function isWorthRepeating({ status, json }: Answer, { repeatable }: Call): boolean {
  if (status === 429) return true;
  return status >= 500 && repeatable && json?.code !== 'LST-TPW-5030';
}

/** Exponential backoff with jitter, but never less than the service requests. */
function waitSeconds(tries: number, retryAfterSeconds: number): number {
  const longest = Math.min(firstWaitSeconds * 2 ** tries, waitMaxSeconds);
  return Math.max(longest * (0.5 + Math.random() / 2), retryAfterSeconds + Math.random() * firstWaitSeconds);
}

async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, seconds * 1000);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

/** Creates the error for an unsuccessful response. */
export function errorOf(
  { url, status, trace_id, retry_after_seconds }: Answer,
  refusal: { code?: string; message?: string; errors?: FieldError[] },
): LadingError {
  const {
    code = null,
    message = `HTTP ${status} without an answer of the service; is the address right?`,
    errors = [],
  } = refusal;
  const failure = { status, code, trace_id, retry_after_seconds, errors };
  if (status === 401 || status === 403) return new UnauthorizedError(message, failure);
  if (status === 404) return new RefusedError(`${message}: ${url}`, failure);
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  return isRefusal ? new RefusedError(message, failure) : new UnavailableError(message, failure);
}
