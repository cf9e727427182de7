import { translateMarkdownWith } from './markdown.ts';

/** Texts of another language by their English text, in which `{1}`, `{2}` stand for the numbers, in their order. */
export type Translations = Readonly<Record<string, string>>;

export interface Translator {
  /** Translates one heading, paragraph, list item or table cell. */
  text(english: string): string;
  /** Translates each text of a Markdown document. Code stays as it is. */
  markdown(english: string): string;
  /** English texts without a translation; they stay in English. */
  missing: Set<string>;
  /** The entries of the table that were needed. */
  used: Set<string>;
}

interface Found {
  text: string;
  keys: string[];
}

/** Texts are found as a whole, or sentence by sentence. */
export function makeTranslator(translations: Translations): Translator {
  const table = new Map(Object.entries(translations));
  const missing = new Set<string>();
  const used = new Set<string>();
  const text = (english: string) => {
    const found = findText(table, english);
    if (found === undefined) missing.add(english);
    for (const key of found?.keys ?? []) used.add(key);
    return found?.text ?? english;
  };
  return { text, markdown: (english) => translateMarkdownWith(text, english), missing, used };
}

function findText(table: Map<string, string>, english: string): Found | undefined {
  return findPart(table, english) ?? findSentences(table, english) ?? findAsSentence(table, english);
}

function findPart(table: Map<string, string>, english: string): Found | undefined {
  const exact = table.get(english);
  if (exact !== undefined) return { text: exact, keys: [english] };
  if (!hasWords(english)) return { text: withChinesePunctuation(english), keys: [] };
  return findWithNumbers(table, english);
}

/** Names of fields and links to them are the same in every language. */
function hasWords(english: string): boolean {
  return /\p{L}/u.test(english.replaceAll(/`[^`]*`/g, '').replaceAll(/\]\([^)]*\)/g, ''));
}

function withChinesePunctuation(names: string): string {
  return names
    .replaceAll('`, `', '`、`')
    .replace(/(?<=`)\.$/, '。')
    .replace(/(?<=`):$/, '：');
}

const number = /\d+(?:[.,]\d+)*/g;

function findWithNumbers(table: Map<string, string>, english: string): Found | undefined {
  const numbers: string[] = [];
  const key = english.replaceAll(number, (value) => `{${numbers.push(value)}}`);
  const found = table.get(key);
  if (found === undefined || numbers.length === 0) return undefined;
  return { text: found.replaceAll(/\{(\d+)\}/g, (_, index) => numbers[Number(index) - 1]!), keys: [key] };
}

/** Also between `name:` and what it means. */
const betweenSentences = /(?<=[.:`)]) (?=[A-Z`"\d])|(?<=`:) /g;

/** The longest beginning that is in the table, then the rest. */
function findSentences(table: Map<string, string>, english: string): Found | undefined {
  for (const { index } of [...english.matchAll(betweenSentences)].toReversed()) {
    const first = findPart(table, english.slice(0, index));
    const rest = first && (findPart(table, english.slice(index + 1)) ?? findSentences(table, english.slice(index + 1)));
    if (first && rest) return { text: `${first.text}${rest.text}`, keys: [...first.keys, ...rest.keys] };
  }
  return undefined;
}

/** Limits are listed as `a date, YYYY-MM-DD` and described as `A date, YYYY-MM-DD.` */
function findAsSentence(table: Map<string, string>, english: string): Found | undefined {
  const found = findPart(table, `${english.charAt(0).toUpperCase()}${english.slice(1)}.`);
  return found && { ...found, text: found.text.replace(/。$/, '') };
}
