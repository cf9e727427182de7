import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { escapeHtml, framePage, pageHeaders } from './page-frame.ts';
import { type Addresses, addressGuide, type Place, renderGuide, titleOf } from './render-guide.ts';
import { serveDocument } from './serve-document.ts';

export interface Guide {
  name: string;
  title: string;
  markdown: string;
}

export interface Guides {
  /** `docs/README.md`: the table of contents, in reading order. */
  contents: string;
  guides: Guide[];
}

/** Serves `docs/*.md` as pages. */
export function mountGuides(app: FastifyInstance, folder: URL, addresses: Addresses): void {
  const { contents, guides } = readGuides(folder);
  const page = { type: 'text/html; charset=utf-8', headers: pageHeaders("'self'") };
  serveDocument(app, '/docs/guides', { ...page, make: () => pageOfContents(contents, guides, addresses) });
  for (const guide of guides)
    serveDocument(app, `/docs/guides/${guide.name}`, { ...page, make: () => pageOfGuide(guide, guides, addresses) });
}

/**
 * `docs/README.md` lists the pages for operators below this heading. The service does not serve them, because its pages
 * are for partners.
 */
const operatorsHeading = '\n## For operators\n';

/** If a deployment omits the folder, a page says so. */
export function readGuides(folder: URL): Guides {
  const texts = new Map(
    namesIn(folder, /^[\w-]+\.md$/).map((file) => [file.slice(0, -3), readFileSync(new URL(file, folder), 'utf8')]),
  );
  const [contents = '', forOperators = ''] = (texts.get('README') ?? '# Guides\n\nNone are installed here.').split(
    operatorsHeading,
  );
  for (const name of ['README', ...namedIn(forOperators)]) texts.delete(name);
  const inOrder = [...new Set([...namedIn(contents), ...[...texts.keys()].toSorted()])].filter((name) =>
    texts.has(name),
  );
  const guides = inOrder.map((name) => ({
    name,
    title: titleOf(texts.get(name)!) ?? name,
    markdown: texts.get(name)!,
  }));
  return { contents, guides };
}

/** The guides that a text links to. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/\]\(([\w-]+)\.md\)/g)].map((match) => match[1]!);
}

export function namesIn(folder: URL, form: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => form.test(name));
  } catch {
    return [];
  }
}

async function pageOfGuide(guide: Guide, guides: Guide[], addresses: Addresses): Promise<string> {
  const place = { toGuides: '', toDocs: '../' };
  return framePage({
    title: `${guide.title} · Lading`,
    toReference: '../../docs',
    toDocs: place.toDocs,
    content: await layOut(guide.markdown, guides, addresses, place, guide),
    script: 'guide.js',
  });
}

async function pageOfContents(contents: string, guides: Guide[], addresses: Addresses): Promise<string> {
  const place = { toGuides: 'guides/', toDocs: './' };
  return framePage({
    title: `${titleOf(contents)} · Lading`,
    toReference: '../docs',
    toDocs: place.toDocs,
    content: await layOut(contents, guides, addresses, place),
    script: 'guide.js',
  });
}

async function layOut(
  markdown: string,
  guides: Guide[],
  addresses: Addresses,
  place: Place,
  current?: Guide,
): Promise<string> {
  const names = new Set(guides.map(({ name }) => name));
  return `<div class="guide">
      <aside><nav aria-label="Guides">${listOf(guides, place, current)}</nav></aside>
      <main>
      ${await renderGuide(addressGuide(markdown, addresses), names, place)}
      </main>
    </div>`;
}

function listOf(guides: Guide[], { toGuides }: Place, current?: Guide): string {
  const items = guides.map((guide) => {
    const mark = guide === current ? ' aria-current="page"' : '';
    const [shortTitle] = guide.title.split(':', 1);
    return `<li><a href="${toGuides}${guide.name}"${mark}>${escapeHtml(shortTitle!)}</a></li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}
