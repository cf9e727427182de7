import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';

/** The reasons why the service is not ready for requests; empty if it is ready. */
export type ReadinessCheck = () => Promise<string[]>;

/** Health endpoints for monitoring and load balancers. */
export function mountOperations(
  app: FastifyInstance,
  options: { readiness: ReadinessCheck; metrics: Metrics; version: string },
): void {
  app.get('/health/live', unlogged, async () => ({ status: 'ok', version: options.version }));
  app.get('/health/ready', unlogged, async (_request, reply) => {
    const reasons = await options.readiness();
    if (reasons.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'not_ready', reasons });
  });
  app.get('/metrics', unlogged, async (_request, reply) => {
    reply.type(options.metrics.registry.contentType);
    return await options.metrics.registry.metrics();
  });
}

/** Also answers HEAD, which many load balancers use. */
const unlogged = { config: { unlogged: true }, exposeHeadRoute: true };
