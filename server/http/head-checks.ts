import type { FastifyRequest } from 'fastify';
import { errorMessage } from '../../messages/errors.ts';
import { reason } from '../../messages/reason-texts.ts';
import type { Metrics } from '../platform/metrics.ts';
import { ProblemError } from './problem.ts';

/**
 * Rejects a request before its body is read: because of overload (given as the reason), or because of headers that two
 * parsers could read differently.
 */
export function checkBeforeBody(
  request: FastifyRequest,
  overload: string | null,
  { metrics }: { metrics: Metrics },
): ProblemError | null {
  if (overload !== null) {
    metrics.requestsRefused.inc({ cause: 'overload' });
    return new ProblemError({ kind: 'overloaded', reason: reason('overloaded', { detail: overload }) });
  }
  if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
    return new ProblemError({ kind: 'bad_request', message: errorMessage('host_missing') });
  }
  const repeated = repeatedHeader(request.raw.rawHeaders);
  if (repeated === null) return null;
  metrics.requestsRefused.inc({ cause: 'repeated_header' });
  if (repeated === 'host') return new ProblemError({ kind: 'bad_request', message: errorMessage('host_twice') });
  return new ProblemError({
    kind: 'unauthorized',
    reason: reason('header_repeated', { name: repeated }),
    ...(repeated === 'authorization' ? { callerMessage: errorMessage('authorization_twice') } : {}),
  });
}

const singleHeaders = new Set(['host', 'authorization', 'sign', 'timestamp', 'account-no']);

/** Node joins or drops repeated headers. Two parties that pick different values would see different requests. */
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

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Fastify rejects an invalid media type before the caller is known. Without the header, the contract decides. */
export function dropInvalidMediaType(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (headers['content-type'] !== undefined && !mediaType.test(headers['content-type'])) delete headers['content-type'];
}
