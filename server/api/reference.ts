import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { type DocumentOptions, makeLadingDocument } from '../../contract/document.ts';

/** The contracts for machines (`/openapi.json`) and for people (`/docs`); the page needs no other host than this one. */
export function mountReference(app: FastifyInstance, options: DocumentOptions): void {
  const text = JSON.stringify(makeLadingDocument(options));
  const viewer = once(loadViewer);

  app.get('/openapi.json', withHead, async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  app.get('/docs', withHead, async (_request, reply) => reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page));
  app.get('/docs/viewer.js', withHead, async (request, reply) => {
    const { plain, gzipped } = await viewer();
    const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' }).type('text/javascript; charset=utf-8');
    return zipped ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
  });
}

const withHead = { exposeHeadRoute: true };

/** Nothing but our own script may run, and nothing but our own host be asked: the browser itself keeps the page offline. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A signed request cannot be made by a page that does not know the secret, so there is nothing to try out; the samples show how. */
const viewerSettings = {
  hideTestRequestButton: true,
  hiddenClients: true,
  hideClientButton: true,
  orderSchemaPropertiesBy: 'preserve',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** The addresses are relative, so that the page also works behind a proxy that adds a path before ours. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lading: API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same for machines: <a href="openapi.json">openapi.json</a></noscript>
    <script id="api-reference" data-url="openapi.json" data-configuration='${JSON.stringify(viewerSettings)}'></script>
    <script src="docs/viewer.js"></script>
  </body>
</html>
`;

interface Viewer {
  plain: string;
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
  return { plain: payload, gzipped: await promisify(gzip)(payload) };
}

/** Made on first use, and then the same for everyone; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
