import { firstBeyond } from '../../platform/postgres/range-conditions.ts';

/** Shorter parts of a number match too many documents to be useful, and the table would be larger. */
export const partLengthMin = 4;
/** Longer texts share rows with others that continue differently; a search compares the whole text afterwards. */
export const partLengthMax = 32;

/** A text that somebody looks for. */
export interface SearchTerm {
  /** The text that was typed. */
  text: string;
  /** The form in which parts are stored and compared. */
  lower: string;
  /** All texts that begin with it. */
  beginning: Range;
  /** The parts that begin with it. */
  parts: Range;
  /** Whether it is long enough to be a part of a number. */
  isPartOfNumber: boolean;
}

/** From a text, to before another. */
export interface Range {
  from: string;
  to: string;
}

/** Shorter texts match too much to be useful, except Chinese characters: one may be half of a product's name. */
export function isLongEnough(text: string): boolean {
  return [...text].length >= 2 || /\p{Script=Han}/u.test(text);
}

export function searchTermOf(typed: string): SearchTerm {
  const text = withoutWideForms(typed.trim());
  const lower = lowerCase(text);
  const letters = [...lower];
  return {
    text,
    lower,
    beginning: rangeOf(text),
    // The end of a long text is what differs between similar numbers.
    parts: rangeOf(letters.slice(-partLengthMax).join('')),
    isPartOfNumber: letters.length >= partLengthMin,
  };
}

/** Chinese keyboards may type digits and letters in the width of a Chinese character. */
function withoutWideForms(text: string): string {
  return /^[\uff01-\uff5e\u3000]+$/.test(text) ? text.normalize('NFKC') : text;
}

/** PostgreSQL does the same in the collation "C": other letters stay as they are. */
function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The upper bound lies beyond every text with this beginning; nothing lies beyond the last of all texts. */
export function rangeOf(beginning: string): Range {
  return { from: beginning, to: firstBeyond(beginning) ?? `${beginning}\u{10ffff}` };
}
