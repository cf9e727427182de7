import { createHash } from 'node:crypto';

/** A heading of a page, with everything up to the next heading. */
export interface Section {
  level: number;
  heading: string;
  lines: string[];
  /** The heading is generated, and so is everything below it. */
  isGenerated: boolean;
}

const generatedBegins = /^<!-- .*: npm run generate -->$/;
const generatedEnds = /^<!-- end of .* -->$/;

/** The text before the first heading is a section of level 0. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ level: 0, heading: '', lines: [], isGenerated: false }];
  let isCode = false;
  let isGenerated = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (generatedBegins.test(line)) isGenerated = true;
    if (generatedEnds.test(line)) isGenerated = false;
    const [, marks, heading] = (!isCode && /^(#{1,6}) (.*)$/.exec(line)) || [];
    if (marks !== undefined) sections.push({ level: marks.length, heading: heading!, lines: [], isGenerated });
    else sections.at(-1)!.lines.push(line);
  }
  return sections.filter(({ level, lines }) => level > 0 || lines.some((line) => line.trim() !== ''));
}

/** The name under which viewers of Markdown, ours included, link to a heading. */
export function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

const digestMark = /^<!-- translated from: ([0-9a-f]{8}) -->$/;

export function digestMarkOf(digest: string): string {
  return `<!-- translated from: ${digest} -->`;
}

/** The digest of the English section that a translated section was made from. */
export function recordedDigestOf({ lines }: Section): string | undefined {
  return lines.map((line) => digestMark.exec(line)?.[1]).find((digest) => digest !== undefined);
}

export function isDigestMark(line: string): boolean {
  return digestMark.test(line);
}

/** The digest of what a translator reads: without code and generated parts, wherever lines are broken. */
export function digestOf(section: Section): string {
  const text = [section.heading, ...proseOf(section.lines)].join(' ').replaceAll(/\s+/g, ' ').trim();
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The lines that are written by hand in each language. */
export function proseOf(lines: string[]): string[] {
  const prose: string[] = [];
  let isCode = false;
  let isGenerated = false;
  for (const line of lines) {
    const isFence = line.startsWith('```');
    if (isFence) isCode = !isCode;
    if (generatedBegins.test(line)) isGenerated = true;
    const isMark = line.startsWith('<!-- ');
    if (!isFence && !isCode && !isGenerated && !isMark) prose.push(line);
    if (generatedEnds.test(line)) isGenerated = false;
  }
  return prose;
}
