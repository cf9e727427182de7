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

const unitAsEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const unitAsUpperEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

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
  ['as JSON on several lines, indented by 2 spaces', indented('  '), escapes.none],
  ['as JSON on several lines, indented by 4 spaces', indented('    '), escapes.none],
  ['as JSON on several lines, indented by tabs', indented('\t'), escapes.none],
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

/** undefined for what we would not take anyway: too deep, the same key twice, not JSON at all. */
export function readTree(body: Buffer): JsonTree | undefined {
  if (readJson(body).kind === 'refused') return undefined;
  const keepNumber = (_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? new NumberText(context.source) : value;
  return JSON.parse(body.toString('utf8'), keepNumber as Reviver);
}

export function writeTree(tree: JsonTree, style: JsonStyle, indent = ''): string {
  if (tree instanceof NumberText) return style.numbers === 'as they came' ? tree.text : String(Number(tree.text));
  if (typeof tree === 'string') return style.escaping(JSON.stringify(tree));
  if (typeof tree !== 'object' || tree === null) return String(tree);

  const inner = indent + style.indent;
  if (Array.isArray(tree))
    return enclose(
      '[]',
      tree.map((item) => writeTree(item, style, inner)),
      style,
      indent,
    );
  const keys = style.sortsKeys ? Object.keys(tree).sort() : Object.keys(tree);
  const fields = keys.map((key) => `${style.escaping(JSON.stringify(key))}${style.colon}${writeTree(tree[key]!, style, inner)}`);
  return enclose('{}', fields, style, indent);
}

function enclose(brackets: string, items: string[], style: JsonStyle, indent: string): string {
  if (items.length === 0) return brackets;
  if (style.indent === '') return brackets[0] + items.join(style.comma) + brackets[1];
  const lineBreak = `\n${indent}${style.indent}`;
  return `${brackets[0]}${lineBreak}${items.join(`${style.comma}${lineBreak}`)}\n${indent}${brackets[1]}`;
}

/** The fields of the first level as text, for those who sign a form. */
export function fieldsOf(tree: JsonTree): [name: string, value: string][] {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree) || tree instanceof NumberText) return [];
  return Object.entries(tree).map(([name, value]) => [name, typeof value === 'string' ? value : writeTree(value, jsonStyles[0]!)]);
}
