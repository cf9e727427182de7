import type { Dispatcher } from 'undici';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';

export interface Answer {
  kind: 'answered';
  status: number;
  /** The unmodified header. */
  retryAfter: string | null;
  /** The part of the body that arrived in time, at most 16 KiB, as text without control characters. */
  response: string;
  address: string;
}

export interface Failure {
  kind: 'failed';
  /** Contains neither the URL nor the request. */
  error: Message;
  /** The address of the last connection attempt; null if there was none. */
  address: string | null;
}

const responseMaxBytes = 16_384;
export const headersMaxBytes = 16_384;
/**
 * The limit for the whole response, including reason phrases, chunk extensions and informational responses, which have
 * no limits of their own.
 */
export const answerMaxBytes = 262_144;
const retryAfterMaxLength = 100;

/** Returned to undici when it tries to reconnect: the waiting request has not been sent at all. */
export const connectionGone = new Error('the connection is gone');
export const endedEarly = new Error('ended early');
export const answerTooLong = new Error('the answer is too long');

/** Receives a response, up to the stored limit. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  /** Whether any part of the request may have been sent. */
  requested: boolean;
  /** 0 until a response arrives. */
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
  return {
    kind: 'answered',
    status,
    retryAfter,
    response: describeBody(body.subarray(0, responseMaxBytes), encoding),
    address,
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Removes NUL, which the database cannot store, and control characters, which could manipulate a terminal. */
function describeBody(body: Buffer, encoding: string): string {
  if (body.length === 0) return '';
  if (encoding !== 'identity' && encoding !== '')
    return `[${/^[\w-]{1,20}$/.test(encoding) ? encoding : 'encoded'}, ${body.length} bytes]`;
  return body.toString('utf8').replace(/\r\n?/g, '\n').replace(controlCharacters, '\ufffd');
}

/** Includes bidirectional control characters. */
const controlCharacters = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Why a request was not answered. */
export function reasonOf(error: unknown, stage?: 'TLS'): Message {
  if (error === connectionGone) return sending('connection_reset');
  if (error === answerTooLong) return sending('no_answer_within', { kib: answerMaxBytes / 1024 });
  if (!(error instanceof Error)) return sending('unexpected_error');
  if (error.name === 'HTTPParserError' || error.name === 'AssertionError') return sending('malformed_http');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(error.message)) return sending('malformed_http');
  const known = reasons.get(code);
  if (known) return known;
  if (stage === 'TLS' || /^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/.test(code)) return sending('tls_failed', { code });
  return code === '' ? sending('unexpected_error') : sending('unexpected_error_code', { code });
}

export const nameUnresolved = sending('name_unresolved');
const nameUnresolvedNow = sending('name_unresolved_now');

export function addressRefused(address: string): Message {
  return sending('address_not_allowed', { address });
}

/**
 * Whether a failure reveals what our DNS and network know about a host, which the partner must not learn. It looks at
 * the text, because old rows hold nothing else.
 */
export function revealsNetwork(error: string, address: string | null): boolean {
  // A timeout before any connection attempt occurred during name resolution.
  return (
    error.startsWith(formatMessage(nameUnresolved)) ||
    /^address .* is not allowed$/.test(error) ||
    (address === null && error.startsWith('timed out'))
  );
}

const reasons = new Map([
  ['EAI_AGAIN', nameUnresolvedNow],
  ['EAI_FAIL', nameUnresolvedNow],
  ['ETIMEOUT', nameUnresolvedNow],
  ['ESERVFAIL', nameUnresolvedNow],
  ['ENOTFOUND', nameUnresolved],
  ['ENODATA', nameUnresolved],
  ['ECONNREFUSED', sending('connection_refused')],
  ['EHOSTDOWN', sending('host_unreachable')],
  ['EHOSTUNREACH', sending('host_unreachable')],
  ['EADDRNOTAVAIL', sending('network_unreachable')],
  ['EAFNOSUPPORT', sending('network_unreachable')],
  ['ENETDOWN', sending('network_unreachable')],
  ['ENETUNREACH', sending('network_unreachable')],
  ['ETIMEDOUT', sending('connection_timed_out')],
  ['ECONNABORTED', sending('connection_reset')],
  ['ECONNRESET', sending('connection_reset')],
  ['EPIPE', sending('connection_reset')],
  ['UND_ERR_SOCKET', sending('connection_reset')],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', sending('malformed_http')],
  ['UND_ERR_HEADERS_OVERFLOW', sending('headers_beyond', { kib: headersMaxBytes / 1024 })],
  ['UND_ERR_INVALID_ARG', sending('unsendable_headers')],
  ['UND_ERR_NOT_SUPPORTED', sending('unsendable_headers')],
]);

export function failure(error: Message, address: string | null): Failure {
  return { kind: 'failed', error, address };
}

export function hasFailed(stage: object): stage is Failure {
  return 'kind' in stage && stage.kind === 'failed';
}
