import { Marked, type Tokens } from 'marked';
import type { DocumentOptions } from '../../../contract/document.ts';
import { escapeHtml } from './page-frame.ts';

/** What the guides call the service in the repository. */
const addressInGuides = 'http://127.0.0.1:8080';

export type Addresses = Pick<DocumentOptions, 'serverUrl' | 'warehouseBasePath' | 'logisticsSegment'>;

/** Markdown in the words of this service: what is copied from the page runs against it. */
export function addressGuide(markdown: string, { serverUrl, warehouseBasePath, logisticsSegment }: Addresses): string {
  return markdown
    .replaceAll(addressInGuides, () => serverUrl)
    .replaceAll('/warehouse/v1', () => warehouseBasePath)
    .replaceAll(/\/logistics(?=\/(orders|purchases)\b)/g, () => `/${logisticsSegment}`);
}

/** The first heading, without its marks. */
export function titleOf(markdown: string): string | undefined {
  return /^# +(.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '').trim();
}

/** Where a page stands: from it to the guides, and to what else lies below `/docs`. */
export interface Place {
  toGuides: string;
  toDocs: string;
}

/** HTML of a guide. HTML in the Markdown is shown, not meant; comments are left out. */
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
      code: ({ text, lang = '' }) => `<div class="code"><pre><code${languageOf(lang)}>${escapeHtml(text)}\n</code></pre></div>\n`,
      table(token: Tokens.Table) {
        const [head, ...rows] = [token.header, ...token.rows].map((cells) => {
          const row = cells.map(
            ({ tokens, header }) => `<${header ? 'th' : 'td'}>${this.parser.parseInline(tokens)}</${header ? 'th' : 'td'}>`,
          );
          return `<tr>${row.join('')}</tr>`;
        });
        return `<div class="table"><table><thead>${head}</thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
    },
  });
  return await marked.parse(markdown);
}

/** Anchors as the repository's own viewer makes them, so that a link to a part of a guide works in both places. */
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

/** Links between the files of `docs/`, as links between the pages; null for what is in the repository but not handed out. */
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
