import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { DocumentOptions } from '../../../reference/document.ts';
import type { OpenApiDocument } from '../../../reference/openapi.ts';
import { once } from '../../http/lazy.ts';
import { mountClientLibrary, mountClients, mountVectors } from './downloads.ts';
import { readGuides } from './guides.ts';
import { type DocsLanguage, docsLanguages, pathIn } from './language.ts';
import { openApiPath, pageHeaders } from './page-frame.ts';
import { serveDocument } from './serve-document.ts';
import { servePage } from './serve-page.ts';
import { type Sites, serveMissingPages, servePages } from './serve-pages.ts';
import { tryPage } from './try-page.ts';
import { mountViewer } from './viewer.ts';

const root = new URL('../../../', import.meta.url);
const json = 'application/json; charset=utf-8';
/** Scripts, styles and pictures of the pages. */
const filesOfPages = [
  ['theme.js', 'text/javascript'],
  ['pages.js', 'text/javascript'],
  ['search.js', 'text/javascript'],
  ['rank.js', 'text/javascript'],
  ['try.js', 'text/javascript'],
  ['tour.js', 'text/javascript'],
  ['pages.css', 'text/css'],
  ['favicon.svg', 'image/svg+xml'],
] as const;
const browserFiles = new URL('./browser/', import.meta.url);

/**
 * Redirects from URLs that people try to the page they mean; relative, like all links of the pages. Redirects of URLs
 * with a trailing slash are permanent; the other URLs may become pages later.
 */
const signposts: [url: string, target: string, status: 302 | 308][] = [
  ['/', 'docs', 302],
  ['/docs/', '../docs', 308],
  ['/docs/zh-TW/', '../zh-TW', 308],
  ['/docs/guides/', '../guides', 308],
  ['/docs/zh-TW/guides/', '../guides', 308],
  ['/docs/vectors', 'guides/vectors', 302],
  ['/docs/vectors/', '../guides/vectors', 302],
  ['/docs/clients', 'guides/clients', 302],
  ['/docs/clients/', '../guides/clients', 302],
];

/**
 * Serves the contracts for machines (`/openapi.json`) and for people (`/docs`). The pages load nothing from other
 * hosts.
 */
export function mountReference(app: FastifyInstance, options: DocumentOptions): void {
  const documents = {
    en: mountDocument(app, { ...options, language: 'en' }),
    'zh-TW': mountDocument(app, { ...options, language: 'zh-TW' }),
  };
  mountPages(app, documents, options);
  for (const [url, target, status] of signposts) {
    app.get(url, { exposeHeadRoute: true }, async (_request, reply) => reply.redirect(target, status));
  }
  mountViewer(app);
  for (const [name, type] of filesOfPages) {
    const make = () => readFileSync(new URL(name, browserFiles));
    serveDocument(app, `/docs/${name}`, { type: `${type}; charset=utf-8`, make });
  }
  // The file in the repository contains the default URLs.
  serveDocument(app, '/docs/collections/lading.postman_collection.json', {
    type: json,
    make: async () =>
      JSON.stringify(
        (await import('../../../reference/postman.ts')).makePostmanCollection(await documents.en()),
        null,
        2,
      ),
  });
  mountVectors(app, new URL('docs/vectors/', root));
  mountClients(app, new URL('clients/', root));
  mountClientLibrary(app, new URL('sdk/lading-client.tgz', root));
}

type Documents = Record<DocsLanguage, () => Promise<OpenApiDocument>>;

function mountPages(app: FastifyInstance, documents: Documents, addresses: DocumentOptions): void {
  const guides = readGuides(new URL('docs/', root));
  const changelog = readIfThere(new URL('CHANGELOG.md', root));
  const siteIn = (language: DocsLanguage) =>
    once(app, async () => {
      const { buildSite } = await import('./site.ts');
      const made = { en: await documents.en(), 'zh-TW': await documents['zh-TW']() };
      return buildSite({ guides, changelog, documents: made, addresses }, language);
    });
  const sites: Sites = { en: siteIn('en'), 'zh-TW': siteIn('zh-TW') };
  const guidePages = guides.guides.map(({ name }) => `/guides/${name}`);
  for (const route of [
    '',
    '/guides',
    ...guidePages,
    '/reference',
    '/reference/:name',
    '/errors',
    '/errors/:name',
    '/changelog',
  ])
    servePages(app, route, sites);
  // The viewer's script contains its styles.
  servePage(app, { page: '/try', headers: pageHeaders("'self' 'unsafe-inline'"), make: tryPage });
  const makeTour = async (language: DocsLanguage) => (await import('./tour-page.ts')).tourPage(language, addresses);
  servePage(app, { page: '/tour', headers: pageHeaders("'self'"), make: makeTour });
  for (const language of docsLanguages) {
    const site = sites[language];
    const text = 'text/plain; charset=utf-8';
    serveDocument(app, pathIn(language, '/search.json'), {
      type: json,
      make: async () => (await site()).searchIndex(),
    });
    serveDocument(app, pathIn(language, '/llms.txt'), { type: text, make: async () => (await site()).llms() });
    serveDocument(app, pathIn(language, '/llms-full.txt'), { type: text, make: async () => (await site()).llmsFull() });
  }
  serveDocument(app, '/llms.txt', { type: 'text/plain; charset=utf-8', make: async () => (await sites.en()).llms() });
  serveMissingPages(app);
}

function readIfThere(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

type Described = DocumentOptions & { language: DocsLanguage };

/** Created on first use, so that it does not delay the start and costs nothing on nodes without readers. */
function mountDocument(app: FastifyInstance, options: Described): () => Promise<OpenApiDocument> {
  const document = once(app, async () => (await import('../../../reference/document.ts')).makeLadingDocument(options));
  const text = once(app, async () => Buffer.from(JSON.stringify(await document())));
  app.get(openApiPath(options.language), { exposeHeadRoute: true }, async (_request, reply) =>
    reply.type(json).send(await text()),
  );
  return document;
}
