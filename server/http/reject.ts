import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../../messages/errors.ts';
import { reason } from '../../messages/reason-texts.ts';
import { describeError } from '../platform/log.ts';
import { DatabaseUnavailable } from '../platform/postgres/deadline.ts';
import { type ContractEnvelope, sendProblem } from './envelope.ts';
import type { Incoming } from './incoming.ts';
import { bodyMaxBytes } from './limits.ts';
import { type Problem, ProblemError } from './problem.ts';
import type { RequestRecord } from './request-record.ts';
import type { ServerContext } from './server-context.ts';

/** Makes a contract answer for all problems in its scope. */
export function setEnvelope(scope: FastifyInstance, context: ServerContext, envelope: ContractEnvelope): void {
  context.envelopes.push(envelope);
  rejectErrors(scope, context, envelope);
  scope.setNotFoundHandler((request, reply) =>
    reject(request, reply, context, envelope, context.problemOfUnknownRoute(request)),
  );
}

/** Turns every error that a handler in this scope throws into a response of this contract. */
export function rejectErrors(scope: FastifyInstance, context: ServerContext, envelope: ContractEnvelope): void {
  scope.setErrorHandler((error, request, reply) =>
    reject(request, reply, context, envelope, problemOf(error, request, context)),
  );
}

export async function reject(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Pick<ServerContext, 'rejectionThrottle' | 'docsUrl'>,
  envelope: ContractEnvelope,
  problem: Problem,
): Promise<FastifyReply> {
  request.record.isRejected = true;
  if (isCheap(problem, request.record)) await delayRejection(request, context);
  return sendProblem(reply, request, envelope, problem, context);
}

export async function delayRejection(
  request: FastifyRequest,
  context: Pick<ServerContext, 'rejectionThrottle'>,
): Promise<void> {
  // The bodies of many delayed requests must not fill the memory.
  request.body = undefined;
  await context.rejectionThrottle();
}

/**
 * Whether the sender can cause any number of these rejections at no cost. If we answered them at once, a crowd would
 * retry at once. This is the case for every rejection of a caller that has not authenticated, unless the fault is ours.
 */
export function isCheap({ kind }: Problem, { isAuthenticated }: Pick<RequestRecord, 'isAuthenticated'>): boolean {
  if (kind === 'unauthorized' || kind === 'rate_limited' || kind === 'unknown_path' || kind === 'wrong_method')
    return true;
  return !isAuthenticated && kind !== 'overloaded' && kind !== 'database_unavailable' && kind !== 'internal';
}

/** Converts a thrown error to a problem. An unexpected error is logged, and the caller learns nothing about it. */
export function problemOf(
  error: unknown,
  request: Incoming & Partial<Pick<FastifyRequest, 'routeOptions'>>,
  context: Pick<ServerContext, 'log'>,
): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof DatabaseUnavailable)
    return { kind: 'database_unavailable', reason: reason('database_unavailable', { detail: error.message }) };
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { kind: 'body_too_large', maxBytes: request.routeOptions?.bodyLimit ?? bodyMaxBytes };
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { kind: 'bad_request', message: errorMessage('request_unreadable') };
  }
  const w3c_trace_id = request.record.span?.traceId;
  context.log.error({ trace_id: request.id, w3c_trace_id, ...describeError(error) }, 'a request failed');
  return { kind: 'internal' };
}
