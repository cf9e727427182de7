/** Why a text is not valid JSON; `at` counts UTF-16 code units from 0. */
export type SyntaxMistake = { kind: 'ends_early' } | { kind: 'comma_before_close' | 'unexpected'; at: number };

/** White space before the next token. */
type Before = 'start' | 'open' | 'comma' | 'key' | 'colon' | 'value';

/** Finds the first syntax error in a text that JSON.parse rejects. The engine reports the position only sometimes. */
export function findSyntaxMistake(text: string): SyntaxMistake {
  const open: string[] = [];
  let before: Before = 'start';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const char = text[at]!;
    const closes = open.at(-1);
    let end = at + 1;
    if (before === 'value') {
      if (closes === undefined || (char !== ',' && char !== closes)) return mistakeAt(text, at);
      if (char === closes) open.pop();
      else before = 'comma';
    } else if (before === 'key') {
      if (char !== ':') return mistakeAt(text, at);
      before = 'colon';
    } else if (char === closes && before === 'open') {
      open.pop();
      before = 'value';
    } else if (char === closes && before === 'comma') {
      return { kind: 'comma_before_close', at };
    } else if (closes === '}' && before !== 'colon') {
      if (char !== '"') return mistakeAt(text, at);
      end = endOfString(text, at);
      before = 'key';
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      before = 'open';
    } else {
      end = endOfScalar(text, at);
      before = 'value';
    }
    if (end < 0) return mistakeAt(text, ~end);
    at = skipSpace(text, end);
  }
  return { kind: 'ends_early' };
}

function mistakeAt(text: string, at: number): SyntaxMistake {
  return at < text.length ? { kind: 'unexpected', at } : { kind: 'ends_early' };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Returns the end of the scalar that starts here, or the bitwise complement of the position of its syntax error. */
function endOfScalar(text: string, at: number): number {
  const char = text[at]!;
  if (char === '"') return endOfString(text, at);
  if (char === '-' || isDigit(char)) return endOfNumber(text, at);
  const word = ['true', 'false', 'null'].find((name) => name.startsWith(char));
  return word === undefined ? ~at : endOfWord(text, at, word);
}

const quote = 0x22;
const backslash = 0x5c;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(at)) {
    if (code < 0x20) return ~at;
    if (code === backslash) {
      at++;
      if (!'"\\/bfnrtu'.includes(text[at] ?? 'none')) return ~at;
      const digitsEnd = text[at] === 'u' ? at + 4 : at;
      while (at < digitsEnd) if (!isHexDigit(text[++at])) return ~at;
    }
    at++;
  }
  return at < text.length ? at + 1 : ~at;
}

function isHexDigit(char = ''): boolean {
  return isDigit(char) || (char >= 'a' && char <= 'f') || (char >= 'A' && char <= 'F');
}

function endOfNumber(text: string, start: number): number {
  const whole = text[start] === '-' ? start + 1 : start;
  let at = text[whole] === '0' ? whole + 1 : endOfDigits(text, whole);
  if (at > 0 && text[at] === '.') at = endOfDigits(text, at + 1);
  if (at > 0 && (text[at] === 'e' || text[at] === 'E')) {
    const signed = text[at + 1] === '+' || text[at + 1] === '-';
    at = endOfDigits(text, signed ? at + 2 : at + 1);
  }
  return at;
}

/** Skips one or more digits. */
function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text[at])) at++;
  return at > start ? at : ~at;
}

function isDigit(char = ''): boolean {
  return char >= '0' && char <= '9';
}

function endOfWord(text: string, start: number, word: string): number {
  let length = 1;
  while (length < word.length && text[start + length] === word[length]) length++;
  return length === word.length ? start + length : ~(start + length);
}
