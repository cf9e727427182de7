import type { Message } from '../../messages/message.ts';
import type { UsedKey } from '../domain/partners/partner-use.ts';
import type { DiagnosedRequest } from '../domain/requests/request-log-line.ts';
import type { Span } from '../platform/tracing/span.ts';

/** The record of a request while it is served; it becomes a line of the request log. */
export interface RequestRecord {
  /** null: not an API request (health, metrics), so it does not appear in the request log. */
  contract: string | null;
  startedAt: Date;
  startedMs: number;
  accountNo: string | null;
  /** Whether the caller has proven to be this account. */
  isAuthenticated: boolean;
  /** The client or key that the caller authenticated with. */
  usedKey: UsedKey;
  documentNo: string | null;
  code: string | null;
  /** May say more than the message that the caller received. */
  reason: Message | null;
  /** Starts the diagnosis of a rejected request; called after the response. */
  diagnose: (() => Promise<DiagnosedRequest>) | null;
  /** Its rejection is decided, and is sent as soon as the pace of rejections allows. */
  isRejected: boolean;
  /** The status that was sent for a request that never arrived completely. */
  brokenStatus: number | null;
  /** null: tracing is off, or the request is not traced at all. */
  span: Span | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
  interface FastifyContextConfig {
    /** Polled by machines (health, metrics): neither logged nor rejected under load. */
    unlogged?: boolean;
  }
}

export function newRequestRecord(startedAt: Date, contract: string | null, span: Span | null = null): RequestRecord {
  return {
    contract,
    startedAt,
    startedMs: performance.now(),
    accountNo: null,
    isAuthenticated: false,
    usedKey: null,
    documentNo: null,
    code: null,
    reason: null,
    diagnose: null,
    isRejected: false,
    brokenStatus: null,
    span,
  };
}

/** The client closed the connection before its response; nginx made this number customary. */
export const clientClosedStatus = 499;
export const unknownEndpoint = '(unknown)';
