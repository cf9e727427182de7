/**
 * Statements of a migration that nodes of an older version may not survive: they remove, rename or narrow something. A
 * statement is excepted by a comment of its own that starts with `-- safe beside older versions:` and gives the reason.
 */
export function unsafeStatementsOf(sql: string): string[] {
  return plainStatementsOf(sql).filter(
    (statement) => !statement.includes(exceptionMark) && unsafe.some((pattern) => pattern.test(statement)),
  );
}

const unsafe = [
  /\bdrop\b/,
  /\brename\b/,
  /\btruncate\b/,
  /\balter (column )?\S+ (set data )?type\b/,
  /\bset not null\b/,
  /\badd (column )?(if not exists )?[^,]*\bnot null\b(?![^,]*\b(default|generated)\b)(?<!\b(default|generated)\b[^,]*)/,
];

const exceptionMark = '\u0001';
const exceptionComment = /^--\s*safe beside older versions:\s*\S/i;
const quoted = /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g;

/** In lower case with single spaces; without comments, texts and bodies of functions. */
function plainStatementsOf(sql: string): string[] {
  const plain = sql.replace(quoted, (token) => {
    if (token.startsWith('--')) return exceptionComment.test(token) ? ` ${exceptionMark} ` : ' ';
    return token.startsWith('/*') ? ' ' : "''";
  });
  return plain
    .split(';')
    .map((statement) => statement.toLowerCase().replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
}
