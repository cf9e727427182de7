import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';
import { ProblemError } from './problem.ts';

/** With as many connections as there may be, bodies that are sent and never ended would otherwise hold 20 GB. */
export const bodiesHeldMaxBytes = 128 * 1_048_576;
/** Who sends no more than this is always heard: nearly all do, and all of them together are bounded by the connections. */
const smallBodyBytes = 16_384;

/** Counts the bytes of all bodies that are being received or worked on; beyond the limit, whoever sends a large one is told to come back later. */
export function boundBodiesHeld(app: FastifyInstance, { metrics, maxBytes }: { metrics: Metrics; maxBytes: number }): void {
  let heldBytes = 0;

  function refuse(reply: FastifyReply): ProblemError {
    metrics.requestsRefused.inc({ cause: 'overload' });
    reply.header('connection', 'close');
    return new ProblemError({ kind: 'overloaded', reason: `bodies of ${heldBytes} bytes are held` });
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!isSent(request.headers)) return done(null, payload);
    if (heldBytes > maxBytes && Number(request.headers['content-length']) > smallBodyBytes) return done(refuse(reply));
    let ownBytes = 0;
    function count(chunk: Buffer): void {
      // Nobody reads the body of a GET, or of what is refused already: it passes by, and nobody would hear of an error.
      if (payload.listenerCount('error') === 0) return;
      ownBytes += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes <= maxBytes || ownBytes <= smallBodyBytes) return;
      payload.off('data', count);
      // Whoever reads the body takes this for its end.
      payload.emit('error', refuse(reply));
    }
    payload.on('data', count);
    reply.raw.once('close', () => {
      // What still comes of a body that was refused is held by nobody.
      payload.off('data', count);
      heldBytes -= ownBytes;
    });
    done(null, payload);
  });
}

function isSent(headers: { 'content-length'?: string | undefined; 'transfer-encoding'?: string | undefined }): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
