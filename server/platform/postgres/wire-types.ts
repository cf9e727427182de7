import { RowArray } from './row-array.ts';

/**
 * How values travel: parameters and results are text in PostgreSQL's own notation, except that bytes are sent raw, and
 * rows in the format of their connection.
 */
export type WireValue = string | Buffer | RowArray | null;

export type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;

/** A value that is stored as JSON. */
export class Json {
  readonly text: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

export function writeValue(value: Scalar | Json | RowArray | readonly Scalar[]): WireValue {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'object') return writeObject(value);
  if (value === undefined) throw new TypeError('a parameter of a statement is undefined');
  return String(value);
}

function writeObject(value: Date | Uint8Array | Json | RowArray | readonly Scalar[]): WireValue {
  if (Array.isArray(value)) return writeArray(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof RowArray) return value;
  if (value instanceof Json) return value.text;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError('a parameter of a statement is an object');
}

/** PostgreSQL learns the type of a parameter from its place; where that is ambiguous, from this cast. */
export function castOf(value: unknown): string {
  if (typeof value === 'boolean') return '::boolean';
  if (value instanceof Date) return '::timestamptz';
  return value instanceof Json ? '::json' : '';
}

/** `{"a",1,NULL}`: text is quoted, numbers need not be. Every order calls this twenty times, so it is a plain loop. */
export function writeArray(values: readonly Scalar[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null || value === undefined) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else text += `"${escaped(typeof value === 'string' ? value : writeElement(value))}"`;
  }
  return `${text}}`;
}

function writeElement(value: Scalar): string {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value);
}

const special = /["\\]/;

function escaped(text: string): string {
  return special.test(text) ? text.replace(/["\\]/g, '\\$&') : text;
}

type Parse = (text: string) => unknown;

const readAsText: Parse = (text) => text;
const readBoolean: Parse = (text) => text === 't';
const readInstant: Parse = (text) => new Date(text);

/** bigint as number: our ids stay below 2^53, and a larger value is an error, never rounded. */
function readBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint of the database does not fit a number');
  return value;
}

const arrayOf =
  (parse: Parse): Parse =>
  (text) =>
    readArray(text, parse);

/** By the number of the type. All others, such as text, uuid, numeric and date, remain text. */
const parsers = new Map<number, Parse>([
  [16, readBoolean],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, readBigint],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, (text) => JSON.parse(text)],
  [700, Number],
  [701, Number],
  [1000, arrayOf(readBoolean)],
  [1005, arrayOf(Number)],
  [1007, arrayOf(Number)],
  [1009, arrayOf(readAsText)],
  [1016, arrayOf(readBigint)],
  [1114, readInstant],
  [1182, arrayOf(readAsText)],
  [1184, readInstant],
  [1185, arrayOf(readInstant)],
  [1231, arrayOf(readAsText)],
  [2951, arrayOf(readAsText)],
  [3802, (text) => JSON.parse(text)],
]);

export function parserOf(type: number): Parse {
  return parsers.get(type) ?? readAsText;
}

/** One dimension, as PostgreSQL writes it: quoted where needed, NULL bare. */
export function readArray(text: string, parse: Parse): unknown[] {
  const elements = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs);
  return [...elements].map(([, quoted, bare]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'));
    return bare === 'NULL' ? null : parse(bare!);
  });
}
