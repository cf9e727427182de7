/**
 * Conversions between us and PostgreSQL where the driver's own do not fit. The array types are listed because the
 * driver would otherwise query them on every new connection, with a promise that nobody handles: a connection cut at
 * that moment would end the process.
 */
export type WireTypes = { bigint: number; day: string };

/** bigint as number: our ids stay below 2^53, and a larger value is an error, never rounded. A date as text. */
export const wireTypes = {
  bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
  day: { to: 1082, from: [1082], serialize: String, parse: String },
  ...arrayTypes({
    boolean: [1000, (text) => text === 't'],
    smallint: [1005, Number],
    integer: [1007, Number],
    text: [1009, String],
    bigint: [1016, parseBigint],
    day: [1182, String],
    timestamptz: [1185, (text) => new Date(text)],
    numeric: [1231, String],
    uuid: [2951, String],
  }),
};

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint of the database does not fit a number');
  return value;
}

type ParseElement = (text: string) => unknown;

function arrayTypes(elements: Record<string, [oid: number, parse: ParseElement]>) {
  return Object.fromEntries(
    Object.entries(elements).map(([name, [oid, parse]]) => [
      `${name}Array`,
      { to: oid, from: [oid], serialize: writeArray, parse: (text: string) => readArray(text, parse) },
    ]),
  );
}

/** `{"a",1,NULL}`: text is quoted, numbers need not be. Every order calls this twenty times, so it is a plain loop. */
export function writeArray(values: unknown): string {
  let text = '{';
  for (const value of values as unknown[]) {
    if (text.length > 1) text += ',';
    if (value === null || value === undefined) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else text += `"${escaped(value instanceof Date ? value.toISOString() : String(value))}"`;
  }
  return `${text}}`;
}

const special = /["\\]/;

function escaped(text: string): string {
  return special.test(text) ? text.replace(/["\\]/g, '\\$&') : text;
}

/** One dimension, as PostgreSQL writes it: quoted where needed, NULL bare. */
export function readArray(text: string, parse: ParseElement): unknown[] {
  const elements = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs);
  return [...elements].map(([, quoted, bare]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'));
    return bare === 'NULL' ? null : parse(bare!);
  });
}
