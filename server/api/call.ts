import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PartnerUse, UsedKey } from '../domain/partners/partner-use.ts';
import { timeOfTraceId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { DiagnosedCall, RequestLog } from '../platform/request-log.ts';
import type { AnonymousCalls, CallRecord } from './anonymous-calls.ts';

/** What is known of a call while it lasts; it becomes its line in the request log. */
export interface Call {
  /** null: not an API call (health, metrics), and so not in the request log. */
  contract: string | null;
  startedAt: Date;
  startedMs: number;
  accountNo: string | null;
  /** Whether the account has shown that it is the one, and with which client or key. */
  isAuthenticated: boolean;
  usedKey: UsedKey;
  documentNo: string | null;
  code: string | null;
  reason: string | null;
  /** Begins to look for the mistake in what was refused; called once it is answered. */
  diagnose: (() => Promise<DiagnosedCall>) | null;
  /** What was answered to a request that broke off before it was complete. */
  brokenStatus: number | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
  interface FastifyContextConfig {
    /** Asked all the time by machines (health, metrics): neither logged nor turned away. */
    unlogged?: boolean;
  }
}

/** Where a finished call is written down. */
export interface CallBooks {
  log: Log;
  metrics: Metrics;
  requestLog: RequestLog;
  anonymousCalls: AnonymousCalls;
  partnerUse: PartnerUse;
}

export function newCall(startedAt: Date, contract: string | null): Call {
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
    brokenStatus: null,
  };
}

/** Gives the request its call and its trace id; the call is written down when the connection is done with it. */
export function beginCall(request: FastifyRequest, reply: FastifyReply, contract: string | null, books: CallBooks): void {
  request.call = newCall(timeOfTraceId(request.id)!, contract);
  reply.header('trace-id', request.id);
  // 'close' comes once, after an answer as well as after a caller that hung up.
  reply.raw.once('close', () => finishRequest(request, reply, books));
}

/** Nothing was answered: the caller had gone. The number is the one nginx made customary. */
export const hungUpStatus = 499;
export const unknownEndpoint = '(unknown)';

function finishRequest(request: FastifyRequest, reply: FastifyReply, books: CallBooks): void {
  const { call } = request;
  const endpoint = request.is404 ? unknownEndpoint : (request.routeOptions.url ?? unknownEndpoint);
  const status = reply.raw.writableEnded ? reply.statusCode : (call.brokenStatus ?? hungUpStatus);
  finishCall(call, { traceId: request.id, method: request.method, endpoint, status }, books);
}

export function finishCall(
  call: Call,
  ended: { traceId: string; method: string; endpoint: string; status: number },
  books: CallBooks,
): void {
  const { contract, startedAt, startedMs, accountNo, documentNo, code, reason, diagnose } = call;
  const { traceId, method, endpoint, status } = ended;
  if (contract === null) return;
  const durationMs = performance.now() - startedMs;

  books.metrics.requests.inc({ contract, endpoint, status: String(status) });
  books.metrics.requestDuration.observe({ contract, endpoint }, durationMs / 1000);
  const line = {
    at: startedAt,
    trace_id: traceId,
    contract,
    method,
    endpoint,
    status,
    duration_us: Math.round(durationMs * 1000),
    account_no: accountNo,
    document_no: documentNo,
    code,
    reason,
    diagnosis: null,
  };
  const record = { line, diagnosis: diagnose?.() };
  if (call.isAuthenticated || books.anonymousCalls.admits(record)) writeCall(record, 0, books);
  if (call.isAuthenticated && accountNo !== null) books.partnerUse.note(accountNo, call.usedKey, startedAt);
}

/** `suppressed`: how many calls like it are not written themselves. */
export function writeCall({ line, diagnosis }: CallRecord, suppressed: number, books: Pick<CallBooks, 'log' | 'requestLog'>): void {
  const { trace_id, contract, endpoint, status, code, duration_us, account_no } = line;
  const others = suppressed > 0 ? [`(and ${suppressed} more requests like it)`] : [];
  const reason = line.reason === null && others.length === 0 ? null : [line.reason, ...others].filter(Boolean).join(' ');
  books.requestLog.add({ ...line, reason }, diagnosis);
  if (status >= 400 || suppressed > 0 || books.log.isLevelEnabled('debug')) {
    const level = status >= 500 ? 'warn' : status >= 400 || suppressed > 0 ? 'info' : 'debug';
    const logged = { trace_id, contract, endpoint, status, code, duration_ms: Math.round(duration_us / 100) / 10, account_no };
    books.log[level]({ ...logged, reason: line.reason, ...(suppressed > 0 ? { suppressed } : {}) }, 'request');
  }
}
