import type { FastifyInstance, FastifyReply } from 'fastify';
import { reason } from '../../messages/reason-texts.ts';
import type { SharedCounts } from '../platform/limits/shared-counts.ts';
import type { Metrics } from '../platform/metrics.ts';
import { smallBodyBytes } from './limits.ts';
import { ProblemError } from './problem.ts';

/**
 * Counts the bytes of all bodies that are being received or processed. Above the limit, large bodies are rejected with
 * a request to retry later.
 */
export function limitBodyMemory(
  app: FastifyInstance,
  { metrics, maxBytes, counts }: { metrics: Metrics; maxBytes: number; counts: SharedCounts },
): void {
  const ofNode = counts.level('bytes of bodies');
  let ownHeldBytes = 0;
  const heldBytes = () => ownHeldBytes + ofNode.others();

  function hold(bytes: number): void {
    ownHeldBytes += bytes;
    ofNode.set(ownHeldBytes);
  }

  function overload(reply: FastifyReply): ProblemError {
    metrics.requestsRefused.inc({ cause: 'overload' });
    reply.header('connection', 'close');
    return new ProblemError({ kind: 'overloaded', reason: reason('bodies_held', { bytes: heldBytes() }) });
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request.headers)) return done(null, payload);
    if (heldBytes() > maxBytes && Number(request.headers['content-length']) > smallBodyBytes)
      return done(overload(reply));
    let ownBytes = 0;
    function count(chunk: Buffer): void {
      // Without an error listener nothing reads this body (a GET, or a rejected request): its bytes are discarded, and
      // an error event would be unhandled.
      if (payload.listenerCount('error') === 0) return;
      ownBytes += chunk.length;
      hold(chunk.length);
      if (heldBytes() <= maxBytes || ownBytes <= smallBodyBytes) return;
      payload.off('data', count);
      // Fastify's body reader stops at this error.
      payload.emit('error', overload(reply));
    }
    payload.on('data', count);
    reply.raw.once('close', () => {
      // The remaining bytes of a rejected body are discarded, so they do not count.
      payload.off('data', count);
      hold(-ownBytes);
    });
    done(null, payload);
  });
}

function hasBody(headers: {
  'content-length'?: string | undefined;
  'transfer-encoding'?: string | undefined;
}): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
