import { escapeHtml } from '../../platform/escape-html.ts';
import { type Chapter, type DocPage, descriptionOf } from './doc-page.ts';
import { type DocsLanguage, pathIn, relativeUrl } from './language.ts';
import { framePage } from './page-frame.ts';
import { type Heading, renderMarkdown } from './render-markdown.ts';
import { wordsIn } from './words.ts';

/** The HTML of a page: the list of its chapter, its text, its contents, and links to its neighbours. */
export function layOutPage(
  { page, title, markdown, textLanguage, chapter }: DocPage,
  language: DocsLanguage,
  guideNames: ReadonlySet<string>,
): string {
  const here = pathIn(language, page);
  const words = wordsIn[language];
  const { html, headings } = renderMarkdown(markdown, guideNames, { here, language });
  const isForeign = textLanguage !== language;
  const note = isForeign ? `<p class="note" lang="${language}">${words.notTranslated}</p>\n      ` : '';
  const contents = contentsOf(headings, language);
  return framePage({
    language,
    page,
    title: title === 'Lading' ? title : `${title} · Lading`,
    description: descriptionOf(markdown),
    markdownPage: true,
    content: `<div class="guide${contents ? ' with-contents' : ''}">
      <aside>${listOf(chapter, here, language, page)}</aside>
      <main id="main"${isForeign ? ` lang="${textLanguage}"` : ''}>
      ${note}<article${page === '' ? ' class="start"' : ''}>
      ${html}
      </article>
      ${neighbours(chapter, here, language, page)}
      </main>
      ${contents}
    </div>`,
  });
}

function listOf({ title, groups }: Chapter, here: string, language: DocsLanguage, current: string): string {
  const lists = groups.map((group) => {
    const items = group.pages.map(({ page, shortTitle, note }) => {
      const mark = page === current ? ' aria-current="page"' : '';
      const method = note ? `<small>${escapeHtml(note)}</small> ` : '';
      return `<li><a href="${relativeUrl(here, pathIn(language, page))}"${mark}>${method}${escapeHtml(shortTitle)}</a></li>`;
    });
    const heading = group.title ? `<p class="group">${escapeHtml(group.title)}</p>` : '';
    return `${heading}<ul>${items.join('')}</ul>`;
  });
  return `<nav aria-label="${escapeHtml(title)}"><details class="fold"><summary>${escapeHtml(title)}</summary>${lists.join('')}</details></nav>`;
}

/** A page with one or two sections needs no contents; one with very many lists only the upper level. */
const sectionsMin = 3;
const sectionsMax = 60;

function contentsOf(headings: Heading[], language: DocsLanguage): string {
  const two = headings.filter(({ depth, isInTab }) => (depth === 2 || depth === 3) && !isInTab);
  const listed = two.length > sectionsMax ? two.filter(({ depth }) => depth === 2) : two;
  if (listed.length < sectionsMin) return '';
  const label = wordsIn[language].onThisPage;
  const items = listed.map(
    ({ depth, slug, text }) => `<li class="depth-${depth}"><a href="#${slug}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="${label}"><details class="fold"><summary>${label}</summary><ul>${items.join('')}</ul></details></nav>`;
}

function neighbours({ groups }: Chapter, here: string, language: DocsLanguage, current: string): string {
  const { previous, next, neighbours: label } = wordsIn[language];
  const pages = groups.flatMap((group) => group.pages);
  const index = pages.findIndex(({ page }) => page === current);
  if (index < 0) return '';
  const link = (rel: string, word: string, at: number) => {
    const target = pages[at];
    if (target === undefined) return '';
    const href = relativeUrl(here, pathIn(language, target.page));
    return `<a rel="${rel}" href="${href}"><small>${word}</small>${escapeHtml(target.shortTitle)}</a>`;
  };
  const links = [link('prev', previous, index - 1), link('next', next, index + 1)].join('');
  return links === '' ? '' : `<nav class="neighbours" aria-label="${label}">${links}</nav>`;
}
