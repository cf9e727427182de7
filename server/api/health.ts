import type { FastifyInstance } from 'fastify';

/** The service is ready for requests if there are no reasons against it. Warnings are for people. */
export interface Readiness {
  reasons: string[];
  warnings: string[];
}

/** Health endpoints for monitoring and load balancers. */
export function mountHealth(
  app: FastifyInstance,
  options: { readiness: () => Promise<Readiness>; version: string },
): void {
  app.get('/health/live', unlogged, async () => ({ status: 'ok', version: options.version }));
  app.get('/health/ready', unlogged, async (_request, reply) => {
    const { reasons, warnings } = await options.readiness();
    const warned = warnings.length > 0 ? { warnings } : {};
    if (reasons.length === 0) return { status: 'ready', ...warned };
    return reply.code(503).send({ status: 'not_ready', reasons, ...warned });
  });
}

/** Also answers HEAD, which many load balancers use. */
const unlogged = { config: { unlogged: true }, exposeHeadRoute: true };
