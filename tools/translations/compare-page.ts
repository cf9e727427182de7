import { leadsToOtherLanguage, linksOf, translateLink } from './links.ts';
import { type TranslatedPage, translatedPartOf } from './pages.ts';
import { anchorOf, digestOf, proseOf, recordedDigestOf, type Section, sectionsOf } from './sections.ts';

/** Says how a translation differs from its English page in anything but its words. */
export function comparePage(english: string, chinese: string, page: TranslatedPage): string[] {
  const [originals, translations] = [sectionsOf(translatedPartOf(english, page)), sectionsOf(chinese)];
  const levels = (sections: Section[]) => sections.map(({ level }) => '#'.repeat(level)).join(' ');
  if (levels(originals) !== levels(translations)) {
    return [`${page.chinese} has other headings: ${levels(translations)} instead of ${levels(originals)}`];
  }
  return [
    ...doubled(translations).map(
      (heading) => `${page.chinese} has the heading "${heading}" twice, so links cannot name it`,
    ),
    ...originals.flatMap((original, index) => compareSection(original, translations[index]!, page, chinese)),
  ];
}

function doubled(sections: Section[]): string[] {
  const anchors = sections.map(({ heading }) => anchorOf(heading));
  return sections.filter((_, index) => anchors.indexOf(anchors[index]!) !== index).map(({ heading }) => heading);
}

function compareSection(original: Section, translation: Section, page: TranslatedPage, chinese: string): string[] {
  const where = `${page.chinese}: section "${translation.heading}" ("${original.heading}")`;
  const [ours, theirs] = [proseOf(translation.lines), proseOf(original.lines)];
  const text = (section: Section, prose: string[]) => [section.heading, ...prose].join('\n');
  const linksIn = (section: string) => linksOf(section).filter((target) => !leadsToOtherLanguage(target, page));
  const links = linksIn(text(original, theirs)).map((target) => translateLink(target, page, chinese));
  return [
    ...(page.isGenerated || isCurrent(original, translation)
      ? []
      : [`${where} is older than the English text. ${advice(page)}`]),
    ...differences('rows of tables', [rowsOf(theirs)], [rowsOf(ours)]),
    ...differences('links', links, linksIn(text(translation, ours))),
    ...differences('names', namesOf(text(original, theirs)), namesOf(text(translation, ours))),
  ].map((complaint) => (complaint.startsWith(page.chinese) ? complaint : `${where} ${complaint}`));
}

function isCurrent(original: Section, translation: Section): boolean {
  return original.isGenerated || recordedDigestOf(translation) === digestOf(original);
}

function advice({ english, chinese }: TranslatedPage): string {
  return `Compare it with ${english}, translate what has changed in ${chinese}, then run: npm run generate -- --accept-translations ${chinese}`;
}

function rowsOf(lines: string[]): string {
  return String(lines.filter((line) => line.startsWith('|')).length);
}

/** Code within a text is never translated. Its order and number may differ. */
function namesOf(text: string): string[] {
  return [...new Set(text.match(/`[^`\n]+`/g))];
}

function differences(what: string, expected: string[], found: string[]): string[] {
  const missing = expected.filter((one) => !found.includes(one));
  const surplus = found.filter((one) => !expected.includes(one));
  if (missing.length === 0 && surplus.length === 0) return [];
  return [
    `differs in its ${what}: missing ${missing.join(', ') || 'nothing'}; surplus ${surplus.join(', ') || 'nothing'}`,
  ];
}
