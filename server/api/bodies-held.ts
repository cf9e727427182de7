import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';
import { ProblemError } from './problem.ts';

/** With as many connections as there may be, bodies that are sent and never ended would otherwise hold 20 GB. */
export const bodiesHeldMaxBytes = 256 * 1_048_576;
/** Who sends no more than this is always heard: nearly all do, and all of them together are bounded by the connections. */
const smallBodyBytes = 16_384;

/** Counts the bytes of all bodies that are being received or worked on; beyond the limit, whoever sends a large one is told to come back later. */
export function boundBodiesHeld(app: FastifyInstance, { metrics, maxBytes }: { metrics: Metrics; maxBytes: number }): void {
  let heldBytes = 0;

  app.addHook('preParsing', (request, reply, payload, done) => {
    let ownBytes = 0;
    function count(chunk: Buffer): void {
      ownBytes += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes <= maxBytes || ownBytes <= smallBodyBytes) return;
      payload.off('data', count);
      metrics.requestsRefused.inc({ cause: 'overload' });
      reply.header('connection', 'close');
      // Whoever reads the body takes this for its end.
      payload.emit('error', new ProblemError({ kind: 'overloaded', reason: `bodies of ${heldBytes} bytes are held` }));
    }
    if (isSent(request.headers)) {
      payload.on('data', count);
      reply.raw.once('close', () => {
        heldBytes -= ownBytes;
      });
    }
    done(null, payload);
  });
}

function isSent(headers: { 'content-length'?: string | undefined; 'transfer-encoding'?: string | undefined }): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
