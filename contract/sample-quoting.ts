/** JSON as it is written inside the source of each language, so that the very same value comes out again whatever it says. */
export const jsonIn = {
  /** Between single quotes. */
  shell: (json: string) => json.replaceAll("'", "'\\''"),
  /** Between r''' and '''. */
  python: (json: string) => json.replaceAll("'''", '\\u0027\\u0027\\u0027'),
  /** In a text block. Of other characters than ASCII it has the escapes, since up to Java 17 the encoding of a source depends on the machine. */
  java: (json: string) => json.replace(/[^\0-\x7f]/g, escaped).replaceAll('\\', '\\\\'),
  /** Between @" and ". */
  csharp: (json: string) => json.replaceAll('"', '""'),
  /** Between back quotes. */
  go: (json: string) => json.replaceAll('`', '\\u0060'),
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** An address that stands between quotes of either kind as it is. */
export function quotableUrl(url: string): string {
  return new URL(url).href.replaceAll("'", '%27');
}
