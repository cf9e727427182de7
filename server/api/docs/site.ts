import type { OpenApiDocument } from '../../../reference/openapi.ts';
import type { DocPage } from './doc-page.ts';
import { pagesOfErrors } from './error-pages.ts';
import type { Addresses } from './guide-text.ts';
import { type Guides, pagesOfGuides } from './guides.ts';
import type { DocsLanguage } from './language.ts';
import { layOutPage } from './page-layout.ts';
import { pagesOfReference } from './reference-pages.ts';
import { makeSearchIndex } from './search-entries.ts';
import { changelogPage, startPage } from './start-pages.ts';
import { writeLlms, writeLlmsFull, writeMarkdown } from './write-markdown.ts';

/** Everything that the pages are made from. */
export interface Sources {
  guides: Guides;
  /** `CHANGELOG.md`, if it is installed. */
  changelog: string | null;
  /** The OpenAPI document in each language. */
  documents: Record<DocsLanguage, OpenApiDocument>;
  addresses: Addresses;
}

/** All pages of one language. */
export interface Site {
  language: DocsLanguage;
  pages: Map<string, DocPage>;
  /** Null if there is no such page. */
  html(page: string): string | null;
  markdown(page: string): string | null;
  searchIndex(): string;
  llms(): string;
  llmsFull(): string;
}

export function buildSite({ guides, changelog, documents, addresses }: Sources, language: DocsLanguage): Site {
  const guidePages = pagesOfGuides(guides, addresses, language);
  const reference = pagesOfReference(documents[language], documents.en, language);
  const errorGuide = guides.guides.find(({ name }) => name === 'errors')?.texts[language];
  const errors = pagesOfErrors(errorGuide ?? { title: '', markdown: '', language: 'en' }, language);
  const all = [
    startPage(guidePages, reference, language),
    ...guidePages,
    ...reference,
    ...errors,
    changelogPage(changelog, guidePages[0]?.chapter, language),
  ];
  const pages = new Map(all.map((one) => [one.page, one]));
  const guideNames = new Set(guides.guides.map(({ name }) => name));
  const { serverUrl } = addresses;
  return {
    language,
    pages,
    html: (page) => (pages.has(page) ? layOutPage(pages.get(page)!, language, guideNames) : null),
    markdown: (page) => (pages.has(page) ? writeMarkdown(pages.get(page)!, serverUrl, language) : null),
    searchIndex: () => JSON.stringify(makeSearchIndex(all, documents[language])),
    llms: () => writeLlms({ guides: guidePages, reference, errors }, serverUrl, language),
    llmsFull: () => writeLlmsFull([...guidePages, ...reference], serverUrl, language),
  };
}
