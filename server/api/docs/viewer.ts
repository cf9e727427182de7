import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { once } from '../../http/lazy.ts';

/** Serves the script that renders the reference. */
export function mountViewer(app: FastifyInstance): void {
  const viewer = once(app, loadViewer);
  app.get('/docs/viewer.js', { exposeHeadRoute: true }, async (request, reply) => {
    const { plain, gzipped } = await viewer();
    const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' });
    reply.type('text/javascript; charset=utf-8');
    return zipped ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
  });
}

/** Stored as bytes, which all responses share: a string would be copied for each response, 4 MB per slow client. */
interface Viewer {
  plain: Buffer;
  gzipped: Buffer;
}

/**
 * The script is only available over HTTP from its Fastify plugin. It is requested from a separate instance, so that the
 * plugin adds no routes to ours. It is loaded on first use, because it takes a quarter of a second and 50 MB.
 */
async function loadViewer(): Promise<Viewer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const carrier = Fastify();
  await carrier.register(scalar, { routePrefix: '/carrier', configuration: { url: '/openapi.json' } });
  const { statusCode, payload } = await carrier.inject('/carrier/js/scalar.js');
  await carrier.close();
  if (statusCode !== 200) throw new Error('the script of the reference page is missing');
  return { plain: Buffer.from(payload), gzipped: await promisify(gzip)(payload) };
}
