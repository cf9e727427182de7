import { readJson } from '../../platform/strict-json.ts';

/** How a language's library writes JSON. */
interface JsonStyle {
  words: string;
  comma: string;
  colon: string;
  /** Of one level; '' for one line. */
  indent: string;
  escaping(quoted: string): string;
  numbers: 'as they came' | 'as JavaScript writes them';
  sortsKeys: boolean;
}

const unitAsEscape = remembering((unit) => `\\u${hexOf(unit)}`);
const unitAsUpperEscape = remembering((unit) => `\\u${hexOf(unit).toUpperCase()}`);

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

/** A body can be 32,000 characters that are all escaped, which takes three times as long without a memory. */
function remembering(escapeOf: (unit: string) => string): (unit: string) => string {
  const known = new Map<string, string>();
  return (unit) => {
    const before = known.get(unit);
    if (before !== undefined) return before;
    const escaped = escapeOf(unit);
    known.set(unit, escaped);
    return escaped;
  };
}

const escapes = {
  none: (text: string) => text,
  ascii: (text: string) => text.replace(/[^\0-\x7f]/g, unitAsEscape),
  /** Python takes the DEL character for none of ASCII. */
  python: (text: string) => text.replace(/[^\0-\x7e]/g, unitAsEscape),
  upperAscii: (text: string) => text.replace(/[^\0-\x7f]/g, unitAsUpperEscape),
  slashes: (text: string) => text.replaceAll('/', '\\/'),
  php: (text: string) => escapes.ascii(escapes.slashes(text)),
  gson: (text: string) => text.replace(/[<>&='\u2028\u2029]/g, unitAsEscape),
  go: (text: string) => text.replace(/[<>&\u2028\u2029]/g, unitAsEscape),
  csharp: (text: string) =>
    `"${text
      .slice(1, -1)
      .replaceAll('\\"', '\\u0022')
      .replace(/[^\0-\x7f]|[<>&'+`]/g, unitAsUpperEscape)}"`,
};

const oneLine = { comma: ',', colon: ':', indent: '' };
const spaced = { comma: ', ', colon: ': ', indent: '' };
const indented = (indent: string) => ({ comma: ',', colon: ': ', indent });

const layouts: [words: string, layout: Pick<JsonStyle, 'comma' | 'colon' | 'indent'>, escaping: JsonStyle['escaping']][] = [
  ['as compact JSON (as JSON.stringify writes it)', oneLine, escapes.none],
  ["as Python's json.dumps writes it (spaces after commas and colons, other characters than ASCII as \\uXXXX)", spaced, escapes.python],
  ['as JSON with a space after each comma and colon (json.dumps with ensure_ascii=False)', spaced, escapes.none],
  ['as compact JSON with other characters than ASCII as \\uXXXX', oneLine, escapes.ascii],
  ["as PHP's json_encode writes it (slashes as \\/, other characters than ASCII as \\uXXXX)", oneLine, escapes.php],
  ["as PHP's json_encode with JSON_UNESCAPED_UNICODE writes it (slashes as \\/)", oneLine, escapes.slashes],
  ["as Java's Gson writes it (< > & = ' as \\uXXXX)", oneLine, escapes.gson],
  ["as Go's json.Marshal writes it (< > & as \\uXXXX)", oneLine, escapes.go],
  ['as compact JSON with other characters than ASCII as \\uXXXX in upper case', oneLine, escapes.upperAscii],
  ["as C#'s System.Text.Json writes it", oneLine, escapes.csharp],
  [
    'as JSON on several lines, indented by 2 spaces (of a file? curl -d @FILE strips line breaks: use --data-binary)',
    indented('  '),
    escapes.none,
  ],
  [
    'as JSON on several lines, indented by 4 spaces (of a file? curl -d @FILE strips line breaks: use --data-binary)',
    indented('    '),
    escapes.none,
  ],
  [
    'as JSON on several lines, indented by tabs (of a file? curl -d @FILE strips line breaks: use --data-binary)',
    indented('\t'),
    escapes.none,
  ],
  ["as Python's json.dumps with indent=2 writes it", indented('  '), escapes.python],
  ["as Python's json.dumps with indent=4 writes it", indented('    '), escapes.python],
  ["as PHP's json_encode with JSON_PRETTY_PRINT writes it", indented('    '), escapes.php],
  ["as Java's Gson with setPrettyPrinting writes it", indented('  '), escapes.gson],
];

const inKeyOrder = layouts.map(
  ([words, layout, escaping]): JsonStyle => ({ words, ...layout, escaping, numbers: 'as they came', sortsKeys: false }),
);

export const jsonStyles: JsonStyle[] = [
  ...inKeyOrder,
  { ...inKeyOrder[0]!, words: 'as JSON.stringify writes it after JSON.parse (1.0 becomes 1)', numbers: 'as JavaScript writes them' },
  ...inKeyOrder.map((style) => ({ ...style, words: `${style.words}, with its keys sorted`, sortsKeys: true })),
];

/** A number keeps the text in which it came: 1.0 is another text than 1. */
class NumberText {
  text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type JsonTree = { [key: string]: JsonTree } | JsonTree[] | NumberText | string | boolean | null;

type Reviver = Parameters<typeof JSON.parse>[1];

/** As many as an order of a hundred lines has. To read them takes 2 ms, and to write them as long. */
export const nodesMax = 1000;

const [quote, comma, openBracket, backslash, openBrace] = Buffer.from('",[\\{');

/** Of a body that is no JSON it says as little as reading it would. */
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

/** undefined for what we would not take anyway (too deep, the same key twice, not JSON at all), and for what takes long to write. */
export function readTree(body: Buffer): JsonTree | undefined {
  if (hasTooManyNodes(body) || readJson(body).kind === 'refused') return undefined;
  const keepNumber = (_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? new NumberText(context.source) : value;
  return JSON.parse(body.toString('utf8'), keepNumber as Reviver);
}

/** null for a text that grows beyond the limit, as brackets inside brackets do when they are indented. */
export function writeTree(tree: JsonTree, style: JsonStyle, lengthMax: number): string | null {
  const writing = { text: '', style, lengthMax };
  append(writing, tree, '\n');
  return writing.text.length > lengthMax ? null : writing.text;
}

interface Writing {
  text: string;
  style: JsonStyle;
  lengthMax: number;
}

function append(writing: Writing, tree: JsonTree, lineBreak: string): void {
  if (writing.text.length > writing.lengthMax) return;
  const { style } = writing;
  if (tree instanceof NumberText) writing.text += style.numbers === 'as they came' ? tree.text : String(Number(tree.text));
  else if (typeof tree === 'string') writing.text += style.escaping(JSON.stringify(tree));
  else if (typeof tree !== 'object' || tree === null) writing.text += String(tree);
  else if (Array.isArray(tree)) appendAll(writing, '[]', tree, lineBreak, (item, inner) => append(writing, item, inner));
  else {
    const keys = style.sortsKeys ? Object.keys(tree).sort() : Object.keys(tree);
    appendAll(writing, '{}', keys, lineBreak, (key, inner) => {
      writing.text += style.escaping(JSON.stringify(key)) + style.colon;
      append(writing, tree[key]!, inner);
    });
  }
}

function appendAll<Item>(
  writing: Writing,
  brackets: string,
  items: Item[],
  lineBreak: string,
  appendItem: (item: Item, lineBreak: string) => void,
): void {
  const { comma, indent } = writing.style;
  const inner = lineBreak + indent;
  const isOnLines = indent !== '' && items.length > 0;
  writing.text += brackets[0];
  for (const [index, item] of items.entries()) {
    writing.text += (index === 0 ? '' : comma) + (isOnLines ? inner : '');
    appendItem(item, inner);
  }
  writing.text += (isOnLines ? lineBreak : '') + brackets[1];
}

/** The fields of the first level as text, for those who sign a form; on one line, where nothing grows. */
export function fieldsOf(tree: JsonTree): [name: string, value: string][] {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree) || tree instanceof NumberText) return [];
  return Object.entries(tree).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : writeTree(value, jsonStyles[0]!, Number.POSITIVE_INFINITY)!,
  ]);
}
