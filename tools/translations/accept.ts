import { readFileSync, writeFileSync } from 'node:fs';
import { type TranslatedPage, translatedPages, translatedPartOf } from './pages.ts';
import { digestMarkOf, digestOf, isDigestMark, sectionsOf } from './sections.ts';

const root = new URL('../../', import.meta.url);

/** Records that the translations of these pages match the English text; without names, those of all pages. */
export function acceptTranslations(names: string[]): void {
  const unknown = names.filter((name) => !translatedPages.some(({ chinese }) => chinese === name));
  if (unknown.length > 0) throw new Error(`not a translated page: ${unknown.join(', ')}`);
  for (const page of translatedPages) {
    if (page.isGenerated || (names.length > 0 && !names.includes(page.chinese))) continue;
    const [english, chinese] = [page.english, page.chinese].map((path) => readFileSync(new URL(path, root), 'utf8'));
    writeFileSync(new URL(page.chinese, root), recordDigests(english!, chinese!, page));
  }
}

/** Writes below each heading the digest of the English section. */
export function recordDigests(english: string, chinese: string, page: TranslatedPage): string {
  const originals = sectionsOf(translatedPartOf(english, page));
  const translations = sectionsOf(chinese);
  if (originals.length !== translations.length)
    throw new Error(`${page.chinese} has ${translations.length} sections, and the English page ${originals.length}`);
  return translations
    .flatMap((section, index) => {
      const { level, heading, lines, isGenerated } = section;
      const own = lines.filter((line) => !isDigestMark(line));
      const mark = digestMarkOf(digestOf(originals[index]!));
      const title = level === 0 ? [] : [`${'#'.repeat(level)} ${heading}`];
      return isGenerated ? [...title, ...lines] : [...title, mark, ...own];
    })
    .join('\n');
}
