import { readdirSync, readFileSync } from 'node:fs';
import type { Chapter, DocPage } from './doc-page.ts';
import { type Addresses, addressGuide, type GuideText, titleOf } from './guide-text.ts';
import type { DocsLanguage } from './language.ts';
import { wordsIn } from './words.ts';

export interface Guide {
  name: string;
  /** A language without a translation has the English text. */
  texts: Record<DocsLanguage, GuideText>;
}

export interface Guides {
  /** `docs/README.md`: the table of contents, in reading order. */
  contents: Guide;
  guides: Guide[];
}

const contentsName = 'README';

function pageOf({ name }: Guide): string {
  return name === contentsName ? '/guides' : `/guides/${name}`;
}

/**
 * `docs/README.md` lists the pages for operators below this heading. The service does not serve them, because its pages
 * are for partners.
 */
const operatorsHeading = '\n## For operators\n';

/** If a deployment omits the folder, a page says so. */
export function readGuides(folder: URL): Guides {
  const texts = readTexts(folder);
  const chinese = readTexts(new URL('zh-TW/', folder));
  const [contents = '', forOperators = ''] = (texts.get(contentsName) ?? wordsIn.en.noGuides).split(operatorsHeading);
  for (const name of [contentsName, ...namedIn(forOperators)]) texts.delete(name);
  const inOrder = [...new Set([...namedIn(contents), ...[...texts.keys()].toSorted()])].filter((name) =>
    texts.has(name),
  );
  const guideOf = (name: string, markdown: string): Guide => {
    const english = textOf(name, markdown, 'en');
    const translated = chinese.get(name);
    return { name, texts: { en: english, 'zh-TW': translated ? textOf(name, translated, 'zh-TW') : english } };
  };
  return { contents: guideOf(contentsName, contents), guides: inOrder.map((name) => guideOf(name, texts.get(name)!)) };
}

function readTexts(folder: URL): Map<string, string> {
  const files = namesIn(folder, /^[\w-]+\.md$/);
  return new Map(files.map((file) => [file.slice(0, -3), readFileSync(new URL(file, folder), 'utf8')]));
}

function textOf(name: string, text: string, language: DocsLanguage): GuideText {
  const markdown = text.replaceAll(commentLine, '');
  return { title: titleOf(markdown) ?? name, markdown, language };
}

/** Comments are for the tools of the repository: they mark what is generated, and what a translation is made from. */
const commentLine = /^<!--.*-->\n/gm;

/** The guides that a text links to. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/\]\(([\w-]+)\.md\)/g)].map((match) => match[1]!);
}

export function namesIn(folder: URL, form: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => form.test(name));
  } catch {
    return [];
  }
}

/** The pages of the guides in one language. */
export function pagesOfGuides({ contents, guides }: Guides, addresses: Addresses, language: DocsLanguage): DocPage[] {
  const all = [contents, ...guides];
  const shown = all.map((guide) => ({ page: pageOf(guide), shortTitle: shortTitleOf(guide.texts[language].title) }));
  const chapter: Chapter = { title: wordsIn[language].guides, groups: [{ pages: shown }] };
  return all.map((guide, index) => {
    const { title, markdown, language: textLanguage } = guide.texts[language];
    return { ...shown[index]!, title, markdown: addressGuide(markdown, addresses), textLanguage, chapter };
  });
}

/** Titles have a short form before a colon. */
function shortTitleOf(title: string): string {
  return title.split(/[:\uff1a]/, 1)[0]!;
}
