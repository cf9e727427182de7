import type { Token, Tokens, TokensList } from 'marked';
import { programmingLabel } from './highlight.ts';

/**
 * Puts consecutive sections that show the same in several programming languages into one group, of which the page
 * shows one at a time. Such a section has a heading of the third level and one block of code.
 */
export function groupLanguages(tokens: TokensList): Token[] {
  const grouped: Token[] = [];
  let index = 0;
  while (index < tokens.length) {
    const sections = sectionsFrom(tokens, index);
    if (sections.length < 2) {
      grouped.push(tokens[index]!);
      index += 1;
    } else {
      grouped.push({ type: 'languages', raw: '', sections });
      index += sections.reduce((total, section) => total + section.tokens.length, 0);
    }
  }
  return grouped;
}

function sectionsFrom(tokens: Token[], start: number) {
  const sections = [];
  let index = start;
  for (;;) {
    const section = sectionAt(tokens, index);
    if (section === null) return sections;
    sections.push(section);
    index += section.tokens.length;
  }
}

function sectionAt(tokens: Token[], start: number) {
  const heading = tokens[start] as Tokens.Heading | undefined;
  if (heading?.type !== 'heading' || heading.depth !== 3) return null;
  const next = tokens.findIndex(({ type, depth }: Token & { depth?: number }, index) => {
    return index > start && type === 'heading' && depth! <= 3;
  });
  const own = tokens.slice(start, next === -1 ? tokens.length : next);
  const code = own.filter(({ type }) => type === 'code') as Tokens.Code[];
  const [language = ''] = (code[0]?.lang ?? '').split(/\s/, 1);
  if (code.length !== 1 || programmingLabel(language) === undefined) return null;
  return { language, label: heading.text.replaceAll('`', ''), tokens: own };
}
