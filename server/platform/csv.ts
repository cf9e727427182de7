/** Without it, spreadsheets assume a legacy encoding. */
export const csvByteOrderMark = '\uFEFF';

/** One line, with every field quoted. */
export function csvLine(fields: (string | number | boolean | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

/**
 * Matches the places where a spreadsheet could start a formula: the start of a cell, and of each line in it, because
 * some programs split cells at line breaks. Excel also evaluates full-width signs. Partners choose these texts, so an
 * apostrophe marks them as plain text.
 */
const formulaStart = /(?<=^|[\r\n])(?=\t|[^\S\r\n]*[=+\-@＝＋－＠])|^(?=[\r\n])/g;

function csvField(value: string | number | boolean | null): string {
  const text = typeof value === 'string' ? value.replace(formulaStart, "'") : String(value ?? '');
  return `"${text.replaceAll('"', '""')}"`;
}

/** A row of a file, and the line on which it begins, from 1. */
export interface CsvRow {
  line: number;
  fields: string[];
}

export type CsvReading = { kind: 'rows'; rows: CsvRow[] } | { kind: 'open_quote'; line: number };

/**
 * Reads rows whose fields are separated by the first of these that the first line has: tab (cells that are copied from
 * a spreadsheet), semicolon, comma. Empty lines are left out.
 */
export function readCsv(text: string): CsvReading {
  const content = text.startsWith(csvByteOrderMark) ? text.slice(1) : text;
  const firstLine = /^[^\r\n]*/.exec(content)![0];
  const separator = ['\t', ';'].find((sign) => firstLine.includes(sign)) ?? ',';
  const nextField = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|((?!")[^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, fields: [] };
  while (nextField.lastIndex < content.length) {
    const found = nextField.exec(content);
    if (found === null) return { kind: 'open_quote', line };
    const [, quoted, plain = '', end] = found;
    row.fields.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += quoted?.match(lineBreak)?.length ?? 0;
    if (end === separator && nextField.lastIndex < content.length) continue;
    // Not even for a moment: a file may have millions of empty lines.
    if (row.fields.some((field) => field !== '')) rows.push(row);
    line += 1;
    row = { line, fields: [] };
  }
  return { kind: 'rows', rows };
}

const lineBreak = /\r\n|\n|\r/g;
