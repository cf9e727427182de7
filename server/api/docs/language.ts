import type { IncomingHttpHeaders } from 'node:http';
import type { DocumentOptions } from '../../../reference/document.ts';

export type DocsLanguage = NonNullable<DocumentOptions['language']>;
export const docsLanguages: readonly DocsLanguage[] = ['en', 'zh-TW'];

/** The path of a page. A page has the same name in every language: `''` (the start page), `/guides`, `/guides/signing`. */
export function pathIn(language: DocsLanguage, page: string): string {
  return `/docs${language === 'en' ? '' : `/${language}`}${page}`;
}

/** The relative URL from one path to another, so that links also work behind a proxy that adds a path prefix. */
export function relativeUrl(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1);
  const target = to.split('/');
  const shared = folders.findIndex((folder, index) => index >= target.length - 1 || folder !== target[index]);
  const common = shared === -1 ? folders.length : shared;
  return '../'.repeat(folders.length - common) + target.slice(common).join('/');
}

/** Remembers the language that a reader has chosen with the switch. */
const languageCookie = 'docs_language';
const rememberedSeconds = 365 * 24 * 3600;

export function rememberLanguage(language: DocsLanguage): string {
  return `${languageCookie}=${language}; Path=/; Max-Age=${rememberedSeconds}; SameSite=Lax; HttpOnly`;
}

/** The chosen language, or else the one that the browser prefers; English for clients that prefer none of ours. */
export function preferredLanguage(headers: IncomingHttpHeaders): DocsLanguage {
  const remembered = new RegExp(`(?:^|;)\\s*${languageCookie}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
  return knownLanguage(remembered) ?? acceptedLanguage(headers['accept-language'] ?? '') ?? 'en';
}

export function knownLanguage(name: unknown): DocsLanguage | undefined {
  return docsLanguages.find((language) => language === name);
}

/** The first of the languages with the highest weight. All variants of Chinese count as ours. */
function acceptedLanguage(header: string): DocsLanguage | undefined {
  const accepted = header.split(',').flatMap((part) => {
    const [, name, weight = '1'] = /^\s*(en|zh)(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(part) ?? [];
    if (name === undefined || !(Number(weight) > 0)) return [];
    return [{ language: name.toLowerCase() === 'zh' ? ('zh-TW' as const) : ('en' as const), weight: Number(weight) }];
  });
  return accepted.toSorted((one, other) => other.weight - one.weight)[0]?.language;
}
