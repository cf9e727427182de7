import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { chinesePageOf, type TranslatedPage, translatedPages } from './pages.ts';
import { anchorOf, sectionsOf } from './sections.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const link = /\]\(([^)\s]+)\)/g;

/** The links of a text; those in code are none. */
export function linksOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(link)].map((match) => match[1]!);
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/**
 * Leads the links of a translated page to the translation of the page and section that the English link names.
 * Links that lead there already stay as they are.
 */
export function translateLinks(markdown: string, page: TranslatedPage): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(link, (_, target: string) => `](${translateLink(target, page, markdown)})`),
    )
    .join('');
}

/** Pages link to themselves in the other language. */
export function leadsToOtherLanguage(target: string, { english, chinese }: TranslatedPage): boolean {
  return [english, chinese].some((path) => target === basename(path));
}

/** `own` is the text of the translated page, which may be newer than its file. */
export function translateLink(target: string, page: TranslatedPage, own: string): string {
  if (/^https?:/.test(target)) return target;
  const [path = '', anchor] = target.split('#') as [string, string?];
  const english = englishTargetOf(path, page);
  if (english === undefined) return target;
  const chinese = chinesePageOf(english) ?? english;
  const isOwn = chinese === page.chinese;
  const to = isOwn ? '' : relative(dirname(page.chinese), chinese);
  return anchor === undefined ? to || target : `${to}#${translateAnchor(anchor, english, isOwn ? own : read(chinese))}`;
}

/** The English page or file that a link of either page leads to. */
function englishTargetOf(path: string, page: TranslatedPage): string | undefined {
  if (path === '') return page.english;
  const candidates = [page.chinese, page.english].map((from) => join(dirname(from), path));
  const found = candidates.find((one) => existsSync(join(root, one))) ?? candidates[1]!;
  return translatedPages.find(({ chinese }) => chinese === found)?.english ?? found;
}

function translateAnchor(anchor: string, english: string, chineseText: string): string {
  const index = headingsOf(read(english)).indexOf(anchor);
  return headingsOf(chineseText)[index] ?? anchor;
}

function headingsOf(markdown: string): string[] {
  return sectionsOf(markdown)
    .filter(({ level }) => level > 0)
    .map(({ heading }) => anchorOf(heading));
}

function read(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}
