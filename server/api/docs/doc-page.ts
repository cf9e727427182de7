import type { DocsLanguage } from './language.ts';

/** A page of the documentation in one language. */
export interface DocPage {
  /** The name of the page, which is the same in every language: `''`, `/guides`, `/guides/signing`. */
  page: string;
  /** Without the parts that only other pages need: `Signing requests`. */
  title: string;
  /** The text of a link in a list of pages. */
  shortTitle: string;
  markdown: string;
  /** The language in which the text is written; English if there is no translation. */
  textLanguage: DocsLanguage;
  /** Where the page stands: its neighbours are the pages before and after it. */
  chapter: Chapter;
}

/** Pages that the list at the side shows together. */
export interface Chapter {
  title: string;
  groups: { title?: string; pages: { page: string; shortTitle: string; note?: string }[] }[];
}

/** The first paragraph of a text in plain words, for search engines and lists. */
export function descriptionOf(markdown: string): string {
  const paragraphs = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/\n{2,}/);
  const prose =
    paragraphs.find((paragraph) => /^(?:[^#|<`*\-\s>]|\*\*)/.test(paragraph) && !/^\d+\. /.test(paragraph)) ?? '';
  return plainText(prose).slice(0, 300);
}

/** Removes the marks of Markdown. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
