import type { Language } from './define-words.ts';

/**
 * A text as the server says it, and in another language. {name} stands for anything without a semicolon, {name:list} for a text of that list;
 * in the translation both are {name}.
 */
export type TextPair = readonly [english: string, translated: string];

/** By their names; a text is looked up in `sentences`. */
export interface TextLists {
  sentences: readonly TextPair[];
  [list: string]: readonly TextPair[];
}

/** null for a text that is not known. */
export type Translate = (text: string) => string | null;

export interface SaidText {
  text: string;
  language: Language;
}

/** What is logged, stored and told to partners is English; a page says it in the language of its reader where it can. */
export function sayServerText(text: string, translate: Translate | null): SaidText {
  const translated = translate?.(text) ?? null;
  return translated === null ? { text, language: 'en' } : { text: translated, language: 'zh-TW' };
}

interface ReadList {
  whole: ReadonlyMap<string, string>;
  patterns: Pattern[];
}

interface Pattern {
  pattern: RegExp;
  /** In the order in which they stand; `list` is null for what may be anything. */
  captured: { name: string; list: string | null }[];
  translated: string;
}

/** More is not taken apart: that takes as many looks as the square of it. */
const partsMax = 12;

export function makeTranslate(lists: TextLists): Translate {
  const read = new Map(Object.entries(lists).map(([name, pairs]) => [name, readList(pairs)]));

  function lookUp(text: string, listName: string): string | null {
    const { whole, patterns } = read.get(listName)!;
    const found = whole.get(text);
    if (found !== undefined) return found;
    for (const pattern of patterns) {
      const filled = fill(pattern, text);
      if (filled !== null) return filled;
    }
    return null;
  }

  function fill({ pattern, captured, translated }: Pattern, text: string): string | null {
    const match = pattern.exec(text);
    if (match === null) return null;
    const values = captured.map(({ list }, index) => (list === null ? match[index + 1]! : lookUp(match[index + 1]!, list)));
    if (values.includes(null)) return null;
    return translated.replace(placeholders, (_, name) => values[captured.findIndex((one) => one.name === name)]!);
  }

  /** Several mistakes are told one behind the other, and may have the same mark in themselves: what is longer comes first. */
  function translate(parts: string[]): string | null {
    for (let count = parts.length; count > 0; count--) {
      const first = lookUp(parts.slice(0, count).join('; '), 'sentences');
      if (first === null) continue;
      if (count === parts.length) return first;
      const others = translate(parts.slice(count));
      return others === null ? null : `${first}；${others}`;
    }
    return null;
  }

  return (text) => {
    const parts = text.split('; ');
    return parts.length > partsMax ? null : translate(parts);
  };
}

const placeholders = /\{(\w+)(?::(\w+))?\}/g;

function readList(pairs: readonly TextPair[]): ReadList {
  const isWhole = ([english]: TextPair) => english.search(placeholders) === -1;
  const patterns = pairs.filter((pair) => !isWhole(pair)).toSorted((one, other) => saidLength(other) - saidLength(one));
  return { whole: new Map(pairs.filter(isWhole)), patterns: patterns.map(readPattern) };
}

/** What says more itself comes first: another could take the rest of it for a value. */
function saidLength([english]: TextPair): number {
  return english.replace(placeholders, '').length;
}

function readPattern([english, translated]: TextPair): Pattern {
  const captured = [...english.matchAll(placeholders)].map(([, name, list = null]) => ({ name: name!, list }));
  const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // Between two texts stand the name and the list of a placeholder.
  const texts = english.split(placeholders).filter((_, index) => index % 3 === 0);
  const source = texts.map((text, index) => (index === 0 ? '' : captureOf(captured[index - 1]!.list)) + escaped(text)).join('');
  return { pattern: new RegExp(`^${source}$`, 's'), captured, translated };
}

function captureOf(list: string | null): string {
  return list === null ? '([^;]*?)' : '(.+?)';
}
