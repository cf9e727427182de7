import { diagnosis } from '../../messages/diagnosis-texts.ts';
import type { Message } from '../../messages/message.ts';
import { readJson } from '../platform/json/strict-json.ts';

/** How the library of a language writes JSON. */
interface JsonStyle {
  way: Message;
  write(json: ReadJson): string;
}

/** The same value, read in three ways. */
interface ReadJson {
  /** Numbers keep their text: 1.0 and 1 are signed differently. */
  asReceived: unknown;
  withSortedKeys: unknown;
  /** Numbers lose their text, as they do in JavaScript. */
  reparsed: unknown;
}

const compact = (value: unknown) => JSON.stringify(value);
const indented = (indent: string) => (value: unknown) => JSON.stringify(value, null, indent);
// Strings in JSON have no line breaks: all of them are between values.
const spaced = (value: unknown) => indented(' ')(value).replace(/,\n */g, ', ').replace(/\n */g, '');

const asEscape = memoized((unit) => `\\u${hexOf(unit)}`);
const asUpperEscape = memoized((unit) => `\\u${hexOf(unit).toUpperCase()}`);

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

/** A body can have 32,000 characters that are all escaped; without the cache that takes three times as long. */
function memoized(escapeOf: (unit: string) => string): (unit: string) => string {
  const known = new Map<string, string>();
  return (unit) => {
    const escaped = known.get(unit) ?? escapeOf(unit);
    known.set(unit, escaped);
    return escaped;
  };
}

/** These characters occur in the strings of a JSON text only, so that the whole text can be escaped at once. */
const escapes = {
  none: (json: string) => json,
  ascii: (json: string) => json.replace(/[^\0-\x7f]/g, asEscape),
  /** Python also escapes the DEL character. */
  python: (json: string) => json.replace(/[^\0-\x7e]/g, asEscape),
  slashes: (json: string) => json.replaceAll('/', '\\/'),
  php: (json: string) => escapes.ascii(escapes.slashes(json)),
  gson: (json: string) => json.replace(/[<>&='\u2028\u2029]/g, asEscape),
  go: (json: string) => json.replace(/[<>&\u2028\u2029]/g, asEscape),
  csharp: (json: string) =>
    json
      .replace(/\\./g, (escaped) => (escaped === '\\"' ? '\\u0022' : escaped))
      .replace(/[^\0-\x7f]|[<>&'`]|(?<!\de)\+/gi, asUpperEscape),
};

const libraries: [way: Message, write: (value: unknown) => string, escaped: (json: string) => string][] = [
  [diagnosis('json_compact'), compact, escapes.none],
  [diagnosis('json_python'), spaced, escapes.python],
  [diagnosis('json_spaced'), spaced, escapes.none],
  [diagnosis('json_ascii'), compact, escapes.ascii],
  [diagnosis('json_php'), compact, escapes.php],
  [diagnosis('json_php_unicode'), compact, escapes.slashes],
  [diagnosis('json_gson'), compact, escapes.gson],
  [diagnosis('json_go'), compact, escapes.go],
  [diagnosis('json_csharp'), compact, escapes.csharp],
  [diagnosis('json_indented'), indented('  '), escapes.none],
  [diagnosis('json_indented'), indented('    '), escapes.none],
  [diagnosis('json_indented'), indented('\t'), escapes.none],
];

export const jsonStyles: JsonStyle[] = [
  ...libraries.map(([way, write, escaped]) => ({ way, write: (json: ReadJson) => escaped(write(json.asReceived)) })),
  { way: diagnosis('json_reparsed'), write: ({ reparsed }) => compact(reparsed) },
  ...libraries.map(([way, write, escaped]) => ({
    way: diagnosis('json_sorted', { way }),
    write: (json: ReadJson) => escaped(write(json.withSortedKeys)),
  })),
];

/** An order with a hundred lines has about this many. Reading them takes 2 ms, and so does writing them. */
export const nodesMax = 1000;

const [quote, comma, openBracket, backslash, openBrace] = Buffer.from('",[\\{');

export function hasTooManyNodes(body: Buffer): boolean {
  let nodes = 1;
  let isInString = false;
  for (let at = 0; at < body.length && nodes <= nodesMax; at++) {
    const byte = body[at];
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openBracket || byte === openBrace) nodes++;
  }
  return nodes > nodesMax;
}

/** null for bodies that the API rejects anyway (too deep, duplicate keys, not JSON), and for those that take long to write. */
export function readBody(body: Buffer): ReadJson | null {
  if (hasTooManyNodes(body) || readJson(body).kind === 'refused') return null;
  const text = body.toString('utf8');
  const keepNumber: Reviver = (_key, value, { source }) => (typeof value === 'number' ? rawJson(source!) : value);
  const sortKeys: Reviver = (key, value, context) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : keepNumber(key, value, context);
  const read = (reviver: Reviver) => JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  return { asReceived: read(keepNumber), withSortedKeys: read(sortKeys), reparsed: JSON.parse(text) };
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Missing in the library types of TypeScript. */
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}
