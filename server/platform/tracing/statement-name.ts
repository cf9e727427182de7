/** Searches have many texts. */
const namesMax = 2000;
const names = new Map<string, StatementName>();

export interface StatementName {
  operation: string;
  table: string | null;
}

const firstWord = /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i;
/** `for update` and `do update` change nothing by themselves. */
const changed = /(?<!\b(?:for|do|key)\s+)\b(insert\s+into|update|delete\s+from)\s+"?([a-z_]\w*)/i;
/** A name with a parenthesis is a function. */
const read = /\bfrom\s+"?([a-z_]\w*)\b(?!"?\s*\()/i;

/** The command of a statement and the first table that it changes or reads. No other part of its text leaves us. */
export function statementName(text: string): StatementName {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= namesMax) names.clear();
  const name = find(text);
  names.set(text, name);
  return name;
}

function find(text: string): StatementName {
  const [, word = 'statement'] = firstWord.exec(text) ?? [];
  const command = word.toLowerCase();
  if (!['select', 'with', 'insert', 'update', 'delete'].includes(command)) return { operation: command, table: null };
  const [, operation, table] = changed.exec(text) ?? [];
  if (operation !== undefined) return { operation: operation.split(/\s/, 1)[0]!.toLowerCase(), table: table! };
  return { operation: 'select', table: read.exec(text)?.[1] ?? null };
}
