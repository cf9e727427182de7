import type { Dispatcher } from 'undici';

export interface Answer {
  kind: 'answered';
  status: number;
  /** The header as it came. */
  retryAfter: string | null;
  /** As much of the body as came in time, at most 16 KiB, as text without control characters. */
  response: string;
  address: string;
}

export interface Failure {
  kind: 'failed';
  /** For people; names neither the URL nor what was sent. */
  error: string;
  /** The one dialled last; null when none was. */
  address: string | null;
}

const responseMaxBytes = 16_384;
export const headersMaxBytes = 16_384;
/** Reason phrases, chunk extensions and informational answers count here, which have no bound of their own. */
export const answerMaxBytes = 262_144;
const retryAfterMaxLength = 100;

/** What undici is told when it wants to connect once more: nothing of the request that waits for it has been sent. */
export const connectionGone = new Error('the connection is gone');
export const endedEarly = new Error('ended early');
export const answerTooLong = new Error('the answer is too long');

/** Takes in an answer, and no more of it than is kept. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  /** Whether any of it may have been written. */
  requested: boolean;
  /** 0 until there is an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  chunks: Buffer[];
  bytes: number;
  onEnd: (error: Error | null) => void;

  constructor(onEnd: (error: Error | null) => void) {
    this.requested = false;
    this.status = 0;
    this.headers = {};
    this.chunks = [];
    this.bytes = 0;
    this.onEnd = onEnd;
  }

  onRequestStart(): void {
    this.requested = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > responseMaxBytes) this.onEnd(answerTooLong);
  }

  onResponseEnd(): void {
    this.onEnd(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.onEnd(error);
  }
}

export function answerOf({ status, headers, chunks }: AnswerReader, address: string): Answer {
  const retryAfter = firstOf(headers['retry-after'])?.slice(0, retryAfterMaxLength) ?? null;
  const encoding = firstOf(headers['content-encoding'])?.trim().toLowerCase() ?? 'identity';
  const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return { kind: 'answered', status, retryAfter, response: describeBody(body.subarray(0, responseMaxBytes), encoding), address };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The database keeps no NUL, and a reader's terminal shall not obey what a stranger wrote. */
function describeBody(body: Buffer, encoding: string): string {
  if (body.length === 0) return '';
  if (encoding !== 'identity' && encoding !== '') return `[${/^[\w-]{1,20}$/.test(encoding) ? encoding : 'encoded'}, ${body.length} bytes]`;
  return body.toString('utf8').replace(/\r\n?/g, '\n').replace(controlCharacters, '\ufffd');
}

/** With those that turn the direction of writing. */
const controlCharacters = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** For people. */
export function reasonOf(error: unknown, stage?: 'TLS'): string {
  if (error === connectionGone) return 'connection reset';
  if (error === answerTooLong) return `malformed HTTP: no answer within ${answerMaxBytes / 1024} KiB`;
  if (!(error instanceof Error)) return 'unexpected error';
  if (error.name === 'HTTPParserError' || error.name === 'AssertionError') return 'malformed HTTP';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(error.message)) return 'malformed HTTP';
  const known = reasons.get(code);
  if (known) return known;
  return stage === 'TLS' || /^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/.test(code) ? `TLS: ${code}` : `unexpected error ${code}`.trim();
}

export const nameUnresolved = 'name does not resolve';
const nameUnresolvedNow = `${nameUnresolved} at the moment`;

export function addressRefused(address: string): string {
  return `address ${address} is not allowed`;
}

/** Whether a failure describes what our name servers and network know about a host, which is not for the party that named the host. */
export function revealsNetwork({ error, address }: Pick<Failure, 'error' | 'address'>): boolean {
  // A time-out before any address was dialled is one of the name look-up.
  return (
    error.startsWith(nameUnresolved) || /^address .* is not allowed$/.test(error) || (address === null && error.startsWith('timed out'))
  );
}

const reasons = new Map([
  ['EAI_AGAIN', nameUnresolvedNow],
  ['EAI_FAIL', nameUnresolvedNow],
  ['ETIMEOUT', nameUnresolvedNow],
  ['ESERVFAIL', nameUnresolvedNow],
  ['ENOTFOUND', nameUnresolved],
  ['ENODATA', nameUnresolved],
  ['ECONNREFUSED', 'connection refused'],
  ['EHOSTDOWN', 'host unreachable'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['EADDRNOTAVAIL', 'network unreachable'],
  ['EAFNOSUPPORT', 'network unreachable'],
  ['ENETDOWN', 'network unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['ETIMEDOUT', 'connection timed out'],
  ['ECONNABORTED', 'connection reset'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['UND_ERR_SOCKET', 'connection reset'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'malformed HTTP'],
  ['UND_ERR_HEADERS_OVERFLOW', `malformed HTTP: headers beyond ${headersMaxBytes / 1024} KiB`],
  ['UND_ERR_INVALID_ARG', 'headers that cannot be sent'],
  ['UND_ERR_NOT_SUPPORTED', 'headers that cannot be sent'],
]);
