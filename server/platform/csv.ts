/** Spreadsheets take a file without it for one of their own old encodings. */
export const csvByteOrderMark = '\uFEFF';

/** One line, with every field quoted. */
export function csvLine(fields: (string | number | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

/** What a spreadsheet would take for a formula is a text after an apostrophe: numbers of documents come from outside. */
const formulaStart = /^[=+\-@\t\r]/;

function csvField(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && formulaStart.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
