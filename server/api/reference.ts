import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { DocumentOptions } from '../../contract/document.ts';
import { mountClientLibrary, mountVectors } from './docs/downloads.ts';
import { mountGuides } from './docs/guides.ts';
import { handOut } from './docs/hand-out.ts';
import { pageHeaders } from './docs/page-frame.ts';
import { referencePage } from './docs/reference-page.ts';
import { mountViewer } from './docs/viewer.ts';
import { once } from './once.ts';

const root = new URL('../../', import.meta.url);
const browserFiles = new URL('./docs/browser/', import.meta.url);

/**
 * Addresses that people try, and the page they mean; relative, as all addresses of the pages are. Those with a slash at the end are the same page
 * for good; the others might once be pages of their own.
 */
const signposts: [url: string, target: string, status: 302 | 308][] = [
  ['/', 'docs', 302],
  ['/docs/', '../docs', 308],
  ['/docs/guides/', '../guides', 308],
  ['/docs/vectors', 'guides/vectors', 302],
  ['/docs/vectors/', '../guides/vectors', 302],
];

/** The contracts for machines (`/openapi.json`) and for people (`/docs`); the pages need no other host than this one. */
export function mountReference(app: FastifyInstance, options: DocumentOptions): void {
  const json = 'application/json; charset=utf-8';
  // When first asked for: a start need not wait for it, nor a node pay for it that has no readers.
  const document = once(app, async () => (await import('../../contract/document.ts')).makeLadingDocument(options));
  const text = once(app, async () => Buffer.from(JSON.stringify(await document())));
  app.get('/openapi.json', { exposeHeadRoute: true }, async (_request, reply) => reply.type(json).send(await text()));

  // The viewer brings its styles along in its script.
  const headers = pageHeaders("'self' 'unsafe-inline'");
  handOut(app, '/docs', { type: 'text/html; charset=utf-8', headers, make: () => referencePage });
  for (const [url, target, status] of signposts) {
    app.get(url, { exposeHeadRoute: true }, async (_request, reply) => reply.redirect(target, status));
  }
  mountViewer(app);
  for (const [name, type] of [
    ['reference.js', 'text/javascript'],
    ['guide.js', 'text/javascript'],
    ['pages.css', 'text/css'],
  ] as const) {
    handOut(app, `/docs/${name}`, { type: `${type}; charset=utf-8`, make: () => readFileSync(new URL(name, browserFiles)) });
  }

  mountGuides(app, new URL('docs/', root), options);
  // The one in the repository has the default addresses.
  handOut(app, '/docs/collections/lading.postman_collection.json', {
    type: json,
    make: async () => JSON.stringify((await import('../../contract/postman.ts')).makePostmanCollection(await document()), null, 2),
  });
  mountVectors(app, new URL('docs/vectors/', root));
  mountClientLibrary(app, new URL('sdk/lading-client.tgz', root));
}
