import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { once } from '../once.ts';

/** The script that draws the reference. */
export function mountViewer(app: FastifyInstance): void {
  const viewer = once(app, loadViewer);
  app.get('/docs/viewer.js', { exposeHeadRoute: true }, async (request, reply) => {
    const { plain, gzipped } = await viewer();
    const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding', 'x-content-type-options': 'nosniff' });
    reply.type('text/javascript; charset=utf-8');
    return zipped ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
  });
}

/** As bytes, which all answers share: a text would be copied for each, 4 MB for whoever asks and does not read. */
interface Viewer {
  plain: Buffer;
  gzipped: Buffer;
}

/**
 * The script comes out of its Fastify plugin, which hands it out by HTTP only; asked on an instance of its own, it brings no routes of its own
 * among ours. Loaded when first needed: it takes a quarter of a second and 50 MB that a node without readers should not pay.
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
