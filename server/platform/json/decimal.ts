/** A number with more digits than a double can represent, as text; only fields that are rounded can use it. */
export class LongDecimal {
  literal: string;
  /** The byte position of the number in the body. */
  at: number;
  isRounded = false;
  constructor(literal: string, at: number) {
    this.literal = literal;
    this.at = at;
  }
}

/**
 * Rounds half up, away from zero, on the decimal digits: 1.005 becomes 1.01, although the double nearest to it is below
 * 1.005. The result is exact as long as it has at most 15 digits.
 */
export function roundDecimal(literal: string, decimals: number): number {
  const { digits, exponent } = significantDigits(literal);
  const keptDigits = exponent + decimals;
  if (keptDigits >= digits.length) return Number(literal);
  if (keptDigits < 0) return 0;
  const roundsUp = digits.charCodeAt(keptDigits) >= digitFive;
  const units = Number(digits.slice(0, keptDigits)) + (roundsUp ? 1 : 0);
  const magnitude = units / 10 ** decimals;
  return literal.charCodeAt(0) === minus && magnitude !== 0 ? -magnitude : magnitude;
}

const minus = 0x2d;
const digitZero = 0x30;
const digitFive = 0x35;

/**
 * The absolute value is 0.digits times ten to the power of the exponent; the digits neither start nor end with a zero.
 */
export function significantDigits(literal: string): { digits: string; exponent: number } {
  let mantissaEnd = literal.search(/e/i);
  if (mantissaEnd === -1) mantissaEnd = literal.length;
  const from = literal.charCodeAt(0) === minus ? 1 : 0;
  const pointAt = literal.indexOf('.');
  const wholeEnd = pointAt === -1 ? mantissaEnd : pointAt;
  const all =
    pointAt === -1
      ? literal.slice(from, mantissaEnd)
      : literal.slice(from, pointAt) + literal.slice(pointAt + 1, mantissaEnd);

  let first = 0;
  while (first < all.length && all.charCodeAt(first) === digitZero) first++;
  let last = all.length;
  while (last > first && all.charCodeAt(last - 1) === digitZero) last--;
  if (first === last) return { digits: '', exponent: 0 };
  return { digits: all.slice(first, last), exponent: Number(literal.slice(mantissaEnd + 1)) + wholeEnd - from - first };
}
