import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatStored } from '../../messages/format-message.ts';
import { readMessage, storeMessage } from '../../messages/message.ts';
import { reason as reasonMessage } from '../../messages/reason-texts.ts';
import type { PartnerUse } from '../domain/partners/partner-use.ts';
import type { RequestLog } from '../domain/requests/request-log.ts';
import { timeOfTraceId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Span } from '../platform/tracing/span.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import type { AnonymousRequests, FinishedRequest } from './anonymous-requests.ts';
import { clientClosedStatus, newRequestRecord, type RequestRecord, unknownEndpoint } from './request-record.ts';

/** Where finished requests are recorded. */
export interface RecordTargets {
  log: Log;
  metrics: Metrics;
  requestLog: RequestLog;
  anonymousRequests: AnonymousRequests;
  partnerUse: PartnerUse;
  /** null: tracing is off. */
  tracer: Tracer | null;
}

/** Records every finished request in the metrics, the request log and the log of the process. */
export class RequestRecorder {
  readonly #targets: RecordTargets;

  constructor(targets: RecordTargets) {
    this.#targets = targets;
  }

  /** Attaches a record and the trace id to a request of Fastify, and finishes the record when the response is done. */
  start(request: FastifyRequest, reply: FastifyReply, contract: string | null): void {
    const { tracer } = this.#targets;
    const isTraced = tracer !== null && contract !== null;
    const span = isTraced ? tracer.startRequest(request.id, request.headers.traceparent) : null;
    request.record = newRequestRecord(timeOfTraceId(request.id)!, contract, span);
    reply.header('trace-id', request.id);
    // Node emits 'close' exactly once, after a response as well as after a disconnect.
    reply.raw.once('close', () => this.#finishReply(request, reply));
  }

  #finishReply(request: FastifyRequest, reply: FastifyReply): void {
    const endpoint = request.is404 ? unknownEndpoint : (request.routeOptions.url ?? unknownEndpoint);
    const status = reply.raw.writableEnded ? reply.statusCode : (request.record.brokenStatus ?? clientClosedStatus);
    this.finish(request.record, { traceId: request.id, method: request.method, endpoint, status });
  }

  finish(
    record: RequestRecord,
    { traceId, method, endpoint, status }: { traceId: string; method: string; endpoint: string; status: number },
  ): void {
    const { contract, startedAt, accountNo, isAuthenticated } = record;
    if (contract === null) return;
    const { metrics, anonymousRequests, partnerUse } = this.#targets;
    const durationMs = performance.now() - record.startedMs;

    metrics.requests.inc({ contract, endpoint, status: String(status) });
    metrics.requestDuration.observe({ contract, endpoint }, durationMs / 1000);
    const line = {
      at: startedAt,
      trace_id: traceId,
      contract,
      method,
      endpoint,
      status,
      duration_us: Math.round(durationMs * 1000),
      account_no: accountNo,
      document_no: record.documentNo,
      code: record.code,
      reason: record.reason === null ? null : storeMessage(record.reason),
      diagnosis: null,
    };
    if (record.span !== null) endSpan(record.span, line);
    const finished = { line, diagnosis: record.diagnose?.(), w3cTraceId: record.span?.traceId };
    if (isAuthenticated || anonymousRequests.admits(finished)) writeRequest(finished, 0, this.#targets);
    if (isAuthenticated && accountNo !== null) partnerUse.note(accountNo, record.usedKey, startedAt);
  }
}

/** Neither the account nor the document: a trace may be kept where partners' data may not. */
function endSpan(span: Span, { contract, method, endpoint, status, code }: FinishedRequest['line']): void {
  span.end({
    name: `${method} ${endpoint}`,
    attributes: {
      'http.request.method': method,
      'http.route': endpoint,
      'http.response.status_code': status,
      'lading.contract': contract,
      ...(code === null ? {} : { 'lading.code': code }),
    },
    error: status >= 500 ? String(status) : undefined,
  });
}

/** `suppressed`: how many similar requests are not written themselves. */
export function writeRequest(
  { line, diagnosis, w3cTraceId }: FinishedRequest,
  suppressed: number,
  { requestLog, log }: Pick<RecordTargets, 'requestLog' | 'log'>,
): void {
  requestLog.add({ ...line, reason: withCount(line.reason, suppressed) }, diagnosis);
  logRequest(line, suppressed, w3cTraceId, log);
}

function logRequest(
  line: FinishedRequest['line'],
  suppressed: number,
  w3c_trace_id: string | undefined,
  log: Log,
): void {
  const { trace_id, contract, endpoint, status, code, duration_us, account_no } = line;
  const isNotable = status >= 400 || suppressed > 0;
  if (!isNotable && !log.isLevelEnabled('debug')) return;
  const level = status >= 500 ? 'warn' : isNotable ? 'info' : 'debug';
  const duration_ms = Math.round(duration_us / 100) / 10;
  const reason = line.reason === null ? null : formatStored(line.reason);
  const fields = { trace_id, w3c_trace_id, contract, endpoint, status, code, duration_ms, account_no, reason };
  log[level]({ ...fields, ...(suppressed > 0 ? { suppressed } : {}) }, 'request');
}

function withCount(stored: string | null, suppressed: number): string | null {
  if (suppressed === 0) return stored;
  const message = readMessage(stored);
  return storeMessage(
    message === null
      ? reasonMessage('repeated_only', { count: suppressed })
      : reasonMessage('repeated', { reason: message, count: suppressed }),
  );
}
