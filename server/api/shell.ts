import type { Server, Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { newTraceId, timeOfTraceId } from '../platform/ids.ts';
import type { LoadShedder } from '../platform/load-shedder.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RateLimit } from '../platform/rate-limit.ts';
import type { RequestLog } from '../platform/request-log.ts';
import { httpOf, type Problem, ProblemError } from './problem.ts';

/** What is known of a call while it lasts; it becomes its line in the request log. */
export interface Call {
  /** null: not an API call (health, metrics), and so not in the request log. */
  contract: string | null;
  startedAt: Date;
  startedMs: number;
  accountNo: string | null;
  documentNo: string | null;
  code: string | null;
  reason: string | null;
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

/** How a contract says what went wrong: the envelope, and its code where the contract has codes. */
export type Wording = (problem: Problem, traceId: string) => { body: unknown; code?: string; headers?: Record<string, string> };

/** A contract, as far as the shell knows it. The one without a prefix answers for whatever is no other's. */
export interface Dialect {
  name: string;
  prefix: string;
  word: Wording;
}

/** What all contracts share: limits, logs, measures. */
export interface Shell {
  dialects: Dialect[];
  log: Log;
  load: LoadShedder;
  rateLimit: RateLimit;
  bodyMaxBytes: number;
  problemOfUnknownRoute(request: FastifyRequest): Problem;
}

export interface ShellParts {
  log: Log;
  clock: Clock;
  metrics: Metrics;
  requestLog: RequestLog;
  load: LoadShedder;
  rateLimit: RateLimit;
}

const bodyMaxBytes = 1_048_576;
const headersDeadlineSeconds = 10;
const requestDeadlineSeconds = 15;
const keepAliveSeconds = 65;
const deadlineCheckMs = 1000;
const connectionsMax = 20_000;

/** The HTTP server without any contract: trace ids, raw bodies, deadlines, refusals, measures. */
export function makeShell(parts: ShellParts): { app: FastifyInstance; shell: Shell } {
  const dialects: Dialect[] = [];
  const dialectOf = (url: string) => dialects.find(({ prefix }) => url.startsWith(`${prefix}/`)) ?? dialects.at(-1)!;
  const app = Fastify({
    logger: false,
    bodyLimit: bodyMaxBytes,
    genReqId: () => newTraceId(parts.clock.now().getTime()),
    requestIdHeader: false,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false },
    keepAliveTimeout: keepAliveSeconds * 1000,
    requestTimeout: requestDeadlineSeconds * 1000,
    http: { headersTimeout: headersDeadlineSeconds * 1000, connectionsCheckingInterval: deadlineCheckMs, maxHeaderSize: 16_384 },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, parts),
    // A path that cannot be decoded has found no route, and so not the contract that it belongs to.
    frameworkErrors: (_error, request, reply) => {
      const problem: Problem = { kind: 'bad_request', message: 'the path cannot be read' };
      const { body } = dialectOf(request.url).word(problem, request.id);
      return (reply as FastifyReply).header('trace-id', request.id).code(httpOf(problem).status).send(body);
    },
  });
  (app.server as Server).maxConnections = connectionsMax;

  // The bytes are kept as they came: a signature is over them, and it is checked before anything is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.decorateRequest('call');
  app.addHook('onRequest', async (request, reply) => {
    const unlogged = request.routeOptions.config?.unlogged === true;
    request.call = {
      contract: unlogged ? null : dialectOf(request.url).name,
      startedAt: timeOfTraceId(request.id)!,
      startedMs: performance.now(),
      accountNo: null,
      documentNo: null,
      code: null,
      reason: null,
    };
    reply.header('trace-id', request.id);
    // 'close' comes once, after an answer as well as after a caller that hung up.
    reply.raw.once('close', () => finishCall(request, reply.raw.writableFinished ? reply.statusCode : hungUpStatus, parts));
    if (!unlogged) refuseIfUnfit(request, parts);
  });

  const shell: Shell = {
    dialects,
    log: parts.log,
    load: parts.load,
    rateLimit: parts.rateLimit,
    bodyMaxBytes,
    problemOfUnknownRoute(request) {
      const url = request.url.split('?', 1)[0]!;
      const allow = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url }));
      return allow.length > 0 ? { kind: 'wrong_method', allow } : { kind: 'unknown_path' };
    },
  };
  return { app, shell };
}

/** Nothing was answered: the caller had gone. The number is the one nginx made customary. */
const hungUpStatus = 499;

function finishCall(request: FastifyRequest, status: number, parts: ShellParts): void {
  const { contract, startedAt, startedMs, accountNo, documentNo, code, reason } = request.call;
  if (contract === null) return;
  const durationMs = performance.now() - startedMs;
  const endpoint = request.is404 ? '(unknown)' : (request.routeOptions.url ?? '(unknown)');

  parts.metrics.requests.inc({ contract, endpoint, status: String(status) });
  parts.metrics.requestDuration.observe({ contract, endpoint }, durationMs / 1000);
  parts.requestLog.add({
    at: startedAt,
    trace_id: request.id,
    contract,
    method: request.method,
    endpoint,
    status,
    duration_us: Math.round(durationMs * 1000),
    account_no: accountNo,
    document_no: documentNo,
    code,
    reason,
  });
  if (status >= 400 || parts.log.isLevelEnabled('debug')) {
    const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug';
    const line = { trace_id: request.id, contract, endpoint, status, code, duration_ms: Math.round(durationMs * 10) / 10 };
    parts.log[level]({ ...line, account_no: accountNo, reason }, 'request');
  }
}

/** Turns away what should not be worked on at all, before its body is read. */
function refuseIfUnfit(request: FastifyRequest, parts: ShellParts): void {
  const overload = parts.load.overload();
  if (overload !== null) {
    parts.metrics.requestsRefused.inc({ cause: 'overload' });
    throw new ProblemError({ kind: 'overloaded', reason: overload });
  }
  const repeated = repeatedHeader(request.raw.rawHeaders);
  if (repeated === null) return;
  parts.metrics.requestsRefused.inc({ cause: 'repeated_header' });
  const message = `the header ${repeated} came twice`;
  throw new ProblemError(repeated === 'host' ? { kind: 'bad_request', message } : { kind: 'unauthorized', reason: message });
}

const singleHeaders = new Set(['host', 'authorization', 'sign', 'timestamp', 'account-no']);

/** Node joins or drops repeated headers; two parties that pick different ones would see different requests. */
function repeatedHeader(rawHeaders: string[]): string | null {
  let seen: string[] | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (seen === null) seen = [name];
    else if (seen.includes(name)) return name;
    else seen.push(name);
  }
  return null;
}

const brokenRequests: Record<string, { status: string; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'the request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'the headers are too large' },
};

/** What is not HTTP, or did not arrive in time, has no path and so no contract. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, parts: ShellParts): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = brokenRequests[error.code ?? ''] ?? {
    status: '400 Bad Request',
    message: 'this is not a valid HTTP request',
  };
  parts.metrics.requestsRefused.inc({ cause: status.slice(0, 3) });
  const body = JSON.stringify({ done: false, msg: message, retval: null });
  const traceId = newTraceId(parts.clock.now().getTime());
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ntrace-id: ${traceId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
