import type { Chapter, DocPage } from './doc-page.ts';
import { descriptionOf } from './doc-page.ts';
import type { DocsLanguage } from './language.ts';
import { wordsIn } from './words.ts';

/** The guides that a newcomer reads first, in the order of the table of contents. */
const firstGuides = 7;

/** The start page: where to begin, and the parts of the documentation. */
export function startPage(guides: DocPage[], reference: DocPage[], language: DocsLanguage): DocPage {
  const words = wordsIn[language];
  const shown = guides.filter(({ page }) => page !== '/guides').slice(0, firstGuides);
  const card = (title: string, page: string, text: string) => `- [${title}](/docs${page})\n\n  ${text}`;
  const cards = shown.map(({ page, title, markdown }) => card(title, page, descriptionOf(markdown)));
  cards.splice(1, 0, card(words.tour, '/tour', words.tourIntroduction));
  const [overview] = reference;
  const markdown = [
    `# ${words.startTitle}`,
    words.startIntroduction,
    `## ${words.startHere}`,
    cards.join('\n'),
    ...(overview ? [overview.markdown.replace(/^# (.*)$/m, '## $1').replaceAll(/^## \[/gm, '### [')] : []),
  ].join('\n\n');
  return pageOf('', words.startTitle, markdown, language, shown[0]?.chapter);
}

/** `CHANGELOG.md` as a page. Its groups are plain lines before a list; here they become headings. */
export function changelogPage(changelog: string | null, chapter: Chapter | undefined, language: DocsLanguage): DocPage {
  const words = wordsIn[language];
  const versions = changelog?.slice(changelog.indexOf('\n## ')) ?? words.noChangelog;
  const text = versions
    .replaceAll(/^## \[([^\]]*)\]/gm, '## $1')
    .replaceAll(/^(?=[A-Z])(.+)\n(?=- )/gm, '\n#### $1\n\n')
    .replaceAll(/^(#### .*?) \(\[.*$/gm, '$1');
  const markdown = `# ${words.changelog}\n\n${words.changelogIntroduction}\n${text}`;
  return { ...pageOf('/changelog', words.changelog, markdown, language, chapter), textLanguage: 'en' };
}

/** A page of the guides' chapter, so that the list at the side leads on. */
function pageOf(
  page: string,
  title: string,
  markdown: string,
  language: DocsLanguage,
  chapter: Chapter = { title: wordsIn[language].guides, groups: [] },
): DocPage {
  return { page, title, shortTitle: title, markdown, textLanguage: language, chapter };
}
