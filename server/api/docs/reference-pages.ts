import type { OpenApiDocument } from '../../../reference/openapi.ts';
import { operationsOf } from './described-operation.ts';
import type { Chapter, DocPage } from './doc-page.ts';
import type { DocsLanguage } from './language.ts';
import { wordsIn } from './words.ts';
import { writeOperation } from './write-operation.ts';

interface Tag {
  name: string;
  description: string;
}

/**
 * The pages of the reference: one with all contracts, one per contract, one per operation. They are written from the
 * OpenAPI document, so they have its language. The names of the pages come from the English document.
 */
export function pagesOfReference(
  document: OpenApiDocument,
  english: OpenApiDocument,
  language: DocsLanguage,
): DocPage[] {
  const words = wordsIn[language];
  const tags = document.tags as Tag[];
  const slugs = (english.tags as Tag[]).map(({ name }) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-'));
  const operations = operationsOf(document);
  const ofTag = (tag: Tag) => operations.filter(({ operation }) => operation.tags.includes(tag.name));
  const chapter: Chapter = {
    title: words.reference,
    groups: tags.map((tag, index) => ({
      title: tag.name,
      pages: [
        { page: `/reference/${slugs[index]}`, shortTitle: words.overview },
        ...ofTag(tag).map(({ name, operation }) => ({ page: `/reference/${name}`, shortTitle: operation.summary })),
      ],
    })),
  };
  const pageOf = (page: string, title: string, markdown: string): DocPage => {
    return { page, title, shortTitle: title, markdown, textLanguage: language, chapter };
  };
  const listOf = (tag: Tag) => [
    `| ${words.endpoint} | ${words.meaning} |\n|---|---|`,
    ...ofTag(tag).map(
      ({ name, method, path, operation }) =>
        `| [\`${method} ${path}\`](/docs/reference/${name}) | ${operation.summary} |`,
    ),
  ];
  const overview = tags.map((tag, index) =>
    [`## [${tag.name}](/docs/reference/${slugs[index]})`, listOf(tag).join('\n')].join('\n\n'),
  );
  return [
    pageOf(
      '/reference',
      words.referenceTitle,
      [`# ${words.referenceTitle}`, words.referenceIntroduction, ...overview].join('\n\n'),
    ),
    ...tags.map((tag, index) =>
      pageOf(
        `/reference/${slugs[index]}`,
        tag.name,
        `# ${tag.name}\n\n${listOf(tag).join('\n')}\n\n${tag.description}\n`,
      ),
    ),
    ...operations.map((described) =>
      pageOf(
        `/reference/${described.name}`,
        described.operation.summary,
        writeOperation(described, document, language),
      ),
    ),
  ];
}
