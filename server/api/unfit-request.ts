import type { FastifyRequest } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';
import { ProblemError } from './problem.ts';

/** What should not be worked on at all, before its body is read: too much load (with the reason), or headers that two readers could read differently. */
export function refusalOfUnfit(request: FastifyRequest, overload: string | null, { metrics }: { metrics: Metrics }): ProblemError | null {
  if (overload !== null) {
    metrics.requestsRefused.inc({ cause: 'overload' });
    return new ProblemError({ kind: 'overloaded', reason: overload });
  }
  if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
    return new ProblemError({ kind: 'bad_request', message: 'the header host is missing' });
  }
  const repeated = repeatedHeader(request.raw.rawHeaders);
  if (repeated === null) return null;
  metrics.requestsRefused.inc({ cause: 'repeated_header' });
  const message = `the header ${repeated} came twice`;
  if (repeated === 'host') return new ProblemError({ kind: 'bad_request', message });
  return new ProblemError({ kind: 'unauthorized', reason: message, ...(repeated === 'authorization' ? { told: message } : {}) });
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

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Fastify refuses a media type that it cannot read before the caller is known; without one, the contract decides. */
export function forgetUnreadableMediaType(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (headers['content-type'] !== undefined && !mediaType.test(headers['content-type'])) delete headers['content-type'];
}
