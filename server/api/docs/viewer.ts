import Fastify, { type FastifyInstance } from 'fastify';
import { once } from '../../http/lazy.ts';
import { type Packed, pack, sendPacked } from './serve-document.ts';

/** Serves the script that renders the reference. */
export function mountViewer(app: FastifyInstance): void {
  const viewer = once(app, loadViewer);
  const headers = { 'cache-control': 'public, max-age=3600' };
  app.get('/docs/viewer.js', { exposeHeadRoute: true }, async (request, reply) =>
    sendPacked(request, reply, await viewer(), { type: 'text/javascript; charset=utf-8', headers }),
  );
}

/**
 * The script is only available over HTTP from its Fastify plugin. It is requested from a separate instance, so that the
 * plugin adds no routes to ours. It is loaded on first use, because it takes a quarter of a second and 50 MB.
 */
async function loadViewer(): Promise<Packed> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const carrier = Fastify();
  await carrier.register(scalar, { routePrefix: '/carrier', configuration: { url: '/openapi.json' } });
  const { statusCode, payload } = await carrier.inject('/carrier/js/scalar.js');
  await carrier.close();
  if (statusCode !== 200) throw new Error('the script of the reference page is missing');
  return await pack(payload);
}
