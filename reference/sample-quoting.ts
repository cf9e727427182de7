/** Escapes JSON for a string literal in each language, so that the program sends exactly this JSON. */
export const jsonIn = {
  /** Between single quotes. */
  shell: (json: string) => json.replaceAll("'", "'\\''"),
  /** Between r''' and '''. */
  python: (json: string) => json.replaceAll("'''", '\\u0027\\u0027\\u0027'),
  /**
   * In a text block. Non-ASCII characters are escaped because the default encoding of source files depends on the
   * machine up to Java 17.
   */
  java: (json: string) => json.replace(/[^\0-\x7f]/g, escaped).replaceAll('\\', '\\\\'),
  /** Between @" and ". */
  csharp: (json: string) => json.replaceAll('"', '""'),
  /** Between back quotes. */
  go: (json: string) => json.replaceAll('`', '\\u0060'),
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A URL that needs no escaping between single or double quotes. */
export function quotableUrl(url: string): string {
  return new URL(url).href.replaceAll("'", '%27');
}
