import {
  type FieldError,
  type LadingError,
  PayloadDiffersError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
import type { AttemptEvent, Hooks } from './hooks.ts';
import type { ServiceResponse } from './reply.ts';
import { version } from './version.ts';
import type { Warning } from './wire.ts';

export interface ClientOptions extends Hooks {
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
  /** Throws a `PayloadDiffersError` if a number was already used with a different body. By default this is a warning. */
  throwOnPayloadDiffers?: boolean;
}

export interface CallOptions {
  /** Aborts the request, or the delay before its next attempt. */
  signal?: AbortSignal;
  /** The timeout of each attempt of this call, instead of the client's. */
  timeoutSeconds?: number;
}

export interface Call extends CallOptions {
  path: string;
  /** Sent as JSON, unless there is a `rawBody`, which is sent as it is. */
  body?: unknown;
  rawBody?: string | Uint8Array;
  /** Created for every attempt, because a signature contains its time. */
  headers(body: string): Record<string, string> | Promise<Record<string, string>>;
  /** Whether the request may be repeated even if it may already have taken effect. */
  repeatable: boolean;
}

export interface Answer extends ServiceResponse {
  url: string;
  retry_after_seconds: number | null;
  /** The time that the attempt took. */
  seconds: number;
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
  const { path } = call;
  const url = addressOf(client, path);
  for (let attempt = 1; ; attempt++) {
    call.signal?.throwIfAborted();
    const event = { path, url, attempt };
    const outcome = await tryOnce(client, call, event);
    if (outcome.kind === 'answered') reportResponse(client, event, outcome.answer);
    const { status, reason, askedToWait } = describe(outcome);
    const mayRepeat =
      outcome.kind === 'answered' ? isWorthRepeating(outcome.answer, call) : outcome.neverSent || call.repeatable;
    if (mayRepeat && attempt <= retriesMax && askedToWait <= waitMaxSeconds) {
      const wait_seconds = waitSeconds(attempt, askedToWait);
      client.onRetry?.({ ...event, status, reason, wait_seconds });
      await sleep(wait_seconds, call.signal);
      continue;
    }
    if (outcome.kind === 'answered') {
      reportWarnings(client, path, outcome.answer);
      return outcome.answer;
    }
    const message = `no answer from ${url}: ${reason}`;
    throw new UnavailableError(message, { status: null, code: null, trace_id: null, cause: outcome.cause });
  }
}

function reportResponse({ onResponse }: ClientOptions, event: AttemptEvent, answer: Answer): void {
  const { status, trace_id, headers, seconds } = answer;
  onResponse?.({ ...event, status, trace_id, headers, seconds });
}

function reportWarnings({ onWarnings, throwOnPayloadDiffers }: ClientOptions, path: string, answer: Answer): void {
  const { json, status, trace_id } = answer;
  const original = json?.data ?? json?.retval ?? {};
  const warnings: Warning[] | undefined = original.warnings;
  if (!warnings) return;
  onWarnings?.(warnings, path);
  const difference = throwOnPayloadDiffers && warnings.find(({ code }) => code === 'payload_differs');
  if (!difference) return;
  throw new PayloadDiffersError(difference.message, { status, code: json.code ?? null, trace_id }, original);
}

type Outcome =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'no_answer'; reason: string; cause: unknown; neverSent: boolean };

function describe(outcome: Outcome): { status: number | null; reason: string; askedToWait: number } {
  if (outcome.kind === 'no_answer') return { status: null, reason: outcome.reason, askedToWait: 0 };
  const { status, retry_after_seconds } = outcome.answer;
  return { status, reason: `HTTP ${status}`, askedToWait: retry_after_seconds ?? 0 };
}

async function tryOnce(client: ClientOptions, call: Call, event: AttemptEvent): Promise<Outcome> {
  const { body, rawBody, signal } = call;
  const { url } = event;
  const timeoutSeconds = call.timeoutSeconds ?? client.timeoutSeconds ?? timeoutSecondsDefault;
  const text = rawBody === undefined ? JSON.stringify(body) : '';
  const given = await headersOf(client, call, event, text);
  const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  const sentAtMs = performance.now();
  try {
    const response = await (client.fetch ?? fetch)(url, {
      method: 'POST',
      headers: given,
      body: (rawBody ?? text) as BodyInit,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const json = parsed(await response.text());
    const seconds = (performance.now() - sentAtMs) / 1000;
    const { status, headers } = response;
    const trace_id = headers.get('trace-id');
    const retry_after_seconds = secondsOf(headers.get('retry-after'));
    return { kind: 'answered', answer: { url, status, trace_id, headers, retry_after_seconds, seconds, json } };
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? `none within ${timeoutSeconds} s` : reasonOf(cause);
    return { kind: 'no_answer', reason, cause, neverSent: neverSentReasons.has(reason) };
  }
}

/** The name of the platform; in a browser it begins with `Mozilla`, and pages must not replace it. */
const platform = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent ?? '';
const userAgent = platform.startsWith('Mozilla')
  ? {}
  : { 'user-agent': `lading-client/${version}${platform === '' ? '' : ` (${platform})`}` };

/** An invalid header throws a TypeError: it is an error of the caller, and not a missing response. */
async function headersOf(
  { onRequest }: ClientOptions,
  call: Call,
  event: AttemptEvent,
  body: string,
): Promise<Record<string, string>> {
  const headers = new Headers(userAgent);
  const added = (await onRequest?.(event)) ?? {};
  const own = { 'content-type': 'application/json', ...(await call.headers(body)) };
  for (const [name, value] of Object.entries({ ...added, ...own })) headers.set(name, value);
  return Object.fromEntries(headers);
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
