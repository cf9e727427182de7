import { type DocPage, descriptionOf } from './doc-page.ts';
import { type DocsLanguage, pathIn } from './language.ts';
import { markdownOf, openApiPath } from './page-frame.ts';
import { wordsIn } from './words.ts';

/** The Markdown of a page, with links that work outside it. */
export function writeMarkdown({ page, markdown }: DocPage, serverUrl: string, language: DocsLanguage): string {
  const guides = `${serverUrl}${pathIn(language, '/guides')}`;
  return markdown
    .replaceAll(/\]\(\/docs([^)]*)\)/g, (_link, target: string) => `](${serverUrl}${pathIn(language, target)})`)
    .replaceAll('](/openapi.json)', `](${serverUrl}${openApiPath(language)})`)
    .replaceAll(/\]\((?:\.\.\/)?README\.md(#[^)]*)?\)/g, `](${guides}.md)`)
    .replaceAll(/\]\((?:\.\.\/|docs\/)?([\w-]+)\.md(#[^)]*)?\)/g, (_link, name: string, part = '') => {
      return page === '/changelog' && !['clients', 'callbacks', 'signing'].includes(name)
        ? `](${guides})`
        : `](${guides}/${name}.md${part})`;
    });
}

interface Parts {
  guides: DocPage[];
  reference: DocPage[];
  errors: DocPage[];
}

/** The list of all pages for language models, in the form of llmstxt.org. */
export function writeLlms({ guides, reference, errors }: Parts, serverUrl: string, language: DocsLanguage): string {
  const words = wordsIn[language];
  const addressOf = (page: string) => `${serverUrl}${pathIn(language, page)}`;
  const lineOf = ({ page, title, markdown }: DocPage) => {
    const description = descriptionOf(markdown);
    return `- [${title}](${addressOf(markdownOf(page))})${description ? `: ${description}` : ''}`;
  };
  return `${[
    '# Lading',
    `> ${words.startIntroduction}`,
    `- [OpenAPI 3.1](${serverUrl}${openApiPath(language)})\n- [llms-full.txt](${addressOf('/llms-full.txt')})`,
    `## ${words.guides}`,
    guides.map(lineOf).join('\n'),
    `## ${words.reference}`,
    reference.map(lineOf).join('\n'),
    `## ${words.errors}`,
    errors.map(lineOf).join('\n'),
  ].join('\n\n')}\n`;
}

/** All texts in one file. Error codes are in the error guide. */
export function writeLlmsFull(pages: DocPage[], serverUrl: string, language: DocsLanguage): string {
  return pages.map((page) => writeMarkdown(page, serverUrl, language).trimEnd()).join('\n\n---\n\n');
}
