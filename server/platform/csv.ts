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
