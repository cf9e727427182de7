import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { DocumentOptions } from '../../../reference/document.ts';
import { once } from '../../http/lazy.ts';
import { mountClientLibrary, mountVectors } from './downloads.ts';
import { mountGuides } from './guides.ts';
import { pageHeaders } from './page-frame.ts';
import { referencePage } from './reference-page.ts';
import { serveDocument } from './serve-document.ts';
import { mountViewer } from './viewer.ts';

const root = new URL('../../../', import.meta.url);
const browserFiles = new URL('./browser/', import.meta.url);

/**
 * Redirects from URLs that people try to the page they mean; relative, like all links of the pages. Redirects of URLs
 * with a trailing slash are permanent; the other URLs may become pages later.
 */
const signposts: [url: string, target: string, status: 302 | 308][] = [
  ['/', 'docs', 302],
  ['/docs/', '../docs', 308],
  ['/docs/guides/', '../guides', 308],
  ['/docs/vectors', 'guides/vectors', 302],
  ['/docs/vectors/', '../guides/vectors', 302],
];

/**
 * Serves the contracts for machines (`/openapi.json`) and for people (`/docs`). The pages load nothing from other
 * hosts.
 */
export function mountReference(app: FastifyInstance, options: DocumentOptions): void {
  const json = 'application/json; charset=utf-8';
  // Created on first use, so that it does not delay the start and costs nothing on nodes without readers.
  const document = once(app, async () => (await import('../../../reference/document.ts')).makeLadingDocument(options));
  const text = once(app, async () => Buffer.from(JSON.stringify(await document())));
  app.get('/openapi.json', { exposeHeadRoute: true }, async (_request, reply) => reply.type(json).send(await text()));

  // The viewer's script contains its styles.
  const headers = pageHeaders("'self' 'unsafe-inline'");
  serveDocument(app, '/docs', { type: 'text/html; charset=utf-8', headers, make: () => referencePage });
  for (const [url, target, status] of signposts) {
    app.get(url, { exposeHeadRoute: true }, async (_request, reply) => reply.redirect(target, status));
  }
  mountViewer(app);
  for (const [name, type] of [
    ['reference.js', 'text/javascript'],
    ['guide.js', 'text/javascript'],
    ['pages.css', 'text/css'],
  ] as const) {
    serveDocument(app, `/docs/${name}`, {
      type: `${type}; charset=utf-8`,
      make: () => readFileSync(new URL(name, browserFiles)),
    });
  }

  mountGuides(app, new URL('docs/', root), options);
  // The file in the repository contains the default URLs.
  serveDocument(app, '/docs/collections/lading.postman_collection.json', {
    type: json,
    make: async () =>
      JSON.stringify((await import('../../../reference/postman.ts')).makePostmanCollection(await document()), null, 2),
  });
  mountVectors(app, new URL('docs/vectors/', root));
  mountClientLibrary(app, new URL('sdk/lading-client.tgz', root));
}
