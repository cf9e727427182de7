import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../platform/escape-html.ts';
import { highlight } from './highlight.ts';
import { type DocsLanguage, pathIn, relativeUrl } from './language.ts';
import { groupLanguages } from './language-tabs.ts';
import { openApiPath } from './page-frame.ts';
import { wordsIn } from './words.ts';

/** The path of the page, and the language of the pages that it links to. */
export interface Place {
  here: string;
  language: DocsLanguage;
}

export interface Heading {
  depth: number;
  slug: string;
  /** Plain text. */
  text: string;
  /** In a group of programming languages, of which the page shows one. */
  isInTab: boolean;
}

export interface Rendered {
  html: string;
  headings: Heading[];
}

/** Renders the Markdown of a page. HTML in it is escaped; comments are removed. */
export function renderMarkdown(markdown: string, guideNames: ReadonlySet<string>, place: Place): Rendered {
  const words = wordsIn[place.language];
  const headings: Heading[] = [];
  const slugs = new Map<string, number>();
  let isInTab = false;
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const escaped = this.parser.parseInline(tokens, this.parser.textRenderer);
        const slug = takeSlug(slugs, escaped);
        headings.push({ depth, slug, text: unescapeHtml(escaped), isInTab });
        return `<h${depth} id="${slug}">${html}<a class="anchor" href="#${slug}" aria-label="${words.linkToPart}: ${escaped}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = addressOfLink(href, guideNames, place);
        return target === null ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      image: ({ text }) => escapeHtml(text),
      code: ({ text, lang = '' }) => renderCode(text, lang),
      table(token) {
        return renderTable(token, (tokens) => this.parser.parseInline(tokens), words.table);
      },
    },
    extensions: [
      {
        name: 'languages',
        renderer({ sections }) {
          isInTab = true;
          const panels = (sections as Section[]).map((section) => panelOf(section, this.parser.parse(section.tokens)));
          isInTab = false;
          return `<div class="tabs">\n${panels.join('')}</div>\n`;
        },
      },
    ],
  });
  const tokens = groupLanguages(marked.lexer(markdown));
  return { html: marked.parser(tokens), headings };
}

interface Section {
  language: string;
  label: string;
  tokens: Token[];
}

function panelOf({ language, label }: Section, html: string): string {
  return `<section class="panel" data-code="${language}" data-label="${escapeHtml(label)}">\n${html}</section>\n`;
}

function renderCode(text: string, lang: string): string {
  const [language = '', name = ''] = lang.split(/\s+/, 2);
  // Names without an extension are only for the tests of the guides.
  const caption = name.includes('.') ? `<div class="file">${escapeHtml(name)}</div>` : '';
  const mark = language === '' ? '' : ` class="language-${escapeHtml(language)}"`;
  return `<div class="code">${caption}<pre tabindex="0"><code${mark}>${highlight(text, language)}\n</code></pre></div>\n`;
}

/** Every cell has the text of its column's header: on phones, wide tables become lists of labelled values. */
function renderTable({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string, label: string): string {
  const heads = header.map(({ tokens }) => inline(tokens));
  const labels = heads.map((head) => escapeHtml(unescapeHtml(head.replaceAll(/<[^>]*>/g, ''))));
  const body = rows.map((cells) => {
    const row = cells.map(({ tokens, text }, column) => {
      const unbroken = isPhrase(text) ? ' class="unbroken"' : '';
      return `<td data-label="${labels[column]}"${unbroken}>${inline(tokens)}</td>`;
    });
    return `<tr>${row.join('')}</tr>`;
  });
  const head = heads.map((cell) => `<th scope="col">${cell}</th>`).join('');
  const wide = header.length >= 3 ? ' wide' : '';
  return `<div class="table${wide}" role="group" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`;
}

/** Chinese lines break anywhere, which is wrong in the middle of the only word of a cell. */
function isPhrase(text: string): boolean {
  return /[\u3400-\u9fff]/.test(text) && !/[\u3400-\u9fff]{5}/.test(text);
}

/** Creates the same anchors as the repository's viewer, so that links to a section work in both places. */
export function takeSlug(slugs: Map<string, number>, text: string): string {
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
function addressOfLink(href: string, guideNames: ReadonlySet<string>, { here, language }: Place): string | null {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  // Generated pages link to other pages by the path of the English page.
  const [, page] = /^\/docs((?:[/#?].*)?)$/.exec(href) ?? [];
  if (page !== undefined) return relativeUrl(here, pathIn(language, page));
  if (href === '/openapi.json') return relativeUrl(here, openApiPath(language));
  // Translations are in a folder of their own, so they link to files that have none with `../`.
  const [, name, part = ''] = /^(?:\.\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === 'README') return `${relativeUrl(here, pathIn(language, '/guides'))}${part}`;
  if (name !== undefined)
    return guideNames.has(name) ? `${relativeUrl(here, pathIn(language, `/guides/${name}`))}${part}` : null;
  const [, file] = /^(?:\.\.\/)?((?:vectors|collections)\/[\w./-]+)$/.exec(href) ?? [];
  return file === undefined ? null : relativeUrl(here, `/docs/${file}`);
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
