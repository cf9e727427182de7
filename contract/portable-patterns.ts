/**
 * Patterns for the reference. They accept the same texts as the patterns of the service, but mean the same in ECMAScript
 * with and without the flag `u`, in Python and in Java. For that they
 * - list characters, because `\p{Cc}` is unknown to Python and to ECMAScript without `u`, and `\s` differs between all;
 * - describe a character beyond U+FFFF both as one character and as two surrogates, because ECMAScript without `u` sees
 *   the latter; lengths are therefore given as `maxLength`, which counts characters;
 * - end with `wholeText`, because `$` alone also matches before a line break at the end in Python and Java.
 */
export const wholeText = '$(?![\\s\\S])';

const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const controlsExceptLineBreaks = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
const lineBreaks = '\\t\\n\\r';
/** The white space of ECMAScript, without control characters. */
const spaces = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const invisible = `${controls}\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb`;
const invisibleBeyondFfff = [
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
] as const;
const invisiblePlane = { from: 0xe0000, to: 0xe0fff };

/** One character, except these. */
const except = (characters: string) => `(?:[^${characters}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])`;

const singles = invisibleBeyondFfff
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
  .join('|');
/**
 * Without `u`, a class cannot contain a range beyond U+FFFF: the second half of its first character would be greater
 * than the first half of its last one. A range from U+0000 is valid, so we subtract two of these. The bounds are multiples of
 * 1,024, so without `u` the difference is the first halves of exactly these characters.
 */
const planeCharacter = `(?![\\u0000-${String.fromCodePoint(invisiblePlane.from - 1)}])[\\u0000-${String.fromCodePoint(invisiblePlane.to)}]`;
const noneBeyondFfff = `(?![\\s\\S]*(?:${singles}|${planeCharacter}))`;

const visible = except(invisible + spaces);
const identifier = `${visible}(?:${except(invisible)}*${visible})?`;

/** No invisible characters, and no white space at the start or the end. */
export const identifierPattern = `^${noneBeyondFfff}${identifier}${wholeText}`;
export const identifierOrEmptyPattern = `^${noneBeyondFfff}(?:${identifier})?${wholeText}`;

/** Any text; only NUL is rejected everywhere. */
export const anyTextPattern = `^${except('\\u0000')}*${wholeText}`;
/** Text with line breaks and tabs, but no other control characters. */
export const textPattern = `^${except(controlsExceptLineBreaks)}*${wholeText}`;
/** The same, and not only white space. */
export const titlePattern = `^[${lineBreaks}${spaces}]*${except(controls + spaces)}${except(controlsExceptLineBreaks)}*${wholeText}`;

/** An existing date. */
const anyDate =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
/** From year 1 on. */
const date = `(?!0000)${anyDate}`;
export const datePattern = `^${date}${wholeText}`;
export const dateOrEmptyPattern = `^(?:${date})?${wholeText}`;
export const instantPattern = `^${date}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])${wholeText}`;
/** A date, or a time in any form of RFC 3339. */
export const instantOrDatePattern = `^${anyDate}(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]))?${wholeText}`;

const label = '[0-9A-Za-z_](?:[0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?';
/** The last label starts with a letter, because a name that ends with a number is an IPv4 address. */
const hostName = `(?:${label}\\.)*[A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?\\.?`;
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const hex = '[0-9A-Fa-f]{1,4}';
/** `::` stands for one or more groups of zeros. */
const ipv6 = [
  `(?:${hex}:){7}${hex}`,
  ...Array.from({ length: 8 }, (_, before) => {
    const left = before === 0 ? '' : `(?:${hex}:){${before - 1}}${hex}`;
    return before === 7 ? `${left}::` : `${left}::(?:${hex}(?::${hex}){0,${6 - before}})?`;
  }),
].join('|');
const host = `(?:${hostName}|${byte}(?:\\.${byte}){3}|\\[(?:${ipv6})\\])`;
const port = '0*(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const rest = "(?:[0-9A-Za-z._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*";
/** An absolute http or https URI as in RFC 3986, without a user name and a password. */
export const webAddressPattern = `^[Hh][Tt][Tt][Pp][Ss]?://${host}(?::${port})?(?:[/?]${rest})?(?:#${rest})?${wholeText}`;
