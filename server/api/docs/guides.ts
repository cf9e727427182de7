import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { handOut } from './hand-out.ts';
import { escapeHtml, framePage, pageHeaders } from './page-frame.ts';
import { type Addresses, addressGuide, renderGuide, titleOf } from './render-guide.ts';

export interface Guide {
  name: string;
  title: string;
  markdown: string;
}

/** For someone who reads them all; others follow by name. */
const readingOrder = ['quickstart', 'signing', 'retries', 'callbacks', 'environments', 'errors', 'limits', 'versioning'];

/** `docs/*.md` as pages. */
export function mountGuides(app: FastifyInstance, folder: URL, addresses: Addresses): void {
  const guides = readGuides(folder);
  const page = { type: 'text/html; charset=utf-8', headers: pageHeaders("'self'") };
  handOut(app, '/docs/guides', { ...page, make: () => pageOfList(guides) });
  for (const guide of guides) handOut(app, `/docs/guides/${guide.name}`, { ...page, make: () => pageOfGuide(guide, guides, addresses) });
}

export function readGuides(folder: URL): Guide[] {
  const guides = namesIn(folder, /^[\w-]+\.md$/).map((file) => {
    const markdown = readFileSync(new URL(file, folder), 'utf8');
    const name = file.slice(0, -'.md'.length);
    return { name, title: titleOf(markdown) ?? name, markdown };
  });
  return guides.toSorted((one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name));
}

/** None where there is no such folder: a deployment may leave it out. */
export function namesIn(folder: URL, form: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => form.test(name));
  } catch {
    return [];
  }
}

function rankOf({ name }: Guide): number {
  const rank = readingOrder.indexOf(name);
  return rank < 0 ? readingOrder.length : rank;
}

async function pageOfGuide(guide: Guide, guides: Guide[], addresses: Addresses): Promise<string> {
  const names = new Set(guides.map(({ name }) => name));
  const html = await renderGuide(addressGuide(guide.markdown, addresses), names);
  return framePage({
    title: `${guide.title} · Lading`,
    toReference: '../../docs',
    toDocs: '../',
    content: layOut(listOf(guides, '', guide), html),
    script: 'guide.js',
  });
}

function pageOfList(guides: Guide[]): string {
  const html = `<h1>Guides</h1>
      ${guides.length > 0 ? listOf(guides, 'guides/') : '<p>None are installed here.</p>'}
      <p>Every endpoint with its fields, answers and errors, and a way to try it: the <a href="../docs">reference</a>.
      For Postman and Bruno: the <a href="collections/lading.postman_collection.json" download>collection</a>.
      For Node.js: the <a href="lading-client.tgz">client library</a>.</p>`;
  return framePage({
    title: 'Guides · Lading',
    toReference: '../docs',
    toDocs: './',
    content: layOut(listOf(guides, 'guides/'), html),
    script: 'guide.js',
  });
}

function layOut(list: string, html: string): string {
  return `<div class="guide">
      <aside><nav aria-label="Guides">${list}</nav></aside>
      <main>
      ${html}
      </main>
    </div>`;
}

function listOf(guides: Guide[], toGuides: string, current?: Guide): string {
  const items = guides.map((guide) => {
    const mark = guide === current ? ' aria-current="page"' : '';
    return `<li><a href="${toGuides}${guide.name}"${mark}>${escapeHtml(guide.title)}</a></li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}
