import { Marked, type Tokens } from 'marked';
import type { DocumentOptions } from '../../../reference/document.ts';
import { escapeHtml } from './page-frame.ts';

/** The URL of the service in the guides of the repository. */
const addressInGuides = 'http://127.0.0.1:8080';

export type Addresses = Pick<DocumentOptions, 'serverUrl' | 'warehouseBasePath' | 'logisticsSegment'>;

/** Replaces the URLs in the Markdown with those of this service, so that copied commands work. */
export function addressGuide(markdown: string, { serverUrl, warehouseBasePath, logisticsSegment }: Addresses): string {
  return markdown
    .replaceAll(addressInGuides, () => serverUrl)
    .replaceAll('/warehouse/v1', () => warehouseBasePath)
    .replaceAll(/\/logistics(?=\/(orders|purchases)\b)/g, () => `/${logisticsSegment}`);
}

/** The text of the first heading. */
export function titleOf(markdown: string): string | undefined {
  return /^# +(.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '').trim();
}

/** The relative URLs from a page to the guides and to `/docs`. */
export interface Place {
  toGuides: string;
  toDocs: string;
}

/** Renders a guide. HTML in the Markdown is escaped; comments are removed. */
export async function renderGuide(markdown: string, guideNames: Set<string>, place: Place): Promise<string> {
  const slugs = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const slug = takeSlug(slugs, this.parser.parseInline(tokens, this.parser.textRenderer));
        return `<h${depth} id="${slug}">${html}<a class="anchor" href="#${slug}" aria-label="Link to this part">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = addressOfLink(href, guideNames, place);
        return target === null ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      image: ({ text }) => escapeHtml(text),
      code: ({ text, lang = '' }) =>
        `<div class="code"><pre><code${languageOf(lang)}>${escapeHtml(text)}\n</code></pre></div>\n`,
      table(token: Tokens.Table) {
        const [head, ...rows] = [token.header, ...token.rows].map((cells) => {
          const row = cells.map(
            ({ tokens, header }) =>
              `<${header ? 'th' : 'td'}>${this.parser.parseInline(tokens)}</${header ? 'th' : 'td'}>`,
          );
          return `<tr>${row.join('')}</tr>`;
        });
        return `<div class="table"><table><thead>${head}</thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
    },
  });
  return await marked.parse(markdown);
}

/** Creates the same anchors as the repository's viewer, so that links to a section work in both places. */
function takeSlug(slugs: Map<string, number>, text: string): string {
  const slug = text
    .replaceAll(/&[#\w]+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  const times = slugs.get(slug) ?? 0;
  slugs.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

/** Converts links between files of `docs/` to links between pages; null for files that are not served. */
function addressOfLink(href: string, guideNames: Set<string>, { toGuides, toDocs }: Place): string | null {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  const [, name, part = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === 'README') return `${toDocs}guides${part}`;
  if (name !== undefined) return guideNames.has(name) ? `${toGuides}${name}${part}` : null;
  return /^(vectors|collections)\/[\w./-]+$/.test(href) ? `${toDocs}${href}` : null;
}

function languageOf(lang: string): string {
  const [language = ''] = lang.split(/\s/, 1);
  return language === '' ? '' : ` class="language-${escapeHtml(language)}"`;
}
